//! How a lane goes on: the path is cleared, and the next expedition or the next game begins.

use super::kernel::Kernel;
use super::lanes::{Lanes, set_lanes};
use super::rules::Unclaimed;
use super::vectors::{GROUP, GROUPS, in_bytes, in_halves, word};
use crate::formula::program::{LANES, Truths};
use crate::game::Record;
use crate::streams;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{u8x64, u16x32, u64x8};

/// Lanes whose expedition starts now, listed so that eight are seeded at a time.
struct Opened {
    lanes: [u8; LANES],
    count: usize,
    truths: Truths,
}

impl Opened {
    const NONE: Opened = Opened {
        lanes: [0; LANES],
        count: 0,
        truths: [0; GROUPS],
    };

    #[inline(always)]
    fn push(&mut self, lane: usize) {
        self.lanes[self.count] = lane as u8;
        self.count += 1;
        self.truths[lane / GROUP] |= 1 << (lane % GROUP);
    }
}

impl Lanes {
    /// Starts a game in every lane, as far as there are games.
    #[inline(always)]
    pub fn start<S: Simd>(&mut self, simd: S, kernel: &Kernel) {
        let mut opened = Opened::NONE;
        for lane in 0..LANES {
            if self.next_game(kernel, lane) {
                opened.push(lane);
            }
        }
        self.open_expeditions(simd, kernel, &opened);
    }

    /// Moves every lane in `ended` on to its next expedition or its next game.
    #[inline(always)]
    pub fn refill<S: Simd>(
        &mut self,
        simd: S,
        kernel: &Kernel,
        ended: &Truths,
        record: &mut Record,
    ) {
        let mut opened = Opened::NONE;
        for group in 0..GROUPS {
            for lane in set_lanes(ended[group], group) {
                self.count_leavers(kernel, lane);
                self.clear_path(kernel, lane);
                self.round.0[lane] += 1;
                if u32::from(self.round.0[lane]) < kernel.rounds {
                    opened.push(lane);
                    continue;
                }
                self.record_game(kernel, lane, record);
                if self.next_game(kernel, lane) {
                    opened.push(lane);
                }
            }
        }
        self.open_expeditions(simd, kernel, &opened);
    }

    /// Counts, by cards revealed, who left the expedition that just ended, and its end.
    #[inline(always)]
    fn count_leavers(&mut self, kernel: &Kernel, lane: usize) {
        for seat in 0..kernel.seats {
            let cards = self.left_at[seat].0[lane];
            self.leaving[usize::from(cards)][seat] += 1;
        }
        let bust = self.bust[lane / GROUP] >> (lane % GROUP) & 1;
        self.ended[usize::from(self.revealed.0[lane])][bust as usize] += 1;
    }

    /// What leaves the game with the expedition that just ended.
    #[inline(always)]
    fn clear_path(&mut self, kernel: &Kernel, lane: usize) {
        let at = word(lane);
        let path = self.in_game.0[at] & !self.deck.0[at];
        let mut gone = 0;
        if kernel.unclaimed == Unclaimed::LeaveGame {
            gone |= path & kernel.relic_set;
        }
        if kernel.remove_trap && self.bust[lane / GROUP] >> (lane % GROUP) & 1 == 1 {
            let card = self.card.0[lane];
            gone |= 1 << card;
            if kernel.sees_bust_risk {
                let kind = kernel.kinds[usize::from(card)].trailing_zeros();
                self.copies[kind as usize].0[lane] -= 1;
            }
        }
        self.in_game.0[at] &= !gone;
    }

