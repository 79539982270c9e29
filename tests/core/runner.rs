//! Runs that stop, go on, or fail in their middle.

use crate::fixtures::{diamant, games, play_all};
use carat_core::game::{Layout, MetricRef, Play, Record, Table, WIN_SHARE};
use carat_core::simulation::{
    Experiment, FinishedParts, Goal, Listener, NotKept, Player, Precision, Shard, Sharing, Sums,
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

#[test]
fn shards_are_written_as_fractions() {
    let shard: Shard = "3/16".parse().expect("a shard");
    assert_eq!((shard.number, shard.of), (3, 16));
    assert_eq!(shard.to_string(), "3/16");
    for wrong in [
        "", "3", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/200000", "1/2/3",
    ] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }
}

#[test]
fn every_game_is_in_exactly_one_shard() {
    for all in [1, 5, 30, 100, 1_000_000_000_000_000_000] {
        for of in [1, 2, 3, 7, 50, 100_000] {
            let mut next = 0;
            for number in 1..=of {
                let own = Shard { number, of }.games(&(0..all));
                assert_eq!(own.start, next);
                let games = own.end - own.start;
                let fair = all / of;
                assert!((fair..=fair + 1).contains(&games), "{number}/{of}: {games}");
                next = own.end;
            }
            assert_eq!(next, all);
        }
    }
}

/// What a shard keeps.
#[derive(Default)]
struct Kept(HashMap<String, Sums>);

impl FinishedParts for Kept {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.0.get(part).cloned()
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        self.0.insert(part.to_string(), sums.clone());
        Ok(())
    }
}

/// Stops a run after some pieces.
struct Stops<'a>(&'a AtomicBool, usize);

impl Listener for Stops<'_> {
    fn checkpoint(&mut self, _: Option<Precision>) {
        self.1 = self.1.saturating_sub(1);
        self.0.store(self.1 == 0, Ordering::Relaxed);
    }
}

/// A shard may take hours: the pieces that are played are kept, so it goes on in its middle; and the
/// pieces of all shards, also one without games, merge to a run of all games.
#[test]
fn stopped_shards_resume_and_merge() {
    const GAMES: u64 = 3000;
    let table = Dear(diamant("iello-2016", &[], &["depth", "traps"]));
    let threads = Threads::start(1).expect("threads");
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let (mut kept, mut played) = (Kept::default(), AtomicU64::new(0));
    let mut run = |all: u64, sharing: Sharing, pieces: usize| {
        let stop = AtomicBool::new(false);
        let before = kept.0.len();
        let mut player = Player {
            threads: &threads,
            level: Level::new(),
            stop: &stop,
            played: &played,
            listener: &mut Stops(&stop, pieces),
            finished: &mut kept,
            sharing: Some(sharing),
            each: None,
        };
        let look = &mut |seen: &mut Vec<u64>, run: &Experiment| {
            seen.push(run.tallies[0].games);
            Vec::new()
        };
        let mut own = Experiment::apart(vec![&table], games(1));
        let watched = player.watch(&mut own, Goal::Games(all), metric, look);
        let seen = watched.ok().map(|watched| (watched.seen, own.tallies));
        (seen, kept.0.len() - before)
    };
    for number in 1..=3 {
        let shard = format!("{number}/3").parse().expect("a shard");
        let mut times = 0;
        while run(GAMES, Sharing::Play(shard), 8).1 > 0 {
            let merged = run(GAMES, Sharing::Merge(3), usize::MAX).0;
            assert!(merged.is_none() || number == 3, "shards are missing");
            times += 1;
        }
        assert!(times > 2, "{times}");
    }
    let (seen, tallies) = run(GAMES, Sharing::Merge(3), usize::MAX).0.expect("all");
    assert_eq!((seen.last(), *played.get_mut()), (Some(&GAMES), GAMES));
    assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
    let mut whole = Experiment::apart(vec![&table], games(1));
    play_all(&mut whole, GAMES, &threads);
    assert_eq!(tallies, whole.tallies);
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
