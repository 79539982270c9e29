//! The state of many games of Diamant in flight, one per lane.
//!
//! Bots see the features in the registers of their formulas ([`Lanes::file`]); everything else is
//! stored as narrow as its numbers allow. Everything is sized for [`LANES`] games, and nothing
//! allocates once the lanes exist.

use super::playing_on::Start;
use super::vectors::{Bytes, GROUP, GROUPS, Halves, Words};
use crate::formula::program::{Column, LANES, RegisterFile, Truths};
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{CARDS_MAX, ROUNDS_MAX};
use crate::strategy::SEATS_MAX;
use crate::streams;
use fearless_simd::{Simd, mask8x64, prelude::*, u8x64};
use std::hint::select_unpredictable;

/// Stands for "no card".
pub const MISSED: u8 = CARDS_MAX as u8;

pub const NONE: Truths = [0; LANES / GROUP];

/// All games in flight, laid out so that data used together lies together.
#[derive(Default)]
pub struct Lanes {
    pub rng: [Words; 4],
    /// Cards still to be drawn in this expedition, as byte sets.
    pub deck: [Bytes; PLANES],
    /// Cards in the game, as byte sets; those not in the deck lie on the path.
    pub in_game: [Bytes; PLANES],
    /// Key of each lane's game, in the order of lanes.
    pub key: Column<u64>,

    /// The card drawn in this step, or [`MISSED`]: both tries failed, no explorer goes on, or the
    /// expedition has ended and waits to be closed.
    pub card: Bytes,
    /// Kinds of trap on the path, one bit each.
    pub seen: Bytes,
    /// Kinds that lie there at least twice and at least three times, and the cards on the path by
    /// the rubies left on them, from 1; kept only by house rules that need it.
    pub seen_again: [Bytes; 2],
    pub rests: [Bytes; SEATS_MAX - 1],
    /// The values of relics by the place in which they join; kept only by house rules that need it.
    pub dealt: [Bytes; ROUNDS_MAX as usize],
    /// Cards revealed in this expedition.
    pub revealed: Bytes,
    /// Cards in the deck when the expedition began; kept only when a bot looks at the deck.
    pub deck_size: Bytes,
    /// Explorers who left at the last decision of this expedition.
    pub just_left: Bytes,
    /// Rubies of each explorer inside.
    pub held: Halves,
    /// Rubies held before the last card; leavers in `after-reveal` bank this.
    pub held_before: Halves,
    /// Rubies on the path.
    pub leftover: Halves,
    /// Rubies on cards not yet revealed; kept only when a bot looks at them.
    pub treasure_left: Halves,
    /// Relics on the path.
    pub relics: Bytes,
    /// Their worth to an explorer who leaves alone.
    pub relic_worth: Halves,
    /// Relics taken out in this game, and those before this expedition.
    pub claimed: Bytes,
    pub claimed_before: Bytes,
    /// Copies of each kind of trap in the game; kept only when a bot looks at `bust_risk`.
    pub copies: [Bytes; 8],
    /// Cards of the deck that would end the expedition; likewise.
    pub danger: Bytes,

    /// Explorers inside, one bit per seat.
    pub inside: Bytes,
    /// Explorers who decided to leave but have not collected, one bit per seat.
    pub pending: Bytes,
    /// The card that ended the expedition, if a trap did.
    pub trap: Bytes,
    /// 255 in lanes where the deck ran out in this step while an explorer still wanted a card.
    pub forced: Bytes,
    /// 255 in lanes that play no game.
    pub idle: Bytes,
    /// The numbers of the bonus for leaving, of one group at a time; empty if there is none.
    pub bonus: RegisterFile,
    /// The initial state of games that start from a position.
    pub start: Option<Box<Start>>,
    /// 255 in lanes that have not yet taken the first decision, that of the position; 1 where all
    /// explorers decide at the entrance.
    pub fresh: Bytes,

    /// Cards revealed when each seat left this expedition, or [`NOT_YET`]. Equal numbers need not
    /// mean that players left together: two may decide at the same card.
    pub left_at: [Bytes; SEATS_MAX],
    /// By seat, rubies in the chest, the lower 16 bits.
    pub chest: [Halves; SEATS_MAX],
    /// The upper bits of chests; kept only under rules that allow chests above 16 bits.
    pub chest_high: [Halves; SEATS_MAX],
    /// By seat and outcome, what is counted over the game: those in [`SEAT_COUNTED`].
    pub seat_counters: [[Halves; o::SEAT_OUTCOMES]; SEATS_MAX],
    /// Likewise those in [`SEAT_RARE`].
    pub seat_rare: [[Bytes; o::SEAT_OUTCOMES]; SEATS_MAX],
    /// By outcome of the table, what is counted over the game: those in [`COUNTED`].
    pub counters: [Halves; o::TABLE_OUTCOMES],
    /// Likewise those in [`RARE`].
    pub rare: [Bytes; o::TABLE_OUTCOMES],
    /// Seats in front, one bit each, after the last expedition that ended.
    pub leaders: Bytes,
    /// By lane, the seats in front by the number of expeditions that have ended, one bit each.
    pub leaders_after: Column<[u8; MANY_ROUNDS]>,
    /// Expedition of each lane, from 0.
    pub round: Bytes,
    /// Game of each lane, from 0 within the chunk.
    pub game: Column<u32>,
    /// Lanes that play a game.
    pub playing: usize,
    /// The next game to start, and the number of games.
    pub next: u32,
    pub games: u32,
    /// The sequence of the games' keys.
    pub sequence: u64,
    /// Number of the first game.
    pub first: u64,

