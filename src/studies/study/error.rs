//! Errors of studies. They name the keys of a study file.

use super::path::Path;
use super::remark::Remark;
use carat_core::catalog;
use carat_core::diagnostic::{Diagnostic, counted, did_you_mean};
use carat_core::game::{Game, NoSuchMetric, SeatingError};
use carat_core::library::LibraryError;

#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("{}", describe_change(.0))]
    Impossible(Box<Diagnostic>),
    #[error(transparent)]
    Metric(#[from] NoSuchMetric),
    #[error(transparent)]
    Seating(#[from] SeatingError),
}

/// A fault of changed rules in words; no file has these lines.
fn describe_change(Diagnostic { file, fault, .. }: &Diagnostic) -> String {
    let words = [&fault.message, &fault.label].into_iter();
    let mut words = Vec::from_iter(words.chain(&fault.help).map(String::as_str));
    words.retain(|words| !words.is_empty());
    format!("{file}: {}", words.join("; "))
}

impl StudyError {
    /// The same error with the name of the side, if its changes make it.
    pub fn of_side(self, name: &str, changes: &[(Path, String)]) -> StudyError {
        match changes {
            [] => self,
            _ => StudyError::Refused(format!("side {name}: {self}")),
        }
    }
}

/// Returns an error about a key from a function.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::study::error::StudyError::Refused(format!($($text)*)))
    };
}
pub(super) use refuse;

impl From<String> for StudyError {
    fn from(why: String) -> StudyError {
        StudyError::Refused(why)
    }
}

/// Fails unless a game has tables of this size, with a seat for each bot.
pub fn check_seats(game: &Game, bots: usize, players: usize) -> Result<(), StudyError> {
    game.check_players(players)?;
    if bots > players {
        let (bots, players) = (counted(bots, "bot"), counted(players, "player"));
        refuse!("{bots} for {players}: name at most one bot for each player");
    }
    Ok(())
}

/// Most impossible cells or points named one by one.
const NAMED: usize = 3;

/// A remark on `things` that cannot be played: their number, and the first ones with
/// their errors.
pub fn left_out(things: &str, all: &[(String, StudyError)]) -> Remark {
    let describe = |(name, error): &(String, StudyError)| match error {
        StudyError::Impossible(fault) => format!("{name} ({})", fault.fault),
        other => format!("{name} ({other})"),
    };
    let named: Vec<String> = all.iter().take(NAMED).map(describe).collect();
    let more = if all.len() > NAMED { ", …" } else { "" };
    let help = match &all[0].1 {
        StudyError::Impossible(fault) => fault.fault.help.as_ref(),
        _ => None,
    };
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    let named = named.join(", ");
    Remark::Impossible(format!("{things}: {named}{more}{help}"))
}

pub fn no_such_game(name: &str) -> StudyError {
    let known: Vec<&str> = catalog::GAMES.iter().map(|game| game.name).collect();
    let help = did_you_mean(name, known.iter().copied());
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    let known = known.join(", ");
    StudyError::Refused(format!(
        "no game called `{name}`{help} (carat plays {known})"
    ))
}
