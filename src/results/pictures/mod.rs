//! Which charts each kind of study has, and what each is drawn from.
//!
//! To add a chart to a kind of study: fill it in that kind's file here, under the name of its file.

mod adapt;
mod analyse;
mod compare;
mod scored;
mod simulate;
mod solve;
mod sweep;
mod tournament;
mod tune;

use super::NamedChart;
use crate::charts::Chart;
use crate::charts::labels::value_within;
use crate::figure::{Line, Lines, Panel, Row, RowLine, Ticks};
use crate::sheet::Sheet;
use crate::statistics::{Estimate, Unit};

pub use adapt::adapt;
pub use analyse::analyse;
pub use compare::{SIDES_MAX, compare, each};
pub use scored::scored;
pub use simulate::simulate;
pub use solve::solve;
pub use sweep::sweep;
pub use tournament::{tournament, tournament_sides};
pub use tune::tune;

/// A chart by the name of its file; `played` is the line below its title.
fn named(name: &'static str, played: impl Into<String>, chart: impl Chart + 'static) -> NamedChart {
    (name, played.into(), Box::new(chart))
}

/// An estimate of a sheet as charts show it, differences of shares in percentage points; none where
/// its error is not known.
fn estimate(sheet: &Sheet, column: &str, row: usize) -> Option<Estimate> {
    let estimate = sheet.column(column)?.estimate(row)?;
    let scale = match estimate.unit {
        Unit::Points => 100.0,
        Unit::Share | Unit::Amount => 1.0,
    };
    (estimate.se.is_finite()).then(|| estimate.scaled(scale))
}

fn shown(sheet: &Sheet, column: &str, row: usize) -> String {
    let column = sheet.column(column);
    column.map_or(String::new(), |column| column.shown(row))
}

/// Rows of a chart from rows of a sheet: those with the same label are lines of one row. Figures that
/// are not known are left out.
fn rows(
    sheet: &Sheet,
    order: impl IntoIterator<Item = usize>,
    label: &str,
    value: &str,
    line: impl Fn(usize, Estimate) -> RowLine,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for at in order {
        let Some(estimate) = estimate(sheet, value, at) else {
            continue;
        };
        let (label, line) = (shown(sheet, label, at), line(at, estimate));
        match rows.iter_mut().find(|row| row.label == label) {
            Some(row) => row.lines.push(line),
            None => rows.push(Row {
                label,
                lines: vec![line],
                ..Row::default()
            }),
        }
    }
    rows
}

/// A line of a row that has no others.
fn alone(_: usize, estimate: Estimate) -> RowLine {
    RowLine::of(0, estimate)
}

/// Lines over the numbers of games of a sheet, one for each label.
fn runs(sheet: &Sheet, label: &str, value: &str) -> Vec<Line> {
    let mut runs: Vec<Line> = Vec::new();
    for at in 0..sheet.height() {
        let games = sheet.column("games").and_then(|column| column.count(at));
        let (Some(games), Some(estimate)) = (games, estimate(sheet, value, at)) else {
            continue;
        };
        let label = shown(sheet, label, at);
        let point = (games as f64, estimate);
        match runs.iter_mut().find(|run| run.label == label) {
            Some(run) => run.points.push(point),
            None => runs.push(Line {
                label,
                seat: runs.len(),
                points: vec![point],
                ..Line::default()
            }),
        }
    }
    runs
}

/// Running estimates over games (`x_title`), each with its last value below its name.
fn running(title: &str, heading: &str, x_title: &str, share: bool, mut lines: Vec<Line>) -> Lines {
    for line in &mut lines {
        let last = line.points.last();
        line.detail = last.map_or(String::new(), |(_, last)| value_within(last, share));
    }
    Lines {
        title: title.to_string(),
        x_title: format!("{x_title} (logarithmic scale)"),
        x_ticks: Ticks::Logarithmic,
        panels: vec![Panel {
            heading: format!("{heading}, with 95 % band"),
            share,
            lines,
            ..Panel::default()
        }],
        ..Lines::default()
    }
}
