//! Many games of Diamant at once: the referee's game, step by step over 128 lanes.
//!
//! Each lane is a game in flight. A step takes every lane one card further: draw, reveal,
//! decide, leave, close; lanes whose expedition ended start the next one by themselves. All
//! of it is written once over vectors and compiled for each level of the processor's vector
//! instructions; the games are the same on every level, and the same as the referee's.
//! Nothing here allocates once the lanes exist, and nothing returns an error: what can be
//! wrong was checked when rules and bots were loaded.

use super::deck;
use super::features::*;
use super::lanes::Lanes;
use super::recording;
use super::rules::{Card, DiamantRules, Leavers, ROUNDS_MAX, Tiebreak, Unclaimed, Worth};
use super::vectors::{GROUPS, Words, divide, halves, in_bytes, only};
use crate::formula::SEATS_MAX;
use crate::formula::program::{BLOCKS, Program, Truths};
use crate::game::{Layout, Record};
use fearless_simd::{Level, Simd, dispatch, prelude::*};
use fearless_simd::{i32x16, u8x64, u32x16, u64x8};

/// In place of a card.
const MISSED: u8 = 64;

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    pub(super) layout: Layout,
    pub(super) seats: usize,
    pub(super) rounds: u32,
    pub(super) first_deck: u64,
    pub(super) joining: [u64; ROUNDS_MAX as usize],
    pub(super) relic_set: u64,
    /// What stays in the game though it lies on the path when an expedition ends.
    pub(super) staying: u64,
    pub(super) treasure: u16,
    pub(super) copies: [u8; 8],
    pub(super) remove_trap: bool,
    pub(super) unclaimed: Unclaimed,
    pub(super) tiebreak: Tiebreak,
    /// Whether a score can take more than 16 bits.
    pub(super) wide: bool,
    pub(super) sees_chests: bool,
    pub(super) sees_bust_risk: bool,
    pub(super) sees_deck: bool,
    pub(super) sees_treasure_left: bool,
    /// By card: the bit of a trap's kind.
    pub(super) kinds: [u8; 64],
    pub(super) program: Program,
    /// Whether leavers collect after the next card.
    pub(super) after: bool,
    worth: Worth,
    /// Cards in the box.
    size: u64,
    /// Whether a deck can run out before a second trap of a kind ends the expedition.
    runs_out: bool,
    /// By card: rubies of a treasure, the printed value of a relic.
    values: [u8; 64],
    printed: [u8; 64],
    /// Value of a relic by the number of relics that left before it.
    by_claim: [u8; 64],
    /// Whether a block of 16 holds them all; then each block of `by_claim` does.
    few_relics: bool,
}

impl Kernel {
    /// Prepares a table; `program` answers for the bots, by seat.
    pub fn new(rules: &DiamantRules, layout: Layout, program: Program) -> Self {
        let mut kernel = Kernel {
            seats: layout.seats,
            layout,
            rounds: rules.rounds,
            first_deck: rules.first_deck(),
            joining: [0; ROUNDS_MAX as usize],
            relic_set: rules.set_of(|card| matches!(card, Card::Relic(_))),
            staying: u64::MAX,
            treasure: 0,
            copies: [0; 8],
            remove_trap: rules.remove_trap,
            unclaimed: rules.unclaimed,
            tiebreak: rules.tiebreak,
            wide: rules.score_max() > usize::from(u16::MAX),
            sees_chests: [CHEST, BEST_OTHER_CHEST, RANK]
                .iter()
                .any(|&feature| program.uses(feature)),
            sees_bust_risk: program.uses(BUST_RISK),
            sees_deck: program.uses(BUST_RISK) || program.uses(CARDS_LEFT),
            sees_treasure_left: program.uses(TREASURE_LEFT),
            kinds: [0; 64],
            program,
            after: rules.leavers == Leavers::AfterReveal,
            worth: rules.worth,
            size: rules.cards.len() as u64,
            runs_out: false,
            values: [0; 64],
            printed: [0; 64],
            by_claim: [0; 64],
            few_relics: rules.relics.len() < 16,
        };
        for (round, joining) in (0..rules.rounds).zip(&mut kernel.joining) {
            *joining = rules.joining(round);
        }
        if rules.unclaimed == Unclaimed::LeaveGame {
            kernel.staying = !kernel.relic_set;
        }
        let block = if kernel.few_relics { 16 } else { 64 };
        for block in kernel.by_claim.chunks_exact_mut(block) {
            block[..rules.relics.len()].copy_from_slice(&rules.relics);
        }
        for (index, card) in rules.cards.iter().enumerate() {
            match *card {
                Card::Treasure(value) => {
                    kernel.values[index] = value;
                    kernel.treasure += u16::from(value);
                }
                Card::Trap(kind) => {
                    kernel.kinds[index] = 1 << kind;
                    kernel.copies[usize::from(kind)] += 1;
                }
                Card::Relic(relic) => {
                    kernel.printed[index] = rules.relics[usize::from(relic)];
                }
            }
        }
        // Each removal takes one of the traps that follow the first of their kind.
        let second_traps: u32 = kernel.copies.iter().map(|&n| u32::from(n.max(1)) - 1).sum();
        let removed = if rules.remove_trap {
            rules.rounds - 1
        } else {
            0
        };
        kernel.runs_out = second_traps <= removed;
        kernel
    }

