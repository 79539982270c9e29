//! Many games of Diamant at once: the referee's game, step by step over 128 lanes.
//!
//! Each lane is a game in flight. A step takes every lane one card further: draw, reveal,
//! decide, leave. Every second step, expeditions that ended are closed, and their lanes start
//! the next one by themselves. All of it is written once over vectors and compiled for each
//! level of the processor's vector instructions; the games are the same on every level, and
//! the same as the referee's. Nothing here allocates once the lanes exist, and nothing returns
//! an error: what can be wrong was checked when rules and bots were loaded.

use super::bonus;
use super::features::*;
use super::rules::Worth;
use super::snapshot::{Settled, Snapshot};
use crate::formula::program::BLOCKS;
use crate::game::Record;
use fearless_simd::{Level, Simd, dispatch, prelude::*};
use fearless_simd::{mask8x64, u8x64};

mod draw;
mod features;
mod house;
mod lanes;
mod leave;
mod lessons;
mod playing_on;
mod prepared;
mod recording;
mod refill;
mod vectors;
mod wide_chests;

pub use features::bounds;
pub use prepared::Kernel;

use draw::is_card;
use lanes::Lanes;
use lessons::Student;
use playing_on::Start;
use prepared::HOUSE;
use recording::Columns;
use vectors::{GROUPS, count_bits, divide, halves};

/// Cards drawn in a lane before expeditions that ended are closed: closing costs the same for one
/// lane as for all, so some lanes may wait.
const STEPS: usize = 2;

