//! Leaving the cave: the rubies and relics brought home.

use super::{Event, Referee, Watch};
use crate::games::diamant::bonus::bonus;
use crate::games::diamant::features as f;
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{Card, Chests, TakenBy};

impl Referee<'_> {
    /// Explorers leave together: each banks what they hold, `held` rubies, a share of the path, and
    /// the bonus of the bank; a lone leaver, or the last one inside, takes the relics too.
    pub(super) fn leave(&mut self, leavers: &[usize], held: i32, watch: &mut dyn Watch) {
        if leavers.is_empty() {
            return;
        }
        let bonus = bonus(self.rules, &self.at, leavers.len(), held);
        let share = self.share(leavers.len());
        for pile in &mut self.at.piles {
            *pile %= leavers.len() as i32;
        }
        let cards = self.at.revealed as usize;
        let alone = leavers.len() == 1;
        let takes = alone
            && match self.rules.taken_by {
                TakenBy::LoneLeaver => true,
                TakenBy::LastInside => self.inside().len() == 1,
            };
        let (relics, worth) = if takes { self.take_relics() } else { (0, 0) };
        for &seat in leavers {
            let explorer = &mut self.at.explorers[seat];
            explorer.inside = false;
            explorer.chest += held + share + worth + bonus;
            explorer.relics += relics;
            let outcomes = &mut self.result.seats[seat];
            outcomes[o::LEFT] += 1;
            outcomes[o::LEFT_ALONE] += i32::from(alone);
            outcomes[o::CARDS_AT_LEAVING] += cards as i32;
            self.departures.push((seat, cards));
        }
        watch.event(Event::Left {
            leavers: leavers.iter().map(|&seat| (seat, held)).collect(),
            share,
            leftover: self.at.leftover(),
            relics,
            worth,
            bonus,
        });
    }

    /// The rubies each of `leavers` takes when they leave together.
    pub(super) fn share(&self, leavers: usize) -> i32 {
        self.at.piles.iter().map(|pile| pile / leavers as i32).sum()
    }

    /// Takes all relics off the path and out of the game; returns their number and worth.
    pub(super) fn take_relics(&mut self) -> (u32, i32) {
        let (worths, _) = self.at.on_path(self.rules);
        let relics = worths.len() as u32;
        self.remove_relics();
        self.result.table[o::CLAIMED] += relics as i32;
        self.at.claimed += relics;
        (relics, worths.into_iter().sum())
    }

    /// The relics on the path leave the game.
    pub(super) fn remove_relics(&mut self) {
        let relics = self.rules.set_of(|card| matches!(card, Card::Relic(_)));
        self.at.in_game &= !relics | self.at.deck;
    }

    /// What each explorer inside would take home if all left now; a single one takes relics, too.
    pub fn take_home(&self) -> i32 {
        let inside = self.inside();
        match inside.len() {
            0 => 0,
            1 => self.at.held + self.at.leftover() + self.relic_worth(),
            inside => self.at.held + self.share(inside),
        }
    }

    /// What people look at: the rubies that an explorer would take home, the traps showing, and its
    /// share of the relics that only one who leaves alone gets; then 1 or 0 whether it sees in the
    /// last expedition that leaving would not put its chest ahead, and whether it sees that it
    /// would.
    pub fn habit(&self, seat: usize) -> Vec<f64> {
        let relics = match self.inside().len() {
            0 | 1 => 0.0,
            inside => f64::from(self.relic_worth()) / inside as f64,
        };
        let knows = self.is_last() && self.rules.chests == Chests::Open;
        let best = self.feature(f::BEST_OTHER_CHEST, seat) as i32;
        let ahead = self.at.explorers[seat].chest + self.take_home() > best;
        vec![
            f64::from(self.take_home()),
            self.traps_seen() as f64,
            relics,
            f64::from(u8::from(knows && !ahead)),
            f64::from(u8::from(knows && ahead)),
        ]
    }

    /// The worth of the relics on the path to a lone leaver.
    pub(super) fn relic_worth(&self) -> i32 {
        self.at.on_path(self.rules).0.into_iter().sum()
    }
}
