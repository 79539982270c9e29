//! What plays a study: its threads and vector level, the listener, and the parts that are finished
//! already.

use super::part::{TableFailed, cost, most_games, parts};
use super::shard::{Cut, Sharing, whole};
use super::{Ending, Games, Going, Part, Round, Setting, Stopped, Sums, Threads, widest};
use crate::game::{Layout, MetricRef, Record};
use crate::statistics::Estimate;
use fearless_simd::Level;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Prefix of the saved state of a long part in progress.
const PART: &str = "part";
/// Interval between saves of that state.
const KEPT_EVERY: Duration = Duration::from_secs(3);

/// Plays the games of a study. Nothing here changes a result.
pub struct Player<'a> {
    pub threads: &'a Threads,
    pub level: Level,
    /// When set, ends the study early.
    pub stop: &'a AtomicBool,
    /// Counts finished games of all tables together.
    pub played: &'a AtomicU64,
    pub listener: &'a mut dyn Listener,
    pub finished: &'a mut dyn FinishedParts,
    /// How shards divide the study; `None` if it is not sharded.
    pub sharing: Option<Sharing>,
    /// Receives the single games of a simulation.
    pub each: Option<&'a dyn EachGame>,
}

/// Receives the progress of a study.
pub trait Listener: Send {
    /// At least `games` games are still to be played, all tables together; `going` counts the
    /// tables still in play where a study drops some; `status` summarizes the results so far.
    fn remaining(&mut self, _games: u64, _going: Option<Going>, _status: &str) {}

    /// This many of these games were played before and are not repeated.
    fn recalled(&mut self, _games: u64) {}

    /// Some more games are done; `precision` is that of the study's metric.
    fn checkpoint(&mut self, _precision: Option<Precision>) {}
}

/// Current precision of the study's metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    pub metric: &'static str,
    /// Whether the metric lies between 0 and 1.
    pub proportion: bool,
    /// Half-width of the widest interval.
    pub half_width: f64,
}

impl Precision {
    /// The precision of these estimates of a metric.
    pub fn of(layout: &Layout, metric: MetricRef, estimates: &[Estimate]) -> Precision {
        Precision {
            metric: metric.name,
            proportion: layout.is_share(metric),
            half_width: widest(estimates),
        }
    }
}

/// Stores the sums of finished parts, so that an interrupted study can resume. The default stores
/// nothing.
pub trait FinishedParts: Send {
    /// The sums of a part that was finished earlier.
    fn recall(&mut self, _part: &str) -> Option<Sums> {
        None
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        Ok(())
    }

    /// The saved progress of a long task.
    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        None
    }

    /// The shortest and longest time between two saves of the games of a simulation or comparison:
    /// they are saved whenever the run time has doubled. What takes a second is replayed as quickly.
    fn save_intervals(&self) -> (Duration, Duration) {
        (Duration::from_secs(1), Duration::from_secs(3))
    }

    /// Saves the progress of a long task, replacing earlier progress.
    fn keep_state(&mut self, _of: &str, _state: &[u8]) -> Result<(), NotKept> {
        Ok(())
    }
}

/// Receives single games of one table, besides their sums.
pub trait EachGame: Sync {
    /// Announces the number of the next game.
    fn begin(&self, first: u64);

    /// Receives a chunk of games; chunks come in any order.
    fn take(&self, first: u64, record: &Record);

