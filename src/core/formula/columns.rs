//! Registers with one value per row, and every operation over them.
//!
//! A number register is a column of 128 floats, a whole register one of 128 small whole numbers,
//! and a truth register has one bit per row. Each operation runs over all rows before the next one
//! starts, a vector of rows at a time. `operation` defines the meaning of the operations; this
//! module must agree with it, which `agreement` tests.

use fearless_simd::prelude::*;
use fearless_simd::{
    ExtractToken, Select, Simd, SimdBase, SimdFloat, SimdMask, f32x16, i16x32, i32x16, mask8x64,
    mask16x32, mask32x16,
};

use super::lookup::{evaluate, evaluate_wholes, look_up};
use super::operation::OPERANDS_MAX;
use super::operation::Operation;
use super::table::Lookups;

/// Rows in a register.
pub const LANES: usize = BLOCK * BLOCKS;
/// Rows that are computed at a time.
pub const BLOCK: usize = 16;
/// Blocks in a register.
pub const BLOCKS: usize = 8;

/// A value for each row: `f32` in a number register, `i16` in a whole register.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Column<T = f32>(pub [T; LANES]);

impl<T: Copy> Column<T> {
    /// The column that holds `value` in every row.
    pub const fn splat(value: T) -> Column<T> {
        Column([value; LANES])
    }
}

impl<T: Copy + Default> Default for Column<T> {
    fn default() -> Column<T> {
        Column::splat(T::default())
    }
}

impl Column<f32> {
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, block: usize) -> f32x16<S> {
        f32x16::load_array_ref(simd, &self.0.as_chunks::<BLOCK>().0[block])
    }

    #[inline(always)]
    pub fn store<S: Simd>(&mut self, block: usize, numbers: f32x16<S>) {
        numbers.store_array(&mut self.0.as_chunks_mut::<BLOCK>().0[block]);
    }
}

impl Column<i16> {
    /// The numbers of two blocks: `pair` counts pairs of blocks.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, pair: usize) -> i16x32<S> {
        i16x32::load_array_ref(simd, &self.0.as_chunks::<{ 2 * BLOCK }>().0[pair])
    }

    /// Replaces the numbers of two blocks.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, pair: usize, numbers: i16x32<S>) {
        numbers.store_array(&mut self.0.as_chunks_mut::<{ 2 * BLOCK }>().0[pair]);
    }
}

/// One bit a row: bit `i` of word `w` is row `64 * w + i`.
pub type Truths = [u64; LANES / 64];

/// Blocks in a word of a truth register.
const PARTS: usize = 64 / BLOCK;

#[derive(Debug, Clone, Default)]
pub struct RegisterFile {
    /// The number registers. The first are the features, as laid out by
    /// [`Vocabulary::register`](super::Vocabulary::register).
    pub numbers: Box<[Column]>,
    /// The whole registers. The first are the features again, used only for those with bounds; a
    /// program that was compiled without bounds has none.
    pub wholes: Box<[Column<i16>]>,
    /// The truth registers: word `w` of register `r` is `truths[w][r]`. The words of a register do
    /// not lie side by side. They are written one after the other, and a compiler would read
    /// neighbours back as one vector, which the processor cannot do before both are in the cache.
    pub truths: [Box<[u64]>; LANES / 64],
}

/// One step of a program. Operands and result are registers of the kinds that the action says;
/// registers of the result's kind among the operands come before the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub action: Action,
    pub operands: [usize; OPERANDS_MAX],
    pub result: usize,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Action {
    /// An operation on numbers, all of them floats.
    Floats(Operation),
    /// An operation on numbers, all of them whole; no division.
    Wholes(Operation),
    /// An operation on nothing but truths.
    Truths(Operation),
    /// Whole numbers into floats.
    Convert,
}

