//! Drawing a card: a uniform one of those that are left, from 16 random bits a try.
//!
//! A deck is a set of card indices in 64 bits. One 64-bit random number gives two tries, from
//! the upper 16 bits of its low and of its high half: 16 bits `r` point at card `r · size / 2¹⁶`
//! of all cards in the box; the try fails when that card is gone, or when `r` falls into the few
//! values that would make some cards likelier than others. The first try that succeeds is the
//! draw; when both fail, the next number is taken. The kernel does the same for many games at
//! once.

use rand::Rng;

/// Below this remainder a try of a box of `size` cards fails, so that all cards are equally likely.
#[inline(always)]
pub const fn unfair_below(size: u64) -> u64 {
    (1 << 16) % size
}

/// Draws the index of one of the cards in `deck`, which must not be empty, of a box of `size` cards.
pub fn draw(rng: &mut impl Rng, deck: u64, size: usize) -> usize {
    assert!(
        deck != 0,
        "a card can be drawn only from a deck that holds one"
    );
    let size = size as u64;
    loop {
        let number = rng.next_u64();
        for low_bit in [16, 48] {
            let product = ((number >> low_bit) & 0xffff) * size;
            let card = product >> 16;
            let fair = product & 0xffff >= unfair_below(size);
            if fair && (deck >> card) & 1 == 1 {
                return card as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams;

    /// Every 16-bit value points at a card or fails, and every card gets the same number of them.
    #[test]
    fn tries_are_exactly_uniform() {
        for size in 1..=64u64 {
            let mut hits = vec![0; size as usize];
            for r in 0..1u64 << 16 {
                let product = r * size;
                if product & 0xffff >= unfair_below(size) {
                    hits[(product >> 16) as usize] += 1;
                }
            }
            assert!(hits.iter().all(|&n| n == (1 << 16) / size), "size {size}");
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
        assert_eq!(drawn, [2, 1, 34, 27, 11, 0, 16, 23, 32, 14]);
    }
}
