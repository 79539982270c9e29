//! A field of bots that all meet each other: who earns most, and what would last.
//!
//! Line-ups are played in rounds. A bot that clearly earns less than another is out; a line-up in
//! which all bots are out gets no more games. Knows no files, charts or terminals.

mod line_ups;
mod meta_game;
mod payoffs;

pub use line_ups::{Entry, LineUps};
pub use meta_game::{MetaGame, Standing, against, beside};
pub use payoffs::Payoffs;

use crate::game::{Table, WIN};
use crate::simulation::race::PlayRound;
use crate::simulation::{Ending, Goal, Going, Part, Product, Round, parts};
use crate::statistics::best_set_z;
use std::sync::Arc;

/// Entries that are played together.
const BATCH: usize = 64;

/// What is to be played.
pub struct Field<'a> {
    /// Who meets whom.
    pub line_ups: &'a LineUps,
    /// The entries at their tables.
    pub tables: &'a [&'a dyn Table],
    /// How many games for each line-up.
    pub goal: Goal,
    /// Fewest games that are played at a time.
    pub part: u64,
}

/// All line-ups after their last game.
pub struct PlayedField {
    /// What the bots earned.
    pub payoffs: Payoffs,
    /// Whether a bot may be the best; with 95 % probability the true best is among them.
    pub in_best_set: Vec<bool>,
}

/// Plays a field; `None` when `play` was told to stop.
pub fn play<E>(field: &Field, play: &mut PlayRound<'_, E>) -> Result<Option<PlayedField>, E> {
    let bots = field.line_ups.bots;
    let entries = &field.line_ups.entries;
    let mut in_best_set = vec![true; bots];
    let mut payoffs = Payoffs::new(field.line_ups, field.tables);
    let looks = field.goal.looks();
    let z = best_set_z(bots, looks.len());
    let mut first: u64 = 0;
    for end in looks {
        let remains = |entry: &usize| entries[*entry].seats.iter().any(|&bot| in_best_set[bot]);
        let remaining: Vec<usize> = (0..entries.len()).filter(remains).collect();
        let mut round = Round {
            parts: Vec::new(),
            going: Going {
                on: remaining.len(),
                of: entries.len(),
                called: "line-ups",
            },
            last: end == field.goal.most(),
            later: 0,
            known: String::new(),
        };
        let mut batch_of = Vec::new();
        for batch in remaining.chunks(BATCH) {
            let tables: Vec<&dyn Table> = batch.iter().map(|&entry| field.tables[entry]).collect();
            let products = products(&tables);
            for (from, games) in parts(first, end, field.part) {
                let first = |&entry: &usize| Entry::first_game(entry) + from;
                let last = batch[batch.len() - 1];
                round.parts.push(Part {
                    name: format!("entries {}-{last} games {from}", batch[0]),
                    tables: tables.clone(),
                    first: batch.iter().map(first).collect(),
                    games,
                    products: products.clone(),
                });
                batch_of.push(batch);
            }
        }
        let ending = play(&round, &mut |part, sums| payoffs.add(batch_of[part], &sums))?;
        if ending == Ending::Stopped {
            return Ok(None);
        }
        first = end;
        let ratings: Vec<_> = (0..bots).map(|bot| payoffs.rating(bot)).collect();
        let best = payoffs.leader(&in_best_set);
        for bot in (0..bots).filter(|&bot| bot != best) {
            let behind = payoffs.rating_difference(best, bot);
            in_best_set[bot] &= !behind.se.is_finite() || behind.value <= z * behind.se;
        }
        let known = (0..bots)
            .filter(|&bot| in_best_set[bot])
            .map(|bot| ratings[bot])
            .collect::<Vec<_>>();
        if field.goal.reached(end, &known) {
            break;
        }
    }
    Ok(Some(PlayedField {
        payoffs,
        in_best_set,
    }))
}

/// What the seats of each table win, multiplied pair by pair, so that it is known how their fortunes
/// hang together.
fn products(tables: &[&dyn Table]) -> Arc<[Product]> {
    let mut products = Vec::new();
    for (table, layout) in tables.iter().map(|table| table.layout()).enumerate() {
        let win = |seat: usize| (table, layout.seat_column(seat, WIN));
        for b in 0..layout.seats {
            products.extend((0..b).map(|a| Product {
                a: win(a),
                b: win(b),
            }));
        }
    }
    products.into()
}
