//! The report of a sweep: the metric of every cell, and the cells that may be the best.

mod charts;

use self::charts::charts;
use super::contents::Contents;
use super::tables::{IN_BEST_SET, MetricRow, Seats, meanings, metric_rows, seat_rows};
use super::text::View;
use super::words::{axis_name, holds_for, valued};
use crate::study::Path;
use crate::study::sweep::{Played, Resolved};
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::figure::Mark;
use carat_core::game::{MetricRef, Seating, copies};
use carat_core::numbers;
use carat_core::sheet::{Columns, Sheet};
use carat_core::simulation::Goal;
use carat_core::statistics::Estimate;
use carat_core::{columns, heads};

pub fn content(played: &Played) -> Contents {
    let headline = headline(played);
    let seats = seated(played, true);
    let mut summary = summary(played);
    let plateau = plateau(played);
    summary.extend(plateau.map(|plateau| format!("\n{plateau}")));
    summary += &holds_for(&seated(played, false));
    let subtitle = format!("{headline} · {seats}");
    let cells = counted(played.resolved.arms.len(), "cell");
    let head = format!("{headline} · {cells}\nseats: {seats}");
    Contents {
        charts: charts(&subtitle, played),
        views: views(head, played),
        summary,
        sheets: vec![cells_of(played), cells_table(played)],
        ..Contents::default()
    }
}

columns! {
    /// The seats of all cells: the columns of [`Seats`] come after the paths.
    pub Cells<'a>(of: Played, row: (usize, bool)) "cells", "one row per cell and seat";
    PATH: written("PATH", "value of the path in this cell"), for axis in axis_columns(of)
        => Some(&of.resolved.arms[row.0].values[axis]);
    BEST: truth("best", "whether the cell has the highest value of the ranked metric"),
        if of.grid.ranks() => of.grid.best[row.0];
    IN_BEST_SET: truth("in_best_set", IN_BEST_SET), if of.grid.ranks() => of.grid.in_best_set[row.0];
    BEHIND: estimates("behind_best", "lead of the best cell over this one, in the games that both \
        played; the interval allows for another cell being the best"), if of.grid.ranks() => of.grid.behind[row.0];
    FIGURE: figures("figure", "") => of.grid.estimates[row.0];
    OTHER: figures("OTHER", ""), for metric in others(of) => of.estimate(row.0, metric);
    // Of the cell's first row.
    MARK: label("mark", "") => if row.1 { mark(of, row.0) } else { Mark::None };
}

columns! {
    pub CellsTable<'a>(of: Played, row: (usize, MetricRow<'a>)) "cells_table", "one row per cell and metric of the table";
    PATH: written("PATH", "value of the path in this cell"), for axis in axis_columns(of)
        => Some(&of.resolved.arms[row.0].values[axis]);
    METRIC: text("metric", "the metric") => row.1.0;
    VALUE: estimates("value", "estimate of the metric") => row.1.1;
}

fn axis_columns(played: &Played) -> impl Iterator<Item = (usize, String, String)> {
    let axes = played.resolved.axes.iter().enumerate();
    axes.map(|(axis, (path, _))| {
        let meaning = format!("value of {path} in this cell");
        (axis, path.to_string(), meaning)
    })
}

/// The metrics beside the first.
fn others(played: &Played) -> impl Iterator<Item = (MetricRef, String, String)> {
    let others = played.resolved.metrics.iter().skip(1);
    others.map(|of| (*of, format!("also {of}"), String::new()))
}

impl Played {
    fn estimate(&self, cell: usize, metric: MetricRef) -> Option<Estimate> {
        if metric == self.resolved.metric() {
            return self.grid.estimates[cell];
        }
        self.grid.tallies[cell].estimate(self.resolved.arms[cell].layout(), metric)
    }
}

fn cells_of(played: &Played) -> Sheet {
    let Played { resolved, grid, .. } = played;
    let (mut rows, mut seats) = (Vec::new(), Vec::new());
    for (number, (cell, tally)) in resolved.arms.iter().zip(&grid.tallies).enumerate() {
        let layout = cell.layout();
        seats.extend(seat_rows(layout, &cell.seated.seats, tally, Seating::Fixed));
        rows.extend((0..layout.seats).map(|seat| (number, seat == 0)));
    }
    let mut cells = Cells::sheet(played, rows);
    let seats = Seats::sheet(&resolved.first().table.layout(), seats);
    let after = resolved.axes.len();
    cells.columns.splice(after..after, seats.columns);
    cells
}

