//! How often seats use things in a game, such as cards and recipes, and their results then: columns
//! that games share.

use super::{Counted, by_place};
use crate::sheet::Rows;

/// Uses by thing. The table of counts has a row for each thing and three columns for each seat:
/// number of uses, games with a use, and the seat's wins in these in win units.
pub struct ByUse;

impl ByUse {
    /// Columns of counts for each seat.
    pub const COLUMNS: usize = 3;

    /// Adds the uses of a thing by a seat in a game, and its win, to these columns.
    #[inline]
    pub fn add(columns: &mut [u64], times: u32, won: i32) {
        if times > 0 {
            columns[0] += u64::from(times);
            columns[1] += 1;
            columns[2] += won as u64;
        }
    }

    /// Adds the columns of a table of counts to a sheet with a row for each thing and seat, in order;
    /// `used` is the verb for a use: `played`.
    pub fn add_columns(
        sheet: &mut Rows<(usize, usize)>,
        counted: &Counted,
        table: usize,
        used: &str,
    ) {
        let count = |of: &(usize, usize), what| {
            let column = Self::COLUMNS * of.1 + what;
            counted.at(table, of.0, column)
        };
        let meaning = format!("mean number of times per game that the seat {used} it");
        sheet.number(&format!("{used}_per_game"), &meaning, |row| {
            counted.per_game(count(row, 0))
        });
        let meaning = format!("games in which the seat {used} it");
        sheet.whole(&format!("games_{used}"), &meaning, |row| count(row, 1));
        let meaning = "the seat's win share in these games";
        sheet.estimates("win_share", meaning, |row| {
            by_place::share(count(row, 1), count(row, 2))
        });
    }
}
