//! The features of the kernel: computed from cached sums, without making a move.
//!
//! The result of placing cards under a stack is an [`Effect`].

use super::moves::{Load, STAYS};
use super::state::{Mine, PackedRule, PackedRules, Pile, State};
use super::words::{Word, count, covers, lacking, larger, one, smaller};
use crate::games::diamond_miner::cards::{
    ANVIL, CART, CLASSES, Card, DIAMOND, ORE, SHIELD, SHOVEL, SWORD, WORTH_UNITS,
};
use crate::games::diamond_miner::features as f;
use crate::games::diamond_miner::recipes::COPIES_MAX;
use crate::streams;

pub struct View<'a> {
    pub rules: &'a PackedRules,
    pub state: &'a State,
    pub seats: usize,
    pub seat: usize,
    /// Seat of the bot at that place.
    pub bot: usize,
    pub key: u64,
    /// Number of the decision in the game, from 0.
    pub decision: u64,
    /// The round, from 1.
    pub round: u32,
    /// Moves made in this turn.
    pub made: u32,
    /// By class, what the mover can add to stacks (its loose cards and tops), and the others; 0 if
    /// its bot does not read that.
    pub own_reach: Word,
    pub others_reach: Word,
}

/// No recipe needs more copies of a card.
const ENOUGH: u32 = COPIES_MAX as u32;
const MOST: Word = ENOUGH as Word * 0x0101_0101_0101_0101;

/// The most of each class that others can add to stacks in their next turn, when `seat` moves, but
/// at most [`ENOUGH`].
pub fn reach_of_others(rules: &PackedRules, state: &State, seats: usize, seat: usize) -> Word {
    let mut reach = 0;
    for other in (0..seats).filter(|other| *other != seat) {
        let mine = &state.mines[other];
        let mut all = smaller(mine.movable, MOST) + Word::from(rules.plain.take) * one(ORE);
        rules.output(mine, |rule, times| {
            all = smaller(all, MOST) + rule.gives * Word::from(times.min(ENOUGH));
        });
        reach = larger(reach, smaller(all, MOST));
    }
    reach
}

