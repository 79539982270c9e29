//! Saving a position of the referee.

use super::View;
use super::stack::{Move, Stack};
use crate::game::Places;
use crate::games::diamond_miner::cards::Card;
use crate::games::diamond_miner::snapshot::{Fronts, PlainMove, PlainStack, Snapshot};
use rand_xoshiro::Xoshiro128PlusPlus;

impl View<'_> {
    /// The game at this decision; `luck` holds the generators of draws and ties.
    #[cfg_attr(not(test), expect(unused_variables))]
    pub fn snapshot(
        &self,
        places: Places,
        moves: &[Move],
        luck: [&Xoshiro128PlusPlus; 2],
    ) -> Snapshot {
        let table = self.table;
        let moves = moves.iter().map(|chosen| {
            let face = &table.rules.faces[usize::from(chosen.target.top.0)];
            let number = |gives| face.transforms.iter().position(|rule| rule == gives);
            PlainMove {
                source: plain(&chosen.source),
                owner: chosen.owner,
                target: plain(&chosen.target),
                option: chosen.gives.as_ref().and_then(number),
            }
        });
        let tables = table.tables.iter();
        Snapshot {
            places,
            tables: tables
                .map(|stacks| stacks.iter().map(plain).collect())
                .collect(),
            bank: table.bank,
            deck: fronts(&table.deck),
            discard: fronts(&table.discard),
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

fn plain(stack: &Stack) -> PlainStack {
    let (top, fronts, classes) = stack.rank();
    PlainStack {
        top,
        fronts,
        classes,
    }
}

fn fronts(cards: &[Card]) -> Fronts {
    let mut fronts = Fronts::default();
    cards
        .iter()
        .for_each(|card| fronts[usize::from(card.0)] += 1);
    fronts
}
