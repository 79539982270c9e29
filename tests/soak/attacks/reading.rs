//! Attacks by studies: what is sound by `check` is played, to the same bytes by any threads.

use super::case::{Case, Outcome};
use super::studies::study;
use super::words;
use carat_core::game::Game;
use carat_studies::study::Study;
use serde_json::{Value, json};

/// What an attack tells that found nothing: a demand that holds.
pub fn demand(holds: bool, fault: impl Into<String>) -> Outcome {
    if holds { Ok(()) } else { Err(fault.into()) }
}

/// Runs what may be sound: `check` and `run` agree, and what is played can be played again.
fn agree(case: &mut Case, file: &str) -> Result<bool, String> {
    let checked = case.carat(&["check", file])?;
    let draws = case.dice.chance(15);
    let charts = if draws { "--svg" } else { "--no-charts" };
    let run = |case: &mut Case, what: &str| {
        case.line(&format!("run {what} --format csv,parquet {charts}"))
    };
    let ran = run(case, &format!("{file} --threads 1 --out o"))?;
    let sound = ran.is_well();
    demand(
        (checked.code == 0) == sound,
        format!("check says {}, run says {}", checked.code, ran.code),
    )?;
    if sound {
        let there = case.folder.join("o/manifest.json").exists();
        demand(there, "success without a manifest")?;
        run(case, &format!("{file} --threads 3 --out o3"))?;
        let [one, three] = ["o", "o3"].map(|folder| case.files(folder));
        demand(one == three, "1 and 3 threads give other bytes")?;
        if case.dice.chance(30) {
            run(case, "o/manifest.json --out o4")?;
            demand(case.files("o4") == one, "the manifest gives other bytes")?;
        }
    }
    Ok(sound)
}

pub fn my_files(case: &mut Case, game: &Game) {
    let sound = toml::to_string(&words::edition(&mut case.dice, game)).unwrap_or_default();
    let rules = if case.dice.chance(50) {
        sound
    } else {
        words::rules(&mut case.dice, game)
    };
    case.write("my-rules.toml", rules);
    let bot = words::bot(&mut case.dice, game);
    case.write("my.toml", bot);
}

pub fn studies(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    my_files(case, game);
    let mut study = study(&mut case.dice, game);
    if case.dice.chance(25) {
        case.dice.damage(&mut study);
    }
    let text = toml::to_string(&study).unwrap_or_default();
    let text = words::damaged(&mut case.dice, text, 10);
    case.write("study.toml", &text);
    // Damage may ask for very many games: those are not played. Games of thinkers take long.
    let most = if text.contains("playouts") {
        100
    } else {
        10_000
    };
    let small = Study::from_toml("study.toml", &text).is_ok_and(|study| most_games(&study) < most);
    if small {
        agree(case, "study.toml").map(|_| ())
    } else {
        case.carat(&["check", "study.toml"]).map(|_| ())
    }
}

fn most_games(study: &Study) -> u64 {
    let run = &study.run;
    match study {
        Study::Tune(_) => run.max_games.unwrap_or(u64::MAX),
        // They learn from at least a hundred thousand games, and play as many more; or each game is
        // played on thousands of times.
        Study::Solve(_) | Study::Adapt(_) | Study::Analyse(_) => u64::MAX,
        _ if run.precision.is_some() => run.max_games.unwrap_or(u64::MAX),
        _ => run.games.unwrap_or(u64::MAX),
    }
}

pub fn manifests(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let study = study(&mut case.dice, game);
    case.write("study.toml", toml::to_string(&study).unwrap_or_default());
    let ran = case.line("run study.toml --no-charts --quiet --out damaged")?;
    if !ran.is_well() {
        return Ok(());
    }
    let mut bytes = case
        .files("damaged")
        .remove("manifest.json")
        .unwrap_or_default();
    if case.dice.chance(50) {
        case.dice.damage_bytes(&mut bytes, 0);
    } else {
        let mut tree: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        (0..1 + case.dice.below(2)).for_each(|_| case.dice.damage(&mut tree));
        bytes = serde_json::to_vec_pretty(&tree).unwrap_or_default();
    }
    case.write("damaged/manifest.json", &bytes);
    // Where its own checksum no longer holds, nothing is replaced.
    let others = format!(
        "simulate {} --games 20 --no-charts --out damaged",
        game.name
    );
    case.line(&others)?;
    case.write("m.json", &bytes);
    let value: Option<Value> = serde_json::from_slice(&bytes).ok();
    let study = value.and_then(|mut value| Study::from_json(value["study"].take()).ok());
    match study {
        Some(study) if most_games(&study) >= 10_000 => case.carat(&["check", "m.json"]).map(|_| ()),
        _ => agree(case, "m.json").map(|_| ()),
    }
}

/// Titles and names of all characters, in tables, charts and on the terminal.
pub fn names(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let mut study = study(&mut case.dice, game);
    let dice = &mut case.dice;
    let title = dice.join(4, " ", |dice| dice.nasty());
    let name = dice.nasty().replace(['/', '\0'], "");
    let usable = !name.is_empty() && name.len() <= 200;
    let bot = format!("{}.toml", if usable { &name } else { "x" });
    let seats = json!([bot, words::seat(dice, game, true)]);
    let sides = ["+ a", "− b", &dice.nasty()].map(|side| (side.to_string(), json!([])));
    let top = study.as_object_mut().ok_or("a study is a table")?;
    for (key, value) in [
        ("bots", seats.clone()),
        ("sides", Value::Object(sides.into_iter().collect())),
    ] {
        if top.contains_key(key) {
            top.insert(key.to_string(), value);
        }
    }
    let tournament = top.contains_key("bots");
    let table = if top.contains_key("table") {
        top["table"].as_object_mut().ok_or("a table")?
    } else {
        top
    };
    table.insert("title".to_string(), Value::String(title));
    if !tournament {
        table.insert("seats".to_string(), seats);
    }
    let truth = game.vocabulary.question == "leave";
    let answer = if truth { "random < 0.3" } else { "random" };
    let question = game.vocabulary.question;
    case.write(&bot, format!("description = ''\n{question} = '{answer}'\n"));
    let text = toml::to_string(&study).unwrap_or_default();
    case.write("study.toml", &text);
    // A bot that plays at random makes games of Diamond Miner that take long to analyse or think in.
    if text.contains("playouts") && game.name == "diamond_miner" {
        case.carat(&["check", "study.toml"]).map(|_| ())
    } else {
        agree(case, "study.toml").map(|_| ())
    }
}
