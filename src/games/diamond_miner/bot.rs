//! A bot of the kernel: its compiled formula, what of the vocabulary it looks at, and the features
//! that all moves of a decision share.

use super::cards::{ANVIL, CART, SHOVEL, count};
use super::features::{self as f, VOCABULARY};
use super::moves::{Outlook, ore};
use crate::formula::Formula;
use crate::formula::program::{Program, ProgramTooLarge};

/// A bot's formula and what it looks at.
pub struct Bot {
    /// The formula, compiled; its second answer tells which scores are not to be kept.
    pub program: Program,
    /// Features of a move, without `noise` and those of the owner.
    pub of_move: Vec<usize>,
    /// Whether it looks at `gain`, and at `production_gain`.
    pub of_source: [bool; 2],
    /// Whether it looks at the diamonds of a stack's owner, and at what it lacks for one.
    pub of_owner: [bool; 2],
    /// Features that all moves of a decision share.
    pub of_table: Vec<usize>,
    /// Whether it looks at `noise`.
    pub noise: bool,
    /// Whether scores are kept, where they depend neither on what is new each time nor on owners.
    pub keeps: bool,
}

impl Bot {
    /// Compiles a bound formula.
    pub fn new(formula: &Formula) -> Result<Bot, ProgramTooLarge> {
        let depends = formula.depends_on(&[f::NOISE, f::OWNER_DIAMONDS, f::OWNER_TO_DIAMOND]);
        let keeps = !depends.is_true() && !formula.uses(f::RANDOM);
        let program = Program::compile(&VOCABULARY, &[formula.clone(), depends])?;
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

/// Features that depend on the source too.
pub const OF_SOURCE: [usize; 2] = [f::GAIN, f::PRODUCTION_GAIN];
/// Features of the owner of a target.
pub const OF_OWNER: [usize; 2] = [f::OWNER_DIAMONDS, f::OWNER_TO_DIAMOND];

/// What all moves of a decision share.
pub fn of_table(outlook: &Outlook, feature: usize) -> f32 {
    let mines = &outlook.state.mines;
    let mine = &mines[outlook.seat];
    let others = || (0..outlook.seats).filter(|other| *other != outlook.seat);
    let tops = |class| {
        let stacks = mine.stacks().iter();
        let tops = stacks.filter(|stack| stack.top.class() == class);
        tops.map(|stack| u32::from(stack.copies)).sum::<u32>() as f32
    };
    let bank = |class| count(outlook.state.bank, class) as f32;
    match feature {
        f::SHOVELS => tops(SHOVEL),
        f::CARTS => tops(CART),
        f::ANVILS => tops(ANVIL),
        f::PRODUCTION => ore(mine.production),
        f::DIAMONDS => mine.diamonds() as f32,
        f::TO_DIAMOND => ore(outlook.to_diamond(outlook.seat)),
        f::BEST_PRODUCTION => ore(others()
            .map(|seat| mines[seat].production)
            .max()
            .unwrap_or(0)),
        f::BEST_DIAMONDS => others()
            .map(|seat| mines[seat].diamonds())
            .max()
            .unwrap_or(0) as f32,
        f::LEADER_TO_DIAMOND => ore(others()
            .map(|seat| outlook.to_diamond(seat))
            .min()
            .unwrap_or(0)),
        f::BANK_SHOVELS => bank(SHOVEL),
        f::BANK_CARTS => bank(CART),
        f::BANK_ANVILS => bank(ANVIL),
        f::PLAYERS => outlook.seats as f32,
        _ => unreachable!("feature {feature} is not one of the table"),
    }
}
