//! The features of the referee: it makes each move on a copy of the table and compares before and
//! after.

use super::events::Event;
use super::position::Position;
use super::stack::{Move, Stack};
use crate::formula::Formula;
use crate::game::plain::highest;
use crate::games::diamond_miner::cards::{
    ANVIL, CART, CLASSES, Counts, DIAMOND, ORE, SHIELD, SHOVEL, SWORD, WORTH_UNITS,
};
use crate::games::diamond_miner::features as f;
use crate::games::diamond_miner::recipes::Effect;
use crate::games::diamond_miner::rules::Rule;
use crate::streams;
use rand_xoshiro::Xoshiro128PlusPlus;
use std::cell::OnceCell;

pub struct View<'a> {
    pub table: &'a Position<'a>,
    /// The moves to choose from, besides to end the turn.
    pub moves: &'a [Move],
    pub seat: usize,
    /// Seat of the bot at that place.
    pub bot: usize,
    pub key: u64,
    /// Number of the decision in the game, from 0.
    pub decision: u64,
    /// The round, from 1.
    pub round: u32,
    pub made: u32,
    pub found: Found,
}

/// Features of the table, which are the same for all choices of a decision.
pub struct Found {
    features: Vec<OnceCell<f32>>,
    reach_of_others: OnceCell<[usize; CLASSES]>,
}

impl Found {
    pub fn nothing() -> Found {
        Found {
            features: vec![OnceCell::new(); f::VOCABULARY.features.len()],
            reach_of_others: OnceCell::new(),
        }
    }
}

