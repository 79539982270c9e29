//! A field of bots that all meet each other: ratings, and the equilibrium of the meta-game.
//!
//! Line-ups are played in rounds, on one side or the same games on several. A bot that earns
//! significantly less than another is out; a line-up in which all bots are out on all sides gets no
//! more games. Knows no files, charts or terminals.

mod line_ups;
mod meta_game;
mod payoffs;

pub use line_ups::{Entry, LineUps};
pub use meta_game::{BotStanding, MetaGame, against, beside};
pub use payoffs::Payoffs;

use crate::game::Play;
use crate::simulation::{Games, Goal, Going, Part, Player, Round, RoundInfo, Stopped};
use crate::statistics::best_set_z;
use payoffs::products;

const BATCH: usize = 64;

pub struct Field<'a> {
    pub line_ups: &'a LineUps,
    /// For each entry its tables, one per side: all sides play the same games.
    pub tables: &'a [&'a dyn Play],
    pub goal: Goal,
    pub games: Games,
    /// Fewest games between looks.
    pub part: u64,
}

/// All line-ups after their last game, as seen from one side.
pub struct PlayedField {
    pub payoffs: Payoffs,
    /// Whether a bot may be the best; with 95 % probability the true best is among them.
    pub in_best_set: Vec<bool>,
}

/// Plays a field; returns the results of each side.
pub fn play(field: &Field, player: &mut Player) -> Result<Vec<PlayedField>, Stopped> {
    let bots = field.line_ups.bots;
    let entries = &field.line_ups.entries;
    let sides = field.tables.len() / entries.len();
    let mut in_best_set = vec![vec![true; bots]; sides];
    let mut payoffs = Payoffs::new(field.line_ups, sides, field.tables[0].layout());
    let looks = field.goal.looks();
    let most = field.goal.most().saturating_mul(field.tables.len() as u64);
    player.listener.planned(most);
    let z = best_set_z(bots, looks.len());
    let mut first: u64 = 0;
    for end in looks {
        let remains = |entry: &usize| {
            let mut bots = entries[*entry].seats.iter();
            bots.any(|&bot| in_best_set.iter().any(|still_in| still_in[bot]))
        };
        let remaining: Vec<usize> = (0..entries.len()).filter(remains).collect();
        let mut round = Round {
            games: field.games,
            parts: Vec::new(),
            least: field.part,
            going: Going {
                on: remaining.len(),
                of: entries.len(),
                called: "line-ups",
            },
            info: RoundInfo::default(),
        };
        let batches: Vec<&[usize]> = remaining.chunks(BATCH).collect();
        for batch in &batches {
            let of_entry = |&entry: &usize| &field.tables[entry * sides..(entry + 1) * sides];
            let tables: Vec<&dyn Play> = batch.iter().flat_map(of_entry).copied().collect();
            let of_entry = |&entry: &usize| vec![Entry::first_game(entry) + first; sides];
            let last = batch[batch.len() - 1];
            round.parts.push(Part {
                name: format!("entries {}-{last} games {first}", batch[0]),
                products: products(&tables, sides).into(),
                tables,
                first: batch.iter().flat_map(of_entry).collect(),
                games: end - first,
            });
        }
        player.round(&round, &mut |part, sums| payoffs.add(batches[part], &sums))?;
        first = end;
        let mut known = Vec::new();
        for (side, in_best_set) in in_best_set.iter_mut().enumerate() {
            let payoffs = payoffs.on(side);
            let best = payoffs.leader(in_best_set);
            for bot in (0..bots).filter(|&bot| bot != best) {
                let behind = payoffs.rating_difference(best, bot);
                in_best_set[bot] &= !behind.se.is_finite() || behind.value <= z * behind.se;
            }
            let kept = (0..bots).filter(|&bot| in_best_set[bot]);
            known.extend(kept.map(|bot| payoffs.rating(bot)));
        }
        if field.goal.reached(end, &known) {
            break;
        }
    }
    let side = |(side, in_best_set)| PlayedField {
        payoffs: payoffs.on(side),
        in_best_set,
    };
    let sides = in_best_set.into_iter().enumerate().map(side);
    Ok(sides.collect())
}
