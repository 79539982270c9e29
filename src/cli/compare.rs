//! `carat compare`: the same games under different rules or with different bots.

use super::args::{GamesArgs, PlayArgs, TableArgs};
use super::error::CliError;
use super::hints::parse_change;
use super::play::play_typed;
use crate::study::{Compare, Head, Study};
use indexmap::IndexMap;

/// Play the same games on sides that differ in rules or bots, and report the paired differences
///
/// Each side is the table with its changes. A change is PATH=VALUE: rules=EDITION, rules.traps.snake=4, players=6, seats.1=last-out,
/// seats.1.target=9 or all.threshold.target=9.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    sides: Sides,
    #[command(flatten)]
    each: EachArg,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// Steps instead of sides.
#[derive(clap::Args)]
pub struct EachArg {
    /// Change each number of the rules one step down and up, and rank all by their effect on the
    /// metric; PATHS selects the numbers, such as traps,treasures or seats.1
    #[arg(
        long,
        value_name = "PATHS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "rules"
    )]
    pub each: Option<String>,
}

/// The sides by their letters, each with its changes.
pub struct Sides(IndexMap<String, Vec<String>>);

/// The letters that sides have. Help shows the first three; the others are taken alike.
const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

impl Sides {
    /// The sides, side a as it is where nothing changes it; none when there is no other.
    pub fn given(&self) -> IndexMap<String, Vec<String>> {
        if self.0.values().all(Vec::is_empty) {
            IndexMap::new()
        } else {
            self.0.clone()
        }
    }
}

impl clap::Args for Sides {
    fn augment_args(command: clap::Command) -> clap::Command {
        let side = |letter: &'static str| {
            let help = match letter {
                "a" => "A change of side a, the baseline of the others; repeat for more",
                "b" => "A change of side b; repeat for more",
                _ => "A change of side c; further sides are --d to --z",
            };
            let arg = clap::Arg::new(letter).long(letter).help(help);
            arg.value_name("PATH=VALUE")
                .action(clap::ArgAction::Append)
                .value_parser(parse_change)
                .hide(letter > "c")
        };
        command.args(LETTERS.map(side))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Sides {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Sides, clap::Error> {
        let sides = LETTERS.into_iter().map(|letter| {
            let changes = matches.get_many(letter).into_iter().flatten();
            (letter.to_string(), changes.cloned().collect())
        });
        let given =
            sides.filter(|(name, changes): &(_, Vec<_>)| name == "a" || !changes.is_empty());
        Ok(Sides(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Sides::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    if args.sides.given().is_empty() && args.each.each.is_none() {
        return Err(CliError::Usage(
            "a comparison needs at least two sides: change one by --b rules.traps.snake=4, by --b \
             seats.1=depth, …; or change each number of the rules a step by --each"
                .to_string(),
        ));
    }
    let study = Compare {
        head: Head::default(),
        table: args.table.seated(args.games.seating),
        run: args.games.run.spec(),
        metric: args.games.metric.clone(),
        sides: args.sides.given(),
        each: args.each.each.clone(),
    };
    play_typed(&Study::Compare(study), &args.play)
}