    /// What a record of this table holds.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Register of `seat`'s chest.
    #[inline(always)]
    pub(super) fn chest(&self, seat: usize) -> usize {
        VOCABULARY.register(CHEST, seat)
    }

    /// Plays games `first ..` of `seed` until `record` is full.
    pub fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        let file = self.program.register_file();
        let mut lanes = Box::new(Lanes::new(file, seed, first, record.games()));
        lanes.file.numbers[PLAYERS].0.fill(self.seats as f32);
        match self.seats {
            1 => self.play_seats::<1>(level, &mut lanes, record),
            2 => self.play_seats::<2>(level, &mut lanes, record),
            3 => self.play_seats::<3>(level, &mut lanes, record),
            4 => self.play_seats::<4>(level, &mut lanes, record),
            5 => self.play_seats::<5>(level, &mut lanes, record),
            6 => self.play_seats::<6>(level, &mut lanes, record),
            7 => self.play_seats::<7>(level, &mut lanes, record),
            8 => self.play_seats::<8>(level, &mut lanes, record),
            _ => unreachable!("a table seats 1 to 8"),
        }
        recording::add_counts(&lanes, &self.layout, record);
        dispatch!(level, simd => recording::derive(simd, self, record));
    }

    /// Enters the kernel that was compiled for this number of seats and this level.
    fn play_seats<const SEATS: usize>(&self, level: Level, lanes: &mut Lanes, record: &mut Record) {
        dispatch!(level, simd => self.play_lanes::<_, SEATS>(simd, lanes, record));
    }

    /// The game as the rulebook tells it. In `after-reveal`, those who decided to leave
    /// collect once the others have revealed the next card; otherwise at once.
    #[inline(always)]
    fn play_lanes<S: Simd, const SEATS: usize>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        record: &mut Record,
    ) {
        lanes.start::<S, SEATS>(simd, self);
        while lanes.active.iter().any(|&group| group != 0) {
            for group in 0..GROUPS {
                self.draw::<S, SEATS>(simd, lanes, group);
                self.reveal::<S, SEATS>(simd, lanes, group);
                if self.after {
                    self.leave::<S, SEATS>(simd, lanes, group);
                }
                self.bust::<SEATS>(lanes, group);
            }
            self.decide::<S, SEATS>(simd, lanes);
            let mut ended = [0; GROUPS];
            for (group, ended) in ended.iter_mut().enumerate() {
                if !self.after {
                    self.leave::<S, SEATS>(simd, lanes, group);
                }
                *ended = self.close::<S, SEATS>(simd, lanes, group);
            }
            lanes.refill::<S, SEATS>(simd, self, &ended, record);
        }
    }

    /// Draws a card in every lane where somebody goes on, with one random number, as in
    /// [`deck::draw`]. A lane in which both tries fail waits for the next step.
    #[inline(always)]
    fn draw<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let size = u32x16::splat(simd, self.size as u32);
        let low16 = i32x16::splat(simd, 0xffff);
        let unfair_below = i32x16::splat(simd, deck::unfair_below(self.size) as i32);
        // A card that no deck holds; when there are 64 of them, no try is unfair.
        let nowhere = u32x16::splat(simd, 63);
        let somewhere = u32x16::splat(simd, 0);
        let index = u64x8::splat(simd, 63);
        let one = u64x8::splat(simd, 1);
        let none = u64x8::splat(simd, 0);
        let missed = u64x8::splat(simd, u64::from(MISSED));

        let mut wants = 0;
        for seat in 0..SEATS {
            wants |= lanes.inside[seat][group] & !lanes.pending[seat][group];
        }
        let everywhere = u8x64::splat(simd, 0xff);
        let wanting: u64x8<S> = only(simd, wants, everywhere).bitcast();
        let mut drawn = none;
        for part in (0..8).rev() {
            let at = 8 * group + part;
            let number = next_u64(simd, &mut lanes.rng, at);
            let tries: u32x16<S> = number.bitcast();
            let product = (tries >> 16) * size;
            let low: i32x16<S> = product.bitcast();
            let unfair = (low & low16).simd_lt(unfair_below);
            let cards = (product >> 16) | unfair.select(nowhere, somewhere);
            let cards: u64x8<S> = cards.bitcast();
            let first = cards & index;
            let second = (cards >> 32) & index;

            let deck = lanes.deck.load(simd, at);
            let mut left = deck;
            if self.after {
                let here = u64x8::splat(simd, 0xff << (8 * part));
                left = (wanting & here).simd_ne(none).select(deck, none);
            }
            let first_bit = one << first;
            let second_bit = one << second;
            let failed = (left & first_bit).simd_eq(none);
            let failed_again = (left & second_bit).simd_eq(none);
            let otherwise = second | failed_again.select(missed, none);
            let card = failed.select(otherwise, first);
            let mut bit = failed.select(second_bit, first_bit);
            if self.after {
                bit &= left;
            }
            // Where both tries failed, the second card is not in the deck anyway.
            lanes.deck.store(at, deck & !bit);
            drawn = (drawn << 8) | card;
        }
        let card: u8x64<S> = drawn.bitcast();
        lanes.card.store(group, card);
        let drew = card.simd_lt(u8x64::splat(simd, MISSED)).to_bitmask();
        lanes.drew[group] = drew;
        if self.runs_out {
            lanes.forced[group] = wants & !drew & empty_decks(simd, lanes, group);
        }
        lanes.ready[group] = drew | !wants;
    }

    /// Reveals the card: a treasure is shared by those who go on, a relic and the first trap of
    /// a kind lie on the path, the second trap of a kind ends the expedition.
    #[inline(always)]
    fn reveal<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes, group: usize) {
        let none = u8x64::splat(simd, 0);
        let card = lanes.card.load(simd, group);
        let drew = card.simd_lt(u8x64::splat(simd, MISSED));
        let value = u8x64::load_array(simd, self.values).swizzle_dyn(card);
        let value = drew.select(value, none);
        let mut sharers = lanes.explorers.load(simd, group);
        if self.after {
            sharers -= count_seats::<S, SEATS>(simd, &lanes.pending, group);
        }
        let (share, rest) = divide(simd, halves(value), sharers);
        for (side, half) in [2 * group, 2 * group + 1].into_iter().enumerate() {
            if self.after {
                let held = lanes.held.load(simd, half);
                lanes.held_before.store(half, held);
            }
            // What somebody holds means nothing once they are outside, so no mask is needed.
            lanes.held.add(simd, half, share[side]);
            lanes.leftover.add(simd, half, rest[side]);
            if self.sees_treasure_left {
                let left = lanes.treasure_left.load(simd, half);
                lanes.treasure_left.store(half, left - halves(value)[side]);
            }
        }

        let kind = u8x64::load_array(simd, self.kinds).swizzle_dyn(card);
        let kind = drew.select(kind, none);
        let seen = lanes.seen.load(simd, group);
        let bust = (kind & seen).simd_ne(none).to_bitmask();
        lanes.bust[group] = bust;
        lanes.seen.store(group, seen | kind);
        if self.sees_bust_risk {
            for bit in 0..8 {
                let this = kind.simd_eq(u8x64::splat(simd, 1 << bit)).to_bitmask() & !bust;
                let others = lanes.copies[bit].load(simd, group) - u8x64::splat(simd, 1);
                lanes.danger.add(simd, group, only(simd, this, others));
            }
        }
        let one = drew.select(u8x64::splat(simd, 1), none);
        lanes.revealed.add(simd, group, one);
        if self.relic_set != 0 {
            // What is neither treasure nor trap is a relic.
            let relic = (value | kind).simd_eq(none).select(one, none);
            self.reveal_relic(simd, lanes, group, relic);
        }
    }

    /// A relic lies on the path, worth what the rules say.
    #[inline(always)]
    fn reveal_relic<S: Simd>(&self, simd: S, lanes: &mut Lanes, group: usize, relic: u8x64<S>) {
        let none = u8x64::splat(simd, 0);
        let card = lanes.card.load(simd, group);
        let lying = lanes.relics.load(simd, group);
        let worth = match self.worth {
            Worth::Printed => u8x64::load_array(simd, self.printed).swizzle_dyn(card),
            Worth::ClaimOrder => {
                let next = lying + lanes.claimed.load(simd, group);
                let by_claim = u8x64::load_array(simd, self.by_claim);
                if self.few_relics {
                    by_claim.swizzle_dyn_within_blocks(next & u8x64::splat(simd, 15))
                } else {
                    by_claim.swizzle_dyn(next & u8x64::splat(simd, 63))
                }
            }
        };
        lanes.relics.store(group, lying + relic);
        let worth = halves(relic.simd_eq(none).select(none, worth));
        lanes.relic_worth.add(simd, 2 * group, worth[0]);
        lanes.relic_worth.add(simd, 2 * group + 1, worth[1]);
    }

    /// A trap ended the expedition: those who are still inside lose what they hold.
    #[inline(always)]
    fn bust<const SEATS: usize>(&self, lanes: &mut Lanes, group: usize) {
        for seat in 0..SEATS {
            lanes.inside[seat][group] &= !lanes.bust[group];
        }
    }

    /// Everyone inside who has seen the card decides whether to leave.
    #[inline(always)]
    fn decide<S: Simd, const SEATS: usize>(&self, simd: S, lanes: &mut Lanes) {
        self.show::<S, SEATS>(simd, lanes);
        self.program.run(simd, &mut lanes.file, BLOCKS);
        for group in 0..GROUPS {
            let deciding = lanes.drew[group] & !lanes.bust[group];
            for seat in 0..SEATS {
                let wish = lanes.file.truths[group][self.program.output(seat)];
                lanes.pending[seat][group] |= wish & lanes.inside[seat][group] & deciding;
            }
            if !self.program.uses(JUST_LEFT) {
                continue;
            }
            let leavers = count_seats::<S, SEATS>(simd, &lanes.pending, group);
            let before = lanes.just_left.load(simd, group);
            let just_left = in_bytes(simd, deciding).select(leavers, before);
            lanes.just_left.store(group, just_left);
        }
    }
}

