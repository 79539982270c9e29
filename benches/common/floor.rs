//! The least that any simulator of Diamant must do: Fisher–Yates draws from a deck of bytes with
//! carat's generator, as many cards as the games drew.

use carat_core::game::Record;
use rand::Rng;
use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;

/// How many cards each expedition of the record revealed.
pub fn expedition_lengths(record: &Record) -> Vec<usize> {
    // The first table of counts: by number of cards, expeditions that ended there.
    let ended = record.counts[..65 * 2]
        .chunks_exact(2)
        .map(|row| row[0] as usize);
    ended
        .enumerate()
        .flat_map(|(cards, times)| std::iter::repeat_n(cards, times))
        .collect()
}

/// Draws for expeditions of these lengths.
pub fn draw_only(lengths: &[usize]) {
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(1);
    let mut deck: [u8; 35] = std::array::from_fn(|card| card as u8);
    for &cards in lengths {
        for drawn in 0..cards {
            let left = (deck.len() - drawn) as u64;
            let chosen = drawn + ((u64::from(rng.next_u32()) * left) >> 32) as usize;
            deck.swap(drawn, chosen);
        }
        black_box(&deck);
    }
}
