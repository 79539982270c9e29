//! The choices of one decision as rows of a bot's registers, and the bot's pick.
//!
//! What the rows hold is the business of [`features`](super::features).

use super::cave::Cave;
use super::features::View;
use super::ground::Ground;
use super::questions::Question;
use super::shown::{FEATURES, Shown};
use crate::formula::program::{BLOCK, Program, RegisterFile};
use crate::games::diamond_cave::moves::{self, Asked, CHOICES_MAX, Choice};
use crate::games::diamond_cave::rules::PLANNED_MAX;
use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask, dispatch, f32x16, mask32x16};

/// A bot's program for one question, with its registers: one row for each choice.
struct Rows<'p> {
    program: &'p Program,
    file: RegisterFile,
    /// One bit for each feature that the program reads.
    reads: u64,
}

impl<'p> Rows<'p> {
    fn new(program: &'p Program) -> Self {
        let reads = (0..FEATURES).filter(|&feature| program.uses(feature));
        Rows {
            program,
            file: program.register_file(),
            reads: reads.fold(0, |reads, feature| reads | 1 << feature),
        }
    }

    /// The columns of the features.
    #[inline(always)]
    fn shown(&mut self) -> Shown<'_> {
        let columns = self.file.numbers.first_chunk_mut();
        Shown {
            reads: self.reads,
            columns: columns.expect("a register for each feature"),
        }
    }

    /// Computes the scores of the first `rows` rows.
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, rows: usize) {
        match rows.div_ceil(BLOCK) {
            // Nearly always; no loop is left where the number is known.
            1 => self.program.run(simd, &mut self.file, 1),
            blocks => self.program.run(simd, &mut self.file, blocks),
        }
    }

    /// The scores of all rows, block by block.
    #[inline(always)]
    fn scores(&self) -> &[[f32; BLOCK]] {
        let column = &self.file.numbers[self.program.output(0)];
        column.0.as_chunks().0
    }
}

/// A bot's programs with their registers, by question.
pub struct Bot<'p> {
    questions: Vec<Rows<'p>>,
}

impl<'p> Bot<'p> {
    /// Makes room for a bot with these programs, one for each question.
    pub fn new(programs: &'p [Program]) -> Self {
        Bot {
            questions: programs.iter().map(Rows::new).collect(),
        }
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

    /// Adds the first `count` of `choices`.
    #[inline(always)]
    pub fn push_some(&mut self, choices: [Choice; 2], count: usize) {
        // Both are written, which takes no decision that would be hard to foresee.
        self.list[self.count..self.count + 2].copy_from_slice(&choices);
        self.count += count;
    }

    /// The choice at `row`.
    #[inline(always)]
    pub fn at(&self, row: usize) -> Choice {
        self.list[row]
    }

    /// All of them.
    #[inline(always)]
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
    dispatch!(level, simd => pick_with(simd, ground, cave, bot, choices.all(), asked))
}

#[inline(always)]
fn pick_with<S: Simd>(
    simd: S,
    ground: &Ground,
    cave: &Cave,
    bot: &mut Bot,
    choices: &[Choice],
    asked: &Asked,
) -> usize {
    let view = View::new(ground, cave, asked);
    // Several questions at once are few choices: to end the turn, to go on, or the planned cards.
    const { assert!(2 * PLANNED_MAX < BLOCK) };
    let mut scores = [0.0; BLOCK];
    let mut first = 0;
    loop {
        let question = Question::of(choices[first]);
        let end = match question {
            Question::Stop => first + 1,
            _ => choices.len(),
        };
        let (rows, count) = (&mut bot.questions[question as usize], end - first);
        if rows.reads != 0 {
            let choices = &choices[first..end];
            view.fill(simd, &mut rows.shown(), question, choices, first);
            rows.run(simd, count);
        }
        let found = rows.scores();
        if count == choices.len() {
            let equals = best(simd, found, count);
            return moves::pick_equal(equals, asked.key, asked.decision);
        }
        for (score, found) in scores[first..end].iter_mut().zip(&found[0]) {
            *score = *found;
        }
        if end == choices.len() {
            return moves::pick(&scores[..end], asked.key, asked.decision);
        }
        first = end;
    }
}

/// The rows with the highest of the first `count` scores, as [`moves::pick`] finds them.
#[inline(always)]
fn best<S: Simd>(simd: S, scores: &[[f32; BLOCK]], count: usize) -> u128 {
    let lowest = f32x16::splat(simd, f32::NEG_INFINITY);
    let blocks = count.div_ceil(BLOCK);
    let mut highest = lowest;
    for block in 0..blocks {
        let numbers = numbers(simd, scores, count, block);
        highest = numbers.simd_gt(highest).select(numbers, highest);
    }
    let highest = f32x16::splat(simd, highest.reduce_max());
    let mut equals = 0;
    for block in 0..blocks {
        let numbers = numbers(simd, scores, count, block);
        equals |= u128::from(numbers.simd_eq(highest).to_bitmask()) << (BLOCK * block);
    }
    // Rows that are no choices are as low as anything can be, and may so be equal.
    equals & ((1 << count) - 1)
}

/// A block of scores; what is no number, or beyond `count`, is lowest.
#[inline(always)]
fn numbers<S: Simd>(simd: S, scores: &[[f32; BLOCK]], count: usize, block: usize) -> f32x16<S> {
    let scores = f32x16::load_array_ref(simd, &scores[block]);
    let rows = u64::MAX >> (64 - (count - BLOCK * block).min(BLOCK));
    let counts = scores.simd_eq(scores) & mask32x16::from_bitmask(simd, rows);
    counts.select(scores, f32x16::splat(simd, f32::NEG_INFINITY))
}