impl View<'_> {
    /// The number of the choice with the highest score by `formula`: 0 to end the turn, then the
    /// moves.
    pub fn choose(&self, formula: &Formula, ties: &mut Xoshiro128PlusPlus) -> usize {
        let score = |row| {
            let answer = self.seen(row, |feature| formula.evaluate(feature).number());
            answer.expect("a bot of Diamond Miner answers with a number")
        };
        highest((0..=self.moves.len()).map(score), ties)
    }

    /// Every feature of the choice of this number: 0 to end the turn, then the moves.
    pub fn features(&self, row: usize) -> Vec<f32> {
        let all = 0..f::VOCABULARY.features.len();
        self.seen(row, |feature| all.map(feature).collect())
    }

    /// Calls `look` with a function for the features of a choice.
    fn seen<T>(&self, row: usize, look: impl FnOnce(&dyn Fn(usize) -> f32) -> T) -> T {
        let choice = row.checked_sub(1).map(|at| &self.moves[at]);
        let after = choice.map(|chosen| {
            let mut after = self.table.clone();
            let event = after.make(self.seat, chosen, &mut |_| 0);
            (chosen, after, event)
        });
        let found = vec![OnceCell::new(); f::OF_OWNER.end];
        look(&|feature| match feature {
            f::NOISE => streams::uniform(self.key, f::noise_counter(self.decision, row)),
            f::ENDS => f32::from(after.is_none()),
            feature if feature < f::OF_OWNER.end => match &after {
                None => 0.0,
                Some((chosen, after, event)) => {
                    *found[feature].get_or_init(|| self.of_move(feature, chosen, after, event))
                }
            },
            feature => *self.found.features[feature].get_or_init(|| self.of_table(feature)),
        })
    }

    fn of_move(&self, feature: usize, chosen: &Move, after: &Position, event: &Event) -> f32 {
        let Event::Moved {
            stack: stays,
            taken,
            ..
        } = event
        else {
            unreachable!("making a move is a move");
        };
        let (before, seat, owner) = (self.table, self.seat, chosen.owner);
        let mine = owner == seat;
        let target = &chosen.target;
        let card = chosen.source.top.class();
        let makes = |class: usize| {
            let taken = taken.iter().filter(|card| card.class() == class).count();
            let used = chosen.gives.as_ref().map_or(0, |rule| rule.need[class]);
            taken.saturating_sub(if mine { usize::from(used) } else { 0 }) as f32
        };
        let worth = |table: &Position, seat: usize| table.worth_of(&table.holdings(seat));
        let of_mine = |value: i32| if mine { ore(value) } else { 0.0 };
        let of_other = |value: i32| if mine { 0.0 } else { ore(value) };
        let missing = || match stays {
            Some(stack) => self.missing(stack),
            None if chosen.gives.is_some() => 0,
            None => f::MISSING_MAX,
        };
        let shields = |stack: &Stack| stack.shields(before.rules);
        let exposed = |stack: &Option<Stack>| stack.as_ref().map_or(0, |stack| self.exposed(stack));
        match feature {
            f::MINE => f32::from(mine),
            f::STEALS => f32::from(!mine && chosen.gives.is_some()),
            f::SPOILS => f32::from(!mine && chosen.gives.is_none()),
            f::CARD_WORTH => ore(before.rules.worth[card]),
            f::PLAYS_SHIELD => f32::from(card == SHIELD),
            f::PLAYS_SWORD => f32::from(card == SWORD),
            f::MAKES_SHOVEL..=f::MAKES_DIAMOND => makes(feature - f::MAKES_SHOVEL + SHOVEL),
            f::GAIN => ore(worth(after, seat) - worth(before, seat)),
            f::HARM => of_other(worth(before, owner) - worth(after, owner)),
            f::PRODUCTION_GAIN => ore(after.production(seat) - before.production(seat)),
            f::PRODUCTION_HARM => of_other(before.production(owner) - after.production(owner)),
            f::NEARER => self.missing(target) as f32 - missing() as f32,
            f::MISSING => missing() as f32,
            f::EXPOSES => of_mine(exposed(stays) - self.exposed(target)),
            f::PROTECTS => match stays {
                Some(stack) if mine && shields(target) == 0 && shields(stack) > 0 => {
                    ore(before.worth_of(&stack.counts()))
                }
                _ => 0.0,
            },
            f::UNSHIELDS if mine => 0.0,
            f::UNSHIELDS => {
                let left = stays.as_ref().map_or(0, shields);
                shields(target).saturating_sub(left) as f32
            }
            f::LACKS => match (stays, &chosen.gives) {
                (Some(stack), _) => {
                    self.missing_in(stack, &self.within_reach(chosen, stack)) as f32
                }
                (None, Some(_)) => 0.0,
                (None, None) => f::MISSING_MAX as f32,
            },
            f::ADVANCES => f32::from(match stays {
                Some(stack) => self.advances(chosen, stack),
                None => chosen.gives.is_some(),
            }),
            f::RISK => {
                let took = taken.iter().filter(|card| card.class() != ORE);
                let took = took.map(|card| Stack::loose(*card));
                let stays = stays.iter().filter(|_| mine).cloned();
                let after: i32 = took.chain(stays).map(|stack| self.at_risk(&stack)).sum();
                let was = if mine { self.at_risk(target) } else { 0 };
                ore(after - was - self.at_risk(&chosen.source))
            }
            f::OWNER_DIAMONDS => before.diamonds(owner) as f32,
            f::OWNER_TO_DIAMOND => ore(self.to_diamond(owner)),
            _ => unreachable!("feature {feature} is not one of a move"),
        }
    }

    fn of_table(&self, feature: usize) -> f32 {
        let (table, seat) = (self.table, self.seat);
        let others = || (0..table.tables.len()).filter(|other| *other != seat);
        let most = |of: &dyn Fn(usize) -> i32| others().map(of).max().unwrap_or(0);
        match feature {
            f::ORES..=f::SWORDS => table.movable(seat)[feature - f::ORES] as f32,
            f::PRODUCTION => ore(table.production(seat)),
            f::DIAMONDS => table.diamonds(seat) as f32,
            f::TO_DIAMOND => ore(self.to_diamond(seat)),
            f::BEST_PRODUCTION => ore(most(&|other| table.production(other))),
            f::BEST_DIAMONDS => most(&|other| table.diamonds(other) as i32) as f32,
            f::LEADER_TO_DIAMOND => {
                let all = others().map(|other| self.to_diamond(other));
                ore(all.min().unwrap_or(0))
            }
            f::WORTH_SHOVEL..=f::WORTH_ANVIL => {
                ore(table.rules.worth[feature - f::WORTH_SHOVEL + SHOVEL])
            }
            f::BANK_SHOVELS => table.bank[SHOVEL] as f32,
            f::BANK_CARTS => table.bank[CART] as f32,
            f::BANK_ANVILS => table.bank[ANVIL] as f32,
            f::MOVES_MADE => self.made as f32,
            f::ROUND => self.round as f32,
            f::PLAYERS => table.tables.len() as f32,
            f::TEMPER => streams::temper(self.key, self.bot),
            f::RANDOM => streams::uniform(self.key, f::random_counter(self.decision)),
            _ => unreachable!("feature {feature} is not in Diamond Miner's vocabulary"),
        }
    }

    /// The transformations printed on the top card of `stack`.
    fn transforms(&self, stack: &Stack) -> &[Rule] {
        self.table.rules.of(stack.top, Effect::Transform)
    }

    /// Cards that `stack` lacks for its next transformation.
    fn missing(&self, stack: &Stack) -> u32 {
        self.missing_in(stack, &stack.counts())
    }

    /// Cards of the next transformation of `stack` that are missing in `have`.
    fn missing_in(&self, stack: &Stack, have: &Counts) -> u32 {
        let transforms = self.transforms(stack).iter();
        let lacks = transforms.map(|rule| lacking(have, &rule.need));
        lacks.fold(f::MISSING_MAX, u32::min)
    }

    /// Whether the card of `chosen` is needed for a transformation that the mover can still make of
    /// `stack`.
    fn advances(&self, chosen: &Move, stack: &Stack) -> bool {
        let (before, after) = (chosen.target.counts(), stack.counts());
        let have = self.within_reach(chosen, stack);
        self.transforms(stack).iter().any(|rule| {
            lacking(&have, &rule.need) == 0
                && lacking(&after, &rule.need) < lacking(&before, &rule.need)
        })
    }

    /// The cards of `stack` after `chosen`, and those that the mover could then still add.
    fn within_reach(&self, chosen: &Move, stack: &Stack) -> Counts {
        let mut reach = self.table.movable(self.seat);
        reach[chosen.source.top.class()] -= 1;
        if chosen.owner == self.seat {
            reach[chosen.target.top.class()] -= 1;
        }
        reachable(stack, &reach)
    }

    /// Worth of a stack of the mover, if another could transform it in its next turn.
    fn at_risk(&self, stack: &Stack) -> i32 {
        if self.is_safe(stack) {
            return 0;
        }
        let reach = || self.table.reach_of_others(self.seat);
        let have = reachable(stack, self.found.reach_of_others.get_or_init(reach));
        let mut transforms = self.transforms(stack).iter();
        match transforms.find(|rule| lacking(&have, &rule.need) == 0) {
            Some(_) => self.table.worth_of(&stack.counts()),
            None => 0,
        }
    }

    /// Worth of the best transformation that another miner could make of `stack` with one card.
    fn exposed(&self, stack: &Stack) -> i32 {
        if self.is_safe(stack) {
            return 0;
        }
        let (have, transforms) = (stack.counts(), self.transforms(stack).iter());
        let near = transforms.filter(|rule| lacking(&have, &rule.need) == 1);
        let worths = near.map(|rule| self.table.worth_of(&rule.gives));
        worths.max().unwrap_or(0)
    }

    /// Whether nobody but its owner can put cards under `stack`, swords aside.
    fn is_safe(&self, stack: &Stack) -> bool {
        stack.shields(self.table.rules) > 0 || stack.top.class() == ANVIL
    }

    /// Worth of the cards that `seat` lacks for the nearest diamond.
    fn to_diamond(&self, seat: usize) -> i32 {
        let have = self.table.holdings(seat);
        let lack = |need: &Counts| {
            let mut lack = [0; CLASSES];
            (0..DIAMOND).for_each(|class| lack[class] = need[class].saturating_sub(have[class]));
            self.table.worth_of(&lack)
        };
        let needs = self.table.rules.diamond_needs();
        needs.map(lack).min().unwrap_or(0)
    }
}

/// The cards of a stack and those that could be added.
fn reachable(stack: &Stack, reach: &[usize; CLASSES]) -> Counts {
    let counts = stack.counts();
    std::array::from_fn(|class| (usize::from(counts[class]) + reach[class]).min(127) as u8)
}

/// The number of cards of `need` missing in `have`.
fn lacking(have: &Counts, need: &Counts) -> u32 {
    let pairs = have.iter().zip(need);
    let short = pairs.map(|(have, need)| need.saturating_sub(*have));
    short.map(u32::from).sum()
}

fn ore(worth: i32) -> f32 {
    worth as f32 / WORTH_UNITS as f32
}
