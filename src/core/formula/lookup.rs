//! Look-ups over columns; `table` defines what they return.

use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x16, i16x32, i32x16};

use super::columns::{BLOCK, Column, LANES, RegisterFile, Step};
use super::table::{BINS, Cells, Guide, StepFunction, WholeSteps};

/// Floats from floats, by a step function.
#[inline(always)]
pub(super) fn evaluate<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    function: &StepFunction,
    blocks: usize,
) {
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let values = &earlier[step.operands[0]];
    let result = &mut later[0];
    if let Some(guide) = &function.guide {
        return evaluate_guided(simd, values, result, guide, blocks);
    }
    let mut block = 0;
    while wide::<S>() && block + 4 <= blocks {
        evaluate_some::<S, 4>(simd, values, result, function, block);
        block += 4;
    }
    while block + 2 <= blocks {
        evaluate_some::<S, 2>(simd, values, result, function, block);
        block += 2;
    }
    if block < blocks {
        evaluate_some::<S, 1>(simd, values, result, function, block);
    }
}

/// Whether the registers of the processor hold a block each.
#[inline(always)]
const fn wide<S: Simd>() -> bool {
    size_of::<S::u8s>() >= 64
}

/// [`evaluate`] for `N` blocks at once, so that each edge is read once for all of them.
#[inline(always)]
fn evaluate_some<S: Simd, const N: usize>(
    simd: S,
    values: &Column,
    result: &mut Column,
    function: &StepFunction,
    first: usize,
) {
    let edges = &function.edges[..];
    let (lowest, rest) = function.heights().split_at(1);
    let rest = &rest[..edges.len()];
    let mut value = [f32x16::splat(simd, 0.0); N];
    let mut height = [f32x16::splat(simd, lowest[0]); N];
    for n in 0..N {
        value[n] = values.load(simd, first + n);
    }
    for index in 0..edges.len() {
        let edge = f32x16::splat(simd, edges[index]);
        let next = f32x16::splat(simd, rest[index]);
        for n in 0..N {
            height[n] = value[n].simd_ge(edge).select(next, height[n]);
        }
    }
    for n in 0..N {
        result.store(first + n, height[n]);
    }
}

/// [`evaluate`] by the bins that numbers are in.
#[inline(always)]
fn evaluate_guided<S: Simd>(
    simd: S,
    values: &Column,
    result: &mut Column,
    guide: &Guide,
    blocks: usize,
) {
    let zero = f32x16::splat(simd, 0.0);
    let last = f32x16::splat(simd, (BINS - 1) as f32);
    // Through memory, as in `look_up`.
    let mut bins = [0i32; LANES];
    for block in 0..blocks {
        let place = (values.load(simd, block) - guide.first) * guide.scale;
        // What is not a number is below all edges.
        let place = place.simd_gt(zero).select(place, zero);
        let place = place.simd_lt(last).select(place, last);
        let places: i32x16<S> = place.to_int();
        places.store_array(&mut bins.as_chunks_mut::<BLOCK>().0[block]);
    }
    for row in 0..BLOCK * blocks {
        let bin = &guide.bins[bins[row] as usize % BINS];
        let is_above = values.0[row] >= bin.edge;
        result.0[row] = if is_above { bin.high } else { bin.low };
    }
}

#[inline(always)]
pub(super) fn evaluate_wholes<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    function: &WholeSteps,
    blocks: usize,
) {
    let (earlier, later) = file.wholes.split_at_mut(step.result);
    let values = &earlier[step.operands[0]];
    let result = &mut later[0];
    let pairs = blocks.div_ceil(2);
    let mut pair = 0;
    while wide::<S>() && pair + 4 <= pairs {
        evaluate_some_wholes::<S, 4>(simd, values, result, function, pair);
        pair += 4;
    }
    while pair + 2 <= pairs {
        evaluate_some_wholes::<S, 2>(simd, values, result, function, pair);
        pair += 2;
    }
    if pair < pairs {
        evaluate_some_wholes::<S, 1>(simd, values, result, function, pair);
    }
}

#[inline(always)]
fn evaluate_some_wholes<S: Simd, const N: usize>(
    simd: S,
    values: &Column<i16>,
    result: &mut Column<i16>,
    function: &WholeSteps,
    first: usize,
) {
    let zero = i16x32::splat(simd, 0);
    let mut value = [zero; N];
    let mut height = [i16x32::splat(simd, function.lowest); N];
    for n in 0..N {
        value[n] = values.load(simd, first + n);
    }
    for &[above, rise] in &function.rises {
        let above = i16x32::splat(simd, above);
        let rise = i16x32::splat(simd, rise);
        for n in 0..N {
            height[n] += value[n].simd_gt(above).select(rise, zero);
        }
    }
    for n in 0..N {
        result.store(first + n, height[n]);
    }
}

/// The numbers in cells; the sum of the two floats is the place of the cell.
#[inline(always)]
pub(super) fn look_up<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    cells: &Cells,
    blocks: usize,
) {
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let a = &earlier[step.operands[0]];
    let b = &earlier[step.operands[1]];
    let result = &mut later[0].0;
    // Through memory: taking numbers out of a vector one by one is slower.
    let mut whole = [0i32; LANES];
    for block in 0..blocks {
        let places: i32x16<S> = (a.load(simd, block) + b.load(simd, block)).to_int();
        places.store_array(&mut whole.as_chunks_mut::<BLOCK>().0[block]);
    }
    let rows = BLOCK * blocks;
    match cells {
        Cells::Numbers(numbers) => {
            let numbers = &numbers[..];
            for row in 0..rows {
                result[row] = numbers[whole[row] as u32 as usize];
            }
        }
        Cells::Packed(bytes, numbers) => {
            let (bytes, numbers) = (&bytes[..], &**numbers);
            for row in 0..rows {
                result[row] = numbers[usize::from(bytes[whole[row] as u32 as usize])];
            }
        }
        Cells::Written(_) => panic!("a formula must be bound before it is compiled"),
    }
}
