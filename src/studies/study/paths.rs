//! Paths into a study: what `compare` and `sweep` change from one side or cell to the next.
//!
//! `rules` · `rules.KEY` or `KEY` alone (any value of the rules file) · `players` · `seats` and
//! `others` (lists of bots, as in a study) · `seats.N` (the bot at seat N) · `seats.N.PARAM` ·
//! `all.BOT.PARAM` (every seat that BOT takes).

use super::error::{StudyError, refuse};
use super::path::{Path, STEPS};
use super::table::{SeatedTable, TableSpec, people};
use super::typed::Bots;
use super::written::rules_file;
use carat_core::diagnostic::counted;
use carat_core::format::KEY as FORMAT;
use carat_core::game::{Allowed, Game};
use carat_core::library::Library;
use carat_core::overrides::{copies_in, key_path};
use carat_core::strategy::{Seat, SeatSpec};
use std::collections::HashSet;
use std::fmt::Display;

/// Every path of a table with its unchanged value, including the playouts of bots that do not
/// think.
pub fn paths(resolved: &SeatedTable) -> Result<Vec<(String, String)>, StudyError> {
    let mut paths = paths_of_values(resolved)?;
    for (number, seat) in (1..).zip(&resolved.seats) {
        if seat.strategy.thinks || seat.strategy.program.is_some() {
            continue;
        }
        let bot = format!("seats.{number}");
        let params = format!("{bot}.");
        let own = |(path, _): &(String, String)| *path == bot || path.starts_with(&params);
        let last = paths.iter().rposition(own).unwrap_or(paths.len() - 1);
        paths.insert(last + 1, (format!("{params}playouts"), "0".to_string()));
    }
    Ok(paths)
}

/// Every path of a table with a value in its rules or bots.
pub fn paths_of_values(resolved: &SeatedTable) -> Result<Vec<(String, String)>, StudyError> {
    let seats = &resolved.seats;
    let mut paths = vec![
        ("rules".to_string(), resolved.rules.name.clone()),
        ("players".to_string(), seats.len().to_string()),
    ];
    let file: toml::Table = toml::from_str(&rules_file(resolved)?).unwrap_or_default();
    for (path, value) in values_of("rules.", file) {
        // The game and the version of the file format cannot be changed.
        if path != "rules.game" && path != "rules.format" {
            paths.push((path, value.to_string()));
        }
    }
    for (number, seat) in (1..).zip(seats) {
        paths.push((format!("seats.{number}"), seat.strategy.name.clone()));
        add_params(&format!("seats.{number}"), seat, &mut paths);
    }
    let mut bots = HashSet::new();
    for seat in seats.iter().filter(|seat| bots.insert(&seat.strategy.name)) {
        add_params(&format!("all.{}", seat.strategy.name), seat, &mut paths);
    }
    Ok(paths)
}

fn add_params(at: &str, seat: &Seat, paths: &mut Vec<(String, String)>) {
    let params = seat.params();
    paths.extend(params.map(|(param, value)| (format!("{at}.{param}"), value.to_string())));
}

/// All values of a table, those of inner tables too, with their paths after `at`, which is empty or
/// ends with a dot. The copies of the numbers in a list follow it.
pub fn values_of(at: &str, table: toml::Table) -> Vec<(String, toml::Value)> {
    let mut values = Vec::new();
    for (key, value) in table {
        let path = format!("{at}{key}");
        match value {
            toml::Value::Table(inner) => values.extend(values_of(&format!("{path}."), inner)),
            toml::Value::Array(list) => {
                let copies = copies_in(&list);
                values.push((path.clone(), toml::Value::Array(list)));
                for (number, copies) in copies {
                    values.push((format!("{path}.{number}"), copies.into()));
                }
            }
            value => values.push((path, value)),
        }
    }
    values
}

