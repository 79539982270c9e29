//! The charts of a tuning: how much each value matters, and for targets where the candidates lie.

use super::sheets::{start_and_best, targets, wanted as wanted_range};
use super::{table_name, title};
use crate::results::NamedChart;
use crate::results::pictures::{self, Step, all, drawn, of_steps};
use crate::results::words::{axis_name, shown};
use crate::study::Path;
use crate::study::tune::{Played, words};
use carat_charts::labels::capitalized;
use carat_core::figure::{Figure, Figures, Line, Lines, Multiples, Panel, Row, Rows, Ticks};
use carat_core::game::MetricRef;
use carat_core::statistics::Estimate;
use carat_core::tuning::{Edge, Sought, Tried};

/// Most compromises that are shown.
pub const COMPROMISES: usize = 8;

pub fn charts(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let mut figures = Vec::new();
    if let Some(sought) = played.sought().first() {
        figures.push(("steps", steps(played, sought)));
    }
    if !played.resolved.aim.targets.is_empty() {
        let chart = match played.resolved.tables.len() {
            1 => wanted(played),
            _ => at_tables(played),
        };
        figures.push(("targets", Figure::Lines(chart)));
    }
    let front = super::front(played);
    if played.resolved.aim.criteria() > 1 && front.len() > 2 {
        let costs = costs(played, &front[..front.len().min(COMPROMISES)]);
        figures.push(("front", Figure::Multiples(costs)));
    }
    all(subtitle, figures)
}

/// What each compromise costs: all that is sought, a small chart each.
fn costs(played: &Played, front: &[&Tried]) -> Multiples {
    let mut charts = Vec::new();
    for (index, sought) in played.sought().iter().enumerate() {
        let layout = played.table_with(sought.metric).table.layout();
        let mut rows = Vec::new();
        for tried in front {
            let known = tried.estimates[index];
            let mut values = words(&played.resolved.axes, &tried.point);
            if tried.point == played.found.best {
                values = format!("best: {values}");
            }
            rows.extend(known.map(|known| Row::of(values, 0, known)));
        }
        let title = capitalized(&title(played, sought));
        charts.push(Rows {
            figures: Figures::of(layout.is_share(sought.metric)),
            ..Rows::differences(title, "in the games of the search", rows)
        });
    }
    Multiples {
        title: "Compromises and their costs".to_string(),
        charts,
    }
}

/// The steps of single values, the largest effects first.
fn steps(played: &Played, first: &Sought) -> Figure {
    let layout = played.table_with(first.metric).table.layout();
    let axes = &played.resolved.axes;
    let paths: Vec<&Path> = axes.iter().map(|axis| &axis.path).collect();
    let mut all = Vec::new();
    for deviation in &played.validation.deviations {
        let Some(axis) = deviation.axis else { continue };
        let [best, to] = [&played.found.best, &deviation.point].map(|point| point[axis]);
        all.push(Step {
            number: axis_name(paths[axis], &paths),
            detail: format!("best {}", shown(&axes[axis].values[best])),
            is_down: to < best,
            to: shown(&axes[axis].values[to]),
            difference: deviation.differences[0],
        });
    }
    let (mut rows, idle) = pictures::steps(&all);
    rows.sort_by(|a, b| pictures::size(b).total_cmp(&pictures::size(a)));
    let note = match idle.as_slice() {
        [] => String::new(),
        idle => format!("Steps without any effect: {}.", idle.join(", ")),
    };
    let is_share = layout.is_share(first.metric);
    of_steps(&title(played, first), "at the best", is_share, rows, note)
}

/// The candidates in the order of the search, and the range of each target.
fn wanted(played: &Played) -> Lines {
    let layout = played.resolved.first().table.layout();
    let mut panels = Vec::new();
    for row in targets(played) {
        let target = row.0;
        let ends = start_and_best(played, &row);
        let [start, best] = [ends.and_then(|of| of.start), ends.and_then(|of| of.best)];
        let mut heading = capitalized(&played.title(target.metric));
        let mut levels = Vec::new();
        for (name, known) in [("; dashed: start", start), (", best", best)] {
            if let (Some(known), Some(level)) = (known, drawn(known)) {
                heading += &format!("{name} {known}");
                levels.push(level.value);
            }
        }
        let start = drawn(start);
        panels.push(Panel {
            heading,
            share: layout.is_share(target.metric),
            levels,
            range: Some((level(target.low, start), level(target.high, start))),
            lines: dots(played, target.metric),
            ..Panel::default()
        });
    }
    let note =
        "Each dot is a candidate, measured in the games of its heat. Green: the wanted range.";
    Lines {
        title: "Candidates and targets".to_string(),
        x_title: "candidate, in order of evaluation".to_string(),
        panels,
        note: note.to_string(),
        ..Lines::default()
    }
}

/// Each target at each table, before and after the search, and its range.
fn at_tables(played: &Played) -> Lines {
    let (mut panels, mut ticks): (Vec<Panel>, Vec<(f64, String)>) = Default::default();
    for row in targets(played) {
        let (target, table, _) = row;
        let layout = played.resolved.tables[target.tables[0]].table.layout();
        let heading = format!(
            "{}, wanted: {}",
            capitalized(&played.title(target.metric)),
            wanted_range(played, &row)
        );
        if panels.last().is_none_or(|panel| panel.heading != heading) {
            panels.push(Panel {
                heading,
                share: layout.is_share(target.metric),
                lines: vec![Line::dots("start", 6), Line::dots("best", 0)],
                ..Panel::default()
            });
        }
        let place = table as f64 + 1.0;
        let ends = start_and_best(played, &row);
        let sides = [ends.and_then(|of| of.start), ends.and_then(|of| of.best)].map(drawn);
        if let Some(panel) = panels.last_mut() {
            panel.range = Some((level(target.low, sides[0]), level(target.high, sides[0])));
            for (line, estimate) in panel.lines.iter_mut().zip(sides) {
                let point = estimate.map(|estimate| (place, estimate));
                line.points.extend(point);
            }
        }
        ticks.push((place, table_name(played, table).replace(" players", "")));
    }
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks.dedup();
    let is_size = |(_, name): &(f64, String)| name.parse::<usize>().is_ok();
    let x_title = if ticks.iter().all(is_size) {
        "table (number of players)"
    } else {
        "table"
    };
    Lines {
        title: "Targets at each table, before and after".to_string(),
        x_title: x_title.to_string(),
        x_ticks: Ticks::At(ticks),
        panels,
        note: "Green: the wanted range.".to_string(),
        ..Lines::default()
    }
}

/// The value of an end of a range.
fn level(edge: Edge, start: Option<Estimate>) -> Option<f64> {
    match edge {
        Edge::Open => None,
        Edge::At(value) => Some(value),
        Edge::FromStart(shift) => Some(start?.value + shift),
    }
}

/// The candidates that dropped out, and those that finished their heat.
fn dots(played: &Played, metric: MetricRef) -> Vec<Line> {
    let mut lines = [
        Line::dots("dropped out", 6),
        Line::dots("survived its heat", 0),
    ];
    let sought = played.sought();
    let index = sought.iter().position(|sought| sought.metric == metric);
    for (at, tried) in played.found.tried.iter().enumerate() {
        let known = index.and_then(|index| tried.estimates[index]);
        if let Some(known) = known.filter(|known| known.value.is_finite()) {
            let point = (at as f64 + 1.0, Estimate::normal(known.value, 0.0));
            lines[usize::from(tried.survived)].points.push(point);
        }
    }
    let lines = lines.into_iter();
    lines.filter(|line| !line.points.is_empty()).collect()
}
