//! The report of a sweep: every cell with its metric, and which may be the best.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::tables;
use super::text::View;
use crate::charts::labels::capitalized;
use crate::diagnostic::counted;
use crate::numbers;
use crate::sheet::Sheet;
use crate::simulation::Goal;
use crate::strategy::Seat;
use crate::study::Path;
use crate::study::sweep::{Played, Resolved};

pub fn report(played: &Played, manifest: Manifest) -> Report {
    let headline = headline(played);
    let seated = seated(played);
    let sheets = sheets(played);
    let plateau = plateau(&played.resolved, &sheets[0]);
    let best = summary(played, &sheets[0]);
    let summary = match &plateau {
        Some(plateau) => format!("{best}\n{plateau}"),
        None => best,
    };
    let subtitle = format!("{headline} · {seated}");
    let cells = counted(played.resolved.cells.len(), "cell");
    let head = format!("{headline} · {cells}\n{seated}");
    Report {
        charts: pictures::sweep(&subtitle, &played.resolved, &sheets[0], plateau.as_deref()),
        files: Vec::new(),
        views: views(head, &summary, played, &sheets[0]),
        summary,
        sheets,
        game: played.resolved.first().game,
        manifest,
    }
}

fn sheets(played: &Played) -> Vec<Sheet> {
    let Played { resolved, grid } = played;
    let mut seats = Vec::new();
    let mut of_table = Vec::new();
    for (cell, tally) in resolved.cells.iter().zip(&grid.tallies) {
        let layout = cell.resolved.table.layout();
        seats.push(tables::seats(layout, &cell.resolved.seats, tally));
        of_table.push(tables::table(layout, tally));
    }
    let mut columns = Vec::new();
    for (axis, (path, _)) in resolved.axes.iter().enumerate() {
        let values = resolved.cells.iter().map(|cell| cell.values[axis].clone());
        columns.push((path.to_string(), values.collect::<Vec<_>>()));
    }
    let heights: Vec<usize> = seats.iter().map(Sheet::height).collect();
    let mut of_seats = tables::cells("cells", "one row per cell and seat", &columns, seats);
    tables::ranked(&mut of_seats, &heights, played);
    let rows = "one row per cell and metric of the table";
    vec![
        of_seats,
        tables::cells("cells_table", rows, &columns, of_table),
    ]
}

/// What is played, but for what varies.
fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let first = resolved.first();
    let varies = |path: Path| resolved.axes.iter().any(|(axis, _)| *axis == path);
    let mut parts: Vec<String> = first.study.head.title.clone().into_iter().collect();
    parts.push(first.game.title.to_string());
    if !varies(Path::Rules) {
        parts.push(first.spec.rules.clone().unwrap_or_default());
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
            format!("{number} {}", seat.called())
        }
    };
    let seats = seats.into_iter().flatten();
    let names: Vec<String> = (1..).zip(seats).map(name).collect();
    format!("seats: {}", names.join(", "))
}

/// Best cells that a summary names.
const NAMED: usize = 8;

