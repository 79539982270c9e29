//! The choices of a player, and the pick of the best one.
//!
//! Referee and kernel list the legal choices in the same order and share the pick; neither the
//! board nor the worth of a choice is known here.

use crate::streams;

/// North, east, south and west as 0 to 3; turning right adds 1.
pub type Direction = u8;

/// The directions, in the order in which choices are listed.
pub const DIRECTIONS: [Direction; 4] = [0, 1, 2, 3];

#[inline(always)]
pub const fn left_of(direction: Direction) -> Direction {
    (direction + 3) & 3
}

#[inline(always)]
pub const fn right_of(direction: Direction) -> Direction {
    (direction + 1) & 3
}

#[inline(always)]
pub const fn back_of(direction: Direction) -> Direction {
    (direction + 2) & 3
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// At the start of the game: turn up the card of this cell and begin there.
    Start {
        cell: u8,
    },
    /// Lay a planned card in front, in such a way that the pawn then points along `exit`.
    Plan {
        /// Which of the planned cards, from 0.
        slot: u8,
        exit: Direction,
    },
    /// Declare an edge of the card in front, then turn the card up.
    Dig {
        colour: Direction,
    },
    /// Point the pawn along this way out of the card that was turned up.
    Exit {
        exit: Direction,
    },
    /// Turn the only card of a blocked tunnel so that the pawn points there.
    Turn {
        exit: Direction,
    },
    Stop,
    /// Begin another turn at once.
    GoOn,
}

impl Choice {
    /// Number of its kind, in the order of the features that say so, from `start` on.
    #[inline(always)]
    pub const fn kind(self) -> usize {
        match self {
            Choice::Start { .. } => 0,
            Choice::Plan { .. } => 1,
            Choice::Dig { .. } => 2,
            Choice::Exit { .. } => 3,
            Choice::Turn { .. } => 4,
            Choice::GoOn => 5,
            Choice::Stop => 6,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    pub key: u64,
    /// Number of the decision in this game, from 0.
    pub decision: u64,
    pub place: usize,
    /// Seat of the bot at that place.
    pub seat: usize,
    /// Cards dug up in this turn.
    pub turn_digs: i32,
    /// Turns begun, this one included.
    pub turns: i32,
}

/// Most choices that a player can be asked to pick from: the cells of the largest board.
pub const CHOICES_MAX: usize = super::rules::CELLS_MAX;

/// Uniform numbers set aside for one decision.
const PER_DECISION: u64 = 128;

/// The uniform number that all choices of decision `decision` (from 0 in a game) share.
#[inline(always)]
pub fn random(key: u64, decision: u64) -> f32 {
    streams::uniform(key, decision * PER_DECISION)
}

/// The uniform number of choice `row` of decision `decision`.
#[inline(always)]
pub fn noise(key: u64, decision: u64, row: usize) -> f32 {
    streams::uniform(key, decision * PER_DECISION + 1 + row as u64)
}

/// The choice with the highest score; among equals a uniformly random one. NaN counts as the lowest
/// score.
pub fn pick(scores: &[f32], key: u64, decision: u64) -> usize {
    let numbers = || scores.iter().map(|score| score.max(f32::NEG_INFINITY));
    let best = numbers().fold(f32::NEG_INFINITY, f32::max);
    let equals = numbers().enumerate().fold(0, |equals, (row, number)| {
        equals | u128::from(number == best) << row
    });
    pick_equal(equals, key, decision)
}

/// One of the choices with set bits (at least one), picked uniformly.
#[inline(always)]
pub fn pick_equal(mut equals: u128, key: u64, decision: u64) -> usize {
    let count = u64::from(equals.count_ones());
    if count > 1 {
        let last = PER_DECISION - 1;
        let number = streams::output(key, streams::UNIFORM_BASE + decision * PER_DECISION + last);
        for _ in 0..((number >> 32) * count) >> 32 {
            equals &= equals - 1;
        }
    }
    equals.trailing_zeros() as usize
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_cave/moves.rs"]
mod tests;
