//! The design of a study: the tables that it compares, in groups, and when it ends.

use super::paired::Pair;
use super::{Experiment, Games, Gate, Goal};
use crate::game::{MetricRef, Play, Table};
use crate::statistics::Estimate;
use std::sync::Arc;

/// What is played and compared. A part of a study's games may have a design of its own.
pub struct Design {
    /// The tables that are compared.
    pub arms: Vec<Arc<dyn Table>>,
    /// The group of each arm, from 0: those that are alternatives, or differ from a common arm.
    pub groups: Vec<usize>,
    /// The metric of the goal, by which arms are ranked.
    pub metric: MetricRef,
    pub goal: Goal,
    pub games: Games,
    /// The seed of each group where they are played with several; otherwise empty.
    pub seeds: Vec<u64>,
    /// What is expected of the tables; then the goal is to judge all of it.
    pub gates: Vec<Gate>,
}

impl Design {
    pub fn tables(&self) -> Vec<&dyn Play> {
        let tables = self.arms.iter().map(|table| table.as_ref() as _);
        tables.collect()
    }

    /// The arm that an arm is compared with: the first of its group.
    pub fn reference(&self, arm: usize) -> usize {
        let mut groups = self.groups.iter();
        let first = groups.position(|group| *group == self.groups[arm]);
        first.unwrap_or(arm)
    }

    /// Each metric that an arm has in common with its reference.
    pub fn comparisons(&self) -> Vec<(usize, MetricRef)> {
        let mut all = Vec::new();
        for arm in 0..self.arms.len() {
            if self.reference(arm) != arm {
                all.extend(self.pair(arm).metrics().map(|metric| (arm, metric)));
            }
        }
        all
    }

    /// All arms at the same games, each compared with its reference. (The sums that are saved have
    /// products with the references of other groups, too.)
    pub fn experiment(&self) -> Experiment<'_> {
        let metrics = |a: usize, b: usize| {
            if self.reference(a) == a {
                self.pair(b).metrics().collect()
            } else {
                Vec::new()
            }
        };
        let all = (0..self.arms.len()).collect();
        Experiment::new(self.tables(), self.games, [(all, 0)], &metrics)
    }

    /// How far metrics are inside of what is expected of them, for the goal; `None` if nothing is.
    pub fn margins(&self, run: &Experiment) -> Option<Vec<Estimate>> {
        let margins = |gate: &Gate| gate.margins(run.estimate(gate.arm, gate.metric));
        let is_judged = !self.gates.is_empty();
        is_judged.then(|| self.gates.iter().flat_map(margins).collect())
    }

    fn pair(&self, arm: usize) -> Pair<'_> {
        let [a, b] = [self.reference(arm), arm].map(|arm| (arm, self.arms[arm].layout()));
        Pair { a, b }
    }
}
