//! The state of many games of Diamant in flight, one a lane, and how a lane is refilled.
//!
//! What bots see lives in the registers of their formulas ([`Lanes::file`]), so nothing is
//! copied before a decision. Everything here is sized for [`LANES`] games; nothing allocates
//! once the lanes exist.

use super::features::*;
use super::kernel::Kernel;
use super::outcomes as o;
use super::rules::{Tiebreak, Unclaimed};
use crate::formula::SEATS_MAX;
use crate::formula::program::{BLOCKS, Column, LANES, RegisterFile, Truths};
use crate::game::{Record, SCORE, WIN, WIN_UNITS};
use crate::streams;
use fearless_simd::{Simd, prelude::*, u64x8};

/// A 64-bit word for each lane.
#[repr(align(64))]
#[derive(Clone)]
pub struct Words(pub [u64; LANES]);

/// A 32-bit word for each lane.
#[repr(align(64))]
#[derive(Clone)]
pub struct Kinds(pub [u32; LANES]);

const WORDS: Words = Words([0; LANES]);
const KINDS: Kinds = Kinds([0; LANES]);
const ZEROS: Column = Column([0.0; LANES]);
const NOBODY: Truths = [0; BLOCKS];

/// All games in flight.
pub struct Lanes {
    /// Features, constants and intermediate results of the formulas.
    pub file: RegisterFile,
    /// State of each lane's generator.
    pub rng: [Words; 4],
    /// Key of each lane's game.
    pub key: Words,
    /// Cards still to be drawn in this expedition.
    pub deck: Words,
    /// Cards in the game; those not in the deck lie on the path.
    pub in_game: Words,
    /// The card drawn last.
    pub card: Kinds,
    /// Its rubies, when it is a treasure.
    pub value: Column,
    /// Its kind of trap as one bit, or 0.
    pub kind: Kinds,
    /// 1 when it is a relic.
    pub relic: Column,
    /// What it is worth as a relic.
    pub worth: Column,
    /// Kinds of trap on the path, one bit each.
    pub seen: Kinds,
    /// Copies of each kind of trap in the game; kept only when a bot looks at `bust_risk`.
    pub copies: [Column; SEATS_MAX],
    /// Cards of the deck that would end the expedition.
    pub danger: Column,
    /// What explorers held before the last card; leavers in `after-reveal` bank this.
    pub held_before: Column,
    /// Lanes that play a game.
    pub active: Truths,
    /// Lanes that drew a card in this step.
    pub drew: Truths,
    /// Lanes whose deck ran out while somebody wanted a card.
    pub forced: Truths,
    /// Lanes in which those who decided to leave may collect.
    pub ready: Truths,
    /// Lanes whose expedition a trap ended in this step.
    pub bust: Truths,
    /// Who is inside, by seat.
    pub inside: [Truths; SEATS_MAX],
    /// Who has decided to leave and not yet collected, by seat (`after-reveal`).
    pub pending: [Truths; SEATS_MAX],
    /// Seats in front, one bit each, after the last expedition that ended.
    pub leaders: Kinds,
    /// Seats in front one expedition earlier.
    pub leaders_before: Kinds,
    /// Outcomes of the game so far, by seat.
    pub relics: [Column; SEATS_MAX],
    /// Expeditions left alone, by seat.
    pub left_alone: [Column; SEATS_MAX],
    /// Cards revealed when leaving, summed, by seat.
    pub cards_at_leaving: [Column; SEATS_MAX],
    /// Expeditions lost, by seat.
    pub busts: [Column; SEATS_MAX],
    /// Outcomes of the game so far, of the table.
    pub claimed: Column,
    /// Cards revealed in earlier expeditions.
    pub cards: Column,
    /// Rubies left behind.
    pub left_behind: Column,
    /// Expeditions ended by a trap.
    pub table_busts: Column,
    /// Changes of the lead.
    pub lead_changes: Column,
    /// Expedition of each lane, from 0.
    round: [u32; LANES],
    /// Game of each lane, from 0 within the chunk.
    game: [u32; LANES],
    /// The next game to start, and how many there are.
    next: u32,
    games: u32,
    seed: u64,
    first: u64,
}

impl Lanes {
    /// Lanes for `games` games from number `first` of `seed`, none started yet.
    pub fn new(file: RegisterFile, seed: u64, first: u64, games: usize) -> Self {
        Lanes {
            file,
            rng: [WORDS; 4],
            key: WORDS,
            deck: WORDS,
            in_game: WORDS,
            card: KINDS,
            value: ZEROS,
            kind: KINDS,
            relic: ZEROS,
            worth: ZEROS,
            seen: KINDS,
            copies: [ZEROS; SEATS_MAX],
            danger: ZEROS,
            held_before: ZEROS,
            active: NOBODY,
            drew: NOBODY,
            forced: NOBODY,
            ready: NOBODY,
            bust: NOBODY,
            inside: [NOBODY; SEATS_MAX],
            pending: [NOBODY; SEATS_MAX],
            leaders: KINDS,
            leaders_before: KINDS,
            relics: [ZEROS; SEATS_MAX],
            left_alone: [ZEROS; SEATS_MAX],
            cards_at_leaving: [ZEROS; SEATS_MAX],
            busts: [ZEROS; SEATS_MAX],
            claimed: ZEROS,
            cards: ZEROS,
            left_behind: ZEROS,
            table_busts: ZEROS,
            lead_changes: ZEROS,
            round: [0; LANES],
            game: [0; LANES],
            next: 0,
            games: games as u32,
            seed,
            first,
        }
    }

