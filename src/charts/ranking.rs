//! How much each of several has: one bar a row with its 95 % interval and its number, against a
//! level that all would have if they were alike.
//!
//! Knows numbers and labels, not what they count or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, GRID, LABEL, MARGIN, RULE, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_column, check_estimate};
use crate::numbers::{share_within, within};
use crate::statistics::Estimate;

/// One figure of several, mostly in the order of its size.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
    /// What the lengths show.
    pub axis: String,
    /// Whether the figure is a share, shown in percent.
    pub share: bool,
    /// A level to compare with, and what it is.
    pub level: Option<(f64, String)>,
    /// One row each, drawn from top to bottom.
    pub rows: Vec<Ranked>,
}

/// The figure of one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Number of the seat (from 0) whose colour and marker it has.
    pub seat: usize,
    /// Its name, wrapped or shortened where it is long.
    pub label: String,
    /// The figure.
    pub estimate: Estimate,
}

impl Chart for Ranking {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            check_estimate(&format!("figure of `{}`", row.label), &row.estimate)?;
        }
        if let Some((level, name)) = &self.level {
            check_column(&format!("level of {name}"), &[*level], 1)?;
        }
        let rows = self.rows.len();
        let row = (330.0 / rows.max(1) as f64).clamp(36.0, 68.0);
        let head = if self.level.is_some() { 26.0 } else { 8.0 };
        let height = head + row * rows.max(1) as f64 + 60.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        if rows == 0 {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        }
        let span = (top + head, top + head + row * rows as f64);
        let scale = self.scale();
        self.draw_axis(&mut canvas, &scale, span);
        for (i, ranked) in self.rows.iter().enumerate() {
            let y = span.0 + (i as f64 + 0.5) * row;
            self.draw_row(&mut canvas, &scale, ranked, y);
        }
        Ok(canvas)
    }
}

/// Room for the printed value at the right of a row.
const VALUE_WIDTH: f64 = 112.0;
/// Radius of the markers.
const MARKER: f64 = 5.5;

impl Ranking {
    fn scale(&self) -> Scale {
        let ends = (self.rows.iter()).flat_map(|row| {
            let Estimate {
                value, low, high, ..
            } = row.estimate;
            [value, low, high]
        });
        let ends = ends.chain(self.level.iter().map(|(level, _)| *level));
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        let air = match high > low {
            true => 0.06 * (high - low),
            false => 1.0,
        };
        let low = if low < 0.0 { low - air } else { 0.0 };
        let high = if self.share {
            (high + air).min(1.0)
        } else {
            high + air
        };
        let widest = axes::row_labels_width(self.rows.iter().map(|row| &row.label));
        let left = MARGIN + widest + 20.0;
        let right = WIDTH - MARGIN - VALUE_WIDTH - 14.0;
        Scale::linear((low, high), (left, right))
    }

    fn draw_axis(&self, canvas: &mut Canvas, scale: &Scale, span: (f64, f64)) {
        let ticks = axes::ticks(scale.values.0, scale.values.1, 6, self.share);
        let mut shown = self.rows.iter().map(|row| &row.estimate);
        let wide = |estimate: &&Estimate| estimate.high > estimate.low;
        let title = match (
            shown.clone().any(|e| wide(&e)),
            shown.any(|e| hides(scale, e)),
        ) {
            (false, _) => self.axis.clone(),
            (true, false) => format!("{}, with its 95 % interval", self.axis),
            (true, true) => format!(
                "{}; a 95 % interval narrower than its marker is not drawn",
                self.axis
            ),
        };
        axes::x_axis(canvas, scale, &ticks, span, &title);
        if let Some((level, text)) = &self.level {
            let x = scale.place(*level);
            canvas.dashes((x, span.0 - 4.0), (x, span.1), (5.0, 4.0), 1.5, RULE);
            let half = TICK.width(text) / 2.0;
            let middle = x.clamp(MARGIN + half, WIDTH - MARGIN - half);
            canvas.text(text, (middle, span.0 - 10.0), TICK.held_at(Anchor::Middle));
        }
    }

