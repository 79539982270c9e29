//! `carat engine`: questions and answers, a line each.

use crate::fixtures::project;
use crate::process::folder;
use carat_core::catalog::GAMES;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

/// All answers to these questions, in the order in which they came.
fn lines(questions: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = questions.iter().map(Value::to_string).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    command
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut engine = command.spawn().expect("it starts");
    let mut input = engine.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all((lines.join("\n") + "\n").as_bytes()));
    let output = engine.wait_with_output().expect("an end");
    writer.join().expect("no panic").expect("all is read");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let read = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(read).collect()
}

/// The last answers to these questions, by `id`.
fn answers(questions: &[Value]) -> BTreeMap<String, Value> {
    let answers = lines(questions).into_iter();
    let answers = answers.map(|answer| (answer["id"].to_string(), answer));
    answers.collect()
}

pub fn answer(question: Value) -> Value {
    answers(&[question])
        .into_values()
        .next()
        .expect("an answer")
}

/// The fields that the help lists under a heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let help = project().join("src/cli/help/engine.txt");
    let help = std::fs::read_to_string(help).expect("the help");
    let (_, below) = help.split_once(&format!("{heading}\n")).expect("a heading");
    let lines = below.lines().skip(1).take_while(|line| !line.is_empty());
    let fields = lines.filter(|line| !line.starts_with("   "));
    let fields = fields.filter_map(|line| line.split_whitespace().next());
    fields.map(str::to_string).collect()
}

fn table(game: &str, seats: &[&str]) -> Value {
    json!({ "game": game, "seats": seats })
}

#[test]
fn every_field_is_documented_and_answered() {
    let diamant = table("diamant", &["depth", "traps", "simple"]);
    let mut seen = BTreeSet::new();
    let reply = answer(json!({ "id": 1, "ask": "guess", "other": 1 }));
    assert_eq!(reply["field"], "other");
    let listed = reply["error"]
        .as_str()
        .expect("a text")
        .rsplit(" are ")
        .next();
    let known: BTreeSet<String> = listed
        .expect("a list")
        .split(", ")
        .map(str::to_string)
        .collect();
    assert_eq!(known, documented("Fields of a question"));

    let mut question =
        json!({ "id": "a", "ask": "play", "table": diamant, "me": 2, "seed": 3, "number": 4 });
    question["ask"] = "advise".into();
    question["playouts"] = 200.into();
    question["width"] = 320.into();
    for ask in ["options", "features", "decide", "advise"] {
        question["ask"] = ask.into();
        let reply = answer(question.clone());
        assert_eq!(
            (&reply["seat"], &reply["over"]),
            (&json!(2), &json!(false)),
            "{reply}"
        );
        assert_eq!(reply["options"], json!(["stay", "leave"]));
        seen.extend(reply.as_object().expect("fields").keys().cloned());
    }
    question["ask"] = "play".into();
    let mut moves = answer(
        json!({ "id": 1, "ask": "options", "table": diamant, "me": 2, "seed": 3, "number": 4 }),
    )["moves"]
        .clone();
    for turn in 0.. {
        question["moves"] = moves.clone();
        question["choice"] = if turn % 3 == 2 {
            "leave".into()
        } else {
            0.into()
        };
        let reply = answer(question.clone());
        seen.extend(reply.as_object().expect("fields").keys().cloned());
        moves = reply["moves"].clone();
        if reply["over"] == true {
            let over = json!({ "id": 1, "ask": "keep", "table": diamant, "me": 2, "seed": 3, "number": 4, "moves": moves });
            let mut review = over.clone();
            (review["ask"], review["playouts"]) = ("review".into(), 64.into());
            for answer in lines(&[over, review]) {
                seen.extend(answer.as_object().expect("fields").keys().cloned());
            }
            let wins = reply["wins"].as_array().expect("wins").iter();
            assert_eq!(wins.filter_map(Value::as_f64).sum::<f64>(), 1.0, "{reply}");
            break;
        }
        assert!(turn < 60, "{reply}");
    }
    let quick =
        json!({ "game": "diamant", "set": ["rounds=1"], "players": 3, "others": "adapted" });
    for answer in lines(&[
        json!({ "id": 1, "ask": "about", "table": diamant }),
        json!({ "id": 2, "ask": "files", "table": diamant, "games": 100 }),
        json!({ "id": 3, "ask": "simulate", "table": quick, "pin": diamant, "games": 100, "width": 300 }),
    ]) {
        assert_eq!(answer["error"], Value::Null);
        seen.extend(answer.as_object().expect("fields").keys().cloned());
    }
    seen.extend(reply.as_object().expect("fields").keys().cloned());
    // These are in answers to parts and merges.
    seen.extend(["cancelled", "sums", "state"].map(str::to_string));
    assert_eq!(seen, documented("Fields of an answer"));
}

