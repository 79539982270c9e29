//! A heat: some candidates that play the same games, each in every field.

use super::aim::Aim;
use super::search::Tables;
use crate::game::{Layout, MetricRef};
use crate::simulation::Tally;
use crate::simulation::race::{GROUP, Race};
use crate::statistics::Estimate;

/// The candidate of every heat that was not changed at all.
pub const START: usize = 0;

/// Most candidates of a heat: all are compared game by game.
pub const CANDIDATES_MAX: usize = GROUP;

/// The games of one field are this far from those of the next.
const FIELD_GAMES: u64 = 1 << 48;

/// Candidates and their games so far. What is said of a candidate is the mean over the fields.
pub struct Heat<'a> {
    /// The race of all tables: those of a candidate follow each other, one a field.
    pub race: Race<'a>,
    fields: usize,
}

impl<'a> Heat<'a> {
    /// Candidates, the first of them the start, with their tables in each of the fields. `compared`
    /// tells which two candidates, the smaller number first, are compared game by game.
    pub fn new(
        candidates: &'a [Tables],
        aim: &Aim,
        compared: &dyn Fn(usize, usize) -> bool,
    ) -> Heat<'a> {
        let fields = candidates[START].len();
        let tables = candidates.iter().flatten().map(|table| table.as_ref() as _);
        let groups = (0..fields).map(|field| {
            let cells = (0..candidates.len()).map(|candidate| candidate * fields + field);
            (cells.collect(), field as u64 * FIELD_GAMES)
        });
        let metrics = aim.metrics();
        let of_pair = |a: usize, b: usize| {
            let (a, b) = (a / fields, b / fields);
            match compared(a, b) {
                true => metrics.clone(),
                false => Vec::new(),
            }
        };
        Heat {
            race: Race::new(tables.collect(), groups, &of_pair),
            fields,
        }
    }

    /// What is recorded at these tables: they have the same players.
    pub fn layout(&self) -> &Layout {
        self.race.layout(START)
    }

    /// The candidates that go on.
    pub fn remaining(&self) -> Vec<usize> {
        let mut remaining: Vec<usize> = (self.race.remaining())
            .filter(|cell| cell % self.fields == 0)
            .map(|cell| cell / self.fields)
            .collect();
        remaining.sort_unstable();
        remaining
    }

    /// Sends the other candidates home.
    pub fn keep(&mut self, stay: &[usize]) {
        let fields = self.fields;
        self.race.keep(&|_, cell| stay.contains(&(cell / fields)));
    }

    /// All games of a candidate in each field.
    pub fn tallies(&self, candidate: usize) -> &[Tally] {
        &self.race.tallies[candidate * self.fields..][..self.fields]
    }

    /// Games of a candidate, all fields together.
    pub fn games(&self, candidate: usize) -> u64 {
        self.tallies(candidate)
            .iter()
            .map(|tally| tally.games)
            .sum()
    }

    /// A metric of a candidate in one field.
    pub fn estimate_in(
        &self,
        field: usize,
        candidate: usize,
        metric: MetricRef,
    ) -> Option<Estimate> {
        self.race.estimate(candidate * self.fields + field, metric)
    }

    /// A metric of a candidate: the mean over the fields.
    pub fn estimate(&self, candidate: usize, metric: MetricRef) -> Option<Estimate> {
        self.mean(|field| self.estimate_in(field, candidate, metric))
    }

    /// By how much a metric of `candidate` is above that of `other` in one field, game by game.
    pub fn difference_in(
        &self,
        field: usize,
        metric: MetricRef,
        candidate: usize,
        other: usize,
    ) -> Option<Estimate> {
        if candidate == other {
            return Some(Estimate::normal(0.0, 0.0));
        }
        let cell = |candidate: usize| candidate * self.fields + field;
        self.race.difference(metric, cell(candidate), cell(other))
    }

    /// By how much a metric of `candidate` is above that of `other`: the mean over the fields.
    pub fn difference(
        &self,
        metric: MetricRef,
        candidate: usize,
        other: usize,
    ) -> Option<Estimate> {
        self.mean(|field| self.difference_in(field, metric, candidate, other))
    }

    /// Fields play different games, so that their errors are independent.
    fn mean(&self, of: impl Fn(usize) -> Option<Estimate>) -> Option<Estimate> {
        if self.fields == 1 {
            return of(0);
        }
        let (mut sum, mut variance) = (0.0, 0.0);
        for field in 0..self.fields {
            let estimate = of(field)?;
            sum += estimate.value;
            variance += estimate.se * estimate.se;
        }
        let fields = self.fields as f64;
        Some(Estimate::normal(sum / fields, variance.sqrt() / fields))
    }
}
