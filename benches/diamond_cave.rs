//! What a game of Diamond Cave costs on one thread, kernel against referee in one run.
//!
//! `cargo bench --bench diamond_cave` plays the 2009 rules with several tables and prints games
//! and actions a second. The table of constant formulas shows what the board alone costs: it asks
//! for every decision, computes no feature, and picks at random.

#[path = "common/outcome.rs"]
mod outcome;
#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat::game::Record;
use fearless_simd::Level;
use time::seconds;

const GAMES: usize = 1000;
const ROUNDS: usize = 5;
const TABLES: [(&str, &[&str]); 5] = [
    ("4 constant formulas", &["4*benches/constant.toml"]),
    ("4 formulas of `noise`", &["4*wanderer"]),
    (
        "4 default bots",
        &["prospector", "gambler", "hoarder", "saboteur"],
    ),
    ("2 cartographers", &["2*cartographer"]),
    ("4 planners", &["4*planner"]),
];

fn main() {
    let level = Level::new();
    println!("Diamond Cave, rifo-2009, one thread, {level:?}: best of {ROUNDS}\n");
    println!(
        "{:<24}{:>12}{:>12}{:>14}{:>12}{:>18}",
        "table", "games/s", "actions/s", "actions/game", "ns/action", "referee/kernel"
    );
    for (name, seats) in TABLES {
        let table = table::table("diamond_cave", seats);
        let layout = table.layout();
        let mut record = Record::new(layout, GAMES);
        let kernel = seconds(ROUNDS, || {
            record.clear(GAMES);
            table.play(level, 1, 0, &mut record);
        });
        let actions = record.column(outcome::column(layout, "actions_per_game"));
        let actions: i64 = actions.iter().map(|&actions| i64::from(actions)).sum();
        let referee = seconds(ROUNDS, || {
            record.clear(GAMES);
            table.referee(1, 0, &mut record);
        });
        println!(
            "{name:<24}{:>12.0}{:>12.0}{:>14.1}{:>12.0}{:>18.1}",
            GAMES as f64 / kernel,
            actions as f64 / kernel,
            actions as f64 / GAMES as f64,
            kernel * 1e9 / actions as f64,
            referee / kernel
        );
    }
}
