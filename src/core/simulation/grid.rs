//! Many tables that play the same games: which is best, and which are statistically tied with it.
//!
//! The groups of a design are families: the arms of a family are alternatives, and the best of each
//! family is sought. Arms are played in rounds. One that is significantly worse than another of its
//! family, in the games that both played, gets no more games; the error of all these decisions
//! together is at most 5 %.

use super::{Design, Experiment, GROUP, Player, RoundInfo, Stopped, Tally};
use crate::statistics::{Estimate, best_set_z, z_over};

/// Fewest chunks of an arm that are played at once.
const CHUNKS: u64 = 4;

pub struct PlayedGrid {
    pub tallies: Vec<Tally>,
    /// The metric of each arm; `None` if its divisor is 0.
    pub estimates: Vec<Option<Estimate>>,
    /// Whether an arm has the highest value of its family; all false if more is not better, or if
    /// no family has a choice.
    pub best: Vec<bool>,
    /// Whether an arm may be the best of its family; with 95 % probability all true best arms are
    /// among them.
    pub in_best_set: Vec<bool>,
    /// The excess of the best of its family over an arm; an arm that was dropped early is compared
    /// over the games until then. The interval allows for the choice of the best by the same games.
    /// `None` if nothing is ranked, or without data.
    pub behind: Vec<Option<Estimate>>,
}

impl PlayedGrid {
    /// Whether it seeks the best of each family.
    pub fn ranks(&self) -> bool {
        self.best.contains(&true)
    }

    /// The estimates of the arms that played to the end.
    pub fn remaining(&self) -> Vec<Estimate> {
        let arms = self.in_best_set.iter().zip(&self.estimates);
        let remaining = arms.filter(|(kept, _)| **kept || !self.ranks());
        let known = remaining.map(|(_, known)| known.unwrap_or(Estimate::UNKNOWN));
        known.collect()
    }
}

pub fn play(design: &Design, player: &mut Player) -> Result<PlayedGrid, Stopped> {
    let arms = design.arms.len();
    let families = design.groups.iter().max().map_or(0, |last| last + 1);
    let ranks = design.metric.ranks() && families < arms && design.gates.is_empty();
    let mut groups = Vec::new();
    for family in 0..families {
        let own = (0..arms).filter(|&arm| design.groups[arm] == family);
        let own: Vec<usize> = own.collect();
        groups.extend(own.chunks(GROUP).map(|arms| (arms.to_vec(), 0)));
    }
    let compared = |_, _| Vec::from_iter(ranks.then_some(design.metric));
    let mut race = Experiment::new(design.tables(), design.games, groups, &compared);
    for group in &mut race.groups {
        let family = design.groups[group.arms[0]];
        group.seed = design.seeds.get(family).copied().unwrap_or(group.seed);
    }
    let looks = design.goal.looks();
    let most = design.goal.most().saturating_mul(arms as u64);
    player.listener.planned(most);
    // Half of the error rate is spent on the upper ends of intervals.
    let z = best_set_z(2 * (arms - families) + 1, looks.len());
    let z = z_over(z, race.layout(0).populations);
    let mut best = vec![None; families];
    let mut behind_best: Vec<Option<Estimate>> = vec![None; arms];
    let mut first = 0;
    for end in looks {
        race.play(
            RoundInfo::default(),
            first..end,
            CHUNKS * design.games.chunk,
            player,
        )?;
        for (family, best) in best.iter_mut().enumerate().filter(|_| ranks) {
            *best = leader(design, &race, family);
            if let Some(best) = *best {
                let of_family = |arm: &usize| design.groups[*arm] == family;
                let is_out = |arm: &usize| match above(design, &race, best, *arm) {
                    None => true,
                    // The error is unknown before the second game.
                    Some(by) => by.se.is_finite() && by.value > z * by.se,
                };
                let out: Vec<usize> = race.remaining().filter(of_family).filter(is_out).collect();
                for &arm in &out {
                    behind_best[arm] = behind(design, &race, best, arm, z);
                }
                race.keep(&|arm| !out.contains(&arm));
            }
        }
        first = end;
        let estimates = sought(design, &race);
        if design.goal.reached(end, &estimates) {
            break;
        }
    }
    let mut in_best_set = vec![false; arms];
    for arm in race.remaining() {
        in_best_set[arm] = ranks;
        let best = best[design.groups[arm]];
        behind_best[arm] = best.and_then(|best| behind(design, &race, best, arm, z));
    }
    Ok(PlayedGrid {
        best: (0..arms).map(|arm| best.contains(&Some(arm))).collect(),
        estimates: (0..arms)
            .map(|arm| race.estimate(arm, design.metric))
            .collect(),
        behind: behind_best,
        in_best_set,
        tallies: race.tallies,
    })
}

/// What the goal is checked with: how far expectations are met, or the metric of the remaining arms.
fn sought(design: &Design, race: &Experiment) -> Vec<Estimate> {
    if let Some(margins) = design.margins(race) {
        return margins;
    }
    let known = |arm| race.estimate(arm, design.metric);
    let known = race.remaining().map(known);
    known
        .map(|known| known.unwrap_or(Estimate::UNKNOWN))
        .collect()
}

/// The arm with the highest value among the remaining arms of a family.
fn leader(design: &Design, race: &Experiment, family: usize) -> Option<usize> {
    let remaining = race.remaining();
    let own = remaining.filter(|&arm| design.groups[arm] == family);
    let known = own.filter_map(|arm| Some((arm, race.estimate(arm, design.metric)?.value)));
    // The first of equal arms.
    let best = known.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map(|(arm, _)| arm)
}

/// The excess of `best` over an arm.
fn above(design: &Design, race: &Experiment, best: usize, arm: usize) -> Option<Estimate> {
    let [ahead, value] = [best, arm].map(|arm| race.estimate(arm, design.metric));
    let (ahead, value) = (ahead?, value?);
    let paired = race.difference(design.metric, best, arm);
    // Arms of different groups: treats their games as independent, which is wider.
    let apart = || Estimate::normal(ahead.value - value.value, ahead.se.hypot(value.se));
    Some(paired.unwrap_or_else(apart))
}

/// The excess of the best of its family over an arm. `best` was picked by the same games: any arm
/// of the family might have been, so the lower end is `z` errors away; and another may truly be the
/// best, so the upper end is the highest of theirs (after Hsu 1984).
fn behind(design: &Design, race: &Experiment, best: usize, arm: usize, z: f64) -> Option<Estimate> {
    let by = above(design, race, best, arm)?;
    let of_family = |rival: &usize| design.groups[*rival] == design.groups[arm];
    let rivals = race.remaining().filter(of_family);
    let high = rivals.filter_map(|rival| Some(above(design, race, rival, arm)?.high));
    Some(Estimate {
        low: (by.value - z * by.se).max(0.0),
        high: high.fold(0.0, f64::max),
        ..by
    })
}
