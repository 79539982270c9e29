//! What a game is: the contract between the games and everything that plays them.
//!
//! A game reads a rules file, seats bots at a table, and plays chunks of games into a
//! [`Record`]. It says in a [`Layout`] what it records. Nothing here knows a particular
//! game, a thread, a file or a chart.

use crate::diagnostic::Diagnostic;
use crate::figure::Figure;
use crate::formula::Vocabulary;
use crate::strategy::Seat;
use fearless_simd::Level;
use std::ops::RangeInclusive;

/// A won game counts 840 units, so that a win shared by up to 8 players is a whole number.
pub const WIN_UNITS: i32 = 840;

/// Seat outcome that every game records first: the win, in units of 1/[`WIN_UNITS`].
pub const WIN: usize = 0;

/// Seat outcome that every game records second: the final score.
pub const SCORE: usize = 1;

/// A game of the catalog.
pub trait Game: Sync {
    /// What the game is called and what it ships with.
    fn facts(&self) -> &'static Facts;

    /// Reads a rules file. `file` is the name that errors show.
    fn rules(&self, file: &str, text: &str) -> Result<Box<dyn Rules>, Diagnostic>;
}

/// The fixed facts of a game.
pub struct Facts {
    /// Name on the command line and of the folder below `strategies/`.
    pub name: &'static str,
    /// Name as printed on the box.
    pub title: &'static str,
    /// One sentence on what the players do.
    pub summary: &'static str,
    /// What a point of the score is called.
    pub score_unit: &'static str,
    /// Feature names that a bot's formula may use, and the question it answers.
    pub vocabulary: &'static Vocabulary,
    /// The rules files shipped; the first is the default.
    pub editions: &'static [Edition],
    /// Names of the bots that fill a table, in the order in which they sit down.
    pub field: &'static [&'static str],
    /// Numbers of players that can be played, printed or not.
    pub seats: RangeInclusive<usize>,
    /// Whether all decide at once, so that it does not matter who sits before whom.
    pub simultaneous: bool,
    /// Players when neither seats nor a number are given.
    pub players: usize,
    /// Games when no number is given.
    pub games: u64,
    /// Most games in a chunk: enough to fill the kernel, few enough for the processor's cache.
    pub chunk: u64,
}

impl Facts {
    /// Whether so many bots can sit down.
    pub fn check_players(&self, seats: usize) -> Result<(), SeatingError> {
        match self.seats.contains(&seats) {
            true => Ok(()),
            false => Err(SeatingError::Players {
                seats,
                title: self.title,
                min: *self.seats.start(),
                max: *self.seats.end(),
            }),
        }
    }
}

/// A rules file shipped with a game.
pub struct Edition {
    /// Name on the command line.
    pub name: &'static str,
    /// The file's text (TOML).
    pub text: &'static str,
}

/// A rules file that was read and checked.
pub trait Rules: Send + Sync {
    /// The numbers of players printed on the box. Others are played too, with a warning.
    fn printed_players(&self) -> RangeInclusive<usize>;

    /// Seats bots at a table, one formula each. With `rotate`, bots change places from game to
    /// game, so that none profits from its place: in game `g`, bot `s` sits at place
    /// `(s + g) mod seats`. Outcomes are by bot all the same.
    fn table(&self, seats: &[Seat], rotate: bool) -> Result<Box<dyn Table>, SeatingError>;
}

/// Why bots cannot play together under these rules.
#[derive(Debug, thiserror::Error)]
pub enum SeatingError {
    /// The number of seats is outside what the game can play.
    #[error("{seats} players: {title} is played by {min} to {max}")]
    Players {
        /// Seats asked for.
        seats: usize,
        /// The game.
        title: &'static str,
        /// Fewest players.
        min: usize,
        /// Most players.
        max: usize,
    },
    /// A bot looks at something that these rules keep secret.
    #[error("seat {seat} ({label}) uses `{feature}`, {reason}")]
    Hidden {
        /// Seat, from 1.
        seat: usize,
        /// The bot at that seat.
        label: String,
        /// The feature.
        feature: &'static str,
        /// Why the bot cannot know it.
        reason: &'static str,
    },
    /// The formulas of all seats together are too large.
    #[error("the bots at this table are too large together: {0}")]
    TooLarge(String),
}

/// Bots seated under checked rules, ready to play.
pub trait Table: Send + Sync {
    /// What a record of this table holds.
    fn layout(&self) -> &Layout;

    /// Plays games `first .. first + record.games()` of `seed` into `record`, which must have
    /// been made for this table's layout. Game `i` is the same game whatever the chunk, the
    /// vector level and the thread. Allocates nothing per game.
    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record);

    /// The same games by the plain referee, one after the other.
    fn referee(&self, seed: u64, first: u64, record: &mut Record);

    /// The game's own tables, from the counts of a tally of `games` games.
    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet>;

    /// The game's own charts, by file name without ending, from the same counts. Subtitles are
    /// left to the caller.
    fn figures(&self, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)>;

    /// Tells one game in words, as played by the referee; `plain` keeps pictures to ASCII.
    fn replay(&self, seed: u64, game: u64, plain: bool) -> String;
}

