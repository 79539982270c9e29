//! Leaving the cave: the rubies and relics brought home.

use super::{Event, Referee, Watch};
use crate::game::SCORE;
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{Card, Worth};

impl Referee<'_> {
    /// Explorers leave together: each banks what they hold and a share of the path, and a lone
    /// leaver takes the relics too.
    pub(super) fn leave(&mut self, leavers: &[usize], watch: &mut dyn Watch) {
        if leavers.is_empty() {
            return;
        }
        let share = self.share(leavers.len());
        for pile in &mut self.piles {
            *pile %= leavers.len() as i32;
        }
        let cards = self.path.len();
        let alone = leavers.len() == 1;
        let (relics, worth) = if alone { self.take_relics() } else { (0, 0) };
        let mut held = Vec::new();
        for &seat in leavers {
            let explorer = &mut self.result.explorers[seat];
            explorer.inside = false;
            let outcomes = &mut explorer.outcomes;
            outcomes[SCORE] += explorer.held + share + worth;
            outcomes[o::RELICS] += relics as i32;
            outcomes[o::LEFT] += 1;
            outcomes[o::LEFT_ALONE] += i32::from(alone);
            outcomes[o::CARDS_AT_LEAVING] += cards as i32;
            held.push((seat, explorer.held));
            self.departures.push((seat, cards));
        }
        watch.event(Event::Left {
            leavers: held,
            share,
            leftover: self.leftover(),
            relics,
            worth,
        });
    }

    /// The rubies each of `leavers` takes when they leave together.
    pub(super) fn share(&self, leavers: usize) -> i32 {
        self.piles.iter().map(|pile| pile / leavers as i32).sum()
    }

    /// Takes all relics off the path and out of the game; returns their number and worth.
    pub(super) fn take_relics(&mut self) -> (u32, i32) {
        let worth = self.relic_worth();
        let relics = self.relics_on_path();
        for &card in &self.path {
            if matches!(self.rules.cards[card], Card::Relic(_)) {
                self.box_set &= !(1 << card);
            }
        }
        self.result.table[o::CLAIMED] += relics as i32;
        self.used_up += relics as i32;
        (relics, worth)
    }

    /// What each explorer inside would take home if all left now; a single one takes relics, too.
    pub fn take_home(&self) -> i32 {
        let inside = self.inside();
        let held = |seat: usize| self.result.explorers[seat].held;
        match inside[..] {
            [] => 0,
            [alone] => held(alone) + self.leftover() + self.relic_worth(),
            [first, ..] => held(first) + self.share(inside.len()),
        }
    }

    /// What people look at: the rubies that an explorer would take home, the traps showing, and its
    /// share of the relics that only one who leaves alone gets.
    pub fn habit(&self) -> Vec<f64> {
        let relics = match self.inside().len() {
            0 | 1 => 0.0,
            inside => f64::from(self.relic_worth()) / inside as f64,
        };
        vec![
            f64::from(self.take_home()),
            self.traps_seen() as f64,
            relics,
        ]
    }

    /// Relics still lying on the path.
    pub(super) fn relics_lying(&self) -> impl Iterator<Item = u8> + '_ {
        self.path
            .iter()
            .filter_map(|&card| match self.rules.cards[card] {
                Card::Relic(relic) if self.box_set >> card & 1 == 1 => Some(relic),
                _ => None,
            })
    }

    /// The relic that joined in this place.
    pub(super) fn relic(&self, place: u8) -> u8 {
        let relic = self.relics.get(usize::from(place));
        relic.copied().flatten().unwrap_or(place)
    }

    pub(super) fn relics_on_path(&self) -> u32 {
        self.relics_lying().count() as u32
    }

    /// The worth of the relics on the path to a lone leaver.
    pub(super) fn relic_worth(&self) -> i32 {
        let worth = (0..).zip(self.relics_lying()).map(|(next, place)| {
            let relic = match self.rules.worth {
                Worth::Printed => usize::from(self.relic(place)),
                Worth::ClaimOrder | Worth::ExitOrder => self.used_up as usize + next,
            };
            i32::from(self.rules.relics[relic])
        });
        worth.sum()
    }
}
