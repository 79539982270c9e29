//! Writing down games that ended: a few numbers a game at once, and all that follows from them
//! for the whole chunk at its end.

use super::kernel::Kernel;
use super::lanes::{ALONE, LEFT, Lanes};
use super::outcomes as o;
use super::rules::Tiebreak;
use crate::formula::SEATS_MAX;
use crate::game::{Layout, Record, SCORE, WIN, WIN_UNITS};
use fearless_simd::{Simd, f32x16, i32x16, prelude::*};

/// Games that are derived at a time.
const GAMES: usize = 16;

impl Lanes {
    /// Writes down the game that just ended in `lane`, two numbers a seat and two of the table.
    /// [`derive`] takes them apart.
    #[inline(always)]
    pub(super) fn record_game<const SEATS: usize>(
        &self,
        kernel: &Kernel,
        lane: usize,
        record: &mut Record,
    ) {
        let game = self.game[lane] as usize;
        let packed = |low: u16, high: u16| i32::from(low) | i32::from(high) << 16;
        for seat in 0..SEATS {
            let column = kernel.layout.seat_column(seat, 0);
            let high = if kernel.wide {
                self.chest_high[seat].0[lane]
            } else {
                0
            };
            let score = packed(self.chest[seat].0[lane], high);
            record.set(column + SCORE, game, score);
            let departures = packed(self.leavings[seat].0[lane], self.takings[seat].0[lane]);
            record.set(column + o::LEFT, game, departures);
        }
        let column = kernel.layout.table_column(0);
        let cards = packed(self.cards.0[lane], self.left_behind.0[lane]);
        record.set(column + o::CARDS, game, cards);
        let [busts, changes] = [self.busts.0[lane], self.lead_changes.0[lane]].map(i32::from);
        let leaders_before = i32::from(self.leaders_before.0[lane]);
        let story = busts | changes << 8 | leaders_before << 16;
        record.set(column + o::TABLE_BUSTS, game, story);
    }
}

/// Adds what was counted in the lanes to the record's tables of counts.
pub fn add_counts(lanes: &Lanes, layout: &Layout, record: &mut Record) {
    let (ended, leaving) = (
        layout.counts_offset(o::ENDED),
        layout.counts_offset(o::LEAVING),
    );
    for cards in 0..o::DEPTHS {
        let [left, bust] = lanes.ended[cards].map(u64::from);
        record.counts[ended + cards * 2] += left + bust;
        record.counts[ended + cards * 2 + 1] += bust;
        for seat in 0..layout.seats {
            let row = leaving + cards * layout.seats;
            record.counts[row + seat] += u64::from(lanes.leaving[seat][cards]);
        }
    }
}

/// Fills every column of the record from the few that [`Lanes::record_game`] wrote.
#[inline(always)]
pub fn derive<S: Simd>(simd: S, kernel: &Kernel, record: &mut Record) {
    for from in (0..record.games()).step_by(GAMES) {
        derive_block(simd, kernel, record, from);
    }
}

#[inline(always)]
fn derive_block<S: Simd>(simd: S, kernel: &Kernel, record: &mut Record, from: usize) {
    let layout = &kernel.layout;
    let zero = i32x16::splat(simd, 0);
    let one = i32x16::splat(simd, 1);
    let mut scores = [zero; SEATS_MAX];
    let mut relics = [zero; SEATS_MAX];
    let mut claimed = zero;
    let mut best = zero;
    let mut second = zero;
    for seat in 0..kernel.seats {
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
        for (outcome, values) in [
            (o::BUSTS, i32x16::splat(simd, kernel.rounds as i32) - left),
            (o::RELICS, relics[seat]),
            (o::LEFT, left),
            (o::LEFT_ALONE, leavings >> ALONE.trailing_zeros()),
            (o::CARDS_AT_LEAVING, cards_at_leaving),
        ] {
            values.store_array(record.block_mut(column + outcome, from));
        }
    }

    // Who wins: the best score, or of these, by the rules, the most relics.
    let mut most = zero;
    if kernel.tiebreak == Tiebreak::Relics {
        for seat in 0..kernel.seats {
            let leads = scores[seat].simd_eq(best);
            most = most.max(leads.select(relics[seat], zero));
        }
    }
    let mut winners = zero;
    let mut count = zero;
    for seat in 0..kernel.seats {
        let mut wins = scores[seat].simd_eq(best);
        if kernel.tiebreak == Tiebreak::Relics {
            wins &= relics[seat].simd_eq(most);
        }
        winners |= wins.select(i32x16::splat(simd, 1 << seat), zero);
        count += wins.select(one, zero);
    }
    let sharing: f32x16<S> = count.to_float();
    let units: i32x16<S> = (f32x16::splat(simd, WIN_UNITS as f32) / sharing).to_int();
    for seat in 0..kernel.seats {
        let wins = (winners & i32x16::splat(simd, 1 << seat)).simd_ne(zero);
        let column = layout.seat_column(seat, WIN);
        wins.select(units, zero)
            .store_array(record.block_mut(column, from));
    }

    let column = layout.table_column(0);
    let cards = i32x16::load_array_ref(simd, record.block(column + o::CARDS, from));
    let story = i32x16::load_array_ref(simd, record.block(column + o::TABLE_BUSTS, from));
    let byte = i32x16::splat(simd, 0xff);
    let margin = if kernel.seats == 1 {
        zero
    } else {
        best - second
    };
    let no_leader_wins = (winners & (story >> 16)).simd_eq(zero);
    for (outcome, values) in [
        (o::CARDS, cards & i32x16::splat(simd, 0xffff)),
        (o::TABLE_BUSTS, story & byte),
        (o::LEFT_BEHIND, (cards >> 16) & i32x16::splat(simd, 0xffff)),
        (o::CLAIMED, claimed),
        (o::MARGIN, margin),
        (o::LEAD_CHANGES, (story >> 8) & byte),
        (o::COMEBACK, no_leader_wins.select(one, zero)),
        (o::SHARED, count.simd_gt(one).select(one, zero)),
    ] {
        values.store_array(record.block_mut(column + outcome, from));
    }
}
