//! Candidates that race: all play the same games (common random numbers), each in every line-up, so
//! that differences are more precise than figures.

use super::search::{Problem, Tables};
use crate::game::MetricRef;
use crate::simulation::{Experiment, GROUP, Tally};
use crate::statistics::Estimate;
use std::ops::Range;

/// Index of the unchanged start in every round.
pub const START: usize = 0;

/// Most candidates of a round: all are compared game by game.
pub const CANDIDATES_MAX: usize = GROUP;

/// Half-width at which a share is precise enough, …
const SHARE_TOLERANCE: f64 = 0.002;
/// … and of any other metric, as a fraction of its value.
const OTHER_TOLERANCE: f64 = 0.005;

/// Offset between the games of successive line-ups.
const FIELD_GAMES: u64 = 1 << 48;

/// Candidates and their games so far. Estimates of a candidate are means over the line-ups.
pub struct Candidates<'a> {
    /// The tables, as the cells of a race: consecutive for each candidate, one per line-up.
    pub cells: Experiment<'a>,
    pub line_ups: usize,
}

impl<'a> Candidates<'a> {
    /// Candidates, the start first, with their tables in each of the line-ups. `compared` lists the
    /// pairs of candidates, the smaller number first, that are compared game by game.
    pub fn new(
        candidates: &'a [Tables],
        problem: &Problem,
        compared: &dyn Fn(usize, usize) -> bool,
    ) -> Candidates<'a> {
        let line_ups = candidates[START].len();
        let tables = candidates.iter().flatten().map(|table| table.as_ref() as _);
        let groups = (0..line_ups).map(|line_up| {
            let cells = (0..candidates.len()).map(|candidate| candidate * line_ups + line_up);
            (cells.collect(), line_up as u64 * FIELD_GAMES)
        });
        let metrics = problem.aim.metrics();
        let of_pair = |a: usize, b: usize| {
            let (a, b) = (a / line_ups, b / line_ups);
            if compared(a, b) {
                metrics.clone()
            } else {
                Vec::new()
            }
        };
        Candidates {
            cells: Experiment::new(tables.collect(), problem.games, groups, &of_pair),
            line_ups,
        }
    }

    /// The populations that take turns.
    pub fn populations(&self) -> usize {
        self.cells.layout(START).populations
    }

    pub fn remaining(&self) -> Vec<usize> {
        let firsts = (self.cells.remaining()).filter(|cell| cell % self.line_ups == 0);
        let mut remaining: Vec<usize> = firsts.map(|cell| cell / self.line_ups).collect();
        remaining.sort_unstable();
        remaining
    }

    pub fn keep(&mut self, stay: &[usize]) {
        let line_ups = self.line_ups;
        self.cells.keep(&|cell| stay.contains(&(cell / line_ups)));
    }

    /// The tallies of a candidate, by line-up.
    pub fn tallies(&self, candidate: usize) -> &[Tally] {
        &self.cells.tallies[candidate * self.line_ups..][..self.line_ups]
    }

    /// Games of a candidate over all line-ups.
    pub fn games(&self, candidate: usize) -> u64 {
        let tallies = self.tallies(candidate).iter();
        tallies.map(|tally| tally.games).sum()
    }

    /// A metric of a candidate: the mean over the line-ups.
    pub fn estimate(&self, candidate: usize, metric: MetricRef) -> Option<Estimate> {
        self.estimate_in(0..self.line_ups, candidate, metric)
    }

    /// The mean over those of some line-ups that have the metric: that of a seat is one of tables
    /// with enough seats.
    pub fn estimate_in(&self, line_ups: Range<usize>, c: usize, m: MetricRef) -> Option<Estimate> {
        let cells = self.cells_with(line_ups, c, m);
        mean(cells.map(|cell| self.cells.estimate(cell, m)))
    }

    /// The cells of a candidate at those of some line-ups that have a metric.
    fn cells_with(&self, of: Range<usize>, c: usize, m: MetricRef) -> impl Iterator<Item = usize> {
        let cells = of.map(move |line_up| c * self.line_ups + line_up);
        cells.filter(move |cell| self.cells.layout(*cell).metric(m).is_some())
    }

    /// The excess of a metric of candidate `a` over `b`, game by game: the mean over the line-ups.
    pub fn difference(&self, metric: MetricRef, a: usize, b: usize) -> Option<Estimate> {
        self.difference_in(0..self.line_ups, metric, a, b)
    }

    /// The excess as the mean over some line-ups.
    pub fn difference_in(
        &self,
        line_ups: Range<usize>,
        metric: MetricRef,
        a: usize,
        b: usize,
    ) -> Option<Estimate> {
        let cells = self.cells_with(line_ups, a, metric);
        mean(cells.map(|cell| {
            let other = b * self.line_ups + cell % self.line_ups;
            self.cells.difference(metric, cell, other)
        }))
    }

    /// The half-width at which a metric of this candidate is precise enough, unless the user gives
    /// one.
    pub fn tolerance(&self, metric: MetricRef, candidate: usize) -> f64 {
        let value = self.estimate(candidate, metric).map_or(0.0, |e| e.value);
        if self.is_share(metric) {
            SHARE_TOLERANCE
        } else {
            (OTHER_TOLERANCE * value.abs()).max(f64::MIN_POSITIVE)
        }
    }

    pub fn is_share(&self, metric: MetricRef) -> bool {
        let mut cells = self.cells_with(0..self.line_ups, START, metric);
        cells.any(|cell| self.cells.layout(cell).is_share(metric))
    }
}

/// The mean of one estimate per line-up. Line-ups play different games, so their errors are
/// independent.
fn mean(of_line_ups: impl Iterator<Item = Option<Estimate>>) -> Option<Estimate> {
    let estimates = of_line_ups.collect::<Option<Vec<Estimate>>>()?;
    (!estimates.is_empty()).then(|| Estimate::mean_of(&estimates))
}
