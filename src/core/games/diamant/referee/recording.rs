//! Writing down what the referee found, column by column.

use super::{Expedition, GameResult};
use crate::game::{Layout, Record};
use crate::games::diamant::outcomes as o;

/// Writes the outcomes of a game into `record`, as its game `game`, and adds to its counts.
pub fn record(layout: &Layout, result: &GameResult, game: usize, record: &mut Record) {
    for (seat, outcomes) in result.seats.iter().enumerate() {
        record.set_all(layout.seat_column(seat, 0), game, outcomes);
    }
    record.set_all(layout.table_column(0), game, &result.table);
    for Expedition {
        cards,
        busted,
        departures,
    } in &result.expeditions
    {
        let ended = layout.count(o::ENDED, *cards, 0);
        record.counts[ended] += 1;
        record.counts[ended + 1] += u64::from(*busted);
        for (seat, cards) in departures {
            record.counts[layout.count(o::LEAVING, *cards, *seat)] += 1;
        }
    }
}
