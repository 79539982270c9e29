//! The report of a sweep: the metric of every cell, and the cells that may be the best.

use super::pictures::{cell, estimate};
use super::report::{Contents, NamedChart};
use super::tables::{self, BEST, CELL, CHOICE, CONDITION, FIGURE, MARK, TIED};
use super::text::View;
use super::words::{axis_name, equal_share, shown, valued};
use crate::study::Path;
use crate::study::sweep::{Played, Resolved};
use carat_charts::labels::{capitalized, value_within};
use carat_core::diagnostic::counted;
use carat_core::figure::{
    BestOf, Figure, Figures, Grid, GridLayer, Line, Lines, Panel, Row, Rows, Ticks,
};
use carat_core::game::{WIN_SHARE, story};
use carat_core::numbers;
use carat_core::sheet::Sheet;
use carat_core::simulation::Goal;
use indexmap::IndexMap;
use std::collections::HashMap;

pub fn content(played: &Played) -> Contents {
    let headline = headline(played);
    let seated = seated(played);
    let sheets = sheets(played);
    let mut summary = summary(played, &sheets[0]);
    let plateau = plateau(&played.resolved, &sheets[0]);
    summary.extend(plateau.map(|plateau| format!("\n{plateau}")));
    let subtitle = format!("{headline} · {seated}");
    let cells = counted(played.resolved.arms.len(), "cell");
    let head = format!("{headline} · {cells}\n{seated}");
    Contents {
        charts: charts(&subtitle, &played.resolved, &sheets[0]),
        views: views(head, &summary, played, &sheets[0]),
        summary,
        sheets,
        ..Contents::default()
    }
}

fn sheets(played: &Played) -> Vec<Sheet> {
    let Played { resolved, grid, .. } = played;
    let mut seats = Vec::new();
    let mut of_table = Vec::new();
    for (cell, tally) in resolved.arms.iter().zip(&grid.tallies) {
        let layout = cell.layout();
        seats.push(tables::seats(layout, &cell.seated.seats, tally));
        of_table.push(tables::table(layout, tally));
    }
    let mut columns = Vec::new();
    for (axis, (path, _)) in resolved.axes.iter().enumerate() {
        let values = resolved.arms.iter().map(|cell| cell.values[axis].clone());
        columns.push((path.to_string(), values.collect::<Vec<_>>()));
    }
    let mut of_seats = tables::cells("cells", "one row per cell and seat", &columns, seats);
    tables::ranked(&mut of_seats, played);
    let rows = "one row per cell and metric of the table";
    vec![
        of_seats,
        tables::cells("cells_table", rows, &columns, of_table),
    ]
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
    let games = if least == most {
        numbers::games(most)
    } else {
        format!(
            "{} to {} games",
            numbers::count(least),
            numbers::count(most)
        )
    };
    parts.push(format!("{games} each"));
    parts.join(" · ")
}

/// The bots at the table; at the largest, if the number of players varies.
fn seated(played: &Played) -> String {
    let Resolved { arms, axes, .. } = &played.resolved;
    let tables = arms.iter().map(|arm| &arm.seated.seats);
    let largest = tables.max_by_key(|seats| seats.len());
    let mut names = Vec::new();
    for (number, seat) in (1..).zip(largest.into_iter().flatten()) {
        let name = &seat.strategy.name;
        let mut axes = axes.iter();
        names.push(if axes.any(|(path, _)| path.changes_seat(number, name)) {
            format!("{number} {name} (varies)")
        } else {
            format!("{number} {}", seat.called())
        });
    }
    format!("seats: {}", names.join(", "))
}

/// Best cells that a summary names.
const NAMED: usize = 8;

