//! A game in the middle, as plain data: the referee saves it, and the kernel plays on from it.

use super::moves::{Choice, Direction};
use crate::game::Places;

/// A game at a decision. Places count from 0.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub places: Places,
    /// The board, row after row: a card's number, and whether it has a diamond; `None` at a gap.
    pub tiles: Vec<Option<(u8, bool)>>,
    /// The cards of the deck, its top first.
    pub deck: Vec<u8>,
    pub planned: Vec<u8>,
    /// Cards that have been face up, one bit each.
    pub seen: u128,
    pub players: Vec<Stand>,
    /// The cell of the card that was turned up and is not connected yet, and whether it earned the
    /// bonus.
    pub upturned: Option<(u8, bool)>,
    /// Remaining turns of all players together.
    pub turns_left: u32,
    pub place: usize,
    /// Cards that the deciding player dug up in this turn.
    pub turn_digs: i32,
    /// Number of the decision in the game, from 0.
    pub decision: u64,
    pub choices: Vec<Choice>,
}

#[derive(Debug, Clone)]
pub struct Stand {
    /// The cells of the tunnel, tail first; empty before the player has begun.
    pub tunnel: Vec<u8>,
    pub exit: Direction,
    pub gained: i32,
    pub turns: i32,
}
