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
/// Length of a part of all arms together, in what is played at once.
const LONG: u64 = 4;

/// Arms, each a table, and all their games so far.
pub struct Experiment<'a> {
    pub games: Games,
    pub(super) tables: Vec<&'a dyn Play>,
    pub(super) groups: Vec<Group>,
    /// All games of each arm, including dropped arms.
    pub tallies: Vec<Tally>,
}

/// Arms that play the same games and are compared game by game.
pub(super) struct Group {
    /// Offset that is added to the number of each game.
    offset: u64,
    /// The seed of its games.
    pub(super) seed: u64,
    pub(super) arms: Vec<usize>,
    pub products: Vec<Product>,
    pub sums: Sums,
}

impl<'a> Experiment<'a> {
    /// Each group has the arms that are compared game by game, and an offset of their games;
    /// `metrics` gives the metrics that two of its arms, the smaller number first, are compared
    /// by.
    pub fn new(
        tables: Vec<&'a dyn Play>,
        games: Games,
        groups: impl IntoIterator<Item = (Vec<usize>, u64)>,
        metrics: &dyn Fn(usize, usize) -> Vec<MetricRef>,
    ) -> Experiment<'a> {
        let group = |(arms, offset): (Vec<usize>, u64)| {
            let own: Vec<&dyn Play> = arms.iter().map(|&arm| tables[arm]).collect();
            let mut products: Vec<Product> = Vec::new();
            for (at, &b) in arms.iter().enumerate() {
                for (before, &a) in arms[..at].iter().enumerate() {
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
                seed: games.seed,
                sums: Sums::new(&own, products.len()),
                products,
                arms,
            }
        };
        Experiment {
            games,
            groups: groups.into_iter().map(group).collect(),
            tallies: tables.iter().map(|t| Tally::new(t.layout())).collect(),
            tables,
        }
    }

    /// Arms that play the same games without a comparison game by game.
    pub fn apart(tables: Vec<&'a dyn Play>, games: Games) -> Experiment<'a> {
        let arms = (0..tables.len()).collect();
        Experiment::new(tables, games, [(arms, 0)], &|_, _| Vec::new())
    }

    /// Plays more games of the remaining arms in one round; `name` begins the names of its parts.
    /// Parts are long, to keep the saved state small, but an interrupt loses a few seconds at most.
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

    /// Plays more games of the remaining arms, in parts of at least `least` games.
    pub fn play(
        &mut self,
        info: RoundInfo,
        games: Range<u64>,
        least: u64,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let part = |(index, group): (usize, &Group)| Part {
            name: format!("{}cells {index} games {}", info.name, games.start),
            tables: group.arms.iter().map(|&arm| self.tables[arm]).collect(),
            first: vec![group.offset + games.start; group.arms.len()],
            games: games.end - games.start,
            seed: group.seed,
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
            for (at, &arm) in group.arms.iter().enumerate() {
                self.tallies[arm] = group.sums.tables[at].clone();
            }
        }
    }

    /// The remaining arms, group by group.
    pub fn remaining(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|group| &group.arms).copied()
    }

    pub fn layout(&self, arm: usize) -> &Layout {
        self.tables[arm].layout()
    }

    /// A metric of an arm; `None` if its divisor is 0.
    pub fn estimate(&self, arm: usize, metric: MetricRef) -> Option<Estimate> {
        self.tallies[arm].estimate(self.layout(arm), metric)
    }

    /// The excess of a metric of `arm` over `other`, in the games that both played; `None` if they
    /// are not compared game by game by this metric ([`Experiment::new`]). An arm exceeds itself by
    /// 0.
    pub fn difference(&self, metric: MetricRef, arm: usize, other: usize) -> Option<Estimate> {
        if arm == other {
            return Some(Estimate::normal(0.0, 0.0));
        }
        let (first, second) = (arm.min(other), arm.max(other));
        let found = self.compared(metric, first, second)?.difference;
        Some(found.scaled(if arm == second { 1.0 } else { -1.0 }))
    }

    /// The second arm minus the first, which has the smaller number.
    pub fn compared(&self, metric: MetricRef, first: usize, second: usize) -> Option<Difference> {
        let mut groups = self.groups.iter();
        let (group, a, b) = groups.find_map(|group| {
            let place = |arm: usize| group.arms.iter().position(|&own| own == arm);
            Some((group, place(first)?, place(second)?))
        })?;
        let pair = Pair {
            a: (a, self.layout(first)),
            b: (b, self.layout(second)),
        };
        pair.difference(metric, &group.sums, &group.products)
    }

    /// Drops the arms that `stays` rejects; their tallies remain.
    pub fn keep(&mut self, stays: &dyn Fn(usize) -> bool) {
        for group in &mut self.groups {
            group.keep(stays);
        }
        self.groups.retain(|group| !group.arms.is_empty());
    }
}

impl Group {
    /// Drops rejected arms together with their sums.
    fn keep(&mut self, stays: &dyn Fn(usize) -> bool) {
        let places = 0..self.arms.len();
        let stay: Vec<usize> = places.filter(|&at| stays(self.arms[at])).collect();
        let new = |(at, column): (usize, usize)| Some((stay.binary_search(&at).ok()?, column));
        let moved = |product: &Product| {
            let (a, b) = (new(product.a)?, new(product.b)?);
            Some(Product { a, b })
        };
        let known = self.products.iter().zip(&self.sums.products);
        (self.products, self.sums.products) = known
            .filter_map(|(product, sum)| Some((moved(product)?, *sum)))
            .unzip();
        self.arms = stay.iter().map(|&at| self.arms[at]).collect();
        let tables = stay.iter().map(|&at| self.sums.tables[at].clone());
        self.sums.tables = tables.collect();
    }
}
