//! Tables and charts that games share: the advantage of each place in the order of play, and how
//! often seats use things in a game, such as cards and recipes, and their results then.

use super::{Copies, Counted, WIN_UNITS};
use crate::figure::{self, Figures, Row, RowLine};
use crate::numbers::percent;
use crate::sheet::columns;
use crate::sheet::{BOT, Columns, Sheet};
use crate::statistics::Estimate;
use std::cmp::Reverse;

/// The win rate in these games; `won` is in win units. Only the sum of shared wins is known: the
/// interval assumes unshared wins, which is never too narrow.
fn share(games: u64, won: u64) -> Option<Estimate> {
    (games > 0).then(|| Estimate::share(games, won, WIN_UNITS))
}

/// Games, wins and scores by place. The table of counts has a row for each place and three columns
/// for each bot: games played there, wins in win units, and the sum of scores.
pub struct ByPlace<'a> {
    pub counted: &'a Counted<'a>,
    /// Index of the table of counts.
    pub table: usize,
    pub names: &'a [String],
    pub name: &'static str,
}

columns! {
    Places<'a>(of: ByPlace<'a>, row: (usize, usize))
    "places", "one row per place in turn order and bot";
    PLACE: numbered("place", "place in turn order, from 1 for the start player") => row.0;
    BOT: text(BOT, "the bot") => of.names[row.1];
    GAMES: whole("games", "games in which the bot had that place") => of.count(row.0, row.1, 0);
    WIN_SHARE: estimates("win_share", "win share in these games; the interval is that of the games alone")
        => of.share(&[row.0], &[row.1]);
    SCORE_MEAN: number("score_mean", "mean score in these games") => {
        of.count(row.0, row.1, 2) as f64 / of.count(row.0, row.1, 0) as f64
    };
}

impl ByPlace<'_> {
    /// Columns of counts for each bot.
    pub const COLUMNS: usize = 3;

    fn count(&self, place: usize, bot: usize, what: usize) -> u64 {
        let column = Self::COLUMNS * bot + what;
        self.counted.at(self.table, place, column)
    }

    /// The win rate of these bots in all their games at these places.
    fn share(&self, places: &[usize], bots: &[usize]) -> Option<Estimate> {
        let sum = |what| -> u64 {
            let of = |place: &usize| -> u64 {
                bots.iter().map(|bot| self.count(*place, *bot, what)).sum()
            };
            places.iter().map(of).sum()
        };
        share(sum(0), sum(1))
    }

    pub fn sheet(&self) -> Sheet {
        let rows = self.counted.by_seat(self.counted.seats());
        let mut sheet = Places::sheet(self, rows);
        sheet.name = self.name.to_string();
        sheet
    }

    /// A row for all bots together and one for each bot, with a line for each place.
    pub fn figure(&self, copies: &[Copies]) -> figure::Rows {
        let all: Vec<usize> = (0..self.counted.seats()).collect();
        let mut rows = vec![self.row("any bot".to_string(), &all)];
        for of in copies {
            rows.push(self.row(of.name.clone(), &of.seats));
        }
        if copies.len() == 1 {
            rows.truncate(1);
        }
        figure::Rows {
            title: "Win share by place in turn order".to_string(),
            axis: "win share, by place in turn order, from 1 for the start player".to_string(),
            figures: Figures::Shares,
            rows,
            ..figure::Rows::default()
        }
    }

    fn row(&self, label: String, bots: &[usize]) -> Row {
        let all: Vec<usize> = (0..self.counted.seats()).collect();
        let mut lines = Vec::new();
        for &place in &all {
            lines.extend(self.share(&[place], bots).map(|share| RowLine {
                seat: place,
                name: format!("place {}", place + 1),
                estimate: share,
            }));
        }
        let share = self.share(&all, bots).map(|share| percent(share.value, 1));
        Row {
            label,
            detail: share.map_or(String::new(), |share| format!("{share} over all places")),
            lines,
            ..Row::default()
        }
    }
}

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

    /// Mean number of uses of a thing by a seat in a game.
    pub fn per_game(counted: &Counted, table: usize, of: (usize, usize)) -> f64 {
        counted.per_game(ByUse::count(counted, table, of, 0))
    }

    /// Games in which the seat used it.
    pub fn games(counted: &Counted, table: usize, of: (usize, usize)) -> u64 {
        ByUse::count(counted, table, of, 1)
    }

    /// The seat's win rate in these games.
    pub fn win_share(counted: &Counted, table: usize, of: (usize, usize)) -> Option<Estimate> {
        let games = ByUse::games(counted, table, of);
        share(games, ByUse::count(counted, table, of, 2))
    }

    /// A row for each thing, the most used first: how often a seat uses it, and the win rate then.
    pub fn figure(
        counted: &Counted,
        table: usize,
        title: &str,
        things: Vec<String>,
    ) -> figure::Rows {
        let seats = counted.seats();
        let (mut used, mut unused) = (Vec::new(), Vec::new());
        for (thing, label) in things.into_iter().enumerate() {
            let (mut games, mut won) = (0, 0);
            for seat in 0..seats {
                games += ByUse::count(counted, table, (thing, seat), 1);
                won += ByUse::count(counted, table, (thing, seat), 2);
            }
            match share(games, won) {
                Some(share) => used.push((games, label, share)),
                None => unused.push(label),
            }
        }
        used.sort_by_key(|of: &(u64, String, Estimate)| Reverse(of.0));
        let all = counted.games * seats as u64;
        let rows = used.into_iter().map(|(games, label, share)| Row {
            lines: vec![
                RowLine::of(1, Estimate::share(all, games, 1)),
                RowLine::of(0, share),
            ],
            label,
            ..Row::default()
        });
        let fair = 1.0 / seats as f64;
        let unused = match unused.as_slice() {
            [] => String::new(),
            unused => format!(" Never used: {}.", unused.join(", ")),
        };
        figure::Rows {
            title: title.to_string(),
            axis: "share of games".to_string(),
            figures: Figures::Shares,
            level: Some((fair, format!("fair share {}", percent(fair, 1)))),
            key: vec![
                "win share of the bots that used it, in the games where they did".to_string(),
                "how often it is used: share of all games of all bots".to_string(),
            ],
            rows: rows.collect(),
            note: format!(
                "This is correlation, not cause: strong bots, and bots that are ahead, use some of \
                 these more often.{unused}"
            ),
            ..figure::Rows::default()
        }
    }

    /// A count of a table with a row for each thing; `of` is the thing and the seat.
    fn count(counted: &Counted, table: usize, of: (usize, usize), what: usize) -> u64 {
        counted.at(table, of.0, ByUse::COLUMNS * of.1 + what)
    }
}
