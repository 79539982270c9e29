//! Which moves a miner has, and what each would do: the rows of the kernel's batches.
//!
//! What a card does under a stack depends on the card's class alone, not on where it comes from;
//! so the effects of a class on all stacks are found once and shared by all its sources. Nothing
//! is moved here.

use super::cards::{ANVIL, CLASSES, SHIELD, SHOVEL, SWORD, Word, count, covers, one, smaller};
use super::features as f;
use super::rules::WORTH_UNITS;
use super::state::{PackedRules, Stack, State, arms, under};

/// No transformation.
pub const STAYS: u8 = u8::MAX;

/// A move: positions in the lists of stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The mover's stack whose top card moves.
    pub source: u8,
    /// Whose stack it goes under.
    pub owner: u8,
    /// That stack.
    pub target: u8,
    /// Which transformation of the target's top card is chosen, or [`STAYS`].
    pub option: u8,
}

/// What some cards would do under a stack, and the features that follow.
#[derive(Debug, Clone, Copy)]
pub struct Effect {
    /// The move, but for its source.
    pub step: Step,
    /// Whether the target is the mover's only stack of its look.
    pub single: bool,
    /// Feature values; `gain` and `production_gain` still lack what the source gives up.
    pub values: [f32; f::MOVE_FEATURES],
}

/// What a source looks like to the stacks it may go under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Class of the card that moves.
    pub class: usize,
    /// It and the shields and swords that go along.
    pub cards: Word,
    /// Cards that go back to the bank when it moves.
    pub discarded: Word,
}

impl Load {
    /// What moves when the top card of `source` does.
    #[inline(always)]
    pub fn of(source: &Stack) -> Load {
        let class = source.top.class();
        let below = source.classes - one(class);
        Load {
            class,
            cards: one(class) + arms(below),
            discarded: below - arms(below),
        }
    }
}

/// What a miner sees of the table beside its moves.
pub struct Outlook<'a> {
    /// The rules.
    pub rules: &'a PackedRules,
    /// The table.
    pub state: &'a State,
    /// Number of miners.
    pub seats: usize,
    /// Who moves.
    pub seat: usize,
    /// Whether anybody asks for what owners of stacks lack for a diamond.
    pub owners: bool,
}

