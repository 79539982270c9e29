//! The title of a study, and its number of games, precision and seed.

use super::error::{StudyError, refuse};
#[cfg(feature = "clap")]
use super::options::{Example, parse_precision, parse_search, parse_seed};
use super::table::TableSpec;
use super::typed::{parse_count, searchable};
use carat_core::game::Game;
use carat_core::simulation::{Games, Goal};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Spec {
    #[cfg_attr(feature = "clap", command(flatten))]
    pub head: Head,
    #[cfg_attr(feature = "clap", command(flatten))]
    pub table: TableSpec,
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunSpec,
}

impl Spec {
    pub fn of(table: TableSpec) -> Spec {
        Spec {
            table,
            ..Spec::default()
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Title of the charts and of the results page [default: the study's question]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", add = Example::of("\"Should I leave earlier?\"")))]
    pub title: Option<String>,
    /// The purpose of the study, in Markdown, for the results page
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", add = Example::of("\"Before the next evening\"")))]
    pub description: Option<String>,
}

/// The number of games at each table, or their precision, and the seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// Number of games at each table, such as 250000, 250k, 4M or 1e9; in a tournament, of each
    /// line-up [default: depends on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true, add = Example::of("\"100k\"")))]
    #[serde(default, deserialize_with = "count")]
    pub games: Option<u64>,
    /// Play until the widest interval of the metric is at most ±W, instead of a fixed number of
    /// games; for win shares, 0.001 is a tenth of a percentage point
    #[cfg_attr(feature = "clap", arg(long, value_name = "W", value_parser = parse_precision, allow_negative_numbers = true, add = Example::of("0.001")))]
    pub precision: Option<f64>,
    /// Maximum number of games at each table with --precision or --expect, not counting games that
    /// adapt populations [default: 1G with --precision, 16 times the default number of games with
    /// --expect]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true, add = Example::of("\"1G\"")))]
    #[serde(default, deserialize_with = "count")]
    pub max_games: Option<u64>,
    /// Seed of the random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true, add = Example::of("1")))]
    #[serde(
        default = "first_seed",
        deserialize_with = "seed",
        serialize_with = "written_seed"
    )]
    pub seed: u64,
    /// Play until it is clear whether a metric lies in a range, with at most 5 % error for all
    /// ranges together: cards_per_game=31..37, or win_share@1=0.2.. for seat 1. Add `at` to limit
    /// it to a side, table or cell: "bust_rate=..0.6 at players=4". The exit code is 8 if a range
    /// is missed and 9 if one is undecided after --max-games. With --games, exactly that many games
    /// decide; repeat for more
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC=RANGE", add = Example::of("[\"cards_per_game=31..37\"]")))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<String>,
    /// Number of populations, up to 100, that take turns at a table with `adapted` bots; margins of
    /// error allow for their differences (see `carat help methods`) [default: 5]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_populations, allow_negative_numbers = true, add = Example::of("5")))]
    #[serde(
        default,
        deserialize_with = "populations",
        skip_serializing_if = "Option::is_none"
    )]
    pub populations: Option<usize>,
    /// Number of games for adapting each population, as with `carat adapt --games` [default:
    /// depends on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_search, allow_hyphen_values = true, add = Example::of("\"1M\"")))]
    #[serde(
        default,
        deserialize_with = "search_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub population_games: Option<u64>,
}

impl Default for RunSpec {
    fn default() -> RunSpec {
        RunSpec {
            games: None,
            precision: None,
            max_games: None,
            seed: first_seed(),
            expect: Vec::new(),
            populations: None,
            population_games: None,
        }
    }
}

/// Default limit of games with a precision.
const GAMES_MAX: u64 = 1_000_000_000;
/// Most games for judging expectations, in default numbers of games.
const JUDGING: u64 = 16;
/// Populations by default, and most of them.
pub const POPULATIONS: usize = 5;
const POPULATIONS_MAX: usize = 100;

impl Head {
    /// A line with the title before it.
    pub fn over(&self, line: String) -> String {
        match &self.title {
            Some(title) => format!("{title} · {line}"),
            None => line,
        }
    }
}