/// The best cell under each condition, or the range of the metric if nothing is chosen.
fn summary(played: &Played, sheet: &Sheet) -> String {
    let resolved = &played.resolved;
    let title = resolved.first().table.layout().title(resolved.metric());
    let shown = |column: &str, row: usize| sheet.shown(column, row);
    let known = tables::cell_rows(sheet).into_iter();
    let known = known.filter_map(|row| Some((row, sheet.estimate(FIGURE, row)?)));
    let mut known = Vec::from_iter(known);
    if !played.grid.ranks() {
        known.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        let (Some((low, least)), Some((high, most))) = (known.first(), known.last()) else {
            return String::new();
        };
        let verdict = if least.high >= most.low {
            ", a difference within the margins of error; compare the two ends for a sharper test"
        } else {
            ""
        };
        let [low, high] = [low, high].map(|row| shown(CELL, *row));
        let title = capitalized(&title);
        return format!("{title}: from {least} at {low} to {most} at {high}{verdict}.");
    }
    let marked = |mark: &str| -> Vec<usize> {
        let rows = known.iter().map(|(row, _)| *row);
        rows.filter(|row| shown(MARK, *row) == mark).collect()
    };
    let (best, tied) = (marked(BEST), marked(TIED));
    let mut named = Vec::new();
    for &row in best.iter().take(NAMED) {
        let condition = shown(CONDITION, row);
        let own = |tied: &&usize| shown(CONDITION, **tied) == condition;
        let tied = match tied.iter().filter(own).count() {
            0 => String::new(),
            tied => format!(" ({} statistically tied)", counted(tied, "other")),
        };
        let (cell, figure) = (shown(CELL, row), shown(FIGURE, row));
        named.push(format!("{figure} at {cell}{tied}"));
    }
    if best.len() > NAMED {
        named.push(format!("and {} more", best.len() - NAMED));
    }
    format!("Highest {title}: {}.", named.join("; "))
}

/// The value of a rising axis beyond which no value is significantly better: the first that may be
/// the best.
fn plateau(resolved: &Resolved, sheet: &Sheet) -> Option<String> {
    let numbers = numbers(resolved)?;
    if resolved.axes.len() > 1 || numbers.len() < 3 || !numbers.is_sorted() {
        return None;
    }
    let mut rows = tables::cell_rows(sheet).into_iter().enumerate();
    let (first, row) = rows.find(|(_, row)| !sheet.shown(MARK, *row).is_empty())?;
    let cell = sheet.shown(CELL, row);
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
fn views(head: String, summary: &str, played: &Played, sheet: &Sheet) -> Vec<View> {
    let Played { resolved, grid, .. } = played;
    let title = resolved.first().table.layout().title(resolved.metric());
    let mut columns = String::new();
    for (path, _) in &resolved.axes {
        columns += &format!("{path} | ");
    }
    columns += &format!("{FIGURE}: {title} | {MARK}: ");
    let rows = tables::cell_rows(sheet);
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows(&sheet.name, &columns, rows));
    let mut remarks = vec![summary.to_string()];
    if grid.ranks() {
        let paths = resolved.axes.iter().map(|(path, _)| path);
        let conditions = paths.filter(|path| !resolved.is_choice(path));
        let mut of = Vec::from_iter(conditions.map(Path::to_string)).join(" and ");
        if !of.is_empty() {
            of.insert_str(0, " for each value of ");
        }
        remarks.push(format!(
            "With 95 % probability, the true best{of} is among the marked cells."
        ));
    }
    if !resolved.left_out.is_empty() {
        let cells = counted(resolved.left_out.len(), "cell");
        remarks.push(format!("Skipped because of impossible rules: {cells}."));
    }
    if let Goal::Precision { .. } = resolved.design.goal {
        let games = grid.tallies.iter().map(|tally| u128::from(tally.games));
        let all = games.clone().max().unwrap_or(0) * resolved.arms.len() as u128;
        let saved = 100.0 * (1.0 - games.sum::<u128>() as f64 / all.max(1) as f64);
        if saved >= 1.0 {
            remarks.push(format!(
                "Significantly worse cells stopped early, which saved {saved:.0} % of the games."
            ));
        }
    }
    views.push(View::text(remarks.join("\n")));
    views
}

