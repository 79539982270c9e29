//! The declared keys of rules files are those that files have, and what they allow is what is read.

use carat_core::catalog::GAMES;
use carat_core::game::{Allowed, Game, RulesKey, Seating, explained};
use carat_core::library::Library;
use carat_core::overrides::{apply, at_players, read_rules};
use std::collections::BTreeSet;

/// Whether the default rules of a game with this value at a path can be read.
fn is_read(game: &Game, path: &str, value: &str) -> bool {
    let set = format!("{path}={value}");
    let text = apply("rules", game.editions[0].text, &[set]);
    text.is_ok_and(|text| game.rules("rules", &text).is_ok())
}

fn check_values(game: &Game, key: &RulesKey) {
    let (path, range) = (key.path, key.range());
    let (least, most) = (*range.start(), *range.end());
    match key.allowed {
        Allowed::Number(..) => {
            let is_allowed = |number: i64| is_read(game, path, &number.to_string());
            assert!(!is_allowed(least - 1) && !is_allowed(most + 1), "{path}");
            assert!((least..=most).any(is_allowed), "{path}");
        }
        Allowed::Formula(..) => {
            let is_allowed = |value: &str| is_read(game, path, value);
            assert!(is_allowed(&least.to_string()) && is_allowed(&most.to_string()));
            assert!(!is_allowed(&(least - 1).to_string()) && !is_allowed("1.5"));
            assert!(!is_allowed(&(most + 1).to_string()) && is_allowed("if 1 > 2 then 1 else 0"));
        }
        Allowed::Numbers(..) => {
            let is_allowed = |number: i64| is_read(game, path, &format!("[{number}]"));
            assert!(is_allowed(least) && is_allowed(most), "{path}");
            assert!(!is_allowed(least - 1) && !is_allowed(most + 1), "{path}");
        }
        Allowed::Words(words) => {
            assert!(words.iter().all(|word| is_read(game, path, word)), "{path}");
            assert!(!is_read(game, path, "other"), "{path}");
            let sets = [format!("{path}={}", words[0])];
            let text = apply("rules", game.editions[0].text, &sets).expect(path);
            let (_, name) = path.rsplit_once('.').unwrap_or(("", path));
            let line = format!("{name} = \"{}\"", words[0]);
            assert_eq!(text.matches(&line).count(), 1, "{path}: {text}");
            let error = game
                .rules(
                    "rules",
                    &text.replace(&line, &format!("{name} = \"other\"")),
                )
                .err()
                .expect(path)
                .to_string();
            let listed = error.lines().next().expect(path).matches('`').count();
            assert_eq!(listed, 2 + 2 * words.len(), "{error}");
        }
        Allowed::Switch => {
            assert!(
                is_read(game, path, "true") && is_read(game, path, "false"),
                "{path}"
            );
        }
        Allowed::Counts(..) | Allowed::Named(..) | Allowed::Table => {}
    }
}

#[test]
fn declared_keys_allow_what_is_read() {
    for game in GAMES {
        game.rules_keys
            .iter()
            .for_each(|key| check_values(game, key));
    }
}

/// All paths of tables and values below `prefix`, but for what stands in tables of counts.
fn add_paths(paths: &mut BTreeSet<String>, prefix: &str, table: &toml::Table, game: &Game) {
    for (name, value) in table {
        let path = format!("{prefix}{name}");
        let key = game.rules_keys.iter().find(|key| key.path == path);
        let is_open = key.is_some_and(|key| {
            let counts = matches!(key.allowed, Allowed::Counts(..) | Allowed::Named(..));
            counts || ["ore", "recipes"].contains(&key.path)
        });
        if let (toml::Value::Table(inner), false) = (value, is_open) {
            add_paths(paths, &format!("{path}."), inner, game);
        }
        paths.insert(path);
    }
}

#[test]
fn editions_have_the_declared_keys_and_explain_each() {
    for game in GAMES {
        for edition in game.editions {
            let table: toml::Table = edition.text.parse().expect("TOML");
            let mut paths = BTreeSet::new();
            add_paths(&mut paths, "", &table, game);
            for key in ["format", "game", "title"] {
                assert!(paths.remove(key), "{}: {key}", edition.name);
            }
            let declared = game.rules_keys.iter().map(|key| key.path.to_string());
            assert_eq!(paths, declared.collect(), "{}", edition.name);
            let text = explained(game.rules_keys, edition.text).expect("TOML");
            let again: toml::Table = text.parse().expect("TOML");
            assert_eq!(again, table, "{}", edition.name);
            for key in game.rules_keys {
                let words: Vec<&str> = key.meaning.split(' ').take(4).collect();
                let start = format!("# {}", words.join(" "));
                assert_eq!(text.matches(&start).count(), 1, "{}: {start}", edition.name);
            }
        }
    }
}

