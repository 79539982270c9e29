//! `carat list`: what there is to play with.

use super::error::CliError;
use super::show::find;
use super::terminal::print;
use crate::catalog::GAMES;
use crate::game::Game;
use crate::study::library::Library;
use serde_json::json;
use std::fmt::Write;

/// List games, their rules and their bots
#[derive(clap::Args)]
pub struct Args {
    /// Only this game, such as diamant
    game: Option<String>,
    /// Print a list of records as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub fn run(args: &Args) -> Result<(), CliError> {
    let library = Library::here();
    let games = match &args.game {
        Some(name) => vec![find(name)?],
        None => GAMES.to_vec(),
    };
    if args.json {
        let games: Vec<_> = games.iter().map(|game| record(game, &library)).collect();
        return print(&format!("{}\n", json!(games)));
    }
    let texts: Vec<String> = games.iter().map(|game| described(game, &library)).collect();
    print(&texts.concat())
}

/// The bots of a game with what they say of themselves.
fn bots(game: &Game, library: &Library) -> Vec<(String, String)> {
    let names = library.strategy_names(game).into_iter();
    let about = |name: &str| match library.strategy(game, name) {
        Ok(strategy) => strategy.description,
        Err(_) => "(faulty: see `carat check`)".to_string(),
    };
    names.map(|name| (name.clone(), about(&name))).collect()
}

fn record(game: &Game, library: &Library) -> serde_json::Value {
    let rules: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    let bots = bots(game, library).into_iter();
    let bots = bots.map(|(name, about)| json!({ "name": name, "description": about }));
    json!({
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": { "min": game.seats.start(), "max": game.seats.end(), "default": game.players },
        "rules": rules,
        "bots": bots.collect::<Vec<_>>(),
    })
}

fn described(game: &Game, library: &Library) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}  {}", game.name, game.summary);
    let _ = writeln!(text, "\n  rules (--rules)");
    for (index, edition) in game.editions.iter().enumerate() {
        let default = if index == 0 { "  (default)" } else { "" };
        let _ = writeln!(text, "    {}{default}", edition.name);
    }
    let _ = writeln!(text, "\n  bots (--seat)");
    let bots = bots(game, library);
    let width = bots.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0);
    for (name, about) in bots {
        let _ = writeln!(text, "    {name:<width$}  {about}");
    }
    text + "\n"
}
