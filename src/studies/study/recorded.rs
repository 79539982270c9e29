//! Recorded games: saved by `play`, or written in the notation of a game. Several records may form
//! an evening of the same people.

use super::error::{StudyError, refuse};
use super::kept_game::KeptGame;
use super::table::{SeatedTable, TableSpec, is_name_of_person};
use super::typed;
use carat_core::diagnostic::Diagnostic;
use carat_core::game::moments::Course;
use carat_core::game::notation::{people, players};
use carat_core::game::story::StoryStyle;
use carat_core::library::SourceText;
use serde::{Deserializer, Serializer};

#[derive(Debug, Clone, PartialEq)]
pub enum Recorded {
    /// A game saved by `play`.
    Kept(Box<KeptGame>),
    /// A record in the notation of its game.
    Written(String),
}

impl Recorded {
    /// Reads a record; errors show `name`. Only a saved game can be faulty.
    pub fn read(name: &str, text: &str) -> Result<Recorded, Box<Diagnostic>> {
        Ok(if KeptGame::is(text) {
            Recorded::Kept(Box::new(KeptGame::from_toml(name, text)?))
        } else {
            Recorded::Written(text.to_string())
        })
    }

    /// The names of people by seat, if known.
    pub fn people(&self) -> Vec<String> {
        match self {
            Recorded::Kept(kept) => kept.table.people.clone(),
            Recorded::Written(text) => {
                let mut people = people(text);
                // `replay` may write labels longer than any name.
                let bots = people.iter_mut().filter(|name| !is_name_of_person(name));
                bots.for_each(String::clear);
                people
            }
        }
    }

    /// Fills in missing values of `table` from the record. Refuses other rules than those of a
    /// saved game.
    pub fn seat(&self, name: &str, table: &mut TableSpec) -> Result<(), StudyError> {
        let has_rules = table.rules.is_some() || !table.set.is_empty();
        match self {
            Recorded::Kept(kept) => {
                let own = &kept.table;
                if own.game != table.game {
                    refuse!("{name}: a game of {}, not of {}", own.game, table.game);
                }
                if has_rules && (&table.rules, &table.set) != (&own.rules, &own.set) {
                    refuse!("{name}: a saved game contains its rules; leave out rules and set");
                }
                table.rules.clone_from(&own.rules);
                table.set.clone_from(&own.set);
                let seats = own
                    .with_each_seat()
                    .map_err(|why| format!("{name}: {why}"))?
                    .seats;
                table.players.get_or_insert(seats.len());
                if table.seats.is_empty() && table.others.is_none() {
                    table.seats = seats;
                }
                table.seating = own.seating;
            }
            Recorded::Written(text) => {
                if !has_rules {
                    table.rules = remarks(text, RULES).next();
                    table.set = remarks(text, SET).collect();
                }
                table.players = table.players.or_else(|| players(text));
            }
        }
        table.people = self.people();
        Ok(())
    }

    /// The moments of the game at a table of the same rules, as far as it was played. `title` is
    /// the heading of its story; errors show `name`. Fails if the game cannot be read, or is
    /// impossible at this table.
    pub fn course(
        &self,
        of: &SeatedTable,
        (title, name): (&str, &str),
        style: StoryStyle,
    ) -> Result<Course, StudyError> {
        match self {
            Recorded::Kept(kept) if kept.table.game != of.game.name => {
                let (wrong, game) = (kept.table.game.clone(), of.game.name);
                refuse!("{name}: a game of {wrong}, not of {game}")
            }
            Recorded::Kept(kept) => {
                let course = kept.course(of.table.as_ref(), style);
                course.map_err(|why| format!("{name}: {why}").into())
            }
            Recorded::Written(text) => {
                let Some(notation) = of.table.notation() else {
                    let game = of.game.title;
                    refuse!("record: games of {game} have no written notation");
                };
                let read = notation.recorded(title, text);
                read.map_err(|fault| fault.in_file(name, text).to_string().into())
            }
        }
    }
}

/// Remarks of a written record with its rules and changes to them.
const RULES: &str = "# rules ";
const SET: &str = "# set ";

fn remarks(text: &str, kind: &str) -> impl Iterator<Item = String> {
    let remarks = text.lines().filter_map(move |line| line.strip_prefix(kind));
    remarks.map(|remark| remark.trim().to_string())
}

/// A written record with remarks on its rules, unless they are the game's first edition.
pub fn with_rules(record: &str, of: &TableSpec, first_edition: &str) -> String {
    let rules = of.rules.iter().filter(|rules| *rules != first_edition);
    let rules = rules.map(|rules| format!("{RULES}{rules}\n"));
    let set = of.set.iter().map(|set| format!("{SET}{set}\n"));
    rules.chain(set).collect::<String>() + record
}

/// The seats of the first game at which the people of a later game sat. The error is a name that is
/// missing in the first game.
pub fn same_people(first: &[String], later: &[String], seats: usize) -> Result<Vec<usize>, String> {
    let name = |names: &[String], seat: usize| names.get(seat).cloned().unwrap_or_default();
    let mut free: Vec<usize> = (0..seats).collect();
    let seat_of = |seat: usize| {
        let called = name(later, seat);
        let at = free.iter().position(|&own| name(first, own) == called);
        at.map(|at| free.remove(at)).ok_or(called)
    };
    (0..seats).map(seat_of).collect()
}

/// Reads the texts of records: one, or a list.
pub fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<SourceText>, D::Error> {
    let texts = typed::texts::deserialize(from)?;
    Ok(texts.iter().map(|text| SourceText::new("", text)).collect())
}

/// Writes a single text, or a list.
pub fn written<S: Serializer>(texts: &[SourceText], to: S) -> Result<S::Ok, S::Error> {
    let texts = Vec::from_iter(texts.iter().map(|one| &*one.text));
    typed::texts::serialize(&texts, to)
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/recorded.rs"]
mod tests;
