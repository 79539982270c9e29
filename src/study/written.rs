//! Files of bots and rules with changed values.

use super::error::StudyError;
use super::library::SourceText;
use super::overrides::apply;
use super::path::Path;
use super::table::SeatedTable;
use crate::format::Format;
use crate::strategy::Seat;
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
            let decor = old.decor().clone();
            // As few digits as distinguish it from other numbers of 32 bits.
            let written = value.to_string().parse();
            *old = written.unwrap_or_else(|_| Value::from(f64::from(value)));
            *old.decor_mut() = decor;
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
        let param = document.get_mut("params")?.get_mut(first)?;
        let varied = param.as_table_like().is_some();
        let number = if varied {
            param.get_mut("value")?
        } else {
            param
        };
        return number.as_value_mut();
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
    let SourceText { name, text } = &table.rules;
    Ok(apply(name, text, &table.spec.set)?)
}

/// The files of a table that these paths change, by name: bots and rules.
pub fn files<'a>(
    table: &SeatedTable,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<Vec<(String, String)>, StudyError> {
    let mut seats: Vec<usize> = Vec::new();
    let mut rules = false;
    for path in paths {
        match path {
            Path::Seat(seat) | Path::SeatParam(seat, _) => seats.push(seat - 1),
            Path::AllParam(bot, _) => {
                let mut seated = table.seats.iter();
                seats.extend(seated.position(|seat| seat.strategy.name == *bot));
            }
            Path::Rules | Path::RulesKey(_) => rules = true,
            Path::Players => {}
        }
    }
    seats.sort_unstable();
    seats.dedup();
    let name = |seat: usize| match seats.len() {
        1 => "best.toml".to_string(),
        _ => format!("best-{}.toml", seat + 1),
    };
    let bots = seats
        .iter()
        .map(|&seat| (name(seat), bot_file(&table.seats[seat])));
    let mut files: Vec<(String, String)> = bots.collect();
    if rules {
        files.push(("best-rules.toml".to_string(), rules_file(table)?));
    }
    files
        .iter_mut()
        .for_each(|(_, text)| *text = Format::with_line(text));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::diamant::GAME;
    use crate::strategy::{SeatSpec, Strategy};

    #[test]
    fn a_bot_keeps_its_comments_and_takes_its_values() {
        let text = "# mine\nleave = \"held >= a + b[traps_seen, explorers]\" # so\n\n[params]\na = 3 # few\n\n\
                    [tables.b]\naxes = [[1], [2, 3]]\nvalues = [[1, 2, 3], [4, 5, 6]]\n";
        let strategy = Strategy::from_toml("mine", "mine.toml", text, GAME.vocabulary).unwrap();
        let spec = SeatSpec::parse("mine:a=2.5,b.2.3=-7").unwrap();
        let seat = Seat::new(strategy, &spec.params).unwrap();
        let file = bot_file(&seat);
        let wanted = text
            .replace("a = 3", "a = 2.5")
            .replace("[4, 5, 6]", "[4, 5, -7]");
        assert_eq!(file, wanted);
        let read = Strategy::from_toml("mine", "mine.toml", &file, GAME.vocabulary).unwrap();
        let read = Seat::new(read, &[]).unwrap();
        assert_eq!(read.values, seat.values);
    }
}
