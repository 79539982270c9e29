//! Experiments that are played in parts from game 0 on, with a look at the sums after each.
//!
//! After each part the sums are complete up to some number of games, so that a run can end there: when
//! it is interrupted, or when its estimates are sure enough. Where parts end depends on the number of
//! games alone, never on threads or time.
//!
//! There may be very many parts. So they are not kept one by one: now and then all that is known of
//! the games so far takes the place of what was kept before.

use super::part::most_games;
use super::{Ending, Experiment, Goal, NotKept, Part, Player, Precision, Stopped, Sums};
use crate::game::MetricRef;
use crate::statistics::Estimate;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::f64::consts::SQRT_2;
use std::mem::replace;
use std::time::{Duration, Instant};

/// Games in the first part; the following ends are about √2 apart.
const FIRST_PART: u64 = 1024;
/// Growth from one look to the next when nothing is decided there: as fine as a chart shows it.
pub const FAR: f64 = 1.18;
/// How far a run has come is kept whenever the time since its begin has doubled, but not before
/// [`KEPT_FIRST`], as that is as quickly played again, and at least every [`KEPT_LATEST`].
const KEPT_FIRST: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 1 });
const KEPT_LATEST: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 3 });
/// What is kept of it is called so.
pub const STATE: &str = "games";

/// What came out of an experiment that was watched.
pub struct Watched<S> {
    /// What was noted at each look.
    pub seen: Vec<S>,
    pub ending: Ending,
    /// All sums and what was noted, by which more games can be added later.
    pub state: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Ends {
    games: u64,
    most: u64,
}

impl Ends {
    /// Where the part ends that game `first` is in.
    fn next(self, first: u64) -> u64 {
        let (start, end) = around(first);
        let parts = (first - start) / self.most + 1;
        let part_end = start.saturating_add(parts.saturating_mul(self.most));
        part_end.min(end).min(self.games)
    }

    /// Whether a part ends after this many games, whatever the number of all games.
    fn is_end(self, games: u64) -> bool {
        let endless = Ends {
            games: u64::MAX,
            ..self
        };
        games > 0 && endless.next(games - 1) == games
    }

    /// Where the first part ends that does so at game `least` or later, when one starts at `first`.
    fn next_from(self, mut first: u64, least: u64) -> u64 {
        while around(first).1 < least.min(self.games) {
            first = around(first).1;
        }
        let parts = least.saturating_sub(first).div_ceil(self.most).max(1);
        let end = first.saturating_add(parts.saturating_mul(self.most));
        end.min(around(first).1).min(self.games)
    }
}

/// The numbers of games around game `first` at which a part ends wherever the one before began.
fn around(first: u64) -> (u64, u64) {
    let (mut start, mut end) = (0, FIRST_PART);
    while end <= first {
        start = end;
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    (start, end)
}

impl Player<'_> {
    /// Plays an experiment of one group from where it was interrupted, until its goal is reached or the
    /// player is told to stop. After each part `look` returns the estimates of `metric`, by which the
    /// goal is reached; what it noted by then is kept with the sums. Shards look only where that matters
    /// to `goal`.
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
        let began = Instant::now();
        let is_due = |last_kept: Instant| {
            let wait = (began.elapsed() / 2).clamp(KEPT_FIRST, KEPT_LATEST);
            last_kept.elapsed() >= wait
        };
        let mut seen = Vec::new();
        let resumed = self.resume(experiment, ends, &mut seen);
        let (mut last_kept, mut kept) = (began, resumed);
        let tables = experiment.tables.len() as u64;
        let mut total = experiment.tallies[0].games;
        (self.listener).remaining(ends.games.saturating_mul(tables), None, "");
        self.listener.recalled(total.saturating_mul(tables));
        let mut half_width = f64::INFINITY;
        'parts: while total < ends.games {
            let next = match self.sharing {
                None => vec![ends.next(total)],
                Some(_) => looks(ends, games.chunk, goal, total, half_width),
            };
            let mut first = total;
            let mut parts = Vec::new();
            for end in next {
                parts.push(experiment.part(replace(&mut first, end), end));
            }
            let mut sums = vec![experiment.no_sums(); parts.len()];
            let last = matches!(goal, Goal::Games(_)) || first == ends.games;
            let cut = self.cut(&parts, None, last, games.chunk);
            let mut done = |of: usize, more: Sums| sums[of].merge(&more);
            let ending = self.play(cut, games, false, &mut done)?;
            for (part, sums) in parts.iter().zip(&sums) {
                if sums.games() < part.games {
                    break 'parts;
                }
                experiment.groups[0].sums.merge(sums);
                experiment.update_tallies();
                total += part.games;
                if let Some(each) = self.each {
                    each.complete(total)?;
                }
                let estimates = look(&mut seen, experiment);
                let known = Precision::of(experiment.layout(0), metric, &estimates);
                half_width = known.half_width;
                (self.listener).checkpoint(Some(known).filter(|it| it.half_width.is_finite()));
                if goal.reached(total, &estimates) {
                    return watched(experiment, seen, Ending::Complete);
                }
            }
            if is_due(last_kept) && total > kept {
                self.keep(experiment, &seen)?;
                (last_kept, kept) = (Instant::now(), total);
            }
            if ending == Ending::Stopped {
                break;
            }
        }
        if total == ends.games {
            return watched(experiment, seen, Ending::Complete);
        }
        let is_long = kept > 0 || is_due(last_kept);
        if is_long && total > kept {
            self.keep(experiment, &seen)?;
        }
        match total {
            0 => Err(Stopped::Early),
            _ => watched(experiment, seen, Ending::Stopped),
        }
    }

    /// Goes on from where an experiment was; how many of its games are kept. A look that was only the
    /// last of fewer games is none of these.
    fn resume<S: DeserializeOwned>(
        &mut self,
        experiment: &mut Experiment,
        ends: Ends,
        seen: &mut Vec<S>,
    ) -> u64 {
        let state = self.finished.recall_state(STATE);
        let state = state.and_then(|state| rmp_serde::from_slice::<(Sums, Vec<S>)>(&state).ok());
        let Some((sums, mut noted)) = state else {
            return 0;
        };
        let kept = sums.games();
        if !sums.are_of(&experiment.part(0, kept.min(ends.games))) {
            return 0;
        }
        if kept < ends.games && !ends.is_end(kept) {
            noted.pop();
        }
        // Games that are taken one by one are played again for that.
        if self.each.is_none() {
            experiment.groups[0].sums = sums;
            experiment.update_tallies();
            *seen = noted;
        }
        kept
    }

    /// Keeps how far an experiment is. A shard keeps its parts instead.
    fn keep<S: Serialize>(&mut self, experiment: &Experiment, seen: &[S]) -> Result<(), NotKept> {
        if self.sharing.is_some() {
            return Ok(());
        }
        self.finished.keep_state(STATE, &state(experiment, seen)?)
    }
}

