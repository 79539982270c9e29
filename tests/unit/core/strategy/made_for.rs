use super::*;

#[test]
fn lines_with_quotes_are_read_as_they_were_written() {
    let made_for = MadeFor {
        rules: Some("my \"house\\rules\".toml".to_string()),
        set: vec!["tiebreak=\"shared\"".to_string()],
        players: Some(5),
        by: None,
    };
    let line = made_for.line();
    let document = DeTable::parse(&line).unwrap();
    let read = MadeFor::of(document.get_ref()).unwrap();
    assert_eq!(read, Some(made_for));
}
