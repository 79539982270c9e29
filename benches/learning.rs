//! How fast Diamant is learnt: five explorers who learn against each other, on one thread.
//!
//! `cargo bench --bench learning` prints games a second while learning, lessons and the updates of
//! the policy included; games a second of the plain kernel with its default bots; and their ratio.

#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::catalog;
use carat_core::game::Record;
use carat_core::learning::{Learner, Learns, Objective, Schedule};
use carat_core::simulation::{Threads, alone};
use fearless_simd::Level;
use time::seconds;

/// Games that are learnt before the clock starts: the first policies play other games than later.
const BEFORE: u64 = 2_000_000;
/// Runs of which the best counts, and batches of each.
const RUNS: usize = 5;
const BATCHES: usize = 8;

fn main() {
    let level = Level::new();
    let game = catalog::find("diamant").expect("the game is in the catalog");
    let edition = &game.editions[0];
    let rules = game.rules(edition.name, edition.text);
    let rules = rules.expect("editions load");
    let school = rules.school(game.players).expect("Diamant can be learnt");
    let grid = school.grid(game.players, true, false);
    let cell = grid.formula(game.vocabulary).expect("the axes are sound");
    let lesson = school.lesson(&cell, game.players, &[]);
    let lesson = lesson.expect("learners sit down");
    let start = vec![26; grid.cells()];
    let mut learner = Learner::new(
        lesson,
        game.players,
        Objective::WinShare,
        1,
        start,
        grid.levels(),
        Schedule::together(game.players),
    );
    let threads = Threads::start(1).expect("a thread starts");
    let batch =
        |learner: &mut Learner| alone(&threads, level, |player| learner.batch(u64::MAX, player));
    while learner.games() < BEFORE {
        batch(&mut learner);
    }
    let learning = (0..RUNS).fold(0.0, |best, _| {
        let before = learner.games();
        let took = seconds(1, || {
            for _ in 0..BATCHES {
                batch(&mut learner);
            }
        });
        f64::max(best, (learner.games() - before) as f64 / took)
    });

    let plain = table::table(game.name, &game.field[..game.players]);
    let mut record = Record::new(plain.layout(), game.chunk as usize);
    let took = seconds(RUNS, || {
        for chunk in 0..64 {
            record.clear(game.chunk as usize);
            plain.play(level, 1, chunk * game.chunk, &mut record);
        }
    });
    let playing = 64.0 * game.chunk as f64 / took;
    println!("{} cells, {} players", grid.cells(), game.players);
    println!("learning         {learning:>12.0} games/s");
    println!("default bots     {playing:>12.0} games/s");
    println!("ratio            {:>12.2}", playing / learning);
}
