//! The registers that a program reads, as columns with a row for each choice.

use crate::formula::program::{BLOCK, Column};
use crate::games::diamond_cave::features::VOCABULARY;

/// How many features there are.
pub const FEATURES: usize = VOCABULARY.features.len();

/// What the rows show to a program.
pub struct Shown<'a> {
    /// One bit for each feature that the program reads.
    pub reads: u64,
    /// The registers of the features.
    pub columns: &'a mut [Column; FEATURES],
}

impl Shown<'_> {
    /// Whether the program reads any of these features, one bit each.
    #[inline(always)]
    pub fn reads(&self, features: u64) -> bool {
        self.reads & features != 0
    }

    /// Sets the values of a feature in the rows from `row`, if the program reads it.
    #[inline(always)]
    pub fn set<const N: usize>(&mut self, feature: usize, row: usize, values: [f32; N]) {
        if self.reads(1 << feature) {
            self.columns[feature].0[row..row + N].copy_from_slice(&values);
        }
    }

    /// Gives the first `rows` rows the same value, if the program reads the feature.
    #[inline(always)]
    pub fn share(&mut self, feature: usize, rows: usize, value: f32) {
        if self.reads(1 << feature) {
            let column = &mut self.columns[feature].0;
            // Whole blocks, which is what is computed, take a few stores each.
            for block in &mut column.as_chunks_mut::<BLOCK>().0[..rows.div_ceil(BLOCK)] {
                *block = [value; BLOCK];
            }
        }
    }
}
