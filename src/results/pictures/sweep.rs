//! The chart of a sweep: a curve over one axis, a heat map over two, a list of cells over more.

use crate::charts::Chart;
use crate::charts::differences::{Difference, Differences};
use crate::charts::heat_map::{BestOf, HeatCell, HeatMap, Mark};
use crate::charts::labels::capitalized;
use crate::charts::response::{Response, ResponsePoint};
use crate::game::Metric;
use crate::simulation::grid::PlayedGrid;
use crate::statistics::Estimate;
use crate::study::Path;

/// The chart of a sweep over `axes`, and its file name without ending. `cells` holds each cell's
/// value on every axis, the last axis changing fastest.
pub fn sweep(
    subtitle: &str,
    axes: &[(Path, Vec<String>)],
    cells: &[Vec<String>],
    unit: &str,
    metric: &Metric,
    played: &PlayedGrid,
) -> (&'static str, Box<dyn Chart>) {
    let subtitle = subtitle.to_string();
    let unit = unit.to_string();
    let title = capitalized(&unit);
    match axes {
        [(path, _)] => (
            "response",
            Box::new(Response {
                title,
                subtitle,
                axis: path.to_string(),
                unit,
                share: metric.proportion,
                joined: cells.iter().all(|at| at[0].parse::<f64>().is_ok()),
                points: points(cells, played).map(|(_, point)| point).collect(),
                best: points(cells, played).position(|(cell, _)| played.best[cell]),
            }),
        ),
        [(row_axis, rows), (column_axis, columns)] => (
            "heat_map",
            Box::new(HeatMap {
                title,
                subtitle,
                row_axis: row_axis.to_string(),
                column_axis: column_axis.to_string(),
                rows: rows.clone(),
                columns: columns.clone(),
                unit,
                share: metric.proportion,
                cells: (0..cells.len())
                    .map(|cell| heat_cell(cell, played))
                    .collect(),
                middle: None,
                best_of: match [row_axis, column_axis].map(Path::is_choice) {
                    [false, true] => BestOf::Rows,
                    [true, false] => BestOf::Columns,
                    _ => BestOf::All,
                },
            }),
        ),
        _ => (
            "cells",
            Box::new(listed(title, subtitle, axes, cells, metric, played)),
        ),
    }
}

/// The cells whose figure is known.
fn known(played: &PlayedGrid) -> impl Iterator<Item = (usize, Estimate)> {
    let estimates = played.estimates.iter().enumerate();
    estimates.filter_map(|(cell, estimate)| {
        let estimate = estimate.filter(|estimate| estimate.se.is_finite())?;
        Some((cell, estimate))
    })
}

fn points(
    cells: &[Vec<String>],
    played: &PlayedGrid,
) -> impl Iterator<Item = (usize, ResponsePoint)> {
    let numeric: Option<Vec<f64>> = cells.iter().map(|at| at[0].parse().ok()).collect();
    known(played).map(move |(cell, estimate)| {
        let point = ResponsePoint {
            label: cells[cell][0].clone(),
            at: numeric.as_ref().map_or(cell as f64, |at| at[cell]),
            estimate,
            tied: played.in_best_set[cell],
        };
        (cell, point)
    })
}

fn heat_cell(cell: usize, played: &PlayedGrid) -> Option<HeatCell> {
    let estimate = played.estimates[cell]?;
    Some(HeatCell {
        value: estimate.value,
        mark: match (played.best[cell], played.in_best_set[cell]) {
            (true, _) => Mark::Best,
            (_, true) => Mark::Tied,
            _ => Mark::None,
        },
    })
}

/// Most rows of a list.
const LISTED: usize = 30;

/// The best cells of a grid of many axes, or its first where none is better, beside the mean.
fn listed(
    title: String,
    subtitle: String,
    axes: &[(Path, Vec<String>)],
    cells: &[Vec<String>],
    metric: &Metric,
    played: &PlayedGrid,
) -> Differences {
    let mut shown: Vec<(usize, Estimate)> = known(played).collect();
    let mean = shown.iter().map(|(_, e)| e.value).sum::<f64>() / shown.len().max(1) as f64;
    if played.ranks() {
        shown.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    }
    shown.truncate(LISTED);
    let scale = if metric.proportion { 100.0 } else { 1.0 };
    let row = |&(cell, estimate): &(usize, Estimate)| Difference {
        label: match (played.best[cell], played.in_best_set[cell]) {
            (true, _) => format!("{} (best)", cells[cell].join(" · ")),
            (_, true) => format!("{} (as good)", cells[cell].join(" · ")),
            _ => cells[cell].join(" · "),
        },
        estimate: estimate.minus(mean).scaled(scale),
    };
    let paths: Vec<String> = axes.iter().map(|(path, _)| path.to_string()).collect();
    let points = if metric.proportion {
        "percentage points "
    } else {
        ""
    };
    Differences {
        title,
        subtitle: format!("{subtitle} · {}", paths.join(" · ")),
        axis: format!(
            "{points}more (right) or less (left) than the mean of all cells, with 95 % interval"
        ),
        rows: shown.iter().map(row).collect(),
    }
}
