//! A log of chance and decisions: the rules derive everything else of a game from it.

/// The turns of a game, expedition by expedition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// By expedition, in order.
    pub expeditions: Vec<Vec<Turn>>,
    /// By place of joining, the relic, if known; empty where they join as listed.
    pub relics: Vec<Option<u8>>,
}

/// A card, and the explorers who decided to leave when they saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The card, an index into the cards of the rules; `None` at the entrance.
    pub card: Option<usize>,
    /// The seats that left, in ascending order.
    pub leavers: Vec<usize>,
}

/// The options of an explorer; option 1 is to leave.
pub const OPTIONS: [&str; 2] = ["stay", "leave"];
