//! Learns which option to take, where each is scored by a sum of small look-up tables.
//!
//! Learners choose softly: an option whose sum is higher by 1 is taken e times as often. Where a choice
//! led to more than was expected, the sum moves so that it is made more often (policy gradient:
//! Williams 1992). What was expected is told by a critic, a sum of tables of how the game stands, and
//! what a choice led to is judged by what is expected soon after it and by how the game ended
//! (generalized advantage estimation: Schulman et al. 2016). So that learners go on trying what seemed
//! worse at first, choices count for their entropy, too, less and less (Williams and Peng 1991). Steps
//! are those of Adam (Kingma and Ba 2015). Now and then tables of two numbers are added where what is
//! still to be gained differs most from cell to cell.
//!
//! All sums are integers and learners change between batches alone, so that what is learnt does not
//! depend on threads.

mod state;
mod worker;

use super::Objective;
use super::additive::{Additive, BINS, Shape, Term};
use super::bot::Base;
use crate::game::Table;
use crate::game::practice::Practice;
use crate::simulation::Player;
use fearless_simd::Level;
use state::{Height, Place};
use std::sync::atomic::Ordering;
use worker::{Worker, candidate};

pub use state::OptionState;

/// Games of a batch, after which learners change.
const BATCH: u64 = 512;
/// Games of a chunk, which one thread plays.
const CHUNK: u64 = 64;
/// It is seen in this part of the games so far which tables are missing, …
const LOOKING_PART: u64 = 4;
/// … and in no fewer than so many.
const LOOKING_MIN: u64 = 2048;
/// The first of these games, far from those that are learnt from.
const OF_LOOKING: u64 = 1 << 42;
/// How far a step goes at first.
const RATE: f64 = 0.06;
/// A base moves by this part of it.
const BASE_PART: f64 = 0.3;
/// The part of what surprised it by which the critic moves, …
const CRITIC_RATE: f64 = 1.0;
/// … less where it is seen in few decisions: as if it had been none in so many more.
const CRITIC_DOUBT: f64 = 50.0;
/// Sums count in these parts of 1.
const PARTS: f32 = (1 << 20) as f32;
/// Tables that are added at a time look at a number no more often, each kind of options by itself.
const ALIKE: usize = 2;
/// Squares of slopes that say as much as none: cells that are hardly seen do not count.
const DOUBT: f64 = 2.0;

/// What is learnt, of whom.
pub struct Task<'a> {
    /// The table. Learners have its first seats; the bots there are those that are added to.
    pub table: &'a dyn Table,
    pub learners: usize,
    pub objective: Objective,
    /// What a point more than the others counts for, in won games.
    pub point: f32,
    /// What the entropy of a choice counts for at first, in won games.
    pub entropy: f64,
    /// How often they take at first what the bot that they add to takes.
    pub like_first: f64,
    /// What is known at first, if it is more than the bot that is added to.
    pub from: Option<&'a Additive>,
    /// Games that it was learnt from, about.
    pub earlier: u64,
    /// After so many games steps are shorter by a factor of the root of 2, and entropy counts less.
    pub slower: f64,
    pub shape: &'a Shape,
    /// The bot that is added to.
    pub base: &'a Base,
    pub seed: u64,
}

/// What a thread does with games: the number of the first, counted from the batch, and how many.
type Work<'w> = &'w (dyn Fn(&OptionLearner, &mut Worker, (u64, u64)) + Sync);

pub struct OptionLearner<'a> {
    task: Task<'a>,
    practice: &'a dyn Practice,
    learnt: OptionState,
    workers: Vec<Worker>,
}

