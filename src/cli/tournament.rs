//! `carat tournament`: a field of bots that all meet each other.

use super::args::{PlayArgs, RulesArgs, RunArgs, parse_number};
use super::compare::Sides;
use super::error::CliError;
use super::hints::parse_bots;
use super::play::play_typed;
use super::tune::Bots;
use crate::study::{Head, Study, TableSpec, Tournament};

/// Play all line-ups of bots, and report who earns most and an equilibrium mix
///
/// A line-up may hold copies of a bot. Of very many line-ups a random sample is played. The rating
/// of a bot is its share of the wins when every other seat is drawn from all bots. The equilibrium
/// mix says how often to choose each bot, so that no bot gains by deviating. With sides, such as --b
/// rules.traps.snake=4, the same line-ups play the same games under several rules: do the ratings
/// change?
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// The bots, `BOT[:param=value,…]` each, with blanks between them; with commas where they have no values [default: all in `carat list`, except those that think and those made for other numbers of players, as solved-3 is for 3]
    #[arg(long, value_name = "BOT", num_args = 1.., value_parser = parse_bots)]
    bots: Vec<Bots>,
    /// Number of players at a table [default: the game's own]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    /// Most line-ups; where there are more, a random sample is played [default: 6500]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    line_ups: Option<usize>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    sides: Sides,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = TableSpec {
        players: args.players,
        ..args.rules.table(&args.game)
    };
    let bots = args.bots.iter().flat_map(|bots| &bots.0);
    let study = Tournament {
        head: Head::default(),
        table,
        run: args.run.spec(),
        bots: (!args.bots.is_empty()).then(|| bots.cloned().collect()),
        line_ups: args.line_ups,
        sides: args.sides.given(),
    };
    play_typed(&Study::Tournament(study), &args.play)
}
