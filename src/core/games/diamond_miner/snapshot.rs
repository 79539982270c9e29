//! A game in the middle, as plain data: the referee writes it, and the kernel plays on from it.

use super::cards::{CLASSES, Card, Counts, FRONTS_MAX};
use crate::game::Places;

/// Copies of ore by front.
pub type Fronts = [u8; FRONTS_MAX];

/// A game at a decision. Places count from 0, from the miner who began.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub places: Places,
    /// Everybody's stacks, by place.
    pub tables: Vec<Vec<PlainStack>>,
    /// The bank's copies, by class; none of ore.
    pub bank: [usize; CLASSES],
    /// The ore deck; its order is hidden.
    pub deck: Fronts,
    pub discard: Fronts,
    /// The round, from 1.
    pub round: u32,
    pub place: usize,
    pub made: u32,
    /// Number of the decision in the game, from 0.
    pub decision: u64,
    /// The moves to choose from, besides to end the turn.
    pub moves: Vec<PlainMove>,
    /// The game's own luck to come: what is drawn, and how ties are broken.
    #[cfg(test)]
    pub luck: [rand_xoshiro::Xoshiro128PlusPlus; 2],
}

/// A stack: its top card, and all its cards; stacks are sorted so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlainStack {
    pub top: Card,
    /// Its ore by front, the top card included.
    pub fronts: Fronts,
    /// All its cards by class, the top card included.
    pub classes: Counts,
}

#[derive(Debug, Clone, Copy)]
pub struct PlainMove {
    /// The stack that gives its top card.
    pub source: PlainStack,
    pub owner: usize,
    pub target: PlainStack,
    /// Which transformation of the target's top card is chosen, if one is completed.
    pub option: Option<usize>,
}
