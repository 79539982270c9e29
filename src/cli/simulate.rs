//! `carat simulate`: bots at one table, many games.

use super::args::{GamesArgs, PlayArgs, TableArgs, reports_out};
use super::error::CliError;
use super::play::play;
use crate::study::Study;
use crate::study::library::Library;

/// Seat bots at a table, play many games, and report who wins and why
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let study = args.games.of(args.table.study());
    let name = study.game.clone();
    play(
        &Study::Simulate(study),
        &Library::here(),
        reports_out(&name),
        &args.play,
    )
}
