//! Simple rules for the table.

use crate::engine::answer;
use crate::process::{Folder, folder, holds, printed, short};
use serde_json::json;

#[test]
fn a_rule_is_found_said_and_played() {
    // Few games may find one number enough.
    finds_says_and_plays_a_rule("--games 20k", "Leave at … others know … inside", 4.0);
}

#[test]
#[ignore = "full set"]
fn a_rule_of_many_games_is_found_said_and_played() {
    let said = "Leave at … Lower … others know … traps showing … inside";
    finds_says_and_plays_a_rule("", said, 0.0);
}

/// The rule is the same on any number of threads, plays, and says what it does, within so many standard
/// errors.
fn finds_says_and_plays_a_rule(games: &str, said: &str, errors: f64) {
    let [one, two] = [1, 2].map(|threads| {
        let here = folder();
        let shown = here.run(&format!(
            "rule diamant --players 3 --set rounds=2 {games} --no-charts --threads {threads} --out o"
        ));
        holds(&shown, said.split(" … others").next().expect("a rule"));
        here
    });
    for file in [
        "rules.csv",
        "principles.csv",
        "friends.csv",
        "rule.toml",
        "rule-friends.toml",
        "rule.pdf",
    ] {
        let file = format!("o/{file}");
        assert!(one.bytes(&file) == two.bytes(&file), "{file}");
    }
    let page = one.bytes("o/rule.pdf");
    assert!(page.starts_with(b"%PDF-"));
    // The page is for a table: all other figures are in the report.
    let page = printed(&page);
    holds(&page, said);
    assert!(!page.contains("Sloppy") && !page.contains('`'), "{page}");
    // Each number of the rule that can be left out is worth something.
    let high = |table: &str, column: &str| {
        let table = one.table(&format!("o/{table}.csv"));
        let values = table.numbers(column).into_iter();
        let values = values.zip(table.numbers(&format!("{column}_se")));
        Vec::from_iter(values.map(|(value, se)| value + errors * se))
    };
    for cost in high("principles", "beside_1") {
        assert!(cost > 0.01, "{cost}");
    }
    let pair = high("friends", "personal")[1];
    assert!(pair > 0.25, "{pair}");
    one.run(
        "simulate diamant --set rounds=2 --seat o/rule.toml --seat 2*people --games 100k \
         --no-charts --quiet --out q",
    );
    let played = one.table("q/seats.csv").numbers("win_share")[0];
    let table = one.table("o/rules.csv");
    let rules = table.numbers("beside_1");
    let within = 0.01 + errors * table.numbers("beside_1_se")[0];
    assert!(
        rules.iter().any(|found| (found - played).abs() < within),
        "{played}: {rules:?}"
    );
}

#[test]
fn an_older_rule_is_compared() {
    compares_the_standard_rule("--games 5k", -1.0);
}

#[test]
#[ignore = "full set"]
fn an_older_rule_is_clearly_worse() {
    compares_the_standard_rule("", 0.0);
}

/// Under other rules the new rule is compared with the standard one in the same games.
fn compares_the_standard_rule(games: &str, least: f64) {
    let table = "--rules incan-gold-2006 --set rounds=2 --players 5";
    let found = folder().json(&format!("rule diamant {table} {games} --no-charts --json"));
    let rules = found["tables"]["rules"].as_array().expect("rules");
    let standard = rules.iter().find(|row| row["bot"] == "simple");
    let standard = standard.expect("the standard rule");
    let [behind, low] = ["behind", "behind_low"].map(|key| standard[key].as_f64());
    assert!(behind > low && low > Some(least), "{standard}");
}

/// Where bots score options, positions of real games show what parts of the rule are for.
#[test]
fn examples_are_positions_of_real_games() {
    let here = folder();
    here.write(
        "one.toml",
        "score = \"dig * 4 + gain * diamond - diamond_distance\"\n[params]\n\
         diamond = { value = 20, range = [0, 20], step = 20 }\n",
    );
    here.run(&format!(
        "rule diamond_cave {} --players 2 --family one.toml --games 1k --out o --quiet --no-charts",
        short("diamond_cave")
    ));
    let principles = here.table("o/principles.csv");
    assert!(principles.numbers("gain")[0] > 0.0);
    // The bots to compare with are the trained one, and that of the standard rule.
    let rule = here.table("o/rules.csv");
    assert_eq!(rule.column("rule").len(), 1 + 2);
}

