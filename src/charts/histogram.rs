//! How often what occurs: upright bars, with the median marked where there is one.
//!
//! Knows shares and their texts, not what they count.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::every;
use super::theme::{self, BLACK, LABEL, PANEL, Paper, RULE, TICK};
use super::{Chart, ChartError, check_column};
use crate::figure::Histogram;
use crate::numbers::percent;

/// Widest distance between two bars.
const WIDEST: f64 = 150.0;

impl Chart for Histogram {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        check_column("shares", &self.shares, self.labels.len())?;
        let bars = self.shares.len();
        let highest = self.shares.iter().copied().fold(0.0, f64::max);
        if highest == 0.0 {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let top = theme::paragraph(&mut canvas, top + 12.0, &self.y_title, PANEL);
        let (left, right) = (paper.margin() + 44.0, paper.across().1);
        let step = ((right - left) / bars as f64).min(WIDEST);
        let (upper, lower) = (top + 18.0, top + 320.0);
        let x = |bar: usize| left + step * (bar as f64 + 0.5);
        let y = Scale::linear((0.0, 1.12 * highest), (lower, upper));
        let ends = (left, left + step * bars as f64);
        axes::y_axis(&mut canvas, &y, &y.ticks(true), ends);
        let texts: Vec<String> = self.shares.iter().map(|share| percent(*share, 1)).collect();
        let style = LABEL.held_at(Anchor::Middle);
        let roomy = every(&texts, &style, 4.0, step) == 1;
        for (bar, share) in self.shares.iter().enumerate() {
            let (x, edge, half) = (x(bar), y.place(*share), 0.4 * step);
            let middle = self.median.as_ref().filter(|(at, _)| *at == bar);
            let pale = match (&self.median, middle) {
                (Some(_), None) => 0.6,
                _ => 0.95,
            };
            let ink = theme::seat_ink(0).pale(pale);
            canvas.block((x - half, edge), (x + half, lower), ink);
            let told = format!("{}: {}", self.labels[bar], texts[bar]);
            canvas.tell((x - step / 2.0, upper), (x + step / 2.0, lower), told);
            if let Some((_, text)) = middle {
                let style = style.bold().in_ink(BLACK);
                theme::centred(&mut canvas, text, (x, upper - 6.0), (left, right), style);
                let foot = edge - if roomy { 22.0 } else { 0.0 };
                canvas.dashes((x, upper), (x, foot.max(upper)), (4.0, 4.0), 1.5, RULE);
            }
            if roomy {
                // A line of the grid does not run through the text.
                let half = style.width(&texts[bar]) / 2.0 + 2.0;
                canvas.block(
                    (x - half, edge - 18.0),
                    (x + half, edge - 2.0),
                    theme::WHITE,
                );
                canvas.text(&texts[bar], (x, edge - 5.0), style);
            }
        }
        canvas.level(ends, lower, RULE);
        let deep = axes::texts_below(&mut canvas, &self.labels, (8.0, step), |bar| {
            (x(bar), lower + 17.0)
        });
        let at = if paper.is_narrow() {
            paper.margin()
        } else {
            left
        };
        let below = lower + 34.0 + deep;
        let end = theme::paragraph_at(&mut canvas, (at, below), &self.x_title, TICK) - 16.0;
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}
