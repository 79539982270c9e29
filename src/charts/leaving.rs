//! When each bot leaves, and how the risk of staying grows: two panels over one axis of cards.
//!
//! Knows shares by number of revealed cards, not the rules that produce them.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Point};
use super::labels::{every, spread};
use super::theme::{self, MARGIN, PANEL, RULE, SEAT_LABEL_HEIGHT, SEAT_LABELS, TICK, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::figure::{Leaving, SeatLeaving};
use crate::numbers::percent;

impl Chart for Leaving {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        self.check()?;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 560.0);
        let shown = self.shown();
        if shown == 0 || self.seats.is_empty() {
            theme::placeholder(&mut canvas, top, "no expeditions to show");
            return Ok(canvas);
        }
        let layout = Layout::new(top, shown);
        canvas.text(
            "Who has left after so many cards (share of its expeditions; the rest is caught)",
            (MARGIN, top + 12.0),
            PANEL,
        );
        self.draw_lines(&mut canvas, &layout);
        self.draw_risk(&mut canvas, &layout);
        if shown < self.depths.len() {
            let note = "Depths that fewer than 0.05 % of expeditions reach are not drawn.";
            theme::notes(&mut canvas, &[note.to_string()]);
        }
        Ok(canvas)
    }
}

/// Depths reached by a smaller share of expeditions are not drawn.
const RARE: f64 = 0.000_5;

/// Where the panels lie.
struct Layout {
    /// Depth index to x.
    x: Scale,
    /// Upper and lower edge of the panel of lines.
    lines: (f64, f64),
    /// Upper and lower edge of the panel of bars.
    bars: (f64, f64),
    /// Distance between two depths.
    step: f64,
}

impl Layout {
    fn new(top: f64, shown: usize) -> Layout {
        let (left, right) = (MARGIN + 44.0, WIDTH - MARGIN - SEAT_LABELS - 34.0);
        let step = (right - left) / shown as f64;
        let last = (shown - 1) as f64;
        Layout {
            x: Scale::linear((-0.5, last + 0.5), (left, right)),
            lines: (top + 30.0, top + 318.0),
            bars: (top + 394.0, top + 486.0),
            step,
        }
    }
}

impl Leaving {
    fn check(&self) -> Result<(), ChartError> {
        let wanted = self.depths.len();
        let risk: Vec<f64> = self.risk.iter().map(|risk| risk.unwrap_or(0.0)).collect();
        check_column("risk", &risk, wanted)?;
        check_column("reached", &self.reached, wanted)?;
        for seat in &self.seats {
            check_column(&format!("left of `{}`", seat.label), &seat.left, wanted)?;
            check_column(&format!("lost of `{}`", seat.label), &[seat.lost], 1)?;
        }
        Ok(())
    }

    /// How many depths are drawn, from the first on.
    fn shown(&self) -> usize {
        let last = self.reached.iter().rposition(|share| *share >= RARE);
        last.map_or(0, |last| last + 1)
    }

    fn draw_lines(&self, canvas: &mut Canvas, layout: &Layout) {
        let shown = self.shown();
        let y = Scale::linear((0.0, 1.0), (layout.lines.1, layout.lines.0));
        axes::y_axis(canvas, &y, &axes::ticks(0.0, 1.0, 5, true), layout.x.places);
        let gone: Vec<Vec<f64>> = (self.seats.iter())
            .map(|seat| so_far(&seat.left[..shown]))
            .collect();
        let end = |gone: &Vec<f64>| (layout.x.place((shown - 1) as f64), y.place(gone[shown - 1]));
        let ends: Vec<Point> = gone.iter().map(end).collect();
        let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
        let room = (layout.lines.0 + 10.0, layout.bars.0 - 70.0);
        let places = spread(&wanted, SEAT_LABEL_HEIGHT, room.0, room.1);
        let left = WIDTH - MARGIN - SEAT_LABELS;
        let leaders: Vec<(Point, Point)> = (ends.iter().zip(&places))
            .map(|((x, y), place)| ((x + 6.0, *y), (left - 6.0, *place)))
            .collect();
        axes::leaders(canvas, &leaders, 22.0);
        for (i, (seat, gone)) in self.seats.iter().zip(&gone).enumerate() {
            let points: Vec<Point> = (gone.iter().enumerate())
                .map(|(depth, share)| (layout.x.place(depth as f64), y.place(*share)))
                .collect();
            canvas.stroke(&points, 2.0, theme::seat_ink(i));
            // Where nobody leaves, markers would only cover those of others.
            for depth in (0..shown).filter(|&depth| seat.left[depth] >= RARE) {
                theme::marker(canvas, i, points[depth], 4.0);
            }
            let detail = (self.habit(seat), theme::GREY);
            theme::seat_label(canvas, i, places[i], &seat.label, detail);
        }
    }

