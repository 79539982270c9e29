//! Why a study cannot be played, in the words of a study file: errors name its keys.

use super::each::EachError;
use super::library::LibraryError;
use super::overrides::OverrideError;
use super::paths::PathError;
use crate::catalog;
use crate::diagnostic::{counted, did_you_mean};
use crate::game::{NoSuchMetric, SeatingError};

/// Why a study cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is no such game.
    #[error("there is no game called `{name}`{help} (carat plays {known})")]
    Game {
        /// What was asked for.
        name: String,
        /// The nearest known name, as a sentence, or nothing.
        help: String,
        /// All games.
        known: String,
    },
    /// A bot or a rules file is missing or faulty.
    #[error(transparent)]
    Library(#[from] LibraryError),
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
    /// There is no such metric.
    #[error(transparent)]
    Metric(#[from] NoSuchMetric),
    /// More bots than players.
    #[error(
        "{} for {}: name at most as many bots as there are players",
        counted(*seats, "bot"),
        counted(*players, "player")
    )]
    TooManySeats {
        /// Bots named.
        seats: usize,
        /// Players asked for.
        players: usize,
    },
    /// The bots cannot play together.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    /// A path into the study leads nowhere.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A change that is not PATH=VALUE.
    #[error("`{0}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9")]
    Change(String),
    /// Nothing can be stepped.
    #[error(transparent)]
    Each(#[from] EachError),
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
