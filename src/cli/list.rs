//! `carat list`: what there is to play with.

use super::error::CliError;
use super::terminal::print;
use crate::catalog::GAMES;
use crate::study::library::Library;
use std::fmt::Write;

/// List games, their rules and their bots
#[derive(clap::Args)]
pub struct Args {}

/// Prints the list.
pub fn run(_args: &Args) -> Result<(), CliError> {
    let library = Library::here();
    let mut text = String::new();
    for game in GAMES {
        let _ = writeln!(text, "{}  {}", game.name, game.summary);
        let _ = writeln!(text, "\n  rules (--rules)");
        for (index, edition) in game.editions.iter().enumerate() {
            let default = if index == 0 { "  (default)" } else { "" };
            let _ = writeln!(text, "    {}{default}", edition.name);
        }
        let _ = writeln!(text, "\n  bots (--seat)");
        let names = library.strategy_names(game);
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        for name in &names {
            let about = match library.strategy(game, name) {
                Ok(strategy) => strategy.description,
                Err(_) => "(faulty: see `carat check`)".to_string(),
            };
            let _ = writeln!(text, "    {name:<width$}  {about}");
        }
        let _ = writeln!(text);
    }
    print(&text)
}
