//! The clauses of a rule besides its fitted numbers: which of them it needs.

use super::fit::{CHOICE_PART, CLEARLY, RACES};
use super::{Fitted, LEFT_OUT, RuleSearch, SENTENCES_MAX, own_share};
use crate::adaptation::FamilyTable;
use crate::simulation::{Experiment, Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{Seat, is_of_thinking};
use crate::tuning::{AxisShape, Point};

/// Games of each step of the binary search for the number of clauses, as a part of the number of
/// games.
const LEAVING_PART: f64 = 0.8;

impl FamilyTable {
    /// Adds the parameters without a range as axes with two values: their own, and 0.
    pub(super) fn add_clauses(&mut self) {
        for (param, value) in &self.family.params {
            let mut ranges = self.family.ranges.iter();
            let has_range = ranges.any(|(known, _)| known == param);
            if !has_range && *value != 0.0 && !is_of_thinking(param) {
                self.axes.push((param.clone(), vec![*value, 0.0]));
            }
        }
        let clause = AxisShape {
            count: 1,
            ordered: true,
        };
        // No search turns them off.
        self.space.axes.resize(self.axes.len(), clause);
        self.space.start.resize(self.axes.len(), 0);
    }
}

impl RuleSearch {
    /// The games of this, at most.
    pub(super) fn clause_games(&self) -> u64 {
        let clauses = self.clauses.len() as u64;
        let steps = clauses.checked_ilog2().map_or(0, |halvings| 1 + halvings);
        clauses * self.games(CHOICE_PART) + u64::from(2 * steps) * self.games(LEAVING_PART)
    }

    /// Sorts the clauses by worth and leaves out the last, all together at a small cost.
    pub(super) fn leave_out(&mut self, player: &mut Player) -> Result<(), Stopped> {
        if self.clauses.is_empty() {
            return Ok(());
        }
        let own = self.table.space.start.clone();
        let bots = self.clauses.iter().map(|&axis| self.without(&own, &[axis]));
        let bots = Vec::from_iter([self.table.seat(&own, 0.0)].into_iter().chain(bots));
        let costs = self.costs(&bots, CHOICE_PART, 1, &|_| false, player)?;
        let mut ranked = Vec::from_iter(self.clauses.iter().copied().zip(costs));
        ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        let ranked = Vec::from_iter(ranked.into_iter().map(|(axis, _)| axis));
        // Halves the range of the number of clauses that it needs.
        let most = ranked.len().min(SENTENCES_MAX - 1);
        let (mut few, mut many, mut look) = (0, most, 2);
        while few < many {
            let kept = usize::midpoint(few, many);
            let bots = [&own, &own].map(|own| self.table.seat(own, 0.0));
            let bots = [bots[0].clone(), self.without(&own, &ranked[kept..])];
            let is_clear = |cost: Estimate| (cost.value - LEFT_OUT).abs() > CLEARLY * cost.se;
            let cost = self.costs(&bots, LEAVING_PART, look, &is_clear, player)?[0];
            if cost.value <= LEFT_OUT {
                many = kept;
            } else {
                few = kept + 1;
            }
            look += 1;
        }
        for &axis in &ranked[many..] {
            self.table.axes[axis].1 = vec![0.0];
        }
        self.clauses = ranked[..many].to_vec();
        Ok(())
    }

    pub(super) fn without(&self, point: &Point, clauses: &[usize]) -> Seat {
        let mut point = point.clone();
        for &clause in clauses {
            point[clause] = 1;
        }
        self.table.seat(&point, 0.0)
    }

    /// A rule with all clauses of the family.
    pub(super) fn complete(&self, rule: &Fitted) -> Seat {
        let mut seat = self.table.seat(&rule.point, 0.0);
        for (param, _) in &self.table.axes[self.numbers..] {
            let own = seat
                .strategy
                .params
                .iter()
                .position(|(name, _)| name == param);
            if let Some(at) = own {
                seat.values[at] = seat.strategy.params[at].1;
            }
        }
        seat
    }

    /// How much less than the first bot each of the others wins beside the first company, in as
    /// many games as it takes to make the first of them clear.
    pub(super) fn costs(
        &self,
        bots: &[Seat],
        part: f64,
        look: u64,
        is_clear: &dyn Fn(Estimate) -> bool,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let mut costs = Vec::new();
        let mut goes_on = |race: &mut Experiment| {
            let less = (1..bots.len()).map(|bot| race.difference(own_share(), 0, bot));
            costs = less.map(|less| less.unwrap_or(Estimate::UNKNOWN)).collect();
            !is_clear(costs[0])
        };
        self.race(bots, RACES + look, part, &mut goes_on, player)?;
        Ok(costs)
    }
}