impl View<'_> {
    /// A feature that all moves of the decision share.
    pub fn of_table(&self, feature: usize) -> f32 {
        let mines = &self.state.mines;
        let mine = &mines[self.seat];
        let others = || (0..self.seats).filter(|other| *other != self.seat);
        let most = |of: fn(&Mine) -> i32| {
            let all = others().map(|seat| of(&mines[seat]));
            all.max().unwrap_or(0)
        };
        let bank = |class| count(self.state.bank, class) as f32;
        match feature {
            f::ORES..=f::SWORDS => count(mine.movable, feature - f::ORES) as f32,
            f::PRODUCTION => ore(mine.production),
            f::DIAMONDS => mine.diamonds() as f32,
            f::TO_DIAMOND => ore(self.to_diamond(self.seat)),
            f::BEST_PRODUCTION => ore(most(|mine| mine.production)),
            f::BEST_DIAMONDS => most(|mine| mine.diamonds() as i32) as f32,
            f::LEADER_TO_DIAMOND => {
                let least = others().map(|seat| self.to_diamond(seat)).min();
                ore(least.unwrap_or(0))
            }
            f::WORTH_SHOVEL..=f::WORTH_ANVIL => {
                ore(self.rules.worth[feature - f::WORTH_SHOVEL + SHOVEL])
            }
            f::BANK_SHOVELS => bank(SHOVEL),
            f::BANK_CARTS => bank(CART),
            f::BANK_ANVILS => bank(ANVIL),
            f::MOVES_MADE => self.made as f32,
            f::ROUND => self.round as f32,
            f::PLAYERS => self.seats as f32,
            f::TEMPER => streams::temper(self.key, self.bot),
            f::RANDOM => streams::uniform(self.key, f::random_counter(self.decision)),
            _ => unreachable!("feature {feature} is not one of the table"),
        }
    }

    /// A feature that all moves under stacks of `seat` share.
    pub fn of_owner(&self, feature: usize, seat: usize) -> f32 {
        match feature {
            f::OWNER_DIAMONDS => self.state.mines[seat].diamonds() as f32,
            f::OWNER_TO_DIAMOND => ore(self.to_diamond(seat)),
            _ => unreachable!("feature {feature} is not one of an owner"),
        }
    }

    /// The number of cards a stack then lacks beyond those that the mover can still add.
    pub fn lacks(&self, effect: &Effect) -> u32 {
        if effect.transforms() {
            return 0;
        }
        match effect.left {
            0 => f::MISSING_MAX,
            _ => self.rules.prospect(effect.top, self.within_reach(effect)).0,
        }
    }

    /// Whether the card is needed for a transformation made now or still possible.
    pub fn advances(&self, effect: &Effect) -> bool {
        let have = self.within_reach(effect);
        let needed = |rule: &PackedRule| {
            covers(have, rule.need)
                && lacking(effect.left, rule.need) < lacking(effect.before, rule.need)
        };
        let mut transforms = self.rules.transforms[usize::from(effect.top.0)].iter();
        effect.transforms() || effect.left != 0 && transforms.any(needed)
    }

    /// The cards of a stack and those that the mover can still add.
    fn within_reach(&self, effect: &Effect) -> Word {
        let top = one(effect.top.class());
        let spent = one(usize::from(effect.moved)) + if effect.mine { top } else { 0 };
        effect.left + self.own_reach - spent
    }

    /// The increase in the worth of the mover's cards that others could use up, by the stacks that
    /// a move changes; the source's part is left out.
    pub fn risk(&self, effect: &Effect) -> i32 {
        let mut risk = 0;
        if effect.mine {
            risk = self.at_risk(effect.top, effect.left) - self.at_risk(effect.top, effect.before);
        }
        if effect.transforms() {
            for class in SHOVEL..DIAMOND {
                let copies = count(effect.taken, class) as i32;
                if copies > 0 {
                    risk += copies * self.at_risk(Card::of(class), one(class));
                }
            }
        }
        risk
    }

    /// Worth of a stack of the mover, if another could transform it in its next turn.
    pub fn at_risk(&self, top: Card, classes: Word) -> i32 {
        let safe = top.class() == ANVIL || classes == 0;
        if safe || self.rules.inside(top, classes, SHIELD) > 0 {
            return 0;
        }
        let have = smaller(classes, MOST) + self.others_reach;
        let transforms = &self.rules.transforms[usize::from(top.0)];
        if transforms.iter().any(|rule| covers(have, rule.need)) {
            self.rules.worth_of(classes)
        } else {
            0
        }
    }

    /// Worth of the cards that `seat` lacks for the nearest diamond.
    fn to_diamond(&self, seat: usize) -> i32 {
        let have = self.state.mines[seat].holdings;
        let lack = |need: &Word| self.rules.worth_of(need - smaller(*need, have));
        self.rules.diamonds.iter().map(lack).min().unwrap_or(0)
    }
}

/// The effect of placing cards under a stack, and the features that follow.
#[derive(Debug, Clone, Copy)]
pub struct Effect {
    /// Feature values; `gain` and `production_gain` still lack what the source gives up, and those
    /// that follow from all tables are left out.
    pub values: [f32; f::OF_MOVE],
    /// The chosen transformation of the target's top card, or [`STAYS`].
    pub option: u8,
    /// The top card of the stack.
    pub top: Card,
    /// Class of the card that goes under it.
    pub moved: u8,
    /// Whether it is the mover's.
    pub mine: bool,
    pub before: Word,
    /// Its cards after; 0 if it is gone.
    pub left: Word,
    /// The cards that the mover takes.
    pub taken: Word,
}

impl Effect {
    #[inline(always)]
    fn transforms(&self) -> bool {
        self.option != STAYS
    }
}

/// Cards that may go under a stack.
pub struct Placing<'a> {
    pub rules: &'a PackedRules,
    pub load: Load,
    pub target: &'a Pile,
    /// Whether it is the mover's.
    pub mine: bool,
    pub bank: Word,
}

