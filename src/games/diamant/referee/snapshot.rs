//! How the referee writes down where a game stands, and goes on from there.

use super::Referee;
use crate::game::SCORE;
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::Card;
use crate::games::diamant::snapshot::{Snapshot, Standing};
#[cfg(test)]
use {
    super::{GameResult, Hands},
    crate::games::diamant::rules::DiamantRules,
    crate::games::diamant::snapshot::Settled,
};

/// Plays on from a position, with what is settled of its decision. The number that would have
/// drawn the last card is passed over.
#[cfg(test)]
pub fn play_on(
    rules: &DiamantRules,
    hands: Hands,
    (position, settled): (&Snapshot, &Settled),
) -> GameResult {
    let mut game = Referee::new(rules, hands);
    game.resume(position);
    if position.revealed > 0 {
        rand::Rng::next_u32(&mut game.rng);
        let wishes = game.decide();
        let mut leavers = game.inside();
        leavers.retain(|seat| settled[*seat].unwrap_or(wishes.contains(seat)));
        game.decided(leavers, &mut ());
    }
    game.expedition(&mut ());
    game.play_out(&mut ());
    game.result
}

impl Referee<'_> {
    /// How the game stands, in the middle of an expedition.
    pub fn position(&self) -> Snapshot {
        let explorers = self.result.explorers.iter();
        Snapshot {
            round: self.round,
            in_game: self.box_set,
            deck: self.deck,
            revealed: self.path.len() as u32,
            held: explorers
                .clone()
                .find(|explorer| explorer.inside)
                .map_or(0, |explorer| explorer.held),
            leftover: self.leftover,
            claimed: self.result.table[o::CLAIMED] as u32,
            just_left: self.just_left as u32,
            explorers: explorers
                .map(|explorer| Standing {
                    inside: explorer.inside,
                    chest: explorer.chest(),
                    relics: explorer.outcomes[o::RELICS] as u32,
                })
                .collect(),
        }
    }

    /// Puts the game into the middle of an expedition, or before it.
    pub fn resume(&mut self, position: &Snapshot) {
        self.round = position.round;
        self.rng = self.shuffle();
        self.box_set = position.in_game;
        self.deck = position.deck;
        let cards = 0..self.rules.cards.len();
        let on_path = position.in_game & !position.deck;
        self.path = cards
            .clone()
            .filter(|card| on_path >> card & 1 == 1)
            .collect();
        // Relics that were taken out stay in the count of cards.
        let relic = |card: &usize| matches!(self.rules.cards[*card], Card::Relic(_));
        let taken = cards.filter(|card| relic(card) && position.in_game >> card & 1 == 0);
        let missing = position.revealed as usize - self.path.len();
        self.path.extend(taken.take(missing));
        self.leftover = position.leftover;
        self.just_left = position.just_left as usize;
        self.result.table[o::CLAIMED] = position.claimed as i32;
        for (explorer, standing) in self.result.explorers.iter_mut().zip(&position.explorers) {
            explorer.inside = standing.inside;
            explorer.held = position.held;
            explorer.outcomes[SCORE] = standing.chest;
            explorer.outcomes[o::RELICS] = standing.relics as i32;
        }
    }
}
