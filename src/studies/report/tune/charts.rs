//! The charts of a tuning: how much each value matters, targets before and after, and compromises.

use super::sheets::{start_and_best, targets, wanted as wanted_range};
use super::{table_name, title};
use crate::report::NamedChart;
use crate::report::pictures::{self, Step, all, of_steps};
use crate::report::words::{axis_name, shown};
use crate::study::Path;
use crate::study::tune::{Played, space};
use carat_charts::axes::bounds;
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::figure::{
    Figure, Figures, Line, Lines, Multiples, Panel, PointRemark, Row, RowLine, Rows, Ticks,
};
use carat_core::statistics::Estimate;
use carat_core::strategy::seat_names;
use carat_core::tuning::{Edge, Sought, Tried};
use indexmap::IndexMap;

/// Most compromises that are shown.
pub const COMPROMISES: usize = 8;
/// The least distance between two dots that look separate, as a part of an axis.
const APART: f64 = 0.03;

pub fn charts(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let mut figures = Vec::new();
    if !played.resolved.aim.targets.is_empty() {
        figures.push(("targets", Figure::Multiples(wanted(played))));
    }
    if let Some(sought) = played.sought().first() {
        figures.push(("steps", steps(played, sought)));
    }
    let front = super::front(played);
    if played.sought().len() > 1 && front.len() > 2 {
        figures.push(("front", Figure::Lines(trade_off(played, front))));
    }
    all(subtitle, figures)
}

/// The values of a candidate that differ from the start, in words.
fn point_name(played: &Played, tried: &Tried) -> String {
    let axes = &played.resolved.axes;
    let paths: Vec<&Path> = axes.iter().map(|axis| &axis.path).collect();
    let mut changed = Vec::new();
    for (axis, &at) in axes.iter().zip(&tried.point) {
        if at != axis.start {
            let name = axis_name(&axis.path, &paths);
            changed.push(format!("{name} = {}", shown(&axis.values[at])));
        }
    }
    let name = match changed.as_slice() {
        [] => "the start".to_string(),
        changed => changed.join(", "),
    };
    if tried.point == played.found.best {
        return format!("best: {name}");
    }
    name
}

type Placed<'a> = ((f64, Estimate), &'a Tried);

fn coordinate(of: &(f64, Estimate), axis: usize) -> f64 {
    [of.0, of.1.value][axis]
}

/// The first compromises, without those at the place of one before, on axes of these ends.
fn apart(placed: Vec<Placed>, ends: [(f64, f64); 2]) -> Vec<Placed> {
    let mut apart: Vec<Placed> = Vec::new();
    for own in placed {
        let is_near = |other: &Placed| {
            ends.iter().enumerate().all(|(axis, (low, high))| {
                let way = coordinate(&own.0, axis) - coordinate(&other.0, axis);
                way.abs() <= APART * (high - low)
            })
        };
        if apart.len() < COMPROMISES && !apart.iter().any(is_near) {
            apart.push(own);
        }
    }
    apart
}

