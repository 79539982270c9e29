//! What seats use in a game, such as cards and recipes, and how they fare then: the columns that
//! games share.

use super::{Counted, by_place};
use crate::sheet::Rows;

/// Uses by thing. The table of counts has a row a thing and for each seat three columns: how often it
/// was used, the games in which it was, and what the seat won in these, in units of the win.
pub struct ByUse<'a> {
    pub counted: &'a Counted<'a>,
    /// Which table of counts it is.
    pub table: usize,
    /// What was done with a thing: `played`.
    pub used: &'static str,
}

impl ByUse<'_> {
    /// How many columns the counts have for each seat.
    pub const COLUMNS: usize = 3;

    /// Adds how often a seat used a thing in a game, and what it won, to these columns.
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

    /// Adds its columns to a sheet of a row a thing and seat, in their order.
    pub fn add_columns(&self, sheet: &mut Rows<(usize, usize)>) {
        let used = self.used;
        let meaning = format!("how often the seat {used} it in a game");
        sheet.number(&format!("{used}_per_game"), &meaning, |row| {
            self.counted.per_game(self.count(*row, 0))
        });
        let meaning = format!("games in which the seat {used} it");
        sheet.whole(&format!("games_{used}"), &meaning, |row| {
            self.count(*row, 1)
        });
        let meaning = "the seat's share of the wins in these games";
        sheet.estimates("win_share", meaning, |row| {
            by_place::share(self.count(*row, 1), self.count(*row, 2))
        });
    }
}
