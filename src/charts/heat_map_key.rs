//! What explains the cells of a heat map: its colours with their bar, its marks with their legend.

use super::axes;
use super::canvas::{Anchor, Canvas, Ink, Spot};
use super::heat_map::{BestOf, HeatLayer, HeatMap, Mark};
use super::labels::wrap;
use super::theme::{
    self, BAR_HEIGHT, BAR_WIDTH, BLACK, GREY, GRID, LABEL, LEADING, Paper, RULE, TICK, WHITE,
};
use crate::numbers::{count, decimals_for, number, percent_within, within};

/// Outlines of cells that stand out.
pub(super) const MARKED: Ink = theme::seat_ink(1);

/// The scale of the colours, which spans the values shown.
pub(super) struct HeatKey {
    low: f64,
    high: f64,
    middle: Option<f64>,
    share: bool,
}

impl HeatKey {
    /// The key of all known cells of some layers and the middle; none where no cell is known.
    pub(super) fn of(map: &HeatMap, layers: &[HeatLayer]) -> Option<HeatKey> {
        let mut known = layers.iter().flat_map(HeatLayer::known).peekable();
        known.peek()?;
        let (low, high) = axes::bounds(known.map(|cell| cell.value).chain(map.middle));
        Some(HeatKey {
            low,
            high,
            middle: map.middle,
            share: map.share,
        })
    }

    /// Whether one scale holds for all rows and columns.
    pub(super) fn is_common(&self, best_of: BestOf) -> bool {
        self.middle.is_some() || matches!(best_of, BestOf::All | BestOf::Map)
    }

    /// The colour of a value; around a middle, equal distances are equally strong.
    pub(super) fn ink(&self, value: f64) -> Ink {
        let part = |distance: f64, whole: f64, level: f64| {
            if whole > 0.0 { distance / whole } else { level }
        };
        match self.middle {
            None => theme::shade(part(value - self.low, self.high - self.low, 0.5)),
            Some(middle) => {
                let whole = (self.high - middle).max(middle - self.low);
                theme::shade_around(part(value - middle, whole, 0.0))
            }
        }
    }

    /// The decimals that show a `part` of what the key spans.
    pub(super) fn decimals(&self, part: f64) -> usize {
        let span = if self.high > self.low {
            self.high - self.low
        } else {
            self.high.abs()
        };
        decimals_for(self.scaled(part * span))
    }

    /// A value as printed in its cell, shares without the sign of percent.
    pub(super) fn number(&self, value: f64, decimals: usize) -> String {
        number(self.scaled(value), decimals)
    }

    /// A value with half the width of its interval.
    pub(super) fn within(&self, value: f64, half: f64) -> String {
        match self.share {
            true if half > 0.0 => percent_within(value, half),
            true => self.text(value),
            false => within(value, half),
        }
    }

    /// A value as printed below the cells.
    pub(super) fn text(&self, value: f64) -> String {
        let sign = if self.share { " %" } else { "" };
        self.number(value, self.decimals(0.01)) + sign
    }

    fn scaled(&self, value: f64) -> f64 {
        value * if self.share { 100.0 } else { 1.0 }
    }

    /// The bar with the values of its ends below and its middle above, the unit beside it; tells where
    /// that ends.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64, unit: &str, best_of: BestOf) -> f64 {
        let top = top + if self.middle.is_some() { 18.0 } else { 0.0 };
        let left = canvas.paper().margin();
        let right = left + BAR_WIDTH;
        theme::colour_bar(canvas, top, |part| {
            self.ink(self.low + part * (self.high - self.low))
        });
        let bottom = top + BAR_HEIGHT;
        canvas.frame((left, top), (right, bottom), RULE);
        let (low, high) = match (self.middle, best_of) {
            (None, BestOf::Rows) => ("lowest of its row".into(), "best of its row".into()),
            (None, BestOf::Columns) => ("lowest of its column".into(), "best of its column".into()),
            (None, BestOf::Map) => ("lowest of its map".into(), "best of its map".into()),
            _ => (self.text(self.low), self.text(self.high)),
        };
        canvas.text(&low, (left, top + 28.0), TICK);
        if self.high > self.low {
            let style = TICK.held_at(Anchor::End);
            canvas.text(&high, (right, top + 28.0), style);
        }
        if let Some(middle) = self.middle {
            let part = if self.high > self.low {
                (middle - self.low) / (self.high - self.low)
            } else {
                0.5
            };
            let x = left + BAR_WIDTH * part;
            canvas.stroke(&[(x, top - 4.0), (x, bottom)], 1.5, GREY);
            let text = self.text(middle);
            theme::centred(canvas, &text, (x, top - 8.0), (left, right), TICK);
        }
        theme::bar_unit(canvas, top, unit, LABEL)
    }
}

/// Width and height of a sample of a mark.
const SAMPLE: Spot = (20.0, 16.0);
/// From one line of the legend to the next.
const LINE: f64 = 24.0;

/// The marks in use and what they mean.
pub(super) struct Legend {
    /// A sample, the lines of its text, and where both go, below the legend's top.
    entries: Vec<(Sample, Vec<String>, Spot)>,
    height: f64,
    paper: Paper,
}

#[derive(Clone, Copy)]
enum Sample {
    Best,
    Tied,
    Unknown,
}

