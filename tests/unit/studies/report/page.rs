use super::*;

#[test]
fn what_comes_from_outside_stays_text() {
    let hostile = "<script>alert('a & b')</script>\"\u{202e}\u{7}\r\n";
    let expected =
        "&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;&quot;\u{fffd}\u{fffd}\n";
    assert_eq!(escaped(hostile), expected);
    assert_eq!(escaped("plain é\n"), "plain é\n");
}

#[test]
fn notes_are_markdown_and_never_run() {
    let notes = "# Why\n\nA *livelier* mine:\n\n- one\n- [two](https://example.org)\n\n\
                 Or <script>alert(1)</script> [x](javascript:alert(2)) ![cat](http://e/cat.png)";
    let html = markdown(notes);
    for part in [
        "<p>Why</p>",
        "<em>livelier</em>",
        "<li>one</li>",
        "<a href=\"https://example.org\">two</a>",
        "&lt;script&gt;",
        "cat",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    for part in ["javascript", "<img", "<script"] {
        assert!(!html.contains(part), "{part} in {html}");
    }
}

#[test]
fn numbers_are_short() {
    let found = [0.0, 0.25, 1.0 / 3.0, -1234.56789, 1e-7, 123456789.0, 2e20].map(short);
    let expected = "0 0.25 0.333333 -1234.57 1.000e-7 123456789 2.000e20";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn populations_are_named_by_their_table_and_number() {
    let bot = |set: &str| {
        let text = format!("made_for = {{ rules = \"iello-2016\"{set}, players = 4, by = \"x\" }}");
        SourceText::new("adapted", text)
    };
    let changed = ", set = [\"traps.snake=4\"]";
    let bots = [
        bot(""),
        bot(""),
        SourceText::new("simple", ""),
        bot(changed),
    ];
    let names = [
        "Bot adapted for iello-2016, 4 players, population 1",
        "Bot adapted for iello-2016, 4 players, population 2",
        "Bot simple",
        "Bot adapted for iello-2016 with traps.snake=4, 4 players, population 1",
    ];
    assert_eq!(bot_names(&bots), names);
}
