//! One judge of options: the same position and number of playouts give the same numbers to all who
//! ask.

use crate::engine::answer;
use crate::fixtures::short;
use crate::play::{answered, games};
use crate::process::{Folder, folder};
use serde_json::{Value, json};

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Whether a cost, a share or a number of points as it was printed, is this one.
fn is_printed_as(printed: &str, cost: f64) -> bool {
    let decimals = printed
        .split_once('.')
        .map_or(0, |(_, places)| places.len());
    let rounding = 0.5001 * 0.1_f64.powi(decimals as i32);
    let value: f64 = printed.parse().expect("a number");
    (value - cost).abs() <= rounding
}

/// The costs of the decisions of seat 1 by the coach's verdicts; `None` where the choice was as good as
/// the best.
fn told_costs(told: &str) -> Vec<Option<String>> {
    let verdicts = told.split("coach:").skip(1);
    let cost = |verdict: &str| {
        let mut words = verdict.split_whitespace();
        (words.next() == Some("costs")).then(|| words.next().expect("a cost").to_string())
    };
    verdicts.map(cost).collect()
}

/// What the engine answers at the decision after some moves of a saved game.
fn asked(saved: &toml::Table, moves: usize, playouts: u64) -> Value {
    let mut table = serde_json::to_value(saved).expect("JSON");
    let fields = table.as_object_mut().expect("keys");
    fields.remove("format");
    let [seed, number, me, all] =
        ["seed", "number", "me", "moves"].map(|key| fields.remove(key).expect("a key"));
    let moves = &all.as_array().expect("moves")[..moves];
    answer(json!({
        "id": 1, "ask": "advise", "table": table, "seed": seed, "number": number, "me": me,
        "moves": moves, "playouts": playouts,
    }))
}

/// Compares what `advise`, the engine and the analysis say of a decision of seat 1, and returns what
/// each option costs.
fn weigh(here: &Folder, name: &str, own: usize, moves: usize, judged: u64) -> Vec<f64> {
    let saved: toml::Table = here.read("a.toml").parse().expect("TOML");
    let how = format!("--move {own} --playouts {judged} --json");
    let advice = here.json(&format!("advise {name} a.toml {how}"))["advice"].take();
    let options = advice["options"].as_array().expect("options");
    let engine = asked(&saved, moves, judged);
    let best = engine["best"].as_u64().expect("a number") as usize;
    assert_eq!(engine["options"][best], advice["advice"], "{name} {own}");
    let decisions = here.table("o/decisions.csv");
    let [decision, option, win, playouts, chosen, loss] = [
        "decision",
        "option",
        "win_share",
        "playouts",
        "chosen",
        "loss",
    ]
    .map(|column| decisions.place(column));
    let rows = decisions.rows.iter();
    let rows: Vec<_> = rows
        .filter(|row| row[decision] == own.to_string())
        .collect();
    assert_eq!(rows.len(), options.len(), "{name} {own}");
    let worth = engine["worth"].as_array().expect("a list");
    for ((row, advised), engine) in rows.iter().zip(options).zip(worth) {
        for (key, value) in engine.as_object().expect("fields") {
            assert_eq!(advised[key], *value, "{name} {own} {key}");
        }
        assert_eq!(advised["option"], row[option]);
        assert_eq!(
            advised["playouts"].to_string(),
            row[playouts],
            "{name} {own}"
        );
        assert!(
            is_printed_as(&row[win], number(&advised["win_share"])),
            "{name} {own}"
        );
        if row[chosen] == "true" {
            let cost = number(&advised["behind"]);
            assert!(
                is_printed_as(&row[loss], cost),
                "{name} {own}: {} {cost}",
                row[loss]
            );
        }
    }
    let costs = options.iter();
    costs.map(|option| number(&option["behind"])).collect()
}

#[test]
fn a_decision_costs_the_same_everywhere() {
    costs_the_same_everywhere(games(true), 64, 2);
}

#[test]
#[ignore = "full set"]
fn a_decision_of_whole_games_costs_the_same_everywhere() {
    costs_the_same_everywhere(games(false), 200, 4);
}

fn costs_the_same_everywhere(games: [(String, &str); 3], playouts: u64, decisions: usize) {
    let (mut costly, mut reviewed) = (0, 0);
    for (game, answers) in games {
        let here = folder();
        let name = game.split(' ').next().expect("a name");
        let play = format!("play {game} --seed 3 --coach --playouts {playouts} --out a.toml");
        let told = answered(&here, &play, &answers.repeat(400)).stdout;
        let costs = told_costs(&told);
        let how = format!("--me 1 --playouts {playouts} --no-charts --quiet --out o");
        here.run(&format!("analyse {name} a.toml {how}"));
        let saved: toml::Table = here.read("a.toml").parse().expect("TOML");
        let moves = saved["moves"].as_array().expect("moves");
        let moves = moves.iter().map(|taken| taken.as_str().expect("text"));
        let own: Vec<(usize, &str)> = (moves
            .enumerate()
            .filter(|(_, taken)| taken.starts_with("@1 ")))
        .collect();
        assert_eq!(own.len(), costs.len(), "{told}");
        for (decision, &(at, taken)) in (1..).zip(&own).take(decisions) {
            let weighed = weigh(&here, name, decision, at, playouts);
            let (chosen, _) = taken[3..].split_once('/').expect("an option");
            let cost = weighed[chosen.parse::<usize>().expect("a number") - 1];
            if let Some(printed) = &costs[decision - 1] {
                assert!(
                    is_printed_as(printed, 100.0 * cost),
                    "{name}: {printed} {cost}"
                );
                costly += 1;
                let review = told.split_once("Reviewing").expect("a review").1;
                reviewed += usize::from(review.contains(&format!("by {printed} ")));
            }
        }
    }
    assert!(costly > 0 && reviewed > 0, "{costly} {reviewed}");
}

