//! The features of the referee: each in its plainest form.

use super::Referee;
use crate::games::diamant::features as f;
use crate::games::diamant::rules::Chests;
use crate::games::diamant::snapshot::{Snapshot, Standing};
use crate::streams;

impl Referee<'_> {
    /// The value of `feature` for `seat` now.
    pub(super) fn feature(&self, feature: usize, seat: usize) -> f32 {
        let explorers = &self.at.explorers;
        let best = |which: &dyn Fn(&Standing) -> bool| {
            let seats = explorers.iter().enumerate();
            let others = seats.filter(|(other, explorer)| *other != seat && which(explorer));
            let chests = others.map(|(_, explorer)| explorer.chest);
            chests.max().unwrap_or(0)
        };
        match feature {
            f::HELD => self.at.held as f32,
            f::LEFTOVER => self.at.leftover() as f32,
            f::RELICS_ON_PATH => self.at.on_path(self.rules).0.len() as f32,
            f::RELIC_WORTH => self.relic_worth() as f32,
            f::TRAPS_SEEN => self.traps_seen() as f32,
            f::BUST_RISK => {
                let deadly = self.at.deadly(self.rules);
                match self.at.deck.count_ones() {
                    0 => 0.0,
                    left => deadly.count_ones() as f32 / left as f32,
                }
            }
            f::TREASURE_LEFT => self.rules.rubies_in(self.at.deck) as f32,
            f::CARDS_REVEALED => self.at.revealed as f32,
            f::CARDS_LEFT => self.at.deck.count_ones() as f32,
            f::EXPLORERS => self.inside().len() as f32,
            f::PLAYERS => explorers.len() as f32,
            f::ROUND => (self.at.round + 1) as f32,
            f::ROUNDS_LEFT => (self.rules.rounds - self.at.round - 1) as f32,
            f::JUST_LEFT => self.at.just_left as f32,
            f::CHESTS_OPEN => f32::from(u8::from(self.rules.chests == Chests::Open)),
            f::CHEST => explorers[seat].chest as f32,
            f::BEST_OTHER_CHEST => best(&|_| true) as f32,
            f::BEST_INSIDE => best(&|other| other.inside) as f32,
            f::BEST_OUTSIDE => best(&|other| !other.inside) as f32,
            f::RANK => {
                let own = explorers[seat].chest;
                let richer = explorers.iter().filter(|other| other.chest > own);
                1.0 + richer.count() as f32
            }
            f::RANDOM => {
                let Snapshot {
                    round, revealed, ..
                } = self.at;
                streams::uniform(self.key(), f::random_counter(round, revealed, seat))
            }
            f::TEMPER => streams::temper(self.key(), seat),
            _ => unreachable!("feature {feature} is not in Diamant's vocabulary"),
        }
    }
}
