//! How fast carat plays: every game, on one thread and on all, with the bots of its comparisons.
//!
//! `cargo bench --bench games` plays whole runs, tallies included, and prints
//!
//! - games per second, the best of several runs;
//! - decisions per second. In Diamant each explorer inside decides after each card, except the last
//!   card of a bust; they are counted in replays by the referee. In the other games a decision is
//!   an action (Diamond Cave) or a move (Diamond Miner), for which a bot may choose one among many;
//!   they are counted in the games played;
//! - the speed relative to one thread, and to the plain referee on one thread;
//! - for Diamant, the time of a game as a multiple of only drawing its cards.
//!
//! The other benches measure each kernel in more detail.

#[path = "common/floor.rs"]
mod floor;
#[path = "common/outcome.rs"]
mod outcome;
#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::catalog::GAMES;
use carat_core::game::story::StoryStyle;
use carat_core::game::{MetricRef, Record, Table, WIN_SHARE};
use carat_core::simulation::{Experiment, Games, Goal, Threads, alone};
use fearless_simd::Level;
use std::collections::BTreeSet;
use time::seconds;

/// Runs of which the best counts.
const RUNS: usize = 5;
/// Seconds that a run should take at least.
const SECONDS: f64 = 0.3;
/// Games in which the referee counts the decisions.
const REPLAYED: u64 = 2000;

fn main() {
    let level = Level::new();
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let instructions = format!("{level:?}");
    let instructions = instructions.split('(').next().unwrap_or_default();
    println!("Comparison bots, first editions, {instructions}: best of {RUNS} runs\n");
    println!(
        "{:<15}{:>8}{:>14}{:>15}{:>14}{:>13}{:>14}",
        "game", "threads", "games/s", "decisions/s", "/ 1 thread", "/ referee", "time / floor"
    );
    for game in GAMES {
        let table = table::table(game.name, &game.field[..game.players]);
        let table = table.as_ref();
        let decisions = match game.name {
            "diamant" => count_decisions(table, game.players),
            "diamond_cave" => mean(table, level, game.chunk, "actions_per_game"),
            _ => mean(table, level, game.chunk, "moves_per_game"),
        };
        let one = games_a_second(table, game.chunk, 1, level);
        let referee = referee_games_a_second(table);
        let floor = (game.name == "diamant").then(|| floor_games_a_second(table, level));
        for threads in BTreeSet::from([1, all]) {
            let games = match threads {
                1 => one,
                _ => games_a_second(table, game.chunk, threads, level),
            };
            let floor = floor.filter(|_| threads == 1);
            println!(
                "{:<15}{threads:>8}{games:>14.0}{:>15.0}{:>14.2}{:>13.1}{:>14}",
                game.title,
                games * decisions,
                games / one,
                games / referee,
                floor.map_or(String::new(), |floor| format!("{:.2}", floor / games)),
            );
        }
    }
}

/// Games a second of whole runs, the best of some.
fn games_a_second(table: &dyn Table, chunk: u64, threads: usize, level: Level) -> f64 {
    let pool = Threads::start(threads).expect("threads start");
    let play = |games: u64| {
        let look = &mut |_: &mut Vec<()>, _: &Experiment| Vec::new();
        let metric = MetricRef::of_seat(WIN_SHARE, 0);
        seconds(1, || {
            let mut run = Experiment::apart(vec![table], Games { seed: 1, chunk });
            let goal = Goal::Games(games);
            let played = alone(&pool, level, |player| {
                player.watch(&mut run, goal, metric, look)
            });
            played.expect("nothing stops it");
        })
    };
    let mut games = chunk;
    while play(games) < SECONDS {
        games *= 2;
    }
    (0..RUNS).fold(0.0, |best, _| f64::max(best, games as f64 / play(games)))
}

/// Games a second of the plain referee on one thread.
fn referee_games_a_second(table: &dyn Table) -> f64 {
    let mut games = 1;
    loop {
        let mut record = Record::new(table.layout(), games);
        let took = seconds(1, || table.guided(1, 0, &mut (), &mut record));
        if took >= SECONDS {
            return games as f64 / took;
        }
        games *= 2;
    }
}

/// Games a second when only their cards are drawn.
fn floor_games_a_second(table: &dyn Table, level: Level) -> f64 {
    let games = 8192;
    let mut record = Record::new(table.layout(), games);
    table.play(level, 1, 0, &mut record);
    let lengths = floor::expedition_lengths(&record);
    games as f64 / seconds(200, || floor::draw_only(&lengths))
}

/// Decisions per game of Diamant, counted in the referee's replays: after each card that is not a
/// second trap, every explorer inside decides.
fn count_decisions(table: &dyn Table, seats: usize) -> f64 {
    let mut decisions = 0;
    for game in 0..REPLAYED {
        let mut inside = 0;
        for line in table.replay(1, game, StoryStyle::PLAIN).lines() {
            let first = line.split_whitespace().next().unwrap_or_default();
            if first == "Expedition" {
                inside = seats;
            } else if first.parse::<u32>().is_ok() {
                // Before the first expedition the bots are listed alike; `inside` is 0 then.
                decisions += if line.contains(" again! ") { 0 } else { inside };
            } else if first == "←" {
                inside -= line.matches(" leaves with ").count();
            }
        }
    }
    decisions as f64 / REPLAYED as f64
}

/// Mean of an outcome of the table.
fn mean(table: &dyn Table, level: Level, games: u64, metric: &str) -> f64 {
    let mut record = Record::new(table.layout(), games as usize);
    table.play(level, 1, 0, &mut record);
    let column = record.column(outcome::column(table.layout(), metric));
    column.iter().map(|&n| f64::from(n)).sum::<f64>() / games as f64
}
