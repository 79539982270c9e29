//! The features that a program reads, with a row for each choice.
//!
//! Small whole numbers of a choice are bits of its word, from which whole blocks of rows are filled
//! at once. Probabilities, points, random numbers, and features shared by the choices of a decision
//! are written directly.

use crate::formula::program::{BLOCK, Column, LANES};
use crate::games::diamond_cave::features as f;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};

pub const FEATURES: usize = f::VOCABULARY.features.len();

/// The features in the word of a choice, and their number of bits.
const IN_WORD: [(usize, u32); 12] = [
    (f::PLAN, 1),
    (f::DIG, 1),
    (f::KNOWN, 1),
    (f::STRAIGHT, 1),
    (f::FRONT_DIAMOND, 1),
    (f::FRONT_BLOCKED, 1),
    (f::ROOM, 3),
    (f::DIAMOND_DISTANCE, 5),
    (f::RIM, 3),
    (f::RIVAL_DISTANCE, 5),
    (f::RIVALS_AHEAD, 2),
    (f::BLOCKS, 2),
];

/// The lowest value of the feature `rim`; a word stores it as 0.
pub const LOWEST_RIM: i8 = -1;

/// For each feature, its lowest bit in a word.
const LOWEST: [u32; FEATURES] = {
    let mut lowest = [0; FEATURES];
    let (mut at, mut next) = (0, 0);
    while at < IN_WORD.len() {
        let (feature, bits) = IN_WORD[at];
        lowest[feature] = next;
        next += bits;
        at += 1;
    }
    assert!(next < 32);
    lowest
};

#[inline(always)]
pub fn bits(feature: usize, value: impl Into<i32>) -> i32 {
    value.into() << LOWEST[feature]
}

/// The rows of several decisions, one after the other.
pub struct Shown<'a> {
    /// One bit for each feature that the program reads.
    pub reads: u64,
    /// The words of the choices.
    pub words: &'a mut [i32; LANES],
    /// The registers of the features.
    pub columns: &'a mut [Column; FEATURES],
    /// The first row of a decision. There is a block behind every row.
    pub first: usize,
}

impl Shown<'_> {
    /// Whether the program reads any of these features, one bit each.
    #[inline(always)]
    pub fn reads(&self, features: u64) -> bool {
        self.reads & features != 0
    }

    #[inline(always)]
    pub fn words(&mut self) -> &mut [i32] {
        &mut self.words[self.first..]
    }

    /// Sets a value in a row of the decision, if the program reads the feature.
    #[inline(always)]
    pub fn set(&mut self, feature: usize, row: usize, value: f32) {
        if self.reads(1 << feature) {
            self.columns[feature].0[self.first + row] = value;
        }
    }

    /// Copies the value of `row` to the `rows` rows after it, if the program reads the feature.
    #[inline(always)]
    pub fn repeat(&mut self, feature: usize, row: usize, rows: usize) {
        if self.reads(1 << feature) {
            let first = self.first + row;
            let own = &mut self.columns[feature].0[first..=first + rows];
            own.fill(own[0]);
        }
    }

    /// Gives the first `rows` rows of the decision the same value, if the program reads the
    /// feature.
    #[inline(always)]
    pub fn share(&mut self, feature: usize, rows: usize, value: f32) {
        if self.reads(1 << feature) {
            let rest = &mut self.columns[feature].0[self.first..];
            // Whole blocks take a few stores each; what comes after the rows is not filled yet.
            for block in &mut rest.as_chunks_mut::<BLOCK>().0[..rows.div_ceil(BLOCK)] {
                *block = [value; BLOCK];
            }
        }
    }

    /// Fills the first blocks with what the words hold.
    #[inline(always)]
    pub fn unpack<S: Simd>(&mut self, simd: S, blocks: usize) {
        for (feature, width) in IN_WORD {
            if !self.reads(1 << feature) {
                continue;
            }
            let mask = i32x16::splat(simd, (1 << width) - 1);
            let lowest = if feature == f::RIM { LOWEST_RIM } else { 0 };
            let lowest = i32x16::splat(simd, i32::from(lowest));
            for block in 0..blocks {
                let words = i32x16::load_array_ref(simd, &self.words.as_chunks().0[block]);
                let values = ((words >> LOWEST[feature]) & mask) + lowest;
                let values: f32x16<S> = values.to_float();
                self.columns[feature].store(block, values);
            }
        }
    }
}
