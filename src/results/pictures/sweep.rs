//! The charts of a sweep: a curve or a ranking over one axis, a heat map over two, small ones over
//! three, a list of cells over more.

use super::{named, shown as shown_at};
use crate::charts::labels::{capitalized, value_within};
use crate::figure::{
    BestOf, Figures, Grid, GridCell, GridLayer, Line, LineShape, Lines, Mark, Panel, Row, Rows,
    Ticks,
};
use crate::game::{WIN_SHARE, story};
use crate::results::NamedChart;
use crate::results::tables;
use crate::results::words::{axis_name, equal_share, shown, valued};
use crate::sheet::Sheet;
use crate::simulation::grid::PlayedGrid;
use crate::statistics::Estimate;
use crate::study::Path;
use crate::study::sweep::{Cell, Played, Resolved};
use std::collections::HashMap;

/// The charts of a sweep; `subtitle` says what was played.
pub fn sweep(subtitle: &str, played: &Played, sheet: &Sheet) -> Vec<NamedChart> {
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
    let mut charts = vec![match (resolved.axes.as_slice(), panels) {
        ([(path, _)], _) => match numbers_on(played, 0) {
            Some(numbers) => named("response", subtitle, of.response(path, &numbers)),
            None => named("ranking", subtitle, of.ranking(sheet)),
        },
        ([_, _], _) => {
            let best_of = of.best_of(0, 1, BestOf::All);
            named("heat_map", subtitle, of.heat_map([0, 1], None, best_of))
        }
        (_, Some(axis)) => named("heat_maps", subtitle, of.heat_maps(axis)),
        _ => named("cells", subtitle, of.ranking(sheet)),
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

    /// A curve with its best point, and the points tied with it.
    fn response(&self, path: &Path, numbers: &[f64]) -> Lines {
        let Played { resolved, grid } = self.played;
        let (mut ticks, mut curve) = (Vec::new(), Line::default());
        let (mut best, mut tied) = (self.dots(1), self.dots(2));
        for (cell, estimate) in known(grid) {
            let value = shown(&resolved.cells[cell].values[0]);
            let point = (numbers[cell], estimate);
            curve.points.push(point);
            if grid.best[cell] {
                best.label = format!("best: {value}");
                best.detail = value_within(&estimate, self.share);
                best.points.push(point);
            } else if grid.in_best_set[cell] {
                tied.points.push(point);
            }
            ticks.push((numbers[cell], value));
        }
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !tied.points.is_empty() {
            tied.label = "tied with the best".to_string();
        }
        let (low, high) = curve
            .points
            .iter()
            .fold((f64::MAX, f64::MIN), |ends, (_, value)| {
                (ends.0.min(value.low), ends.1.max(value.high))
            });
        let reach = low - (high - low)..=high + (high - low);
        let level = level(resolved).filter(|(level, _)| reach.contains(level));
        let mut heading = format!("{}, with 95 % band", capitalized(&self.unit));
        if let Some((_, name)) = &level {
            heading += &format!("; dashed: {name}");
        }
        Lines {
            title: self.title.clone(),
            x_title: axis_name(path, |seat| bot_at(seat, resolved)),
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

    fn dots(&self, seat: usize) -> Line {
        Line {
            seat,
            shape: LineShape::Dots,
            ..Line::default()
        }
    }

    /// Cells whose values are no numbers, such as bots, or that have many axes: the best first.
    fn ranking(&self, sheet: &Sheet) -> Rows {
        let Played { resolved, grid } = self.played;
        let firsts = tables::cell_rows(sheet);
        let mut cells: Vec<(usize, Estimate)> = known(grid).collect();
        if grid.ranks() {
            cells.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        }
        cells.truncate(LISTED);
        let row = |&(cell, estimate): &(usize, Estimate)| Row {
            detail: shown_at(sheet, tables::MARK, firsts[cell]),
            ..Row::of(
                self.cell(cell),
                usize::from(grid.in_best_set[cell]),
                estimate,
            )
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
    fn heat_map(&self, axes: [usize; 2], third: Option<usize>, best_of: BestOf) -> Grid {
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
        let layer = |at: usize| -> Vec<Option<GridCell>> {
            let row = |row| (0..columns.len()).map(move |column| cell(row, column, at));
            (0..rows.len()).flat_map(row).collect()
        };
        let named = |path| axis_name(path, |seat| bot_at(seat, resolved));
        let shown = |values: &[String]| values.iter().map(|value| shown(value)).collect();
        let third = third.map(|axis| &resolved.axes[axis]);
        Grid {
            title: self.title.clone(),
            row_axis: named(row_axis),
            column_axis: named(column_axis),
            rows: shown(rows),
            columns: shown(columns),
            unit: self.unit.clone(),
            share: self.share,
            axis: third.map_or_else(String::new, |(path, _)| named(path)),
            layers: match third {
                None => GridLayer::alone(layer(0)),
                Some((path, values)) => (values.iter().enumerate())
                    .map(|(at, value)| GridLayer {
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
    fn heat_maps(&self, axis: usize) -> Grid {
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

    /// What it costs to choose another cell than the best: the cheapest of each family.
    fn costs(&self, subtitle: &str) -> NamedChart {
        let Played { resolved, grid } = self.played;
        let families = resolved.families();
        let count = families.iter().max().map_or(1, |last| last + 1);
        let each = (LISTED / count).max(1);
        let (mut cells, mut more) = (Vec::new(), 0);
        for family in 0..count {
            let mut known: Vec<(usize, Estimate)> = (grid.behind.iter().enumerate())
                .filter(|(cell, _)| families[*cell] == family && !grid.best[*cell])
                .filter_map(|(cell, behind)| Some((cell, (*behind)?)))
                .filter(|(_, behind)| behind.se.is_finite())
                .collect();
            known.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
            more += known.len().saturating_sub(each);
            known.truncate(each);
            cells.extend(known);
        }
        cells.truncate(2 * LISTED);
        let scale = if self.share { -100.0 } else { -1.0 };
        // Cells of one family differ in what is chosen, and stand below what they share.
        let row = |&(cell, behind): &(usize, Estimate)| {
            let tied = usize::from(grid.in_best_set[cell]);
            Row {
                group: self.values(cell, |axis| count > 1 && !self.is_choice(axis)),
                ..Row::of(
                    self.values(cell, |axis| count == 1 || self.is_choice(axis)),
                    tied,
                    behind.scaled(scale),
                )
            }
        };
        let is_tied = cells.iter().any(|(cell, _)| grid.in_best_set[*cell]);
        let best = match (count, (0..grid.best.len()).find(|cell| grid.best[*cell])) {
            (1, Some(best)) => format!("the best, {}", self.cell(best)),
            _ => "the best under the same conditions".to_string(),
        };
        let rest = match more {
            0 => String::new(),
            more => format!(" · the {each} that cost least; {more} cost more"),
        };
        let unit = if self.share {
            "percentage points"
        } else {
            &self.unit
        };
        let chart = Rows {
            title: format!("What a mistake costs: {}", subject(resolved)),
            axis: format!("{unit} against {best}, in the same games, with 95 % interval"),
            // Nothing is cheaper than the best, so no interval goes beyond 0, and none is pale.
            figures: Figures::Values,
            key: if is_tied {
                ["worse", "statistically tied"].map(str::to_string).to_vec()
            } else {
                Vec::new()
            },
            rows: cells.iter().map(row).collect(),
            ..Rows::default()
        };
        named("cost", format!("{subtitle}{rest}"), chart)
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

fn heat_cell(cell: usize, played: &PlayedGrid) -> Option<GridCell> {
    let estimate = played.estimates[cell]?;
    Some(GridCell {
        value: estimate.value,
        within: (estimate.se.is_finite()).then(|| estimate.half_width()),
        mark: Mark::of(played.best[cell], played.in_best_set[cell]),
    })
}