/// The numbers of a rules file by path, for measures; of lists and tables of cards also how many
/// there are. Copies that a measure names are 0 where a list has none.
pub fn rules_numbers(game: &Game, text: &str, measures: &[(String, String)]) -> Vec<(String, i32)> {
    let file: toml::Table = text.parse().unwrap_or_default();
    let values = values_of("", file);
    let whole = |value: &toml::Value| value.as_integer().map(|number| number as i32);
    let mut numbers = Vec::new();
    for (path, value) in values.iter().filter(|(path, _)| path != FORMAT) {
        numbers.extend(whole(value).map(|number| (path.clone(), number)));
    }
    for key in game.rules_keys {
        let below = format!("{}.", key.path);
        let mut copies = values.iter().filter(|(path, _)| path.starts_with(&below));
        if matches!(key.allowed, Allowed::Numbers(..)) {
            let words = measures
                .iter()
                .flat_map(|(_, formula)| formula.split(|c: char| !c.is_alphanumeric() && c != '_'));
            let list = below.replace('.', "_");
            for number in words.filter_map(|word| word.strip_prefix(&list)) {
                let path = format!("{below}{number}");
                if number.parse::<u8>().is_ok() && !numbers.iter().any(|(own, _)| *own == path) {
                    numbers.push((path, 0));
                }
            }
        } else if !matches!(key.allowed, Allowed::Counts(0, _) | Allowed::Named(0, _)) {
            continue;
        }
        let all = copies.try_fold(0, |all, (_, value)| Some(all + whole(value)?));
        numbers.extend(all.map(|all| (key.path.to_string(), all)));
    }
    numbers
}

/// The number that a path has where the rules do not name it: no copies of a number in a list, or
/// the least that a name in a table of counts may have.
pub fn unnamed_value(game: &Game, path: &Path) -> Option<i64> {
    let Path::RulesKey(keys) = path else {
        return None;
    };
    let above = keys[..keys.len() - 1].join(".");
    let key = game.rules_keys.iter().find(|key| key.path == above)?;
    match key.allowed {
        Allowed::Numbers(..) => Some(0),
        Allowed::Counts(least, _) | Allowed::Named(least, _) => Some(least),
        _ => None,
    }
}

/// A study with the value of each of these paths changed. The order of the changes does not matter:
/// players come first, then rules and bots, then their values.
pub fn changed(study: &TableSpec, changes: &[(Path, String)]) -> Result<TableSpec, StudyError> {
    // If only rules change, default bots are chosen again to suit them.
    let are_of_rules = changes.iter().all(|(path, _)| path.is_of_rules());
    let seat = |study: TableSpec| {
        if are_of_rules {
            Ok(study)
        } else {
            study.with_each_seat()
        }
    };
    let mut study = seat(with_bots(study, changes)?)?;
    for step in 0..STEPS {
        let of_step = changes.iter().filter(|(path, _)| path.step() == step);
        let of_step: Vec<_> = of_step.collect();
        check_apart(&of_step, &study.seats)?;
        for (path, value) in of_step {
            set_path(&mut study, path, value.trim())?;
        }
        study = seat(study)?;
    }
    Ok(study)
}

/// A study with lists of bots changed. The number of players goes with them, as all of these
/// together say who fills which seat.
fn with_bots(study: &TableSpec, changes: &[(Path, String)]) -> Result<TableSpec, StudyError> {
    let mut study = study.clone();
    let lists = |path: &Path| matches!(path, Path::Seats | Path::Others);
    for (path, value) in changes.iter().filter(|(path, _)| lists(path)) {
        let bots: Bots = value.parse().map_err(|why| wrong(path, value, why))?;
        match path {
            Path::Seats => study.seats = bots.each(),
            _ => study.others = Some(bots),
        }
    }
    if changes.iter().any(|(path, _)| lists(path)) {
        let mut players = changes.iter().filter(|(path, _)| *path == Path::Players);
        if let Some((path, value)) = players.next() {
            study.players = Some(players_of(path, value.trim())?);
        }
    }
    Ok(study)
}

impl TableSpec {
    /// Default seats that are possible with all of these changes, if the defaults of each are not.
    pub fn name_common_seats<'a>(
        &mut self,
        arms: impl IntoIterator<Item = &'a Vec<(Path, String)>>,
        library: &Library,
    ) -> Result<(), StudyError> {
        if !self.seats.is_empty() || self.others.is_some() {
            return Ok(());
        }
        let mut seated: Vec<Vec<SeatSpec>> = Vec::new();
        for changes in arms {
            // What cannot be changed fails where it is played.
            let Ok(table) = changed(self, changes) else {
                continue;
            };
            if table.seats.is_empty() {
                seated.extend(table.resolve(library).ok().map(|table| table.spec.seats));
            }
        }
        let Some(first) = seated.first() else {
            return Ok(());
        };
        let has_size = |own: &Vec<SeatSpec>| own.len() == first.len();
        if seated.iter().all(has_size) && seated.iter().any(|own| own != first) {
            let mut common = first.clone();
            for (at, seat) in common.iter_mut().enumerate() {
                if seated.iter().any(|own| own[at] != *seat) {
                    *seat = people();
                }
            }
            self.seats = common;
        }
        Ok(())
    }
}

