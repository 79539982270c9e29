//! Plays the games of a job in blocks, and looks at the sums after each.
//!
//! A job may have several tables. Where they play the same games, their results can be compared
//! game by game. After each block the sums are complete up to some number of games, so that a run
//! can end there: when it is interrupted, or when its estimates are sure enough. Block ends depend
//! on the number of games alone, never on threads or time.

use super::{Part, Product, Setting, Sums, Threads};
use crate::game::Table;
use fearless_simd::Level;
use std::f64::consts::SQRT_2;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Games in the first block; the following ends are about √2 apart.
const FIRST_BLOCK: u64 = 1024;
/// Most chunks in a block, so that an interrupted run loses little.
const BLOCK_CHUNKS: u64 = 64;

/// What is to be played: from game 0, the same games at each table.
pub struct Job<'a> {
    /// The tables.
    pub tables: &'a [&'a dyn Table],
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

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played, or as many as the checkpoint wanted.
    Complete,
    /// It was told to stop; the sums hold the games up to the last complete block.
    Stopped,
}

/// Plays a job. `played` counts games, all tables together, as their chunks are done; `stop` ends
/// the run early; `checkpoint` sees the sums after each block and may break off.
pub fn run(
    job: &Job,
    played: &AtomicU64,
    stop: &AtomicBool,
    checkpoint: &mut dyn FnMut(&Sums) -> ControlFlow<()>,
) -> (Sums, Ending) {
    let setting = Setting {
        level: job.level,
        seed: job.seed,
        chunk: job.chunk,
        played,
        stop,
    };
    let mut total = Sums::new(job.tables, job.products.len());
    while total.games() < job.games {
        let first = total.games();
        let block = Part {
            name: String::new(),
            tables: job.tables.to_vec(),
            first: vec![first; job.tables.len()],
            games: block_end(first, job) - first,
            products: job.products.to_vec(),
        };
        job.threads.play(&[&block], setting, &mut |_, sums| {
            total.merge(&sums);
            ControlFlow::Continue(())
        });
        if stop.load(Ordering::Relaxed) {
            return (total, Ending::Stopped);
        }
        if checkpoint(&total).is_break() {
            break;
        }
    }
    (total, Ending::Complete)
}

/// Where the block that starts at game `first` ends.
fn block_end(first: u64, job: &Job) -> u64 {
    let mut end = FIRST_BLOCK;
    while end <= first {
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    end.min(first.saturating_add(job.chunk * BLOCK_CHUNKS))
        .min(job.games)
}
