//! A decision of the kernel as rows: cached scores are looked up, the features of the other rows
//! are filled in for the bot's formula, and the best of all rows is found.
//!
//! `moves` lists the moves; nothing is moved here.

use super::bot::Bot;
use super::features::{Placing, View, ore};
use super::moves::{Load, STAYS, Step, Target};
use super::scores::{Key, Known, Scores};
use super::state::Pile;
use super::words::{Word, same, smaller};
use crate::dispatch;
use crate::formula::Value;
use crate::formula::program::{BLOCK, LANES, RegisterFile, Truths};
use crate::games::diamond_miner::features::{
    ADVANCES, ENDS, GAIN, LACKS, NOISE, PRODUCTION_GAIN, RISK, VOCABULARY, noise_counter,
};
use crate::games::diamond_miner::rules::SEATS_MAX;
use crate::streams;
use fearless_simd::{Level, Simd, prelude::*, u64x8};

/// A move that is still to be scored.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its number in the decision.
    number: u32,
    /// The move; `None` ends the turn.
    step: Option<Step>,
    /// The cache key of its score, unless that is cached already,
    key: Option<Key>,
    /// and whether it is the last move of its cards under its stack.
    last: bool,
}

/// The moves of a decision with the highest score so far.
pub struct Best {
    score: f32,
    /// Their rows, and what they do.
    pub moves: Vec<(u32, Option<Step>)>,
    /// All moves where the caller picks, by row,
    pub all: Vec<Option<Step>>,
    /// their scores,
    pub scores: Vec<f32>,
    /// and all that is seen of them.
    pub features: Vec<f32>,
}

impl Best {
    pub fn new(most: usize) -> Self {
        Best {
            score: f32::NEG_INFINITY,
            moves: Vec::with_capacity(most),
            all: Vec::new(),
            scores: Vec::new(),
            features: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.score = f32::NEG_INFINITY;
        self.moves.clear();
        self.all.clear();
        self.scores.clear();
        self.features.clear();
    }

    /// Considers a move. NaN counts as the lowest score.
    #[inline(always)]
    fn add(&mut self, row: u32, step: Option<Step>, score: f32) {
        let score = score.max(f32::NEG_INFINITY);
        if score < self.score {
            return;
        }
        if score > self.score {
            self.score = score;
            self.moves.clear();
        }
        self.moves.push((row, step));
    }
}

/// For each target the loads that are worse under it than ending the turn, a bit each.
pub type Words = [Word; 128];

/// A stack whose top card may move.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Its position in the mover's list of stacks.
    pub index: u8,
    /// Its number in the cache of the mover's bot.
    pub number: u16,
    pub load: Load,
    /// What it gives up: worth, subtracted from `gain`,
    pub worth: i32,
    /// from `production_gain`,
    pub production: i32,
    /// and of `risk`.
    pub risk: i32,
}

impl Source {
    /// The targets under which this is worse than ending the turn, a bit each, by the words of the
    /// targets. Beyond them bits mean nothing.
    #[inline(always)]
    pub fn worse<S: Simd>(&self, simd: S, words: &Words, targets: usize) -> u128 {
        if u32::from(self.number) >= Word::BITS {
            return 0;
        }
        let bit = u64x8::splat(simd, 1 << self.number);
        let mut bits = [0; 16];
        for eight in 0..targets.div_ceil(8) {
            let words = u64x8::load_array_ref(simd, &words.as_chunks::<8>().0[eight]);
            bits[eight] = (words & bit).simd_eq(bit).to_bitmask() as u8;
        }
        u128::from_le_bytes(bits)
    }
}

pub struct Batch<'a> {
    pub bot: &'a Bot,
    pub view: &'a View<'a>,
    /// The bot's cache of earlier moves.
    pub scores: &'a mut Scores,
    /// The registers of its formula,
    pub file: &'a mut RegisterFile,
    /// and room for its parts.
    pub room: &'a mut [Value],
    pub level: Level,
    pub worse: &'a mut Words,
    /// Rows that are still to be scored, at most [`LANES`].
    pub rows: &'a mut Vec<Row>,
    /// Number of all rows.
    pub len: u32,
    /// The cached score of ending the turn; worse moves can be skipped.
    pub end: f32,
    /// The best of those that are scored.
    pub best: &'a mut Best,
}

