//! The charts of a tuning: how the search went, how much each value matters, and for targets where
//! the candidates lie.

use super::named;
use super::words::{short_name, shown, shown_in};
use crate::charts::labels::capitalized;
use crate::charts::scatter::{Dot, Scatter};
use crate::charts::steps::{AxisStep, StepRow, StepsChart};
use crate::charts::strips::{Strip, Strips};
use crate::numbers;
use crate::results::NamedChart;
use crate::statistics::Estimate;
use crate::study::Path;
use crate::study::tune::Played;
use crate::tuning::{Edge, MetricTarget};

/// The charts of a tuning; `subtitle` says what was played.
pub fn tune(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let mut charts = vec![named("search", subtitle, search(played))];
    charts.extend(steps(subtitle, played));
    if !played.resolved.aim.targets.is_empty() {
        charts.push(named("targets", subtitle, targets(played)));
    }
    charts
}

/// Every candidate by its heat: what is maximized or minimized, or how far it is outside the targets.
fn search(played: &Played) -> Scatter {
    let aim = &played.resolved.aim;
    let layout = played.resolved.first().table.layout();
    let objective = aim.objective.as_ref().map(|objective| objective.metric);
    let tried = &played.found.tried;
    // Those of a heat stand beside each other.
    let last = tried.last().map_or(0, |tried| tried.round);
    let mut sizes = vec![0usize; last + 1];
    let mut places = Vec::with_capacity(tried.len());
    for one in tried {
        places.push(sizes[one.round]);
        sizes[one.round] += 1;
    }
    let dots = tried.iter().zip(places).filter_map(|(one, place)| {
        let value = match objective {
            Some(_) => one.estimates.first().copied().flatten()?.value,
            None => one.outside,
        };
        let wide = sizes[one.round].max(1) as f64;
        Some(Dot {
            at: one.round as f64 + 0.8 * ((place as f64 + 0.5) / wide - 0.5),
            value: value.min(1e6),
            lasted: one.survived,
        })
    });
    let dots: Vec<Dot> = dots.filter(|dot| dot.value.is_finite()).collect();
    let share = objective
        .and_then(|metric| layout.metric(metric))
        .is_some_and(|metric| metric.proportion);
    let outside = "distance from all targets together, as a share of the values at the start";
    let unit = objective.map_or(outside.to_string(), |metric| played.title(metric));
    let start = (played.validation.changes.first()).and_then(|change| change.mean.start);
    Scatter {
        title: "How the search went".to_string(),
        axis: "heat (each plays games of its own; what lasts is in the next one again)".to_string(),
        unit: capitalized(&unit),
        share: share || objective.is_none(),
        dots,
        level: (start.filter(|_| objective.is_some()))
            .map(|start| (start.value, "at the start".to_string())),
    }
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
    let (mut rows, mut idle): (Vec<StepRow>, Vec<String>) = (Vec::new(), Vec::new());
    for (axis, tuned) in resolved.axes.iter().enumerate() {
        let best = played.found.best[axis];
        let own = (played.validation.deviations.iter()).filter(|d| d.axis == Some(axis));
        let mut steps: Vec<AxisStep> = own
            .filter_map(|deviation| {
                let change: Estimate = deviation.differences[0]?.scaled(scale);
                change.se.is_finite().then(|| AxisStep {
                    to: shown(&tuned.values[deviation.point[axis]]),
                    down: deviation.point[axis] < best,
                    change,
                })
            })
            .collect();
        steps.truncate(8);
        let none = |step: &AxisStep| step.change.low == 0.0 && step.change.high == 0.0;
        let name = short_name(&tuned.path, &paths);
        if !steps.is_empty() && steps.iter().all(none) {
            idle.push(name);
            continue;
        }
        rows.push(StepRow {
            label: format!("{name} = {}", shown(&tuned.values[best])),
            steps,
        });
    }
    let size = |row: &StepRow| {
        let sizes = row.steps.iter().map(|step| step.change.value.abs());
        sizes.fold(0.0, f64::max)
    };
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let told = format!("{subtitle} · {}", played.title(metric));
    let chart = StepsChart {
        title: "How much each value matters".to_string(),
        axis: format!("change by one step from the best{points}, with 95 % interval"),
        rows,
        note: match idle.as_slice() {
            [] => String::new(),
            idle => format!("No step of these changes anything: {}.", idle.join(", ")),
        },
    };
    Some(named("steps", told, chart))
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
        let named = |name: &str, value: f64| match share {
            true => format!("{name} {}", numbers::percent(value, 1)),
            false => format!("{name} {}", numbers::number(value, 2)),
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
    }
}
