//! Fills charts from named columns of sheets, for the reports of all kinds of study.

use super::NamedChart;
use super::words::equal_share;
use carat_charts::labels::value_within;
use carat_core::figure::{
    Figure, Figures, GridCell, Line, Lines, Mark, Panel, Row, RowLine, Rows, Ticks,
};
use carat_core::sheet::Sheet;
use carat_core::statistics::{Estimate, Unit};
use indexmap::IndexMap;

/// An estimate of a sheet for a chart, differences of shares in percentage points; `None` if its
/// error is not known.
pub fn estimate(sheet: &Sheet, column: &str, row: usize) -> Option<Estimate> {
    let estimate = sheet.estimate(column, row)?;
    let scale = match estimate.unit {
        Unit::Points => 100.0,
        Unit::Share | Unit::Amount => 1.0,
    };
    (estimate.se.is_finite()).then(|| estimate.scaled(scale))
}

/// Rows of a chart from rows of a sheet; rows with the same label become lines of one row. The column
/// `value` is of estimates; rows without one are left out.
pub fn rows(
    sheet: &Sheet,
    order: impl IntoIterator<Item = usize>,
    label: &str,
    value: &str,
    line: impl Fn(usize, Estimate) -> RowLine,
) -> Vec<Row> {
    let mut all: IndexMap<String, Vec<RowLine>> = IndexMap::new();
    for at in order {
        if let Some(estimate) = estimate(sheet, value, at) {
            let lines = all.entry(sheet.shown(label, at)).or_default();
            lines.push(line(at, estimate));
        }
    }
    let row = |(label, lines)| Row {
        label,
        lines,
        ..Row::default()
    };
    all.into_iter().map(row).collect()
}

/// A row with a single line.
pub fn alone(_: usize, estimate: Estimate) -> RowLine {
    RowLine::of(0, estimate)
}

/// The chart of the win shares of players, beside the share of equals.
pub fn of_shares(title: &str, axis: &str, players: usize, rows: Vec<Row>) -> Rows {
    Rows {
        figures: Figures::Shares,
        level: Some(equal_share(players)),
        ..Rows::differences(title, axis, rows)
    }
}

/// The largest difference of a row of a chart, whatever its sign.
pub fn size(row: &Row) -> f64 {
    let sizes = row.lines.iter().map(|line| line.estimate.value.abs());
    sizes.fold(0.0, f64::max)
}

/// The chart rows of steps, the most important number first, and the numbers without any effect.
/// The rows of a sheet with ranks are in this order. The sheet has a column `step`; the others are
/// of the number's name and of the value before, with its heading.
pub fn steps(
    sheet: &Sheet,
    order: &[usize],
    number: &str,
    now: (&str, &str),
) -> (Vec<Row>, Vec<String>) {
    let (column, word) = now;
    let (mut drawn, mut idle) = (Vec::new(), Vec::new());
    let step = |at: usize, estimate| {
        let name = sheet.shown("step", at);
        RowLine {
            seat: usize::from(name.starts_with("down")),
            name,
            estimate,
        }
    };
    for mut row in rows(sheet, order.iter().copied(), number, "difference", step) {
        let mut own = order.iter().copied();
        let at = own.find(|at| sheet.shown(number, *at) == row.label);
        let at = at.unwrap_or(0);
        row.detail = format!("{word} {}", sheet.shown(column, at));
        if sheet.column("rank").is_some() {
            row.detail += &format!(" · rank {}", sheet.shown("rank", at));
        }
        let none = |step: &RowLine| step.estimate.low == 0.0 && step.estimate.high == 0.0;
        if row.lines.iter().all(none) {
            idle.push(row.label);
        } else {
            row.lines.truncate(8);
            drawn.push(row);
        }
    }
    if sheet.column("rank").is_none() {
        drawn.sort_by(|a, b| size(b).total_cmp(&size(a)));
    }
    (drawn, idle)
}

pub fn of_steps(title: &str, than: &str, is_share: bool, rows: Vec<Row>, note: String) -> Figure {
    let mut axis = format!("more (right) or less (left) than {than}");
    if is_share {
        axis += ", in percentage points";
    }
    Figure::Rows(Rows {
        figures: Figures::Changes,
        note,
        ..Rows::differences(
            format!("Effect of one step: {title}"),
            axis + ", with 95 % interval",
            rows,
        )
    })
}

/// A cell of a map from a row of a sheet, with its comparison with the best from column `mark`.
pub fn cell(sheet: &Sheet, value: &str, mark: &str, row: usize) -> Option<GridCell> {
    let estimate = sheet.estimate(value, row)?;
    Some(GridCell {
        value: estimate.value,
        within: (estimate.se.is_finite()).then(|| estimate.half_width()),
        mark: match sheet.shown(mark, row).as_str() {
            "" => Mark::None,
            "best" => Mark::Best,
            _ => Mark::Tied,
        },
    })
}

/// A line over the numbers of games of these rows of a sheet.
pub fn run(
    sheet: &Sheet,
    rows: impl IntoIterator<Item = usize>,
    label: &str,
    seat: usize,
    value: &str,
) -> Line {
    let point = |row| {
        let games = sheet.count("games", row)? as f64;
        Some((games, estimate(sheet, value, row)?))
    };
    Line {
        label: label.to_string(),
        seat,
        points: rows.into_iter().filter_map(point).collect(),
        ..Line::default()
    }
}

/// Running estimates over games (`x_title`), each with its last value below its name.
pub fn running(
    title: &str,
    heading: &str,
    x_title: &str,
    share: bool,
    mut lines: Vec<Line>,
) -> Lines {
    for line in &mut lines {
        let last = line.points.last();
        line.detail = last.map_or(String::new(), |(_, last)| value_within(last, share));
    }
    Lines {
        title: title.to_string(),
        x_title: x_title.to_string(),
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

/// The rows of each bot, in this order, in a sheet that has all bots of each side after the other.
pub fn by_side(bots: &[usize], sides: usize) -> Vec<usize> {
    let rows = |bot| (0..sides).map(move |side| side * bots.len() + bot);
    bots.iter().flat_map(rows).collect()
}

/// A chart of each figure by its name, with its subtitle.
pub fn all(played: &str, figures: Vec<(&str, Figure)>) -> Vec<NamedChart> {
    let figures = figures.into_iter();
    Vec::from_iter(figures.map(|(name, figure)| NamedChart::new(name, played, figure)))
}
