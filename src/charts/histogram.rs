//! How often what occurs: upright bars, with the median marked where there is one.
//!
//! Knows shares and their texts, not what they count.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, LABEL, MARGIN, PANEL, RULE, TICK, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::figure::Histogram;
use crate::numbers::percent;

/// Bars at least this far apart have their share written above.
const ROOMY: f64 = 46.0;
/// Widest distance between two bars.
const WIDEST: f64 = 150.0;

impl Chart for Histogram {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        check_column("shares", &self.shares, self.labels.len())?;
        let bars = self.shares.len();
        let highest = self.shares.iter().copied().fold(0.0, f64::max);
        if highest == 0.0 {
            let why = if self.note.is_empty() {
                "nothing to show"
            } else {
                &self.note
            };
            return theme::blank(&self.title, played, 100.0, why);
        }
        let (mut canvas, top) = theme::page(&self.title, played, 420.0);
        canvas.text(&self.y_title, (MARGIN, top + 12.0), PANEL);
        let (left, right) = (MARGIN + 44.0, WIDTH - MARGIN);
        let step = ((right - left) / bars as f64).min(WIDEST);
        let (upper, lower) = (top + 34.0, top + 340.0);
        let x = |bar: usize| left + step * (bar as f64 + 0.5);
        let y = Scale::linear((0.0, 1.12 * highest), (lower, upper));
        let ends = (left, left + step * bars as f64);
        axes::y_axis(&mut canvas, &y, &y.ticks(5, true), ends);
        for (bar, share) in self.shares.iter().enumerate() {
            let (x, edge, half) = (x(bar), y.place(*share), 0.4 * step);
            let middle = self.median.as_ref().filter(|(at, _)| *at == bar);
            let pale = match (&self.median, middle) {
                (Some(_), None) => 0.6,
                _ => 0.95,
            };
            let ink = theme::seat_ink(0).pale(pale);
            canvas.block((x - half, edge), (x + half, lower), ink);
            let style = LABEL.bold().held_at(Anchor::Middle);
            if let Some((_, text)) = middle {
                theme::centred(&mut canvas, text, (x, upper - 6.0), (left, right), style);
                canvas.dashes((x, upper), (x, edge), (4.0, 4.0), 1.5, RULE);
            }
            if step >= ROOMY {
                // At the foot of the bar where there is room.
                let (base, ink) = match lower - edge > 60.0 {
                    true => (lower - 12.0, theme::WHITE),
                    false => (edge - 6.0, theme::BLACK),
                };
                canvas.text(&percent(*share, 1), (x, base), style.in_ink(ink));
            }
        }
        canvas.level(ends, lower, RULE);
        axes::texts_below(&mut canvas, &self.labels, (8.0, step), |bar| {
            (x(bar), lower + 17.0)
        });
        canvas.text(&self.x_title, (left, lower + 38.0), TICK);
        theme::note(&mut canvas, &self.note);
        Ok(canvas)
    }
}
