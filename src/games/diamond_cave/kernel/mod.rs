//! Many games of Diamond Cave at once: the referee's game over bytes and counts, the choices of
//! several games scored together.
//!
//! Nothing here allocates once a chunk has begun, and nothing returns an error: what can be wrong
//! was checked when rules and bots were loaded.

use super::outcomes as o;
use super::rules::DiamondCaveRules;
use crate::formula::program::Program;
use crate::game::practice::Pick;
use crate::game::{Layout, Record, Seating};
use fearless_simd::Level;

mod cave;
mod features;
mod game;
mod ground;
mod lanes;
mod playing_on;
mod questions;
mod recording;
mod rows;
mod shown;

pub use questions::programs;

use ground::Ground;

pub struct Kernel {
    rules: DiamondCaveRules,
    layout: Layout,
    ground: Ground,
    /// For each bot, one program a question.
    programs: Vec<Vec<Program>>,
    seating: Seating,
}

impl Kernel {
    /// Prepares a table; `programs` answer for the bots, one for each question.
    pub fn new(rules: &DiamondCaveRules, programs: Vec<Vec<Program>>, seating: Seating) -> Self {
        Kernel {
            rules: rules.clone(),
            layout: o::layout(rules, programs.len()),
            ground: Ground::new(rules, programs.len()),
            programs,
            seating,
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn layout_mut(&mut self) -> &mut Layout {
        &mut self.layout
    }

    /// Plays games `first ..` of `seed` until `record` is full.
    pub fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.play_all(level, None, record, |game, record| {
            game.begin(seed, first.wrapping_add(game.index as u64), record)
        });
    }

    /// The same games where `pick` takes all decisions.
    pub fn practise(
        &self,
        level: Level,
        (seed, first): (u64, u64),
        pick: Pick,
        record: &mut Record,
    ) {
        self.play_all(level, Some(pick), record, |game, record| {
            game.begin(seed, first.wrapping_add(game.index as u64), record)
        });
    }
}