/// A table of `carat simulate` with these bytes.
fn csv(folder: &crate::process::Folder, name: &str) -> Value {
    folder.read(&format!("s/{name}")).into()
}

#[test]
fn steps_and_files_have_the_numbers_of_the_command() {
    let table = json!({ "game": "diamant", "rules": "schmidt-2005", "set": ["traps.gas=4"], "seats": ["depth", "3*people"] });
    let asked =
        json!({ "id": 1, "ask": "simulate", "table": table, "seed": "7", "games": 101_000 });
    let steps = lines(std::slice::from_ref(&asked));
    let games: Vec<u64> = steps
        .iter()
        .filter_map(|step| step["games"].as_u64())
        .collect();
    assert_eq!(games, [20_000, 100_000, 101_000]);
    for step in &steps {
        let mut alone = asked.clone();
        alone["games"] = step["games"].clone();
        assert_eq!(
            answer(alone)["tables"],
            step["tables"],
            "the steps before change nothing"
        );
    }
    let mut files = asked;
    files["ask"] = "files".into();
    let files = answer(files)["files"].take();
    let folder = folder();
    folder.run("simulate diamant --rules schmidt-2005 --set traps.gas=4 --seat depth --seat 3*people --games 101000 --seed 7 --out s");
    let names = files
        .as_object()
        .expect("files")
        .keys()
        .filter(|name| name.ends_with(".csv"));
    for name in names {
        assert_eq!(files[name], csv(&folder, name), "{name}");
    }
    folder.write("study.toml", files["study.toml"].as_str().expect("a study"));
    folder.write("rules.toml", files["rules.toml"].as_str().expect("rules"));
    folder.run("run study.toml --out s");
    assert_eq!(files["seats.csv"], csv(&folder, "seats.csv"));
    folder.run("simulate diamant --rules rules.toml --seat depth --seat 3*people --games 101000 --seed 7 --out t");
    assert_eq!(files["seats.csv"], Value::from(folder.read("t/seats.csv")));
}

#[test]
fn a_pinned_table_is_compared_in_the_same_games() {
    let now = json!({ "game": "diamant", "set": ["traps.snake=5"] });
    let ask = |table: &Value, pin: &Value| {
        let asked =
            json!({ "id": 1, "ask": "simulate", "table": table, "pin": pin, "games": 20_000 });
        answer(asked)["differences"]
            .as_array()
            .expect("differences")
            .clone()
    };
    let pin = json!({ "game": "diamant" });
    let found = |all: &[Value], name: &str| {
        let of = all.iter().find(|of| of["metric"] == name);
        of.expect("a metric").clone()
    };
    let all = ask(&now, &pin);
    let cards = found(&all, "cards_per_game");
    assert_eq!(cards["verdict"], "lower", "{cards}");
    let other =
        folder().json("compare diamant --b rules.traps.snake=5 --games 20000 --json --no-charts");
    let rows = other["tables"]["differences"]
        .as_array()
        .expect("rows")
        .clone();
    let row = rows.iter().find(|row| row["metric"] == "cards_per_game");
    assert_eq!(row.expect("a row")["difference"], cards["difference"]);
    let same = ask(&pin, &pin);
    assert!(
        same.iter()
            .all(|of| of["difference"] == 0.0 && of["verdict"].is_null())
    );
}

