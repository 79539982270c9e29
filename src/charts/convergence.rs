//! How an estimate settles as more games are played: one line per seat with its 95 % band.
//!
//! Knows running estimates, not what is estimated or when a run stops.

use super::axes::{self, Plane, Scale};
use super::canvas::{Canvas, Spot};
use super::labels::value_within;
use super::theme::{self, DETAIL, Paper, SeatLabel};
use super::{Chart, ChartError, check_estimates};
use crate::numbers::{count, count_short};
use crate::statistics::Estimate;

/// Running estimates of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    pub title: String,
    pub unit: String,
    /// What the horizontal axis counts.
    pub axis: String,
    /// A remark at the foot; may be empty.
    pub note: String,
    /// Whether its values are shares, shown in percent.
    pub share: bool,
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
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for seat in &self.seats {
            let estimates = seat.checkpoints.iter().map(|(_, estimate)| estimate);
            check_estimates(&format!("estimate of `{}`", seat.label), estimates)?;
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let heading = format!("{}, with 95 % band", self.unit);
        let top = theme::paragraph(&mut canvas, top + 12.0, &heading, DETAIL);
        let Some(panel) = self.panel(paper, (top, top + 356.0)) else {
            return Ok(None);
        };
        let below = self.draw_axes(&mut canvas, &panel);
        for (i, seat) in self.seats.iter().enumerate() {
            draw_band(&mut canvas, &panel, i, seat);
        }
        for (i, seat) in self.seats.iter().enumerate() {
            draw_line(&mut canvas, &panel, i, seat);
        }
        for seat in &self.seats {
            self.tell(&mut canvas, &panel, seat);
        }
        self.draw_labels(&mut canvas, &panel, below);
        let end = below + theme::labels_below(paper, self.seats.len());
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl Convergence {
    /// A panel that holds every band, or nothing when no seat has a checkpoint.
    fn panel(&self, paper: Paper, (top, bottom): (f64, f64)) -> Option<Plane> {
        let all = || self.seats.iter().flat_map(|seat| &seat.checkpoints);
        let games = || all().map(|(games, _)| *games);
        let (first, last) = (games().min()?, games().max()?);
        let (low, high) = axes::bounds(all().flat_map(|(_, e)| [e.low, e.value, e.high]));
        let room = match high - low {
            0.0 => 0.05 * high.abs().max(0.1),
            range => 0.04 * range,
        };
        let floor = if low >= 0.0 { 0.0 } else { f64::MIN };
        let roof = if self.share && high <= 1.0 {
            1.0
        } else {
            f64::MAX
        };
        let values = ((low - room).max(floor), (high + room).min(roof));
        let places = theme::labelled_panel(paper);
        let (mut from, mut to) = (first.max(1) as f64, last.max(1) as f64);
        if from == to {
            (from, to) = (from / 3.2, to * 3.2);
        }
        Some(Plane {
            x: Scale::logarithmic((from, to), places),
            y: Scale::linear(values, (bottom, top)),
        })
    }

    /// Tells where the axes end.
    fn draw_axes(&self, canvas: &mut Canvas, panel: &Plane) -> f64 {
        let Plane { x, y } = panel;
        let ticks: Vec<_> = (axes::log_steps(x.values.0, x.values.1).into_iter())
            .map(|games| (games, count_short(games.round() as u64)))
            .collect();
        axes::y_axis(canvas, y, &y.ticks(self.share), x.places);
        let title = format!("{} (logarithmic scale)", self.axis);
        axes::x_axis(canvas, x, &ticks, panel.span(), &title)
    }

    /// Says what a line shows at a few places, and at its end.
    fn tell(&self, canvas: &mut Canvas, panel: &Plane, seat: &SeatRun) {
        let every = seat.checkpoints.len().div_ceil(12).max(1);
        for (games, estimate) in seat.checkpoints.iter().rev().step_by(every) {
            let at = panel.place((*games).max(1) as f64, estimate.value);
            let value = value_within(estimate, self.share);
            canvas.tell_at(
                at,
                format!("{}, {} games: {value}", seat.label, count(*games)),
            );
        }
    }

    fn draw_labels(&self, canvas: &mut Canvas, panel: &Plane, below: f64) {
        let label = |(seat, run): (usize, &'_ SeatRun)| {
            let (games, last) = run.checkpoints.last()?;
            let (x, y) = panel.place((*games).max(1) as f64, last.value);
            let detail = (value_within(last, self.share), theme::BLACK);
            Some((seat, detail, (x + 7.0, y)))
        };
        let ended = self.seats.iter().enumerate().filter_map(label);
        let labels: Vec<(SeatLabel, Spot)> = ended
            .map(|(seat, detail, end)| {
                let name = self.seats[seat].label.as_str();
                (SeatLabel { seat, name, detail }, end)
            })
            .collect();
        let (top, bottom) = panel.span();
        theme::seat_labels(canvas, &labels, ((top + 10.0, bottom - 6.0), 20.0), below);
    }
}

/// The points of one part of the estimates over the games played.
fn path(panel: &Plane, seat: &SeatRun, part: fn(&Estimate) -> f64) -> Vec<Spot> {
    (seat.checkpoints.iter())
        .map(|(games, estimate)| panel.place((*games).max(1) as f64, part(estimate)))
        .collect()
}

fn draw_band(canvas: &mut Canvas, panel: &Plane, index: usize, seat: &SeatRun) {
    let ink = theme::seat_ink(index);
    let low = path(panel, seat, |estimate| estimate.low);
    let mut band = path(panel, seat, |estimate| estimate.high);
    if let ([low], [high]) = (&low[..], &band[..]) {
        canvas.block((low.0 - 4.0, high.1), (low.0 + 4.0, low.1), ink.faded(0.25));
        return;
    }
    band.extend(low.into_iter().rev());
    canvas.area(band, ink.faded(0.15));
}

fn draw_line(canvas: &mut Canvas, panel: &Plane, index: usize, seat: &SeatRun) {
    let points = path(panel, seat, |estimate| estimate.value);
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
