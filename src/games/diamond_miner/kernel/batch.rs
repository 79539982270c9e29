//! A decision of the kernel as rows of a batch: scores that are known are looked up, for the other
//! rows what the bot's formula looks at is filled in, and the best of all rows is found.
//!
//! Which moves there are is for `moves`; nothing is moved here.

use super::bot::{Bot, OF_SOURCE};
use super::features::{Placing, View, ore};
use super::memo::{END, Memo};
use super::moves::{Load, Step, Target};
use super::scores::{self, Key, SHARED, Scores};
use super::words::covers;
use crate::formula::program::{BLOCK, Column, LANES, RegisterFile, Truths};
use crate::games::diamond_miner::features::{LACKS, NOISE, RISK};
use crate::games::diamond_miner::rules::SEATS_MAX;
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, mask32x16};

/// The rows that are not scored yet.
pub struct Rows {
    len: usize,
    /// The moves; none ends the turn.
    steps: [Option<Step>; LANES],
    /// The scores that are known.
    scores: Column,
    /// Rows for which the formula is evaluated.
    asked: usize,
    /// The numbers of these rows,
    rows: [u8; LANES],
    /// where the memo has their effects,
    effects: [u16; LANES],
    /// what their sources give up,
    gives_up: [[f32; LANES]; OF_SOURCE.len()],
    /// and under what their scores will be kept.
    keys: [Key; LANES],
}

impl Rows {
    /// No rows.
    pub fn new() -> Self {
        Rows {
            len: 0,
            steps: [None; LANES],
            scores: Column::splat(0.0),
            asked: 0,
            rows: [0; LANES],
            effects: [0; LANES],
            gives_up: [[0.0; LANES]; OF_SOURCE.len()],
            keys: [0; LANES],
        }
    }
}

/// A stack whose top card may move.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Its position in the mover's list of stacks.
    pub index: u8,
    /// Its look in the memo.
    pub look: u16,
    /// What moves.
    pub load: Load,
    /// What it gives up of the features of [`OF_SOURCE`].
    pub gives_up: [f32; OF_SOURCE.len()],
}

/// The rows of a decision, [`LANES`] at a time, and the best of those that are done.
pub struct Batch<'a> {
    /// Who decides.
    pub bot: &'a Bot,
    /// What it sees of the table.
    pub view: &'a View<'a>,
    /// What cards do under stacks.
    pub memo: &'a mut Memo,
    /// Its scores of earlier moves.
    pub scores: &'a mut Scores,
    /// The registers of its formula.
    pub file: &'a mut RegisterFile,
    /// Vector instructions to use.
    pub level: Level,
    /// Rows that are not scored yet.
    pub rows: &'a mut Rows,
    /// Rows that are.
    pub done: usize,
    /// Values of the features that all rows share, in the order of the bot's list.
    pub shared: [f32; SHARED],
    /// Their number among the settings.
    pub setting: u64,
    /// The highest score so far.
    pub best: f32,
    /// The moves that have it.
    pub equal: &'a mut Vec<Option<Step>>,
}