/// The answers to a question of which each step is played in shards, and merged.
fn shared(question: &Value, shards: usize) -> Vec<Value> {
    let asked = |field: &str, more: Value| {
        let mut question = question.clone();
        question[field] = more;
        lines(&[question])
    };
    let (mut all, mut state) = (Vec::new(), Value::Null);
    for step in 0.. {
        let parts = (1..=shards).map(|number| {
            let shard = format!("{number}/{shards}");
            let more = json!({ "step": step, "shard": shard, "state": state });
            asked("part", more).remove(0)
        });
        let parts = Vec::from_iter(parts);
        if let Some(fault) = parts.iter().find(|part| part["sums"].is_null()) {
            return vec![fault.clone()];
        }
        let sums = parts.iter().map(|part| part["sums"].clone());
        let sums = Vec::from_iter(sums);
        let more = json!({ "step": step, "parts": sums, "state": state });
        let mut answers = asked("merge", more);
        all.extend(answers.pop());
        if all.last().is_none_or(|last| last["done"] != false) {
            return all;
        }
        state = answers.pop().unwrap_or_default()["state"].take();
    }
    all
}

#[test]
fn shards_of_steps_merge_to_the_same_answers() {
    let table = json!({ "game": "diamant", "players": 3 });
    let pin = json!({ "game": "diamant", "players": 3, "set": ["traps.snake=5"] });
    let study = |more: Value| {
        let mut question = json!({ "id": 1, "ask": "simulate", "table": table, "width": 300 });
        let more = more.as_object().cloned().unwrap_or_default();
        question.as_object_mut().expect("an object").extend(more);
        question
    };
    for question in [
        study(json!({ "games": 110_000, "pin": pin })),
        study(json!({ "games": 7 })),
        study(json!({ "ask": "sweep", "games": 3_000, "vary": { "players": "3..5" } })),
        study(json!({ "table": { "game": "diamant", "seats": ["nobody"] } })),
    ] {
        assert_eq!(shared(&question, 3), lines(&[question]));
    }
    let refused = |field: &str, more: Value| {
        let question = study(json!({ "games": 1_000, field: more }));
        let reply = answer(question);
        (reply["field"].clone(), reply["error"].clone())
    };
    let of_another = |more: Value| {
        let part = json!({ "step": 0, "shard": "1/1" });
        let played = answer(study(json!({ "games": 1_000, "part": part })));
        let mut merged =
            study(json!({ "games": 1_000, "merge": { "step": 0, "parts": [played["sums"]] } }));
        merged
            .as_object_mut()
            .expect("fields")
            .extend(more.as_object().expect("fields").clone());
        answer(merged)
    };
    assert_eq!(of_another(json!({}))["error"], Value::Null);
    for other in [
        json!({ "seed": 2 }),
        json!({ "games": 1_001 }),
        json!({ "table": { "game": "diamant", "set": ["traps.snake=4"] } }),
        json!({ "table": { "game": "diamant", "seats": ["random", "4*people"] } }),
        json!({ "files": { "a.toml": "leave = 'held > 3'" } }),
    ] {
        let why = &of_another(other.clone())["error"];
        assert_eq!(why, "these sums are of another question or step", "{other}");
    }
    assert_eq!(
        refused("part", json!({ "step": 0, "shard": "3/2" })).0,
        "part"
    );
    assert_eq!(
        refused("part", json!({ "step": 1, "shard": "1/2" })).0,
        "part"
    );
    assert_eq!(
        refused("merge", json!({ "step": 0, "parts": ["["] })).0,
        "merge"
    );
}