/// What is best, under each condition; or from where to where the figure goes.
fn summary(played: &Played, sheet: &Sheet) -> String {
    let resolved = &played.resolved;
    let title = resolved.first().table.layout().title(resolved.metric);
    let shown = |column: &str, row: usize| sheet.shown(column, row);
    let mut known = Vec::new();
    for row in tables::cell_rows(sheet) {
        let figure = sheet.estimate(tables::FIGURE, row);
        known.extend(figure.map(|figure| (row, figure)));
    }
    if !played.grid.ranks() {
        known.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        let (Some((low, least)), Some((high, most))) = (known.first(), known.last()) else {
            return String::new();
        };
        let verdict = if least.high >= most.low {
            ", within their margins of error; a comparison of both is sharper"
        } else {
            ""
        };
        let [low, high] = [low, high].map(|row| shown(tables::CELL, *row));
        let title = capitalized(&title);
        return format!("{title}: from {least} with {low} to {most} with {high}{verdict}.");
    }
    let marked = |mark: &str| {
        let rows = known.iter().map(|(row, _)| *row);
        let rows: Vec<usize> = rows
            .filter(|row| shown(tables::MARK, *row) == mark)
            .collect();
        rows
    };
    let (best, tied) = (marked(tables::BEST), marked(tables::TIED));
    let mut named = Vec::new();
    for &row in best.iter().take(NAMED) {
        let condition = shown(tables::CONDITION, row);
        let own = tied.iter();
        let own = own.filter(|tied| shown(tables::CONDITION, **tied) == condition);
        let tied = match own.count() {
            0 => String::new(),
            tied => format!(", {tied} statistically tied"),
        };
        let (cell, figure) = (shown(tables::CELL, row), shown(tables::FIGURE, row));
        named.push(format!("{cell} ({figure}{tied})"));
    }
    if best.len() > NAMED {
        named.push(format!("and {} more", best.len() - NAMED));
    }
    format!("For the {title} the best is {}.", named.join("; "))
}

/// Where a curve over rising numbers flattens out: beyond the first of those that may be the best, no
/// value is significantly better.
fn plateau(resolved: &Resolved, sheet: &Sheet) -> Option<String> {
    let [_] = resolved.axes.as_slice() else {
        return None;
    };
    let cells = resolved.cells.iter();
    let numbers = cells.map(|cell| cell.values[0].parse::<f64>().ok());
    let numbers = numbers.collect::<Option<Vec<f64>>>()?;
    if numbers.len() < 3 || !numbers.is_sorted() {
        return None;
    }
    let mut rows = tables::cell_rows(sheet).into_iter().enumerate();
    let (first, row) = rows.find(|(_, row)| !sheet.shown(tables::MARK, *row).is_empty())?;
    let cell = sheet.shown(tables::CELL, row);
    Some(if first + 1 == numbers.len() {
        format!(
            "All values before {cell} are significantly worse; larger ones may be better still."
        )
    } else {
        format!("No value beyond {cell} is significantly better.")
    })
}

/// Every cell with its figure, and what the best is.
fn views(head: String, summary: &str, played: &Played, sheet: &Sheet) -> Vec<View> {
    let Played { resolved, grid } = played;
    let title = resolved.first().table.layout().title(resolved.metric);
    let mut columns = String::new();
    for (path, _) in &resolved.axes {
        columns += &format!("{path} | ");
    }
    columns += &format!("{}: {title} | {}: ", tables::FIGURE, tables::MARK);
    let rows = tables::cell_rows(sheet);
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows(&sheet.name, &columns, rows));
    let mut remarks = vec![summary.to_string()];
    if grid.ranks() {
        let mut of = String::new();
        for (path, _) in &resolved.axes {
            if !resolved.is_choice(path) {
                let before = if of.is_empty() {
                    " for each value of"
                } else {
                    " and"
                };
                of += &format!("{before} {path}");
            }
        }
        remarks.push(format!(
            "With 95 % probability the true best{of} is among those marked."
        ));
    }
    if !resolved.left_out.is_empty() {
        let cells = counted(resolved.left_out.len(), "cell");
        remarks.push(format!("Left out, as their rules are impossible: {cells}."));
    }
    if let Goal::Precision { .. } = resolved.first().goal {
        let games = grid.tallies.iter().map(|tally| u128::from(tally.games));
        let most = grid.tallies.iter().map(|tally| tally.games).max();
        let all = u128::from(most.unwrap_or(0)) * resolved.cells.len() as u128;
        let saved = 100.0 * (1.0 - games.sum::<u128>() as f64 / all.max(1) as f64);
        if saved >= 1.0 {
            remarks.push(format!(
                "Cells that were clearly worse stopped early, which saved {saved:.0} % of the games."
            ));
        }
    }
    views.push(View::text(remarks.join("\n")));
    views
}
