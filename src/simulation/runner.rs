//! A job: games from the first on, in parts with a look at the sums after each.
//!
//! A job may have several tables. Where they play the same games, their results can be compared
//! game by game. After each part the sums are complete up to some number of games, so that a run
//! can end there: when it is interrupted, or when its estimates are sure enough. Where parts end
//! depends on the number of games alone, never on threads or time.
//!
//! There may be very many parts. So they are not kept one by one: now and then all that is known of
//! the games so far takes the place of what was kept before.

use super::part::most_games;
use super::{Ending, Goal, Nobody, NotKept, Part, Player, Precision, Product, Sums, Threads};
use crate::game::Play;
use fearless_simd::Level;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::f64::consts::SQRT_2;
use std::mem::replace;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// Games in the first part; the following ends are about √2 apart.
const FIRST_PART: u64 = 1024;
/// Growth from one look to the next when nothing is decided there: as fine as a chart shows it.
pub const FAR: f64 = 1.18;
/// How far a job has come is kept whenever the time since its begin has doubled, but not before
/// [`KEPT_FIRST`], as that is as quickly played again, and at least every [`KEPT_LATEST`].
const KEPT_FIRST: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 1 });
const KEPT_LATEST: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 3 });
/// What is kept of it is called so.
const STATE: &str = "games";

/// What is to be played: from game 0, the same games at each table.
pub struct Job<'a> {
    pub tables: &'a [&'a dyn Play],
    /// Pairs of columns whose products are summed, for what varies together.
    pub products: &'a [Product],
    /// Seed of all games.
    pub seed: u64,
    /// Number of games at each table.
    pub games: u64,
    /// Most games in a chunk: large enough to fill a kernel, small enough for the cache.
    pub chunk: u64,
    /// The threads that play.
    pub threads: &'a Threads,
    /// Vector instructions to use.
    pub level: Level,
}

/// What a look at the sums tells: how well the metric of the study is known, and whether to go on.
type Look = (Option<Precision>, ControlFlow<()>);

impl<'a> Job<'a> {
    /// Games `first .. end` at all its tables.
    fn part(&self, first: u64, end: u64) -> Part<'a> {
        Part {
            name: format!("games {first}-{end}"),
            tables: self.tables.to_vec(),
            first: vec![first; self.tables.len()],
            games: end - first,
            products: self.products.into(),
        }
    }

    /// Most games in a part.
    fn most(&self) -> u64 {
        most_games(self.tables, self.chunk)
    }

    /// Where the part that starts at game `first` ends.
    fn part_end(&self, first: u64) -> u64 {
        let next = after(first);
        next.min(first.saturating_add(self.most())).min(self.games)
    }

    /// Where the first part ends that does so at game `least` or later, when one starts at `first`.
    fn part_end_from(&self, mut first: u64, least: u64) -> u64 {
        let most = self.most();
        while after(first) < least.min(self.games) {
            first = after(first);
        }
        let parts = least.saturating_sub(first).div_ceil(most).max(1);
        let end = first.saturating_add(parts.saturating_mul(most));
        end.min(after(first)).min(self.games)
    }
}

