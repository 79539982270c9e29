//! How an estimate settles as more games are played: one line per seat with its 95 % band.
//!
//! Knows running estimates, not what is estimated or when a run stops.

use super::axes::{self, Scale};
use super::canvas::{Canvas, Point};
use super::labels::{capitalized, shorten, spread};
use super::theme::{self, DETAIL, MARGIN, SEAT_LABEL_HEIGHT, SEAT_LABELS, WIDTH};
use super::{Chart, ChartError, check_estimate};
use crate::numbers::{count_short, share_within, within};
use crate::statistics::Estimate;

/// Running estimates of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// The headline.
    pub title: String,
    /// What was played: game, edition, players, number of games.
    pub subtitle: String,
    /// What is estimated: "win share", "rubies".
    pub unit: String,
    /// Whether its values are shares, shown in percent.
    pub share: bool,
    /// One line each.
    pub seats: Vec<SeatRun>,
}

/// The running estimate of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatRun {
    /// The name of the bot, shortened where it is long.
    pub label: String,
    /// Games played so far, rising, and the estimate at that time.
    pub checkpoints: Vec<(u64, Estimate)>,
}

impl Chart for Convergence {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for seat in &self.seats {
            for (_, estimate) in &seat.checkpoints {
                check_estimate(&format!("estimate of `{}`", seat.label), estimate)?;
            }
        }
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 444.0);
        let span = (top + 28.0, top + 384.0);
        let Some((x, y)) = self.scales(span) else {
            theme::placeholder(&mut canvas, top, "too few games to show");
            return Ok(canvas);
        };
        self.draw_axes(&mut canvas, &x, &y, span);
        for (i, seat) in self.seats.iter().enumerate() {
            draw_band(&mut canvas, &x, &y, i, seat);
        }
        for (i, seat) in self.seats.iter().enumerate() {
            draw_line(&mut canvas, &x, &y, i, seat);
        }
        self.draw_labels(&mut canvas, &x, &y, span);
        Ok(canvas)
    }
}

impl Convergence {
    /// Scales that hold every band, or nothing when no seat has a checkpoint.
    fn scales(&self, (top, bottom): (f64, f64)) -> Option<(Scale, Scale)> {
        let all = || self.seats.iter().flat_map(|seat| &seat.checkpoints);
        let games = || all().map(|(games, _)| *games);
        let (first, last) = (games().min()?, games().max()?);
        let low = all().fold(f64::INFINITY, |low, (_, e)| low.min(e.low).min(e.value));
        let high = all().fold(f64::NEG_INFINITY, |high, (_, e)| {
            high.max(e.high).max(e.value)
        });
        let room = match high - low {
            0.0 => 0.05 * high.abs().max(0.1),
            range => 0.04 * range,
        };
        let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        let roof = if self.share && high <= 1.0 {
            1.0
        } else {
            f64::INFINITY
        };
        let values = ((low - room).max(floor), (high + room).min(roof));
        let (left, right) = (MARGIN + 50.0, WIDTH - MARGIN - SEAT_LABELS - 34.0);
        let (mut from, mut to) = (first.max(1) as f64, last.max(1) as f64);
        if from == to {
            (from, to) = (from / 3.2, to * 3.2);
        }
        let x = Scale::logarithmic((from, to), (left, right));
        Some((x, Scale::linear(values, (bottom, top))))
    }

    fn draw_axes(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, span: (f64, f64)) {
        let ticks: Vec<_> = (axes::log_steps(x.values.0, x.values.1).into_iter())
            .map(|games| (games, count_short(games.round() as u64)))
            .collect();
        axes::x_axis(canvas, x, &ticks, span, "games played (logarithmic scale)");
        let ticks = axes::ticks(y.values.0, y.values.1, 6, self.share);
        axes::y_axis(canvas, y, &ticks, x.places);
        let heading = format!("{} so far, with 95 % band", capitalized(&self.unit));
        canvas.text(
            &shorten(&heading, &DETAIL, 500.0),
            (MARGIN, span.0 - 16.0),
            DETAIL,
        );
    }

    fn draw_labels(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, (top, bottom): (f64, f64)) {
        let ended: Vec<(usize, u64, Estimate)> = (self.seats.iter().enumerate())
            .filter_map(|(i, seat)| {
                seat.checkpoints
                    .last()
                    .map(|&(games, last)| (i, games, last))
            })
            .collect();
        let wanted: Vec<f64> = (ended.iter())
            .map(|(_, _, last)| y.place(last.value))
            .collect();
        let places = spread(&wanted, SEAT_LABEL_HEIGHT, top + 10.0, bottom - 6.0);
        let left = WIDTH - MARGIN - SEAT_LABELS;
        let ends: Vec<(Point, Point)> = (ended.iter().zip(&places).zip(&wanted))
            .map(|((&(_, games, _), &place), &from)| {
                let end = x.place(games.max(1) as f64) + 7.0;
                ((end, from), (left - 6.0, place))
            })
            .collect();
        axes::leaders(canvas, &ends, 20.0);
        for (&(i, _, last), &place) in ended.iter().zip(&places) {
            let value = match self.share {
                true => share_within(last.value, last.low, last.high),
                false => within(last.value, last.half_width()),
            };
            let name = &self.seats[i].label;
            theme::seat_label(canvas, i, place, name, (value, theme::BLACK));
        }
    }
}

