use super::*;
use crate::testing::TEST_VOCABULARY;

#[test]
fn reasons_name_what_was_looked_at() {
    let formula = Formula::parse("held >= 7 and traps_seen < 2", &[], &TEST_VOCABULARY);
    let values = [7.5, 20.0, 2.0, 0.25];
    let why = Why::of(&formula.unwrap(), |feature| values[feature]);
    let text = why.text(&TEST_VOCABULARY);
    let expected = format!("{}: no; held 7.5, traps_seen 2", TEST_VOCABULARY.question);
    assert_eq!(text, expected);
}

#[test]
fn numbers_are_short() {
    assert_eq!(
        [0.0, -1.25, 1.0 / 3.0, 100.0].map(short),
        ["0", "-1.25", "0.333", "100"]
    );
}