impl Kernel {
    /// Plays games `first ..` of `seed` until `record` is full.
    pub fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        let lanes = self.lanes(seed, first, record);
        self.play_with(level, lanes, record, None);
    }

    /// Plays on from `position` until `record` is full, with the luck of games `first ..` of
    /// `seed`. Only wins and scores of the record are filled. Returns for each playout who left at
    /// the first decision, one bit per seat.
    pub fn play_on(
        &self,
        level: Level,
        (position, settled): (&Snapshot, &Settled),
        (seed, first): (u64, u64),
        record: &mut Record,
    ) -> Vec<u8> {
        let mut lanes = self.lanes(seed, first, record);
        let start = Start::new(self, position, settled, record.games());
        lanes.start = Some(Box::new(start));
        let lanes = self.play_with(level, lanes, record, None);
        lanes.start.map_or_else(Vec::new, |start| start.leavers)
    }

    /// Lanes for as many games as the record holds.
    fn lanes(&self, seed: u64, first: u64, record: &Record) -> Box<Lanes> {
        let file = self.program.register_file();
        let mut lanes = Lanes::new(file, seed, first, record.games());
        if let Some(program) = &self.bonus {
            lanes.bonus = program.register_file();
            lanes.bonus.numbers[bonus::PLAYERS]
                .0
                .fill(self.layout.seats as f32);
        }
        lanes.file.wholes[PLAYERS].0.fill(self.layout.seats as i16);
        lanes
    }

    fn play_with(
        &self,
        level: Level,
        mut lanes: Box<Lanes>,
        record: &mut Record,
        mut student: Option<&mut Student>,
    ) -> Box<Lanes> {
        dispatch!(level, simd => self.play_seats(simd, &mut lanes, record, &mut student));
        recording::add_counts(&lanes, &self.layout, record);
        lanes
    }

    /// Selects the kernel compiled for this number of seats, if that is worth its compilation: with
    /// wide vectors, and with narrower ones at large tables. All other tables share a generic one.
    #[inline(always)]
    fn play_seats<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        record: &mut Record,
        student: &mut Option<&mut Student>,
    ) {
        if self.is_house {
            return self.play_all::<S, HOUSE>(simd, lanes, record, student);
        }
        // Decided at compile time.
        if const { size_of::<S::u8s>() < 32 } {
            return self.play_all::<S, 0>(simd, lanes, record, student);
        }
        match self.layout.seats {
            7 => return self.play_all::<S, 7>(simd, lanes, record, student),
            8 => return self.play_all::<S, 8>(simd, lanes, record, student),
            _ => {}
        }
        if const { size_of::<S::u8s>() < 64 } {
            return self.play_all::<S, 0>(simd, lanes, record, student);
        }
        match self.layout.seats {
            3 => self.play_all::<S, 3>(simd, lanes, record, student),
            4 => self.play_all::<S, 4>(simd, lanes, record, student),
            5 => self.play_all::<S, 5>(simd, lanes, record, student),
            6 => self.play_all::<S, 6>(simd, lanes, record, student),
            _ => self.play_all::<S, 0>(simd, lanes, record, student),
        }
    }

    /// Plays with `SEATS` seats; 0 means any number, and [`HOUSE`] any number with house rules.
    #[inline(always)]
    fn play_all<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        record: &mut Record,
        student: &mut Option<&mut Student>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                self.play_lanes::<S, SEATS>(simd, lanes, record, student);
                recording::derive::<S, SEATS>(simd, self, record);
            },
        );
    }

    /// The game in the order of the rulebook. In `after-reveal`, explorers who decided to leave
    /// collect once the others have revealed the next card; otherwise at once.
    #[inline(always)]
    fn play_lanes<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        record: &mut Record,
        student: &mut Option<&mut Student>,
    ) {
        let mut columns = Columns::new(self.layout.seats, record);
        lanes.start::<S, SEATS>(simd, self);
        if let Some(student) = student {
            student.start(lanes);
        }
        if SEATS == HOUSE {
            self.decide_at_entrance::<S, SEATS>(simd, lanes, student);
        }
        while lanes.playing > 0 {
            for _ in 0..STEPS {
                for group in 0..GROUPS {
                    self.draw::<S, SEATS>(simd, lanes, group);
                    self.reveal::<S, SEATS>(simd, lanes, group);
                    if self.after {
                        self.leave::<S, SEATS>(simd, lanes, group);
                    }
                    self.bust(simd, lanes, group);
                }
                self.decide::<S, SEATS>(simd, lanes, student);
            }
            let mut ended = [0; GROUPS];
            for (group, ended) in ended.iter_mut().enumerate() {
                *ended = self.close::<S, SEATS>(simd, lanes, group);
            }
            if let Some(student) = student {
                student.close(lanes, &ended);
            }
            lanes.refill::<S, SEATS>(simd, self, &ended, &mut columns);
            if let Some(student) = student {
                student.next_games(lanes, &ended);
            }
            if SEATS == HOUSE {
                self.decide_at_entrance::<S, SEATS>(simd, lanes, student);
            }
        }
    }

    /// Explorers who go on, one bit per seat.
    #[inline(always)]
    fn going_on<S: Simd>(&self, simd: S, lanes: &Lanes, group: usize) -> u8x64<S> {
        let inside = lanes.inside.load(simd, group);
        if self.after {
            inside & !lanes.pending.load(simd, group)
        } else {
            inside
        }
    }

    /// Reveals the card: a treasure is shared by those who go on, a relic and the first trap of
    /// a kind lie on the path, the second trap of a kind ends the expedition.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn reveal<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let none = u8x64::splat(simd, 0);
        let card = lanes.card.load(simd, group);
        let face = u8x64::load_array(simd, self.faces).swizzle_dyn(card);
        let treasure = card.simd_lt(u8x64::splat(simd, self.first_trap));
        let value = treasure.select(face, none);
        let sharers = count_bits::<S, SEATS>(simd, self.going_on(simd, lanes, group));
        let (share, rest) = divide(simd, halves(value), sharers);
        for (side, half) in [2 * group, 2 * group + 1].into_iter().enumerate() {
            if self.after {
                let held = lanes.held.load(simd, half);
                lanes.held_before.store(half, held);
            }
            // Rubies held outside the cave are never read, so no mask is needed.
            lanes.held.add(simd, half, share[side]);
            lanes.leftover.add(simd, half, rest[side]);
            if self.program.uses(TREASURE_LEFT) {
                let left = lanes.treasure_left.load(simd, half);
                lanes.treasure_left.store(half, left - halves(value)[side]);
            }
        }

        let before_relics = card.simd_lt(u8x64::splat(simd, self.first_relic));
        let kind = (before_relics & !treasure).select(face, none);
        let seen = lanes.seen.load(simd, group);
        let one = u8x64::splat(simd, 1);
        let mut deadly = seen;
        if SEATS == HOUSE {
            deadly = self.deadly(simd, lanes, group);
            self.note_house(simd, lanes, group, kind, rest);
        }
        let again = (kind & deadly).simd_ne(none);
        lanes.trap.set(simd, group, again, card);
        lanes.seen.store(group, seen | kind);
        if SEATS != HOUSE && self.program.uses(BUST_RISK) {
            for bit in 0..8 {
                let this = kind.simd_eq(u8x64::splat(simd, 1 << bit)) & !again;
                let others = lanes.copies[bit].load(simd, group) - one;
                lanes.danger.add(simd, group, this.select(others, none));
            }
        }
        let drew = is_card(simd, card);
        lanes.revealed.add(simd, group, drew.select(one, none));
        if !self.rules.relics.is_empty() {
            let relic = drew & !before_relics;
            let mut printed = face;
            if SEATS == HOUSE {
                printed = self.dealt(simd, lanes, group, card, face);
            }
            self.reveal_relic(simd, lanes, group, relic, printed);
        }
    }

    /// Puts a relic on the path, with its worth under the rules.
    #[inline(always)]
    fn reveal_relic<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        group: usize,
        relic: mask8x64<S>,
        printed: u8x64<S>,
    ) {
        let none = u8x64::splat(simd, 0);
        let lying = lanes.relics.load(simd, group);
        let worth = match self.rules.worth {
            Worth::Printed => printed,
            Worth::ClaimOrder | Worth::ExitOrder => {
                let next = lying + lanes.claimed.load(simd, group);
                let by_claim = u8x64::load_array(simd, self.by_claim);
                if self.few_relics {
                    by_claim.swizzle_dyn_within_blocks(next & u8x64::splat(simd, 15))
                } else {
                    by_claim.swizzle_dyn(next & u8x64::splat(simd, 63))
                }
            }
        };
        let one = relic.select(u8x64::splat(simd, 1), none);
        lanes.relics.store(group, lying + one);
        let worth = halves(relic.select(worth, none));
        lanes.relic_worth.add(simd, 2 * group, worth[0]);
        lanes.relic_worth.add(simd, 2 * group + 1, worth[1]);
    }

    /// A trap ended the expedition: explorers still inside lose what they hold.
    #[inline(always)]
    fn bust<S: Simd>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let bust = is_card(simd, lanes.trap.load(simd, group));
        lanes.inside.set(simd, group, bust, u8x64::splat(simd, 0));
    }

    /// Everyone inside who has seen the card decides whether to leave, and leaves at once unless
    /// leavers collect after the next card.
    #[inline(always)]
    fn decide<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        student: &mut Option<&mut Student>,
    ) {
        self.fill_features::<S, SEATS>(simd, lanes);
        self.program.run(simd, &mut lanes.file, BLOCKS);
        if let Some(student) = student {
            self.ask(simd, lanes, student);
        }
        let none = u8x64::splat(simd, 0);
        for group in 0..GROUPS {
            let mut wishes = none;
            for seat in self.seats::<SEATS>() {
                let wish = match student {
                    Some(student) if seat < self.learners => student.wishes[seat][group],
                    _ => lanes.file.truths[group][self.program.output(seat)],
                };
                let wish = mask8x64::from_bitmask(simd, wish);
                wishes |= wish.select(u8x64::splat(simd, 1 << seat), none);
            }
            let inside = lanes.inside.load(simd, group);
            let mut deciding = is_card(simd, lanes.card.load(simd, group));
            let waiting = lanes.fresh.load(simd, group);
            let mut fresh = 0;
            if SEATS == HOUSE {
                deciding |= waiting.simd_ne(none);
            }
            if let Some(start) = &lanes.start {
                let first = waiting.simd_eq(u8x64::splat(simd, u8::MAX));
                wishes = first.select(start.settle(simd, wishes), wishes);
                deciding |= first;
                fresh = first.to_bitmask();
            }
            if SEATS == HOUSE || lanes.start.is_some() {
                lanes.fresh.store(group, none);
            }
            let mut pending = deciding.select(wishes & inside, none);
            if self.after {
                pending |= lanes.pending.load(simd, group);
            }
            lanes.pending.store(group, pending);
            if let Some(start) = &mut lanes.start {
                start.note(&lanes.game.0, group, fresh, &lanes.pending.0);
            }
            if self.program.uses(JUST_LEFT) {
                let leavers = count_bits::<S, SEATS>(simd, pending);
                lanes.just_left.set(simd, group, deciding, leavers);
            }
        }
        if !self.after {
            for group in 0..GROUPS {
                self.leave::<S, SEATS>(simd, lanes, group);
            }
        }
    }
}
