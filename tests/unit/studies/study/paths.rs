use super::*;

fn study() -> TableSpec {
    toml::from_str(
        "game = \"diamant\"\nseats = [\"threshold\", \"depth:cards=4\", \"threshold\"]\n\
         set = [\"traps.snake=4\"]\n",
    )
    .unwrap()
}

fn after(path: &str, value: &str) -> TableSpec {
    let mut changed = study();
    set_path(&mut changed, &path.parse().unwrap(), value).unwrap();
    changed
}

fn seats(study: &TableSpec) -> String {
    Vec::from_iter(study.seats.iter().map(SeatSpec::to_string)).join(" ")
}

#[test]
fn paths_reach_rules_bots_and_players() {
    let rules = after("rules", "mix.toml").rules;
    assert_eq!(rules.as_deref(), Some("mix.toml"));
    for (path, value, set) in [
        ("rules.traps.snake", "2", &["traps.snake=2"][..]),
        ("rules.rounds", "3", &["traps.snake=4", "rounds=3"]),
        ("rules.traps", "{}", &["traps={}"]),
    ] {
        assert_eq!(after(path, value).set, set);
    }
    let nervous = "threshold:nerve=2 depth:cards=4 threshold";
    for (path, value, seated) in [
        ("players", "2", "threshold depth:cards=4"),
        ("seats.2", "last-out", "threshold last-out threshold"),
        ("seats.2.cards", "7", "threshold depth:cards=7 threshold"),
        ("seats.1.nerve", "2", nervous),
    ] {
        assert_eq!(seats(&after(path, value)), seated);
    }
    let both = "threshold:target=9 depth:cards=4 threshold:target=9";
    assert_eq!(seats(&after("all.threshold.target", "9")), both);
}

fn with(changes: &[(&str, &str)]) -> Result<TableSpec, StudyError> {
    let read = |(path, value): &(&str, &str)| (path.parse().unwrap(), value.to_string());
    changed(&study(), &changes.iter().map(read).collect::<Vec<_>>())
}

#[test]
fn changes_do_not_depend_on_their_order() {
    let bot = [
        ("seats.6.target", "9"),
        ("seats.6.nerve", "2"),
        ("seats.6", "threshold"),
    ];
    let mut changes = [&bot[..], &[("rules.rounds", "3"), ("players", "7")]].concat();
    let there = with(&changes).unwrap();
    changes.reverse();
    let back = with(&changes).unwrap();
    assert_eq!((&there.set, there.seats.len()), (&back.set, 7));
    let sixth = |study: &TableSpec| study.seats[5].to_string();
    assert_eq!(sixth(&there), "threshold:target=9,nerve=2");
    assert_eq!(sixth(&back), "threshold:nerve=2,target=9");
    // `traps` is not part of `trap`.
    assert!(with(&[("rules.trap", "3"), ("rules.traps", "3")]).is_ok());
    assert!(with(&[("rules", "3"), ("rules", "4")]).is_err());
}

#[test]
fn wrong_paths_say_what_there_is() {
    for (path, value, said) in [
        ("seats.4", "depth", "the table has 3 seats"),
        ("seats.0.target", "3", "counted from 1"),
        ("seats.1.target", "many", "a number is needed"),
        ("seats.1.target", "inf", "a number is needed"),
        ("seats.1", "depth:cards=six", "`six` is not a finite number"),
        ("players", "few", "a number of players"),
    ] {
        let path: Path = path.parse().unwrap();
        let error = set_path(&mut study(), &path, value).unwrap_err();
        assert!(error.to_string().contains(said), "{path}: {error}");
    }
}
