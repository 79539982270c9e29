use super::*;
use crate::strategy::SeatSpec;

#[test]
fn quotes_keep_blanks_together() {
    let read = |text| words(text).unwrap_or_default().join("|");
    assert_eq!(read(" python3  a.py "), "python3|a.py");
    assert_eq!(read(r#"'my bot' "" a="b 'c'""#), "my bot||a=b 'c'");
    assert_eq!(read(r"C:\bots\a.exe"), r"C:\bots\a.exe");
    assert_eq!((words("  "), words("a 'b")), (None, None));
}

#[test]
fn a_command_is_a_name_as_a_whole() {
    let spec = SeatSpec::parse("2*exec: ./bot at=C:x *.txt").expect("a seat");
    assert_eq!(spec.name, "exec:./bot at=C:x *.txt");
    assert_eq!((spec.copies, spec.params.len()), (2, 0));
    assert_eq!(spec.to_string(), "2*exec:./bot at=C:x *.txt");
    assert!(SeatSpec::parse("exec: ").is_err());
}
