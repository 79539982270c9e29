//! What a table records of each game: columns of whole numbers, and tables of counts.

use super::counts::{CountTable, LengthTable};
use super::measure::Measure;
use super::metric::COMMON;
use super::{Fraction, Metric, MetricRef, Of, Per, Scope};
use crate::statistics::quantile;
use std::ops::Range;

/// A won game counts 840 units, so that a win shared by up to 8 players is a whole number.
pub const WIN_UNITS: i32 = 840;

/// Seat outcome 0 of every game: the win, in units of 1/[`WIN_UNITS`].
pub const WIN: usize = 0;

/// Seat outcome 1 of every game: the final score.
pub const SCORE: usize = 1;

/// Index of the first game-specific seat outcome.
pub const OWN: usize = 2;

/// What is counted in a game; measures use it by its name in lower case.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    pub name: &'static str,
    pub meaning: &'static str,
    /// The least and the most, such as `0 to rounds`; at least 0 if empty.
    pub range: &'static str,
}

/// What a table records of each game, and the metrics derived from it.
///
/// A column holds one whole number per game. Columns come seat by seat (all outcomes of seat 1,
/// then of seat 2, …), then those of the table.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    pub seats: usize,
    /// Outcomes per seat; the first two are [`WIN`](super::WIN) and [`SCORE`](super::SCORE).
    pub seat_outcomes: usize,
    pub table_outcomes: usize,
    /// A seat's outcomes after its win and its score.
    pub seat_counts: &'static [Count],
    pub table_counts: Vec<Count>,
    /// The numbers of the rules: name, path and value.
    pub rules_numbers: Vec<(String, String, i32)>,
    /// Metrics of a seat, made by [`Metric::of_seat`].
    pub seat_metrics: Vec<Metric>,
    /// Metrics of the table, made by [`Metric::of_table`].
    pub table_metrics: Vec<Metric>,
    /// Highest possible score; the lowest is 0.
    pub score_max: usize,
    pub counts: Vec<CountTable>,
    /// Kinds of things in the game, each with outcomes of the table, above 0 where it comes up.
    pub kinds: Vec<(String, Vec<usize>)>,
    /// The count table of passes by seat: decisions that programs failed to take; only where they
    /// may pass.
    pub passes: Option<usize>,
    /// The count table of the lengths of games; only for games that a cap may end.
    pub lengths: Option<LengthTable>,
    /// Metrics that the study defines; they use the last table columns.
    pub measures: Vec<Measure>,
    /// Whether games are counted by the values of measures.
    pub has_histograms: bool,
    /// The populations that take turns, where bots are adapted; figures allow for what they differ
    /// by.
    pub populations: usize,
}

/// Games in a row that the same population plays.
pub const TURN: u64 = 128;

/// The population, from 0, that plays a game.
pub fn population_of(game: u64, populations: usize) -> usize {
    (game / TURN % populations as u64) as usize
}

/// What a column holds of a single game.
#[derive(Debug, Clone)]
pub struct ColumnInfo {
    pub name: String,
    pub meaning: &'static str,
    /// Units per 1 of the metric.
    pub units: f64,
}

impl Layout {
    /// The same table with only wins and scores recorded.
    pub fn bare(&self) -> Layout {
        Layout {
            seats: self.seats,
            seat_outcomes: OWN,
            seat_metrics: Metric::of_seat(Vec::new()),
            ..Layout::default()
        }
    }

    /// The same table with only the outcomes of its seats recorded.
    pub fn of_seats(&self) -> Layout {
        Layout {
            seat_outcomes: self.seat_outcomes,
            ..self.bare()
        }
    }

    /// Column of seat outcome `outcome` of seat `seat` (from 0).
    pub fn seat_column(&self, seat: usize, outcome: usize) -> usize {
        seat * self.seat_outcomes + outcome
    }

    pub fn table_column(&self, outcome: usize) -> usize {
        self.seats * self.seat_outcomes + outcome
    }

    pub fn count_passes(&mut self) {
        self.passes = Some(self.counts.len());
        self.counts.extend(CountTable::list([(0, 1, self.seats)]));
    }

    /// The places of passes among all counts, seat by seat; empty where they are not counted.
    pub fn passes(&self) -> Range<usize> {
        let first = self.passes.map(|table| self.count(table, 0, 0));
        first.map_or(0..0, |first| first..first + self.seats)
    }

    /// Whether a column of the table is 0 or 1 in every game.
    pub fn holds_truths(&self, column: usize) -> bool {
        let Some(outcome) = column.checked_sub(self.table_column(0)) else {
            return false;
        };
        let is_it = (Of::Outcome(outcome), Per::Games(1.0), true);
        let mut metrics = self.table_metrics.iter();
        metrics.any(|metric| (metric.of, metric.per, metric.proportion) == is_it)
    }

    pub fn columns(&self) -> usize {
        self.table_column(self.table_outcomes)
    }

