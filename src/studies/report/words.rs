//! Words for the paths and values of a study, in charts and sentences.

use crate::study::Path;
use carat_charts::labels::before;
use carat_core::game::{Seating, copies};
use carat_core::numbers;
use carat_core::strategy::Seat;

/// The name of a path's parameter, and its place if another of `all` has a parameter of this name.
fn parts(path: &Path, all: &[&Path]) -> (String, String) {
    let param = |path: &Path| match path {
        Path::SeatParam(_, param) | Path::AllParam(_, param) => Some(param.clone()),
        _ => None,
    };
    let is_shared = all.iter().filter(|of| param(of) == param(path)).count() > 1;
    let place = match path {
        Path::Seat(seat) => format!(" at seat {seat}"),
        Path::SeatParam(seat, _) if is_shared => format!(" (seat {seat})"),
        Path::AllParam(bot, _) if is_shared => format!(" (every {bot})"),
        _ => String::new(),
    };
    let what = match path {
        Path::Players => "number of players".to_string(),
        Path::Seed | Path::Seats | Path::Others | Path::Named(_) => path.to_string(),
        Path::Rules => "rules".to_string(),
        Path::RulesKey(keys) => keys.join("."),
        Path::Seat(_) => "bot".to_string(),
        Path::SeatParam(_, param) | Path::AllParam(_, param) => param.clone(),
    };
    (what, place)
}

/// A path in a study that varies all of these: `target`, or `target (seat 1)`.
pub fn axis_name(path: &Path, all: &[&Path]) -> String {
    let (what, place) = parts(path, all);
    what + &place
}

/// A path with its value: `target 15`, `4 players`.
pub fn valued(path: &Path, value: &str, all: &[&Path]) -> String {
    let (what, place) = parts(path, all);
    let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    match path {
        Path::Players if value == "1" => "1 player".to_string(),
        Path::Players => format!("{value} players"),
        Path::Rules | Path::Seats | Path::Named(_) => value.to_string(),
        Path::Seat(_) if all.len() == 1 => value.to_string(),
        Path::Seat(_) => format!("{value}{place}"),
        Path::RulesKey(_) if !is_number => format!("{what}: {}", shown(value)),
        _ => format!("{what} {}{place}", shown(value)),
    }
}

/// A value, a number with a true minus, and texts and lists without the marks of a file.
pub fn shown(value: &str) -> String {
    match value.strip_prefix('-') {
        Some(digits) if digits.parse::<f64>().is_ok() => format!("−{digits}"),
        _ if value.starts_with(['[', '"', '\'']) => {
            let read = format!("value = {value}").parse::<toml::Table>();
            match read.map(|table| unmarked(&table["value"])) {
                Ok(value) if !value.is_empty() => value,
                _ => "none".to_string(),
            }
        }
        _ => value.to_string(),
    }
}

fn unmarked(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(values) => Vec::from_iter(values.iter().map(unmarked)).join(", "),
        value => value.to_string(),
    }
}

/// What a side changes, in words: `traps.snake 4, 6 players`.
pub fn describe_changes(changes: &[String]) -> String {
    let known = |change: &String| {
        let (path, value) = change.split_once('=')?;
        let path = path.trim().parse().ok()?;
        // Given twice, so that the place is named too.
        Some(valued(&path, value.trim(), &[&path, &path]))
    };
    if changes.is_empty() {
        return "unchanged".to_string();
    }
    let texts = changes.iter();
    let texts = texts.map(|change| known(change).unwrap_or_else(|| change.clone()));
    Vec::from_iter(texts).join(", ")
}

/// The bots at a table, for sentences: `simple (seat 1); people, 4 seats`.
pub fn seated(seats: &[Seat], seating: Seating, is_named: impl Fn(&Seat) -> bool) -> String {
    let mut all = copies(seats, seating);
    all.retain(|of| is_named(&seats[of.seats[0]]));
    let all = all.into_iter();
    Vec::from_iter(all.map(|of| of.name)).join("; ")
}

/// For whom differences hold, as a sentence; empty if nobody is the same everywhere.
pub fn holds_for(players: &str) -> String {
    match players {
        "" => String::new(),
        _ => format!("\nThese results are for {players}; with other players they may differ."),
    }
}

pub fn split_sentence(text: &str) -> (&str, &str) {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    (&text[..end], text[end..].trim_start())
}

/// The title of an axis of differences: `percentage points more (right) or less (left) than …`.
pub fn more_or_less(unit: &str, than: &str) -> String {
    let unit = before(unit, " ");
    format!("{unit}more (right) or less (left) than {than}, with 95 % interval")
}

/// The win rate of each of several equal players, and its name.
pub fn equal_share(players: usize) -> (f64, String) {
    let share = 1.0 / players as f64;
    let percent = 100.0 * share;
    let decimals = usize::from((percent - percent.round()).abs() >= 1e-9);
    let name = format!("fair share {}", numbers::percent(share, decimals));
    (share, name)
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/report/words.rs"]
mod tests;
