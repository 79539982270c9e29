//! The charts of a sweep: a curve over one axis, a heat map over two, a list of cells over more.

use crate::charts::differences::{Difference, Differences};
use crate::charts::heat_map::{BestOf, HeatCell, HeatMap, Mark};
use crate::charts::labels::capitalized;
use crate::charts::response::{Response, ResponsePoint};
use crate::game::WIN_SHARE;
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::simulation::grid::PlayedGrid;
use crate::statistics::Estimate;
use crate::study::Path;
use crate::study::sweep::{Cell, Played, Resolved};

/// The charts of a sweep; `subtitle` says what was played.
pub fn sweep(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let Played { resolved, grid } = played;
    let subtitle = format!("{subtitle} · {}", opponents(resolved));
    let layout = resolved.first().table.layout();
    let unit = subject(resolved);
    let title = capitalized(&unit);
    let share = layout
        .metric(resolved.metric)
        .is_some_and(|metric| metric.proportion);
    let mut charts: Vec<NamedChart> = match resolved.axes.as_slice() {
        [(path, _)] => vec![(
            "response",
            Box::new(Response {
                title,
                subtitle: subtitle.clone(),
                axis: axis_name(path, resolved),
                unit,
                share,
                joined: numbers_on(played, 0).is_some(),
                points: points(played).map(|(_, point)| point).collect(),
                best: points(played).position(|(cell, _)| grid.best[cell]),
                level: equal_share(resolved),
            }),
        )],
        [(row_axis, rows), (column_axis, columns)] => vec![(
            "heat_map",
            Box::new(HeatMap {
                title,
                subtitle: subtitle.clone(),
                row_axis: axis_name(row_axis, resolved),
                column_axis: axis_name(column_axis, resolved),
                rows: rows.clone(),
                columns: columns.clone(),
                unit,
                share,
                cells: (0..resolved.cells.len())
                    .map(|cell| heat_cell(cell, grid))
                    .collect(),
                middle: None,
                best_of: match [row_axis, column_axis].map(Path::is_choice) {
                    [false, true] => BestOf::Rows,
                    [true, false] => BestOf::Columns,
                    _ => BestOf::All,
                },
            }),
        )],
        _ => vec![(
            "cells",
            Box::new(listed(title, subtitle.clone(), share, played)),
        )],
    };
    if grid.ranks() {
        let costs = costs(subtitle, share, played);
        charts.push(("cost", Box::new(costs)));
    }
    charts
}

/// What it costs to choose another cell than the best: the cells from the dearest to the cheapest.
fn costs(subtitle: String, share: bool, played: &Played) -> Differences {
    let Played { resolved, grid } = played;
    let known = grid.behind.iter().enumerate();
    let known = known.filter_map(|(cell, behind)| Some((cell, (*behind)?)));
    let mut known: Vec<(usize, Estimate)> = known
        .filter(|(cell, behind)| behind.se.is_finite() && !grid.best[*cell])
        .collect();
    known.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
    let more = known.len().saturating_sub(LISTED);
    known.truncate(LISTED);
    let scale = if share { -100.0 } else { -1.0 };
    let row = |&(cell, behind): &(usize, Estimate)| Difference {
        label: match grid.in_best_set[cell] {
            true => format!("{} (as good)", resolved.cells[cell].values.join(" · ")),
            false => resolved.cells[cell].values.join(" · "),
        },
        estimate: behind.scaled(scale),
    };
    let points = if share { "percentage points " } else { "" };
    let rest = match more {
        0 => String::new(),
        more => format!(", the {LISTED} cheapest mistakes ({more} more cost more)"),
    };
    Differences {
        title: "What a mistake costs".to_string(),
        subtitle,
        axis: format!("{points}less than the best, in the same games, with 95 % interval{rest}"),
        rows: known.iter().map(row).collect(),
    }
}

/// What is drawn, and of whom: `share of the wins of threshold (seat 1)`.
fn subject(resolved: &Resolved) -> String {
    let layout = resolved.first().table.layout();
    match resolved.metric.seat() {
        None => layout.title(resolved.metric),
        Some(seat) => {
            let meaning = layout.metric(resolved.metric).map(|metric| metric.meaning);
            let meaning = meaning.unwrap_or(resolved.metric.name);
            format!("{meaning} of {}", seated(seat + 1, resolved))
        }
    }
}

