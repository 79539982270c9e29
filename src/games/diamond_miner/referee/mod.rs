//! The rulebook in its plainest form: one game of Diamond Miner, turn by turn.
//!
//! The kernel must play the same game; where the two differ, this one is right until the rulebook
//! says otherwise. It reports what happens as [`Event`]s, from which `carat replay` writes its
//! transcript.

use super::recording::Book;
use super::rules::MinerRules;
use crate::formula::Formula;
use crate::game::story::Asked;
use crate::streams::{self, below};
use rand_xoshiro::Xoshiro128PlusPlus;

mod events;
mod features;
mod position;
mod snapshot;
mod stack;
#[cfg(test)]
mod tests;

pub use events::Event;
pub use position::Position;
pub use stack::{Move, Stack, staying};

pub use features::View;

/// How a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Everybody's diamonds.
    pub diamonds: Vec<u32>,
    /// Whether the cap on rounds ended it.
    pub capped: bool,
    /// Rounds begun.
    pub rounds: u32,
}

/// Hears of each decision: what is seen, the moves besides ending the turn, the number of the choice
/// (0 to end the turn), and the game's luck to come: what is drawn, and how ties are broken.
pub type Decided<'d> = &'d mut dyn FnMut(&View, &[Move], usize, [&Xoshiro128PlusPlus; 2]);

/// Plays the game with this key: `formulas` are the bots' bound formulas, by place, and the first
/// begins. `observe` sees every event and the table after it; `asked` hears of each decision, and
/// then `decided`.
pub fn play(
    rules: &MinerRules,
    formulas: &[Formula],
    key: u64,
    book: &mut Book,
    observe: &mut dyn FnMut(&Event, &Position),
    asked: Asked,
    decided: Decided,
) -> Ending {
    let seats = formulas.len();
    let mut table = Position::new(rules, seats);
    let mut luck = streams::phase_rng(key, 0);
    let mut ties = streams::phase_rng(key, 1);
    let mut decision = 0;
    let mut rounds = 0;
    let mut won = false;
    'game: for round in 1..=rules.rounds {
        rounds = round;
        for seat in 0..seats {
            book.turn(seat, round, table.production(seat));
            observe(&Event::Turn { round, seat }, &table);
            let took = table.take(seat, round, &mut luck, book);
            observe(&took, &table);
            let mut made = 0;
            while !table.has_won(seat) && made < rules.moves {
                let moves = table.legal_moves(seat);
                if moves.is_empty() {
                    break;
                }
                let view = View {
                    table: &table,
                    seat,
                    key,
                    decision,
                    round,
                    made,
                };
                decision += 1;
                let chosen = view.choose(&formulas[seat], &moves, &mut ties, asked);
                decided(&view, &moves, chosen, [&luck, &ties]);
                let Some(chosen) = chosen.checked_sub(1).map(|chosen| &moves[chosen]) else {
                    break;
                };
                made += 1;
                let moved = table.make(
                    seat,
                    round,
                    chosen,
                    &mut |n| below(&mut luck, n),
                    Some(book),
                );
                observe(&moved, &table);
            }
            let cut = made == rules.moves && !table.has_won(seat);
            if cut {
                book.cut();
            }
            book.turn_ends(seat, round, table.production(seat), &table.holdings(seat));
            let ended = Event::Ended {
                table: table.tables[seat].clone(),
                cut,
            };
            observe(&ended, &table);
            if table.has_won(seat) {
                won = true;
                break 'game;
            }
        }
    }
    let diamonds: Vec<u32> = (0..seats).map(|seat| table.diamonds(seat)).collect();
    book.close(&diamonds, !won);
    Ending {
        diamonds,
        capped: !won,
        rounds,
    }
}
