//! Playing on: lanes that begin in the middle of a game.

use super::Kernel;
use super::lanes::{Lanes, MISSED, NOT_YET, PLANES};
use super::vectors::GROUP;
use crate::games::diamant::rules::Worth;
use crate::games::diamant::snapshot::{Settled, Snapshot};
use fearless_simd::{Simd, prelude::*, u8x64};

/// How every lane begins, and who leaves first.
pub struct Start {
    round: u8,
    deck: [u8; PLANES],
    in_game: [u8; PLANES],
    seen: u8,
    revealed: u8,
    just_left: u8,
    held: u16,
    leftover: u16,
    treasure_left: u16,
    relics: u8,
    relic_worth: u16,
    claimed: u8,
    copies: [u8; 8],
    danger: u8,
    inside: u8,
    chests: Vec<u32>,
    taken: Vec<u16>,
    /// Whose first decision is settled, and who of them leaves, one bit a seat.
    settled: u8,
    leave: u8,
    /// For each playout who left at the first decision, one bit a seat.
    pub leavers: Vec<u8>,
}

/// A set of seats, one bit each.
fn seats(seats: impl Iterator<Item = usize>) -> u8 {
    seats.fold(0, |set, seat| set | 1 << seat)
}

impl Start {
    /// For so many playouts from `position`.
    pub fn new(kernel: &Kernel, position: &Snapshot, settled: &Settled, playouts: usize) -> Start {
        let cards_of = |set: u64| {
            (0u8..64)
                .filter(move |card| set >> card & 1 == 1)
                .map(|card| (card, kernel.faces[usize::from(card)]))
        };
        let trap = |card: u8| (kernel.first_trap..kernel.first_relic).contains(&card);
        let path = position.in_game & !position.deck;
        let mut copies = [0; 8];
        for (card, kind) in cards_of(position.in_game) {
            if trap(card) {
                copies[kind.trailing_zeros() as usize] += 1;
            }
        }
        let kinds = cards_of(path).filter(|(card, _)| trap(*card));
        let seen = kinds.fold(0, |seen, (_, kind)| seen | kind);
        let danger = (0..8).filter(|kind| seen >> kind & 1 == 1);
        let lying = cards_of(path).filter(|(card, _)| *card >= kernel.first_relic);
        let printed: Vec<u8> = lying.map(|(_, value)| value).collect();
        let worth = printed.iter().enumerate().map(|(next, printed)| {
            u16::from(match kernel.worth {
                Worth::Printed => *printed,
                Worth::ClaimOrder => {
                    let block = if kernel.few_relics { 16 } else { 64 };
                    kernel.by_claim[(position.claimed as usize + next) % block]
                }
            })
        });
        let treasures = cards_of(position.deck).filter(|(card, _)| *card < kernel.first_trap);
        Start {
            round: position.round as u8,
            deck: position.deck.to_le_bytes(),
            in_game: position.in_game.to_le_bytes(),
            seen,
            revealed: position.revealed as u8,
            just_left: position.just_left as u8,
            held: position.held as u16,
            leftover: position.leftover as u16,
            treasure_left: treasures.map(|(_, value)| u16::from(value)).sum(),
            relics: printed.len() as u8,
            relic_worth: worth.sum(),
            claimed: position.claimed as u8,
            copies,
            danger: danger.map(|kind| copies[kind] - 1).sum(),
            inside: seats(position.inside()),
            chests: (position.explorers.iter())
                .map(|explorer| explorer.chest as u32)
                .collect(),
            taken: (position.explorers.iter())
                .map(|explorer| explorer.relics as u16)
                .collect(),
            settled: seats((0..kernel.seats).filter(|&seat| settled[seat].is_some())),
            leave: seats((0..kernel.seats).filter(|&seat| settled[seat] == Some(true))),
            leavers: vec![0; playouts],
        }
    }

    /// Puts the lane into the position; the lane's game is known already.
    #[inline(always)]
    pub fn fill(&self, lanes: &mut Lanes, lane: usize) {
        lanes.round.0[lane] = self.round;
        for plane in 0..PLANES {
            lanes.deck[plane].0[lane] = self.deck[plane];
            lanes.in_game[plane].0[lane] = self.in_game[plane];
        }
        let deck_size = self.deck.iter().map(|byte| byte.count_ones() as u8);
        lanes.deck_size.0[lane] = deck_size.sum::<u8>() + self.revealed;
        lanes.seen.0[lane] = self.seen;
        lanes.revealed.0[lane] = self.revealed;
        lanes.just_left.0[lane] = self.just_left;
        lanes.held.0[lane] = self.held;
        lanes.leftover.0[lane] = self.leftover;
        lanes.treasure_left.0[lane] = self.treasure_left;
        lanes.relics.0[lane] = self.relics;
        lanes.relic_worth.0[lane] = self.relic_worth;
        lanes.claimed.0[lane] = self.claimed;
        for (copies, here) in lanes.copies.iter_mut().zip(self.copies) {
            copies.0[lane] = here;
        }
        lanes.danger.0[lane] = self.danger;
        lanes.inside.0[lane] = self.inside;
        lanes.pending.0[lane] = 0;
        lanes.trap.0[lane] = MISSED;
        lanes.fresh.0[lane] = if self.revealed > 0 { u8::MAX } else { 0 };
        for (seat, (&chest, &taken)) in self.chests.iter().zip(&self.taken).enumerate() {
            lanes.left_at[seat].0[lane] = NOT_YET[lane / GROUP][lane % GROUP];
            lanes.chest[seat].0[lane] = chest as u16;
            lanes.chest_high[seat].0[lane] = (chest >> 16) as u16;
            lanes.takings[seat].0[lane] = taken;
        }
    }

    /// Who wishes to leave at the first decision, where `wishes` are those of the bots.
    #[inline(always)]
    pub fn settle<S: Simd>(&self, simd: S, wishes: u8x64<S>) -> u8x64<S> {
        wishes & u8x64::splat(simd, !self.settled) | u8x64::splat(simd, self.leave)
    }

    /// Writes down who leaves at the first decision in the lanes of a group that are `fresh`.
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
