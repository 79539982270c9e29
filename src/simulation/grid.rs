//! Many tables that play the same games: which of them is best, and what cannot be told from it.
//!
//! Cells are of families: those of one family are the choices that somebody has, and the best of
//! each family is sought. Cells are played in rounds. One that is clearly worse than another of its
//! family, in the games that both played, gets no more of them; the error of all these decisions
//! together is at most 5 %.

use super::paired::Pair;
use super::part::{Going, Part, Round, parts};
use super::{Ending, Goal, Product, Sums, Tally};
use crate::game::{MetricRef, Table};
use crate::statistics::{Estimate, best_set_z};

/// Cells that are compared game by game with each other.
const GROUP: usize = 64;

/// What is to be played.
pub struct Grid<'a> {
    /// The cells.
    pub tables: &'a [&'a dyn Table],
    /// For each cell the number of its family, from 0.
    pub families: &'a [usize],
    /// The metric of one seat or of the table that the study is about.
    pub metric: MetricRef,
    /// How many games.
    pub goal: Goal,
    /// Fewest games that are played at a time.
    pub part: u64,
}

/// All cells after their last game.
pub struct PlayedGrid {
    /// All games of each cell.
    pub tallies: Vec<Tally>,
    /// The metric of each cell; none where there was nothing to divide by.
    pub estimates: Vec<Option<Estimate>>,
    /// Whether a cell has the highest value of its family; none has when more is not better, or
    /// when there is no choice.
    pub best: Vec<bool>,
    /// Whether a cell may be the best of its family; with 95 % probability all that truly are the
    /// best are among them.
    pub in_best_set: Vec<bool>,
}

impl PlayedGrid {
    /// Whether the best of each family was sought.
    pub fn ranks(&self) -> bool {
        self.best.contains(&true)
    }

    /// The estimates of the cells that were played to the end.
    pub fn remaining(&self) -> Vec<Estimate> {
        let cells = self.in_best_set.iter().zip(&self.estimates);
        let remaining = cells.filter(|(kept, _)| **kept || !self.ranks());
        let estimates = remaining.map(|(_, estimate)| *estimate);
        estimates
            .map(|known| known.unwrap_or(Estimate::UNKNOWN))
            .collect()
    }
}

/// Cells of one family that are still played, with all their games.
struct Group {
    family: usize,
    cells: Vec<usize>,
    products: Vec<Product>,
    sums: Sums,
}

/// Plays a round of parts or knows their sums, and hands over the sums of each; tells whether all
/// of them were.
pub type PlayRound<'p, 'a, E> =
    dyn FnMut(&Round<'a>, &mut (dyn FnMut(usize, Sums) + Send)) -> Result<Ending, E> + 'p;

/// Plays a grid; `None` when `play` was told to stop.
pub fn play<'a, E>(
    grid: &Grid<'a>,
    play: &mut PlayRound<'_, 'a, E>,
) -> Result<Option<PlayedGrid>, E> {
    let cells = grid.tables.len();
    let families = grid.families.iter().max().map_or(0, |last| last + 1);
    let ranks = grid.metric.ranks() && families < cells;
    let mut groups = Vec::new();
    for family in 0..families {
        let own = (0..cells).filter(|&cell| grid.families[cell] == family);
        let own: Vec<usize> = own.collect();
        groups.extend(
            own.chunks(GROUP)
                .map(|cells| Group::new(grid, family, cells, ranks)),
        );
    }
    let mut tallies: Vec<Tally> = grid.tables.iter().map(|t| Tally::new(t.layout())).collect();
    let looks = grid.goal.looks();
    let z = best_set_z(cells - families + 1, looks.len());
    let mut best = vec![None; families];
    let mut first = 0;
    for end in looks {
        let remaining: usize = groups.iter().map(|group| group.cells.len()).sum();
        let mut round = Round {
            parts: Vec::new(),
            going: Going {
                on: remaining,
                of: cells,
                called: "cells",
            },
        };
        let mut group_of = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            for (from, games) in parts(first, end, grid.part) {
                round.parts.push(Part {
                    name: format!("cells {index} games {from}"),
                    tables: group.cells.iter().map(|&cell| grid.tables[cell]).collect(),
                    first: vec![from; group.cells.len()],
                    games,
                    products: group.products.clone(),
                });
                group_of.push(index);
            }
        }
        let ending = play(&round, &mut |part, sums| {
            groups[group_of[part]].sums.merge(&sums);
        })?;
        if ending == Ending::Stopped {
            return Ok(None);
        }
        for group in &groups {
            for (at, &cell) in group.cells.iter().enumerate() {
                tallies[cell] = group.sums.tables[at].clone();
            }
        }
        for (family, best) in best.iter_mut().enumerate().filter(|_| ranks) {
            *best = leader(grid, &groups, &tallies, family);
            if let Some(best) = *best {
                drop_worse(grid, &mut groups, &tallies, best, z);
            }
        }
        first = end;
        let remaining = groups.iter().flat_map(|group| &group.cells);
        let estimates: Vec<Estimate> = remaining
            .map(|&cell| estimate(grid, &tallies, cell).unwrap_or(Estimate::UNKNOWN))
            .collect();
        if grid.goal.reached(end, &estimates) {
            break;
        }
    }
    let mut in_best_set = vec![false; cells];
    for &cell in groups.iter().flat_map(|group| &group.cells) {
        in_best_set[cell] = ranks;
    }
    Ok(Some(PlayedGrid {
        best: (0..cells).map(|cell| best.contains(&Some(cell))).collect(),
        estimates: (0..cells)
            .map(|cell| estimate(grid, &tallies, cell))
            .collect(),
        in_best_set,
        tallies,
    }))
}