    /// What each column holds of a game: seat by seat `win_share@1`, `score_mean@1`, …, then the
    /// table's. A column with a metric as its mean has the metric's name and unit.
    pub fn column_infos(&self) -> Vec<ColumnInfo> {
        let info = |outcome: usize, count: Option<&Count>, metrics: &[Metric]| {
            let mut metrics = metrics.iter();
            let mean = metrics.find_map(|metric| match (metric.of, metric.per) {
                (Of::Outcome(of), Per::Games(units)) if of == outcome => Some((metric, units)),
                _ => None,
            });
            let (name, meaning, units) = match mean {
                Some((metric, units)) => (metric.name.to_string(), metric.meaning, units),
                None => {
                    let name = count.map_or(String::new(), |count| count.name.to_lowercase());
                    (name, count.map_or("", |count| count.meaning.trim()), 1.0)
                }
            };
            ColumnInfo {
                name,
                meaning,
                units,
            }
        };
        let of_seat = (0..self.seat_outcomes).map(|outcome| {
            let own = outcome.checked_sub(OWN);
            let count = own.map(|own| &self.seat_counts[own]);
            info(outcome, count, &self.seat_metrics)
        });
        let of_seat: Vec<ColumnInfo> = of_seat.collect();
        let seats = (1..=self.seats).flat_map(|seat| {
            of_seat.iter().map(move |info| ColumnInfo {
                name: format!("{}@{seat}", info.name),
                ..info.clone()
            })
        });
        let of_table = (0..self.table_outcomes)
            .map(|outcome| info(outcome, self.table_counts.get(outcome), &self.table_metrics));
        let mut infos = Vec::from_iter(seats.chain(of_table));
        let first = infos.len() - self.measures.len();
        for (info, measure) in infos[first..].iter_mut().zip(&self.measures) {
            (info.name, info.units) = (measure.name.to_string(), measure.units as f64);
            info.meaning = measure.name;
        }
        infos
    }

    pub fn own_seat_metrics(&self) -> &[Metric] {
        &self.seat_metrics[COMMON..]
    }

    /// Every metric of every seat, seat by seat, then those of the table.
    pub fn metrics(&self) -> impl Iterator<Item = MetricRef> {
        let of_seats = (0..self.seats).map(Scope::Seat);
        of_seats.chain([Scope::Table]).flat_map(|scope| {
            let named = move |metric: &Metric| MetricRef {
                name: metric.name,
                scope,
            };
            self.metrics_of(scope).iter().map(named)
        })
    }

    /// Looks up a metric; `None` if this layout does not have it.
    pub fn metric(&self, of: MetricRef) -> Option<&Metric> {
        self.metric_of(of.scope, of.name)
    }

    /// Whether a metric lies between 0 and 1.
    pub fn is_share(&self, of: MetricRef) -> bool {
        self.metric(of).is_some_and(|metric| metric.proportion)
    }

    /// A metric of one seat or of the table as columns; `None` if this layout does not have it.
    pub fn fraction(&self, of: MetricRef) -> Option<Fraction> {
        let metric = self.metric(of)?;
        let column = |outcome: usize| match of.scope {
            Scope::Seat(seat) => Some(self.seat_column(seat, outcome)),
            Scope::Table => Some(self.table_column(outcome)),
            Scope::EverySeat => None,
        };
        Some(Fraction {
            of: match metric.of {
                Of::Outcome(outcome) => vec![column(outcome)?],
                Of::Spread(outcome) => (0..self.seats)
                    .map(|seat| self.seat_column(seat, outcome))
                    .collect(),
            },
            per: match metric.per {
                Per::Outcome(outcome) => Per::Outcome(column(outcome)?),
                games => games,
            },
        })
    }

    /// The short name of a metric with its seat: `mean score of seat 2`.
    pub fn title(&self, of: MetricRef) -> String {
        let short = self.metric(of).map_or(of.name, Metric::short);
        match of.scope {
            Scope::Seat(seat) => format!("{short} of seat {}", seat + 1),
            Scope::Table | Scope::EverySeat => short.to_string(),
        }
    }

    pub(super) fn metric_of(&self, scope: Scope, name: &str) -> Option<&Metric> {
        let mut metrics = self.metrics_of(scope).iter();
        metrics.find(|metric| metric.name == name)
    }

    /// The metrics of a seat or of the table; empty for a seat beyond the last.
    fn metrics_of(&self, scope: Scope) -> &[Metric] {
        match scope {
            Scope::Table => &self.table_metrics,
            Scope::Seat(seat) if seat >= self.seats => &[],
            Scope::Seat(_) | Scope::EverySeat => &self.seat_metrics,
        }
    }

    #[inline]
    pub fn count(&self, table: usize, row: usize, column: usize) -> usize {
        let before: usize = self.counts[..table].iter().map(CountTable::size).sum();
        before + row * self.counts[table].columns + column
    }
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

    /// A column for each seat, with its name and its meaning, where the seat stands for `{}`.
    pub fn seat_columns(&self, what: &str, meaning: &str) -> Vec<(usize, String, String)> {
        let column = |seat: usize| {
            let meaning = meaning.replace("{}", &format!("seat {}", seat + 1));
            (seat, format!("{what}_seat_{}", seat + 1), meaning)
        };
        (0..self.seats()).map(column).collect()
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
