//! Learning seats: they play by a policy over cells and record what they decided.
//!
//! A lesson is unbiased when all that follows a decision is played by the policy. In half of the
//! games one learner tries, at one moment drawn beforehand, what it would do less often; of such a
//! game only its decisions from that moment on are lessons. In the other half no learner explores,
//! and all decisions are lessons, except that plentiful answers are thinned out.

use super::draw::is_card;
use super::lanes::{Lanes, set_lanes};
use super::prepared::Kernel;
use super::vectors::{Bytes, GROUP, GROUPS, Halves, halves, multiply_high};
use crate::formula::program::{BLOCKS, LANES, Truths};
use crate::game::{Decision, Layout, Lesson, Lessons, Record};
use crate::strategy::SEATS_MAX;
use crate::streams;
use fearless_simd::{Level, Simd, prelude::*};
use fearless_simd::{mask8x64, mask16x32, u8x64, u16x32, u32x16, u64x8};

/// Offset in the sequence of a game's key of the numbers that draw tries.
const TRIES: u64 = 1 << 48;
/// If an answer's probability is below this over 255, lessons of the other one are plentiful, …
const SURE: u8 = 51;
/// … and only those in these lanes are kept.
const TELLING: u64 = 0x1111_1111_1111_1111;
/// A moment after all others: no lessons.
const NEVER: u16 = u16::MAX;

/// The state of learners during a chunk.
pub struct Student<'a> {
    kernel: &'a Kernel,
    policy: &'a [u8],
    /// By seat and lane, the moment from which decisions are lessons, and at which an action is
    /// tried; 0 when nothing is tried.
    from: [Halves; SEATS_MAX],
    /// Seats that want to leave, by lane.
    pub wishes: [Truths; SEATS_MAX],
    /// By lane, the game and its expedition.
    places: [Decision; LANES],
    lessons: &'a mut Lessons,
    written: usize,
}

impl<'a> Student<'a> {
    /// Learners at the table of `kernel`, for `games` games.
    pub fn new(
        kernel: &'a Kernel,
        policy: &'a [u8],
        lessons: &'a mut Lessons,
        games: usize,
    ) -> Self {
        let scores = games * kernel.phases() * kernel.layout.seats;
        lessons.scores.resize(scores, 0);
        Student {
            kernel,
            policy,
            from: [Halves::splat(0); SEATS_MAX],
            places: [Decision::default(); LANES],
            wishes: [[0; GROUPS]; SEATS_MAX],
            lessons,
            written: 0,
        }
    }

    /// Trims the lessons to those written.
    pub fn end(self) {
        self.lessons.decisions.truncate(self.written);
    }

    pub fn start(&mut self, lanes: &Lanes) {
        for lane in 0..LANES {
            self.draw_try(lanes.key.0[lane], lane);
        }
    }

    /// Draws the seat, the action and the moment of a try for the game of this key.
    fn draw_try(&mut self, key: u64, lane: usize) {
        let bits = streams::output(key, TRIES);
        let tries = bits & 1 == 1;
        for from in &mut self.from[..self.kernel.learners] {
            from.0[lane] = if tries { NEVER } else { 0 };
        }
        if !tries {
            return;
        }
        let below = |limit: usize, shift: u32| (((bits >> shift) & 0xffff) as usize * limit) >> 16;
        let learner = below(self.kernel.learners, 1);
        let round = below(self.kernel.phases(), 17);
        // Most expeditions end within 12 cards.
        let cards = match bits >> 60 {
            0 => below(64, 33),
            _ => below(12, 33),
        };
        self.from[learner].0[lane] = moment(round as u8, cards as u8 + 1);
    }

    /// Records all scores in lanes with expeditions that ended.
    pub fn close(&mut self, lanes: &Lanes, ended: &Truths) {
        let (rounds, seats) = (self.kernel.phases(), self.kernel.layout.seats);
        for lane in set_lanes(*ended) {
            let expedition = lanes.game.0[lane] as usize * rounds + lanes.round.0[lane] as usize;
            let row = &mut self.lessons.scores[expedition * seats..][..seats];
            for (seat, score) in row.iter_mut().enumerate() {
                let [low, high] = [&lanes.chest[seat], &lanes.chest_high[seat]];
                *score = i32::from(low.0[lane]) | i32::from(high.0[lane]) << 16;
            }
        }
    }

    /// Starts the records of new games after expeditions that ended.
    pub fn next_games(&mut self, lanes: &Lanes, ended: &Truths) {
        for lane in set_lanes(*ended) {
            if lanes.round.0[lane] == 0 {
                self.draw_try(lanes.key.0[lane], lane);
            }
        }
    }

    /// Records a seat's decisions in the `noted` lanes.
    #[inline(always)]
    fn note(&mut self, seat: usize, noted: Truths, cells: &[u32; LANES]) {
        let decisions = &mut self.lessons.decisions[..];
        for group in 0..GROUPS {
            let wishes = self.wishes[seat][group];
            let mut left = noted[group];
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let lane = group * GROUP + bit;
                let yes = wishes >> bit & 1 == 1;
                decisions[self.written] = self.places[lane].answer(seat, cells[lane], yes);
                self.written += 1;
            }
        }
    }
}

/// The moment of a decision: higher when later in the game, never 0.
fn moment(round: u8, cards: u8) -> u16 {
    u16::from(round) << 7 | u16::from(cards)
}

