//! How fast carat plays on from the middle of a game: `cargo bench --bench moments`.
//!
//! For each game, with its default bots on one thread: playouts per second from the middle of a
//! game, and the decisions in them per second, relative to those of whole games in the same run. A
//! position at decision k of a game with n has n - k to come, averaged over many games; whole games
//! are counted alike, so the ratio is the cost of starting from a position. The last column is the
//! playouts per second of a thinking seat, relative to the first.

#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::catalog::GAMES;
use carat_core::game::moments::{Moment, What};
use carat_core::game::story::StoryStyle;
use carat_core::game::{Record, Table};
use carat_core::simulation::{Games, NEVER};
use carat_core::thinking::{Trial, Tries, play_here};
use fearless_simd::Level;
use std::slice;
use time::seconds;

/// Games that positions are taken from.
const GAMES_TAKEN: u64 = 40;
/// Playouts at a time, about as an analysis asks for.
const PLAYOUTS: usize = 256;
/// Seconds that a measurement should take at least.
const SECONDS: f64 = 2.0;

fn main() {
    let level = Level::new();
    println!(
        "{:<15}{:>14}{:>18}{:>16}{:>22}{:>12}",
        "game", "moments/s", "playouts/s", "games/s", "decisions / games'", "thinking"
    );
    for game in GAMES {
        let table = table::table(game.name, &game.field[..game.players]);
        let table = table.as_ref();
        let style = StoryStyle {
            short: true,
            ..StoryStyle::PLAIN
        };
        let mut courses = Vec::new();
        let took = seconds(1, || {
            courses.extend((0..GAMES_TAKEN).map(|number| table.course(1, number, style)));
        });
        let all: usize = courses.iter().map(|course| course.moments.len()).sum();
        let taken_apart = all as f64 / took;

        // One position each, from the first to the last part of a game.
        let mut positions: Vec<(&Moment, f64)> = Vec::new();
        let mut decisions = 0.0;
        for (index, course) in courses.iter().enumerate() {
            let at = course.moments.len() * (2 * index + 1) / (2 * courses.len());
            let is_decision = |moment: &&Moment| matches!(moment.what, What::Decision(_));
            let to_come = course.moments[at..].iter().filter(is_decision).count();
            decisions += course.moments.iter().filter(is_decision).count() as f64;
            positions.push((&course.moments[at], to_come as f64));
        }
        decisions /= courses.len() as f64;
        let to_come: f64 = positions.iter().map(|(_, to_come)| to_come).sum();

        // Both in turns, so that a busy machine slows both.
        let (mut on, mut whole, mut thought) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut first = 0;
        while on[1] < SECONDS || whole[1] < SECONDS {
            on[1] += seconds(1, || play_on(table, level, &positions, first));
            on[0] += (positions.len() * PLAYOUTS) as f64;
            let games = game.chunk as usize;
            whole[1] += seconds(1, || {
                let mut record = Record::new(table.layout(), games);
                table.play(level, 1, first, &mut record);
            });
            whole[0] += games as f64;
            if thought[1] < SECONDS {
                thought[1] += seconds(1, || {
                    thought[0] += thinking(table, level, &positions, first);
                });
            }
            first += games.max(PLAYOUTS) as u64;
        }
        let [playouts, games, thought] = [on, whole, thought].map(|[done, took]| done / took);
        let mean_to_come = to_come / positions.len() as f64;
        println!(
            "{:<15}{taken_apart:>14.0}{playouts:>18.0}{games:>16.0}{:>22.2}{:>12.2}",
            game.title,
            playouts * mean_to_come / (games * decisions),
            thought / playouts,
        );
    }
}

/// Runs playouts for the positions that are decisions; returns the number of playouts.
fn thinking(table: &dyn Table, level: Level, positions: &[(&Moment, f64)], first: u64) -> f64 {
    let mut looks = Vec::from([8, 4, 2, 1].map(|part| (PLAYOUTS as u64 / part).max(table.batch())));
    looks.dedup();
    let tries = Tries {
        table,
        layout: &table.layout().bare(),
        stage: "race",
        looks: &looks,
        sigmas: Some(2.0),
    };
    let games = Games {
        seed: 2,
        chunk: PLAYOUTS as u64,
    };
    let mut playouts = 0;
    for (moment, _) in positions {
        if let What::Decision(options) = &moment.what {
            let trial = Trial {
                positions: slice::from_ref(&moment.position),
                options: options.names.len(),
                chosen: options.chosen,
                seat: options.seat,
                first,
                raced: None,
            };
            let tried = play_here(level, &NEVER, |play| tries.race(&[trial], games, play));
            let Ok(mut tried) = tried else { continue };
            let tried = tried.remove(0);
            playouts += tried
                .options
                .iter()
                .map(|worth| worth.playouts)
                .sum::<u64>();
        }
    }
    playouts as f64
}

fn play_on(table: &dyn Table, level: Level, positions: &[(&Moment, f64)], first: u64) {
    let mut record = Record::new(&table.layout().bare(), PLAYOUTS);
    for (moment, _) in positions {
        table.play_on(level, (&moment.position, None), (2, first), &mut record);
    }
}