impl Legend {
    pub(super) fn of(map: &HeatMap, key: &HeatKey, paper: Paper) -> Legend {
        let mut legend = Legend {
            entries: Vec::new(),
            height: 0.0,
            paper,
        };
        let cells = || map.layers.iter().flat_map(|layer| &layer.cells);
        let marked = |mark| cells().flatten().filter(move |cell| cell.mark == mark);
        if marked(Mark::Best).next().is_some() {
            legend.add(Sample::Best, &best(map, key));
        }
        match marked(Mark::Tied).count() {
            0 => {}
            1 => legend.add(Sample::Tied, "1 other cannot be told from the best"),
            tied => {
                let tied = count(tied as u64);
                let text = format!("{tied} others cannot be told from the best");
                legend.add(Sample::Tied, &text);
            }
        }
        if cells().any(Option::is_none) {
            legend.add(Sample::Unknown, "not known");
        }
        legend
    }

    /// Appends to the last line, or to a new one where that is full.
    fn add(&mut self, sample: Sample, text: &str) {
        let before = SAMPLE.0 + 10.0;
        let (from, to) = self.paper.across();
        let lines = wrap(text, &LABEL, self.paper.inner() - before, 3);
        let wide = |lines: &[String]| {
            lines
                .iter()
                .map(|line| LABEL.width(line))
                .fold(0.0, f64::max)
        };
        let left = self
            .entries
            .last()
            .map_or(f64::MAX, |(_, last, at)| at.0 + before + wide(last) + 26.0);
        let fits = left + before + wide(&lines) <= to;
        let high = LINE + LEADING * (lines.len() - 1) as f64;
        self.height += if fits { 0.0 } else { high };
        let at = (
            if fits { left } else { from },
            self.height - high + LINE / 2.0,
        );
        self.entries.push((sample, lines, at));
    }

    /// Draws it; tells where it ends.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64) -> f64 {
        for (sample, lines, (left, y)) in &self.entries {
            let y = top + y;
            let half = SAMPLE.1 / 2.0;
            let (from, to) = ((*left, y - half), (left + SAMPLE.0, y + half));
            match sample {
                Sample::Best => {
                    frame(canvas, (from, to), WHITE);
                    star(canvas, (left + SAMPLE.0 / 2.0, y), 5.0, BLACK);
                }
                Sample::Tied => {
                    canvas.block(from, to, MARKED);
                    canvas.inset((from, to), 2.0, WHITE);
                }
                Sample::Unknown => {
                    canvas.block(from, to, GRID);
                    hatch(canvas, (from, to), 0.5);
                }
            }
            for (index, line) in lines.iter().enumerate() {
                let at = (left + SAMPLE.0 + 10.0, y + LEADING * index as f64);
                canvas.text_mid(line, at, LABEL);
            }
        }
        top + self.height
    }
}

/// What the mark of the best says: which it is, or among which it is sought.
fn best(map: &HeatMap, key: &HeatKey) -> String {
    let (rows, columns) = (&map.row_axis, &map.column_axis);
    let own = match map.best_of {
        BestOf::All => {
            let cells = |layer: &HeatLayer| layer.cells.clone().into_iter().enumerate();
            let cells =
                (map.layers.iter()).flat_map(|layer| cells(layer).map(move |at| (layer, at)));
            let mut known = cells.filter_map(|(layer, (at, cell))| Some((layer, at, cell?)));
            let Some((layer, at, cell)) = known.find(|(_, _, cell)| cell.mark == Mark::Best) else {
                return String::new();
            };
            let wide = map.columns.len();
            let (row, column) = (&map.rows[at / wide], &map.columns[at % wide]);
            let name = if map.axis.is_empty() {
                String::new()
            } else {
                format!("{}, ", layer.name)
            };
            let value = key.text(cell.value);
            return format!("best: {name}{rows} {row}, {columns} {column}: {value}");
        }
        BestOf::Map => None,
        BestOf::Rows => Some(rows),
        BestOf::Columns => Some(columns),
    };
    let axes = [&map.axis].into_iter().chain(own);
    let axes: Vec<&str> = axes
        .map(String::as_str)
        .filter(|axis| !axis.is_empty())
        .collect();
    format!("best for each value of {}", axes.join(" and "))
}

/// A cell filled with `ink` in a strong outline, set off by white on both sides.
pub(super) fn frame(canvas: &mut Canvas, corners: (Spot, Spot), ink: Ink) {
    for (inset, ink) in [(-2.5, WHITE), (-1.5, MARKED), (1.5, WHITE), (2.5, ink)] {
        canvas.inset(corners, inset, ink);
    }
}

/// A rectangle of slanted lines, less so much at each side.
pub(super) fn hatch(canvas: &mut Canvas, corners: (Spot, Spot), inset: f64) {
    canvas.inset(corners, inset, WHITE);
    let ((x0, y0), (x1, y1)) = corners;
    let (x0, y0, x1, y1) = (x0 + inset, y0 + inset, x1 - inset, y1 - inset);
    // Lines rise to the right; each is named by where it would meet the lower edge.
    let step = 7.0;
    let mut start = x0 - (y1 - y0) + step / 2.0;
    while start < x1 {
        let (left, right) = (start.max(x0), (start + y1 - y0).min(x1));
        let line = [(left, y1 - (left - start)), (right, y1 - (right - start))];
        canvas.stroke(&line, 1.0, GRID);
        start += step;
    }
}

/// A star with five points, each `radius` away from its middle.
pub(super) fn star(canvas: &mut Canvas, (x, y): Spot, radius: f64, ink: Ink) {
    let corner = |i: usize| {
        let angle = std::f64::consts::PI * i as f64 / 5.0;
        let radius = if i.is_multiple_of(2) {
            radius
        } else {
            0.42 * radius
        };
        (x + radius * angle.sin(), y - radius * angle.cos())
    };
    canvas.area((0..10).map(corner).collect(), ink);
}
