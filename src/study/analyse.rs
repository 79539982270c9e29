//! The study of what decisions are worth: games taken apart, and every option played on from.

use super::error::KindError;
use super::library::Library;
use super::simulate;
use super::{Kind, Outcome, Ready, Setting, Simulate, Study, StudyError};
use crate::diagnostic::{Diagnostic, Fault};
use crate::game::moments::Course;
use crate::game::notation::players;
use crate::game::{SCORE_MEAN, Seating, WIN_SHARE};
use crate::strategy::SeatSpec;
use serde::{Deserialize, Serialize};

mod play;
mod walk;

pub use play::{AnalysedGame, Judged, Played};
pub use walk::{Of, Step, Walk};

/// Most games that are analysed.
const GAMES_MAX: u64 = 100_000;
/// Fewest playouts of an option by default: fewer tell little.
const PLAYOUTS_LEAST: u64 = 1_000;
/// By default an option gets a playout for so many games that a simulation plays.
const GAMES_A_PLAYOUT: u64 = 50;
/// Fewest playouts of an option: the race has eight of them at its first look.
const PLAYOUTS_MIN: u64 = 64;
/// Most playouts of an option.
const PLAYOUTS_MAX: u64 = 100_000_000;

/// Which games are taken apart, and how closely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// Who plays, and how many games.
    #[serde(skip_serializing)]
    pub table: Simulate,
    /// Number of the first game, from 0.
    #[serde(default)]
    pub first: u64,
    /// The text of a record: a game that people played, instead of those that the bots play.
    pub record: Option<String>,
    /// Only the decisions of this seat (from 1) are judged.
    pub seat: Option<usize>,
    /// The bot as which all go on in the playouts, instead of the bots that they are.
    #[serde(rename = "as")]
    pub as_bot: Option<SeatSpec>,
    /// Most playouts of an option.
    pub playouts: Option<u64>,
}

