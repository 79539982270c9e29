//! The walk of each seat through a game, with standard errors from batches of playouts.

use super::super::walk::{Of, Walk};
use super::Game;
use carat_core::game::moments::{Cause, What};
use carat_core::game::{MetricRef, SCORE, WIN, WIN_SHARE};
use carat_core::simulation::{Experiment, Tally};
use carat_core::statistics::{Z95, standard_error};

/// Widens standard errors from 8 batches: Student's t for 7 degrees of freedom (2.365) over the
/// normal 1.96.
const ROUGHLY: f64 = 2.365 / Z95;

impl Game<'_> {
    pub(super) fn outcome(&self) -> usize {
        match self.resolved.metric() {
            WIN_SHARE => WIN,
            _ => SCORE,
        }
    }

    /// The result of each seat as a sum over the playouts; `None` if the game is not over.
    pub(super) fn results(&self) -> Vec<Option<i128>> {
        let results = match self.outcome() {
            WIN => &self.course.wins,
            _ => &self.course.scores,
        };
        let playouts = i128::from(self.resolved.playouts());
        let result = |seat| Some(i128::from(*results.get(seat)?) * playouts);
        (0..self.judge.layout.seats).map(result).collect()
    }

    /// The sums of all cells so far, for each a value by seat.
    pub(super) fn values(&self, race: &Experiment) -> Vec<Vec<i128>> {
        let column = |seat| self.judge.layout.seat_column(seat, self.outcome());
        let columns: Vec<usize> = (0..self.judge.layout.seats).map(column).collect();
        let of = |tally: &Tally| columns.iter().map(|at| tally.columns[*at].sum).collect();
        race.tallies.iter().map(of).collect()
    }

    /// The walks of all seats; `sums` are those of all cells after each batch of playouts. A cell
    /// is a moment; the last one is the start.
    pub(super) fn walks(&self, race: &Experiment, sums: &[Vec<Vec<i128>>]) -> Vec<Walk> {
        let metric = |seat| MetricRef::of_seat(self.resolved.metric(), seat);
        let error = |cell, seat| {
            let estimate = race.estimate(cell, metric(seat));
            estimate.map_or(0.0, |estimate| estimate.se as f32)
        };
        let playouts = self.resolved.playouts() as i128;
        let walk = |(seat, result): (usize, Option<i128>)| {
            let all = sums.last().map_or(&[][..], |all| all);
            let value = |cell: usize| (all[cell][seat], error(cell, seat));
            let mut walk = self.walk(seat, result, &value);
            let parts = |(batch, until): (usize, &Vec<Vec<i128>>)| {
                let before = batch.checked_sub(1).map(|before| &sums[before]);
                let value = |cell: usize| {
                    let before = before.map_or(0, |before| before[cell][seat]);
                    (until[cell][seat] - before, 0.0)
                };
                let count = |batch: usize| playouts * batch as i128 / sums.len() as i128;
                let own = count(batch + 1) - count(batch);
                let result = result.map(|result| result / playouts * own);
                let walk = self.walk(seat, result, &value);
                Of::ALL.map(|of| walk.sum(of) as f64 / own as f64)
            };
            let parts: Vec<[f64; 3]> = sums.iter().enumerate().map(parts).collect();
            walk.given_se = Of::ALL.map(|of| {
                let values: Vec<f64> = parts.iter().map(|parts| parts[of as usize]).collect();
                match values.len() {
                    1 => 0.0,
                    _ => ROUGHLY * standard_error(&values) / self.resolved.one(),
                }
            });
            walk
        };
        self.results().into_iter().enumerate().map(walk).collect()
    }

    /// The walk of a seat by the values of the cells, to its result if there is one.
    fn walk(
        &self,
        seat: usize,
        result: Option<i128>,
        value: &dyn Fn(usize) -> (i128, f32),
    ) -> Walk {
        let moments = &self.course.moments;
        let mut walk = Walk::from(value(moments.len()));
        walk.by = vec![0; self.judge.layout.seats];
        // The state before simultaneous decisions.
        let mut before = walk.start;
        for (at, moment) in moments.iter().enumerate() {
            let after = value(at);
            let of_step = match &moment.what {
                What::Event(cause) => {
                    before = after.0;
                    match cause {
                        Cause::Chance => Of::Cards,
                        Cause::Secrets => Of::Others,
                    }
                }
                What::Decision(options) => {
                    walk.by[options.seat] += after.0 - before;
                    if !options.secret {
                        before = after.0;
                    }
                    match (options.seat == seat, options.secret) {
                        (true, _) => Of::Own,
                        (_, true) => continue,
                        (_, false) => Of::Others,
                    }
                }
            };
            walk.to(at, of_step, after);
        }
        if let Some(result) = result {
            walk.to(moments.len(), Of::Cards, (result, 0.0));
        }
        walk
    }
}