/// Texts count in their question alone, and adapted players adapt to them.
#[test]
fn a_question_brings_its_own_files() {
    let ask = |leave: &str, rounds: usize| {
        let rules = include_str!("../../src/core/games/diamant/editions/incan-gold-2006.toml");
        let rules = rules.replace("rounds = 5", &format!("rounds = {rounds}"));
        json!({
            "id": rounds, "ask": "files", "games": 2000, "seed": 3,
            "files": { "r.toml": rules, "b.toml": format!("leave = '{leave}'\n") },
            "table": { "game": "diamant", "rules": "r.toml", "seats": ["b.toml", "2*people"] },
        })
    };
    let mut adapted = ask("held > 3", 2);
    adapted["table"]["seats"] = json!(["b.toml", "2*adapted"]);
    adapted["table"]["set"] = json!(["rounds=1"]);
    adapted["id"] = "adapted".into();
    let mut nothing = ask("held > 3", 2);
    nothing["files"].take();
    nothing["id"] = "none".into();
    let all = answers(&[ask("held > 3", 2), ask("held > 9", 4), adapted, nothing]);
    let here = folder();
    for (leave, rounds) in [("held > 3", 2), ("held > 9", 4)] {
        for (name, text) in ask(leave, rounds)["files"].as_object().expect("files") {
            here.write(name, text.as_str().expect("a text"));
        }
        here.run("simulate diamant --rules r.toml --seat b.toml --seat 2*people --games 2k --seed 3 --no-charts --quiet --out o --restart");
        assert_eq!(
            all[&rounds.to_string()]["files"]["seats.csv"],
            Value::from(here.read("o/seats.csv"))
        );
    }
    assert!(all["\"adapted\""]["files"].is_object());
    assert_eq!(all["\"none\""]["field"], "table");
}

/// Charts after each other share their axes.
#[test]
fn axes_reach_as_far_as_before() {
    let ask = |reach: Value| {
        answer(json!({
            "ask": "simulate", "table": { "game": "diamant" }, "games": 500, "width": 500, "reach": reach,
        }))
    };
    let own = ask(Value::Null)["reach"].clone();
    let ends = |name: &str, axis: usize| {
        let ends = own[name][axis].as_array().expect("two ends");
        [0, 1].map(|end: usize| ends[end].as_f64().expect("a number"))
    };
    let ([left, right], [bottom, top]) = (ends("win_shares", 0), ends("leaving", 2));
    let wide = json!({
        "win_shares": [[left - 1.0, right / 2.0], null, null],
        "leaving": [null, null, [bottom, top + 1.0]],
    });
    let found = ask(wide)["reach"].clone();
    assert_eq!(found["win_shares"][0], json!([left - 1.0, right]));
    assert_eq!(found["leaving"][2], json!([bottom, top + 1.0]));
    assert_eq!(found["leaving"][0], own["leaving"][0]);
    assert_eq!(found["scores"], own["scores"]);
    for wrong in [json!(1), json!([[0.0, 1e300], null, null])] {
        assert_eq!(ask(json!({ "leaving": wrong }))["field"], "reach");
    }
}

#[test]
fn games_of_all_kinds_can_be_asked_about() {
    for (game, bot) in [("diamond_cave", "surveyor"), ("diamond_miner", "thinker")] {
        let table = table(game, &[bot, bot]);
        let ask = |what: &str| {
            answer(json!({ "id": 1, "ask": what, "table": table, "playouts": 20, "seed": "5" }))
        };
        let options = ask("options")["options"].as_array().expect("options").len();
        assert!(options > 1);
        let features = ask("features");
        assert_eq!(features["features"].as_array().map(Vec::len), Some(options));
        assert_eq!(
            ask("advise")["worth"].as_array().map(Vec::len),
            Some(options)
        );
        let choice = ask("decide")["choice"].clone();
        let moves = ask("options")["moves"].clone();
        let played = answer(json!({
            "id": 1, "ask": "play", "table": table, "seed": "5", "moves": moves, "choice": choice,
        }));
        let number = |moves: &Value| moves.as_array().map(Vec::len);
        assert!(number(&played["moves"]) > number(&moves), "{played}");
    }
}

