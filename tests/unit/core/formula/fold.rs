use super::super::program::Program;
use super::super::table::Cells;
use super::super::tests::{bound as formula, numbers, table};
use super::super::{Node, Operation};
use crate::testing::TEST_VOCABULARY;

fn bound(text: &str) -> Vec<Node> {
    formula(text, &[]).nodes
}

#[test]
fn constants_and_known_sides_are_computed() {
    for (text, shorter) in [
        ("held > target * 2", "held > 24"),
        ("true and held > 1 or false", "held > 1"),
        ("held >= target or target < 1 and chest > 1", "held >= 12"),
        ("if target > 3 then held > 1 else chest > 1", "held > 1"),
        ("(if target < 3 then chest else held) > 1", "held > 1"),
    ] {
        assert_eq!(bound(text), bound(shorter), "{text}");
    }
    let constant = bound("target / 5 > 2 and min(1, 0) == 0");
    assert_eq!(constant, [Node::Truth(true)]);
    assert_eq!(bound("held > 1 and false"), [Node::Truth(false)]);
    assert_eq!(bound("held > 1 or target > 3"), [Node::Truth(true)]);
}

#[test]
fn a_choice_between_tables_is_one_look_up() {
    let tables = ["a", "b", "c"].map(|name| {
        let first = f32::from(name.as_bytes()[0]);
        let cells = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|cell| first + cell);
        table(name, &[&[3.0], &[1.0, 4.0]], numbers(&cells))
    });
    let text = "(if chest > 2 then a[held, chest] else if held > 5 then b[held, chest]
            else c[held, traps_seen]) > 99.5";
    let joined = formula(text, &tables);
    let look_up = |node: &&Node| matches!(node, Node::Apply(Operation::LookUp(_), _));
    assert_eq!(joined.nodes.iter().filter(look_up).count(), 1);
    let each = ["a[held, chest]", "b[held, chest]", "c[held, traps_seen]"];
    let each = each.map(|look_up| formula(&format!("{look_up} > 99.5"), &tables));
    for number in 0..512 {
        let feature = |feature: usize| (number >> (3 * feature) & 7) as f32;
        let [held, chest] = [0, 1].map(feature);
        let chosen = match () {
            _ if chest > 2.0 => 0,
            _ if held > 5.0 => 1,
            _ => 2,
        };
        assert_eq!(
            joined.evaluate(feature),
            each[chosen].evaluate(feature),
            "{number}"
        );
    }
}

#[test]
fn programs_share_joined_tables() {
    let tables = ["a", "b"].map(|name| table(name, &[&[3.0], &[1.0]], numbers(&[0.0; 4])));
    let text = "(if chest > 2 then a[held, chest] else b[held, chest]) > target";
    let parsed = super::super::tests::parsed(text, &tables);
    let grids = [1.0, 2.0].map(|target| {
        let bound = parsed.bind(&[target]);
        let program = Program::compile(&TEST_VOCABULARY, &[bound], &[]).unwrap();
        match &program.lookups.grids[..] {
            [Cells::Numbers(grid)] => std::sync::Arc::clone(grid),
            grids => panic!("{grids:?}"),
        }
    });
    assert!(std::sync::Arc::ptr_eq(&grids[0], &grids[1]));
}

#[test]
fn numbers_are_not_rearranged() {
    assert_eq!(bound("held * 0 > 1").len(), 5);
    assert_eq!(bound("held + 1 + 2 > 1").len(), 7);
}
