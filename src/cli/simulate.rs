//! `carat simulate`: bots at one table, many games.

use super::args::{GamesArgs, PlayArgs, TableArgs};
use super::error::CliError;
use super::play::play_typed;
use crate::study::{Head, Simulate, Study};

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
    let study = Simulate {
        head: Head::default(),
        table: args.table.seated(args.games.seating),
        run: args.games.run.spec(),
        metric: args.games.metric.clone(),
    };
    play_typed(&Study::Simulate(study), &args.play)
}
