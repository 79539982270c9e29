//! When each bot leaves, and how the risk of staying grows: two panels over one axis of cards.
//!
//! Knows shares by number of revealed cards, not the rules that produce them.

use super::axes::{self, Plane, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::every;
use super::theme::{self, MARGIN, PANEL, RULE, SEAT_LABELS, TICK, WIDTH};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{Leaving, SeatLeaving};
use crate::numbers::percent;

/// Depths reached by a smaller share of expeditions are not drawn.
const RARE: f64 = 0.000_5;

impl Chart for Leaving {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        self.check()?;
        let last = self.reached.iter().rposition(|share| *share >= RARE);
        let Some(last) = last.filter(|_| !self.seats.is_empty()) else {
            return theme::blank(&self.title, played, 560.0, "no expeditions to show");
        };
        let (mut canvas, top) = theme::page(&self.title, played, 560.0);
        let places = (MARGIN + 44.0, WIDTH - MARGIN - SEAT_LABELS - 34.0);
        let panel = |values, height| Plane {
            x: Scale::linear((-0.5, last as f64 + 0.5), places),
            y: Scale::linear(values, height),
        };
        let heading =
            "Who has left after so many cards (share of its expeditions; the rest is caught)";
        canvas.text(heading, (MARGIN, top + 12.0), PANEL);
        let lines = panel((0.0, 1.0), (top + 318.0, top + 30.0));
        self.draw_lines(&mut canvas, &lines, last + 1, top + 324.0);
        let risk = self.risk[..=last].iter().map(|risk| risk.unwrap_or(0.0));
        let highest = risk.fold(0.01, f64::max);
        let bars = panel((0.0, highest), (top + 486.0, top + 394.0));
        self.draw_risk(&mut canvas, &bars, last + 1, lines.span().1);
        if last + 1 < self.depths.len() {
            let note = "Depths that fewer than 0.05 % of expeditions reach are not drawn.";
            theme::note(&mut canvas, note);
        }
        Ok(canvas)
    }
}

impl Leaving {
    fn check(&self) -> Result<(), ChartError> {
        let wanted = self.depths.len();
        check_length("risk", self.risk.len(), wanted)?;
        check_finite("risk", self.risk.iter().flatten())?;
        check_column("reached", &self.reached, wanted)?;
        for SeatLeaving { label, left, lost } in &self.seats {
            check_column(&format!("left of `{label}`"), left, wanted)?;
            check_finite(&format!("lost of `{label}`"), [lost])?;
        }
        Ok(())
    }

    /// The lines of all seats over the first `shown` depths, with labels that end at `lowest`.
    fn draw_lines(&self, canvas: &mut Canvas, panel: &Plane, shown: usize, lowest: f64) {
        axes::y_axis(canvas, &panel.y, &panel.y.ticks(5, true), panel.x.places);
        let points = |seat: &SeatLeaving| -> Vec<Spot> {
            let mut gone = 0.0;
            let point = |(depth, share): (usize, &f64)| {
                gone += share;
                panel.place(depth as f64, gone)
            };
            seat.left[..shown].iter().enumerate().map(point).collect()
        };
        let lines: Vec<Vec<Spot>> = self.seats.iter().map(points).collect();
        let end = |line: &Vec<Spot>| (line[shown - 1].0 + 6.0, line[shown - 1].1);
        let ends: Vec<Spot> = lines.iter().map(end).collect();
        let room = (panel.span().0 + 10.0, lowest);
        let places = axes::lead_to_labels(canvas, &ends, room, 22.0);
        for (i, (seat, points)) in self.seats.iter().zip(&lines).enumerate() {
            canvas.stroke(points, 2.0, theme::seat_ink(i));
            // Where nobody leaves, markers would only cover those of others.
            for depth in (0..shown).filter(|&depth| seat.left[depth] >= RARE) {
                theme::marker(canvas, i, points[depth], 4.0);
            }
            let detail = (self.habit(seat, shown), theme::GREY);
            theme::seat_label(canvas, i, places[i], &seat.label, detail);
        }
    }

    /// What the label of a seat says below its name.
    fn habit(&self, seat: &SeatLeaving, shown: usize) -> String {
        let peak = peak(&seat.left[..shown]);
        let habit = match seat.left[peak] {
            0.0 => "never leaves".to_string(),
            share => {
                let depth = self.depths[peak];
                let cards = if depth == 1 { "card" } else { "cards" };
                format!("mostly at {depth} {cards} ({})", percent(share, 0))
            }
        };
        format!("{habit} · caught {}", percent(seat.lost, 0))
    }

    /// The risks as bars, and the depths below them and below the lines that end at `above`.
    fn draw_risk(&self, canvas: &mut Canvas, panel: &Plane, shown: usize, above: f64) {
        let (top, bottom) = panel.span();
        let (left, right) = panel.x.places;
        let step = (right - left) / shown as f64;
        let decimals = if panel.y.values.1 < 0.05 { 1 } else { 0 };
        let text = |risk: &Option<f64>| risk.map_or(String::new(), |risk| percent(risk, decimals));
        let mut texts: Vec<String> = self.risk[..shown].iter().map(text).collect();
        let mut heading = "How likely the next card ends the expedition".to_string();
        if every(&texts, &TICK, 5.0, step) > 1 {
            // Many bars: the sign moves from the bars into the heading.
            texts = texts.iter().map(|text| text.replace(" %", "")).collect();
            heading.push_str(", in %");
        }
        canvas.text(&heading, (MARGIN, top - 30.0), PANEL);
        let labelled = every(&texts, &TICK, 5.0, step);
        let half = (0.36 * step).min(26.0);
        for (i, text) in texts.iter().enumerate() {
            let (x, edge) = panel.place(i as f64, self.risk[i].unwrap_or(0.0));
            canvas.block((x - half, edge), (x + half, bottom), RULE);
            if i % labelled == 0 {
                let style = TICK.held_at(Anchor::Middle).in_ink(theme::BLACK);
                canvas.text(text, (x, edge - 5.0), style);
            }
        }
        canvas.level((left, right), bottom, RULE);
        let depths: Vec<String> = self.depths[..shown].iter().map(u32::to_string).collect();
        let labelled = every(&depths, &TICK, 5.0, step);
        for (i, text) in depths.iter().enumerate().step_by(labelled) {
            for bottom in [above, bottom] {
                let at = (panel.x.place(i as f64), bottom + 17.0);
                canvas.text(text, at, TICK.held_at(Anchor::Middle));
            }
        }
        canvas.text("cards revealed", (left, bottom + 36.0), TICK);
    }
}

/// The index of the largest share, the first of equals; 0 for none.
fn peak(shares: &[f64]) -> usize {
    let mut peak = 0;
    for (i, share) in shares.iter().enumerate() {
        if *share > shares[peak] {
            peak = i;
        }
    }
    peak
}