impl Outlook<'_> {
    /// Lists what `load` can do, target by target, the mover's own first. Returns whether the
    /// bank was short of anything, in which case the effects hold for this very load only.
    pub fn effects(&self, load: &Load, effects: &mut Vec<Effect>) -> bool {
        effects.clear();
        let mut short = false;
        let only_swords = load.cards == Word::from(count(load.cards, SWORD)) * one(SWORD);
        for place in 0..self.seats {
            let owner = (self.seat + place) % self.seats;
            let base = Base {
                owner,
                diamonds: self.state.mines[owner].diamonds() as f32,
                to_diamond: match self.owners {
                    true => ore(self.to_diamond(owner)),
                    false => 0.0,
                },
            };
            for (index, target) in self.state.mines[owner].stacks().iter().enumerate() {
                if owner != self.seat {
                    let closed = target.top.class() == ANVIL
                        || (!only_swords && under(target.top, target.classes, SHIELD) > 0);
                    if closed {
                        continue;
                    }
                }
                short |= self.options(load, &base, index, target, effects);
            }
        }
        short
    }

    /// Worth of the cards that `seat` lacks for the diamond that is nearest.
    pub fn to_diamond(&self, seat: usize) -> i32 {
        let have = self.state.mines[seat].holdings;
        let lack = |need: &Word| self.rules.worth_of(need - smaller(*need, have));
        self.rules.diamonds.iter().map(lack).min().unwrap_or(0)
    }

    /// Lists the effects on one target, one for each transformation to choose from.
    #[inline(always)]
    fn options(
        &self,
        load: &Load,
        base: &Base,
        index: usize,
        target: &Stack,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let top = target.top;
        let mut placed = target.classes + load.cards;
        let pairs = under(top, placed, SHIELD).min(under(top, placed, SWORD));
        let gone = Word::from(pairs) * (one(SHIELD) + one(SWORD));
        placed -= gone;
        let back = gone + load.discarded;
        let transforms = &self.rules.transforms[usize::from(top.0)];
        let mut stays = true;
        let mut short = false;
        for (option, rule) in transforms.iter().enumerate() {
            let known = |other: &super::state::PackedRule| {
                other.gives == rule.gives && covers(placed, other.need)
            };
            if !covers(placed, rule.need) || transforms[..option].iter().any(known) {
                continue;
            }
            stays = false;
            let mut taken = rule.gives;
            let mut worth = rule.worth;
            if !covers(self.state.bank, rule.gives) {
                short = true;
                taken = smaller(rule.gives, self.state.bank + placed + back);
                worth = self.rules.worth_of(taken);
            }
            let used = if base.owner == self.seat {
                rule.need
            } else {
                0
            };
            let made = taken - smaller(taken, used);
            let mut effect = self.effect(load, base, index, target);
            effect.step.option = option as u8;
            let values = &mut effect.values;
            for class in SHOVEL..CLASSES {
                values[f::MAKES_SHOVEL + class - SHOVEL] = count(made, class) as f32;
            }
            self.balance(values, base, target, [worth, 0], 0);
            values[f::STEALS] = 1.0 - values[f::MINE];
            values[f::NEARER] = f32::from(target.missing);
            if base.owner == self.seat {
                values[f::EXPOSES] = ore(-target.exposed);
            } else {
                values[f::UNSHIELDS] = under(top, target.classes, SHIELD) as f32;
            }
            effects.push(effect);
        }
        if stays {
            effects.push(self.staying(load, base, index, target, placed));
        }
        short
    }

    /// The effect when the stack stays, with the cards `placed` in it.
    #[inline(always)]
    fn staying(
        &self,
        load: &Load,
        base: &Base,
        index: usize,
        target: &Stack,
        placed: Word,
    ) -> Effect {
        let top = target.top;
        let mut effect = self.effect(load, base, index, target);
        let values = &mut effect.values;
        let worth = self.rules.worth_of(placed);
        let production = self.rules.production_of(top, placed);
        self.balance(values, base, target, [0, worth], production);
        let (missing, exposed) = self.rules.prospect(top, placed);
        values[f::MISSING] = missing as f32;
        values[f::NEARER] = f32::from(target.missing) - missing as f32;
        let before = under(top, target.classes, SHIELD);
        let shields = under(top, placed, SHIELD);
        if base.owner == self.seat {
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

    /// What all effects on a target have in common.
    #[inline(always)]
    fn effect(&self, load: &Load, base: &Base, index: usize, target: &Stack) -> Effect {
        let mut values = [0.0; f::MOVE_FEATURES];
        let mine = base.owner == self.seat;
        values[f::MINE] = f32::from(mine);
        values[f::CARD_WORTH] = ore(self.rules.worth[load.class]);
        values[f::PLAYS_SHIELD] = f32::from(load.class == SHIELD);
        values[f::PLAYS_SWORD] = f32::from(load.class == SWORD);
        values[f::OWNER_DIAMONDS] = base.diamonds;
        values[f::OWNER_TO_DIAMOND] = base.to_diamond;
        Effect {
            step: Step {
                source: 0,
                owner: base.owner as u8,
                target: index as u8,
                option: STAYS,
            },
            single: mine && target.copies == 1,
            values,
        }
    }

    /// Worth and production won and lost: `taken` cards are the mover's, `left` ones the owner's.
    #[inline(always)]
    fn balance(
        &self,
        values: &mut [f32; f::MOVE_FEATURES],
        base: &Base,
        target: &Stack,
        [taken, left]: [i32; 2],
        production: i32,
    ) {
        if base.owner == self.seat {
            values[f::GAIN] = ore(taken + left - target.worth);
            values[f::PRODUCTION_GAIN] = ore(production - target.production);
        } else {
            values[f::GAIN] = ore(taken);
            values[f::HARM] = ore(target.worth - left);
            values[f::PRODUCTION_HARM] = ore(target.production - production);
        }
    }
}

/// What effects on the stacks of one miner have in common.
struct Base {
    owner: usize,
    diamonds: f32,
    to_diamond: f32,
}

/// Worth in ore.
#[inline(always)]
pub fn ore(worth: i32) -> f32 {
    worth as f32 / WORTH_UNITS as f32
}
