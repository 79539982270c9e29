//! Departures: explorers leave with what they hold, and expeditions without explorers end.

#![expect(
    clippy::needless_range_loop,
    reason = "seats and parts of a group count several arrays at once"
)]

use super::draw::is_card;
use super::lanes::{ALONE, LEFT, Lanes};
use super::prepared::{HOUSE, Kernel};
use super::vectors::{count_bits, divide, halves};
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{Leftovers, TakenBy, Unclaimed};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, mask16x32, u8x64, u16x32};

impl Kernel {
    /// Leavers bank what they hold, a share of the path and the bonus; one who leaves alone, or the
    /// last one inside, takes the relics too. If no card can come, everyone inside leaves.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn leave<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let no_seat = u8x64::splat(simd, 0);
        let leavers = self.leavers(simd, lanes, group);
        let inside = lanes.inside.load(simd, group);
        let mut bonus = [u16x32::splat(simd, 0); 2];
        if SEATS == HOUSE {
            bonus = self.bonus(simd, lanes, group, leavers);
        }
        for who in [&mut lanes.inside, &mut lanes.pending] {
            let others = who.load(simd, group) & !leavers;
            who.store(group, others);
        }
        let count = count_bits::<S, SEATS>(simd, leavers);
        let alone = count.simd_eq(u8x64::splat(simd, 1));