impl RunSpec {
    /// Checks the number of games, and fills in the default.
    pub fn fill_goal(&mut self, default: u64) -> Result<Goal, StudyError> {
        match (self.precision, self.games) {
            (None, _) if self.max_games.is_some() => {
                refuse!("max_games works only with precision or expect, and not beside games")
            }
            (None, games) => Ok(Goal::Games(*self.games.insert(games.unwrap_or(default)))),
            (Some(_), Some(_)) => refuse!(
                "games and precision: give only one; max_games limits the games of a precision"
            ),
            (Some(precision), None) => {
                let half_width = checked_precision(precision)?;
                let most = self.most();
                self.max_games = Some(most);
                Ok(Goal::Precision { half_width, most })
            }
        }
    }

    /// The goal where something is expected: given games, or all it takes to judge.
    pub fn fill_judging(&mut self, default: u64) -> Result<Goal, StudyError> {
        if self.precision.is_some() {
            refuse!("expect and precision: give only one; the games end once all is judged");
        }
        if self.games.is_some() {
            return self.fill_goal(default);
        }
        let most = self.max_games.unwrap_or(JUDGING * default);
        self.max_games = Some(most);
        Ok(Goal::Decide { margin: None, most })
    }

    /// The number of games of a search for a rule or a population of this game.
    pub fn search_games(&self, game: &Game) -> Result<u64, StudyError> {
        let games = self.games.unwrap_or(game.games);
        match searchable(games) {
            Ok(games) => Ok(games),
            Err(why) => refuse!("games = {games}: {why}"),
        }
    }

    /// With a precision, the most games at each table.
    pub fn most(&self) -> u64 {
        self.max_games.unwrap_or(GAMES_MAX)
    }

    /// Games of this study's luck, in chunks of this size.
    pub fn dealt(&self, chunk: u64) -> Games {
        let seed = self.seed;
        Games { seed, chunk }
    }

    /// Sets the number of games to those played, which repeats the same results.
    pub fn fix_games(&mut self, games: u64) {
        self.games = Some(games);
        self.precision = None;
        self.max_games = None;
    }
}

pub fn checked_precision(precision: f64) -> Result<f64, StudyError> {
    if precision > 0.0 && precision.is_finite() {
        return Ok(precision);
    }
    refuse!("precision = {precision}: write the half-width of an interval, above 0")
}

pub fn first_seed() -> u64 {
    1
}

fn search_count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let games = count(from)?.map(searchable).transpose();
    games.map_err(serde::de::Error::custom)
}

fn parse_populations(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number| (1..=POPULATIONS_MAX).contains(number));
    number.ok_or_else(|| format!("write a whole number from 1 to {POPULATIONS_MAX}"))
}

/// The number of populations in a study file.
fn populations<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(from)?.to_string();
    let number = parse_populations(&number).map_err(serde::de::Error::custom)?;
    Ok(Some(number))
}

/// A whole number, or a string such as "4M".
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "write a whole number, such as 250000 or \"4M\"")]
    enum Count {
        Number(i64),
        Text(String),
    }
    let text = match Count::deserialize(deserializer)? {
        Count::Number(number) => number.to_string(),
        Count::Text(text) => text,
    };
    let count = parse_count(&text).map_err(serde::de::Error::custom)?;
    Ok(Some(count))
}

/// Largest seed written as a number: readers of JSON such as jq round larger ones.
const SEED_NUMBER_MAX: u64 = 1 << 53;

/// A seed: a whole number, or text if it is larger.
pub fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "write a whole number from 0 to 18446744073709551615"
    )]
    enum Seed {
        Number(u64),
        Text(String),
    }
    match Seed::deserialize(deserializer)? {
        Seed::Number(seed) => Ok(seed),
        Seed::Text(text) => text.parse().map_err(|_| {
            let why = format!("`{text}`: write a whole number from 0 to {}", u64::MAX);
            serde::de::Error::custom(why)
        }),
    }
}

fn written_seed<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
    if *seed <= SEED_NUMBER_MAX {
        seed.serialize(to)
    } else {
        seed.to_string().serialize(to)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/run.rs"]
mod tests;
