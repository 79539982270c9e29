//! The buffer that a chunk of games is recorded in.

use super::{CountTable, Layout, OWN};
use fearless_simd::Level;

/// What was recorded of a chunk of games; a buffer that is filled again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    games: usize,
    stride: usize,
    columns: Vec<i32>,
    /// The counts of all tables of the layout, one after the other, summed over the chunk.
    pub counts: Vec<u64>,
}

impl Record {
    pub fn new(layout: &Layout, games: usize) -> Self {
        // Columns a multiple of the page size apart would share their cache sets.
        let stride = games + 16;
        Record {
            games,
            stride,
            columns: vec![0; stride * layout.columns()],
            counts: vec![0; layout.counts.iter().map(CountTable::len).sum()],
        }
    }

    /// Whether it has the columns and counts of this layout, and room for so many games.
    pub fn fits(&self, layout: &Layout, games: usize) -> bool {
        let counts: usize = layout.counts.iter().map(CountTable::len).sum();
        let columns = self.stride * layout.columns();
        games + 16 <= self.stride && self.columns.len() == columns && self.counts.len() == counts
    }

    /// Empties the buffer for a chunk of `games` games, no more than it was made for.
    pub fn clear(&mut self, games: usize) {
        assert!(
            games + 16 <= self.stride,
            "a record is never larger than it was made"
        );
        self.games = games;
        self.counts.fill(0);
    }

    pub fn games(&self) -> usize {
        self.games
    }

    /// The outcomes of a column, one a game.
    pub fn column(&self, column: usize) -> &[i32] {
        &self.columns[column * self.stride..][..self.games]
    }

    /// All columns, to be written; only the first [`Self::games`] numbers of each mean something.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut [i32]> {
        self.columns.chunks_exact_mut(self.stride)
    }

    /// The outcomes of 16 games from game `from`; those after the last game mean nothing.
    #[inline(always)]
    pub fn block(&self, column: usize, from: usize) -> &[i32; 16] {
        self.columns[column * self.stride + from..]
            .first_chunk()
            .expect("columns are at least 16 longer than the games they hold")
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn block_mut(&mut self, column: usize, from: usize) -> &mut [i32; 16] {
        self.columns[column * self.stride + from..]
            .first_chunk_mut()
            .expect("columns are at least 16 longer than the games they hold")
    }

    /// Writes the outcome of game `game` (from 0 within the chunk).
    #[inline(always)]
    pub fn set(&mut self, column: usize, game: usize, value: i32) {
        self.columns[column * self.stride + game] = value;
    }

    /// Copies wins and scores from `other`, a record of the same games by `layout`, into this one,
    /// which holds nothing else.
    pub fn ends_of(&mut self, layout: &Layout, other: &Record) {
        for seat in 0..layout.seats {
            for outcome in 0..OWN {
                let from = other.column(layout.seat_column(seat, outcome));
                let to = (seat * OWN + outcome) * self.stride;
                self.columns[to..][..from.len()].copy_from_slice(from);
            }
        }
    }

    /// Takes the only game of `other`, a record of the same layout, as game `game`.
    pub fn put(&mut self, game: usize, other: &Record) {
        let columns = self.columns.chunks_exact_mut(self.stride);
        for (own, other) in columns.zip(other.columns.chunks_exact(other.stride)) {
            own[game] = other[0];
        }
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            *own += other;
        }
    }

    /// Writes outcomes of game `game` into columns that follow each other, from column `first`.
    pub fn set_all(&mut self, first: usize, game: usize, outcomes: &[i32]) {
        for (column, value) in (first..).zip(outcomes) {
            self.set(column, game, *value);
        }
    }
}

/// What can be played, game by game.
pub trait Play: Send + Sync {
    fn layout(&self) -> &Layout;

    /// About how many games of ordinary bots one of these takes as long as.
    fn cost(&self) -> u64 {
        1
    }

    /// Why games that were played do not count: a seat's program failed, or a measure is too large.
    fn failure(&self) -> Option<String> {
        self.layout().too_large()
    }

    /// Plays games `first .. first + record.games()` of `seed` into `record`, which must have
    /// been made for this layout. Game `i` is the same game whatever the chunk, the vector level
    /// and the thread. Allocates nothing per game, unless seats think.
    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record);
}
