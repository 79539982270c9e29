//! What a study expects of its tables, as it is written: `cards_per_game=31..37`, or with
//! `at players=4` only for some of them.

use super::arms::Arm;
use super::error::{StudyError, refuse};
use super::target::parse_range;
use carat_core::diagnostic::did_you_mean;
use carat_core::game::{MetricRef, Scope};
use carat_core::simulation::{Gate, Tally, TargetVerdict, judged};
use carat_core::statistics::Estimate;
use carat_core::tuning::Edge;
use serde::{Deserialize, Serialize};

/// A range in which a metric is expected at a table, and what the games say about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    pub metric: String,
    /// The table; empty where the study has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// The range as written: `31..37`.
    pub range: String,
    pub verdict: TargetVerdict,
    /// The metric with the interval that the verdict rests on; `None` if its divisor is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Estimate>,
}

/// The gates that these expectations are at the tables of the arms.
pub fn gates(expect: &[String], arms: &[Arm]) -> Result<Vec<Gate>, StudyError> {
    let mut gates = Vec::new();
    for text in expect {
        let Some((metric, range)) = text.split_once('=') else {
            refuse!(
                "expect = {text}: write METRIC=LOW..HIGH, such as cards_per_game=31..37, and at \
                 NAME after it for one of several tables"
            );
        };
        let (range, at) = match range.split_once(" at ") {
            Some((range, at)) => (range, at.split(',').map(str::trim).collect()),
            None => (range, Vec::new()),
        };
        let ends = parse_range(range).map_err(|why| format!("expect = {text}: {why}"))?;
        let [low, high] = <[_; 2]>::from(ends).map(|end| match end {
            Edge::Open => Ok(None),
            Edge::At(level) => Ok(Some(level)),
            Edge::FromStart(_) => Err(format!("expect = {text}: only a tuning has a start")),
        });
        let (mut low, mut high) = (low?, high?);
        let before = gates.len();
        let is_at = |arm: &&Arm| at.iter().all(|place| arm.at.iter().any(|own| own == place));
        for (number, arm) in arms.iter().enumerate().filter(|(_, arm)| is_at(arm)) {
            let found = MetricRef::find(arm.layout(), metric.trim())?;
            if found.scope == Scope::EverySeat {
                refuse!("expect = {text}: name a single seat, such as {metric}@1");
            }
            if arm.layout().is_share(found) {
                // No share is beyond these.
                (low, high) = (
                    low.filter(|low| *low > 0.0),
                    high.filter(|high| *high < 1.0),
                );
            }
            gates.push(Gate {
                arm: number,
                metric: found,
                low,
                high,
            });
        }
        if gates.len() == before {
            let wrong = |place: &&&str| {
                !arms
                    .iter()
                    .any(|arm| arm.at.iter().any(|own| own == **place))
            };
            let place = at.iter().find(wrong).unwrap_or(&at[0]);
            let known = arms.iter().flat_map(|arm| &arm.at).map(String::as_str);
            let near = did_you_mean(place, known).map(|near| format!("; {near}"));
            let near = near.unwrap_or_default();
            refuse!("expect = {text}: no table is at {}{near}", at.join(", "));
        }
    }
    Ok(gates)
}

/// What these games say about the gates.
pub fn expectations(gates: &[Gate], arms: &[Arm], tallies: &[Tally]) -> Vec<Expectation> {
    let tables = arms.iter().map(Arm::layout).zip(tallies);
    let verdicts = judged(gates, &Vec::from_iter(tables));
    let each = gates.iter().zip(verdicts);
    let each = each.map(|(gate, (found, verdict))| Expectation {
        metric: gate.metric.to_string(),
        at: arms[gate.arm].at.join(", "),
        range: [gate.low, gate.high]
            .map(|end| end.map_or(String::new(), |end| end.to_string()))
            .join(".."),
        verdict,
        found,
    });
    each.collect()
}
