//! Many games of Diamond Cave at once: the referee's game over bytes and counts, the choices of
//! several games scored together.
//!
//! Nothing here allocates once a chunk has begun, and nothing returns an error: what can be wrong
//! was checked when rules and bots were loaded.

use super::outcomes as o;
use super::rules::DiamondCaveRules;
use crate::formula::Formula;
use crate::formula::program::{Program, ProgramTooLarge};
use crate::game::practice::Pick;
use crate::game::{Layout, Record, Seating, first_alike};
use fearless_simd::Level;

mod ahead;
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

use ground::Ground;

pub struct Kernel {
    pub layout: Layout,
    ground: Ground,
    /// For each bot, the first bot with the same formula.
    alike: Vec<usize>,
    /// One program per question, for each bot without an earlier equal one; empty for the others.
    programs: Vec<Vec<Program>>,
    seating: Seating,
}

impl Kernel {
    /// Prepares a table of bots with these formulas.
    pub fn new(
        rules: &DiamondCaveRules,
        formulas: &[Formula],
        seating: Seating,
    ) -> Result<Self, ProgramTooLarge> {
        let (players, alike) = (formulas.len(), first_alike(formulas));
        let mut all = vec![Vec::new(); players];
        for (bot, formula) in formulas.iter().enumerate() {
            if alike[bot] == bot {
                all[bot] = questions::programs(formula, players)?;
            }
        }
        Ok(Kernel {
            layout: o::layout(rules, players),
            ground: Ground::new(rules, players),
            alike,
            programs: all,
            seating,
        })
    }

    /// Plays the games of `luck`, a seed and the first number, until `record` is full; `pick` may
    /// take the decisions.
    pub fn play(&self, level: Level, luck: (u64, u64), pick: Option<Pick>, record: &mut Record) {
        let (seed, first) = luck;
        self.play_all(level, pick, record, |game, record| {
            game.begin(seed, first.wrapping_add(game.index as u64), record)
        });
    }
}
