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
use super::lanes::{Lanes, for_each_lane, mix};
use super::outcomes as o;
use super::rules::{Card, DiamantRules, Leavers, ROUNDS_MAX, Tiebreak, Unclaimed, Worth};
use crate::formula::SEATS_MAX;
use crate::formula::program::{BLOCK, BLOCKS, Column, Program, Truths};
use crate::game::{Layout, Record};
use crate::streams;
use fearless_simd::{Level, Simd, dispatch, prelude::*};
use fearless_simd::{f32x16, mask8x64, mask32x16, mask64x8, u8x64, u32x16, u64x8};

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    pub(super) layout: Layout,
    pub(super) seats: usize,
    pub(super) rounds: u32,
    pub(super) first_deck: u64,
    pub(super) joining: [u64; ROUNDS_MAX as usize],
    pub(super) relic_set: u64,
    pub(super) treasure: f32,
    pub(super) copies: [f32; SEATS_MAX],
    pub(super) remove_trap: bool,
    pub(super) unclaimed: Unclaimed,
    pub(super) tiebreak: Tiebreak,
    pub(super) sees_bust_risk: bool,
    leavers: Leavers,
    worth: Worth,
    /// Cards in the box.
    size: u64,
    /// By card: rubies of a treasure, the bit of a trap's kind, 1 for a relic, its printed value.
    values: [u8; 64],
    kinds: [u8; 64],
    relics: [u8; 64],
    printed: [u8; 64],
    /// Value of a relic by the number of relics that left before it.
    by_claim: [u8; 64],
    program: Program,
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
            treasure: 0.0,
            copies: [0.0; SEATS_MAX],
            remove_trap: rules.remove_trap,
            unclaimed: rules.unclaimed,
            tiebreak: rules.tiebreak,
            sees_bust_risk: program.uses(BUST_RISK),
            leavers: rules.leavers,
            worth: rules.worth,
            size: rules.cards.len() as u64,
            values: [0; 64],
            kinds: [0; 64],
            relics: [0; 64],
            printed: [0; 64],
            by_claim: [0; 64],
            program,
        };
        for (round, joining) in (0..rules.rounds).zip(&mut kernel.joining) {
            *joining = rules.joining(round);
        }
        kernel.by_claim[..rules.relics.len()].copy_from_slice(&rules.relics);
        for (index, card) in rules.cards.iter().enumerate() {
            match *card {
                Card::Treasure(value) => {
                    kernel.values[index] = value;
                    kernel.treasure += f32::from(value);
                }
                Card::Trap(kind) => {
                    kernel.kinds[index] = 1 << kind;
                    kernel.copies[usize::from(kind)] += 1.0;
                }
                Card::Relic(relic) => {
                    kernel.relics[index] = 1;
                    kernel.printed[index] = rules.relics[usize::from(relic)];
                }
            }
        }
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
        match self.leavers {
            Leavers::BeforeReveal => {
                dispatch!(level, simd => self.play_lanes::<_, false>(simd, &mut lanes, record))
            }
            Leavers::AfterReveal => {
                dispatch!(level, simd => self.play_lanes::<_, true>(simd, &mut lanes, record))
            }
        }
    }

    /// The game as the rulebook tells it. In `AFTER`, those who decided to leave collect once
    /// the others have revealed the next card; otherwise at once.
    #[inline(always)]
    fn play_lanes<S: Simd, const AFTER: bool>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        record: &mut Record,
    ) {
        lanes.start(simd, self);
        while any(&lanes.active) {
            self.draw(simd, lanes);
            self.look_up(simd, lanes);
            self.reveal::<S, AFTER>(simd, lanes);
            if AFTER {
                self.leave::<S, AFTER>(simd, lanes, record);
            }
            self.bust(simd, lanes);
            self.decide(simd, lanes);
            if !AFTER {
                self.leave::<S, AFTER>(simd, lanes, record);
            }
            let ended = self.close(simd, lanes, record);
            lanes.refill(simd, self, &ended, record);
        }
    }

    /// Draws a card in every lane where somebody goes on: four tries, as in [`deck::draw`].
    /// A lane whose tries all fail waits for the next step.
    #[inline(always)]
    fn draw<S: Simd>(&self, simd: S, lanes: &mut Lanes) {
        let size = u32x16::splat(simd, self.size as u32);
        let low16 = u64x8::splat(simd, 0xffff);
        let unfair = u64x8::splat(simd, deck::unfair_below(self.size));
        let one = u64x8::splat(simd, 1);
        let none = u64x8::splat(simd, 0);
        let mut wants = [0; BLOCKS];
        for seat in 0..self.seats {
            for block in 0..BLOCKS {
                wants[block] |= lanes.inside[seat][block] & !lanes.pending[seat][block];
            }
        }
        for block in 0..BLOCKS {
            let mut drew = 0;
            let mut empty = 0;
            let mut cards = [none; 2];
            for (half, chosen) in cards.iter_mut().enumerate() {
                let at = block * BLOCK + half * 8;
                let number = next_u64(simd, &mut lanes.rng, at);
                let deck = u64x8::from_slice(simd, &lanes.deck.0[at..at + 8]);
                let mut hit = mask64x8::splat(simd, false);
                for attempt in (0..deck::TRIES).rev() {
                    let r: u64x8<S> = (number >> (16 * attempt)) & low16;
                    // Both factors are small, so 32-bit products are the 64-bit ones.
                    let product: u64x8<S> = (r.bitcast::<u32x16<S>>() * size).bitcast();
                    let card = product >> 16;
                    let there = ((deck >> card) & one).simd_eq(one);
                    let fits = (product & low16).simd_ge(unfair) & there;
                    *chosen = fits.select(card, *chosen);
                    hit |= fits;
                }
                let wanting = u64::from(wants[block] >> (8 * half)) & 0xff;
                let drawn = hit & mask64x8::from_bitmask(simd, wanting);
                let rest = deck & !(one << *chosen);
                drawn
                    .select(rest, deck)
                    .store_slice(&mut lanes.deck.0[at..at + 8]);
                drew |= drawn.to_bitmask() << (8 * half);
                empty |= deck.simd_eq(none).to_bitmask() << (8 * half);
            }
            let [low, high] = cards;
            low.narrow(high)
                .store_slice(&mut lanes.card.0[block * BLOCK..][..BLOCK]);
            lanes.drew[block] = drew as u16;
            lanes.forced[block] = wants[block] & empty as u16;
            lanes.ready[block] = lanes.drew[block] | !wants[block];
        }
    }

    /// Looks up what was drawn; lanes that drew nothing get a card without any effect.
    #[inline(always)]
    fn look_up<S: Simd>(&self, simd: S, lanes: &mut Lanes) {
        let nothing = u8x64::splat(simd, 0);
        let values = u8x64::load_array(simd, self.values);
        let kinds = u8x64::load_array(simd, self.kinds);
        for group in 0..2 {
            let at = group * 64;
            let card = load_bytes(simd, &lanes.card.0[at..at + 64]);
            let drew = drew_mask(simd, &lanes.drew[group * 4..][..4]);
            let value = drew.select(values.swizzle_dyn(card), nothing);
            store_as_f32(value, &mut lanes.value.0[at..at + 64]);
            let kind = drew.select(kinds.swizzle_dyn(card), nothing);
            for (quarter, part) in quarters(kind).into_iter().enumerate() {
                part.store_slice(&mut lanes.kind.0[at + quarter * BLOCK..][..BLOCK]);
            }
            if self.relic_set != 0 {
                let relic = drew.select(
                    u8x64::load_array(simd, self.relics).swizzle_dyn(card),
                    nothing,
                );
                store_as_f32(relic, &mut lanes.relic.0[at..at + 64]);
                let worth = match self.worth {
                    Worth::Printed => u8x64::load_array(simd, self.printed).swizzle_dyn(card),
                    Worth::ClaimOrder => {
                        let mut next = [0; 64];
                        for quarter in 0..4 {
                            let from = at + quarter * BLOCK;
                            let claimed =
                                f32x16::from_slice(simd, &lanes.claimed.0[from..from + BLOCK]);
                            let lying = &lanes.file.numbers[RELICS_ON_PATH].0[from..from + BLOCK];
                            let next_claim = claimed + f32x16::from_slice(simd, lying);
                            let next_claim: u32x16<S> = next_claim.to_int();
                            (next_claim & 63).store_slice(&mut next[quarter * BLOCK..][..BLOCK]);
                        }
                        u8x64::load_array(simd, self.by_claim).swizzle_dyn(load_bytes(simd, &next))
                    }
                };
                store_as_f32(worth, &mut lanes.worth.0[at..at + 64]);
            }
        }
    }

    /// Reveals the card: a treasure is shared by those who go on, a relic and the first trap of
    /// a kind lie on the path, the second trap of a kind ends the expedition.
    #[inline(always)]
    fn reveal<S: Simd, const AFTER: bool>(&self, simd: S, lanes: &mut Lanes) {
        let one = f32x16::splat(simd, 1.0);
        let zero = f32x16::splat(simd, 0.0);
        for block in 0..BLOCKS {
            let at = block * BLOCK;
            let numbers = &mut lanes.file.numbers;
            let value = load(simd, &lanes.value, block);
            let mut sharers = load(simd, &numbers[EXPLORERS], block);
            if AFTER {
                sharers -= load(simd, &numbers[JUST_LEFT], block);
            }
            let sharers = sharers.max(one);
            let share = (value / sharers).floor();
            let held = load(simd, &numbers[HELD], block);
            if AFTER {
                store(held, &mut lanes.held_before, block);
            }
            // What somebody holds means nothing once they are outside, so no mask is needed.
            store(held + share, &mut numbers[HELD], block);
            add(simd, &mut numbers[LEFTOVER], block, value - share * sharers);
            let left = load(simd, &numbers[TREASURE_LEFT], block);
            store(left - value, &mut numbers[TREASURE_LEFT], block);

            let kind = u32x16::from_slice(simd, &lanes.kind.0[at..at + BLOCK]);
            let seen = u32x16::from_slice(simd, &lanes.seen.0[at..at + BLOCK]);
            let none = u32x16::splat(simd, 0);
            let bust = (kind & seen).simd_ne(none);
            let first = kind.simd_ne(none) & !bust;
            (seen | kind).store_slice(&mut lanes.seen.0[at..at + BLOCK]);
            lanes.bust[block] = bust.to_bitmask() as u16;
            add(
                simd,
                &mut numbers[TRAPS_SEEN],
                block,
                first.select(one, zero),
            );
            if self.sees_bust_risk {
                for (bit, copies) in lanes.copies.iter().enumerate() {
                    let this = first & kind.simd_eq(u32x16::splat(simd, 1 << bit));
                    let others = load(simd, copies, block) - one;
                    add(simd, &mut lanes.danger, block, this.select(others, zero));
                }
            }
            if self.relic_set != 0 {
                let relic = load(simd, &lanes.relic, block);
                add(simd, &mut numbers[RELICS_ON_PATH], block, relic);
                add(
                    simd,
                    &mut numbers[RELIC_WORTH],
                    block,
                    relic * load(simd, &lanes.worth, block),
                );
            }
            let drawn = lanes_mask(simd, lanes.drew[block]).select(one, zero);
            add(simd, &mut numbers[CARDS_REVEALED], block, drawn);
            let left = load(simd, &numbers[CARDS_LEFT], block);
            store(left - drawn, &mut numbers[CARDS_LEFT], block);
        }
    }

    /// A trap ended the expedition: those who are still inside lose what they hold.
    #[inline(always)]
    fn bust<S: Simd>(&self, simd: S, lanes: &mut Lanes) {
        for block in 0..BLOCKS {
            let bust = lanes.bust[block];
            if bust == 0 {
                continue;
            }
            for seat in 0..self.seats {
                let lost = lanes_mask(simd, lanes.inside[seat][block] & bust);
                add_one(simd, &mut lanes.busts[seat], block, lost);
                lanes.inside[seat][block] &= !bust;
            }
            add_one(simd, &mut lanes.table_busts, block, lanes_mask(simd, bust));
        }
    }

    /// Everyone inside who has seen the card decides whether to leave.
    #[inline(always)]
    fn decide<S: Simd>(&self, simd: S, lanes: &mut Lanes) {
        self.look_around(simd, lanes);
        self.program.run(simd, &mut lanes.file, BLOCKS);
        let one = f32x16::splat(simd, 1.0);
        let zero = f32x16::splat(simd, 0.0);
        for block in 0..BLOCKS {
            let deciding = lanes.drew[block] & !lanes.bust[block];
            let mut leavers = zero;
            for seat in 0..self.seats {
                let wish = lanes.file.truths[self.program.output(seat)][block];
                let leaving = wish & lanes.inside[seat][block] & deciding;
                lanes.pending[seat][block] |= leaving;
                leavers += lanes_mask(simd, leaving).select(one, zero);
            }
            let just_left = load(simd, &lanes.file.numbers[JUST_LEFT], block);
            let just_left = lanes_mask(simd, deciding).select(leavers, just_left);
            store(just_left, &mut lanes.file.numbers[JUST_LEFT], block);
        }
    }

    /// Fills the features that take some work, each only when a bot at the table looks at it.
    #[inline(always)]
    fn look_around<S: Simd>(&self, simd: S, lanes: &mut Lanes) {
        let one = f32x16::splat(simd, 1.0);
        let zero = f32x16::splat(simd, 0.0);
        if self.sees_bust_risk {
            for block in 0..BLOCKS {
                let cards = load(simd, &lanes.file.numbers[CARDS_LEFT], block).max(one);
                let risk = load(simd, &lanes.danger, block) / cards;
                store(risk, &mut lanes.file.numbers[BUST_RISK], block);
            }
        }
        for seat in 0..self.seats {
            let numbers = &mut lanes.file.numbers;
            if self.program.uses_for_seat(BEST_OTHER_CHEST, seat) {
                for block in 0..BLOCKS {
                    let mut best = zero;
                    for other in (0..self.seats).filter(|&other| other != seat) {
                        best = best.max(load(simd, &numbers[self.chest(other)], block));
                    }
                    store(
                        best,
                        &mut numbers[VOCABULARY.register(BEST_OTHER_CHEST, seat)],
                        block,
                    );
                }
            }
            if self.program.uses_for_seat(RANK, seat) {
                for block in 0..BLOCKS {
                    let own = load(simd, &numbers[self.chest(seat)], block);
                    let mut rank = one;
                    for other in 0..self.seats {
                        let richer = load(simd, &numbers[self.chest(other)], block).simd_gt(own);
                        rank += richer.select(one, zero);
                    }
                    store(rank, &mut numbers[VOCABULARY.register(RANK, seat)], block);
                }
            }
            if self.program.uses_for_seat(RANDOM, seat) {
                for block in 0..BLOCKS {
                    let random = self.random(simd, lanes, seat, block);
                    store(
                        random,
                        &mut lanes.file.numbers[VOCABULARY.register(RANDOM, seat)],
                        block,
                    );
                }
            }
        }
    }

    /// [`streams::uniform`] of [`random_counter`], for 16 lanes.
    #[inline(always)]
    fn random<S: Simd>(&self, simd: S, lanes: &Lanes, seat: usize, block: usize) -> f32x16<S> {
        let round = load(simd, &lanes.file.numbers[ROUND], block) - 1.0;
        let cards = load(simd, &lanes.file.numbers[CARDS_REVEALED], block);
        let counter: u32x16<S> = ((round * 128.0 + cards) * 8.0 + seat as f32).to_int();
        let (low, high) = counter.widen();
        let golden = u64x8::splat(simd, streams::GOLDEN);
        let base = u64x8::splat(simd, streams::UNIFORM_BASE + 1);
        let mut halves = [low, high];
        for (half, counter) in halves.iter_mut().enumerate() {
            let key = &lanes.key.0[block * BLOCK + half * 8..][..8];
            let walked = u64x8::from_slice(simd, key) + (*counter + base) * golden;
            *counter = mix(simd, walked) >> 40;
        }
        let bits: u32x16<S> = halves[0].narrow(halves[1]);
        let number: f32x16<S> = bits.to_float();
        number * (1.0 / (1u32 << 24) as f32)
    }

    /// Those who decided to leave bank what they hold and a share of the path; one who leaves
    /// alone takes the relics too. Where no card is left, everyone inside leaves.
    #[inline(always)]
    fn leave<S: Simd, const AFTER: bool>(&self, simd: S, lanes: &mut Lanes, record: &mut Record) {
        let one = f32x16::splat(simd, 1.0);
        let zero = f32x16::splat(simd, 0.0);
        let mut leavers = [[0; BLOCKS]; SEATS_MAX];
        for block in 0..BLOCKS {
            let mut anybody = 0;
            let mut count = zero;
            for seat in 0..self.seats {
                let decided = lanes.pending[seat][block] & lanes.ready[block];
                let leaving = lanes.inside[seat][block] & (decided | lanes.forced[block]);
                lanes.inside[seat][block] &= !leaving;
                lanes.pending[seat][block] &= !leaving;
                leavers[seat][block] = leaving;
                anybody |= leaving;
                count += lanes_mask(simd, leaving).select(one, zero);
            }
            if anybody == 0 {
                continue;
            }
            let numbers = &mut lanes.file.numbers;
            let leftover = load(simd, &numbers[LEFTOVER], block);
            let share = (leftover / count.max(one)).floor();
            store(leftover - share * count, &mut numbers[LEFTOVER], block);
            let explorers = load(simd, &numbers[EXPLORERS], block);
            store(explorers - count, &mut numbers[EXPLORERS], block);

            let alone = count.simd_eq(one);
            let held = if AFTER {
                load(simd, &lanes.held_before, block)
            } else {
                load(simd, &numbers[HELD], block)
            };
            let worth = alone.select(load(simd, &numbers[RELIC_WORTH], block), zero);
            let relics = alone.select(load(simd, &numbers[RELICS_ON_PATH], block), zero);
            let banked = held + share + worth;
            let cards = load(simd, &numbers[CARDS_REVEALED], block);
            for seat in 0..self.seats {
                let leaving = lanes_mask(simd, leavers[seat][block]);
                add(
                    simd,
                    &mut numbers[self.chest(seat)],
                    block,
                    leaving.select(banked, zero),
                );
                add(
                    simd,
                    &mut lanes.relics[seat],
                    block,
                    leaving.select(relics, zero),
                );
                add(
                    simd,
                    &mut lanes.cards_at_leaving[seat],
                    block,
                    leaving.select(cards, zero),
                );
                add_one(simd, &mut lanes.left_alone[seat], block, leaving & alone);
            }
            let taken = relics.simd_gt(zero).to_bitmask() as u16;
            if taken != 0 {
                self.take_relics(simd, lanes, block, taken, relics);
            }
        }
        self.count_leavers(lanes, &leavers, record);
    }

    /// Relics that somebody took leave the path and the game.
    #[inline(always)]
    fn take_relics<S: Simd>(
        &self,
        simd: S,
        lanes: &mut Lanes,
        block: usize,
        taken: u16,
        relics: f32x16<S>,
    ) {
        let numbers = &mut lanes.file.numbers;
        let lying = load(simd, &numbers[RELICS_ON_PATH], block);
        store(lying - relics, &mut numbers[RELICS_ON_PATH], block);
        let zero = f32x16::splat(simd, 0.0);
        let worth = load(simd, &numbers[RELIC_WORTH], block);
        store(
            lanes_mask(simd, taken).select(zero, worth),
            &mut numbers[RELIC_WORTH],
            block,
        );
        add(simd, &mut lanes.claimed, block, relics);
        let mut only = [0; BLOCKS];
        only[block] = taken;
        for_each_lane(&only, |lane| {
            let path = lanes.in_game.0[lane] & !lanes.deck.0[lane];
            lanes.in_game.0[lane] &= !(path & self.relic_set);
        });
    }

    /// Counts, by cards revealed, who left.
    #[inline(always)]
    fn count_leavers(&self, lanes: &Lanes, leavers: &[Truths; SEATS_MAX], record: &mut Record) {
        let counts = &mut record.counts[self.layout.counts_offset(o::LEAVING)..];
        let cards = &lanes.file.numbers[CARDS_REVEALED];
        for (seat, leaving) in leavers[..self.seats].iter().enumerate() {
            for_each_lane(leaving, |lane| {
                counts[cards.0[lane] as usize * self.seats + seat] += 1
            });
        }
    }

    /// Closes every expedition in which nobody is left inside; tells which.
    #[inline(always)]
    fn close<S: Simd>(&self, simd: S, lanes: &mut Lanes, record: &mut Record) -> Truths {
        let mut ended = lanes.active;
        for seat in 0..self.seats {
            for block in 0..BLOCKS {
                ended[block] &= !lanes.inside[seat][block];
            }
        }
        for block in 0..BLOCKS {
            if ended[block] == 0 {
                continue;
            }
            let closing = lanes_mask(simd, ended[block]);
            let zero = f32x16::splat(simd, 0.0);
            let numbers = &lanes.file.numbers;
            let cards = load(simd, &numbers[CARDS_REVEALED], block);
            add(simd, &mut lanes.cards, block, closing.select(cards, zero));
            let leftover = load(simd, &numbers[LEFTOVER], block);
            add(
                simd,
                &mut lanes.left_behind,
                block,
                closing.select(leftover, zero),
            );

            let mut best = zero;
            for seat in 0..self.seats {
                best = best.max(load(simd, &numbers[self.chest(seat)], block));
            }
            let none = u32x16::splat(simd, 0);
            let mut leaders = none;
            for seat in 0..self.seats {
                let leads = load(simd, &numbers[self.chest(seat)], block).simd_eq(best);
                leaders |= leads.select(u32x16::splat(simd, 1 << seat), none);
            }
            let at = block * BLOCK;
            let before = u32x16::from_slice(simd, &lanes.leaders.0[at..at + BLOCK]);
            let changed = (leaders & before).simd_eq(none) & closing;
            add_one(simd, &mut lanes.lead_changes, block, changed);
            let earlier = u32x16::from_slice(simd, &lanes.leaders_before.0[at..at + BLOCK]);
            closing
                .select(before, earlier)
                .store_slice(&mut lanes.leaders_before.0[at..at + BLOCK]);
            closing
                .select(leaders, before)
                .store_slice(&mut lanes.leaders.0[at..at + BLOCK]);
        }
        self.count_ends(lanes, &ended, record);
        ended
    }

    /// Counts, by cards revealed, the expeditions that ended.
    #[inline(always)]
    fn count_ends(&self, lanes: &Lanes, ended: &Truths, record: &mut Record) {
        let counts = &mut record.counts[self.layout.counts_offset(o::ENDED)..];
        let cards = &lanes.file.numbers[CARDS_REVEALED];
        for_each_lane(ended, |lane| {
            let row = cards.0[lane] as usize * 2;
            counts[row] += 1;
            counts[row + 1] += u64::from(super::lanes::test(&lanes.bust, lane));
        });
    }
}

