//! The report of a sweep: every cell with its metric, and which may be the best.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::tables;
use super::text::{self, View, known};
use super::words::valued;
use crate::charts::labels::capitalized;
use crate::diagnostic::counted;
use crate::numbers;
use crate::sheet::Sheet;
use crate::simulation::Goal;
use crate::strategy::Seat;
use crate::study::Path;
use crate::study::sweep::Played;

/// The report of a sweep.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let resolved = &played.resolved;
    let headline = headline(played);
    Report {
        summary: summary(played),
        sheets: sheets(played),
        charts: pictures::sweep(&headline, played),
        files: Vec::new(),
        views: words(&headline, played),
        game: resolved.first().game,
        manifest,
    }
}

fn sheets(played: &Played) -> Vec<Sheet> {
    let resolved = &played.resolved;
    let mut seats = Vec::new();
    let mut of_table = Vec::new();
    for (cell, tally) in resolved.cells.iter().zip(&played.grid.tallies) {
        let layout = cell.resolved.table.layout();
        seats.push(tables::seats(layout, &cell.resolved.seats, tally));
        of_table.push(tables::table(layout, tally));
    }
    let cells = resolved.cells.iter();
    let column = |axis: usize| {
        cells
            .clone()
            .map(|cell| cell.values[axis].clone())
            .collect()
    };
    let paths = resolved
        .axes
        .iter()
        .map(|(path, _)| path.to_string())
        .enumerate();
    let columns: Vec<(String, Vec<String>)> =
        paths.map(|(axis, path)| (path, column(axis))).collect();
    let heights: Vec<usize> = seats.iter().map(Sheet::height).collect();
    let mut of_seats = tables::cells("cells", "one row per cell and seat", &columns, seats);
    if played.grid.ranks() {
        tables::ranked(&mut of_seats, &heights, &played.grid);
    }
    vec![
        of_seats,
        tables::cells(
            "cells_table",
            "one row per cell and metric of the table",
            &columns,
            of_table,
        ),
    ]
}

/// What is played, but for what varies.
fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let first = resolved.first();
    let varies = |path: Path| resolved.axes.iter().any(|(axis, _)| *axis == path);
    let mut parts: Vec<String> = first.study.title.clone().into_iter().collect();
    parts.push(first.game.title.to_string());
    if !varies(Path::Rules) {
        parts.push(first.study.rules.clone().unwrap_or_default());
    }
    if !varies(Path::Players) {
        parts.push(match first.seats.len() {
            1 => "1 player".to_string(),
            players => format!("{players} players"),
        });
    }
    let games = played.grid.tallies.iter().map(|tally| tally.games);
    let (least, most) = (games.clone().min().unwrap_or(0), games.max().unwrap_or(0));
    parts.push(if least == most {
        format!("{} each", numbers::games(most))
    } else {
        format!(
            "{} to {} games each",
            numbers::count(least),
            numbers::count(most)
        )
    });
    parts.join(" · ")
}

/// Who sits at the table, the largest where the number of players varies.
fn seated(played: &Played) -> String {
    let Played { resolved, .. } = played;
    let cells = resolved.cells.iter();
    let seats = cells
        .map(|cell| &cell.resolved.seats)
        .max_by_key(|seats| seats.len());
    let paths = || resolved.axes.iter().map(|(path, _)| path);
    let name = |(number, seat): (usize, &Seat)| {
        let name = &seat.strategy.name;
        if paths().any(|path| path.changes_seat(number, name)) {
            format!("{number} {name} (varies)")
        } else {
            format!("{number} {}", seat.label())
        }
    };
    let seats = seats.into_iter().flatten();
    let names: Vec<String> = (1..).zip(seats).map(name).collect();
    format!("seats: {}", names.join(", "))
}

/// Best cells that a summary tells.
const TOLD: usize = 8;

