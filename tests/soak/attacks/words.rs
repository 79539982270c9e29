//! Random bots, rules, seats, paths and values: sound as a rule, and broken now and then.

use super::dice::Dice;
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::library::Library;
use serde_json::{Value, json};

const METRICS: &str = "win_share score_mean cards_per_game bust_rate left_alone_rate comeback_rate \
    cards_at_leaving_mean first_diamond_round second_diamond_round digs_per_turn capped_rate \
    winning_margin_mean wins";

pub fn game(dice: &mut Dice) -> &'static Game {
    // Diamant is the fastest, and has most rules.
    if dice.chance(60) {
        GAMES[0]
    } else {
        GAMES[dice.below(GAMES.len())]
    }
}

/// Few games: a case is small.
pub fn games(dice: &mut Dice, game: &Game) -> String {
    let most = if game.name == "diamant" { 2000 } else { 60 };
    (1 + dice.below(most)).to_string()
}

/// A formula of the kind asked for.
fn formula(dice: &mut Dice, game: &Game, truth: bool, depth: usize) -> String {
    let leaf = depth == 0 || dice.chance(20);
    let inner = |dice: &mut Dice, truth| formula(dice, game, truth, depth.saturating_sub(1));
    match (truth, leaf) {
        (true, true) => dice.pick(&["true", "false", "1 < 2"]).to_string(),
        (true, false) => match dice.below(6) {
            0 => format!("not ({})", inner(dice, true)),
            1 => format!("({}) and ({})", inner(dice, true), inner(dice, true)),
            2 => format!("({}) or ({})", inner(dice, true), inner(dice, true)),
            _ => {
                let sign = dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {sign} {}", inner(dice, false), inner(dice, false))
            }
        },
        (false, true) => match dice.below(6) {
            0 => format!("{}", dice.below(100)),
            1 => format!("{}.{}", dice.below(100), dice.below(100)),
            2 => dice.word("p q random 1e30 0 1e-30").to_string(),
            _ => game.vocabulary.features[dice.below(game.vocabulary.features.len())]
                .name
                .to_string(),
        },
        (false, false) => match dice.below(8) {
            0 => format!("min({}, {})", inner(dice, false), inner(dice, false)),
            1 => format!("max({}, {})", inner(dice, false), inner(dice, false)),
            2 => format!("floor({})", inner(dice, false)),
            3 => format!("-abs({})", inner(dice, false)),
            4 => format!(
                "(if {} then {} else {})",
                inner(dice, true),
                inner(dice, false),
                inner(dice, false)
            ),
            _ => {
                let sign = dice.pick(&["+", "-", "*", "/"]);
                format!("({} {sign} {})", inner(dice, false), inner(dice, false))
            }
        },
    }
}

/// A bot's file. Parameters are used, so that most bots are sound.
pub fn bot(dice: &mut Dice, game: &Game) -> String {
    let truth = game.vocabulary.answer == carat_core::formula::Kind::Truth;
    let depth = 1 + dice.below(5);
    let body = formula(dice, game, truth, depth);
    let name = if dice.chance(5) {
        dice.nasty()
    } else {
        "bot".to_string()
    };
    let used = if truth {
        "or p + q < 0"
    } else {
        "+ p / (q + 1)"
    };
    let text = format!("let unbroken = {body}; (unbroken) {used}");
    let mut file = json!({
        "description": name, game.vocabulary.question: text,
        "params": {"p": dice.below(20), "q": dice.below(100) as f64 / 8.0},
    });
    if dice.chance(15) {
        dice.damage(&mut file);
    }
    let text = toml::to_string(&file).unwrap_or_default();
    damaged(dice, text, 15)
}

