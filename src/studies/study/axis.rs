//! The values that a path takes in a sweep: ranges and lists.

use super::path::Path;
use carat_core::strategy::{SeatSpec, join_bots};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "values: \"4..30\", \"0..1 step 0.05\", a list such as [3, 5, 8] or [\"depth\", \"risk\"], or \
                 changes with names such as { more = [\"traps.snake=4\", \"rounds=6\"] }"
)]
pub enum Axis {
    /// `4..30`, `0..1 step 0.05`, or values with commas in between, such as `3,5,8` or
    /// `[1,2],[3,4]`; with semicolons where values hold other commas.
    Text(String),
    List(Vec<Scalar>),
    /// Named lists of changes, such as `{ more = ["traps.snake=4", "rounds=6"], printed = [] }`.
    Named(IndexMap<String, Vec<String>>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    Whole(i64),
    Number(f64),
    Bool(bool),
    Text(String),
}

/// The values of an axis before they are listed, possibly far too many.
#[derive(Debug, Clone, PartialEq)]
pub enum AxisValues {
    Listed(Vec<String>),
    /// This number of equal steps.
    Steps {
        first: f64,
        by: f64,
        count: f64,
    },
}

impl AxisValues {
    /// The number of values, exact for every playable number.
    pub fn count(&self) -> f64 {
        match self {
            AxisValues::Listed(list) => list.len() as f64,
            AxisValues::Steps { count, .. } => *count,
        }
    }

    /// The list of values, checked to be different values of `path`.
    pub fn of(self, path: &Path) -> Result<Vec<String>, String> {
        let values: Vec<String> = match self {
            AxisValues::Listed(list) => list,
            AxisValues::Steps { first, by, count } => {
                let places = places(first).max(places(by));
                let [Some(first), Some(by)] = [first, by].map(|number| scaled(number, places))
                else {
                    return Err("the numbers have too many digits".to_string());
                };
                if first + by * count > WHOLE_MAX {
                    return Err("the numbers are too large for a range; list them".to_string());
                }
                let number = |step: u64| (first + by * step as f64) / 10f64.powi(places as i32);
                let numbers = (0..count as u64).map(|step| number(step) + 0.0);
                numbers.map(|number| format!("{number:.places$}")).collect()
            }
        };
        let mut known: HashMap<String, &String> = HashMap::new();
        for value in &values {
            if let Some(earlier) = known.insert(meant(path, value), value) {
                return Err(if earlier == value {
                    format!("`{value}` appears twice")
                } else {
                    format!("`{earlier}` and `{value}` are the same value")
                });
            }
        }
        Ok(values)
    }
}

/// Up to this value (2^53), floating point holds every whole number.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

fn places(number: f64) -> usize {
    let text = number.to_string();
    text.split_once('.').map_or(0, |(_, places)| places.len())
}

/// A number in units of its last decimal place; `None` if it has too many digits.
fn scaled(number: f64, places: usize) -> Option<f64> {
    let scaled = (number * 10f64.powi(places as i32)).round();
    (places <= 22 && scaled.abs() <= WHOLE_MAX).then_some(scaled)
}

/// The canonical form of a value. Parameters have 32 bits.
pub(super) fn meant(path: &Path, value: &str) -> String {
    let number = value.parse::<f64>().ok().filter(|n| n.is_finite());
    match (path, number) {
        (Path::SeatParam(..) | Path::AllParam(..), Some(number)) => {
            format!("{:?}", value.parse().unwrap_or(number as f32) + 0.0)
        }
        (Path::Players | Path::RulesKey(_), Some(number)) => format!("{:?}", number + 0.0),
        (Path::RulesKey(_), None) => {
            let value_of = |table: toml::Table| table.get("it").map(toml::Value::to_string);
            let read = format!("it = {value}").parse().ok().and_then(value_of);
            read.unwrap_or_else(|| toml::Value::from(value).to_string())
        }
        (Path::Seat(_), _) => {
            SeatSpec::parse(value).map_or(value.to_string(), |bot| bot.to_string())
        }
        _ => value.to_string(),
    }
}

impl Axis {
    pub fn values(&self) -> Result<AxisValues, String> {
        let list: Vec<String> = match self {
            Axis::Text(text) => {
                if let Some(range) = range(text)? {
                    return Ok(range);
                }
                let separator = if text.contains(';') { ';' } else { ',' };
                // Commas inside a list do not separate values.
                let mut depth = 0;
                let values = text.split(|character| {
                    depth += i32::from(character == '[') - i32::from(character == ']');
                    depth <= 0 && character == separator
                });
                if separator == ',' {
                    join_bots(values)
                } else {
                    values.map(|value| value.trim().to_string()).collect()
                }
            }
            Axis::Named(named) => named.keys().cloned().collect(),
            Axis::List(list) => {
                let values = list.iter().map(Scalar::to_string);
                values.map(|value| value.trim().to_string()).collect()
            }
        };
        if list.is_empty() || list.iter().any(String::is_empty) {
            return Err("a value is missing".to_string());
        }
        Ok(AxisValues::Listed(list))
    }
}

/// The range of a text such as `4..30` or `0..1 step 0.05`; `None` unless both ends are numbers, as
/// in `../mine.toml`.
fn range(text: &str) -> Result<Option<AxisValues>, String> {
    let Some((from, rest)) = text.split_once("..") else {
        return Ok(None);
    };
    let (to, by) = rest.split_once("step").unwrap_or((rest, "1"));
    let [from, to, by] = [from, to, by].map(str::trim);
    if from.parse::<f64>().is_err() || to.parse::<f64>().is_err() {
        return Ok(None);
    }
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    };
    let (first, last, by) = (number(from)?, number(to)?, number(by)?);
    if by <= 0.0 {
        return Err("the step must be above 0".to_string());
    }
    if last < first {
        return Err("the range is empty".to_string());
    }
    let finest = places(first).max(places(last)).max(places(by));
    let whole = [first, last, by].map(|number| scaled(number, finest));
    let steps = match whole {
        [Some(first), Some(last), Some(by)] => (last - first) / by,
        _ => (last - first) / by,
    };
    let count = steps.floor() + 1.0;
    Ok(Some(AxisValues::Steps { first, by, count }))
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Axis::Text(text) => f.write_str(text),
            Axis::Named(named) => {
                let values = Vec::from_iter(
                    named
                        .iter()
                        .map(|(name, changes)| format!("{name} = {changes:?}")),
                );
                write!(f, "{{ {} }}", values.join(", "))
            }
            Axis::List(list) => {
                let values: Vec<String> = list.iter().map(Scalar::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Scalar::Whole(number) => write!(f, "{number}"),
            Scalar::Number(number) => write!(f, "{number}"),
            Scalar::Bool(yes) => write!(f, "{yes}"),
            Scalar::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/axis.rs"]
mod tests;
