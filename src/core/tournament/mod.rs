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

use crate::simulation::{Design, Going, Part, Player, Round, RoundInfo, Stopped};
use crate::statistics::{best_set_z, z_over};
use payoffs::products;

const BATCH: usize = 64;

/// All line-ups after their last game, as seen from one side.
pub struct PlayedField {
    pub payoffs: Payoffs,
    /// Whether a bot may be the best; with 95 % probability the true best is among them.
    pub in_best_set: Vec<bool>,
}

/// Plays line-ups, each a group of the design with an arm for each side; returns the results of
/// each side.
pub fn play(
    line_ups: &LineUps,
    design: &Design,
    player: &mut Player,
) -> Result<Vec<PlayedField>, Stopped> {
    let (bots, entries, all) = (line_ups.bots, &line_ups.entries, design.tables());
    let sides = all.len() / entries.len();
    let mut in_best_set = vec![vec![true; bots]; sides];
    let mut payoffs = Payoffs::new(line_ups, sides, all[0].layout());
    let looks = design.goal.looks();
    let most = design.goal.most().saturating_mul(all.len() as u64);
    player.listener.planned(most);
    let z = z_over(best_set_z(bots, looks.len()), all[0].layout().populations);
    let mut first: u64 = 0;
    for end in looks {
        let remains = |entry: &usize| {
            let mut bots = entries[*entry].seats.iter();
            bots.any(|&bot| in_best_set.iter().any(|still_in| still_in[bot]))
        };
        let remaining: Vec<usize> = (0..entries.len()).filter(remains).collect();
        let mut round = Round {
            games: design.games,
            parts: Vec::new(),
            least: design.games.chunk,
            going: Going {
                on: remaining.len(),
                of: entries.len(),
                called: "line-ups",
            },
            info: RoundInfo::default(),
        };
        let batches: Vec<&[usize]> = remaining.chunks(BATCH).collect();
        for batch in &batches {
            let (mut tables, mut firsts) = (Vec::new(), Vec::new());
            for &entry in *batch {
                tables.extend(&all[entry * sides..][..sides]);
                firsts.extend(vec![Entry::first_game(entry) + first; sides]);
            }
            round.parts.push(Part {
                name: format!(
                    "entries {}-{} games {first}",
                    batch[0],
                    batch[batch.len() - 1]
                ),
                products: products(&tables, sides).into(),
                tables,
                first: firsts,
                games: end - first,
                seed: design.games.seed,
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
        if design.goal.reached(end, &known) {
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
