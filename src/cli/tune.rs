//! `carat tune`: the values with which a table does best, or meets targets.

use super::args::{LuckArgs, PlayArgs, TableArgs, parse_precision};
use super::error::CliError;
use super::play::play_typed;
use super::sweep::{axes, once, parse_axis};
use crate::strategy::SeatSpec;
use crate::study::{Axis, Head, Study, Tune, parse_count};

/// Find the values of bots and rules with which a table does best, or meets targets
///
/// Candidates play the same games. Those that are clearly worse drop out, and the others propose new
/// ones, until no single step from the best is better. Fresh games then give the figures reported.
///
/// A path names what varies: rules.traps.snake, seats.1.target or all.threshold.target. Its values are 4..30, "0..1
/// step 0.05" or a list such as 3,5,8. Any number of them may vary.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// What varies, and its values; repeat for more
    #[arg(long = "vary", value_name = "PATH=VALUES", value_parser = parse_axis, required = true)]
    vary: Vec<(String, Axis)>,
    /// The metric to maximize: win_share@1 (of seat 1), score_mean@1, cards_per_game, …
    #[arg(long, value_name = "METRIC", conflicts_with = "minimize")]
    maximize: Option<String>,
    /// The metric to minimize
    #[arg(long, value_name = "METRIC")]
    minimize: Option<String>,
    /// A range in which a metric should lie: cards_per_game=31..32, comeback_rate=start.. (at least
    /// what it is now), win_share=start-0.03..start+0.03 (of every seat); repeat for more
    #[arg(long = "target", value_name = "METRIC=LOW..HIGH", value_parser = parse_target)]
    targets: Vec<(String, String)>,
    /// The other seats' bots, separated by commas (or semicolons); repeat for several line-ups,
    /// over which the mean is taken
    #[arg(long = "field", value_name = "BOT,…", value_parser = parse_field)]
    fields: Vec<Bots>,
    /// Most games, all tables together [default: 100 times those of a simulation]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    max_games: Option<u64>,
    /// Measure differences to within ±W, and no better [default: 0.002 for shares, 0.5 % of the
    /// value for other metrics]
    #[arg(long, value_name = "W", value_parser = parse_precision, allow_negative_numbers = true)]
    precision: Option<f64>,
    #[command(flatten)]
    luck: LuckArgs,
    #[command(flatten)]
    play: PlayArgs,
}

const EXAMPLES: &str = "\
Examples:
  When should I leave, against these four?
    carat tune diamant --seat threshold --field depth,traps,risk,random \\
      --vary seats.1.target=4..30 --maximize win_share@1

  A mix by which games are shorter, and still open at the end
    carat tune diamant --vary rules.traps.snake=2..6 --vary rules.traps.spider=2..6 \\
      --target cards_per_game=31..32 --target comeback_rate=start..";

/// Bots of a field.
#[derive(Clone)]
pub struct Bots(pub Vec<SeatSpec>);

/// A metric and its range, which is read when the study is looked up.
fn parse_target(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((metric, range)) => Ok((metric.trim().to_string(), range.trim().to_string())),
        None => Err("write METRIC=LOW..HIGH, such as cards_per_game=31..32".to_string()),
    }
}

/// Bots with commas in between; with semicolons where bots have commas of their own.
fn parse_field(text: &str) -> Result<Bots, String> {
    let separator = if text.contains(';') { ';' } else { ',' };
    let bots = text
        .split(separator)
        .map(|bot| bot.trim().parse::<SeatSpec>());
    let bots: Result<Vec<SeatSpec>, _> = bots.collect();
    bots.map(Bots).map_err(|error| error.to_string())
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let study = Tune {
        maximize: args.maximize.clone(),
        minimize: args.minimize.clone(),
        fields: args.fields.iter().map(|field| field.0.clone()).collect(),
        head: Head::default(),
        table: args.table.seated(args.luck.seating),
        precision: args.precision,
        max_games: args.max_games,
        seed: args.luck.seed,
        vary: axes(&args.vary)?,
        targets: once("target", &args.targets, "one range is enough")?,
    };
    play_typed(&Study::Tune(study), &args.play)
}
