//! When each bot leaves, and how the risk of staying grows: two panels over one axis of cards.
//!
//! Knows shares by number of revealed cards, not the rules that produce them.

use super::axes::{self, Plane, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::every;
use super::theme::{self, PANEL, Paper, RULE, SeatLabel, TICK};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{Leaving, SeatLeaving};
use crate::numbers::percent;

/// Depths reached by a smaller share of expeditions are not drawn.
const RARE: f64 = 0.000_5;

/// What stands below the name of a seat.
const HABITS: &str = "Below a name: after how many cards it leaves, but for the earliest and the latest \
                      quarter of its leaving; and how often it is caught.";

impl Chart for Leaving {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        self.check()?;
        let last = self.reached.iter().rposition(|share| *share >= RARE);
        let Some(last) = last.filter(|_| !self.seats.is_empty()) else {
            return Ok(None);
        };
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let places = theme::labelled_panel(paper);
        let panel = |values, height| Plane {
            x: Scale::linear((-0.5, last as f64 + 0.5), places),
            y: Scale::linear(values, height),
        };
        let heading =
            "Who has left after so many cards (share of its expeditions; the rest is caught)";
        let top = theme::paragraph(&mut canvas, top + 12.0, heading, PANEL);
        let lines = panel((0.0, 1.0), (top + 290.0, top + 2.0));
        self.draw_lines(&mut canvas, &lines, last + 1);
        let below = top + 310.0 + theme::labels_below(paper, self.seats.len());
        let risk = self.risk[..=last].iter().map(|risk| risk.unwrap_or(0.0));
        let highest = risk.fold(0.01, f64::max);
        let below = self.draw_risk(&mut canvas, last + 1, below + 26.0, |height| {
            panel((0.0, highest), height)
        });
        let cut = last + 1 < self.depths.len();
        let note = if cut {
            "Depths that fewer than 0.05 % of expeditions reach are not drawn."
        } else {
            ""
        };
        theme::end(&mut canvas, below, &[HABITS, note]);
        Ok(Some(canvas))
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

    /// The lines of all seats over the first `shown` depths, with their labels.
    fn draw_lines(&self, canvas: &mut Canvas, panel: &Plane, shown: usize) {
        axes::y_axis(canvas, &panel.y, &panel.y.ticks(true), panel.x.places);
        let (top, bottom) = panel.span();
        draw_depths(canvas, panel, &self.depths[..shown], bottom);
        let points = |seat: &SeatLeaving| -> Vec<Spot> {
            let mut gone = 0.0;
            let point = |(depth, share): (usize, &f64)| {
                gone += share;
                panel.place(depth as f64, gone)
            };
            seat.left[..shown].iter().enumerate().map(point).collect()
        };
        let lines: Vec<Vec<Spot>> = self.seats.iter().map(points).collect();
        for (i, (seat, points)) in self.seats.iter().zip(&lines).enumerate() {
            // All who leave after a card leave at once: the line goes up in steps.
            let mut steps: Vec<Spot> = Vec::new();
            for point in points {
                steps.extend(steps.last().map(|before| (point.0, before.1)));
                steps.push(*point);
            }
            canvas.stroke(&steps, 2.0, theme::seat_ink(i));
            // Where nobody leaves, markers would only cover those of others.
            for depth in (0..shown).filter(|&depth| seat.left[depth] >= RARE) {
                theme::marker(canvas, i, points[depth], 4.0);
            }
        }
        for (seat, points) in self.seats.iter().zip(&lines) {
            let mut gone = 0.0;
            for (depth, point) in points.iter().enumerate() {
                gone += seat.left[depth];
                if seat.left[depth] < RARE {
                    continue;
                }
                let (cards, left) = (self.depths[depth], percent(seat.left[depth], 1));
                let after = format!("{left} leave after {}", counted(cards));
                let told = format!("{}: {after}, {} have left", seat.label, percent(gone, 1));
                canvas.tell_at(*point, told);
            }
        }
        let label = |(seat, of): (usize, &'_ SeatLeaving)| (seat, self.habit(of, shown));
        let habits: Vec<_> = self.seats.iter().enumerate().map(label).collect();
        let labels: Vec<(SeatLabel, Spot)> = (habits.into_iter().zip(&lines))
            .map(|((seat, habit), line)| {
                let (x, y) = line[shown - 1];
                let name = self.seats[seat].label.as_str();
                let detail = (habit, theme::GREY);
                (SeatLabel { seat, name, detail }, (x + 6.0, y))
            })
            .collect();
        theme::seat_labels(
            canvas,
            &labels,
            ((top + 10.0, bottom + 6.0), 22.0),
            bottom + 24.0,
        );
    }

    /// What the label of a seat says below its name: when the middle half of its leaving is.
    fn habit(&self, seat: &SeatLeaving, shown: usize) -> String {
        let all: f64 = seat.left[..shown].iter().sum();
        let reached = |part: f64| {
            let mut gone = 0.0;
            let depths = seat.left[..shown].iter().position(|share| {
                gone += share;
                gone >= part * all
            });
            self.depths[depths.unwrap_or(shown - 1)]
        };
        let habit = match (reached(0.25), reached(0.75)) {
            _ if all == 0.0 => "never leaves".to_string(),
            (first, last) if first == last => format!("after {}", counted(first)),
            (first, last) => format!("after {first} to {}", counted(last)),
        };
        format!("{habit} · caught {}", percent(seat.lost, 0))
    }

    /// The risks as bars below a heading whose baseline is at `y`; tells where they end.
    fn draw_risk(
        &self,
        canvas: &mut Canvas,
        shown: usize,
        y: f64,
        panel: impl Fn((f64, f64)) -> Plane,
    ) -> f64 {
        let (left, right) = theme::labelled_panel(canvas.paper());
        let step = (right - left) / shown as f64;
        let highest = panel((1.0, 0.0)).y.values.1;
        let decimals = if highest < 0.05 { 1 } else { 0 };
        let text = |risk: &Option<f64>| risk.map_or(String::new(), |risk| percent(risk, decimals));
        let mut texts: Vec<String> = self.risk[..shown].iter().map(text).collect();
        let mut heading = "How likely the next card ends the expedition".to_string();
        if every(&texts, &TICK, 5.0, step) > 1 {
            // Many bars: the sign moves from the bars into the heading.
            texts = texts.iter().map(|text| text.replace(" %", "")).collect();
            heading.push_str(", in %");
        }
        let top = theme::paragraph(canvas, y, &heading, PANEL) + 12.0;
        let panel = panel((top + 92.0, top));
        let bottom = panel.span().1;
        let labelled = every(&texts, &TICK, 5.0, step);
        let half = (0.36 * step).min(26.0);
        for (i, text) in texts.iter().enumerate() {
            let Some(risk) = self.risk[i] else { continue };
            let (x, edge) = panel.place(i as f64, risk);
            canvas.block((x - half, edge), (x + half, bottom), RULE);
            let cards = counted(self.depths[i]);
            let told = format!(
                "after {cards} the next one ends the expedition: {}",
                percent(risk, 1)
            );
            canvas.tell((x - step / 2.0, top), (x + step / 2.0, bottom), told);
            if i % labelled == 0 {
                let style = TICK.held_at(Anchor::Middle).in_ink(theme::BLACK);
                canvas.text(text, (x, edge - 5.0), style);
            }
        }
        canvas.level((left, right), bottom, RULE);
        draw_depths(canvas, &panel, &self.depths[..shown], bottom);
        canvas.text("cards revealed", (left, bottom + 36.0), TICK);
        bottom + 40.0
    }
}

/// Writes the depths below a panel.
fn draw_depths(canvas: &mut Canvas, panel: &Plane, depths: &[u32], bottom: f64) {
    let texts: Vec<String> = depths.iter().map(u32::to_string).collect();
    let step = panel.x.place(1.0) - panel.x.place(0.0);
    let at = |depth: usize| (panel.x.place(depth as f64), bottom + 17.0);
    axes::texts_below(canvas, &texts, (5.0, step), at);
}

fn counted(cards: u32) -> String {
    match cards {
        1 => "1 card".to_string(),
        cards => format!("{cards} cards"),
    }
}
