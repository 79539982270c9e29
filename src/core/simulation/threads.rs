//! The threads of a run, which divide the games of several parts chunk by chunk.
//!
//! Chunks are handed out in order, so few parts are in progress at a time. Each thread needs one
//! record, and a few columns of the tables that are compared; the sums of a part are shared. So
//! memory grows with the threads and with the tables, never with both at once.

use super::part::cost;
use super::tally::{self, Product, Sums, Tally};
use super::{EachGame, Part};
use crate::game::{Play, Record, TURN};
use fearless_simd::Level;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A chunk may shrink by this factor to give all threads work.
const CHUNK_SPLIT: u64 = 4;
/// Chunks per thread, so that all threads end at about the same time.
const CHUNKS_EACH: u64 = 4;
/// Threads that share a tally: adding to it takes a small part of the time of a chunk.
const SHARING: usize = 4;

/// A pool of threads.
pub struct Threads {
    /// `None` plays on the calling thread.
    pool: Option<ThreadPool>,
    /// How many share out work now; they take turns, a chunk each.
    sharing: AtomicUsize,
}

/// Plays on the calling thread.
pub static HERE: Threads = Threads::here();

#[derive(Debug, thiserror::Error)]
#[error("this machine allows no more threads or memory; set fewer threads")]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub level: Level,
    /// Most games in a chunk.
    pub chunk: u64,
    /// Counts games, all tables together, as their chunks are done.
    pub played: &'a AtomicU64,
    pub stop: &'a AtomicBool,
    pub each: Option<&'a dyn EachGame>,
}

impl Threads {
    /// Plays on the calling thread, as `HERE`.
    pub const fn here() -> Threads {
        Threads {
            pool: None,
            sharing: AtomicUsize::new(0),
        }
    }

    /// Starts `threads` threads; 0 for one per processor.
    pub fn start(threads: usize) -> Result<Threads, ThreadsError> {
        let threads = match threads {
            // Rayon's own default could be set to anything by the environment.
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Threads {
            pool: Some(pool),
            ..Threads::here()
        })
    }

    pub fn number(&self) -> usize {
        self.pool
            .as_ref()
            .map_or(1, ThreadPool::current_num_threads)
    }

    /// Plays all games of these parts, and hands over the sums of each once it is complete, in any
    /// order. On an interrupt, when `done` breaks off, or when a table fails, incomplete parts are
    /// dropped.
    pub fn play(
        &self,
        parts: &[&Part],
        setting: Setting,
        done: &mut (dyn FnMut(usize, Sums) -> ControlFlow<()> + Send),
    ) {
        let threads = self.number();
        let mut runs: Vec<Run> = parts.iter().map(|part| Run::new(part)).collect();
        let games: u64 = runs.iter().map(|run| run.rows * run.part.games).sum();
        let most = setting.chunk.max(1);
        let share = games.div_ceil(CHUNKS_EACH * threads as u64);
        let chunk = match &self.pool {
            None => most,
            Some(_) => share.clamp((most / CHUNK_SPLIT).max(1), most),
        };
        // For each part the number of its first chunk.
        let (mut firsts, mut chunks) = (Vec::new(), 0);
        for run in &mut runs {
            let all = run.part.games.max(1);
            run.chunk = chunk.div_ceil(cost(&run.part.tables)).min(all);
            firsts.push(chunks);
            chunks += run.chunks();
        }
        let done = Mutex::new(done);
        let worker = |number| Worker {
            number,
            ..Worker::default()
        };
        let mut workers: Vec<Worker> = (0..threads).map(worker).collect();
        self.share(&mut workers, chunks, setting.stop, &|worker, index| {
            let at = firsts.partition_point(|&first| first <= index) - 1;
            let run = &runs[at];
            let sums = run.gathered.get_or_init(|| Gathered::new(run, threads));
            worker.play(run, sums, setting, index - firsts[at]);
            if run.part.failure().is_some() {
                return ControlFlow::Break(());
            }
            match sums.chunks_left.fetch_sub(1, Ordering::AcqRel) {
                1 => lock(&done)(at, sums.take()),
                _ => ControlFlow::Continue(()),
            }
        });
    }

