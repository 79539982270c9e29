//! The charts of a sweep: a curve or a ranking over one axis, a heat map over two, small ones over
//! three, a list of cells over more.

use super::named;
use crate::charts::heat_map::{BestOf, HeatCell, HeatLayer, HeatMap, Mark};
use crate::charts::labels::capitalized;
use crate::charts::response::{Response, ResponsePoint};
use crate::charts::rows::{Figures, Row, Rows};
use crate::game::{WIN_SHARE, story};
use crate::results::NamedChart;
use crate::results::words::{axis_name, equal_share, more_or_less, shown, shown_in, valued};
use crate::simulation::grid::PlayedGrid;
use crate::statistics::Estimate;
use crate::strategy::Seat;
use crate::study::Path;
use crate::study::sweep::{Cell, Played, Resolved};
use std::collections::HashMap;

/// The charts of a sweep; `subtitle` says what was played.
pub fn sweep(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let Played { resolved, grid } = played;
    let layout = resolved.first().table.layout();
    let metric = layout.metric(resolved.metric);
    let names = resolved.axes.iter();
    let names: Vec<String> = names.map(|(path, _)| own_name(path, resolved)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let of = PicturedSweep {
        title: format!(
            "{}, by {}",
            capitalized(&subject(resolved)),
            story::list(&names)
        ),
        unit: metric
            .map_or(resolved.metric.name, |metric| metric.meaning)
            .to_string(),
        share: metric.is_some_and(|metric| metric.proportion),
        paths: resolved.axes.iter().map(|(path, _)| path).collect(),
        played,
    };
    let panels = of.fewest().filter(|_| resolved.axes.len() == 3);
    let told = format!("{subtitle} · {}", opponents(resolved));
    let mut charts = vec![match (resolved.axes.as_slice(), panels) {
        ([(path, _)], _) => match numbers_on(played, 0) {
            Some(numbers) => named("response", told, of.response(path, &numbers)),
            None => named("ranking", told, of.ranking()),
        },
        ([_, _], _) => {
            let best_of = of.best_of(0, 1, BestOf::All);
            named("heat_map", told, of.heat_map([0, 1], None, best_of))
        }
        (_, Some(axis)) => named("heat_maps", told, of.heat_maps(axis)),
        _ => named("cells", told, of.listed()),
    }];
    if grid.ranks() {
        charts.push(of.costs(subtitle));
    }
    charts
}

/// What the charts of a sweep are drawn from.
struct PicturedSweep<'a> {
    /// The figure, whose it is, and by what.
    title: String,
    unit: String,
    share: bool,
    paths: Vec<&'a Path>,
    played: &'a Played,
}

/// Most maps of a chart.
const MAPS: usize = 12;
/// Most rows of a list.
const LISTED: usize = 30;

