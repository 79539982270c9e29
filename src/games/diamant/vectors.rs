//! Small numbers for many lanes, and the arithmetic of sharing.
//!
//! A lane's numbers are kept as narrow as they are: the narrower, the more lanes fit one vector.
//! Lanes come in groups of 64, one vector of bytes. Nothing here knows the game.

use crate::formula::program::{BLOCK, Column, LANES};
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, mask8x64, mask16x32, u8x64, u16x32, u32x16, u64x8};

/// Lanes in a group.
pub const GROUP: usize = 64;
/// Groups of lanes.
pub const GROUPS: usize = LANES / GROUP;

/// A small number for each lane.
#[repr(align(64))]
#[derive(Clone)]
pub struct Bytes(pub [u8; LANES]);

/// A number below 2¹⁶ for each lane.
#[repr(align(64))]
#[derive(Clone)]
pub struct Halves(pub [u16; LANES]);

/// A 64-bit word for each lane, in the order of [`word`].
#[repr(align(64))]
#[derive(Clone)]
pub struct Words(pub [u64; LANES]);

/// Where [`Words`] hold the word of `lane`.
///
/// A vector of eight words has one lane in each eighth of its group, so that bytes computed for
/// the eight vectors of a group interleave, by shifts alone, into one vector of bytes in order.
#[inline(always)]
pub const fn word(lane: usize) -> usize {
    WORD[lane] as usize % LANES
}

/// [`word`] of each lane: looking it up is less work than computing it.
const WORD: [u8; LANES] = {
    let mut words = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        words[lane] = ((lane & !63) | (lane & 7) << 3 | (lane >> 3 & 7)) as u8;
        lane += 1;
    }
    words
};

impl Bytes {
    /// Zero in every lane.
    pub const ZERO: Bytes = Bytes([0; LANES]);

    /// The numbers of a group.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, group: usize) -> u8x64<S> {
        u8x64::load_array_ref(simd, &self.0.as_chunks::<GROUP>().0[group])
    }

    /// Replaces the numbers of a group.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, group: usize, numbers: u8x64<S>) {
        numbers.store_array(&mut self.0.as_chunks_mut::<GROUP>().0[group]);
    }

    /// Adds to the numbers of a group.
    #[inline(always)]
    pub fn add<S: Simd>(&mut self, simd: S, group: usize, more: u8x64<S>) {
        self.store(group, self.load(simd, group) + more);
    }
}

impl Halves {
    /// Zero in every lane.
    pub const ZERO: Halves = Halves([0; LANES]);

    /// The numbers of half a group: `half` counts the halves of all groups.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, half: usize) -> u16x32<S> {
        u16x32::load_array_ref(simd, &self.0.as_chunks::<{ GROUP / 2 }>().0[half])
    }

    /// Replaces the numbers of half a group.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, half: usize, numbers: u16x32<S>) {
        numbers.store_array(&mut self.0.as_chunks_mut::<{ GROUP / 2 }>().0[half]);
    }

    /// Adds to the numbers of half a group.
    #[inline(always)]
    pub fn add<S: Simd>(&mut self, simd: S, half: usize, more: u16x32<S>) {
        self.store(half, self.load(simd, half) + more);
    }
}

impl Words {
    /// Zero in every lane.
    pub const ZERO: Words = Words([0; LANES]);

    /// The words of eight lanes.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, eight: usize) -> u64x8<S> {
        u64x8::load_array_ref(simd, &self.0.as_chunks::<8>().0[eight])
    }

    /// Replaces the words of eight lanes.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, eight: usize, words: u64x8<S>) {
        words.store_array(&mut self.0.as_chunks_mut::<8>().0[eight]);
    }
}

/// The block of a column.
#[inline(always)]
pub fn load<S: Simd>(simd: S, column: &Column, block: usize) -> f32x16<S> {
    f32x16::load_array_ref(simd, &column.0.as_chunks::<BLOCK>().0[block])
}

/// Replaces the block of a column.
#[inline(always)]
pub fn store<S: Simd>(column: &mut Column, block: usize, numbers: f32x16<S>) {
    numbers.store_array(&mut column.0.as_chunks_mut::<BLOCK>().0[block]);
}

