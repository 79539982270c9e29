//! A game in the middle, as everyone at the table knows it: the referee saves it, and the kernel
//! plays on from it. The order of the unseen cards is not part of it.

use super::rules::{Card, DiamantRules, Worth};
use crate::game::moments::Position;
use crate::strategy::SEATS_MAX;

/// A position: before the first card of an expedition, or after a card when everyone inside is
/// about to decide.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The expedition, from 0.
    pub round: u32,
    /// Cards in the game, those on the path included, as a set of card indices.
    pub in_game: u64,
    /// Cards not yet seen in this expedition.
    pub deck: u64,
    /// Cards revealed in this expedition. At 0, the first card comes next, unless the rules have
    /// everyone decide at the entrance; otherwise everyone inside decides.
    pub revealed: u32,
    /// Rubies held by each explorer inside.
    pub held: i32,
    /// Rubies on the path: in total, or by card where each card is divided by itself.
    pub piles: Vec<i32>,
    /// Relics taken out in this game, and lost ones that use up values.
    pub claimed: u32,
    /// See [`Log::relics`](super::log::Log::relics): those that have been revealed.
    pub relics: Vec<Option<u8>>,
    /// Explorers who left at the last decision of this expedition.
    pub just_left: u32,
    pub explorers: Vec<Standing>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    pub inside: bool,
    /// Rubies brought home, relics included.
    pub chest: i32,
    pub relics: u32,
}

impl Snapshot {
    pub fn relic(&self, place: u8) -> usize {
        let relic = self.relics.get(usize::from(place)).copied();
        usize::from(relic.flatten().unwrap_or(place))
    }

    /// On the path: the worth of each relic to a player who leaves alone, and the traps.
    pub fn on_path(&self, rules: &DiamantRules) -> (Vec<i32>, Vec<u8>) {
        let (mut relics, mut traps) = (Vec::new(), Vec::new());
        for card in rules.cards_in(self.in_game & !self.deck) {
            match card {
                Card::Treasure(_) => {}
                Card::Trap(kind) => traps.push(kind),
                Card::Relic(place) => {
                    let relic = match rules.worth {
                        Worth::Printed => self.relic(place),
                        Worth::ClaimOrder | Worth::ExitOrder => {
                            self.claimed as usize + relics.len()
                        }
                    };
                    relics.push(i32::from(rules.relics[relic]));
                }
            }
        }
        (relics, traps)
    }

    /// Whether the next card cannot end the expedition.
    fn is_early(&self, rules: &DiamantRules) -> bool {
        self.revealed + 1 < rules.traps_end_from
    }

    /// The cards of the deck that would end the expedition if they came next, as a set.
    pub fn deadly(&self, rules: &DiamantRules) -> u64 {
        let deadly = rules.deadly(&self.on_path(rules).1) & self.deck;
        if self.is_early(rules) { 0 } else { deadly }
    }

    /// The cards that may come next, as a set.
    pub fn next_cards(&self, rules: &DiamantRules) -> u64 {
        let deadly = rules.deadly(&self.on_path(rules).1);
        let barred = if self.is_early(rules) { deadly } else { 0 };
        self.deck & !barred
    }

    /// Rubies on the path.
    pub fn leftover(&self) -> i32 {
        self.piles.iter().sum()
    }

    pub fn chests(&self) -> Vec<i32> {
        self.explorers.iter().map(|own| own.chest).collect()
    }

    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.explorers.len()).filter(|&seat| self.explorers[seat].inside)
    }
}

/// Settled decisions at the first decision: by seat, whether to leave. Unsettled seats follow their
/// bots.
pub type Settled = [Option<bool>; SEATS_MAX];

/// No decision is settled.
pub const OPEN: Settled = [None; SEATS_MAX];

/// A moment of a game to play on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub position: Snapshot,
    /// Settled decisions of the next decision.
    pub settled: Settled,
    pub seat: Option<usize>,
}

impl Point {
    /// The moment before the decision of `seat`, or before an event.
    pub fn before(position: Snapshot, settled: Settled, seat: Option<usize>) -> Position {
        Position::new(Point {
            position,
            settled,
            seat,
        })
    }
}
