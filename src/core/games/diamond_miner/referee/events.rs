//! Events of a game of Diamond Miner, and the trait that receives them.

use super::stack::{Move, Stack};
use super::{Position, View};
use crate::game::moments::Standing;
use crate::games::diamond_miner::cards::{CLASSES, Card};

pub trait Watch {
    /// `event` happened; `table` is the table after it.
    fn event(&mut self, _event: &Event, _table: &Position) {}

    /// The player is about to make a choice: 0 ends the turn, and the moves follow.
    fn decided(&mut self, _view: &View, _chosen: usize, _stands: &Standing) {}
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Turn {
        /// The round, from 1.
        round: u32,
        seat: usize,
    },
    /// Cards taken at the start of the turn.
    Took {
        cards: Vec<Card>,
        /// The stacks that produced some of them.
        producers: Vec<Stack>,
        /// Copies by class that were due but not available.
        skipped: [usize; CLASSES],
    },
    Moved {
        chosen: Move,
        /// Pairs of shield and sword that left the stack.
        pairs: usize,
        /// The new stack, unless it was transformed or lost its top card.
        stack: Option<Stack>,
        /// The cards taken, if it was transformed.
        taken: Vec<Card>,
        skipped: [usize; CLASSES],
    },
    Ended {
        /// Whether the cap on moves ended the turn.
        cut: bool,
    },
}
