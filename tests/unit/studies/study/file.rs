use super::*;

const SWEEP: &str = "study = \"sweep\"\ntitle = \"T\"\ngame = \"diamant\"\nseats = [\"depth\"]\n\
                     games = 7\nvary = { players = \"2..3\", \"seats.1.cards\" = [4, 5] }\n";

#[test]
fn all_keys_stand_at_the_top() {
    let study = Study::from_toml("a", SWEEP).unwrap();
    let written = toml::to_string(&study).unwrap();
    let start = "study = \"sweep\"\ntitle = \"T\"\ngame";
    assert!(written.starts_with(start), "{written}");
    assert!(!written.contains("[table]"), "{written}");
    assert_eq!(Study::from_toml("a", &written).unwrap(), study);
    let json = serde_json::to_value(&study).unwrap();
    assert_eq!(Study::from_json(json).unwrap(), study);
}

#[test]
fn any_seed_is_written_and_read() {
    for seed in [0, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        let mut study = Study::from_toml("a", SWEEP).unwrap();
        study.run.seed = seed;
        let written = toml::to_string(&study).unwrap();
        assert_eq!(Study::from_toml("a", &written).unwrap(), study, "{written}");
        let json = serde_json::to_value(&study).unwrap();
        assert_eq!(Study::from_json(json).unwrap(), study);
    }
    for seed in ["-1", "'-1'", "1.5", "'x'"] {
        let text = SWEEP.replace("games = 7", &format!("seed = {seed}"));
        assert!(Study::from_toml("a", &text).is_err(), "{seed}");
    }
}

#[test]
fn older_files_say_the_same() {
    let old = "study = \"sweep\"\ntitle = \"T\"\n[table]\ngame = \"diamant\"\ntitle = \"t\"\n\
               seats = [\"depth\"]\ngames = 7\n\
               [vary]\nplayers = \"2..3\"\n\"seats.1.cards\" = [4, 5]\n";
    let study = Study::from_toml("a", SWEEP).unwrap();
    assert_eq!(Study::from_toml("a", old).unwrap(), study);
    let old: toml::Table = toml::from_str(old).unwrap();
    let old = serde_json::to_value(old).unwrap();
    assert_eq!(Study::from_json(old).unwrap().run.games, Some(7));
}

#[test]
fn faults_are_shown_at_their_place() {
    for (from, to, span, message) in [
        (
            "games = 7",
            "games = true",
            "true",
            "a whole number, such as",
        ),
        ("\"sweep\"", "1", "1", "a word in quotes"),
        ("vary", "sides", "sides", "unknown key `sides`; allowed: `"),
        (
            "games = 7",
            "games = 7\ngames = 8",
            "games",
            "`games` is given twice",
        ),
    ] {
        let text = SWEEP.replacen(from, to, 1);
        let fault = Study::from_toml("a", &text).unwrap_err();
        assert!(fault.fault.message.contains(message), "{fault}");
        assert_eq!(&text[fault.fault.span.clone()], span, "{fault}");
    }
}
