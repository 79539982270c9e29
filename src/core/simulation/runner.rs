//! Experiments that are played in parts from game 0 on, with a look at the sums after each.
//!
//! After each part the sums are complete up to some number of games, so a run can end there: after
//! an interrupt, or when its estimates are precise enough. Where parts end depends on the number of
//! games alone, never on threads or time.
//!
//! There may be very many parts, so they are not saved one by one: from time to time the state of
//! the whole experiment replaces the one saved before.

use super::part::most_games;
use super::player::packed;
use super::{
    Ending, Experiment, Games, Goal, Going, NotKept, Part, Player, Precision, Round, RoundInfo,
    Stopped, Sums, Tally, Threads, alone,
};
use crate::game::{MetricRef, Play, WIN_SHARE};
use crate::statistics::Estimate;
use fearless_simd::Level;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::f64::consts::SQRT_2;
use std::sync::atomic::Ordering;
use web_time::Instant;

/// Games in the first part; each further end is about √2 times the one before.
const FIRST_PART: u64 = 1024;
/// Growth between looks that decide nothing: fine enough for a chart.
pub const FAR: f64 = 1.18;
/// Name of the saved state.
pub const STATE: &str = "games";

pub struct Watched<S> {
    /// The notes of each look.
    pub seen: Vec<S>,
    pub ending: Ending,
    /// All sums and notes, from which the experiment can be continued.
    pub state: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Ends {
    games: u64,
    most: u64,
}

impl Ends {
    /// The end of the part with game `first`.
    fn next(self, first: u64) -> u64 {
        self.next_from(first, 0)
    }