impl<'a> OptionLearner<'a> {
    /// Learners who play like the bots that are there.
    pub fn new(task: Task<'a>, level: Level) -> OptionLearner<'a> {
        let Some(practice) = task.table.practice() else {
            unreachable!("a game whose bots score options can be practised");
        };
        let learnt = OptionState::laid_out(&task, practice, level);
        OptionLearner {
            task,
            practice,
            learnt,
            workers: Vec::new(),
        }
    }

    pub fn games(&self) -> u64 {
        self.learnt.games
    }

    /// What was learnt, for [`OptionLearner::recall`].
    pub fn state(&self) -> &OptionState {
        &self.learnt
    }

    /// Goes on from what other learners at such a table had learnt, as they would have.
    pub fn recall(&mut self, state: OptionState) {
        self.learnt = state;
    }

    /// Plays a batch of no more than `most` games, and learns from it; tells whether it was played to
    /// its end.
    pub fn batch(&mut self, most: u64, player: &Player) -> bool {
        let (level, played) = (player.level, player.played);
        let games = most.min(BATCH);
        let first = self.learnt.games;
        let work = |own: &OptionLearner, worker: &mut Worker, (from, count): (u64, u64)| {
            worker.play(own, level, (first + from, count));
            worker.learn(own);
            played.fetch_add(count, Ordering::Relaxed);
        };
        if !self.share(games, player, &work) {
            return false;
        }
        let learnt = &mut self.learnt;
        learnt.games += games;
        let decisions: u64 = self.workers.iter().map(|worker| worker.count).sum();
        let each = 1.0 / (f64::from(PARTS) * decisions.max(1) as f64);
        let rate = self.task.slowed(RATE, learnt.games);
        let tables = learnt.heights.len() - self.task.shape.kinds.len() - 1;
        for (at, height) in learnt.heights.iter_mut().enumerate() {
            let part = if at < tables { 1.0 } else { BASE_PART };
            let own = self
                .workers
                .iter()
                .filter_map(|worker| worker.slopes.get(at));
            height.step(own.sum::<i64>() as f64 * each, part * rate);
        }
        let rate = CRITIC_RATE / learnt.critic.len().max(1) as f64;
        for (at, expected) in learnt.expected.iter_mut().enumerate() {
            let own = self
                .workers
                .iter()
                .filter_map(|worker| worker.surprises.get(at));
            let [sum, count] = own.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
            let mean = sum as f64 / f64::from(PARTS) / (count as f64 + CRITIC_DOUBT);
            *expected += (rate * mean) as f32;
        }
        true
    }

    /// Games in which it is seen which tables are missing.
    pub fn looking(&self) -> u64 {
        (self.learnt.games / LOOKING_PART).max(LOOKING_MIN)
    }

    /// Adds so many tables where most is still to be gained; tells whether that was found out.
    pub fn grow(&mut self, tables: usize, player: &Player) -> bool {
        let (level, played) = (player.level, player.played);
        let first = OF_LOOKING + self.learnt.games;
        let work = |own: &OptionLearner, worker: &mut Worker, (from, count): (u64, u64)| {
            worker.play(own, level, (first + from, count));
            worker.look(own);
            played.fetch_add(count, Ordering::Relaxed);
        };
        if !self.share(self.looking(), player, &work) {
            return false;
        }
        let looks = self.learnt.looks(self.task.shape);
        let mut found = Vec::new();
        for kind in 0..=self.task.shape.kinds.len() {
            for (a, b) in pairs(looks.len()) {
                let first = candidate(kind, (a, b), looks.len());
                let (mut gain, mut seen) = (0.0, 0);
                for cell in first..first + BINS * BINS {
                    let own = self
                        .workers
                        .iter()
                        .map(|worker| worker.candidates.get(cell));
                    let [slope, square] =
                        own.flatten().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
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

    /// Goes on with no more than so many tables, those that tell options apart most.
    pub fn prune(&mut self, most: usize) {
        let merged = self.model().merged(most);
        self.learnt.begin_with(merged);
    }

    /// What was learnt, as a sum.
    pub fn model(&self) -> Additive {
        let OptionState { edges, heights, .. } = &self.learnt;
        let mean = |height: &Height| height.mean;
        let term = |place: &Place| {
            let seen = |look: &usize| !edges[*look].is_empty();
            let looks: Vec<usize> = place.looks.into_iter().filter(seen).collect();
            let own = place.first..place.first + self.learnt.cells(place.looks);
            Term {
                kind: place.kind,
                edges: looks.iter().map(|&look| edges[look].clone()).collect(),
                looks,
                heights: heights[own.clone()].iter().map(mean).collect(),
                // Slopes are larger where more is learnt.
                used: heights[own]
                    .iter()
                    .map(|height| height.square.sqrt())
                    .collect(),
            }
        };
        let weights = heights.len() - self.task.shape.kinds.len() - 1;
        Additive {
            terms: self.learnt.tables.iter().map(term).collect(),
            weights: heights[weights..].iter().map(mean).collect(),
        }
    }

    /// Shares games among threads, in chunks; tells whether all were played.
    fn share(&mut self, games: u64, player: &Player, work: Work) -> bool {
        let mut workers = std::mem::take(&mut self.workers);
        workers.iter_mut().for_each(Worker::clear);
        let chunk = |worker: &mut Worker, chunk: u64| {
            let first = chunk * CHUNK;
            work(self, worker, (first, CHUNK.min(games - first)));
        };
        let chunks = games.div_ceil(CHUNK);
        (player.threads).share(&mut workers, Worker::default, chunks, player.stop, &chunk);
        self.workers = workers;
        !player.stop.load(Ordering::Relaxed)
    }
}

/// Pairs of numbers below `count`, the smaller one first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |b| (0..b).map(move |a| (a, b)))
}
