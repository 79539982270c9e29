//! The charts of a tuning: how the search went, how much each value matters, and for targets where
//! the candidates lie.

use super::named;
use crate::charts::labels::capitalized;
use crate::figure::{Figures, Line, LineShape, Lines, Panel, Row, RowLine, Rows};
use crate::game::MetricRef;
use crate::numbers;
use crate::results::NamedChart;
use crate::results::words::{short_name, shown, shown_in};
use crate::statistics::Estimate;
use crate::study::Path;
use crate::study::tune::Played;
use crate::tuning::Edge;

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

/// Where the candidates lie, in the order in which they were tried, and the range of each target.
fn targets(played: &Played) -> Lines {
    let resolved = &played.resolved;
    let metrics = resolved.aim.metrics();
    let mut panels = Vec::new();
    for target in &resolved.aim.targets {
        let change = played.validation.changes.iter();
        let mut own = change.filter(|change| change.metric == target.metric);
        let sides = own.next().map(|change| change.mean);
        let start = sides.and_then(|side| side.start).map(|e| e.value);
        let best = sides.and_then(|side| side.best).map(|e| e.value);
        let edge = |edge: Edge| match edge {
            Edge::Open => None,
            Edge::At(value) => Some(value),
            Edge::FromStart(shift) => Some(start? + shift),
        };
        let index = metrics.iter().position(|metric| *metric == target.metric);
        panels.push(target_panel(
            played,
            target.metric,
            (edge(target.low), edge(target.high)),
            [("start", start), ("best", best)],
            candidates(played, index),
        ));
    }
    Lines {
        title: "Where the candidates lie, and what is wanted".to_string(),
        x_title: "candidate, in the order in which they were tried".to_string(),
        panels,
        note:
            "Each dot is a candidate, measured in the games of its heat. Green: the wanted range."
                .to_string(),
        ..Lines::default()
    }
}

/// The candidates that dropped out, and those that lasted to the end of their heat.
fn candidates(played: &Played, metric: Option<usize>) -> Vec<Line> {
    let mut lines =
        [("dropped out", 6), ("lasted to the end of its heat", 0)].map(|(label, seat)| Line {
            label: label.to_string(),
            seat,
            shape: LineShape::Dots,
            ..Line::default()
        });
    for (at, tried) in played.found.tried.iter().enumerate() {
        let estimate = metric.and_then(|metric| tried.estimates[metric]);
        if let Some(estimate) = estimate.filter(|estimate| estimate.value.is_finite()) {
            let point = (at as f64 + 1.0, Estimate::normal(estimate.value, 0.0));
            lines[usize::from(tried.survived)].points.push(point);
        }
    }
    lines
        .into_iter()
        .filter(|line| !line.points.is_empty())
        .collect()
}

fn target_panel(
    played: &Played,
    metric: MetricRef,
    range: (Option<f64>, Option<f64>),
    levels: [(&str, Option<f64>); 2],
    lines: Vec<Line>,
) -> Panel {
    let layout = played.resolved.first().table.layout();
    let share = layout.metric(metric).is_some_and(|m| m.proportion);
    let mut heading = capitalized(&played.title(metric));
    let mut drawn = Vec::new();
    for (name, level) in levels {
        let Some(level) = level else { continue };
        let text = if share {
            numbers::percent(level, 1)
        } else {
            numbers::number(level, 2)
        };
        let before = if drawn.is_empty() { "; dashed:" } else { "," };
        heading += &format!("{before} {name} {text}");
        drawn.push(level);
    }
    Panel {
        heading,
        share,
        levels: drawn,
        range: Some(range),
        lines,
        ..Panel::default()
    }
}
