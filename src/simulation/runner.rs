//! A job: games that are played in blocks, with a look at the sums after each.
//!
//! A job may have several tables. Where they play the same games, their results can be compared
//! game by game. After each block the sums are complete up to some number of games, so that a run
//! can end there: when it is interrupted, or when its estimates are sure enough. Block ends depend
//! on the number of games alone, never on threads or time.

use super::player::{Nobody, Player, Precision};
use super::{Goal, Part, Product, Sums, Threads};
use crate::game::Play;
use fearless_simd::Level;
use std::f64::consts::SQRT_2;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Games in the first block; the following ends are about √2 apart.
const FIRST_BLOCK: u64 = 1024;
/// Most chunks in a block, so that an interrupted run loses little.
const BLOCK_CHUNKS: u64 = 64;

/// What is to be played: from game 0, the same games at each table.
pub struct Job<'a> {
    /// The tables.
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

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played, or as many as the checkpoint wanted.
    Complete,
    /// It was told to stop; the sums hold the games up to the last complete block.
    Stopped,
}

impl<'a> Job<'a> {
    /// Games `first .. end` at all its tables.
    pub(super) fn part(&self, first: u64, end: u64) -> Part<'a> {
        Part {
            name: format!("games {first}-{end}"),
            tables: self.tables.to_vec(),
            first: vec![first; self.tables.len()],
            games: end - first,
            products: self.products.into(),
        }
    }

    /// Where the block that starts at game `first` ends.
    pub(super) fn block_end(&self, first: u64) -> u64 {
        let next = after(first);
        next.min(first.saturating_add(self.chunk * BLOCK_CHUNKS))
            .min(self.games)
    }

    /// Where the first block ends that does so at game `least` or later, when one starts at `first`.
    pub(super) fn block_end_from(&self, mut first: u64, least: u64) -> u64 {
        let most = self.chunk * BLOCK_CHUNKS;
        while after(first) < least.min(self.games) {
            first = after(first);
        }
        let blocks = least.saturating_sub(first).div_ceil(most).max(1);
        let end = first.saturating_add(blocks.saturating_mul(most));
        end.min(after(first)).min(self.games)
    }
}

/// The first number of games after `first` at which a block ends wherever the one before began.
fn after(first: u64) -> u64 {
    let mut end = FIRST_BLOCK;
    while end <= first {
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    end
}

/// Plays a job by itself: nobody listens, and no part is kept. `played` counts games, all tables
/// together, as their chunks are done; `stop` ends the run early; `checkpoint` sees the sums after
/// each block and may break off.
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
    let unknown = Precision {
        metric: "",
        proportion: false,
        half_width: f64::INFINITY,
    };
    let watched = player.watch(job, Goal::Games(job.games), &mut |sums| {
        (unknown.clone(), checkpoint(sums))
    });
    watched.expect("nothing is kept")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What leaps over blocks ends where one of them does.
    #[test]
    fn leaps_end_where_blocks_do() {
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
                ends.push(job.block_end(ends[ends.len() - 1]));
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
                    assert_eq!(job.block_end_from(first, least), *found, "{first} {least}");
                }
            }
        }
    }
}