fn estimate(grid: &Grid, tallies: &[Tally], cell: usize) -> Option<Estimate> {
    tallies[cell].estimate(grid.tables[cell].layout(), grid.metric)
}

/// The cell with the highest value among those of a family that are still played.
fn leader(grid: &Grid, groups: &[Group], tallies: &[Tally], family: usize) -> Option<usize> {
    let groups = groups.iter().filter(|group| group.family == family);
    let remaining = groups.flat_map(|group| &group.cells);
    let known = remaining.filter_map(|&cell| Some((cell, estimate(grid, tallies, cell)?.value)));
    // Of equal cells the first.
    let best = known.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map(|(cell, _)| cell)
}

/// Drops the cells that are more than `z` standard errors behind the best of their family.
fn drop_worse(grid: &Grid, groups: &mut [Group], tallies: &[Tally], best: usize, z: f64) {
    let Some(ahead) = estimate(grid, tallies, best) else {
        return;
    };
    let family = grid.families[best];
    for group in groups.iter_mut().filter(|group| group.family == family) {
        let stays = |&cell: &usize| {
            if cell == best {
                return true;
            }
            let Some(value) = estimate(grid, tallies, cell) else {
                return false;
            };
            let (distance, se) = group.behind(grid, cell, best).unwrap_or_else(|| {
                // Cells of different groups: as if their games were separate, which is wider.
                (ahead.value - value.value, ahead.se.hypot(value.se))
            });
            // Before the second game nothing is known of the error.
            !se.is_finite() || distance <= z * se
        };
        let kept: Vec<bool> = group.cells.iter().map(stays).collect();
        group.keep(&kept);
    }
}

impl Group {
    fn new(grid: &Grid, family: usize, cells: &[usize], ranks: bool) -> Group {
        let tables: Vec<&dyn Table> = cells.iter().map(|&cell| grid.tables[cell]).collect();
        let products = match ranks {
            true => products(&tables, grid.metric),
            false => Vec::new(),
        };
        Group {
            family,
            cells: cells.to_vec(),
            sums: Sums::new(&tables, products.len()),
            products,
        }
    }

    /// How far `cell` is behind `best` in the games that both played, and its standard error.
    fn behind(&self, grid: &Grid, cell: usize, best: usize) -> Option<(f64, f64)> {
        let place = |cell: usize| self.cells.iter().position(|&other| other == cell);
        let (own, other) = (place(cell)?, place(best)?);
        let (a, b) = (own.min(other), own.max(other));
        let side = |at: usize| (at, grid.tables[self.cells[at]].layout());
        let pair = Pair {
            a: side(a),
            b: side(b),
        };
        let found = pair.difference(grid.metric, &self.sums, &self.products)?;
        let difference = found.difference;
        let sign = if other == b { 1.0 } else { -1.0 };
        Some((sign * difference.value, difference.se))
    }

    /// Forgets the cells that are not kept, and what was summed of them.
    fn keep(&mut self, kept: &[bool]) {
        let mut new_place = vec![None; kept.len()];
        let stay = (0..kept.len()).filter(|&at| kept[at]);
        stay.enumerate()
            .for_each(|(new, at)| new_place[at] = Some(new));
        let moved = |product: &Product| {
            Some(Product {
                a: (new_place[product.a.0]?, product.a.1),
                b: (new_place[product.b.0]?, product.b.1),
            })
        };
        let known = self.products.iter().zip(&self.sums.products);
        (self.products, self.sums.products) = known
            .filter_map(|(product, sum)| Some((moved(product)?, *sum)))
            .unzip();
        let mut at = kept.iter();
        self.cells.retain(|_| *at.next().unwrap_or(&true));
        let mut at = kept.iter();
        self.sums.tables.retain(|_| *at.next().unwrap_or(&true));
    }
}

/// The products that comparing any two tables by a metric needs, each once.
fn products(tables: &[&dyn Table], metric: MetricRef) -> Vec<Product> {
    let side = |at: usize| (at, tables[at].layout());
    let mut products: Vec<Product> = Vec::new();
    for b in 0..tables.len() {
        for a in 0..b {
            let pair = Pair {
                a: side(a),
                b: side(b),
            };
            products.extend(pair.products(metric));
        }
    }
    products.sort_by_key(|product| (product.a, product.b));
    products.dedup();
    products
}
