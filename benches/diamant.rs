//! What a game of Diamant costs on one thread, as ratios within one run.
//!
//! `cargo bench --bench diamant` plays the 2016 rules and prints nanoseconds a game for
//! (a) a floor that only draws cards, (b) the referee, (c) the kernel at each level of vector
//! instructions of this machine, (d) adding the games to a tally, all with the same bots.
//! The floor is the least that any simulator must do: Fisher–Yates draws from a deck of bytes
//! with the same generator, as many cards as the games drew. The bots with 300,000 cells should
//! play at no less than a third of the speed of the default bots. Words after `--` choose lines:
//! `cargo bench --bench diamant -- one-condition AVX2`.

#[path = "common/floor.rs"]
mod floor;
#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::game::Record;
use carat_core::simulation::Tally;
use fearless_simd::{Level, Simd};
use time::seconds;

const GAMES: usize = 8192;
const ROUNDS: usize = 60;
const TABLES: [(&str, &[&str]); 5] = [
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
    ("5 bots with 20 cells", &["card"; 5]),
    ("5 bots with 300,000 cells", &["large"; 5]),
];

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    println!("Diamant, iello-2016, one thread: nanoseconds a game, best of {ROUNDS}\n");
    println!(
        "{:<30}{:<9}{:>7}{:>9}{:>14}{:>9}{:>16}{:>8}{:>14}",
        "table",
        "level",
        "floor",
        "kernel",
        "kernel/floor",
        "referee",
        "referee/kernel",
        "tally",
        "tally/kernel"
    );
    for (name, seats) in TABLES {
        let table = table::table("diamant", seats);
        let mut record = Record::new(table.layout(), GAMES);
        let mut referee = f64::INFINITY;
        for (level_name, level) in levels() {
            let line = format!("{name} {level_name}");
            if !words.iter().all(|word| line.contains(word.as_str())) {
                continue;
            }
            record.clear(GAMES);
            table.play(level, 1, 0, &mut record);
            let lengths = floor::expedition_lengths(&record);
            let mut kernel = f64::INFINITY;
            let mut floor = f64::INFINITY;
            let mut adding = f64::INFINITY;
            let mut tally = Tally::new(table.layout());
            // In turns, so that a slow moment of the machine meets all of them.
            for _ in 0..ROUNDS {
                floor = floor.min(best(2, || floor::draw_only(&lengths)));
                kernel = kernel.min(best(2, || {
                    record.clear(GAMES);
                    table.play(level, 1, 0, &mut record);
                }));
                adding = adding.min(best(2, || tally.add(level, table.layout(), 0, &record)));
            }
            if referee.is_infinite() {
                referee = best(2, || table.guided(1, 0, &mut (), &mut record));
            }
            println!(
                "{name:<30}{level_name:<9}{floor:>7.1}{kernel:>9.1}{:>14.2}{referee:>9.0}{:>16.1}{adding:>8.1}{:>14.3}",
                kernel / floor,
                referee / kernel,
                adding / kernel,
            );
        }
    }
}

/// Every level of vector instructions that this machine has, best first.
fn levels() -> Vec<(&'static str, Level)> {
    let level = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let levels = [
            ("AVX-512", level.as_avx512().map(Simd::level)),
            ("AVX2", level.as_avx2().map(Simd::level)),
            ("SSE2", level.as_sse2().map(Simd::level)),
        ];
        let known = levels
            .into_iter()
            .filter_map(|(name, level)| Some((name, level?)));
        known.collect()
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    vec![("best", level)]
}

/// Nanoseconds per game of `work`, which handles [`GAMES`] games: the best of `runs` runs.
fn best(runs: usize, work: impl FnMut()) -> f64 {
    seconds(runs, work) * 1e9 / GAMES as f64
}