/// The first two aims against each other: the start, the compromises by letters, and the other
/// candidates among them.
fn trade_off(played: &Played, front: Vec<&Tried>) -> Lines {
    let (sought, tried) = (played.sought(), &played.found.tried);
    let mut all = sought.iter();
    let other = all.position(|of| of.metric.name != sought[0].metric.name);
    let aims = [0, other.unwrap_or(1)];
    let [across, up] = aims.map(|aim| capitalized(&title(played, &sought[aim])));
    let shares = aims.map(|aim| {
        let metric = sought[aim].metric;
        played.table_with(metric).table.layout().is_share(metric)
    });
    let place = |tried: &Tried| {
        let [across, up] = aims.map(|aim| known(tried.estimates[aim]));
        Some((across?.value, up?))
    };
    let start = space(&played.resolved.axes).start;
    let start = tried.iter().find(|tried| tried.point == start);
    let wanted = aims.map(|aim| {
        let Sought { metric, tables } = &sought[aim];
        let start = start.and_then(|start| known(start.estimates[aim]));
        let mut targets = played.resolved.aim.targets.iter();
        let of = targets.find(|of| of.metric == *metric && of.tables.contains(&tables.start));
        let range = of.map_or([Edge::Open; 2], |of| [of.low, of.high]);
        range.map(|end| level(end, start))
    });
    let mut others = Line::dots("other candidates", 6);
    let mut compromises = Line::dots("compromises", 0);
    let mut origin = Line::dots("the start", 1);
    origin.points.extend(start.and_then(place));
    let front = front.into_iter();
    let front = Vec::from_iter(front.filter_map(|tried| Some((place(tried)?, tried))));
    let ends = [0, 1].map(|axis| {
        let shown = front.iter().map(|(at, _)| at).chain(&origin.points);
        let shown = shown.map(|at| coordinate(at, axis));
        bounds(shown.chain(wanted[axis].into_iter().flatten()))
    });
    let mut front = apart(front, ends);
    front.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    let mut remarks = Vec::new();
    for (point, (at, tried)) in front.into_iter().enumerate() {
        let name = capitalized(&point_name(played, tried));
        let [x, y] = aims.map(|aim| tried.estimates[aim].unwrap_or(Estimate::UNKNOWN));
        let text = format!("{name}. {across}: {x}. {up}: {y}.");
        remarks.push(PointRemark {
            line: 1,
            point,
            text,
        });
        compromises.points.push(at);
    }
    let mut dots = Vec::from_iter(tried.iter().filter_map(place));
    for (axis, (low, high)) in ends.into_iter().enumerate() {
        dots.retain(|dot| (low..=high).contains(&coordinate(dot, axis)));
    }
    let outside = counted(tried.len() - dots.len(), "evaluation");
    others.points = dots;
    Lines {
        title: match sought.len() {
            2 => "Compromises between two aims".to_string(),
            aims => format!("Compromises: two of {aims} aims"),
        },
        x_title: across,
        x_ticks: Ticks::Values(shares[0]),
        panels: vec![Panel {
            heading: up,
            share: shares[1],
            wanted,
            lines: vec![others, compromises, origin],
            ..Panel::default()
        }],
        remarks,
        note: format!(
            "In the games of the search; shaded: what is wanted; outside the axes: {outside}. The \
             table `front` has all aims and compromises."
        ),
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
    let is_share = layout.is_share(first.metric);
    of_steps(&title(played, first), "at the best", is_share, rows, &idle)
}

/// Each target before and after the search, with its range: targets of one metric and range
/// together.
fn wanted(played: &Played) -> Multiples {
    let mut charts: IndexMap<String, Rows> = IndexMap::new();
    let is_alone = played.resolved.tables.len() == 1;
    for row in targets(played) {
        let (target, table, _) = row;
        let of = &played.resolved.tables[table];
        let share = of.table.layout().is_share(target.metric);
        let ends = start_and_best(played, &row);
        let sides = [ends.and_then(|of| of.start), ends.and_then(|of| of.best)].map(known);
        let range = [target.low, target.high].map(|edge| level(edge, sides[0]));
        let title = played.resolved.tables[target.tables[0]].table.layout();
        let title = title
            .metric(target.metric)
            .map_or(target.metric.name, |of| of.short());
        let mut of_row = vec![];
        of_row.extend((!is_alone).then(|| table_name(played, table)));
        let seat = target.metric.seat();
        of_row.extend(seat.map(|seat| seat_names(&of.seats)[seat].clone()));
        let lines = [(6, "start"), (0, "best")].into_iter().zip(sides);
        let line = |((seat, name), estimate): ((usize, &str), Option<Estimate>)| {
            Some(RowLine {
                name: name.to_string(),
                ..RowLine::of(seat, estimate?)
            })
        };
        let key = format!("{} {}", target.metric.name, wanted_range(played, row.0));
        let chart = charts.entry(key).or_insert_with(|| Rows {
            figures: Figures::of(share),
            ..Rows::differences(capitalized(title), "in games after the search", Vec::new())
        });
        let wanted = format!("wanted: {}", wanted_range(played, row.0));
        let (label, detail) = match of_row.join(", ") {
            empty if empty.is_empty() => (wanted, String::new()),
            label => (label, wanted),
        };
        chart.rows.push(Row {
            label,
            detail,
            lines: lines.filter_map(line).collect(),
            range: Some((range[0], range[1])),
            ..Row::default()
        });
    }
    Multiples {
        title: "Targets before and after the search".to_string(),
        charts: charts.into_values().collect(),
        note: "Shaded: the wanted range.".to_string(),
        table: "targets".to_string(),
    }
}

/// An estimate in its own unit, with a known error.
fn known(estimate: Option<Estimate>) -> Option<Estimate> {
    estimate.filter(|of| of.value.is_finite() && of.se.is_finite())
}

/// The value of an end of a range.
fn level(edge: Edge, start: Option<Estimate>) -> Option<f64> {
    match edge {
        Edge::Open => None,
        Edge::At(value) => Some(value),
        Edge::FromStart(shift) => Some(start?.value + shift),
    }
}
