//! A search of one's own: which target should `threshold` have among four people? All
//! candidates play the same games, so small differences show; those that are clearly worse get no
//! more.
//!
//!   cargo run --release -p carat-core --example own_search

use carat_core::game::{MetricRef, Seating, WIN_SHARE};
use carat_core::library::Library;
use carat_core::simulation::{Design, Games, Goal, Level, Threads, alone, grid};
use carat_core::thinking;

fn main() {
    let game = carat_core::catalog::find("diamant").expect("carat plays Diamant");
    let rules = game
        .rules("iello-2016", game.editions[0].text)
        .expect("an edition");
    let library = Library::default();
    let targets = 12..=20;
    let mut arms = Vec::new();
    for target in targets.clone() {
        let mut bots = Vec::new();
        for seats in [format!("threshold:target={target}"), "4*people".to_string()] {
            let spec = seats.parse().expect("copies, a name and values");
            bots.extend(library.seats(game, &spec).expect("included bots"));
        }
        let table =
            thinking::table(rules.as_ref(), &bots, Seating::EveryOrder).expect("five players");
        arms.push(table.into());
    }
    let design = Design {
        groups: vec![0; arms.len()],
        arms,
        metric: MetricRef::of_seat(WIN_SHARE, 0),
        goal: Goal::Precision {
            half_width: 0.001,
            most: 2_000_000,
        },
        games: Games {
            seed: 1,
            chunk: 8192,
        },
        seeds: Vec::new(),
        gates: Vec::new(),
    };
    let threads = Threads::start(0).expect("one for each processor");
    let played = alone(&threads, Level::new(), |player| grid::play(&design, player));
    let played = played.expect("no bot fails");
    for (at, target) in targets.enumerate() {
        let wins = played.estimates[at].expect("win shares have values");
        let mark = match (played.best[at], played.in_best_set[at]) {
            (true, _) => "best",
            (_, true) => "may be the best",
            _ => "",
        };
        println!("target {target:2}: wins {wins} {mark}");
    }
}
