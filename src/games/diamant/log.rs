//! What chance and the explorers did in a game: from it the rules tell everything else.

/// The turns of a game, expedition by expedition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// By expedition, in order.
    pub expeditions: Vec<Vec<Turn>>,
}

/// A card, and who decided to leave when they saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The card, an index into the cards of the rules.
    pub card: usize,
    /// The seats that left, in ascending order.
    pub leavers: Vec<usize>,
}
