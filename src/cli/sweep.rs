//! `carat sweep`: one table over a grid of values.

use super::args::{PlayArgs, reports_out};
use super::error::CliError;
use super::play::play;
use carat_core::library::Library;
use carat_studies::study::{Compare, Sides, Study, Sweep};

#[derive(clap::Args)]
#[command(mut_arg("vary", |vary| vary.required(false).required_unless_present("each")))]
pub struct Args {
    #[command(flatten)]
    sweep: Sweep,
    /// Instead of a grid, change each number one step down and one step up, as `carat compare
    /// --each` does
    #[arg(long, value_name = "PATHS", num_args = 0..=1, require_equals = true, default_missing_value = "rules", conflicts_with = "vary")]
    each: Option<String>,
    /// With --each, play at a table of skilled players who adapt to each change of the rules
    #[arg(long, requires = "each")]
    adapt: bool,
    #[command(flatten)]
    play: PlayArgs,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let sweep = args.sweep.clone();
    let name = format!("{}-sweep", sweep.table.game);
    let study: Study = match args.each.clone() {
        None => sweep.into(),
        Some(_) if sweep.metric.len() > 1 => {
            return Err(CliError::Usage(
                "--metric: with --each give one".to_string(),
            ));
        }
        // Steps are sides of a comparison: each differs from the table as it is.
        each => Compare {
            spec: sweep.spec,
            metric: sweep.metric.into_iter().next(),
            decide: None,
            sides: Sides::default(),
            each,
            tables: Vec::new(),
            adapt: args.adapt,
        }
        .into(),
    };
    play(&study, Library::here(), reports_out(&name), &args.play)
}
