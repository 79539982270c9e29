//! A bot of the kernel: its compiled formula, and what of the vocabulary it looks at.

use crate::formula::Formula;
use crate::formula::program::{Program, ProgramTooLarge};
use crate::games::diamond_miner::features::{self as f, VOCABULARY};

/// A bot's formula and what it looks at.
pub struct Bot {
    /// The formula, compiled. Its second answer tells of each score whether it could be another
    /// for the same cards next time, so that it is not kept.
    pub program: Program,
    /// The features it looks at that follow from a move's cards,
    pub of_cards: Vec<usize>,
    /// that follow from who owns the stack,
    pub of_owner: Vec<usize>,
    /// and that all moves of a decision share.
    pub of_table: Vec<usize>,
    /// Whether it looks at the features that depend on the source, too.
    pub of_source: [bool; OF_SOURCE.len()],
    /// Whether it looks at `lacks`,
    pub lacks: bool,
    /// and at `risk`.
    pub risk: bool,
    /// Whether it looks at `noise`.
    pub noise: bool,
    /// Whether any score is kept for later decisions: not where all depend on a random number or on
    /// who owns the stack.
    pub keeps: bool,
}

impl Bot {
    /// Compiles a bound formula.
    pub fn new(formula: &Formula) -> Result<Bot, ProgramTooLarge> {
        let new: Vec<usize> = f::OF_OWNER.chain([f::NOISE]).collect();
        let changes = formula.depends_on(&new);
        let keeps = !changes.is_true() && !formula.uses(f::RANDOM);
        let program = Program::compile(&VOCABULARY, &[formula.clone(), changes])?;
        let used = |range: std::ops::Range<usize>| {
            range.filter(|&feature| program.uses(feature)).collect()
        };
        Ok(Bot {
            keeps,
            of_cards: used(f::OF_CARDS),
            of_owner: used(f::OF_OWNER),
            of_table: used(f::OF_TABLE),
            of_source: OF_SOURCE.map(|feature| program.uses(feature)),
            lacks: program.uses(f::LACKS),
            risk: program.uses(f::RISK),
            noise: program.uses(f::NOISE),
            program,
        })
    }
}

/// Features of a move that depend on what its source gives up, too.
pub const OF_SOURCE: [usize; 3] = [f::GAIN, f::PRODUCTION_GAIN, f::RISK];
