//! One table of many studies: the rows of a table of each folder, with the keys of its study in
//! front.

use super::encode::{Row, read_rows};
use super::store::is_as;
use carat_core::library::read_manifest;
use carat_core::overrides::key_path;
use carat_core::sheet::{self, Column, Sheet, Values};
use carat_core::strategy::SeatSpec;
use carat_studies::report::{MANIFEST, Manifest};
use carat_studies::study::axis::Axis;
use carat_studies::study::{Study, StudyError};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const KEYS: [&str; 12] = [
    "folder", "study", "game", "rules", "set", "players", "seats", "side", "table", "seed",
    "games", "version",
];
const NUMBERS: [&str; 3] = ["players", "seed", "games"];
/// Keys that a row of a table has itself, if they differ within a study.
const OF_ROWS: [&str; 5] = ["rules", "players", "side", "table", "seed"];

/// The tables of every kind, game by game, which give the columns and their types.
type Declared = IndexMap<&'static str, Vec<(&'static str, Vec<Sheet>)>>;

/// Joins the tables of this name, or the first of each study; returns the folders that lack it,
/// too.
pub fn collect(
    folders: &[PathBuf],
    table: Option<&str>,
    declared: &Declared,
) -> Result<(Sheet, Vec<String>), String> {
    let (mut types, mut rows): (IndexMap<String, Values>, _) = (IndexMap::new(), Vec::new());
    for key in KEYS {
        let number = NUMBERS.contains(&key).then_some(Values::Whole(Vec::new()));
        types.insert(key.to_string(), number.unwrap_or(Values::Text(Vec::new())));
    }
    let (mut without, mut faults, mut tables) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut found = Vec::new();
    for folder in folders {
        let name = folder.display().to_string();
        match read(folder, table, declared, &mut tables) {
            Err(why) => faults.push(format!("{name}: {why}")),
            Ok(None) => without.push(name),
            Ok(Some((table, own))) => {
                found.push(table);
                rows.extend(own);
            }
        }
    }
    if without.len() == folders.len() {
        let (table, there) = (table.unwrap_or("*"), Vec::from_iter(tables).join(", "));
        faults.push(format!(
            "no {table}.csv or {table}.parquet in any folder; tables: {there}"
        ));
    }
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let games: BTreeSet<&String> = rows.iter().map(|row| &row["game"]).collect();
    for table in found {
        let of_games = declared
            .iter()
            .filter(|(game, _)| games.contains(&game.to_string()));
        declare(table, of_games.flat_map(|(_, kinds)| kinds), &mut types);
    }
    // Paths and measures of studies are numbers where all are.
    for name in rows.iter().flat_map(Row::keys) {
        if !types.contains_key(name) {
            types.insert(name.clone(), Values::Number(Vec::new()));
        }
    }
    let mut collected = Sheet {
        name: "collected".to_string(),
        rows: String::new(),
        columns: Vec::new(),
    };
    for (name, of_type) in types {
        let words = Vec::from_iter(rows.iter().map(|row| row.get(&name).cloned()));
        let values = of_type.read(&words).unwrap_or(Values::Text(words));
        collected.columns.push(Column::new(name, "", values));
    }
    Ok((collected, without))
}

/// The name and the rows of a folder's table; adds the names of all its tables to `tables`.
fn read<'a>(
    folder: &Path,
    table: Option<&str>,
    declared: &'a Declared,
    tables: &mut BTreeSet<&'a str>,
) -> Result<Option<(&'a str, Vec<Row>)>, String> {
    let manifest = folder.join(MANIFEST);
    if !manifest.is_file() {
        return Err(format!("no {MANIFEST}, so no complete results"));
    }
    let text = read_manifest(&manifest).map_err(|error| error.to_string())?;
    let manifest = Manifest::from_json(MANIFEST, &text).map_err(|error| error.to_string())?;
    if manifest.partial {
        return Err("the results are partial; finish the study".to_string());
    }
    let kind = declared
        .get(manifest.study.table.game.as_str())
        .into_iter()
        .flatten();
    let kind = kind.filter(|of| of.0 == manifest.study.kind());
    let mut found = None;
    for Sheet { name, .. } in kind.flat_map(|of| &of.1) {
        for file in ["parquet", "csv"].map(|ending| format!("{name}.{ending}")) {
            let record = manifest.files.iter().find(|record| record.name == file);
            let path = folder.join(&file);
            if record.is_none() && !path.is_file() {
                continue;
            }
            tables.insert(name.as_str());
            if found.is_some() || table.is_some_and(|table| table != name) {
                continue;
            }
            if record.is_some_and(|record| !is_as(&path, record)) {
                return Err(format!(
                    "{file} was changed or removed after it was written"
                ));
            }
            let mut rows = Vec::new();
            for row in read_rows(&path).map_err(|_| format!("{file} is damaged"))? {
                let keys = keys_of(folder, &manifest, &row).map_err(|error| error.to_string())?;
                rows.extend(in_long_form(keys, row, name));
            }
            found = Some((name.as_str(), rows));
        }
    }
    Ok(found)
}

