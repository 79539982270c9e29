use super::*;
use crate::testing::TEST_VOCABULARY;

pub fn table(name: &str, axes: &[&[f32]], cells: Cells) -> Table {
    let name = name.to_owned();
    let axes = axes.iter().map(|edges| edges.to_vec()).collect();
    Table { name, axes, cells }
}

pub fn numbers(cells: &[f32]) -> Cells {
    Cells::written(cells.iter().map(|&cell| Cell::Number(cell)).collect())
}

/// A formula with the parameter `target`.
pub fn parsed(text: &str, tables: &[Table]) -> Formula {
    let formula = Formula::parse_with_tables(text, &["target"], tables, &TEST_VOCABULARY);
    formula.unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

/// The same with 12 as the target.
pub fn bound(text: &str, tables: &[Table]) -> Formula {
    parsed(text, tables).bind(&[12.0])
}

/// With `held` 7, `chest` 20, `traps_seen` 2, `random` 0.25 and `target` 12.
#[test]
fn formulas_mean_what_they_say() {
    for text in [
        "not (held >= target or traps_seen >= 3)",
        "held + 5 >= target and not traps_seen > 2",
        "if held < 7 then false else random < 0.3",
        "let a = held * traps_seen; let b = a - target; b == 2 and a != b",
        "max(held, target, 3) == 12 and min(held, target, 3) == 3",
        "floor(-held / 2) == -4 and abs(-held) == 7",
        "held / (traps_seen - 2) == 0 and held / -(traps_seen - 2) == 0",
        "1e3 == 1000 and -2 * -3 == 6 and 7 - 2 - 1 == 4",
        "(let h = held / 2; h * 2 == held) # always\n",
    ] {
        let answer = bound(text, &[]).evaluate(|feature| [7.0, 20.0, 2.0, 0.25][feature]);
        assert_eq!(answer, Value::Truth(true), "{text}");
    }
}

#[test]
fn tables_give_what_their_cells_hold() {
    let [first, second, last] = [30.0, 20.0, 5.0].map(Cell::Number);
    let nerve = Cells::written(vec![first, second, Cell::Param(0), last]);
    let card = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let tables = [
        table("nerve", &[&[1.0, 2.0, 3.5]], nerve),
        table("card", &[&[7.0], &[10.0, 20.0]], card),
    ];
    for text in [
        "nerve[traps_seen] == target and nerve[-traps_seen] == 30",
        "nerve[traps_seen * 2] == 5 and nerve[nerve[3]] == 5",
        "card[held, chest] == 6 and card[held - 1, chest] == 3",
        "card[held, chest - 1] == 5 and card[random, random] == 1",
    ] {
        let bound = bound(text, &tables);
        let features = [7.0, 20.0, 2.0, 0.25];
        let answer = bound.evaluate(|feature| features[feature]);
        assert_eq!(answer, Value::Truth(true), "{text}");
        // Known features may be folded in advance.
        let certain: Vec<_> = features.into_iter().enumerate().collect();
        assert_eq!(bound.given(&certain).nodes, [Node::Truth(true)], "{text}");
    }
}

#[test]
fn what_is_certain_is_settled() {
    let text = "if traps_seen > 0 then held > 1 else chest * traps_seen < 5 - held";
    let parsed = |text| parsed(text, &[]);
    let formula = parsed(text);
    assert_eq!(formula.given(&[(2, 1.0)]), parsed("held > 1"));
    let both = formula.given(&[(0, 4.0), (2, 0.0)]);
    assert_eq!(both, parsed("chest * 0 < 1"));
    assert_eq!(formula.given(&[]), formula);
}

#[test]
fn a_large_formula_has_room() {
    // 66 sums of an if and a comparison: 199 operations, and more numbers than that.
    let of = |n: u32| if 7 < n { 100 + n } else { 200 + n };
    let mut text = String::new();
    for n in 0..66 {
        text += &format!("(if held<{n} then {} else {})+", 100 + n, 200 + n);
    }
    let sum: u32 = (0..66).map(of).sum();
    let formula = parsed(&format!("{text}0 == {sum}"), &[]);
    assert!(formula.nodes.len() > NODES_USUAL);
    assert_eq!(formula.evaluate(|_| 7.0), Value::Truth(true));
}

#[test]
fn shared_lets_are_computed_once() {
    let mut text = "let x0 = held + held;".to_owned();
    for n in 1..60 {
        text += &format!("let x{n} = x{} + x{};", n - 1, n - 1);
    }
    let formula = parsed(&(text + "x59 > 0"), &[]);
    assert_eq!(formula.evaluate(|_| 1.0), Value::Truth(true));
    assert!(formula.nodes.len() < 70);
}