    /// All games before `end` are played and valid.
    fn complete(&self, end: u64) -> Result<(), NotKept>;
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotKept(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Sums or a state as bytes, to be kept.
pub fn packed(state: &impl Serialize) -> Result<Vec<u8>, NotKept> {
    let no_room = |error| NotKept(format!("not enough memory to save progress: {error}").into());
    rmp_serde::to_vec(state).map_err(no_room)
}

/// Discards progress and finished parts.
pub struct Discard;

impl Listener for Discard {}

impl FinishedParts for Discard {}

/// Runs `play` on these threads without reports, saves or interrupts.
pub fn alone<T>(threads: &Threads, level: Level, play: impl FnOnce(&mut Player) -> T) -> T {
    play(&mut Player {
        threads,
        level,
        stop: &AtomicBool::new(false),
        played: &AtomicU64::new(0),
        listener: &mut Discard,
        finished: &mut Discard,
        sharing: None,
        each: None,
    })
}

impl Player<'_> {
    /// Plays a round, except for parts that are finished already, and hands over the sums of each
    /// of its parts, at once or piece by piece. Finished pieces are saved even on an interrupt. A
    /// sharded round also stops when other shards have not finished theirs.
    pub fn round(
        &mut self,
        round: &Round,
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<(), Stopped> {
        let (mut pieces, mut part_of) = (Vec::new(), Vec::new());
        let mut games = round.info.later;
        for (at, part) in round.parts.iter().enumerate() {
            games = games.saturating_add(part.all_games());
            for (from, games) in parts(0, part.games, round.least) {
                pieces.push(part.some(from, games));
                part_of.push(at);
            }
        }
        let going = Some(round.going);
        self.listener.remaining(games, going, round.info.status);
        let mut of_part = |piece: usize, sums: Sums| done(part_of[piece], sums);
        let last = round.info.last;
        match self.play(&pieces, going, last, round.games, true, &mut of_part)? {
            Ending::Complete => Ok(()),
            Ending::Stopped => Err(Stopped::Early),
        }
    }

    /// Plays parts, or with shards what belongs to this one. Parts of shards are saved one by one;
    /// others only if `kept` says so.
    pub(super) fn play(
        &mut self,
        parts: &[Part],
        going: Option<Going>,
        last: bool,
        games: Games,
        kept: bool,
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<Ending, NotKept> {
        let cuts = match &mut self.sharing {
            None => whole(parts),
            Some(sharing) => {
                let costs = parts.iter().map(|part| cost(&part.tables));
                let chunk = games.chunk.div_ceil(costs.max().unwrap_or(1));
                sharing.cut(parts, going, last, chunk)
            }
        };
        let alone = self.sharing.is_none();
        let is_kept = |cut: &Cut| if alone { kept } else { cut.shard.is_some() };
        let mut to_play = Vec::new();
        for cut in &cuts {
            let known = is_kept(cut).then(|| self.finished.recall(&cut.part.name));
            match (known.flatten(), &mut self.sharing) {
                (Some(sums), _) if sums.are_of(&cut.part) => {
                    self.listener.recalled(cut.part.all_games());
                    done(cut.of, sums);
                }
                (_, Some(sharing)) if !sharing.plays(cut) => sharing.missing.extend(cut.shard),
                _ => to_play.push(cut),
            }
        }
        let setting = Setting {
            level: self.level,
            games,
            played: self.played,
            stop: self.stop,
            each: self.each,
        };
        if !alone {
            let own = to_play.iter().map(|cut| cut.part.all_games()).sum();
            self.listener.remaining(own, None, "");
        }
        if let (Some(each), Some(cut)) = (self.each, to_play.first()) {
            each.begin(cut.part.first[0]);
        }
        let most = |cut: &Cut| most_games(&cut.part.tables, games.chunk);
        let is_long = |cut: &Cut| cut.shard.is_some() && cut.part.games > most(cut);
        for group in to_play.chunk_by(|a, b| !is_long(a) && !is_long(b)) {
            let cut = group[0];
            if is_long(cut) {
                if let Some(sums) = self.play_long(&cut.part, most(cut), setting)? {
                    self.finished.keep(&cut.part.name, &sums)?;
                    done(cut.of, sums);
                }
            } else {
                self.play_together(group, setting, &is_kept, done)?;
            }
        }
        if let Some(why) = to_play.iter().find_map(|cut| cut.part.failure()) {
            return Err(NotKept(TableFailed(why).into()));
        }
        let others = (self.sharing.as_ref()).is_some_and(|all| !all.missing.is_empty());
        Ok(if others || self.stop.load(Ordering::Relaxed) {
            Ending::Stopped
        } else {
            Ending::Complete
        })
    }

    /// Plays parts concurrently, and saves those marked.
    fn play_together(
        &mut self,
        cuts: &[&Cut],
        setting: Setting,
        is_kept: &(dyn Fn(&Cut) -> bool + Sync),
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<(), NotKept> {
        let parts: Vec<&Part> = cuts.iter().map(|cut| &cut.part).collect();
        let mut result = Ok(());
        let (finished, listener) = (&mut *self.finished, &mut *self.listener);
        self.threads.play(&parts, setting, &mut |at, sums| {
            listener.checkpoint(None);
            // Other threads may finish a part after one that could not be saved.
            if is_kept(cuts[at]) && result.is_ok() {
                result = finished.keep(&parts[at].name, &sums);
            }
            done(cuts[at].of, sums);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result
    }

    /// Plays a long part of a shard, `most` games at a time, and saves its progress every few
    /// seconds; `None` after an interrupt.
    fn play_long(
        &mut self,
        part: &Part,
        most: u64,
        setting: Setting,
    ) -> Result<Option<Sums>, NotKept> {
        let mut sums = Sums::new(&part.tables, part.products.len());
        if let Some(state) = self.finished.recall_state(PART)
            && let Ok((name, kept)) = rmp_serde::from_slice::<(String, Sums)>(&state)
            && name == part.name
            && kept.are_of(&part.some(0, kept.games().min(part.games)))
        {
            self.listener
                .recalled(kept.games().saturating_mul(part.tables.len() as u64));
            sums = kept;
        }
        let mut kept_at = Instant::now();
        while sums.games() < part.games {
            let first = sums.games();
            let piece = part.some(first, most.min(part.games - first));
            self.threads.play(&[&piece], setting, &mut |_, more| {
                sums.merge(&more);
                ControlFlow::Continue(())
            });
            self.listener.checkpoint(None);
            let is_stopped = sums.games() == first;
            if kept_at.elapsed() >= KEPT_EVERY || (is_stopped && first > 0) {
                self.finished
                    .keep_state(PART, &packed(&(&part.name, &sums))?)?;
                kept_at = Instant::now();
            }
            if is_stopped {
                return Ok(None);
            }
        }
        Ok(Some(sums))
    }
}