/// A text, of which one in so many hundred is damaged.
pub fn damaged(dice: &mut Dice, text: String, percent: usize) -> String {
    if !dice.chance(percent) {
        return text;
    }
    let mut bytes = text.into_bytes();
    dice.damage_bytes(&mut bytes, 0);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The rules of an edition as a tree of values.
pub fn edition(dice: &mut Dice, game: &Game) -> Value {
    let edition = &game.editions[dice.below(game.editions.len())];
    toml::from_str(edition.text).expect("editions are TOML")
}

/// A rules file with some damage.
pub fn rules(dice: &mut Dice, game: &Game) -> String {
    let mut tree = edition(dice, game);
    for _ in 0..dice.below(3) {
        dice.damage(&mut tree);
    }
    let text = toml::to_string(&tree).unwrap_or_default();
    damaged(dice, text, 10)
}

/// A bot of the game with values, and maybe copies.
pub fn seat(dice: &mut Dice, game: &Game, copies: bool) -> String {
    let mut names = Library::default().strategy_names(game);
    // It takes too long; others think a little.
    names.retain(|name| name != "thinker");
    let name = match dice.below(30) {
        0 => dice.nasty(),
        1 => "my.toml".to_string(),
        _ => dice.one(&names),
    };
    let mut text = if copies && dice.chance(15) {
        format!("{}*", dice.below(4))
    } else {
        String::new()
    };
    text += &name;
    let spec = name.parse().ok();
    let seats = spec.and_then(|spec| Library::default().seats(game, &spec).ok());
    let params: Vec<String> = seats
        .iter()
        .flatten()
        .flat_map(|seat| seat.params().map(|(name, _)| name.to_string()))
        .collect();
    if dice.chance(4) {
        text += ":playouts=2";
    } else if !params.is_empty() && dice.chance(50) {
        text += &format!(":{}={}", dice.one(&params), dice.number());
    }
    text
}

pub fn seats(dice: &mut Dice, game: &Game, most: usize) -> Vec<String> {
    (0..dice.below(most + 1))
        .map(|_| seat(dice, game, true))
        .collect()
}

pub fn metric(dice: &mut Dice) -> String {
    let metric = dice.word(METRICS);
    match dice.below(4) {
        0 => format!("{metric}@{}", dice.number()),
        1 => dice.nasty(),
        _ => format!("{metric}@1"),
    }
}

fn keys(tree: &Value, prefix: &str, found: &mut Vec<String>) {
    for (key, value) in tree.as_object().into_iter().flatten() {
        found.push(format!("{prefix}{key}"));
        keys(value, &format!("{prefix}{key}."), found);
    }
}

/// A path and a value that may be there.
pub fn path(dice: &mut Dice, game: &Game) -> String {
    let mut found = Vec::new();
    keys(&edition(dice, game), "rules.", &mut found);
    match dice.below(12) {
        0 => dice.nasty(),
        1 => "rules".to_string(),
        2 => "players".to_string(),
        3 => format!("seats.{}", dice.below(7)),
        4..6 => {
            let param = dice.word("target cards nerve fear patience greed zeal p");
            format!("seats.{}.{param}", 1 + dice.below(5))
        }
        6 => format!(
            "all.{}.{}",
            seat(dice, game, false).split(':').next().unwrap_or(""),
            dice.word("target fear")
        ),
        _ => dice.one(&found),
    }
}

/// A value for whatever a path leads to.
pub fn value(dice: &mut Dice, game: &Game) -> String {
    match dice.below(12) {
        0 => dice.nasty(),
        1 => game.editions[dice.below(game.editions.len())]
            .name
            .to_string(),
        2 => seat(dice, game, false),
        3 => format!("[{}]", dice.join(6, ", ", |dice| dice.below(20))),
        4 => {
            let of = "true false \"open\" \"none\" perfect rules.toml {}";
            dice.word(of).to_string()
        }
        _ => dice.number(),
    }
}

/// A change as `--set`, `--b` and a side of a study have it.
pub fn change(dice: &mut Dice, game: &Game) -> String {
    format!("{}={}", path(dice, game), value(dice, game))
}

/// A path to vary, and its values.
pub fn axis(dice: &mut Dice, game: &Game) -> String {
    format!("{}={}", path(dice, game), values(dice, game))
}

/// The values of an axis: a range or a list, small as a rule.
pub fn values(dice: &mut Dice, game: &Game) -> String {
    match dice.below(10) {
        0 => format!("{}..{}", dice.number(), dice.number()),
        1 => {
            let [from, to, step] = [(); 3].map(|()| dice.number());
            format!("{from}..{to} step {step}")
        }
        2 => dice.nasty(),
        3 | 4 => dice.join(4, ";", |dice| value(dice, game)),
        5 => dice.join(4, ",", |dice| value(dice, game)),
        _ => {
            let from = dice.below(6);
            format!("{from}..{}", from + dice.below(6))
        }
    }
}
