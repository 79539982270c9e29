//! Shares with their intervals at a few places: a small panel for each of those that are compared,
//! all on one scale.
//!
//! Knows shares and labels, not what a place is or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Point};
use super::labels::{every, shorten};
use super::theme::{self, BLACK, DETAIL, LABEL, MARGIN, PANEL, RULE, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_column, check_estimate};
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
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for panel in &self.panels {
            let column = format!("shares of `{}`", panel.label);
            check_column(&column, &vec![0.0; panel.shares.len()], self.labels.len())?;
            check_column(&column, &[panel.level], 1)?;
            for share in panel.shares.iter().flatten() {
                check_estimate(&column, share)?;
            }
        }
        // Lines of panels are as long as each other.
        let lines = self.panels.len().div_ceil(ACROSS).max(1);
        let across = self.panels.len().div_ceil(lines).max(1);
        let (mut canvas, top) = theme::page(
            &self.title,
            &self.subtitle,
            30.0 + LINE * lines as f64 + 34.0,
        );
        if self.panels.is_empty() || self.labels.is_empty() {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        }
        let wide = WIDTH - 2.0 * MARGIN;
        canvas.text(
            &shorten(&self.y_title, &PANEL, wide),
            (MARGIN, top + 12.0),
            PANEL,
        );
        let width = (wide - TICKS - GAP * (across - 1) as f64) / across as f64;
        let highest = self.highest();
        for (index, panel) in self.panels.iter().enumerate() {
            let left = MARGIN + TICKS + (width + GAP) * (index % across) as f64;
            let upper = top + 30.0 + LINE * (index / across) as f64;
            let y = Scale::linear((0.0, highest), (upper + LINE - FOOT, upper + HEAD));
            let places = (left, left + width);
            let ticks = axes::ticks(0.0, highest, 5, true);
            let unnamed = |(at, _): axes::Tick| (at, String::new());
            match index % across {
                0 => axes::y_axis(&mut canvas, &y, &ticks, places),
                _ => {
                    let ticks: Vec<_> = ticks.into_iter().map(unnamed).collect();
                    axes::y_axis(&mut canvas, &y, &ticks, places);
                }
            }
            self.draw(&mut canvas, panel, &y, places);
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

    fn draw(&self, canvas: &mut Canvas, panel: &SharesPanel, y: &Scale, (left, right): Point) {
        let ink = panel.seat.map_or(BLACK, theme::seat_ink);
        let (lower, upper) = y.places;
        let style = LABEL.bold().in_ink(ink);
        let label = shorten(&panel.label, &style, right - left);
        canvas.text(&label, (left, upper - 10.0), style);
        let level = y.place(panel.level);
        canvas.dashes((left, level), (right, level), (5.0, 4.0), 1.5, RULE);
        let step = (right - left) / self.labels.len() as f64;
        let x = |place: usize| left + step * (place as f64 + 0.5);
        let texts: Vec<String> = (panel.shares.iter().flatten())
            .map(|share| percent(share.value, 1))
            .collect();
        let named = every(&texts, &DETAIL, 4.0, step) == 1;
        for (place, share) in panel.shares.iter().enumerate() {
            let Some(share) = share else { continue };
            let (low, high) = (y.place(share.low), y.place(share.high));
            // What a marker would hide is not drawn.
            if low - high > 3.0 * MARKER {
                canvas.stroke(&[(x(place), low), (x(place), high)], 3.0, ink);
                for end in [low, high] {
                    canvas.stroke(&[(x(place) - 6.0, end), (x(place) + 6.0, end)], 2.0, ink);
                }
            }
            let at = (x(place), y.place(share.value));
            match panel.seat {
                Some(seat) => theme::marker(canvas, seat, at, MARKER),
                None => canvas.disc(at, MARKER, ink),
            }
            if named {
                let text = percent(share.value, 1);
                let style = DETAIL.in_ink(BLACK).held_at(Anchor::Middle);
                let (at, half) = (
                    (x(place), high.min(at.1 - 5.0) - 6.0),
                    style.width(&text) / 2.0,
                );
                // No line runs through the text.
                let corner = (at.0 - half - 1.0, at.1 - 10.0);
                canvas.block(corner, (at.0 + half + 1.0, at.1 + 2.0), WHITE);
                canvas.text(&text, at, style);
            }
        }
        let step = every(&self.labels, &TICK, 6.0, step);
        for (place, label) in self.labels.iter().enumerate().step_by(step) {
            let at = (x(place), lower + 17.0);
            canvas.text(label, at, TICK.held_at(Anchor::Middle));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{
        BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label,
    };

    fn chart(panels: usize, places: usize, half: f64) -> Shares {
        let panel = |index: usize| SharesPanel {
            label: label(index),
            seat: index.checked_sub(1),
            shares: (0..places)
                .map(|place| {
                    let share = 0.9 * (place + 1) as f64 / places as f64;
                    (place + index != 5).then(|| estimate(share, half))
                })
                .collect(),
            level: 0.5,
        };
        Shares {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            x_title: "place in turn order".into(),
            y_title: "Share of the wins".into(),
            labels: (1..=places).map(|place| place.to_string()).collect(),
            panels: (0..panels).map(panel).collect(),
        }
    }

    #[test]
    fn any_shares_are_drawn() {
        for (panels, places) in [(0, 3), (1, 0), (1, 1), (3, 2), (5, 4), (7, 6), (9, 8)] {
            assert_sound(&chart(panels, places, 0.02));
        }
        assert_sound(&chart(5, 4, 0.0));
    }

    #[test]
    fn shares_look_as_their_golden() {
        let mut chart = chart(3, 3, 0.05);
        for (panel, bot) in chart.panels[1..].iter_mut().zip(BOTS) {
            panel.label = bot.into();
        }
        assert_golden("shares", &chart);
    }

    #[test]
    fn shares_that_do_not_fit_are_refused() {
        let mut short = chart(2, 3, 0.02);
        short.panels[1].shares.pop();
        assert!(short.canvas().is_err());
        let mut broken = chart(2, 3, 0.02);
        broken.panels[0].shares[0] = Some(estimate(f64::NAN, 0.1));
        assert!(broken.canvas().is_err());
    }
}
