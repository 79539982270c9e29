//! Metrics: the figures that follow from outcomes, and their names.
//!
//! A game lists its metrics in its layout; those of a seat begin with the two that every game has.
//! A [`MetricRef`] names a metric and a seat or the table; studies estimate, compare and rank by
//! it.

use super::{Layout, SCORE, WIN, WIN_UNITS};
use crate::diagnostic::{counted, nearest};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Name of the first metric of every seat: its win rate.
pub const WIN_SHARE: &str = "win_share";

/// Name of the second metric of every seat: its mean score.
pub const SCORE_MEAN: &str = "score_mean";

/// Name of the metric of games that may run forever: the share of games that a cap ended.
pub const CAPPED_RATE: &str = "capped_rate";

/// Name of the table metric that tells how often several players share the win.
pub const SHARED_WIN_RATE: &str = "shared_win_rate";

/// Name of the table metric of games that draw the start player by lot.
pub const STARTER_WIN_SHARE: &str = "starter_win_share";

/// Name of the last metric of every table of several seats: the gap between the highest and the
/// lowest win share. With different bots it measures their difference in strength; with copies of
/// one bot at fixed places it measures the advantage of places.
pub const WIN_SHARE_SPREAD: &str = "win_share_spread";

/// Number of metrics that every seat has in all games.
pub(super) const COMMON: usize = 2;

#[derive(Debug, Clone)]
pub struct Metric {
    /// Column name in `seats.csv`, or row name in `table.csv`.
    pub name: &'static str,
    /// Its short name, or that and a longer meaning: `comebacks: share of games …`.
    pub meaning: &'static str,
    pub of: Of,
    pub per: Per,
    /// Whether it lies between 0 and 1 in every game.
    pub proportion: bool,
    /// Whether it is among the few that describe a game best: its length, busts, closeness, leader.
    pub is_key: bool,
}

impl Metric {
    pub fn mean(name: &'static str, of: usize, per: Per, meaning: &'static str) -> Self {
        Metric {
            name,
            meaning,
            of: Of::Outcome(of),
            per,
            proportion: false,
            is_key: false,
        }
    }

    /// A metric between 0 and 1 in every game.
    pub fn share(name: &'static str, of: usize, per: Per, meaning: &'static str) -> Self {
        Metric {
            proportion: true,
            ..Metric::mean(name, of, per, meaning)
        }
    }

    pub fn key(self) -> Self {
        Metric {
            is_key: true,
            ..self
        }
    }