/// A page to print is written instead of a folder.
#[test]
fn a_page_is_printed() {
    let here = folder();
    here.run("rule diamant --players 2 --set rounds=2 --games 1k --no-charts --out page.pdf");
    let page = here.bytes("page.pdf");
    assert!(page.ends_with(b"%%EOF"));
    // One page, with a title, a language, and what is a heading and a table for screen readers.
    let text = String::from_utf8_lossy(&page);
    for part in [
        "/Count 1",
        "/Title",
        "/Lang (en)",
        "/Marked true",
        "/S /H1",
        "/S /TH",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!here.has("reports"));
    here.refused_with(2, "simulate diamant --out page2.pdf", "--out page2.pdf");
}

#[test]
fn a_rule_has_no_seats() {
    folder().refuses_as("rule");
}

/// A number that cannot act with so few players is not searched, nor said.
#[test]
fn numbers_for_more_players_are_left_out() {
    let here = folder();
    here.run("rule diamant --players 3 --set rounds=2 --games 1k --no-charts --quiet --out o");
    let bots = here.read("o/rules.csv");
    assert!(bots.contains("simple"), "{bots}");
    let many = bots.match_indices("many=").count();
    assert_eq!(many, bots.matches("many=0").count(), "{bots}");
    let rule = here.read("o/rule.toml");
    assert!(!rule.contains("four or more"), "{rule}");
}

/// The pages of principles say what the simple rules do, and what ignoring them costs: a part that costs
/// five points or more there costs at least half of that in some fresh games.
#[test]
fn pages_of_principles_are_true() {
    let here = folder();
    let index = here.run("help strategy");
    let games = [
        ("diamant", 20_000),
        ("diamond_cave", 3_000),
        ("diamond_miner", 1_000),
    ];
    for (game, games) in games {
        assert!(index.contains(&format!("carat help strategy {game}")));
        let page = here.run(&format!("help strategy {game}"));
        let words = page.split_whitespace();
        let mut words = words.map(|word| word.trim_matches('`'));
        let study = words.find(|word| word.starts_with("reports/"));
        let study = study.expect("the study that measures it");
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let study = std::fs::read_to_string(root.join(study)).expect(study);
        assert!(study.contains("study = \"rule\"") && study.contains(game));
        let family = carat_core::catalog::find(game).expect("a game").rule;
        let family = family.expect("a family");
        let bot = here.run(&format!("show strategy {game} {family}"));
        let bot: toml::Table = bot.parse().expect("a bot");
        let params = bot["params"].as_table().expect("parameters");
        let won = |seat: &str| {
            here.run(&format!(
                "simulate {game} --seat {seat} --others people --games {games} --seed 9 --no-charts \
                 --quiet --out o"
            ));
            here.table("o/seats.csv").numbers("win_share")[0]
        };
        let all = won(family);
        // The same figures as on the page of the rule.
        let rule = here.run(&format!("rule {game} --no-charts --out r"));
        let rule = rule.split_once("Cost of ignoring").expect("costs").1;
        let mut known = 0;
        for (name, param) in params {
            let Some(says) = param.get("says").and_then(|says| says.as_str()) else {
                continue;
            };
            let value = param["value"].to_string();
            let says = says.replace("{}", value.trim_end_matches(".0"));
            let says = says
                .split(": ")
                .next()
                .expect("words")
                .trim_end_matches('.');
            let Some((_, figures)) = page.split_once(&format!(". {says}\n")) else {
                continue;
            };
            known += 1;
            let (_, cost) = figures.split_once("costs ").expect("a figure");
            let cost = cost.split(' ').next().expect("a number");
            let row = rule.lines().find(|line| line.trim().starts_with(says));
            assert!(
                row.is_some_and(|row| row.contains(&format!(" {cost} ± "))),
                "{says}: {rule}"
            );
            let cost: f64 = cost.parse().expect("a number");
            if cost >= 5.0 {
                let without = won(&format!("{family}:{name}=0"));
                assert!(
                    all - without > cost / 200.0,
                    "{game}: {says}: {all} {without}"
                );
            }
        }
        let numbered = page.lines().filter(|line| {
            let start = line.split_once(". ");
            start.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
        });
        assert_eq!(numbered.count(), known, "{game}: parts of the rule");
    }
}

/// The trained bot begins on the rim, as the page of principles says, and the rule hardly ever.
#[test]
fn strong_play_begins_on_the_rim() {
    let begins = |bot: &str| {
        let on_rim = (0..12).filter(|number| {
            let ask = |what: &str| {
                answer(json!({
                    "ask": what, "seed": 81, "number": number,
                    "table": { "game": "diamond_cave", "players": 4, "seats": [bot] },
                }))
            };
            let chosen = ask("decide")["choice"].as_u64().expect("an option");
            ask("features")["features"][chosen as usize]["rim"] == 0.0
        });
        on_rim.count()
    };
    assert!(begins("solved-4") >= 11);
    assert!(begins("simple") <= 3);
}