/// Lanes of a group in which no card is left.
#[inline(always)]
fn empty_decks<S: Simd>(simd: S, lanes: &Lanes, group: usize) -> u64 {
    let none = u64x8::splat(simd, 0);
    let mut empty = none;
    for part in (0..8).rev() {
        let deck = lanes.deck.load(simd, 8 * group + part);
        let flag = deck.simd_eq(none).select(u64x8::splat(simd, 1), none);
        empty = (empty << 8) | flag;
    }
    let empty: u8x64<S> = empty.bitcast();
    empty.simd_ne(u8x64::splat(simd, 0)).to_bitmask()
}

/// How many seats are set, in each lane of a group.
#[inline(always)]
fn count_seats<S: Simd, const SEATS: usize>(
    simd: S,
    truths: &[Truths; SEATS_MAX],
    group: usize,
) -> u8x64<S> {
    let one = u8x64::splat(simd, 1);
    let mut count = u8x64::splat(simd, 0);
    for truths in &truths[..SEATS] {
        count += only(simd, truths[group], one);
    }
    count
}

/// One output of xoshiro256++ for eight lanes.
#[inline(always)]
fn next_u64<S: Simd>(simd: S, rng: &mut [Words; 4], eight: usize) -> u64x8<S> {
    let mut s0 = rng[0].load(simd, eight);
    let mut s1 = rng[1].load(simd, eight);
    let mut s2 = rng[2].load(simd, eight);
    let mut s3 = rng[3].load(simd, eight);
    let sum = s0 + s3;
    let number = ((sum << 23) | (sum >> 41)) + s0;
    let t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 45) | (s3 >> 19);
    rng[0].store(eight, s0);
    rng[1].store(eight, s1);
    rng[2].store(eight, s2);
    rng[3].store(eight, s3);
    number
}
