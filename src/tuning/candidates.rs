//! Candidates that race: all play the same games (common random numbers), each in every field, so
//! that differences are known better than figures.

use super::search::{Problem, Tables};
use crate::game::MetricRef;
use crate::simulation::{Experiment, GROUP, Tally};
use crate::statistics::{Estimate, Unit};
use std::ops::Range;

/// The candidate of every round that was not changed at all.
pub const START: usize = 0;

/// Most candidates of a round: all are compared game by game.
pub const CANDIDATES_MAX: usize = GROUP;

/// A share need not be known better than this, …
const SHARE_TOLERANCE: f64 = 0.002;
/// … and any other metric not better than to this part of its value.
const OTHER_TOLERANCE: f64 = 0.005;

/// The games of one field are this far from those of the next.
const FIELD_GAMES: u64 = 1 << 48;

/// Candidates and their games so far. What is said of a candidate is the mean over the fields.
pub struct Candidates<'a> {
    /// The tables, as the cells of a race: those of a candidate follow each other, one a field.
    pub cells: Experiment<'a>,
    pub fields: usize,
}

impl<'a> Candidates<'a> {
    /// Candidates, the first of them the start, with their tables in each of the fields. `compared`
    /// tells which two candidates, the smaller number first, are compared game by game.
    pub fn new(
        candidates: &'a [Tables],
        problem: &Problem,
        compared: &dyn Fn(usize, usize) -> bool,
    ) -> Candidates<'a> {
        let fields = candidates[START].len();
        let tables = candidates.iter().flatten().map(|table| table.as_ref() as _);
        let groups = (0..fields).map(|field| {
            let cells = (0..candidates.len()).map(|candidate| candidate * fields + field);
            (cells.collect(), field as u64 * FIELD_GAMES)
        });
        let metrics = problem.aim.metrics();
        let of_pair = |a: usize, b: usize| {
            let (a, b) = (a / fields, b / fields);
            if compared(a, b) {
                metrics.clone()
            } else {
                Vec::new()
            }
        };
        Candidates {
            cells: Experiment::new(tables.collect(), problem.games, groups, &of_pair),
            fields,
        }
    }

    pub fn remaining(&self) -> Vec<usize> {
        let firsts = (self.cells.remaining()).filter(|cell| cell % self.fields == 0);
        let mut remaining: Vec<usize> = firsts.map(|cell| cell / self.fields).collect();
        remaining.sort_unstable();
        remaining
    }

    pub fn keep(&mut self, stay: &[usize]) {
        let fields = self.fields;
        self.cells.keep(&|cell| stay.contains(&(cell / fields)));
    }

    /// All games of a candidate in each field.
    pub fn tallies(&self, candidate: usize) -> &[Tally] {
        &self.cells.tallies[candidate * self.fields..][..self.fields]
    }

    /// Games of a candidate, all fields together.
    pub fn games(&self, candidate: usize) -> u64 {
        let tallies = self.tallies(candidate).iter();
        tallies.map(|tally| tally.games).sum()
    }

    /// A metric of a candidate: the mean over the fields.
    pub fn estimate(&self, candidate: usize, metric: MetricRef) -> Option<Estimate> {
        self.estimate_in(0..self.fields, candidate, metric)
    }

    /// The same as the mean over some fields.
    pub fn estimate_in(&self, fields: Range<usize>, c: usize, m: MetricRef) -> Option<Estimate> {
        mean(fields.map(|field| self.cells.estimate(c * self.fields + field, m)))
    }

    /// By how much a metric of candidate `a` is above that of `b`, game by game: the mean over the
    /// fields.
    pub fn difference(&self, metric: MetricRef, a: usize, b: usize) -> Option<Estimate> {
        self.difference_in(0..self.fields, metric, a, b)
    }

    /// The same as the mean over some fields.
    pub fn difference_in(
        &self,
        fields: Range<usize>,
        metric: MetricRef,
        a: usize,
        b: usize,
    ) -> Option<Estimate> {
        let cell = |candidate: usize, field: usize| candidate * self.fields + field;
        mean(fields.map(|field| {
            if a == b {
                Some(Estimate::normal(0.0, 0.0))
            } else {
                self.cells
                    .difference(metric, cell(a, field), cell(b, field))
            }
        }))
    }

    /// How well a metric needs to be known that is what it is of this candidate, unless somebody
    /// says.
    pub fn tolerance(&self, metric: MetricRef, candidate: usize) -> f64 {
        let value = self.estimate(candidate, metric).map_or(0.0, |e| e.value);
        if self.is_share(metric) {
            SHARE_TOLERANCE
        } else {
            (OTHER_TOLERANCE * value.abs()).max(f64::MIN_POSITIVE)
        }
    }

    /// Whether a metric is a share of something.
    pub fn is_share(&self, metric: MetricRef) -> bool {
        let layout = self.cells.layout(START);
        layout.metric(metric).is_some_and(|known| known.proportion)
    }
}

/// The mean of one estimate a field. Fields play different games, so that their errors are
/// independent.
fn mean(mut of_fields: impl ExactSizeIterator<Item = Option<Estimate>>) -> Option<Estimate> {
    let fields = of_fields.len() as f64;
    if of_fields.len() == 1 {
        return of_fields.next()?;
    }
    let (mut sum, mut variance, mut unit) = (0.0, 0.0, Unit::default());
    for estimate in of_fields {
        let estimate = estimate?;
        unit = estimate.unit;
        sum += estimate.value;
        variance += estimate.se * estimate.se;
    }
    let mean = Estimate::normal(sum / fields, variance.sqrt() / fields);
    Some(Estimate { unit, ..mean })
}
