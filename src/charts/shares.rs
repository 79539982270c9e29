//! Shares with their intervals at a few places: a small panel for each of those that are compared,
//! all on one scale.
//!
//! Knows shares and labels, not what a place is or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::{every, shorten};
use super::theme::{self, BLACK, DETAIL, LABEL, MARGIN, PANEL, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_estimates, check_finite, check_length};
use crate::figure::{Shares, SharesPanel};
use crate::numbers::percent;

/// Most panels side by side.
const ACROSS: usize = 5;
/// Space between two panels.
const GAP: f64 = 18.0;
/// Room for the ticks of the vertical axis, at the left.
const TICKS: f64 = 44.0;
/// Height of a line of panels: its labels, the panels, the places below.
const LINE: f64 = 236.0;
/// Room for the labels above a panel, and for the places below it.
const HEAD: f64 = 26.0;
const FOOT: f64 = 34.0;
/// Radius of the markers.
const MARKER: f64 = 4.5;

impl Chart for Shares {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for panel in &self.panels {
            let column = format!("shares of `{}`", panel.label);
            check_length(&column, panel.shares.len(), self.labels.len())?;
            check_finite(&column, [&panel.level])?;
            check_estimates(&column, panel.shares.iter().flatten())?;
        }
        // Lines of panels are as long as each other.
        let lines = self.panels.len().div_ceil(ACROSS).max(1);
        let across = self.panels.len().div_ceil(lines).max(1);
        let height = 30.0 + LINE * lines as f64 + 34.0;
        if self.panels.is_empty() || self.labels.is_empty() {
            return theme::blank(&self.title, played, height, "nothing to show");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let wide = WIDTH - 2.0 * MARGIN;
        let title = shorten(&self.y_title, &PANEL, wide);
        canvas.text(&title, (MARGIN, top + 12.0), PANEL);
        let width = (wide - TICKS - GAP * (across - 1) as f64) / across as f64;
        let highest = self.highest();
        for (index, panel) in self.panels.iter().enumerate() {
            let left = MARGIN + TICKS + (width + GAP) * (index % across) as f64;
            let upper = top + 30.0 + LINE * (index / across) as f64;
            let y = Scale::linear((0.0, highest), (upper + LINE - FOOT, upper + HEAD));
            let mut ticks = y.ticks(5, true);
            if index % across > 0 {
                ticks.iter_mut().for_each(|(_, text)| text.clear());
            }
            axes::y_axis(&mut canvas, &y, &ticks, (left, left + width));
            self.draw(&mut canvas, panel, y, (left, left + width));
        }
        let below = top + 30.0 + LINE * lines as f64 + 10.0;
        canvas.text(&self.x_title, (MARGIN + TICKS, below), TICK);
        Ok(canvas)
    }
}

impl Shares {
    /// The upper end of the vertical axis.
    fn highest(&self) -> f64 {
        let panels = self.panels.iter();
        let shares = panels.flat_map(|panel| panel.shares.iter().flatten());
        let ends = shares.map(|share| share.high);
        let levels = self.panels.iter().map(|panel| panel.level);
        (1.15 * ends.chain(levels).fold(0.01, f64::max)).min(1.0)
    }

    fn draw(&self, canvas: &mut Canvas, of: &SharesPanel, y: Scale, (left, right): Spot) {
        let ink = of.seat.map_or(BLACK, theme::seat_ink);
        let (lower, upper) = y.places;
        let step = (right - left) / self.labels.len() as f64;
        let x = |place: usize| left + step * (place as f64 + 0.5);
        let style = LABEL.bold().in_ink(ink);
        let label = shorten(&of.label, &style, right - left);
        canvas.text(&label, (left, upper - 10.0), style);
        axes::draw_level(canvas, &y, (left, right), of.level);
        let texts: Vec<String> = (of.shares.iter().flatten())
            .map(|share| percent(share.value, 1))
            .collect();
        let named = every(&texts, &DETAIL, 4.0, step) == 1;
        for (place, share) in of.shares.iter().enumerate() {
            let Some(share) = share else { continue };
            let (low, high) = (y.place(share.low), y.place(share.high));
            let at = (x(place), y.place(share.value));
            // What a marker would hide is not drawn.
            if low - high > 3.0 * MARKER {
                canvas.stroke(&[(at.0, low), (at.0, high)], 3.0, ink);
                for end in [low, high] {
                    canvas.stroke(&[(at.0 - 6.0, end), (at.0 + 6.0, end)], 2.0, ink);
                }
            }
            match of.seat {
                Some(seat) => theme::marker(canvas, seat, at, MARKER),
                None => canvas.disc(at, MARKER, ink),
            }
            if named {
                let text = percent(share.value, 1);
                let style = DETAIL.in_ink(BLACK).held_at(Anchor::Middle);
                let (x, y) = (at.0, high.min(at.1 - 5.0) - 6.0);
                let half = style.width(&text) / 2.0;
                // No line runs through the text.
                let corner = (x - half - 1.0, y - 10.0);
                canvas.block(corner, (x + half + 1.0, y + 2.0), WHITE);
                canvas.text(&text, (x, y), style);
            }
        }
        axes::texts_below(canvas, &self.labels, (6.0, step), |place| {
            (x(place), lower + 17.0)
        });
    }
}