/// The bot at a seat (from 1): `threshold (seat 1)`, or `seat 1` where it varies.
fn seated(number: usize, resolved: &Resolved) -> String {
    let name = |cell: &Cell| Some(cell.resolved.seats.get(number - 1)?.strategy.name.clone());
    let mut names = resolved.cells.iter().map(name);
    let first = names.next().flatten();
    match first {
        Some(first) if names.all(|name| name.as_ref() == Some(&first)) => {
            format!("{first} (seat {number})")
        }
        _ => format!("seat {number}"),
    }
}

/// What varies, in words.
fn axis_name(path: &Path, resolved: &Resolved) -> String {
    match path {
        Path::Players => "number of players".to_string(),
        Path::Rules => "rules".to_string(),
        Path::RulesKey(keys) => keys.join("."),
        Path::Seat(seat) => format!("bot at seat {seat}"),
        Path::SeatParam(seat, param) => format!("{param} of {}", seated(*seat, resolved)),
        Path::AllParam(bot, param) => format!("{param} of every {bot}"),
    }
}

/// The most labels that a subtitle lists.
const LISTED_BOTS: usize = 7;

/// Whom the bot that is looked at meets, at the largest table.
fn opponents(resolved: &Resolved) -> String {
    let tables = resolved.cells.iter().map(|cell| &cell.resolved.seats);
    let seats = tables.max_by_key(|seats| seats.len());
    let own = resolved.metric.seat();
    let others = seats.into_iter().flatten().enumerate();
    let others: Vec<String> = others
        .filter(|(seat, _)| Some(*seat) != own)
        .map(|(_, seat)| seat.label())
        .collect();
    let word = if own.is_some() { "against" } else { "with" };
    match others.as_slice() {
        [] => "alone".to_string(),
        others if others.len() > LISTED_BOTS => format!("{word} {} others", others.len()),
        others => format!("{word} {}", others.join(", ")),
    }
}

/// The share of the wins that everybody would have, where that is drawn of tables of one size.
fn equal_share(resolved: &Resolved) -> Option<(f64, String)> {
    let players = resolved.first().seats.len();
    let cells = &resolved.cells;
    let same = cells
        .iter()
        .all(|cell| cell.resolved.seats.len() == players);
    let share = 1.0 / players as f64;
    (resolved.metric.name == WIN_SHARE && same)
        .then(|| (share, format!("equal share {}", percent(share, 1))))
}

/// The values on an axis as numbers, cell by cell, if all of them are.
fn numbers_on(played: &Played, axis: usize) -> Option<Vec<f64>> {
    let cells = played.resolved.cells.iter();
    cells.map(|cell| cell.values[axis].parse().ok()).collect()
}

/// The cells whose figure is known.
fn known(played: &PlayedGrid) -> impl Iterator<Item = (usize, Estimate)> {
    let estimates = played.estimates.iter().enumerate();
    estimates.filter_map(|(cell, estimate)| {
        let estimate = estimate.filter(|estimate| estimate.se.is_finite())?;
        Some((cell, estimate))
    })
}

fn points(played: &Played) -> impl Iterator<Item = (usize, ResponsePoint)> {
    let Played { resolved, grid } = played;
    let numbers = numbers_on(played, 0);
    known(grid).map(move |(cell, estimate)| {
        let point = ResponsePoint {
            label: resolved.cells[cell].values[0].clone(),
            at: numbers.as_ref().map_or(cell as f64, |at| at[cell]),
            estimate,
            tied: grid.in_best_set[cell],
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
fn listed(title: String, subtitle: String, share: bool, played: &Played) -> Differences {
    let Played { resolved, grid } = played;
    let mut shown: Vec<(usize, Estimate)> = known(grid).collect();
    let mean = shown.iter().map(|(_, e)| e.value).sum::<f64>() / shown.len().max(1) as f64;
    if grid.ranks() {
        shown.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    }
    shown.truncate(LISTED);
    let scale = if share { 100.0 } else { 1.0 };
    let row = |&(cell, estimate): &(usize, Estimate)| Difference {
        label: {
            let values = resolved.cells[cell].values.join(" · ");
            match (grid.best[cell], grid.in_best_set[cell]) {
                (true, _) => format!("{values} (best)"),
                (_, true) => format!("{values} (as good)"),
                _ => values,
            }
        },
        estimate: estimate.minus(mean).scaled(scale),
    };
    let paths: Vec<String> = (resolved.axes.iter())
        .map(|(path, _)| axis_name(path, resolved))
        .collect();
    let points = if share { "percentage points " } else { "" };
    Differences {
        title,
        subtitle: format!("{subtitle} · {}", paths.join(" · ")),
        axis: format!(
            "{points}more (right) or less (left) than the mean of all cells, with 95 % interval"
        ),
        rows: shown.iter().map(row).collect(),
    }
}