/// The sums of an experiment and what was noted of it, as they are kept.
fn state<S: Serialize>(experiment: &Experiment, seen: &[S]) -> Result<Vec<u8>, NotKept> {
    let state = rmp_serde::to_vec(&(&experiment.groups[0].sums, seen));
    state.map_err(|error| NotKept(error.into()))
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
            products: self.groups[0].products.clone().into(),
        }
    }

    fn no_sums(&self) -> Sums {
        Sums::new(&self.tables, self.groups[0].products.len())
    }
}

/// Where an experiment that is shared out looks at its sums in the round that begins at game `first`,
/// when the half-width is known by now. When it goes by what it sees, it looks after every part, and
/// ends the round about where it expects the end.
fn looks(ends: Ends, chunk: u64, goal: Goal, first: u64, half_width: f64) -> Vec<u64> {
    let reach = match goal {
        Goal::Games(games) => games,
        Goal::Precision { .. } if first == 0 => chunk.saturating_mul(64),
        Goal::Precision {
            half_width: asked, ..
        } => {
            let times = 1.05 * (half_width / asked).powi(2);
            let times = if times.is_finite() { times } else { 4.0 };
            (first as f64 * times.clamp(2.0, 64.0)) as u64
        }
    };
    let mut looks = Vec::new();
    let mut last = first;
    while last < reach.min(ends.games) {
        last = match goal {
            Goal::Games(_) => ends.next_from(last, (last as f64 * FAR).ceil() as u64),
            Goal::Precision { .. } => ends.next(last),
        };
        looks.push(last);
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What leaps over parts ends where one of them does.
    #[test]
    fn leaps_end_where_parts_do() {
        for (games, chunk) in [(10_000_000, 256), (3_000_001, 512), (50_000, 8192), (1, 1)] {
            let most = most_games(&[], chunk);
            let parts = Ends { games, most };
            let mut ends = vec![0];
            while ends[ends.len() - 1] < games {
                ends.push(parts.next(ends[ends.len() - 1]));
            }
            for &first in ends.iter().step_by(7) {
                for least in [
                    0,
                    1,
                    first + 1,
                    first + first / 5,
                    2 * first,
                    9 * first,
                    u64::MAX,
                ] {
                    let found = ends.iter().find(|&&end| end > first && end >= least);
                    let found = found.unwrap_or(&games);
                    assert_eq!(parts.next_from(first, least), *found, "{first} {least}");
                }
            }
        }
    }
}
