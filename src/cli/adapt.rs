//! `carat adapt`: a population that knows the rules.

use super::args::{PlayArgs, RulesArgs, parse_number, parse_seed};
use super::error::CliError;
use super::play::play_typed;
use crate::study::{Adapt, Head, Study, TableSpec};

/// Adapt a population of players to rules and a number of players
///
/// Searches the best response to a population of one family of bots, adds it, and repeats until
/// responses gain little. Writes adapted.toml, a bot that plays in every study like any other.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// Number of players [default: the game's own]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    /// A bot whose parameters have ranges [default: the game's own family]
    #[arg(long, value_name = "BOT")]
    family: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    play: PlayArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let study = Adapt {
        head: Head::default(),
        table: TableSpec {
            players: args.players,
            ..args.rules.table(&args.game)
        },
        family: args.family.clone(),
        seed: args.seed,
    };
    play_typed(&Study::Adapt(study), &args.play)
}
