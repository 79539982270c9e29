//! The clauses of a rule besides its fitted numbers: which of them it needs.

use super::{CHOICE_PART, Fitted, LEFT_OUT, NUMBERS_MAX, OF_CHOICE, Resolved, SEARCH_PART};
use crate::study::adapt::FamilyTable;
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, is_of_thinking};
use carat_core::tuning::{AxisShape, Point};

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

impl Resolved {
    /// Sorts the clauses by worth and leaves out the last, all together at a small cost.
    pub(super) fn leave_out(&mut self, player: &mut Player) -> Result<(), Stopped> {
        if self.clauses.is_empty() {
            return Ok(());
        }
        let own = self.table.space.start.clone();
        let bots = self.clauses.iter().map(|&axis| self.without(&own, &[axis]));
        let bots = Vec::from_iter([self.table.seat(&own, 0.0)].into_iter().chain(bots));
        let costs = self.costs(&bots, CHOICE_PART, 1, player)?;
        let mut ranked = Vec::from_iter(self.clauses.iter().copied().zip(costs));
        ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        let ranked = Vec::from_iter(ranked.into_iter().map(|(axis, _)| axis));
        // Halves the range of the number of clauses that it needs.
        let (mut few, mut many, mut look) = (0, ranked.len(), 2);
        while few < many {
            let kept = usize::midpoint(few, many);
            let bots = [&own, &own].map(|own| self.table.seat(own, 0.0));
            let bots = [bots[0].clone(), self.without(&own, &ranked[kept..])];
            let cost = self.costs(&bots, SEARCH_PART, look, player)?[0];
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

    /// How much less than the first bot each of the others wins beside the first company.
    fn costs(
        &self,
        bots: &[Seat],
        part: f64,
        look: u64,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let mut tables = Vec::new();
        for bot in bots {
            tables.push(self.beside_first(bot.clone())?);
        }
        let tables = Vec::from_iter(tables.iter().map(|table| table.as_ref() as _));
        // After the choices of numbers.
        let first = OF_CHOICE + (2 * NUMBERS_MAX as u64 + look) * self.table.games;
        let games = first..first + self.games(part);
        let name = format!("clauses {look} ");
        let mut costs = self.shortfalls(&name, &tables, bots.len(), games, player)?;
        Ok(costs.swap_remove(0))
    }
}
