//! Values typed on a command line, and the attributes of keys. One declaration makes a key's
//! option, its help, and its lines in the template of a study file.

use super::axis::Axis;
use super::error::{StudyError, refuse};
use carat_core::as_text;
use carat_core::game::Seating;
use carat_core::library::{SourceText, read_text};
use carat_core::strategy::{EXEC, SeatError, SeatSpec, join_bots};
use clap::Arg;
use clap::builder::{ArgExt, PossibleValuesParser, TypedValueParser};
use indexmap::IndexMap;
use serde::de::{DeserializeOwned, IntoDeserializer, value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
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

/// The half-width of an interval. The study checks the minimum.
pub fn parse_precision(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "write a number above 0, such as 0.001".to_string())
}

pub fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("write a number above 0".to_string()),
    }
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
    pair(text, "write NAME=FORMULA, such as long='cards > 40'")
}

/// Bots with commas or line breaks in between; the command of a program ends with its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Bots(pub Vec<SeatSpec>);

impl std::str::FromStr for Bots {
    type Err = String;

    fn from_str(text: &str) -> Result<Bots, String> {
        let mut bots = Vec::new();
        for line in text.split('\n') {
            let (others, command) = match line.find(EXEC) {
                Some(at) => line.split_at(line[..at].rfind(',').unwrap_or(0)),
                None => (line, ""),
            };
            if command.is_empty() || !others.is_empty() {
                bots.extend(join_bots(others.split(',')));
            }
            if !command.is_empty() {
                bots.push(command.trim_start_matches(',').to_string());
            }
        }
        let bots: Result<_, SeatError> = bots.iter().map(|bot| SeatSpec::parse(bot)).collect();
        bots.map(Bots).map_err(|error| error.to_string())
    }
}

as_text!(Bots);

impl std::fmt::Display for Bots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bots: Vec<String> = self.0.iter().map(SeatSpec::to_string).collect();
        let has_command = bots.iter().any(|bot| bot.contains(EXEC));
        f.write_str(&bots.join(if has_command { "\n" } else { "," }))
    }
}

impl Bots {
    /// The default bot of seats that are not given.
    pub fn people() -> Bots {
        Bots(vec![super::table::people()])
    }

    /// The bots one by one, copies too.
    pub fn each(&self) -> Vec<SeatSpec> {
        self.0.iter().flat_map(SeatSpec::each).collect()
    }
}

/// Serializes values by name as a map.
pub mod pairs {
    use super::{Deserialize, Deserializer, IndexMap, Serialize, Serializer};

    pub fn serialize<V: Serialize, S: Serializer>(
        pairs: &[(String, V)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
    }

    pub fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(String, V)>, D::Error> {
        let pairs: IndexMap<String, V> = IndexMap::deserialize(from)?;
        Ok(pairs.into_iter().collect())
    }
}

pub fn check_once<V>(key: &str, pairs: &[(String, V)]) -> Result<(), StudyError> {
    let mut names = HashSet::new();
    if let Some((name, _)) = pairs.iter().find(|(name, _)| !names.insert(name)) {
        refuse!("{key}: `{name}` is given twice; give it once, with all its values");
    }
    Ok(())
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
