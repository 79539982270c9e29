//! Recording games that ended: what was counted at once, and all outcomes that follow from it for
//! the whole chunk at its end.

use super::lanes::{ALONE, COUNTED, LEFT, Lanes, RARE, SEAT_COUNTED, SEAT_RARE};
use super::prepared::Kernel;
use crate::formula::program::Column;
use crate::game::{Layout, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{ROUNDS_MAX, Tiebreak};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, f32x16, i32x16, prelude::*};

/// Games derived at a time.
const GAMES: usize = 16;

/// Columns of the table that games are written to when they end.
const OF_TABLE: usize = o::TABLE_OUTCOMES + ROUNDS_MAX as usize - 1;

/// The columns of a record by outcome; those that it lacks are empty.
#[derive(Default)]
pub struct Columns<'r> {
    seats: [[&'r mut [i32]; o::SEAT_OUTCOMES]; SEATS_MAX],
    table: [&'r mut [i32]; OF_TABLE],
}

impl<'r> Columns<'r> {
    pub fn new(seats: usize, record: &'r mut Record) -> Self {
        let mut columns = Columns::default();
        let of_seats = columns.seats[..seats].iter_mut().flatten();
        for (own, column) in of_seats.chain(&mut columns.table).zip(record.columns_mut()) {
            *own = column;
        }
        columns
    }

    /// Records the game that just ended in `lane`: scores, and in few columns the counters, and the
    /// leaders after each expedition as sets of seats. [`derive`] unpacks them.
    #[inline(always)]
    pub fn write<const SEATS: usize>(&mut self, kernel: &Kernel, lanes: &Lanes, lane: usize) {
        let game = lanes.game.0[lane] as usize;
        for seat in kernel.seats::<SEATS>() {
            let own = &mut self.seats[seat];
            let mut score = i32::from(lanes.chest[seat].0[lane]);
            if kernel.wide {
                score |= i32::from(lanes.chest_high[seat].0[lane]) << 16;
            }
            own[SCORE][game] = score;
            pack(own, game, SEAT_COUNTED, &lanes.seat_counters[seat], lane);
            pack(own, game, SEAT_RARE, &lanes.seat_rare[seat], lane);
        }
        pack(&mut self.table, game, COUNTED, &lanes.counters, lane);
        pack(&mut self.table, game, RARE, &lanes.rare, lane);
        let (fours, _) = lanes.leaders_after.0[lane][1..].as_chunks();
        let firsts = o::after_each(o::LEADER_WINS, kernel.rules.rounds).step_by(4);
        for (leaders, first) in fours.iter().zip(firsts) {
            self.table[first][game] = i32::from_le_bytes(*leaders);
        }
    }
}

/// Writes what `lane` counted of these outcomes in a game: as many counters as fit one number, in
/// the column of the first of them.
#[inline(always)]
fn pack<T: Copy + Into<i32>, const N: usize>(
    columns: &mut [&mut [i32]],
    game: usize,
    outcomes: [usize; N],
    counters: &[Column<T>],
    lane: usize,
) {
    let each = size_of::<i32>() / size_of::<T>();
    let mut packed = 0;
    for at in 0..N {
        let place = at % each;
        packed |= counters[outcomes[at]].0[lane].into() << (32 / each * place);
        if place + 1 == each || at + 1 == N {
            columns[outcomes[at - place]][game] = packed;
            packed = 0;
        }
    }
}

/// Unpacks counters of `BITS` bits that [`pack`] wrote, for a block of games. `column` is the
/// column of outcome 0.
#[inline(always)]
fn unpack<S: Simd, const BITS: u32>(
    simd: S,
    record: &mut Record,
    column: usize,
    outcomes: &[usize],
    from: usize,
) {
    let mask = i32x16::splat(simd, (1 << BITS) - 1);
    for some in outcomes.chunks(32 / BITS as usize) {
        let mut packed = i32x16::load_array_ref(simd, record.block(column + some[0], from));
        for outcome in some {
            put(record, column + outcome, from, packed & mask);
            packed >>= BITS;
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

/// Fills every column of the record from those that [`Columns::write`] wrote.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
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

        let packed = i32x16::load_array_ref(simd, record.block(column + SEAT_COUNTED[0], from));
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
        unpack::<S, 8>(simd, record, column, &SEAT_RARE, from);
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
    unpack::<S, 16>(simd, record, column, &COUNTED, from);
    unpack::<S, 8>(simd, record, column, &RARE, from);
    let cards = i32x16::load_array_ref(simd, record.block(column + o::CARDS, from));
    let busts = i32x16::load_array_ref(simd, record.block(column + o::TABLE_BUSTS, from));
    let margin = if seats == 1 { zero } else { best - second };
    put(record, column + o::CLAIMED, from, claimed);
    put(record, column + o::MARGIN, from, margin);
    let mut leader_wins = one;
    let mut sole_leaders = zero;
    let mut packed = zero;
    let soles = o::after_each(o::SOLE_LEADER, rules.rounds);
    let sole_wins = o::after_each(o::SOLE_LEADER_WINS, rules.rounds);
    let soles = soles.zip(sole_wins);
    let wins = o::after_each(o::LEADER_WINS, rules.rounds);
    for (after, (wins, (sole, sole_wins))) in wins.zip(soles).enumerate() {
        packed >>= 8;
        if after % 4 == 0 {
            packed = i32x16::load_array_ref(simd, record.block(column + wins, from));
        }
        let leaders = packed & i32x16::splat(simd, 0xff);
        leader_wins = (winners & leaders).simd_eq(zero).select(zero, one);
        let is_sole = (leaders & (leaders - one)).simd_eq(zero).select(one, zero);
        put(record, column + wins, from, leader_wins);
        sole_leaders += is_sole;
        put(record, column + sole, from, is_sole);
        put(record, column + sole_wins, from, is_sole & leader_wins);
    }
    put(record, column + o::SOLE_LEADERS, from, sole_leaders);
    put(record, column + o::COMEBACK, from, one - leader_wins);
    // A decision follows each card that does not end the expedition.
    let entrances = rounds * i32::from(rules.decides_at_entrance());
    let decisions = cards - busts + i32x16::splat(simd, entrances);
    put(record, column + o::DECISIONS, from, decisions);
    let shared = count.simd_gt(one).select(one, zero);
    put(record, column + o::SHARED, from, shared);
}

/// Fills a block of a column. Called column by column, since a loop over an array of vectors takes
/// a detour through memory.
#[inline(always)]
fn put<S: Simd>(record: &mut Record, column: usize, from: usize, values: i32x16<S>) {
    values.store_array(record.block_mut(column, from));
}
