//! What a game of Diamond Miner costs on one thread, as ratios within one run.
//!
//! `cargo bench --bench diamond_miner` plays the standard rules with the same bots by the kernel
//! and by the plain referee, and prints games and moves a second. The last table holds the
//! formula fixed at a constant, so that what remains is the listing of moves; the others show what
//! the bots' own formulas and features add.
//!
//! A profile of four shipped bots gives three quarters to deciding: a sixth of that waits for the
//! stacks that are known, the rest tells what each stack and card is known by, and looks up the few
//! moves that may be better than ending the turn. Moves that were not seen before take a twentieth,
//! drawing and moving cards the rest.

#[path = "common/outcome.rs"]
mod outcome;
#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat::game::Record;
use fearless_simd::Level;
use time::seconds;

const GAMES: usize = 400;
const REFEREE_GAMES: usize = 20;
const ROUNDS: usize = 5;
const TABLES: [(&str, &[&str]); 4] = [
    (
        "4 shipped bots",
        &["builder", "rusher", "thief", "guardian"],
    ),
    ("2 shipped bots", &["builder", "thief"]),
    (
        "6 shipped bots",
        &[
            "builder", "rusher", "thief", "guardian", "engineer", "random",
        ],
    ),
    ("4 random bots (constant score)", &["4*random"]),
];

fn main() {
    let level = Level::new();
    println!("Diamond Miner, standard, one thread, {level:?}: best of {ROUNDS}\n");
    println!(
        "{:<32}{:>10}{:>12}{:>11}{:>12}{:>13}{:>16}",
        "table", "µs a game", "games/s", "moves/s", "ns a move", "referee µs", "referee/kernel"
    );
    for (name, seats) in TABLES {
        let table = table::table("diamond_miner", seats);
        let mut record = Record::new(table.layout(), GAMES);
        let kernel = best(GAMES, || {
            record.clear(GAMES);
            table.play(level, 1, 0, &mut record);
        });
        // Ending a turn is not counted.
        let column = outcome::column(table.layout(), "moves_per_game");
        let moves: i32 = record.column(column).iter().sum();
        let moves = f64::from(moves) / GAMES as f64;
        let mut record = Record::new(table.layout(), REFEREE_GAMES);
        let few = best(REFEREE_GAMES, || {
            record.clear(REFEREE_GAMES);
            table.play(level, 1, 0, &mut record);
        });
        let referee = best(REFEREE_GAMES, || {
            record.clear(REFEREE_GAMES);
            table.referee(1, 0, &mut record);
        });
        println!(
            "{name:<32}{:>10.1}{:>12.0}{:>11.0}{:>12.0}{:>13.0}{:>16.1}",
            kernel / 1e3,
            1e9 / kernel,
            1e9 / kernel * moves,
            kernel / moves,
            referee / 1e3,
            referee / few
        );
    }
}

/// Nanoseconds a game of `work`, which plays `games` games.
fn best(games: usize, work: impl FnMut()) -> f64 {
    seconds(ROUNDS, work) * 1e9 / games as f64
}