impl Batch<'_> {
    /// Starts with the move that ends the turn, and numbers the targets.
    #[inline(always)]
    pub fn begin(&mut self, targets: [&mut [Target]; 2]) {
        self.best.clear();
        self.rows.clear();
        let (view, parts) = (self.view, &self.bot.parts);
        let of_table = |feature| view.of_table(feature);
        if self.scores.share(&self.bot.shared, of_table) {
            self.scores.set(parts.values(self.room, of_table));
        }
        let setting = Word::from(self.scores.setting);
        let [own, others] = targets;
        // Starts all look-ups first, so that their cache misses overlap.
        for target in own.iter_mut().chain(others.iter_mut()) {
            let [own, others, bank] = target.needs;
            let reach = smaller(view.own_reach, own) << 4 | smaller(view.others_reach, others);
            let bank = smaller(view.state.bank, bank);
            // No class counts in the last lanes.
            let look = target.classes | Word::from(target.top.0) | Word::from(target.mine) << 7;
            let known_by = [look, reach | setting & 0xff, bank | setting >> 8];
            if !same(&target.known_by, &known_by) {
                target.known_by = known_by;
                target.number = self.scores.stacks.place(known_by) as u16;
            }
        }
        for (target, worse) in own.iter_mut().chain(others).zip(&mut *self.worse) {
            let place = usize::from(target.number);
            target.number = self.scores.stacks.number(place, target.known_by) as u16;
            *worse = self.scores.worse(target.number);
        }
        if let Some(score) = self.scores.end() {
            self.end = score;
            self.best.add(0, None, score);
            self.len = 1;
        } else {
            self.ask(None, None);
            for &feature in &self.bot.of_move {
                self.file.numbers[feature].0[0] = f32::from(feature == ENDS);
            }
        }
    }

    /// The stack of the mover at `index`, as a source.
    #[inline(always)]
    pub fn source(&mut self, index: usize, stack: &Pile) -> Source {
        let (bot, rules) = (self.bot, self.view.rules);
        let load = Load::of(stack, rules);
        let mut source = Source {
            index: index as u8,
            number: 0,
            load,
            worth: if bot.gain { stack.worth } else { 0 },
            production: if bot.production { stack.production } else { 0 },
            risk: 0,
        };
        if bot.gain && load.left != 0 {
            source.worth -= rules.worth_of(load.left);
        }
        if self.view.others_reach != 0 {
            source.risk = self.view.at_risk(stack.top, stack.classes);
        }
        // Returned cards only matter if the bank is short of them.
        let short = rules.gives_most - smaller(rules.gives_most, self.view.state.bank);
        source.number = self.scores.load([
            // The last lane holds no class.
            load.cards | load.class as Word,
            smaller(load.discarded, short),
            Word::from(source.worth as u32) << 32 | Word::from(source.production as u32),
            Word::from(source.risk as u32),
        ]);
        source
    }

    /// Adds the moves of a source under `target`.
    #[inline(always)]
    pub fn add(&mut self, source: &Source, target: &Target) {
        let step = Step {
            source: source.index,
            owner: target.owner,
            target: target.index,
            option: STAYS,
        };
        let mut key = Key {
            stack: target.number,
            load: source.number,
            nth: 0,
        };
        loop {
            match self.add_known(key, step) {
                Some(true) => return,
                Some(false) => key.nth += 1,
                None => {
                    self.add_new(source, target, step, key);
                    return;
                }
            }
        }
    }

    /// Adds a move if it is cached; returns whether it is the last of its cards here.
    #[inline(always)]
    fn add_known(&mut self, key: Key, step: Step) -> Option<bool> {
        let known = self.scores.find(key)?;
        let option = known.option;
        let step = Some(Step { option, ..step });
        if known.changes {
            let features = *self.scores.features(key)?;
            let place = self.ask(step, None);
            for &feature in &self.bot.of_move {
                self.file.numbers[feature].0[place] = features[feature];
            }
        } else {
            self.best.add(self.len, step, known.score);
            self.len += 1;
        }
        Some(known.last)
    }

    /// Adds the moves of a source under `target`, from `key` on.
    #[inline(never)]
    fn add_new(&mut self, source: &Source, target: &Target, step: Step, key: Key) {
        let (bot, view) = (self.bot, self.view);
        let mine = &view.state.mines[usize::from(target.owner)];
        let placing = Placing {
            rules: view.rules,
            load: source.load,
            target: &mine.piles()[usize::from(target.index)],
            mine: target.mine,
            bank: view.state.bank,
        };
        let (first, mut nth) = (key, 0);
        placing.effects(|effect| {
            let key = Key { nth, ..key };
            nth += 1;
            if key.nth < first.nth {
                return;
            }
            let option = effect.option;
            let place = self.ask(Some(Step { option, ..step }), Some(key));
            let mut values = effect.values;
            values[GAIN] -= ore(source.worth);
            values[PRODUCTION_GAIN] -= ore(source.production);
            if bot.lacks {
                values[LACKS] = view.lacks(&effect) as f32;
                values[ADVANCES] = f32::from(view.advances(&effect));
            }
            if bot.risk {
                values[RISK] = ore(view.risk(&effect)) - ore(source.risk);
            }
            for &feature in &bot.of_move {
                self.file.numbers[feature].0[place] = values[feature];
            }
        });
        if let Some(row) = self.rows.last_mut() {
            row.last = true;
        }
    }

    /// Adds a row that needs the formula, and returns where its features belong.
    #[inline(always)]
    fn ask(&mut self, step: Option<Step>, key: Option<Key>) -> usize {
        if self.rows.len() == LANES {
            self.evaluate();
        }
        self.rows.push(Row {
            number: self.len,
            step,
            key,
            last: false,
        });
        self.len += 1;
        self.rows.len() - 1
    }

    /// Ends the decision. A single row is not scored.
    #[inline(always)]
    pub fn end(&mut self) {
        if !self.rows.is_empty() && self.len > 1 {
            self.evaluate();
            self.best.moves.sort_unstable_by_key(|(row, _)| *row);
        }
    }

    #[inline(never)]
    fn evaluate(&mut self) {
        self.fill();
        let blocks = self.rows.len().div_ceil(BLOCK);
        let (program, file) = (&self.bot.program, &mut *self.file);
        dispatch!(self.level, simd => program.run(simd, file, blocks));
        let answers = &file.numbers[program.output(0)];
        let changing: Truths = std::array::from_fn(|word| file.truths[word][program.output(1)]);
        let shows = self.bot.shows;
        for (place, row) in self.rows.drain(..).enumerate() {
            let Row { number, step, .. } = row;
            let score = answers.0[place];
            self.best.add(number, step, score);
            if shows {
                // All rows are evaluated in order.
                self.best.all.push(step);
                self.best.scores.push(score);
                let columns = file.numbers[..VOCABULARY.features.len()].iter();
                let features = columns.map(|column| column.0[place]);
                self.best.features.extend(features);
            }
            let changes = shows || changing[place / 64] >> (place % 64) & 1 != 0;
            let Some(step) = step else {
                if !changes {
                    self.end = score;
                    self.scores.keep_end(score);
                }
                continue;
            };
            let (Some(key), last) = (row.key, row.last) else {
                continue;
            };
            // The `noise` of a move depends on the number of moves before it.
            let worse = !changes && score < self.end && last && key.nth == 0 && !self.bot.noise;
            if worse && self.scores.keep_worse(key) {
                continue;
            }
            let option = step.option;
            let known = Known {
                score,
                option,
                last,
                changes,
            };
            self.scores.keep(key, known);
            if changes {
                let features = self.scores.keep_features(key);
                for &feature in &self.bot.of_move {
                    features[feature] = file.numbers[feature].0[place];
                }
            }
        }
    }

    /// Fills in the features that do not depend on the moves alone.
    fn fill(&mut self) {
        let Batch { bot, view, .. } = *self;
        let len = self.rows.len();
        let numbers = &mut self.file.numbers;
        for &feature in &bot.of_table {
            numbers[feature].0[..len].fill(view.of_table(feature));
        }
        for &feature in &bot.of_owner {
            let of_seat: [f32; SEATS_MAX] =
                std::array::from_fn(|seat| view.of_owner(feature, seat));
            for (value, row) in numbers[feature].0.iter_mut().zip(&*self.rows) {
                *value = (row.step).map_or(0.0, |step| of_seat[usize::from(step.owner)]);
            }
        }
        if bot.noise {
            for (value, row) in numbers[NOISE].0.iter_mut().zip(&*self.rows) {
                let counter = noise_counter(view.decision, row.number as usize);
                *value = streams::uniform(view.key, counter);
            }
        }
    }
}