/// The numbers of players of a game.
fn players_of(game: &str) -> std::ops::RangeInclusive<usize> {
    match game {
        "diamant" => 2..=8,
        "diamond_cave" => 2..=4,
        _ => 2..=6,
    }
}

/// Finds `says` with a value in place of each `{}`, and takes it out of the words.
fn take_out(words: &mut String, says: &str) -> Option<f64> {
    let (head, tail) = says.split_once("{}").expect("a place for the value");
    for (at, _) in words.match_indices(head) {
        let rest = &words[at + head.len()..];
        let ends = rest.match_indices(|of: char| !(of.is_ascii_digit() || "-.".contains(of)));
        for (end, _) in ends {
            let value = rest[..end].trim_end_matches('.');
            let said = says.replace("{}", value);
            if let Ok(number) = value.parse()
                && words[at..].starts_with(&said)
            {
                assert!(!tail.is_empty(), "{says}");
                words.replace_range(at..at + said.len(), "");
                return Some(number);
            }
        }
    }
    None
}

/// The bot of a family that does what sentences say, and nothing else.
fn bot_of_words(here: &Folder, game: &str, words: &str) -> String {
    let family = carat_core::catalog::find(game).expect("a game").rule;
    let family = family.expect("a family");
    let text = here.run(&format!("show strategy {game} {family}"));
    let bot: toml::Table = text.parse().expect("a bot");
    let mut left = words.replacen(bot["says"].as_str().expect("words"), "", 1);
    // A number at the end, too, has something behind it.
    left.push(' ');
    let mut params = Vec::new();
    for (name, param) in bot["params"].as_table().expect("parameters") {
        let says = param["says"].as_str().expect("each has a sentence");
        let value = if says.contains("{}") {
            take_out(&mut left, says).unwrap_or(0.0)
        } else if left.contains(says) {
            left = left.replacen(says, "", 1);
            1.0
        } else {
            0.0
        };
        params.push(format!("{name}={value}"));
    }
    // What is left is the numbering.
    let scores = "Add up what each move scores below, and make the move with the highest sum:";
    left = left.replacen(scores, "", 1);
    let mut left = left.split_whitespace();
    assert!(
        left.all(|number| number.trim_end_matches('.').parse::<u8>().is_ok()),
        "{words}"
    );
    format!("{family}:{}", params.join(","))
}

/// A rule's files and the bots made of their words alone play the same games.
fn plays_its_words(game: &str, players: usize, set: &str, games: &str) {
    let here = folder();
    let table = format!("{game} --players {players} {set}");
    here.run(&format!("rule {table} {games} --no-charts --quiet --out o"));
    let mut files = vec!["o/rule.toml"];
    files.extend(
        here.has("o/rule-friends.toml")
            .then_some("o/rule-friends.toml"),
    );
    for (users, file) in files.into_iter().enumerate() {
        let made: toml::Table = here.read(file).parse().expect("a bot");
        let words = made["description"].as_str().expect("words");
        let alone = bot_of_words(&here, game, words);
        let [said, alone] = [file, &alone].map(|bot| {
            here.run(&format!(
                "simulate {table} --seat '{}*{bot}' --others people --games 2000 --seed 7 \
                 --no-charts --quiet --restart --out p",
                users + 1
            ));
            let seats = here.table("p/seats.csv");
            [seats.numbers("win_share"), seats.numbers("score_mean")]
        });
        assert_eq!(said, alone, "{game} {players}: {words}");
    }
}

/// Rules of the other games have more sentences, and take minutes: see below.
#[test]
fn words_of_a_rule_are_its_bot() {
    plays_its_words("diamant", 5, "--set rounds=2", "--games 5k");
}

/// With any number of players, or with one that the number `CARAT_DRAW` draws.
fn words_of_all_rules_of(game: &str) {
    let mut all = Vec::from_iter(players_of(game));
    if let Ok(draw) = std::env::var("CARAT_DRAW") {
        let draw: usize = draw.parse().expect("a number");
        all = vec![all[draw % all.len()]];
    }
    for players in all {
        plays_its_words(game, players, "", "");
    }
}

/// These three take minutes each, and CI runs them:
/// `cargo test --release --test it -- --ignored words_of_all_rules`.
#[test]
#[ignore = "full set"]
fn words_of_all_rules_of_diamant_are_their_bots() {
    words_of_all_rules_of("diamant");
}