impl Kernel {
    /// Asks every learner inside who has seen the card.
    #[inline(always)]
    pub fn ask<S: Simd>(&self, simd: S, lanes: &Lanes, student: &mut Student) {
        let most = student.written + LANES * self.learners;
        if student.lessons.decisions.len() < most {
            let room = most.next_power_of_two();
            student.lessons.decisions.resize(room, Decision::default());
        }
        let mut now = Halves::splat(0);
        for group in 0..GROUPS {
            let rounds = halves(lanes.round.load(simd, group));
            let cards = halves(lanes.revealed.load(simd, group));
            now.store(2 * group, (rounds[0] << 7) + cards[0]);
            now.store(2 * group + 1, (rounds[1] << 7) + cards[1]);
        }
        for lane in 0..LANES {
            student.places[lane] = Decision::at(lanes.game.0[lane], lanes.round.0[lane]);
        }
        let mut bytes = Bytes::splat(0);
        for seat in 0..self.learners {
            let column = &lanes.file.numbers[self.program.output(seat)];
            let mut cells = [0u32; LANES];
            for block in 0..BLOCKS {
                let numbers: u32x16<S> = column.load(simd, block).to_int();
                numbers.store_array(&mut cells.as_chunks_mut::<16>().0[block]);
            }
            let mut deciding = [0; GROUPS];
            for group in 0..GROUPS {
                let own = lanes.inside.load(simd, group) & u8x64::splat(simd, 1 << seat);
                let inside = own.simd_ne(u8x64::splat(simd, 0));
                let at_entrance = lanes.fresh.load(simd, group).simd_ne(u8x64::splat(simd, 0));
                let seen = is_card(simd, lanes.card.load(simd, group));
                let asked = inside & (seen | at_entrance);
                let mut left = asked.to_bitmask();
                deciding[group] = left;
                while left != 0 {
                    let lane = group * GROUP + left.trailing_zeros() as usize;
                    left &= left - 1;
                    bytes.0[lane] = student.policy[cells[lane] as usize];
                }
            }
            let luck = luck(simd, lanes, &now, seat);
            let mut noted = [0; GROUPS];
            for group in 0..GROUPS {
                let usual = luck.load(simd, group).simd_lt(bytes.load(simd, group));
                let mut late: [mask16x32<S>; 2] = [mask16x32::splat(simd, false); 2];
                let mut first = late;
                for side in 0..2 {
                    let now = now.load(simd, 2 * group + side);
                    let from = student.from[seat].load(simd, 2 * group + side);
                    late[side] = now.simd_ge(from);
                    first[side] = now.simd_eq(from) & from.simd_ne(u16x32::splat(simd, 0));
                }
                let late: mask8x64<S> = late[0].narrow(late[1]);
                let first: mask8x64<S> = first[0].narrow(first[1]);
                let tries = first.to_bitmask();
                let chances = bytes.load(simd, group);
                let seldom = chances.simd_lt(u8x64::splat(simd, 128)).to_bitmask();
                let wishes = usual.to_bitmask() & !tries | seldom & tries;
                student.wishes[seat][group] = wishes & deciding[group];
                let sure = chances.simd_lt(u8x64::splat(simd, SURE))
                    | chances.simd_gt(u8x64::splat(simd, 255 - SURE));
                let plenty = sure.to_bitmask() & (wishes ^ seldom) & !TELLING;
                noted[group] = late.to_bitmask() & deciding[group] & !plenty;
            }
            student.note(seat, noted, &cells);
        }
    }
}

/// A number below 255 for a seat's decision in every lane. It is unrelated to the `random` of
/// formulas, which takes longer to draw.
#[inline(always)]
fn luck<S: Simd>(simd: S, lanes: &Lanes, now: &Halves, seat: usize) -> Bytes {
    let mut luck = Bytes::splat(0);
    let keys = lanes.key.0.as_chunks::<8>().0;
    for group in 0..GROUPS {
        let mut numbers = [u16x32::splat(simd, 0); 2];
        for side in 0..2 {
            let half = 2 * group + side;
            let (low, high) = now.load(simd, half).widen();
            let mut words = [u32x16::splat(simd, 0); 2];
            for (part, now) in [low, high].into_iter().enumerate() {
                let at = 4 * half + 2 * part;
                let low = u64x8::load_array_ref(simd, &keys[at]);
                let high = u64x8::load_array_ref(simd, &keys[at + 1]);
                let key: u32x16<S> = low.narrow(high);
                let seats = u32x16::splat(simd, (seat as u32 + 1) << 16);
                words[part] = mix(key + (now | seats) * 0x9e37_79b9);
            }
            let words: u16x32<S> = (words[0] >> 16).narrow(words[1] >> 16);
            numbers[side] = multiply_high(words, u16x32::splat(simd, 255));
        }
        luck.store(group, numbers[0].narrow(numbers[1]));
    }
    luck
}

#[inline(always)]
fn mix<S: Simd>(mut word: u32x16<S>) -> u32x16<S> {
    word = (word ^ (word >> 16)) * 0x85eb_ca6b;
    word = (word ^ (word >> 13)) * 0xc2b2_ae35;
    word ^ (word >> 16)
}

impl Lesson for Kernel {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn phases(&self) -> usize {
        self.rules.rounds as usize
    }

    fn play(
        &self,
        level: Level,
        games: (u64, u64),
        policy: &[u8],
        lessons: &mut Lessons,
        record: &mut Record,
    ) {
        let mut student = Box::new(Student::new(self, policy, lessons, record.games()));
        let lanes = self.lanes(games.0, games.1, record);
        self.play_with(level, lanes, record, Some(&mut student));
        student.end();
    }
}
