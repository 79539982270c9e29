//! `carat compare`: the same games under different rules or with different bots.

use super::args::{GamesArgs, OutputArgs, TableArgs, reports_out};
use super::error::CliError;
use super::play::play;
use crate::study::library::Library;
use crate::study::{Compare, Study};
use indexmap::IndexMap;

/// Play the same games on sides that differ in rules or bots, and report the paired differences
///
/// A change is PATH=VALUE: rules=EDITION, rules.traps.snake=4, players=6, seats.1=last-out,
/// seats.1.target=9 or all.threshold.target=9.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// A change of side a, what the others are compared with; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    a: Vec<String>,
    /// A change of side b; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    b: Vec<String>,
    /// A change of side c; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    c: Vec<String>,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = args.games.of(args.table.study());
    let name = format!("{}-compare", table.game);
    let sides = [("a", &args.a), ("b", &args.b), ("c", &args.c)];
    let given = sides
        .into_iter()
        .filter(|(side, changes)| *side == "a" || !changes.is_empty());
    let study = Compare {
        study: Default::default(),
        table,
        sides: IndexMap::from_iter(
            given.map(|(side, changes)| (side.to_string(), changes.clone())),
        ),
    };
    play(
        &Study::Compare(study),
        &Library::here(),
        reports_out(&name),
        &args.output,
    )
}
