use super::*;

#[test]
fn counts_are_read_as_people_write_them() {
    for (text, count) in [
        ("1", 1),
        ("250000", 250_000),
        ("250_000", 250_000),
        ("1,000,000", 1_000_000),
        ("250k", 250_000),
        ("2.5M", 2_500_000),
        ("1e9", 1_000_000_000),
        ("10^12", 1_000_000_000_000),
    ] {
        assert_eq!(parse_count(text), Ok(count), "{text}");
    }
    for text in [
        "", "0", "-5", "1.5", "many", "k", "1e30", "10^40", "^", "NaN", "inf",
    ] {
        assert!(parse_count(text).is_err(), "{text}");
    }
}
