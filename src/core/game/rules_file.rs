//! Common parts of all rules files: parsing, the `game` key, and the numbers of players printed on
//! the box.

use super::{Rules, RulesKey, School, Seating, SeatingError, Table, range_of};
use crate::diagnostic::{Diagnostic, Fault, unknown_name, with_others, within};
use crate::format::{self, Format};
use crate::strategy::Seat;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

/// Help for users who miss a rule.
pub const RULES_PAGE: &str = "`carat help rules` lists what rules files can express; its part \"My \
                              rule is not here\" shows how to try other rules with a bot or a \
                              measure";

/// The key of changes for numbers of players, such as `[at.6]`.
pub const AT: &str = "at";

/// The table of seconds that playing takes; it changes no game.
pub const MINUTES: &str = "minutes";
/// The help for a file that lacks a key.
const WHOLE: &str =
    "a rules file needs every key; start from the output of `carat show rules GAME`";
/// Most seconds that anything in that table takes, and most for set-up.
pub const SECONDS_MAX: i64 = 600;
pub const SET_UP_MAX: i64 = 3600;

/// Reads and checks a rules file without its changes for numbers of players; `file` is the name
/// that errors show.
pub fn read_rules<File: DeserializeOwned, Rules>(
    file: &str,
    text: &str,
    check: impl FnOnce(File) -> Result<Rules, Fault>,
) -> Result<Rules, Diagnostic> {
    let faulty = |error| Diagnostic::from_toml(file, text, &error);
    let mut keys = DeTable::parse(text).map_err(faulty)?;
    Format::of(keys.get_ref()).map_err(|fault| fault.in_file(file, text))?;
    keys.get_mut().remove(format::KEY);
    keys.get_mut().remove(AT);
    let raw = File::deserialize(Deserializer::from(keys.clone())).map_err(|error| {
        let (mut others, mut place) = (Vec::new(), error.span());
        // Without the unknown keys so far, the next one is found.
        while place.is_some_and(|place| remove_key(keys.get_mut(), &place)) {
            let next = File::deserialize(Deserializer::from(keys.clone())).err();
            let next = next.filter(|next| unknown_name(next.message()).is_some());
            place = next.and_then(|next| next.span());
            others.extend(place.clone().and_then(|place| text.get(place)));
        }
        let lacks = error.message().starts_with("missing field");
        let mut diagnostic = faulty(error);
        diagnostic.fault.help = with_others(diagnostic.fault.help, &others);
        if lacks && diagnostic.fault.span.is_empty() {
            // An older file has no such line.
            diagnostic.text = text.replacen(&Format::line(), "", 1);
        }
        diagnostic.with_more_help(if lacks { WHOLE } else { RULES_PAGE })
    })?;
    check(raw).map_err(|fault| fault.in_file(file, text))
}

/// Rules with other ones for some numbers of players.
pub struct ByPlayers {
    pub usual: Box<dyn Rules>,
    /// By number of players, the other rules.
    pub at: Vec<(usize, Box<dyn Rules>)>,
}

impl ByPlayers {
    fn of(&self, players: usize) -> &dyn Rules {
        let mut at = self.at.iter();
        let own = at.find(|(own, _)| *own == players);
        own.map_or(&self.usual, |(_, rules)| rules).as_ref()
    }
}

impl Rules for ByPlayers {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.usual.printed_players()
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        self.of(seats.len()).table(seats, seating)
    }

    fn without_effect(&self) -> Option<String> {
        let at = || self.at.iter().find_map(|(_, rules)| rules.without_effect());
        self.usual.without_effect().or_else(at)
    }

    fn terms(&self, players: usize) -> String {
        self.of(players).terms(players)
    }

    fn school(&self, players: usize) -> Option<&dyn School> {
        self.of(players).school(players)
    }
}

/// Removes the key at this place of a file; returns whether there is one.
fn remove_key(keys: &mut DeTable, span: &Range<usize>) -> bool {
    if let Some(key) = keys.keys().find(|key| key.span() == *span).cloned() {
        return keys.remove(key.get_ref().as_ref()).is_some();
    }
    let mut values = keys.iter_mut().map(|(_, value)| value.get_mut());
    values.any(|value| match value {
        DeValue::Table(table) => remove_key(table, span),
        _ => false,
    })
}

pub fn check_game(written: &Spanned<String>, name: &str) -> Result<(), Fault> {
    let own = written.get_ref();
    if own == name {
        return Ok(());
    }
    let message = format!("rules of the game `{own}`, not of {name}");
    let label = format!("should be \"{name}\"");
    Err(Fault::new(written.span(), message, label))
}

/// Checks that `[minutes]` has all its declared keys, in their ranges, and no others.
pub fn check_minutes(
    keys: &[RulesKey],
    written: &Spanned<IndexMap<String, Spanned<i64>>>,
) -> Result<(), Fault> {
    let own = keys
        .iter()
        .filter_map(|key| key.path.strip_prefix("minutes."));
    let own = Vec::from_iter(own);
    for (name, seconds) in written.get_ref() {
        let path = format!("{MINUTES}.{name}");
        if !own.contains(&name.as_str()) {
            let message = format!("{path}: unknown key; the keys are {}", own.join(", "));
            return Err(Fault::new(seconds.span(), message, "unknown"));
        }
        within(&path, seconds, range_of(keys, &path))?;
    }
    match own
        .iter()
        .find(|name| !written.get_ref().contains_key(**name))
    {
        Some(name) => {
            let message = format!("{MINUTES}.{name} is missing: write its seconds");
            Err(Fault::new(written.span(), message, "incomplete"))
        }
        None => Ok(()),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayersTable {
    min: Spanned<i64>,
    max: Spanned<i64>,
}

impl PlayersTable {
    /// The printed numbers of players, if all are among those `allowed`.
    pub fn check(&self, allowed: RangeInclusive<usize>) -> Result<RangeInclusive<usize>, Fault> {
        let (fewest, most) = (*allowed.start() as i64, *allowed.end() as i64);
        let min = within("players.min", &self.min, fewest..=most)?;
        let max = within("players.max", &self.max, min..=most)?;
        Ok(min as usize..=max as usize)
    }
}
