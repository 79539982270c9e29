//! The referee's stacks: cards in lists, and what happens when one goes under another.

use crate::games::diamond_miner::cards::{CLASSES, Card, Counts, ORE, SHIELD, SWORD};
use crate::games::diamond_miner::rules::Rule;

/// A card on the table with those under it, which are kept sorted: their order does not matter.
/// A loose card has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// The card on top.
    pub top: Card,
    /// The cards below, sorted.
    pub under: Vec<Card>,
}

impl Stack {
    /// A card by itself.
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

    /// Copies by class.
    pub fn counts(&self) -> Counts {
        let mut counts = [0; CLASSES];
        self.cards().for_each(|card| counts[card.class()] += 1);
        counts
    }

    /// Shields under the top card.
    pub fn shields(&self) -> usize {
        self.under
            .iter()
            .filter(|card| card.class() == SHIELD)
            .count()
    }

    /// What moves sort by: the top card, then the fronts of all its ore, then all its classes.
    pub fn rank(&self) -> (Card, [u8; 8], Counts) {
        let mut fronts = [0; 8];
        let ore = self.cards().filter(|card| card.class() == ORE);
        ore.for_each(|card| fronts[usize::from(card.0)] += 1);
        (self.top, fronts, self.counts())
    }
}

/// Putting a card under another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The mover's stack whose top card moves.
    pub source: Stack,
    /// Whose stack the card goes under.
    pub owner: usize,
    /// That stack.
    pub target: Stack,
    /// What the mover takes, if that completes a transformation.
    pub gives: Option<Rule>,
}

/// The cards that go along when the top card of `source` moves: it, and shields and swords.
pub fn travelling(source: &Stack) -> Vec<Card> {
    let mut cards = vec![source.top];
    let along = source
        .under
        .iter()
        .filter(|card| matches!(card.class(), SHIELD | SWORD));
    cards.extend(along);
    cards
}

/// The stack after the top card of `source` went under `target`, and how many pairs of shield and
/// sword left it.
pub fn joined(source: &Stack, target: &Stack) -> (Stack, usize) {
    let mut stack = target.clone();
    stack.under.extend(travelling(source));
    stack.under.sort_unstable();
    let mut pairs = 0;
    loop {
        let find = |class| stack.under.iter().position(|card| card.class() == class);
        let (Some(shield), Some(sword)) = (find(SHIELD), find(SWORD)) else {
            return (stack, pairs);
        };
        stack.under.remove(shield.max(sword));
        stack.under.remove(shield.min(sword));
        pairs += 1;
    }
}
