//! Records the referee's results, bot by bot.

use super::GameResult;
use crate::game::{Layout, Places, Record, SCORE, WIN};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::Kind;

/// Writes the outcomes of a game into `record`, as its game `game`, and adds to its counts;
/// `seating` is the bot at each place.
pub fn record(
    layout: &Layout,
    result: &GameResult,
    seating: Places,
    game: usize,
    record: &mut Record,
) {
    let mut table = result.table;
    let places = result.players.len();
    for (place, played) in result.players.iter().enumerate() {
        let bot = seating.bot_at(place);
        record.set_all(layout.seat_column(bot, 0), game, &played.outcomes);
        let mut count = |table, row, column, times: i32| {
            record.counts[layout.count(table, row, column)] += times as u64;
        };
        for (part, &points) in played.parts.iter().enumerate() {
            count(o::PARTS, bot, part, points);
        }
        for &cell in &played.gained_at {
            count(o::GAINED_AT, cell, bot, 1);
        }
        for (turn, &length) in played.lengths.iter().take(o::TURN_ROWS).enumerate() {
            count(o::LENGTHS, turn, 2 * bot, 1);
            count(o::LENGTHS, turn, 2 * bot + 1, length as i32);
        }
        for &digs in &played.turn_digs {
            count(o::TURN_DIGS, digs.min(o::DIG_ROWS - 1), bot, 1);
        }
        for row in 0..o::LAID {
            let is_it = |(kind, planned): &&(Kind, bool)| {
                *kind as usize == row / 2 && *planned == (o::WAYS[row % 2] == "planned")
            };
            let times = played.laid.iter().filter(is_it).count() as i32;
            table[o::DUG_TORCH + row] += times;
            count(o::BY_CARD, row, 3 * bot, times);
            count(o::BY_CARD, row, 3 * bot + 1, i32::from(times > 0));
            let won = if times > 0 { played.outcomes[WIN] } else { 0 };
            count(o::BY_CARD, row, 3 * bot + 2, won);
        }
        let order = (place + places - result.starter) % places;
        count(o::ORDER, order, 3 * bot, 1);
        count(o::ORDER, order, 3 * bot + 1, played.outcomes[WIN]);
        count(o::ORDER, order, 3 * bot + 2, played.outcomes[SCORE]);
    }
    record.set_all(layout.table_column(0), game, &table);
    let turns = result.table[o::TABLE_TURNS] as usize;
    let at = layout.count(o::GAME_TURNS, turns.min(o::GAME_TURN_ROWS - 1), 0);
    record.counts[at] += 1;
    record.counts[at + 1] += result.table[o::CAPPED] as u64;
}