/// Adds the columns that a table has in these games, but for those that stand for others.
fn declare<'a>(
    table: &str,
    declared: impl Iterator<Item = &'a (&'static str, Vec<Sheet>)>,
    types: &mut IndexMap<String, Values>,
) {
    let sheets = declared.flat_map(|of| &of.1).filter(|of| of.name == table);
    for column in sheets.flat_map(|sheet| sheet.written().columns) {
        let Column { name, values, .. } = column;
        let name = match of_seat(&name) {
            _ if column.is_family => continue,
            Some((stem, _)) => {
                types.insert(sheet::SEAT.to_string(), Values::Whole(Vec::new()));
                stem.to_string()
            }
            None => beside_keys(&name, table),
        };
        let own = types.entry(name).or_insert_with(|| values.clone());
        if own.type_name() != values.type_name() {
            *own = Values::Text(Vec::new());
        }
    }
}

/// The stem and the seat of a column for one seat, such as `left_seat_1`.
fn of_seat(column: &str) -> Option<(&str, u64)> {
    let (stem, seat) = column.rsplit_once("_seat_")?;
    Some((stem, seat.parse().ok()?))
}

/// The name of a column beside the keys, such as `scores_games`.
fn beside_keys(column: &str, table: &str) -> String {
    if KEYS.contains(&column) && !OF_ROWS.contains(&column) {
        return format!("{table}_{column}");
    }
    column.to_string()
}

/// A row after its keys; one for each seat if it has columns for each.
fn in_long_form(mut keys: Row, row: Row, table: &str) -> Vec<Row> {
    let mut rows: BTreeMap<u64, Row> = BTreeMap::new();
    let is_of_seat = row.contains_key(sheet::SEAT);
    for (column, value) in row {
        if let Some((stem, seat)) = of_seat(&column).filter(|_| !is_of_seat) {
            let own = rows.entry(seat).or_default();
            own.insert(sheet::SEAT.to_string(), seat.to_string());
            own.insert(stem.to_string(), value);
        } else {
            keys.insert(beside_keys(&column, table), value);
        }
    }
    if rows.is_empty() {
        return vec![keys];
    }
    let rows = rows.into_values();
    Vec::from_iter(rows.map(|own| keys.clone().into_iter().chain(own).collect()))
}

fn keys_of(folder: &Path, of: &Manifest, row: &Row) -> Result<Row, StudyError> {
    let [side, table] = ["side", "table"].map(|key| row.get(key).map(String::as_str));
    let spec = match &of.study {
        Study::Compare(study) => {
            let step = row.get("path").zip(row.get("to"));
            let step = step.map(|(path, to)| (path.as_str(), to.as_str()));
            study.table_of(table, side, step)?
        }
        study => study.table.clone(),
    }
    .filled()?;
    let seated = spec.seats.iter().map(|seat| seat.copies).sum();
    let seats = Vec::from_iter(spec.seats.iter().map(ToString::to_string));
    let standard = spec.game()?.editions[0].name;
    let numbers = [
        spec.players.unwrap_or(seated) as u64,
        of.study.run.games.unwrap_or(0),
    ];
    let [players, games] = numbers.map(|number| number.to_string());
    let keys = [
        ("folder", folder.display().to_string()),
        ("study", of.study.kind().to_string()),
        ("game", spec.game.clone()),
        ("rules", spec.rules.clone().unwrap_or(standard.to_string())),
        ("set", spec.set.join("; ")),
        ("players", players),
        ("seats", seats.join("; ")),
        ("games", games),
        ("version", of.carat.clone()),
    ];
    let known = keys.into_iter();
    let known = known.filter(|(_, value)| !["", "0"].contains(&value.as_str()));
    let mut keys: Row = known.map(|(key, value)| (key.to_string(), value)).collect();
    keys.insert("seed".to_string(), of.study.run.seed.to_string());
    if let Study::Sweep(study) = &of.study {
        let is_seated = |(path, axis): &(String, Axis)| {
            matches!(axis, Axis::Named(_))
                || ["players", "seats", "others"].contains(&path.as_str())
        };
        // Cells have tables of their own.
        if study.vary.iter().any(is_seated) {
            keys.retain(|key, _| key != "players" && key != "seats");
            return Ok(keys);
        }
    }
    // Each change and each bot also has a column of its own, as in a sweep.
    for (path, value) in spec.set.iter().filter_map(|set| set.split_once('=')) {
        keys.insert(
            format!("rules.{}", key_path(path.trim())),
            value.trim().to_string(),
        );
    }
    for (number, bot) in (1..).zip(spec.seats.iter().flat_map(SeatSpec::each)) {
        keys.insert(format!("seats.{number}"), bot.to_string());
    }
    Ok(keys)
}

/// Whether a file is a table of this module.
pub fn is_collected(file: &Path) -> bool {
    let head = KEYS.join(",");
    let is_row = |row: &Row| row.contains_key("folder") && row.contains_key("version");
    std::fs::read(file).is_ok_and(|there| there.starts_with(head.as_bytes()))
        || read_rows(file).is_ok_and(|rows| rows.iter().any(is_row))
}
