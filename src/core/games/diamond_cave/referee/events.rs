//! Events of a game of Diamond Cave, and the trait that receives them.

use super::position::{Position, Tail};
use crate::game::moments::Standing;
use crate::games::diamond_cave::moves::{Asked, Choice, Direction};

/// A player is asked to choose.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    pub position: &'a Position<'a>,
    pub asked: Asked,
    pub choices: &'a [Choice],
}

/// Receives the events of a game while it is played. Places count from 0.
pub trait Watch {
    /// `event` happened to the player at `place`; `position` is the position after it.
    fn event(&mut self, _place: usize, _event: Event, _position: &Position) {}

    /// The player is about to make the choice of this index.
    fn decided(&mut self, _decision: &Decision, _chosen: usize, _stands: &Standing) {}
}

impl Watch for () {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A player turned up the card on which to begin.
    Started {
        cell: usize,
    },
    Turn,
    /// A longer tunnel was blocked and turned down but for its head; the turn is over.
    Collapsed {
        cards: usize,
        /// Diamonds that show again.
        diamonds: usize,
    },
    /// A lone card has no open neighbour; the turn is over.
    Stuck,
    /// A lone blocked card was turned.
    Turned,
    /// A planned card was laid and connected; the turn is over.
    Planned {
        slot: usize,
        tail: Tail,
    },
    /// A card was turned up.
    Dug {
        /// The edge that was declared.
        colour: Direction,
        cell: usize,
    },
    /// The card that was turned up was connected.
    Connected {
        tail: Tail,
    },
    Stopped {
        /// Whether nothing else was allowed.
        forced: bool,
    },
    GoesOn,
    Ended,
    Capped,
}
