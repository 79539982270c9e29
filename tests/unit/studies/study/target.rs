use super::*;

#[test]
fn ranges_are_read() {
    let start = Edge::FromStart;
    for (text, low, high) in [
        ("31..32", Edge::At(31.0), Edge::At(32.0)),
        (" .2 .. ", Edge::At(0.2), Edge::Open),
        ("..-1", Edge::Open, Edge::At(-1.0)),
        ("start..", start(0.0), Edge::Open),
        ("start - 3..start+2", start(-3.0), start(2.0)),
        ("5..start", Edge::At(5.0), start(0.0)),
    ] {
        assert_eq!(parse_range(text), Ok((low, high)), "{text}");
    }
}

#[test]
fn weights_follow_ranges() {
    let range = (Edge::At(18.0), Edge::At(22.0));
    for (text, weight) in [
        ("18..22", 1.0),
        ("18..22 weight 3", 3.0),
        ("18..22 weight .5", 0.5),
    ] {
        let read = parse_weighted(text);
        assert_eq!(read, Ok((range.0, range.1, weight)), "{text}");
    }
    for text in [
        "18..22 weight",
        "18..22 weight 0",
        "18..22 weight -1",
        "18..22 weight inf",
        "1..2 weight 1e9",
    ] {
        let error = parse_weighted(text).expect_err(text);
        assert!(
            error.contains("a weight is a number above 0, at most 1000"),
            "{text}: {error}"
        );
    }
}

#[test]
fn what_is_no_range_is_refused_with_the_mend() {
    for (text, said) in [
        ("start+1..start-1", "write start-1..start+1"),
        ("..", "both ends are missing"),
        ("a..b", "`a` is neither"),
        ("start*2..", "`start*2` is neither"),
        ("inf..", "`inf` is neither"),
    ] {
        let error = parse_range(text).expect_err(text);
        assert!(error.contains(said), "{text}: {error}");
    }
}
