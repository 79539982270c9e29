//! `carat list`: games, rules and bots.

use super::error::CliError;
use super::show::find;
use super::terminal::{answer, hanging, print};
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::library::Library;
use serde::{Serialize, Serializer};
use serde_json::json;

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

#[derive(Default, Serialize)]
struct Bot {
    name: String,
    description: String,
    /// The rules and number of players that it was made for.
    made_for: Option<String>,
    /// Its parameters with their values, without the numbers of tables.
    #[serde(serialize_with = "as_decimals")]
    params: Vec<(String, f32)>,
}

/// A map to the shortest decimals: 0.3, not the nearest number of double precision.
fn as_decimals<S: Serializer>(params: &[(String, f32)], to: S) -> Result<S::Ok, S::Error> {
    let number = |value: f32| value.to_string().parse().unwrap_or(f64::from(value));
    to.collect_map(params.iter().map(|(param, value)| (param, number(*value))))
}

fn bots(game: &Game, library: &Library) -> Vec<Bot> {
    let bot = |name: String| match library.strategy(game, &name) {
        Ok(mut strategy) => {
            strategy.params.retain(|(param, _)| !param.contains('.'));
            Bot {
                name,
                description: strategy.description,
                made_for: (strategy.made_for.map(|made_for| made_for.to_string()))
                    .filter(|made_for| !made_for.is_empty()),
                params: strategy.params,
            }
        }
        Err(_) => Bot {
            name,
            description: "(faulty: see `carat check`)".to_string(),
            ..Bot::default()
        },
    };
    library.strategy_names(game).into_iter().map(bot).collect()
}

/// What `--json` prints of a game.
pub fn record(game: &Game, library: &Library) -> serde_json::Value {
    let rules: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    json!({
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": { "min": game.seats.start(), "max": game.seats.end(), "default": game.players },
        "rules": rules,
        "bots": bots(game, library),
    })
}

/// A game with its rules and bots, and the bots' parameters in the list of a single game.
fn described(game: &Game, library: &Library, with_params: bool) -> String {
    let mut text = format!("{}  {}\n", game.name, game.summary);
    let (least, most) = (game.seats.start(), game.seats.end());
    text += "\n  players (--players)\n";
    text += &format!("    {least} to {most}, {} by default\n", game.players);
    text += "\n  rules (--rules)\n";
    for (index, edition) in game.editions.iter().enumerate() {
        let default = if index == 0 { "  (default)" } else { "" };
        text += &format!("    {}{default}\n", edition.name);
    }
    text += "\n  bots (--seat)\n";
    let bots = bots(game, library);
    let width = bots.iter().map(|bot| bot.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for bot in bots {
        text += &format!("    {:<width$}  {}", bot.name, bot.description);
        if let Some(made_for) = bot.made_for {
            text += &format!(" (For {made_for}.)");
        }
        if with_params && !bot.params.is_empty() {
            let params = bot.params.iter();
            let params: Vec<String> = params
                .map(|(param, value)| format!("{param}={value}"))
                .collect();
            text += &format!("\n    {:<width$}  {}:{}", "", bot.name, params.join(","));
        }
        text += "\n";
    }
    text + "\n"
}
