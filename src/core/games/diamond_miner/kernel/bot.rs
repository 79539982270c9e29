//! A bot of the kernel: its compiled formula, and the features it reads.

use super::state::{PackedRules, Pile, arms};
use super::words::{Word, count, larger, one, smaller};
use crate::formula::program::{Program, ProgramTooLarge};
use crate::formula::{Formula, Parts};
use crate::games::diamond_miner::cards::{Card, DIAMOND, KINDS, SHOVEL};
use crate::games::diamond_miner::features::{self as f, VOCABULARY};
use crate::games::diamond_miner::recipes::COPIES_MAX;

pub struct Bot {
    /// The formula, compiled. Its second answer is true for a score that may differ for the same
    /// move next time and must not be cached.
    pub program: Program,
    /// The parts of the formula over features shared by all moves of a decision, except `random`.
    pub parts: Parts,
    /// The features it reads that depend on the move and on what can be added to stacks,
    pub of_move: Vec<usize>,
    /// that depend on the owner of the stack,
    pub of_owner: Vec<usize>,
    /// that are shared by all moves of a decision,
    pub of_table: Vec<usize>,
    /// and these but for `random`, each with the numbers that it is merely compared with.
    pub shared: Vec<(usize, Option<Vec<f32>>)>,
    /// Whether it looks at `gain`,
    pub gain: bool,
    /// at `production_gain`,
    pub production: bool,
    /// at `lacks` or `advances`,
    pub lacks: bool,
    /// and `risk`.
    pub risk: bool,
    /// Whether it reads `noise`.
    pub noise: bool,
    /// Whether any score may differ the next time for the same move.
    pub changes: bool,
    /// Whether all features are computed for a caller who picks: then no score is cached.
    pub shows: bool,
    /// The parts of the table its scores depend on, by kind of the stack's top card.
    pub matters: [Matters; KINDS],
}

impl Bot {
    /// Compiles a bound formula, for a bot that decides or that shows its features.
    pub fn new(
        formula: &Formula,
        rules: &PackedRules,
        shows: bool,
    ) -> Result<Bot, ProgramTooLarge> {
        let new: Vec<usize> = f::OF_OWNER.chain([f::RANDOM, f::NOISE]).collect();
        let changes = formula.depends_on(&new);
        let program = Program::compile(&VOCABULARY, &[formula.clone(), changes], &[])?;
        let uses = |feature| shows || program.uses(feature);
        let used = |range: std::ops::Range<usize>| -> Vec<usize> {
            range.filter(|&each| uses(each)).collect()
        };
        let lasting = f::OF_TABLE.start..f::RANDOM;
        let lacks = uses(f::LACKS) || uses(f::ADVANCES);
        let risk = uses(f::RISK);
        let parts = formula.parts(|feature| lasting.contains(&feature));
        // What is seen of a move does not depend on what they share, only its score does.
        let shared = if shows { Vec::new() } else { used(lasting) };
        let shared = shared.into_iter();
        Ok(Bot {
            shared: shared.map(|each| (each, parts.edges(each))).collect(),
            parts,
            of_move: used(0..f::OF_MOVE),
            of_owner: used(f::OF_OWNER),
            of_table: used(f::OF_TABLE),
            gain: uses(f::GAIN),
            production: uses(f::PRODUCTION_GAIN),
            lacks,
            risk,
            noise: uses(f::NOISE),
            changes: new.iter().any(|&feature| uses(feature)),
            shows,
            matters: std::array::from_fn(|kind| Matters::to(kind, rules, lacks, risk)),
            program,
        })
    }
}

/// The part of the table that matters to the moves under a stack with some top card. Of cards that
/// the stack can use, only as many matter as it lacks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matters {
    /// The most of each class that its transformations need, if scores read `lacks` or `advances`,
    own: Word,
    /// if they read `risk`,
    others: Word,
    /// and that the transformations of its product then need.
    others_then: Word,
    /// The most of each class that its transformations give.
    bank: Word,
    /// Whether shields or swords take part in its transformations: several may come and go at once.
    arms: bool,
}

impl Matters {
    fn to(kind: usize, rules: &PackedRules, lacks: bool, risk: bool) -> Matters {
        let needs = |kind: usize| {
            let rules = rules.transforms[kind].iter();
            rules.fold(0, |most, rule| larger(most, rule.need))
        };
        let mut matters = Matters {
            own: if lacks { needs(kind) } else { 0 },
            others: if risk { needs(kind) } else { 0 },
            arms: arms(needs(kind)) != 0,
            ..Matters::default()
        };
        for rule in &rules.transforms[kind] {
            matters.bank = larger(matters.bank, rule.gives);
            for class in (SHOVEL..DIAMOND).filter(|class| risk && count(rule.gives, *class) > 0) {
                let needs = needs(usize::from(Card::of(class).0));
                matters.others_then = larger(matters.others_then, needs);
            }
        }
        matters
    }

    /// Of what the mover and the others can add and of the bank, the most that matters under
    /// `stack`. Equal numbers of cards up to this, equal scores.
    #[inline(always)]
    pub fn under(&self, stack: &Pile, mine: bool) -> [Word; 3] {
        let (held, spare) = if self.arms {
            (0, 0x0202_0202_0202_0202)
        } else {
            (stack.classes, 0)
        };
        let lacks = |need: Word| need - smaller(need, held);
        let (mut own, mut others) = (lacks(self.own) + spare, 0);
        if mine {
            own += one(stack.top.class());
            others = lacks(self.others);
        }
        // Can one more card transform it?
        let near = self.arms || stack.missing <= 1;
        if near {
            others = larger(others, self.others_then);
        }
        [own, others, if near { self.bank } else { 0 }]
    }
}

const _: () = assert!(COPIES_MAX + 3 < 16, "counts that matter fit half a lane");
