//! `carat solve`: play that is learnt.

use super::args::{PlayArgs, RulesArgs, parse_number, parse_seed};
use super::error::CliError;
use super::play::play_typed;
use crate::learning::Objective;
use crate::strategy::SeatSpec;
use crate::study::{Head, Solve, Study, TableSpec, parse_count};

/// Learn how to play, and measure how far that can be beaten
///
/// Without bots, all seats learn against each other. Then one seat learns to beat the result; the
/// gain of the strongest such attack is reported. With bots, one seat learns the best response.
/// Writes solved.toml, a bot that plays in every study like any other.
#[derive(clap::Args)]
pub struct Args {
    /// The game: diamant, diamond_cave or diamond_miner
    #[arg(value_name = "GAME")]
    game: String,
    /// A bot to learn against, `[copies*]BOT[:param=value,…]`; repeat for more
    #[arg(long = "against", value_name = "BOT")]
    against: Vec<SeatSpec>,
    /// Number of players [default: the game's own, or one more than the bots]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    /// What the learners maximize: win_share or score_mean
    #[arg(long, value_name = "METRIC", default_value = "win_share", value_parser = parse_objective)]
    objective: Objective,
    /// Games to learn from [default: 100M, in Diamond Cave 32,000, in Diamond Miner 8,000]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Instead of --games. In Diamant all takes about M minutes: a good fifth to learn, the rest to
    /// attack what was learnt and to fit a card. In the other games it learns for M minutes, and
    /// what tells how good that is comes on top. The manifest then holds the number of games
    #[arg(long, value_name = "M", conflicts_with = "games", allow_negative_numbers = true, value_parser = parse_positive)]
    minutes: Option<f64>,
    /// Stop once a quick attack gains no more than this, such as 0.01 for a percentage point
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true, value_parser = parse_positive)]
    until: Option<f64>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    play: PlayArgs,
}

fn parse_objective(text: &str) -> Result<Objective, String> {
    match text {
        "win_share" => Ok(Objective::WinShare),
        "score_mean" => Ok(Objective::ScoreMean),
        _ => Err("write win_share or score_mean".to_string()),
    }
}

fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("write a number above 0".to_string()),
    }
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let study = Solve {
        head: Head::default(),
        table: TableSpec {
            players: args.players,
            seats: args.against.clone(),
            ..args.rules.table(&args.game)
        },
        games: args.games,
        seed: args.seed,
        objective: Some(args.objective),
        minutes: args.minutes,
        until: args.until,
        axes: None,
    };
    play_typed(&Study::Solve(study), &args.play)
}