    /// What the label of a seat says below its name.
    fn habit(&self, seat: &SeatLeaving) -> String {
        let peak = peak(&seat.left[..self.shown()]);
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

    fn draw_risk(&self, canvas: &mut Canvas, layout: &Layout) {
        let shown = self.shown();
        let (top, bottom) = layout.bars;
        let highest = self.risk[..shown]
            .iter()
            .fold(0.01_f64, |high, risk| high.max(risk.unwrap_or(0.0)));
        let y = Scale::linear((0.0, highest), (bottom, top));
        let style = TICK.held_at(Anchor::Middle);
        let decimals = if highest < 0.05 { 1 } else { 0 };
        let risks = self.risk[..shown].iter();
        let text = |risk: &Option<f64>| risk.map_or(String::new(), |risk| percent(risk, decimals));
        let mut texts: Vec<String> = risks.map(text).collect();
        let mut heading = "How likely the next card ends the expedition".to_string();
        if every(&texts, &TICK, 5.0, layout.step) > 1 {
            // Many bars: the sign moves from the bars into the heading.
            texts = texts.iter().map(|text| text.replace(" %", "")).collect();
            heading.push_str(", in %");
        }
        canvas.text(&heading, (MARGIN, top - 30.0), PANEL);
        let labelled = every(&texts, &TICK, 5.0, layout.step);
        for (i, text) in texts.iter().enumerate() {
            let x = layout.x.place(i as f64);
            let half = (0.36 * layout.step).min(26.0);
            let edge = y.place(self.risk[i].unwrap_or(0.0));
            canvas.block((x - half, edge), (x + half, bottom), RULE);
            if i % labelled == 0 {
                canvas.text(text, (x, edge - 5.0), style.in_ink(theme::BLACK));
            }
        }
        let (left, right) = layout.x.places;
        canvas.stroke(&[(left, bottom), (right, bottom)], 1.0, RULE);
        let depths: Vec<String> = self.depths[..shown].iter().map(u32::to_string).collect();
        let labelled = every(&depths, &TICK, 5.0, layout.step);
        for (i, text) in depths.iter().enumerate().step_by(labelled) {
            for bottom in [layout.lines.1, bottom] {
                canvas.text(text, (layout.x.place(i as f64), bottom + 17.0), style);
            }
        }
        canvas.text("cards revealed", (left, bottom + 36.0), TICK);
    }
}

/// The sums of shares up to each.
fn so_far(shares: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |share: &f64| {
        sum += share;
        sum
    };
    shares.iter().map(add).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(seats: usize, depths: u32, apart: f64) -> Leaving {
        let depths: Vec<u32> = (1..=depths).collect();
        let seats = (0..seats)
            .map(|seat| {
                let left = (depths.iter())
                    .map(|&depth| {
                        let z = (f64::from(depth) - 5.0 - apart * seat as f64) / 1.8;
                        0.15 * (-0.5 * z * z).exp()
                    })
                    .collect();
                SeatLeaving {
                    label: label(seat),
                    left,
                    lost: 0.3,
                }
            })
            .collect();
        Leaving {
            title: "When the bots leave".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            risk: depths
                .iter()
                .map(|&d| Some(0.02 * f64::from(d - 1)))
                .collect(),
            reached: depths
                .iter()
                .map(|&d| 0.75_f64.powi(d as i32 - 1))
                .collect(),
            depths,
            seats,
        }
    }

    #[test]
    fn any_depths_are_drawn() {
        assert_sound(&chart(5, 0, 1.0));
        assert_sound(&chart(0, 5, 1.0));
        assert_sound(&chart(1, 1, 1.0));
        assert_sound(&chart(2, 8, 1.0));
        assert_sound(&chart(5, 30, 0.7));
        assert_sound(&chart(8, 60, 0.0));
    }

    #[test]
    fn leaving_looks_as_its_golden() {
        let seats = BOTS.map(|label| SeatLeaving {
            label: label.into(),
            left: vec![0.1, 0.5, 0.2],
            lost: 0.2,
        });
        let chart = Leaving {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            depths: vec![1, 2, 3],
            seats: seats.to_vec(),
            risk: vec![Some(0.05), Some(0.1), None],
            reached: vec![1.0, 0.85, 0.3],
        };
        assert_golden("leaving", &chart);
    }

    #[test]
    fn rare_depths_are_cut_and_said_to_be() {
        let chart = chart(2, 60, 1.0);
        assert_eq!(chart.shown(), 27);
        let canvas = chart.canvas().unwrap();
        assert!(canvas.texts().any(|text| text.text.contains("0.05 %")));
    }

    #[test]
    fn a_bot_that_never_leaves_is_named_so() {
        let mut chart = chart(2, 10, 1.0);
        chart.seats[1].left = vec![0.0; 10];
        let canvas = chart.canvas().unwrap();
        assert!(
            canvas
                .texts()
                .any(|text| text.text.starts_with("never leaves"))
        );
    }

    #[test]
    fn columns_must_match_the_depths() {
        let mut chart = chart(2, 10, 1.0);
        chart.seats[1].left.pop();
        assert!(matches!(
            chart.canvas(),
            Err(ChartError::Length { found: 9, .. })
        ));
    }
}
