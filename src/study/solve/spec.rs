//! The keys of `solve`.

use crate::learning::Objective;
use crate::strategy::Grid;
use crate::study::run::Spec;
use crate::study::typed::{self, Example, one_of, parse_positive, parse_toml};
use serde::{Deserialize, Serialize};

const AGAINST: &str =
    "An opponent to train against, `[copies*]BOT[:param=value,…]`; repeat for more";
const GAMES: &str =
    "Number of training games [default: 100M, in Diamond Cave 2.56M, in Diamond Miner 256k]";

/// Train a bot, and measure by how much it can be beaten
///
/// Without --against, carat trains all seats by self-play, then trains attackers against the result
/// and reports the gain of the strongest. With --against, it trains one seat to play its best
/// against these bots. Writes solved.toml, a bot that any study can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
#[command(mut_arg("seats", |seats| seats.long("against").help(AGAINST)))]
#[command(mut_args(typed::without("solve")))]
#[command(mut_arg("games", |arg| arg.help(GAMES).add(Example::of("\"200k\""))))]
pub struct Solve {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that training maximizes: win_share or score_mean
    #[arg(long, value_name = "OBJECTIVE", default_value = "win_share", value_parser = one_of::<Objective>(&["win_share", "score_mean"]), add = Example::of("\"win_share\""))]
    pub objective: Option<Objective>,
    /// Training time in minutes, instead of a number of games. In Diamant this includes the
    /// attacks, which take about four fifths; in the other games, measuring the result takes extra
    /// time. The manifest records the number of games
    #[arg(long, value_name = "M", conflicts_with = "games", allow_negative_numbers = true, value_parser = parse_positive, add = Example::of("5"))]
    pub minutes: Option<f64>,
    /// A trained bot to start from, or `nothing` [default: the included bot for this number of
    /// players, if it has the same axes]
    #[arg(long, value_name = "BOT", add = Example::of("\"nothing\""))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Stop training once a quick attack gains at most this win share; 0.01 is one percentage point
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true, value_parser = parse_positive, add = Example::of("0.01"))]
    pub until: Option<f64>,
    /// The axes of the policy, in the form of a study file
    #[arg(long, value_name = "AXES", hide = true, value_parser = parse_toml::<Grid>, add = Example::of("[{ name = \"policy\", axes = [{ of = \"traps_seen\", edges = [1, 2] }] }]"))]
    pub axes: Option<Grid>,
}
