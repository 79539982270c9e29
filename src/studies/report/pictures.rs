//! Fills charts with estimates, for the reports of all kinds of study.

use super::NamedChart;
use super::words::equal_share;
use carat_charts::labels::value_within;
use carat_core::figure::{
    DensityRow, Figure, Figures, GridCell, Line, LineShape, Lines, Mark, Panel, Row, RowLine, Rows,
    Ticks,
};
use carat_core::statistics::{Estimate, Unit};
use indexmap::IndexMap;

/// An estimate as charts show it, differences of shares in percentage points; `None` if its error
/// is not known.
pub fn drawn(estimate: impl Into<Option<Estimate>>) -> Option<Estimate> {
    let estimate = estimate.into()?;
    let scale = match estimate.unit {
        Unit::Points => 100.0,
        Unit::Share | Unit::Amount => 1.0,
    };
    (estimate.se.is_finite()).then(|| estimate.scaled(scale))
}

/// Rows of a chart from labelled lines; those with the same label become lines of one row.
pub fn rows(lines: impl IntoIterator<Item = (String, RowLine)>) -> Vec<Row> {
    let mut all: IndexMap<String, Row> = IndexMap::new();
    for (label, line) in lines {
        all.entry(label).or_default().lines.push(line);
    }
    let all = all.into_iter();
    all.map(|(label, row)| Row { label, ..row }).collect()
}

/// Rows of one estimate each; those without an error are left out.
pub fn rows_of(estimates: impl IntoIterator<Item = (String, Estimate)>) -> Vec<Row> {
    let lines = estimates.into_iter();
    rows(lines.filter_map(|(label, of)| Some((label, RowLine::of(0, drawn(of)?)))))
}

/// The chart of the win shares of players, beside the share of equals.
pub fn of_shares(title: &str, axis: &str, players: usize, rows: Vec<Row>) -> Rows {
    Rows {
        figures: Figures::Shares,
        level: Some(equal_share(players)),
        ..Rows::differences(title, axis, rows)
    }
}

/// The name of a baseline, and the seat whose colour it has.
const BASELINE: &str = "baseline";
const OF_BASELINE: usize = 7;

/// Adds to charts what the same charts of another table show, where it is other.
pub fn add_baseline(charts: &mut [NamedChart], pinned: &[NamedChart]) {
    for chart in charts {
        let Some(other) = pinned.iter().find(|other| other.name == chart.name) else {
            continue;
        };
        match (&mut chart.figure, &other.figure) {
            (Figure::Rows(now), Figure::Rows(then)) => {
                let mut is_added = false;
                for row in &mut now.rows {
                    let same = |of: &&Row| of.label == row.label && of.group == row.group;
                    let then = then.rows.iter().find(same);
                    let lines = then.iter().flat_map(|row| &row.lines);
                    let lines = lines.filter(|line| !row.lines.contains(line));
                    let lines = lines.map(|line| RowLine {
                        seat: OF_BASELINE,
                        name: BASELINE.to_string(),
                        estimate: line.estimate,
                    });
                    let lines = Vec::from_iter(lines);
                    is_added |= !lines.is_empty();
                    row.lines.extend(lines);
                }
                if is_added && now.key.iter().all(String::is_empty) {
                    now.key = vec![String::new(); OF_BASELINE + 1];
                    now.key[OF_BASELINE] = BASELINE.to_string();
                }
            }
            (Figure::Density(now), Figure::Density(then)) => {
                let rows = then.rows.iter().filter(|row| !now.rows.contains(row));
                let rows = rows.map(|row| DensityRow {
                    label: format!("{BASELINE}: {}", row.label),
                    games: row.games.clone(),
                });
                let rows = Vec::from_iter(rows);
                now.rows.extend(rows);
            }
            (Figure::Lines(now), Figure::Lines(then)) => {
                for (now, then) in now.panels.iter_mut().zip(&then.panels) {
                    let lines = then.lines.iter().filter(|line| !now.lines.contains(line));
                    let lines = lines.map(|line| Line {
                        label: format!("{BASELINE}: {}", line.label),
                        detail: String::new(),
                        seat: OF_BASELINE,
                        shape: LineShape::Dots,
                        ..line.clone()
                    });
                    let lines = Vec::from_iter(lines);
                    now.lines.extend(lines);
                }
            }
            _ => {}
        }
    }
}

/// The largest difference of a row of a chart, whatever its sign.
pub fn size(row: &Row) -> f64 {
    let sizes = row.lines.iter().map(|line| line.estimate.value.abs());
    sizes.fold(0.0, f64::max)
}

/// One number one step down or up, and what that changes.
pub struct Step {
    pub number: String,
    /// A remark on the number, such as its value before.
    pub detail: String,
    pub is_down: bool,
    pub to: String,
    pub difference: Option<Estimate>,
}

/// The chart rows of steps, number by number in this order, and the numbers without any effect.
pub fn steps(steps: &[Step]) -> (Vec<Row>, Vec<String>) {
    let line = |step: &Step| {
        let way = if step.is_down { "down" } else { "up" };
        let line = RowLine {
            seat: usize::from(step.is_down),
            name: format!("{way} to {}", step.to),
            estimate: drawn(step.difference)?,
        };
        Some((step.number.clone(), line))
    };
    let (mut shown, mut idle) = (Vec::new(), Vec::new());
    for mut row in rows(steps.iter().filter_map(line)) {
        let mut own = steps.iter().filter(|step| step.number == row.label);
        row.detail = own.next().map_or(String::new(), |step| step.detail.clone());
        let none = |step: &RowLine| step.estimate.low == 0.0 && step.estimate.high == 0.0;
        if row.lines.iter().all(none) {
            idle.push(row.label);
        } else {
            row.lines.truncate(8);
            shown.push(row);
        }
    }
    (shown, idle)
}

/// `idle` are numbers without any effect.
pub fn of_steps(
    title: &str,
    than: &str,
    is_share: bool,
    rows: Vec<Row>,
    idle: &[String],
) -> Figure {
    let mut axis = format!("more (right) or less (left) than {than}");
    if is_share {
        axis += ", in percentage points";
    }
    Figure::Rows(Rows {
        figures: Figures::Changes,
        note: match idle {
            [] => String::new(),
            idle => format!("Steps without any effect: {}.", idle.join(", ")),
        },
        ..Rows::differences(
            format!("Effect of one step: {title}"),
            axis + ", with 95 % interval",
            rows,
        )
    })
}

/// A cell of a map; none where the value is not known.
pub fn cell(estimate: Option<Estimate>, mark: Mark) -> Option<GridCell> {
    let estimate = estimate?;
    Some(GridCell {
        value: estimate.value,
        within: (estimate.se.is_finite()).then(|| estimate.half_width()),
        mark,
    })
}

/// A line over numbers of games.
pub fn run<E: Into<Option<Estimate>>>(
    label: &str,
    seat: usize,
    points: impl IntoIterator<Item = (u64, E)>,
) -> Line {
    let points = points.into_iter();
    Line {
        label: label.to_string(),
        seat,
        points: points
            .filter_map(|(games, estimate)| Some((games as f64, drawn(estimate)?)))
            .collect(),
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

pub fn all(played: &str, figures: Vec<(&str, Figure)>) -> Vec<NamedChart> {
    let figures = figures.into_iter();
    Vec::from_iter(figures.map(|(name, figure)| NamedChart::new(name, played, figure)))
}