/// A kept game is looked back on at its own table, however that was written.
#[test]
fn a_kept_game_needs_no_seats() {
    for (game, players) in [("diamant", 5), ("diamond_cave", 4), ("diamond_miner", 4)] {
        let tables = [
            (json!({ "game": game }), players),
            (json!({ "game": game, "players": 3 }), 3),
            (json!({ "game": game, "players": 3, "others": "bold" }), 3),
            (
                json!({ "game": game, "players": 3, "seats": ["people"] }),
                3,
            ),
        ];
        for (mut table, players) in tables {
            table["set"] = json!(short(game));
            let mut asked = json!({ "id": 1, "ask": "play", "table": table, "choice": 0 });
            asked["moves"] = answer(asked.clone())["moves"].take();
            asked["ask"] = "keep".into();
            asked.as_object_mut().expect("fields").remove("choice");
            let here = folder();
            here.write("kept.toml", answer(asked)["file"].as_str().expect("a file"));
            here.run(&format!(
                "analyse {game} kept.toml --playouts 64 --no-charts --quiet --out o"
            ));
            let seats = here.table("o/luck.csv").rows.len();
            assert_eq!(seats, players, "{table}");
        }
    }
}

/// A situation is the position that it describes.
#[test]
fn situations_are_weighed_like_games() {
    let here = folder();
    let (game, answers) = &games(true)[0];
    let play = format!("play {game} --seed 3 --no-review --out a.toml");
    answered(&here, &play, &answers.repeat(400));
    let record = here.run("replay diamant a.toml --record");
    let first = record.lines().find_map(|line| line.strip_prefix("1: "));
    let first = first.and_then(|cards| cards.split_whitespace().next());
    let saved: toml::Table = here.read("a.toml").parse().expect("TOML");
    let in_game = asked(&saved, 0, 64);
    let mut table = serde_json::to_value(&saved).expect("JSON");
    let fields = table.as_object_mut().expect("keys");
    for key in ["format", "seed", "number", "me", "moves"] {
        fields.remove(key);
    }
    let situation = answer(json!({
        "id": 1, "ask": "advise", "table": table, "situation": first, "playouts": 64,
    }));
    for option in 0..2 {
        for key in ["win_share", "win_share_se", "score_mean"] {
            assert_eq!(
                situation["worth"][option][key], in_game["worth"][option][key],
                "{key}"
            );
        }
    }
}

/// The costs in a quiz are those of the engine in the same games.
#[test]
fn quizzes_are_weighed_like_games() {
    weighs_quizzes_like_games(64, 1, ["thief", "rusher"]);
}

#[test]
#[ignore = "full set"]
fn long_quizzes_are_weighed_like_games() {
    weighs_quizzes_like_games(200, 2, ["builder", "appraiser"]);
}

fn weighs_quizzes_like_games(playouts: u64, questions: usize, miners: [&str; 2]) {
    for (game, bots, key) in [
        ("diamant", ["depth", "traps"], "s\n"),
        ("diamond_cave", ["surveyor", "prospector"], "1\n"),
        ("diamond_miner", miners, "1\n"),
    ] {
        let here = folder();
        let [own, other] = bots;
        let sets = crate::process::short(game);
        let seats = format!("--players 2 --as {own} --others {other} {sets}");
        let how =
            format!("--seed 5 --questions {questions} --playouts {playouts} --remember q.csv");
        answered(
            &here,
            &format!("quiz {game} {seats} {how}"),
            &key.repeat(40),
        );
        let table = json!({ "game": game, "seats": bots, "set": short(game) });
        let asked = here.table("q.csv");
        assert!(!asked.rows.is_empty(), "{game}");
        let [number, place, answered, best, cost] =
            ["game", "where", "answer", "best", "cost"].map(|column| asked.place(column));
        for row in &asked.rows {
            let (number, _) = row[number].split_once(' ').expect("a number");
            let number: u64 = number.parse().expect("a number");
            let texts = [&row[place], &row[answered], &row[best], &row[cost]];
            assert!(
                is_weighed_so(&table, number, texts, playouts),
                "{game}: {row:?}"
            );
        }
    }
}

/// Whether a decision in a game of bots, at this place and with these options, costs so much.
fn is_weighed_so(table: &Value, number: u64, texts: [&String; 4], playouts: u64) -> bool {
    let [place, answered, best, cost] = texts;
    let mut question = json!({
        "id": 1, "ask": "advise", "table": table, "seed": 5, "number": number, "playouts": playouts,
    });
    loop {
        question["ask"] = "decide".into();
        let here = answer(question.clone());
        if here["over"] == true {
            return false;
        }
        let options = here["options"].as_array().expect("options");
        let option = |name: &str| options.iter().position(|option| option == name);
        if let (Some(answered), Some(best)) = (option(answered), option(best))
            && here["at"] == **place
        {
            question["ask"] = "advise".into();
            let weighed = answer(question.clone());
            let behind = self::number(&weighed["worth"][answered]["behind"]);
            if weighed["best"] == best && is_printed_as(cost, behind) {
                return true;
            }
        }
        question["ask"] = "play".into();
        question["choice"] = here["choice"].clone();
        question["moves"] = here["moves"].clone();
        question["moves"] = answer(question.clone())["moves"].clone();
        question.as_object_mut().expect("fields").remove("choice");
    }
}
