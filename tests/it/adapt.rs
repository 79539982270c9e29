//! Populations that are adapted to a table.

use crate::fixtures::project;
use crate::process::{folder, holds};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;

#[test]
fn an_adapted_population_leaves_little_to_gain() {
    // Four standard errors of 2 × 800 games around what short searches leave.
    leaves_little_to_gain(Some("5k"), -0.05..0.12);
}

#[test]
#[ignore = "full set"]
fn a_population_of_many_games_leaves_little_to_gain() {
    leaves_little_to_gain(None, -0.01..0.02);
}

/// One seat of the best response gains little on the population, which is the same for any number of
/// threads.
fn leaves_little_to_gain(games: Option<&str>, little: Range<f64>) {
    let here = folder();
    let given = |option: &str| {
        games
            .map(|games| format!("--{option} {games}"))
            .unwrap_or_default()
    };
    here.run(&format!(
        "adapt diamant --players 3 --set rounds=3 {} --populations 2 --threads 2 --quiet --out a",
        given("games")
    ));
    assert_eq!(
        here.read("a/manifest.json").contains("\"games\":"),
        games.is_some()
    );
    let gains = here.table("a/gains.csv");
    assert_eq!(gains.column("bot")[0], "best response in the family");
    let [gain, least, most] = ["gain", "least", "most"].map(|of| gains.numbers(of)[0]);
    assert!(little.contains(&gain), "{gain}");
    assert!(least < gain && gain < most && (least + most) / 2.0 - gain < 1e-9);
    let weights = here.table("a/members.csv").numbers("weight");
    assert_eq!(weights.iter().sum::<f64>(), 2.0);
    // The standard rules have populations of their own.
    let values = here.table("a/values.csv");
    let [median, usual, change] =
        ["median", "standard_median", "change"].map(|of| values.numbers(of));
    for axis in 0..median.len() {
        assert!((median[axis] - usual[axis] - change[axis]).abs() < 1e-9);
    }
    let file = here.read("a/adapted.toml");
    for part in [
        "rules = \"iello-2016\"",
        "set = [\"rounds=3\"]",
        "players = 3",
    ] {
        assert!(file.contains(part), "{file}");
    }
    // As a seat it is the same population, made before the games are counted.
    let seats = format!(
        "simulate diamant --seat 3*adapted --set rounds=3 --games 20k {} --populations 1 \
         --no-charts --quiet",
        given("population-games")
    );
    here.run(&format!("{seats} --threads 1 --out b"));
    let manifest = here.read("b/manifest.json");
    let mix = file
        .lines()
        .find(|line| line.starts_with("mix"))
        .expect("a mix");
    assert!(manifest.contains(&mix.replace('"', "\\\"")), "{mix}");
    here.run("run b/manifest.json --no-charts --quiet --out c");
    assert_eq!(here.bytes("b/seats.csv"), here.bytes("c/seats.csv"));
    // The others are what the same number of populations plays as, and a manifest replays all.
    here.run(&format!(
        "{} --out d",
        seats.replace("--populations 1", "--populations 2")
    ));
    let second = here.read("a/adapted-2.toml");
    let mix = second
        .lines()
        .find(|line| line.starts_with("mix"))
        .expect("a mix");
    assert!(
        here.read("d/manifest.json")
            .contains(&mix.replace('"', "\\\""))
    );
    here.run("run a/manifest.json --no-charts --quiet --out e");
    here.same("a", "e");
}

/// Rules and a number of games to which a population is adapted in a moment.
const SHORT: &str = "--set rounds=1 --population-games 1k --no-charts --out o --restart";

/// Every side, step and cell has a population of its own, and each is made once.
#[test]
fn each_table_adapts_once() {
    let here = folder();
    let step = "--each=rules.traps.snake";
    for (study, tables) in [
        (
            &*format!("compare diamant {step} --seat 3*adapted --games 1k --populations 1"),
            3,
        ),
        (
            &format!("compare diamant {step} --players 3 --adapt --games 1k --populations 1"),
            3,
        ),
        (
            &format!("sweep diamant {step} --players 3 --adapt --games 1k --populations 1"),
            3,
        ),
        (
            "sweep diamant --seat 3*adapted --vary rules.traps.snake=3,4 --games 1k --populations 2",
            4,
        ),
        (
            "tournament diamant --bots depth adapted --players 3 --b traps.snake=4 --games 1k \
             --populations 1",
            2,
        ),
        (
            "analyse diamant --seat depth --players 3 --as adapted --playouts 1000 --populations 1",
            1,
        ),
        ("rule diamant --others adapted --players 3 --games 1k", 1),
        ("solve diamant --against 2*adapted --games 100k", 1),
    ] {
        let said = here.ends(0, &format!("{study} {SHORT}")).stderr;
        let notes = said
            .lines()
            .filter(|line| line.contains("adapting a population: "));
        let notes: Vec<&str> = notes.collect();
        assert_eq!(notes.len(), tables, "{study}: {said}");
        assert_eq!(BTreeSet::from_iter(&notes).len(), tables, "{study}: {said}");
        assert!(!said.contains("skipped"), "{study}: {said}");
        assert!(!said.contains("adapted for iello"), "{study}: {said}");
        let manifest = here.read("o/manifest.json");
        let named = manifest.matches("\"name\": \"adapted\"").count();
        assert_eq!(named, tables, "{study}");
    }
}

