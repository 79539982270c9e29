//! What plays a study: how many threads with which instructions, who listens, and which parts are
//! done already.

use super::runner::{self, Ending, Job};
use super::{Going, Part, Round, Setting, Sums, Threads, widest};
use crate::game::{Layout, MetricRef};
use crate::statistics::Estimate;
use fearless_simd::Level;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Plays what a study asks for. None of this changes a result.
pub struct Player<'a> {
    /// The threads that play.
    pub threads: &'a Threads,
    /// Vector instructions to use.
    pub level: Level,
    /// Ends the study early once it is set.
    pub stop: &'a AtomicBool,
    /// Counts games, all tables together, as they are done.
    pub played: &'a AtomicU64,
    /// Hears how far the study is.
    pub listener: &'a mut dyn Listener,
    /// Remembers parts that are done.
    pub finished: &'a mut dyn FinishedParts,
}

/// Hears what a study tells while it is played.
pub trait Listener: Send {
    /// At least so many games are still to be played, all tables together; `going` tells at how
    /// many tables where a study drops some, and `known` what is known by now, in a few words.
    fn remaining(&mut self, games: u64, going: Option<Going>, known: &str);

    /// Some games more are done; `precision` tells how well the metric of the study is known.
    fn checkpoint(&mut self, precision: Option<Precision>);
}

/// How well the metric of a study is known by now.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    /// Name of the metric.
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

/// Remembers the sums of parts that are done, so that an interrupted study can go on.
pub trait FinishedParts: Send {
    /// The sums of a part that was finished before.
    fn recall(&mut self, part: &str) -> Option<Sums>;

    /// Keeps a part that is done.
    ///
    /// # Errors
    ///
    /// When it cannot be kept: the study then ends, as it could not go on later.
    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept>;
}

/// Why a finished part could not be kept.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotKept(#[from] pub Box<dyn std::error::Error + Send + Sync>);

impl Player<'_> {
    /// Plays a job; `checkpoint` sees the sums after each block, tells how well the metric of the
    /// study is known, and may break off.
    pub fn watch(
        &mut self,
        job: &Job,
        checkpoint: &mut dyn FnMut(&Sums) -> (Precision, ControlFlow<()>),
    ) -> (Sums, Ending) {
        let games = job.games.saturating_mul(job.tables.len() as u64);
        self.listener.remaining(games, None, "");
        let (played, stop) = (self.played, self.stop);
        runner::run(job, played, stop, &mut |sums| {
            let (precision, flow) = checkpoint(sums);
            let known = precision.half_width.is_finite();
            self.listener.checkpoint(known.then_some(precision));
            flow
        })
    }

    /// Plays a round of games of `seed` in chunks of at most `chunk` games, but for the parts that
    /// are done already, and hands over the sums of each part. Those that are done are kept even
    /// when the player is told to stop.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when a finished part could not be kept.
    pub fn round(
        &mut self,
        round: &Round,
        seed: u64,
        chunk: u64,
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<Ending, NotKept> {
        let games = round.parts.iter().map(Part::all_games);
        let games = games.fold(round.later, u64::saturating_add);
        self.listener
            .remaining(games, Some(round.going), &round.known);
        let mut missing = Vec::new();
        for (index, part) in round.parts.iter().enumerate() {
            match self.finished.recall(&part.name) {
                Some(sums) if sums.are_of(part) => done(index, sums),
                _ => missing.push(index),
            }
        }
        let parts: Vec<&Part> = missing.iter().map(|&at| &round.parts[at]).collect();
        let setting = Setting {
            level: self.level,
            seed,
            chunk,
            played: self.played,
            stop: self.stop,
        };
        let mut kept = Ok(());
        let (finished, listener) = (&mut *self.finished, &mut *self.listener);
        self.threads.play(&parts, setting, &mut |at, sums| {
            listener.checkpoint(None);
            // Other threads may finish a part after one that could not be kept.
            if kept.is_ok() {
                kept = finished.keep(&parts[at].name, &sums);
            }
            done(missing[at], sums);
            match kept {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        kept?;
        Ok(match self.stop.load(Ordering::Relaxed) {
            true => Ending::Stopped,
            false => Ending::Complete,
        })
    }
}
