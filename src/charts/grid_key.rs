//! The key of a heat map: the colour bar, and the legend of its marks.

use super::axes;
use super::canvas::{Anchor, Canvas, Ink, Spot};
use super::grid::describe_place;
use super::labels::wrap;
use super::theme::{self, BLACK, GREY, GRID, LABEL, LEADING, RULE, TICK, WHITE};
use carat_core::figure::{BestOf, Grid, GridCell, GridLayer, Mark};
use carat_core::numbers::{count, decimals_for, number, within};
use std::cmp::Ordering::Equal;

/// Size of the colour bar, and its number of colours.
const BAR_WIDTH: f64 = 260.0;
const BAR_HEIGHT: f64 = 12.0;
const SHADES: usize = 64;
/// Width and height of a sample of a mark.
const SAMPLE: Spot = (20.0, 16.0);
/// Outlines of cells that stand out.
pub(super) const MARKED: Ink = theme::seat_ink(1);

/// Half the width of the interval of a cell that is not exact.
fn error_of(cell: &GridCell) -> Option<f64> {
    cell.within.filter(|half| *half > 0.0)
}

/// The scale of the colours, which spans the values shown.
pub(super) struct GridKey<'a> {
    map: &'a Grid,
    low: f64,
    high: f64,
    /// Half the width of the narrowest interval; 0 if none is known.
    error: f64,
}