/// The first number of games after `first` at which a part ends wherever the one before began.
fn after(first: u64) -> u64 {
    let mut end = FIRST_PART;
    while end <= first {
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    end
}

impl Player<'_> {
    /// Plays a job from where it was interrupted, until its goal is reached or the player is told to
    /// stop. After each part `look` sees the sums, tells how well the metric of the study is known,
    /// and may break off; what it noted by then in `seen` is kept with the sums. Shards look only
    /// where that matters to `goal`.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when it could not be kept how far the job is.
    pub fn watch<T: Serialize + DeserializeOwned>(
        &mut self,
        job: &Job,
        goal: Goal,
        mut seen: T,
        look: &mut dyn FnMut(&mut T, &Sums) -> Look,
    ) -> Result<(Sums, T, Ending), NotKept> {
        let mut total = Sums::new(job.tables, job.products.len());
        let began = Instant::now();
        let (mut last_kept, mut kept) = (began, 0);
        let is_due = |last_kept: Instant| {
            let wait = (began.elapsed() / 2).clamp(KEPT_FIRST, KEPT_LATEST);
            last_kept.elapsed() >= wait
        };
        if let Some((sums, noted)) = self.recall(job) {
            kept = sums.games();
            // Games that are taken one by one are played again for that.
            if self.each.is_none() {
                (total, seen) = (sums, noted);
            }
        }
        let all = |games: u64| games.saturating_mul(job.tables.len() as u64);
        self.listener.remaining(all(job.games), None, "");
        self.listener.recalled(all(total.games()));
        let mut half_width = f64::INFINITY;
        'parts: while total.games() < job.games {
            let ends = match self.sharing {
                None => vec![job.part_end(total.games())],
                Some(_) => looks(job, goal, total.games(), half_width),
            };
            let mut first = total.games();
            let parts = ends
                .iter()
                .map(|&end| job.part(replace(&mut first, end), end));
            let parts: Vec<Part> = parts.collect();
            let mut sums: Vec<Sums> = (parts.iter())
                .map(|_| Sums::new(job.tables, job.products.len()))
                .collect();
            let last = matches!(goal, Goal::Games(_)) || first == job.games;
            let cut = self.cut(&parts, None, last, job.chunk);
            let mut done = |of: usize, more: Sums| sums[of].merge(&more);
            let ending = self.play(cut, (job.seed, job.chunk), false, &mut done)?;
            for (part, sums) in parts.iter().zip(&sums) {
                if sums.games() < part.games {
                    break 'parts;
                }
                total.merge(sums);
                if let Some(each) = self.each {
                    each.complete(total.games())?;
                }
                let (precision, flow) = look(&mut seen, &total);
                let known = precision.filter(|known| known.half_width.is_finite());
                half_width = known.as_ref().map_or(f64::INFINITY, |it| it.half_width);
                self.listener.checkpoint(known);
                if flow.is_break() {
                    return Ok((total, seen, Ending::Complete));
                }
            }
            if is_due(last_kept) && total.games() > kept {
                self.keep(&total, &seen)?;
                (last_kept, kept) = (Instant::now(), total.games());
            }
            if ending == Ending::Stopped {
                break;
            }
        }
        if total.games() == job.games {
            return Ok((total, seen, Ending::Complete));
        }
        let is_long = kept > 0 || is_due(last_kept);
        if is_long && total.games() > kept {
            self.keep(&total, &seen)?;
        }
        Ok((total, seen, Ending::Stopped))
    }

    /// How far a job had come.
    fn recall<T: DeserializeOwned>(&mut self, job: &Job) -> Option<(Sums, T)> {
        let state = self.finished.recall_state(STATE)?;
        let (sums, seen): (Sums, T) = rmp_serde::from_slice(&state).ok()?;
        let fits = sums.are_of(&job.part(0, sums.games().min(job.games)));
        fits.then_some((sums, seen))
    }

    /// Keeps how far a job is. A shard keeps its parts instead.
    fn keep<T: Serialize>(&mut self, sums: &Sums, seen: &T) -> Result<(), NotKept> {
        if self.sharing.is_some() {
            return Ok(());
        }
        let state = rmp_serde::to_vec(&(sums, seen)).map_err(|error| NotKept(error.into()))?;
        self.finished.keep_state(STATE, &state)
    }
}

/// Where a job that is shared out looks at its sums in the round that begins at game `first`, when
/// the half-width is known by now. When it goes by what it sees, it looks after every part, and
/// ends the round about where it expects the end.
fn looks(job: &Job, goal: Goal, first: u64, half_width: f64) -> Vec<u64> {
    let reach = match goal {
        Goal::Games(games) => games,
        Goal::Precision { .. } if first == 0 => job.chunk.saturating_mul(64),
        Goal::Precision {
            half_width: asked, ..
        } => {
            let times = 1.05 * (half_width / asked).powi(2);
            let times = if times.is_finite() { times } else { 4.0 };
            (first as f64 * times.clamp(2.0, 64.0)) as u64
        }
    };
    let mut ends = Vec::new();
    let mut last = first;
    while last < reach.min(job.games) {
        last = match goal {
            Goal::Games(_) => job.part_end_from(last, (last as f64 * FAR).ceil() as u64),
            Goal::Precision { .. } => job.part_end(last),
        };
        ends.push(last);
    }
    ends
}

/// Plays a job by itself: nobody listens, and nothing is kept. `played` counts games, all tables
/// together, as their chunks are done; `stop` ends the run early; `checkpoint` sees the sums after
/// each part and may break off.
pub fn run(
    job: &Job,
    played: &AtomicU64,
    stop: &AtomicBool,
    checkpoint: &mut dyn FnMut(&Sums) -> ControlFlow<()>,
) -> (Sums, Ending) {
    let mut player = Player {
        threads: job.threads,
        level: job.level,
        stop,
        played,
        listener: &mut Nobody,
        finished: &mut Nobody,
        sharing: None,
        each: None,
    };
    let look = &mut |(): &mut (), sums: &Sums| (None, checkpoint(sums));
    let watched = player.watch(job, Goal::Games(job.games), (), look);
    let (sums, (), ending) = watched.expect("nothing is kept");
    (sums, ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What leaps over parts ends where one of them does.
    #[test]
    fn leaps_end_where_parts_do() {
        let threads = Threads::start(1).unwrap();
        for (games, chunk) in [(10_000_000, 256), (3_000_001, 512), (50_000, 8192), (1, 1)] {
            let job = Job {
                tables: &[],
                products: &[],
                seed: 1,
                games,
                chunk,
                threads: &threads,
                level: Level::new(),
            };
            let mut ends = vec![0];
            while ends[ends.len() - 1] < games {
                ends.push(job.part_end(ends[ends.len() - 1]));
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
                    assert_eq!(job.part_end_from(first, least), *found, "{first} {least}");
                }
            }
        }
    }
}
