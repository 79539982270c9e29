//! How an estimate settles as more games are played: one line per seat with its 95 % band.
//!
//! Knows running estimates, not what is estimated or when a run stops.

use super::axes::{self, Scale};
use super::canvas::{Canvas, Point};
use super::labels::{shorten, spread};
use super::numbers::{count_short, decimals_for, number, percent, share_within, within};
use super::theme::{self, DETAIL, LABEL, MARGIN, WIDTH};
use super::{Chart, ChartError, check_column};

/// Running estimates of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// The headline.
    pub title: String,
    /// What was played: game, edition, players, number of games.
    pub subtitle: String,
    /// What is estimated: "win share", "rubies".
    pub unit: String,
    /// How its values are printed.
    pub quantity: Quantity,
    /// One line each.
    pub seats: Vec<SeatRun>,
}

/// How the values of an estimate are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Parts of one, printed in percent.
    Share,
    /// Plain numbers.
    Amount,
}

/// The running estimate of one seat; all columns have one entry per checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatRun {
    /// The name of the bot, shortened where it is long.
    pub label: String,
    /// Games played so far, rising.
    pub games: Vec<u64>,
    /// The estimate at that time.
    pub value: Vec<f64>,
    /// Lower end of its 95 % interval.
    pub low: Vec<f64>,
    /// Upper end of its 95 % interval.
    pub high: Vec<f64>,
}

