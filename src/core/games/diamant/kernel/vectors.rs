//! Small numbers for many lanes, and the arithmetic of sharing.
//!
//! A lane's numbers are kept as narrow as they are: the narrower, the more lanes fit one vector.
//! Lanes come in groups of 64, one vector of bytes. Nothing here knows the game.

use crate::formula::program::{Column, LANES};
use fearless_simd::{Bytes as _, f32x16, mask8x64, u8x64, u16x32, u32x16};
use fearless_simd::{Simd, prelude::*};

/// Lanes in a group.
pub const GROUP: usize = 64;
pub const GROUPS: usize = LANES / GROUP;

/// A small number for each lane.
pub type Bytes = Column<u8>;
/// A number below 2¹⁶ for each lane.
pub type Halves = Column<u16>;
/// A 32-bit word for each lane, in the order of [`word`].
pub type Words = Column<u32>;

/// Position of the word of `lane` in [`Words`].
///
/// A vector of sixteen words has every fourth lane of its group, so that bytes computed for the
/// four vectors of a group interleave, by shifts alone, into one vector of bytes in order.
#[inline(always)]
pub const fn word(lane: usize) -> usize {
    (lane & !63) | (lane & 3) << 4 | (lane >> 2 & 15)
}

impl Bytes {
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

    /// Replaces the numbers of a group `here`.
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, simd: S, group: usize, here: mask8x64<S>, numbers: u8x64<S>) {
        self.store(group, here.select(numbers, self.load(simd, group)));
    }
}

impl Halves {
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
    /// The words of sixteen lanes.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, sixteen: usize) -> u32x16<S> {
        u32x16::load_array_ref(simd, &self.0.as_chunks::<16>().0[sixteen])
    }

    /// Replaces the words of sixteen lanes.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, sixteen: usize, words: u32x16<S>) {
        words.store_array(&mut self.0.as_chunks_mut::<16>().0[sixteen]);
    }
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

/// Counts the lowest `BITS` bits (0: all 8); the others must be 0.
#[inline(always)]
pub fn count_bits<S: Simd, const BITS: usize>(simd: S, bytes: u8x64<S>) -> u8x64<S> {
    const COUNTS: [u8; GROUP] = {
        let mut counts = [0; GROUP];
        let mut at = 0;
        while at < GROUP {
            counts[at] = (at % 16).count_ones() as u8;
            at += 1;
        }
        counts
    };
    if BITS >= 1 && BITS <= 4 {
        u8x64::load_array(simd, COUNTS).swizzle_dyn_within_blocks(bytes)
    } else {
        bytes.count_ones()
    }
}

/// The upper halves of the products.
#[inline(always)]
pub fn multiply_high<S: Simd>(a: u16x32<S>, b: u16x32<S>) -> u16x32<S> {
    let (low, high) = a.widening_mul(b);
    let (low, high): (u16x32<S>, u16x32<S>) = (low.bitcast(), high.bitcast());
    low.unzip_high(high)
}

/// Divides numbers up to 8190 by 1 to 8: quotients and remainders. For a divisor of 0, the
/// remainder is the number itself and the quotient is unspecified.
#[inline(always)]
pub fn divide<S: Simd>(
    simd: S,
    mut numbers: [u16x32<S>; 2],
    among: u8x64<S>,
) -> ([u16x32<S>; 2], [u16x32<S>; 2]) {
    let table = u8x64::load_array(simd, INVERSES);
    let among = halves(among);
    let one = u16x32::splat(simd, 1);
    let mut quotients = numbers;
    for half in 0..2 {
        let index = (among[half] & u16x32::splat(simd, 7)) * u16x32::splat(simd, 0x0202)
            + u16x32::splat(simd, 0x0100);
        let inverse: u16x32<S> = table
            .swizzle_dyn_within_blocks(index.bitcast::<u8x64<S>>())
            .bitcast();
        quotients[half] = multiply_high(numbers[half] + one, inverse);
        numbers[half] -= quotients[half] * among[half];
    }
    (quotients, numbers)
}

/// In each block, by `n & 7` for n from 1 to 8, the two bytes of ⌊65535 / n⌋.
const INVERSES: [u8; GROUP] = {
    let mut table = [0; GROUP];
    let mut at = 0;
    while at < GROUP {
        let n = at % 16 / 2;
        let inverse = 65535u16 / if n == 0 { 8 } else { n as u16 };
        table[at] = (inverse >> (8 * (at % 2))) as u8;
        at += 1;
    }
    table
};

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamant/kernel/vectors.rs"]
mod tests;
