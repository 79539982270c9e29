//! What chance and the explorers did in a game: from it the rules tell everything else.

/// The turns of a game, expedition by expedition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// By expedition, in order.
    pub expeditions: Vec<Vec<Turn>>,
    /// By the place in which relics join, which relic it is, as far as known; empty where they
    /// join as listed.
    pub relics: Vec<Option<u8>>,
}

/// A card, and who decided to leave when they saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The card, an index into the cards of the rules; none at the entrance.
    pub card: Option<usize>,
    /// The seats that left, in ascending order.
    pub leavers: Vec<usize>,
}