/// Checks that no two of these paths, all of one stage, lead to the same value.
fn check_apart(changes: &[&(Path, String)], seats: &[SeatSpec]) -> Result<(), StudyError> {
    for (index, (path, _)) in changes.iter().enumerate() {
        let mut before = changes[..index].iter().map(|(earlier, _)| earlier);
        if let Some(earlier) = before.find(|earlier| path.overlaps(earlier, seats)) {
            if earlier == path {
                refuse!("`{path}` is given twice; remove one");
            }
            refuse!("`{earlier}` and `{path}` change the same value; remove one");
        }
    }
    Ok(())
}

/// Sets `path` to `value` in a study with one entry per seat.
fn set_path(study: &mut TableSpec, path: &Path, value: &str) -> Result<(), StudyError> {
    match path {
        Path::Seats | Path::Others => (),
        Path::Seed | Path::Named(_) => refuse!("`{path}`: only a sweep varies it"),
        Path::Rules => study.rules = Some(value.to_string()),
        Path::RulesKey(keys) => {
            // Removes earlier changes of the same value.
            study.set.retain(|set| !sets(set, keys));
            study.set.push(format!("{}={value}", keys.join(".")));
        }
        Path::Players => {
            let players = players_of(path, value)?;
            study.players = Some(players);
            study.seats.truncate(players);
        }
        Path::Seat(seat) => {
            let index = seat_index(study, path, *seat)?;
            let bot = SeatSpec::parse(value).map_err(|why| wrong(path, value, why))?;
            if bot.copies > 1 {
                let why = "a seat takes a single bot; to vary their number, vary players";
                return Err(wrong(path, value, why));
            }
            study.seats[index] = bot;
        }
        Path::SeatParam(seat, param) => {
            let index = seat_index(study, path, *seat)?;
            study.seats[index].set(param, number(path, value)?);
        }
        Path::AllParam(bot, param) => {
            if !study.seats.iter().any(|seat| seat.name == *bot) {
                let seats = Vec::from_iter(study.seats.iter().map(SeatSpec::to_string)).join(", ");
                refuse!("`{path}`: no seat plays `{bot}`; the bots at the table are {seats}");
            }
            for seat in study.seats.iter_mut().filter(|seat| seat.name == *bot) {
                seat.set(param, number(path, value)?);
            }
        }
    }
    Ok(())
}

/// Whether `set`, a change of the rules as text, sets the value at `keys` or a part of it.
fn sets(set: &str, keys: &[String]) -> bool {
    let path = set.split('=').next().unwrap_or_default();
    let mut set = key_path(path).split('.').map(str::trim);
    keys.iter().all(|key| set.next() == Some(key))
}

fn seat_index(study: &TableSpec, path: &Path, seat: usize) -> Result<usize, StudyError> {
    let seats = study.seats.len();
    match seat.checked_sub(1) {
        Some(index) if index < seats => Ok(index),
        _ => {
            let seats = counted(seats, "seat");
            refuse!("`{path}`: no seat {seat}; the table has {seats}, counted from 1")
        }
    }
}

fn wrong(path: &Path, value: &str, wanted: impl Display) -> StudyError {
    StudyError::Refused(format!("{path}={value}: {wanted}"))
}

fn players_of(path: &Path, value: &str) -> Result<usize, StudyError> {
    let wanted = "a number of players is needed";
    value.parse().map_err(|_| wrong(path, value, wanted))
}

fn number(path: &Path, value: &str) -> Result<f32, StudyError> {
    let number = value.parse::<f32>().ok().filter(|n| n.is_finite());
    number.ok_or_else(|| wrong(path, value, "a number is needed"))
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/paths.rs"]
mod tests;