    /// Does chunks of work in order, on any free thread; each has a worker of its own. Stops
    /// between chunks on an interrupt, and when the work breaks off.
    pub fn share<W: Send>(
        &self,
        workers: &mut [W],
        chunks: u64,
        stop: &AtomicBool,
        work: &(dyn Fn(&mut W, u64) -> ControlFlow<()> + Sync),
    ) {
        let workers: Vec<Mutex<&mut W>> = workers.iter_mut().map(Mutex::new).collect();
        let (next, ended) = (AtomicU64::new(0), AtomicBool::new(false));
        let is_stopped = || {
            [stop, &ended]
                .iter()
                .any(|flag| flag.load(Ordering::Relaxed))
        };
        let run = |thread: usize| {
            let guard = EndOnPanic(&ended);
            let mut worker = lock(&workers[thread]);
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || is_stopped() {
                    break;
                }
                if work(&mut worker, chunk).is_break() {
                    ended.store(true, Ordering::Relaxed);
                }
                if self.sharing.load(Ordering::Relaxed) > 1 {
                    break;
                }
            }
            drop(guard);
        };
        match &self.pool {
            None => run(0),
            Some(pool) => {
                self.sharing.fetch_add(1, Ordering::Relaxed);
                // A thread takes the turns of all in the order in which they were shared out.
                while next.load(Ordering::Relaxed) < chunks && !is_stopped() {
                    pool.broadcast(|context| run(context.index()));
                }
                self.sharing.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// Ends the other threads when one panics.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

struct Run<'a> {
    part: &'a Part<'a>,
    chunk: u64,
    /// Tables that one chunk plays: all if they are compared game by game, otherwise one.
    together: usize,
    /// Chunks per set of tables: they play the same games.
    rows: u64,
    /// Columns that products are taken of, as (table, column).
    columns: Vec<(usize, usize)>,
    /// The products: positions of their two columns among `columns`.
    products: Vec<(usize, usize)>,
    gathered: OnceLock<Gathered>,
}

impl<'a> Run<'a> {
    fn new(part: &'a Part<'a>) -> Run<'a> {
        let products = || part.products.iter();
        let apart = products().all(|product| product.a.0 == product.b.0);
        let together = if apart { 1 } else { part.tables.len() };
        let both = products().flat_map(|product| [product.a, product.b]);
        let columns: Vec<_> = both.collect::<BTreeSet<_>>().into_iter().collect();
        let place = |of| columns.partition_point(|known| *known < of);
        let places = |product: &Product| (place(product.a), place(product.b));
        Run {
            part,
            chunk: 1,
            together,
            rows: (part.tables.len() / together.max(1)) as u64,
            products: products().map(places).collect(),
            columns,
            gathered: OnceLock::new(),
        }
    }

    fn chunks(&self) -> u64 {
        self.rows * self.part.games.div_ceil(self.chunk)
    }
}

/// The sums of a part, which grow with each chunk. Several copies of each are added up in the end,
/// so that threads seldom wait for each other.
struct Gathered {
    chunks_left: AtomicU64,
    /// Indexed by copy, then by table.
    tallies: Vec<Vec<Mutex<Tally>>>,
    products: Vec<Mutex<Vec<i128>>>,
}

impl Gathered {
    fn new(run: &Run, threads: usize) -> Gathered {
        let tables = &run.part.tables;
        let copies = threads.div_ceil(SHARING * tables.len().max(1));
        let tallies = || {
            let none = |table: &&dyn Play| Mutex::new(Tally::new(table.layout()));
            tables.iter().map(none).collect()
        };
        let products = || Mutex::new(vec![0; run.products.len()]);
        Gathered {
            chunks_left: AtomicU64::new(run.chunks()),
            tallies: (0..copies).map(|_| tallies()).collect(),
            products: (0..copies).map(|_| products()).collect(),
        }
    }

    /// Adds up all copies, and empties them.
    fn take(&self) -> Sums {
        let table = |at: usize| {
            let mut sum = lock(&self.tallies[0][at]).clone();
            let others = self.tallies[1..].iter();
            others.for_each(|copy| sum.merge(&lock(&copy[at])));
            sum
        };
        let mut products = std::mem::take(&mut *lock(&self.products[0]));
        for copy in &self.products[1..] {
            for (sum, more) in products.iter_mut().zip(&*lock(copy)) {
                *sum += more;
            }
        }
        Sums {
            tables: (0..self.tallies[0].len()).map(table).collect(),
            products,
        }
    }
}

#[derive(Default)]
struct Worker {
    number: usize,
    record: Option<Record>,
    /// Columns of the tables that are compared, one after the other.
    kept: Vec<i32>,
}

impl Worker {
    fn play(&mut self, run: &Run, sums: &Gathered, setting: Setting, index: u64) {
        let (part, chunk) = (run.part, run.chunk);
        let chunks = part.games.div_ceil(chunk);
        let from = index % chunks * chunk;
        let games = chunk.min(part.games - from);
        let first_table = (index / chunks) as usize * run.together;
        let tables = first_table..first_table + run.together;
        let take_turns = |at: usize| part.tables[at].layout().populations > 1;
        let turn = if tables.clone().any(take_turns) {
            TURN
        } else {
            u64::MAX
        };
        let (mut from, end) = (from, from + games);
        while from < end {
            let games = (end - from).min(turn - (part.first[first_table] + from) % turn);
            self.play_turn(run, sums, setting, tables.clone(), from..from + games);
            from += games;
        }
        let all_games = games * tables.len() as u64;
        setting.played.fetch_add(all_games, Ordering::Relaxed);
    }

    /// Plays games that are all of the same population.
    fn play_turn(
        &mut self,
        run: &Run,
        sums: &Gathered,
        setting: Setting,
        tables: Range<usize>,
        turn: Range<u64>,
    ) {
        let (part, chunk, from, games) = (run.part, run.chunk, turn.start, turn.end - turn.start);
        let copy = self.number % sums.tallies.len();
        self.kept.clear();
        let columns = &run.columns;
        let first_column = columns.partition_point(|column| column.0 < tables.start);
        for at in tables {
            let layout = part.tables[at].layout();
            let record = match &mut self.record {
                Some(record) if record.fits(layout, chunk as usize) => record,
                other => other.insert(Record::new(layout, chunk as usize)),
            };
            record.clear(games as usize);
            let first = part.first[at] + from;
            part.tables[at].play(setting.level, part.seed, first, record);
            layout.measure(record);
            if let Some(each) = setting.each {
                each.take(first, record);
            }
            for (_, column) in columns.iter().filter(|column| column.0 == at) {
                self.kept.extend(record.column(*column));
            }
            lock(&sums.tallies[copy][at]).add(setting.level, layout, first, record);
        }
        let kept: Vec<&[i32]> = self.kept.chunks_exact((games as usize).max(1)).collect();
        let own = first_column..first_column + kept.len();
        let mut found = Vec::new();
        for (at, &(a, b)) in run.products.iter().enumerate() {
            if own.contains(&a) {
                let (a, b) = (kept[a - own.start], kept[b - own.start]);
                found.push((at, tally::products(setting.level, a, b)));
            }
        }
        let mut products = lock(&sums.products[copy]);
        for (at, product) in found {
            products[at] += i128::from(product);
        }
    }
}

/// Locks even what a thread that panicked has left locked: that panic is already propagating.
pub fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
