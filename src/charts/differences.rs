//! How figures differ: one row per figure with its 95 % interval around zero; where several sides
//! differ from one, they stand side by side.
//!
//! Knows numbers and labels, not what was compared or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::{difference_within, shorten};
use super::theme::{self, GREY, GRID, LABEL, MARGIN, PANEL, TICK, WIDTH};
use super::{Chart, ChartError, check_estimates, check_length};
use crate::statistics::Estimate;

/// Differences of several figures on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    /// The headline.
    pub title: String,
    /// What the axis shows, with its unit.
    pub axis: String,
    /// What stands side by side; empty where that is one thing alone.
    pub columns: Vec<String>,
    /// One row each, drawn from top to bottom.
    pub rows: Vec<Differing>,
}

impl Differences {
    /// Differences in one column.
    pub fn of(
        title: impl Into<String>,
        axis: impl Into<String>,
        rows: Vec<Differing>,
    ) -> Differences {
        Differences {
            title: title.into(),
            axis: axis.into(),
            columns: vec![],
            rows,
        }
    }
}

/// How one figure differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// The name of the figure, wrapped or shortened where it is long.
    pub label: String,
    /// By how much, column by column; none where that is not known.
    pub estimates: Vec<Option<Estimate>>,
}

impl Differing {
    /// How a figure differs where there is one column.
    pub fn one(label: impl Into<String>, estimate: Estimate) -> Differing {
        Differing {
            label: label.into(),
            estimates: vec![Some(estimate)],
        }
    }
}

/// Room for the printed values at the right of a column, of one and of several.
const VALUE_WIDTH: [f64; 2] = [132.0, 100.0];
/// Space between two columns.
const GAP: f64 = 22.0;
/// More rows than this are drawn closer to each other.
const MANY: usize = 12;
/// Radius of the markers.
const MARKER: f64 = 5.0;

impl Chart for Differences {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        let columns = self.columns.len().max(1);
        for row in &self.rows {
            let column = format!("difference of `{}`", row.label);
            check_length(&column, row.estimates.len(), columns)?;
            check_estimates(&column, row.estimates.iter().flatten())?;
        }
        let row = if self.rows.len() > MANY { 34.0 } else { 44.0 };
        let head = if self.columns.is_empty() { 16.0 } else { 40.0 };
        let height = head + row * self.rows.len().max(1) as f64 + 60.0;
        if self.rows.is_empty() {
            return theme::blank(&self.title, played, height, "nothing to compare");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let span = (top + head, top + head + row * self.rows.len() as f64);
        let left = axes::rows_left(self.rows.iter().map(|row| &row.label), 20.0);
        let middle = |index: usize| span.0 + (index as f64 + 0.5) * row;
        for (index, entry) in self.rows.iter().enumerate() {
            axes::row_label(&mut canvas, &entry.label, (left, middle(index)));
        }
        for column in 0..columns {
            let (scale, right) = self.scale(left, column);
            let ticks = scale.ticks(if columns == 1 { 6 } else { 4 }, false);
            axes::x_axis(&mut canvas, &scale, &ticks, span, "");
            axes::zero_line(&mut canvas, &scale, span);
            if let Some(name) = self.columns.get(column) {
                let name = shorten(name, &PANEL, right - scale.places.0);
                canvas.text(&name, (scale.places.0, span.0 - 14.0), PANEL);
            }
            for (index, entry) in self.rows.iter().enumerate() {
                if let Some(estimate) = &entry.estimates[column] {
                    draw(&mut canvas, (&scale, right), estimate, middle(index));
                }
            }
        }
        let axis = shorten(&self.axis, &TICK, WIDTH - MARGIN - left);
        canvas.text(&axis, (left, span.1 + 36.0), TICK);
        Ok(canvas)
    }
}

impl Differences {
    /// The scale of a column, and where its values end; the first column begins at `left`.
    fn scale(&self, left: f64, column: usize) -> (Scale, f64) {
        let estimates = self.rows.iter().flat_map(|row| row.estimates.iter());
        let ends = estimates.flatten().flat_map(|e| [e.low, e.high]);
        let columns = self.columns.len().max(1);
        let wide = WIDTH - MARGIN - left - GAP * (columns - 1) as f64;
        let wide = wide / columns as f64;
        let left = left + (wide + GAP) * column as f64;
        let values = VALUE_WIDTH[usize::from(columns > 1)];
        let places = (left, left + wide - values - 14.0);
        // Identical sides leave no width at all.
        let scale = Scale::airy(axes::bounds(ends.chain([0.0])), (0.06, 1.0), places);
        (scale, left + wide)
    }
}

/// Draws an interval, and its value so that it ends at `right`.
fn draw(canvas: &mut Canvas, (scale, right): (&Scale, f64), estimate: &Estimate, y: f64) {
    // What is 0 but for rounding is 0.
    let noise = 1e-9 * (scale.values.1 - scale.values.0);
    let (ink, style) = match estimate.low > noise || estimate.high < -noise {
        true => (theme::seat_ink(0), LABEL.bold()),
        false => (GREY, LABEL.in_ink(GREY)),
    };
    canvas.level(scale.places, y, GRID);
    let (low, high) = (scale.place(estimate.low), scale.place(estimate.high));
    // An interval that the marker covers is left to the printed value.
    if high - low > 2.5 * MARKER {
        canvas.stroke(&[(low, y), (high, y)], 3.0, ink);
        for end in [low, high] {
            canvas.stroke(&[(end, y - 7.0), (end, y + 7.0)], 2.0, ink);
        }
    }
    canvas.disc((scale.place(estimate.value), y), MARKER, ink);
    let text = difference_within(estimate);
    canvas.text_mid(&text, (right, y), style.held_at(Anchor::End));
}
