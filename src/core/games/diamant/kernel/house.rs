//! House rules that no edition has printed: the number of traps that end an expedition and the
//! first card that may, dividing card by card, deciding at the entrance, a bonus for leaving,
//! relics for the last player inside, shuffled relics, and lost relics that use up values.
//!
//! They have a kernel of their own, [`HOUSE`], so printed rules spend no time on them.

use super::lanes::{Lanes, MISSED, PLANES};
use super::lessons::Student;
use super::prepared::{HOUSE, Kernel};
use super::vectors::{Bytes, GROUP, GROUPS, Halves, divide, floats, halves};
use crate::formula::program::BLOCK;
use crate::games::diamant::bonus;
use crate::games::diamant::deck;
use crate::games::diamant::rules::Leftovers;
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, f32x16, mask8x64, prelude::*, u8x64, u16x32, u32x16};

impl Kernel {
    /// Kinds of trap for which the next card would end the expedition, one bit each.
    #[inline(always)]
    pub fn deadly<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
        let full = self.full_kinds(simd, lanes, group);
        let early = self.early(simd, lanes, group);
        early.select(u8x64::splat(simd, 0), full)
    }

    /// Lanes in which the next card cannot end the expedition.
    #[inline(always)]
    fn early<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> mask8x64<S> {
        let last = u8x64::splat(simd, self.rules.traps_end_from as u8 - 1);
        lanes.revealed.load(simd, group).simd_lt(last)
    }

    /// Cards that cannot come next, as byte sets, because they would end the expedition too early.
    #[inline(always)]
    pub fn barred<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &Lanes,
        group: usize,
    ) -> [u8x64<S>; PLANES] {
        let none = u8x64::splat(simd, 0);
        let mut barred = [none; PLANES];
        if SEATS != HOUSE || self.rules.traps_end_from == 1 {
            return barred;
        }
        let early = self.early(simd, lanes, group);
        let full = early.select(self.full_kinds(simd, lanes, group), none);
        for (bit, cards) in self.kinds.iter().enumerate() {
            let this = (full & u8x64::splat(simd, 1 << bit)).simd_ne(none);
            for (barred, cards) in barred.iter_mut().zip(cards) {
                *barred |= this.select(u8x64::splat(simd, *cards), none);
            }
        }
        barred
    }

    /// Rubies from the bank for each of `leavers`, who leave now.
    #[inline(always)]
    pub fn bonus<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        leavers: u8x64<S>,
    ) -> [u16x32<S>; 2] {
        let mut bonus = [u16x32::splat(simd, 0); 2];
        let Some(program) = &self.bonus else {
            return bonus;
        };
        let held = if self.after {
            &lanes.held_before
        } else {
            &lanes.held
        };
        let path = |rubies: &Halves| [0, 1].map(|side| rubies.load(simd, 2 * group + side));
        let byte = |bytes: &Bytes| halves(bytes.load(simd, group));
        let round = lanes.round.load(simd, group) + u8x64::splat(simd, 1);
        let numbers = &mut lanes.bonus.numbers;
        for (feature, values) in [
            (bonus::LEAVERS, halves(leavers.count_ones())),
            (
                bonus::EXPLORERS,
                halves(lanes.inside.load(simd, group).count_ones()),
            ),
            (bonus::HELD, path(held)),
            (bonus::LEFTOVER, path(&lanes.leftover)),
            (bonus::RELICS_ON_PATH, byte(&lanes.relics)),
            (
                bonus::TRAPS_SEEN,
                halves(lanes.seen.load(simd, group).count_ones()),
            ),
            (bonus::CARDS_REVEALED, byte(&lanes.revealed)),
            (bonus::ROUND, halves(round)),
        ] {
            for side in 0..2 {
                let [low, high] = floats(values[side]);
                numbers[feature].store(2 * side, low);
                numbers[feature].store(2 * side + 1, high);
            }
        }
        program.run(simd, &mut lanes.bonus, GROUP / BLOCK);
        let answers = &lanes.bonus.numbers[program.output(0)];
        let most = f32x16::splat(simd, bonus::MAX as f32);
        let zero = f32x16::splat(simd, 0.0);
        for (side, bonus) in bonus.iter_mut().enumerate() {
            let [low, high] = [0, 1].map(|part| -> u32x16<S> {
                let rubies = answers.load(simd, 2 * side + part);
                rubies.simd_gt(zero).select(rubies, zero).min(most).to_int()
            });
            *bonus = low.narrow(high);
        }
        bonus
    }

    /// Kinds of trap of which all but one that end an expedition lie on the path, one bit each.
    #[inline(always)]
    fn full_kinds<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
        match self.rules.traps_to_end {
            1 => u8x64::splat(simd, u8::MAX),
            2 => lanes.seen.load(simd, group),
            3 => lanes.seen_again[0].load(simd, group),
            _ => lanes.seen_again[1].load(simd, group),
        }
    }

    /// Cards of the deck that would end the expedition.
    #[inline(always)]
    pub fn danger<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
        let none = u8x64::splat(simd, 0);
        let deadly = self.deadly(simd, lanes, group);
        let mut danger = none;
        for (bit, cards) in self.kinds.iter().enumerate() {
            let mut copies = none;
            for (deck, cards) in lanes.deck[..self.planes].iter().zip(cards) {
                let here = deck.load(simd, group) & u8x64::splat(simd, *cards);
                copies += here.count_ones();
            }
            let this = (deadly & u8x64::splat(simd, 1 << bit)).simd_ne(none);
            danger += this.select(copies, none);
        }
        danger
    }

    /// Updates the path after a card: a trap of this `kind`, or a treasure that left `rest`.
    #[inline(always)]
    pub fn note_house<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        kind: u8x64<S>,
        rest: [u16x32<S>; 2],
    ) {
        let seen = lanes.seen.load(simd, group);
        let twice = lanes.seen_again[0].load(simd, group);
        let thrice = lanes.seen_again[1].load(simd, group);
        lanes.seen_again[0].store(group, twice | kind & seen);
        lanes.seen_again[1].store(group, thrice | kind & twice);
        if self.rules.leftovers == Leftovers::PerCard {
            let one = u8x64::splat(simd, 1);
            let rest: u8x64<S> = rest[0].narrow(rest[1]);
            for (cards, left) in lanes.rests.iter_mut().zip(1..) {
                let here = rest.simd_eq(u8x64::splat(simd, left));
                cards.add(simd, group, here.select(one, u8x64::splat(simd, 0)));
            }
        }
    }

    /// Divides the rubies on the path among `count` leavers, card by card.
    #[inline(always)]
    pub fn divide_cards<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        count: u8x64<S>,
    ) -> ([u16x32<S>; 2], [u16x32<S>; 2]) {
        let none = u8x64::splat(simd, 0);
        let mut shares = [u16x32::splat(simd, 0); 2];
        let mut rests = shares;
        for value in 1..SEATS_MAX {
            let cards = lanes.rests[value - 1].load(simd, group);
            lanes.rests[value - 1].store(group, none);
            let (share, rest) = divide(simd, [u16x32::splat(simd, value as u16); 2], count);
            let left: u8x64<S> = rest[0].narrow(rest[1]);
            for rubies in 1..=value {
                let here = left.simd_eq(u8x64::splat(simd, rubies as u8));
                lanes.rests[rubies - 1].add(simd, group, here.select(cards, none));
            }
            let cards = halves(cards);
            for side in 0..2 {
                shares[side] += cards[side] * share[side];
                rests[side] += cards[side] * rest[side];
            }
        }
        (shares, rests)
    }

    /// The relic value on `card` if it was assigned at random; otherwise `face`.
    #[inline(always)]
    pub fn dealt<S: Simd>(
        &self,
        simd: S,
        lanes: &Lanes,
        group: usize,
        card: u8x64<S>,
        mut face: u8x64<S>,
    ) -> u8x64<S> {
        if self.rules.shuffles_relics() {
            let places = lanes.dealt.iter().take(self.rules.relics.len());
            for (values, place) in places.zip(self.first_relic..) {
                let here = card.simd_eq(u8x64::splat(simd, place));
                face = here.select(values.load(simd, group), face);
            }
        }
        face
    }

    /// Deals the relics of the game that begins in a lane; relics known from a position stay.
    #[inline(always)]
    pub fn deal(&self, lanes: &mut Lanes, lane: usize) {
        if !self.rules.shuffles_relics() {
            return;
        }
        let mut relics = [None; 64];
        if let Some(start) = &lanes.start {
            let known = &start.position.relics;
            relics[..known.len()].copy_from_slice(known);
        }
        let relics = &mut relics[..self.rules.relics.len()];
        deck::deal_relics(lanes.key.0[lane], relics);
        for (values, relic) in lanes.dealt.iter_mut().zip(relics.iter().flatten()) {
            values.0[lane] = self.rules.relics[usize::from(*relic)];
        }
    }

    /// Clears the path where expeditions begin.
    #[inline(always)]
    pub fn enter_house<S: Simd>(&self, simd: S, lanes: &mut Lanes, group: usize, new: mask8x64<S>) {
        let none = u8x64::splat(simd, 0);
        for bytes in lanes.seen_again.iter_mut().chain(&mut lanes.rests) {
            bytes.set(simd, group, new, none);
        }
        if self.rules.decides_at_entrance() {
            lanes.fresh.set(simd, group, new, u8x64::splat(simd, 1));
        }
    }

    /// Everyone who has just entered the cave decides before any card.
    #[inline(always)]
    pub fn decide_at_entrance<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        student: &mut Option<&mut Student>,
    ) {
        if !self.rules.decides_at_entrance() {
            return;
        }
        // In all other lanes no decision is due.
        for group in 0..GROUPS {
            lanes.card.store(group, u8x64::splat(simd, MISSED));
            lanes.forced.store(group, u8x64::splat(simd, 0));
        }
        self.decide::<S, SEATS>(simd, lanes, student);
    }
}
