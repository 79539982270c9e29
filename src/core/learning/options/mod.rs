//! Learns which option to take, scoring each by a sum of small look-up tables.
//!
//! Learners choose by softmax: an option with a sum higher by 1 is taken e times as often. If a
//! choice led to more than expected, its sum is raised (policy gradient: Williams 1992). The
//! expectation comes from a critic, a sum of tables of the position, and the result of a choice is
//! judged by the expectation soon after it and by the end of the game (generalized advantage
//! estimation: Schulman et al. 2016). To keep learners exploring, the entropy of choices is
//! rewarded too, less and less (Williams and Peng 1991). Steps are those of Adam (Kingma and Ba
//! 2015). From time to time, tables of two features are added where the gradient differs most from
//! cell to cell.
//!
//! All sums are integers and learners change between batches alone, so the result does not depend
//! on threads.

mod state;
mod worker;

use super::additive::{Additive, BINS, Shape, Term};
use super::bot::Base;
use super::{Learns, Objective};
use crate::game::Table;
use crate::simulation::Player;
use fearless_simd::Level;
use state::{Height, Place};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use worker::{Worker, candidate};

pub use state::OptionState;

/// Games of a batch; learners change after each.
const BATCH: u64 = 512;
/// Games of a chunk, the unit of work of a thread.
const CHUNK: u64 = 64;
/// The search for missing tables plays the games so far divided by this, …
const LOOKING_PART: u64 = 4;
/// … and at least this many.
const LOOKING_MIN: u64 = 2048;
/// The first of these games, far from those used for learning.
const OF_LOOKING: u64 = 1 << 42;
/// Initial step size.
const RATE: f64 = 0.06;
/// Factor on the steps of a base's weight.
const BASE_PART: f64 = 0.3;
/// Step size of the critic, as a fraction of the surprise, …
const CRITIC_RATE: f64 = 1.0;
/// Shrinkage of rare cells: as if their mean had been 0 in this many more decisions.
const CRITIC_DOUBT: f64 = 50.0;
/// Units per 1 of the integer sums.
const PARTS: f32 = (1 << 20) as f32;
/// Most tables added at once that look at the same feature, per kind of option.
const ALIKE: usize = 2;
/// Prior weight in squared gradients: cells that are hardly seen get little weight.
const DOUBT: f64 = 2.0;

/// A training task for learners that score options.
pub struct Task<'a> {
    /// The table. Learners take its first seats, where the base bots sit.
    pub table: &'a dyn Table,
    pub learners: usize,
    pub objective: Objective,
    /// Worth of a point more than the others, in won games.
    pub point: f32,
    /// Initial weight of the entropy of a choice, in won games.
    pub entropy: f64,
    /// Initial probability of the base bot's choice.
    pub like_first: f64,
    /// A sum to start from, if any.
    pub from: Option<&'a Additive>,
    /// Approximate games behind that sum.
    pub earlier: u64,
    /// Games after which steps are shorter by a factor of √2, and entropy weighs less.
    pub slower: f64,
    pub shape: &'a Shape,
    /// The bot that the tables extend: they add to its score.
    pub base: &'a Base,
    pub seed: u64,
}

pub struct OptionLearner<'a> {
    task: Task<'a>,
    learnt: OptionState,
    workers: Vec<Worker>,
}

