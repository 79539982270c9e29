//! `carat simulate`: bots at one table, many games.

use super::args::{GamesArgs, PlayArgs, TableArgs};
use super::error::CliError;
use super::play::play_typed;
use crate::study::Study;

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
    play_typed(&Study::Simulate(study), &args.play)
}
