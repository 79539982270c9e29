//! Drawing a card uniformly from the remaining ones, with 15 random bits per try.
//!
//! A deck is a set of card indices in 64 bits. Every card of the box owns equally many of the 2¹⁵
//! values of a try, in order; the few remaining values belong to no card. A try fails when its
//! value belongs to no card or to one that is gone. One random number of 32 bits gives two tries,
//! from its upper and its lower 15 bits. The first that succeeds is the draw; when both fail, the
//! next number is taken. The kernel draws the same cards for many games at once.

use crate::streams;
use rand::Rng;

/// Number of values of a try.
pub const VALUES: u32 = 1 << 15;

/// Maps a try to a card, in a box of some size.
#[derive(Debug, Clone, Copy)]
pub struct Pointer {
    /// Division by the number of values per card, as a multiplication and a shift.
    pub multiplier: u32,
    /// Right shift of the product, in bits.
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

    /// The card that `value` (15 bits) belongs to: at most 63, and not in the box if the value
    /// belongs to no card.
    pub const fn card(self, value: u32) -> u32 {
        (value * self.multiplier) >> self.shift
    }
}

/// Draws the index of one of the cards in `deck`, which must not be empty, of a box of `size`
/// cards.
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

/// Phase of the generator that deals relics; expeditions have the phases from 0.
const RELIC_PHASE: u64 = 1 << 32;

/// Deals relics to places: known ones stay, and the game's `key` draws the order of all others.
pub fn deal_relics(key: u64, relics: &mut [Option<u8>]) {
    let mut rng = streams::phase_rng(key, RELIC_PHASE);
    let all = (0..relics.len()).fold(0u64, |set, relic| set | 1 << relic);
    let known = relics.iter().flatten();
    let mut left = known.fold(all, |left, relic| left & !(1 << relic));
    for relic in relics.iter_mut().filter(|relic| relic.is_none()) {
        let next = draw(&mut rng, left, left.ilog2() as usize + 1);
        left &= !(1 << next);
        *relic = Some(next as u8);
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/deck.rs"]
mod tests;
