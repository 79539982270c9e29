//! The charts of a tuning: how the search went, how much each value matters, and for targets where
//! the candidates lie.

use super::named;
use crate::charts::labels::capitalized;
use crate::charts::rows::{Figures, Row, RowLine, Rows};
use crate::charts::strips::{Strip, Strips};
use crate::numbers;
use crate::results::NamedChart;
use crate::results::words::{short_name, shown, shown_in};
use crate::statistics::Estimate;
use crate::study::Path;
use crate::study::tune::Played;
use crate::tuning::{Edge, MetricTarget};

/// The charts of a tuning; `subtitle` says what was played.
pub fn tune(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let mut charts = Vec::from_iter(steps(subtitle, played));
    if !played.resolved.aim.targets.is_empty() {
        charts.push(named("targets", subtitle, targets(played)));
    }
    charts
}

/// What one step from the best changes, the most important axis first.
fn steps(subtitle: &str, played: &Played) -> Option<NamedChart> {
    let resolved = &played.resolved;
    let metric = *resolved.aim.metrics().first()?;
    let layout = resolved.first().table.layout();
    let share = layout
        .metric(metric)
        .is_some_and(|metric| metric.proportion);
    let (scale, points) = shown_in(share);
    let paths: Vec<&Path> = resolved.axes.iter().map(|axis| &axis.path).collect();
    let (mut rows, mut idle): (Vec<Row>, Vec<String>) = (Vec::new(), Vec::new());
    for (axis, tuned) in resolved.axes.iter().enumerate() {
        let best = played.found.best[axis];
        let own = (played.validation.deviations.iter()).filter(|d| d.axis == Some(axis));
        let mut steps: Vec<RowLine> = own
            .filter_map(|deviation| {
                let change: Estimate = deviation.differences[0]?.scaled(scale);
                let down = deviation.point[axis] < best;
                let to = shown(&tuned.values[deviation.point[axis]]);
                change.se.is_finite().then(|| RowLine {
                    seat: usize::from(down),
                    name: format!("{} to {to}", if down { "down" } else { "up" }),
                    estimate: change,
                })
            })
            .collect();
        steps.truncate(8);
        let none = |step: &RowLine| step.estimate.low == 0.0 && step.estimate.high == 0.0;
        let name = short_name(&tuned.path, &paths);
        if !steps.is_empty() && steps.iter().all(none) {
            idle.push(name);
            continue;
        }
        rows.push(Row {
            label: name,
            detail: format!("best {}", shown(&tuned.values[best])),
            lines: steps,
            ..Row::default()
        });
    }
    let size = |row: &Row| {
        let sizes = row.lines.iter().map(|step| step.estimate.value.abs());
        sizes.fold(0.0, f64::max)
    };
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let chart = Rows {
        title: format!(
            "What one step from the best changes: {}",
            played.title(metric)
        ),
        axis: format!("more (right) or less (left) than with the best{points}, with 95 % interval"),
        figures: Figures::Changes,
        rows,
        note: match idle.as_slice() {
            [] => String::new(),
            idle => format!("No step of these changes anything: {}.", idle.join(", ")),
        },
        ..Rows::default()
    };
    Some(named("steps", subtitle, chart))
}

/// Where the candidates lie in the range of each target.
fn targets(played: &Played) -> Strips {
    let resolved = &played.resolved;
    let layout = resolved.first().table.layout();
    let metrics = resolved.aim.metrics();
    let strip = |target: &MetricTarget| {
        let share = layout.metric(target.metric).is_some_and(|m| m.proportion);
        let change =
            (played.validation.changes.iter()).find(|change| change.metric == target.metric);
        let sides = change.map(|change| change.mean);
        let start = sides.and_then(|side| side.start).map(|e| e.value);
        let best = sides.and_then(|side| side.best).map(|e| e.value);
        let edge = |edge: Edge| match edge {
            Edge::Open => None,
            Edge::At(value) => Some(value),
            Edge::FromStart(shift) => Some(start? + shift),
        };
        let index = metrics.iter().position(|metric| *metric == target.metric);
        let points = played.found.tried.iter().filter_map(|tried| {
            let estimate = tried.estimates[index?]?;
            estimate.value.is_finite().then_some(estimate.value)
        });
        let named = |name: &str, value: f64| {
            if share {
                format!("{name} {}", numbers::percent(value, 1))
            } else {
                format!("{name} {}", numbers::number(value, 2))
            }
        };
        let named = [("start", start), ("best", best)]
            .into_iter()
            .filter_map(|(name, value)| Some((named(name, value?), value?)));
        Strip {
            label: capitalized(&played.title(target.metric)),
            share,
            wanted: (edge(target.low), edge(target.high)),
            points: points.collect(),
            named: named.collect(),
        }
    };
    Strips {
        title: "Where the candidates lie, and what is wanted".to_string(),
        strips: resolved.aim.targets.iter().map(strip).collect(),
        note: "A dot is a candidate, in the games of its heat; the green range is wanted."
            .to_string(),
    }
}
