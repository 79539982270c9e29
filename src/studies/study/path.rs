//! A place in a study that can be changed, and whether two of them are the same.

use super::error::StudyError;
use carat_core::strategy::{SeatSpec, is_param};
use std::fmt;
use std::str::FromStr;

/// A place in a study. `Display` writes what `parse` reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Path {
    /// `players`: the number of players.
    Players,
    /// `seed`: the seed of the games, in a sweep.
    Seed,
    /// `seats`: the bots of the first seats, before those of the others.
    Seats,
    /// `others`: the bots of the seats that are not given.
    Others,
    /// A sweep's axis of named changes.
    Named(String),
    /// `rules`: an edition or a rules file.
    Rules,
    /// `rules.KEY` or `KEY` alone: a value of the rules file, in a table of tables.
    RulesKey(Vec<String>),
    /// `seats.N`: the bot at a seat (from 1).
    Seat(usize),
    /// `seats.N.PARAM`: a parameter of the bot at a seat.
    SeatParam(usize, String),
    /// `all.BOT.PARAM`: a parameter of every seat that a bot takes. The bot's name may hold dots.
    AllParam(String, String),
}

/// The steps of a change: see [`Path::step`].
pub const STEPS: usize = 3;

impl Path {
    /// The step that changes it: players first, then rules and bots, then their values. Within a
    /// step, changes that do not overlap may come in any order.
    pub fn step(&self) -> usize {
        match self {
            Path::Players | Path::Seats | Path::Others | Path::Seed | Path::Named(_) => 0,
            Path::Rules | Path::Seat(_) => 1,
            Path::RulesKey(_) | Path::SeatParam(..) | Path::AllParam(..) => 2,
        }
    }

    pub fn is_of_rules(&self) -> bool {
        matches!(self, Path::Rules | Path::RulesKey(_))
    }

    /// Whether it changes the bot at a seat (from 1) that `bot` takes.
    pub fn changes_seat(&self, number: usize, bot: &str) -> bool {
        match self {
            Path::Seat(seat) | Path::SeatParam(seat, _) => *seat == number,
            Path::AllParam(name, _) => name == bot,
            _ => false,
        }
    }

    /// Whether both lead to the same value, when these bots sit one by one at the table.
    pub fn overlaps(&self, other: &Path, seats: &[SeatSpec]) -> bool {
        match (self, other) {
            (Path::RulesKey(one), Path::RulesKey(other)) => {
                one.starts_with(other) || other.starts_with(one)
            }
            (Path::AllParam(bot, param), Path::SeatParam(seat, other))
            | (Path::SeatParam(seat, other), Path::AllParam(bot, param)) => {
                let there = seat.checked_sub(1).and_then(|index| seats.get(index));
                param == other && there.is_some_and(|seated| seated.name == *bot)
            }
            _ => self == other,
        }
    }
}

impl FromStr for Path {
    type Err = StudyError;

    fn from_str(text: &str) -> Result<Path, StudyError> {
        let text = text.trim();
        let kinds = "rules, rules.KEY, players, seats, others, seats.N, seats.N.PARAM, \
                     all.BOT.PARAM and, in a sweep, seed";
        parse(text).ok_or_else(|| format!("`{text}`: paths are {kinds}").into())
    }
}

fn parse(text: &str) -> Option<Path> {
    let param = |text: &str| {
        let parts: Vec<&str> = text.split('.').map(str::trim).collect();
        Some(parts.join(".")).filter(|param| is_param(param))
    };
    let keys = |text: &str| {
        let keys: Vec<String> = text.split('.').map(|key| key.trim().to_string()).collect();
        let sound = |key: &String| !key.is_empty() && !key.contains('=');
        keys.iter().all(sound).then_some(Path::RulesKey(keys))
    };
    let Some((first, rest)) = text.split_once('.') else {
        return match text.trim() {
            "players" => Some(Path::Players),
            "rules" => Some(Path::Rules),
            "seats" => Some(Path::Seats),
            "others" => Some(Path::Others),
            "seed" => Some(Path::Seed),
            "all" => None,
            key => keys(key),
        };
    };
    match first.trim() {
        "players" | "others" | "seed" => None,
        "rules" => keys(rest),
        "seats" => match rest.split_once('.') {
            None => Some(Path::Seat(seat(rest)?)),
            Some((number, name)) => Some(Path::SeatParam(seat(number)?, param(name)?)),
        },
        "all" => {
            // File names of bots have dots. A parameter has them only before the numbers of a cell
            // in a table.
            let is_number = |part: &str| part.trim().bytes().all(|byte| byte.is_ascii_digit());
            let dots = rest.rmatch_indices('.').map(|(at, _)| at);
            let mut split = dots.map(|at| (&rest[..at], &rest[at + 1..]));
            let (bot, name) = split.find(|(_, name)| {
                let first = name.split('.').next().unwrap_or(name);
                !is_number(first) || name.trim().is_empty()
            })?;
            let bot = bot.trim();
            (!bot.is_empty()).then_some(Path::AllParam(bot.to_string(), param(name)?))
        }
        _ => keys(text),
    }
}

fn seat(text: &str) -> Option<usize> {
    let digits = text.trim();
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| digits.parse().ok())?
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Path::Players => f.write_str("players"),
            Path::Seed => f.write_str("seed"),
            Path::Seats => f.write_str("seats"),
            Path::Others => f.write_str("others"),
            Path::Named(name) => f.write_str(name),
            Path::Rules => f.write_str("rules"),
            Path::RulesKey(keys) => write!(f, "rules.{}", keys.join(".")),
            Path::Seat(seat) => write!(f, "seats.{seat}"),
            Path::SeatParam(seat, param) => write!(f, "seats.{seat}.{param}"),
            Path::AllParam(bot, param) => write!(f, "all.{bot}.{param}"),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/path.rs"]
mod tests;