    /// Gives the lane its next game, or takes it out of play when there is none.
    #[inline(always)]
    fn next_game(&mut self, kernel: &Kernel, lane: usize) -> bool {
        if self.next == self.games {
            let others = !(1 << (lane % GROUP));
            for truths in self.inside.iter_mut().chain(&mut self.pending) {
                truths[lane / GROUP] &= others;
            }
            self.active[lane / GROUP] &= others;
            return false;
        }
        self.active[lane / GROUP] |= 1 << (lane % GROUP);
        self.game[lane] = self.next;
        self.key[lane] =
            streams::game_key(self.seed, self.first.wrapping_add(u64::from(self.next)));
        self.next += 1;
        self.round.0[lane] = 0;
        self.in_game.0[word(lane)] = kernel.first_deck;
        self.leaders.0[lane] = ((1 << kernel.seats) - 1) as u8;
        for seat in 0..kernel.seats {
            self.leavings[seat].0[lane] = 0;
            self.takings[seat].0[lane] = 0;
            self.file.numbers[kernel.chest(seat)].0[lane] = 0.0;
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

    /// Sends everyone of the opened lanes into the cave, with a full deck and a fresh generator.
    #[inline(always)]
    fn open_expeditions<S: Simd>(&mut self, simd: S, kernel: &Kernel, opened: &Opened) {
        for group in opened.lanes[..opened.count].chunks(8) {
            let mut key = [0; 8];
            let mut output = [0; 8];
            for (i, &lane) in group.iter().enumerate() {
                let lane = usize::from(lane);
                key[i] = self.key[lane];
                output[i] = u64::from(self.round.0[lane]) * 4 + 1;
            }
            let states = generator_states(simd, key, output);
            for (words, state) in self.rng.iter_mut().zip(&states) {
                for (&lane, &state) in group.iter().zip(state) {
                    words.0[word(usize::from(lane))] = state;
                }
            }
        }
        for &lane in &opened.lanes[..opened.count] {
            let lane = usize::from(lane);
            let deck = self.in_game.0[word(lane)] | kernel.joining[usize::from(self.round.0[lane])];
            self.in_game.0[word(lane)] = deck;
            self.deck.0[word(lane)] = deck;
            if kernel.sees_deck {
                self.deck_size.0[lane] = deck.count_ones() as u8;
            }
        }
        for group in 0..GROUPS {
            self.enter_cave(simd, kernel, group, opened.truths[group]);
        }
    }

    /// Everyone of these lanes is inside, nothing is held, and the path is empty.
    #[inline(always)]
    fn enter_cave<S: Simd>(&mut self, simd: S, kernel: &Kernel, group: usize, opened: u64) {
        let new = in_bytes(simd, opened);
        let none = u8x64::splat(simd, 0);
        for bytes in [
            &mut self.seen,
            &mut self.revealed,
            &mut self.just_left,
            &mut self.relics,
            &mut self.danger,
        ] {
            bytes.store(group, new.select(none, bytes.load(simd, group)));
        }
        let everyone = u8x64::splat(simd, kernel.seats as u8);
        let explorers = self.explorers.load(simd, group);
        self.explorers.store(group, new.select(everyone, explorers));
        for half in [2 * group, 2 * group + 1] {
            let new = in_halves(simd, opened, half % 2);
            let none = u16x32::splat(simd, 0);
            for halves in [&mut self.held, &mut self.leftover, &mut self.relic_worth] {
                halves.store(half, new.select(none, halves.load(simd, half)));
            }
            if kernel.sees_treasure_left {
                let full = u16x32::splat(simd, kernel.treasure);
                let left = self.treasure_left.load(simd, half);
                self.treasure_left.store(half, new.select(full, left));
            }
        }
        for seat in 0..kernel.seats {
            let left_at = self.left_at[seat].load(simd, group);
            self.left_at[seat].store(group, new.select(none, left_at));
            self.inside[seat][group] |= opened;
            self.pending[seat][group] &= !opened;
        }
    }
}

/// States of eight generators: what [`streams::phase_rng`] starts from, word by word. `output`
/// holds, for each, which output of the game's sequence the first word is, plus one.
#[inline(always)]
fn generator_states<S: Simd>(simd: S, key: [u64; 8], output: [u64; 8]) -> [[u64; 8]; 4] {
    let golden = u64x8::splat(simd, streams::GOLDEN);
    let mut walked = u64x8::load_array(simd, key) + u64x8::load_array(simd, output) * golden;
    let mut states = [[0; 8]; 4];
    for state in &mut states {
        mix(simd, walked).store_array(state);
        walked += golden;
    }
    states
}

/// [`streams::mix`] for eight lanes.
#[inline(always)]
pub fn mix<S: Simd>(simd: S, mut z: u64x8<S>) -> u64x8<S> {
    z = (z ^ (z >> 30)) * u64x8::splat(simd, 0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)) * u64x8::splat(simd, 0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
