//! Events of a game of Diamant, and the trait that receives them.

use super::Referee;
use crate::games::diamant::rules::Card;

/// Receives the events of a game while it is played.
pub trait Watch {
    fn event(&mut self, event: Event);

    /// Everyone is in the cave, and no card is revealed yet.
    fn entered(&mut self, _game: &Referee) {}

    /// Everyone inside has seen a card and decided: `leavers` are about to leave.
    fn decided(&mut self, _game: &Referee, _leavers: &[usize]) {}
}

impl Watch for () {
    fn event(&mut self, _event: Event) {}
}

/// An event at the table. Seats count from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Everyone enters the cave.
    Expedition {
        /// Number of the expedition, from 1.
        round: u32,
        cards: u32,
        /// Cards that joined for this expedition.
        joined: Vec<Card>,
    },
    /// A treasure was revealed and shared.
    Treasure {
        value: u8,
        /// Explorers who shared it.
        sharers: usize,
        share: i32,
        /// Rubies on the path now.
        leftover: i32,
    },
    /// A trap was revealed, the `number`-th of its kind in this expedition.
    Trap { kind: u8, number: usize },
    /// A trap ended the expedition, the `number`-th of its kind.
    Bust {
        kind: u8,
        number: usize,
        /// Seats inside, with the rubies each lost.
        lost: Vec<(usize, i32)>,
        /// Whether the trap card leaves the game.
        removed: bool,
    },
    /// A relic was revealed.
    Relic { relic: u8 },
    /// No card is left to reveal: everyone inside leaves together.
    DeckEmpty,
    /// Explorers left the cave together.
    Left {
        /// Seats, with the rubies each held.
        leavers: Vec<(usize, i32)>,
        /// Rubies from the path for each.
        share: i32,
        /// Rubies that stay on the path.
        leftover: i32,
        /// Relics taken.
        relics: u32,
        /// What they are worth.
        worth: i32,
        /// Rubies from the bank for each.
        bonus: i32,
    },
    /// The expedition is over.
    ExpeditionEnded {
        /// Rubies that lay on the path.
        left_behind: i32,
        /// Relics that lay on the path.
        relics: u32,
        chests: Vec<i32>,
    },
}
