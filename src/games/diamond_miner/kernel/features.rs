//! What bots see, as the kernel finds it: from sums that are kept, without making a move.
//!
//! What some cards do under a stack depends on what they are and on what the stack holds, not on
//! whose they are; so `memo` keeps it as an [`Effect`].

use super::moves::{Load, STAYS, Target};
use super::state::{PackedRule, PackedRules, Pile, State, under};
use super::words::{Word, count, covers, one, smaller};
use crate::games::diamond_miner::cards::{
    ANVIL, CART, CLASSES, SHIELD, SHOVEL, SWORD, WORTH_UNITS,
};
use crate::games::diamond_miner::features as f;
use crate::streams;

/// A decision: whose turn it is, and what was before.
pub struct View<'a> {
    /// The rules.
    pub rules: &'a PackedRules,
    /// The table.
    pub state: &'a State,
    /// Number of miners.
    pub seats: usize,
    /// Who moves.
    pub seat: usize,
    /// Key of the game.
    pub key: u64,
    /// Number of the decision in the game, from 0.
    pub decision: u64,
    /// The round, from 1.
    pub round: u32,
    /// Moves made in this turn.
    pub made: u32,
}

impl View<'_> {
    /// What all moves of the decision share.
    pub fn of_table(&self, feature: usize) -> f32 {
        let mines = &self.state.mines;
        let mine = &mines[self.seat];
        let others = || (0..self.seats).filter(|other| *other != self.seat);
        let tops = |class| {
            let piles = mine.piles().iter();
            let tops = piles.filter(|pile| pile.top.class() == class);
            tops.map(|pile| u32::from(pile.copies)).sum::<u32>() as f32
        };
        let bank = |class| count(self.state.bank, class) as f32;
        match feature {
            f::SHOVELS => tops(SHOVEL),
            f::CARTS => tops(CART),
            f::ANVILS => tops(ANVIL),
            f::PRODUCTION => ore(mine.production),
            f::DIAMONDS => mine.diamonds() as f32,
            f::TO_DIAMOND => ore(self.to_diamond(self.seat)),
            f::BEST_PRODUCTION => {
                let best = others().map(|seat| mines[seat].production).max();
                ore(best.unwrap_or(0))
            }
            f::BEST_DIAMONDS => {
                let best = others().map(|seat| mines[seat].diamonds()).max();
                best.unwrap_or(0) as f32
            }
            f::LEADER_TO_DIAMOND => {
                let least = others().map(|seat| self.to_diamond(seat)).min();
                ore(least.unwrap_or(0))
            }
            f::BANK_SHOVELS => bank(SHOVEL),
            f::BANK_CARTS => bank(CART),
            f::BANK_ANVILS => bank(ANVIL),
            f::MOVES_MADE => self.made as f32,
            f::ROUND => self.round as f32,
            f::PLAYERS => self.seats as f32,
            f::RANDOM => streams::uniform(self.key, f::random_counter(self.decision)),
            _ => unreachable!("feature {feature} is not one of the table"),
        }
    }

    /// What all moves under stacks of `seat` share.
    pub fn of_owner(&self, feature: usize, seat: usize) -> f32 {
        match feature {
            f::OWNER_DIAMONDS => self.state.mines[seat].diamonds() as f32,
            f::OWNER_TO_DIAMOND => ore(self.to_diamond(seat)),
            _ => unreachable!("feature {feature} is not one of an owner"),
        }
    }

    /// The number `noise` of move `row`.
    #[inline(always)]
    pub fn noise(&self, row: usize) -> f32 {
        streams::uniform(self.key, f::noise_counter(self.decision, row))
    }

    /// The stacks of a target.
    #[inline(always)]
    pub fn pile(&self, target: &Target) -> &Pile {
        &self.state.mines[usize::from(target.owner)].piles()[usize::from(target.index)]
    }

    /// Worth of the cards that `seat` lacks for the diamond that is nearest.
    fn to_diamond(&self, seat: usize) -> i32 {
        let have = self.state.mines[seat].holdings;
        let lack = |need: &Word| self.rules.worth_of(need - smaller(*need, have));
        self.rules.diamonds.iter().map(lack).min().unwrap_or(0)
    }
}

/// What some cards would do under a stack, and the features that follow.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Effect {
    /// Feature values; `gain` and `production_gain` still lack what the source gives up, and those
    /// of the owner are left out.
    pub values: [f32; f::MOVE_FEATURES],
    /// Cards that the transformation gives, where the bank has them.
    pub gives: Word,
    /// Which transformation of the target's top card is chosen, or [`STAYS`].
    pub option: u8,
}

impl Effect {
    /// What all moves start from.
    pub const NONE: Effect = Effect {
        values: [0.0; f::MOVE_FEATURES],
        gives: 0,
        option: STAYS,
    };