#[test]
#[ignore = "full set"]
fn words_of_all_rules_of_diamond_cave_are_their_bots() {
    words_of_all_rules_of("diamond_cave");
}

#[test]
#[ignore = "full set"]
fn words_of_all_rules_of_diamond_miner_are_their_bots() {
    words_of_all_rules_of("diamond_miner");
}

/// A rule names the parameters without a sentence, in the order of their worth, and leaves out those
/// without an effect.
#[test]
fn a_family_without_sentences_is_said_by_its_parameters() {
    let here = folder();
    here.write(
        "one.toml",
        "leave = \"held + leftover >= base + more - per_trap * traps_seen + 0 * idle\"\n[params]\n\
         base = 9\nidle = 3\nmore = { value = 6, range = [0, 12], step = 3 }\nper_trap = 2\n",
    );
    here.run(
        "rule diamant --players 3 --set rounds=2 --family one.toml --games 5k --no-charts --quiet \
         --out o",
    );
    let made: toml::Table = here.read("o/rule.toml").parse().expect("a bot");
    let words = made["description"].as_str().expect("words");
    assert!(
        words.contains("base 9") && !words.contains("idle"),
        "{words}"
    );
    assert!(here.read("o/rule.toml").contains("idle=0"));
    let costs = here.table("o/principles.csv").numbers("beside_1");
    assert!(costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
}

/// Under house rules, the first line says what changes in the rule of the game as it was.
#[test]
fn house_rules_are_compared_with_the_rule_before() {
    let here = folder();
    let changed = "rule diamant --players 3 --games 10k --no-charts";
    let shown = here.run(&format!("{changed} --set traps_to_end=3 --out o"));
    holds(&shown, "Your limit rises from … costs … Leave at");
    let rules = here.table("o/rules.csv");
    let old = rules
        .column("rule")
        .iter()
        .position(|rule| rule.contains("old rule"));
    let old = old.expect("the old rule");
    let behind: f64 = rules.column("behind")[old].parse().expect("a number");
    assert!(behind > 0.0);
    let shown = here.run(&format!("{changed} --out q"));
    assert!(!shown.contains("old rule"));
}

#[test]
fn losing_rules_are_not_recommended() {
    let line = "rule diamant --players 5 --games 10k --no-charts --out o";
    let [people, experts] = ["people", "solved-5"].map(|others| {
        let found = folder().run(&format!("{line} --others {others}"));
        found.contains("not recommended")
    });
    assert_eq!([people, experts], [false, true]);
}

/// A rule that adds up scores has few sentences with whole numbers, and none without a use.
#[test]
fn rules_of_scores_are_short_and_whole() {
    let here = folder();
    here.write(
        "one.toml",
        "score = \"if stop > 0 then -99 else eager * dig + gem * gain - way * diamond_distance + 0 * idle\"\n\
         [params]\n\
         eager = { value = 25, range = [0, 50], step = 0.5, says = \"Dig: for a dig, add {}.\" }\n\
         gem = { value = 20, range = [0, 50], step = 0.5, says = \"Gain: for a gain, add {}.\" }\n\
         way = { value = 2.5, range = [0, 50], step = 0.5, says = \"Near: for a step, take off {}.\" }\n\
         idle = { value = 3.5, range = [0, 7], step = 3.5, says = \"Idle: add {}.\" }\n",
    );
    let shown = here.run(&format!(
        "rule diamond_cave {} --players 2 --family one.toml --games 4k --out o --no-charts",
        short("diamond_cave")
    ));
    let made: toml::Table = here.read("o/rule.toml").parse().expect("a bot");
    let words = made["description"].as_str().expect("words");
    assert!(!words.contains("Idle") && words.contains("1. "), "{words}");
    let numbers = words
        .split_whitespace()
        .map(|word| word.trim_end_matches('.'));
    let numbers = Vec::from_iter(numbers.filter_map(|word| word.parse::<f64>().ok()));
    assert!(
        numbers.iter().all(|number| number.fract() == 0.0),
        "{words}"
    );
    let costs = here.table("o/principles.csv").numbers("beside_1_low");
    assert!(
        costs.len() == 1 || costs.iter().all(|low| *low > 0.0),
        "{costs:?}"
    );
    // Sentences are counted as they are printed.
    let count = format!("with {} sentence", words.matches(". ").count().div_ceil(2));
    holds(&shown, &count);
    holds(&shown, "bot (solved-2) wins");
}