#[test]
fn reasons_are_about_the_choice() {
    reasons_compare_with_the_choice(100);
}

#[test]
#[ignore = "full set"]
fn reasons_of_many_playouts_are_about_the_choice() {
    reasons_compare_with_the_choice(400);
}

/// The reason compares the best option with the one that was chosen, if that is clearly worse.
fn reasons_compare_with_the_choice(playouts: u64) {
    for (game, bot) in [("diamond_cave", "surveyor"), ("diamond_miner", "thinker")] {
        let table = table(game, &[bot, bot]);
        let why = |choice: Value| {
            let mut question = json!({
                "id": 1, "ask": "advise", "table": table, "playouts": playouts, "seed": "5",
            });
            if !choice.is_null() {
                question["choice"] = choice;
            }
            answer(question)
        };
        let advice = why(Value::Null);
        let costs = advice["worth"].as_array().expect("options").iter();
        let cost = |worth: &Value| worth["behind_low"].as_f64().expect("a number");
        let (worst, _) = costs
            .enumerate()
            .max_by(|(_, a), (_, b)| cost(a).total_cmp(&cost(b)))
            .expect("an option");
        assert!(!advice["why"].as_str().expect("a reason").contains("yours"));
        assert_eq!(why(advice["best"].clone())["why"], advice["why"]);
        let of_worst = why(json!(worst));
        assert!(
            of_worst["why"]
                .as_str()
                .expect("a reason")
                .contains("after yours"),
            "{of_worst}"
        );
        assert_eq!(of_worst["moves"], advice["moves"]);
    }
}

/// Advice in steps says the same as advice in so many playouts, whatever it costs in time, and ends once
/// the answer is clear.
#[test]
fn advice_in_steps_grows_more_certain_until_it_is_clear() {
    let table = table("diamant", &["simple", "people", "bold"]);
    let mut asked = json!({
        "id": 1, "ask": "advise", "table": table, "seed": 2, "playouts": 3000, "choice": "leave",
        "steps": true,
    });
    let steps = lines(std::slice::from_ref(&asked));
    let playouts = |step: &Value| {
        let worth = step["worth"].as_array().expect("options").iter();
        worth.filter_map(|of| of["playouts"].as_u64()).max()
    };
    let done: Vec<bool> = steps.iter().map(|step| step["done"] == true).collect();
    let count = steps.len();
    assert!(count > 2 && done[count - 1] && !done[..count - 1].contains(&true));
    assert_eq!(steps[count - 1]["worth"], steps[count - 2]["worth"]);
    for (step, most) in steps[..count - 1].iter().zip([16, 64, 256, 1000, 3000]) {
        assert!(playouts(step) <= Some(most), "{step}");
        asked["steps"] = false.into();
        asked["playouts"] = most.into();
        let whole = answer(asked.clone());
        assert_eq!(
            (&step["worth"], &step["best"]),
            (&whole["worth"], &whole["best"])
        );
    }
    assert!(
        playouts(&steps[count - 1]) < Some(3000),
        "it is clear before"
    );
}

#[test]
fn engine_and_advise_agree() {
    let situation = "chests 12 0 30 / 2: / 5 7 snake 11";
    let reply = answer(json!({
        "id": 1, "ask": "advise", "table": table("diamant", &["solved-3", "human", "human"]),
        "situation": situation, "playouts": 2000,
    }));
    let own = folder().json(&format!(
        "advise diamant '{situation}' --others human --as solved-3 --players 3 --playouts 2000 --json"
    ));
    assert_eq!(
        reply["worth"][1]["win_share"],
        own["advice"]["leave"]["win_share"]
    );
    assert_eq!(reply["options"], json!(["stay", "leave"]));
}

