//! The rulebook in its plainest form: one game of Diamond Miner, turn by turn.
//!
//! The kernel must play the same game; where the two differ, this one is right until the rulebook
//! says otherwise. It reports what happens as [`Event`]s, from which `carat replay` writes its
//! transcript.

use super::rules::MinerRules;
use crate::game::moments::{self, Guide, Standing};
use crate::game::{Sitting, WIN_UNITS};
use crate::streams::{self, below};

mod events;
mod features;
mod position;
mod recording;
mod snapshot;
mod stack;
#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_miner/referee/tests.rs"]
mod tests;

pub use events::{Event, Watch};
use features::Found;
pub use features::View;
pub use position::Position;
pub use recording::Counter;
pub use stack::{Move, Stack, staying};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// By place, as the following.
    pub diamonds: Vec<u32>,
    /// The shares of the win, in [`WIN_UNITS`].
    pub wins: Vec<i32>,
    /// Whether the cap on rounds ended it.
    pub capped: bool,
    pub rounds: u32,
}

/// Plays a game; the bot at the first place begins. `guide` may change decisions.
pub fn play(
    rules: &MinerRules,
    sitting: &Sitting,
    guide: &mut dyn Guide,
    watch: &mut dyn Watch,
) -> Ending {
    let (seats, key) = (sitting.formulas.len(), sitting.key);
    let mut table = Position::new(rules, seats);
    let mut luck = streams::phase_rng(key, 0);
    let mut ties = streams::phase_rng(key, 1);
    let mut decision = 0;
    let mut rounds = 0;
    let mut won = false;
    'game: for round in 1..=rules.rounds {
        rounds = round;
        for seat in 0..seats {
            watch.event(&Event::Turn { round, seat }, &table);
            let took = table.take(seat, &mut luck);
            watch.event(&took, &table);
            let mut made = 0;
            while !table.has_won(seat) && made < rules.moves {
                let moves = table.legal_moves(seat);
                if moves.is_empty() {
                    break;
                }
                let view = View {
                    table: &table,
                    moves: &moves,
                    seat,
                    bot: sitting.places.bot_at(seat),
                    key,
                    decision,
                    round,
                    made,
                    found: Found::nothing(),
                };
                decision += 1;
                let own = view.choose(&sitting.formulas[seat], &mut ties);
                let snapshot = || view.snapshot(sitting.places, [&luck, &ties]);
                let stands = Standing {
                    position: &|| moments::Position::new(snapshot()),
                    features: &|option| view.features(option),
                };
                let chosen = guide.decide(view.bot, moves.len() + 1, own, &stands);
                watch.decided(&view, chosen, &stands);
                let Some(chosen) = chosen.checked_sub(1).map(|chosen| &moves[chosen]) else {
                    break;
                };
                made += 1;
                let moved = table.make(seat, chosen, &mut |n| below(&mut luck, n));
                watch.event(&moved, &table);
            }
            let ended = Event::Ended {
                cut: made == rules.moves && !table.has_won(seat),
            };
            watch.event(&ended, &table);
            if table.has_won(seat) {
                won = true;
                break 'game;
            }
        }
    }
    let diamonds: Vec<u32> = (0..seats).map(|seat| table.diamonds(seat)).collect();
    let best = diamonds.iter().max();
    let winners = diamonds.iter().filter(|own| Some(*own) == best).count() as i32;
    let win = |own| i32::from(Some(own) == best) * WIN_UNITS / winners;
    Ending {
        wins: diamonds.iter().map(win).collect(),
        diamonds,
        capped: !won,
        rounds,
    }
}