fn cells_table(played: &Played) -> Sheet {
    let mut rows = Vec::new();
    let cells = played.resolved.arms.iter().zip(&played.grid.tallies);
    for (number, (cell, tally)) in cells.enumerate() {
        let metrics = metric_rows(cell.layout(), tally);
        rows.extend(metrics.into_iter().map(|row| (number, row)));
    }
    CellsTable::sheet(played, rows)
}

/// The place of a cell in the race.
fn mark(played: &Played, cell: usize) -> Mark {
    let grid = &played.grid;
    Mark::of(grid.best[cell], grid.in_best_set[cell])
}

/// A cell in words: all its values, or those of its choices or of its conditions.
fn cell_words(resolved: &Resolved, cell: usize, choices: Option<bool>) -> String {
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    let has_choice = paths.iter().any(|path| resolved.is_choice(path));
    let mut words = Vec::new();
    for (path, value) in paths.iter().zip(&resolved.arms[cell].values) {
        if choices.is_none_or(|choices| choices == (!has_choice || resolved.is_choice(path))) {
            words.push(valued(path, value, &paths));
        }
    }
    words.join(" · ")
}

/// The study's game, rules and players, without those that vary.
fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let first = resolved.first();
    let varies = |path: Path| resolved.axes.iter().any(|(axis, _)| *axis == path);
    let mut parts: Vec<String> = resolved.study.head.title.clone().into_iter().collect();
    parts.push(first.game.title.to_string());
    if !varies(Path::Rules) {
        parts.push(first.spec.rules.clone().unwrap_or_default());
    }
    if !varies(Path::Players) {
        parts.push(counted(first.seats.len(), "player"));
    }
    let games = played.grid.tallies.iter().map(|tally| tally.games);
    let (least, most) = (games.clone().min().unwrap_or(0), games.max().unwrap_or(0));
    let mut games = numbers::games(most);
    if least < most {
        games = format!("{} to {games}", numbers::count(least));
    }
    parts.push(format!("{games} each"));
    parts.join(" · ")
}

/// The bots at the table; at the largest, if the number of players varies.
fn seated(played: &Played, with_varied: bool) -> String {
    let Resolved { arms, axes, .. } = &played.resolved;
    let lists = [Path::Seats, Path::Others];
    if axes.iter().any(|(path, _)| lists.contains(path)) {
        return if with_varied { "the bots vary" } else { "" }.to_string();
    }
    let tables = arms.iter().map(|arm| &arm.seated);
    let largest = tables.max_by_key(|table| table.seats.len());
    let mut names = Vec::new();
    let Some(largest) = largest else {
        return String::new();
    };
    for of in copies(&largest.seats, largest.spec.seating) {
        let bot = &largest.seats[of.seats[0]].strategy.name;
        let varies = |seat: &usize| {
            let mut axes = axes.iter();
            axes.any(|(path, _)| path.changes_seat(seat + 1, bot))
        };
        if !of.seats.iter().any(varies) {
            let varies = axes.iter().any(|(path, _)| *path == Path::Players);
            let called = largest.seats[of.seats[0]].called();
            names.push(if varies && of.seats.len() > 1 {
                called
            } else {
                of.name
            });
        } else if with_varied {
            names.push(format!("{bot} (seat {}, varies)", of.seats[0] + 1));
        }
    }
    names.join("; ")
}

/// Best cells that a summary names.
const NAMED: usize = 3;

/// The cells and their values, from high to low.
fn by_value(played: &Played, metric: MetricRef) -> Vec<(usize, Estimate)> {
    let cells = 0..played.resolved.arms.len();
    let known = cells.filter_map(|cell| Some((cell, played.estimate(cell, metric)?)));
    let mut known = Vec::from_iter(known);
    known.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    known
}

/// The lowest and the highest value of a metric, and where they are.
fn range(played: &Played, metric: MetricRef) -> Option<String> {
    let known = by_value(played, metric);
    let ((high, most), (low, least)) = (known.first()?, known.last()?);
    let verdict = if least.high >= most.low {
        ", a difference within the margins of error; compare the two ends for a sharper test"
    } else {
        ""
    };
    let [low, high] = [low, high].map(|cell| cell_words(&played.resolved, *cell, None));
    let title = capitalized(&played.resolved.first().table.layout().title(metric));
    Some(format!(
        "{title}: from {least} at {low} to {most} at {high}{verdict}."
    ))
}

