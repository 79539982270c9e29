//! An experiment: tables that play the same games and are compared at each look. Dropped tables get
//! no more games.

use super::paired::{Difference, Pair};
use super::part::most_games;
use super::{Games, Going, Part, Player, Product, Round, RoundInfo, Stopped, Sums, Tally};
use crate::game::{Layout, MetricRef, Play};
use crate::statistics::Estimate;
use std::ops::Range;

/// Most tables that are compared with each other game by game.
pub const GROUP: usize = 64;
/// Length of a part of all cells together, in what is played at once.
const LONG: u64 = 4;

/// Cells, each a table, and all their games so far.
pub struct Experiment<'a> {
    pub games: Games,
    pub(super) tables: Vec<&'a dyn Play>,
    pub(super) groups: Vec<Group>,
    /// All games of each cell, including dropped cells.
    pub tallies: Vec<Tally>,
}

/// Cells that play the same games and are compared game by game.
pub(super) struct Group {
    /// Offset that is added to the number of each game.
    offset: u64,
    cells: Vec<usize>,
    pub products: Vec<Product>,
    pub sums: Sums,
}

impl<'a> Experiment<'a> {
    /// Each group has the cells that are compared game by game, and an offset of their games;
    /// `metrics` gives the metrics that two of its cells, the smaller number first, are compared
    /// by.
    pub fn new(
        tables: Vec<&'a dyn Play>,
        games: Games,
        groups: impl IntoIterator<Item = (Vec<usize>, u64)>,
        metrics: &dyn Fn(usize, usize) -> Vec<MetricRef>,
    ) -> Experiment<'a> {
        let group = |(cells, offset): (Vec<usize>, u64)| {
            let own: Vec<&dyn Play> = cells.iter().map(|&cell| tables[cell]).collect();
            let mut products: Vec<Product> = Vec::new();
            for (at, &b) in cells.iter().enumerate() {
                for (before, &a) in cells[..at].iter().enumerate() {
                    let pair = Pair {
                        a: (before, own[before].layout()),
                        b: (at, own[at].layout()),
                    };
                    let metrics = metrics(a, b).into_iter();
                    products.extend(metrics.flat_map(|metric| pair.products(metric)));
                }
            }
            products.sort_by_key(|product| (product.a, product.b));
            products.dedup();
            Group {
                offset,
                sums: Sums::new(&own, products.len()),
                products,
                cells,
            }
        };
        Experiment {
            games,
            groups: groups.into_iter().map(group).collect(),
            tallies: tables.iter().map(|t| Tally::new(t.layout())).collect(),
            tables,
        }
    }

    /// Cells that play the same games without a comparison game by game.
    pub fn apart(tables: Vec<&'a dyn Play>, games: Games) -> Experiment<'a> {
        let cells = (0..tables.len()).collect();
        Experiment::new(tables, games, [(cells, 0)], &|_, _| Vec::new())
    }

    /// Plays more games of the remaining cells in one round, whose parts have a name. They are long,
    /// which keeps the saved state small, but an interrupt loses a few seconds at most.
    pub fn play_all(
        &mut self,
        name: &str,
        status: &str,
        games: Range<u64>,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let info = RoundInfo {
            name,
            status,
            ..RoundInfo::default()
        };
        let together = self.remaining().count().max(1) as u64;
        let least = (LONG * most_games(&self.tables, self.games.chunk)).div_ceil(together);
        self.play(info, games, least, player)
    }

    /// Plays more games of the remaining cells, in parts of at least `least` games.
    pub fn play(
        &mut self,
        info: RoundInfo,
        games: Range<u64>,
        least: u64,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let part = |(index, group): (usize, &Group)| Part {
            name: format!("{}cells {index} games {}", info.name, games.start),
            tables: group.cells.iter().map(|&cell| self.tables[cell]).collect(),
            first: vec![group.offset + games.start; group.cells.len()],
            games: games.end - games.start,
            products: group.products.clone().into(),
        };
        let round = Round {
            games: self.games,
            parts: self.groups.iter().enumerate().map(part).collect(),
            least,
            going: Going {
                on: self.remaining().count(),
                of: self.tables.len(),
                called: "cells",
            },
            info,
        };
        player.round(&round, &mut |group, sums| {
            self.groups[group].sums.merge(&sums);
        })?;
        self.update_tallies();
        Ok(())
    }

    pub(super) fn update_tallies(&mut self) {
        for group in &self.groups {
            for (at, &cell) in group.cells.iter().enumerate() {
                self.tallies[cell] = group.sums.tables[at].clone();
            }
        }
    }

    /// The remaining cells, group by group.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|group| &group.cells).copied()
    }

    pub fn layout(&self, cell: usize) -> &Layout {
        self.tables[cell].layout()
    }

    /// A metric of a cell; `None` if its divisor is 0.
    pub fn estimate(&self, cell: usize, metric: MetricRef) -> Option<Estimate> {
        self.tallies[cell].estimate(self.layout(cell), metric)
    }

    /// The excess of a metric of `cell` over `other`, in the games that both played; `None` if they
    /// are not compared game by game. A cell exceeds itself by 0.
    pub fn difference(&self, metric: MetricRef, cell: usize, other: usize) -> Option<Estimate> {
        if cell == other {
            return Some(Estimate::normal(0.0, 0.0));
        }
        let (first, second) = (cell.min(other), cell.max(other));
        let found = self.compared(metric, first, second)?.difference;
        Some(found.scaled(if cell == second { 1.0 } else { -1.0 }))
    }

    /// The difference of a metric between two cells, the smaller number first.
    pub fn compared(&self, metric: MetricRef, first: usize, second: usize) -> Option<Difference> {
        let mut groups = self.groups.iter();
        let (group, a, b) = groups.find_map(|group| {
            let place = |cell: usize| group.cells.iter().position(|&own| own == cell);
            Some((group, place(first)?, place(second)?))
        })?;
        let pair = Pair {
            a: (a, self.layout(first)),
            b: (b, self.layout(second)),
        };
        pair.difference(metric, &group.sums, &group.products)
    }

    /// Drops the cells that `stays` rejects; their tallies remain.
    pub fn keep(&mut self, stays: &dyn Fn(usize) -> bool) {
        for group in &mut self.groups {
            group.keep(stays);
        }
        self.groups.retain(|group| !group.cells.is_empty());
    }
}

impl Group {
    /// Drops rejected cells together with their sums.
    fn keep(&mut self, stays: &dyn Fn(usize) -> bool) {
        let places = 0..self.cells.len();
        let stay: Vec<usize> = places.filter(|&at| stays(self.cells[at])).collect();
        let new = |(at, column): (usize, usize)| Some((stay.binary_search(&at).ok()?, column));
        let moved = |product: &Product| {
            let (a, b) = (new(product.a)?, new(product.b)?);
            Some(Product { a, b })
        };
        let known = self.products.iter().zip(&self.sums.products);
        (self.products, self.sums.products) = known
            .filter_map(|(product, sum)| Some((moved(product)?, *sum)))
            .unzip();
        self.cells = stay.iter().map(|&at| self.cells[at]).collect();
        let tables = stay.iter().map(|&at| self.sums.tables[at].clone());
        self.sums.tables = tables.collect();
    }
}
