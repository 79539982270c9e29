//! What a game of Diamant costs on one thread, as ratios within one run.
//!
//! `cargo bench --bench diamant` plays the 2016 rules and prints nanoseconds a game for
//! (a) a floor that only draws cards, (b) the referee, (c) the kernel, all with the same bots.
//! The floor is the least that any simulator must do: Fisher–Yates draws from a deck of bytes
//! with the same generator, as many cards as the games drew.

use carat::catalog;
use carat::game::{Record, Table};
use carat::study::library::Library;
use fearless_simd::Level;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;
use std::time::Instant;

const GAMES: usize = 8192;
const ROUNDS: usize = 7;
const TABLES: [(&str, &[&str]); 3] = [
    (
        "4 one-condition bots",
        &["threshold", "traps", "depth", "threshold:target=20"],
    ),
    (
        "5 bots of about 7 operations",
        &[
            "benches/seven.toml",
            "benches/seven.toml:target=9",
            "benches/seven.toml:nerve=3",
            "benches/seven.toml:stake=40",
            "benches/seven.toml:stake=90",
        ],
    ),
    (
        "5 default bots",
        &["threshold", "traps", "depth", "risk", "random"],
    ),
];

fn main() {
    let level = Level::new();
    println!("Diamant, iello-2016, one thread, {level:?}: nanoseconds a game, best of {ROUNDS}\n");
    println!(
        "{:<30}{:>8}{:>10}{:>10}{:>15}{:>17}",
        "table", "floor", "referee", "kernel", "kernel/floor", "referee/kernel"
    );
    for (name, seats) in TABLES {
        let table = table(seats);
        let mut record = Record::new(table.layout(), GAMES);
        let kernel = best(16, || {
            record.clear(GAMES);
            table.play(level, 1, 0, &mut record);
        });
        let lengths = expedition_lengths(&record);
        let floor = best(16, || draw_only(&lengths));
        let mut record = Record::new(table.layout(), GAMES);
        let referee = best(1, || table.referee(1, 0, &mut record));
        println!(
            "{name:<30}{floor:>8.0}{referee:>10.0}{kernel:>10.0}{:>15.2}{:>17.1}",
            kernel / floor,
            referee / kernel
        );
    }
}

fn table(seats: &[&str]) -> Box<dyn Table> {
    let game = catalog::find("diamant").expect("Diamant is in the catalog");
    let library = Library::default();
    let seats: Vec<_> = seats
        .iter()
        .flat_map(|seat| {
            library
                .seats(game.facts(), seat)
                .expect("the bench's bots load")
        })
        .collect();
    let rules = game
        .rules("iello-2016", game.facts().editions[0].text)
        .expect("editions load");
    rules
        .table(&seats, true)
        .expect("the bench's bots can play")
}

/// Nanoseconds a game of `work`, which plays [`GAMES`] games: the best of some rounds.
fn best(repeats: usize, mut work: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..repeats).for_each(|_| work());
            start.elapsed().as_nanos() as f64 / (repeats * GAMES) as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// How many cards each expedition of the record revealed.
fn expedition_lengths(record: &Record) -> Vec<usize> {
    // The first table of counts: by number of cards, expeditions that ended there.
    let ended = record.counts[..65 * 2]
        .chunks_exact(2)
        .map(|row| row[0] as usize);
    ended
        .enumerate()
        .flat_map(|(cards, times)| std::iter::repeat_n(cards, times))
        .collect()
}

fn draw_only(lengths: &[usize]) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut deck: [u8; 35] = std::array::from_fn(|card| card as u8);
    for &cards in lengths {
        for drawn in 0..cards {
            let left = (deck.len() - drawn) as u64;
            let chosen = drawn + (((rng.next_u64() >> 32) * left) >> 32) as usize;
            deck.swap(drawn, chosen);
        }
        black_box(&deck);
    }
}