    fn draw_row(&self, canvas: &mut Canvas, scale: &Scale, row: &Ranked, y: f64) {
        let ink = theme::seat_ink(row.seat);
        axes::row_label(canvas, &row.label, (scale.places.0 - 16.0, y));
        let estimate = &row.estimate;
        let (zero, x) = (scale.place(0.0), scale.place(estimate.value));
        canvas.stroke(&[(scale.places.0, y), (scale.places.1, y)], 1.0, GRID);
        canvas.stroke(&[(zero, y), (x, y)], 3.0, ink);
        let (low, high) = (scale.place(estimate.low), scale.place(estimate.high));
        if !hides(scale, estimate) {
            canvas.stroke(&[(x, y), (high, y)], 3.0, ink);
            for end in [low, high] {
                canvas.stroke(&[(end, y - 8.0), (end, y + 8.0)], 2.0, ink);
            }
        }
        theme::marker(canvas, row.seat, (x, y), MARKER);
        let value = match self.share {
            true => share_within(estimate.value, estimate.low, estimate.high),
            false => within(estimate.value, estimate.half_width()),
        };
        let (left, style) = (high.max(x) + 14.0, LABEL.bold());
        // The line of the level does not run through the text.
        let right = left + style.width(&value) + 4.0;
        canvas.block((left - 4.0, y - 9.0), (right, y + 9.0), WHITE);
        canvas.text_mid(&value, (left, y), style);
    }
}

/// Whether a marker covers the whole interval.
fn hides(scale: &Scale, estimate: &Estimate) -> bool {
    scale.place(estimate.high) - scale.place(estimate.low) < 2.5 * MARKER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{
        BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label,
    };

    fn chart(shares: &[f64], half: f64) -> Ranking {
        let rows = (shares.iter().enumerate())
            .map(|(i, &share)| Ranked {
                seat: i,
                label: label(i),
                estimate: Estimate {
                    low: (share - half).max(0.0),
                    high: (share + half).min(1.0),
                    ..estimate(share, half)
                },
            })
            .collect();
        Ranking {
            title: "How often each bot wins".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            axis: "share of games won".into(),
            share: true,
            level: Some((1.0 / shares.len().max(1) as f64, "equal share".into())),
            rows,
        }
    }

    #[test]
    fn any_ranking_is_drawn() {
        assert_sound(&chart(&[], 0.0));
        assert_sound(&chart(&[1.0], 0.0));
        assert_sound(&chart(&[0.5, 0.5], 0.2));
        assert_sound(&chart(&[0.231, 0.2, 0.199, 0.187, 0.183], 0.001));
        assert_sound(&chart(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0));
        assert_sound(&chart(&[0.125; 30], 0.000_4));
        let mut points = chart(&[12.0, -3.5, 40.0], 0.0);
        for row in &mut points.rows {
            row.estimate = estimate(row.estimate.value, 0.5);
        }
        (points.share, points.level) = (false, None);
        assert_sound(&points);
    }

    #[test]
    fn values_and_the_level_are_printed() {
        let canvas = chart(&[0.234, 0.266, 0.5], 0.001).canvas().unwrap();
        let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
        assert!(texts.contains(&"23.4 ± 0.1 %"));
        assert!(texts.contains(&"equal share"));
    }

    #[test]
    fn a_ranking_looks_as_its_golden() {
        let rows = [(1, 0.6, BOTS[1]), (0, 0.4, BOTS[0])].map(|(seat, share, label)| Ranked {
            seat,
            label: label.into(),
            estimate: estimate(share, 0.03),
        });
        let chart = Ranking {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "share of games won".into(),
            share: true,
            level: Some((0.5, "equal share 50 %".into())),
            rows: rows.to_vec(),
        };
        assert_golden("ranking", &chart);
    }

    #[test]
    fn broken_numbers_are_refused() {
        let refused = chart(&[0.5, f64::NAN], 0.1).canvas();
        assert!(matches!(refused, Err(ChartError::NotFinite { .. })));
    }
}