/// A seat of a population has its label and its playouts, as any other.
#[test]
fn adapted_seats_keep_labels_and_values() {
    let here = folder();
    let shown = here.run(&format!(
        "simulate diamant --seat 'adapted as skilled' --seat adapted:playouts=4 --seat depth \
         --games 100 --populations 1 {SHORT}"
    ));
    holds(&shown, "skilled");
    assert!(here.table("o/seats.csv").column("params")[1].contains("playouts=4"));
}

/// A search over numbers of players adapts a population to the number that it finds.
#[test]
fn populations_have_the_players_of_their_table() {
    let here = folder();
    here.run(&format!(
        "tune diamant --table 3*adapted --vary players=3..4 --maximize cards_per_game \
         --max-games 20k --populations 2 --quiet {SHORT}"
    ));
    assert_eq!(here.table("o/best.csv").column("best"), ["4"]);
    for file in ["o/adapted-4.toml", "o/adapted-4-2.toml"] {
        holds(&here.read(file), "players = 4");
    }
}

/// Treasures in another order are the same rules, in files of today: those of before keep their order.
#[test]
fn treasures_in_any_order_are_the_same_rules() {
    let here = folder();
    let edition = here.run("show rules diamant iello-2016");
    let turned = |text: &str| {
        text.replace(
            "treasures = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]",
            "treasures = [17, 15, 1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14]",
        )
    };
    here.write("turned.toml", turned(&edition));
    let older = edition
        .lines()
        .filter(|line| !line.starts_with("treasure_order"));
    let older = Vec::from_iter(older).join("\n").replace("format = 1", "");
    here.write("older.toml", turned(&older));
    let table = "compare diamant --seat 3*people --games 2k --no-charts --out o --restart";
    for (file, order, same) in [
        ("turned.toml", "sorted", true),
        ("older.toml", "sorted", false),
        ("older.toml", "listed", true),
    ] {
        let first = format!("--a rules=turned.toml --a rules.treasure_order={order}");
        here.run(&format!("{table} {first} --b rules={file}"));
        let differences = here.table("o/differences.csv").numbers("difference");
        let is_same = differences.iter().all(|difference| *difference == 0.0);
        assert_eq!(is_same, same, "{file} {order}");
    }
}

/// A population follows from the seed and its number, and a game's from the game alone: more games,
/// parts of the games and the manifest give the same bytes.
#[test]
fn populations_take_turns() {
    let here = folder();
    let table = "simulate diamant --seat 3*adapted --set rounds=1 --population-games 1k --no-charts --quiet";
    here.run(&format!("{table} --populations 3 --games 2k --out a"));
    here.run(&format!("{table} --populations 2 --games 2k --out b"));
    let populations = |out: &str| {
        let manifest: Value =
            serde_json::from_str(&here.read(&format!("{out}/manifest.json"))).unwrap();
        let bots = manifest["strategies"].as_array().unwrap().iter();
        let bots = bots.filter(|bot| bot["name"] == "adapted").cloned();
        bots.collect::<Vec<_>>()
    };
    let [three, two] = ["a", "b"].map(populations);
    assert_eq!(three.len(), 3);
    assert_eq!(three[..2], two);
    assert_ne!(two[0], two[1]);
    here.run("run a/manifest.json --no-charts --quiet --threads 1 --out c");
    here.same("a", "c");
    let longer = here
        .read("a/manifest.json")
        .replace("\"games\": 2000", "\"games\": 5000");
    here.write("longer.json", longer);
    here.run("run longer.json --no-charts --quiet --resume --out a");
    for number in 1..=2 {
        here.run(&format!(
            "run longer.json --quiet --shard {number}/2 --out d"
        ));
    }
    here.run("merge d --no-charts --quiet --out m");
    here.run("run longer.json --no-charts --quiet --out e");
    assert_eq!(here.bytes("a/table.csv"), here.bytes("e/table.csv"));
    assert_eq!(here.bytes("m/table.csv"), here.bytes("e/table.csv"));
    // Manifests of before have one population, and no number.
    let loud = table.replace(" --quiet", "");
    let one = here.ends(0, &format!("{loud} --populations 1 --games 2k --out f"));
    holds(&one.stderr, "one population plays as adapted");
    let older = here
        .read("f/manifest.json")
        .replace(",\n    \"populations\": 1", "");
    here.write("older.json", older);
    here.run("run older.json --no-charts --quiet --out g");
    assert_eq!(here.bytes("f/table.csv"), here.bytes("g/table.csv"));
    assert!(!here.read("g/manifest.json").contains("\"populations\""));
}

