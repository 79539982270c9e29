//! Drawing a card in many games at once, as [`deck`](crate::games::diamant::deck) does in one.
//!
//! A set of cards is one byte for every eight cards of the box.

use super::lanes::{Lanes, MISSED};
use super::prepared::{HOUSE, Kernel};
use super::vectors::Words;
use crate::games::diamant::deck::VALUES;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, u8x64, u32x16};

impl Kernel {
    /// Draws a card in every lane where an explorer goes on, with one random number, as the referee
    /// does. A lane in which both tries fail waits for the next step.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn draw<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let multiplier = u32x16::splat(simd, self.pointer.multiplier);
        let shift = u32x16::splat(simd, self.pointer.shift);
        let low15 = u32x16::splat(simd, VALUES - 1);
        let mut first = u32x16::splat(simd, 0);
        let mut second = first;
        for part in (0..4).rev() {
            let number = next_u32(simd, &mut lanes.rng, 4 * group + part);
            first = (first << 8) | (((number >> 17) * multiplier) >> shift);
            second = (second << 8) | (((number & low15) * multiplier) >> shift);
        }
        let first: u8x64<S> = first.bitcast();
        let second: u8x64<S> = second.bitcast();

        let none = u8x64::splat(simd, 0);
        let barred = self.barred::<S, SEATS>(simd, lanes, group);
        let mut near_first = none;
        let mut near_second = none;
        for (plane, deck) in lanes.deck[..self.planes].iter().enumerate() {
            let mut deck = deck.load(simd, group);
            if SEATS == HOUSE {
                deck &= !barred[plane];
            }
            let here = u8x64::splat(simd, plane as u8);
            near_first = (first >> 3).simd_eq(here).select(deck, near_first);
            near_second = (second >> 3).simd_eq(here).select(deck, near_second);
        }
        let missed = u8x64::splat(simd, MISSED);
        let found = (near_second & bit_of(simd, second)).simd_ne(none);
        let otherwise = found.select(second, missed);
        let found = (near_first & bit_of(simd, first)).simd_ne(none);
        let card = found.select(first, otherwise);
        let mut going_on = self.going_on(simd, lanes, group).simd_ne(none);
        if lanes.start.is_some() {
            going_on &= lanes.fresh.load(simd, group).simd_eq(none);
        }
        let card = going_on.select(card, missed);
        let bit = bit_of(simd, card);
        for (plane, deck) in lanes.deck[..self.planes].iter_mut().enumerate() {
            let here = (card >> 3).simd_eq(u8x64::splat(simd, plane as u8));
            let left = deck.load(simd, group) & !here.select(bit, none);
            deck.store(group, left);
        }
        lanes.card.store(group, card);
        if self.runs_out {
            let mut cards = none;
            for (plane, deck) in lanes.deck[..self.planes].iter().enumerate() {
                cards |= deck.load(simd, group) & !barred[plane];
            }
            let stuck = going_on & !is_card(simd, card) & cards.simd_eq(none);
            let all = u8x64::splat(simd, u8::MAX);
            lanes.forced.store(group, stuck.select(all, none));
        }
    }
}

#[inline(always)]
pub fn is_card<S: Simd>(simd: S, card: u8x64<S>) -> mask8x64<S> {
    card.simd_lt(u8x64::splat(simd, MISSED))
}

/// The bit of a card in its byte of a set of cards.
#[inline(always)]
pub fn bit_of<S: Simd>(simd: S, card: u8x64<S>) -> u8x64<S> {
    const BITS: [u8; 64] = {
        let mut bits = [0; 64];
        let mut at = 0;
        while at < 64 {
            bits[at] = 1 << (at % 8);
            at += 1;
        }
        bits
    };
    u8x64::load_array(simd, BITS).swizzle_dyn_within_blocks(card & u8x64::splat(simd, 7))
}

/// One output of xoshiro128++ for sixteen lanes.
#[inline(always)]
fn next_u32<S: Simd>(simd: S, rng: &mut [Words; 4], sixteen: usize) -> u32x16<S> {
    let mut s0 = rng[0].load(simd, sixteen);
    let mut s1 = rng[1].load(simd, sixteen);
    let mut s2 = rng[2].load(simd, sixteen);
    let mut s3 = rng[3].load(simd, sixteen);
    let sum = s0 + s3;
    let number = ((sum << 7) | (sum >> 25)) + s0;
    let t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >> 21);
    rng[0].store(sixteen, s0);
    rng[1].store(sixteen, s1);
    rng[2].store(sixteen, s2);
    rng[3].store(sixteen, s3);
    number
}
