//! The cards a miner may move, and the stacks they may go under: the rows of the kernel's batches.
//!
//! Nothing is moved here.

use super::bot::Bot;
use super::state::{PackedRules, Pile, State, arms};
use super::words::{Word, one};
use crate::games::diamond_miner::cards::{ANVIL, Card, SHIELD, SWORD};
use crate::games::diamond_miner::rules::Arms;

pub const STAYS: u8 = u8::MAX;

/// A move: positions in the lists of stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The mover's stack that gives its top card.
    pub source: u8,
    /// The owner of the stack it goes under.
    pub owner: u8,
    pub target: u8,
    /// The chosen transformation of the target's top card, or [`STAYS`].
    pub option: u8,
}

/// A source as the stacks see it that it may go under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Class of the card that moves.
    pub class: usize,
    /// It and the shields and swords that go along.
    pub cards: Word,
    /// Shields and swords that stay as loose cards.
    pub left: Word,
    /// Cards that go back to the bank when it moves.
    pub discarded: Word,
}

impl Load {
    #[inline(always)]
    pub fn of(source: &Pile, rules: &PackedRules) -> Load {
        let class = source.top.class();
        let below = source.classes - one(class);
        let arms = arms(below);
        let stay = rules.plain.arms == Arms::Stay;
        let left = if stay { arms } else { 0 };
        Load {
            class,
            cards: one(class) + arms - left,
            left,
            discarded: below - arms,
        }
    }

    #[inline(always)]
    pub fn only_swords(&self) -> bool {
        self.cards & !(0xff * one(SWORD)) == 0
    }
}

/// A stack that cards may go under.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub owner: u8,
    /// Its position in the list of stacks.
    pub index: u8,
    pub mine: bool,
    /// Whether shields keep all but swords away.
    pub shielded: bool,
    pub top: Card,
    pub classes: Word,
    /// What matters under it of what the mover and the others can add, and of the bank.
    pub needs: [Word; 3],
    /// What the mover's bot knows it by,
    pub known_by: [Word; 3],
    /// and its number there, which is void while it is known by nothing.
    pub number: u16,
}

impl State {
    /// Lists the stacks of `owner` that its own cards may go under (all of them), or those of
    /// others.
    #[inline(always)]
    pub fn list_targets(
        &self,
        rules: &PackedRules,
        bot: &Bot,
        owner: usize,
        mine: bool,
        targets: &mut Vec<Target>,
    ) {
        for (index, stack) in self.mines[owner].piles().iter().enumerate() {
            if !mine && stack.top.class() == ANVIL {
                continue;
            }
            targets.push(Target {
                owner: owner as u8,
                index: index as u8,
                mine,
                shielded: !mine && rules.inside(stack.top, stack.classes, SHIELD) > 0,
                top: stack.top,
                classes: stack.classes,
                needs: bot.matters[usize::from(stack.top.0)].under(stack, mine),
                known_by: [0; 3],
                number: 0,
            });
        }
    }
}
