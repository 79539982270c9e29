use super::*;

#[test]
fn json_is_harmless_and_stays_json() {
    let raw = "\u{7f} \u{9b}31m \u{202e}é\u{2066}\n\u{1b}\t\\";
    let line = json_line(&raw).unwrap();
    assert_eq!(visible(&line), line);
    assert!(line.contains("\\u202e"), "{line}");
    assert_eq!(serde_json::from_str::<String>(&line).unwrap(), raw);
}

#[test]
fn prose_wraps_between_words_and_lines_stay() {
    assert_eq!(
        wrapped("one two three\nfour", Some(7)),
        "one two\nthree\nfour"
    );
    assert_eq!(wrapped("  a: b\n\nc", Some(40)), "  a: b\n\nc");
    assert_eq!(
        wrapped("gains 1.2 ± 0.3 % now", Some(14)),
        "gains\n1.2 ± 0.3 %\nnow"
    );
    assert_eq!(
        wrapped("incomprehensible word", Some(5)),
        "incomprehensible\nword"
    );
}

#[test]
fn the_rest_of_a_long_line_stands_below_its_text() {
    let list = "bots\n  card     one two three fourth fifth six\n  short  x";
    let expected = "bots\n  card     one two three fourth\n           fifth six\n  short  x";
    assert_eq!(hung(list, 35), expected);
    assert_eq!(hung("  one two three", 11), "  one two\nthree");
    assert_eq!(
        hung("  é: one two three four five six", 28),
        "  é: one two three four five\n    six"
    );
}

#[test]
fn columns_to_the_right_give_way_and_words_become_narrow() {
    let header = ["what it is", "value", "more"].map(str::to_string);
    let words = "a rather long text that says what it is".to_string();
    let rows = vec![vec![words, "1234".to_string(), "12345678".to_string()]];
    let cells = Cells::new(&header, rows).right_from(1);
    assert_eq!(columns_within(&cells, 80), 3);
    assert_eq!(columns_within(&cells, 28), 2);
    let narrow = fitted(&cells.first_columns(2), Some(40));
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 40),
        "{narrow}"
    );
    assert!(
        narrow.contains("1234") && narrow.contains("what it is"),
        "{narrow}"
    );
}

#[test]
fn nothing_controls_the_terminal() {
    assert_eq!(visible("plain é\n\ttext"), "plain é\n\ttext");
    assert_eq!(visible("a\r\nb\rc"), "a\r\nb\\rc");
    let shown = visible("\u{1b}[31m\u{9b}\u{7}\u{202e}");
    assert_eq!(shown, "\\u{1b}[31m\\u{9b}\\u{7}\\u{202e}");
}
