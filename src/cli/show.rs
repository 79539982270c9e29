//! `carat show`: prints rules, bots, features, or what a game is.

use super::error::CliError;
use super::terminal::{print, table};
use crate::catalog;
use crate::game::Game;
use crate::study::library::Library;
use crate::study::no_such_game;
use clap::Subcommand;
use std::fmt::Write;

/// Print rules or a bot ready to edit, the features of a game, or the game itself
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A rules file, complete and commented: save it, edit it, and play it with --rules
    Rules {
        /// The game, such as diamant
        game: String,
        /// The edition [default: the game's first]
        name: Option<String>,
    },
    /// A bot's file: save it, edit it, and play it with --seat
    Strategy {
        /// The game, such as diamant
        game: String,
        /// The bot
        name: String,
    },
    /// The names that a bot's formula may use
    Features {
        /// The game, such as diamant
        game: String,
    },
    /// What a game is, and what it ships with
    Game {
        /// The game, such as diamant
        game: String,
    },
}

/// Prints what was asked for.
pub fn run(args: &Args) -> Result<(), CliError> {
    let library = Library::here();
    match &args.what {
        What::Rules { game, name } => {
            let game = find(game)?;
            let name = name.as_deref().unwrap_or(game.editions[0].name);
            print(&library.rules_source(game, name)?.text)
        }
        What::Strategy { game, name } => print(&library.strategy_source(find(game)?, name)?.0.text),
        What::Features { game } => print(&features(find(game)?)),
        What::Game { game } => print(&about(find(game)?, &library)),
    }
}

fn find(name: &str) -> Result<&'static Game, CliError> {
    Ok(catalog::find(name).ok_or_else(|| no_such_game(name))?)
}

fn features(game: &Game) -> String {
    let vocabulary = game.vocabulary;
    let rows = vocabulary.features.iter().map(|feature| {
        [feature.name, feature.unit, feature.range, feature.meaning]
            .map(str::to_string)
            .to_vec()
    });
    let table = table(&["feature", "unit", "range", "meaning"], rows.collect());
    format!(
        "A bot of {} answers `{}` with {}, from these:\n\n{table}\n",
        game.title,
        vocabulary.question,
        vocabulary.answer.described()
    )
}

fn about(game: &Game, library: &Library) -> String {
    let mut text = String::new();
    let editions: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    let _ = writeln!(text, "{} ({})\n{}\n", game.title, game.name, game.summary);
    let _ = writeln!(
        text,
        "players   {} to {}, {} by default",
        game.seats.start(),
        game.seats.end(),
        game.players
    );
    let _ = writeln!(text, "score     {}", game.score_unit);
    let _ = writeln!(text, "rules     {}", editions.join(", "));
    let _ = writeln!(
        text,
        "bots      {}",
        library.strategy_names(game).join(", ")
    );
    let _ = writeln!(text, "\n{}", features(game).trim_end());
    text
}
