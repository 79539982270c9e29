//! Shares with their intervals at a few places: a small panel for each of those that are compared,
//! all on one scale.
//!
//! Knows shares and labels, not what a place is or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::{every, shorten, value_within};
use super::theme::{self, BLACK, DETAIL, LABEL, PANEL, Paper, TICK};
use super::{Chart, ChartError, check_estimates, check_finite, check_length};
use crate::figure::{Shares, SharesPanel};
use crate::numbers::percent;
use crate::statistics::Estimate;

/// Most panels side by side.
const ACROSS: usize = 5;
/// Space between two panels.
const GAP: f64 = 18.0;
/// Room for the ticks of the vertical axis, at the left.
const TICKS: f64 = 44.0;
/// Height of a line of panels: its labels, the panels, the places below.
const LINE: f64 = 246.0;
/// Room for the labels above a panel, and for the places below it.
const HEAD: f64 = 26.0;
const FOOT: f64 = 48.0;
/// Radius of the markers.
const MARKER: f64 = 4.0;

impl Chart for Shares {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for panel in &self.panels {
            let column = format!("shares of `{}`", panel.label);
            check_length(&column, panel.shares.len(), self.labels.len())?;
            check_finite(&column, [&panel.level])?;
            check_estimates(&column, panel.shares.iter().flatten())?;
        }
        if self.panels.is_empty() || self.labels.is_empty() {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let top = theme::paragraph(&mut canvas, top + 12.0, &self.y_title, PANEL) - 6.0;
        let width =
            |across: usize| (paper.inner() - TICKS - GAP * (across - 1) as f64) / across as f64;
        // Side by side as many as leave room for the values, in lines as long as each other.
        let fits = |across: &usize| self.fits(width(*across));
        let most = (1..=ACROSS.min(self.panels.len()))
            .rev()
            .find(fits)
            .unwrap_or(1);
        let lines = self.panels.len().div_ceil(most);
        let across = self.panels.len().div_ceil(lines);
        let width = width(across);
        let highest = self.highest();
        for (index, panel) in self.panels.iter().enumerate() {
            let left = paper.margin() + TICKS + (width + GAP) * (index % across) as f64;
            let upper = top + LINE * (index / across) as f64;
            let y = Scale::linear((0.0, highest), (upper + LINE - FOOT, upper + HEAD));
            let mut ticks = y.ticks(true);
            if index % across > 0 {
                ticks.iter_mut().for_each(|(_, text)| text.clear());
            }
            axes::y_axis(&mut canvas, &y, &ticks, (left, left + width));
            self.draw(&mut canvas, panel, y, (left, left + width));
        }
        let below = top + LINE * lines as f64 + 6.0;
        let left = if paper.is_narrow() { 0.0 } else { TICKS };
        let at = (paper.margin() + left, below);
        let end = theme::paragraph_at(&mut canvas, at, &self.x_title, TICK) - 16.0;
        theme::end(&mut canvas, end, &[]);
        Ok(Some(canvas))
    }
}

impl Shares {
    /// The upper end of the vertical axis.
    fn highest(&self) -> f64 {
        let panels = self.panels.iter();
        let shares = panels.flat_map(|panel| panel.shares.iter().flatten());
        let ends = shares.map(|share| share.high);
        let levels = self.panels.iter().map(|panel| panel.level);
        (1.05 * ends.chain(levels).fold(0.01, f64::max)).min(1.0)
    }

    /// The values as printed below their places.
    fn texts(of: &SharesPanel) -> Vec<String> {
        let text = |share: &Option<Estimate>| share.map_or(String::new(), |e| percent(e.value, 1));
        of.shares.iter().map(text).collect()
    }

    /// Whether the values have room in panels so wide.
    fn fits(&self, width: f64) -> bool {
        let step = width / self.labels.len() as f64;
        let mut panels = self.panels.iter();
        panels.all(|panel| every(&Shares::texts(panel), &DETAIL, 4.0, step) == 1)
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
        for (place, share) in of.shares.iter().enumerate() {
            let Some(share) = share else { continue };
            let (low, high) = (y.place(share.low), y.place(share.high));
            let at = (x(place), y.place(share.value));
            canvas.stroke(&[(at.0, low), (at.0, high)], 2.5, ink);
            match of.seat {
                Some(seat) => theme::marker(canvas, seat, at, MARKER),
                None => canvas.disc(at, MARKER, ink),
            }
            // On top of the marker, which is less wide: so every interval is seen.
            for end in [low, high] {
                canvas.stroke(&[(at.0 - 8.0, end), (at.0 + 8.0, end)], 1.5, ink);
            }
            let (place, value) = (&self.labels[place], value_within(share, true));
            let corner = (at.0 - step / 2.0, upper);
            canvas.tell(
                corner,
                (at.0 + step / 2.0, lower),
                format!("{}, {place}: {value}", of.label),
            );
        }
        axes::texts_below(canvas, &self.labels, (6.0, step), |place| {
            (x(place), lower + 17.0)
        });
        // No line runs through the values: they stand below the places.
        if self.fits(right - left) {
            for (place, text) in Shares::texts(of).iter().enumerate() {
                let style = DETAIL.in_ink(BLACK).held_at(Anchor::Middle);
                canvas.text(text, (x(place), lower + 33.0), style);
            }
        }
    }
}