    /// Starts a game in every lane, as far as there are games.
    #[inline(always)]
    pub fn start<S: Simd>(&mut self, simd: S, kernel: &Kernel) {
        let mut opened = Opened::default();
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
        let mut opened = Opened::default();
        for_each_lane(ended, |lane| {
            self.clear_path(kernel, lane);
            self.round[lane] += 1;
            if self.round[lane] < kernel.rounds {
                opened.push(lane);
                return;
            }
            self.record_game(kernel, lane, record);
            if self.next_game(kernel, lane) {
                opened.push(lane);
            }
        });
        self.open_expeditions(simd, kernel, &opened);
    }

    /// What leaves the game with the expedition that just ended.
    #[inline(always)]
    fn clear_path(&mut self, kernel: &Kernel, lane: usize) {
        let path = self.in_game.0[lane] & !self.deck.0[lane];
        let mut gone = 0;
        if kernel.unclaimed == Unclaimed::LeaveGame {
            gone |= path & kernel.relic_set;
        }
        if kernel.remove_trap && test(&self.bust, lane) {
            let card = self.card.0[lane];
            gone |= 1 << card;
            if kernel.sees_bust_risk {
                let kind = self.kind.0[lane].trailing_zeros() as usize;
                self.copies[kind].0[lane] -= 1.0;
            }
        }
        self.in_game.0[lane] &= !gone;
    }

    /// Gives the lane its next game, or takes it out of play when there is none.
    fn next_game(&mut self, kernel: &Kernel, lane: usize) -> bool {
        if self.next == self.games {
            for truths in self.inside.iter_mut().chain(&mut self.pending) {
                truths[lane / 16] &= !(1 << (lane % 16));
            }
            self.active[lane / 16] &= !(1 << (lane % 16));
            self.file.numbers[EXPLORERS].0[lane] = 0.0;
            return false;
        }
        self.active[lane / 16] |= 1 << (lane % 16);
        self.game[lane] = self.next;
        self.key.0[lane] =
            streams::game_key(self.seed, self.first.wrapping_add(u64::from(self.next)));
        self.next += 1;
        self.round[lane] = 0;
        self.in_game.0[lane] = kernel.first_deck;
        self.leaders.0[lane] = (1 << kernel.seats) - 1;
        for seat in 0..kernel.seats {
            self.relics[seat].0[lane] = 0.0;
            self.left_alone[seat].0[lane] = 0.0;
            self.cards_at_leaving[seat].0[lane] = 0.0;
            self.busts[seat].0[lane] = 0.0;
            self.file.numbers[kernel.chest(seat)].0[lane] = 0.0;
        }
        for (copies, &printed) in self.copies.iter_mut().zip(&kernel.copies) {
            copies.0[lane] = printed;
        }
        self.claimed.0[lane] = 0.0;
        self.cards.0[lane] = 0.0;
        self.left_behind.0[lane] = 0.0;
        self.table_busts.0[lane] = 0.0;
        self.lead_changes.0[lane] = 0.0;
        true
    }

    /// Sends everyone of the opened lanes into the cave, with a full deck and a fresh generator.
    #[inline(always)]
    fn open_expeditions<S: Simd>(&mut self, simd: S, kernel: &Kernel, opened: &Opened) {
        for group in opened.lanes[..opened.count].chunks(8) {
            let mut key = [0; 8];
            let mut output = [0; 8];
            for (i, &lane) in group.iter().enumerate() {
                key[i] = self.key.0[usize::from(lane)];
                output[i] = u64::from(self.round[usize::from(lane)]) * 4 + 1;
            }
            let states = generator_states(simd, key, output);
            for (words, state) in self.rng.iter_mut().zip(&states) {
                for (&lane, &word) in group.iter().zip(state) {
                    words.0[usize::from(lane)] = word;
                }
            }
        }
        let numbers = &mut self.file.numbers;
        for &lane in &opened.lanes[..opened.count] {
            let lane = usize::from(lane);
            let round = self.round[lane];
            let deck = self.in_game.0[lane] | kernel.joining[round as usize];
            self.in_game.0[lane] = deck;
            self.deck.0[lane] = deck;
            self.seen.0[lane] = 0;
            self.danger.0[lane] = 0.0;
            numbers[HELD].0[lane] = 0.0;
            numbers[LEFTOVER].0[lane] = 0.0;
            numbers[RELICS_ON_PATH].0[lane] = 0.0;
            numbers[RELIC_WORTH].0[lane] = 0.0;
            numbers[TRAPS_SEEN].0[lane] = 0.0;
            numbers[TREASURE_LEFT].0[lane] = kernel.treasure;
            numbers[CARDS_REVEALED].0[lane] = 0.0;
            numbers[CARDS_LEFT].0[lane] = deck.count_ones() as f32;
            numbers[EXPLORERS].0[lane] = kernel.seats as f32;
            numbers[ROUND].0[lane] = (round + 1) as f32;
            numbers[ROUNDS_LEFT].0[lane] = (kernel.rounds - round - 1) as f32;
            numbers[JUST_LEFT].0[lane] = 0.0;
            for seat in 0..kernel.seats {
                self.inside[seat][lane / 16] |= 1 << (lane % 16);
                self.pending[seat][lane / 16] &= !(1 << (lane % 16));
            }
        }
    }

