//! The report of a tuning: what was found, what it is worth, and how much each value matters.

mod sheets;
mod words;

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use crate::diagnostic::counted;
use crate::strategy::SeatSpec;
use crate::study::tune::Played;
use crate::tuning::{Change, Deviation, Edge, MetricTarget, TargetVerdict};
use std::cmp::Ordering;

/// The report of a tuning.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let headline = headline(played);
    Report {
        sheets: sheets::sheets(played),
        charts: pictures::tune(&headline, played),
        files: played.files(),
        text: words::text(headline, played),
        game: played.resolved.first().game,
        manifest,
    }
}

fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let fields = match resolved.fields.len() {
        1 => String::new(),
        fields => format!(" · {fields} fields"),
    };
    let rounds = played.found.tried.last().map_or(0, |tried| tried.round);
    format!(
        "{}{fields} · {} in {}",
        resolved.first().headline(),
        counted(played.found.tried.len(), "try").replace("trys", "tries"),
        counted(rounds, "heat"),
    )
}

/// The change of the metric that a target is about.
fn change_of<'a>(changes: &'a [Change], target: &MetricTarget) -> Option<&'a Change> {
    changes.iter().find(|change| change.metric == target.metric)
}

/// How a point compares to the best, in a few words.
fn judged(deviation: &Deviation) -> &'static str {
    match deviation.against_best {
        Ordering::Less => "worse",
        Ordering::Greater => "better",
        Ordering::Equal => "statistically tied",
    }
}

/// The bots of a field.
fn line_up(played: &Played, field: usize) -> String {
    let seats = played.resolved.fields[field].study.seats.iter();
    seats.map(SeatSpec::to_string).collect::<Vec<_>>().join(" ")
}

/// A verdict in a word.
fn verdict(verdict: TargetVerdict) -> &'static str {
    match verdict {
        TargetVerdict::Met => "met",
        TargetVerdict::Missed => "missed",
        TargetVerdict::Undecided => "undecided",
    }
}

/// The range of a target.
fn range(target: &MetricTarget, share: bool) -> String {
    let shown = |value: f64, unit: &str| match share {
        true => format!("{} {unit}", plain(100.0 * value)),
        false => plain(value),
    };
    let end = |edge: Edge| match edge {
        Edge::Open => String::new(),
        Edge::At(value) => shown(value, "%"),
        Edge::FromStart(0.0) => "start".to_string(),
        Edge::FromStart(shift) if shift < 0.0 => format!("start-{}", shown(-shift, "points")),
        Edge::FromStart(shift) => format!("start+{}", shown(shift, "points")),
    };
    format!("{}..{}", end(target.low), end(target.high))
}

/// A number with as many digits as it needs, but for errors of binary fractions.
fn plain(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    rounded.to_string()
}