/// Intervals hold what populations differ by; equal rules have the same populations.
#[test]
fn intervals_hold_the_noise_of_populations() {
    let here = folder();
    let table = format!("--seat 3*adapted {SHORT}");
    here.run(&format!(
        "compare diamant {table} --populations 2 --games 2k --b rules.traps.snake=3 --c rules.rounds=2"
    ));
    let differences = here.table("o/differences.csv");
    let sides = differences.column("side");
    let (values, errors) = (
        differences.numbers("difference"),
        differences.numbers("difference_se"),
    );
    for (at, side) in sides.iter().enumerate() {
        assert_eq!(
            *side == "b",
            values[at] == 0.0 && errors[at] == 0.0,
            "{side} {at}"
        );
    }
    let metric = "--populations 2 --metric cards_per_game --precision";
    let refused = here.ends(3, &format!("simulate diamant {table} {metric} 0.00001"));
    holds(&refused.stderr, "populations differ by");
    here.run(&format!("simulate diamant {table} {metric} 50"));
    here.refuses_as("populations");
}

/// A stand-in sits where a population will: nothing is adapted, and no fault is missed.
#[test]
fn checks_and_dry_runs_adapt_nothing() {
    let here = folder();
    let compare = "compare diamant --players 3 --adapt --b traps.snake=4 --games 1k \
                   --population-games 1k --dry-run";
    let ran = here.ends(0, compare);
    holds(
        &ran.stdout,
        "6,000 games … after adapting 10 populations (at most … games more",
    );
    assert!(!ran.stderr.contains("adapting a population") && !ran.stderr.contains("alike"));
    assert_eq!(
        here.json(&format!("{compare} --json"))["dry_run"]["populations"],
        10
    );
    holds(
        &here.run("show paths diamant --seat 3*adapted"),
        "seats.3 … adapted",
    );
    let tune = "study = 'tune'\ngame = 'diamant'\ntables = { a = '3*adapted' }\n\
                targets = { cards_per_game = '31..32' }\n[vary]\n'rules.rounds' = '3..6'\n";
    here.write("sound.toml", tune);
    here.run("check sound.toml");
    holds(
        &here.run("run sound.toml --dry-run"),
        "at most … after adapting 5 populations",
    );
    for (right, wrong, said) in [
        ("3*adapted", "adapted, deep", "no bot called `deep`"),
        ("cards_per_game", "cards_a_game", "cards_a_game"),
        ("31..32", "32..31", "the ends are swapped"),
        ("rules.rounds", "rules.round", "did you mean `rounds`"),
        (
            "tables = { a = '3*adapted' }",
            "seats = ['adapted']",
            "at least two players",
        ),
    ] {
        here.write("faulty.toml", tune.replace(right, wrong));
        here.refused("check faulty.toml", said);
        here.refused("run faulty.toml --dry-run", said);
    }
    for line in ["replay", "advise", "play"] {
        let line = format!("{line} diamant --players 3 --others adapted");
        here.refused(
            &line,
            "no population for iello-2016, 3 players … `carat adapt diamant`",
        );
    }
}

/// Progress of a study with several populations is that of the same study.
#[cfg(unix)]
#[test]
fn studies_with_several_populations_resume() {
    let here = folder();
    let study = "compare diamant --seat 3*adapted --set rounds=1 --b traps.snake=4 --games 50G \
                 --populations 1 --population-games 1k --threads 1 --no-charts --out o";
    let mut run = here.start(study);
    run.plays();
    run.signal("-INT");
    run.ends(130);
    let dry_run = &here.json(&format!("{study} --resume --dry-run --json"))["dry_run"];
    assert!(
        dry_run["games_left"].as_u64() < dry_run["games"].as_u64(),
        "{dry_run}"
    );
}

