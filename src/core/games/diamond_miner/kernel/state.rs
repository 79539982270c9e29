//! The kernel's table: stacks packed into words, equal stacks stored once, of fixed size.
//!
//! A miner's table is a sorted list of different stacks with their number of copies, so each is one
//! source and one target of moves. Sums that moves change (holdings, production) are updated.
//! `moves` lists what may be done; `kernel` decides when.

use super::words::{Word, count, covers, lacking, larger, one, pack, total};
use crate::games::diamond_miner::cards::{
    ANVIL, CARDS_MAX, CLASSES, Card, DIAMOND, FRONTS_MAX, KINDS, ORE, SHIELD, SWORD,
};
use crate::games::diamond_miner::features::MISSING_MAX;
use crate::games::diamond_miner::recipes::Effect;
use crate::games::diamond_miner::rules::{MinerRules, Reshuffle, SEATS_MAX};
use crate::streams::below;
use rand_xoshiro::Xoshiro128PlusPlus;

/// Most different stacks that a miner can have. There are 13 loose cards that differ (a diamond is
/// only counted), and of the other cards at least two are in each further stack.
pub const PILES_MAX: usize = MOVABLE + (CARDS_MAX - MOVABLE) / 2;
const MOVABLE: usize = KINDS - 1;

const _: () = assert!(PILES_MAX <= u8::MAX as usize);

#[derive(Debug, Clone, Copy)]
pub struct PackedRule {
    /// Its position in the list of all recipes.
    pub number: usize,
    pub need: Word,
    pub gives: Word,
    pub worth: i32,
}

#[derive(Debug, Clone)]
pub struct PackedRules {
    pub plain: MinerRules,
    pub transforms: [Vec<PackedRule>; KINDS],
    pub productions: [Vec<PackedRule>; KINDS],
    /// A loose card of each kind.
    pub loose: [Pile; KINDS],
    /// Needs of all recipes that give a diamond.
    pub diamonds: Vec<Word>,
    /// Of each class, the most that a transformation gives.
    pub gives_most: Word,
    /// Worth of a card by class; the eighth is 0.
    pub worth: [i32; 8],
    /// The bank before the game; in the ore lane, the cards of the ore deck.
    pub bank: Word,
    /// The ore deck before the game, by front.
    pub deck: Word,
}

impl PackedRules {
    pub fn new(rules: &MinerRules) -> Self {
        let mut worth = [0; 8];
        worth[..CLASSES].copy_from_slice(&rules.worth);
        let mut packed = PackedRules {
            plain: rules.clone(),
            transforms: Default::default(),
            productions: Default::default(),
            loose: [Pile::default(); KINDS],
            diamonds: rules.diamond_needs().map(pack).collect(),
            gives_most: 0,
            worth,
            bank: pack(&rules.copies()),
            deck: 0,
        };
        for (front, (_, cards)) in rules.fronts.iter().enumerate() {
            packed.deck += Word::from(*cards) * one(front);
        }
        for (number, rule) in rules.recipes.iter().enumerate() {
            let gives = pack(&rule.gives);
            let packed_rule = PackedRule {
                number,
                need: pack(&rule.need),
                gives,
                worth: packed.worth_of(gives),
            };
            let top = usize::from(rule.top.0);
            if rule.effect == Effect::Transform {
                packed.gives_most = larger(packed.gives_most, gives);
                packed.transforms[top].push(packed_rule);
            } else {
                packed.productions[top].push(packed_rule);
            }
        }
        for kind in 0..KINDS {
            let card = Card(kind as u8);
            let fronts = if card.class() == ORE { one(kind) } else { 0 };
            packed.loose[kind] = packed.stack(card, fronts, one(card.class()));
        }
        packed
    }

    #[inline(always)]
    pub fn worth_of(&self, classes: Word) -> i32 {
        let of = |class| count(classes, class) as i32 * self.worth[class];
        of(0) + of(1) + of(2) + of(3) + of(4) + of(5) + of(6)
    }

