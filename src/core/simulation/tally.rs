//! Exact sums over games, the only data kept of them.
//!
//! All numbers are integers, so tallies merge exactly in any order: the result is the same to the
//! last bit on one thread or many, in one run or in shards.

use super::{Histogram, Part};
use crate::game::{
    Counted, Layout, MetricRef, Per, Play, Record, SCORE, WIN, WIN_UNITS, population_of,
};
use crate::statistics::{Estimate, Moments};
use fearless_simd::{Level, dispatch};
use serde::{Deserialize, Serialize};

/// The sums over all games so far at one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub games: u64,
    pub columns: Vec<Moments>,
    /// Σ x·d for each pair of columns with a ratio that is a metric.
    products: Vec<(usize, usize, i128)>,
    /// By seat, games won alone.
    pub sole_wins: Vec<u64>,
    /// By seat, games by score.
    pub scores: Vec<Vec<u64>>,
    /// The layout's tables of counts, concatenated.
    pub counts: Vec<u64>,
    /// Where populations take turns: the columns and products of the games of each.
    #[serde(default)]
    pub populations: Vec<Tally>,
    /// Games by value of each measure, where the layout has histograms; none of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Histogram>,
}

impl Tally {
    pub fn new(layout: &Layout) -> Self {
        let ratios = layout.metrics().filter_map(|metric| {
            let fraction = layout.fraction(metric)?;
            match fraction.per {
                Per::Outcome(per) => Some((fraction.of[0], per, 0)),
                Per::Games(_) => None,
            }
        });
        let columns = Tally {
            games: 0,
            columns: vec![Moments::default(); layout.columns()],
            products: ratios.collect(),
            sole_wins: Vec::new(),
            scores: Vec::new(),
            counts: Vec::new(),
            populations: Vec::new(),
            measures: Vec::new(),
        };
        let histograms = if layout.has_histograms {
            layout.measures.len()
        } else {
            0
        };
        Tally {
            measures: vec![Histogram::default(); histograms],
            populations: vec![columns.clone(); layout.populations],
            sole_wins: vec![0; layout.seats],
            scores: vec![vec![0; layout.score_max + 1]; layout.seats],
            counts: vec![0; layout.counts.iter().map(|table| table.size()).sum()],
            ..columns
        }
    }

    pub fn fits(&self, layout: &Layout) -> bool {
        let shape = |tally: &Tally| {
            let products = tally.products.iter().map(|&(x, d, _)| (x, d));
            let scores = tally.scores.iter().map(Vec::len);
            let [wins, counts] = [&tally.sole_wins, &tally.counts].map(Vec::len);
            let sizes = [wins, counts, tally.populations.len()];
            let (products, scores): (Vec<_>, Vec<_>) = (products.collect(), scores.collect());
            (tally.columns.len(), products, sizes, scores)
        };
        let fresh = Tally::new(layout);
        let has_histograms =
            self.measures.is_empty() || self.measures.len() == fresh.measures.len();
        shape(self) == shape(&fresh) && has_histograms
    }

    /// Its tables of counts.
    pub fn counted<'a>(&'a self, layout: &'a Layout) -> Counted<'a> {
        Counted {
            layout,
            counts: &self.counts,
            games: self.games,
        }
    }