impl PicturedSweep<'_> {
    /// Whether the values of an axis are choices, of which the best is sought.
    fn is_choice(&self, axis: usize) -> bool {
        self.played.resolved.is_choice(self.paths[axis])
    }

    /// Among which cells of a map with these axes the best was sought.
    fn best_of(&self, rows: usize, columns: usize, all: BestOf) -> BestOf {
        match [rows, columns].map(|axis| self.is_choice(axis)) {
            [false, true] => BestOf::Rows,
            [true, false] => BestOf::Columns,
            _ => all,
        }
    }

    fn response(&self, path: &Path, numbers: &[f64]) -> Response {
        let Played { resolved, grid } = self.played;
        let point = |(cell, estimate): (usize, Estimate)| ResponsePoint {
            label: shown(&resolved.cells[cell].values[0]),
            at: numbers[cell],
            estimate,
            tied: grid.in_best_set[cell],
        };
        Response {
            title: self.title.clone(),
            axis: axis_name(path, |seat| bot_at(seat, resolved)),
            unit: self.unit.clone(),
            share: self.share,
            points: known(grid).map(point).collect(),
            best: known(grid).position(|(cell, _)| grid.best[cell]),
            level: level(resolved),
        }
    }

    /// Values that are no numbers, such as bots: the best first.
    fn ranking(&self) -> Rows {
        let Played { resolved, grid } = self.played;
        let mut cells: Vec<(usize, Estimate)> = known(grid).collect();
        if grid.ranks() {
            cells.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        }
        let row = |&(cell, estimate): &(usize, Estimate)| {
            let seat = usize::from(grid.in_best_set[cell]);
            let value = shown(&resolved.cells[cell].values[0]);
            Row::of(marked(value, cell, grid), seat, estimate)
        };
        Rows {
            title: self.title.clone(),
            axis: self.unit.clone(),
            figures: if self.share {
                Figures::Shares
            } else {
                Figures::Values
            },
            level: level(resolved),
            rows: cells.iter().map(row).collect(),
            ..Rows::default()
        }
    }

    /// A map of two axes, rows and columns; where there is a third, one for each of its values.
    fn heat_map(&self, axes: [usize; 2], third: Option<usize>, best_of: BestOf) -> HeatMap {
        let Played { resolved, grid } = self.played;
        let [(row_axis, rows), (column_axis, columns)] = axes.map(|axis| &resolved.axes[axis]);
        let places = resolved.cells.iter().enumerate();
        let places = places.map(|(place, cell)| (cell.values.as_slice(), place));
        let places: HashMap<&[String], usize> = places.collect();
        let cell = |row: usize, column: usize, layer: usize| {
            let values = resolved.axes.iter().enumerate().map(|(axis, (_, values))| {
                let at = match axis {
                    axis if axis == axes[0] => row,
                    axis if axis == axes[1] => column,
                    _ => layer,
                };
                values[at].clone()
            });
            let values: Vec<String> = values.collect();
            heat_cell(*places.get(values.as_slice())?, grid)
        };
        let layer = |at: usize| -> Vec<Option<HeatCell>> {
            let row = |row| (0..columns.len()).map(move |column| cell(row, column, at));
            (0..rows.len()).flat_map(row).collect()
        };
        let named = |path| axis_name(path, |seat| bot_at(seat, resolved));
        let shown = |values: &[String]| values.iter().map(|value| shown(value)).collect();
        let third = third.map(|axis| &resolved.axes[axis]);
        HeatMap {
            title: self.title.clone(),
            row_axis: named(row_axis),
            column_axis: named(column_axis),
            rows: shown(rows),
            columns: shown(columns),
            unit: self.unit.clone(),
            share: self.share,
            axis: third.map_or_else(String::new, |(path, _)| named(path)),
            layers: match third {
                None => HeatLayer::alone(layer(0)),
                Some((path, values)) => (values.iter().enumerate())
                    .map(|(at, value)| HeatLayer {
                        name: valued(path, value, &self.paths),
                        cells: layer(at),
                    })
                    .collect(),
            },
            middle: None,
            best_of,
            note: String::new(),
        }
    }

    /// The axis that tells maps apart: a condition before a choice, and that of the fewest values;
    /// none where there are too many of them.
    fn fewest(&self) -> Option<usize> {
        let axes = &self.played.resolved.axes;
        let size = |axis: &usize| (self.is_choice(*axis), axes[*axis].1.len());
        let axis = (0..axes.len()).min_by_key(size)?;
        (axes[axis].1.len() <= MAPS).then_some(axis)
    }

    /// Small maps, one for each value of an axis.
    fn heat_maps(&self, axis: usize) -> HeatMap {
        let axes = &self.played.resolved.axes;
        let mut others: Vec<usize> = (0..axes.len()).filter(|other| *other != axis).collect();
        // Maps are wider than high.
        others.sort_by_key(|other| axes[*other].1.len());
        let (rows, columns) = (others[0], others[1]);
        let chosen = self.is_choice(rows) || self.is_choice(columns);
        let all = match (self.is_choice(axis), chosen) {
            (false, true) => BestOf::Map,
            _ => BestOf::All,
        };
        let best_of = self.best_of(rows, columns, all);
        self.heat_map([rows, columns], Some(axis), best_of)
    }

    /// The values of a cell in words: `target 15 · 4 players`.
    fn cell(&self, cell: usize) -> String {
        self.values(cell, |_| true)
    }

    /// The values of a cell on some axes.
    fn values(&self, cell: usize, of: impl Fn(usize) -> bool) -> String {
        let values = &self.played.resolved.cells[cell].values;
        let values = self.paths.iter().zip(values).enumerate();
        let values = values.filter(|(axis, _)| of(*axis));
        let values = values.map(|(_, (path, value))| valued(path, value, &self.paths));
        Vec::from_iter(values).join(" · ")
    }

    /// The unit of a difference.
    fn unit_of_difference(&self) -> &str {
        if self.share {
            "percentage points"
        } else {
            &self.unit
        }
    }

    /// What it costs to choose another cell than the best: the cheapest of each family.
    fn costs(&self, subtitle: &str) -> NamedChart {
        let Played { resolved, grid } = self.played;
        let families = resolved.families();
        let count = families.iter().max().map_or(1, |last| last + 1);
        let each = (LISTED / count).max(1);
        let (mut rows, mut more) = (Vec::new(), 0);
        for family in 0..count {
            let own = (0..grid.behind.len()).filter(|&cell| families[cell] == family);
            let known = own.filter_map(|cell| Some((cell, grid.behind[cell]?)));
            let mut known: Vec<(usize, Estimate)> = known
                .filter(|(cell, behind)| behind.se.is_finite() && !grid.best[*cell])
                .collect();
            known.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
            more += known.len().saturating_sub(each);
            known.truncate(each);
            rows.extend(known);
        }
        rows.truncate(2 * LISTED);
        let scale = if self.share { -100.0 } else { -1.0 };
        // Cells of one family differ in what is chosen, and stand below what they share.
        let row = |&(cell, behind): &(usize, Estimate)| {
            let seat = usize::from(grid.in_best_set[cell]);
            let (group, label) = match count {
                1 => (String::new(), self.cell(cell)),
                _ => (
                    self.values(cell, |axis| !self.is_choice(axis)),
                    self.values(cell, |axis| self.is_choice(axis)),
                ),
            };
            Row {
                group,
                ..Row::of(label, seat, behind.scaled(scale))
            }
        };
        let tied = rows.iter().any(|(cell, _)| grid.in_best_set[*cell]);
        let best = match (count, (0..grid.best.len()).find(|cell| grid.best[*cell])) {
            (1, Some(best)) => format!("the best, {}", self.cell(best)),
            _ => "the best under the same conditions".to_string(),
        };
        let rest = match (more, count) {
            (0, _) => String::new(),
            (more, 1) => format!(" · the {each} that cost least; {more} cost more"),
            (more, _) => format!(" · the {each} that cost least of each; {more} cost more"),
        };
        let chart = Rows::differences(
            format!("What a mistake costs: {}", subject(resolved)),
            format!(
                "{} against {best}, in the same games, with 95 % interval",
                self.unit_of_difference()
            ),
            rows.iter().map(row).collect(),
        );
        let key = if tied {
            vec![
                "worse".to_string(),
                "may be as good as the best".to_string(),
            ]
        } else {
            Vec::new()
        };
        let chart = Rows {
            key,
            // Nothing is cheaper than the best, so no interval goes beyond 0, and none is pale.
            figures: Figures::Values,
            ..chart
        };
        named("cost", format!("{subtitle}{rest}"), chart)
    }

    /// The best cells of a grid of many axes, or its first where none is better, beside the mean.
    fn listed(&self) -> Rows {
        let grid = &self.played.grid;
        let mut cells: Vec<(usize, Estimate)> = known(grid).collect();
        let mean = cells.iter().map(|(_, e)| e.value).sum::<f64>() / cells.len().max(1) as f64;
        if grid.ranks() {
            cells.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        }
        cells.truncate(LISTED);
        let (scale, _) = shown_in(self.share);
        let row = |&(cell, estimate): &(usize, Estimate)| {
            Row::one(
                marked(self.cell(cell), cell, grid),
                estimate.minus(mean).scaled(scale),
            )
        };
        let axis = more_or_less(self.unit_of_difference(), "the mean of all cells");
        Rows::differences(&self.title, axis, cells.iter().map(row).collect())
    }
}