    /// Departures of each seat by number of cards; under [`NOT_YET`], expeditions it did not leave.
    pub leaving: [Counts<u32>; SEATS_MAX],
    /// Ends of expeditions by number of cards: by leaving, and by a trap.
    pub ended: Counts<[u32; 2]>,
    /// Features, constants and intermediate results of the formulas.
    pub file: RegisterFile,
}

/// Counts by number of cards.
pub struct Counts<T>(pub [T; 256]);

impl<T: Copy + Default> Default for Counts<T> {
    fn default() -> Self {
        Counts([T::default(); 256])
    }
}

/// Capacity for the expeditions of a game.
pub const MANY_ROUNDS: usize = 32;
const _: () = assert!(ROUNDS_MAX as usize <= MANY_ROUNDS);

/// Bytes of a card set.
pub const PLANES: usize = CARDS_MAX / 8;

/// By lane, a number of cards that means "still inside". Each lane has its own number, so that
/// counting one lane need not wait for the count of the lane before.
pub const NOT_YET: [[u8; GROUP]; GROUPS] = {
    let mut numbers = [[0; GROUP]; GROUPS];
    let mut lane = 0;
    while lane < LANES {
        numbers[lane / GROUP][lane % GROUP] = (NEVER + lane) as u8;
        lane += 1;
    }
    numbers
};

/// Numbers of cards from here on mean "trapped".
const NEVER: usize = 256 - LANES;

/// Outcomes of the table with a counter in every lane. They begin at 0 and are recorded when the
/// game ends; all others are derived from what is recorded.
pub const COUNTED: [usize; 2] = [o::CARDS, o::LEFT_BEHIND];

/// Likewise those that stay below 256.
pub const RARE: [usize; 4] = [
    o::TABLE_BUSTS,
    o::LEAD_CHANGES,
    o::LONGEST_WAIT,
    o::RELIC_EXPEDITIONS,
];

/// Likewise of each seat. Both counters hold two numbers: see [`ALONE`] and [`LEFT`].
pub const SEAT_COUNTED: [usize; 2] = [o::LEFT_ALONE, o::LEFT];

/// Likewise of each seat.
pub const SEAT_RARE: [usize; 2] = [o::FIRST_OUT, o::LAST_INSIDE];

/// Unit of expeditions left alone in their counter; below it are cards revealed when leaving,
/// summed: at most 20 times 64.
pub const ALONE: u16 = 1 << 11;

/// Unit of expeditions left in time in their counter; below it are relics taken out, at most 64.
pub const LEFT: u16 = 1 << 8;

impl Lanes {
    /// Lanes for `games` games from number `first` of `seed`, none started yet.
    pub fn new(file: RegisterFile, seed: u64, first: u64, games: usize) -> Box<Lanes> {
        let mut lanes = Box::<Lanes>::default();
        lanes.trap = Bytes::splat(MISSED);
        lanes.playing = LANES;
        lanes.games = games as u32;
        lanes.sequence = streams::key_sequence(seed);
        lanes.first = first;
        lanes.file = file;
        lanes
    }

    /// Lanes of a group that play a game with no explorer in the cave.
    #[inline(always)]
    pub fn without_explorers<S: Simd>(&self, simd: S, group: usize) -> mask8x64<S> {
        let busy = self.inside.load(simd, group) | self.idle.load(simd, group);
        busy.simd_eq(u8x64::splat(simd, 0))
    }
}

/// The lanes that are set in truths, in ascending order.
pub struct Set {
    /// Lanes of the current group.
    here: u64,
    /// Lanes of the last group, until its turn.
    later: u64,
    /// First lane of the current group.
    from: usize,
}

/// Iterates over set lanes. The groups share one loop, because each loop over a set ends with a
/// jump that the processor mispredicts.
#[inline(always)]
pub fn set_lanes(truths: Truths) -> Set {
    const { assert!(GROUPS == 2) }
    let mut set = Set {
        here: truths[0],
        later: truths[1],
        from: 0,
    };
    set.go_on();
    set
}

impl Set {
    /// Moves on to the last group.
    #[inline(always)]
    fn go_on(&mut self) {
        let done = self.here == 0;
        self.here = select_unpredictable(done, self.later, self.here);
        self.later = select_unpredictable(done, 0, self.later);
        self.from = select_unpredictable(done, GROUP, self.from);
    }
}

impl Iterator for Set {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.here == 0 {
            return None;
        }
        let lane = self.from + self.here.trailing_zeros() as usize;
        self.here &= self.here - 1;
        self.go_on();
        Some(lane % LANES)
    }
}