/// One output of xoshiro256++ for the eight lanes from `at`.
#[inline(always)]
fn next_u64<S: Simd>(simd: S, rng: &mut [super::lanes::Words; 4], at: usize) -> u64x8<S> {
    let mut s0 = u64x8::from_slice(simd, &rng[0].0[at..at + 8]);
    let mut s1 = u64x8::from_slice(simd, &rng[1].0[at..at + 8]);
    let mut s2 = u64x8::from_slice(simd, &rng[2].0[at..at + 8]);
    let mut s3 = u64x8::from_slice(simd, &rng[3].0[at..at + 8]);
    let sum = s0 + s3;
    let number = ((sum << 23) | (sum >> 41)) + s0;
    let t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 45) | (s3 >> 19);
    s0.store_slice(&mut rng[0].0[at..at + 8]);
    s1.store_slice(&mut rng[1].0[at..at + 8]);
    s2.store_slice(&mut rng[2].0[at..at + 8]);
    s3.store_slice(&mut rng[3].0[at..at + 8]);
    number
}

#[inline(always)]
fn any(truths: &Truths) -> bool {
    truths.iter().fold(0, |all, word| all | word) != 0
}

#[inline(always)]
fn load<S: Simd>(simd: S, column: &Column, block: usize) -> f32x16<S> {
    f32x16::from_slice(simd, &column.0[block * BLOCK..][..BLOCK])
}