        let path = &lanes.leftover;
        let leftover = [path.load(simd, 2 * group), path.load(simd, 2 * group + 1)];
        let (share, rest) = if SEATS == HOUSE && self.rules.leftovers == Leftovers::PerCard {
            self.divide_cards(simd, lanes, group, count)
        } else {
            divide(simd, leftover, count)
        };
        let cards = lanes.revealed.load(simd, group);
        let mut takes = alone;
        if SEATS == HOUSE && self.rules.taken_by == TakenBy::LastInside {
            takes &= leavers.simd_eq(inside);
        }
        let relics = takes.select(lanes.relics.load(simd, group), no_seat);
        let (takes_low, takes_high) = takes.widen();
        let takes = [takes_low, takes_high];
        let (alone_low, alone_high) = alone.widen();
        let alone = [alone_low, alone_high];
        let none = u16x32::splat(simd, 0);
        let one_half = u16x32::splat(simd, 1);
        let mut banked = [none; 2];
        let mut leaving = [none; 2];
        let mut taking = [none; 2];
        for side in 0..2 {
            let half = 2 * group + side;
            lanes.leftover.store(half, rest[side]);
            let held = if self.after {
                lanes.held_before.load(simd, half)
            } else {
                lanes.held.load(simd, half)
            };
            let worth = lanes.relic_worth.load(simd, half);
            banked[side] = held + share[side] + takes[side].select(worth, none);
            if SEATS == HOUSE {
                banked[side] += bonus[side];
            }
            let leaving_alone = alone[side].select(u16x32::splat(simd, ALONE), none);
            leaving[side] = halves(cards)[side] + leaving_alone;
            taking[side] = halves(relics)[side] + u16x32::splat(simd, LEFT);
        }
        for seat in self.seats::<SEATS>() {
            let here = (leavers & u8x64::splat(simd, 1 << seat)).simd_ne(no_seat);
            lanes.left_at[seat].set(simd, group, here, cards);
            let (low, high) = here.widen();
            for (side, here) in [low, high].into_iter().enumerate() {
                let half = 2 * group + side;
                let counters = &mut lanes.seat_counters[seat];
                counters[o::LEFT_ALONE].add(simd, half, here.select(leaving[side], none));
                counters[o::LEFT].add(simd, half, here.select(taking[side], none));
                let before = lanes.chest[seat].load(simd, half);
                let after = before + here.select(banked[side], none);
                lanes.chest[seat].store(half, after);
                if self.wide {
                    let carry = after.simd_lt(before).select(one_half, none);
                    lanes.chest_high[seat].add(simd, half, carry);
                }
            }
        }
        if !self.rules.relics.is_empty() {
            self.take_relics(simd, lanes, group, takes, relics);
        }
    }

    /// The seats that leave now, one bit each. In `after-reveal` leavers wait until the others, if
    /// any, have revealed a card.
    #[inline(always)]
    fn leavers<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
        let none = u8x64::splat(simd, 0);
        let mut leavers = lanes.pending.load(simd, group);
        if self.after {
            let waiting = !is_card(simd, lanes.card.load(simd, group))
                & self.going_on(simd, lanes, group).simd_ne(none);
            leavers = waiting.select(none, leavers);
        }
        if self.runs_out {
            let forced = lanes.forced.load(simd, group);
            leavers |= forced & lanes.inside.load(simd, group);
        }
        leavers
    }

    /// Removes the relics that an explorer took from the path and the game. Branch-free: a group of
    /// lanes is as likely to have one as not.
    #[inline(always)]
    fn take_relics<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        takes: [mask16x32<S>; 2],
        relics: u8x64<S>,
    ) {
        lanes.claimed.add(simd, group, relics);
        let lying = lanes.relics.load(simd, group);
        lanes.relics.store(group, lying - relics);
        for side in 0..2 {
            let half = 2 * group + side;
            let worth = lanes.relic_worth.load(simd, half);
            let left = takes[side].select(u16x32::splat(simd, 0), worth);
            lanes.relic_worth.store(half, left);
        }
        // Unclaimed relics that leave the game do so at the end of the expedition.
        if self.rules.unclaimed == Unclaimed::Reshuffled {
            let none = u8x64::splat(simd, 0);
            let taken = relics.simd_ne(none);
            for plane in 0..self.planes {
                let in_game = lanes.in_game[plane].load(simd, group);
                let path = in_game & !lanes.deck[plane].load(simd, group);
                let going = path & u8x64::splat(simd, self.relic_set[plane]);
                lanes.in_game[plane].store(group, in_game & !taken.select(going, none));
            }
        }
    }

    /// Closes every expedition of the group that has no explorer left inside; returns which.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn close<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
    ) -> u64 {
        let none = u8x64::splat(simd, 0);
        let one = u8x64::splat(simd, 1);
        let closing = lanes.without_explorers(simd, group);
        let bust = is_card(simd, lanes.trap.load(simd, group)) & closing;
        lanes.rare[o::TABLE_BUSTS].add(simd, group, bust.select(one, none));
        if !self.rules.relics.is_empty() {
            let before = lanes.claimed_before.load(simd, group);
            let taken = lanes.claimed.load(simd, group).simd_ne(before) & closing;
            lanes.rare[o::RELIC_EXPEDITIONS].add(simd, group, taken.select(one, none));
        }
        if SEATS == HOUSE && self.rules.counts_lost_relics() {
            let lost = lanes.relics.load(simd, group);
            lanes.claimed.add(simd, group, closing.select(lost, none));
        }
        lanes
            .claimed_before
            .set(simd, group, closing, lanes.claimed.load(simd, group));
        let (closing_low, closing_high) = closing.widen();
        let cards = halves(lanes.revealed.load(simd, group));
        for side in 0..2 {
            let half = 2 * group + side;
            let closing = [closing_low, closing_high][side];
            let none = u16x32::splat(simd, 0);
            let revealed = closing.select(cards[side], none);
            lanes.counters[o::CARDS].add(simd, half, revealed);
            let leftover = lanes.leftover.load(simd, half);
            let left_behind = closing.select(leftover, none);
            lanes.counters[o::LEFT_BEHIND].add(simd, half, left_behind);
        }

        let revealed = lanes.revealed.load(simd, group);
        let (mut first_left, mut last_left) = (revealed, none);
        for seat in self.seats::<SEATS>() {
            let left_at = lanes.left_at[seat].load(simd, group);
            first_left = first_left.min(left_at);
            last_left = last_left.max(left_at);
        }
        for seat in self.seats::<SEATS>() {
            let left_at = lanes.left_at[seat].load(simd, group);
            let counters = &mut lanes.seat_rare[seat];
            let first = left_at.simd_eq(first_left) & closing;
            counters[o::FIRST_OUT].add(simd, group, first.select(one, none));
            let last = left_at.simd_eq(last_left) & closing;
            counters[o::LAST_INSIDE].add(simd, group, last.select(one, none));
        }
        let wait = closing.select(revealed - first_left, none);
        let longest = &mut lanes.rare[o::LONGEST_WAIT];
        longest.store(group, longest.load(simd, group).max(wait));

        let leaders = self.leaders::<S, SEATS>(simd, lanes, group);
        let before = lanes.leaders.load(simd, group);
        let changed = (leaders & before).simd_eq(none) & closing;
        lanes.rare[o::LEAD_CHANGES].add(simd, group, changed.select(one, none));
        lanes.leaders.store(group, closing.select(leaders, before));
        closing.to_bitmask()
    }

    /// The seats with the fullest chest, one bit each.
    #[inline(always)]
    fn leaders<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &Lanes,
        group: usize,
    ) -> u8x64<S> {
        let none = u8x64::splat(simd, 0);
        let zero = u16x32::splat(simd, 0);
        let mut leading = [[mask16x32::splat(simd, false); 2]; SEATS_MAX];
        for side in 0..2 {
            let half = 2 * group + side;
            let mut best = zero;
            let mut best_high = zero;
            for seat in self.seats::<SEATS>() {
                let chest = lanes.chest[seat].load(simd, half);
                if self.wide {
                    let high = lanes.chest_high[seat].load(simd, half);
                    best = high.simd_gt(best_high).select(zero, best);
                    best_high = best_high.max(high);
                    best = high.simd_eq(best_high).select(best.max(chest), best);
                } else {
                    best = best.max(chest);
                }
            }
            for seat in self.seats::<SEATS>() {
                let mut leads = lanes.chest[seat].load(simd, half).simd_eq(best);
                if self.wide {
                    leads &= lanes.chest_high[seat].load(simd, half).simd_eq(best_high);
                }
                leading[seat][side] = leads;
            }
        }
        let mut leaders = none;
        for seat in self.seats::<SEATS>() {
            let [low, high] = leading[seat];
            let leads: mask8x64<S> = low.narrow(high);
            leaders |= leads.select(u8x64::splat(simd, 1 << seat), none);
        }
        leaders
    }
}
