//! The features of the kernel: it fills the registers of each feature that a bot at the table uses.

use super::lanes::Lanes;
use super::prepared::{HOUSE, Kernel};
use super::vectors::{Bytes, GROUPS, Halves, count_bits, floats, halves};
use crate::formula::program::{Bounds, Column};
use crate::games::diamant::features::*;
use crate::games::diamant::rules::DiamantRules;
use crate::strategy::SEATS_MAX;
use crate::streams;
use fearless_simd::{Bytes as _, Simd, prelude::*};
use fearless_simd::{f32x16, i32x16, u8x64, u16x32, u32x16, u64x8};

// Features that are equal for all seats come first: their position is their register.
const _: () = {
    let features = VOCABULARY.features;
    let mut feature = 0;
    while feature < features.len() {
        let in_place = VOCABULARY.register(feature, 0) == feature;
        let is_sound = features[feature].per_seat || in_place;
        assert!(is_sound, "features of seats come last");
        feature += 1;
    }
};

/// The range of each feature at a table of `seats`, if it is a whole number of at most 15 bits.
/// That holds for all rubies and relics of a box, 64 cards of 255 at most; chests may hold more,
/// and are then floats, as is the rank that follows from them.
pub fn bounds(rules: &DiamantRules, seats: usize) -> Vec<Bounds> {
    let rubies = rules.rubies() as i32;
    let relics = rules.relics.iter().copied().map(i32::from).sum();
    let cards = rules.cards.len() as i32;
    let rounds = rules.rounds as i32;
    let seats = seats as i32;
    let mut bounds = vec![None; VOCABULARY.features.len()];
    for (feature, low, high) in [
        (HELD, 0, rubies),
        (LEFTOVER, 0, rubies),
        (RELICS_ON_PATH, 0, rules.relics.len() as i32),
        (RELIC_WORTH, 0, relics),
        (TRAPS_SEEN, 0, 8),
        (TREASURE_LEFT, 0, rubies),
        (CARDS_REVEALED, 0, cards),
        (CARDS_LEFT, 0, cards),
        (EXPLORERS, 0, seats),
        (PLAYERS, seats, seats),
        (ROUND, 1, rounds),
        (ROUNDS_LEFT, 0, rounds - 1),
        (JUST_LEFT, 0, seats),
    ] {
        bounds[feature] = Some((low, high));
    }
    if !rules.chests_are_wide() {
        bounds[CHEST] = Some((0, rules.score_max() as i32));
        for best in [BEST_OTHER_CHEST, BEST_INSIDE, BEST_OUTSIDE] {
            bounds[best] = bounds[CHEST];
        }
        bounds[RANK] = Some((1, seats));
    }
    bounds
}