#[inline(always)]
fn store<S: Simd>(value: f32x16<S>, column: &mut Column, block: usize) {
    value.store_slice(&mut column.0[block * BLOCK..][..BLOCK]);
}

#[inline(always)]
fn add<S: Simd>(simd: S, column: &mut Column, block: usize, amount: f32x16<S>) {
    store(load(simd, column, block) + amount, column, block);
}

#[inline(always)]
fn add_one<S: Simd>(simd: S, column: &mut Column, block: usize, where_: mask32x16<S>) {
    let amount = where_.select(f32x16::splat(simd, 1.0), f32x16::splat(simd, 0.0));
    add(simd, column, block, amount);
}

#[inline(always)]
fn lanes_mask<S: Simd>(simd: S, word: u16) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, u64::from(word))
}

#[inline(always)]
fn drew_mask<S: Simd>(simd: S, words: &[u16]) -> mask8x64<S> {
    let bits = u64::from(words[0])
        | u64::from(words[1]) << 16
        | u64::from(words[2]) << 32
        | u64::from(words[3]) << 48;
    mask8x64::from_bitmask(simd, bits)
}

/// 64 small numbers as bytes.
#[inline(always)]
fn load_bytes<S: Simd>(simd: S, words: &[u32]) -> u8x64<S> {
    let part = |quarter: usize| u32x16::from_slice(simd, &words[quarter * BLOCK..][..BLOCK]);
    let low = part(0).narrow(part(1));
    let high = part(2).narrow(part(3));
    low.narrow(high)
}

#[inline(always)]
fn quarters<S: Simd>(bytes: u8x64<S>) -> [u32x16<S>; 4] {
    let (low, high) = bytes.widen();
    let (first, second) = low.widen();
    let (third, fourth) = high.widen();
    [first, second, third, fourth]
}

#[inline(always)]
fn store_as_f32<S: Simd>(bytes: u8x64<S>, column: &mut [f32]) {
    for (quarter, part) in quarters(bytes).into_iter().enumerate() {
        let number: f32x16<S> = part.to_float();
        number.store_slice(&mut column[quarter * BLOCK..][..BLOCK]);
    }
}
