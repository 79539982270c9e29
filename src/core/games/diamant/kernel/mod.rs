//! Many games of Diamant at once: the referee's game, step by step over 128 lanes.
//!
//! Each lane is a game in flight. A step takes every lane one card further: draw, reveal,
//! decide, leave. Every second step, expeditions that ended are closed, and their lanes start
//! the next one by themselves. All of it is written once over vectors and compiled for each
//! level of the processor's vector instructions; the games are the same on every level, and
//! the same as the referee's. Nothing here allocates once the lanes exist, and nothing returns
//! an error: what can be wrong was checked when rules and bots were loaded.

use super::deck::Pointer;
use super::features::*;
use super::rules::{Card, DiamantRules, Leavers, Unclaimed, Worth};
use super::snapshot::{Settled, Snapshot};
use crate::formula::program::{BLOCKS, Draw, Program};
use crate::game::{Layout, Record};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Level, Simd, dispatch, prelude::*};
use fearless_simd::{mask8x64, u8x64};

mod draw;
mod features;
mod house;
mod lanes;
mod leave;
mod lessons;
mod playing_on;
mod recording;
mod refill;
mod vectors;
mod wide_chests;

pub use features::bounds;

use draw::is_card;
use house::{HOUSE, is_house};
use lanes::{Lanes, PLANES};
use lessons::Student;
use playing_on::Start;
use recording::Columns;
use vectors::{GROUPS, count_bits, divide, halves};

/// Cards drawn in a lane before expeditions that ended are closed: closing costs the same for one
/// lane as for all, so some lanes may wait.
const STEPS: usize = 2;

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    pub rules: DiamantRules,
    pub layout: Layout,
    /// Bytes needed for a set of the box's cards.
    planes: usize,
    /// The cards of the first expedition, as a byte set.
    first_deck: [u8; PLANES],
    /// Cards that join before an expedition, by byte of the set and by expedition.
    joining: [[u8; 64]; PLANES],
    joins: bool,
    relic_set: [u8; PLANES],
    /// Cards that stay in the game when they lie on the path at the end of an expedition.
    staying: [u8; PLANES],
    treasure: u16,
    copies: [u8; 8],
    /// Whether a score can take more than 15 bits.
    wide: bool,
    sees_chests: bool,
    sees_deck: bool,
    /// By card: rubies of a treasure, the bit of a trap's kind, the printed value of a relic.
    faces: [u8; 64],
    /// The first card that is a trap or a relic, and the first that is a relic.
    first_trap: u8,
    first_relic: u8,
    program: Program,
    /// By seat, what its program looks up by `temper`.
    draws: Vec<Vec<Draw>>,
    /// Number of learners, at the first seats.
    learners: usize,
    /// Whether leavers collect after the next card.
    after: bool,
    pointer: Pointer,
    /// Whether a deck can run out before a second trap of a kind ends the expedition.
    runs_out: bool,
    /// The worth of a relic by the number taken out before it. Up to 16 values are repeated in
    /// every 16 bytes, since looking a byte up among 16 is faster than among 64.
    by_claim: [u8; 64],
    few_relics: bool,
    is_house: bool,
    /// By kind of trap, its cards as a byte set.
    kinds: [[u8; PLANES]; 8],
}

impl Kernel {
    /// Prepares a table; `program` answers for the bots, by seat.
    ///
    /// The first seats may be `learners`: their program gives a cell number instead.
    pub fn new(
        rules: &DiamantRules,
        layout: Layout,
        mut program: Program,
        learners: usize,
    ) -> Self {
        let tempers = (0..SEATS_MAX).map(|seat| VOCABULARY.register(TEMPER, seat));
        let relics = rules.set_of(|card| matches!(card, Card::Relic(_)));
        let mut kernel = Kernel {
            rules: rules.clone(),
            layout,
            planes: rules.cards.len().div_ceil(8),
            first_deck: rules.first_deck().to_le_bytes(),
            joining: [[0; 64]; PLANES],
            joins: false,
            relic_set: relics.to_le_bytes(),
            staying: [u8::MAX; PLANES],
            treasure: rules.rubies() as u16,
            copies: [0; 8],
            wide: rules.chests_are_wide(),
            sees_chests: [CHEST, BEST_OTHER_CHEST, BEST_INSIDE, BEST_OUTSIDE, RANK]
                .iter()
                .any(|&feature| program.uses(feature)),
            sees_deck: program.uses(BUST_RISK) || program.uses(CARDS_LEFT),
            faces: [0; 64],
            first_trap: 0,
            first_relic: 0,
            draws: tempers.map(|temper| program.take_draws(temper)).collect(),
            program,
            learners,
            after: rules.leavers == Leavers::AfterReveal,
            pointer: Pointer::new(rules.cards.len()),
            runs_out: false,
            by_claim: [0; 64],
            few_relics: rules.relics.len() <= 16,
            is_house: is_house(rules),
            kinds: [[0; PLANES]; 8],
        };
        for (kind, cards) in (0u8..).zip(&mut kernel.kinds) {
            *cards = rules.set_of(|card| card == Card::Trap(kind)).to_le_bytes();
        }
        for round in 0..rules.rounds {
            let joining = rules.joining(round);
            kernel.joins |= joining != 0;
            for (plane, byte) in kernel.joining.iter_mut().zip(joining.to_le_bytes()) {
                plane[round as usize] = byte;
            }
        }
        if rules.unclaimed == Unclaimed::LeaveGame {
            kernel.staying = (!relics).to_le_bytes();
        }
        let block = if kernel.few_relics { 16 } else { 64 };
        for block in kernel.by_claim.chunks_exact_mut(block) {
            block[..rules.relics.len()].copy_from_slice(&rules.relics);
        }
        // Treasures come first, then traps, then relics.
        for (card, face) in rules.cards.iter().zip(&mut kernel.faces) {
            match *card {
                Card::Treasure(value) => {
                    *face = value;
                    kernel.first_trap += 1;
                    kernel.first_relic += 1;
                }
                Card::Trap(kind) => {
                    *face = 1 << kind;
                    kernel.copies[usize::from(kind)] += 1;
                    kernel.first_relic += 1;
                }
                Card::Relic(relic) => *face = rules.relics[usize::from(relic)],
            }
        }
        // Each removal takes one of the traps that can end an expedition.
        kernel.runs_out = (0..rules.rounds).any(|round| {
            let joined = kernel.copies.iter().zip(&rules.traps_from);
            let deadly: u32 = joined
                .filter(|(_, from)| **from <= round)
                .map(|(&copies, _)| u32::from((copies + 1).saturating_sub(rules.traps_to_end)))
                .sum();
            deadly <= if rules.remove_trap { round } else { 0 }
        });
        kernel
    }

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

    /// The seats at the table: `SEATS` of them, or all.
    #[inline(always)]
    fn seats<const SEATS: usize>(&self) -> std::ops::Range<usize> {
        if SEATS == 0 || SEATS == HOUSE {
            0..self.layout.seats.min(SEATS_MAX)
        } else {
            0..SEATS
        }
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
                    self.draw(simd, lanes, group);
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
    #[inline(always)]
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
