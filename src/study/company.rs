//! Who sits at a table with somebody who is no bot: the one who asks for advice, or plays.

use super::error::{StudyError, refuse};
use super::library::{Library, LibraryError};
use super::table::{SeatedTable, TableSpec, best, people};
use crate::game::Game;
use crate::strategy::SeatSpec;

/// A seat and its company, before anything is looked up.
pub struct Company {
    /// The table; its seats are left out.
    pub table: TableSpec,
    /// The seat of the one who is no bot, from 1.
    pub me: usize,
    /// Who the others are: one bot for all, or one for each in the order of seats; left out, people.
    pub others: Vec<SeatSpec>,
    /// The bot that goes on at the seat of the one who is no bot; left out, a strong one.
    pub later: Option<SeatSpec>,
}

impl Company {
    pub fn sit_down(&self, library: &Library) -> Result<SeatedTable, StudyError> {
        let game = self.table.game()?;
        let named: Vec<SeatSpec> = self.others.iter().flat_map(SeatSpec::each).collect();
        let players = self.players(game, named.len())?;
        let wanted = players - 1;
        let strong = best(&self.table, players, library)?;
        let mut called = Vec::new();
        let others = match named.len() {
            1 => vec![named[0].clone(); wanted],
            given if given == wanted && given > 0 => named.clone(),
            0 if !game.people.is_empty() => {
                let people = game.people.iter().cycle().take(wanted);
                called.extend(people.clone().map(|(name, _)| (*name).to_string()));
                people.map(|(_, bot)| spec(bot)).collect::<Result<_, _>>()?
            }
            0 => vec![people(); wanted],
            given => refuse!(
                "others: {given} bots; name one for all, or {wanted}, one for each other seat"
            ),
        };
        let mut table = self.seated(&others, self.later.as_ref().unwrap_or(&strong));
        if !called.is_empty() {
            called.insert(self.me - 1, String::new());
            table.people = called;
        }
        table.resolve(library)?.without_programs()
    }

    /// The number of players: as given, else several named others and one, else the game's own.
    fn players(&self, game: &Game, named: usize) -> Result<usize, StudyError> {
        let own = match named {
            0 | 1 => game.players,
            _ => named + 1,
        };
        let players = self.table.players.unwrap_or(own);
        game.check_players(players)?;
        if !(1..=players).contains(&self.me) {
            return Err(no_such_seat(self.me, players));
        }
        Ok(players)
    }

    fn seated(&self, others: &[SeatSpec], later: &SeatSpec) -> TableSpec {
        let mut seats = others.to_vec();
        seats.insert(self.me - 1, later.clone());
        TableSpec {
            players: None,
            seats,
            ..self.table.clone()
        }
    }
}

pub fn no_such_seat(me: usize, players: usize) -> StudyError {
    StudyError::Refused(format!(
        "me is seat {me}; the table has seats 1 to {players}"
    ))
}

fn spec(bot: &str) -> Result<SeatSpec, StudyError> {
    SeatSpec::parse(bot).map_err(|error| LibraryError::seat(bot, error).into())
}
