//! The columns of every table of a game's studies, read from tables that are made to list them.

use super::error::CliError;
use super::show::Shown;
use super::terminal::{prose, table};
use crate::results::{Cells, Form, decision_columns};
use crate::results::{Report, analyse_sheets, manifest, scored_sheets, solve_sheets};
use crate::study::{Study, TableSpec};
use carat_core::formula::Kind;
use carat_core::game::{Fraction, Game, Per, WIN_SHARE};
use carat_core::library::Library;
use carat_core::sheet::{Column, Sheet, Values};
use carat_core::simulation::{Threads, alone};
use fearless_simd::Level;
use serde_json::{Map, Value, json};

pub fn columns(game: &Game, library: &Library) -> Result<Shown, CliError> {
    let introduction = format!(
        "{}: the columns of all tables. Every value is an estimate from the games played. _se is its \
         standard error, _low and _high are the ends of its 95 % interval: Wilson's for shares, \
         normal for means (see `carat help methods`). The coverage is that of each interval alone, \
         not joint. Unknown values are empty, such as the standard error of a single game; a column \
         keeps its type even if all its fields are empty.",
        game.title
    );
    let mut text = prose(&introduction) + "\n";
    let mut records = Vec::new();
    let mut tables = Vec::new();
    for (kind, mut keys) in studies(game, library)? {
        keys["study"] = json!(kind);
        keys["game"] = json!(game.name);
        let mut made = sheets(&Study::from_json(keys)?, library)?;
        if kind == "simulate" {
            made.push(games(game, library)?);
            made.push(decisions(game));
        }
        tables.push((kind, made));
    }
    let solved = match game.training {
        Some(_) => scored_sheets(),
        None => solve_sheets(),
    };
    tables.push(("solve", solved));
    tables.push(("analyse", analyse_sheets()));
    for (kind, sheets) in tables {
        for sheet in sheets {
            let sheet = sheet.written();
            let ending = if ["games", "decisions"].contains(&sheet.name.as_str()) {
                "parquet"
            } else {
                "csv"
            };
            let head = format!("{}.{ending}, of {kind}: {}", sheet.name, sheet.rows);
            let mut rows = Vec::new();
            for column in sheet.columns {
                let Column { name, meaning, .. } = column;
                let (table, of_type) = (&sheet.name, column.values.type_name());
                records.push(json!({
                    "study": kind, "table": table, "column": name, "type": of_type,
                    "meaning": meaning,
                }));
                rows.push(vec![name, of_type.to_string(), meaning]);
            }
            let shown = table(&Cells::new(&["column", "type", "meaning"], rows));
            text += &format!("\n{}\n\n{shown}\n", prose(&head));
        }
    }
    Ok(Shown {
        text,
        records: Value::Array(records),
    })
}

/// The smallest study of each kind, as the keys of a file after kind and game. The sweep varies a
/// parameter of a bot, so that it has a best cell.
fn studies(game: &Game, library: &Library) -> Result<[(&'static str, Value); 5], CliError> {
    let mut vary = Map::new();
    let mut seats = Vec::new();
    for bot in game.field {
        let bot = library.strategy(game, bot)?;
        if let Some((param, value)) = bot.params.first() {
            vary.insert(format!("seats.1.{param}"), json!([value, value + 1.0]));
            seats.push(bot.name);
            break;
        }
    }
    let sides = json!({ "a": [], "b": [] });
    let targets = Map::from_iter([(WIN_SHARE.to_string(), json!("0..1"))]);
    Ok([
        ("simulate", json!({ "games": 2, "on_failure": "pass" })),
        // Steps have all columns of sides, and more.
        ("compare", json!({ "games": 2, "each": "rules" })),
        (
            "sweep",
            json!({ "games": 2, "players": game.players, "seats": seats, "vary": vary }),
        ),
        (
            "tournament",
            json!({ "games": 2, "bots": game.field[..2], "sides": sides }),
        ),
        (
            "tune",
            json!({
                "max_games": 1,
                "vary": { "rules": game.editions[0].name },
                "targets": targets,
            }),
        ),
    ])
}

/// The columns of `games.parquet`.
fn games(game: &Game, library: &Library) -> Result<Sheet, CliError> {
    let mut sheet = Sheet::new(
        "games",
        "one row per game, with --raw; SEAT is the number of a seat in the study, whatever its place at \
         the table in a game",
    );
    sheet.add(
        "game",
        "number of the game, from 0",
        Values::Whole(Vec::new()),
    );
    let table = TableSpec::of(game.name).resolve(library)?.table;
    let layout = table.layout();
    let all = layout.column_infos();
    for (at, recorded) in all.iter().enumerate() {
        let whole = recorded.name.as_str();
        let (name, seat) = whole.split_once('@').unwrap_or((whole, ""));
        let name = match seat {
            "" => name.to_string(),
            "1" => format!("{name}@SEAT"),
            _ => continue,
        };
        let mut meaning = recorded.meaning.to_string();
        for of in layout.metrics() {
            if let Some(Fraction { of: sum, per }) = layout.fraction(of)
                && let Per::Outcome(per) = per
                && sum == [at]
            {
                let per = all[per].name.replace("@1", "@SEAT");
                meaning += &format!("; {} is its sum divided by that of {per}", of.name);
            }
        }
        sheet.add(name, meaning, Values::Number(Vec::new()));
    }
    Ok(sheet)
}

/// The columns of `decisions.parquet`.
fn decisions(game: &Game) -> Sheet {
    let rows = match game.vocabulary.answer {
        Kind::Truth => "one row per decision, with --raw decisions",
        Kind::Number => "one row per option of each decision, with --raw decisions",
    };
    let mut sheet = Sheet::new("decisions", rows);
    let number = "number of the game, from 0";
    sheet.add("game", number, Values::Whole(Vec::new()));
    for (name, meaning, form) in decision_columns(game.vocabulary) {
        let values = match form {
            Form::Whole => Values::Whole(Vec::new()),
            Form::Units(_) | Form::Bits => Values::Number(Vec::new()),
            Form::Label => Values::Text(Vec::new()),
        };
        sheet.add(name, meaning, values);
    }
    sheet
}

/// The tables of a study, played on one thread; writes no file.
fn sheets(study: &Study, library: &Library) -> Result<Vec<Sheet>, CliError> {
    let ready = study.resolve(library)?;
    let manifest = manifest(&ready);
    let threads = Threads::start(1)?;
    let played = alone(&threads, Level::new(), |player| ready.play(player))?;
    Ok(played.map_or_else(Vec::new, |played| {
        Report::of(&played, manifest).content.sheets
    }))
}
