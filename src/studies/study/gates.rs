//! What a study expects of its tables, as it is written: `cards_per_game=31..37`, or with
//! `at players=4` only for some of them.

use super::error::{StudyError, refuse};
use super::kind::Expectation;
use super::target::parse_range;
use carat_core::diagnostic::did_you_mean;
use carat_core::game::{Layout, MetricRef, Scope};
use carat_core::simulation::{Gate, Tally, judged};
use carat_core::tuning::Edge;

/// A table, and the names by which an expectation selects it.
pub struct Place<'a> {
    pub layout: &'a Layout,
    pub at: &'a [String],
}

impl Place<'_> {
    /// Whether this is one of its names, or all of them.
    fn is_called(&self, name: &str) -> bool {
        self.at.iter().any(|own| own == name) || self.at.join(", ") == name
    }
}

/// The gates that these expectations are at tables.
pub fn gates(expect: &[String], places: &[Place]) -> Result<Vec<Gate>, StudyError> {
    let mut gates = Vec::new();
    for text in expect {
        let Some((metric, range)) = text.split_once('=') else {
            refuse!(
                "expect = {text}: write METRIC=LOW..HIGH, such as cards_per_game=31..37, and at \
                 NAME after it for one of several tables"
            );
        };
        let (range, at) = match range.split_once(" at ") {
            // Names may hold commas.
            Some((range, at)) if places.iter().any(|of| of.is_called(at.trim())) => {
                (range, vec![at.trim()])
            }
            Some((range, at)) => (range, at.split(',').map(str::trim).collect()),
            None => (range, Vec::new()),
        };
        let ends = parse_range(range).map_err(|why| format!("expect = {text}: {why}"))?;
        let [low, high] = <[_; 2]>::from(ends).map(|end| match end {
            Edge::Open => Ok(None),
            Edge::At(level) => Ok(Some(level)),
            Edge::FromStart(_) => Err(format!("expect = {text}: only a tuning has a start")),
        });
        let (low, high) = (low?, high?);
        let before = gates.len();
        for (arm, place) in places.iter().enumerate() {
            if !at.iter().all(|name| place.is_called(name)) {
                continue;
            }
            let found = MetricRef::find(place.layout, metric.trim())?;
            if found.scope == Scope::EverySeat {
                refuse!("expect = {text}: name a single seat, such as {metric}@1");
            }
            // No share is beyond 0 and 1.
            let is_share = place.layout.is_share(found);
            gates.push(Gate {
                arm,
                metric: found,
                low: low.filter(|low| !is_share || *low > 0.0),
                high: high.filter(|high| !is_share || *high < 1.0),
            });
        }
        if gates.len() == before {
            let known = || places.iter().flat_map(|place| place.at).map(String::as_str);
            let wrong = at.iter().find(|name| !known().any(|own| own == **name));
            let near =
                did_you_mean(wrong.unwrap_or(&at[0]), known()).map(|near| format!("; {near}"));
            let near = near.unwrap_or_default();
            refuse!(
                "expect = {text}: no side, table or cell matches {}{near}",
                at.join(", ")
            );
        }
    }
    Ok(gates)
}

/// What the games of tables say about the gates.
pub fn expectations(gates: &[Gate], places: &[Place], tallies: &[Tally]) -> Vec<Expectation> {
    let layouts = places.iter().map(|place| place.layout);
    let verdicts = judged(gates, &Vec::from_iter(layouts.zip(tallies)));
    let written = |end: Option<f64>| end.map_or(String::new(), |end| end.to_string());
    let each = gates.iter().zip(verdicts);
    let each = each.map(|(gate, (found, verdict))| Expectation {
        metric: gate.metric.to_string(),
        at: places[gate.arm].at.join(", "),
        range: format!("{}..{}", written(gate.low), written(gate.high)),
        verdict,
        found,
    });
    each.collect()
}
