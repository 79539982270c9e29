//! `carat show`: prints rules, bots, features, or what a game is.

use super::args::TableArgs;
use super::columns::columns;
use super::error::CliError;
use super::terminal::{print, table};
use crate::catalog;
use crate::game::Game;
use crate::study::library::Library;
use crate::study::simulate::Resolved;
use crate::study::{StudyError, no_such_game, paths};
use clap::Subcommand;
use std::fmt::Write;

/// Print rules or a bot ready to edit, and what a game has: features, metrics, columns, paths
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
    /// The columns of every table that studies of a game write
    Columns {
        /// The game, such as diamant
        game: String,
    },
    /// The metrics of a game: what --metric takes, and columns of seats.csv and rows of table.csv
    Metrics(TableArgs),
    /// Every path that compare and sweep can change at a table, with its value
    Paths(TableArgs),
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
        What::Columns { game } => print(&columns(find(game)?, &library)?),
        What::Metrics(table) => print(&metrics(&table.study().resolve(&library)?)),
        What::Paths(table) => print(&listed_paths(&table.study().resolve(&library)?)?),
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

fn metrics(resolved: &Resolved) -> String {
    let layout = resolved.table.layout();
    let of_seats = layout.seat_metrics.iter().map(|metric| (metric, "@SEAT"));
    let of_table = layout.table_metrics.iter().map(|metric| (metric, ""));
    let rows = of_seats.chain(of_table).map(|(metric, whose)| {
        let name = format!("{}{whose}", metric.name);
        vec![name, metric.meaning.to_string()]
    });
    format!(
        "{}: metrics of a seat (write its number for SEAT, or leave @SEAT out for all seats), then\n\
         those of the table.\n\n{}\n",
        resolved.game.title,
        table(&["metric", "meaning"], rows.collect())
    )
}

fn listed_paths(resolved: &Resolved) -> Result<String, StudyError> {
    let rows = paths(resolved)?;
    let rows = rows.into_iter().map(|(path, value)| vec![path, value]);
    Ok(format!(
        "{}: what compare and sweep can change at this table. `rules` takes an edition or a file,\n\
         `seats.N` a bot, and all.BOT.PARAM changes every seat of a bot.\n\n{}\n",
        resolved.game.title,
        table(&["path", "value"], rows.collect())
    ))
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
