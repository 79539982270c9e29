//! What a tuning seeks: a metric to maximize or minimize, targets and wishes, at their tables.

use super::Tune;
use crate::study::error::{StudyError, refuse};
use crate::study::table::SeatedTable;
use crate::study::target::parse_weighted;
use carat_core::game::{MetricRef, Scope};
use carat_core::strategy::SeatSpec;
use carat_core::tuning::{Aim, MetricTarget, Objective};

impl Tune {
    /// Whether a target names other players, and no table of these.
    fn is_elsewhere(&self, name: &str, names: &[String]) -> bool {
        self.is_judged_by(name) && !names.iter().any(|known| known == name)
    }

    /// The aim at these tables, of which the first are the study's own; targets that name no table
    /// hold at those that must meet them.
    pub fn aim(
        &self,
        seated: &[SeatedTable],
        names: &[String],
        own: usize,
        must: &[usize],
    ) -> Result<Aim, StudyError> {
        let everywhere = must.to_vec();
        if self.maximize.is_some() && self.minimize.is_some() {
            refuse!(
                "maximize and minimize: give only one of them; set a target for the other metric"
            );
        }
        let mut aim = Aim::default();
        for (key, asked) in [("maximize", &self.maximize), ("minimize", &self.minimize)] {
            let Some(asked) = asked else { continue };
            let metric = find(asked, seated, &everywhere)?;
            if metric.scope == Scope::EverySeat {
                refuse!("{key} = {asked}: name a single seat, such as {asked}@1");
            }
            let maximize = key == "maximize";
            aim.objective = Some(Objective { metric, maximize });
        }
        let wishes = self.wishes.iter().map(|wish| (wish, true));
        let sought = self.targets.iter().map(|target| (target, false));
        for ((asked, range), is_wish) in sought.chain(wishes) {
            let key = if is_wish { "wish" } else { "target" };
            let wrong = |why| StudyError::Refused(format!("{key} {asked} = {range}: {why}"));
            let (low, high, weight) = parse_weighted(range).map_err(wrong)?;
            if is_wish && weight != 1.0 {
                refuse!("wish {asked} = {range}: wishes have no weight, but an order");
            }
            let (asked, tables) = match asked.split_once(" at ") {
                None => (asked.as_str(), everywhere.clone()),
                Some((_, name)) if self.is_elsewhere(name.trim(), names) => continue,
                Some((asked, name)) => (asked.trim(), self.tables_called(name.trim(), names)?),
            };
            // Of every seat means of each seat of the largest table, too.
            let layout = |table: &usize| seated[*table].table.layout();
            let largest = tables.iter().map(layout).max_by_key(|layout| layout.seats);
            let of_seats =
                find(asked, seated, &tables)?.each(largest.unwrap_or(layout(&tables[0])));
            for metric in of_seats {
                let mut tables = tables.clone();
                let is_there = |table: usize| table < own || metric.scope == Scope::Table;
                tables.retain(|&at| is_there(at) && layout(&at).metric(metric).is_some());
                aim.targets.push(MetricTarget {
                    metric,
                    low,
                    high,
                    tables,
                    is_wish,
                    weight,
                    unit: 0.0,
                });
            }
        }
        if aim.objective.is_none() && aim.targets.is_empty() && !self.targets.is_empty() {
            refuse!(
                "targets: all are at tables of others; give the study's own tables a goal, too"
            );
        }
        if aim.objective.is_none() && aim.targets.is_empty() {
            refuse!(
                "no goal: maximize or minimize a metric, such as win_share@1, or give a metric a \
                 target, such as cards_per_game = 31..32"
            );
        }
        Ok(aim)
    }

    /// The tables of this name, one or one for each number of players.
    fn tables_called(&self, name: &str, names: &[String]) -> Result<Vec<usize>, StudyError> {
        let is_it = |at: &usize| {
            let rest = names[*at].strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
        };
        let found: Vec<usize> = (0..names.len()).filter(is_it).collect();
        if found.is_empty() {
            let mut known = names.to_vec();
            known.extend(self.who().iter().map(SeatSpec::to_string));
            known.retain(|known| !known.is_empty());
            let known = known.join("; ");
            refuse!("targets: no table called `{name}`; the tables are {known}");
        }
        Ok(found)
    }
}

/// A metric that all of these tables have.
fn find(asked: &str, seated: &[SeatedTable], at: &[usize]) -> Result<MetricRef, StudyError> {
    let layouts = at.iter().map(|table| seated[*table].table.layout());
    let found = layouts.map(|layout| MetricRef::find(layout, asked));
    Ok(found.collect::<Result<Vec<_>, _>>()?[0])
}
