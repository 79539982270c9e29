//! Look-ups over columns. What they mean is defined in `table`.

use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x16, i16x32, i32x16};

use super::columns::{BLOCK, RegisterFile, Step};
use super::table::{Cells, Stairs, WholeStairs};

/// Floats from floats, by stairs.
#[inline(always)]
pub(super) fn climb<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    stairs: &Stairs,
    blocks: usize,
) {
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let values = &earlier[step.operands[0]];
    let result = &mut later[0];
    let edges = &stairs.edges[..];
    let (lowest, rest) = stairs.heights().split_at(1);
    let rest = &rest[..edges.len()];
    for block in 0..blocks {
        let value = values.load(simd, block);
        let mut height = f32x16::splat(simd, lowest[0]);
        for index in 0..edges.len() {
            let above = value.simd_ge(f32x16::splat(simd, edges[index]));
            height = above.select(f32x16::splat(simd, rest[index]), height);
        }
        result.store(block, height);
    }
}

/// [`climb`] for whole numbers.
#[inline(always)]
pub(super) fn climb_wholes<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    stairs: &WholeStairs,
    blocks: usize,
) {
    let (earlier, later) = file.wholes.split_at_mut(step.result);
    let values = &earlier[step.operands[0]];
    let result = &mut later[0];
    let edges = &stairs.above[..];
    let (lowest, rest) = stairs.heights.split_at(1);
    let rest = &rest[..edges.len()];
    for pair in 0..blocks.div_ceil(2) {
        let value = values.load(simd, pair);
        let mut height = i16x32::splat(simd, lowest[0]);
        for index in 0..edges.len() {
            let above = value.simd_gt(i16x32::splat(simd, edges[index]));
            height = above.select(i16x32::splat(simd, rest[index]), height);
        }
        result.store(pair, height);
    }
}

/// The numbers in cells, from their places as floats.
#[inline(always)]
pub(super) fn look_up<S: Simd>(
    simd: S,
    step: &Step,
    file: &mut RegisterFile,
    cells: &Cells,
    blocks: usize,
) {
    let (earlier, later) = file.numbers.split_at_mut(step.result);
    let places = &earlier[step.operands[0]];
    let result = &mut later[0].0.as_chunks_mut::<BLOCK>().0[..blocks];
    match cells {
        Cells::Numbers(numbers) => {
            for block in 0..blocks {
                let places = whole_places(places.load(simd, block));
                for row in 0..BLOCK {
                    result[block][row] = numbers[places[row] as usize];
                }
            }
        }
        Cells::Packed(bytes, numbers) => {
            for block in 0..blocks {
                let places = whole_places(places.load(simd, block));
                for row in 0..BLOCK {
                    result[block][row] = numbers[usize::from(bytes[places[row] as usize])];
                }
            }
        }
        Cells::Written(_) => panic!("a formula must be bound before it is compiled"),
    }
}

/// Places are whole, and small enough for any conversion.
#[inline(always)]
fn whole_places<S: Simd>(places: f32x16<S>) -> [i32; BLOCK] {
    let mut whole = [0; BLOCK];
    let places: i32x16<S> = places.to_int();
    places.store_array(&mut whole);
    whole
}
