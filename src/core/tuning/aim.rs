//! The aim of a tuning: a metric to maximize or minimize, target ranges of metrics, or both.

use super::candidates::{Candidates, START};
use crate::game::MetricRef;
use crate::simulation::TargetVerdict;
use crate::statistics::{Estimate, Z95};
use indexmap::IndexSet;
use std::cmp::Ordering;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Aim {
    /// The metric to maximize or minimize; with targets, among points that meet them.
    pub objective: Option<Objective>,
    /// Targets that must be met, then wishes, the most important first.
    pub targets: Vec<MetricTarget>,
}

/// A metric to maximize or minimize.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Objective {
    pub metric: MetricRef,
    /// Whether more is better.
    pub maximize: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MetricTarget {
    pub metric: MetricRef,
    pub low: Edge,
    pub high: Edge,
    /// Numbers of the tables at which it must hold.
    pub tables: Vec<usize>,
    /// Whether it only decides among points that meet the targets and the wishes before it.
    pub is_wish: bool,
    /// How many targets of weight 1 it is worth, above 0.
    pub weight: f64,
    /// The unit of distances from the range: its width, or else how far the metric moved among the
    /// first candidates of the search; 0 until then.
    pub unit: f64,
}

/// How far a point is from an end: the better end of its interval, its value, and the worse end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distance {
    pub better: f64,
    pub value: f64,
    pub worse: f64,
    /// The table at which it is furthest from a target, most certainly, and the metric there.
    pub at: Option<(usize, Estimate)>,
}

/// A metric that is sought: its mean over all tables, or at one where a target must hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sought {
    pub metric: MetricRef,
    /// Numbers of the tables.
    pub tables: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Edge {
    Open,
    At(f64),
    /// This much above the metric of the start.
    FromStart(f64),
}

impl Distance {
    pub fn verdict(&self) -> TargetVerdict {
        match (self.worse <= 0.0, self.better > 0.0) {
            (true, _) => TargetVerdict::Met,
            (_, true) => TargetVerdict::Missed,
            _ => TargetVerdict::Undecided,
        }
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Distance {
        Distance {
            better: change(self.better),
            value: change(self.value),
            worse: change(self.worse),
            at: self.at,
        }
    }

    fn add(&mut self, other: Distance) {
        self.better += other.better;
        self.value += other.value;
        self.worse += other.worse;
    }
}

/// How a point ranks against the best with certainty: `Greater` if it is worse, `Less` if it may be
/// better, `Equal` if it is not better, so that the next criterion decides.
pub fn certain_order(own: &[Distance], best: &[Distance]) -> Ordering {
    let own = own.iter().map(|own| own.better);
    let order = own.partial_cmp(best.iter().map(|best| best.worse));
    order.unwrap_or(Ordering::Equal)
}

impl Objective {
    /// A difference with its sign turned so that more is better.
    pub fn gain(&self, estimate: Estimate) -> Estimate {
        estimate.scaled(if self.maximize { 1.0 } else { -1.0 })
    }
}

impl Aim {
    /// The highest value of a metric, without targets.
    pub fn highest(metric: MetricRef) -> Aim {
        let maximize = true;
        Aim {
            objective: Some(Objective { metric, maximize }),
            ..Aim::default()
        }
    }

    /// The number of targets, wishes and objectives.
    pub fn criteria(&self) -> usize {
        self.targets.len() + usize::from(self.objective.is_some())
    }

    /// The metrics of the objective and the targets, without duplicates.
    pub fn metrics(&self) -> Vec<MetricRef> {
        let objective = self.objective.iter().map(|objective| objective.metric);
        let targets = self.targets.iter().map(|target| target.metric);
        let metrics: IndexSet<MetricRef> = objective.chain(targets).collect();
        metrics.into_iter().collect()
    }

    /// What is sought at this many tables, the objective first, without duplicates: a target of all
    /// tables as the mean over them, any other at each of its tables.
    pub fn sought(&self, tables: usize) -> Vec<Sought> {
        let mut sought = IndexSet::new();
        let mut seek = |metric, tables| sought.insert(Sought { metric, tables });
        if let Some(objective) = &self.objective {
            seek(objective.metric, 0..tables);
        }
        for target in &self.targets {
            if target.tables.len() == tables {
                seek(target.metric, 0..tables);
                continue;
            }
            for &table in &target.tables {
                seek(target.metric, table..table + 1);
            }
        }
        sought.into_iter().collect()
    }

    /// Whether all targets of a candidate are precise enough at each of their tables; `of` has the
    /// values that the default precision is a part of.
    pub fn is_precise(&self, race: &Candidates, candidate: usize, of: usize) -> bool {
        self.targets.iter().all(|target| {
            let metric = target.metric;
            let enough = target.tolerance();
            let enough = enough.unwrap_or_else(|| race.tolerance(metric, of));
            target.tables.iter().all(|&line_up| {
                let line_up = line_up..line_up + 1;
                let estimate = if target.is_relative() {
                    race.difference_in(line_up, metric, candidate, START)
                } else {
                    race.estimate_in(line_up, candidate, metric)
                };
                estimate.is_some_and(|estimate| estimate.half_width() <= enough)
            })
        })
    }

