//! Values of keys that several parts of a study share.

use super::error::{StudyError, refuse};
use carat_core::as_text;
use carat_core::numbers;
use carat_core::strategy::{EXEC, SeatError, SeatSpec, join_bots};
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Fewest and most games of a search for a rule or a population: the numbers of its games are
/// apart.
const SEARCH_GAMES: RangeInclusive<u64> = 1_000..=10_000_000_000;

/// A number of games that a search can take.
pub fn searchable(games: u64) -> Result<u64, String> {
    let [least, most] = [SEARCH_GAMES.start(), SEARCH_GAMES.end()].map(|&end| numbers::count(end));
    if !SEARCH_GAMES.contains(&games) {
        return Err(format!("a search takes from {least} to {most} games"));
    }
    Ok(games)
}

/// Reads `250000`, `250_000`, `250k`, `4M`, `2.5e6` or `10^12`: a whole number of at least 1.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("`{text}` is not a number of games; write 250000, 250k, 4M, 1e9 or 10^12");
    let plain = text.trim().replace(['_', ','], "");
    let (digits, scale) = match plain.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&plain[..at], 1e3),
        Some((at, 'm' | 'M')) => (&plain[..at], 1e6),
        Some((at, 'G' | 'B')) => (&plain[..at], 1e9),
        Some((at, 'T')) => (&plain[..at], 1e12),
        _ => (plain.as_str(), 1.0),
    };
    let count = if scale == 1.0 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().map_err(|_| wrong())?
    } else {
        let number: f64 = match digits.split_once('^') {
            Some((base, power)) => {
                let base: u64 = base.parse().map_err(|_| wrong())?;
                let power = power.parse().map_err(|_| wrong())?;
                base.checked_pow(power).ok_or_else(wrong)? as f64
            }
            None => digits.parse().map_err(|_| wrong())?,
        };
        let number = number * scale;
        if !(0.0..=1e18).contains(&number) || number.fract() != 0.0 {
            return Err(wrong());
        }
        number as u64
    };
    match count {
        0 => Err("at least 1 game is needed".to_string()),
        _ => Ok(count),
    }
}

pub fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("write a number above 0".to_string()),
    }
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

/// Serializes one text as itself, several as a list, and none as nothing.
pub mod texts {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a list of texts")]
    enum Texts {
        One(String),
        Several(Vec<String>),
    }

    pub fn serialize<S: Serializer>(texts: &[impl Serialize], to: S) -> Result<S::Ok, S::Error> {
        match texts {
            [] => None::<()>.serialize(to),
            [one] => one.serialize(to),
            several => several.serialize(to),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
        Ok(match Option::deserialize(from)? {
            None => Vec::new(),
            Some(Texts::One(text)) => vec![text],
            Some(Texts::Several(texts)) => texts,
        })
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