impl Kernel {
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn fill_features<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        if SEATS == HOUSE && self.program.uses(BUST_RISK) {
            for group in 0..GROUPS {
                let danger = self.danger(simd, lanes, group);
                lanes.danger.store(group, danger);
            }
        }
        // Written out one by one, since a loop over an array takes a detour through memory.
        let wholes = &mut lanes.file.wholes;
        self.fill_halves(simd, &lanes.held, wholes, HELD);
        self.fill_halves(simd, &lanes.leftover, wholes, LEFTOVER);
        self.fill_halves(simd, &lanes.relic_worth, wholes, RELIC_WORTH);
        self.fill_halves(simd, &lanes.treasure_left, wholes, TREASURE_LEFT);
        self.fill_bytes(simd, &lanes.relics, wholes, RELICS_ON_PATH);
        self.fill_bytes(simd, &lanes.revealed, wholes, CARDS_REVEALED);
        self.fill_bytes(simd, &lanes.just_left, wholes, JUST_LEFT);
        for group in 0..GROUPS {
            if self.program.uses(TRAPS_SEEN) {
                let kinds = lanes.seen.load(simd, group).count_ones();
                fill_group(kinds, &mut wholes[TRAPS_SEEN], group);
            }
            if self.program.uses(EXPLORERS) {
                let explorers = count_bits::<S, SEATS>(simd, lanes.inside.load(simd, group));
                fill_group(explorers, &mut wholes[EXPLORERS], group);
            }
            if self.program.uses(ROUND) {
                let round = lanes.round.load(simd, group) + u8x64::splat(simd, 1);
                fill_group(round, &mut wholes[ROUND], group);
            }
            if self.program.uses(ROUNDS_LEFT) {
                let last = u8x64::splat(simd, self.rules.rounds as u8 - 1);
                let rounds_left = last - lanes.round.load(simd, group);
                fill_group(rounds_left, &mut wholes[ROUNDS_LEFT], group);
            }
            if self.sees_deck {
                let revealed = lanes.revealed.load(simd, group);
                let cards_left = lanes.deck_size.load(simd, group) - revealed;
                fill_group(cards_left, &mut wholes[CARDS_LEFT], group);
                if self.program.uses(BUST_RISK) {
                    let danger = lanes.danger.load(simd, group);
                    let column = &mut lanes.file.numbers[BUST_RISK];
                    fill_share(simd, danger, cards_left, column, group);
                }
            }
        }
        if self.sees_chests && self.wide {
            self.fill_wide_chests::<S, SEATS>(simd, lanes);
        } else if self.sees_chests {
            self.fill_chests::<S, SEATS>(simd, lanes);
            if self.program.uses(BEST_INSIDE) || self.program.uses(BEST_OUTSIDE) {
                self.fill_best::<S, SEATS>(simd, lanes);
            }
        }
        if self.program.uses(RANDOM) {
            self.fill_random::<S, SEATS>(simd, lanes);
        }
    }

    #[inline(always)]
    fn fill_halves<S: Simd>(
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
    fn fill_bytes<S: Simd>(
        &self,
        simd: S,
        shown: &Bytes,
        wholes: &mut [Column<i16>],
        feature: usize,
    ) {
        if self.program.uses(feature) {
            for group in 0..GROUPS {
                fill_group(shown.load(simd, group), &mut wholes[feature], group);
            }
        }
    }

    /// Each bot's own chest, the fullest of the others, and its rank.
    #[inline(always)]
    fn fill_chests<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let zero = u16x32::splat(simd, 0);
        let one = u16x32::splat(simd, 1);
        let (wholes, chests) = (&mut lanes.file.wholes, &lanes.chest);
        for seat in self.seats::<SEATS>() {
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
                    for other in self.seats::<SEATS>().filter(|&other| other != seat) {
                        best = best.max(chests[other].load(simd, half));
                    }
                    wholes[column(BEST_OTHER_CHEST)].store(half, best.bitcast());
                }
            }
            if self.program.uses_for_seat(RANK, seat) {
                for half in 0..2 * GROUPS {
                    let own = chests[seat].load(simd, half);
                    let mut rank = one;
                    for other in self.seats::<SEATS>() {
                        let richer = chests[other].load(simd, half).simd_gt(own);
                        rank += richer.select(one, zero);
                    }
                    wholes[column(RANK)].store(half, rank.bitcast());
                }
            }
        }
    }

    /// For each bot, the fullest chest of the others inside, and of those outside.
    #[inline(always)]
    fn fill_best<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let zero = u16x32::splat(simd, 0);
        let wholes = &mut lanes.file.wholes;
        for half in 0..2 * GROUPS {
            let inside = lanes.inside.load(simd, half / 2);
            let mut chests = [[zero; 2]; SEATS_MAX];
            for seat in self.seats::<SEATS>() {
                let here = halves(inside & u8x64::splat(simd, 1 << seat))[half % 2].simd_ne(zero);
                let chest = lanes.chest[seat].load(simd, half);
                chests[seat] = [here.select(chest, zero), here.select(zero, chest)];
            }
            for seat in self.seats::<SEATS>() {
                let mut best = [zero; 2];
                for other in self.seats::<SEATS>().filter(|&other| other != seat) {
                    best[0] = best[0].max(chests[other][0]);
                    best[1] = best[1].max(chests[other][1]);
                }
                wholes[VOCABULARY.register(BEST_INSIDE, seat)].store(half, best[0].bitcast());
                wholes[VOCABULARY.register(BEST_OUTSIDE, seat)].store(half, best[1].bitcast());
            }
        }
    }

    /// [`streams::uniform`] of [`random_counter`] for the bots that use it. Their counters differ
    /// by their seats alone.
    #[inline(always)]
    fn fill_random<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        let golden = u64x8::splat(simd, streams::GOLDEN);
        let keys = lanes.key.0.as_chunks::<8>().0;
        for group in 0..GROUPS {
            let rounds = halves(lanes.round.load(simd, group));
            let cards = halves(lanes.revealed.load(simd, group));
            for half in 0..2 {
                let decision: u16x32<S> = (rounds[half] << 7) + cards[half];
                let (low, high) = decision.widen();
                for (part, decision) in [low, high].into_iter().enumerate() {
                    let block = 4 * group + 2 * half + part;
                    let (low, high) = (decision << 3).widen();
                    let low = u64x8::load_array_ref(simd, &keys[2 * block]) + low * golden;
                    let high = u64x8::load_array_ref(simd, &keys[2 * block + 1]) + high * golden;
                    for seat in self.seats::<SEATS>() {
                        if !self.program.uses_for_seat(RANDOM, seat) {
                            continue;
                        }
                        let of_seat = streams::UNIFORM_BASE + 1 + seat as u64;
                        let of_seat = u64x8::splat(simd, of_seat.wrapping_mul(streams::GOLDEN));
                        let low = mix(simd, low + of_seat) >> 40;
                        let bits: u32x16<S> = low.narrow(mix(simd, high + of_seat) >> 40);
                        // Numbers of 24 bits, which have no sign.
                        let number: f32x16<S> = bits.bitcast::<i32x16<S>>().to_float();
                        let column = &mut lanes.file.numbers[VOCABULARY.register(RANDOM, seat)];
                        column.store(block, number * (1.0 / (1u32 << 24) as f32));
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn fill_group<S: Simd>(bytes: u8x64<S>, column: &mut Column<i16>, group: usize) {
    let [low, high] = halves(bytes);
    column.store(2 * group, low.bitcast());
    column.store(2 * group + 1, high.bitcast());
}

/// `part` as a fraction of `whole`; if that is 0, the part itself.
#[inline(always)]
fn fill_share<S: Simd>(
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