/// The best cell under each condition, or the range of the metric if nothing is chosen.
fn summary(played: &Played) -> String {
    let Played { resolved, grid, .. } = played;
    if !grid.ranks() {
        let ranges = resolved.metrics.iter().filter_map(|of| range(played, *of));
        return Vec::from_iter(ranges).join("\n");
    }
    let title = resolved.first().table.layout().title(resolved.metric());
    let known = by_value(played, resolved.metric());
    let families = &resolved.design.groups;
    let mut named = Vec::new();
    let all = known.iter().filter(|(cell, _)| grid.best[*cell]);
    for (best, figure) in all.clone().take(NAMED) {
        let is_tied = |(cell, _): &&(usize, _)| {
            families[*cell] == families[*best] && mark(played, *cell) == Mark::Tied
        };
        let tied = match known.iter().filter(is_tied).count() {
            0 => String::new(),
            tied => format!(" ({} statistically tied)", counted(tied, "other")),
        };
        let cell = cell_words(resolved, *best, None);
        named.push(format!("{figure} at {cell}{tied}"));
    }
    let more = all.count() - named.len();
    named.extend((more > 0).then(|| format!("and {more} more")));
    format!("Highest {title}: {}.", named.join("; "))
}

/// The value of a rising axis beyond which no value is significantly better: the first that may be
/// the best.
fn plateau(played: &Played) -> Option<String> {
    let resolved = &played.resolved;
    let numbers = numbers(resolved)?;
    if resolved.axes.len() > 1 || numbers.len() < 3 || !numbers.is_sorted() {
        return None;
    }
    let first = (0..numbers.len()).find(|&cell| mark(played, cell) != Mark::None)?;
    let cell = cell_words(resolved, first, None);
    if first + 1 < numbers.len() {
        return Some(format!("No value above {cell} is significantly better."));
    }
    Some(format!(
        "All values before {cell} are significantly worse; values above it may be better still."
    ))
}

/// The values of the first axis in each cell, if all are numbers.
fn numbers(resolved: &Resolved) -> Option<Vec<f64>> {
    let cells = resolved.arms.iter();
    cells.map(|cell| cell.values[0].parse().ok()).collect()
}

/// Every cell with its metric, and the summary.
fn views(head: String, played: &Played) -> Vec<View> {
    let Played { resolved, grid, .. } = played;
    let title = resolved.first().table.layout().title(resolved.metric());
    let (mut columns, mut rows, mut row) = (Vec::new(), Vec::new(), 0);
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    for path in &paths {
        columns.push(Cells::PATH.head_of(path.to_string(), axis_name(path, &paths)));
    }
    columns.extend(heads![Cells: FIGURE title, MARK ""]);
    let layout = resolved.first().table.layout();
    for (metric, name, _) in others(played) {
        columns.push(Cells::OTHER.head_of(name, layout.title(metric)));
    }
    for cell in &resolved.arms {
        rows.push(row);
        row += cell.seated.seats.len();
    }
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows(columns, rows));
    let known = resolved.metrics.iter();
    views.extend(meanings(known.filter_map(|of| layout.metric(*of))));
    let mut more = Vec::new();
    if grid.ranks() {
        let paths = resolved.axes.iter().map(|(path, _)| path);
        let conditions = paths.filter(|path| !resolved.is_choice(path));
        let mut of = Vec::from_iter(conditions.map(Path::to_string)).join(" and ");
        if !of.is_empty() {
            of.insert_str(0, " for each value of ");
        }
        more.push(format!(
            "With 95 % probability, the true best{of} is among the marked cells."
        ));
    }
    if !resolved.left_out.is_empty() {
        let cells = counted(resolved.left_out.len(), "cell");
        more.push(format!("Left out because they cannot be played: {cells}."));
    }
    if let Goal::Precision { .. } = resolved.design.goal {
        let games = grid.tallies.iter().map(|tally| u128::from(tally.games));
        let all = games.clone().max().unwrap_or(0) * resolved.arms.len() as u128;
        let saved = 100.0 * (1.0 - games.sum::<u128>() as f64 / all.max(1) as f64);
        if saved >= 1.0 {
            more.push(format!(
                "Significantly worse cells stopped early, which saved {saved:.0} % of the games."
            ));
        }
    }
    views.push(View::Summary(more));
    views
}