/// What a table records of each game, and which figures follow from it.
///
/// A column holds one whole number a game. Columns come seat by seat (all outcomes of seat 1,
/// then of seat 2, …), then those of the table.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Number of seats.
    pub seats: usize,
    /// Outcomes of a seat; the first two are [`WIN`] and [`SCORE`].
    pub seat_outcomes: &'static [&'static str],
    /// Outcomes of the table.
    pub table_outcomes: &'static [&'static str],
    /// Figures that follow from a seat's outcomes.
    pub seat_metrics: Vec<Metric>,
    /// Figures that follow from the table's outcomes.
    pub table_metrics: Vec<Metric>,
    /// Highest score that can occur; the lowest is 0.
    pub score_max: usize,
    /// Tables of exact counts that are kept beside the outcomes.
    pub counts: Vec<Counts>,
}

impl Layout {
    /// Column of seat outcome `outcome` of seat `seat` (from 0).
    pub fn seat_column(&self, seat: usize, outcome: usize) -> usize {
        seat * self.seat_outcomes.len() + outcome
    }

    /// Column of table outcome `outcome`.
    pub fn table_column(&self, outcome: usize) -> usize {
        self.seats * self.seat_outcomes.len() + outcome
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.table_column(self.table_outcomes.len())
    }

    /// Position of the first number of table `table` of counts.
    pub fn counts_offset(&self, table: usize) -> usize {
        self.counts[..table].iter().map(Counts::len).sum()
    }
}

/// A figure: the mean of an outcome, per game or per something else.
#[derive(Debug, Clone)]
pub struct Metric {
    /// Column name in `seats.csv`, or row name in `table.csv`.
    pub name: &'static str,
    /// What it says, in a few words with its unit.
    pub meaning: &'static str,
    /// Outcome whose sum is divided.
    pub of: usize,
    /// What it is divided by.
    pub per: Per,
    /// Whether it lies between 0 and 1 in every game.
    pub proportion: bool,
}

impl Metric {
    /// A figure that may take any value.
    pub fn mean(name: &'static str, of: usize, per: Per, meaning: &'static str) -> Self {
        Metric {
            name,
            meaning,
            of,
            per,
            proportion: false,
        }
    }

    /// A figure that lies between 0 and 1 in every game.
    pub fn share(name: &'static str, of: usize, per: Per, meaning: &'static str) -> Self {
        Metric {
            proportion: true,
            ..Metric::mean(name, of, per, meaning)
        }
    }
}

/// What a metric is divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Per {
    /// The number of games times a constant.
    Games(f64),
    /// The sum of another outcome.
    Outcome(usize),
}

/// A table of exact counts of events, `rows × columns`, one row after the other.
#[derive(Debug, Clone)]
pub struct Counts {
    /// What is counted.
    pub name: &'static str,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Counts {
    /// How many numbers the table holds.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether the table holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A table that only this game has: plain columns of equal length.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Its name, that of the file without ending.
    pub name: &'static str,
    /// Its columns, by name.
    pub columns: Vec<(String, SheetColumn)>,
}

/// The values of a sheet's column.
#[derive(Debug, Clone, PartialEq)]
pub enum SheetColumn {
    /// Whole numbers.
    Whole(Vec<u64>),
    /// Numbers.
    Number(Vec<f64>),
    /// Words.
    Text(Vec<String>),
}

/// What was recorded of a chunk of games; a buffer that is filled again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    games: usize,
    stride: usize,
    columns: Vec<i32>,
    /// The counts of all tables of the layout, one after the other, summed over the chunk.
    pub counts: Vec<u64>,
}

impl Record {
    /// A buffer for chunks of up to `games` games.
    pub fn new(layout: &Layout, games: usize) -> Self {
        // Columns a multiple of the page size apart would share their cache sets.
        let stride = games + 16;
        Record {
            games,
            stride,
            columns: vec![0; stride * layout.columns()],
            counts: vec![0; layout.counts.iter().map(Counts::len).sum()],
        }
    }

    /// Whether it has the columns and counts of this layout.
    pub fn fits(&self, layout: &Layout) -> bool {
        let counts: usize = layout.counts.iter().map(Counts::len).sum();
        self.columns.len() == self.stride * layout.columns() && self.counts.len() == counts
    }

    /// Empties the buffer for a chunk of `games` games, no more than it was made for.
    pub fn clear(&mut self, games: usize) {
        assert!(
            games + 16 <= self.stride,
            "a record is never larger than it was made"
        );
        self.games = games;
        self.counts.fill(0);
    }

    /// Number of games in the chunk.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The outcomes of a column, one a game.
    pub fn column(&self, column: usize) -> &[i32] {
        &self.columns[column * self.stride..][..self.games]
    }

    /// All columns, to be written; only the first [`Self::games`] numbers of each mean something.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut [i32]> {
        self.columns.chunks_exact_mut(self.stride)
    }

    /// The outcomes of 16 games from game `from`; those after the last game mean nothing.
    #[inline(always)]
    pub fn block(&self, column: usize, from: usize) -> &[i32; 16] {
        self.columns[column * self.stride + from..]
            .first_chunk()
            .expect("columns are at least 16 longer than the games they hold")
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn block_mut(&mut self, column: usize, from: usize) -> &mut [i32; 16] {
        self.columns[column * self.stride + from..]
            .first_chunk_mut()
            .expect("columns are at least 16 longer than the games they hold")
    }

    /// Writes the outcome of game `game` (from 0 within the chunk).
    #[inline(always)]
    pub fn set(&mut self, column: usize, game: usize, value: i32) {
        self.columns[column * self.stride + game] = value;
    }
}
