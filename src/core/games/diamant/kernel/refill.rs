//! The next game or expedition of a lane.

use super::draw::bit_of;
use super::lanes::{
    COUNTED, Lanes, MANY_ROUNDS, MISSED, NONE, NOT_YET, RARE, SEAT_COUNTED, SEAT_RARE, set_lanes,
};
use super::prepared::{HOUSE, Kernel};
use super::recording::Columns;
use super::vectors::{GROUPS, word};
use crate::formula::program::{LANES, Truths};
use crate::games::diamant::features::{BUST_RISK, JUST_LEFT, TEMPER, TREASURE_LEFT, VOCABULARY};
use crate::streams;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, u8x64, u16x32};

impl Lanes {
    /// Starts a game in every lane, as long as there are games.
    #[inline(always)]
    pub fn start<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel) {
        for lane in 0..LANES {
            self.next_game::<SEATS>(kernel, lane);
            self.seed(lane);
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group);
        }
    }

    /// Moves every lane in `ended` on to its next expedition or its next game.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn refill<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        ended: &Truths,
        columns: &mut Columns,
    ) {
        let mut finished = NONE;
        for group in 0..GROUPS {
            finished[group] = self.next_round(simd, kernel, group, ended[group]);
        }
        for lane in set_lanes(finished) {
            columns.write::<SEATS>(kernel, self, lane);
            self.next_game::<SEATS>(kernel, lane);
        }
        for lane in set_lanes(*ended) {
            self.count_leavers::<SEATS>(kernel, lane);
            let round = usize::from(self.round.0[lane]);
            self.leaders_after.0[lane][round % MANY_ROUNDS] = self.leaders.0[lane];
            self.seed(lane);
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group);
        }
    }

    /// Counts the expeditions of a game; returns the lanes in which the last one has ended.
    #[inline(always)]
    fn next_round<S: Simd>(&mut self, simd: S, kernel: &Kernel, group: usize, ended: u64) -> u64 {
        let none = u8x64::splat(simd, 0);
        let one = u8x64::splat(simd, 1);
        let passed = mask8x64::from_bitmask(simd, ended).select(one, none);
        let round = self.round.load(simd, group) + passed;
        let finished = round.simd_eq(u8x64::splat(simd, kernel.rules.rounds as u8));
        self.round.store(group, finished.select(none, round));
        finished.to_bitmask()
    }

    /// Counts departures and the end of the expedition by cards revealed.
    #[inline(always)]
    fn count_leavers<const SEATS: usize>(&mut self, kernel: &Kernel, lane: usize) {
        for seat in kernel.seats::<SEATS>() {
            let cards = self.left_at[seat].0[lane];
            self.leaving[seat].0[usize::from(cards)] += 1;
        }
        let bust = usize::from(self.trap.0[lane] < MISSED);
        self.ended.0[usize::from(self.revealed.0[lane])][bust] += 1;
    }

    /// Gives the lane its next game, or retires it when there is none.
    #[inline(always)]
    fn next_game<const SEATS: usize>(&mut self, kernel: &Kernel, lane: usize) {
        if self.next == self.games {
            self.idle.0[lane] = u8::MAX;
            self.playing -= 1;
            return;
        }
        self.game.0[lane] = self.next;
        self.key.0[lane] =
            streams::output(self.sequence, self.first.wrapping_add(u64::from(self.next)));
        self.next += 1;
        if kernel.program.uses(TEMPER) {
            for seat in kernel.seats::<SEATS>() {
                let temper = streams::temper(self.key.0[lane], seat);
                self.file.numbers[VOCABULARY.register(TEMPER, seat)].0[lane] = temper;
                for draw in &kernel.draws[seat] {
                    draw.fill(&mut self.file, lane, temper);
                }
            }
        }
        if SEATS == HOUSE {
            kernel.deal(self, lane);
        }
        if let Some(start) = self.start.take() {
            start.fill(self, lane);
            self.start = Some(start);
            return;
        }
        self.leaders.0[lane] = ((1 << kernel.seats::<SEATS>().end) - 1) as u8;
        for seat in kernel.seats::<SEATS>() {
            for outcome in SEAT_COUNTED {
                self.seat_counters[seat][outcome].0[lane] = 0;
            }
            for outcome in SEAT_RARE {
                self.seat_rare[seat][outcome].0[lane] = 0;
            }
            self.chest[seat].0[lane] = 0;
            if kernel.wide {
                self.chest_high[seat].0[lane] = 0;
            }
        }
        self.claimed.0[lane] = 0;
        self.claimed_before.0[lane] = 0;
        for outcome in COUNTED {
            self.counters[outcome].0[lane] = 0;
        }
        for outcome in RARE {
            self.rare[outcome].0[lane] = 0;
        }
    }

    /// A fresh generator, in the state of [`streams::phase_state`].
    #[inline(always)]
    fn seed(&mut self, lane: usize) {
        let at = word(lane);
        let state = streams::phase_state(self.key.0[lane], u64::from(self.round.0[lane]));
        for (words, word) in self.rng.iter_mut().zip(state) {
            words.0[at] = word;
        }
    }

    /// Removes cards after an expedition: the trap that ended it, and relics on the path. All other
    /// cards are shuffled, together with those that join.
    #[inline(always)]
    fn shuffle<S: Simd>(&mut self, simd: S, kernel: &Kernel, group: usize, opened: mask8x64<S>) {
        let none = u8x64::splat(simd, 0);
        let round = self.round.load(simd, group);
        let first = round.simd_eq(none);
        let mut removed = u8x64::splat(simd, MISSED);
        if kernel.rules.remove_trap {
            removed = self.trap.load(simd, group);
        }
        let bit = bit_of(simd, removed);
        let mut size = none;
        for plane in 0..kernel.planes {
            let staying = u8x64::splat(simd, kernel.staying[plane]);
            let deck = self.deck[plane].load(simd, group);
            let in_game = self.in_game[plane].load(simd, group);
            let here = (removed >> 3).simd_eq(u8x64::splat(simd, plane as u8));
            let kept = in_game & (deck | staying) & !here.select(bit, none);
            let mut cards = first.select(u8x64::splat(simd, kernel.first_deck[plane]), kept);
            if kernel.joins {
                cards |= u8x64::load_array(simd, kernel.joining[plane]).swizzle_dyn(round);
            }
            self.in_game[plane].set(simd, group, opened, cards);
            self.deck[plane].set(simd, group, opened, cards);
            if kernel.sees_deck {
                size += cards.count_ones();
            }
        }
        if kernel.sees_deck {
            self.deck_size.set(simd, group, opened, size);
        }
        if kernel.program.uses(BUST_RISK) {
            let kinds = u8x64::load_array(simd, kernel.faces).swizzle_dyn(removed);
            let missed = u8x64::splat(simd, MISSED);
            for (bit, copies) in self.copies.iter_mut().enumerate() {
                let this = kinds.simd_eq(u8x64::splat(simd, 1 << bit)) & removed.simd_ne(missed);
                let before = copies.load(simd, group);
                let left = before - this.select(u8x64::splat(simd, 1), none);
                let left = first.select(u8x64::splat(simd, kernel.copies[bit]), left);
                copies.store(group, opened.select(left, before));
            }
        }
    }

    /// Begins an expedition: the deck is shuffled, everyone is inside with nothing, and the path is
    /// empty.
    #[inline(always)]
    fn enter_cave<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel, group: usize) {
        let new = self.without_explorers(simd, group);
        self.shuffle(simd, kernel, group, new);
        let none = u8x64::splat(simd, 0);
        for (bytes, kept) in [
            (&mut self.seen, true),
            (&mut self.revealed, true),
            (&mut self.just_left, kernel.program.uses(JUST_LEFT)),
            (&mut self.relics, !kernel.rules.relics.is_empty()),
            (&mut self.danger, kernel.program.uses(BUST_RISK)),
        ] {
            if kept {
                bytes.set(simd, group, new, none);
            }
        }
        let (new_low, new_high) = new.widen();
        for (half, new) in [(2 * group, new_low), (2 * group + 1, new_high)] {
            let none = u16x32::splat(simd, 0);
            for (halves, kept) in [
                (&mut self.held, true),
                (&mut self.leftover, true),
                (&mut self.relic_worth, !kernel.rules.relics.is_empty()),
            ] {
                if kept {
                    halves.store(half, new.select(none, halves.load(simd, half)));
                }
            }
            if kernel.program.uses(TREASURE_LEFT) {
                let full = u16x32::splat(simd, kernel.treasure);
                let left = self.treasure_left.load(simd, half);
                self.treasure_left.store(half, new.select(full, left));
            }
        }
        if SEATS == HOUSE {
            kernel.enter_house(simd, self, group, new);
        }
        let missed = u8x64::splat(simd, MISSED);
        self.trap.set(simd, group, new, missed);
        let everyone = u8x64::splat(simd, ((1 << kernel.seats::<SEATS>().end) - 1) as u8);
        self.inside.set(simd, group, new, everyone);
        let not_yet = u8x64::load_array(simd, NOT_YET[group]);
        for seat in kernel.seats::<SEATS>() {
            self.left_at[seat].set(simd, group, new, not_yet);
        }
    }
}
