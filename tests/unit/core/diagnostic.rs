use super::*;

fn diagnostic(text: &str, span: Range<usize>) -> Diagnostic {
    let fault = Fault::new(span, "unknown name `helt`", "not known here");
    fault
        .with_help(did_you_mean("helt", ["held"]))
        .in_file("bots/mine.toml", text)
}

#[test]
fn any_span_of_any_text_can_be_shown() {
    for text in [
        "",
        "\n",
        "a = 1",
        "x\r\ny\r\n",
        "é = \"→ 宝石\"\r\n",
        "\u{feff}a",
    ] {
        for start in 0..text.len() + 3 {
            for end in 0..text.len() + 3 {
                let shown = diagnostic(text, start..end).to_string();
                assert!(shown.contains("--> bots/mine.toml:"), "{shown}");
                assert!(shown.contains('^'), "{text:?} {start}..{end}\n{shown}");
            }
        }
    }
}

#[test]
fn lines_that_end_in_carriage_returns_are_counted_once() {
    let shown = diagnostic("a = 1\r\nleave = \"helt\"\r\n", 16..20).to_string();
    assert!(shown.contains("bots/mine.toml:2:10"), "{shown}");
}

#[test]
fn the_nearest_name_is_found_and_strangers_are_not() {
    let known = ["held", "leftover", "traps_seen", "target"];
    let meant = ["helt", "Held", "traps", "tarjet"].map(|name| nearest(name, known).unwrap());
    assert_eq!(meant, ["held", "held", "traps_seen", "target"]);
    assert_eq!(nearest("first_leaver_bonus", ["first_card"]), None);
    assert_eq!(["rubies", ""].map(|name| nearest(name, known)), [None; 2]);
}

#[test]
fn bare_texts_are_shown_in_quotes() {
    for (text, help) in [
        (
            "a = 1\nleave = held >= 3\nb = 2",
            Some("write texts and formulas in quotes: leave = \"held >= 3\""),
        ),
        (
            "study = simulate",
            Some("write texts and formulas in quotes: study = \"simulate\""),
        ),
        ("a = 1 2", None),
        ("a = [true 2]", None),
    ] {
        let error = toml::from_str::<toml::Table>(text).expect_err("it is no TOML");
        let shown = Diagnostic::from_toml("mine.toml", text, &error);
        assert_eq!(shown.fault.help.as_deref(), help, "{text}");
    }
}
