//! Chests that can hold 2¹⁵ rubies or more under the rules: bots see them as floats.

use super::lanes::Lanes;
use super::prepared::Kernel;
use super::vectors::{GROUPS, Halves, floats};
use crate::formula::program::{BLOCK, BLOCKS, Column};
use crate::games::diamant::features::*;
use fearless_simd::{Simd, f32x16, prelude::*};

impl Kernel {
    /// As [`Kernel::fill_chests`] for chests of any size.
    #[inline(always)]
    pub fn fill_wide_chests<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let zero = f32x16::splat(simd, 0.0);
        let one = f32x16::splat(simd, 1.0);
        let numbers = &mut lanes.file.numbers;
        for seat in self.seats::<SEATS>() {
            let column = &mut numbers[VOCABULARY.register(CHEST, seat)];
            fill_wide(simd, [&lanes.chest[seat], &lanes.chest_high[seat]], column);
        }
        for seat in self.seats::<SEATS>() {
            for block in 0..BLOCKS {
                let own = numbers[VOCABULARY.register(CHEST, seat)].load(simd, block);
                let [mut best, mut best_inside, mut best_outside] = [zero; 3];
                let mut rank = one;
                for other in self.seats::<SEATS>().filter(|&other| other != seat) {
                    let chest = numbers[VOCABULARY.register(CHEST, other)].load(simd, block);
                    best = best.max(chest);
                    let inside = lanes.inside.0.as_chunks::<BLOCK>().0[block];
                    let mut here = [0.0; BLOCK];
                    for lane in 0..BLOCK {
                        here[lane] = f32::from(inside[lane] >> other & 1);
                    }
                    let here = f32x16::load_array(simd, here).simd_eq(one);
                    best_inside = best_inside.max(here.select(chest, zero));
                    best_outside = best_outside.max(here.select(zero, chest));
                    rank += chest.simd_gt(own).select(one, zero);
                }
                numbers[VOCABULARY.register(BEST_OTHER_CHEST, seat)].store(block, best);
                numbers[VOCABULARY.register(BEST_INSIDE, seat)].store(block, best_inside);
                numbers[VOCABULARY.register(BEST_OUTSIDE, seat)].store(block, best_outside);
                numbers[VOCABULARY.register(RANK, seat)].store(block, rank);
            }
        }
    }
}

/// Combines the lower and the upper 16 bits of numbers.
#[inline(always)]
fn fill_wide<S: Simd>(simd: S, [low, high]: [&Halves; 2], column: &mut Column) {
    for half in 0..2 * GROUPS {
        let lows = floats(low.load(simd, half));
        let highs = floats(high.load(simd, half));
        column.store(2 * half, lows[0] + highs[0] * 65536.0);
        column.store(2 * half + 1, lows[1] + highs[1] * 65536.0);
    }
}
