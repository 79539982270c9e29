//! Drawing a card: a uniform one of those that are left, from 15 random bits a try.
//!
//! A deck is a set of card indices in 64 bits. Every card of the box owns equally many of the
//! 2¹⁵ values of a try, in order; the few values that remain belong to no card. A try fails when
//! its value belongs to no card or to one that is gone. One random number of 32 bits gives two
//! tries, from its upper and its lower 15 bits. The first that succeeds is the draw; when both
//! fail, the next number is taken. The kernel does the same for many games at once; there a set of
//! cards is one byte for every eight cards.

use super::kernel::Kernel;
use super::lanes::Lanes;
use super::vectors::Words;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, u8x64, u32x16};
use rand::Rng;

/// In place of a card.
pub const MISSED: u8 = 64;

/// Values of a try.
const VALUES: u32 = 1 << 15;

/// Which card a try points at, in a box of some size.
#[derive(Debug, Clone, Copy)]
pub struct Pointer {
    /// Division by the values that a card owns, as a multiplication and a shift.
    pub multiplier: u32,
    /// How far to the right.
    pub shift: u32,
}

impl Pointer {
    /// For a box of `size` cards, 1 to 64.
    pub const fn new(size: usize) -> Pointer {
        let owned = VALUES / size as u32;
        // Wide enough for an exact quotient of every value below 2¹⁵, and the product has 31 bits.
        let shift = 15 + owned.next_power_of_two().trailing_zeros();
        Pointer {
            multiplier: (1u32 << shift).div_ceil(owned),
            shift,
        }
    }

    /// The card at which `value` (15 bits) points: at most 63, and not in the box when the value
    /// belongs to no card.
    pub const fn card(self, value: u32) -> u32 {
        (value * self.multiplier) >> self.shift
    }
}

/// Draws the index of one of the cards in `deck`, which must not be empty, of a box of `size` cards.
pub fn draw(rng: &mut impl Rng, deck: u64, size: usize) -> usize {
    assert!(
        deck != 0,
        "a card can be drawn only from a deck that holds one"
    );
    let pointer = Pointer::new(size);
    loop {
        let number = rng.next_u32();
        for value in [number >> 17, number & (VALUES - 1)] {
            let card = pointer.card(value);
            if (deck >> card) & 1 == 1 {
                return card as usize;
            }
        }
    }
}

impl Kernel {
    /// Draws a card in every lane where somebody goes on, with one random number, as
    /// [`draw`] does. A lane in which both tries fail waits for the next step.
    #[inline(always)]
    pub(super) fn draw<S: Simd>(&self, simd: S, lanes: &mut Lanes, group: usize) {
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
        let mut near_first = none;
        let mut near_second = none;
        for (plane, deck) in lanes.deck[..self.planes].iter().enumerate() {
            let deck = deck.load(simd, group);
            let here = u8x64::splat(simd, plane as u8);
            near_first = (first >> 3).simd_eq(here).select(deck, near_first);
            near_second = (second >> 3).simd_eq(here).select(deck, near_second);
        }
        let missed = u8x64::splat(simd, MISSED);
        let found = (near_second & bit_of(simd, second)).simd_ne(none);
        let otherwise = found.select(second, missed);
        let found = (near_first & bit_of(simd, first)).simd_ne(none);
        let card = found.select(first, otherwise);
        let going_on = self.going_on(simd, lanes, group).simd_ne(none);
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
            for deck in &lanes.deck[..self.planes] {
                cards |= deck.load(simd, group);
            }
            let stuck = going_on & !is_card(simd, card) & cards.simd_eq(none);
            let all = u8x64::splat(simd, u8::MAX);
            lanes.forced.store(group, stuck.select(all, none));
        }
    }
}

/// Where there is a card.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams;

    /// Every value belongs to a card or to none, and every card owns the same number of them.
    #[test]
    fn tries_are_exactly_uniform() {
        for size in 1..=64 {
            let mut owned = [0; 64];
            for value in 0..VALUES {
                owned[Pointer::new(size).card(value) as usize] += 1;
            }
            let each = VALUES / size as u32;
            assert!(owned[..size].iter().all(|&n| n == each), "size {size}");
        }
    }

    #[test]
    fn the_last_card_of_a_full_box_is_found() {
        let mut rng = streams::phase_rng(1, 0);
        assert_eq!(draw(&mut rng, 1 << 63, 64), 63);
        assert_eq!(draw(&mut rng, 1, 1), 0);
    }

    #[test]
    fn draws_are_stable() {
        let mut rng = streams::phase_rng(streams::game_key(1, 0), 0);
        let mut deck = (1u64 << 35) - 1;
        let drawn: Vec<usize> = (0..10)
            .map(|_| {
                let card = draw(&mut rng, deck, 35);
                deck &= !(1 << card);
                card
            })
            .collect();
        assert_eq!(drawn, [21, 26, 23, 0, 3, 8, 25, 19, 5, 33]);
    }
}
