//! Plays the games of a job in blocks, each split into chunks for all threads.
//!
//! A job may have several tables. Where they play the same games, their results can be compared
//! game by game. After each block the sums are complete up to some number of games, so that a run
//! can end there: when it is interrupted, or when its estimates are sure enough. Block ends depend
//! on the number of games alone, never on threads or time.

use super::Tally;
use crate::game::{Record, Table};
use fearless_simd::Level;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Games in the first block of a run that is watched; the following ends are about √2 apart.
pub const FIRST_BLOCK: u64 = 1024;
/// Most chunks in a block, so that an interrupted run loses little.
const BLOCK_CHUNKS: u64 = 64;

/// What is to be played.
pub struct Job<'a> {
    /// The tables.
    pub tables: &'a [&'a dyn Table],
    /// Number of the first game of each table.
    pub first: &'a [u64],
    /// Pairs of columns whose products are summed, for what varies together.
    pub products: &'a [Product],
    /// Seed of all games.
    pub seed: u64,
    /// Number of games at each table.
    pub games: u64,
    /// Games in the first block, such as [`FIRST_BLOCK`].
    pub block: u64,
    /// Most games in a chunk: large enough to fill a kernel, small enough for the cache.
    pub chunk: u64,
    /// Number of threads; 0 for one a processor.
    pub threads: usize,
    /// Vector instructions to use.
    pub level: Level,
}

/// Two columns, each as (table, column of its layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Product {
    /// One column.
    pub a: (usize, usize),
    /// The other.
    pub b: (usize, usize),
}

/// What is known of all games of a job played so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// One tally for each table, all of the same games.
    pub tables: Vec<Tally>,
    /// For each product of the job: Σ a·b over games.
    pub products: Vec<i128>,
}

impl Sums {
    /// No games of so many products at these tables.
    pub fn new(tables: &[&dyn Table], products: usize) -> Self {
        let none = |table: &&dyn Table| Tally::new(table.layout());
        Sums {
            tables: tables.iter().map(none).collect(),
            products: vec![0; products],
        }
    }

    /// Whether these could be the sums of so many products at these tables.
    pub fn fits(&self, tables: &[&dyn Table], products: usize) -> bool {
        self.tables.len() == tables.len()
            && self.products.len() == products
            && (self.tables.iter().zip(tables)).all(|(tally, table)| tally.fits(table.layout()))
    }

    /// Games played at each table.
    pub fn games(&self) -> u64 {
        self.tables.first().map_or(0, |tally| tally.games)
    }

    /// Adds other games of the same job.
    pub fn merge(&mut self, other: &Sums) {
        for (tally, more) in self.tables.iter_mut().zip(&other.tables) {
            tally.merge(more);
        }
        for (product, more) in self.products.iter_mut().zip(&other.products) {
            *product += more;
        }
    }

    fn clear(&mut self) {
        self.tables.iter_mut().for_each(Tally::clear);
        self.products.fill(0);
    }
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games were played, or as many as the checkpoint wanted.
    Complete,
    /// It was told to stop; the sums hold the games up to the last complete block.
    Stopped,
}

/// The threads of a run could not be started.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

/// Plays a job. `played` counts games, all tables together, as their chunks are done; `stop` ends
/// the run early; `checkpoint` sees the sums after each block and may break off.
pub fn run(
    job: &Job,
    played: &AtomicU64,
    stop: &AtomicBool,
    checkpoint: &mut dyn FnMut(&Sums) -> ControlFlow<()>,
) -> Result<(Sums, Ending), ThreadsError> {
    // Rayon's own default could be set to anything by the environment.
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(match job.threads {
            0 => processors(),
            threads => threads,
        })
        .build()?;
    let threads = pool.current_num_threads();
    let largest = job.chunk.min(job.games).max(1);
    let workers: Vec<Mutex<Worker>> = (0..threads)
        .map(|_| Mutex::new(Worker::new(job, largest as usize)))
        .collect();
    let mut total = Sums::new(job.tables, job.products.len());
    // Tables that are not compared game by game need not be played side by side.
    let together = match job
        .products
        .iter()
        .all(|product| product.a.0 == product.b.0)
    {
        true => 1,
        false => job.tables.len(),
    };
    let parts = (job.tables.len() / together) as u64;
    while total.games() < job.games {
        let first = total.games();
        let end = block_end(first, job);
        let share = ((end - first).saturating_mul(parts)).div_ceil(4 * threads as u64);
        let chunk = share.clamp(1, largest.min(end - first));
        let chunks = (end - first).div_ceil(chunk);
        pool.install(|| {
            (0..parts * chunks).into_par_iter().for_each(|index| {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let part = (index / chunks) as usize * together;
                let from = first + index % chunks * chunk;
                let games = chunk.min(end - from);
                // Each thread has a worker of its own, and a chunk is played to its end before
                // the next: nobody waits here.
                let thread = rayon::current_thread_index().unwrap_or(0);
                lock(&workers[thread]).play(job, part..part + together, from, games);
                played.fetch_add(games * together as u64, Ordering::Relaxed);
            });
        });
        if stop.load(Ordering::Relaxed) {
            return Ok((total, Ending::Stopped));
        }
        for worker in &workers {
            let sums = &mut lock(worker).sums;
            total.merge(sums);
            sums.clear();
        }
        if checkpoint(&total).is_break() {
            break;
        }
    }
    Ok((total, Ending::Complete))
}

/// What one thread fills again and again.
struct Worker {
    /// One for each table that is played at a time.
    records: Vec<Record>,
    chunk: usize,
    sums: Sums,
}

impl Worker {
    fn new(job: &Job, chunk: usize) -> Self {
        Worker {
            records: Vec::new(),
            chunk,
            sums: Sums::new(job.tables, job.products.len()),
        }
    }

    /// Plays a chunk at some of the tables and adds it up. `from` counts from each table's first.
    fn play(&mut self, job: &Job, tables: Range<usize>, from: u64, games: u64) {
        for (index, at) in tables.clone().enumerate() {
            let layout = job.tables[at].layout();
            if self.records.len() == index {
                self.records.push(Record::new(layout, self.chunk));
            } else if !self.records[index].fits(layout) {
                self.records[index] = Record::new(layout, self.chunk);
            }
            let record = &mut self.records[index];
            record.clear(games as usize);
            job.tables[at].play(job.level, job.seed, job.first[at] + from, record);
            self.sums.tables[at].add(job.level, layout, record);
        }
        let products = self.sums.products.iter_mut().zip(job.products);
        for (sum, product) in products.filter(|(_, product)| tables.contains(&product.a.0)) {
            let column =
                |(table, column): (usize, usize)| self.records[table - tables.start].column(column);
            let products = super::tally::products(job.level, column(product.a), column(product.b));
            *sum += i128::from(products);
        }
    }
}

fn lock(worker: &Mutex<Worker>) -> std::sync::MutexGuard<'_, Worker> {
    // A poisoned worker means that a kernel panicked, and that panic is already on its way up.
    worker
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Where the block that starts at game `first` ends.
fn block_end(first: u64, job: &Job) -> u64 {
    let mut end = job.block.max(1);
    while end <= first {
        end = end.saturating_add(((end as f64 * (SQRT_2 - 1.0)) as u64).max(1));
    }
    end.min(first.saturating_add(job.chunk * BLOCK_CHUNKS))
        .min(job.games)
}