impl Batch<'_> {
    /// Starts with the move that ends the turn.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.equal.clear();
        self.rows.len = 0;
        self.rows.asked = 0;
        for (value, &feature) in self.shared.iter_mut().zip(&self.bot.of_table) {
            *value = self.view.of_table(feature);
        }
        if self.bot.keeps {
            self.setting =
                self.scores
                    .setting(&self.shared, self.bot.of_table.len(), self.view.reach);
        }
        self.push(None, END, 0, [0.0; OF_SOURCE.len()]);
    }

    /// Adds the moves of a card under `target`.
    #[inline(always)]
    pub fn add(&mut self, source: &Source, target: &Target) {
        // Without a look of its own, a source cannot be told from others by their scores.
        if source.look == 0 || !source.load.is_card() {
            self.add_own(source, target);
            return;
        }
        let class = source.load.class;
        let mut span = self.memo.span(target.look, class, target.mine);
        if span[1] == 0 {
            let (rules, pile) = (self.view.rules, self.view.pile(target));
            let (look, mine) = (target.look, target.mine);
            span = self.memo.find_out(rules, look, class, mine, pile);
        }
        let [start, end] = span;
        let bank = self.view.state.bank;
        let given = |effect| covers(bank, self.memo.kept(effect).gives);
        if start == end || !(start..end).all(given) {
            self.add_own(source, target);
            return;
        }
        for effect in start..end {
            let step = Step {
                source: source.index,
                owner: target.owner,
                target: target.index,
                option: self.memo.kept(effect).option,
            };
            self.push(Some(step), effect, source.look, source.gives_up);
        }
    }

    /// Adds moves that are not found in the memo.
    #[inline(never)]
    fn add_own(&mut self, source: &Source, target: &Target) {
        let placing = Placing {
            rules: self.view.rules,
            load: source.load,
            target: self.view.pile(target),
            mine: target.mine,
            bank: self.view.state.bank,
        };
        placing.effects(|effect| {
            if self.rows.len == LANES {
                self.flush();
            }
            let row = self.rows.len;
            self.rows.steps[row] = Some(Step {
                source: source.index,
                owner: target.owner,
                target: target.index,
                option: effect.option,
            });
            let own = self.memo.write_own(row, &effect);
            self.ask(own, source.gives_up, 0);
            self.rows.len += 1;
        });
    }

    /// Adds a row whose effect is in the memo.
    #[inline(always)]
    fn push(
        &mut self,
        step: Option<Step>,
        effect: u16,
        look: u16,
        gives_up: [f32; OF_SOURCE.len()],
    ) {
        if self.rows.len == LANES {
            self.flush();
        }
        let row = self.rows.len;
        self.rows.steps[row] = step;
        if self.bot.keeps {
            let key = scores::key(self.setting, effect, look);
            match self.scores.find(key) {
                Some(score) => self.rows.scores.0[row] = score,
                None => self.ask(effect, gives_up, key),
            }
        } else {
            self.ask(effect, gives_up, 0);
        }
        self.rows.len += 1;
    }

    /// Has the formula evaluated for the row that is being added.
    #[inline(always)]
    fn ask(&mut self, effect: u16, gives_up: [f32; OF_SOURCE.len()], key: Key) {
        let rows = &mut *self.rows;
        let place = rows.asked;
        rows.rows[place] = rows.len as u8;
        rows.effects[place] = effect;
        for (column, given) in rows.gives_up.iter_mut().zip(gives_up) {
            column[place] = given;
        }
        rows.keys[place] = key;
        rows.asked += 1;
    }

    /// Scores the rows and keeps the best; a single row in all is no choice and is not scored.
    pub fn flush(&mut self) {
        let rows = self.rows.len;
        if self.done + rows == 1 {
            self.done = 1;
            return;
        }
        if self.rows.asked > 0 {
            self.evaluate();
        }
        let scores = &self.rows.scores;
        let (highest, mut winners) = dispatch!(self.level, simd => best(simd, scores, rows));
        if highest > self.best {
            self.best = highest;
            self.equal.clear();
        }
        while highest == self.best && winners != 0 {
            let row = winners.trailing_zeros() as usize;
            self.equal.push(self.rows.steps[row]);
            winners &= winners - 1;
        }
        self.done += rows;
        self.rows.len = 0;
        self.rows.asked = 0;
    }

    /// Evaluates the formula for the rows whose scores are not known.
    fn evaluate(&mut self) {
        self.fill();
        let blocks = self.rows.asked.div_ceil(BLOCK);
        let (program, file) = (&self.bot.program, &mut *self.file);
        dispatch!(self.level, simd => program.run(simd, file, blocks));
        let answers = &file.numbers[program.output(0)];
        let changing: Truths = std::array::from_fn(|word| file.truths[word][program.output(1)]);
        for place in 0..self.rows.asked {
            let (score, key) = (answers.0[place], self.rows.keys[place]);
            self.rows.scores.0[usize::from(self.rows.rows[place])] = score;
            if key != 0 && changing[place / 64] >> (place % 64) & 1 == 0 {
                self.scores.keep(key, score);
            }
        }
    }

    /// Fills in what the formula looks at.
    fn fill(&mut self) {
        let Batch { bot, view, .. } = *self;
        let rows = &mut *self.rows;
        let len = rows.asked;
        let padded = len.next_multiple_of(BLOCK);
        let numbers = &mut self.file.numbers;
        for (value, &feature) in self.shared.iter().zip(&bot.of_table) {
            numbers[feature].0[..padded].fill(*value);
        }
        rows.effects[len..padded].fill(0);
        for &feature in &bot.of_cards {
            let column = numbers[feature].0[..padded].as_chunks_mut::<BLOCK>().0;
            for (values, effects) in column.iter_mut().zip(rows.effects.as_chunks::<BLOCK>().0) {
                *values = self.memo.values(effects, feature);
            }
        }
        let shapes = rows.effects[..len].iter().map(|&effect| match effect {
            END => None,
            _ => Some(self.memo.shape(effect)),
        });
        if bot.lacks {
            for (value, shape) in numbers[LACKS].0.iter_mut().zip(shapes.clone()) {
                *value = shape.map_or(0.0, |shape| view.lacks(shape) as f32);
            }
        }
        if bot.risk {
            for (value, shape) in numbers[RISK].0.iter_mut().zip(shapes) {
                *value = shape.map_or(0.0, |shape| ore(view.risk(shape)));
            }
        }
        for ((feature, used), given) in OF_SOURCE.iter().zip(bot.of_source).zip(&rows.gives_up) {
            if used {
                let column = &mut numbers[*feature].0[..len];
                for (value, given) in column.iter_mut().zip(given) {
                    *value -= given;
                }
            }
        }
        let steps = &rows.steps;
        let places = rows.rows[..len].iter().map(|row| usize::from(*row));
        for &feature in &bot.of_owner {
            let of_seat: [f32; SEATS_MAX] =
                std::array::from_fn(|seat| view.of_owner(feature, seat));
            for (value, row) in numbers[feature].0.iter_mut().zip(places.clone()) {
                *value = steps[row].map_or(0.0, |step| of_seat[usize::from(step.owner)]);
            }
        }
        if bot.noise {
            for (value, row) in numbers[NOISE].0.iter_mut().zip(places) {
                *value = view.noise(self.done + row);
            }
        }
    }
}

