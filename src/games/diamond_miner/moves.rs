//! Which moves a miner has, and what each would do: the rows of the kernel's batches.
//!
//! What some cards do under a stack depends on what they are and on what the stack holds, not on
//! whose they are; so `memo` keeps it. Nothing is moved here.

use super::cards::{ANVIL, CLASSES, SHIELD, SHOVEL, SWORD, Word, count, covers, one, smaller};
use super::features as f;
use super::memo::Memo;
use super::rules::WORTH_UNITS;
use super::state::{PackedRule, PackedRules, Stack, State, arms, under};

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

    /// A single card.
    #[inline(always)]
    pub fn card(class: usize) -> Load {
        Load {
            class,
            cards: one(class),
            discarded: 0,
        }
    }

    /// Whether it is a single card, and all that moves.
    #[inline(always)]
    pub fn is_card(&self) -> bool {
        self.cards == one(self.class)
    }

    /// Whether nothing but swords goes under the stack.
    #[inline(always)]
    pub fn only_swords(&self) -> bool {
        self.cards & !(0xff * one(SWORD)) == 0
    }
}

/// A stack that cards may go under.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Whose it is.
    pub owner: u8,
    /// Its position in the list of stacks.
    pub index: u8,
    /// Whether it is the mover's.
    pub mine: bool,
    /// Whether shields keep all but swords away.
    pub shielded: bool,
    /// Its look in the memo.
    pub look: u16,
}

/// Lists the stacks of `owner` that its own cards may go under, which are all, or those of others.
#[inline(always)]
pub fn list_targets(
    state: &mut State,
    owner: usize,
    mine: bool,
    memo: &mut Memo,
    targets: &mut Vec<Target>,
) {
    for (index, stack) in state.mines[owner].stacks_mut().iter_mut().enumerate() {
        if !mine && stack.top.class() == ANVIL {
            continue;
        }
        if stack.look == 0 {
            stack.look = memo.look(stack.top, stack.classes);
        }
        targets.push(Target {
            owner: owner as u8,
            index: index as u8,
            mine,
            shielded: !mine && under(stack.top, stack.classes, SHIELD) > 0,
            look: stack.look,
        });
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
}

impl Outlook<'_> {
    /// The stack of a target.
    #[inline(always)]
    pub fn stack(&self, target: &Target) -> &Stack {
        &self.state.mines[usize::from(target.owner)].stacks()[usize::from(target.index)]
    }

    /// Worth of the cards that `seat` lacks for the diamond that is nearest.
    pub fn to_diamond(&self, seat: usize) -> i32 {
        let have = self.state.mines[seat].holdings;
        let lack = |need: &Word| self.rules.worth_of(need - smaller(*need, have));
        self.rules.diamonds.iter().map(lack).min().unwrap_or(0)
    }
}

/// Cards that may go under a stack.
pub struct Placing<'a> {
    /// The rules.
    pub rules: &'a PackedRules,
    /// The cards.
    pub load: Load,
    /// The stack.
    pub target: &'a Stack,
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

/// Worth in ore.
#[inline(always)]
pub fn ore(worth: i32) -> f32 {
    worth as f32 / WORTH_UNITS as f32
}
