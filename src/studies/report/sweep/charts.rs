//! The charts of a sweep: curves, maps, rankings, and the cost of other choices.

use super::{cell_words, mark, numbers, plateau};
use crate::report::contents::NamedChart;
use crate::report::pictures::{cell, drawn};
use crate::report::words::{axis_name, equal_share, shown, valued};
use crate::study::Path;
use crate::study::sweep::{Played, Resolved};
use carat_charts::labels::{capitalized, value_within};
use carat_core::figure::{
    BestOf, Figure, Figures, Grid, GridLayer, Line, Lines, Mark, Panel, Row, Rows, Ticks,
};
use carat_core::game::{Metric, MetricRef, WIN_SHARE, story};
use carat_core::statistics::Estimate;
use std::collections::BTreeMap;

pub fn charts(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let resolved = &played.resolved;
    let metrics = resolved.metrics.iter();
    let pictured = Vec::from_iter(metrics.map(|of| PicturedSweep::new(played, *of)));
    let first = &pictured[0];
    let numbers = numbers(resolved).filter(|_| resolved.axes.len() == 1);
    let mut charts = Vec::new();
    if let Some(numbers) = numbers {
        let mut curves = first.response(&numbers);
        for of in &pictured[1..] {
            let heading = format!("{}, with 95 % band", capitalized(&of.what));
            let panels = of.response(&numbers).panels;
            curves.title = format!("{} metrics, by {}", pictured.len(), first.by);
            curves.panels.extend(panels.into_iter().map(|panel| Panel {
                heading: heading.clone(),
                ..panel
            }));
        }
        curves.note = plateau(played).unwrap_or_default();
        charts.push(NamedChart::new("response", subtitle, Figure::Lines(curves)));
    } else {
        for of in &pictured {
            let (mut name, figure) = of.map();
            if of.metric != first.metric {
                name = format!("{name}_{}", of.metric).replace('@', "_");
            }
            charts.push(NamedChart::new(&name, subtitle, figure));
        }
    }
    if played.grid.ranks() {
        charts.push(first.costs(subtitle));
    }
    charts
}
struct PicturedSweep<'a> {
    played: &'a Played,
    resolved: &'a Resolved,
    metric: MetricRef,
    /// The metric in words.
    what: String,
    /// What varies.
    by: String,
    names: Vec<String>,
    unit: &'a str,
    meaning: &'a str,
    share: bool,
}

const MAPS: usize = 9;
/// Most rows of the chart of costs and headings of its groups, which have room on one page.
const LISTED: usize = 22;

impl<'a> PicturedSweep<'a> {
    fn new(played: &'a Played, metric: MetricRef) -> Self {
        let resolved = &played.resolved;
        let layout = resolved.first().table.layout();
        let known = layout.metric(metric);
        let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
        let names: Vec<String> = paths.iter().map(|path| axis_name(path, &paths)).collect();
        PicturedSweep {
            played,
            resolved,
            metric,
            what: layout.title(metric),
            by: story::list(&names.iter().map(String::as_str).collect::<Vec<_>>()),
            names,
            unit: known.map_or(metric.name, Metric::short),
            meaning: known.map_or("", |metric| {
                metric.meaning.rsplit(": ").next().unwrap_or_default()
            }),
            share: layout.is_share(metric),
        }
    }

    fn title(&self) -> String {
        format!("{}, by {}", capitalized(&self.what), self.by)
    }

    fn estimate(&self, cell: usize) -> Option<Estimate> {
        drawn(self.played.estimate(cell, self.metric))
    }

    /// The place of a cell in the race, if it is about this metric.
    fn mark(&self, cell: usize) -> Mark {
        if self.metric == self.resolved.metric() {
            mark(self.played, cell)
        } else {
            Mark::None
        }
    }

    /// The picture of cells that are no curve, and its name.
    fn map(&self) -> (String, Figure) {
        let axes = self.resolved.axes.len();
        let panels = self.fewest().filter(|_| axes == 3);
        let (name, figure) = match (axes, panels) {
            (1, _) => ("ranking", Figure::Rows(self.ranking())),
            (2, _) => ("heat_map", Figure::Grid(self.heat_map([0, 1], None))),
            (_, Some(axis)) => {
                // Small maps are wider than high.
                let mut others: Vec<usize> = (0..3).filter(|other| *other != axis).collect();
                others.sort_by_key(|other| self.resolved.axes[*other].1.len());
                let maps = self.heat_map([others[0], others[1]], Some(axis));
                ("heat_maps", Figure::Grid(maps))
            }
            _ => ("cells", Figure::Rows(self.ranking())),
        };
        (name.to_string(), figure)
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
        (self.metric.name == WIN_SHARE && same).then(|| equal_share(players))
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
            match self.mark(cell) {
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
            title: self.title(),
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
        if self.played.grid.ranks() && self.metric == self.resolved.metric() {
            order.sort_by(|a, b| value(b).total_cmp(&value(a)));
        }
        Rows {
            title: self.title(),
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
        let mark = self.mark(cell);
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
                    cells.push(
                        found.and_then(|at| {
                            cell(self.played.estimate(at, self.metric), self.mark(at))
                        }),
                    );
                }
            }
            let name = name.unwrap_or_default();
            layers.push(GridLayer { name, cells });
        }
        let words = |axis: usize| values(axis).iter().map(|value| shown(value)).collect();
        let chosen = third.is_some_and(|axis| !self.is_choice(axis));
        Grid {
            title: self.title(),
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
    fn costs(&self, subtitle: &str) -> NamedChart {
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
            title: format!("Cost of other choices: {}", self.what),
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
