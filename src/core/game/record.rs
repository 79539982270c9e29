//! The buffer that a chunk of games is recorded in.

use super::Layout;
use super::counts::CountTable;
use fearless_simd::Level;

/// Games of a block.
const BLOCK: usize = 16;

/// The outcomes of a chunk of games; the buffer is reused.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    games: usize,
    /// Blocks of a column.
    stride: usize,
    columns: Vec<[i32; BLOCK]>,
    /// The counts of all tables of the layout, concatenated and summed over the chunk.
    pub counts: Vec<u64>,
}

impl Record {
    pub fn new(layout: &Layout, games: usize) -> Self {
        // Columns a multiple of the page size apart would share their cache sets.
        let stride = games.div_ceil(BLOCK) + 1;
        Record {
            games,
            stride,
            columns: vec![[0; BLOCK]; stride * layout.columns()],
            counts: vec![0; layout.counts.iter().map(CountTable::size).sum()],
        }
    }

    /// Whether it has the columns and counts of this layout, and room for `games` games.
    pub fn fits(&self, layout: &Layout, games: usize) -> bool {
        let counts: usize = layout.counts.iter().map(CountTable::size).sum();
        let columns = self.stride * layout.columns();
        games <= self.most() && self.columns.len() == columns && self.counts.len() == counts
    }

    /// Empties the buffer for a chunk of `games` games, no more than it was made for.
    pub fn clear(&mut self, games: usize) {
        assert!(
            games <= self.most(),
            "a record is never larger than it was made"
        );
        self.games = games;
        self.counts.fill(0);
    }

    pub fn games(&self) -> usize {
        self.games
    }

    /// The most games that it can hold.
    fn most(&self) -> usize {
        (self.stride - 1) * BLOCK
    }

    /// The outcomes of a column, one per game.
    pub fn column(&self, column: usize) -> &[i32] {
        &self.columns[column * self.stride..].as_flattened()[..self.games]
    }

    /// All columns, for writing; only the first [`Self::games`] numbers of each are used.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut [i32]> {
        let columns = self.columns.chunks_exact_mut(self.stride);
        columns.map(<[_]>::as_flattened_mut)
    }

    /// The outcomes of 16 games from game `from`, a multiple of 16; entries after the last game are
    /// unspecified.
    #[inline(always)]
    pub fn block(&self, column: usize, from: usize) -> &[i32; BLOCK] {
        &self.columns[column * self.stride + from / BLOCK]
    }

    /// As [`Self::block`], for writing.
    #[inline(always)]
    pub fn block_mut(&mut self, column: usize, from: usize) -> &mut [i32; BLOCK] {
        &mut self.columns[column * self.stride + from / BLOCK]
    }

    /// Writes the outcome of game `game` (from 0 within the chunk).
    #[inline(always)]
    pub fn set(&mut self, column: usize, game: usize, value: i32) {
        self.columns[column * self.stride + game / BLOCK][game % BLOCK] = value;
    }

    /// Copies the first outcomes of each seat, as many as this record has, from `other`, a record
    /// of the same games with layout `layout`.
    pub fn ends_of(&mut self, layout: &Layout, other: &Record) {
        let outcomes = self.columns.len() / self.stride / layout.seats;
        for seat in 0..layout.seats {
            for outcome in 0..outcomes {
                let from = other.column(layout.seat_column(seat, outcome));
                let to = (seat * outcomes + outcome) * self.stride;
                self.columns[to..].as_flattened_mut()[..from.len()].copy_from_slice(from);
            }
        }
    }

    /// Whether a game has the outcomes of `other`, a record of the same layout.
    pub fn ends_as(&self, other: &Record, game: usize) -> bool {
        let columns = self.columns.len() / self.stride;
        (0..columns).all(|column| self.column(column)[game] == other.column(column)[game])
    }

    /// Copies the only game of `other`, a record of the same layout, to game `game`.
    pub fn put(&mut self, game: usize, other: &Record) {
        for (own, other) in (self.columns_mut()).zip(other.columns.chunks_exact(other.stride)) {
            own[game] = other[0][0];
        }
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            *own += other;
        }
    }

    /// Writes outcomes of game `game` into consecutive columns from `first` on.
    pub fn set_all(&mut self, first: usize, game: usize, outcomes: &[i32]) {
        for (column, value) in (first..).zip(outcomes) {
            self.set(column, game, *value);
        }
    }
}

/// A table that can play games.
pub trait Play: Send + Sync {
    fn layout(&self) -> &Layout;

    /// The cost of a game, in games of ordinary bots.
    fn cost(&self) -> u64 {
        1
    }

    /// Why the games played are invalid: a seat's program failed, or a measure is unfit.
    fn failure(&self) -> Option<String> {
        self.layout().unfit_measure()
    }

    /// Plays games `first .. first + record.games()` of `seed` into `record`, which must have
    /// been made for this layout. Game `i` is the same game whatever the chunk, the vector level
    /// and the thread. Allocates nothing per game, unless seats think.
    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record);
}