/// Runs `step`, which may look up `lookups`, over the first `blocks` blocks.
///
/// Closures are forced inline for the same reason as functions: a call would leave the caller's
/// instruction set.
#[rustfmt::skip] // A table, one operation a line.
#[inline(always)]
pub(super) fn execute<S: Simd>(
    simd: S,
    step: &Step,
    lookups: &Lookups,
    file: &mut RegisterFile,
    blocks: usize,
) {
    use Action::*;
    use Operation::*;
    match step.action {
        Floats(Negate) => combine(simd, step, file, blocks, #[inline(always)] |a, _| -a),
        Floats(Absolute) => combine(simd, step, file, blocks, #[inline(always)] |a, _| a.abs()),
        Floats(Floor) => combine(simd, step, file, blocks, #[inline(always)] |a, _| a.floor()),
        Floats(Add) => combine(simd, step, file, blocks, #[inline(always)] |a, b| a + b),
        Floats(Subtract) => combine(simd, step, file, blocks, #[inline(always)] |a, b| a - b),
        Floats(Multiply) => combine(simd, step, file, blocks, #[inline(always)] |a, b| a * b),
        Floats(Divide) => combine(simd, step, file, blocks, #[inline(always)] |a, b| quotient(a, b)),
        Floats(Minimum) => combine(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_lt(b).select(a, b)),
        Floats(Maximum) => combine(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_gt(b).select(a, b)),
        Floats(Less) => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_lt(b)),
        Floats(AtMost) => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_le(b)),
        Floats(Equal) => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_eq(b)),
        Floats(Unequal) => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_ne(b)),
        Floats(ChooseNumber) => choose(simd, step, file, blocks),
        Wholes(Negate) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, _| -a),
        Wholes(Absolute) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, _| a.abs()),
        Wholes(Floor) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, _| a),
        Wholes(Add) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a + b),
        Wholes(Subtract) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a - b),
        Wholes(Multiply) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a * b),
        Wholes(Minimum) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.min(b)),
        Wholes(Maximum) => combine_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.max(b)),
        Wholes(Less) => compare_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_lt(b)),
        Wholes(AtMost) => compare_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_le(b)),
        Wholes(Equal) => compare_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_eq(b)),
        Wholes(Unequal) => compare_wholes(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_ne(b)),
        Wholes(ChooseNumber) => choose_wholes(simd, step, file, blocks),
        Truths(Not) => decide(step, file, blocks, #[inline(always)] |a, _, _| !a),
        Truths(And) => decide(step, file, blocks, #[inline(always)] |a, b, _| a & b),
        Truths(Or) => decide(step, file, blocks, #[inline(always)] |a, b, _| a | b),
        Truths(ChooseTruth) => decide(step, file, blocks, #[inline(always)] |a, b, c| (a & b) | (!a & c)),
        Floats(Evaluate(function)) => evaluate(simd, step, file, &lookups.functions[usize::from(function)], blocks),
        Floats(LookUp(grid)) => look_up(simd, step, file, &lookups.grids[usize::from(grid)], blocks),
        Wholes(Evaluate(function)) => {
            // Only a step function that has a whole form is evaluated for whole numbers.
            if let Some(whole) = &lookups.functions[usize::from(function)].whole {
                evaluate_wholes(simd, step, file, whole, blocks);
            }
        }
        Convert => convert(simd, step, file, blocks),
        Floats(_) | Wholes(_) | Truths(_) => unreachable!("no such operation on these"),
    }
}

/// `a / b`, or zero where `b` is zero.
#[inline(always)]
fn quotient<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    let zero = f32x16::splat(a.token(), 0.0);
    b.simd_eq(zero).select(zero, a / b)
}

/// Floats from floats. An operation of one operand gets an arbitrary second one.
#[inline(always)]
fn combine<S: Simd, F>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize, f: F)
where
    F: Fn(f32x16<S>, f32x16<S>) -> f32x16<S>,
{
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let a = &earlier[step.operands[0]];
    let b = &earlier[step.operands[1]];
    let result = &mut later[0];
    for block in 0..blocks {
        result.store(block, f(a.load(simd, block), b.load(simd, block)));
    }
}

#[inline(always)]
fn combine_wholes<S: Simd, F>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize, f: F)
where
    F: Fn(i16x32<S>, i16x32<S>) -> i16x32<S>,
{
    let (earlier, later) = file.wholes.split_at_mut(step.result);
    let a = &earlier[step.operands[0]];
    let b = &earlier[step.operands[1]];
    let result = &mut later[0];
    for pair in 0..blocks.div_ceil(2) {
        result.store(pair, f(a.load(simd, pair), b.load(simd, pair)));
    }
}

