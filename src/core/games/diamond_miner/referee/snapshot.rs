//! Saving a position of the referee.

use super::View;
use super::stack::{Stack, fronts};
use crate::game::Places;
use crate::games::diamond_miner::recipes::Effect;
use crate::games::diamond_miner::snapshot::{PlainMove, Snapshot};
use rand_xoshiro::Xoshiro128PlusPlus;

impl View<'_> {
    /// The game at this decision; `luck` holds the generators of draws and ties.
    #[cfg_attr(not(test), expect(unused_variables))]
    pub fn snapshot(&self, places: Places, luck: [&Xoshiro128PlusPlus; 2]) -> Snapshot {
        let table = self.table;
        let moves = self.moves.iter().map(|chosen| {
            let transforms = table.rules.of(chosen.target.top, Effect::Transform);
            let number = |gives| transforms.iter().position(|rule| rule == gives);
            PlainMove {
                source: chosen.source.plain(),
                owner: chosen.owner,
                target: chosen.target.plain(),
                option: chosen.gives.as_ref().and_then(number),
            }
        });
        let tables = table.tables.iter();
        Snapshot {
            places,
            tables: tables
                .map(|stacks| stacks.iter().map(Stack::plain).collect())
                .collect(),
            bank: table.bank,
            deck: fronts(table.deck.iter().copied()),
            discard: fronts(table.discard.iter().copied()),
            round: self.round,
            place: self.seat,
            made: self.made,
            decision: self.decision,
            moves: moves.collect(),
            #[cfg(test)]
            luck: luck.map(Clone::clone),
        }
    }
}