    /// Its name in charts and tables: at most 24 letters, except of measures.
    pub fn short(&self) -> &'static str {
        self.meaning.split(": ").next().unwrap_or(self.name)
    }

    /// The metrics of a seat: those that all games have, then the game's own.
    pub fn of_seat(own: Vec<Metric>) -> Vec<Metric> {
        let wins = Per::Games(f64::from(WIN_UNITS));
        let mut metrics = vec![
            Metric::share(WIN_SHARE, WIN, wins, "win share"),
            Metric::mean(SCORE_MEAN, SCORE, Per::Games(1.0), "mean score"),
        ];
        metrics.extend(own);
        metrics
    }

    /// The metrics of a table of `seats` seats: the game's own, then the one that all games have.
    pub fn of_table(mut metrics: Vec<Metric>, seats: usize) -> Vec<Metric> {
        if seats > 1 {
            metrics.push(Metric {
                name: WIN_SHARE_SPREAD,
                meaning: "gap between win shares",
                of: Of::Spread(WIN),
                per: Per::Games(f64::from(WIN_UNITS)),
                proportion: true,
                is_key: false,
            });
        }
        metrics
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Of {
    Outcome(usize),
    /// The largest sum of an outcome over seats minus the smallest.
    Spread(usize),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Per {
    /// The number of games times a constant.
    Games(f64),
    Outcome(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Table,
    /// Of one seat (from 0).
    Seat(usize),
    EverySeat,
}

/// A metric by name, of a seat or of the table: `win_share@1`, `score_mean`, `cards_per_game`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetricRef {
    pub name: &'static str,
    pub scope: Scope,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchMetric(String);

impl MetricRef {
    pub fn of_seat(name: &'static str, seat: usize) -> MetricRef {
        MetricRef {
            name,
            scope: Scope::Seat(seat),
        }
    }

    pub fn of_table(name: &'static str) -> MetricRef {
        MetricRef {
            name,
            scope: Scope::Table,
        }
    }

    /// Looks up `NAME` or `NAME@SEAT` among the metrics of a layout. A name without a seat is a
    /// metric of the table, or else that of every seat. The error names the nearest, or lists all.
    pub fn find(layout: &Layout, asked: &str) -> Result<MetricRef, NoSuchMetric> {
        let known = |scope: Scope, name: &str| {
            let name = layout.metric_of(scope, name)?.name;
            Some(MetricRef { name, scope })
        };
        let found = match asked.split_once('@') {
            Some((name, seat)) => {
                let seat = seat.parse::<usize>().unwrap_or(0).wrapping_sub(1);
                known(Scope::Seat(seat), name)
            }
            None => known(Scope::Table, asked).or_else(|| known(Scope::EverySeat, asked)),
        };
        found.ok_or_else(|| {
            let of_seats = layout.seat_metrics.iter();
            let of_table = layout.table_metrics.iter();
            let all = of_seats.clone().chain(of_table.clone());
            let (name, seat) = asked.split_at(asked.find('@').unwrap_or(asked.len()));
            let near = nearest(name, all.map(|metric| metric.name)).filter(|near| *near != name);
            let is_of_seat = of_seats.clone().any(|metric| metric.name == name);
            if is_of_seat {
                let seats = counted(layout.seats, "seat");
                return NoSuchMetric(format!("`{asked}`: the table has {seats}"));
            }
            if let Some(near) = near {
                let near = format!("did you mean `{near}{seat}`?");
                let all = "`carat show metrics GAME` lists all";
                return NoSuchMetric(format!("no metric called `{asked}`; {near} {all}"));
            }
            let names = of_seats.map(|metric| format!("{}@SEAT", metric.name));
            let names = names.chain(of_table.map(|metric| metric.name.to_string()));
            NoSuchMetric(format!(
                "no metric called `{asked}` (the metrics are {}; SEAT is 1 to {})",
                names.collect::<Vec<_>>().join(", "),
                layout.seats
            ))
        })
    }

    /// The metrics of single seats that it stands for, or itself.
    pub fn each(self, layout: &Layout) -> Vec<MetricRef> {
        let of_seat = |seat| MetricRef::of_seat(self.name, seat);
        match self.scope {
            Scope::EverySeat => (0..layout.seats).map(of_seat).collect(),
            _ => vec![self],
        }
    }

    /// Whether it is `single`, a metric of a seat or of the table, or stands for it.
    pub fn covers(self, single: MetricRef) -> bool {
        let is_in_scope = match self.scope {
            Scope::EverySeat => matches!(single.scope, Scope::Seat(_)),
            own => own == single.scope,
        };
        is_in_scope && self.name == single.name
    }

    /// The seat (from 0) of a metric of one seat.
    pub fn seat(self) -> Option<usize> {
        match self.scope {
            Scope::Seat(seat) => Some(seat),
            Scope::Table | Scope::EverySeat => None,
        }
    }

    /// Whether it is a metric of all games by which bots are ranked: more is better.
    pub fn ranks(self) -> bool {
        [WIN_SHARE, SCORE_MEAN].contains(&self.name)
    }
}

/// A copy of the text that lives until the program ends.
pub(crate) fn intern(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = kept.get(text) {
        return kept;
    }
    let text: &'static str = Box::leak(text.into());
    kept.insert(text);
    text
}

impl fmt::Display for MetricRef {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.scope {
            Scope::Seat(seat) => write!(f, "{}@{}", self.name, seat + 1),
            Scope::Table | Scope::EverySeat => f.write_str(self.name),
        }
    }
}

/// A metric as columns of a record: the sum of one, or the largest sum of several minus the
/// smallest, over `per`, which may also be a column.
#[derive(Debug, Clone)]
pub struct Fraction {
    /// The column to sum and divide, or the columns to take the largest and the smallest sum of.
    pub of: Vec<usize>,
    pub per: Per,
}

impl Fraction {
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        let per = match self.per {
            Per::Games(_) => None,
            Per::Outcome(column) => Some(column),
        };
        self.of.iter().copied().chain(per)
    }

    /// The column with the largest sum, and, of several, the one with the smallest.
    pub fn picked(&self, sum: impl Fn(usize) -> i128) -> (usize, Option<usize>) {
        let mut picked = (self.of[0], self.of[0]);
        for &column in &self.of[1..] {
            if sum(column) > sum(picked.0) {
                picked.0 = column;
            }
            if sum(column) < sum(picked.1) {
                picked.1 = column;
            }
        }
        (picked.0, (self.of.len() > 1).then_some(picked.1))
    }
}
