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
mod tests {
    use super::*;

    #[test]
    fn words_count_as_lists_do() {
        let samples: [Counts; 6] = [
            [0; 7],
            [2, 0, 0, 0, 0, 0, 0],
            [49, 19, 9, 6, 8, 8, 9],
            [0, 3, 1, 1, 0, 0, 0],
            [127, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 1, 1, 1, 1],
        ];
        for have in samples {
            for need in samples {
                let pairs = || have.iter().zip(&need);
                let (a, b) = (pack(&have), pack(&need));
                assert_eq!(covers(a, b), pairs().all(|(h, n)| h >= n));
                let lack: u32 = pairs().map(|(h, n)| u32::from(n.saturating_sub(*h))).sum();
                assert_eq!(lacking(a, b), lack, "{have:?} {need:?}");
                let least: Vec<u8> = pairs().map(|(h, n)| *h.min(n)).collect();
                let small = smaller(a, b);
                assert!((0..CLASSES).all(|c| count(small, c) == u32::from(least[c])));
                assert_eq!(a.cmp(&b), have.cmp(&need));
            }
            assert_eq!(
                total(pack(&have)),
                have.iter().map(|c| u32::from(*c)).sum::<u32>()
            );
        }
    }
}
