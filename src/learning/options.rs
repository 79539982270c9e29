//! Learns which option to take, where each is scored by a sum of small look-up tables.
//!
//! Learners choose softly: an option whose sum is higher by 1 is taken e times as often. Where a choice
//! led to more than was expected, the sum moves so that it is made more often (policy gradient:
//! Williams 1992). What was expected is told by a critic, a sum of tables of how the game stands, and
//! what a choice led to is judged by what is expected soon after it and by how the game ended
//! (generalized advantage estimation: Schulman et al. 2016). Steps are those of Adam (Kingma and Ba
//! 2015). Now and then tables of two numbers are added where what is still to be gained differs most
//! from cell to cell.
//!
//! All sums are integers and learners change between batches alone, so that what is learnt does not
//! depend on threads.

use super::Objective;
use super::additive::{Additive, BINS, Shape, Term, edges};
use super::bot::Base;
use crate::game::practice::{Offer, Practice};
use crate::game::{Record, SCORE, Table, WIN, WIN_UNITS};
use crate::simulation::Threads;
use crate::streams;
use fearless_simd::Level;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Games of a batch, after which learners change.
const BATCH: u64 = 512;
/// Games of a chunk, which one thread plays.
const CHUNK: u64 = 32;
/// Games by which steps and the critic's tables are laid out.
const LAYING_OUT: u64 = 64;
/// Games in which it is seen which tables are missing.
const LOOKING: u64 = 2048;
/// The first of the games by which that is seen, far from those that are learnt from.
const OF_LAYING_OUT: u64 = 1 << 41;
const OF_LOOKING: u64 = 1 << 42;
/// How far a step goes at first.
const RATE: f64 = 0.06;
/// A base moves by this part of it.
const BASE_PART: f64 = 0.3;
/// The part of what surprised it by which the critic moves, …
const CRITIC_RATE: f64 = 1.0;
/// … less where it is seen in few decisions: as if it had been none in so many more.
const CRITIC_DOUBT: f64 = 50.0;
/// How Adam forgets slopes and their squares.
const FORGETS: [f64; 2] = [0.1, 0.01];
/// How far what follows soon is trusted to the critic.
const LAMBDA: f32 = 0.95;
/// What is learnt is the mean of this part of all steps, the last ones.
const MEAN_PART: f64 = 0.2;
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
    /// How many learners there are.
    pub learners: usize,
    /// What they want.
    pub objective: Objective,
    /// What a point more than the others counts for, in won games.
    pub point: f32,
    /// How often they take at first what the bot that they add to takes.
    pub like_the_base: f64,
    /// After so many games steps are shorter by a factor of the root of 2.
    pub slower: f64,
    /// What the sums may look like.
    pub shape: &'a Shape,
    /// The bot that is added to.
    pub base: &'a Base,
    /// Seed of the games.
    pub seed: u64,
}

/// What a thread does with games: the number of the first, counted from the batch, and how many.
type Work<'w> = &'w (dyn Fn(&OptionLearner, &mut Worker, (u64, u64)) + Sync);

/// Learners at a table.
pub struct OptionLearner<'a> {
    task: Task<'a>,
    practice: &'a dyn Practice,
    learnt: OptionState,
    workers: Vec<Worker>,
}

/// What learners have learnt, to go on with later.
#[derive(Clone, Serialize, Deserialize)]
pub struct OptionState {
    games: u64,
    /// Where the steps of each number begin. There is one more number than are known, without any.
    edges: Vec<Vec<f32>>,
    /// Mean and standard deviation of the score.
    scores: [f32; 2],
    tables: Vec<Place>,
    /// The heights of the tables, and then a weight of the base for each kind of options.
    heights: Vec<Height>,
    critic: Vec<Place>,
    expected: Vec<f32>,
}

/// A table of two numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Place {
    /// The kind of options.
    kind: usize,
    /// The numbers.
    looks: [usize; 2],
    /// Its first height.
    first: usize,
    /// The cells of the second number.
    width: usize,
}

