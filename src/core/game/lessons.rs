//! What learning seats record: their decisions, and all scores after each phase of a game.

use super::{Layout, Record, SeatingError};
use crate::formula::Formula;
use crate::strategy::{Axis, Grid, Seat};
use fearless_simd::Level;

pub trait School {
    /// The default axes of a policy; `wins` if the objective is the win rate. A learner that is
    /// `alone` among bots gets finer axes: bots leave at sharp bounds.
    fn grid(&self, players: usize, wins: bool, alone: bool) -> Grid;

    /// Further axes that a policy may have.
    fn finer(&self, players: usize, wins: bool) -> Vec<Axis>;

    /// Seats `learners` learners, followed by bots; `cell` is a formula for the number of the cell
    /// that a learner is in.
    fn lesson(
        &self,
        cell: &Formula,
        learners: usize,
        others: &[Seat],
    ) -> Result<Box<dyn Lesson>, SeatingError>;
}

/// A table at which the first seats learn. They share one policy over cells; the others are bots.
pub trait Lesson: Send + Sync {
    fn layout(&self) -> &Layout;

    /// Phases per game; scores are recorded after each.
    fn phases(&self) -> usize;

    /// Plays games `first .. first + record.games()` of `seed` into `record`. In a cell, a learner
    /// says yes with probability `policy[cell] / 255`. Replaces earlier lessons with those of this
    /// chunk.
    fn play(
        &self,
        level: Level,
        games: (u64, u64),
        policy: &[u8],
        lessons: &mut Lessons,
        record: &mut Record,
    );
}

/// The lessons of a chunk; the buffer is reused.
#[derive(Debug, Clone, Default)]
pub struct Lessons {
    /// Decisions followed only by play of the policy.
    pub decisions: Vec<Decision>,
    /// The scores of all seats after each phase of each game.
    pub scores: Vec<i32>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decision(u64);

impl Decision {
    #[inline(always)]
    pub fn at(game: u32, phase: u8) -> Decision {
        Decision(u64::from(game) << 32 | u64::from(phase) << 27)
    }

    /// The number of the cell has at most 23 bits.
    #[inline(always)]
    pub fn answer(self, seat: usize, cell: u32, yes: bool) -> Decision {
        Decision(self.0 | (seat as u64) << 24 | u64::from(cell) << 1 | u64::from(yes))
    }

    /// Twice the number of the cell, plus 1 for a yes.
    #[inline(always)]
    pub fn action(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }

    #[inline(always)]
    pub fn seat(self) -> usize {
        (self.0 >> 24 & 7) as usize
    }

    #[inline(always)]
    pub fn phase(self) -> usize {
        (self.0 >> 27 & 31) as usize
    }

    /// The game, from 0 within the chunk.
    #[inline(always)]
    pub fn game(self) -> usize {
        (self.0 >> 32) as usize
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/game/lessons.rs"]
mod tests;
