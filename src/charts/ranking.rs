//! How much each of several has: one bar a row with its 95 % interval and its number, against a
//! level that all would have if they were alike.
//!
//! Knows numbers and labels, not what they count or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::Canvas;
use super::labels::value_within;
use super::theme::{self, GRID, LABEL, MARGIN, RULE, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_estimates, check_finite};
use crate::statistics::Estimate;

/// One figure of several, mostly in the order of its size.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The headline.
    pub title: String,
    /// What the lengths show.
    pub axis: String,
    /// Whether the figure is a share, shown in percent.
    pub share: bool,
    /// A level to compare with, and what it is.
    pub level: Option<(f64, String)>,
    /// One row each, drawn from top to bottom.
    pub rows: Vec<Ranked>,
}

/// The figure of one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Number of the seat (from 0) whose colour and marker it has.
    pub seat: usize,
    /// Its name, wrapped or shortened where it is long.
    pub label: String,
    /// The figure.
    pub estimate: Estimate,
}

/// Room for the printed value at the right of a row.
const VALUE_WIDTH: f64 = 112.0;
/// Radius of the markers.
const MARKER: f64 = 5.5;

impl Chart for Ranking {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            check_estimates(&format!("figure of `{}`", row.label), [&row.estimate])?;
        }
        if let Some((level, name)) = &self.level {
            check_finite(&format!("level of {name}"), [level])?;
        }
        let rows = self.rows.len().max(1) as f64;
        let row = (330.0 / rows).clamp(36.0, 68.0);
        let head = if self.level.is_some() { 26.0 } else { 8.0 };
        let height = head + row * rows + 60.0;
        if self.rows.is_empty() {
            return theme::blank(&self.title, played, height, "nothing to show");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let span = (top + head, top + head + row * rows);
        let scale = self.scale();
        self.draw_axis(&mut canvas, &scale, span);
        for (i, ranked) in self.rows.iter().enumerate() {
            let y = span.0 + (i as f64 + 0.5) * row;
            self.draw_row(&mut canvas, &scale, ranked, y);
        }
        Ok(canvas)
    }
}

impl Ranking {
    fn scale(&self) -> Scale {
        let estimates = self.rows.iter().map(|row| &row.estimate);
        let ends = estimates.flat_map(|e| [e.value, e.low, e.high]);
        let levels = self.level.iter().map(|(level, _)| *level);
        let (low, high) = axes::bounds(ends.chain(levels).chain([0.0]));
        let air = if high > low { 0.06 * (high - low) } else { 1.0 };
        let low = if low < 0.0 { low - air } else { 0.0 };
        let most = if self.share { 1.0 } else { f64::INFINITY };
        let left = axes::rows_left(self.rows.iter().map(|row| &row.label), 20.0);
        let right = WIDTH - MARGIN - VALUE_WIDTH - 14.0;
        Scale::linear((low, (high + air).min(most)), (left, right))
    }

    fn draw_axis(&self, canvas: &mut Canvas, scale: &Scale, span: (f64, f64)) {
        let mut shown = self.rows.iter().map(|row| &row.estimate);
        let wide = shown.clone().any(|e| e.high > e.low);
        let remark = match (wide, shown.any(|e| hides(scale, e))) {
            (false, _) => "",
            (true, false) => ", with its 95 % interval",
            (true, true) => "; a 95 % interval narrower than its marker is not drawn",
        };
        let title = format!("{}{remark}", self.axis);
        axes::x_axis(canvas, scale, &scale.ticks(6, self.share), span, &title);
        if let Some((level, text)) = &self.level {
            let x = scale.place(*level);
            canvas.dashes((x, span.0 - 4.0), (x, span.1), (5.0, 4.0), 1.5, RULE);
            theme::centred(canvas, text, (x, span.0 - 10.0), theme::ACROSS, TICK);
        }
    }

    fn draw_row(&self, canvas: &mut Canvas, scale: &Scale, row: &Ranked, y: f64) {
        let ink = theme::seat_ink(row.seat);
        axes::row_label(canvas, &row.label, (scale.places.0, y));
        let estimate = &row.estimate;
        let (zero, x) = (scale.place(0.0), scale.place(estimate.value));
        canvas.level(scale.places, y, GRID);
        canvas.stroke(&[(zero, y), (x, y)], 3.0, ink);
        let (low, high) = (scale.place(estimate.low), scale.place(estimate.high));
        if !hides(scale, estimate) {
            canvas.stroke(&[(x, y), (high, y)], 3.0, ink);
            for end in [low, high] {
                canvas.stroke(&[(end, y - 8.0), (end, y + 8.0)], 2.0, ink);
            }
        }
        theme::marker(canvas, row.seat, (x, y), MARKER);
        let value = value_within(estimate, self.share);
        let (left, style) = (high.max(x) + 14.0, LABEL.bold());
        // The line of the level does not run through the text.
        let right = left + style.width(&value) + 4.0;
        canvas.block((left - 4.0, y - 9.0), (right, y + 9.0), WHITE);
        canvas.text_mid(&value, (left, y), style);
    }
}

/// Whether a marker covers the whole interval.
fn hides(scale: &Scale, estimate: &Estimate) -> bool {
    scale.place(estimate.high) - scale.place(estimate.low) < 2.5 * MARKER
}
