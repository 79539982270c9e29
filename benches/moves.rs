//! What a game of Diamond Cave and of Diamond Miner costs on one thread, kernel against referee in
//! one run.
//!
//! `cargo bench --bench moves` plays the first editions with several tables and prints games and
//! moves a second; ending a turn of Diamond Miner is no move. The tables of constant formulas show
//! what the board, or the listing of moves, costs alone; the others show what the bots' own
//! formulas and features add.
//!
//! A profile of four shipped bots of Diamond Miner gives three fifths to listing the moves and
//! looking up their scores, a tenth to moves that were not seen before, and the rest to what all
//! moves share, to drawing and to moving cards.

#[path = "common/outcome.rs"]
mod outcome;
#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::game::Record;
use fearless_simd::Level;
use time::seconds;

const ROUNDS: usize = 5;
/// Each game with its count of moves, the games of the kernel and those of the referee, and tables.
type Bench = (
    &'static str,
    &'static str,
    [usize; 2],
    &'static [&'static str],
);
const BENCHES: [Bench; 2] = [
    (
        "diamond_cave",
        "actions_per_game",
        [1000, 1000],
        &[
            "4*benches/constant.toml",
            "4*wanderer",
            "prospector gambler hoarder saboteur",
            "2*cartographer",
            "4*planner",
        ],
    ),
    (
        "diamond_miner",
        "moves_per_game",
        [400, 20],
        &[
            "builder rusher thief guardian",
            "builder thief",
            "builder rusher thief guardian engineer random",
            "4*random",
        ],
    ),
];

fn main() {
    let level = Level::new();
    println!("First editions, one thread, {level:?}: best of {ROUNDS}\n");
    println!(
        "{:<48}{:>10}{:>12}{:>13}{:>10}{:>18}",
        "table", "games/s", "moves/s", "moves/game", "ns/move", "referee/kernel"
    );
    for (game, counted, [games, few], tables) in BENCHES {
        for seats in tables {
            let table = table::table(game, &seats.split(' ').collect::<Vec<_>>());
            let mut record = Record::new(table.layout(), games);
            let mut kernel = |games| {
                seconds(ROUNDS, || {
                    record.clear(games);
                    table.play(level, 1, 0, &mut record);
                })
            };
            // As many games as the referee plays, in the same run.
            let beside = kernel(few);
            let took = kernel(games);
            let column = outcome::column(table.layout(), counted);
            let moves: f64 = record.column(column).iter().map(|&n| f64::from(n)).sum();
            let referee = seconds(ROUNDS, || {
                record.clear(few);
                table.guided(1, 0, &mut (), &mut record);
            });
            println!(
                "{seats:<48}{:>10.0}{:>12.0}{:>13.1}{:>10.0}{:>18.1}",
                games as f64 / took,
                moves / took,
                moves / games as f64,
                took * 1e9 / moves,
                referee / beside
            );
        }
    }
}
