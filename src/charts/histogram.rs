//! How often what occurs: upright bars, with the median marked where there is one.
//!
//! Knows shares and their texts, not what they count.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::every;
use super::theme::{self, LABEL, MARGIN, PANEL, RULE, TICK, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::figure::Histogram;
use crate::numbers::percent;

/// Bars at least this far apart have their share written above.
const ROOMY: f64 = 46.0;
/// Widest distance between two bars.
const WIDEST: f64 = 150.0;

impl Chart for Histogram {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        check_column("shares", &self.shares, self.labels.len())?;
        let bars = self.shares.len();
        if self.shares.iter().all(|share| *share == 0.0) {
            let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 100.0);
            let text = match self.note.as_str() {
                "" => "nothing to show",
                note => note,
            };
            theme::placeholder(&mut canvas, top, text);
            return Ok(canvas);
        }
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 420.0);
        canvas.text(&self.y_title, (MARGIN, top + 12.0), PANEL);
        let (left, right) = (MARGIN + 44.0, WIDTH - MARGIN);
        let step = ((right - left) / bars as f64).min(WIDEST);
        let right = left + step * bars as f64;
        let (upper, lower) = (top + 34.0, top + 340.0);
        let x = |bar: usize| left + step * (bar as f64 + 0.5);
        let highest = self
            .shares
            .iter()
            .fold(0.0_f64, |high, share| high.max(*share));
        let y = Scale::linear((0.0, 1.12 * highest), (lower, upper));
        let ticks = axes::ticks(0.0, 1.12 * highest, 5, true);
        axes::y_axis(&mut canvas, &y, &ticks, (left, right));
        for (bar, share) in self.shares.iter().enumerate() {
            let half = 0.4 * step;
            let middle = self.median.as_ref().filter(|(at, _)| *at == bar);
            let ink = match (&self.median, middle) {
                (Some(_), None) => theme::seat_ink(0).pale(0.6),
                _ => theme::seat_ink(0).pale(0.95),
            };
            canvas.block(
                (x(bar) - half, y.place(*share)),
                (x(bar) + half, lower),
                ink,
            );
            if let Some((_, text)) = middle {
                let half = LABEL.bold().width(text) / 2.0;
                let at = x(bar).clamp(left + half, (WIDTH - MARGIN - half).max(left + half));
                let style = LABEL.bold().held_at(Anchor::Middle);
                canvas.text(text, (at, upper - 6.0), style);
                canvas.dashes(
                    (x(bar), upper),
                    (x(bar), y.place(*share)),
                    (4.0, 4.0),
                    1.5,
                    RULE,
                );
            }
            if step >= ROOMY {
                // At the foot of the bar where there is room.
                let style = LABEL.bold().held_at(Anchor::Middle);
                let edge = y.place(*share);
                let (base, ink) = match lower - edge > 60.0 {
                    true => (lower - 12.0, theme::WHITE),
                    false => (edge - 6.0, theme::BLACK),
                };
                canvas.text(&percent(*share, 1), (x(bar), base), style.in_ink(ink));
            }
        }
        canvas.stroke(&[(left, lower), (right, lower)], 1.0, RULE);
        let every = every(&self.labels, &TICK, 8.0, step);
        for (bar, text) in self.labels.iter().enumerate().step_by(every) {
            canvas.text(text, (x(bar), lower + 17.0), TICK.held_at(Anchor::Middle));
        }
        canvas.text(&self.x_title, (left, lower + 38.0), TICK);
        if !self.note.is_empty() {
            theme::notes(&mut canvas, std::slice::from_ref(&self.note));
        }
        Ok(canvas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound};

    fn chart(bars: usize) -> Histogram {
        let weight = |bar: usize| (-(bar as f64 - bars as f64 / 3.0).powi(2) / bars as f64).exp();
        let all: f64 = (0..bars).map(weight).sum();
        Histogram {
            title: "How long games last".into(),
            subtitle: "Diamond Miner · standard · 4 players · 20,000 games".into(),
            x_title: "round in which the game ends".into(),
            y_title: "share of games".into(),
            labels: (1..=bars)
                .map(|bar| format!("{}–{}", 5 * bar, 5 * bar + 4))
                .collect(),
            shares: (0..bars).map(|bar| weight(bar) / all).collect(),
            median: (bars > 0).then(|| (bars / 2, "median 37".into())),
            note: "Ended by the cap: 0.3 % of games.".into(),
        }
    }

    #[test]
    fn any_bars_are_drawn() {
        for bars in [0, 1, 2, 6, 17, 40, 100] {
            assert_sound(&chart(bars));
        }
        let mut none = chart(5);
        none.shares = vec![0.0; 5];
        assert_sound(&none);
    }

    #[test]
    fn a_histogram_looks_as_its_golden() {
        let chart = Histogram {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            x_title: "rounds".into(),
            y_title: "share of games".into(),
            labels: ["1", "2", "3"].map(str::to_string).to_vec(),
            shares: vec![0.2, 0.5, 0.3],
            median: Some((1, "median 2".into())),
            note: String::new(),
        };
        assert_golden("histogram", &chart);
    }

    #[test]
    fn bars_without_text_are_refused() {
        let mut short = chart(3);
        short.labels.pop();
        assert!(short.canvas().is_err());
    }
}
