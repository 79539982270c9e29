use super::*;
use crate::theme::LABEL;

const NAME: &str = "a-long-bot:target=12,nerve=4,patience=0.25,greed=high,luck=none";

#[test]
fn lines_break_between_parameters() {
    let lines = wrap(NAME, &LABEL, 240.0, 2);
    assert_eq!(lines.concat(), NAME);
    assert!(lines.iter().all(|line| LABEL.width(line) <= 240.0));
    assert_eq!(wrap("", &LABEL, 220.0, 2), [""]);
    assert_eq!(wrap(&"x".repeat(200), &LABEL, 220.0, 2).len(), 1);
}

#[test]
fn no_line_breaks_inside_a_number() {
    for width in 20..200 {
        let lines = wrap("990,000 games each, 12 to 14", &LABEL, f64::from(width), 9);
        assert!(
            !lines.iter().any(|line| line.ends_with("990,")),
            "{lines:?}"
        );
    }
}

/// What was found by measuring every beginning is found in one go.
#[test]
fn texts_are_cut_where_measuring_says() {
    let texts = [
        NAME,
        "AVAVAV To. Yo, W. — fi ff Tä   spaced   out = x",
        "a: b:c",
    ];
    let widths = (1..60).map(|width| 5.0 * f64::from(width));
    for (text, width) in widths.flat_map(|width| texts.map(|text| (text, width))) {
        let breaks = text.char_indices().filter(|(_, c)| " :,=-_/".contains(*c));
        let fits = |end: &usize| LABEL.width(text[..*end].trim_end()) <= width;
        let measured = breaks.map(|(at, c)| at + c.len_utf8()).rfind(fits);
        assert_eq!(last_break(text, &LABEL, width), measured, "{text} {width}");
        let letters: Vec<char> = text.chars().collect();
        let cut = |kept: usize| -> String {
            let head = &letters[..kept.div_ceil(2)];
            let tail = &letters[letters.len() - kept / 2..];
            head.iter().chain(['…'].iter()).chain(tail).collect()
        };
        let cuts = (0..letters.len()).rev().map(cut);
        let mut all = std::iter::once(text.to_string()).chain(cuts);
        let measured = all.find(|cut| LABEL.width(cut) <= width);
        let measured = measured.unwrap_or_default();
        assert_eq!(shorten(text, &LABEL, width), measured, "{text} {width}");
    }
}

#[test]
fn labels_are_pushed_apart_within_the_limits() {
    assert_eq!(spread(&[10.0, 50.0], 20.0, 0.0, 100.0), [10.0, 50.0]);
    assert_eq!(spread(&[50.0, 50.0], 20.0, 0.0, 100.0), [40.0, 60.0]);
    assert_eq!(spread(&[99.0, 98.0], 20.0, 0.0, 100.0), [100.0, 80.0]);
    assert_eq!(spread(&[], 20.0, 0.0, 100.0), [0.0; 0]);
}

#[test]
fn clusters_that_meet_join() {
    let placed = spread(&[10.0, 12.0, 25.0, 26.0, 90.0], 10.0, 0.0, 100.0);
    assert_eq!(placed[4], 90.0);
    let crowded = spread(&[0.0; 8], 34.0, 17.0, 320.0);
    for (placed, gap) in [(placed, 10.0), (crowded, 34.0)] {
        let mut gaps = placed.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.all(|between| between >= gap - 1e-9), "{placed:?}");
    }
}

#[test]
fn names_keep_their_letters() {
    for (text, shown) in [
        ("cards per game", "Cards per game"),
        ("relics_out at family", "relics_out at family"),
        ("traps.snake 4", "traps.snake 4"),
        ("cards. Then", "Cards. Then"),
        ("", ""),
    ] {
        assert_eq!(capitalized(text), shown);
    }
}
