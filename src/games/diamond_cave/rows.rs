//! The choices of one decision as rows of a bot's registers, and the bot's pick.
//!
//! What the rows hold is the business of [`sight`](super::sight).

use super::cave::Cave;
use super::features as f;
use super::ground::Ground;
use super::moves::{self, Asked, CHOICES_MAX, Choice};
use super::sight::Sight;
use crate::formula::program::{BLOCK, Program, RegisterFile};
use fearless_simd::{Level, dispatch};

/// A bot's program with its registers.
pub struct Bot<'p> {
    program: &'p Program,
    file: RegisterFile,
    /// One bit for each feature that the formula reads.
    reads: u64,
}

impl<'p> Bot<'p> {
    /// Makes room for a bot at a table of `players`.
    pub fn new(program: &'p Program, players: usize) -> Self {
        let features = 0..f::VOCABULARY.features.len();
        let reads = features.filter(|&feature| program.uses(feature));
        let reads = reads.fold(0, |reads, feature| reads | 1 << feature);
        let mut file = program.register_file();
        file.numbers[f::PLAYERS].0.fill(players as f32);
        Bot {
            program,
            file,
            reads,
        }
    }

    /// Whether the formula reads any of these features, one bit each.
    #[inline(always)]
    pub fn reads(&self, features: u64) -> bool {
        self.reads & features != 0
    }

    /// Sets the value of a feature in a row.
    #[inline(always)]
    pub fn set(&mut self, feature: usize, row: usize, value: f32) {
        self.file.numbers[feature].0[row] = value;
    }

    /// Gives the first `rows` rows the same value, if the formula reads the feature.
    #[inline(always)]
    pub fn share(&mut self, feature: usize, rows: usize, value: f32) {
        if self.reads(1 << feature) {
            let column = &mut self.file.numbers[feature].0;
            // Whole blocks, which is what is computed, take a few stores each.
            for block in &mut column.as_chunks_mut::<BLOCK>().0[..rows.div_ceil(BLOCK)] {
                *block = [value; BLOCK];
            }
        }
    }

    /// Copies the value of a feature from one row to another.
    #[inline(always)]
    pub fn copy(&mut self, feature: usize, row: usize, from: usize) {
        let column = &mut self.file.numbers[feature].0;
        column[row] = column[from];
    }
}

/// The choices of a decision.
pub struct Choices {
    list: [Choice; CHOICES_MAX],
    /// How many there are.
    pub count: usize,
}

impl Choices {
    /// No choices.
    pub fn new() -> Self {
        Choices {
            list: [Choice::Stop; CHOICES_MAX],
            count: 0,
        }
    }

    /// Empties the list.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a choice.
    #[inline(always)]
    pub fn push(&mut self, choice: Choice) {
        self.list[self.count] = choice;
        self.count += 1;
    }

    /// The choice at `row`.
    #[inline(always)]
    pub fn at(&self, row: usize) -> Choice {
        self.list[row]
    }

    /// All of them.
    pub fn all(&self) -> &[Choice] {
        &self.list[..self.count]
    }
}

/// The row that the bot picks among at least two choices.
pub fn pick(
    level: Level,
    ground: &Ground,
    cave: &Cave,
    bot: &mut Bot,
    choices: &Choices,
    asked: &Asked,
) -> usize {
    let sight = Sight::new(ground, cave, asked);
    sight.fill(bot, choices);
    let blocks = choices.count.div_ceil(BLOCK);
    let Bot { program, file, .. } = bot;
    dispatch!(level, simd => program.run(simd, file, blocks));
    let scores = &file.numbers[program.output(0)].0[..choices.count];
    moves::pick(scores, asked.key, asked.decision)
}
