//! The table of a person, who plays or asks for advice, and the bots around that seat.

use super::error::{StudyError, refuse};
use super::table::{SeatedTable, TEMPERAMENTS, TableSpec};
use carat_core::diagnostic::counted;
use carat_core::library::{Library, LibraryError};
use carat_core::strategy::SeatSpec;

/// The skill of opponents that are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Level {
    /// Bots that make obvious mistakes
    Easy,
    /// Bots that play like people: people, bold and careful in turn (see `carat list GAME`)
    #[default]
    People,
    /// The best bot at every seat
    Experts,
}

/// A person's seat and the opponents, before names are resolved.
pub struct Company {
    /// The table, without seats.
    pub table: TableSpec,
    /// The person's seat, from 1.
    pub me: usize,
    /// The opponents: one bot for all, or one for each in the order of seats; empty for bots of the
    /// level.
    pub others: Vec<SeatSpec>,
    pub level: Level,
    /// The bot that plays on at the person's seat in playouts; `None` for a strong one.
    pub later: Option<SeatSpec>,
}

impl Company {
    /// Whether the opponents are the usual ones, as neither they nor another level are named.
    pub fn is_usual(&self) -> bool {
        self.others.is_empty() && self.level == Level::People
    }

    pub fn sit_down(&self, library: &Library) -> Result<SeatedTable, StudyError> {
        let game = self.table.game()?;
        let named: Vec<SeatSpec> = self.others.iter().flat_map(SeatSpec::each).collect();
        // One more than several named opponents, else the game's own.
        let own = match named.len() {
            0 | 1 => game.players,
            several => several + 1,
        };
        let players = self.table.players.unwrap_or(own);
        game.check_players(players)?;
        if !(1..=players).contains(&self.me) {
            return Err(no_such_seat(self.me, players));
        }
        let wanted = players - 1;
        let strong = self.table.best(players, library)?;
        let mut seats = match named.len() {
            1 => vec![named[0].clone(); wanted],
            given if given == wanted && given > 0 => named.clone(),
            0 => {
                let named = |(word, bot): &(&str, &str)| format!("{bot} as {word}");
                let characters = match self.level {
                    Level::Easy => game.easy.iter().map(named).collect(),
                    Level::People => Vec::from(TEMPERAMENTS.map(str::to_string)),
                    Level::Experts => vec![named(&("expert", &strong.name))],
                };
                let specs = characters.iter().cycle().take(wanted).map(|bot| {
                    SeatSpec::parse(bot).map_err(|error| LibraryError::seat(bot, error))
                });
                specs.collect::<Result<_, _>>()?
            }
            given => refuse!(
                "others: {given} bots for {}; name one for all, or one for each",
                counted(wanted, "other seat")
            ),
        };
        seats.insert(self.me - 1, self.later.clone().unwrap_or(strong));
        let table = TableSpec {
            players: None,
            seats,
            ..self.table.clone()
        };
        table.resolve(library)?.without_programs()
    }

    /// Seats named people in order: a bot's file sits at the name that it has, and the person at a
    /// name without a bot, or else at seat `me`.
    pub fn seat_people(&mut self, names: &[&str], me: Option<usize>) {
        let own = |name: &str| self.others.iter().find(|bot| bot.short_name() == name);
        let free = names.iter().position(|name| own(name).is_none());
        self.me = me.or(free.map(|seat| seat + 1)).unwrap_or(1);
        self.table.players.get_or_insert(names.len());
        let others = (1..).zip(names).filter(|(seat, _)| *seat != self.me);
        let others: Option<Vec<SeatSpec>> = others.map(|(_, name)| own(name).cloned()).collect();
        self.others = others.unwrap_or_else(|| self.others.clone());
    }
}

pub fn no_such_seat(me: usize, players: usize) -> StudyError {
    StudyError::Refused(format!("me = {me}: the table has seats 1 to {players}"))
}
