//! Saving a position of the referee, and resuming from it.

use super::{Hands, Referee};
use crate::game::SCORE;
use crate::games::diamant::rules::Card;
use crate::games::diamant::snapshot::{Snapshot, Standing};
use crate::games::diamant::{deck, outcomes as o};
#[cfg(test)]
use {
    super::GameResult, crate::games::diamant::rules::DiamantRules,
    crate::games::diamant::snapshot::Settled,
};

/// Plays on from a position with its settled decisions. Skips the random number of the last card,
/// unless everyone decides at entrances.
#[cfg(test)]
pub fn play_on(
    rules: &DiamantRules,
    hands: Hands,
    (position, settled): (&Snapshot, &Settled),
) -> GameResult {
    let mut game = Referee::new(rules, hands);
    game.resume(position);
    if !rules.decides_at_entrance() && position.revealed > 0 {
        rand::Rng::next_u32(&mut game.rng);
    }
    if rules.decides_at_entrance() || position.revealed > 0 {
        let wishes = game.decide();
        let mut leavers = game.inside();
        leavers.retain(|seat| settled[*seat].unwrap_or(wishes.contains(seat)));
        game.decided(leavers, &mut ());
    }
    game.expedition(&mut (), &mut ());
    game.play_out(&mut (), &mut ());
    game.result
}

impl Referee<'_> {
    /// The position in the middle of an expedition.
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
            piles: self.piles.clone(),
            claimed: self.used_up as u32,
            relics: (self.relics.iter().zip(self.rules.relic_cards()))
                .map(|(relic, card)| relic.filter(|_| self.shown >> card & 1 == 1))
                .collect(),
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

    /// Restores a position in the middle of an expedition, or before it.
    pub fn resume(&mut self, position: &Snapshot) {
        self.round = position.round;
        self.rng = self.shuffle();
        self.box_set = position.in_game;
        self.deck = position.deck;
        let on_path = position.in_game & !position.deck;
        self.path = self.rules.indices_in(on_path).collect();
        // Relics that were taken out stay in the count of cards.
        let relic = |card: &usize| matches!(self.rules.cards[*card], Card::Relic(_));
        let taken = self.rules.indices_in(!position.in_game).filter(relic);
        let missing = position.revealed as usize - self.path.len();
        self.path.extend(taken.take(missing));
        self.piles.clone_from(&position.piles);
        let shown = (position.relics.iter().zip(self.rules.relic_cards()))
            .filter(|(relic, _)| relic.is_some());
        self.shown = shown.fold(0, |set, (_, card)| set | 1 << card);
        self.relics.clone_from(&position.relics);
        if let Hands::Bots(_, key) = self.hands
            && self.rules.shuffles_relics()
        {
            deck::deal_relics(key, &mut self.relics);
        }
        self.just_left = position.just_left as usize;
        self.used_up = position.claimed as i32;
        for (explorer, standing) in self.result.explorers.iter_mut().zip(&position.explorers) {
            explorer.inside = standing.inside;
            explorer.held = position.held;
            explorer.outcomes[SCORE] = standing.chest;
            explorer.outcomes[o::RELICS] = standing.relics as i32;
        }
    }
}
