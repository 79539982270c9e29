//! The report of a sweep: the metric of every cell, and the cells that may be the best.

use super::contents::{Contents, NamedChart};
use super::pictures::{cell, drawn};
use super::tables::{IN_BEST_SET, MetricRow, Seats, meanings, metric_rows, seat_rows};
use super::text::View;
use super::words::{axis_name, equal_share, holds_for, shown, valued};
use crate::study::Path;
use crate::study::sweep::{Played, Resolved};
use carat_charts::labels::{capitalized, value_within};
use carat_core::diagnostic::counted;
use carat_core::figure::{
    BestOf, Figure, Figures, Grid, GridLayer, Line, Lines, Mark, Panel, Row, Rows, Ticks,
};
use carat_core::game::{Metric, Seating, WIN_SHARE, copies, story};
use carat_core::numbers;
use carat_core::sheet::{Columns, Sheet};
use carat_core::simulation::Goal;
use carat_core::statistics::Estimate;
use carat_core::{columns, heads};
use std::collections::BTreeMap;

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
            names.push(of.name);
        } else if with_varied {
            names.push(format!("{bot} (seat {}, varies)", of.seats[0] + 1));
        }
    }
    names.join("; ")
}

/// Best cells that a summary names.
const NAMED: usize = 3;

/// The best cell under each condition, or the range of the metric if nothing is chosen.
fn summary(played: &Played) -> String {
    let Played { resolved, grid, .. } = played;
    let title = resolved.first().table.layout().title(resolved.metric());
    let known = grid.estimates.iter().enumerate();
    let mut known = Vec::from_iter(known.filter_map(|(cell, known)| Some((cell, (*known)?))));
    known.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    if !grid.ranks() {
        let (Some((high, most)), Some((low, least))) = (known.first(), known.last()) else {
            return String::new();
        };
        let verdict = if least.high >= most.low {
            ", a difference within the margins of error; compare the two ends for a sharper test"
        } else {
            ""
        };
        let [low, high] = [low, high].map(|cell| cell_words(resolved, *cell, None));
        let title = capitalized(&title);
        return format!("{title}: from {least} at {low} to {most} at {high}{verdict}.");
    }
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
    for cell in &resolved.arms {
        rows.push(row);
        row += cell.seated.seats.len();
    }
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows(columns, rows));
    let known = resolved.first().table.layout().metric(resolved.metric());
    views.extend(known.and_then(|of| meanings([of].into_iter())));
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
        more.push(format!("Skipped because of impossible rules: {cells}."));
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

fn charts(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let resolved = &played.resolved;
    let layout = resolved.first().table.layout();
    let known = layout.metric(resolved.metric());
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    let names: Vec<String> = paths.iter().map(|path| axis_name(path, &paths)).collect();
    let title = layout.title(resolved.metric());
    let by = story::list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let of = PicturedSweep {
        played,
        resolved,
        title: format!("{}, by {by}", capitalized(&title)),
        names,
        unit: known.map_or(resolved.metric().name, Metric::short),
        meaning: known.map_or("", |metric| {
            metric.meaning.rsplit(": ").next().unwrap_or_default()
        }),
        share: layout.is_share(resolved.metric()),
    };
    let panels = of.fewest().filter(|_| paths.len() == 3);
    let (name, figure) = match (paths.as_slice(), panels) {
        ([_], _) => match numbers(resolved) {
            Some(numbers) => {
                let mut curve = of.response(&numbers);
                curve.note = plateau(played).unwrap_or_default();
                ("response", Figure::Lines(curve))
            }
            None => ("ranking", Figure::Rows(of.ranking())),
        },
        ([_, _], _) => ("heat_map", Figure::Grid(of.heat_map([0, 1], None))),
        (_, Some(axis)) => {
            // Small maps are wider than high.
            let mut others: Vec<usize> = (0..3).filter(|other| *other != axis).collect();
            others.sort_by_key(|other| resolved.axes[*other].1.len());
            let maps = of.heat_map([others[0], others[1]], Some(axis));
            ("heat_maps", Figure::Grid(maps))
        }
        _ => ("cells", Figure::Rows(of.ranking())),
    };
    let mut charts = vec![NamedChart::new(name, subtitle, figure)];
    if played.grid.ranks() {
        charts.push(of.costs(subtitle, &title));
    }
    charts
}

