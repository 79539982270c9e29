//! How often seats use things in a game, such as cards and recipes, and their results then: columns
//! that games share.

use super::{Counted, by_place};
use crate::sheet::Rows;

/// Uses by thing. The table of counts has a row for each thing and three columns for each seat:
/// number of uses, games with a use, and the seat's wins in these in win units.
pub struct ByUse<'a> {
    pub counted: &'a Counted<'a>,
    /// Index of the table of counts.
    pub table: usize,
    /// The verb for a use: `played`.
    pub used: &'static str,
}

impl ByUse<'_> {
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

    fn count(&self, of: (usize, usize), what: usize) -> u64 {
        let (row, seat) = of;
        let column = Self::COLUMNS * seat + what;
        self.counted.at(self.table, row, column)
    }

    /// Adds its columns to a sheet with a row for each thing and seat, in order.
    pub fn add_columns(&self, sheet: &mut Rows<(usize, usize)>) {
        let used = self.used;
        let meaning = format!("mean number of times per game that the seat {used} it");
        sheet.number(&format!("{used}_per_game"), &meaning, |row| {
            self.counted.per_game(self.count(*row, 0))
        });
        let meaning = format!("games in which the seat {used} it");
        sheet.whole(&format!("games_{used}"), &meaning, |row| {
            self.count(*row, 1)
        });
        let meaning = "the seat's win share in these games";
        sheet.estimates("win_share", meaning, |row| {
            by_place::share(self.count(*row, 1), self.count(*row, 2))
        });
    }
}