impl Placing<'_> {
    /// Lists the effects: one per transformation to choose from, or one without any.
    pub fn effects(&self, mut list: impl FnMut(Effect)) {
        let target = self.target;
        let top = target.top;
        let mut placed = target.classes + self.load.cards;
        let inside = |class| self.rules.inside(top, placed, class);
        let pairs = inside(SHIELD).min(inside(SWORD));
        let gone = Word::from(pairs) * (one(SHIELD) + one(SWORD));
        placed -= gone;
        if count(placed, top.class()) == 0 {
            // The top card was one of a pair: nothing remains.
            placed = 0;
        }
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

    /// The effect of a transformation; `back` are the cards that return to the bank before.
    fn transformed(&self, option: usize, rule: &PackedRule, back: Word) -> Effect {
        let mut taken = rule.gives;
        let mut worth = rule.worth;
        if !covers(self.bank, rule.gives) {
            taken = smaller(rule.gives, self.bank + back);
            worth = self.rules.worth_of(taken);
        }
        let used = if self.mine { rule.need } else { 0 };
        let made = taken - smaller(taken, used);
        let mut effect = self.effect(worth, &Pile::default());
        effect.option = option as u8;
        effect.taken = taken;
        let values = &mut effect.values;
        for class in SHOVEL..CLASSES {
            values[f::MAKES_SHOVEL + class - SHOVEL] = count(made, class) as f32;
        }
        values[f::STEALS] = 1.0 - values[f::MINE];
        effect
    }

    /// The effect if the stack stays, with the cards `placed` in it; 0 if nothing remains.
    fn staying(&self, placed: Word) -> Effect {
        let after = match placed {
            0 => Pile {
                missing: f::MISSING_MAX as u8,
                ..Pile::default()
            },
            _ => self.rules.stack(self.target.top, 0, placed),
        };
        let mut effect = self.effect(0, &after);
        effect.values[f::SPOILS] = 1.0 - effect.values[f::MINE];
        effect
    }

    /// What the effects of these cards have in common: the mover takes cards of the worth `taken`,
    /// and the stack is like `after` then, which has no cards if it is gone.
    fn effect(&self, taken: i32, after: &Pile) -> Effect {
        let (rules, target) = (self.rules, self.target);
        let mut values = [0.0; f::OF_MOVE];
        values[f::MINE] = f32::from(self.mine);
        values[f::CARD_WORTH] = ore(rules.worth[self.load.class]);
        values[f::PLAYS_SHIELD] = f32::from(self.load.class == SHIELD);
        values[f::PLAYS_SWORD] = f32::from(self.load.class == SWORD);
        values[f::MISSING] = f32::from(after.missing);
        values[f::NEARER] = f32::from(target.missing) - f32::from(after.missing);
        let before = rules.inside(target.top, target.classes, SHIELD);
        let shields = match after.classes {
            0 => 0,
            classes => rules.inside(target.top, classes, SHIELD),
        };
        if self.mine {
            values[f::GAIN] = ore(taken + after.worth - target.worth);
            values[f::PRODUCTION_GAIN] = ore(after.production - target.production);
            values[f::EXPOSES] = ore(after.exposed - target.exposed);
            if before == 0 && shields > 0 {
                values[f::PROTECTS] = ore(after.worth);
            }
        } else {
            values[f::GAIN] = ore(taken);
            values[f::HARM] = ore(target.worth - after.worth);
            values[f::PRODUCTION_HARM] = ore(target.production - after.production);
            values[f::UNSHIELDS] = before.saturating_sub(shields) as f32;
        }
        Effect {
            values,
            option: STAYS,
            top: target.top,
            moved: self.load.class as u8,
            mine: self.mine,
            before: target.classes,
            left: after.classes,
            taken: 0,
        }
    }
}

#[inline(always)]
pub fn ore(worth: i32) -> f32 {
    worth as f32 / WORTH_UNITS as f32
}
