//! Parts of a study: what is played at a time, and kept when the study is interrupted.

use super::{NotKept, Product};
use crate::game::Play;
use std::sync::Arc;

/// Most parts into which a range of games is split.
const PARTS: u64 = 32;

/// Most chunks that are played at a time.
const CHUNKS: u64 = 64;
/// Games that are played at a time however long they take: enough that all threads are busy.
const FEWEST: u64 = 32;

/// Some games of some cells, the least that is done or not.
#[derive(Clone)]
pub struct Part<'a> {
    /// A name that no other part of the study has.
    pub name: String,
    pub tables: Vec<&'a dyn Play>,
    /// The first game of each table.
    pub first: Vec<u64>,
    pub games: u64,
    pub products: Arc<[Product]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Games {
    pub seed: u64,
    /// Most games in a chunk: large enough to fill a kernel, small enough for the cache.
    pub chunk: u64,
}

/// Parts that do not depend on each other's results. What is played after them may.
pub struct Round<'a> {
    pub games: Games,
    pub parts: Vec<Part<'a>>,
    /// Longer parts are split into pieces of at least this many games.
    pub least: u64,
    pub going: Going,
    pub info: RoundInfo<'a>,
}

/// What listeners and shards learn of a round.
#[derive(Clone, Copy, Default)]
pub struct RoundInfo<'a> {
    /// Begins the names of the parts of an experiment; no other experiment of the study has it.
    pub name: &'a str,
    /// What is known by now, in a few words; empty where there is nothing to say.
    pub status: &'a str,
    /// Games that may be played after this round, at most, as far as that is known.
    pub later: u64,
    /// Whether no round follows, whatever comes out of this one.
    pub last: bool,
}

/// A table could not play: its [failure](Play::failure).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TableFailed(pub String);

/// Why a study ended before it had a result.
#[derive(Debug)]
pub enum Stopped {
    /// It was told to stop, or other shards have not played their parts.
    Early,
    NotKept(NotKept),
}

impl From<NotKept> for Stopped {
    fn from(error: NotKept) -> Stopped {
        Stopped::NotKept(error)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played, or as many as were wanted.
    Complete,
    /// It was told to stop; the sums hold the games up to the last complete part.
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Going {
    pub on: usize,
    pub of: usize,
    /// What they are called: `cells`.
    pub called: &'static str,
}

impl<'a> Part<'a> {
    /// This many of its games, from its game `from` on, under a name of their own.
    pub fn some(&self, from: u64, games: u64) -> Part<'a> {
        let name = if games == self.games {
            self.name.clone()
        } else {
            format!("{} + {from}", self.name)
        };
        Part {
            name,
            first: self.first.iter().map(|first| first + from).collect(),
            games,
            ..self.clone()
        }
    }

    /// Why its games do not count, if they do not.
    pub fn failure(&self) -> Option<String> {
        self.tables.iter().find_map(|table| table.failure())
    }

    pub fn all_games(&self) -> u64 {
        self.games.saturating_mul(self.tables.len() as u64)
    }
}

/// What a game costs at the dearest of these tables.
pub fn cost(tables: &[&dyn Play]) -> u64 {
    tables.iter().map(|table| table.cost()).max().unwrap_or(1)
}

/// Most games of these tables in what is played at a time, so that a run that is interrupted loses
/// little: few where they take long, in chunks of at most `chunk`.
pub fn most_games(tables: &[&dyn Play], chunk: u64) -> u64 {
    (chunk * CHUNKS / cost(tables)).max(FEWEST)
}

/// Splits games `first .. end` into parts of at least `least` games: the first game of each and how
/// many it has.
pub(super) fn parts(first: u64, end: u64, least: u64) -> impl Iterator<Item = (u64, u64)> {
    let size = (end - first).div_ceil(PARTS).max(least);
    let starts = (first..end).step_by(usize::try_from(size).unwrap_or(usize::MAX));
    starts.map(move |from| (from, size.min(end - from)))
}
