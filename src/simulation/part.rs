//! Parts of a study: what is played at a time, and kept when the study is interrupted.

use super::Product;
use crate::game::Table;

/// Most parts into which a range of games is split.
const PARTS: u64 = 32;

/// Some games of some cells, the smallest piece of work that is done or not.
#[derive(Clone)]
pub struct Part<'a> {
    /// A name that no other part of the study has.
    pub name: String,
    /// The tables.
    pub tables: Vec<&'a dyn Table>,
    /// The first game of each table.
    pub first: Vec<u64>,
    /// Number of games of each.
    pub games: u64,
    /// The products that are summed.
    pub products: Vec<Product>,
}

/// Parts that do not depend on each other's results. What is played after them may.
pub struct Round<'a> {
    /// The parts.
    pub parts: Vec<Part<'a>>,
    /// How much of the study goes on.
    pub going: Going,
    /// Games that may be played after this round, at most, as far as that is known.
    pub later: u64,
    /// What is known by now, in a few words; empty where there is nothing to say.
    pub known: String,
}

/// How much of a study is still played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Going {
    /// Tables that are still played.
    pub on: usize,
    /// All tables.
    pub of: usize,
    /// What they are called: `cells`.
    pub called: &'static str,
}

impl Part<'_> {
    /// Games of all its tables together.
    pub fn all_games(&self) -> u64 {
        self.games.saturating_mul(self.tables.len() as u64)
    }
}

/// Splits games `first .. end` into parts of at least `least` games: the first game of each and how
/// many it has.
pub fn parts(first: u64, end: u64, least: u64) -> impl Iterator<Item = (u64, u64)> {
    let size = (end - first).div_ceil(PARTS).max(least);
    let starts = (first..end).step_by(usize::try_from(size).unwrap_or(usize::MAX));
    starts.map(move |from| (from, size.min(end - from)))
}
