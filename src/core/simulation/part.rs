//! Parts of a study: the units of work that are played at once, and saved in case of an interrupt.

use super::tally::Product;
use crate::game::Play;
use std::sync::Arc;

/// Most parts that a range of games is split into.
pub(super) const PARTS: u64 = 32;

/// Most chunks played at once.
const CHUNKS: u64 = 64;
/// Fewest games played at once, however slow they are: enough to keep all threads busy.
const FEWEST: u64 = 32;

/// A range of games of some cells: the smallest unit of work.
#[derive(Clone)]
pub struct Part<'a> {
    /// Unique name within the study.
    pub name: String,
    pub tables: Vec<&'a dyn Play>,
    /// First game number of each table.
    pub first: Vec<u64>,
    pub games: u64,
    pub seed: u64,
    pub products: Arc<[Product]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Games {
    pub seed: u64,
    /// Most games in a chunk: large enough to fill a kernel, small enough for the cache.
    pub chunk: u64,
}

/// Parts that do not depend on each other's results; later rounds may.
pub struct Round<'a> {
    pub games: Games,
    pub parts: Vec<Part<'a>>,
    /// Longer parts are split into pieces of at least this many games.
    pub least: u64,
    pub going: Going,
    pub info: RoundInfo<'a>,
}

#[derive(Clone, Copy, Default)]
pub struct RoundInfo<'a> {
    /// Prefix of the names of an experiment's parts, unique within the study.
    pub name: &'a str,
    /// The results so far in a few words; may be empty.
    pub status: &'a str,
    /// Upper bound on the games after this round, as far as known.
    pub later: u64,
}

/// A table failed: see [`Play::failure`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TableFailed(pub String);

/// Finished parts cannot be kept, or a table failed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotKept(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Why a study ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    #[error("the run was interrupted, or it played a shard")]
    Early,
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

impl Stopped {
    /// A bot that a search made cannot play.
    pub fn unplayable(why: impl std::fmt::Display) -> Stopped {
        let failed = TableFailed(format!("a bot of the search cannot play: {why}"));
        NotKept(Box::new(failed)).into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played, or enough for the goal.
    Complete,
    /// Interrupted; the sums hold the games up to the last complete part.
    Stopped,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Going {
    pub on: usize,
    pub of: usize,
    /// Their plural name: `cells`.
    pub called: &'static str,
}

impl<'a> Round<'a> {
    pub(super) fn pieces(&self) -> Vec<(usize, Part<'a>)> {
        let parts = self.parts.iter().enumerate();
        let pieces = parts.flat_map(|(at, part)| {
            let pieces = part.split(0, part.games, self.least);
            pieces.map(move |piece| (at, piece))
        });
        pieces.collect()
    }
}

impl<'a> Part<'a> {
    /// `games` of its games from game `from` on, under a name of their own.
    pub fn some(&self, from: u64, games: u64) -> Part<'a> {
        let mut some = self.clone();
        some.first.iter_mut().for_each(|first| *first += from);
        if games != self.games {
            some.games = games;
            some.name = format!("{} + {from}", self.name);
        }
        some
    }

    /// Its games `from .. end` in pieces of at least `least` games.
    pub(super) fn split(&self, from: u64, end: u64, least: u64) -> impl Iterator<Item = Part<'a>> {
        let size = (end - from).div_ceil(PARTS).max(least);
        let starts = (from..end).step_by(usize::try_from(size).unwrap_or(usize::MAX));
        starts.map(move |from| self.some(from, size.min(end - from)))
    }

    /// Why its games are invalid, if they are.
    pub fn failure(&self) -> Option<String> {
        self.tables.iter().find_map(|table| table.failure())
    }

    pub fn all_games(&self) -> u64 {
        self.games.saturating_mul(self.tables.len() as u64)
    }
}

/// The cost of a game at the most expensive of these tables.
pub fn cost(tables: &[&dyn Play]) -> u64 {
    tables.iter().map(|table| table.cost()).max().unwrap_or(1)
}

/// Most games of these tables to play at once, in chunks of at most `chunk`: few if they are slow,
/// so that an interrupt loses little.
pub fn most_games(tables: &[&dyn Play], chunk: u64) -> u64 {
    (chunk * CHUNKS / cost(tables)).max(FEWEST)
}
