//! House rules that no edition has printed: the number of traps that end an expedition, dividing
//! card by card, deciding at the entrance, shuffled relics, and lost relics that use up values.
//!
//! They have a kernel of their own, [`HOUSE`], so printed rules spend no time on them.

use super::lanes::{Lanes, MISSED};
use super::lessons::Student;
use super::prepared::Kernel;
use super::vectors::{GROUPS, divide, halves};
use crate::games::diamant::deck;
use crate::games::diamant::rules::Leftovers;
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, mask8x64, prelude::*, u8x64, u16x32};

impl Kernel {
    /// Kinds of trap for which the next card would end the expedition, one bit each.
    #[inline(always)]
    pub fn deadly<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
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