#[test]
fn tables_without_bots_are_advised_against_each_kind() {
    let diamant = json!({ "game": "diamant", "players": 3 });
    for position in ["moves", "situation"] {
        let mut question = json!({ "id": 1, "ask": "advise", "table": diamant, "playouts": 400 });
        question[position] = if position == "moves" {
            json!([])
        } else {
            json!("5 7")
        };
        let mut reply = answer(question);
        let against = reply["against"].take();
        let holds = reply["holds"].as_str().expect("words");
        for kind in against.as_array().expect("kinds") {
            let kind = kind["others"].as_str().expect("a kind");
            let is_named = holds.contains(kind) || holds.contains("kind of opponent");
            assert!(is_named, "{holds}");
        }
        let kinds = against.as_array().expect("kinds").iter();
        let names: Vec<&str> = kinds.filter_map(|kind| kind["others"].as_str()).collect();
        assert_eq!(names, ["careful", "people", "bold", "experts (solved-3)"]);
        assert_eq!(against[0]["worth"].as_array().map(Vec::len), Some(2));
    }
}

/// The picture has a part for each cell, with the options that touch it.
#[test]
fn boards_are_data_and_pictures() {
    for game in GAMES {
        let question =
            json!({ "id": 1, "ask": "options", "table": { "game": game.name }, "width": 400 });
        let reply = answer(question);
        let (board, svg) = (&reply["board"], reply["svg"].as_str().expect("a picture"));
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        assert_eq!(list(&board["options"]).len(), list(&reply["options"]).len());
        let areas = list(&board["areas"]);
        let cells: Vec<Value> = areas.iter().flat_map(|area| list(&area["cells"])).collect();
        assert_eq!(svg.matches(" data-cell=").count(), cells.len());
        for (option, touched) in list(&board["options"]).iter().enumerate() {
            for cell in list(touched) {
                let cell = &cells[cell.as_u64().expect("a number") as usize];
                let name = cell["name"].as_str().expect("a name");
                let (_, part) = svg
                    .split_once(&format!("data-cell=\"{name}\" data-options=\""))
                    .expect(name);
                let (options, _) = part.split_once('"').expect("an end");
                assert!(
                    options.split(' ').any(|other| other == option.to_string()),
                    "{name}"
                );
            }
        }
    }
}

/// Faulty questions, each after the field that its answer names.
const FAULTY: &str = r#"
ask {"table": DIAMANT}
ask {"ask": "options", "situation": "5 7", "table": DIAMANT}
table {"ask": "options"}
table {"ask": "options", "table": {"game": "chess"}}
table {"ask": "options", "table": {"game": "diamant", "seat": []}}
table {"ask": "options", "table": {"game": "diamant", "seats": ["exec:python3 x.py"]}}
me {"ask": "options", "table": DIAMANT, "me": 3}
me {"ask": "options", "table": DIAMANT, "me": "x"}
seed {"ask": "options", "table": DIAMANT, "seed": -1}
number {"ask": "options", "table": DIAMANT, "number": 0.5}
moves {"ask": "options", "table": DIAMANT, "moves": ["stay"]}
moves {"ask": "options", "table": DIAMANT, "moves": ["@9 1/2 stay"]}
games {"ask": "simulate", "table": DIAMANT, "games": 0}
width {"ask": "simulate", "table": DIAMANT, "width": 1e9}
width {"ask": "options", "table": DIAMANT, "width": 1}
width {"ask": "advise", "table": DIAMANT, "situation": "5 7", "width": 400}
steps {"ask": "advise", "table": DIAMANT, "situation": "5 7", "steps": true}
steps {"ask": "play", "table": DIAMANT, "choice": 0, "steps": true}
pin {"ask": "simulate", "table": DIAMANT, "pin": 1}
me {"ask": "about", "table": DIAMANT, "me": 1}
games {"ask": "options", "table": DIAMANT, "games": 1}
moves {"ask": "review", "table": DIAMANT}
client {"ask": "options", "table": DIAMANT, "client": 1}
seconds {"ask": "options", "table": DIAMANT, "seconds": 0}
of {"ask": "options", "table": DIAMANT, "of": 1}
of {"ask": "cancel"}
of {"ask": "cancel", "of": 1, "table": DIAMANT}
choice {"ask": "play", "table": DIAMANT}
choice {"ask": "play", "table": DIAMANT, "choice": 2}
choice {"ask": "options", "table": DIAMANT, "choice": 1}
playouts {"ask": "advise", "table": DIAMANT, "playouts": 0}
situation {"ask": "advise", "table": DIAMANT, "situation": "5 dragon"}
seed {"ask": "advise", "table": DIAMANT, "situation": "5 7", "seed": 1}
situation {"ask": "advise", "table": {"game": "diamond_miner", "seats": ["thinker", "thinker"]}, "situation": "5"}
"#;