impl Chart for Convergence {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for seat in &self.seats {
            let wanted = seat.games.len();
            for (name, column) in [
                ("value", &seat.value),
                ("low", &seat.low),
                ("high", &seat.high),
            ] {
                check_column(&format!("{name} of `{}`", seat.label), column, wanted)?;
            }
        }
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 444.0);
        let span = (top + 28.0, top + 384.0);
        let Some((x, y)) = self.scales(span) else {
            theme::placeholder(&mut canvas, top, "no games to show");
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

/// Width of the column of labels at the right.
const LABELS: f64 = 236.0;
/// Height of one label of two lines.
const LABEL_HEIGHT: f64 = 36.0;

impl Convergence {
    /// Scales that hold every band, or nothing when no seat has a checkpoint.
    fn scales(&self, (top, bottom): (f64, f64)) -> Option<(Scale, Scale)> {
        let games = || self.seats.iter().flat_map(|seat| &seat.games);
        let (first, last) = (*games().min()?, *games().max()?);
        let all = || {
            (self.seats.iter())
                .flat_map(|seat| seat.low.iter().chain(&seat.high).chain(&seat.value))
        };
        let low = all().fold(f64::INFINITY, |low, value| low.min(*value));
        let high = all().fold(f64::NEG_INFINITY, |high, value| high.max(*value));
        let room = match high - low {
            0.0 => 0.05 * high.abs().max(0.1),
            range => 0.04 * range,
        };
        let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        let roof = match self.quantity {
            Quantity::Share if high <= 1.0 => 1.0,
            _ => f64::INFINITY,
        };
        let values = ((low - room).max(floor), (high + room).min(roof));
        let (left, right) = (MARGIN + 50.0, WIDTH - MARGIN - LABELS - 34.0);
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
        let (steps, step) = axes::round_steps(y.values.0, y.values.1, 6);
        let ticks: Vec<_> = (steps.into_iter())
            .map(|value| match self.quantity {
                Quantity::Share => (value, percent(value, decimals_for(100.0 * step))),
                Quantity::Amount => (value, number(value, decimals_for(step))),
            })
            .collect();
        axes::y_axis(canvas, y, &ticks, x.places);
        let heading = format!("{} so far, with 95 % band", self.unit);
        canvas.text(
            &shorten(&heading, &DETAIL, 500.0),
            (MARGIN, span.0 - 16.0),
            DETAIL,
        );
    }

    fn draw_labels(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, (top, bottom): (f64, f64)) {
        let ended: Vec<(usize, usize)> = (self.seats.iter().enumerate())
            .filter(|(_, seat)| !seat.games.is_empty())
            .map(|(i, seat)| (i, seat.games.len() - 1))
            .collect();
        let wanted: Vec<f64> = (ended.iter())
            .map(|&(i, last)| y.place(self.seats[i].value[last]))
            .collect();
        let places = spread(&wanted, LABEL_HEIGHT, top + 10.0, bottom - 6.0);
        let left = WIDTH - MARGIN - LABELS;
        let ends: Vec<(Point, Point)> = (ended.iter().zip(&places).zip(&wanted))
            .map(|((&(i, last), &place), &from)| {
                let end = x.place(self.seats[i].games[last].max(1) as f64) + 7.0;
                ((end, from), (left - 6.0, place))
            })
            .collect();
        axes::leaders(canvas, &ends, 20.0);
        for (&(i, last), &place) in ended.iter().zip(&places) {
            let seat = &self.seats[i];
            theme::marker(canvas, i, (left + 6.0, place - 3.0), 4.5);
            let text = left + 18.0;
            let style = LABEL.bold().in_ink(theme::seat_ink(i));
            let name = shorten(&seat.label, &style, WIDTH - MARGIN - text);
            canvas.text(&name, (text, place + 1.0), style);
            let half = (seat.high[last] - seat.low[last]) / 2.0;
            let value = match self.quantity {
                Quantity::Share => share_within(seat.value[last], seat.low[last], seat.high[last]),
                Quantity::Amount => within(seat.value[last], half),
            };
            canvas.text(&value, (text, place + 15.0), DETAIL.in_ink(theme::BLACK));
        }
    }
}

/// The points of a column over the games played.
fn path(x: &Scale, y: &Scale, games: &[u64], column: &[f64]) -> Vec<Point> {
    (games.iter().zip(column))
        .map(|(games, value)| (x.place((*games).max(1) as f64), y.place(*value)))
        .collect()
}

fn draw_band(canvas: &mut Canvas, x: &Scale, y: &Scale, index: usize, seat: &SeatRun) {
    let ink = theme::seat_ink(index);
    let low = path(x, y, &seat.games, &seat.low);
    let mut band = path(x, y, &seat.games, &seat.high);
    if let ([low], [high]) = (&low[..], &band[..]) {
        canvas.block((low.0 - 4.0, high.1), (low.0 + 4.0, low.1), ink.faded(0.25));
        return;
    }
    band.extend(low.into_iter().rev());
    canvas.area(band, ink.faded(0.15));
}

fn draw_line(canvas: &mut Canvas, x: &Scale, y: &Scale, index: usize, seat: &SeatRun) {
    let points = path(x, y, &seat.games, &seat.value);
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
    use crate::charts::tests::{assert_sound, label};

    fn chart(shares: &[f64], checkpoints: usize) -> Convergence {
        let games: Vec<u64> = (0..checkpoints).map(|i| 1000 << i).collect();
        let seats = (shares.iter().enumerate())
            .map(|(i, &share)| {
                let half = |n: &u64| 1.96 * (share * (1.0 - share) / *n as f64).sqrt();
                let value: Vec<f64> = (games.iter().enumerate())
                    .map(|(k, n)| share + half(n) * ((k * 7 + i * 3) as f64).sin() * 0.6)
                    .collect();
                SeatRun {
                    label: label(i),
                    low: value.iter().zip(&games).map(|(v, n)| v - half(n)).collect(),
                    high: value.iter().zip(&games).map(|(v, n)| v + half(n)).collect(),
                    value,
                    games: games.clone(),
                }
            })
            .collect();
        Convergence {
            title: "How the win shares settle".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            unit: "win share".into(),
            quantity: Quantity::Share,
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
        chart.quantity = Quantity::Amount;
        chart.unit = "rubies".into();
        assert_sound(&chart);
        let canvas = chart.canvas().unwrap();
        let percents = canvas.texts().filter(|text| text.text.contains(" %"));
        assert_eq!(percents.count(), 1, "only the heading's 95 %");
    }

    #[test]
    fn columns_must_match_the_checkpoints() {
        let mut chart = chart(&[0.5], 5);
        chart.seats[0].low.pop();
        let error = chart.canvas().unwrap_err().to_string();
        assert!(error.contains("low of `cautious`"), "{error}");
    }
}
