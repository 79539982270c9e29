//! Coming home: explorers leave with what they hold, and expeditions without any explorer end.

#![expect(
    clippy::needless_range_loop,
    reason = "seats and parts of a group count several arrays at once"
)]

use super::kernel::Kernel;
use super::lanes::{ALONE, LEFT, Lanes, NONE, set_lanes};
use super::rules::Unclaimed;
use super::vectors::{divide, halves, in_bytes, in_halves, only, only_half, word};
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, mask16x32, u8x64, u16x32};

impl Kernel {
    /// Those who decided to leave bank what they hold and a share of the path; one who leaves
    /// alone takes the relics too. Where no card is left, everyone inside leaves.
    #[inline(always)]
    pub(super) fn leave<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
    ) {
        let one = u8x64::splat(simd, 1);
        let nobody = u8x64::splat(simd, 0);
        let mut here = [in_bytes(simd, 0); SEATS];
        let mut count = nobody;
        let mut anybody = 0;
        let mut several = 0;
        for seat in 0..SEATS {
            let inside = &mut lanes.inside[seat][group];
            let pending = &mut lanes.pending[seat][group];
            let leaving = *inside & (*pending & lanes.ready[group] | lanes.forced[group]);
            *inside &= !leaving;
            *pending &= !leaving;
            several |= anybody & leaving;
            anybody |= leaving;
            here[seat] = in_bytes(simd, leaving);
            count += here[seat].select(one, nobody);
        }
        if anybody == 0 {
            return;
        }
        let alone = anybody & !several;
        let explorers = lanes.explorers.load(simd, group);
        lanes.explorers.store(group, explorers - count);

        let leftover = [2 * group, 2 * group + 1].map(
            #[inline(always)]
            |half| lanes.leftover.load(simd, half),
        );
        let (share, rest) = divide(simd, leftover, count);
        let cards = lanes.revealed.load(simd, group);
        let relics = only(simd, alone, lanes.relics.load(simd, group));
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
            banked[side] = held + share[side] + only_half(simd, alone, side, worth);
            let leaving_alone = only_half(simd, alone, side, u16x32::splat(simd, ALONE));
            leaving[side] = halves(cards)[side] + leaving_alone;
            taking[side] = halves(relics)[side] + u16x32::splat(simd, LEFT);
        }
        for seat in 0..SEATS {
            let here = here[seat];
            let before = lanes.left_at[seat].load(simd, group);
            lanes.left_at[seat].store(group, here.select(cards, before));
            let (low, high) = here.widen();
            for (side, here) in [low, high].into_iter().enumerate() {
                let half = 2 * group + side;
                lanes.leavings[seat].add(simd, half, here.select(leaving[side], none));
                lanes.takings[seat].add(simd, half, here.select(taking[side], none));
                let before = lanes.chest[seat].load(simd, half);
                let after = before + here.select(banked[side], none);
                lanes.chest[seat].store(half, after);
                if self.wide {
                    let carry = after.simd_lt(before).select(one_half, none);
                    lanes.chest_high[seat].add(simd, half, carry);
                }
            }
        }
        if self.relic_set != 0 {
            self.take_relics(simd, lanes, group, alone, relics);
        }
    }

    /// Relics that somebody took leave the path and the game. Without a branch on whether there
    /// are any: one in a group of lanes is as likely as none.
    #[inline(always)]
    fn take_relics<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        alone: u64,
        relics: u8x64<S>,
    ) {
        lanes.claimed.add(simd, group, relics);
        let lying = lanes.relics.load(simd, group);
        lanes.relics.store(group, lying - relics);
        for side in 0..2 {
            let half = 2 * group + side;
            let worth = lanes.relic_worth.load(simd, half);
            lanes
                .relic_worth
                .store(half, only_half(simd, !alone, side, worth));
        }
        // Where unclaimed relics leave the game as well, they go when the expedition ends.
        if self.unclaimed == Unclaimed::Reshuffled {
            let taken = relics.simd_ne(u8x64::splat(simd, 0)).to_bitmask();
            let mut here = NONE;
            here[group] = taken;
            for lane in set_lanes(here) {
                let at = word(lane);
                let path = lanes.in_game.0[at] & !lanes.deck.0[at];
                lanes.in_game.0[at] &= !(path & self.relic_set);
            }
        }
    }

    /// Closes every expedition of the group in which nobody is left inside; tells which.
    #[inline(always)]
    pub(super) fn close<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
    ) -> u64 {
        let mut ended = lanes.active[group];
        for seat in 0..SEATS {
            ended &= !lanes.inside[seat][group];
        }
        if ended == 0 {
            return 0;
        }
        let one = u8x64::splat(simd, 1);
        let busts = only(simd, ended & lanes.bust[group], one);
        lanes.busts.add(simd, group, busts);
        let cards = halves(lanes.revealed.load(simd, group));
        for side in 0..2 {
            let half = 2 * group + side;
            let closing = in_halves(simd, ended, side);
            let none = u16x32::splat(simd, 0);
            lanes
                .cards
                .add(simd, half, closing.select(cards[side], none));
            let leftover = lanes.leftover.load(simd, half);
            let left_behind = closing.select(leftover, none);
            lanes.left_behind.add(simd, half, left_behind);
        }

        let leaders = self.leaders::<S, SEATS>(simd, lanes, group);
        let before = lanes.leaders.load(simd, group);
        let still_leading = (leaders & before)
            .simd_ne(u8x64::splat(simd, 0))
            .to_bitmask();
        let changed = only(simd, ended & !still_leading, one);
        lanes.lead_changes.add(simd, group, changed);
        let closing = in_bytes(simd, ended);
        let earlier = lanes.leaders_before.load(simd, group);
        lanes
            .leaders_before
            .store(group, closing.select(before, earlier));
        lanes.leaders.store(group, closing.select(leaders, before));
        ended
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
        let mut leading = [[mask16x32::splat(simd, false); 2]; SEATS];
        for side in 0..2 {
            let half = 2 * group + side;
            let mut best = zero;
            let mut best_high = zero;
            for seat in 0..SEATS {
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
            for seat in 0..SEATS {
                let mut leads = lanes.chest[seat].load(simd, half).simd_eq(best);
                if self.wide {
                    leads &= lanes.chest_high[seat].load(simd, half).simd_eq(best_high);
                }
                leading[seat][side] = leads;
            }
        }
        let mut leaders = none;
        for seat in 0..SEATS {
            let [low, high] = leading[seat];
            let leads: mask8x64<S> = low.narrow(high);
            leaders |= leads.select(u8x64::splat(simd, 1 << seat), none);
        }
        leaders
    }
}