#[test]
fn errors_name_the_field() {
    let diamant = r#"{"game": "diamant", "seats": ["depth", "traps"]}"#;
    let faulty = FAULTY.replace("DIAMANT", diamant);
    let cases = faulty
        .trim()
        .lines()
        .filter_map(|line| line.split_once(' '));
    let ask = |(id, (field, question)): (usize, (&str, &str))| {
        let mut question: Value = serde_json::from_str(question).expect("JSON");
        question["id"] = id.into();
        (field.to_string(), question)
    };
    let (fields, questions): (Vec<String>, Vec<Value>) = cases.enumerate().map(ask).unzip();
    let replies = answers(&questions);
    for (field, question) in fields.iter().zip(&questions) {
        let reply = &replies[&question["id"].to_string()];
        assert_eq!(reply["field"], **field, "{question}: {reply}");
        assert!(reply["error"].is_string());
    }
}

#[test]
fn questions_are_cancelled_or_end_in_time() {
    let table = json!({ "game": "diamant" });
    let endless = |id: &str, games: u64| json!({ "id": id, "ask": "simulate", "table": table, "games": games, "client": id });
    let mut late = endless("late", 1_000_000_000_000);
    late["seconds"] = json!(0.3);
    let all = answers(&[
        endless("open", 1_000_000_000_000),
        late,
        endless("short", 500),
        json!({ "id": "quick", "ask": "options", "table": table }),
        json!({ "id": 1, "ask": "cancel", "of": "open" }),
        json!({ "id": 2, "ask": "cancel", "of": "unknown" }),
    ]);
    assert_eq!(all["1"]["cancelled"], true);
    assert_eq!(all["2"]["cancelled"], false);
    for stopped in ["open", "late"] {
        let error = &all[&format!("\"{stopped}\"")]["error"];
        assert_eq!(*error, "was stopped", "{stopped}");
    }
    assert_eq!(all["\"short\""]["done"], true);
    assert!(all["\"quick\""]["options"].is_array());
}

#[test]
fn hundreds_of_questions_are_answered() {
    questions_are_answered(200, 20);
}

#[test]
#[ignore = "full set"]
fn a_thousand_questions_are_answered() {
    questions_are_answered(1000, 200);
}

fn questions_are_answered(number: u64, playouts: u64) {
    let question = |id: u64| {
        json!({
            "id": id, "ask": "advise", "table": table("diamant", &["simple", "depth", "people"]),
            "seed": id, "me": 1 + id % 3, "playouts": playouts,
        })
    };
    let questions: Vec<Value> = (0..number).map(question).collect();
    let reply = answers(&questions);
    assert_eq!(reply.len(), number as usize);
    assert!(reply.values().all(|answer| answer["best"].is_u64()));
}

/// What `carat engine` answers to a text, with these options.
fn told(here: &crate::process::Folder, options: &str, text: &str) -> Vec<String> {
    here.write("questions", text);
    let told = here.shell(&format!("$0 engine --threads 1 {options} < questions"));
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    told.stdout.lines().map(str::to_string).collect()
}