    /// The first end of a part after game `first`, at game `least` or later.
    fn next_from(self, first: u64, least: u64) -> u64 {
        let least = least.max(first + 1).min(self.games);
        let (start, end) = around(least - 1);
        let parts = (least - start).div_ceil(self.most);
        let part_end = start.saturating_add(parts.saturating_mul(self.most));
        part_end.min(end).min(self.games)
    }
}

/// The ends of parts around game `first`, regardless of where the previous part began.
fn around(first: u64) -> (u64, u64) {
    let (mut start, mut end) = (0, FIRST_PART);
    while end <= first {
        start = end;
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    (start, end)
}

impl Player<'_> {
    /// Plays an experiment of one group from where it was interrupted, until it reaches its goal or
    /// is interrupted. After each part `look` returns the estimates of `metric` that the goal is
    /// checked with; its notes are saved with the sums. A shard has no result; a merge looks only
    /// where that adds a note.
    pub fn watch<S: Serialize + DeserializeOwned>(
        &mut self,
        experiment: &mut Experiment,
        goal: Goal,
        metric: MetricRef,
        look: &mut dyn FnMut(&mut Vec<S>, &Experiment) -> Vec<Estimate>,
    ) -> Result<Watched<S>, Stopped> {
        let games = experiment.games;
        let ends = Ends {
            games: goal.most(),
            most: most_games(&experiment.tables, games.chunk),
        };
        if self.sharing.is_some() {
            return self.watch_shared(experiment, ends, look);
        }
        let began = Instant::now();
        let (shortest, longest) = self.finished.save_intervals();
        let is_due = |last_kept: Instant| {
            let wait = (began.elapsed() / 2).clamp(shortest, longest);
            last_kept.elapsed() >= wait
        };
        let mut seen = Vec::new();
        let resumed = self.resume(experiment, ends, &mut seen);
        let (mut last_kept, mut kept) = (began, resumed);
        let tables = experiment.tables.len() as u64;
        let mut total = experiment.tallies[0].games;
        (self.listener).remaining(ends.games.saturating_mul(tables), None, "");
        self.listener.recalled(total.saturating_mul(tables));
        while total < ends.games {
            let part = experiment.part(total, ends.next(total));
            let Some(sums) = self.play_part(&part, games)? else {
                break;
            };
            experiment.groups[0].sums.merge(&sums);
            experiment.update_tallies();
            total += part.games;
            if let Some(each) = self.each {
                each.complete(total)?;
            }
            let estimates = look(&mut seen, experiment);
            let known = Precision::of(experiment.layout(0), metric, &estimates);
            let left = tables.saturating_mul(goal.left(total, &estimates));
            self.listener.remaining(left, None, "");
            (self.listener).checkpoint(Some(known).filter(|it| it.half_width.is_finite()));
            if goal.reached(total, &estimates) {
                return watched(experiment, seen, Ending::Complete);
            }
            if is_due(last_kept) && total > kept {
                self.keep(experiment, &seen)?;
                (last_kept, kept) = (Instant::now(), total);
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        if total == ends.games {
            return watched(experiment, seen, Ending::Complete);
        }
        if total > kept && (kept > 0 || is_due(last_kept)) {
            self.keep(experiment, &seen)?;
        }
        match total {
            0 => Err(Stopped::Early),
            _ => watched(experiment, seen, Ending::Stopped),
        }
    }

    /// Plays a shard of an experiment from where it was interrupted, or merges all and looks at
    /// their sums. The sums between two looks are a part: looks are a little apart, as fine as a
    /// chart can show, and without notes only the last matters.
    fn watch_shared<S: Serialize + DeserializeOwned>(
        &mut self,
        experiment: &mut Experiment,
        ends: Ends,
        look: &mut dyn FnMut(&mut Vec<S>, &Experiment) -> Vec<Estimate>,
    ) -> Result<Watched<S>, Stopped> {
        let mut seen = Vec::new();
        let (mut parts, mut first) = (Vec::new(), self.resume(experiment, ends, &mut seen));
        while first < ends.games {
            let end = match size_of::<S>() {
                0 => ends.games,
                _ => ends.next_from(first, (first as f64 * FAR).ceil() as u64),
            };
            parts.push(experiment.part(first, end));
            first = end;
        }
        let none = Sums::new(&experiment.tables, experiment.groups[0].products.len());
        let mut sums = vec![none; parts.len()];
        let round = Round {
            games: experiment.games,
            parts,
            least: 0,
            going: Going::default(),
            info: RoundInfo::default(),
        };
        self.round(&round, &mut |part, more| sums[part].merge(&more))?;
        for sums in &sums {
            experiment.groups[0].sums.merge(sums);
            experiment.update_tallies();
            look(&mut seen, experiment);
        }
        watched(experiment, seen, Ending::Complete)
    }

    /// Resumes a saved experiment; returns the number of its games. Skips a look that was only the
    /// last of fewer games.
    fn resume<S: DeserializeOwned>(
        &mut self,
        experiment: &mut Experiment,
        ends: Ends,
        seen: &mut Vec<S>,
    ) -> u64 {
        let Some((sums, mut noted)) = self.recall_state::<(Sums, Vec<S>)>(STATE) else {
            return 0;
        };
        let kept = sums.games();
        if !sums.are_of(&experiment.part(0, kept.min(ends.games))) {
            return 0;
        }
        if kept < ends.games && ends.next(kept.saturating_sub(1)) != kept {
            noted.pop();
        }
        // Games that are received one by one must be replayed.
        if self.each.is_none() {
            experiment.groups[0].sums = sums;
            experiment.update_tallies();
            *seen = noted;
        }
        kept
    }

    /// Saves the state of an experiment.
    fn keep<S: Serialize>(&mut self, experiment: &Experiment, seen: &[S]) -> Result<(), NotKept> {
        self.finished.keep_state(STATE, &state(experiment, seen)?)
    }
}

/// Plays the first `games` games of a seed at a table. Fails where a bot fails to decide.
pub fn play_games(
    table: &dyn Play,
    threads: &Threads,
    seed: u64,
    games: u64,
) -> Result<Tally, Stopped> {
    let mut experiment = Experiment::apart(vec![table], Games { seed, chunk: 8192 });
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let mut look = |_: &mut Vec<()>, _: &Experiment| Vec::new();
    alone(threads, Level::new(), |player| {
        player.watch(&mut experiment, Goal::Games(games), metric, &mut look)
    })?;
    Ok(experiment.tallies.remove(0))
}

/// The sums and notes of an experiment, serialized.
fn state<S: Serialize>(experiment: &Experiment, seen: &[S]) -> Result<Vec<u8>, NotKept> {
    packed(&(&experiment.groups[0].sums, seen))
}

fn watched<S: Serialize>(
    experiment: &Experiment,
    seen: Vec<S>,
    ending: Ending,
) -> Result<Watched<S>, Stopped> {
    Ok(Watched {
        state: state(experiment, &seen)?,
        seen,
        ending,
    })
}

impl<'a> Experiment<'a> {
    /// Games `first .. end` of all its tables.
    fn part(&self, first: u64, end: u64) -> Part<'a> {
        Part {
            name: format!("games {first}-{end}"),
            tables: self.tables.clone(),
            first: vec![first; self.tables.len()],
            games: end - first,
            seed: self.groups[0].seed,
            products: self.groups[0].products.clone().into(),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/simulation/runner.rs"]
mod tests;