impl Place {
    #[inline(always)]
    fn cell(&self, cells: &[u8]) -> usize {
        let [a, b] = self.looks.map(|look| usize::from(cells[look]));
        self.first + a * self.width + b
    }
}

/// A number that is learnt.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Height {
    value: f64,
    /// The mean of the last values.
    mean: f64,
    slope: f64,
    square: f64,
    steps: u32,
}

impl Height {
    fn at(value: f64) -> Height {
        Height {
            value,
            mean: value,
            ..Height::default()
        }
    }

    fn step(&mut self, slope: f64, rate: f64) {
        self.steps += 1;
        self.slope += FORGETS[0] * (slope - self.slope);
        self.square += FORGETS[1] * (slope * slope - self.square);
        let seen = FORGETS.map(|forgets| 1.0 - (1.0 - forgets).powi(self.steps as i32));
        let root = (self.square / seen[1]).sqrt();
        self.value += rate * (self.slope / seen[0]) / (root + 1e-6);
        let part = 1.0 / (MEAN_PART * f64::from(self.steps)).max(1.0);
        self.mean += part * (self.value - self.mean);
    }
}

/// A decision of a learner.
struct Decision {
    game: usize,
    seat: usize,
    /// Its first option, and how many there are.
    first: usize,
    options: usize,
    chosen: usize,
    expected: f32,
}

/// What a thread needs, and what it sums up.
#[derive(Default)]
struct Worker {
    record: Option<Record>,
    decisions: Vec<Decision>,
    /// By option: its kind, its base, how likely it is taken, and the cells of all numbers.
    kinds: Vec<u8>,
    bases: Vec<f32>,
    chances: Vec<f32>,
    cells: Vec<u8>,
    numbers: Vec<f32>,
    /// By game of the chunk, how many decisions there were.
    asked: Vec<u64>,
    slopes: Vec<i64>,
    /// By cell of the critic, the sum of what surprised it, and in how many decisions it was seen.
    surprises: Vec<[i64; 2]>,
    /// By table that might be added and by cell, the slope and the sum of its squares.
    candidates: Vec<[i64; 2]>,
    count: u64,
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

