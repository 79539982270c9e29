//! A bot of the kernel: its compiled formula, and what of the vocabulary it looks at.

use crate::formula::Formula;
use crate::formula::program::{Program, ProgramTooLarge};
use crate::games::diamond_miner::features::{self as f, VOCABULARY};

/// A bot's formula and what it looks at.
pub struct Bot {
    /// The formula, compiled. Its second answer tells of each score whether it could be another
    /// for the same cards next time, so that it is not kept.
    pub program: Program,
    /// Features of a move that follow from its cards.
    pub of_move: Vec<usize>,
    /// Whether it looks at `gain`, and at `production_gain`.
    pub of_source: [bool; 2],
    /// Whether it looks at the diamonds of a stack's owner, and at what it lacks for one.
    pub of_owner: [bool; 2],
    /// Features that all moves of a decision share.
    pub of_table: Vec<usize>,
    /// Whether it looks at `noise`.
    pub noise: bool,
    /// Whether any score is kept for later decisions: not where all depend on a random number or on
    /// who owns the stack.
    pub keeps: bool,
}

impl Bot {
    /// Compiles a bound formula.
    pub fn new(formula: &Formula) -> Result<Bot, ProgramTooLarge> {
        let changes = formula.hangs_on(&[f::NOISE, f::OWNER_DIAMONDS, f::OWNER_TO_DIAMOND]);
        let keeps = !changes.is_true() && !formula.uses(f::RANDOM);
        let program = Program::compile(&VOCABULARY, &[formula.clone(), changes])?;
        let used = |range: std::ops::Range<usize>| {
            range.filter(|&feature| program.uses(feature)).collect()
        };
        Ok(Bot {
            keeps,
            of_move: used(0..f::OWNER_DIAMONDS),
            of_source: OF_SOURCE.map(|feature| program.uses(feature)),
            of_owner: OF_OWNER.map(|feature| program.uses(feature)),
            of_table: used(f::MOVE_FEATURES..f::NOISE),
            noise: program.uses(f::NOISE),
            program,
        })
    }
}

/// Features of a move that depend on what its source gives up, too.
pub const OF_SOURCE: [usize; 2] = [f::GAIN, f::PRODUCTION_GAIN];
/// Features of a move that depend on who owns the stack it goes under.
pub const OF_OWNER: [usize; 2] = [f::OWNER_DIAMONDS, f::OWNER_TO_DIAMOND];
