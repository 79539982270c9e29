use super::super::Formula;
use super::super::tests::{numbers, table};
use crate::testing::TEST_VOCABULARY;
use crate::testing::assert_refused;

#[test]
fn faults_of_names_and_kinds_are_shown_at_their_place() {
    let cases = [
        "held > 3 or trap_seen > nerve => 12..21 unknown name `trap_seen` \
         | not a feature, a parameter or a `let` name | did you mean `traps_seen`?",
        "tarjet > 1 => 0..6 unknown name `tarjet` \
         | not a feature, a parameter or a `let` name | did you mean `target`?",
        "xyz > 1 => 0..3 unknown name `xyz` \
         | not a feature, a parameter or a `let` name | ",
        "let stake = held; steak > stake => 18..23 unknown name `steak` \
         | not a feature, a parameter or a `let` name | did you mean `stake`?",
        "held and true => 0..4 a truth value is needed here",
        "not held => 4..8 a truth value is needed here",
        "1 + (held > 2) > 2 => 4..14 a number is needed here",
        "min(held, true) > 2 => 10..14 a number is needed here",
        "if held then true else false => 3..7 a truth value is needed here",
        "(held > 1) == true => 0..10 a number is needed here",
        "if held > 1 then true else 3 => 27..28 the branches of `if` differ in kind",
        "held + 1 => 0..8 `leave` must be a truth value",
        "let held = 1; held > 2 => 4..8 `held` already names a feature",
        "let nerve = 1; nerve > 2 => 4..9 `nerve` already names a parameter",
        "let min = 1; held > 2 => 4..7 `min` already names a function",
        "let a = 1; let a = 2; a > 2 => 15..16 `a` already names another `let`",
        "let a = 1; held > 2 => 4..5 `a` is never used",
        "let a = a; a > 2 => 8..9 unknown name `a`",
        "(let a = held; a > 1) or a > 2 => 25..26 unknown name `a`",
        "held > nerve[1] => 7..12 `nerve` is a parameter | not a table",
    ];
    let parse = |text: &str| Formula::parse(text, &["target", "nerve"], &TEST_VOCABULARY);
    assert_refused(&cases, |text| parse(text).unwrap_err());
    parse("if if true then false else true then held > 1 else held < 1").unwrap();
    parse("(let a = held; a > 1) or (let a = chest; a > 2)").unwrap();
}

#[test]
fn look_ups_must_fit_their_tables() {
    let tables = [
        table("boldness", &[&[1.0]], numbers(&[0.0; 2])),
        table("card", &[&[1.0], &[2.0]], numbers(&[0.0; 4])),
    ];
    let parse =
        |text: &str| Formula::parse_with_tables(text, &["target"], &tables, &TEST_VOCABULARY);
    let formula = parse("held > card[held, 2] + target").unwrap();
    assert!(!formula.uses_table(0) && formula.uses_table(1));
    let cases = [
        "held > boldnes[1] => 7..14 unknown table `boldnes` \
         | there is no [tables.boldnes] in the file | did you mean `boldness`?",
        "held > held[1] => 7..11 `held` is a feature",
        "held > target[1] => 7..13 `target` is a parameter",
        "held > min[1] => 7..10 `min` is a function",
        "held > card => 7..11 `card` is a table",
        "held > card[1] => 7..14 table `card` has 2 axes",
        "held > boldness[1, 2] => 7..21 table `boldness` has 1 axis",
        "held > boldness[true] => 16..20 a number is needed here",
        "boldness[held] => 0..14 `leave` must be a truth value",
        "let card = 1; held > card => 4..8 `card` already names a table",
    ];
    assert_refused(&cases, |text| parse(text).unwrap_err());
}
