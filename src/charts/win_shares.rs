//! How often each seat wins: one row per seat with its 95 % interval, against the equal share.
//!
//! Knows shares and labels, not how a win is defined or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, GRID, LABEL, MARGIN, RULE, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_estimate};
use crate::numbers::{percent, share_within};
use crate::statistics::Estimate;

/// The win shares of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct WinShares {
    /// The headline.
    pub title: String,
    /// What was played: game, edition, players, number of games.
    pub subtitle: String,
    /// One row each, drawn from top to bottom.
    pub seats: Vec<SeatShare>,
}

/// How often one seat wins.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatShare {
    /// Number of the seat (from 0), which has its colour and marker on all charts.
    pub seat: usize,
    /// The name of the bot, wrapped or shortened where it is long.
    pub label: String,
    /// The share of games won, as a part of one (0..=1).
    pub share: Estimate,
}

impl Chart for WinShares {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for seat in &self.seats {
            let column = format!("win share of `{}`", seat.label);
            check_estimate(&column, &seat.share)?;
        }
        let rows = self.seats.len();
        let row = (330.0 / rows.max(1) as f64).clamp(42.0, 68.0);
        let (head, foot) = (26.0, 60.0);
        let height = head + row * rows.max(1) as f64 + foot;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        if rows == 0 {
            theme::placeholder(&mut canvas, top, "no seats to show");
            return Ok(canvas);
        }
        let span = (top + head, top + head + row * rows as f64);
        let scale = self.scale();
        self.draw_axis(&mut canvas, &scale, span);
        for (i, seat) in self.seats.iter().enumerate() {
            let y = span.0 + (i as f64 + 0.5) * row;
            draw_row(&mut canvas, &scale, seat, y);
        }
        Ok(canvas)
    }
}

/// Room for the printed value at the right of a row.
const VALUE_WIDTH: f64 = 112.0;
/// Radius of the markers.
const MARKER: f64 = 5.5;

impl WinShares {
    fn scale(&self) -> Scale {
        let highest = (self.seats.iter())
            .map(|seat| seat.share.high.max(seat.share.value))
            .fold(self.equal_share(), f64::max);
        let widest = axes::row_labels_width(self.seats.iter().map(|seat| &seat.label));
        let left = MARGIN + widest + 20.0;
        let right = WIDTH - MARGIN - VALUE_WIDTH - 14.0;
        Scale::linear((0.0, (1.06 * highest).min(1.0)), (left, right))
    }

    fn equal_share(&self) -> f64 {
        1.0 / self.seats.len() as f64
    }

    fn draw_axis(&self, canvas: &mut Canvas, scale: &Scale, span: (f64, f64)) {
        let ticks = axes::ticks(0.0, scale.values.1, 6, true);
        let hidden = (self.seats.iter()).any(|seat| hides_interval(scale, &seat.share));
        let title = match hidden {
            false => "share of games won, with its 95 % interval",
            true => "share of games won; a 95 % interval narrower than its marker is not drawn",
        };
        axes::x_axis(canvas, scale, &ticks, span, title);

        let x = scale.place(self.equal_share());
        canvas.dashes((x, span.0 - 4.0), (x, span.1), (5.0, 4.0), 1.5, RULE);
        let equal = 100.0 * self.equal_share();
        let decimals = if (equal - equal.round()).abs() < 1e-9 {
            0
        } else {
            1
        };
        let text = format!("equal share {}", percent(self.equal_share(), decimals));
        let half = TICK.width(&text) / 2.0;
        let middle = x.min(WIDTH - MARGIN - half);
        canvas.text(&text, (middle, span.0 - 10.0), TICK.held_at(Anchor::Middle));
    }
}

/// Whether the marker of a seat covers its whole interval.
fn hides_interval(scale: &Scale, share: &Estimate) -> bool {
    scale.place(share.high) - scale.place(share.low) < 2.5 * MARKER
}

fn draw_row(canvas: &mut Canvas, scale: &Scale, seat: &SeatShare, y: f64) {
    let ink = theme::seat_ink(seat.seat);
    axes::row_label(canvas, &seat.label, (scale.places.0 - 16.0, y));
    let share = &seat.share;
    let x = scale.place(share.value);
    canvas.stroke(&[(scale.places.0, y), (scale.places.1, y)], 1.0, GRID);
    canvas.stroke(&[(scale.places.0, y), (x, y)], 3.0, ink);
    let (low, high) = (scale.place(share.low), scale.place(share.high));
    if !hides_interval(scale, share) {
        canvas.stroke(&[(x, y), (high, y)], 3.0, ink);
        for end in [low, high] {
            canvas.stroke(&[(end, y - 8.0), (end, y + 8.0)], 2.0, ink);
        }
    }
    theme::marker(canvas, seat.seat, (x, y), MARKER);
    let value = share_within(share.value, share.low, share.high);
    let (left, style) = (high.max(x) + 14.0, LABEL.bold());
    // The line of the equal share does not run through the text.
    let right = left + style.width(&value) + 4.0;
    canvas.block((left - 4.0, y - 9.0), (right, y + 9.0), WHITE);
    canvas.text_mid(&value, (left, y), style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{
        BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label,
    };

    fn chart(shares: &[f64], half: f64) -> WinShares {
        let seats = (shares.iter().enumerate())
            .map(|(i, &share)| SeatShare {
                seat: i,
                label: label(i),
                share: Estimate {
                    low: (share - half).max(0.0),
                    high: (share + half).min(1.0),
                    ..estimate(share, half)
                },
            })
            .collect();
        WinShares {
            title: "How often each bot wins".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            seats,
        }
    }

    #[test]
    fn any_table_is_drawn() {
        assert_sound(&chart(&[], 0.0));
        assert_sound(&chart(&[1.0], 0.0));
        assert_sound(&chart(&[0.5, 0.5], 0.2));
        assert_sound(&chart(&[0.231, 0.2, 0.199, 0.187, 0.183], 0.001));
        assert_sound(&chart(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0));
        assert_sound(&chart(&[0.125; 8], 0.000_4));
    }

    #[test]
    fn values_and_the_equal_share_are_printed() {
        let canvas = chart(&[0.234, 0.266, 0.5], 0.001).canvas().unwrap();
        let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
        assert!(texts.contains(&"23.4 ± 0.1 %"));
        assert!(texts.contains(&"equal share 33.3 %"));
    }

    #[test]
    fn win_shares_look_as_their_golden() {
        let seats = [(1, 0.6, BOTS[1]), (0, 0.4, BOTS[0])].map(|(seat, share, label)| SeatShare {
            seat,
            label: label.into(),
            share: estimate(share, 0.03),
        });
        let chart = WinShares {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            seats: seats.to_vec(),
        };
        assert_golden("win_shares", &chart);
    }

    #[test]
    fn broken_numbers_are_refused() {
        let refused = chart(&[0.5, f64::NAN], 0.1).canvas();
        assert!(matches!(refused, Err(ChartError::NotFinite { .. })));
    }
}
