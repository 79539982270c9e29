//! Streams of random numbers: the generators and their seeds.
//!
//! Every game owns one SplitMix64 sequence, keyed by (seed, game). Its outputs start the game's
//! generators, one xoshiro128++ for each phase (an expedition, a set-up, a turn), and are, far
//! along the same sequence, the uniform numbers that bots call `random`. So any single game can be
//! replayed from its number alone, and a bot that draws a random number never changes the cards.
//!
//! This module knows nothing of games, threads or clocks. A change here changes every published
//! result.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// The odd constant by which SplitMix64 walks, 2⁶⁴ divided by the golden ratio.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// First output of a game's sequence that serves [`uniform`]; phases use those before it.
pub const UNIFORM_BASE: u64 = 1 << 32;

/// SplitMix64's finalizer: a bijection on 64 bits with output bits that look independent.
#[inline(always)]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Output `index` (from 0) of the sequence that starts at `key`.
#[inline(always)]
pub const fn output(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN)))
}

/// The sequence that yields the keys of the games under `seed`.
#[inline(always)]
pub const fn key_sequence(seed: u64) -> u64 {
    mix(seed ^ 0x6361_7261_7400_0001)
}

/// Key of game `game` under `seed`: where its SplitMix64 sequence starts.
#[inline(always)]
pub const fn game_key(seed: u64, game: u64) -> u64 {
    output(key_sequence(seed), game)
}

/// State of the generator of one phase of a game: its first and last word are the halves of output
/// `phase`, those between are the halves of the key. A number comes from the first and the last
/// word, so even the first numbers of different phases are unrelated.
#[inline(always)]
pub const fn phase_state(key: u64, phase: u64) -> [u32; 4] {
    let own = output(key, phase);
    [
        own as u32,
        key as u32,
        (key >> 32) as u32,
        (own >> 32) as u32,
    ]
}

/// The generator of one phase of a game.
pub fn phase_rng(key: u64, phase: u64) -> Xoshiro128PlusPlus {
    let mut state = [0u8; 16];
    let words = phase_state(key, phase);
    for (word, bytes) in words.iter().zip(state.chunks_exact_mut(4)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Xoshiro128PlusPlus::from_seed(state)
}

/// A number below `limit`, uniform to within 2⁻³².
#[inline(always)]
pub fn below(rng: &mut Xoshiro128PlusPlus, limit: usize) -> usize {
    ((u64::from(rng.next_u32()) * limit as u64) >> 32) as usize
}

/// The uniform number in [0, 1) with 24 random bits for decision `counter` of a game.
#[inline(always)]
pub const fn uniform(key: u64, counter: u64) -> f32 {
    const UNIT: f32 = 1.0 / (1u32 << 24) as f32;
    (output(key, UNIFORM_BASE + counter) >> 40) as f32 * UNIT
}

/// First counter of the numbers that seats keep for a whole game, far from those of any decision.
const TEMPER_BASE: u64 = 1 << 56;

/// The uniform number in [0, 1) that seat `seat` keeps for the whole game with this key.
#[inline(always)]
pub const fn temper(key: u64, seat: usize) -> f32 {
    uniform(key, TEMPER_BASE + seat as u64)
}

#[cfg(test)]
#[path = "../../tests/unit/core/streams.rs"]
mod tests;
