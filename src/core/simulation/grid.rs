//! Many tables that play the same games: which is best, and which are statistically tied with it.
//!
//! Cells belong to families: the cells of a family are alternatives, and the best of each family is
//! sought. Cells are played in rounds. A cell that is significantly worse than another of its
//! family, in the games that both played, gets no more games; the error of all these decisions
//! together is at most 5 %.

use super::{Experiment, GROUP, Games, Goal, Player, RoundInfo, Stopped, Tally};
use crate::game::{MetricRef, Play};
use crate::statistics::{Estimate, best_set_z};

pub struct Grid<'a> {
    pub tables: &'a [&'a dyn Play],
    /// The family of each cell, from 0.
    pub families: &'a [usize],
    /// The metric of one seat or of the table that the study is about.
    pub metric: MetricRef,
    pub goal: Goal,
    pub games: Games,
    /// Fewest games played between looks.
    pub part: u64,
}

pub struct PlayedGrid {
    pub tallies: Vec<Tally>,
    /// The metric of each cell; `None` if its divisor is 0.
    pub estimates: Vec<Option<Estimate>>,
    /// Whether a cell has the highest value of its family; all false if more is not better, or if
    /// no family has a choice.
    pub best: Vec<bool>,
    /// Whether a cell may be the best of its family; with 95 % probability all true best cells are
    /// among them.
    pub in_best_set: Vec<bool>,
    /// The excess of the best of its family over a cell; a cell that was dropped early is compared
    /// over the games until then. The interval allows for the choice of the best by the same games.
    /// `None` if nothing is ranked, or without data.
    pub behind: Vec<Option<Estimate>>,
}

impl PlayedGrid {
    /// Whether it seeks the best of each family.
    pub fn ranks(&self) -> bool {
        self.best.contains(&true)
    }

    /// The estimates of the cells that played to the end.
    pub fn remaining(&self) -> Vec<Estimate> {
        let cells = self.in_best_set.iter().zip(&self.estimates);
        let remaining = cells.filter(|(kept, _)| **kept || !self.ranks());
        let known = remaining.map(|(_, known)| known.unwrap_or(Estimate::UNKNOWN));
        known.collect()
    }
}

pub fn play(grid: &Grid, player: &mut Player) -> Result<PlayedGrid, Stopped> {
    let cells = grid.tables.len();
    let families = grid.families.iter().max().map_or(0, |last| last + 1);
    let ranks = grid.metric.ranks() && families < cells;
    let mut groups = Vec::new();
    for family in 0..families {
        let own = (0..cells).filter(|&cell| grid.families[cell] == family);
        let own: Vec<usize> = own.collect();
        groups.extend(own.chunks(GROUP).map(|cells| (cells.to_vec(), 0)));
    }
    let compared = |_, _| Vec::from_iter(ranks.then_some(grid.metric));
    let mut race = Experiment::new(grid.tables.to_vec(), grid.games, groups, &compared);
    let looks = grid.goal.looks();
    let most = grid.goal.most().saturating_mul(cells as u64);
    player.listener.planned(most);
    // Half of the error rate is spent on the upper ends of intervals.
    let z = best_set_z(2 * (cells - families) + 1, looks.len());
    let mut best = vec![None; families];
    let mut behind_best: Vec<Option<Estimate>> = vec![None; cells];
    let mut first = 0;
    for end in looks {
        race.play(RoundInfo::default(), first..end, grid.part, player)?;
        for (family, best) in best.iter_mut().enumerate().filter(|_| ranks) {
            *best = leader(grid, &race, family);
            if let Some(best) = *best {
                let of_family = |cell: &usize| grid.families[*cell] == family;
                let is_out = |cell: &usize| match above(grid, &race, best, *cell) {
                    None => true,
                    // The error is unknown before the second game.
                    Some(by) => by.se.is_finite() && by.value > z * by.se,
                };
                let out: Vec<usize> = race.remaining().filter(of_family).filter(is_out).collect();
                for &cell in &out {
                    behind_best[cell] = behind(grid, &race, best, cell, z);
                }
                race.keep(&|cell| !out.contains(&cell));
            }
        }
        first = end;
        let mut estimates = Vec::new();
        for cell in race.remaining() {
            let known = race.estimate(cell, grid.metric);
            estimates.push(known.unwrap_or(Estimate::UNKNOWN));
        }
        if grid.goal.reached(end, &estimates) {
            break;
        }
    }
    let mut in_best_set = vec![false; cells];
    for cell in race.remaining() {
        in_best_set[cell] = ranks;
        let best = best[grid.families[cell]];
        behind_best[cell] = best.and_then(|best| behind(grid, &race, best, cell, z));
    }
    Ok(PlayedGrid {
        best: (0..cells).map(|cell| best.contains(&Some(cell))).collect(),
        estimates: (0..cells)
            .map(|cell| race.estimate(cell, grid.metric))
            .collect(),
        behind: behind_best,
        in_best_set,
        tallies: race.tallies,
    })
}

/// The cell with the highest value among the remaining cells of a family.
fn leader(grid: &Grid, race: &Experiment, family: usize) -> Option<usize> {
    let remaining = race.remaining();
    let own = remaining.filter(|&cell| grid.families[cell] == family);
    let known = own.filter_map(|cell| Some((cell, race.estimate(cell, grid.metric)?.value)));
    // The first of equal cells.
    let best = known.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map(|(cell, _)| cell)
}

/// The excess of `best` over a cell.
fn above(grid: &Grid, race: &Experiment, best: usize, cell: usize) -> Option<Estimate> {
    let [ahead, value] = [best, cell].map(|cell| race.estimate(cell, grid.metric));
    let (ahead, value) = (ahead?, value?);
    let paired = race.difference(grid.metric, best, cell);
    // Cells of different groups: treats their games as independent, which is wider.
    let apart = || Estimate::normal(ahead.value - value.value, ahead.se.hypot(value.se));
    Some(paired.unwrap_or_else(apart))
}

/// The excess of the best of its family over a cell. `best` was picked by the same games: any cell
/// of the family might have been, so the lower end is `z` errors away; and another may truly be the
/// best, so the upper end is the highest of theirs (after Hsu 1984).
fn behind(grid: &Grid, race: &Experiment, best: usize, cell: usize, z: f64) -> Option<Estimate> {
    let by = above(grid, race, best, cell)?;
    let of_family = |rival: &usize| grid.families[*rival] == grid.families[cell];
    let rivals = race.remaining().filter(of_family);
    let high = rivals.filter_map(|rival| Some(above(grid, race, rival, cell)?.high));
    Some(Estimate {
        low: (by.value - z * by.se).max(0.0),
        high: high.fold(0.0, f64::max),
        ..by
    })
}
