//! What is seen in games: which kinds of card are revealed, and whether the deck runs out.

use super::referee::{Event, Watch};
use super::rules::{Card, DiamantRules};
use crate::game::Census;
use std::collections::BTreeMap;

/// Counts over games, each ended by [`Self::end`].
pub struct Sights<'a> {
    rules: &'a DiamantRules,
    /// By kind of card, the games in which it was revealed, and whether it was in this one.
    seen: BTreeMap<String, (u64, bool)>,
    ran_out: (u64, bool),
}

impl<'a> Sights<'a> {
    pub fn new(rules: &'a DiamantRules) -> Self {
        let mut sights = Sights {
            rules,
            seen: BTreeMap::new(),
            ran_out: (0, false),
        };
        for card in &rules.cards {
            sights.seen.insert(sights.name(*card), (0, false));
        }
        sights
    }

    fn name(&self, card: Card) -> String {
        match card {
            Card::Treasure(value) => format!("treasure {value}"),
            Card::Trap(kind) => self.rules.traps[usize::from(kind)].clone(),
            Card::Relic(relic) => self.rules.relic_name(relic),
        }
    }

    pub fn end(&mut self) {
        for (games, now) in self.seen.values_mut().chain([&mut self.ran_out]) {
            *games += u64::from(*now);
            *now = false;
        }
    }

    pub fn census(self) -> Census {
        let seen = self.seen.into_iter();
        Census {
            seen: seen.map(|(name, (games, _))| (name, games)).collect(),
            ran_out: self.ran_out.0,
        }
    }
}

impl Watch for Sights<'_> {
    fn event(&mut self, event: Event) {
        let card = match event {
            Event::Treasure { value, .. } => Card::Treasure(value),
            Event::Trap { kind, .. } | Event::Bust { kind, .. } => Card::Trap(kind),
            Event::Relic { relic } => Card::Relic(relic),
            Event::DeckEmpty => {
                self.ran_out.1 = true;
                return;
            }
            Event::Expedition { .. } | Event::Left { .. } | Event::ExpeditionEnded { .. } => return,
        };
        if let Some((_, now)) = self.seen.get_mut(&self.name(card)) {
            *now = true;
        }
    }
}
