//! Plays the games of a job in blocks, each split into chunks for all threads.
//!
//! After each block the tally is complete up to some number of games, so that a run can end
//! there: when it is interrupted, or for a checkpoint of the running estimate. Block ends
//! depend on the number of games alone, never on threads or time.

use super::Tally;
use crate::game::{Record, Table};
use fearless_simd::Level;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Games in the first block; the following ends are about √2 apart.
const FIRST_BLOCK: u64 = 1024;
/// Most chunks in a block, so that an interrupted run loses little.
const BLOCK_CHUNKS: u64 = 64;

/// What is to be played.
pub struct Job<'a> {
    /// The table.
    pub table: &'a dyn Table,
    /// Seed of all games.
    pub seed: u64,
    /// Number of games, from game 0.
    pub games: u64,
    /// Most games in a chunk: large enough to fill a kernel, small enough for the cache.
    pub chunk: u64,
    /// Number of threads; 0 for one a processor.
    pub threads: usize,
    /// Vector instructions to use.
    pub level: Level,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played.
    Complete,
    /// It was told to stop; the tally holds the games up to the last complete block.
    Stopped,
}

/// The threads of a run could not be started.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

/// Plays a job. `played` counts games as their chunks are done; `stop` ends the run early;
/// `checkpoint` sees the tally after each block.
pub fn run(
    job: &Job,
    played: &AtomicU64,
    stop: &AtomicBool,
    checkpoint: &mut dyn FnMut(&Tally),
) -> Result<(Tally, Ending), ThreadsError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.threads)
        .build()?;
    let layout = job.table.layout();
    let threads = pool.current_num_threads();
    let largest = job.chunk.min(job.games).max(1);
    let workers: Vec<Mutex<Worker>> = (0..threads)
        .map(|_| {
            Mutex::new(Worker {
                record: Record::new(layout, largest as usize),
                tally: Tally::new(layout),
            })
        })
        .collect();
    let mut total = Tally::new(layout);
    while total.games < job.games {
        let first = total.games;
        let end = block_end(first, job);
        let chunk = (end - first).div_ceil(4 * threads as u64).clamp(1, largest);
        let chunks = (end - first).div_ceil(chunk);
        pool.install(|| {
            (0..chunks).into_par_iter().for_each(|index| {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let from = first + index * chunk;
                let games = chunk.min(end - from);
                let thread = rayon::current_thread_index().unwrap_or(0);
                // Each thread has a worker of its own, and a chunk is played to its end before
                // the next: nobody waits here.
                let mut worker = lock(&workers[thread]);
                let Worker { record, tally } = &mut *worker;
                record.clear(games as usize);
                job.table.play(job.level, job.seed, from, record);
                tally.add(job.level, layout, record);
                played.fetch_add(games, Ordering::Relaxed);
            });
        });
        if stop.load(Ordering::Relaxed) {
            return Ok((total, Ending::Stopped));
        }
        for worker in &workers {
            let tally = &mut lock(worker).tally;
            total.merge(tally);
            tally.clear();
        }
        checkpoint(&total);
    }
    Ok((total, Ending::Complete))
}

struct Worker {
    record: Record,
    tally: Tally,
}

fn lock(worker: &Mutex<Worker>) -> std::sync::MutexGuard<'_, Worker> {
    // A poisoned worker means that a kernel panicked, and that panic is already on its way up.
    worker
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Where the block that starts at game `first` ends.
fn block_end(first: u64, job: &Job) -> u64 {
    let mut end = FIRST_BLOCK;
    while end <= first {
        end = end.saturating_add((end as f64 * (std::f64::consts::SQRT_2 - 1.0)) as u64);
    }
    end.min(first.saturating_add(job.chunk * BLOCK_CHUNKS))
        .min(job.games)
}
