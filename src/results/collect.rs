//! One table of many studies: the rows of a table of each folder, with the keys of its study in front.

use super::encode::{Row, read_rows};
use super::store::{MANIFEST, Manifest, is_as};
use crate::study::{Study, StudyError};
use carat_core::library::read_manifest;
use carat_core::sheet::{self, Column, Sheet, Values};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const KEYS: &str = "folder study game rules set players seats side table seed games version";
const NUMBERS: &str = "players seed games";
/// Keys that a row of a table has itself, if they differ within a study.
const OF_ROWS: &str = "rules players side table";

/// The tables of every kind in every game, which give the columns and their types.
type Declared = [(&'static str, Vec<Sheet>)];

fn is_in(names: &str, name: &str) -> bool {
    names.split(' ').any(|other| other == name)
}

/// Joins the tables of this name, or the first of each study; returns the folders that lack it, too.
pub fn collect(
    folders: &[PathBuf],
    table: Option<&str>,
    declared: &Declared,
) -> Result<(Sheet, Vec<String>), String> {
    let (mut types, mut rows): (IndexMap<String, Values>, _) = (IndexMap::new(), Vec::new());
    for key in KEYS.split(' ') {
        let number = is_in(NUMBERS, key).then(|| Values::Whole(Vec::new()));
        types.insert(key.to_string(), number.unwrap_or(Values::Text(Vec::new())));
    }
    let (mut without, mut faults, mut tables) = (Vec::new(), Vec::new(), BTreeSet::new());
    for folder in folders {
        let name = folder.display().to_string();
        let found = read(folder, table, declared, &mut tables);
        match found.map_err(|why| format!("{name}: {why}")) {
            Err(why) => faults.push(why),
            Ok(None) => without.push(name),
            Ok(Some((table, own))) => {
                declare(&table, declared, &mut types);
                rows.extend(own);
            }
        }
    }
    if without.len() == folders.len() {
        let tables = Vec::from_iter(tables).join(", ");
        faults.push(format!(
            "no folder has this table in CSV or Parquet; there are: {tables}"
        ));
    }
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    // Paths and measures of studies are numbers where all are.
    for name in rows.iter().flat_map(Row::keys) {
        if !types.contains_key(name) {
            types.insert(name.clone(), Values::Number(Vec::new()));
        }
    }
    let mut columns = Vec::new();
    for (name, of_type) in types {
        let words = Vec::from_iter(rows.iter().map(|row| row.get(&name).cloned()));
        let values = of_type.read(&words).unwrap_or(Values::Text(words));
        columns.push(Column::new(name, "", values));
    }
    let (name, rows) = ("collected".to_string(), String::new());
    Ok((
        Sheet {
            name,
            rows,
            columns,
        },
        without,
    ))
}

/// The name and the rows of a folder's table; adds the names of all its tables to `tables`.
fn read(
    folder: &Path,
    table: Option<&str>,
    declared: &Declared,
    tables: &mut BTreeSet<String>,
) -> Result<Option<(String, Vec<Row>)>, String> {
    let manifest = folder.join(MANIFEST);
    if !manifest.is_file() {
        return Err(format!(
            "no folder of complete results: {MANIFEST} is missing"
        ));
    }
    let text = read_manifest(&manifest).map_err(|error| error.to_string())?;
    let manifest = Manifest::from_json(MANIFEST, &text).map_err(|error| error.to_string())?;
    if manifest.partial {
        return Err("the results are partial; finish the study".to_string());
    }
    let kind = declared.iter().filter(|of| of.0 == manifest.study.kind());
    let mut found = None;
    for Sheet { name, .. } in kind.flat_map(|of| &of.1) {
        for file in ["parquet", "csv"].map(|ending| format!("{name}.{ending}")) {
            let record = manifest.files.iter().find(|record| record.name == file);
            let path = folder.join(&file);
            if record.is_none() && !path.is_file() {
                continue;
            }
            tables.insert(name.clone());
            if found.is_some() || table.is_some_and(|table| table != name) {
                continue;
            }
            if record.is_some_and(|record| !is_as(&path, record)) {
                return Err(format!(
                    "{file} was changed or removed after carat wrote it"
                ));
            }
            let mut rows = Vec::new();
            for row in read_rows(&path).map_err(|error| format!("{file}: {error}"))? {
                let keys = keys_of(folder, &manifest, &row).map_err(|error| error.to_string())?;
                rows.extend(in_long_form(keys, row, name));
            }
            found = Some((name.clone(), rows));
        }
    }
    Ok(found)
}

/// Adds the columns that a table has in any game, but for those that stand for others.
fn declare(table: &str, declared: &Declared, types: &mut IndexMap<String, Values>) {
    let sheets = declared.iter().flat_map(|of| &of.1);
    let columns = sheets
        .filter(|sheet| sheet.name == table)
        .flat_map(|of| of.written().columns);
    for Column { name, values, .. } in columns.filter(|of| !of.name.contains(char::is_uppercase)) {
        let (name, seat) = long_name(&name, table);
        if seat.is_some() {
            types.insert(sheet::SEAT.to_string(), Values::Whole(Vec::new()));
        }
        let own = types.entry(name).or_insert_with(|| values.clone());
        if own.type_name() != values.type_name() {
            *own = Values::Text(Vec::new());
        }
    }
}

/// The name of a column beside the keys (`scores_games`), and the seat if it is for one: `left` and 1
/// of `left_seat_1`.
fn long_name(column: &str, table: &str) -> (String, Option<u64>) {
    let seat = column
        .rsplit_once("_seat_")
        .map(|(stem, seat)| (stem, seat.parse().ok()));
    match seat {
        Some((stem, Some(seat))) => (stem.to_string(), Some(seat)),
        _ if is_in(KEYS, column) && !is_in(OF_ROWS, column) => (format!("{table}_{column}"), None),
        _ => (column.to_string(), None),
    }
}

/// A row after its keys; one for each seat if it has columns for each.
fn in_long_form(mut keys: Row, row: Row, table: &str) -> Vec<Row> {
    let mut of_seats: BTreeMap<Option<u64>, Row> = BTreeMap::new();
    for (column, value) in row {
        let (name, seat) = long_name(&column, table);
        of_seats.entry(seat).or_default().insert(name, value);
    }
    keys.extend(of_seats.remove(&None).unwrap_or_default());
    if of_seats.is_empty() {
        return vec![keys];
    }
    let mut rows = Vec::new();
    for (seat, own) in of_seats {
        let mut row = keys.clone();
        row.extend(seat.map(|seat| (sheet::SEAT.to_string(), seat.to_string())));
        row.extend(own);
        rows.push(row);
    }
    rows
}

/// The known keys of the study behind a row.
fn keys_of(folder: &Path, of: &Manifest, row: &Row) -> Result<Row, StudyError> {
    let side = row.get("side").map_or("", String::as_str);
    let spec = match &of.study {
        Study::Compare(study) => study.table_of(row.get("table").map(String::as_str), side)?,
        study => study.table.clone(),
    };
    let seated = spec.seats.iter().map(|seat| seat.copies).sum();
    let players = spec.players.or(Some(seated).filter(|seated| *seated > 0));
    let seats = Vec::from_iter(spec.seats.iter().map(ToString::to_string));
    let standard = spec.game()?.editions[0].name;
    let keys = [
        ("folder", folder.display().to_string()),
        ("study", of.study.kind().to_string()),
        ("game", spec.game.clone()),
        ("rules", spec.rules.unwrap_or(standard.to_string())),
        ("set", spec.set.join("; ")),
        (
            "players",
            players.map_or(String::new(), |players| players.to_string()),
        ),
        ("seats", seats.join("; ")),
        ("seed", of.study.run.seed.to_string()),
        (
            "games",
            of.study
                .run
                .games
                .map_or(String::new(), |games| games.to_string()),
        ),
        ("version", of.carat.clone()),
    ];
    let known = keys.into_iter().filter(|(_, value)| !value.is_empty());
    Ok(known.map(|(key, value)| (key.to_string(), value)).collect())
}