struct PicturedSweep<'a> {
    played: &'a Played,
    resolved: &'a Resolved,
    title: String,
    names: Vec<String>,
    unit: &'a str,
    meaning: &'a str,
    share: bool,
}

const MAPS: usize = 9;
/// Most rows of the chart of costs and headings of its groups, which have room on one page.
const LISTED: usize = 22;

impl PicturedSweep<'_> {
    fn estimate(&self, cell: usize) -> Option<Estimate> {
        drawn(self.played.grid.estimates[cell])
    }

    fn words(&self, cell: usize, choices: Option<bool>) -> String {
        cell_words(self.resolved, cell, choices)
    }

    fn is_choice(&self, axis: usize) -> bool {
        self.resolved.is_choice(&self.resolved.axes[axis].0)
    }

    /// The equal share of the wins, if all tables have one size.
    fn level(&self) -> Option<(f64, String)> {
        let players = self.resolved.first().seats.len();
        let mut cells = self.resolved.arms.iter();
        let same = cells.all(|cell| cell.seated.seats.len() == players);
        (self.resolved.metric().name == WIN_SHARE && same).then(|| equal_share(players))
    }

    /// A curve with its best point and the points tied with it.
    fn response(&self, numbers: &[f64]) -> Lines {
        let mut ticks = Vec::new();
        let mut curve = Line::default();
        let [mut best, mut tied] = [1, 2].map(|seat| Line::dots("", seat));
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for cell in 0..self.resolved.arms.len() {
            let Some(estimate) = self.estimate(cell) else {
                continue;
            };
            let value = shown(&self.resolved.arms[cell].values[0]);
            let point = (numbers[cell], estimate);
            (low, high) = (low.min(estimate.low), high.max(estimate.high));
            curve.points.push(point);
            match mark(self.played, cell) {
                Mark::None => {}
                Mark::Best => {
                    best.label = format!("best: {value}");
                    best.detail = value_within(&estimate, self.share);
                    best.points.push(point);
                }
                Mark::Tied => {
                    tied.label = Mark::Tied.to_string();
                    tied.points.push(point);
                }
            }
            ticks.push((numbers[cell], value));
        }
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reach = low - (high - low)..=high + (high - low);
        let level = self.level().filter(|(level, _)| reach.contains(level));
        let mut heading = format!("{}, with 95 % band", capitalized(self.meaning));
        let has_zero = low >= 0.0 && low < 3.0 * (high - low);
        if low > 0.0 && !has_zero {
            heading += "; the axis does not begin at 0";
        }
        if let Some((_, name)) = &level {
            heading += &format!("; dashed: {name}");
        }
        Lines {
            title: self.title.clone(),
            x_title: self.names[0].clone(),
            x_ticks: Ticks::At(ticks),
            panels: vec![Panel {
                heading,
                share: self.share,
                levels: level.iter().map(|(level, _)| *level).collect(),
                include: if has_zero { vec![0.0] } else { Vec::new() },
                lines: vec![curve, tied, best],
                ..Panel::default()
            }],
            ..Lines::default()
        }
    }

    /// Cells as rows, the best first: for values that are not numbers, such as bots, and for many
    /// axes.
    fn ranking(&self) -> Rows {
        let mut order = Vec::from_iter(0..self.resolved.arms.len());
        let value = |cell: &usize| self.estimate(*cell).map_or(f64::MIN, |e| e.value);
        if self.played.grid.ranks() {
            order.sort_by(|a, b| value(b).total_cmp(&value(a)));
        }
        Rows {
            title: self.title.clone(),
            axis: self.unit.to_string(),
            figures: Figures::of(self.share),
            level: self.level(),
            table: "cells".to_string(),
            rows: Vec::from_iter(order.into_iter().filter_map(|cell| {
                Some(self.row(cell, self.words(cell, None), self.estimate(cell)?))
            })),
            ..Rows::default()
        }
    }

    /// The row of a cell; those that may be the best stand out.
    fn row(&self, cell: usize, label: String, estimate: Estimate) -> Row {
        let mark = mark(self.played, cell);
        Row {
            detail: mark.to_string(),
            ..Row::of(label, usize::from(mark != Mark::None), estimate)
        }
    }

    /// A map of two axes, rows and columns, for each value of a third axis if there is one.
    fn heat_map(&self, axes: [usize; 2], third: Option<usize>) -> Grid {
        let cells = self.resolved.arms.iter().enumerate();
        let known = cells.map(|(at, cell)| (cell.values.as_slice(), at));
        let known: BTreeMap<_, _> = known.collect();
        let values = |axis: usize| self.resolved.axes[axis].1.as_slice();
        let paths: Vec<&Path> = self.resolved.axes.iter().map(|(path, _)| path).collect();
        let mut layers = Vec::new();
        for at in 0..third.map_or(1, |axis| values(axis).len()) {
            let name = third.map(|axis| valued(paths[axis], &values(axis)[at], &paths));
            let mut cells = Vec::new();
            for row in values(axes[0]) {
                for column in values(axes[1]) {
                    let mut key = vec![String::new(); paths.len()];
                    (key[axes[0]], key[axes[1]]) = (row.clone(), column.clone());
                    if let Some(axis) = third {
                        key[axis] = values(axis)[at].clone();
                    }
                    let found = known.get(key.as_slice()).copied();
                    cells.push(found.and_then(|at| {
                        cell(self.played.grid.estimates[at], mark(self.played, at))
                    }));
                }
            }
            let name = name.unwrap_or_default();
            layers.push(GridLayer { name, cells });
        }
        let words = |axis: usize| values(axis).iter().map(|value| shown(value)).collect();
        let chosen = third.is_some_and(|axis| !self.is_choice(axis));
        Grid {
            title: self.title.clone(),
            row_axis: self.names[axes[0]].clone(),
            column_axis: self.names[axes[1]].clone(),
            rows: words(axes[0]),
            columns: words(axes[1]),
            unit: self.unit.to_string(),
            share: self.share,
            axis: third.map_or_else(String::new, |axis| self.names[axis].clone()),
            layers,
            best_of: match axes.map(|axis| self.is_choice(axis)) {
                [false, true] => BestOf::Rows,
                [true, false] => BestOf::Columns,
                [true, true] if chosen => BestOf::Map,
                _ => BestOf::All,
            },
            ..Grid::default()
        }
    }

    /// The axis with one map per value: a condition before a choice, then the one with the fewest
    /// values; none if the maps are too many.
    fn fewest(&self) -> Option<usize> {
        let axes = &self.resolved.axes;
        let size = |axis: &usize| (self.is_choice(*axis), axes[*axis].1.len());
        let axis = (0..axes.len()).min_by_key(size)?;
        (axes[axis].1.len() <= MAPS).then_some(axis)
    }

    /// The cost of choosing another cell than the best: the cheapest of each condition.
    fn costs(&self, subtitle: &str, title: &str) -> NamedChart {
        let behind = |cell: usize| drawn(self.played.grid.behind[cell]);
        let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut best = "the best under the same conditions".to_string();
        for (cell, &family) in self.resolved.design.groups.iter().enumerate() {
            let family = families.entry(family).or_default();
            if mark(self.played, cell) != Mark::Best {
                family.extend(behind(cell).map(|_| cell));
            } else if self.words(cell, Some(false)).is_empty() {
                best = format!("the best, {}", self.words(cell, Some(true)));
            }
        }
        let each = (LISTED / families.len().max(1)).max(2) - 1;
        let (mut rows, mut is_cut) = (Vec::new(), false);
        for (_, mut cells) in families {
            let cost = |cell: &usize| behind(*cell).map_or(0.0, |behind| behind.value);
            cells.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            is_cut |= cells.len() > each;
            cells.truncate(each);
            cells.sort_unstable();
            rows.extend(cells.into_iter().filter_map(|cell| {
                let [group, label] = [false, true].map(|choices| self.words(cell, Some(choices)));
                let row = self.row(cell, label, behind(cell)?.scaled(-1.0));
                Some(Row { group, ..row })
            }));
        }
        let rest = is_cut.then(|| format!(" · the {each} cheapest"));
        let rest = rest.unwrap_or_default();
        let unit = if self.share {
            "percentage points"
        } else {
            self.unit
        };
        let chart = Rows {
            title: format!("Cost of other choices: {title}"),
            axis: format!("{unit} compared with {best}, in the same games, with 95 % interval"),
            // No cell beats the best, so no interval crosses 0, and none is pale.
            figures: Figures::Values,
            rows,
            table: "cells".to_string(),
            ..Rows::default()
        };
        NamedChart::new("cost", &format!("{subtitle}{rest}"), Figure::Rows(chart))
    }
}
