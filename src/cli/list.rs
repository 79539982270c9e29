//! `carat list`: games, rules and bots.

use super::error::CliError;
use super::show::find;
use super::terminal::{answer, hanging, print};
use crate::catalog::GAMES;
use crate::game::Game;
use crate::study::library::Library;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// List games, rules and bots
#[derive(clap::Args)]
pub struct Args {
    /// List only this game, such as diamant, with the parameters of its bots
    game: Option<String>,
    /// Print JSON (see `carat show json`)
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let library = Library::here();
    let games = match &args.game {
        Some(name) => vec![find(name)?],
        None => GAMES.to_vec(),
    };
    if args.json {
        let games: Vec<_> = games.iter().map(|game| record(game, &library)).collect();
        return print(&answer("games", games)?);
    }
    let alone = args.game.is_some();
    let texts = games.iter().map(|game| described(game, &library, alone));
    print(&hanging(&texts.collect::<String>()))
}

/// A bot with its description.
struct Bot {
    name: String,
    about: String,
    /// The rules and number of players that it was made for.
    made_for: Option<String>,
    /// Its parameters with their values, without the numbers of tables.
    params: Vec<(String, f32)>,
}

fn bots(game: &Game, library: &Library) -> Vec<Bot> {
    let bot = |name: String| match library.strategy(game, &name) {
        Ok(mut strategy) => {
            strategy.params.retain(|(param, _)| !param.contains('.'));
            Bot {
                name,
                about: strategy.description,
                made_for: strategy.made_for.map(|made_for| made_for.to_string()),
                params: strategy.params,
            }
        }
        Err(_) => Bot {
            name,
            about: "(faulty: see `carat check`)".to_string(),
            made_for: None,
            params: Vec::new(),
        },
    };
    let names = library.strategy_names(game).into_iter();
    names.map(bot).collect()
}

fn record(game: &Game, library: &Library) -> serde_json::Value {
    let rules: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    let bots = bots(game, library).into_iter();
    let bots = bots.map(|bot| {
        // The shortest decimal: 0.3, not the nearest number of double precision.
        let number = |value: f32| value.to_string().parse::<f64>().unwrap_or(f64::from(value));
        let params = bot.params.into_iter();
        let params: Map<String, Value> = params
            .map(|(param, value)| (param, json!(number(value))))
            .collect();
        json!({
            "name": bot.name,
            "description": bot.about,
            "made_for": bot.made_for,
            "params": params,
        })
    });
    json!({
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": { "min": game.seats.start(), "max": game.seats.end(), "default": game.players },
        "rules": rules,
        "bots": bots.collect::<Vec<_>>(),
    })
}

/// A game with its rules and bots, and the bots' parameters in the list of a single game.
fn described(game: &Game, library: &Library, with_params: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}  {}", game.name, game.summary);
    let (least, most) = (game.seats.start(), game.seats.end());
    let _ = writeln!(
        text,
        "\n  players (--players)\n    {least} to {most}, {} by default",
        game.players
    );
    let _ = writeln!(text, "\n  rules (--rules)");
    for (index, edition) in game.editions.iter().enumerate() {
        let default = if index == 0 { "  (default)" } else { "" };
        let _ = writeln!(text, "    {}{default}", edition.name);
    }
    let _ = writeln!(text, "\n  bots (--seat)");
    let bots = bots(game, library);
    let width = bots.iter().map(|bot| bot.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for Bot {
        name,
        about,
        made_for,
        params,
    } in bots
    {
        let made_for = made_for.map(|made_for| format!(" (For {made_for}.)"));
        let _ = writeln!(
            text,
            "    {name:<width$}  {about}{}",
            made_for.unwrap_or_default()
        );
        if with_params && !params.is_empty() {
            let params = params
                .iter()
                .map(|(param, value)| format!("{param}={value}"));
            let params = params.collect::<Vec<_>>().join(",");
            let _ = writeln!(text, "    {:<width$}  {name}:{params}", "");
        }
    }
    text + "\n"
}