/// Truths from floats.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may not be compiled with the caller's instruction set"
)]
#[inline(always)]
fn compare<S: Simd, F>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize, f: F)
where
    F: Fn(f32x16<S>, f32x16<S>) -> mask32x16<S>,
{
    let a = &file.numbers[step.operands[0]];
    let b = &file.numbers[step.operands[1]];
    // Of few blocks only those are compared; of many, the last word is compared to its end.
    let needed = if blocks < PARTS { blocks } else { PARTS };
    for word in 0..blocks.div_ceil(PARTS) {
        let mut parts = [mask32x16::splat(simd, false); PARTS];
        for part in 0..needed {
            let block = PARTS * word + part;
            parts[part] = f(a.load(simd, block), b.load(simd, block));
        }
        let [first, second, third, fourth] = parts;
        let all: mask8x64<S> = first.narrow(second).narrow(third.narrow(fourth));
        file.truths[word][step.result] = all.to_bitmask();
    }
}

/// Truths from whole numbers; every word is compared to its end.
#[inline(always)]
fn compare_wholes<S: Simd, F>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize, f: F)
where
    F: Fn(i16x32<S>, i16x32<S>) -> mask16x32<S>,
{
    let a = &file.wholes[step.operands[0]];
    let b = &file.wholes[step.operands[1]];
    for word in 0..blocks.div_ceil(PARTS) {
        let first = f(a.load(simd, 2 * word), b.load(simd, 2 * word));
        let second = f(a.load(simd, 2 * word + 1), b.load(simd, 2 * word + 1));
        let all: mask8x64<S> = first.narrow(second);
        file.truths[word][step.result] = all.to_bitmask();
    }
}

/// Floats from a truth and floats.
#[inline(always)]
fn choose<S: Simd>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize) {
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let condition = step.operands[0];
    let a = &earlier[step.operands[1]];
    let b = &earlier[step.operands[2]];
    let result = &mut later[0];
    for block in 0..blocks {
        let word = file.truths[block / PARTS][condition];
        let bits = word >> (BLOCK * (block % PARTS)) & 0xffff;
        let mask = mask32x16::from_bitmask(simd, bits);
        result.store(block, mask.select(a.load(simd, block), b.load(simd, block)));
    }
}

#[inline(always)]
fn choose_wholes<S: Simd>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize) {
    let (earlier, later) = file.wholes.split_at_mut(step.result);
    let condition = step.operands[0];
    let a = &earlier[step.operands[1]];
    let b = &earlier[step.operands[2]];
    let result = &mut later[0];
    for pair in 0..blocks.div_ceil(2) {
        let word = file.truths[2 * pair / PARTS][condition];
        let bits = word >> (2 * BLOCK * (pair % (PARTS / 2))) & 0xffff_ffff;
        let mask = mask16x32::from_bitmask(simd, bits);
        result.store(pair, mask.select(a.load(simd, pair), b.load(simd, pair)));
    }
}

/// Floats from whole numbers.
#[inline(always)]
fn convert<S: Simd>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize) {
    let wholes = &file.wholes[step.operands[0]];
    let result = &mut file.numbers[step.result];
    for pair in 0..blocks.div_ceil(2) {
        let (low, high): (i32x16<S>, i32x16<S>) = wholes.load(simd, pair).widen();
        result.store(2 * pair, low.to_float());
        result.store(2 * pair + 1, high.to_float());
    }
}

/// Truths from truths. An operation of fewer operands gets arbitrary further ones.
#[inline(always)]
fn decide<F>(step: &Step, file: &mut RegisterFile, blocks: usize, f: F)
where
    F: Fn(u64, u64, u64) -> u64,
{
    let [a, b, c] = step.operands;
    for truths in &mut file.truths[..blocks.div_ceil(PARTS)] {
        truths[step.result] = f(truths[a], truths[b], truths[c]);
    }
}