    /// Games played.
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
    pub fn batch(
        &mut self,
        most: u64,
        (threads, level): (&Threads, Level),
        played: &AtomicU64,
        stop: &AtomicBool,
    ) -> bool {
        let games = most.min(BATCH);
        let first = self.learnt.games;
        let work = |own: &OptionLearner, worker: &mut Worker, (from, count): (u64, u64)| {
            worker.play(own, level, (first + from, count));
            worker.learn(own);
            played.fetch_add(count, Ordering::Relaxed);
        };
        if !self.share(games, threads, stop, &work) {
            return false;
        }
        let learnt = &mut self.learnt;
        learnt.games += games;
        let decisions: u64 = self.workers.iter().map(|worker| worker.count).sum();
        let each = 1.0 / (f64::from(PARTS) * decisions.max(1) as f64);
        let rate = RATE / (1.0 + learnt.games as f64 / self.task.slower).sqrt();
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

    /// Adds so many tables where most is still to be gained; tells whether that was found out.
    pub fn grow(
        &mut self,
        tables: usize,
        (threads, level): (&Threads, Level),
        stop: &AtomicBool,
    ) -> bool {
        let first = OF_LOOKING + self.learnt.games;
        let work = |own: &OptionLearner, worker: &mut Worker, (from, count): (u64, u64)| {
            worker.play(own, level, (first + from, count));
            worker.look(own);
        };
        if !self.share(LOOKING, threads, stop, &work) {
            return false;
        }
        let looks = self.learnt.looks(self.task.shape);
        let mut found = Vec::new();
        for kind in 0..=self.task.shape.kinds.len() {
            for (a, b) in pairs(looks.len()) {
                let first = candidate(kind, (a, b), looks.len());
                let mut gain = 0.0;
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
                    }
                }
                found.push((gain, kind, [looks[a], looks[b]]));
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
        let Additive { terms, weights } = self.model().merged(most);
        let learnt = &mut self.learnt;
        let nothing = learnt.edges.len() - 1;
        learnt.tables.clear();
        learnt.heights = weights.into_iter().map(Height::at).collect();
        for term in terms {
            let look = |at: usize| term.looks.get(at).copied().unwrap_or(nothing);
            learnt.add(term.kind, [look(0), look(1)]);
            let first = learnt.heights.len() - self.task.shape.kinds.len() - 1 - term.heights.len();
            for (own, height) in learnt.heights[first..].iter_mut().zip(term.heights) {
                *own = Height::at(height);
            }
        }
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
    fn share(&mut self, games: u64, threads: &Threads, stop: &AtomicBool, work: Work) -> bool {
        let mut workers = std::mem::take(&mut self.workers);
        workers.iter_mut().for_each(Worker::clear);
        let chunk = |worker: &mut Worker, chunk: u64| {
            let first = chunk * CHUNK;
            work(self, worker, (first, CHUNK.min(games - first)));
        };
        let chunks = games.div_ceil(CHUNK);
        threads.share(&mut workers, Worker::default, chunks, stop, &chunk);
        self.workers = workers;
        !stop.load(Ordering::Relaxed)
    }
}

/// Pairs of numbers below `count`, the smaller one first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |b| (0..b).map(move |a| (a, b)))
}

/// The first cell of a table that might be added.
fn candidate(kind: usize, (a, b): (usize, usize), looks: usize) -> usize {
    ((kind * looks + a) * looks + b) * BINS * BINS
}

/// How much a base counts for so that what is best by it is taken so often.
fn sharpness(decisions: &[Vec<f32>], often: f64) -> f64 {
    let taken = |sharpness: f64| {
        let of_one = |bases: &Vec<f32>| {
            let most = bases.iter().copied().fold(f32::MIN, f32::max);
            let below = bases.iter().map(|base| f64::from(most - base));
            let (best, all) = below.fold((0.0, 0.0), |(best, all), below| {
                let chance = (-sharpness * below).exp();
                (
                    if below == 0.0 { best + chance } else { best },
                    all + chance,
                )
            });
            best / all
        };
        decisions.iter().map(of_one).sum::<f64>() / decisions.len().max(1) as f64
    };
    let (mut low, mut high) = (0.01, 1000.0);
    for _ in 0..30 {
        let middle = f64::sqrt(low * high);
        match taken(middle) < often {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

impl OptionState {
    /// Nothing learnt, with steps where the numbers of games by the bots that are there differ.
    fn laid_out(task: &Task, practice: &dyn Practice, level: Level) -> OptionState {
        let Task { shape, table, .. } = task;
        let width = shape.base + 1;
        let mut numbers: Vec<Vec<f32>> = vec![Vec::new(); width];
        let mut varies = vec![false; width];
        let (mut own, mut bases) = (Vec::new(), Vec::new());
        let mut pick = |offer: &Offer| {
            let seen = offer.scores.iter().map(|score| task.base.seen(*score));
            bases.push(seen.collect::<Vec<f32>>());
            for option in 0..offer.scores.len() {
                task.numbers(offer, option, &mut own);
                let first = &offer.features[..shape.base];
                for (varies, (value, first)) in varies.iter_mut().zip(own.iter().zip(first)) {
                    *varies |= value != first;
                }
                for &look in &shape.looks {
                    numbers[look].push(own[look]);
                }
            }
            None
        };
        let mut record = Record::new(table.layout(), LAYING_OUT as usize);
        record.clear(LAYING_OUT as usize);
        practice.practise(level, (task.seed, OF_LAYING_OUT), &mut pick, &mut record);
        let mut all_edges: Vec<Vec<f32>> = numbers.into_iter().map(edges).collect();
        all_edges.push(Vec::new());
        let scores: Vec<f32> = (0..task.learners)
            .flat_map(|seat| record.column(table.layout().seat_column(seat, SCORE)))
            .map(|score| *score as f32)
            .collect();
        let count = scores.len() as f32;
        let mean = scores.iter().sum::<f32>() / count;
        let spread = scores
            .iter()
            .map(|score| (score - mean).powi(2))
            .sum::<f32>()
            / count;
        let mut learnt = OptionState {
            games: 0,
            edges: all_edges,
            scores: [mean, spread.sqrt().max(1.0)],
            tables: Vec::new(),
            heights: vec![Height::at(sharpness(&bases, task.like_the_base)); shape.kinds.len() + 1],
            critic: Vec::new(),
            expected: Vec::new(),
        };
        let nothing = width;
        let looks = learnt.looks(shape);
        let stands = looks.iter().copied();
        let stands = stands.filter(|&look| look != shape.base && !varies[look]);
        let stands: Vec<usize> = stands.collect();
        for (a, b) in pairs(stands.len()) {
            let looks = [stands[a], stands[b]];
            let first = learnt.expected.len();
            let width = learnt.edges[looks[1]].len() + 1;
            learnt.expected.resize(first + learnt.cells(looks), 0.0);
            learnt.critic.push(Place {
                kind: 0,
                looks,
                first,
                width,
            });
        }
        if shape.each {
            for kind in 0..=shape.kinds.len() {
                looks
                    .iter()
                    .for_each(|&look| learnt.add(kind, [look, nothing]));
            }
        }
        learnt
    }

    /// The numbers that tables look at: those that differ, but for what tells kinds apart.
    fn looks(&self, shape: &Shape) -> Vec<usize> {
        let looks = shape.looks.iter().copied();
        let seen = |look: &usize| !self.edges[*look].is_empty() && !shape.kinds.contains(look);
        looks.filter(seen).collect()
    }

    /// The cells of a table.
    fn cells(&self, looks: [usize; 2]) -> usize {
        looks
            .map(|look| self.edges[look].len() + 1)
            .iter()
            .product()
    }

    /// Adds a table for a kind of options, which is flat as yet.
    fn add(&mut self, kind: usize, looks: [usize; 2]) {
        let before = self.tables.last();
        let first = before.map_or(0, |place| place.first + self.cells(place.looks));
        let flat = vec![Height::default(); self.cells(looks)];
        self.heights.splice(first..first, flat);
        let width = self.edges[looks[1]].len() + 1;
        self.tables.push(Place {
            kind,
            looks,
            first,
            width,
        });
    }
}

impl Task<'_> {
    /// The numbers that are known of an option.
    fn numbers(&self, offer: &Offer, option: usize, numbers: &mut Vec<f32>) {
        let width = self.shape.base;
        numbers.clear();
        numbers.extend(&offer.features[option * width..][..width]);
        numbers.push(self.base.seen(offer.scores[option]));
    }

    /// What a game was worth to each learner, game by game.
    fn worths(&self, record: &Record, scores: [f32; 2]) -> Vec<f32> {
        let layout = self.table.layout();
        let games = record.games();
        let column = |seat, outcome| record.column(layout.seat_column(seat, outcome));
        let mut worths = Vec::with_capacity(games * self.learners);
        for game in 0..games {
            let points = |seat| column(seat, SCORE)[game] as f32;
            let all: f32 = (0..layout.seats).map(points).sum();
            let mean = all / layout.seats as f32;
            worths.extend((0..self.learners).map(|seat| match self.objective {
                Objective::WinShare => {
                    let won = column(seat, WIN)[game] as f32 / WIN_UNITS as f32;
                    won - 1.0 / layout.seats as f32 + self.point * (points(seat) - mean)
                }
                Objective::ScoreMean => (points(seat) - scores[0]) / scores[1],
            }));
        }
        worths
    }
}

impl Worker {
    fn clear(&mut self) {
        self.slopes.fill(0);
        self.surprises.fill([0; 2]);
        self.candidates.fill([0; 2]);
        self.count = 0;
    }

    /// Plays games, of so many the first.
    fn play(&mut self, own: &OptionLearner, level: Level, (first, games): (u64, u64)) {
        let layout = own.task.table.layout();
        let record = self.record.take();
        let mut record = record.unwrap_or_else(|| Record::new(layout, CHUNK as usize));
        record.clear(games as usize);
        self.decisions.clear();
        self.kinds.clear();
        self.bases.clear();
        self.chances.clear();
        self.cells.clear();
        self.asked.clear();
        self.asked.resize(games as usize, 0);
        let heights = own.learnt.heights.iter();
        let heights: Vec<f32> = heights.map(|height| height.value as f32).collect();
        let kinds = own.task.shape.kinds.len() + 1;
        let of_kind = |kind| {
            let tables = own.learnt.tables.iter();
            tables.filter(|place| place.kind == kind).cloned().collect()
        };
        let tables: Vec<Vec<Place>> = (0..kinds).map(of_kind).collect();
        let mut pick = |offer: &Offer| self.pick(own, (&tables, &heights), first, offer);
        let luck = (own.task.seed, first);
        own.practice.practise(level, luck, &mut pick, &mut record);
        self.record = Some(record);
    }

    /// Takes a decision, unless it is not a learner's.
    fn pick(
        &mut self,
        own: &OptionLearner,
        (tables, heights): (&[Vec<Place>], &[f32]),
        first_game: u64,
        offer: &Offer,
    ) -> Option<usize> {
        let Task { shape, .. } = &own.task;
        let learnt = &own.learnt;
        let options = offer.scores.len();
        if offer.seat >= own.task.learners {
            return None;
        }
        let first = self.kinds.len();
        let weights = &heights[heights.len() - tables.len()..];
        let mut most = f32::NEG_INFINITY;
        for option in 0..options {
            own.task.numbers(offer, option, &mut self.numbers);
            let from = self.cells.len();
            let steps = self.numbers.iter().zip(&learnt.edges);
            self.cells.extend(steps.map(|(number, edges)| {
                let above = edges.iter().map(|edge| u8::from(edge <= number));
                above.sum::<u8>()
            }));
            self.cells.push(0);
            let cells = &self.cells[from..];
            let kind = shape.kind(&self.numbers);
            let base = self.numbers[shape.base];
            let own = tables[kind].iter().map(|place| heights[place.cell(cells)]);
            let sum = own.sum::<f32>() + weights[kind] * base;
            self.kinds.push(kind as u8);
            self.bases.push(base);
            self.chances.push(sum);
            most = most.max(sum);
        }
        let chances = &mut self.chances[first..];
        let mut all = 0.0;
        for chance in chances.iter_mut() {
            *chance = (*chance - most).exp();
            all += *chance;
        }
        let key = streams::game_key(own.task.seed, first_game + offer.game as u64);
        let asked = &mut self.asked[offer.game];
        // Far from what the game itself draws.
        let drawn = streams::output(key, 2 * streams::UNIFORM_BASE + *asked) >> 40;
        *asked += 1;
        let drawn = drawn as f32 / (1u32 << 24) as f32;
        let (mut before, mut chosen) = (0.0, options - 1);
        for (option, chance) in chances.iter_mut().enumerate().rev() {
            *chance /= all;
            before += *chance;
            if drawn < before {
                chosen = chosen.min(option);
                before = f32::NEG_INFINITY;
            }
        }
        let cells = &self.cells[first * learnt.edges.len()..];
        let expected = learnt.critic.iter();
        let expected = expected.map(|place| learnt.expected[place.cell(cells)]);
        self.decisions.push(Decision {
            game: offer.game,
            seat: offer.seat,
            first,
            options,
            chosen,
            expected: expected.sum(),
        });
        Some(chosen)
    }

    /// Goes through the decisions from the last one, each with how much better it went on than was
    /// expected.
    fn back(&self, own: &OptionLearner, mut each: impl FnMut(&Decision, f32)) {
        let Some(record) = &self.record else { return };
        let mut next = own.task.worths(record, own.learnt.scores);
        let mut surprises = vec![0.0; next.len()];
        for decision in self.decisions.iter().rev() {
            let who = decision.game * own.task.learners + decision.seat;
            let surprise = next[who] - decision.expected;
            surprises[who] = surprise + LAMBDA * surprises[who];
            next[who] = decision.expected;
            each(decision, surprises[who]);
        }
    }

    /// The slope of what is won by the sum of each option of a decision that went on so much better.
    fn slopes(&self, decision: &Decision, better: f32) -> impl Iterator<Item = (usize, f32)> {
        let options = decision.first..decision.first + decision.options;
        let chosen = decision.first + decision.chosen;
        let slope = move |option: usize| {
            let taken = f32::from(u8::from(option == chosen));
            (option, better * (taken - self.chances[option]))
        };
        options.map(slope)
    }

    /// Sums up what the decisions teach.
    fn learn(&mut self, own: &OptionLearner) {
        let learnt = &own.learnt;
        let mut slopes = std::mem::take(&mut self.slopes);
        let mut surprises = std::mem::take(&mut self.surprises);
        slopes.resize(learnt.heights.len(), 0);
        surprises.resize(learnt.expected.len(), [0; 2]);
        let kinds = own.task.shape.kinds.len() + 1;
        let weights = slopes.len() - kinds;
        let mut tables = vec![Vec::new(); kinds];
        for place in &learnt.tables {
            tables[place.kind].push(place);
        }
        let width = learnt.edges.len();
        self.back(own, |decision, better| {
            let cells = &self.cells[decision.first * width..];
            for place in &learnt.critic {
                let own = &mut surprises[place.cell(cells)];
                own[0] += (better * PARTS) as i64;
                own[1] += 1;
            }
            for (option, slope) in self.slopes(decision, better) {
                let sum = (slope * PARTS) as i64;
                if sum == 0 {
                    continue;
                }
                let kind = usize::from(self.kinds[option]);
                let cells = &self.cells[option * width..][..width];
                for place in &tables[kind] {
                    slopes[place.cell(cells)] += sum;
                }
                slopes[weights + kind] += (slope * self.bases[option] * PARTS) as i64;
            }
        });
        self.count += self.decisions.len() as u64;
        (self.slopes, self.surprises) = (slopes, surprises);
    }

    /// Sums up where tables that are not there would lead.
    fn look(&mut self, own: &OptionLearner) {
        let looks = own.learnt.looks(own.task.shape);
        let kinds = &own.task.shape.kinds;
        let mut candidates = std::mem::take(&mut self.candidates);
        let all = candidate(kinds.len() + 1, (0, 0), looks.len());
        candidates.resize(all, [0; 2]);
        let width = own.learnt.edges.len();
        self.back(own, |decision, better| {
            for (option, slope) in self.slopes(decision, better) {
                let sums = [slope, slope * slope].map(|sum| (sum * PARTS) as i64);
                if sums[0] == 0 {
                    continue;
                }
                let kind = usize::from(self.kinds[option]);
                let cells = &self.cells[option * width..][..width];
                for (a, b) in pairs(looks.len()) {
                    let [row, column] = [a, b].map(|at| usize::from(cells[looks[at]]));
                    let first = candidate(kind, (a, b), looks.len());
                    let own = &mut candidates[first + row * BINS + column];
                    own[0] += sums[0];
                    own[1] += sums[1];
                }
            }
        });
        self.candidates = candidates;
    }
}
