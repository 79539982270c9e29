//! What the lanes show to the bots: the registers of features, each filled only when some bot
//! at the table looks at it.

use super::features::*;
use super::kernel::Kernel;
use super::lanes::Lanes;
use super::refill::mix;
use super::vectors::{Bytes, GROUPS, Halves, count_bits, floats, halves, load, store};
use crate::formula::program::{BLOCKS, Column};
use crate::streams;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, u8x64, u16x32, u32x16, u64x8};

impl Kernel {
    /// Fills the registers of the features.
    #[inline(always)]
    pub(super) fn show<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let numbers = &mut lanes.file.numbers;
        for (feature, shown) in [
            (HELD, &lanes.held),
            (LEFTOVER, &lanes.leftover),
            (RELIC_WORTH, &lanes.relic_worth),
            (TREASURE_LEFT, &lanes.treasure_left),
        ] {
            if self.program.uses(feature) {
                show_halves(simd, shown, &mut numbers[feature]);
            }
        }
        for (feature, shown) in [
            (RELICS_ON_PATH, &lanes.relics),
            (CARDS_REVEALED, &lanes.revealed),
            (JUST_LEFT, &lanes.just_left),
        ] {
            if self.program.uses(feature) {
                show_bytes(simd, shown, &mut numbers[feature]);
            }
        }
        for group in 0..GROUPS {
            if self.program.uses(TRAPS_SEEN) {
                let kinds = lanes.seen.load(simd, group).count_ones();
                show_group(kinds, &mut numbers[TRAPS_SEEN], group);
            }
            if self.program.uses(EXPLORERS) {
                let explorers = count_bits::<S, SEATS>(simd, lanes.inside.load(simd, group));
                show_group(explorers, &mut numbers[EXPLORERS], group);
            }
            if self.program.uses(ROUND) {
                let round = lanes.round.load(simd, group) + u8x64::splat(simd, 1);
                show_group(round, &mut numbers[ROUND], group);
            }
            if self.program.uses(ROUNDS_LEFT) {
                let last = u8x64::splat(simd, self.rounds as u8 - 1);
                let rounds_left = last - lanes.round.load(simd, group);
                show_group(rounds_left, &mut numbers[ROUNDS_LEFT], group);
            }
            if self.sees_deck {
                let revealed = lanes.revealed.load(simd, group);
                let cards_left = lanes.deck_size.load(simd, group) - revealed;
                show_group(cards_left, &mut numbers[CARDS_LEFT], group);
            }
        }
        if self.sees_bust_risk {
            show_bytes(simd, &lanes.danger, &mut numbers[BUST_RISK]);
            let one = f32x16::splat(simd, 1.0);
            for block in 0..BLOCKS {
                let cards = load(simd, &numbers[CARDS_LEFT], block).max(one);
                let risk = load(simd, &numbers[BUST_RISK], block) / cards;
                store(&mut numbers[BUST_RISK], block, risk);
            }
        }
        if self.sees_chests {
            for seat in 0..SEATS {
                let column = &mut numbers[self.chest(seat)];
                show_halves(simd, &lanes.chest[seat], column);
                if self.wide {
                    add_high(simd, &lanes.chest_high[seat], column);
                }
            }
        }
        for seat in 0..SEATS {
            if self.program.uses_for_seat(BEST_OTHER_CHEST, seat) {
                self.show_best_other_chest::<S, SEATS>(simd, lanes, seat);
            }
            if self.program.uses_for_seat(RANK, seat) {
                self.show_rank::<S, SEATS>(simd, lanes, seat);
            }
            if self.program.uses_for_seat(RANDOM, seat) {
                self.show_random(simd, lanes, seat);
            }
        }
    }

    #[inline(always)]
    fn show_best_other_chest<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        seat: usize,
    ) {
        let numbers = &mut lanes.file.numbers;
        for block in 0..BLOCKS {
            let mut best = f32x16::splat(simd, 0.0);
            for other in (0..SEATS).filter(|&other| other != seat) {
                best = best.max(load(simd, &numbers[self.chest(other)], block));
            }
            let register = VOCABULARY.register(BEST_OTHER_CHEST, seat);
            store(&mut numbers[register], block, best);
        }
    }

    #[inline(always)]
    fn show_rank<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, seat: usize) {
        let numbers = &mut lanes.file.numbers;
        let one = f32x16::splat(simd, 1.0);
        for block in 0..BLOCKS {
            let own = load(simd, &numbers[self.chest(seat)], block);
            let mut rank = one;
            for other in 0..SEATS {
                let richer = load(simd, &numbers[self.chest(other)], block).simd_gt(own);
                rank += richer.select(one, f32x16::splat(simd, 0.0));
            }
            store(&mut numbers[VOCABULARY.register(RANK, seat)], block, rank);
        }
    }

    /// [`streams::uniform`] of [`random_counter`].
    #[inline(always)]
    fn show_random<S: Simd>(&self, simd: S, lanes: &mut Lanes, seat: usize) {
        let golden = u64x8::splat(simd, streams::GOLDEN);
        let base = u64x8::splat(simd, streams::UNIFORM_BASE + 1 + seat as u64);
        let column = &mut lanes.file.numbers[VOCABULARY.register(RANDOM, seat)];
        let keys = lanes.key.as_chunks::<8>().0;
        for group in 0..GROUPS {
            let rounds = halves(lanes.round.load(simd, group));
            let cards = halves(lanes.revealed.load(simd, group));
            for half in 0..2 {
                let decision: u16x32<S> = (rounds[half] << 7) + cards[half];
                let (low, high) = decision.widen();
                for (part, decision) in [low, high].into_iter().enumerate() {
                    let block = 4 * group + 2 * half + part;
                    let (low, high) = (decision << 3).widen();
                    let mut numbers = [low, high];
                    for (eight, number) in numbers.iter_mut().enumerate() {
                        let key = u64x8::load_array_ref(simd, &keys[2 * block + eight]);
                        *number = mix(simd, key + (*number + base) * golden) >> 40;
                    }
                    let bits: u32x16<S> = numbers[0].narrow(numbers[1]);
                    let number: f32x16<S> = bits.to_float();
                    store(column, block, number * (1.0 / (1u32 << 24) as f32));
                }
            }
        }
    }
}

#[inline(always)]
fn show_bytes<S: Simd>(simd: S, bytes: &Bytes, column: &mut Column) {
    for group in 0..GROUPS {
        show_group(bytes.load(simd, group), column, group);
    }
}

#[inline(always)]
fn show_group<S: Simd>(bytes: u8x64<S>, column: &mut Column, group: usize) {
    for (half, numbers) in halves(bytes).into_iter().enumerate() {
        let [low, high] = floats(numbers);
        store(column, 4 * group + 2 * half, low);
        store(column, 4 * group + 2 * half + 1, high);
    }
}

#[inline(always)]
fn show_halves<S: Simd>(simd: S, halves: &Halves, column: &mut Column) {
    for half in 0..2 * GROUPS {
        let [low, high] = floats(halves.load(simd, half));
        store(column, 2 * half, low);
        store(column, 2 * half + 1, high);
    }
}

/// Adds the upper 16 bits of numbers.
#[inline(always)]
fn add_high<S: Simd>(simd: S, high: &Halves, column: &mut Column) {
    for half in 0..2 * GROUPS {
        for (part, high) in floats(high.load(simd, half)).into_iter().enumerate() {
            let block = 2 * half + part;
            let low = load(simd, column, block);
            store(column, block, low + high * 65536.0);
        }
    }
}