#[test]
fn copies_of_a_number_are_set() {
    let text = "game = \"diamant\"\ntreasures = [1, 5, 5, 17]\n\n[relics]\nvalues = []\n";
    for (changes, list) in [
        (&["treasures.5=1"][..], "[1, 5, 17]"),
        (&["treasures.5=0"], "[1, 17]"),
        (&["treasures.1=3"], "[1, 1, 1, 5, 5, 17]"),
        (
            &["rules.treasures.9=1", "treasures.0=2"],
            "[1, 5, 5, 17, 9, 0, 0]",
        ),
        (&["relics.values.10=2"], "[10, 10]"),
    ] {
        let sets: Vec<String> = changes.iter().map(|set| set.to_string()).collect();
        let text = apply("mix.toml", text, &sets).unwrap();
        assert!(
            text.contains(&format!(" = {list}\n")),
            "{changes:?}: {text}"
        );
    }
    let lists = "treasures=[1, 5, 5, 17], or treasures.1=2";
    let copies = "expected copies of 5, a whole number from 0 to 255";
    for (set, said) in [
        ("x=1", lists),
        ("017=1", lists),
        ("5.5=1", lists),
        ("5=-1", copies),
        ("5=1.5", copies),
        ("5=two", copies),
        ("5=256", copies),
        ("5=[1]", copies),
    ] {
        let set = format!("treasures.{set}");
        let error = apply("mix.toml", text, std::slice::from_ref(&set)).unwrap_err();
        assert!(error.contains(said), "{set}: {error}");
    }
}

const MIX: &str = "# mix\nrounds = 5 # five\n\n[traps]\nsnake = 3\n";

fn set(sets: &[&str]) -> Result<String, String> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    apply("mix.toml", MIX, &sets)
}

#[test]
fn values_change_and_comments_stay() {
    let text = set(&["rounds=6", "traps.snake = 4"]).unwrap();
    assert_eq!(text, "# mix\nrounds = 6 # five\n\n[traps]\nsnake = 4\n");
    assert_eq!(set(&["rules.rounds=6"]), set(&["rounds=6"]));
    for (change, said) in [
        ("rounds=[1, 2]", "rounds = [1, 2] # five"),
        ("rounds=word", "rounds = \"word\""),
        ("traps=4", "has several values"),
        ("traps.bats=4", "traps.bats: unknown key"),
        ("rounds.x=4", "a single value"),
        ("rounds", "PATH=VALUE"),
        ("=4", "PATH=VALUE"),
    ] {
        let text = set(&[change]).unwrap_or_else(|error| error);
        assert!(text.contains(said), "{change}: {text}");
    }
}

/// The text of the default rules of Diamant with these lines at its end.
fn with(lines: &str) -> String {
    format!("{}\n{lines}\n", GAMES[0].editions[0].text)
}

#[test]
fn rules_differ_by_the_number_of_players() {
    let game = GAMES[0];
    let text = with(
        "[at.4]\nrounds = 2\ntraps = { snake = 1, bats = 2 }\ntreasures.17 = 3\n[at.6]\nrounds = 9",
    );
    let rules = read_rules(game, "mix.toml", &text).unwrap_or_else(|fault| panic!("{fault}"));
    for (players, rounds) in [(3, 5), (4, 2), (6, 9)] {
        let bots = format!("{players}*depth").parse().expect("bots");
        let seats = Library::default().seats(game, &bots).expect("bots");
        let table = rules.table(&seats, Seating::Fixed).expect("a table");
        let reference = table.reference();
        assert!(
            reference.contains(&format!("after {rounds} expeditions")),
            "{reference}"
        );
        assert_eq!(
            reference.contains("1 snake, 3 lava"),
            players == 4,
            "{reference}"
        );
        assert_eq!(
            reference.contains("15, 17, 17, 17"),
            players == 4,
            "{reference}"
        );
    }
    let set = [
        "at.4.rounds=3".to_string(),
        "at.5.traps.snake=1".to_string(),
    ];
    let text = apply("mix.toml", &text, &set).unwrap();
    assert!(
        at_players("mix.toml", &text, 4)
            .unwrap()
            .contains("\nrounds = 3\n")
    );
    assert!(
        at_players("mix.toml", &text, 5)
            .unwrap()
            .contains("\nsnake = 1\n")
    );
}

#[test]
fn faults_of_a_number_of_players_name_its_table() {
    for (lines, said) in [
        (
            "[at.6]\nroundz = 4",
            "at.6.roundz: unknown key in the rules mix.toml; did you mean",
        ),
        ("[at.6]\nrounds = 0", "mix.toml, [at.6]"),
        ("[at.6]\ntraps.snake.x = 4", "a single value"),
        ("[at.9]\nrounds = 4", "at.9: write [at.1] to [at.8]"),
        ("[at.x]\nrounds = 4", "at.x: write [at.1] to [at.8]"),
        ("[at]\nrounds = 4", "at.rounds: write [at.1] to [at.8]"),
        ("[at]\n6 = 4", "at.6"),
        (
            "[at.6]\nplayers.min = 4",
            "at.6.players.min=4 cannot depend on the players",
        ),
        ("[at.6]\nat = 4", "at.6.at=4: name the number of players"),
    ] {
        let fault = read_rules(GAMES[0], "mix.toml", &with(lines))
            .err()
            .expect(lines);
        let fault = fault.to_string();
        assert!(fault.contains(said), "{lines}: {fault}");
    }
    for (set, said) in [
        (
            "at.6.roundz=4",
            "at.6.roundz: unknown key in the rules mix.toml; did you mean `rounds`?",
        ),
        ("at.6=4", "such as at.6.rounds=4"),
        ("at.6.rounds.x=4", "a single value"),
    ] {
        let error = apply("mix.toml", &with(""), &[set.to_string()]).unwrap_err();
        assert!(error.contains(said), "{set}: {error}");
    }
}
