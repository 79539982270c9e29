//! Runs that stop, go on, or fail in their middle.

use crate::fixtures::{diamant, games, play_all};
use carat_core::game::{Layout, MetricRef, Play, Record, Table, WIN_SHARE};
use carat_core::simulation::{
    Ending, Experiment, FinishedParts, Goal, Listener, NotKept, Player, Precision, Sharing, Sums,
    Threads,
};
use fearless_simd::Level;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A table whose games are said to take very long.
struct Dear(Box<dyn Table>);

impl Play for Dear {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn cost(&self) -> u64 {
        u64::MAX >> 20
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.0.play(level, seed, first, record);
    }
}

/// What a shard keeps.
#[derive(Default)]
struct Kept {
    parts: HashMap<String, Sums>,
    state: Option<Vec<u8>>,
}

impl FinishedParts for Kept {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.parts.get(part).cloned()
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        self.parts.insert(part.to_string(), sums.clone());
        Ok(())
    }

    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        self.state.clone()
    }

    fn keep_state(&mut self, _of: &str, state: &[u8]) -> Result<(), NotKept> {
        self.state = Some(state.to_vec());
        Ok(())
    }
}

/// Stops a run after some looks.
struct Stops<'a>(&'a AtomicBool, usize);

impl Listener for Stops<'_> {
    fn checkpoint(&mut self, _: Option<Precision>) {
        self.1 = self.1.saturating_sub(1);
        self.0.store(self.1 == 0, Ordering::Relaxed);
    }
}

/// A part of a shard may take hours: what is played of it is kept, and it goes on in its middle.
#[test]
fn long_parts_of_a_shard_resume() {
    const GAMES: u64 = 3000;
    let table = Dear(diamant("iello-2016", &[], &["depth", "traps"]));
    let threads = Threads::start(1).expect("threads");
    let experiment = || Experiment::apart(vec![&table], games(1));
    let (mut kept, mut states) = (Kept::default(), 0);
    let played = AtomicU64::new(0);
    let total = loop {
        let stop = AtomicBool::new(false);
        let mut player = Player {
            threads: &threads,
            level: Level::new(),
            stop: &stop,
            played: &played,
            listener: &mut Stops(&stop, 20),
            finished: &mut kept,
            sharing: Some(Sharing::shard("1/1".parse().expect("a shard"))),
            each: None,
        };
        let look = &mut |_: &mut Vec<()>, _: &Experiment| Vec::new();
        let metric = MetricRef::of_seat(WIN_SHARE, 0);
        let mut own = experiment();
        let watched = player.watch(&mut own, Goal::Games(GAMES), metric, look);
        if watched.is_ok_and(|watched| watched.ending == Ending::Complete) {
            break own.tallies;
        }
        states += usize::from(kept.state.is_some());
    };
    assert!(states > 3, "{states}");
    // Little is played twice.
    assert!(played.into_inner() < GAMES + GAMES / 4);
    let mut whole = experiment();
    play_all(&mut whole, GAMES, &threads);
    assert_eq!(total, whole.tallies);
}

/// A table that is wrong in the middle of a run.
struct Wrong(Box<dyn Table>);

impl Play for Wrong {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        assert!(first < 100_000, "wrong on purpose");
        self.0.play(level, seed, first, record);
    }
}

#[test]
fn a_panic_while_playing_ends_the_run() {
    for threads in [1, 3] {
        let (ended, waits) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let table = Wrong(diamant("iello-2016", &[], &["depth"]));
            let pool = Threads::start(threads).expect("threads");
            let play = std::panic::AssertUnwindSafe(|| {
                let mut run = Experiment::apart(vec![&table], games(1));
                play_all(&mut run, 10_000_000, &pool);
            });
            let panicked = std::panic::catch_unwind(play).is_err();
            ended.send(panicked).expect("the test waits");
        });
        assert_eq!(waits.recv_timeout(Duration::from_secs(600)), Ok(true));
    }
}