    /// Shields or swords in a stack of these cards.
    #[inline(always)]
    pub fn inside(&self, top: Card, classes: Word, class: usize) -> u32 {
        count(classes, class) - (top.class() == class && !self.plain.top_arms_count) as u32
    }

    /// Worth of what a stack of these cards below `top` produces each turn.
    #[inline(always)]
    pub fn production_of(&self, top: Card, classes: Word) -> i32 {
        let mut worth = 0;
        for rule in &self.productions[usize::from(top.0)] {
            if covers(classes, rule.need) {
                worth += rule.worth;
            }
        }
        worth
    }

    /// Lists the production of a miner's stacks each turn: recipes, and how often each.
    #[inline(always)]
    pub fn output(&self, mine: &Mine, mut list: impl FnMut(&PackedRule, u32)) {
        if mine.production == 0 {
            return;
        }
        for stack in mine.piles().iter().filter(|stack| stack.production > 0) {
            let productions = self.productions[usize::from(stack.top.0)].iter();
            for rule in productions.filter(|rule| covers(stack.classes, rule.need)) {
                list(rule, u32::from(stack.copies));
            }
        }
    }

    /// Cards that such a stack lacks for its next transformation, and the worth of the best
    /// transformation that another miner could make of it with one card.
    #[inline(always)]
    pub fn prospect(&self, top: Card, classes: Word) -> (u32, i32) {
        let mut missing = MISSING_MAX;
        let mut exposed = 0;
        for rule in &self.transforms[usize::from(top.0)] {
            let lack = lacking(classes, rule.need);
            missing = missing.min(lack);
            if lack == 1 {
                exposed = exposed.max(rule.worth);
            }
        }
        let safe = top.class() == ANVIL || self.inside(top, classes, SHIELD) > 0;
        (missing, if safe { 0 } else { exposed })
    }

    /// The stack of these cards, `top` included.
    pub fn stack(&self, top: Card, fronts: Word, classes: Word) -> Pile {
        let (missing, exposed) = self.prospect(top, classes);
        Pile {
            fronts,
            classes,
            worth: self.worth_of(classes),
            production: self.production_of(top, classes),
            exposed,
            missing: missing as u8,
            top,
            copies: 1,
        }
    }
}

/// Equal stacks of a miner: their contents and derived values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pile {
    /// Ore by front, the top card included.
    pub fronts: Word,
    /// Cards by class, the top card included.
    pub classes: Word,
    /// Worth of all cards of one.
    pub worth: i32,
    /// Worth of what one produces each turn.
    pub production: i32,
    /// Worth of the best transformation that another miner could make of it with one card.
    pub exposed: i32,
    /// Cards it lacks for its next transformation.
    pub missing: u8,
    pub top: Card,
    pub copies: u8,
}

impl Pile {
    /// The sort key of stacks; equal for equal stacks.
    #[inline(always)]
    pub fn rank(&self) -> (u8, Word, Word) {
        (self.top.0, self.fronts, self.classes)
    }
}

#[derive(Debug, Clone)]
pub struct Mine {
    stacks: [Pile; PILES_MAX],
    len: usize,
    /// All cards by class, diamonds included.
    pub holdings: Word,
    /// The cards that can be moved: loose ones and tops.
    pub movable: Word,
    /// Worth of what all stacks produce each turn.
    pub production: i32,
}

impl Mine {
    #[inline(always)]
    pub fn piles(&self) -> &[Pile] {
        &self.stacks[..self.len]
    }

    #[inline(always)]
    pub fn diamonds(&self) -> u32 {
        count(self.holdings, DIAMOND)
    }

