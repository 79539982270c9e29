//! Files of bots and rules with changed values.

use super::error::StudyError;
use super::path::Path;
use super::table::SeatedTable;
use carat_core::format::Format;
use carat_core::library::SourceText;
use carat_core::overrides::apply;
use carat_core::strategy::Seat;
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, InlineTable, Item, Value, value};

/// The file of a bot, with the values of its seat as defaults.
pub fn bot_file(seat: &Seat) -> String {
    if let Some(mind) = seat.mind() {
        let mut think = InlineTable::new();
        think.insert("as", seat.base().to_string().into());
        think.insert("playouts", (mind.playouts as i64).into());
        think.insert("sigmas", mind.sigmas.into());
        let mut document = DocumentMut::new();
        document.insert("description", value(&seat.strategy.description));
        document.insert("think", value(think));
        return document.to_string();
    }
    let Ok(mut document) = seat.strategy.text.parse::<DocumentMut>() else {
        return seat.strategy.text.to_string();
    };
    for ((name, value), (_, default)) in seat.params().zip(&seat.strategy.params) {
        if value != *default
            && let Some(old) = place_of(&mut document, name)
        {
            // As few digits as distinguish it from other numbers of 32 bits.
            let written = value.to_string().parse::<Value>();
            let mut new = written.unwrap_or_else(|_| f64::from(value).into());
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
    }
    document.to_string()
}

/// The place of a parameter in the file, or of a number in a small table by a name such as
/// `name.2.3`.
fn place_of<'a>(document: &'a mut DocumentMut, name: &str) -> Option<&'a mut Value> {
    let mut parts = name.split('.');
    let first = parts.next()?;
    let Some(index) = parts.next() else {
        let mut param = document.get_mut("params")?.get_mut(first)?;
        if param.is_table_like() {
            param = param.get_mut("value")?;
        }
        return param.as_value_mut();
    };
    let table = document.get_mut("tables")?.get_mut(first)?;
    let mut value = table.get_mut("values").and_then(Item::as_value_mut)?;
    for index in std::iter::once(index).chain(parts) {
        let index = index.parse::<usize>().ok()?.checked_sub(1)?;
        value = value.as_array_mut()?.get_mut(index)?;
    }
    Some(value)
}

/// The rules of a table, with the study's changes.
pub fn rules_file(table: &SeatedTable) -> Result<String, StudyError> {
    let SourceText { name, text, .. } = &table.rules;
    Ok(apply(name, text, &table.spec.set)?)
}

/// The files of a table that these paths change, by name: bots and rules.
pub fn files<'a>(
    table: &SeatedTable,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<Vec<(String, String)>, StudyError> {
    let mut seats: BTreeMap<usize, &Seat> = BTreeMap::new();
    let mut rules = false;
    for path in paths {
        let mut seated = (1..).zip(&table.seats);
        seats.extend(seated.find(|(seat, bot)| path.changes_seat(*seat, &bot.strategy.name)));
        rules |= path.is_of_rules();
    }
    let name = |seat: usize| match seats.len() {
        1 => "best.toml".to_string(),
        _ => format!("best-{seat}.toml"),
    };
    let mut files = Vec::new();
    for (&number, seat) in &seats {
        files.push((name(number), Format::with_line(&bot_file(seat))));
    }
    if rules {
        let text = Format::with_line(&rules_file(table)?);
        files.push(("best-rules.toml".to_string(), text));
    }
    Ok(files)
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/written.rs"]
mod tests;
