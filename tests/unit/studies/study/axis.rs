use super::*;
use indexmap::IndexMap;

fn values_at(path: &str, text: &str) -> Result<Vec<String>, String> {
    let path: Path = path.parse().expect("a path");
    Axis::Text(text.to_string()).values()?.of(&path)
}

fn values(text: &str) -> Result<Vec<String>, String> {
    values_at("seats.1.target", text)
}

#[test]
fn ranges_and_lists_are_read() {
    for (text, list) in [
        ("4..7", "4 5 6 7"),
        ("0..0.3 step 0.1", "0.0 0.1 0.2 0.3"),
        ("0.000..1.0 step 0.50", "0.0 0.5 1.0"),
        ("-.5...5 step 0.5", "-0.5 0.0 0.5"),
        ("1e3..+2000. step 5e2", "1000 1500 2000"),
        ("0..0.35 step 0.1", "0.0 0.1 0.2 0.3"),
        ("0.05..0.1 step 0.025", "0.050 0.075 0.100"),
        ("8.1..8.7 step 0.3", "8.1 8.4 8.7"),
        ("-1..1", "-1 0 1"),
        ("5..5", "5"),
        ("3, 5,8", "3 5 8"),
        ("iello-2016", "iello-2016"),
        ("a:love=3,fear=4; planner", "a:love=3,fear=4 planner"),
        ("../a.toml,../b.toml", "../a.toml ../b.toml"),
        ("a..b, ..", "a..b .."),
    ] {
        assert_eq!(values(text).unwrap().join(" "), list, "{text}");
    }
    assert_eq!(values("0..1 step 0.05").unwrap().len(), 21);
}

#[test]
fn what_is_no_range_is_refused() {
    for (text, said) in [
        ("0..1 step 0", "above 0"),
        ("0..1 step -1", "above 0"),
        ("0..1 step x", "not a number"),
        ("3,,5", "missing"),
        ("", "missing"),
        ("hoarder:love=3,fear=4;", "missing"),
        ("0..inf", "not a number"),
        ("nan..1", "not a number"),
        ("0..1e-299 step 1e-300", "too many digits"),
        ("0..1 step 1e-300", "too many digits"),
    ] {
        let reason = values(text).unwrap_err();
        assert!(reason.contains(said), "{text}: {reason}");
    }
}

#[test]
fn values_that_mean_the_same_are_there_once() {
    for (path, text, same) in [
        ("seats.1.target", "0,-0", true),
        ("rules.rounds", "4,4", true),
        ("players", "4,04", true),
        ("seats.1", "depth:cards=4;depth: cards = 4.0", true),
        ("rules", "4,4.0", false),
        ("rules.rounds", "16777216,16777217", false),
    ] {
        let found = values_at(path, text);
        assert_eq!(found.is_err(), same, "{path}={text}: {found:?}");
    }
}

#[test]
fn lists_in_a_file_are_read_and_hold_each_value_once() {
    let axis = |text: &str| {
        let sweep: Result<IndexMap<String, Axis>, _> = toml::from_str(text);
        sweep.map(|axes| axes["x"].values()?.of(&Path::Rules))
    };
    let mixed = axis("x = [4, 0.5, true, \"depth:cards=3\"]").unwrap();
    assert_eq!(mixed.unwrap(), ["4", "0.5", "true", "depth:cards=3"]);
    let twice = axis("x = [3, 4, 3]").unwrap().unwrap_err();
    assert!(twice.contains("`3` appears twice"));
    assert!(axis("x = \"4,4\"").unwrap().unwrap_err().contains("twice"));
    assert!(axis("x = []").unwrap().is_err());
    let lists = axis("x = \"[1, 2], [3]\"").unwrap().unwrap();
    assert_eq!(lists, ["[1, 2]", "[3]"]);
    let wrong = axis("x = 4").unwrap_err().to_string();
    assert!(wrong.contains("0..1 step 0.05"));
}
