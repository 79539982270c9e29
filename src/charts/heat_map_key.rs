//! What explains the cells of a heat map: its colours with their bar, its marks with their legend.

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::heat_map::{BestOf, HeatCell, HeatMap, Mark};
use super::labels::shorten;
use super::theme::{
    self, BAR_HEIGHT, BAR_WIDTH, BLACK, GREY, GRID, LABEL, MARGIN, RULE, TICK, WHITE, WIDTH,
};
use crate::numbers::{count, decimals_for, number};

/// Outlines of cells that stand out.
pub(super) const MARKED: Ink = theme::seat_ink(1);

/// The scale of the colours, which spans the values shown.
pub(super) struct Key {
    low: f64,
    high: f64,
    middle: Option<f64>,
    share: bool,
}

impl Key {
    /// The key of all known cells and the middle; none where no cell is known.
    pub(super) fn of(map: &HeatMap) -> Option<Key> {
        Key::among(&[map])
    }

    /// The key of several maps of one figure.
    pub(super) fn among(maps: &[&HeatMap]) -> Option<Key> {
        let first = maps.first()?;
        let known = || maps.iter().flat_map(|map| map.known());
        known().next()?;
        let values = || known().map(|cell| cell.value).chain(first.middle);
        Some(Key {
            low: values().fold(f64::MAX, f64::min),
            high: values().fold(f64::MIN, f64::max),
            middle: first.middle,
            share: first.share,
        })
    }

    /// The colour of a cell. Where the best was sought in each row or column, every one of these
    /// goes from the lightest to the darkest.
    pub(super) fn ink_of(&self, map: &HeatMap, at: usize, cell: &HeatCell) -> Ink {
        match (self.middle, map.best_of) {
            (Some(_), _) | (_, BestOf::All | BestOf::Map) => self.ink(cell.value),
            _ => theme::shade(map.rank(at, cell)),
        }
    }

    /// The colour of a value; around a middle, equal distances are equally strong.
    pub(super) fn ink(&self, value: f64) -> Ink {
        let part = |distance: f64, whole: f64, level: f64| match whole > 0.0 {
            true => distance / whole,
            false => level,
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
        let span = match self.high > self.low {
            true => self.high - self.low,
            false => self.high.abs(),
        };
        decimals_for(self.scaled(part * span))
    }

    /// A value as printed in its cell, shares without the sign of percent.
    pub(super) fn number(&self, value: f64, decimals: usize) -> String {
        number(self.scaled(value), decimals)
    }

    /// A value as printed below the cells.
    fn text(&self, value: f64) -> String {
        let sign = if self.share { " %" } else { "" };
        self.number(value, self.decimals(0.01)) + sign
    }

    fn scaled(&self, value: f64) -> f64 {
        value * if self.share { 100.0 } else { 1.0 }
    }

    pub(super) fn height(&self) -> f64 {
        if self.middle.is_some() { 50.0 } else { 32.0 }
    }

    /// The bar with the values of its ends below and its middle above, the unit beside it.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64, unit: &str, best_of: BestOf) {
        let top = top + self.height() - 32.0;
        let right = MARGIN + BAR_WIDTH;
        theme::colour_bar(canvas, top, |part| {
            self.ink(self.low + part * (self.high - self.low))
        });
        let (bottom, corner) = (top + BAR_HEIGHT, (MARGIN, top));
        let edge = [
            corner,
            (right, top),
            (right, bottom),
            (MARGIN, bottom),
            corner,
        ];
        canvas.stroke(&edge, 1.0, RULE);
        let (low, high) = match (self.middle, best_of) {
            (None, BestOf::Rows) => ("lowest of its row".into(), "best of its row".into()),
            (None, BestOf::Columns) => ("lowest of its column".into(), "best of its column".into()),
            (None, BestOf::Map) => ("lowest of its map".into(), "best of its map".into()),
            _ => (self.text(self.low), self.text(self.high)),
        };
        canvas.text(&low, (MARGIN, top + 28.0), TICK);
        if self.high > self.low {
            let style = TICK.held_at(Anchor::End);
            canvas.text(&high, (right, top + 28.0), style);
        }
        if let Some(middle) = self.middle {
            let part = match self.high > self.low {
                true => (middle - self.low) / (self.high - self.low),
                false => 0.5,
            };
            let x = MARGIN + BAR_WIDTH * part;
            canvas.stroke(&[(x, top - 4.0), (x, bottom)], 1.5, GREY);
            let text = self.text(middle);
            let half = TICK.width(&text) / 2.0;
            let at = (x.clamp(MARGIN + half, right - half), top - 8.0);
            canvas.text(&text, at, TICK.held_at(Anchor::Middle));
        }
        let left = right + 18.0;
        let unit = shorten(unit, &LABEL, WIDTH - MARGIN - left);
        canvas.text_mid(&unit, (left, top + BAR_HEIGHT / 2.0), LABEL);
    }
}

/// Width and height of a sample of a mark.
const SAMPLE: Point = (20.0, 16.0);
/// From one line of the legend to the next.
const LINE: f64 = 24.0;

/// The marks in use and what they mean.
pub(super) struct Legend {
    /// A sample, its text, and where both go, below the legend's top.
    entries: Vec<(Sample, String, Point)>,
    height: f64,
}