fn charts(subtitle: &str, resolved: &Resolved, sheet: &Sheet) -> Vec<NamedChart> {
    let layout = resolved.first().table.layout();
    let known = layout.metric(resolved.metric());
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    let names: Vec<String> = paths.iter().map(|path| axis_name(path, &paths)).collect();
    let title = layout.title(resolved.metric());
    let by = story::list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let of = PicturedSweep {
        resolved,
        sheet,
        cells: tables::cell_rows(sheet),
        title: format!("{}, by {by}", capitalized(&title)),
        names,
        unit: known.map_or(resolved.metric().name, |metric| metric.meaning),
        share: layout.is_share(resolved.metric()),
    };
    let panels = of.fewest().filter(|_| paths.len() == 3);
    let (name, figure) = match (paths.as_slice(), panels) {
        ([_], _) => match numbers(resolved) {
            Some(numbers) => {
                let mut curve = of.response(&numbers);
                curve.note = plateau(resolved, sheet).unwrap_or_default();
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
    if sheet.column("behind_best").is_some() {
        charts.push(of.costs(subtitle, &title));
    }
    charts
}

struct PicturedSweep<'a> {
    resolved: &'a Resolved,
    sheet: &'a Sheet,
    cells: Vec<usize>,
    title: String,
    /// The names of the axes.
    names: Vec<String>,
    unit: &'a str,
    share: bool,
}

const MAPS: usize = 12;
const LISTED: usize = 30;

impl PicturedSweep<'_> {
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
        for (cell, &row) in self.cells.iter().enumerate() {
            let Some(estimate) = estimate(self.sheet, FIGURE, row) else {
                continue;
            };
            let value = shown(&self.resolved.arms[cell].values[0]);
            let point = (numbers[cell], estimate);
            (low, high) = (low.min(estimate.low), high.max(estimate.high));
            curve.points.push(point);
            match self.sheet.shown(MARK, row).as_str() {
                "" => {}
                BEST => {
                    best.label = format!("best: {value}");
                    best.detail = value_within(&estimate, self.share);
                    best.points.push(point);
                }
                _ => {
                    tied.label = TIED.to_string();
                    tied.points.push(point);
                }
            }
            ticks.push((numbers[cell], value));
        }
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reach = low - (high - low)..=high + (high - low);
        let level = self.level().filter(|(level, _)| reach.contains(level));
        let mut heading = format!("{}, with 95 % band", capitalized(self.unit));
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
                lines: vec![curve, tied, best],
                ..Panel::default()
            }],
            ..Lines::default()
        }
    }

    /// Cells as rows, the best first: for values that are not numbers, such as bots, and for many
    /// axes.
    fn ranking(&self) -> Rows {
        let mut order = self.cells.clone();
        let is_ranked = self.sheet.column("best").is_some();
        let value = |row: &usize| estimate(self.sheet, FIGURE, *row).map_or(f64::MIN, |e| e.value);
        if is_ranked {
            order.sort_by(|a, b| value(b).total_cmp(&value(a)));
        }
        order.truncate(LISTED);
        Rows {
            title: self.title.clone(),
            axis: self.unit.to_string(),
            figures: Figures::of(self.share),
            level: self.level(),
            rows: self.listed(&order, ["", CELL], FIGURE, 1.0),
            ..Rows::default()
        }
    }

    /// A row for each of these cells, by the columns of its group and its label; those that may be
    /// the best stand out.
    fn listed(&self, cells: &[usize], names: [&str; 2], value: &str, scale: f64) -> Vec<Row> {
        let mut listed = Vec::new();
        for &at in cells {
            let detail = self.sheet.shown(MARK, at);
            let tied = usize::from(!detail.is_empty());
            listed.extend(estimate(self.sheet, value, at).map(|estimate| Row {
                group: self.sheet.shown(names[0], at),
                detail,
                ..Row::of(self.sheet.shown(names[1], at), tied, estimate.scaled(scale))
            }));
        }
        listed.truncate(2 * LISTED);
        listed
    }

    /// A map of two axes, rows and columns, for each value of a third axis if there is one.
    fn heat_map(&self, axes: [usize; 2], third: Option<usize>) -> Grid {
        let cells = self.resolved.arms.iter();
        let known = cells.map(|cell| cell.values.as_slice()).zip(&self.cells);
        let rows_of: HashMap<_, _> = known.collect();
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
                    let found = rows_of.get(key.as_slice());
                    cells.push(found.and_then(|row| cell(self.sheet, FIGURE, MARK, **row)));
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
        let behind = |row: usize| estimate(self.sheet, "behind_best", row);
        let mut families: IndexMap<String, Vec<usize>> = IndexMap::new();
        let mut best = "the best under the same conditions".to_string();
        for &row in &self.cells {
            let condition = self.sheet.shown(CONDITION, row);
            let is_alone = condition.is_empty();
            let family = families.entry(condition).or_default();
            if self.sheet.shown(MARK, row) != BEST {
                family.extend(behind(row).map(|_| row));
            } else if is_alone {
                best = format!("the best, {}", self.sheet.shown(CHOICE, row));
            }
        }
        let each = (LISTED / families.len().max(1)).max(1);
        let (mut order, mut more) = (Vec::new(), 0);
        for (_, mut rows) in families {
            let cost = |row: &usize| behind(*row).map_or(0.0, |behind| behind.value);
            rows.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            more += rows.len().saturating_sub(each);
            rows.truncate(each);
            rows.sort_unstable();
            order.extend(rows);
        }
        let rest = match more {
            0 => String::new(),
            more => format!(" · the {each} cheapest; {more} more not shown"),
        };
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
            rows: self.listed(&order, [CONDITION, CHOICE], "behind_best", -1.0),
            ..Rows::default()
        };
        NamedChart::new("cost", &format!("{subtitle}{rest}"), Figure::Rows(chart))
    }
}