/// A name with a remark on how the cell stands.
fn marked(name: String, cell: usize, grid: &PlayedGrid) -> String {
    match (grid.best[cell], grid.in_best_set[cell]) {
        (true, _) => format!("{name} (best)"),
        (_, true) => format!("{name} (tied)"),
        _ => name,
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
            match bot_at(seat + 1, resolved) {
                Some(bot) => format!("{meaning} of {bot} (seat {})", seat + 1),
                None => format!("{meaning} of seat {}", seat + 1),
            }
        }
    }
}

/// The name of the bot at a seat (from 1), where it is the same everywhere.
fn bot_at(number: usize, resolved: &Resolved) -> Option<String> {
    let name = |cell: &Cell| Some(cell.resolved.seats.get(number - 1)?.strategy.name.clone());
    let mut names = resolved.cells.iter().map(name);
    let first = names.next().flatten()?;
    names
        .all(|name| name.as_ref() == Some(&first))
        .then_some(first)
}

/// What varies, in words; where it is the bot that is looked at, its own word.
fn own_name(path: &Path, resolved: &Resolved) -> String {
    match (path, resolved.metric.seat()) {
        (Path::SeatParam(seat, param), Some(own)) if *seat == own + 1 => param.clone(),
        _ => axis_name(path, |seat| bot_at(seat, resolved)),
    }
}