/// Why games cannot be analysed as asked.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// The game cannot be played on from the middle.
    #[error("{0} cannot be analysed yet")]
    Game(&'static str),
    /// A number of games.
    #[error("games = {0}: analyse 1 to {GAMES_MAX}")]
    Games(u64),
    /// A number of playouts.
    #[error("playouts = {0}: an option gets {PLAYOUTS_MIN} to {PLAYOUTS_MAX}")]
    Playouts(u64),
    /// A seat that there is not.
    #[error("seat = {seat}: the seats are 1 to {seats}")]
    Seat {
        /// What was asked for.
        seat: usize,
        /// How many there are.
        seats: usize,
    },
    /// Several bots where one is meant.
    #[error("as = {0}: name one bot, without a number of copies")]
    Copies(SeatSpec),
    /// A game that cannot be written down.
    #[error("record: games of {0} have no notation")]
    NoNotation(&'static str),
    /// A record that cannot be read.
    #[error(transparent)]
    Record(Box<Diagnostic>),
    /// More than the game of the record.
    #[error("record: it is one game, so {0} means nothing beside it")]
    BesideRecord(&'static str),
    /// A key of the table that means nothing here.
    #[error("{0}: it means nothing when games are analysed")]
    Idle(&'static str),
}

/// A study whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Analyse,
    /// The table whose games are taken apart.
    pub played: simulate::Resolved,
    /// The table that plays on, where others do.
    pub going_on: Option<simulate::Resolved>,
}

impl Analyse {
    /// Looks up everything that the study names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a table, and those of an analysis.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let table = &mut study.table;
        let idle = [
            (table.precision.is_some(), "precision"),
            (table.max_games.is_some(), "max_games"),
            (table.metric.is_some(), "metric"),
        ];
        if let Some((_, key)) = idle.into_iter().find(|(given, _)| *given) {
            return Err(AnalyseError::Idle(key).into());
        }
        let games = *table.games.get_or_insert(1);
        if let Some(record) = &study.record {
            let beside = [(games != 1, "games"), (study.first != 0, "first")];
            if let Some((_, key)) = beside.into_iter().find(|(given, _)| *given) {
                return Err(AnalyseError::BesideRecord(key).into());
            }
            table.seat_readers(record, library)?;
        }
        if !(1..=GAMES_MAX).contains(&games) {
            return Err(AnalyseError::Games(games).into());
        }
        let played = table.resolve(library)?;
        if let Some(record) = &study.record {
            let notation = played.table.notation();
            let notation = notation.ok_or(AnalyseError::NoNotation(played.game.title))?;
            let read = notation.recorded("", record);
            let fault = |fault: Fault| Box::new(fault.in_file("record", record));
            read.map_err(|found| AnalyseError::Record(fault(found)))?;
        }
        study.table.rules.clone_from(&played.study.rules);
        study.table.seats.clone_from(&played.study.seats);
        study.table.players = None;
        let seats = played.seats.len();
        if let Some(seat) = study.seat.filter(|seat| !(1..=seats).contains(seat)) {
            return Err(AnalyseError::Seat { seat, seats }.into());
        }
        let own = (played.game.games / GAMES_A_PLAYOUT).max(PLAYOUTS_LEAST);
        let playouts = *study.playouts.get_or_insert(own);
        if !(PLAYOUTS_MIN..=PLAYOUTS_MAX).contains(&playouts) {
            return Err(AnalyseError::Playouts(playouts).into());
        }
        let going_on = match &study.as_bot {
            None => None,
            Some(bot) if bot.copies != 1 => return Err(AnalyseError::Copies(bot.clone()).into()),
            Some(bot) => {
                let others = Simulate {
                    seats: vec![bot.clone(); seats],
                    ..study.table.clone()
                };
                Some(others.resolve(library)?)
            }
        };
        Ok(Resolved {
            study,
            played,
            going_on,
        })
    }
}

impl Simulate {
    /// Where no bots are named, those who play on from the record of a game: as many as it tells of,
    /// as the bot that was learnt for this number.
    fn seat_readers(&mut self, record: &str, library: &Library) -> Result<(), StudyError> {
        let game = self.game()?;
        self.players = self.players.or_else(|| players(record));
        let seats = self.players.unwrap_or(game.players);
        let learnt = SeatSpec::of(&format!("solved-{seats}"));
        if !self.seats.is_empty() || !library.strategy_names(game).contains(&learnt.name) {
            return Ok(());
        }
        let all = Simulate {
            seats: vec![learnt; seats],
            ..self.clone()
        };
        match all.resolve(library) {
            // What was learnt may look at what these rules hide.
            Err(StudyError::Seating(_)) => {}
            _ => self.seats = all.seats,
        }
        Ok(())
    }
}

impl Resolved {
    /// The game of a record, if there is one.
    pub fn recorded(&self) -> Option<Course> {
        let text = self.study.record.as_ref()?;
        let title = format!("{}, a game that was recorded", self.played.game.title);
        self.played.table.notation()?.recorded(&title, text).ok()
    }

    /// What options are judged by: who is alone always wins.
    pub fn metric(&self) -> &'static str {
        match self.played.seats.len() {
            1 => SCORE_MEAN,
            _ => WIN_SHARE,
        }
    }

    /// Most playouts of an option.
    pub fn playouts(&self) -> u64 {
        self.study.playouts.unwrap_or(PLAYOUTS_LEAST)
    }

    /// How bots sit in the games.
    pub fn seating(&self) -> Seating {
        self.study.table.seating
    }

    /// One line that says what is analysed.
    pub fn headline(&self) -> String {
        if self.study.record.is_some() {
            return format!("{} · a game that was recorded", self.played.headline());
        }
        let first = self.study.first;
        let games = match self.study.table.games.unwrap_or(1) {
            1 => format!("game {first}"),
            games => format!("games {first} to {}", first.saturating_add(games - 1)),
        };
        let seed = self.study.table.seed;
        format!("{} · {games} of seed {seed}", self.played.headline())
    }
}

impl Kind for Analyse {
    fn table(&self) -> &Simulate {
        &self.table
    }

    fn question(&self) -> &'static str {
        "What was each decision worth, and what was luck?"
    }

    fn settings(&self) -> Vec<Setting> {
        let mut settings = vec![Setting::new("first game", "game", self.first)];
        settings.extend(
            self.seat
                .map(|seat| Setting::new("judged", "me", seat).told(format!("seat {seat}"))),
        );
        let bot = self.as_bot.iter();
        settings.extend(bot.map(|bot| Setting::new("all go on as", "as", bot)));
        let playouts = self.playouts;
        settings.extend(playouts.map(|n| Setting::new("playouts of an option", "playouts", n)));
        settings
    }

    fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: Study::Analyse(resolved.study.clone()),
            game: resolved.played.game,
            sources: simulate::sources([&resolved.played].into_iter().chain(&resolved.going_on)),
            warnings: resolved.played.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| Ok(resolved.play(player)?.map(Into::into))),
        })
    }
}

impl Outcome for Played {}

impl KindError for AnalyseError {}
