//! What the lanes show to the bots: the registers of features, each filled only when some bot
//! at the table looks at it.

use super::features::*;
use super::kernel::Kernel;
use super::lanes::Lanes;
use super::vectors::{Bytes, GROUPS, Halves, count_bits, floats, halves};
use crate::formula::program::Column;
use crate::streams;
use fearless_simd::{Bytes as _, Simd, prelude::*};
use fearless_simd::{f32x16, u8x64, u16x32, u32x16, u64x8};

impl Kernel {
    /// Fills the registers of the features.
    #[inline(always)]
    pub(super) fn show<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        // One after the other, since an array that is gone through takes a detour through memory.
        let wholes = &mut lanes.file.wholes;
        self.show_halves(simd, &lanes.held, wholes, HELD);
        self.show_halves(simd, &lanes.leftover, wholes, LEFTOVER);
        self.show_halves(simd, &lanes.relic_worth, wholes, RELIC_WORTH);
        self.show_halves(simd, &lanes.treasure_left, wholes, TREASURE_LEFT);
        self.show_bytes(simd, &lanes.relics, wholes, RELICS_ON_PATH);
        self.show_bytes(simd, &lanes.revealed, wholes, CARDS_REVEALED);
        self.show_bytes(simd, &lanes.just_left, wholes, JUST_LEFT);
        for group in 0..GROUPS {
            if self.program.uses(TRAPS_SEEN) {
                let kinds = lanes.seen.load(simd, group).count_ones();
                show_group(kinds, &mut wholes[TRAPS_SEEN], group);
            }
            if self.program.uses(EXPLORERS) {
                let explorers = count_bits::<S, SEATS>(simd, lanes.inside.load(simd, group));
                show_group(explorers, &mut wholes[EXPLORERS], group);
            }
            if self.program.uses(ROUND) {
                let round = lanes.round.load(simd, group) + u8x64::splat(simd, 1);
                show_group(round, &mut wholes[ROUND], group);
            }
            if self.program.uses(ROUNDS_LEFT) {
                let last = u8x64::splat(simd, self.rounds as u8 - 1);
                let rounds_left = last - lanes.round.load(simd, group);
                show_group(rounds_left, &mut wholes[ROUNDS_LEFT], group);
            }
            if self.sees_deck {
                let revealed = lanes.revealed.load(simd, group);
                let cards_left = lanes.deck_size.load(simd, group) - revealed;
                show_group(cards_left, &mut wholes[CARDS_LEFT], group);
                if self.sees_bust_risk {
                    let danger = lanes.danger.load(simd, group);
                    let column = &mut lanes.file.numbers[BUST_RISK];
                    show_share(simd, danger, cards_left, column, group);
                }
            }
        }
        if self.sees_chests && self.wide {
            self.show_wide_chests::<S, SEATS>(simd, lanes);
        } else if self.sees_chests {
            self.show_chests::<S, SEATS>(simd, lanes);
        }
        for seat in 0..SEATS {
            if self.program.uses_for_seat(RANDOM, seat) {
                self.show_random(simd, lanes, seat);
            }
        }
    }

    #[inline(always)]
    fn show_halves<S: Simd>(
        &self,
        simd: S,
        shown: &Halves,
        wholes: &mut [Column<i16>],
        feature: usize,
    ) {
        if self.program.uses(feature) {
            for half in 0..2 * GROUPS {
                wholes[feature].store(half, shown.load(simd, half).bitcast());
            }
        }
    }

    #[inline(always)]
    fn show_bytes<S: Simd>(
        &self,
        simd: S,
        shown: &Bytes,
        wholes: &mut [Column<i16>],
        feature: usize,
    ) {
        if self.program.uses(feature) {
            for group in 0..GROUPS {
                show_group(shown.load(simd, group), &mut wholes[feature], group);
            }
        }
    }

    /// To each bot its own chest, the fullest other, and its rank.
    #[inline(always)]
    fn show_chests<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let zero = u16x32::splat(simd, 0);
        let one = u16x32::splat(simd, 1);
        let (wholes, chests) = (&mut lanes.file.wholes, &lanes.chest);
        for seat in 0..SEATS {
            let column = |feature| VOCABULARY.register(feature, seat);
            if self.program.uses_for_seat(CHEST, seat) {
                for half in 0..2 * GROUPS {
                    let own = chests[seat].load(simd, half);
                    wholes[column(CHEST)].store(half, own.bitcast());
                }
            }
            if self.program.uses_for_seat(BEST_OTHER_CHEST, seat) {
                for half in 0..2 * GROUPS {
                    let mut best = zero;
                    for other in (0..SEATS).filter(|&other| other != seat) {
                        best = best.max(chests[other].load(simd, half));
                    }
                    wholes[column(BEST_OTHER_CHEST)].store(half, best.bitcast());
                }
            }
            if self.program.uses_for_seat(RANK, seat) {
                for half in 0..2 * GROUPS {
                    let own = chests[seat].load(simd, half);
                    let mut rank = one;
                    for other in 0..SEATS {
                        let richer = chests[other].load(simd, half).simd_gt(own);
                        rank += richer.select(one, zero);
                    }
                    wholes[column(RANK)].store(half, rank.bitcast());
                }
            }
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
                    column.store(block, number * (1.0 / (1u32 << 24) as f32));
                }
            }
        }
    }
}

#[inline(always)]
fn show_group<S: Simd>(bytes: u8x64<S>, column: &mut Column<i16>, group: usize) {
    let [low, high] = halves(bytes);
    column.store(2 * group, low.bitcast());
    column.store(2 * group + 1, high.bitcast());
}

/// How much of the `whole` a `part` is; of nothing, the part itself.
#[inline(always)]
fn show_share<S: Simd>(
    simd: S,
    part: u8x64<S>,
    whole: u8x64<S>,
    column: &mut Column,
    group: usize,
) {
    let whole = halves(whole.max(u8x64::splat(simd, 1)));
    for (half, part) in halves(part).into_iter().enumerate() {
        let [low, high] = floats(part);
        let [whole_low, whole_high] = floats(whole[half]);
        column.store(4 * group + 2 * half, low / whole_low);
        column.store(4 * group + 2 * half + 1, high / whole_high);
    }
}

/// [`streams::mix`] for eight lanes.
#[inline(always)]
fn mix<S: Simd>(simd: S, mut z: u64x8<S>) -> u64x8<S> {
    z = (z ^ (z >> 30)) * u64x8::splat(simd, 0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)) * u64x8::splat(simd, 0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