/// The points of one part of the estimates over the games played.
fn path(x: &Scale, y: &Scale, seat: &SeatRun, part: fn(&Estimate) -> f64) -> Vec<Point> {
    (seat.checkpoints.iter())
        .map(|(games, estimate)| (x.place((*games).max(1) as f64), y.place(part(estimate))))
        .collect()
}

fn draw_band(canvas: &mut Canvas, x: &Scale, y: &Scale, index: usize, seat: &SeatRun) {
    let ink = theme::seat_ink(index);
    let low = path(x, y, seat, |estimate| estimate.low);
    let mut band = path(x, y, seat, |estimate| estimate.high);
    if let ([low], [high]) = (&low[..], &band[..]) {
        canvas.block((low.0 - 4.0, high.1), (low.0 + 4.0, low.1), ink.faded(0.25));
        return;
    }
    band.extend(low.into_iter().rev());
    canvas.area(band, ink.faded(0.15));
}

fn draw_line(canvas: &mut Canvas, x: &Scale, y: &Scale, index: usize, seat: &SeatRun) {
    let points = path(x, y, seat, |estimate| estimate.value);
    canvas.stroke(&points, 2.0, theme::seat_ink(index));
    // Markers tell lines apart; a few are enough, and the last checkpoint always has one.
    let mut free_until = f64::INFINITY;
    for point in points.iter().rev().filter(|point| point.0.is_finite()) {
        if point.0 <= free_until {
            theme::marker(canvas, index, *point, 4.0);
            free_until = point.0 - 70.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{
        BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label,
    };

    fn chart(shares: &[f64], checkpoints: usize) -> Convergence {
        let games: Vec<u64> = (0..checkpoints).map(|i| 1000 << i).collect();
        let seats = (shares.iter().enumerate())
            .map(|(i, &share)| {
                let half = |n: &u64| 1.96 * (share * (1.0 - share) / *n as f64).sqrt();
                let checkpoint = |(k, n): (usize, &u64)| {
                    let value = share + half(n) * ((k * 7 + i * 3) as f64).sin() * 0.6;
                    (*n, estimate(value, half(n)))
                };
                SeatRun {
                    label: label(i),
                    checkpoints: games.iter().enumerate().map(checkpoint).collect(),
                }
            })
            .collect();
        Convergence {
            title: "How the win shares settle".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            unit: "win share".into(),
            share: true,
            seats,
        }
    }

    #[test]
    fn any_run_is_drawn() {
        assert_sound(&chart(&[], 5));
        assert_sound(&chart(&[0.5], 0));
        assert_sound(&chart(&[0.4], 1));
        assert_sound(&chart(&[0.48, 0.52], 4));
        assert_sound(&chart(&[0.21, 0.2, 0.2, 0.2, 0.19], 11));
        assert_sound(&chart(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 11));
        assert_sound(&chart(&[0.125; 8], 20));
    }

    #[test]
    fn amounts_are_printed_without_percent() {
        let mut chart = chart(&[0.5, 0.5], 5);
        chart.share = false;
        chart.unit = "rubies".into();
        assert_sound(&chart);
        let canvas = chart.canvas().unwrap();
        let percents = canvas.texts().filter(|text| text.text.contains(" %"));
        assert_eq!(percents.count(), 1, "only the heading's 95 %");
    }

    #[test]
    fn a_run_looks_as_its_golden() {
        let seats = [(0.6, BOTS[0]), (0.4, BOTS[1])].map(|(share, label)| SeatRun {
            label: label.into(),
            checkpoints: vec![
                (100, estimate(share + 0.05, 0.1)),
                (1000, estimate(share, 0.03)),
            ],
        });
        let chart = Convergence {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            unit: "win share".into(),
            share: true,
            seats: seats.to_vec(),
        };
        assert_golden("convergence", &chart);
    }

    #[test]
    fn broken_estimates_are_refused() {
        let mut chart = chart(&[0.5], 5);
        chart.seats[0].checkpoints[3].1.low = f64::NAN;
        let error = chart.canvas().unwrap_err().to_string();
        assert!(error.contains("estimate of `cautious`"), "{error}");
    }
}
