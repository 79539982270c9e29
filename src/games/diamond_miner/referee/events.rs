//! What happens in a game of Diamond Miner: from these events `carat replay` writes its transcript.

use super::stack::{Move, Stack};
use crate::games::diamond_miner::cards::{CLASSES, Card};

/// Something that happened at the table. Seats count from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A turn begins, with the cards on the miner's table.
    Turn {
        /// The round, from 1.
        round: u32,
        /// Whose turn it is.
        seat: usize,
    },
    /// Cards taken at the start of the turn.
    Took {
        /// The cards.
        cards: Vec<Card>,
        /// The stacks that produced some of them.
        producers: Vec<Stack>,
        /// Copies by class that were due but had run out.
        skipped: [usize; CLASSES],
    },
    /// A card was moved.
    Moved {
        /// What was done.
        chosen: Move,
        /// Cards that were under the moved one and are discarded.
        discarded: Vec<Card>,
        /// Pairs of shield and sword that left the stack.
        pairs: usize,
        /// What the stack looks like now, unless it was transformed or lost its top card.
        stack: Option<Stack>,
        /// The cards that were taken, if it was transformed.
        taken: Vec<Card>,
        /// Copies by class that were due but had run out.
        skipped: [usize; CLASSES],
    },
    /// The turn is over, with what the miner now has.
    Ended {
        /// The miner's table.
        table: Vec<Stack>,
        /// Whether the cap on moves ended the turn.
        cut: bool,
    },
}
