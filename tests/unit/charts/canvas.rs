use super::*;
use crate::theme;

#[test]
fn texts_hold_nothing_that_cannot_be_drawn() {
    let mut canvas = Canvas::new(100.0, 100.0);
    let hostile = "a\u{1b}[31m\u{0}\n\u{9b}\u{ffff}\u{202e}é";
    canvas.text(hostile, (1.0, 9.0), theme::LABEL);
    canvas.text_upward("b\tc", (1.0, 9.0), theme::LABEL);
    let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
    assert_eq!(texts, ["a [31m     é", "b c"]);
}

#[test]
fn overlapping_texts_are_noticed() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.text("one", (20.0, 50.0), theme::LABEL);
    canvas.text("two", (25.0, 52.0), theme::LABEL);
    assert!(canvas.faults()[0].starts_with("overlap"));
}
