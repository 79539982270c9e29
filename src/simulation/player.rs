//! What plays a study: how many threads with which instructions, who listens, and which parts are
//! done already.

use super::runner::{self, Ending, Job, Sums, ThreadsError};
use super::{Part, widest};
use crate::game::{Layout, MetricRef};
use crate::statistics::Estimate;
use fearless_simd::Level;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Plays what a study asks for. None of this changes a result.
pub struct Player<'a> {
    /// Number of threads; 0 for one a processor.
    pub threads: usize,
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
pub trait Listener {
    /// At least so many games are still to be played, all tables together, by so many of the cells.
    fn remaining(&mut self, games: u64, cells: (usize, usize));

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
pub trait FinishedParts {
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
pub type NotKept = Box<dyn std::error::Error + Send + Sync>;

/// Why a study could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadsError),
    /// A finished part could not be kept.
    #[error(transparent)]
    NotKept(NotKept),
}

impl Player<'_> {
    /// Plays a job; `checkpoint` sees the sums after each block, tells how well the metric of the
    /// study is known, and may break off.
    ///
    /// # Errors
    ///
    /// [`PlayError::Threads`].
    pub fn watch(
        &mut self,
        job: &Job,
        checkpoint: &mut dyn FnMut(&Sums) -> (Precision, ControlFlow<()>),
    ) -> Result<(Sums, Ending), PlayError> {
        let games = job.games.saturating_mul(job.tables.len() as u64);
        self.listener.remaining(games, (1, 1));
        let (played, stop) = (self.played, self.stop);
        Ok(runner::run(job, played, stop, &mut |sums| {
            let (precision, flow) = checkpoint(sums);
            let known = precision.half_width.is_finite();
            self.listener.checkpoint(known.then_some(precision));
            flow
        })?)
    }

    /// The sums of a part of games of `seed`, known or played in chunks of at most `chunk` games;
    /// `None` when interrupted.
    ///
    /// # Errors
    ///
    /// Any [`PlayError`].
    pub fn part(&mut self, part: &Part, seed: u64, chunk: u64) -> Result<Option<Sums>, PlayError> {
        self.listener.remaining(part.games_left, part.cells);
        if let Some(sums) = self.finished.recall(&part.name) {
            let games = sums.games() == part.games;
            if games && sums.fits(&part.tables, part.products.len()) {
                return Ok(Some(sums));
            }
        }
        let job = Job {
            tables: &part.tables,
            first: &part.first,
            products: &part.products,
            seed,
            games: part.games,
            block: part.games,
            chunk,
            threads: self.threads,
            level: self.level,
        };
        let (played, stop) = (self.played, self.stop);
        let (sums, ending) = runner::run(&job, played, stop, &mut |_| {
            self.listener.checkpoint(None);
            ControlFlow::Continue(())
        })?;
        if ending == Ending::Stopped {
            return Ok(None);
        }
        let kept = self.finished.keep(&part.name, &sums);
        kept.map_err(PlayError::NotKept)?;
        Ok(Some(sums))
    }
}
