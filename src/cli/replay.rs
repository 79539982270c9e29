//! `carat replay`: one game in words.

use super::error::{CliError, usage};
use super::terminal::{hanging, reply, warn};
use carat_core::catalog::those;
use carat_core::game::Table;
use carat_core::game::story::StoryStyle;
use carat_core::library::{Library, read_text};
use carat_core::simulation::{NotKept, TableFailed};
use carat_core::strategy::{Seat, bots_with_seats};
use carat_core::streams;
use carat_studies::study::TableSpec;
use carat_studies::study::options::parse_seed;
use carat_studies::study::recorded::{Recorded, with_rules};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Play one game and print its story
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableSpec,
    /// Print the story of this recorded game instead: a file saved by `carat play` or printed by
    /// --record
    #[arg(value_name = "RECORD", conflicts_with_all = ["seed", "number", "seating"])]
    from: Option<PathBuf>,
    /// Seed of the random numbers
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = parse_seed,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Number of the game, from 0
    #[arg(
        long = "game",
        id = "number",
        value_name = "N",
        default_value_t = 0,
        value_parser = parse_seed,
        allow_negative_numbers = true
    )]
    number: u64,
    /// For each decision, print the features that the bot's formula uses, and its result
    #[arg(long)]
    why: bool,
    /// Print the game as a record for `carat analyse` and `carat replay`: the cards, and which
    /// players left (Diamant only)
    #[arg(long, conflicts_with_all = ["why", "short"])]
    record: bool,
    /// Omit the boards
    #[arg(long)]
    short: bool,
    /// Print JSON (see `carat show json`)
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let mut study = args.table.clone();
    let recorded = match &args.from {
        None => None,
        Some(file) => {
            let name = file.display().to_string();
            let recorded = Recorded::read(&name, &read_text(file)?)?;
            recorded.seat(&name, &mut study)?;
            Some((recorded, name))
        }
    };
    let resolved = study.resolve(&Library::here())?;
    warn(&resolved.warnings);
    warn(&resolved.rules.older);
    if args.record {
        let record = match &recorded {
            None => resolved.table.written(args.seed, args.number),
            Some((Recorded::Kept(kept), _)) => kept.written(resolved.table.as_ref()),
            Some((Recorded::Written(text), _)) => Some(text.clone()),
        };
        check(resolved.table.as_ref())?;
        let Some(record) = record else {
            usage!(
                "--record: games of {} have no written notation; use it with {}",
                resolved.game.title,
                those(|game| game.advice.is_some(), |game| game.name)
            );
        };
        let record = with_rules(&record, &resolved.spec, resolved.game.editions[0].name);
        return reply(args.json, "record", &record, &record);
    }
    let style = StoryStyle {
        plain: args.json || !std::io::stdout().is_terminal(),
        short: args.short,
        why: args.why,
        seat: None,
    };
    let changed = match resolved.spec.set.as_slice() {
        [] => String::new(),
        sets => format!("With {}:\n", sets.join(", ")),
    };
    let story = match &recorded {
        None => {
            let story = resolved.table.replay(args.seed, args.number, style);
            drawn(&resolved.seats, (args.seed, args.number)) + &story
        }
        Some((recorded, name)) => {
            let title = format!("{}, a recorded game", resolved.game.title);
            recorded.course(&resolved, (&title, name), style)?.story()
        }
    };
    check(resolved.table.as_ref())?;
    let story = changed + &story;
    reply(args.json, "story", &story, &hanging(&story))
}

/// Whether the table could be resolved.
fn check(table: &dyn Table) -> Result<(), NotKept> {
    let failed = table.failure();
    failed.map_or(Ok(()), |why| Err(NotKept(TableFailed(why).into())))
}

/// A line for each mix at the table: the bot drawn in game `luck.1` of seed `luck.0`.
fn drawn(seats: &[Seat], luck: (u64, u64)) -> String {
    let key = streams::game_key(luck.0, luck.1);
    let mut lines = String::new();
    for (place, (seat, name)) in seats.iter().zip(bots_with_seats(seats)).enumerate() {
        if let Some(spec) = seat.drawn(key, place) {
            lines += &format!("In this game, {name} plays as {spec}.\n");
        }
    }
    lines
}
