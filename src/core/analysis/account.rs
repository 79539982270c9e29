//! The walk of each seat through a game, with standard errors from batches of playouts.

use super::{Analysis, Of, Walk, result_metric, result_unit};
use crate::game::moments::{Cause, What};
use crate::game::{MetricRef, SCORE, WIN};
use crate::simulation::Experiment;
use crate::statistics::{Z95, standard_error};

/// Widens standard errors from 8 batches: Student's t for 7 degrees of freedom (2.365) over the
/// normal 1.96.
const ROUGHLY: f64 = 2.365 / Z95;

impl Analysis<'_> {
    fn seats(&self) -> usize {
        self.judge.layout.seats
    }

    fn outcome(&self) -> usize {
        if self.seats() == 1 { SCORE } else { WIN }
    }

    /// The result of each seat as a sum over the playouts; `None` if the game is not over.
    pub(super) fn results(&self) -> Vec<Option<i128>> {
        let results = match self.outcome() {
            WIN => &self.course.wins,
            _ => &self.course.scores,
        };
        let playouts = i128::from(self.judge.playouts);
        let result = |seat| Some(i128::from(*results.get(seat)?) * playouts);
        (0..self.seats()).map(result).collect()
    }

    /// The sums of each seat over all playouts so far, by cell.
    pub(super) fn values(&self, race: &Experiment) -> Vec<Vec<i128>> {
        let mut values = Vec::new();
        for seat in 0..self.seats() {
            let column = self.judge.layout.seat_column(seat, self.outcome());
            let sums = race.tallies.iter().map(|tally| tally.columns[column].sum);
            values.push(sums.collect());
        }
        values
    }

    /// The walks of all seats; `sums` are the values after each batch of playouts. A cell is a
    /// moment; the last one is the start.
    pub(super) fn walks(&self, race: &Experiment, sums: &[Vec<Vec<i128>>]) -> Vec<Walk> {
        let mut walks = Vec::new();
        for (seat, result) in self.results().into_iter().enumerate() {
            let metric = MetricRef::of_seat(result_metric(self.seats()), seat);
            let mut errors = Vec::new();
            for cell in 0..race.tallies.len() {
                let estimate = race.estimate(cell, metric);
                errors.push(estimate.map_or(0.0, |estimate| estimate.se as f32));
            }
            let sums = Vec::from_iter(sums.iter().map(|sums| &sums[seat][..]));
            let mut walk = self.walk(seat, result, sums[sums.len() - 1], &errors);
            if sums.len() > 1 {
                walk.given_se = self.errors(seat, result, &sums);
            }
            walks.push(walk);
        }
        walks
    }

    /// The standard errors of a seat's totals of each cause, by how much they differ from batch to
    /// batch of playouts; `sums` are its values after each.
    fn errors(&self, seat: usize, result: Option<i128>, sums: &[&[i128]]) -> [f64; 3] {
        let playouts = self.judge.playouts as i128;
        let mut totals = [const { Vec::new() }; 3];
        let mut before = vec![0; sums[0].len()];
        for (batch, until) in sums.iter().enumerate() {
            let count = |batch: usize| playouts * batch as i128 / sums.len() as i128;
            let own = count(batch + 1) - count(batch);
            let result = result.map(|result| result / playouts * own);
            let values = until.iter().zip(&before);
            let values = values.map(|(until, before)| until - before);
            let walk = self.walk(
                seat,
                result,
                &Vec::from_iter(values),
                &vec![0.0; before.len()],
            );
            for of in Of::ALL {
                totals[of as usize].push(walk.sum(of) as f64 / own as f64);
            }
            before = until.to_vec();
        }
        totals.map(|totals| ROUGHLY * standard_error(&totals) / result_unit(self.seats()))
    }

    /// The walk of a seat by its values and their errors in each cell, to its result if there is
    /// one.
    fn walk(&self, seat: usize, result: Option<i128>, values: &[i128], errors: &[f32]) -> Walk {
        let moments = &self.course.moments;
        let mut walk = Walk::from(values[moments.len()], errors[moments.len()]);
        walk.by = vec![0; self.seats()];
        // The state before simultaneous decisions.
        let mut before = walk.start;
        for (at, moment) in moments.iter().enumerate() {
            let after = values[at];
            let of_step = match &moment.what {
                What::Event(cause) => {
                    before = after;
                    match cause {
                        Cause::Chance => Of::Cards,
                        Cause::Secrets => Of::Others,
                    }
                }
                What::Decision(options) => {
                    walk.by[options.seat] += after - before;
                    if !options.secret {
                        before = after;
                    }
                    match (options.seat == seat, options.secret) {
                        (true, _) => Of::Own,
                        (_, true) => continue,
                        (_, false) => Of::Others,
                    }
                }
            };
            walk.to(at, of_step, after, errors[at]);
        }
        if let Some(result) = result {
            walk.to(moments.len(), Of::Cards, result, 0.0);
        }
        walk
    }
}
