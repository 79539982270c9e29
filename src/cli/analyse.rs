//! `carat analyse`: what decisions were worth.

use super::args::{LuckArgs, PlayArgs, TableArgs, parse_number, parse_seed, reports_out};
use super::error::CliError;
use super::play::play;
use crate::strategy::SeatSpec;
use crate::study::library::{Library, read_text};
use crate::study::{Analyse, Study, parse_count};
use std::path::PathBuf;

/// Analyse games: what was each option of each decision worth, and what was luck?
///
/// Plays games as `replay` does. From every decision it plays many games on to the end (playouts),
/// each option with the same fresh luck. What the deciding player cannot know is drawn anew. Of ten
/// games and more it tells how much luck is in the game at this table.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Files with records of games: what `carat play` keeps, or what `carat replay --record` prints.
    /// Several are an evening, which is told by person. Without any the bots play
    #[arg(value_name = "RECORD", conflicts_with_all = ["number", "games"])]
    records: Vec<PathBuf>,
    /// Number of the first game, from 0
    #[arg(long = "game", id = "number", value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true)]
    first: u64,
    /// Number of games [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Judge and tell of this seat alone, from 1
    #[arg(long, alias = "seat-number", value_name = "SEAT", value_parser = parse_number, allow_negative_numbers = true)]
    me: Option<usize>,
    /// The bot that plays for everyone in playouts, instead of their own
    #[arg(long = "as", value_name = "BOT")]
    as_bot: Option<SeatSpec>,
    /// Most playouts of an option; those that are clearly worse get fewer [default: 20000 in
    /// Diamant, 2000 in Diamond Cave, 1000 in Diamond Miner]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    playouts: Option<u64>,
    #[command(flatten)]
    luck: LuckArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = args.table.seated(args.luck.seating);
    let name = format!("{}-analyse", table.game);
    let record = args.records.iter().map(|file| read_text(file));
    let record = record.collect::<Result<_, _>>()?;
    let study = Analyse {
        games: args.games,
        seed: args.luck.seed,
        first: args.first,
        record,
        seat: args.me,
        as_bot: args.as_bot.clone(),
        playouts: args.playouts,
        ..Analyse::of(table)
    };
    play(
        &Study::Analyse(study),
        &Library::here(),
        reports_out(&name),
        &args.play,
    )
}
