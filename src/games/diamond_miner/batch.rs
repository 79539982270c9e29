//! A decision of the kernel as rows of a batch: what a bot's formula looks at is filled in, and the
//! best of all rows is found.
//!
//! Which moves there are is for `moves`; nothing is moved here.

use super::cards::{ANVIL, CART, SHOVEL, count};
use super::features::{self as f, VOCABULARY};
use super::moves::{Effect, Outlook, Step, ore};
use crate::formula::Formula;
use crate::formula::program::{BLOCK, LANES, Program, ProgramTooLarge, RegisterFile};
use crate::streams;
use fearless_simd::{Level, dispatch};

/// A bot's formula and what it looks at.
pub struct Bot {
    /// The formula, compiled.
    pub program: Program,
    /// Features of a move, without `noise` and the two that depend on the source.
    of_move: Vec<usize>,
    /// Whether it looks at `gain`, and at `production_gain`.
    of_source: [bool; 2],
    /// Whether it looks at what the owner of a stack lacks for a diamond.
    pub of_owner: bool,
    /// Features that all moves of a decision share.
    pub of_table: Vec<usize>,
    noise: bool,
}

impl Bot {
    /// Compiles a bound formula.
    pub fn new(formula: &Formula) -> Result<Bot, ProgramTooLarge> {
        let program = Program::compile(&VOCABULARY, std::slice::from_ref(formula))?;
        let used = |range: std::ops::Range<usize>| {
            range.filter(|&feature| program.uses(feature)).collect()
        };
        let by_source = |feature: &usize| matches!(*feature, f::GAIN | f::PRODUCTION_GAIN);
        let mut of_move: Vec<usize> = used(0..f::MOVE_FEATURES);
        of_move.retain(|feature| !by_source(feature));
        Ok(Bot {
            of_move,
            of_source: [f::GAIN, f::PRODUCTION_GAIN].map(|feature| program.uses(feature)),
            of_owner: program.uses(f::OWNER_TO_DIAMOND),
            of_table: used(f::MOVE_FEATURES..f::NOISE),
            noise: program.uses(f::NOISE),
            program,
        })
    }
}

/// What all moves of a decision share.
pub fn of_table(outlook: &Outlook, feature: usize) -> f32 {
    let mines = &outlook.state.mines;
    let mine = &mines[outlook.seat];
    let others = || (0..outlook.seats).filter(|other| *other != outlook.seat);
    let tops = |class| {
        let stacks = mine.stacks().iter();
        let tops = stacks.filter(|stack| stack.top.class() == class);
        tops.map(|stack| u32::from(stack.copies)).sum::<u32>() as f32
    };
    let bank = |class| count(outlook.state.bank, class) as f32;
    match feature {
        f::SHOVELS => tops(SHOVEL),
        f::CARTS => tops(CART),
        f::ANVILS => tops(ANVIL),
        f::PRODUCTION => ore(mine.production),
        f::DIAMONDS => mine.diamonds() as f32,
        f::TO_DIAMOND => ore(outlook.to_diamond(outlook.seat)),
        f::BEST_PRODUCTION => ore(others()
            .map(|seat| mines[seat].production)
            .max()
            .unwrap_or(0)),
        f::BEST_DIAMONDS => others()
            .map(|seat| mines[seat].diamonds())
            .max()
            .unwrap_or(0) as f32,
        f::LEADER_TO_DIAMOND => ore(others()
            .map(|seat| outlook.to_diamond(seat))
            .min()
            .unwrap_or(0)),
        f::BANK_SHOVELS => bank(SHOVEL),
        f::BANK_CARTS => bank(CART),
        f::BANK_ANVILS => bank(ANVIL),
        f::PLAYERS => outlook.seats as f32,
        _ => unreachable!("feature {feature} is not one of the table"),
    }
}

/// The rows of a decision, [`LANES`] at a time, and the best of those that are done.
pub struct Batch<'a> {
    /// Who decides.
    pub bot: &'a Bot,
    /// The registers of its formula.
    pub file: &'a mut RegisterFile,
    /// Vector instructions to use.
    pub level: Level,
    /// The moves of the rows; none ends the turn.
    pub steps: &'a mut [Option<Step>; LANES],
    /// Rows that are not scored yet.
    pub rows: usize,
    /// Rows that are.
    pub done: usize,
    /// The highest score so far.
    pub best: &'a mut f32,
    /// The moves that have it.
    pub equal: &'a mut Vec<Option<Step>>,
    /// Key of the game and number of the decision.
    pub noise: (u64, u64),
}

impl Batch<'_> {
    /// Starts with the move that ends the turn.
    pub fn begin(&mut self) {
        *self.best = f32::NEG_INFINITY;
        self.equal.clear();
        for &feature in &self.bot.of_move {
            self.file.numbers[feature].0[0] = f32::from(feature == f::ENDS);
        }
        self.file.numbers[f::GAIN].0[0] = 0.0;
        self.file.numbers[f::PRODUCTION_GAIN].0[0] = 0.0;
        self.steps[0] = None;
        self.rows = 1;
        self.add_noise();
    }

    /// Adds a move; its source gives up so much worth and production.
    #[inline(always)]
    pub fn push(&mut self, source: u8, gives_up: [f32; 2], effect: &Effect) {
        if self.rows == LANES {
            self.flush();
        }
        let row = self.rows;
        for &feature in &self.bot.of_move {
            self.file.numbers[feature].0[row] = effect.values[feature];
        }
        if self.bot.of_source[0] {
            self.file.numbers[f::GAIN].0[row] = effect.values[f::GAIN] - gives_up[0];
        }
        if self.bot.of_source[1] {
            let gained = effect.values[f::PRODUCTION_GAIN] - gives_up[1];
            self.file.numbers[f::PRODUCTION_GAIN].0[row] = gained;
        }
        self.steps[row] = Some(Step {
            source,
            ..effect.step
        });
        self.rows += 1;
        self.add_noise();
    }

    #[inline(always)]
    fn add_noise(&mut self) {
        if self.bot.noise {
            let (key, decision) = self.noise;
            let row = self.rows - 1;
            let value = streams::uniform(key, f::noise_counter(decision, self.done + row));
            self.file.numbers[f::NOISE].0[row] = value;
        }
    }

    /// Scores the rows and keeps the best; a single row in all is no choice and is not scored.
    pub fn flush(&mut self) {
        if self.done + self.rows == 1 {
            self.done = 1;
            return;
        }
        let blocks = self.rows.div_ceil(BLOCK);
        let (program, file) = (&self.bot.program, &mut *self.file);
        dispatch!(self.level, simd => program.run(simd, file, blocks));
        let scores = &self.file.numbers[program.output(0)].0[..self.rows];
        let mut highest = f32::NEG_INFINITY;
        for &score in scores {
            highest = if score > highest { score } else { highest };
        }
        if highest > *self.best {
            *self.best = highest;
            self.equal.clear();
        }
        if highest == *self.best {
            for (row, score) in scores.iter().enumerate() {
                // What is not a number counts as lowest.
                let lowest = score.is_nan() && highest == f32::NEG_INFINITY;
                if *score == highest || lowest {
                    self.equal.push(self.steps[row]);
                }
            }
        }
        self.done += self.rows;
        self.rows = 0;
    }
}
