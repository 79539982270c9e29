//! The options of the command line: how typed values are read, and the attributes of keys. One
//! declaration makes a key's option, its help, and its lines in the template of a study file.

use super::axis::Axis;
use super::sides::Sides;
use super::typed::{parse_count, searchable};
use carat_core::game::{PLAYING_MINUTES, Seating};
use carat_core::library::{SourceText, read_text};
use clap::builder::{ArgExt, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IntoDeserializer, value};
use std::path::Path;

/// An example value of a key, in TOML.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    pub value: &'static str,
    /// Whether the template sets the key, or only shows it in a comment.
    pub given: bool,
}

impl ArgExt for Example {}

impl Example {
    pub fn of(value: &'static str) -> Example {
        let given = false;
        Example { value, given }
    }

    pub fn given(value: &'static str) -> Example {
        let given = true;
        Example { value, given }
    }
}

pub const SEARCH_GAMES_HELP: &str = "Size of the search, in games; each part of the search plays a fixed fraction \
     of it. Smaller is faster, with wider margins of error [default: depends on the game]";

/// A number of players, a seat, or a number of line-ups. The game checks the maximum.
pub fn parse_number(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "write a whole number, at least 1".to_string())
}

/// A seed, or the number of a game.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// A number of games of a search.
pub fn parse_search(text: &str) -> Result<u64, String> {
    searchable(parse_count(text)?)
}

/// The half-width of an interval. The study checks the minimum.
pub fn parse_precision(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "write a number above 0, such as 0.001".to_string())
}

/// One of a few words, as in a study file.
pub fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| {
        let word: value::StrDeserializer<value::Error> = word.as_str().into_deserializer();
        T::deserialize(word)
    })
}

/// One change, such as `traps.snake=4`. Refuses two in one argument, which would parse as one
/// value.
pub fn parse_change(text: &str) -> Result<String, String> {
    let plain = !text.contains([':', '[', '{', '"', '\'']);
    let are_numbers = |text: &str| text.split(',').all(|v| v.trim().parse::<f64>().is_ok());
    match (text.split_once(','), text.split_once('=')) {
        (Some((one, other)), _) if plain && other.contains('=') => Err(format!(
            "write one change, {one}, and repeat the option for {other}"
        )),
        (Some(_), Some((path, values))) if plain && are_numbers(values) => {
            Err(format!("write a list in brackets: {path}=[{values}]"))
        }
        _ => Ok(text.to_string()),
    }
}

/// A name and a value with `=` in between; an error is what is `wanted`.
fn pair(text: &str, wanted: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or(wanted)?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// A path and its values, which are parsed when the study is resolved.
pub fn parse_axis(text: &str) -> Result<(String, Axis), String> {
    let (path, values) = pair(text, "write PATH=VALUES, such as seats.1.target=4..30")?;
    // An inline table of lists is changes with names, and any other a value.
    if values.starts_with('{') && !path.contains('.') {
        let read = format!("it = {values}").parse::<toml::Table>();
        let read = read.map_err(|why| why.message().to_string())?.remove("it");
        let has_lists = |table: &toml::Table| table.values().any(toml::Value::is_array);
        if let Some(toml::Value::Table(table)) = read.filter(|read| {
            read.as_table()
                .is_some_and(|of| of.is_empty() || has_lists(of))
        }) {
            let named = table.try_into().map_err(|why| why.message().to_string())?;
            return Ok((path, Axis::Named(named)));
        }
    }
    Ok((path, Axis::Text(values)))
}

/// A metric and its range, which is parsed when the study is resolved.
pub fn parse_target(text: &str) -> Result<(String, String), String> {
    pair(
        text,
        "write METRIC=LOW..HIGH, such as cards_per_game=31..32",
    )
}

/// The name of a measure and its formula, which is parsed when the table is seated.
pub fn parse_measure(text: &str) -> Result<(String, String), String> {
    if text == PLAYING_MINUTES {
        return Ok((text.to_string(), String::new()));
    }
    pair(text, "write NAME=FORMULA, such as long='cards > 40'")
}

/// Reads a file; keeps its name with the text.
pub fn parse_file(file: &str) -> Result<SourceText, String> {
    let text = read_text(Path::new(file)).map_err(|error| error.to_string())?;
    Ok(SourceText::new(file, text))
}

pub fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Value<T> {
        value: T,
    }
    match toml::from_str(&format!("value = {text}")) {
        Ok(Value { value }) => Ok(value),
        Err(error) => Err(error.to_string()),
    }
}

/// Hides the options of `unused` keys, separated by spaces.
pub fn without(unused: &str) -> impl FnMut(Arg) -> Arg + use<'_> {
    move |arg| match arg.get_id().as_str() {
        key if !unused.split(' ').any(|unused| unused == key) => arg,
        // It has a default value.
        "seating" => (arg.hide(true)).value_parser(one_of::<Seating>(&["every-order"])),
        _ => (arg.hide(true))
            .value_parser(|_: &str| Err::<String, _>("this command has no such option")),
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
