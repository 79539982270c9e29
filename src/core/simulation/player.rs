//! What plays a study: its threads and vector level, the listener, and the parts that are finished
//! already.

use super::part::{NotKept, TableFailed};
use super::{Games, Going, Part, Round, Setting, Sharing, Stopped, Sums, Threads, widest};
use crate::game::{Layout, MetricRef, Record};
use crate::statistics::Estimate;
use fearless_simd::Level;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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
    /// The shards that it plays or merges; `None` if the study is not sharded.
    pub sharing: Option<Sharing>,
    /// Receives the single games of a simulation.
    pub each: Option<&'a dyn EachGame>,
}

/// Receives the progress of a study.
pub trait Listener: Send {
    /// About how many games the study plays in all, at most.
    fn planned(&mut self, _games: u64) {}

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
    /// they are saved whenever the run time has doubled. What takes a second is replayed as
    /// quickly.
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

/// Sums or a state as bytes, to be kept.
pub(super) fn packed(state: &impl Serialize) -> Result<Vec<u8>, NotKept> {
    let no_room = |error| NotKept(format!("not enough memory to save progress: {error}").into());
    rmp_serde::to_vec(state).map_err(no_room)
}

/// Discards progress and finished parts.
pub struct Discard;

impl Listener for Discard {}

impl FinishedParts for Discard {}

/// A flag that nothing sets.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// Runs `play` on these threads without reports, saves or interrupts.
pub fn alone<T>(threads: &Threads, level: Level, play: impl FnOnce(&mut Player) -> T) -> T {
    until(threads, level, &NEVER, play)
}

/// The same, until the flag is set.
pub fn until<T>(
    threads: &Threads,
    level: Level,
    stop: &AtomicBool,
    play: impl FnOnce(&mut Player) -> T,
) -> T {
    play(&mut Player {
        threads,
        level,
        stop,
        played: &AtomicU64::new(0),
        listener: &mut Discard,
        finished: &mut Discard,
        sharing: None,
        each: None,
    })
}

impl<'a> Player<'a> {
    /// Plays a round, except for parts that are finished already, and hands over the sums of each
    /// of its parts, at once or piece by piece. Finished pieces are saved even on an interrupt. A
    /// shard ends without a result, and a merge where games are missing.
    pub fn round(
        &mut self,
        round: &Round,
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<(), Stopped> {
        let pieces = match self.sharing {
            None => round.pieces(),
            Some(sharing) => sharing.pieces(round),
        };
        let games = pieces.iter().map(|(_, piece)| piece.all_games());
        let games = games.fold(round.info.later, u64::saturating_add);
        let going = Some(round.going);
        self.listener.remaining(games, going, round.info.status);
        let mut to_play = Vec::new();
        for (at, piece) in &pieces {
            match self.finished.recall(&piece.name) {
                Some(sums) if sums.are_of(piece) => {
                    self.listener.recalled(piece.all_games());
                    done(*at, sums);
                }
                _ => to_play.push((*at, piece)),
            }
        }
        let is_merge = matches!(self.sharing, Some(Sharing::Merge(_)));
        if is_merge && !to_play.is_empty() {
            return Err(Stopped::Early);
        }
        if let (Some(each), Some((_, piece))) = (self.each, to_play.first()) {
            each.begin(piece.first[0]);
        }
        let setting = self.setting(round.games);
        let mut result = Ok(());
        let (finished, listener) = (&mut *self.finished, &mut *self.listener);
        let played: Vec<&Part> = to_play.iter().map(|(_, piece)| *piece).collect();
        self.threads.play(&played, setting, &mut |piece, sums| {
            listener.checkpoint(None);
            // Other threads may finish a piece after one that could not be saved.
            if result.is_ok() {
                result = finished.keep(&played[piece].name, &sums);
            }
            done(to_play[piece].0, sums);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result?;
        if let Some(why) = played.iter().find_map(|piece| piece.failure()) {
            return Err(NotKept(TableFailed(why).into()).into());
        }
        if self.stop.load(Ordering::Relaxed) || matches!(self.sharing, Some(Sharing::Play(_))) {
            return Err(Stopped::Early);
        }
        Ok(())
    }

    /// The saved progress of a long task.
    pub fn recall_state<T: DeserializeOwned>(&mut self, of: &str) -> Option<T> {
        rmp_serde::from_slice(&self.finished.recall_state(of)?).ok()
    }

    /// Saves the progress of a long task, replacing earlier progress.
    pub fn keep_state(&mut self, of: &str, state: &impl Serialize) -> Result<(), NotKept> {
        self.finished.keep_state(of, &packed(state)?)
    }

    /// Plays a part; `None` after an interrupt.
    pub(super) fn play_part(&mut self, part: &Part, games: Games) -> Result<Option<Sums>, NotKept> {
        let setting = self.setting(games);
        let (mut played, listener) = (None, &mut *self.listener);
        self.threads.play(&[part], setting, &mut |_, sums| {
            listener.checkpoint(None);
            played = Some(sums);
            ControlFlow::Continue(())
        });
        match part.failure() {
            Some(_) if self.stop.load(Ordering::Relaxed) => Ok(None),
            Some(why) => Err(NotKept(TableFailed(why).into())),
            None => Ok(played),
        }
    }

    fn setting(&self, games: Games) -> Setting<'a> {
        Setting {
            level: self.level,
            chunk: games.chunk,
            played: self.played,
            stop: self.stop,
            each: self.each,
        }
    }
}
