//! `carat list`: games, rules and bots.

use super::error::CliError;
use super::show::find;
use super::terminal::{answer, hanging, print};
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::library::Library;
use carat_studies::desk::games::{describe_game, list_bots};

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
        let games = games.iter();
        let games = Vec::from_iter(games.map(|game| describe_game(game, &library)));
        return print(&answer("games", games)?);
    }
    let alone = args.game.is_some();
    let texts = games.iter().map(|game| described(game, &library, alone));
    print(&hanging(&texts.collect::<String>()))
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
    let bots = list_bots(game, library);
    let width = bots.iter().map(|bot| bot.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for bot in bots {
        text += &format!("    {:<width$}  {}", bot.name, bot.description);
        if let Some(made_for) = bot.made_for {
            text += &format!(" (For {made_for}.)");
        }
        if with_params && !bot.params.is_empty() {
            let params = bot.params.iter();
            let params = Vec::from_iter(params.map(|(param, value)| format!("{param}={value}")));
            text += &format!("\n    {:<width$}  {}:{}", "", bot.name, params.join(","));
        }
        text += "\n";
    }
    text + "\n"
}