/// The most labels that a subtitle lists.
const LISTED_BOTS: usize = 7;

/// Whom the bot that is looked at meets, at the largest table.
fn opponents(resolved: &Resolved) -> String {
    let tables = || resolved.cells.iter().map(|cell| &cell.resolved.seats);
    let most = tables().map(Vec::len).max().unwrap_or(0);
    let own = resolved.metric.seat();
    let label = |seat: usize| {
        let mut labels = tables()
            .filter_map(|seats| seats.get(seat))
            .map(Seat::label);
        let first = labels.next()?;
        if labels.all(|label| label == first) {
            return Some(first);
        }
        let bot = bot_at(seat + 1, resolved).unwrap_or_else(|| "a bot".to_string());
        Some(format!("{bot} (varies)"))
    };
    let word = if own.is_some() { "against" } else { "with" };
    let least = tables().map(Vec::len).min().unwrap_or(0);
    let named = |seats: std::ops::Range<usize>| -> Vec<String> {
        let others = seats.filter(|seat| Some(*seat) != own);
        others.filter_map(label).collect()
    };
    let list = |others: Vec<String>| {
        if others.len() > LISTED_BOTS {
            format!("{} others", others.len())
        } else {
            others.join(", ")
        }
    };
    let (always, more) = (named(0..least), named(least..most));
    match (always.is_empty(), more.is_empty()) {
        (true, true) => "alone".to_string(),
        (false, true) => format!("{word} {}", list(always)),
        (true, false) => format!("{word} {} where there are more players", list(more)),
        (false, false) => {
            format!(
                "{word} {}; with more players also {}",
                list(always),
                list(more)
            )
        }
    }
}

/// The share of the wins that everybody would have, where that is drawn of tables of one size.
fn level(resolved: &Resolved) -> Option<(f64, String)> {
    let players = resolved.first().seats.len();
    let mut cells = resolved.cells.iter();
    let same = cells.all(|cell| cell.resolved.seats.len() == players);
    (resolved.metric.name == WIN_SHARE && same).then(|| equal_share(players))
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

fn heat_cell(cell: usize, played: &PlayedGrid) -> Option<HeatCell> {
    let estimate = played.estimates[cell]?;
    Some(HeatCell {
        value: estimate.value,
        within: (estimate.se.is_finite()).then(|| estimate.half_width()),
        mark: Mark::of(played.best[cell], played.in_best_set[cell]),
    })
}
