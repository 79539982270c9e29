//! Registers that hold one value a row, and every operation over them.
//!
//! A number register is a column of 128 floats, a truth register one bit a row. Each operation runs
//! over all rows before the next one starts, 16 rows at a time. What the operations mean is defined
//! in `operation`; what is here must agree with it to the bit, which `agreement` tests.

use fearless_simd::prelude::*;
use fearless_simd::{
    ExtractToken, Select, Simd, SimdBase, SimdFloat, SimdMask, f32x16, mask8x64, mask32x16,
};

use super::OPERANDS_MAX;
use super::operation::Operation;

/// Rows in a register.
pub const LANES: usize = BLOCK * BLOCKS;
/// Rows that are computed at a time.
pub const BLOCK: usize = 16;
/// Blocks in a register.
pub const BLOCKS: usize = 8;

/// A number register: one `f32` a row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Column(pub [f32; LANES]);

impl Column {
    /// The column that holds `number` in every row.
    pub const fn splat(number: f32) -> Column {
        Column([number; LANES])
    }

    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, block: usize) -> f32x16<S> {
        f32x16::load_array_ref(simd, &self.0.as_chunks::<BLOCK>().0[block])
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, block: usize, numbers: f32x16<S>) {
        numbers.store_array(&mut self.0.as_chunks_mut::<BLOCK>().0[block]);
    }
}

/// One bit a row: bit `i` of word `w` is row `64 * w + i`.
pub type Truths = [u64; LANES / 64];

/// Blocks in a word of a truth register.
const PARTS: usize = 64 / BLOCK;

/// All registers of one program. The first number registers are the features, as laid out by
/// [`Vocabulary::register`](super::Vocabulary::register).
#[derive(Debug, Clone)]
pub struct RegisterFile {
    /// The number registers.
    pub numbers: Box<[Column]>,
    /// The truth registers: word `w` of register `r` is `truths[w][r]`. Words of a register lie
    /// apart because they are written one by one; read as one vector, they would be waited for.
    pub truths: [Box<[u64]>; LANES / 64],
}

/// One operation of a program. Operands and result are registers of the kinds that the operation
/// says; registers of the result's kind among the operands come before the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub operation: Operation,
    pub operands: [usize; OPERANDS_MAX],
    pub result: usize,
}

/// Runs `step` over the first `blocks` blocks.
///
/// Closures are forced inline for the same reason as functions: a call would leave the caller's
/// instruction set.
#[rustfmt::skip] // A table, one operation a line.
#[inline(always)]
pub(super) fn execute<S: Simd>(simd: S, step: &Step, file: &mut RegisterFile, blocks: usize) {
    use Operation::*;
    match step.operation {
        Negate => combine(simd, step, file, blocks, #[inline(always)] |a, _| -a),
        Absolute => combine(simd, step, file, blocks, #[inline(always)] |a, _| a.abs()),
        Floor => combine(simd, step, file, blocks, #[inline(always)] |a, _| a.floor()),
        Add => combine(simd, step, file, blocks, #[inline(always)] |a, b| a + b),
        Subtract => combine(simd, step, file, blocks, #[inline(always)] |a, b| a - b),
        Multiply => combine(simd, step, file, blocks, #[inline(always)] |a, b| a * b),
        Divide => combine(simd, step, file, blocks, #[inline(always)] |a, b| quotient(a, b)),
        Minimum => combine(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_lt(b).select(a, b)),
        Maximum => combine(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_gt(b).select(a, b)),
        Less => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_lt(b)),
        AtMost => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_le(b)),
        Equal => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_eq(b)),
        Unequal => compare(simd, step, file, blocks, #[inline(always)] |a, b| a.simd_ne(b)),
        Not => decide(step, file, blocks, #[inline(always)] |a, _, _| !a),
        And => decide(step, file, blocks, #[inline(always)] |a, b, _| a & b),
        Or => decide(step, file, blocks, #[inline(always)] |a, b, _| a | b),
        ChooseNumber => choose(simd, step, file, blocks),
        ChooseTruth => decide(step, file, blocks, #[inline(always)] |a, b, c| (a & b) | (!a & c)),
    }
}

/// `a / b`, or zero where `b` is zero.
#[inline(always)]
fn quotient<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    let zero = f32x16::splat(a.token(), 0.0);
    b.simd_eq(zero).select(zero, a / b)
}

/// Numbers from numbers. An operation of one operand gets an arbitrary second one.
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

/// Truths from numbers.
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

/// Numbers from a truth and numbers.
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