    /// Writes down the game that just ended in `lane`.
    fn record_game(&self, kernel: &Kernel, lane: usize, record: &mut Record) {
        let game = self.game[lane] as usize;
        let layout = &kernel.layout;
        let chest = |seat: usize| self.file.numbers[kernel.chest(seat)].0[lane];
        let mut winners = self.leaders.0[lane];
        let shared_lead = winners.count_ones() > 1;
        if shared_lead && kernel.tiebreak == Tiebreak::Relics {
            let leading = |seat: &usize| winners >> seat & 1 == 1;
            let most = (0..kernel.seats)
                .filter(leading)
                .map(|seat| self.relics[seat].0[lane]);
            let most = most.fold(0.0, f32::max);
            winners = (0..kernel.seats)
                .filter(leading)
                .filter(|&seat| self.relics[seat].0[lane] == most)
                .fold(0, |set, seat| set | 1 << seat);
        }
        let units = WIN_UNITS / winners.count_ones() as i32;
        let mut best = 0.0f32;
        let mut second = 0.0f32;
        for seat in 0..kernel.seats {
            let score = chest(seat);
            second = second.max(best.min(score));
            best = best.max(score);
            let busts = self.busts[seat].0[lane] as i32;
            let won = if winners >> seat & 1 == 1 { units } else { 0 };
            let column = layout.seat_column(seat, 0);
            record.set(column + WIN, game, won);
            record.set(column + SCORE, game, score as i32);
            record.set(column + o::BUSTS, game, busts);
            record.set(column + o::RELICS, game, self.relics[seat].0[lane] as i32);
            record.set(column + o::LEFT, game, kernel.rounds as i32 - busts);
            record.set(
                column + o::LEFT_ALONE,
                game,
                self.left_alone[seat].0[lane] as i32,
            );
            record.set(
                column + o::CARDS_AT_LEAVING,
                game,
                self.cards_at_leaving[seat].0[lane] as i32,
            );
        }
        let margin = if kernel.seats == 1 {
            0.0
        } else {
            best - second
        };
        let comeback = winners & self.leaders_before.0[lane] == 0;
        let column = layout.table_column(0);
        record.set(column + o::CARDS, game, self.cards.0[lane] as i32);
        record.set(
            column + o::TABLE_BUSTS,
            game,
            self.table_busts.0[lane] as i32,
        );
        record.set(
            column + o::LEFT_BEHIND,
            game,
            self.left_behind.0[lane] as i32,
        );
        record.set(column + o::CLAIMED, game, self.claimed.0[lane] as i32);
        record.set(column + o::MARGIN, game, margin as i32);
        record.set(
            column + o::LEAD_CHANGES,
            game,
            self.lead_changes.0[lane] as i32,
        );
        record.set(column + o::COMEBACK, game, i32::from(comeback));
        record.set(
            column + o::SHARED,
            game,
            i32::from(winners.count_ones() > 1),
        );
    }
}

/// Lanes whose expedition starts now, listed so that eight are seeded at a time.
struct Opened {
    lanes: [u8; LANES],
    count: usize,
}

impl Default for Opened {
    fn default() -> Self {
        Opened {
            lanes: [0; LANES],
            count: 0,
        }
    }
}

impl Opened {
    #[inline(always)]
    fn push(&mut self, lane: usize) {
        self.lanes[self.count] = lane as u8;
        self.count += 1;
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

/// Whether `lane` is set.
#[inline(always)]
pub fn test(truths: &Truths, lane: usize) -> bool {
    truths[lane / 16] >> (lane % 16) & 1 == 1
}

/// Calls `visit` with every lane that is set, in ascending order.
#[inline(always)]
pub fn for_each_lane(truths: &Truths, mut visit: impl FnMut(usize)) {
    for (block, &word) in truths.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(block * 16 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