#[test]
fn an_id_comes_back_as_it_was() {
    let big = "9".repeat(400);
    let ids = [
        &big,
        "-18446744073709551617",
        "1e400",
        "0.10",
        "\"\\u00e9\"",
        "[1, {\"a\":2}]",
        "null",
    ];
    let question = |id: &str| {
        format!("{{\"ask\":\"decide\",\"id\":{id},\"table\":{{\"game\":\"diamant\"}}}}\n")
    };
    let text: String = ids.map(question).concat();
    let told = told(&folder(), "", &text);
    for id in ids {
        let start = format!("{{\"id\":{id},\"");
        assert!(told.iter().any(|answer| answer.starts_with(&start)), "{id}");
    }
    assert_eq!(told.len(), ids.len());
}

#[test]
fn a_question_too_long_does_not_end_the_others() {
    let short = "{\"id\":1,\"ask\":\"decide\",\"seed\":\"18446744073709551615\",\"table\":{\"game\":\"diamant\"}}\n";
    let long = format!("{{\"id\":\"{}\"}}\n", "x".repeat(1 << 22));
    let told = told(&folder(), "", &format!("{short}{long}{short}"));
    assert_eq!(told.len(), 3);
    let errors = told
        .iter()
        .filter(|answer| answer.contains("longer than 4194304 bytes"));
    assert_eq!(errors.count(), 1);
    assert_eq!(
        told.iter()
            .filter(|answer| answer.contains("\"choice\":"))
            .count(),
        2
    );
}

/// Questions name no files of this machine, and errors quote none, unless carat is told so.
#[test]
fn files_are_named_only_when_allowed() {
    let here = folder();
    here.write("secret.toml", "password = 'swordfish'\n");
    here.write("mine.toml", "leave = 'held >= 3'\n");
    for table in [
        "{\"game\":\"diamant\",\"rules\":\"secret.toml\"}",
        "{\"game\":\"diamant\",\"seats\":[\"./secret.toml\"]}",
        "{\"game\":\"diamant\",\"seats\":[\"exec:cat secret.toml\"]}",
        "{\"game\":\"diamant\",\"seats\":[\"depth\",\"mine.toml\"]}",
    ] {
        let question = format!("{{\"id\":1,\"ask\":\"decide\",\"table\":{table}}}\n");
        let refused = told(&here, "", &question).concat();
        assert!(
            refused.contains("cannot be named here") && !refused.contains("swordfish"),
            "{refused}"
        );
        let answer = told(&here, "--allow-files", &question).concat();
        assert_eq!(
            answer.contains("choice"),
            table.contains("mine"),
            "{answer}"
        );
    }
}

/// Reasons quote the included bots: a bot of the same name in the folder changes no answer, unless
/// carat is told so.
#[test]
fn reasons_quote_included_bots() {
    let mut quoted = false;
    for game in carat_core::catalog::GAMES {
        let here = folder();
        let family = game.rule.or(game.family).expect("a family");
        let bot = here.run(&format!("show strategy {} {family}", game.name));
        let edited = bot.replace("says = \"", "says = \"EDITED ");
        let strategies = here.inner(&format!("strategies/{}", game.name));
        strategies.write(&format!("{family}.toml"), edited);
        let asked = (1..=4).map(|seed| {
            let people = vec!["people"; game.players];
            let table = json!({ "game": game.name, "set": crate::fixtures::short(game.name),
                                "seats": people });
            let asked = json!({ "id": seed, "ask": "advise", "table": table, "seed": seed,
                                "playouts": 100 });
            format!("{asked}\n")
        });
        let asked = asked.collect::<String>();
        let [included, own] = ["", "--allow-files"].map(|how| told(&here, how, &asked).concat());
        assert!(included.contains("\"best\""), "{included}");
        assert!(!included.contains("EDITED"), "{}: {included}", game.name);
        quoted |= own.contains("EDITED");
    }
    assert!(quoted, "the questions need reasons");
}
