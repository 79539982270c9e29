//! Tables of exact counts that a game records beside its outcomes, and how to read them.

use super::Layout;
use crate::statistics::quantile;

/// The shape of a table of exact counts of events: `rows × columns`, one row after the other.
#[derive(Debug, Clone)]
pub struct CountTable {
    pub rows: usize,
    pub columns: usize,
}

impl CountTable {
    /// Tables of (position, rows, columns); each position must be the index in the list.
    pub fn list<const TABLES: usize>(shapes: [(usize, usize, usize); TABLES]) -> Vec<CountTable> {
        let mut tables = Vec::with_capacity(TABLES);
        for (position, rows, columns) in shapes {
            assert_eq!(position, tables.len(), "tables are listed in their order");
            tables.push(CountTable { rows, columns });
        }
        tables
    }

    pub fn size(&self) -> usize {
        self.rows * self.columns
    }
}

/// The table of counts with the lengths of games, one row per length.
#[derive(Debug, Clone)]
pub struct LengthTable {
    pub table: usize,
    /// Length that row 0 stands for.
    pub first: usize,
    /// The columns that add up to the number of games of that length.
    pub columns: usize,
    /// The metric of the mean length, and the unit of a length.
    pub mean: &'static str,
    pub unit: &'static str,
}

/// The counts of a tally, table by table.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    pub layout: &'a Layout,
    pub counts: &'a [u64],
    pub games: u64,
}

impl Counted<'_> {
    pub fn at(&self, table: usize, row: usize, column: usize) -> u64 {
        self.counts[self.layout.count(table, row, column)]
    }

    /// The median length: half of the games do not exceed it.
    pub fn median_length(&self, lengths: &LengthTable) -> usize {
        let table = lengths.table;
        let games = |row| (0..lengths.columns).map(|at| self.at(table, row, at)).sum();
        let games: Vec<u64> = (0..self.layout.counts[table].rows).map(games).collect();
        lengths.first + quantile(&games, 0.5)
    }

    /// Number of rows up to the last nonzero one.
    pub fn rows(&self, table: usize) -> usize {
        let shape = &self.layout.counts[table];
        let columns = 0..shape.columns;
        let holds = |row: &usize| columns.clone().any(|at| self.at(table, *row, at) > 0);
        (0..shape.rows).rfind(holds).map_or(0, |last| last + 1)
    }

    /// The rows of a sheet with one for each thing and seat, thing by thing.
    pub fn by_seat(&self, things: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let seats = self.layout.seats;
        (0..things).flat_map(move |thing| (0..seats).map(move |seat| (thing, seat)))
    }

    pub fn per_game(&self, sum: u64) -> f64 {
        sum as f64 / self.games.max(1) as f64
    }

    pub fn seats(&self) -> usize {
        self.layout.seats
    }
}
