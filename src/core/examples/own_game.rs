//! A game of one's own: who rolls dice until a total of 20, or loses what was rolled with a one?
//! carat plays it on all processors, and says how often each seat wins.
//!
//!   cargo run --release -p carat-core --example own_game

use carat_core::game::{Layout, Metric, OWN, Play, Record, SCORE, WIN, WIN_SHARE, WIN_UNITS};
use carat_core::simulation::{Threads, play_games};
use carat_core::streams::{below, game_key, phase_rng};
use fearless_simd::Level;

/// Two players, each of whom stops once this much is rolled.
struct Dice {
    stops: [i32; 2],
    layout: Layout,
}

impl Play for Dice {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn play(&self, _level: Level, seed: u64, first: u64, record: &mut Record) {
        for game in 0..record.games() {
            // Every game has luck of its own, whatever plays beside it.
            let mut luck = phase_rng(game_key(seed, first + game as u64), 0);
            let mut scores = [0; 2];
            for (score, stop) in scores.iter_mut().zip(self.stops) {
                while *score < stop {
                    match below(&mut luck, 6) as i32 + 1 {
                        1 => {
                            *score = 0;
                            break;
                        }
                        eyes => *score += eyes,
                    }
                }
            }
            let best = scores[0].max(scores[1]);
            let winners = scores.iter().filter(|score| **score == best).count() as i32;
            for (seat, score) in scores.into_iter().enumerate() {
                let win = if score == best {
                    WIN_UNITS / winners
                } else {
                    0
                };
                record.set(self.layout.seat_column(seat, WIN), game, win);
                record.set(self.layout.seat_column(seat, SCORE), game, score);
            }
        }
    }
}

fn main() {
    let layout = Layout {
        seats: 2,
        seat_outcomes: OWN,
        seat_metrics: Metric::of_seat(Vec::new()),
        score_max: 30,
        ..Layout::default()
    };
    let table = Dice {
        stops: [20, 12],
        layout,
    };
    let threads = Threads::start(0).expect("one for each processor");
    let tally = play_games(&table, &threads, 1, 1_000_000).expect("no bot fails");
    for seat in 0..2 {
        let wins = tally.seat(&table.layout, WIN_SHARE, seat);
        println!("stops at {}: wins {wins}", table.stops[seat]);
    }
}
