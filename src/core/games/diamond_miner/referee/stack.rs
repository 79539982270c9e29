//! The referee's stacks: lists of cards, and moves of one under another.

use crate::games::diamond_miner::cards::{CLASSES, Card, Counts, ORE, SHIELD, SWORD};
use crate::games::diamond_miner::rules::{Arms, MinerRules, Rule};
use crate::games::diamond_miner::snapshot::{Fronts, PlainStack};

/// A card on the table with those under it, which are sorted, since their order does not matter. A
/// loose card has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    pub top: Card,
    /// The cards below, sorted.
    pub under: Vec<Card>,
}

impl Stack {
    pub fn loose(card: Card) -> Stack {
        Stack {
            top: card,
            under: Vec::new(),
        }
    }

    /// All its cards, the top card first.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        std::iter::once(self.top).chain(self.under.iter().copied())
    }

    /// The cards discarded when its top card moves.
    pub fn discarded(&self) -> Vec<Card> {
        let stays = |card: &Card| !matches!(card.class(), SHIELD | SWORD);
        self.under.iter().copied().filter(stays).collect()
    }

    pub fn counts(&self) -> Counts {
        let mut counts = [0; CLASSES];
        self.cards().for_each(|card| counts[card.class()] += 1);
        counts
    }

    /// Shields in the stack: those under the top card, and that card where the rules count it.
    pub fn shields(&self, rules: &MinerRules) -> usize {
        let below = if rules.top_arms_count { 0 } else { 1 };
        let cards = self.cards().skip(below);
        cards.filter(|card| card.class() == SHIELD).count()
    }

    /// The stack as counts, by which stacks and moves are sorted.
    pub fn plain(&self) -> PlainStack {
        PlainStack {
            top: self.top,
            fronts: fronts(self.cards().filter(|card| card.class() == ORE)),
            classes: self.counts(),
        }
    }
}

/// Copies of these ore cards by front.
pub fn fronts(cards: impl Iterator<Item = Card>) -> Fronts {
    let mut fronts = Fronts::default();
    cards.for_each(|card| fronts[usize::from(card.0)] += 1);
    fronts
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The mover's stack that gives its top card.
    pub source: Stack,
    pub owner: usize,
    pub target: Stack,
    /// The transformation that it completes, if any.
    pub gives: Option<Rule>,
}

/// The shields and swords under the top card of `source`.
fn arms(source: &Stack) -> impl Iterator<Item = Card> + '_ {
    let cards = source.under.iter().copied();
    cards.filter(|card| matches!(card.class(), SHIELD | SWORD))
}

/// The cards that travel when the top card of `source` moves, including that card.
pub fn travelling(rules: &MinerRules, source: &Stack) -> Vec<Card> {
    let mut cards = vec![source.top];
    if rules.arms == Arms::Travel {
        cards.extend(arms(source));
    }
    cards
}

/// The shields and swords that stay as loose cards when the top card of `source` moves.
pub fn staying(rules: &MinerRules, source: &Stack) -> Vec<Card> {
    match rules.arms {
        Arms::Travel => Vec::new(),
        Arms::Stay => arms(source).collect(),
    }
}

pub struct Joined {
    /// The stack; `None` if its top card was a shield or sword that left it.
    pub stack: Option<Stack>,
    pub gone: Vec<Card>,
    pub pairs: usize,
}

/// Puts the top card of `source` under `target`.
pub fn joined(rules: &MinerRules, source: &Stack, target: &Stack) -> Joined {
    let mut under = target.under.clone();
    under.extend(travelling(rules, source));
    under.sort_unstable();
    if rules.top_arms_count {
        // As the last, so that it leaves the stack last.
        under.push(target.top);
    }
    let mut gone = Vec::new();
    let mut pairs = 0;
    loop {
        let find = |class| under.iter().position(|card| card.class() == class);
        let (Some(shield), Some(sword)) = (find(SHIELD), find(SWORD)) else {
            break;
        };
        gone.push(under.remove(shield.max(sword)));
        gone.push(under.remove(shield.min(sword)));
        pairs += 1;
    }
    let top = if rules.top_arms_count {
        under.pop_if(|card| *card == target.top)
    } else {
        Some(target.top)
    };
    let stack = match top {
        Some(top) => Some(Stack { top, under }),
        None => {
            gone.extend(under);
            None
        }
    };
    Joined { stack, gone, pairs }
}
