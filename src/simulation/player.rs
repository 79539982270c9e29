//! What plays a study: how many threads with which instructions, who listens, and which parts are
//! done already.

use super::runner::{Ending, Job};
use super::shard::{Sharing, whole};
use super::{Goal, Going, Part, Round, Setting, Sums, Threads, widest};
use crate::game::{Layout, MetricRef, Record};
use crate::statistics::Estimate;
use fearless_simd::Level;
use std::mem::replace;
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
    /// How the study is shared out among shards, unless it is played here alone.
    pub sharing: Option<Sharing>,
    /// Takes the games of a simulation one by one.
    pub each: Option<&'a dyn EachGame>,
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

    /// How far something had come that takes long.
    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        None
    }

    /// Keeps how far something has come, in place of what was kept of it before.
    ///
    /// # Errors
    ///
    /// When it cannot be kept.
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
    ///
    /// # Errors
    ///
    /// When a game could not be kept.
    fn complete(&self, end: u64) -> Result<(), NotKept>;
}

/// Why a finished part could not be kept.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotKept(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Hears nothing and keeps nothing.
pub struct Nobody;

impl Listener for Nobody {
    fn remaining(&mut self, _games: u64, _going: Option<Going>, _known: &str) {}
    fn checkpoint(&mut self, _precision: Option<Precision>) {}
}

impl FinishedParts for Nobody {
    fn recall(&mut self, _part: &str) -> Option<Sums> {
        None
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        Ok(())
    }
}

impl Player<'_> {
    /// Plays a job; `checkpoint` sees the sums after each block, tells how well the metric of the
    /// study is known, and may break off. Shards look only where that matters to `goal`.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when a finished part could not be kept.
    pub fn watch(
        &mut self,
        job: &Job,
        goal: Goal,
        checkpoint: &mut dyn FnMut(&Sums) -> (Precision, ControlFlow<()>),
    ) -> Result<(Sums, Ending), NotKept> {
        let games = job.games.saturating_mul(job.tables.len() as u64);
        self.listener.remaining(games, None, "");
        let mut total = Sums::new(job.tables, job.products.len());
        let mut half_width = f64::INFINITY;
        while total.games() < job.games {
            let ends = match self.sharing {
                None => vec![job.block_end(total.games())],
                Some(_) => looks(job, goal, total.games(), half_width),
            };
            let mut first = total.games();
            let round = ends
                .iter()
                .map(|&end| job.part(replace(&mut first, end), end));
            let round: Vec<Part> = round.collect();
            let mut sums: Vec<Sums> = (round.iter())
                .map(|_| Sums::new(job.tables, job.products.len()))
                .collect();
            let last = matches!(goal, Goal::Games(_)) || first == job.games;
            let mut done = |at: usize, more: Sums| sums[at].merge(&more);
            let ending = self.parts(&round, None, last, (job.seed, job.chunk), &mut done)?;
            for (part, sums) in round.iter().zip(&sums) {
                if sums.games() < part.games {
                    return Ok((total, Ending::Stopped));
                }
                total.merge(sums);
                if let Some(each) = self.each {
                    each.complete(total.games())?;
                }
                let (precision, flow) = checkpoint(&total);
                half_width = precision.half_width;
                let known = half_width.is_finite();
                self.listener.checkpoint(known.then_some(precision));
                if flow.is_break() {
                    return Ok((total, Ending::Complete));
                }
            }
            if ending == Ending::Stopped {
                return Ok((total, Ending::Stopped));
            }
        }
        Ok((total, Ending::Complete))
    }

    /// Plays a round of games of `seed` in chunks of at most `chunk` games, but for the parts that
    /// are done already, and hands over the sums of each part, or of several pieces of it. Those
    /// that are done are kept even when the player is told to stop. A round that is shared out
    /// stops as well when others have not played theirs.
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
        let going = Some(round.going);
        self.listener.remaining(games, going, &round.known);
        self.parts(&round.parts, going, round.last, (seed, chunk), done)
    }

    fn parts(
        &mut self,
        parts: &[Part],
        going: Option<Going>,
        last: bool,
        (seed, chunk): (u64, u64),
        done: &mut (dyn FnMut(usize, Sums) + Send),
    ) -> Result<Ending, NotKept> {
        let pieces = match &mut self.sharing {
            None => whole(parts),
            Some(sharing) => sharing.cut(parts, going, last, chunk),
        };
        let alone = self.sharing.is_none();
        let mut missing = Vec::new();
        for piece in &pieces {
            let kept = alone || piece.shard.is_some();
            let known = kept.then(|| self.finished.recall(&piece.part.name));
            match (known.flatten(), &mut self.sharing) {
                (Some(sums), _) if sums.are_of(&piece.part) => done(piece.at, sums),
                (_, Some(sharing)) if !sharing.plays(piece) => sharing.missing.extend(piece.shard),
                _ => missing.push((piece, kept)),
            }
        }
        let setting = Setting {
            level: self.level,
            seed,
            chunk,
            played: self.played,
            stop: self.stop,
            each: self.each,
        };
        let to_play: Vec<&Part> = missing.iter().map(|(piece, _)| &piece.part).collect();
        if !alone {
            let games = to_play.iter().map(|part| part.all_games()).sum();
            self.listener.remaining(games, None, "");
        }
        if let (Some(each), Some(part)) = (self.each, to_play.first()) {
            each.begin(part.first[0]);
        }
        let mut result = Ok(());
        let (finished, listener) = (&mut *self.finished, &mut *self.listener);
        self.threads.play(&to_play, setting, &mut |at, sums| {
            listener.checkpoint(None);
            let (piece, kept) = missing[at];
            // Other threads may finish a part after one that could not be kept.
            if kept && result.is_ok() {
                result = finished.keep(&piece.part.name, &sums);
            }
            done(piece.at, sums);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result?;
        let others = self
            .sharing
            .as_ref()
            .is_some_and(|all| !all.missing.is_empty());
        Ok(match others || self.stop.load(Ordering::Relaxed) {
            true => Ending::Stopped,
            false => Ending::Complete,
        })
    }
}

/// Growth from one look to the next when nothing is decided there: as fine as a chart shows it.
pub const FAR: f64 = 1.18;

/// Where a study that is shared out looks at its sums in the round that begins at game `first`, when
/// the half-width is known by now. When it goes by what it sees, it looks after every block, and
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
            Goal::Games(_) => job.block_end_from(last, (last as f64 * FAR).ceil() as u64),
            Goal::Precision { .. } => job.block_end(last),
        };
        ends.push(last);
    }
    ends
}
