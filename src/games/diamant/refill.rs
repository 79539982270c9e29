//! How a lane goes on: the path is cleared, and the next expedition or the next game begins.

use super::features::JUST_LEFT;
use super::kernel::Kernel;
use super::lanes::{Lanes, NONE, NOT_YET, PHASE_WORDS, set_lanes};
use super::vectors::{GROUP, GROUPS, in_bytes, in_halves, only, word};
use crate::formula::program::{LANES, Truths};
use crate::game::Record;
use crate::streams;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{u8x64, u16x32, u64x8};

impl Lanes {
    /// Starts a game in every lane, as far as there are games.
    #[inline(always)]
    pub fn start<S: Simd, const SEATS: usize>(&mut self, simd: S, kernel: &Kernel) {
        for lane in 0..LANES {
            if self.next_game::<S, SEATS>(simd, kernel, lane) {
                self.shuffle(kernel, lane);
            }
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group, self.active[group]);
        }
    }

    /// Moves every lane in `ended` on to its next expedition or its next game.
    #[inline(always)]
    pub fn refill<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        ended: &Truths,
        record: &mut Record,
    ) {
        let mut opened = *ended;
        let mut finished = NONE;
        let mut removed = NONE;
        for group in 0..GROUPS {
            finished[group] = self.next_round(simd, kernel, group, ended[group]);
            if kernel.remove_trap {
                removed[group] = self.bust[group] & !finished[group];
            }
        }
        for lane in set_lanes(finished) {
            self.record_game::<SEATS>(kernel, lane, record);
            if !self.next_game::<S, SEATS>(simd, kernel, lane) {
                opened[lane / GROUP] &= !(1 << (lane % GROUP));
            }
        }
        for lane in set_lanes(*ended) {
            self.count_leavers::<SEATS>(lane);
            self.clear_path(kernel, lane, &removed);
            self.shuffle(kernel, lane);
        }
        for group in 0..GROUPS {
            self.enter_cave::<S, SEATS>(simd, kernel, group, opened[group]);
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
        let bust = self.bust[lane / GROUP] >> (lane % GROUP) & 1;
        self.ended[usize::from(self.revealed.0[lane])][bust as usize] += 1;
    }

    /// What leaves the game with the expedition that just ended: the trap in lanes of `removed`,
    /// and relics on the path. Nothing has yet left a game that is about to start. Without
    /// branches: nobody can foretell which expeditions a trap or a game ends.
    #[inline(always)]
    fn clear_path(&mut self, kernel: &Kernel, lane: usize, removed: &Truths) {
        let at = word(lane);
        let removed = removed[lane / GROUP] >> (lane % GROUP) & 1;
        let card = self.card.0[lane];
        if kernel.sees_bust_risk {
            let kind = kernel.kinds[usize::from(card % 64)].trailing_zeros() % 8;
            self.copies[kind as usize].0[lane] -= removed as u8;
        }
        let trap = removed.wrapping_shl(u32::from(card));
        self.in_game.0[at] &= (self.deck.0[at] | kernel.staying) & !trap;
    }

    /// Gives the lane its next game, or takes it out of play when there is none.
    #[inline(always)]
    fn next_game<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        lane: usize,
    ) -> bool {
        if self.next == self.games {
            let others = !(1 << (lane % GROUP));
            for truths in self.inside.iter_mut().chain(&mut self.pending) {
                truths[lane / GROUP] &= others;
            }
            self.active[lane / GROUP] &= others;
            // An expedition that there is, since this lane is shuffled all the same.
            self.round.0[lane] = 0;
            return false;
        }
        self.active[lane / GROUP] |= 1 << (lane % GROUP);
        self.game[lane] = self.next;
        self.key[lane] =
            streams::game_key(self.seed, self.first.wrapping_add(u64::from(self.next)));
        self.draw_phases(simd, kernel, lane);
        self.next += 1;
        self.round.0[lane] = 0;
        self.in_game.0[word(lane)] = kernel.first_deck;
        self.deck.0[word(lane)] = kernel.first_deck;
        self.leaders.0[lane] = ((1 << SEATS) - 1) as u8;
        for seat in 0..SEATS {
            self.leavings[seat].0[lane] = 0;
            self.takings[seat].0[lane] = 0;
            self.chest[seat].0[lane] = 0;
            if kernel.wide {
                self.chest_high[seat].0[lane] = 0;
            }
        }
        if kernel.sees_bust_risk {
            for (copies, &printed) in self.copies.iter_mut().zip(&kernel.copies) {
                copies.0[lane] = printed;
            }
        }
        self.claimed.0[lane] = 0;
        self.cards.0[lane] = 0;
        self.left_behind.0[lane] = 0;
        self.busts.0[lane] = 0;
        self.lead_changes.0[lane] = 0;
        true
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

    /// A full deck, and a fresh generator in the state of [`streams::phase_state`].
    #[inline(always)]
    fn shuffle(&mut self, kernel: &Kernel, lane: usize) {
        let at = word(lane);
        let round = usize::from(self.round.0[lane]);
        let deck = self.in_game.0[at] | kernel.joining[round];
        self.in_game.0[at] = deck;
        self.deck.0[at] = deck;
        if kernel.sees_deck {
            self.deck_size.0[lane] = deck.count_ones() as u8;
        }
        let key = self.key[lane];
        let [first, second] = self.phases[lane].as_chunks::<2>().0[round];
        for (words, state) in self.rng.iter_mut().zip([first, second, key, !key]) {
            words.0[at] = state;
        }
    }

    /// Everyone of these lanes is inside, nothing is held, and the path is empty.
    #[inline(always)]
    fn enter_cave<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        group: usize,
        opened: u64,
    ) {
        let new = in_bytes(simd, opened);
        let none = u8x64::splat(simd, 0);
        for (bytes, kept) in [
            (&mut self.seen, true),
            (&mut self.revealed, true),
            (&mut self.just_left, kernel.program.uses(JUST_LEFT)),
            (&mut self.relics, kernel.relic_set != 0),
            (&mut self.danger, kernel.sees_bust_risk),
        ] {
            if kept {
                bytes.store(group, new.select(none, bytes.load(simd, group)));
            }
        }
        let everyone = u8x64::splat(simd, SEATS as u8);
        let explorers = self.explorers.load(simd, group);
        self.explorers.store(group, new.select(everyone, explorers));
        for half in [2 * group, 2 * group + 1] {
            let new = in_halves(simd, opened, half % 2);
            let none = u16x32::splat(simd, 0);
            for (halves, kept) in [
                (&mut self.held, true),
                (&mut self.leftover, true),
                (&mut self.relic_worth, kernel.relic_set != 0),
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
        let not_yet = u8x64::load_array(simd, NOT_YET[group]);
        for seat in 0..SEATS {
            let left_at = self.left_at[seat].load(simd, group);
            self.left_at[seat].store(group, new.select(not_yet, left_at));
            self.inside[seat][group] |= opened;
            self.pending[seat][group] &= !opened;
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