    pub fn musts(&self) -> usize {
        self.targets.iter().filter(|target| !target.is_wish).count()
    }

    /// Sets the unit of each target, once, from candidates before any is dropped.
    pub fn set_units(&mut self, race: &Candidates) {
        for target in self.targets.iter_mut().filter(|target| target.unit == 0.0) {
            target.unit = target.width().unwrap_or_else(|| target.moved(race));
        }
    }

    /// The distance of a candidate from the range of each target, in its unit, with intervals of
    /// `z` standard errors.
    pub fn distances(&self, race: &Candidates, candidate: usize, z: f64) -> Vec<Distance> {
        let distance = |target: &MetricTarget| {
            let outside = target.outside(&target.tables, race, candidate, z);
            outside.map(|distance| distance / target.unit)
        };
        self.targets.iter().map(distance).collect()
    }

    /// The sum over all targets that must be met, each times its weight, then each wish.
    pub fn in_order(&self, distances: &[Distance]) -> Vec<Distance> {
        let (musts, wishes) = distances.split_at(self.musts());
        let mut sum = Distance::default();
        for (must, target) in musts.iter().zip(&self.targets) {
            sum.add(must.map(|distance| target.weight * distance));
        }
        [&[sum], wishes].concat()
    }

    /// What ranks points, in this order: the weights of the missed targets, counted at each table,
    /// the sum of the distances from them, and the distance from each wish.
    pub fn ranks(&self, race: &Candidates, candidate: usize, z: f64) -> Vec<Distance> {
        let mut missed = Distance::default();
        for target in &self.targets[..self.musts()] {
            for &table in &target.tables {
                let outside = target.outside(&[table], race, candidate, z);
                missed
                    .add(outside.map(|distance| if distance > 0.0 { target.weight } else { 0.0 }));
            }
        }
        let distances = self.distances(race, candidate, z);
        [&[missed], self.in_order(&distances).as_slice()].concat()
    }
}

impl MetricTarget {
    /// How far a candidate is beyond an end of the range at one table; negative inside.
    fn beyond(&self, edge: Edge, race: &Candidates, candidate: usize, line_up: usize) -> Estimate {
        let line_up = line_up..line_up + 1;
        let (estimate, level) = match edge {
            Edge::Open => return Estimate::UNKNOWN,
            Edge::At(level) => (race.estimate_in(line_up, candidate, self.metric), level),
            Edge::FromStart(shift) => {
                let difference = race.difference_in(line_up, self.metric, candidate, START);
                (difference, shift)
            }
        };
        estimate.unwrap_or(Estimate::UNKNOWN).minus(level)
    }

    /// How far an interval of `z` standard errors is outside, at the worst of these tables.
    pub(super) fn outside(
        &self,
        tables: &[usize],
        race: &Candidates,
        candidate: usize,
        z: f64,
    ) -> Distance {
        let mut most = Distance::default();
        for &table in tables {
            for (edge, sign) in [(self.low, -1.0), (self.high, 1.0)] {
                if edge == Edge::Open {
                    continue;
                }
                let beyond = self.beyond(edge, race, candidate, table).scaled(sign);
                let (value, error) = if beyond.se.is_finite() {
                    (beyond.value, z * beyond.se)
                } else {
                    (f64::MAX, f64::MAX)
                };
                let own = [value - error, value, value + error].map(|end| end.max(0.0));
                if most.at.is_none() || own > [most.better, most.value, most.worse] {
                    let there = race.estimate_in(table..table + 1, candidate, self.metric);
                    most.at = there.map(|metric| (table, metric));
                }
                most.better = most.better.max(own[0]);
                most.value = most.value.max(own[1]);
                most.worse = most.worse.max(own[2]).min(f64::MAX);
            }
        }
        most
    }

    pub fn verdict(&self, table: usize, race: &Candidates, candidate: usize) -> TargetVerdict {
        self.outside(&[table], race, candidate, Z95).verdict()
    }

    /// The half-width that decides most verdicts: a tenth of the range.
    pub fn tolerance(&self) -> Option<f64> {
        self.width().map(|width| width / 10.0)
    }

    /// How far the metric moved between the remaining candidates, at the table where it moved most;
    /// 1 if it did not move.
    fn moved(&self, race: &Candidates) -> f64 {
        let moved = |&table: &usize| {
            let change = |c| race.difference_in(table..table + 1, self.metric, c, START);
            let changes = race.remaining().into_iter().filter_map(change);
            let changes = Vec::from_iter(changes.map(|change| change.value));
            changes.iter().copied().fold(0.0, f64::max) - changes.into_iter().fold(0.0, f64::min)
        };
        let most = self.tables.iter().map(moved).fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    }

    /// The width of a range with two different ends of one kind.
    pub fn width(&self) -> Option<f64> {
        let width = match (self.low, self.high) {
            (Edge::At(low), Edge::At(high)) | (Edge::FromStart(low), Edge::FromStart(high)) => {
                high - low
            }
            _ => return None,
        };
        (width > 0.0).then_some(width)
    }

    pub fn is_relative(&self) -> bool {
        let is_relative = |edge| matches!(edge, Edge::FromStart(_));
        is_relative(self.low) || is_relative(self.high)
    }
}
