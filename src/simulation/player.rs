//! What plays a study: how many threads with which instructions, who listens, and which parts are
//! done already.

use super::part::TableFailed;
use super::part::{cost, most_games, parts};
use super::shard::{Cut, Sharing, whole};
use super::{Ending, Games, Going, Part, Round, Setting, Stopped, Sums, Threads, widest};
use crate::game::{Layout, MetricRef, Record};
use crate::statistics::Estimate;
use fearless_simd::Level;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is kept of a long part that is under way is called so.
const PART: &str = "part";
/// How often that is kept.
const KEPT_EVERY: Duration = Duration::from_secs(3);

/// Plays what a study asks for. None of this changes a result.
pub struct Player<'a> {
    pub threads: &'a Threads,
    pub level: Level,
    /// Ends the study early once it is set.
    pub stop: &'a AtomicBool,
    /// Counts games, all tables together, as they are done.
    pub played: &'a AtomicU64,
    pub listener: &'a mut dyn Listener,
    pub finished: &'a mut dyn FinishedParts,
    /// How the study is shared out among shards, unless it is played here alone.
    pub sharing: Option<Sharing>,
    /// Takes the games of a simulation one by one.
    pub each: Option<&'a dyn EachGame>,
}

/// Hears what a study tells while it is played.
pub trait Listener: Send {
    /// At least so many games are still to be played, all tables together; `going` tells at how
    /// many tables where a study drops some, and `status` what is known by now, in a few words.
    fn remaining(&mut self, _games: u64, _going: Option<Going>, _status: &str) {}

    /// So many of these games were done before, and are not played again.
    fn recalled(&mut self, _games: u64) {}

    /// Some games more are done; `precision` tells how well the metric of the study is known.
    fn checkpoint(&mut self, _precision: Option<Precision>) {}
}

/// How well the metric of a study is known by now.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    pub metric: &'static str,
    /// Whether it lies between 0 and 1.
    pub proportion: bool,
    /// Half-width of the widest interval.
    pub half_width: f64,
}

impl Precision {
    /// How well these estimates of a metric are known.
    pub fn of(layout: &Layout, metric: MetricRef, estimates: &[Estimate]) -> Precision {
        Precision {
            metric: metric.name,
            proportion: layout.metric(metric).is_some_and(|known| known.proportion),
            half_width: widest(estimates),
        }
    }
}

/// Remembers the sums of parts that are done, so that an interrupted study can go on. By itself it
/// remembers nothing.
pub trait FinishedParts: Send {
    /// The sums of a part that was finished before.
    fn recall(&mut self, _part: &str) -> Option<Sums> {
        None
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        Ok(())
    }

    /// How far something had come that takes long.
    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        None
    }

    /// Keeps how far something has come, in place of what was kept of it before.
    fn keep_state(&mut self, _of: &str, _state: &[u8]) -> Result<(), NotKept> {
        Ok(())
    }
}

/// Takes the games of one table one by one, besides their sums.
pub trait EachGame: Sync {
    /// The next games that are played begin with this one.
    fn begin(&self, first: u64);

    /// Takes a chunk of games, in any order.
    fn take(&self, first: u64, record: &Record);

    /// All games before `end` are played, and count.
    fn complete(&self, end: u64) -> Result<(), NotKept>;
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotKept(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Hears nothing and keeps nothing.
pub struct Discard;

impl Listener for Discard {}

impl FinishedParts for Discard {}

/// Lets `play` use these threads; nothing is reported or kept, and nothing stops it.
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
    /// Plays a round but for the parts that are done already, and hands over the sums of each of its
    /// parts, at once or bit by bit. Pieces that are done are kept even when the player is told to
    /// stop. A round that is shared out stops as well when others have not played theirs.
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
        let cut = self.cut(&pieces, going, round.info.last, round.games.chunk);
        let mut of_part = |piece: usize, sums: Sums| done(part_of[piece], sums);
        match self.play(cut, round.games, true, &mut of_part)? {
            Ending::Complete => Ok(()),
            Ending::Stopped => Err(Stopped::Early),
        }
    }

    /// Cuts parts at the borders of shards, where there are any.
    pub(super) fn cut<'p>(
        &mut self,
        parts: &[Part<'p>],
        going: Option<Going>,
        last: bool,
        chunk: u64,
    ) -> Vec<Cut<'p>> {
        match &mut self.sharing {
            None => whole(parts),
            Some(sharing) => {
                let costs = parts.iter().map(|part| cost(&part.tables));
                let chunk = chunk.div_ceil(costs.max().unwrap_or(1));
                sharing.cut(parts, going, last, chunk)
            }
        }
    }

    /// Plays what is to be played here of these parts. Those of shards are kept one by one; others
    /// only if `kept` says so.
    pub(super) fn play(
        &mut self,
        parts: Vec<Cut>,
        games: Games,
        kept: bool,
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<Ending, NotKept> {
        let alone = self.sharing.is_none();
        let is_kept = |cut: &Cut| if alone { kept } else { cut.shard.is_some() };
        let mut to_play = Vec::new();
        for cut in &parts {
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

    /// Plays parts at the same time, and keeps those that are to be kept.
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
            // Other threads may finish a part after one that could not be kept.
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

    /// Plays a long part of a shard, `most` games at a time, and keeps every few seconds how far it
    /// is; none when it was stopped.
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
                let state = rmp_serde::to_vec(&(&part.name, &sums));
                let state = state.map_err(|error| NotKept(error.into()))?;
                self.finished.keep_state(PART, &state)?;
                kept_at = Instant::now();
            }
            if is_stopped {
                return Ok(None);
            }
        }
        Ok(Some(sums))
    }
}