#[derive(Clone, Copy)]
enum Sample {
    Best,
    Tied,
    Unknown,
}

impl Legend {
    /// The legend of maps of one figure; `names` are what tells several apart, and their names.
    pub(super) fn among(maps: &[&HeatMap], names: Option<(&str, &[&str])>, key: &Key) -> Legend {
        let mut legend = Legend {
            entries: Vec::new(),
            height: 0.0,
        };
        let known = || maps.iter().flat_map(|map| map.known());
        if known().any(|cell| cell.mark == Mark::Best) {
            legend.add(Sample::Best, &best(maps, names, key));
        }
        match known().filter(|cell| cell.mark == Mark::Tied).count() {
            0 => {}
            1 => legend.add(Sample::Tied, "1 other cannot be told from the best"),
            tied => {
                let tied = count(tied as u64);
                let text = format!("{tied} others cannot be told from the best");
                legend.add(Sample::Tied, &text);
            }
        }
        if maps.iter().any(|map| map.cells.iter().any(Option::is_none)) {
            legend.add(Sample::Unknown, "not known");
        }
        legend
    }

    /// Appends to the last line, or to a new one where that is full.
    fn add(&mut self, sample: Sample, text: &str) {
        let before = SAMPLE.0 + 10.0;
        let text = shorten(text, &LABEL, WIDTH - 2.0 * MARGIN - before);
        let left = self.entries.last().map_or(f64::MAX, |(_, last, at)| {
            at.0 + before + LABEL.width(last) + 26.0
        });
        let fits = left + before + LABEL.width(&text) <= WIDTH - MARGIN;
        self.height += if fits { 0.0 } else { LINE };
        let at = (if fits { left } else { MARGIN }, self.height - LINE / 2.0);
        self.entries.push((sample, text, at));
    }

    pub(super) fn height(&self) -> f64 {
        match self.entries.is_empty() {
            true => 0.0,
            false => self.height + 10.0,
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64) {
        for (sample, text, (left, y)) in &self.entries {
            let y = top + 10.0 + y;
            let (from, to) = (
                (*left, y - SAMPLE.1 / 2.0),
                (left + SAMPLE.0, y + SAMPLE.1 / 2.0),
            );
            match sample {
                Sample::Best => {
                    frame(canvas, (from, to), WHITE);
                    star(canvas, (left + SAMPLE.0 / 2.0, y), 5.0, BLACK);
                }
                Sample::Tied => {
                    canvas.block(from, to, MARKED);
                    canvas.block(
                        (from.0 + 2.0, from.1 + 2.0),
                        (to.0 - 2.0, to.1 - 2.0),
                        WHITE,
                    );
                }
                Sample::Unknown => {
                    canvas.block(from, to, GRID);
                    hatch(
                        canvas,
                        (from.0 + 0.5, from.1 + 0.5),
                        (to.0 - 0.5, to.1 - 0.5),
                    );
                }
            }
            canvas.text_mid(text, (left + SAMPLE.0 + 10.0, y), LABEL);
        }
    }
}

/// What the mark of the best says: which it is, or among which it is sought.
fn best(maps: &[&HeatMap], names: Option<(&str, &[&str])>, key: &Key) -> String {
    let map = maps[0];
    let (rows, columns) = (&map.row_axis, &map.column_axis);
    let each: Vec<&str> = match (map.best_of, names) {
        (BestOf::All, names) => {
            let found = maps.iter().enumerate().find_map(|(index, map)| {
                let best = |cell: &Option<HeatCell>| cell.filter(|c| c.mark == Mark::Best);
                let mut cells = map.cells.iter().enumerate();
                cells.find_map(|(at, cell)| Some((index, at, best(cell)?)))
            });
            let Some((index, at, cell)) = found else {
                return String::new();
            };
            let wide = map.columns.len();
            let (row, column) = (&map.rows[at / wide], &map.columns[at % wide]);
            let of_map = match names {
                Some((_, names)) => format!("{}, ", names[index]),
                None => String::new(),
            };
            let value = key.text(cell.value);
            return format!("best: {of_map}{rows} {row}, {columns} {column}: {value}");
        }
        (BestOf::Map, names) => names.iter().map(|(axis, _)| *axis).collect(),
        (BestOf::Rows, names) => names
            .iter()
            .map(|(axis, _)| *axis)
            .chain([rows.as_str()])
            .collect(),
        (BestOf::Columns, names) => names
            .iter()
            .map(|(axis, _)| *axis)
            .chain([columns.as_str()])
            .collect(),
    };
    format!("best for each value of {}", each.join(" and "))
}

/// A cell filled with `ink` in a strong outline, set off by white on both sides.
pub(super) fn frame(canvas: &mut Canvas, (from, to): (Point, Point), ink: Ink) {
    for (inset, ink) in [(-2.5, WHITE), (-1.5, MARKED), (1.5, WHITE), (2.5, ink)] {
        let from = (from.0 + inset, from.1 + inset);
        canvas.block(from, (to.0 - inset, to.1 - inset), ink);
    }
}

/// A rectangle of slanted lines.
pub(super) fn hatch(canvas: &mut Canvas, (x0, y0): Point, (x1, y1): Point) {
    canvas.block((x0, y0), (x1, y1), WHITE);
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
pub(super) fn star(canvas: &mut Canvas, (x, y): Point, radius: f64, ink: Ink) {
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