/// What is best, under each condition; or from where to where the figure goes.
fn summary(played: &Played) -> String {
    let Played { resolved, grid } = played;
    let title = resolved.first().table.layout().title(resolved.metric);
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    let values = |cell: usize, choice: bool| {
        let axes = resolved.axes.iter().zip(&resolved.cells[cell].values);
        let own = axes.filter(|((path, _), _)| resolved.is_choice(path) == choice);
        let values = own.map(|((path, _), value)| valued(path, value, &paths));
        values.collect::<Vec<_>>().join(" and ")
    };
    let known = |cell: &usize| grid.estimates[*cell].is_some();
    let best = (0..grid.best.len()).filter(|cell| grid.best[*cell] && grid.ranks());
    let mut best: Vec<usize> = best.filter(known).collect();
    if best.is_empty() {
        let mut cells: Vec<usize> = (0..resolved.cells.len()).filter(known).collect();
        let value = |cell: usize| grid.estimates[cell].map_or(0.0, |estimate| estimate.value);
        cells.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (Some(low), Some(high)) = (cells.first(), cells.last()) else {
            return String::new();
        };
        let told = |cell: usize| {
            format!(
                "{} with {}",
                text::known(grid.estimates[cell]),
                values(cell, false)
            )
        };
        let [least, most] = [*low, *high].map(|cell| grid.estimates[cell]);
        let alike = least
            .zip(most)
            .is_some_and(|(least, most)| least.high >= most.low);
        let remark = if alike {
            ", which is within their uncertainty"
        } else {
            ""
        };
        let title = capitalized(&title);
        return format!("{title}: from {} to {}{remark}.", told(*low), told(*high));
    }
    let families = resolved.families();
    best.sort_by_key(|&cell| families[cell]);
    let told = best.iter().take(TOLD).map(|&cell| {
        let own = (0..grid.best.len()).filter(|other| families[*other] == families[cell]);
        let tied = own
            .filter(|other| grid.in_best_set[*other] && *other != cell)
            .count();
        let condition = match values(cell, false).as_str() {
            "" => String::new(),
            condition => format!(" with {condition}"),
        };
        let alike = match tied {
            0 => String::new(),
            1 => ", 1 other cannot be told from it".to_string(),
            tied => format!(", {tied} others cannot be told from it"),
        };
        let value = text::known(grid.estimates[cell]);
        format!("{}{condition} ({value}{alike})", values(cell, true))
    });
    let told: Vec<String> = told.collect();
    let more = match best.len() - told.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("For the {title} the best is {}{more}.", told.join("; "))
}

/// Every cell with its figure, and what the best is.
fn words(headline: &str, played: &Played) -> Vec<View> {
    let Played { resolved, grid } = played;
    let layout = resolved.first().table.layout();
    let title = layout.title(resolved.metric);
    let paths = resolved.axes.iter().map(|(path, _)| path);
    let names: Vec<String> = paths.clone().map(Path::to_string).collect();
    let mut header: Vec<&str> = names.iter().map(String::as_str).collect();
    header.extend([title.as_str(), ""]);
    let rows = resolved.cells.iter().enumerate().map(|(index, cell)| {
        let mut row = cell.values.clone();
        row.push(known(grid.estimates[index]));
        row.push(match (grid.best[index], grid.in_best_set[index]) {
            (true, _) => "best".to_string(),
            (_, true) => "statistically tied".to_string(),
            _ => String::new(),
        });
        row
    });
    let cells = resolved.cells.len();
    let mut blocks = vec![
        View::text(format!(
            "{headline} · {cells} {}\n{}",
            if cells == 1 { "cell" } else { "cells" },
            seated(played)
        )),
        View::table(&header, rows.collect()),
    ];
    let mut remarks = Vec::new();
    let conditions = paths.filter(|path| !resolved.is_choice(path));
    let conditions: Vec<String> = conditions.map(Path::to_string).collect();
    if grid.ranks() {
        remarks.push(match conditions.as_slice() {
            [] => "With 95 % probability the true best is among those marked.".to_string(),
            conditions => format!(
                "With 95 % probability the true best for each value of {} is among those marked.",
                conditions.join(" and ")
            ),
        });
    }
    let impossible = resolved.left_out.len();
    if impossible > 0 {
        let cells = counted(impossible, "cell");
        remarks.push(format!("Left out, as their rules are impossible: {cells}."));
    }
    if let Goal::Precision { .. } = resolved.first().goal {
        let games = grid.tallies.iter().map(|tally| u128::from(tally.games));
        let most = grid.tallies.iter().map(|tally| tally.games).max();
        let all = u128::from(most.unwrap_or(0)) * cells as u128;
        let saved = 100.0 * (1.0 - games.sum::<u128>() as f64 / all.max(1) as f64);
        if saved >= 1.0 {
            remarks.push(format!(
                "Cells that were clearly worse stopped early, which saved {saved:.0} % of the games."
            ));
        }
    }
    if !remarks.is_empty() {
        blocks.push(View::text(remarks.join("\n")));
    }
    blocks
}
