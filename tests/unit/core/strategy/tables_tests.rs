//! Tests of the tables of a bot's file.

use super::tests::{self, fault, named};
use super::{Seat, Strategy};
use crate::formula::Value;

const NERVE: &str = "\
leave = \"held >= nerve[traps_seen]\"
[params]
calm = 14
[tables.nerve]
axes = [[1, 2, 3]]
values = [30, 20, \"calm\", 9]
";

fn strategy(text: &str) -> Strategy {
    tests::strategy(text).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn numbers_of_small_tables_are_parameters() {
    let nerve = strategy(NERVE);
    let params = [
        ("calm", 14.0),
        ("nerve.1", 30.0),
        ("nerve.2", 20.0),
        ("nerve.4", 9.0),
    ];
    assert_eq!(nerve.params, named(&params));
    assert_eq!(nerve.tables, [("nerve".to_owned(), 4)]);
    assert_eq!(nerve.description, "held >= nerve[traps_seen]");
    let seat = Seat::new(nerve, &named(&[("nerve.2", 7.0), ("calm", 6.5)])).unwrap();
    assert_eq!(seat.label(), "threshold:calm=6.5,nerve.2=7");
    assert_eq!(seat.params_text(), "calm=6.5,nerve.2=7");
    for (traps, target) in [(0.0, 30.0), (1.0, 7.0), (2.0, 6.5), (9.0, 9.0)] {
        let formula = seat.formula();
        let leaves = |held| formula.evaluate(|feature| [held, 0.0, traps][feature]);
        assert_eq!(leaves(target), Value::Truth(true));
        assert_eq!(leaves(target - 0.5), Value::Truth(false));
    }
}

#[test]
fn large_and_packed_tables_have_no_parameters() {
    let edges: Vec<i32> = (1..65).collect();
    let values = vec![3; 65];
    let with = |values: &str| {
        format!("leave = 'held > card[held]'\n[tables.card]\naxes = [{edges:?}]\nvalues = {values}")
    };
    assert_eq!(strategy(&with(&format!("{values:?}"))).params, []);
    // 65 zeros, with blanks and without padding.
    let packed = format!("\'\'\'\n{} \n {}\'\'\'", "AAAA".repeat(20), "A".repeat(7));
    let packed = with(&format!("{{ packed = {packed}, scale = [2, 3.5] }}"));
    let seat = Seat::new(strategy(&packed), &[]).unwrap();
    assert_eq!(seat.strategy.params, []);
    assert_eq!(seat.formula().evaluate(|_| 2.5), Value::Truth(true));
    assert_eq!(seat.formula().evaluate(|_| 2.0), Value::Truth(false));
}

#[test]
fn faults_are_shown_at_their_place() {
    // What is changed in the file, and what is then shown where.
    for case in [
        "[1, 2, 3]] → [1, 3, 3]] => 3: table `nerve`: edges must rise",
        "[1, 2, 3]] → [1, inf, 3]] => inf: an edge must be a finite number",
        "[1, 2, 3]] → [1, 'b', 3]] => 'b': an edge must be a number",
        "[[1, 2, 3]] → [1, 2, 3] => 1: `axes` must be a list of lists of numbers",
        "[[1, 2, 3]] → [] => []: table `nerve`: 1 to 8 axes are possible",
        "[[1, 2, 3]] → [[]] => []: table `nerve`: an axis has 1 to 255 edges",
        "[[1, 2, 3]] → [[1]] => [30, 20, \"calm\", 9]: \
         table `nerve`: its axis has 1 edge, so 2 values belong here",
        "[[1, 2, 3]] → [[1, 2, 3], [1]] => 30: \
         table `nerve`: axis 2 has 1 edge, so 2 values belong here",
        "30 → [30] => [30]: table `nerve`: it has one axis, so a number belongs here",
        "30 → nan => nan: a value must be a finite number",
        "30 → true => true: a value must be a number",
        "\"calm\" → \"clam\" => \"clam\": table `nerve`: there is no parameter `clam`",
        "\"calm\" → 3 => calm: parameter `calm` is never used",
        "values → value => value: unknown key `value`",
        "axes = [[1, 2, 3]] →  => nerve: `axes` of table `nerve` is missing",
        "tables.nerve → tables.brave => nerve: unknown table `nerve`",
        "nerve[traps_seen] → calm => nerve: table `nerve` is never used",
        "tables.nerve → tables.held => held: `held` cannot name a table",
        "tables.nerve → tables.calm => calm: `calm` cannot name a table",
        "tables.nerve → tables.min => min: `min` cannot name a table",
        "tables.nerve → tables.then => then: `then` cannot name a table",
        "[tables.nerve] → [tables]\nnerve = 3\n# => 3: `nerve` must be a table",
    ] {
        let (change, expected) = case.split_once(" => ").unwrap();
        let (old, new) = change.split_once(" → ").unwrap();
        // Some names occur more than once in the file; then the case gives the place by its text.
        let (place, message) = fault(&NERVE.replace(old, new));
        assert_eq!(format!("{place}: {message}"), expected, "{case}");
    }
    let with = |old: &str, new: &str| fault(&NERVE.replace(old, new)).1;
    let edges: Vec<i32> = (0..255).collect();
    let message = with("[[1, 2, 3]]", &format!("[{edges:?}, {edges:?}, {edges:?}]"));
    assert_eq!(message, "table `nerve`: at most 2097152 cells");
    let message = with("[[1, 2, 3]]", "[[1],[1],[1],[1],[1],[1],[1],[1],[1]]");
    assert_eq!(message, "table `nerve`: 1 to 8 axes are possible");
    for case in [
        "packed = 'AAAA', scale = [0, 1] => table `nerve`: its axes ask for 4 cells",
        // Eight bytes, compressed with zlib.
        "packed = 'eNpjYIAAAAAIAAE=', scale = [0, 1] => table `nerve`: its axes ask for 4 cells",
        "packed = 'AAAAAA==', scale = [1, 1] => table `nerve`: its scale must rise",
        "packed = 'AAAAAA==', scale = 1 => `scale` must be two numbers, `[low, high]`",
        "packed = 'AAAAAA==' => table `nerve`: `scale` of its values is missing",
        "scale = [0, 1] => table `nerve`: `packed` of its values is missing",
        "packed = 4, scale = [0, 1] => `packed` must be text in quotes",
        // Eight cells, said to be compressed.
        "zlib = 'eNpjYIAAAAAIAAE=', scale = [0, 1] => table `nerve`: its axes ask for 4 cells",
        "zlib = 'eNpjYIAA', packed = 'AAAAAA==', scale = [0, 1] => \
         table `nerve`: either `packed` or `zlib`, not both",
        "pack = 'AAAAAA==', scale = [0, 1] => unknown key `pack`",
        "packed = 'AAAA?A==', scale = [0, 1] => table `nerve`: its packed values are not base64 (",
    ] {
        let (values, expected) = case.split_once(" => ").unwrap();
        let message = with("[30, 20, \"calm\", 9]", &format!("{{ {values} }}"));
        let begun = expected.ends_with('(') && message.starts_with(expected);
        assert!(message == expected || begun, "{message}");
    }
}

/// Twelve cells that are twelve bytes when they are compressed: once, these were played instead.
#[test]
fn a_file_says_how_cells_are_packed() {
    let with = |values: &str| {
        format!(
            "leave = 'card[held] > 200'\n[tables.card]\n\
             axes = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]\n\
             values = {{ {values}, scale = [0, 255] }}"
        )
    };
    let formula = |values: &str| Seat::new(strategy(&with(values)), &[]).unwrap().formula();
    for values in ["packed = '/wD/////////////'", "zlib = 'eNr7z/AfDgBCyQr2'"] {
        let formula = formula(values);
        for held in 0..12 {
            let leaves = Value::Truth(held != 1);
            assert_eq!(formula.evaluate(|_| held as f32), leaves, "{values}");
        }
    }
    let (_, message) = fault(&with("packed = 'eNr7z/AfDgBCyQr2'"));
    let both = "table `card`: its values can be read both compressed and raw";
    assert_eq!(message, both);
}
