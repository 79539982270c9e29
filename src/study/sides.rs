//! The sides of a comparison: by name in a study file, by letter on the command line.

use super::error::{StudyError, refuse};
use super::path::Path;
use super::typed::{Example, parse_change};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};

/// The sides by name, each a list of `PATH=VALUE`; the first is the baseline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sides(pub IndexMap<String, Vec<String>>);

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sides, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a side is a list of changes, such as b = [\"rules.traps.snake=4\", \"seats.1=risk\"]"
        )]
        enum Side {
            Changes(Vec<String>),
        }
        let sides = IndexMap::<String, Side>::deserialize(from)?.into_iter();
        let sides = sides.map(|(name, Side::Changes(changes))| (name, changes));
        Ok(Sides(sides.collect()))
    }
}

/// Paths with their new values.
type Changes = Vec<(Path, String)>;

impl Sides {
    /// The changes of each side, by its name.
    pub fn changes(&self) -> Result<Vec<(&str, Changes)>, StudyError> {
        let read = |change: &String| match change.split_once('=') {
            Some((path, value)) => Ok((path.parse()?, value.to_string())),
            None => refuse!(
                "`{change}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9"
            ),
        };
        let mut sides = Vec::new();
        for (name, written) in &self.0 {
            let changes = written.iter().map(read).collect::<Result<_, StudyError>>();
            let changes = changes.map_err(|why| format!("side {name}: {why}"))?;
            sides.push((name.as_str(), changes));
        }
        Ok(sides)
    }
}

/// The letters of sides. Help shows the first three.
const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

const HELP: &str = "Sides that play the same games, each a list of changes PATH=VALUE (see `carat \
                    show paths`). The first is the baseline of the others";
const EXAMPLE: &str = "{ a = [], b = [\"rules.traps.snake=4\"] }";

impl Args for Sides {
    fn augment_args(command: Command) -> Command {
        let side = |letter: &'static str| {
            let help = match letter {
                "a" => "A change to side a, the baseline for the others; repeat for more",
                "b" => "A change to side b; repeat for more",
                _ => "A change to side c; further sides are d to z",
            };
            Arg::new(letter)
                .long(letter)
                .help(help)
                .value_name("PATH=VALUE")
                .action(ArgAction::Append)
                .value_parser(parse_change)
                .hide(letter > "c")
        };
        let by_letter = |_: &str| Err::<String, _>("name sides by letters: a, b, c, …");
        let all = Arg::new("sides").hide(true).long("sides").help(HELP);
        let all = all.value_parser(by_letter).add(Example::given(EXAMPLE));
        command.args(LETTERS.map(side)).arg(all)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Sides {
    /// The sides of the command line. Side a is the unchanged table by default; a lone side a is no
    /// comparison, so the list is empty.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Sides, clap::Error> {
        let mut sides = IndexMap::new();
        for letter in LETTERS {
            let changes = matches.get_many::<String>(letter).into_iter().flatten();
            let changes: Vec<String> = changes.cloned().collect();
            if letter == "a" || !changes.is_empty() {
                sides.insert(letter.to_string(), changes);
            }
        }
        if sides.values().all(Vec::is_empty) {
            sides.clear();
        }
        Ok(Sides(sides))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Sides::from_arg_matches(matches)?;
        Ok(())
    }
}
