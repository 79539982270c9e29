//! `carat sweep`: one table over a grid of values.

use super::args::{GamesArgs, PlayArgs, TableArgs, reports_out};
use super::compare::EachArg;
use super::error::CliError;
use super::play::play;
use crate::study::library::Library;
use crate::study::{Axis, Compare, Head, Study, Sweep};
use indexmap::IndexMap;

/// Play one table over a grid of values, and report what is best and how flat the optimum is
///
/// A path names what varies: rules, rules.traps.snake, players, seats.1, seats.1.target or
/// all.threshold.target. Its values are 4..30, "0..1 step 0.05" or a list such as 3,5,8. Two or more paths make a grid.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// What varies, and its values; repeat for more axes
    #[arg(long = "vary", value_name = "PATH=VALUES", value_parser = parse_axis, required_unless_present = "each", conflicts_with = "each")]
    vary: Vec<(String, Axis)>,
    #[command(flatten)]
    each: EachArg,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// A path and its values.
pub fn parse_axis(text: &str) -> Result<(String, Axis), String> {
    match text.split_once('=') {
        Some((path, values)) => Ok((
            path.trim().to_string(),
            Axis::Text(values.trim().to_string()),
        )),
        None => Err("write PATH=VALUES, such as seats.1.target=4..30".to_string()),
    }
}

/// The axes, each path once.
pub fn axes(given: &[(String, Axis)]) -> Result<IndexMap<String, Axis>, CliError> {
    once("vary", given, "put all its values in one list")
}

/// What an option gives by name, each name once; else what to do is said.
pub fn once<T: Clone>(
    option: &str,
    given: &[(String, T)],
    remedy: &str,
) -> Result<IndexMap<String, T>, CliError> {
    let mut named = IndexMap::new();
    for (name, value) in given.iter().cloned() {
        if named.insert(name.clone(), value).is_some() {
            let why = format!("--{option} {name}: given twice; {remedy}");
            return Err(CliError::Usage(why));
        }
    }
    Ok(named)
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let head = Head::default();
    let table = args.table.seated(args.games.seating);
    let run = args.games.run.spec();
    let metric = args.games.metric.clone();
    let name = format!("{}-sweep", table.game);
    let study = match args.each.each.clone() {
        // Steps are sides of a comparison: each differs from the table as it is.
        Some(each) => Study::Compare(Compare {
            head,
            table,
            run,
            metric,
            sides: IndexMap::new(),
            each: Some(each),
        }),
        None => Study::Sweep(Sweep {
            head,
            table,
            run,
            metric,
            vary: axes(&args.vary)?,
        }),
    };
    play(&study, &Library::here(), reports_out(&name), &args.play)
}
