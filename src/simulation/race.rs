//! A race: tables that play the same games, look by look. Those that are out of it get no more.

use super::paired::Pair;
use super::part::{Going, Part, Round, parts};
use super::{Ending, Product, Sums, Tally};
use crate::game::{Layout, MetricRef, Play};
use crate::statistics::Estimate;
use std::ops::Range;
use std::sync::Arc;

/// Most tables that are compared game by game with each other.
pub const GROUP: usize = 64;

/// Plays a round of parts or knows their sums, and hands over the sums of each; tells whether all
/// of them were.
pub type PlayRound<'p, E> =
    dyn FnMut(&Round, &mut (dyn FnMut(usize, Sums) + Send)) -> Result<Ending, E> + 'p;

/// What is told of a round of a race.
#[derive(Clone, Copy, Default)]
pub struct Telling<'a> {
    /// Begins the names of its parts; no other race of the study has it.
    pub name: &'a str,
    /// What is known by now, in a few words.
    pub known: &'a str,
    /// Games that may be played later, at most.
    pub later: u64,
    /// Whether nothing is played later, whatever comes out.
    pub last: bool,
}

/// Cells, each a table, and all their games so far.
pub struct Race<'a> {
    tables: Vec<&'a dyn Play>,
    groups: Vec<Group>,
    /// All games of each cell, also of those that are out.
    pub tallies: Vec<Tally>,
}

/// Cells that play the same games and are compared game by game.
struct Group {
    /// Added to the number of each game.
    offset: u64,
    cells: Vec<usize>,
    products: Vec<Product>,
    sums: Sums,
}

impl<'a> Race<'a> {
    /// A race of `tables`. Each group has the cells that are compared game by game, and a number
    /// that is added to that of each of their games; `metrics` tells by what two of its cells, the
    /// smaller number first, are compared.
    pub fn new(
        tables: Vec<&'a dyn Play>,
        groups: impl IntoIterator<Item = (Vec<usize>, u64)>,
        metrics: &dyn Fn(usize, usize) -> Vec<MetricRef>,
    ) -> Race<'a> {
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
        Race {
            groups: groups.into_iter().map(group).collect(),
            tallies: tables.iter().map(|t| Tally::new(t.layout())).collect(),
            tables,
        }
    }

    /// Plays more games of the cells that go on, in parts of at least `least` games, as `telling`
    /// says it.
    pub fn play<E>(
        &mut self,
        telling: Telling,
        games: Range<u64>,
        least: u64,
        play: &mut PlayRound<'_, E>,
    ) -> Result<Ending, E> {
        let mut round = Round {
            parts: Vec::new(),
            going: Going {
                on: self.remaining().count(),
                of: self.tables.len(),
                called: "cells",
            },
            last: telling.last,
            later: telling.later,
            known: telling.known.to_string(),
        };
        let mut group_of = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let products: Arc<[Product]> = group.products.clone().into();
            for (from, games) in parts(games.start, games.end, least) {
                round.parts.push(Part {
                    name: format!("{}cells {index} games {from}", telling.name),
                    tables: group.cells.iter().map(|&cell| self.tables[cell]).collect(),
                    first: vec![group.offset + from; group.cells.len()],
                    games,
                    products: products.clone(),
                });
                group_of.push(index);
            }
        }
        let ending = play(&round, &mut |part, sums| {
            self.groups[group_of[part]].sums.merge(&sums);
        })?;
        for group in &self.groups {
            for (at, &cell) in group.cells.iter().enumerate() {
                self.tallies[cell] = group.sums.tables[at].clone();
            }
        }
        Ok(ending)
    }

    /// The cells that go on, group by group.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|group| &group.cells).copied()
    }

    /// What is recorded of a cell.
    pub fn layout(&self, cell: usize) -> &Layout {
        self.tables[cell].layout()
    }

    /// A metric of a cell; none where there was nothing to divide by.
    pub fn estimate(&self, cell: usize, metric: MetricRef) -> Option<Estimate> {
        self.tallies[cell].estimate(self.tables[cell].layout(), metric)
    }

    /// By how much a metric of `cell` is above that of `other`, in the games that both played;
    /// none when they are not compared game by game.
    pub fn difference(&self, metric: MetricRef, cell: usize, other: usize) -> Option<Estimate> {
        let mut groups = self.groups.iter();
        let (group, at, from) = groups.find_map(|group| {
            let place = |cell: usize| group.cells.iter().position(|&own| own == cell);
            Some((group, place(cell)?, place(other)?))
        })?;
        let side = |at: usize| (at, self.tables[group.cells[at]].layout());
        let pair = Pair {
            a: side(at.min(from)),
            b: side(at.max(from)),
        };
        let found = pair.difference(metric, &group.sums, &group.products)?;
        Some(found.difference.scaled(if at > from { 1.0 } else { -1.0 }))
    }

    /// Sends the cells home that `stays` does not keep; their tallies stay as they are.
    pub fn keep(&mut self, stays: &dyn Fn(&Race, usize) -> bool) {
        let kept: Vec<Vec<bool>> = (self.groups.iter())
            .map(|group| group.cells.iter().map(|&cell| stays(self, cell)).collect())
            .collect();
        for (group, kept) in self.groups.iter_mut().zip(&kept) {
            group.keep(kept);
        }
        self.groups.retain(|group| !group.cells.is_empty());
    }
}

impl Group {
    /// Forgets the cells that are not kept, and what was summed of them.
    fn keep(&mut self, kept: &[bool]) {
        let stay: Vec<usize> = (0..kept.len()).filter(|&at| kept[at]).collect();
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
