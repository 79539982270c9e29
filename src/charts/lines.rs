//! How something grows: panels over one axis, in each a line for every bot.
//!
//! Knows values by place on the axis, not what they count.

use super::axes::{Plane, Scale};
use super::canvas::Canvas;
use super::labels::shorten;
use super::theme::{self, LABEL, MARGIN, WIDTH};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{Lines, Panel};

/// Height of one panel with its heading.
const PANEL_HEIGHT: f64 = 204.0;
/// Width of the column of labels at the right.
const LABELS: f64 = 180.0;
/// About as many markers lie on a line.
const MARKERS: usize = 4;

impl Chart for Lines {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        self.check()?;
        let height = (PANEL_HEIGHT * self.panels.len() as f64 + 46.0).max(200.0);
        let (Some(first), Some(last)) = (self.x.first(), self.x.last()) else {
            return theme::blank(&self.title, played, height, "nothing to show");
        };
        let (mut canvas, top) = theme::page(&self.title, played, height);
        // One line has no name to be told apart by.
        let legend = if self.labels.len() > 1 { LABELS } else { 0.0 };
        let (left, right) = (MARGIN + 44.0, WIDTH - MARGIN - legend - 34.0);
        let x = Scale::linear((*first, *last), (left, right));
        for (index, panel) in self.panels.iter().enumerate() {
            let top = top + PANEL_HEIGHT * index as f64;
            self.draw(&mut canvas, panel, x, top, index + 1 == self.panels.len());
            if index == 0 && legend > 0.0 {
                self.draw_legend(&mut canvas, panel, top);
            }
        }
        theme::note(&mut canvas, &self.note);
        Ok(canvas)
    }
}

impl Lines {
    fn check(&self) -> Result<(), ChartError> {
        check_finite("x", &self.x)?;
        for Panel { heading, lines } in &self.panels {
            check_length(
                &format!("lines of `{heading}`"),
                lines.len(),
                self.labels.len(),
            )?;
            for (label, line) in self.labels.iter().zip(lines) {
                check_column(&format!("{heading} of `{label}`"), line, self.x.len())?;
            }
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas, of: &Panel, x: Scale, top: f64, is_last: bool) {
        canvas.text(&of.heading, (MARGIN, top + 12.0), theme::PANEL);
        let highest = of.lines.iter().flatten().copied().fold(0.0, f64::max);
        let highest = if highest > 0.0 { 1.05 * highest } else { 1.0 };
        let places = (top + PANEL_HEIGHT - 30.0, top + 28.0);
        let y = Scale::linear((0.0, highest), places);
        let title = if is_last { self.x_title.as_str() } else { "" };
        let panel = Plane { x, y };
        panel.draw_axes(canvas, &x.whole_ticks(10), &y.ticks(4, false), title);
        for (seat, line) in of.lines.iter().enumerate() {
            let points = self.x.iter().zip(line);
            let points: Vec<_> = points.map(|(at, value)| panel.place(*at, *value)).collect();
            canvas.stroke(&points, 2.0, theme::seat_ink(seat));
            let every = points.len().div_ceil(MARKERS).max(1);
            // Markers of different lines keep off each other where lines meet.
            let first = every / 2 + seat * every / (2 * of.lines.len());
            for point in points.iter().skip(first).step_by(every) {
                theme::marker(canvas, seat, *point, 3.5);
            }
        }
    }

    /// The names beside the first panel, which hold for all: the line that ends highest first.
    fn draw_legend(&self, canvas: &mut Canvas, panel: &Panel, top: f64) {
        let end = |seat: &usize| panel.lines[*seat].last().copied().unwrap_or(0.0);
        let mut seats: Vec<usize> = (0..self.labels.len()).collect();
        seats.sort_by(|a, b| end(b).total_cmp(&end(a)));
        let left = WIDTH - MARGIN - LABELS;
        for (row, seat) in seats.into_iter().enumerate() {
            let y = top + 36.0 + 20.0 * row as f64;
            let style = LABEL.bold().in_ink(theme::seat_ink(seat));
            theme::marker(canvas, seat, (left + 6.0, y), 4.5);
            let text = left + 18.0;
            let name = shorten(&self.labels[seat], &style, WIDTH - MARGIN - text);
            canvas.text_mid(&name, (text, y), style);
        }
    }
}
