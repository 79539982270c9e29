//! Counts of cards in one word, so that a whole stack is compared or added at once.

use crate::games::diamond_miner::cards::{CLASSES, Counts};

/// Counts in one word: eight lanes of 7 bits, lane 0 the most significant, so that words compare
/// like lists of counts.
pub type Word = u64;

const HIGH: Word = 0x8080_8080_8080_8080;
const ONES: Word = 0x0101_0101_0101_0101;

#[inline(always)]
pub const fn one(lane: usize) -> Word {
    1 << (56 - 8 * lane)
}

/// The count in lane `lane`.
#[inline(always)]
pub const fn count(word: Word, lane: usize) -> u32 {
    (word >> (56 - 8 * lane)) as u32 & 0xff
}

pub const fn pack(counts: &Counts) -> Word {
    let mut word = 0;
    let mut lane = 0;
    while lane < CLASSES {
        word += counts[lane] as Word * one(lane);
        lane += 1;
    }
    word
}

/// Whether every lane of `have` is at least that of `need`.
#[inline(always)]
pub const fn covers(have: Word, need: Word) -> bool {
    ((have | HIGH) - need) & HIGH == HIGH
}

/// The number of cards of `need` missing in `have`.
#[inline(always)]
pub const fn lacking(have: Word, need: Word) -> u32 {
    let difference = (have | HIGH) - need;
    let short = ((!difference & HIGH) >> 7) * 0xff;
    total((HIGH & short) - (difference & short))
}

/// Whether all words are the same. Compares one by one, without a branch for each: vectors of words
/// that were just written would stall.
#[inline(always)]
pub fn same<const WORDS: usize>(a: &[Word; WORDS], b: &[Word; WORDS]) -> bool {
    a.iter().zip(b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0
}

/// Lane by lane, the smaller count.
#[inline(always)]
pub const fn smaller(a: Word, b: Word) -> Word {
    let at_least = ((a | HIGH) - b) & HIGH;
    let mask = (at_least >> 7) * 0xff;
    (b & mask) | (a & !mask)
}

/// Lane by lane, the larger count.
#[inline(always)]
pub const fn larger(a: Word, b: Word) -> Word {
    a + b - smaller(a, b)
}

/// The sum of all lanes, at most 255.
#[inline(always)]
pub const fn total(word: Word) -> u32 {
    (word.wrapping_mul(ONES) >> 56) as u32
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_miner/kernel/words.rs"]
mod tests;
