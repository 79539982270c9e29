//! The arrangement of cards before the first turn: the only luck of the game besides the bots' own.
//!
//! Referee and kernel read the same arrangement. Source: rulebook, "Set up".

use super::rules::{CARDS_MAX, DiamondCaveRules};
use crate::streams::{self, below};

#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    /// Card numbers: those of the board cell by cell, row after row, then the deck from its top,
    /// then the planned tunnels.
    pub cards: [u8; CARDS_MAX],
    /// Cells with a diamond on their card, one bit each.
    pub diamonds: u128,
    /// The place of the start player.
    pub starter: u8,
}

impl Arrangement {
    /// The arrangement of the game with this key.
    ///
    /// The cards with diamonds are drawn anew for every game, so dealing the fronts and then the
    /// diamonds over the board is the same as taking deck and planned tunnels from the cards
    /// without one.
    #[inline]
    pub fn deal(rules: &DiamondCaveRules, key: u64, players: usize) -> Self {
        let mut rng = streams::phase_rng(key, 0);
        let mut cards = [0; CARDS_MAX];
        for (number, card) in (0..).zip(&mut cards[..rules.cards.len()]) {
            *card = number;
        }
        for dealt in 0..rules.cards.len() - 1 {
            let left = rules.cards.len() - dealt;
            cards.swap(dealt, dealt + below(&mut rng, left));
        }
        let mut diamonds = 0u128;
        let mut laid = 0;
        while laid < rules.diamonds {
            let cell = 1 << below(&mut rng, rules.cells());
            laid += usize::from(diamonds & cell == 0);
            diamonds |= cell;
        }
        Arrangement {
            cards,
            diamonds,
            starter: below(&mut rng, players) as u8,
        }
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_cave/setup.rs"]
mod tests;