    pub fn put(&mut self, stack: &Pile) {
        self.holdings += stack.classes;
        self.movable += one(stack.top.class());
        self.production += stack.production;
        let rank = stack.rank();
        let found = self.piles().iter().position(|known| known.rank() >= rank);
        let at = found.unwrap_or(self.len);
        if found.is_some() && self.stacks[at].rank() == rank {
            self.stacks[at].copies += 1;
            return;
        }
        assert!(self.len < PILES_MAX, "the bound on stacks holds");
        self.stacks.copy_within(at..self.len, at + 1);
        self.stacks[at] = Pile {
            copies: 1,
            ..*stack
        };
        self.len += 1;
    }

    /// Takes one of the stacks at `index`; returns whether it was the last of them.
    pub fn lift(&mut self, index: usize) -> bool {
        let stack = &mut self.stacks[index];
        self.holdings -= stack.classes;
        self.movable -= one(stack.top.class());
        self.production -= stack.production;
        stack.copies -= 1;
        if stack.copies > 0 {
            return false;
        }
        self.stacks.copy_within(index + 1..self.len, index);
        self.len -= 1;
        true
    }
}

#[derive(Debug, Clone)]
pub struct State {
    /// The miners, by seat.
    pub mines: [Mine; SEATS_MAX],
    /// The bank by class; in the ore lane, the cards of deck and discard pile together.
    pub bank: Word,
    /// The ore deck and its discard pile, by front.
    pub deck: Word,
    pub discard: Word,
}

impl State {
    pub fn new() -> Self {
        let mine = Mine {
            stacks: [Pile::default(); PILES_MAX],
            len: 0,
            holdings: 0,
            movable: 0,
            production: 0,
        };
        State {
            mines: std::array::from_fn(|_| mine.clone()),
            bank: 0,
            deck: 0,
            discard: 0,
        }
    }

    pub fn start(&mut self, rules: &PackedRules) {
        for mine in &mut self.mines {
            mine.len = 0;
            mine.holdings = 0;
            mine.movable = 0;
            mine.production = 0;
        }
        self.deck = rules.deck;
        self.discard = 0;
        self.bank = rules.bank;
    }

    /// Puts up to `due` cards of a class in front of `seat`, and returns how many.
    pub fn draw(
        &mut self,
        rules: &PackedRules,
        seat: usize,
        class: usize,
        due: u32,
        luck: &mut Xoshiro128PlusPlus,
    ) -> u32 {
        let copies = due.min(count(self.bank, class));
        self.bank -= Word::from(copies) * one(class);
        for _ in 0..copies {
            let card = match class {
                ORE => self.draw_ore(rules, luck),
                class => Card::of(class),
            };
            if class == DIAMOND {
                self.mines[seat].holdings += one(DIAMOND);
                continue;
            }
            self.mines[seat].put(&rules.loose[usize::from(card.0)]);
        }
        copies
    }

    fn draw_ore(&mut self, rules: &PackedRules, luck: &mut Xoshiro128PlusPlus) -> Card {
        if self.deck == 0 {
            self.deck = std::mem::take(&mut self.discard);
        }
        let mut chosen = below(luck, total(self.deck) as usize) as u32;
        for front in 0..FRONTS_MAX {
            let cards = count(self.deck, front);
            if chosen < cards {
                self.deck -= one(front);
                self.reshuffle_at_once(rules);
                return Card(front as u8);
            }
            chosen -= cards;
        }
        unreachable!("a card is picked from those that are there")
    }

    /// Puts cards on the ore discard pile and back into the bank.
    #[inline(always)]
    pub fn discard(&mut self, rules: &PackedRules, fronts: Word, classes: Word) {
        self.discard += fronts;
        self.bank += classes;
        self.reshuffle_at_once(rules);
    }

    #[inline(always)]
    fn reshuffle_at_once(&mut self, rules: &PackedRules) {
        if rules.plain.reshuffle == Reshuffle::AtOnce && self.deck == 0 {
            self.deck = std::mem::take(&mut self.discard);
        }
    }
}

/// Shields and swords of `classes`.
#[inline(always)]
pub const fn arms(classes: Word) -> Word {
    classes & ((0xff * one(SHIELD)) | (0xff * one(SWORD)))
}
