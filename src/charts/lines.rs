//! How something grows: panels over one axis, in each a line for every bot.
//!
//! Knows values by place on the axis, not what they count.

use super::axes::{self, Plane, Scale};
use super::canvas::{Canvas, Spot};
use super::labels::{shorten, wrap};
use super::theme::{self, LABEL, LEADING, PANEL, Paper};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{Lines, Panel};
use crate::numbers::number;

const PANEL_HEIGHT: f64 = 146.0;
/// Width of the column of labels at the right.
const LABELS: f64 = 180.0;
/// About as many markers lie on a line, and as many of its values are told.
const MARKERS: usize = 4;
const TOLD: usize = 24;

impl Chart for Lines {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        self.check()?;
        let (Some(first), Some(last)) = (self.x.first(), self.x.last()) else {
            return Ok(None);
        };
        let (mut canvas, mut top) = theme::page(&self.title, played, paper);
        // One line has no name to be told apart by.
        let beside = self.labels.len() > 1 && !paper.is_narrow();
        let (left, right) = axes::panel_across(paper);
        let right = right - if beside { LABELS + 14.0 } else { 0.0 };
        let x = Scale::linear((*first, *last), (left, right));
        for (index, panel) in self.panels.iter().enumerate() {
            if index == 0 && beside {
                let at = (paper.across().1 - LABELS, top + 36.0);
                self.draw_legend(&mut canvas, panel, at);
            } else if index == 0 && self.labels.len() > 1 {
                top = self.draw_legend(&mut canvas, panel, (paper.margin(), top + 4.0));
            }
            top = self.draw(&mut canvas, panel, x, top, index + 1 == self.panels.len());
        }
        theme::end(&mut canvas, top, &[&self.note]);
        Ok(Some(canvas))
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

    /// Draws a panel from `top` on; tells where the next may begin.
    fn draw(&self, canvas: &mut Canvas, of: &Panel, x: Scale, top: f64, is_last: bool) -> f64 {
        let below = wrap(&of.heading, &PANEL, canvas.paper().inner(), 6).len() as f64;
        theme::paragraph(canvas, top + 12.0, &of.heading, PANEL);
        let top = top + 11.0 + (LEADING + 1.0) * below;
        let highest = of.lines.iter().flatten().copied().fold(0.0, f64::max);
        let highest = if highest > 0.0 { 1.05 * highest } else { 1.0 };
        let y = Scale::linear((0.0, highest), (top + PANEL_HEIGHT, top));
        let title = if is_last { self.x_title.as_str() } else { "" };
        let panel = Plane { x, y };
        let end = panel.draw_axes(canvas, &x.whole_ticks(), &y.ticks(false), title);
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
            let every = points.len().div_ceil(TOLD);
            for (at, point) in points.iter().enumerate().step_by(every) {
                let [place, value] = [self.x[at], line[at]].map(|value| number(value, 1));
                let place = place.trim_end_matches(".0");
                let told = format!("{}, {} {place}: {value}", self.labels[seat], self.x_title);
                canvas.tell_at(*point, told);
            }
        }
        end + if is_last { 0.0 } else { 12.0 }
    }

    /// The names beside or above the first panel, which hold for all: the line that ends highest
    /// first. Tells where they end.
    fn draw_legend(&self, canvas: &mut Canvas, panel: &Panel, (left, top): Spot) -> f64 {
        let end = |seat: &usize| panel.lines[*seat].last().copied().unwrap_or(0.0);
        let mut seats: Vec<usize> = (0..self.labels.len()).collect();
        seats.sort_by(|a, b| end(b).total_cmp(&end(a)));
        for (row, seat) in seats.into_iter().enumerate() {
            let y = top + 20.0 * row as f64;
            let style = LABEL.bold().in_ink(theme::seat_ink(seat));
            theme::marker(canvas, seat, (left + 6.0, y), 4.5);
            let text = left + 18.0;
            let name = shorten(&self.labels[seat], &style, canvas.paper().across().1 - text);
            canvas.text_mid(&name, (text, y), style);
        }
        top + 20.0 * self.labels.len() as f64
    }
}
