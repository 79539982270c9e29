use super::*;
use crate::testing::assert_refused;

#[test]
fn text_falls_into_numbers_words_and_symbols() {
    for (text, expected) in [
        (
            "held>=12 # rubies\r\n and -x1_e <0.5",
            "held >= 12 and - x1_e < 0.5 ",
        ),
        ("1e3 1E-3*2.5e+1", "1e3 1E-3 * 2.5e+1 "),
        ("a != b", "a != b "),
        ("  # nothing", ""),
    ] {
        let tokens = tokens(text).unwrap();
        let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        assert_eq!(texts.join(" "), expected);
    }
}

#[test]
fn what_is_no_token_is_shown_whole() {
    let cases = [
        "a && b => 2..4 `&&` is not part of the language | write `and`",
        "a | b => 2..3 `|` is not part of the language | write `or`",
        "!a => 0..1 `!` is not part of the language | write `not`",
        "1.2.3 => 0..5 `1.2.3` is not a number | malformed number",
        "12abc => 0..5 `12abc` is not a number | malformed number",
        "5. => 0..2 `5.` is not a number | malformed number",
        "1 + .5 => 4..6 `.5` is not a number | malformed number",
        "1 € 2 => 2..5 unexpected character `€`",
    ];
    assert_refused(&cases, |text| tokens(text).unwrap_err());
}

#[test]
fn names_are_plain_words() {
    assert!(is_name("target") && is_name("_x2"));
    for not_a_name in ["", "2x", "a-b", "é", "and", "min"] {
        assert!(!is_name(not_a_name), "{not_a_name}");
    }
}