impl<'a> OptionLearner<'a> {
    /// Learners who start like the base bots.
    pub fn new(task: Task<'a>, level: Level) -> OptionLearner<'a> {
        let learnt = OptionState::laid_out(&task, level);
        OptionLearner {
            task,
            learnt,
            workers: Vec::new(),
        }
    }

    /// Games of the search for missing tables.
    pub fn looking(&self) -> u64 {
        (self.learnt.games / LOOKING_PART).max(LOOKING_MIN)
    }

    /// Adds up to `tables` tables with the largest expected gain; returns whether it looked.
    pub fn grow(&mut self, tables: usize, player: &Player) -> bool {
        let first = OF_LOOKING + self.learnt.games;
        if !self.share(first, self.looking(), player, Worker::look) {
            return false;
        }
        let looks = self.learnt.looks(self.task.shape);
        let mut found = Vec::new();
        for kind in 0..=self.task.shape.kinds.len() {
            for (a, b) in pairs(looks.len()) {
                let first = candidate(kind, (a, b), looks.len());
                let (mut gain, mut seen) = (0.0, 0);
                for cell in first..first + BINS * BINS {
                    let workers = self.workers.iter();
                    let own = workers.filter_map(|worker| worker.candidates.get(cell));
                    let [slope, square] = own.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
                    let [slope, square] = [slope, square].map(|sum| sum as f64 / f64::from(PARTS));
                    if square > 0.0 {
                        gain += slope * slope / (square + DOUBT) - 1.0;
                        seen += 1;
                    }
                }
                if seen > 1 {
                    found.push((gain, kind, [looks[a], looks[b]]));
                }
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut kept, learnt) = (Vec::new(), &mut self.learnt);
        for (_, kind, looks) in found {
            let is_like = |(other, own): &&(usize, [usize; 2])| {
                *other == kind && looks.iter().any(|look| own.contains(look))
            };
            let is_there = |place: &Place| place.kind == kind && place.looks == looks;
            let alike = kept.iter().filter(is_like).count();
            if kept.len() < tables && alike < ALIKE && !learnt.tables.iter().any(is_there) {
                kept.push((kind, looks));
            }
        }
        for (kind, looks) in kept {
            learnt.add(kind, looks);
        }
        true
    }

    /// Keeps at most `most` tables, those of largest weight.
    pub fn prune(&mut self, most: usize) {
        let merged = self.model().merged(most);
        self.learnt.begin_with(merged);
    }

    pub fn model(&self) -> Additive {
        let OptionState { edges, heights, .. } = &self.learnt;
        let mean = |height: &Height| height.mean;
        let term = |place: &Place| {
            let seen = |look: &usize| !edges[*look].is_empty();
            let looks: Vec<usize> = place.looks.into_iter().filter(seen).collect();
            let own = &heights[place.first..][..self.learnt.cells(place.looks)];
            Term {
                kind: place.kind,
                edges: looks.iter().map(|&look| edges[look].clone()).collect(),
                looks,
                heights: own.iter().map(mean).collect(),
                // The gradient is larger where more decisions are.
                used: own.iter().map(|height| height.square.sqrt()).collect(),
            }
        };
        let weights = heights.len() - self.task.shape.kinds.len() - 1;
        Additive {
            terms: self.learnt.tables.iter().map(term).collect(),
            weights: heights[weights..].iter().map(mean).collect(),
        }
    }

    /// Shares games from `first` on among threads, in chunks, and adds up what was played; returns
    /// whether all were.
    fn share(
        &mut self,
        first: u64,
        games: u64,
        player: &Player,
        add: fn(&mut Worker, &OptionLearner),
    ) -> bool {
        let (level, played) = (player.level, player.played);
        let mut workers = std::mem::take(&mut self.workers);
        workers.iter_mut().for_each(Worker::clear);
        workers.resize_with(player.threads.number(), Worker::default);
        let chunks = games.div_ceil(CHUNK);
        (player.threads).share(&mut workers, chunks, player.stop, &|worker, chunk| {
            let from = chunk * CHUNK;
            let count = CHUNK.min(games - from);
            worker.play(self, level, (first + from, count));
            add(worker, self);
            played.fetch_add(count, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        self.workers = workers;
        !player.stop.load(Ordering::Relaxed)
    }
}

impl Learns for OptionLearner<'_> {
    type State = OptionState;

    fn games(&self) -> u64 {
        self.learnt.games
    }

    fn batch(&mut self, most: u64, player: &Player) -> bool {
        let games = most.min(BATCH);
        if !self.share(self.learnt.games, games, player, Worker::learn) {
            return false;
        }
        let (learnt, workers) = (&mut self.learnt, &self.workers);
        learnt.games += games;
        let decisions: u64 = workers.iter().map(|worker| worker.count).sum();
        let each = 1.0 / (f64::from(PARTS) * decisions.max(1) as f64);
        let rate = self.task.slowed(RATE, learnt.games);
        let tables = learnt.heights.len() - self.task.shape.kinds.len() - 1;
        for (at, height) in learnt.heights.iter_mut().enumerate() {
            let part = if at < tables { 1.0 } else { BASE_PART };
            let own = workers.iter().filter_map(|worker| worker.slopes.get(at));
            height.step(own.sum::<i64>() as f64 * each, part * rate);
        }
        let rate = CRITIC_RATE / learnt.critic.len().max(1) as f64;
        for (at, expected) in learnt.expected.iter_mut().enumerate() {
            let own = workers.iter().filter_map(|worker| worker.surprises.get(at));
            let [sum, count] = own.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
            let mean = sum as f64 / f64::from(PARTS) / (count as f64 + CRITIC_DOUBT);
            *expected += (rate * mean) as f32;
        }
        true
    }

    fn state(&self) -> OptionState {
        self.learnt.clone()
    }

    fn recall(&mut self, state: OptionState) -> bool {
        self.learnt = state;
        true
    }
}

/// Pairs of numbers below `count`, the smaller one first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |b| (0..b).map(move |a| (a, b)))
}