/// The lanes of a group as a mask of bytes.
#[inline(always)]
pub fn in_bytes<S: Simd>(simd: S, truths: u64) -> mask8x64<S> {
    mask8x64::from_bitmask(simd, truths)
}

/// The lanes of half a group (0 or 1).
#[inline(always)]
pub fn in_halves<S: Simd>(simd: S, truths: u64, half: usize) -> mask16x32<S> {
    mask16x32::from_bitmask(simd, truths >> (32 * half) & 0xffff_ffff)
}

/// Where `truths` hold, `numbers`; elsewhere 0.
#[inline(always)]
pub fn only<S: Simd>(simd: S, truths: u64, numbers: u8x64<S>) -> u8x64<S> {
    in_bytes(simd, truths).select(numbers, u8x64::splat(simd, 0))
}

/// [`only`] for half a group.
#[inline(always)]
pub fn only_half<S: Simd>(simd: S, truths: u64, half: usize, numbers: u16x32<S>) -> u16x32<S> {
    in_halves(simd, truths, half).select(numbers, u16x32::splat(simd, 0))
}

/// Numbers of half a group as two blocks of floats.
#[inline(always)]
pub fn floats<S: Simd>(numbers: u16x32<S>) -> [f32x16<S>; 2] {
    let (low, high): (u32x16<S>, u32x16<S>) = numbers.widen();
    [low.to_float(), high.to_float()]
}

/// The two halves of a group of bytes.
#[inline(always)]
pub fn halves<S: Simd>(bytes: u8x64<S>) -> [u16x32<S>; 2] {
    let (low, high) = bytes.widen();
    [low, high]
}

/// Divides numbers up to 511 among 1 to 8, in whole parts: quotients and remainders. Among 0,
/// the remainder is the number itself.
#[inline(always)]
pub fn divide<S: Simd>(
    simd: S,
    mut numbers: [u16x32<S>; 2],
    among: u8x64<S>,
) -> ([u16x32<S>; 2], [u16x32<S>; 2]) {
    // ⌊256 / n⌋ − 1, which fits a byte.
    const INVERSES: [u8; 16] = [0, 255, 127, 84, 63, 50, 41, 35, 31, 0, 0, 0, 0, 0, 0, 0];
    let mut table = [0; GROUP];
    table[..16].copy_from_slice(&INVERSES);
    table[16..32].copy_from_slice(&INVERSES);
    table[32..48].copy_from_slice(&INVERSES);
    table[48..].copy_from_slice(&INVERSES);
    let inverse: u8x64<S> = u8x64::load_array(simd, table).swizzle_dyn_within_blocks(among);
    let inverse = halves(inverse);
    let among = halves(among);
    let one = u16x32::splat(simd, 1);
    let zero = u16x32::splat(simd, 0);
    let mut quotients = [zero; 2];
    for half in 0..2 {
        // The estimate is too low by at most 2.
        let mut quotient = ((numbers[half] >> 1) * (inverse[half] + one)) >> 7;
        let mut rest = numbers[half] - quotient * among[half];
        for _ in 0..2 {
            let more = rest.simd_ge(among[half]);
            quotient += more.select(one, zero);
            rest -= more.select(among[half], zero);
        }
        quotients[half] = quotient;
        numbers[half] = rest;
    }
    (quotients, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn words_of_a_group_are_a_permutation_of_its_lanes() {
        let mut seen = [false; LANES];
        for lane in 0..LANES {
            assert_eq!(word(word(lane)), lane);
            seen[word(lane)] = true;
        }
        assert!(seen.iter().all(|&lane| lane));
    }

    #[inline(always)]
    fn shares<S: Simd>(simd: S, number: u16, among: u8) -> (u16, u16) {
        let numbers = [u16x32::splat(simd, number); 2];
        let (quotients, rests) = divide(simd, numbers, u8x64::splat(simd, among));
        (quotients[1][31], rests[1][31])
    }

    #[test]
    fn division_is_exact() {
        for number in 0..512 {
            for among in 1..=8 {
                let got = dispatch!(Level::new(), simd => shares(simd, number, among));
                let n = u16::from(among);
                assert_eq!(got, (number / n, number % n), "{number} / {among}");
            }
            let (_, rest) = dispatch!(Level::new(), simd => shares(simd, number, 0));
            assert_eq!(rest, number);
        }
    }
}
