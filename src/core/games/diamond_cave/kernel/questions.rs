//! The questions to a bot, and the features that are constant in each.
//!
//! A bot has one formula, but a program for each question: constant features are folded when the
//! table is prepared, so that nothing is computed, or looked up on the board, for branches of the
//! formula about other questions.

use crate::formula::Formula;
use crate::formula::program::{Program, ProgramTooLarge};
use crate::games::diamond_cave::features as f;

/// Choices that are scored together, by one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Start,
    /// Which planned card to lay, or which edge to declare.
    Act,
    /// Which way out of a card that was turned up.
    Exit,
    /// How to turn a lone card.
    Turn,
    Stop,
    GoOn,
}

pub const QUESTIONS: [Question; 6] = [
    Question::Start,
    Question::Act,
    Question::Exit,
    Question::Turn,
    Question::Stop,
    Question::GoOn,
];

/// The question that each kind of choice answers.
pub const ANSWERED: [Question; 7] = [
    Question::Start,
    Question::Act,
    Question::Act,
    Question::Exit,
    Question::Turn,
    Question::GoOn,
    Question::Stop,
];

impl Question {
    /// The features, besides those of the kinds, that are 0 for all choices.
    fn zeros(self) -> &'static [usize] {
        match self {
            Question::Start => &[
                f::RIGHT_WAY,
                f::GAIN,
                f::TAIL_DIAMOND,
                f::TAIL_POINTS,
                f::LENGTH,
                f::NEXT_DIAMOND,
                f::HIDDEN,
                f::TUNNEL_POINTS,
                f::FRONT_DIAMOND,
                f::FRONT_BLOCKED,
                f::STRAIGHT,
                f::GAINED,
                f::POINTS,
                f::TURN_DIGS,
                f::TURNS,
                f::COVERS_LAST,
                f::POINTS_SOON,
            ],
            Question::Act => &[],
            Question::Exit => &[f::BLOCKS, f::BLOCKS_POINTS, f::COVERS_LAST],
            Question::Turn | Question::Stop | Question::GoOn => &[
                f::RIGHT_WAY,
                f::GAIN,
                f::STRAIGHT,
                f::BLOCKS,
                f::BLOCKS_POINTS,
                f::COVERS_LAST,
            ],
        }
    }

    /// Features that are equal for all choices at a table of `players`, with their values.
    pub fn certain(self, players: usize) -> Vec<(usize, f32)> {
        let mut certain = vec![(f::PLAYERS, players as f32)];
        for (kind, question) in (f::START..=f::STOP).zip(ANSWERED) {
            if question != self {
                certain.push((kind, 0.0));
            } else if question != Question::Act {
                certain.push((kind, 1.0));
            }
        }
        certain.extend(self.zeros().iter().map(|&feature| (feature, 0.0)));
        certain
    }
}

/// A bot's programs, one for each of [`QUESTIONS`], at a table of `players`.
pub fn programs(formula: &Formula, players: usize) -> Result<Vec<Program>, ProgramTooLarge> {
    let compile = |question: Question| {
        let formula = formula.given(&question.certain(players));
        Program::compile(&f::VOCABULARY, &[formula], &[])
    };
    QUESTIONS.into_iter().map(compile).collect()
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_cave/kernel/questions.rs"]
mod tests;
