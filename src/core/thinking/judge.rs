//! What the options of a decision are worth, for all who ask: `advise`, the coach, reviews,
//! quizzes, the engine and analyses.
//!
//! A race seeks the best option. Then each option is measured in new playouts, four times as many
//! as it had in the race, or twice if it stayed to the end, so that luck in the race flatters none.
//! All that is found follows from the position, the bots that play on, the seed and the number of
//! playouts.

use super::CHUNK;
use super::race::{Advice, NEW, PlayOn, Trial, Tries, play_here};
use crate::game::moments::{Fork, Position};
use crate::game::{Layout, Table};
use crate::simulation::{Games, NEVER, Stopped};
use crate::streams;
use fearless_simd::Level;
use std::slice;
use std::sync::atomic::AtomicBool;

/// Divisors of the playouts after which the race looks at the options.
const LOOKS: [u64; 3] = [8, 4, 2];

/// A decision of a seat.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Equally likely positions, at least one.
    pub positions: &'a [Position],
    pub options: usize,
    pub seat: usize,
    /// Other players who say yes or no at the same time; 0 if the game has no words for that.
    pub others: usize,
}

impl<'a> Question<'a> {
    /// The question at a decision of a game.
    pub fn at(fork: Fork<'a>) -> Question<'a> {
        let (position, options) = fork;
        Question {
            positions: slice::from_ref(position),
            options: options.names.len(),
            seat: options.seat,
            others: options.facts.len().saturating_sub(1),
        }
    }
}

/// Bots that play on, the seed of the playouts, and the most new playouts of an option.
pub struct Judge<'a> {
    pub table: &'a dyn Table,
    /// The layout of the table, made [bare](Layout::bare).
    pub layout: Layout,
    pub seed: u64,
    pub playouts: u64,
    /// When set, ends a race early; then nothing is known.
    pub stop: &'a AtomicBool,
}

impl<'a> Judge<'a> {
    pub fn new(table: &'a dyn Table, seed: u64, playouts: u64) -> Judge<'a> {
        Judge {
            table,
            layout: table.layout().bare(),
            seed,
            playouts,
            stop: &NEVER,
        }
    }

    /// The judge of another table, with other bots, in at most this many playouts.
    pub fn at(&self, table: &'a dyn Table, playouts: u64) -> Judge<'a> {
        Judge {
            stop: self.stop,
            ..Judge::new(table, self.seed, playouts)
        }
    }

    /// The number of the first playout from these positions in the race (stage 0) and after it (1).
    pub fn first_playout(positions: &[Position], stage: u64) -> u64 {
        let mix = |key: u64, position: &Position| streams::mix(key ^ position.number());
        // Leaves room above for the numbers of the playouts.
        positions.iter().fold(streams::output(stage, 0), mix) >> 1
    }

    /// Weighs a decision on this thread.
    pub fn weigh(&self, question: &Question) -> Advice {
        let unknown = || Advice::unknown(question.options, self.layout.seats == 1);
        if question.positions.is_empty() {
            return unknown();
        }
        let most = (self.playouts / LOOKS[0] / question.positions.len() as u64).max(1);
        let games = Games {
            seed: self.seed,
            chunk: CHUNK.min(most),
        };
        let weigh = |play: &mut PlayOn| self.weigh_all(slice::from_ref(question), games, play);
        let advice = play_here(Level::new(), self.stop, weigh).ok();
        let advice = advice.and_then(|mut advice| advice.pop());
        advice.unwrap_or_else(unknown)
    }

    /// Weighs decisions, all with equally many positions; `play` plays the playouts in chunks of
    /// this size.
    pub fn weigh_all(
        &self,
        questions: &[Question],
        games: Games,
        play: &mut PlayOn,
    ) -> Result<Vec<Advice>, Stopped> {
        // Several positions get equally many chunks.
        let step = match questions
            .first()
            .map_or(1, |question| question.positions.len())
        {
            1 => 1,
            positions => positions as u64 * games.chunk,
        };
        let most = self.playouts.next_multiple_of(step);
        let mut advice: Vec<Advice> = Vec::new();
        for (number, stage) in (0..).zip(["race", "worth"]) {
            let raced = advice;
            let mut looks = Vec::from(LOOKS.map(|part| {
                let look = (self.playouts / part).max(1).next_multiple_of(step);
                if number == 0 {
                    look
                } else {
                    (NEW * look).min(most)
                }
            }));
            looks.dedup();
            let tries = Tries {
                table: self.table,
                layout: &self.layout,
                stage,
                looks: &looks,
                sigmas: None,
            };
            let trials = questions.iter().enumerate().map(|(at, question)| Trial {
                positions: question.positions,
                options: question.options,
                chosen: 0,
                seat: question.seat,
                first: Judge::first_playout(question.positions, number),
                raced: raced.get(at),
            });
            advice = tries.race(&trials.collect::<Vec<_>>(), games, play)?;
        }
        Ok(advice)
    }
}