/// Long trainings of older versions had no population to compare with.
#[test]
fn long_trainings_without_a_population_are_repeated() {
    let here = folder();
    let released = project().join("tests/released/0.3.0/solve.json");
    let manifest = std::fs::read_to_string(released).expect("a manifest");
    here.write("long.json", manifest.replace("131072", "10027008"));
    here.run("check long.json");
    holds(&here.run("run long.json --dry-run"), "solve of Diamant");
}

#[test]
fn invalid_adaptations_are_refused() {
    let here = folder();
    here.refuses_as("adapt");
    here.refuses_as("population-games");
}

/// A number of games scales all of a search, and is in the manifest only where it was given.
#[test]
fn searches_take_a_number_of_games() {
    let here = folder();
    let few = "--set rounds=1 --players 3 --no-charts --json";
    let told = |line: &str| {
        let planned = here.json(&format!("{line} {few} --dry-run"))["dry_run"].take();
        planned["games"].as_u64().expect("a number")
    };
    for line in ["adapt diamant --populations 2", "rule diamant"] {
        let small = format!("{line} --games 2k");
        let (planned, more) = (told(&small), told(&format!("{line} --games 20k")));
        assert!(more > 3 * planned, "{line}: {planned} {more}");
        let shown = here.run(&format!("{small} {few} --restart --out o").replace("--json", ""));
        holds(&here.read("o/manifest.json"), "\"games\": 2000,");
        // Populations that have not settled are adapted for longer than planned.
        let head = shown
            .lines()
            .next()
            .and_then(|head| head.strip_suffix(" games"));
        if let Some((_, played)) = head.and_then(|head| head.rsplit_once(' ')) {
            let played: u64 = played.replace(',', "").parse().expect("a number");
            assert!((planned / 4..planned * 4).contains(&played), "{shown}");
        }
    }
    let play =
        "simulate diamant --seat 3*adapted --populations 1 --games 500 --population-games 2k";
    let found = here.json(&format!("{play} {few} --restart --out o"));
    let study = &found["manifest"]["study"];
    assert_eq!([&study["games"], &study["population_games"]], [500, 2000]);
    let study = here.json(&format!(
        "simulate diamant --games 500 {few} --restart --out o"
    ));
    assert_eq!(study["manifest"]["study"]["population_games"], Value::Null);
}

/// Scores vary from game to game, however populations differ; equal bots earn exactly the fair share,
/// and all shares lie between 0 and 1.
#[test]
fn spreads_of_scores_are_those_of_games() {
    let here = folder();
    let play = |study: &str| {
        here.run(&format!(
            "{study} --games 2k --populations 2 --quiet {SHORT}"
        ));
    };
    play("simulate diamant --seat 3*adapted");
    let (seats, scores) = (here.table("o/seats.csv"), here.table("o/scores.csv"));
    let of_games = seats.numbers("score_sd");
    let (value, games) = (scores.numbers("score"), scores.numbers("games"));
    for (seat, sd) in of_games.iter().enumerate() {
        let own = scores.numbers("seat").into_iter().enumerate();
        let own = Vec::from_iter(own.filter(|of| of.1 == seat as f64 + 1.0).map(|of| of.0));
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            own.iter().map(|&row| games[row] * of(value[row])).sum()
        };
        let mean = sum(&|score| score) / 2000.0;
        let variance = sum(&|score| (score - mean).powi(2)) / 1999.0;
        assert!((sd - variance.sqrt()).abs() < 1e-9, "{sd} {variance}");
    }
    let [low, high] = ["value_low", "value_high"].map(|end| {
        let table = here.table("o/table.csv");
        let spread = table
            .column("metric")
            .into_iter()
            .position(|name| name == "win_share_spread");
        table.column(end)[spread.expect("the spread")]
            .parse::<f64>()
            .expect("a share")
    });
    assert!(low >= 0.0 && high <= 1.0, "{low} {high}");
    play("sweep diamant --seat 3*adapted --vary rules.traps.snake=3,4");
    assert_eq!(here.table("o/cells.csv").numbers("score_sd")[..3], of_games);
    play("tournament diamant --bots depth adapted --players 3");
    let payoffs = here.table("o/payoffs.csv");
    let (bots, fields) = (payoffs.column("bot"), payoffs.column("field"));
    for (row, bot) in bots.iter().enumerate() {
        let column = |name: &str| payoffs.numbers(name)[row];
        let (low, high) = (column("win_share_low"), column("win_share_high"));
        assert!(0.0 <= low && high <= 1.0, "{low} {high}");
        let among_equals = fields[row].split(" + ").all(|other| other == *bot);
        assert_eq!(
            among_equals,
            column("win_share_se") == 0.0,
            "{bot} {}",
            fields[row]
        );
        assert_eq!(among_equals, low == high);
    }
}