impl<'a> GridKey<'a> {
    /// The key of all known cells of some layers and the middle; none where no cell is known.
    pub(super) fn of(map: &'a Grid, layers: &[GridLayer]) -> Option<GridKey<'a>> {
        let known = || layers.iter().flat_map(GridLayer::known);
        known().next()?;
        let (low, high) = axes::bounds(known().map(|cell| cell.value).chain(map.middle));
        let error = known().filter_map(error_of).reduce(f64::min);
        let error = error.unwrap_or(0.0);
        Some(GridKey {
            map,
            low,
            high,
            error,
        })
    }

    /// Whether all rows and columns share one scale.
    pub(super) fn is_common(&self) -> bool {
        self.map.middle.is_some() || matches!(self.map.best_of, BestOf::All | BestOf::Map)
    }

    /// The colour of a value; around a middle, equal distances are equally strong.
    pub(super) fn ink(&self, value: f64) -> Ink {
        let part = |distance: f64, whole: f64, level: f64| {
            if whole > 0.0 { distance / whole } else { level }
        };
        match self.map.middle {
            None => theme::shade(part(value - self.low, self.high - self.low, 0.5)),
            Some(middle) => {
                let whole = (self.high - middle).max(middle - self.low);
                theme::shade_around(part(value - middle, whole, 0.0))
            }
        }
    }

    /// The decimals that show a `part` of the key's range, if no interval is wider.
    pub(super) fn decimals(&self, part: f64) -> usize {
        let span = match self.high - self.low {
            span if span > 0.0 => span,
            _ => self.high.abs(),
        };
        decimals_for(self.scaled(self.error.max(part * span)))
    }

    /// The value of a cell as printed there, shares without the sign of percent, with at most the
    /// decimals of its interval.
    pub(super) fn number(&self, cell: &GridCell, decimals: usize) -> String {
        let most = error_of(cell).map_or(decimals, |half| decimals_for(self.scaled(half)));
        number(self.scaled(cell.value), decimals.min(most))
    }

    /// Half the width of the interval of a cell, if it is not exact, in the unit of its value.
    pub(super) fn half_width(&self, cell: &GridCell) -> Option<String> {
        let half = self.scaled(error_of(cell)?);
        Some(number(half, decimals_for(half)))
    }

    /// The widest interval of a cell, in words; empty if all are exact.
    pub(super) fn errors(&self) -> String {
        let cells = self.map.layers.iter().flat_map(GridLayer::known);
        let widest = cells.max_by(|a, b| error_of(a).partial_cmp(&error_of(b)).unwrap_or(Equal));
        let unit = if self.map.share {
            " percentage points"
        } else {
            ""
        };
        let half = widest.and_then(|cell| self.half_width(cell));
        half.map_or(String::new(), |half| {
            format!("95 % intervals: at most ±{half}{unit}.")
        })
    }

    /// A value with half the width of its interval.
    pub(super) fn within(&self, value: f64, half: f64) -> String {
        match self.map.share {
            true if half > 0.0 => within(100.0 * value, 100.0 * half) + " %",
            true => self.text(value),
            false => within(value, half),
        }
    }

    /// A value as printed below the cells.
    pub(super) fn text(&self, value: f64) -> String {
        let sign = if self.map.share { " %" } else { "" };
        number(self.scaled(value), self.decimals(0.01)) + sign
    }

    fn scaled(&self, value: f64) -> f64 {
        value * if self.map.share { 100.0 } else { 1.0 }
    }

    /// Draws the bar with the values of its ends below and of its middle above, and the unit beside
    /// it or below if there is no room; returns the top of the next element.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64) -> f64 {
        let map = self.map;
        let top = top + if map.middle.is_some() { 18.0 } else { 0.0 };
        let left = canvas.paper().margin();
        let right = left + BAR_WIDTH;
        let bottom = top + BAR_HEIGHT;
        let place = |step: usize| left + BAR_WIDTH * step as f64 / SHADES as f64;
        for step in 0..SHADES {
            let part = (step as f64 + 0.5) / SHADES as f64;
            let ink = self.ink(self.low + part * (self.high - self.low));
            // Neighbours overlap, so that a scaled drawing shows no gaps.
            let end = (place(step + 1) + 1.0).min(right);
            canvas.block((place(step), top), (end, bottom), ink);
        }
        let [from, to] = [(left, top), (right, bottom)];
        let outline = [from, (right, top), to, (left, bottom), from];
        canvas.stroke(&outline, 1.0, RULE);
        let (low, high) = match (map.middle, map.best_of) {
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
        if let Some(middle) = map.middle {
            let x = left + BAR_WIDTH * axes::part_of(middle, (self.low, self.high));
            canvas.stroke(&[(x, top - 4.0), (x, bottom)], 1.5, GREY);
            let text = self.text(middle);
            theme::centred(canvas, &text, (x, top - 8.0), (left, right), TICK);
        }
        let paper = canvas.paper();
        if paper.is_narrow() {
            return theme::paragraph(canvas, top + 50.0, &map.unit, LABEL) - 12.0;
        }
        let left = right + 18.0;
        let lines = wrap(&map.unit, &LABEL, paper.across().1 - left, 3);
        for (index, line) in lines.iter().enumerate() {
            let y = top + BAR_HEIGHT / 2.0 + LEADING * index as f64;
            canvas.text_mid(line, (left, y), LABEL);
        }
        top + (LEADING * lines.len() as f64 + 14.0).max(40.0)
    }

    /// Explains the marks in use, a line each, from `top` on; returns their end.
    pub(super) fn draw_legend(&self, canvas: &mut Canvas, top: f64) -> f64 {
        let cells = || self.map.layers.iter().flat_map(|layer| &layer.cells);
        let marked = |mark| cells().flatten().filter(move |cell| cell.mark == mark);
        let tied = marked(Mark::Tied).count();
        let mut marks: Vec<(Option<Mark>, String)> = Vec::new();
        if marked(Mark::Best).next().is_some() {
            marks.push((Some(Mark::Best), self.best()));
        }
        if tied > 0 {
            let text = format!("{} statistically tied with the best", count(tied as u64));
            marks.push((Some(Mark::Tied), text));
        }
        if cells().any(Option::is_none) {
            marks.push((None, "not known".to_string()));
        }
        let left = canvas.paper().margin();
        let mut y = top;
        for (mark, text) in marks {
            let corners = ((left, y + 4.0), (left + SAMPLE.0, y + 4.0 + SAMPLE.1));
            let middle = ((left + corners.1.0) / 2.0, y + 4.0 + SAMPLE.1 / 2.0);
            canvas.block(corners.0, corners.1, GRID);
            match mark {
                Some(mark) => frame(canvas, corners, mark, WHITE),
                None => cross(canvas, corners, 0.5),
            }
            if mark == Some(Mark::Best) {
                star(canvas, middle, 5.0, BLACK);
            }
            let at = (corners.1.0 + 10.0, middle.1 + LABEL.drop());
            y = theme::paragraph_at(canvas, at, &text, LABEL) - LABEL.drop() - LEADING / 2.0 + 4.0;
        }
        y
    }

    /// The legend of the best mark: the best of all, or of a row, column or map.
    fn best(&self) -> String {
        let map = self.map;
        let own = match map.best_of {
            BestOf::All => return self.best_of_all(),
            BestOf::Map => None,
            BestOf::Rows => Some(&map.row_axis),
            BestOf::Columns => Some(&map.column_axis),
        };
        let axes = [&map.axis].into_iter().chain(own);
        let axes = axes.map(String::as_str).filter(|axis| !axis.is_empty());
        let axes = Vec::from_iter(axes).join(" and ");
        format!("best for each value of {axes}")
    }

    fn best_of_all(&self) -> String {
        for layer in &self.map.layers {
            for (at, cell) in layer.cells.iter().enumerate() {
                if let Some(cell) = cell.filter(|cell| cell.mark == Mark::Best) {
                    let (place, value) =
                        (describe_place(self.map, layer, at), self.text(cell.value));
                    return format!("best: {place}: {value}");
                }
            }
        }
        String::new()
    }
}

/// A cell filled with `ink`, in an outline that is set off by white: that of the best is the
/// strongest.
pub(super) fn frame(canvas: &mut Canvas, corners: (Spot, Spot), mark: Mark, ink: Ink) {
    let insets: &[(f64, Ink)] = match mark {
        Mark::None => &[],
        Mark::Tied => &[(0.5, MARKED), (2.0, WHITE), (3.0, ink)],
        Mark::Best => &[(-2.5, WHITE), (-1.5, MARKED), (1.5, WHITE), (2.5, ink)],
    };
    for (inset, ink) in insets {
        canvas.inset(corners, *inset, *ink);
    }
}

/// A cell without a value.
pub(super) fn cross(canvas: &mut Canvas, corners: (Spot, Spot), inset: f64) {
    canvas.inset(corners, inset, WHITE);
    let ((x0, y0), (x1, y1)) = corners;
    canvas.stroke(&[(x0, y1), (x1, y0)], 1.0, RULE);
}

/// A star with five points, each `radius` away from its middle.
pub(super) fn star(canvas: &mut Canvas, at: Spot, radius: f64, ink: Ink) {
    let corner = |i: usize| {
        let angle = std::f64::consts::PI * i as f64 / 5.0;
        let radius = if i.is_multiple_of(2) {
            radius
        } else {
            0.42 * radius
        };
        (at.0 + radius * angle.sin(), at.1 - radius * angle.cos())
    };
    canvas.area((0..10).map(corner).collect(), ink);
}