    /// Adds games from number `first` on, which one population played.
    pub fn add(&mut self, level: Level, layout: &Layout, first: u64, record: &Record) {
        if let of @ 1.. = self.populations.len() {
            self.populations[population_of(first, of)].add(level, layout, first, record);
        }
        self.games += record.games() as u64;
        for (index, moments) in self.columns.iter_mut().enumerate() {
            let column = record.column(index);
            let (sum, squares) = if layout.holds_truths(index) {
                let ones = dispatch!(level, _simd => count(column, 1)) as i64;
                (ones, ones)
            } else {
                dispatch!(level, _simd => sums(column, column))
            };
            moments.sum += i128::from(sum);
            moments.squares += i128::from(squares);
        }
        for (x, d, products) in &mut self.products {
            let (x, d) = (record.column(*x), record.column(*d));
            *products += i128::from(self::products(level, x, d));
        }
        for seat in 0..self.sole_wins.len() {
            let wins = record.column(layout.seat_column(seat, WIN));
            self.sole_wins[seat] += dispatch!(level, _simd => count(wins, WIN_UNITS));
            if layout.score_max == 0 {
                continue;
            }
            let histogram = &mut self.scores[seat];
            for &score in record.column(layout.seat_column(seat, SCORE)) {
                histogram[score as usize] += 1;
            }
        }
        for (total, count) in self.counts.iter_mut().zip(&record.counts) {
            *total += count;
        }
        for (at, histogram) in self.measures.iter_mut().enumerate() {
            histogram.add(record.column(layout.measure_column(at)));
        }
    }

    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (moments, more) in self.columns.iter_mut().zip(&other.columns) {
            moments.merge(more);
        }
        for ((_, _, products), (_, _, more)) in self.products.iter_mut().zip(&other.products) {
            *products += more;
        }
        let scores = self.scores.iter_mut().flatten();
        let scores = scores.zip(other.scores.iter().flatten());
        let sole_wins = self.sole_wins.iter_mut().zip(&other.sole_wins);
        let counts = self.counts.iter_mut().zip(&other.counts);
        for (total, more) in scores.chain(sole_wins).chain(counts) {
            *total += more;
        }
        for (own, other) in self.populations.iter_mut().zip(&other.populations) {
            own.merge(other);
        }
        for (own, other) in self.measures.iter_mut().zip(&other.measures) {
            own.merge(other);
        }
    }

    /// A metric of one seat or of the table; `None` if this layout does not have it, or if its
    /// divisor is 0.
    pub fn estimate(&self, layout: &Layout, of: MetricRef) -> Option<Estimate> {
        let over = (self.estimate_games(layout, of)?).over(&self.of_populations(layout, of));
        let is_spread = layout.fraction(of)?.of.len() > 1;
        Some(if is_spread {
            over.within(over.low.max(0.0), over.high.min(1.0))
        } else {
            over
        })
    }

    /// A metric in the games of each population that has a value. A spread is that of the two
    /// columns that have the largest and the smallest sum in all games.
    pub fn of_populations(&self, layout: &Layout, of: MetricRef) -> Vec<Option<f64>> {
        let Some(fraction) = layout.fraction(of) else {
            return Vec::new();
        };
        let (most, least) = fraction.picked(|column| self.columns[column].sum);
        let of_one = |own: &Tally| {
            let sum = |column: usize| own.columns[column].sum;
            let whole = (sum(most) - least.map_or(0, sum)) as f64;
            let (by, unit) = match fraction.per {
                Per::Games(unit) => (own.games as f64, unit),
                Per::Outcome(per) => (sum(per) as f64, 1.0),
            };
            (by != 0.0).then(|| whole / by / unit)
        };
        self.populations.iter().map(of_one).collect()
    }

    /// A metric with the error of the games alone.
    pub fn estimate_games(&self, layout: &Layout, of: MetricRef) -> Option<Estimate> {
        let proportion = layout.metric(of)?.proportion;
        let fraction = layout.fraction(of)?;
        let of = fraction.of[0];
        let own = &self.columns[of];
        match fraction.per {
            Per::Games(unit) if fraction.of.len() > 1 => {
                let shares: Vec<Moments> = fraction.of.iter().map(|&of| self.columns[of]).collect();
                Some(Estimate::spread(self.games, &shares, unit))
            }
            Per::Games(unit) if proportion => Some(Estimate::proportion(self.games, own, unit)),
            Per::Games(unit) => Some(Estimate::mean(self.games, own, unit)),
            Per::Outcome(per) => {
                let columns = (of, per);
                let pair = (self.products.iter()).find(|(x, d, _)| (*x, *d) == columns);
                let products = pair.map_or(0, |(_, _, products)| *products);
                let d = &self.columns[per];
                let ratio = Estimate::ratio(self.games, own, d, products)?;
                Some(if proportion {
                    ratio.wilson(self.games, d.sum as u64)
                } else {
                    ratio
                })
            }
        }
    }

    /// Decisions that programs failed to take, at all seats.
    pub fn passes(&self, layout: &Layout) -> u64 {
        self.counts[layout.passes()].iter().sum()
    }

    /// A metric of a seat that all games have.
    pub fn seat(&self, layout: &Layout, name: &'static str, seat: usize) -> Estimate {
        self.estimate(layout, MetricRef::of_seat(name, seat))
            .expect("every layout has the common metrics, which are per game")
    }

    /// The estimates of a metric for every seat.
    pub fn seats(&self, layout: &Layout, name: &'static str) -> Vec<Estimate> {
        Vec::from_iter((0..layout.seats).map(|seat| self.seat(layout, name, seat)))
    }

    /// All estimates that a metric stands for: one, or one per seat; unknown where a divisor is 0.
    pub fn estimates(&self, layout: &Layout, of: MetricRef) -> Vec<Estimate> {
        let each = of.each(layout).into_iter();
        let estimate = |single| self.estimate(layout, single);
        each.map(|single| estimate(single).unwrap_or(Estimate::UNKNOWN))
            .collect()
    }
}

/// Two columns, each as (table, column of its layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Product {
    pub a: (usize, usize),
    pub b: (usize, usize),
}

/// The sums over all games of a job so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// One tally for each table, all of the same games.
    pub tables: Vec<Tally>,
    /// For each product of the job: Σ a·b over games.
    pub products: Vec<i128>,
}

impl Sums {
    pub fn new(tables: &[&dyn Play], products: usize) -> Self {
        let none = |table: &&dyn Play| Tally::new(table.layout());
        Sums {
            tables: tables.iter().map(none).collect(),
            products: vec![0; products],
        }
    }

    pub fn are_of(&self, part: &Part) -> bool {
        let mut tables = self.tables.iter().zip(&part.tables);
        self.tables.len() == part.tables.len()
            && self.products.len() == part.products.len()
            && self.tables.iter().all(|tally| tally.games == part.games)
            && tables.all(|(tally, table)| tally.fits(table.layout()))
    }

    pub fn games(&self) -> u64 {
        self.tables.first().map_or(0, |tally| tally.games)
    }

    pub fn merge(&mut self, other: &Sums) {
        for (tally, more) in self.tables.iter_mut().zip(&other.tables) {
            tally.merge(more);
        }
        for (product, more) in self.products.iter_mut().zip(&other.products) {
            *product += more;
        }
    }
}

/// Σx and Σx·d; exact as long as a chunk's squares fit 63 bits, which scores below 2²⁰ do.
#[inline(always)]
fn sums(x: &[i32], d: &[i32]) -> (i64, i64) {
    let mut sum = 0;
    let mut products = 0;
    for (&x, &d) in x.iter().zip(d) {
        sum += i64::from(x);
        products += i64::from(x) * i64::from(d);
    }
    (sum, products)
}

/// Σ a·b of two columns of a chunk, with the given vector instructions.
pub(super) fn products(level: Level, a: &[i32], b: &[i32]) -> i64 {
    dispatch!(level, _simd => sums(a, b)).1
}

/// How often `value` occurs in a chunk.
#[inline(always)]
fn count(values: &[i32], value: i32) -> u64 {
    let mut count = 0u32;
    for &other in values {
        count += u32::from(other == value);
    }
    u64::from(count)
}
