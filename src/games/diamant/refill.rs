//! How a lane goes on: the path is cleared, and the next expedition or the next game begins.

use super::features::JUST_LEFT;
use super::kernel::{Kernel, MISSED, bit_of};
use super::lanes::{Lanes, NONE, NOT_YET, PHASE_WORDS, set_lanes};
use super::recording::Pages;
use super::vectors::{GROUPS, only, word};
use crate::formula::program::{LANES, Truths};
use crate::streams;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{mask8x64, u8x64, u16x32, u64x8};

impl Lanes {
    /// Starts a game in every lane, as far as there are games.
    #[inline(always)]
    pub fn start<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel) {
        for lane in 0..LANES {
            self.next_game::<S, SEATS>(simd, kernel, lane);
            self.seed(lane);
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group);
        }
    }

    /// Moves every lane in `ended` on to its next expedition or its next game.
    #[inline(always)]
    pub fn refill<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        ended: &Truths,
        pages: &mut Pages<SEATS>,
    ) {
        let mut finished = NONE;
        for group in 0..GROUPS {
            finished[group] = self.next_round(simd, kernel, group, ended[group]);
        }
        for lane in set_lanes(finished) {
            pages.write(kernel, self, lane);
            self.next_game::<S, SEATS>(simd, kernel, lane);
        }
        for lane in set_lanes(*ended) {
            self.count_leavers::<SEATS>(lane);
            self.seed(lane);
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group);
        }
    }

    /// Counts the expeditions of a game; tells where the last one has ended.
    #[inline(always)]
    fn next_round<S: Simd>(&mut self, simd: S, kernel: &Kernel, group: usize, ended: u64) -> u64 {
        let one = u8x64::splat(simd, 1);
        let round = self.round.load(simd, group) + only(simd, ended, one);
        self.round.store(group, round);
        let rounds = u8x64::splat(simd, kernel.rounds as u8);
        round.simd_eq(rounds).to_bitmask() & ended
    }

    /// Counts, by cards revealed, who left the expedition that just ended, and its end.
    #[inline(always)]
    fn count_leavers<const SEATS: usize>(&mut self, lane: usize) {
        for seat in 0..SEATS {
            let cards = self.left_at[seat].0[lane];
            self.leaving[seat][usize::from(cards)] += 1;
        }
        let bust = usize::from(self.bust.0[lane] & 1);
        self.ended[usize::from(self.revealed.0[lane])][bust] += 1;
    }

    /// Gives the lane its next game, or takes it out of play when there is none.
    #[inline(always)]
    fn next_game<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel, lane: usize) {
        // An expedition that there is, since an idle lane is seeded all the same.
        self.round.0[lane] = 0;
        if self.next == self.games {
            self.idle.0[lane] = u8::MAX;
            self.playing -= 1;
            return;
        }
        self.game[lane] = self.next;
        self.key[lane] =
            streams::output(self.sequence, self.first.wrapping_add(u64::from(self.next)));
        self.draw_phases(simd, kernel, lane);
        self.next += 1;
        self.leaders.0[lane] = ((1 << SEATS) - 1) as u8;
        for seat in 0..SEATS {
            self.leavings[seat].0[lane] = 0;
            self.takings[seat].0[lane] = 0;
            self.chest[seat].0[lane] = 0;
            if kernel.wide {
                self.chest_high[seat].0[lane] = 0;
            }
        }
        self.claimed.0[lane] = 0;
        self.cards.0[lane] = 0;
        self.left_behind.0[lane] = 0;
        self.busts.0[lane] = 0;
        self.lead_changes.0[lane] = 0;
    }

    /// The random words of all expeditions of the lane's game: as vectors they cost half as much
    /// as one by one.
    #[inline(always)]
    fn draw_phases<S: Simd>(&mut self, simd: S, kernel: &Kernel, lane: usize) {
        let key = u64x8::splat(simd, self.key[lane]);
        let phases = self.phases[lane].as_chunks_mut::<8>().0;
        for eight in 0..kernel.rounds.div_ceil(4) as usize {
            let steps = u64x8::load_array(simd, STEPS[eight]);
            mix(simd, key + steps).store_array(&mut phases[eight]);
        }
    }

    /// A fresh generator, in the state of [`streams::phase_state`].
    #[inline(always)]
    fn seed(&mut self, lane: usize) {
        let at = word(lane);
        let round = usize::from(self.round.0[lane]);
        let [first, second] = self.phases[lane].as_chunks::<2>().0[round];
        self.rng[0].0[at] = first as u32;
        self.rng[1].0[at] = (first >> 32) as u32;
        self.rng[2].0[at] = second as u32;
        self.rng[3].0[at] = (second >> 32) as u32;
    }

    /// What leaves the game with the expedition that just ended: the trap that ended it, and
    /// relics on the path. All other cards are shuffled, together with those that join.
    #[inline(always)]
    fn shuffle<S: Simd>(&mut self, simd: S, kernel: &Kernel, group: usize, opened: mask8x64<S>) {
        let none = u8x64::splat(simd, 0);
        let round = self.round.load(simd, group);
        let first = round.simd_eq(none);
        let mut removed = u8x64::splat(simd, MISSED);
        if kernel.remove_trap {
            let trap = self.bust.load(simd, group).simd_ne(none);
            removed = trap.select(self.card.load(simd, group), removed);
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
            self.in_game[plane].store(group, opened.select(cards, in_game));
            self.deck[plane].store(group, opened.select(cards, deck));
            if kernel.sees_deck {
                size += cards.count_ones();
            }
        }
        if kernel.sees_deck {
            let before = self.deck_size.load(simd, group);
            self.deck_size.store(group, opened.select(size, before));
        }
        if kernel.sees_bust_risk {
            let kinds = u8x64::load_array(simd, kernel.kinds).swizzle_dyn(removed);
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

    /// Where an expedition ended or a game begins: the deck is shuffled, everyone is inside,
    /// nothing is held, and the path is empty.
    #[inline(always)]
    fn enter_cave<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel, group: usize) {
        let busy = self.inside.load(simd, group) | self.idle.load(simd, group);
        let new = busy.simd_eq(u8x64::splat(simd, 0));
        self.shuffle(simd, kernel, group, new);
        let none = u8x64::splat(simd, 0);
        for (bytes, kept) in [
            (&mut self.seen, true),
            (&mut self.revealed, true),
            (&mut self.just_left, kernel.program.uses(JUST_LEFT)),
            (&mut self.relics, kernel.has_relics),
            (&mut self.danger, kernel.sees_bust_risk),
        ] {
            if kept {
                bytes.store(group, new.select(none, bytes.load(simd, group)));
            }
        }
        let (new_low, new_high) = new.widen();
        for (half, new) in [(2 * group, new_low), (2 * group + 1, new_high)] {
            let none = u16x32::splat(simd, 0);
            for (halves, kept) in [
                (&mut self.held, true),
                (&mut self.leftover, true),
                (&mut self.relic_worth, kernel.has_relics),
            ] {
                if kept {
                    halves.store(half, new.select(none, halves.load(simd, half)));
                }
            }
            if kernel.sees_treasure_left {
                let full = u16x32::splat(simd, kernel.treasure);
                let left = self.treasure_left.load(simd, half);
                self.treasure_left.store(half, new.select(full, left));
            }
        }
        let everyone = u8x64::splat(simd, ((1 << SEATS) - 1) as u8);
        let inside = self.inside.load(simd, group);
        self.inside.store(group, new.select(everyone, inside));
        let not_yet = u8x64::load_array(simd, NOT_YET[group]);
        for seat in 0..SEATS {
            let left_at = self.left_at[seat].load(simd, group);
            self.left_at[seat].store(group, new.select(not_yet, left_at));
        }
    }
}

/// How far along its game's sequence each word of [`Lanes::phases`] lies, as in
/// [`streams::output`].
const STEPS: [[u64; 8]; PHASE_WORDS / 8] = {
    let mut steps = [[0; 8]; PHASE_WORDS / 8];
    let mut index = 0;
    while index < PHASE_WORDS {
        steps[index / 8][index % 8] = streams::GOLDEN.wrapping_mul(index as u64 + 1);
        index += 1;
    }
    steps
};

/// [`streams::mix`] for eight lanes.
#[inline(always)]
pub fn mix<S: Simd>(simd: S, mut z: u64x8<S>) -> u64x8<S> {
    z = (z ^ (z >> 30)) * u64x8::splat(simd, 0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)) * u64x8::splat(simd, 0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
