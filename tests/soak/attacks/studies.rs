//! Random studies of most kinds.

use super::dice::Dice;
use super::words;
use carat_core::game::Game;
use serde_json::{Map, Value, json};

/// Games of a table at which bots think ahead.
const GAMES_OF_THINKERS: u64 = 10;

/// What is at a table, as the keys of a study.
pub fn table(dice: &mut Dice, game: &'static Game, with_seats: bool) -> Map<String, Value> {
    let mut table = Map::from_iter([("game".to_string(), json!(game.name))]);
    let mut add = |key: &str, value: Value| drop(table.insert(key.to_string(), value));
    if dice.chance(20) {
        add("title", json!(dice.nasty()));
    }
    if dice.chance(30) {
        let edition = game.editions[dice.below(game.editions.len())].name;
        let mine = dice.chance(30);
        let rules = if mine { "my-rules.toml" } else { edition };
        add("rules", json!(rules));
    }
    if dice.chance(15) {
        let set = words::change(dice, game);
        add("set", json!([set.trim_start_matches("rules.")]));
    }
    if dice.chance(40) {
        add("players", json!(2 + dice.below(4)));
    }
    if with_seats && dice.chance(60) {
        add("seats", json!(words::seats(dice, game, 3)));
    }
    if dice.chance(15) {
        add("metric", json!(words::metric(dice)));
    }
    if dice.chance(15) {
        let seating = dice.word("every-order neighbours fixed");
        add("seating", json!(seating));
    }
    match dice.below(10) {
        0 => {
            let precision = [0.5, 0.05, 1e-9, -1.0, 0.0][dice.below(5)];
            add("precision", json!(precision));
            add("max_games", json!(words::games(dice, game)));
        }
        _ => add("games", json!(words::games(dice, game))),
    }
    add("seed", json!(dice.next() >> 12));
    table
}

/// A study of most kinds.
pub fn study(dice: &mut Dice, game: &'static Game) -> Value {
    let kind = dice.word("simulate compare sweep tournament tune solve analyse");
    let mut top = Map::from_iter([("study".to_string(), json!(kind))]);
    let mut table = table(dice, game, kind != "tournament");
    let name = |dice: &mut Dice, plain: String| if dice.chance(8) { dice.nasty() } else { plain };
    match kind {
        "simulate" => top.extend(table.clone()),
        "compare" => {
            let changes = |dice: &mut Dice| words::change(dice, game);
            let sides = (0..1 + dice.below(4)).map(|side| {
                let changes = Vec::from_iter((0..dice.below(2)).map(|_| changes(dice)));
                (name(dice, format!("side {side}")), json!(changes))
            });
            top.insert("sides".to_string(), Value::Object(sides.collect()));
        }
        "sweep" | "tune" => {
            let axes = (0..1 + dice.below(2))
                .map(|_| (words::path(dice, game), json!(words::values(dice, game))));
            top.insert("vary".to_string(), Value::Object(axes.collect()));
        }
        "solve" => {}
        "analyse" => {
            // The fewest allowed: a long game of Diamond Miner takes half a minute.
            top.insert("playouts".to_string(), json!(64));
            table.insert("games".to_string(), json!(1));
        }
        _ => {
            let bots =
                Vec::from_iter((0..2 + dice.below(3)).map(|_| words::seat(dice, game, false)));
            top.insert("bots".to_string(), json!(bots));
            if dice.chance(30) {
                top.insert("line_ups".to_string(), json!(dice.below(40)));
            }
        }
    }
    if kind == "tune" {
        top.insert("maximize".to_string(), json!(words::metric(dice)));
        table.shift_remove("games");
        table.insert("max_games".to_string(), json!(3000 + dice.below(6000)));
    }
    let is_simulated = kind == "simulate";
    if !is_simulated {
        top.insert("table".to_string(), Value::Object(table));
    }
    let mut study = Value::Object(top);
    // A bot that thinks ahead takes milliseconds a game, and a tournament has many tables. Long games
    // of Diamond Miner take a minute where options are played on.
    let thinks = study.to_string().contains("playouts=");
    if thinks && kind == "tournament" {
        study["line_ups"] = json!(8);
    }
    let table = if is_simulated {
        &mut study
    } else {
        &mut study["table"]
    };
    if thinks && table.get("games").is_some() {
        table["games"] = json!(GAMES_OF_THINKERS);
    }
    if game.name == "diamond_miner" && (thinks || kind == "analyse") {
        table["set"] = json!(["rounds=30"]);
    }
    study
}
