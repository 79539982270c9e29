//! Why a study cannot be played, in the words of a study file: errors name its keys.

use super::library::LibraryError;
use super::overrides::OverrideError;
use super::paths::PathError;
use super::table::{NAME_MAX, TableSpec};
use crate::catalog;
use crate::diagnostic::{Diagnostic, counted, did_you_mean};
use crate::game::{NoSuchMetric, SeatingError};
use crate::strategy::SeatSpec;

/// Why a study cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A list of a key has a name twice.
    #[error("{0}: {1} is given twice; give it once, with all its values")]
    Twice(&'static str, String),
    /// There is no such game.
    #[error("there is no game called `{name}`{help} (carat plays {known})")]
    Game {
        /// What was asked for.
        name: String,
        /// The nearest known name, as a sentence, or nothing.
        help: String,
        known: String,
    },
    /// A bot or a rules file is missing or faulty.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A study sets values of the rules with which they cannot be played.
    #[error("{0}")]
    Impossible(Box<Diagnostic>),
    /// A value of the rules cannot be set.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// The precision makes no sense.
    #[error("precision {0}: the half-width of an interval is a number above 0")]
    Precision(f64),
    /// Both a number of games and a precision.
    #[error("games and precision: give one of them; max_games bounds what a precision may take")]
    GamesAndPrecision,
    /// A bound on nothing.
    #[error("max_games bounds a precision, and none is given")]
    MaxGames,
    /// A name by which nobody can be called.
    #[error("people: `{}` cannot be a name: write up to {NAME_MAX} letters on one line", .0.escape_debug())]
    Person(String),
    /// More people than seats.
    #[error("people: {names} names for {seats} seats")]
    People {
        names: usize,
        /// Seats at the table.
        seats: usize,
    },
    #[error(transparent)]
    Metric(#[from] NoSuchMetric),
    /// More bots than players.
    #[error(
        "{} for {}: name at most as many bots as there are players",
        counted(*seats, "bot"),
        counted(*players, "player")
    )]
    TooManySeats { seats: usize, players: usize },
    /// More than one bot for the other seats.
    #[error(
        "others: `{0}` is more than one bot; name the one that takes each seat that is not given"
    )]
    Others(SeatSpec),
    /// The bots cannot play together.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    /// A population that is made before a study is played.
    #[error(
        "adapted: there is no population for {} yet; `carat adapt {}` makes adapted.toml, which can be \
         named in its place",
        .0.made_for(.0.players), .0.game
    )]
    NotAdapted(Box<TableSpec>),
    /// A path into the study leads nowhere.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A change that is not PATH=VALUE.
    #[error("`{0}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9")]
    Change(String),
    /// What only some kind of study asks for.
    #[error(transparent)]
    Kind(Box<dyn std::error::Error + Send + Sync>),
    /// Nothing to compare with.
    #[error(
        "a comparison needs at least two sides, and there is {}: for example one with \
         rules=iello-2016 and one with rules=schmidt-2005",
        match .0 { 0 => "none".to_string(), sides => sides.to_string() }
    )]
    Sides(usize),
}

/// Why a study of some kind cannot be played.
pub trait KindError: std::error::Error + Send + Sync + 'static {}

impl<E: KindError> From<E> for StudyError {
    fn from(error: E) -> Self {
        StudyError::Kind(Box::new(error))
    }
}

/// Most of what was left out that is named one by one.
const NAMED: usize = 3;

/// One line on what was left out because its rules are impossible: how many of `things`, and the first
/// ones with what is wrong.
pub fn left_out(things: &str, all: &[(String, StudyError)]) -> String {
    let told = |(name, error): &(String, StudyError)| match error {
        StudyError::Impossible(fault) => format!("{name} ({})", fault.message),
        other => format!("{name} ({other})"),
    };
    let named: Vec<String> = all.iter().take(NAMED).map(told).collect();
    let more = if all.len() > NAMED { ", …" } else { "" };
    let help = match &all[0].1 {
        StudyError::Impossible(fault) => fault.help.as_ref(),
        _ => None,
    };
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    let named = named.join(", ");
    format!("left out, as their rules are impossible: {things}: {named}{more}{help}")
}

/// The error for a game that is not in the catalog.
pub fn no_such_game(name: &str) -> StudyError {
    let known: Vec<&str> = catalog::GAMES.iter().map(|game| game.name).collect();
    let help = did_you_mean(name, known.iter().copied());
    StudyError::Game {
        name: name.to_string(),
        help: help.map_or(String::new(), |help| format!("; {help}")),
        known: known.join(", "),
    }
}
