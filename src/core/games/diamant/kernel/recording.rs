//! Recording games that ended: a few packed numbers per game at once, and all outcomes derived from
//! them for the whole chunk at its end.

use super::Kernel;
use super::lanes::{ALONE, LEFT, Lanes};
use crate::game::{Layout, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{ROUNDS_MAX, Tiebreak};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, f32x16, i32x16, prelude::*};
use std::ops::Range;

/// Columns of leaders that a game can have.
const LEADERS: usize = (ROUNDS_MAX as usize - 1).div_ceil(4);

/// Games derived at a time.
const GAMES: usize = 16;

/// The columns that games are packed into when they end: two per seat, two of the table, and one
/// for each four expeditions. [`derive`] unpacks them.
pub struct Pages<'r> {
    /// Score and departure columns, by seat.
    seats: [[&'r mut [i32]; 2]; SEATS_MAX],
    cards: &'r mut [i32],
    story: &'r mut [i32],
    /// The leading seats after each expedition but the last, a byte each.
    leaders: [&'r mut [i32]; LEADERS],
}

impl<'r> Pages<'r> {
    /// The columns of a record of this layout.
    pub fn new(kernel: &Kernel, record: &'r mut Record) -> Self {
        let (layout, own) = (&kernel.layout, o::leaders(&kernel.rules));
        let mut columns = record.columns_mut();
        let mut next = 0;
        // Columns must be requested in order.
        let mut take = |column: Option<usize>| -> &'r mut [i32] {
            let Some(column) = column else {
                return &mut [];
            };
            let found = columns.nth(column - next);
            next = column + 1;
            found.expect("a record has the columns of its layout")
        };
        Pages {
            seats: std::array::from_fn(|seat| {
                let is_there = seat < layout.seats;
                let column = |outcome| is_there.then(|| layout.seat_column(seat, outcome));
                [SCORE, o::LEFT].map(|outcome| take(column(outcome)))
            }),
            cards: take(Some(layout.table_column(o::CARDS))),
            story: take(Some(layout.table_column(o::TABLE_BUSTS))),
            leaders: std::array::from_fn(|column| {
                let outcome = own.clone().nth(4 * column);
                take(outcome.map(|outcome| layout.table_column(outcome)))
            }),
        }
    }

    /// Records the game that just ended in `lane`; `wide` scores have more than 16 bits.
    #[inline(always)]
    pub fn write(&mut self, lanes: &Lanes, lane: usize, seats: Range<usize>, wide: bool) {
        let game = lanes.game.0[lane] as usize;
        let packed = |low: u16, high: u16| i32::from(low) | i32::from(high) << 16;
        for seat in seats {
            let [score, departures] = &mut self.seats[seat];
            let low = lanes.chest[seat].0[lane];
            score[game] = if wide {
                packed(low, lanes.chest_high[seat].0[lane])
            } else {
                i32::from(low)
            };
            departures[game] = packed(lanes.leavings[seat].0[lane], lanes.takings[seat].0[lane]);
        }
        self.cards[game] = packed(lanes.cards.0[lane], lanes.left_behind.0[lane]);
        let [busts, changes] = [lanes.busts.0[lane], lanes.lead_changes.0[lane]].map(i32::from);
        let longest_wait = i32::from(lanes.longest_wait.0[lane]);
        self.story[game] = busts | changes << 8 | longest_wait << 16;
        let (fours, _) = lanes.leaders_after.0[lane][1..].as_chunks();
        for (column, leaders) in self.leaders.iter_mut().zip(fours) {
            let Some(packed) = column.get_mut(game) else {
                break;
            };
            *packed = i32::from_le_bytes(*leaders);
        }
    }
}

/// Adds the counts of the lanes to the record's tables of counts.
pub fn add_counts(lanes: &Lanes, layout: &Layout, record: &mut Record) {
    let ended = layout.count(o::ENDED, 0, 0);
    let leaving = layout.count(o::LEAVING, 0, 0);
    for cards in 0..o::DEPTHS {
        let [left, bust] = lanes.ended.0[cards].map(u64::from);
        record.counts[ended + cards * 2] += left + bust;
        record.counts[ended + cards * 2 + 1] += bust;
        for seat in 0..layout.seats {
            let row = leaving + cards * layout.seats;
            record.counts[row + seat] += u64::from(lanes.leaving[seat].0[cards]);
        }
    }
}

/// Fills every column of the record from the few that [`Pages::write`] wrote.
#[inline(always)]
pub fn derive<S: Simd, const SEATS: usize>(simd: S, kernel: &Kernel, record: &mut Record) {
    for from in (0..record.games()).step_by(GAMES) {
        derive_block::<S, SEATS>(simd, kernel, record, from);
    }
}

#[inline(always)]
fn derive_block<S: Simd, const SEATS: usize>(
    simd: S,
    kernel: &Kernel,
    record: &mut Record,
    from: usize,
) {
    let (layout, rules) = (&kernel.layout, &kernel.rules);
    let rounds = rules.rounds as i32;
    let zero = i32x16::splat(simd, 0);
    let one = i32x16::splat(simd, 1);
    let seats = kernel.seats::<SEATS>().end;
    let mut scores = [zero; SEATS_MAX];
    let mut relics = [zero; SEATS_MAX];
    let mut claimed = zero;
    let mut best = zero;
    let mut second = zero;
    for seat in 0..seats {
        let column = layout.seat_column(seat, 0);
        scores[seat] = i32x16::load_array_ref(simd, record.block(column + SCORE, from));
        second = second.max(best.min(scores[seat]));
        best = best.max(scores[seat]);

        let packed = i32x16::load_array_ref(simd, record.block(column + o::LEFT, from));
        let leavings = packed & i32x16::splat(simd, 0xffff);
        let takings = packed >> 16;
        let left = takings >> LEFT.trailing_zeros();
        relics[seat] = takings & i32x16::splat(simd, i32::from(LEFT) - 1);
        claimed += relics[seat];
        let cards_at_leaving = leavings & i32x16::splat(simd, i32::from(ALONE) - 1);
        let busts = i32x16::splat(simd, rounds) - left;
        put(record, column + o::BUSTS, from, busts);
        put(record, column + o::RELICS, from, relics[seat]);
        put(record, column + o::LEFT, from, left);
        let left_alone = leavings >> ALONE.trailing_zeros();
        put(record, column + o::LEFT_ALONE, from, left_alone);
        put(record, column + o::CARDS_AT_LEAVING, from, cards_at_leaving);
    }

    // The winners have the best score, and among these, by the rules, the most relics.
    let mut most = zero;
    if rules.tiebreak == Tiebreak::Relics {
        for seat in 0..seats {
            let leads = scores[seat].simd_eq(best);
            most = most.max(leads.select(relics[seat], zero));
        }
    }
    let mut winners = zero;
    let mut count = zero;
    for seat in 0..seats {
        let mut wins = scores[seat].simd_eq(best);
        if rules.tiebreak == Tiebreak::Relics {
            wins &= relics[seat].simd_eq(most);
        }
        winners |= wins.select(i32x16::splat(simd, 1 << seat), zero);
        count += wins.select(one, zero);
    }
    let sharing: f32x16<S> = count.to_float();
    let units: i32x16<S> = (f32x16::splat(simd, WIN_UNITS as f32) / sharing).to_int();
    for seat in 0..seats {
        let wins = (winners & i32x16::splat(simd, 1 << seat)).simd_ne(zero);
        let column = layout.seat_column(seat, WIN);
        put(record, column, from, wins.select(units, zero));
    }

    let column = layout.table_column(0);
    let cards = i32x16::load_array_ref(simd, record.block(column + o::CARDS, from));
    let story = i32x16::load_array_ref(simd, record.block(column + o::TABLE_BUSTS, from));
    let byte = i32x16::splat(simd, 0xff);
    let low16 = i32x16::splat(simd, 0xffff);
    let margin = if seats == 1 { zero } else { best - second };
    let revealed = cards & low16;
    let busts = story & byte;
    put(record, column + o::CARDS, from, revealed);
    put(record, column + o::TABLE_BUSTS, from, busts);
    put(record, column + o::LEFT_BEHIND, from, (cards >> 16) & low16);
    put(record, column + o::CLAIMED, from, claimed);
    put(record, column + o::MARGIN, from, margin);
    put(record, column + o::LEAD_CHANGES, from, (story >> 8) & byte);
    let mut leader_wins = one;
    let leaders = o::leaders(rules);
    for first in leaders.clone().step_by(4) {
        let packed = i32x16::load_array_ref(simd, record.block(column + first, from));
        for outcome in first..leaders.end.min(first + 4) {
            let leaders = packed >> (8 * (outcome - first) as u32);
            leader_wins = (winners & leaders).simd_eq(zero).select(zero, one);
            put(record, column + outcome, from, leader_wins);
        }
    }
    put(record, column + o::COMEBACK, from, one - leader_wins);
    // A decision follows each card that does not end the expedition.
    let entrances = rounds * i32::from(rules.decides_at_entrance());
    let decisions = revealed - busts + i32x16::splat(simd, entrances);
    put(record, column + o::DECISIONS, from, decisions);
    put(record, column + o::LONGEST_WAIT, from, story >> 16);
    let shared = count.simd_gt(one).select(one, zero);
    put(record, column + o::SHARED, from, shared);
}

/// Fills a block of a column. Called column by column, since a loop over an array of vectors takes
/// a detour through memory.
#[inline(always)]
fn put<S: Simd>(record: &mut Record, column: usize, from: usize, values: i32x16<S>) {
    values.store_array(record.block_mut(column, from));
}
