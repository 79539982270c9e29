//! Playing on: lanes that begin in the middle of a game.

use super::lanes::{Lanes, MISSED, NOT_YET, PLANES};
use super::prepared::Kernel;
use super::vectors::GROUP;
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{Card, Leftovers};
use crate::games::diamant::snapshot::{Settled, Snapshot};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, prelude::*, u8x64};

/// The common start of every lane, and the first decision.
pub struct Start {
    pub position: Snapshot,
    seen: u8,
    seen_again: [u8; 2],
    rests: [u8; SEATS_MAX - 1],
    decides: bool,
    leftover: u16,
    treasure_left: u16,
    relics: u8,
    relic_worth: u16,
    copies: [u8; 8],
    danger: u8,
    inside: u8,
    /// The seats with a settled first decision, and which of them leave, one bit per seat.
    settled: u8,
    leave: u8,
    /// For each playout, the seats that left at the first decision, one bit each.
    pub leavers: Vec<u8>,
}

/// A set of seats, one bit each.
fn seats(seats: impl Iterator<Item = usize>) -> u8 {
    seats.fold(0, |set, seat| set | 1 << seat)
}

impl Start {
    /// Prepares `playouts` playouts from `position`.
    pub fn new(kernel: &Kernel, position: &Snapshot, settled: &Settled, playouts: usize) -> Start {
        let rules = &kernel.rules;
        let mut copies = [0; 8];
        for card in rules.cards_in(position.in_game) {
            if let Card::Trap(kind) = card {
                copies[usize::from(kind)] += 1;
            }
        }
        let (relics, traps) = position.on_path(rules);
        let mut seen = 0;
        let mut seen_again = [0; 2];
        for kind in traps {
            let kind = 1 << kind;
            seen_again[1] |= kind & seen_again[0];
            seen_again[0] |= kind & seen;
            seen |= kind;
        }
        let mut rests = [0; SEATS_MAX - 1];
        if rules.leftovers == Leftovers::PerCard {
            for &rest in position.piles.iter().filter(|rest| **rest > 0) {
                rests[rest as usize - 1] += 1;
            }
        }
        let danger = (0..8).filter(|kind| seen >> kind & 1 == 1);
        Start {
            position: position.clone(),
            seen,
            seen_again,
            rests,
            decides: position.revealed > 0 || rules.decides_at_entrance(),
            leftover: position.leftover() as u16,
            treasure_left: rules.rubies_in(position.deck) as u16,
            relics: relics.len() as u8,
            relic_worth: relics.iter().sum::<i32>() as u16,
            copies,
            danger: danger.map(|kind| copies[kind] - 1).sum(),
            inside: seats(position.inside()),
            settled: seats((0..kernel.layout.seats).filter(|&seat| settled[seat].is_some())),
            leave: seats((0..kernel.layout.seats).filter(|&seat| settled[seat] == Some(true))),
            leavers: vec![0; playouts],
        }
    }

    /// Puts the lane into the position; the lane's game is set already.
    #[inline(always)]
    pub fn fill(&self, lanes: &mut Lanes, lane: usize) {
        let position = &self.position;
        lanes.round.0[lane] = position.round as u8;
        let [deck, in_game] = [position.deck, position.in_game].map(u64::to_le_bytes);
        for plane in 0..PLANES {
            lanes.deck[plane].0[lane] = deck[plane];
            lanes.in_game[plane].0[lane] = in_game[plane];
        }
        lanes.deck_size.0[lane] = (position.deck.count_ones() + position.revealed) as u8;
        lanes.seen.0[lane] = self.seen;
        for (bytes, byte) in lanes.seen_again.iter_mut().zip(self.seen_again) {
            bytes.0[lane] = byte;
        }
        for (bytes, byte) in lanes.rests.iter_mut().zip(self.rests) {
            bytes.0[lane] = byte;
        }
        lanes.revealed.0[lane] = position.revealed as u8;
        lanes.just_left.0[lane] = position.just_left as u8;
        lanes.held.0[lane] = position.held as u16;
        lanes.leftover.0[lane] = self.leftover;
        lanes.treasure_left.0[lane] = self.treasure_left;
        lanes.relics.0[lane] = self.relics;
        lanes.relic_worth.0[lane] = self.relic_worth;
        lanes.claimed.0[lane] = position.claimed as u8;
        for (copies, here) in lanes.copies.iter_mut().zip(self.copies) {
            copies.0[lane] = here;
        }
        lanes.danger.0[lane] = self.danger;
        lanes.inside.0[lane] = self.inside;
        lanes.pending.0[lane] = 0;
        lanes.trap.0[lane] = MISSED;
        lanes.fresh.0[lane] = if self.decides { u8::MAX } else { 0 };
        for (seat, explorer) in position.explorers.iter().enumerate() {
            lanes.left_at[seat].0[lane] = NOT_YET[lane / GROUP][lane % GROUP];
            lanes.chest[seat].0[lane] = explorer.chest as u16;
            lanes.chest_high[seat].0[lane] = (explorer.chest >> 16) as u16;
            lanes.seat_counters[seat][o::LEFT].0[lane] = explorer.relics as u16;
        }
    }

    /// The leavers of the first decision; unsettled seats follow the bots' `wishes`.
    #[inline(always)]
    pub fn settle<S: Simd>(&self, simd: S, wishes: u8x64<S>) -> u8x64<S> {
        wishes & u8x64::splat(simd, !self.settled) | u8x64::splat(simd, self.leave)
    }

    /// Records the leavers of the first decision in the `fresh` lanes of a group.
    #[inline(always)]
    pub fn note(&mut self, games: &[u32], group: usize, fresh: u64, leavers: &[u8]) {
        let mut left = fresh;
        while left != 0 {
            let lane = group * GROUP + left.trailing_zeros() as usize;
            left &= left - 1;
            self.leavers[games[lane] as usize] = leavers[lane];
        }
    }
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamant/kernel/playing_on.rs"]
mod tests;