    /// Ending the turn.
    pub const END: Effect = {
        let mut effect = Effect::NONE;
        effect.values[f::ENDS] = 1.0;
        effect
    };
}

/// Cards that may go under a stack.
pub struct Placing<'a> {
    /// The rules.
    pub rules: &'a PackedRules,
    /// The cards.
    pub load: Load,
    /// The stack.
    pub target: &'a Pile,
    /// Whether it is the mover's.
    pub mine: bool,
    /// What the bank has.
    pub bank: Word,
}

impl Placing<'_> {
    /// Lists the effects, one for each transformation to choose from, or that of none.
    pub fn effects(&self, mut list: impl FnMut(Effect)) {
        let target = self.target;
        let top = target.top;
        let mut placed = target.classes + self.load.cards;
        let pairs = under(top, placed, SHIELD).min(under(top, placed, SWORD));
        let gone = Word::from(pairs) * (one(SHIELD) + one(SWORD));
        placed -= gone;
        let back = gone + self.load.discarded;
        let transforms = &self.rules.transforms[usize::from(top.0)];
        let mut stays = true;
        for (option, rule) in transforms.iter().enumerate() {
            let known =
                |other: &PackedRule| other.gives == rule.gives && covers(placed, other.need);
            if !covers(placed, rule.need) || transforms[..option].iter().any(known) {
                continue;
            }
            stays = false;
            list(self.transformed(option, rule, placed + back));
        }
        if stays {
            list(self.staying(placed));
        }
    }

    /// The effect of a transformation; `back` are the cards that go back to the bank before.
    fn transformed(&self, option: usize, rule: &PackedRule, back: Word) -> Effect {
        let mut taken = rule.gives;
        let mut worth = rule.worth;
        if !covers(self.bank, rule.gives) {
            taken = smaller(rule.gives, self.bank + back);
            worth = self.rules.worth_of(taken);
        }
        let used = if self.mine { rule.need } else { 0 };
        let made = taken - smaller(taken, used);
        let mut effect = self.effect();
        effect.option = option as u8;
        effect.gives = rule.gives;
        let values = &mut effect.values;
        for class in SHOVEL..CLASSES {
            values[f::MAKES_SHOVEL + class - SHOVEL] = count(made, class) as f32;
        }
        self.balance(values, [worth, 0], 0);
        values[f::STEALS] = 1.0 - values[f::MINE];
        values[f::NEARER] = f32::from(self.target.missing);
        if self.mine {
            values[f::EXPOSES] = ore(-self.target.exposed);
        } else {
            let shields = under(self.target.top, self.target.classes, SHIELD);
            values[f::UNSHIELDS] = shields as f32;
        }
        effect
    }

    /// The effect when the stack stays, with the cards `placed` in it.
    fn staying(&self, placed: Word) -> Effect {
        let target = self.target;
        let top = target.top;
        let mut effect = self.effect();
        let values = &mut effect.values;
        let worth = self.rules.worth_of(placed);
        let production = self.rules.production_of(top, placed);
        self.balance(values, [0, worth], production);
        let (missing, exposed) = self.rules.prospect(top, placed);
        values[f::MISSING] = missing as f32;
        values[f::NEARER] = f32::from(target.missing) - missing as f32;
        let before = under(top, target.classes, SHIELD);
        let shields = under(top, placed, SHIELD);
        if self.mine {
            values[f::EXPOSES] = ore(exposed - target.exposed);
            if before == 0 && shields > 0 {
                values[f::PROTECTS] = ore(worth);
            }
        } else {
            values[f::SPOILS] = 1.0;
            values[f::UNSHIELDS] = before.saturating_sub(shields) as f32;
        }
        effect
    }

    /// What all effects of these cards have in common.
    fn effect(&self) -> Effect {
        let mut effect = Effect::NONE;
        let values = &mut effect.values;
        values[f::MINE] = f32::from(self.mine);
        values[f::CARD_WORTH] = ore(self.rules.worth[self.load.class]);
        values[f::PLAYS_SHIELD] = f32::from(self.load.class == SHIELD);
        values[f::PLAYS_SWORD] = f32::from(self.load.class == SWORD);
        effect
    }

    /// Worth and production won and lost: `taken` cards are the mover's, `left` ones the owner's.
    fn balance(
        &self,
        values: &mut [f32; f::MOVE_FEATURES],
        [taken, left]: [i32; 2],
        production: i32,
    ) {
        let target = self.target;
        if self.mine {
            values[f::GAIN] = ore(taken + left - target.worth);
            values[f::PRODUCTION_GAIN] = ore(production - target.production);
        } else {
            values[f::GAIN] = ore(taken);
            values[f::HARM] = ore(target.worth - left);
            values[f::PRODUCTION_HARM] = ore(target.production - production);
        }
    }
}

/// A worth in ore.
#[inline(always)]
pub fn ore(worth: i32) -> f32 {
    worth as f32 / WORTH_UNITS as f32
}