/// The highest of the first `rows` scores and, one bit each, the rows that have it. What is not a
/// number counts as lowest.
#[inline(always)]
fn best<S: Simd>(simd: S, scores: &Column, rows: usize) -> (f32, u128) {
    let lowest = f32x16::splat(simd, f32::NEG_INFINITY);
    let blocks = scores.0.as_chunks::<BLOCK>().0;
    let mut highest = lowest;
    for block in 0..rows.div_ceil(BLOCK) {
        let scores = cleaned(simd, &blocks[block], rows - BLOCK * block);
        highest = scores.simd_gt(highest).select(scores, highest);
    }
    let highest = highest.reduce_max();
    let mut winners = 0;
    for block in 0..rows.div_ceil(BLOCK) {
        let scores = cleaned(simd, &blocks[block], rows - BLOCK * block);
        let equal = scores.simd_eq(f32x16::splat(simd, highest)).to_bitmask();
        winners |= u128::from(equal) << (BLOCK * block);
    }
    if rows < LANES {
        winners &= (1 << rows) - 1;
    }
    (highest, winners)
}

/// A block of scores of which the first `rows` count.
#[inline(always)]
fn cleaned<S: Simd>(simd: S, scores: &[f32; BLOCK], rows: usize) -> f32x16<S> {
    let lowest = f32x16::splat(simd, f32::NEG_INFINITY);
    let scores = f32x16::load_array_ref(simd, scores);
    let counts = match rows {
        BLOCK.. => u64::MAX >> 48,
        rows => (1 << rows) - 1,
    };
    let counts = mask32x16::from_bitmask(simd, counts);
    (counts & scores.simd_gt(lowest)).select(scores, lowest)
}
