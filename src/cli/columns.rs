//! The columns of every table of a game's studies, as they are declared.

use super::error::CliError;
use super::show::Shown;
use super::terminal::{prose, table as shown_table};
use crate::files::{DECISIONS, Form, GAMES, decision_columns};
use carat_core::formula::Kind;
use carat_core::game::{Fraction, Game, Layout, Per};
use carat_core::library::Library;
use carat_core::sheet::{Column, Sheet, Values};
use carat_studies::report::{Cells, declared_tables};
use carat_studies::study::TableSpec;
use serde_json::{Value, json};

pub fn columns(game: &Game, library: &Library) -> Result<Shown, CliError> {
    let introduction = format!(
        "{}: the columns of all tables. Every value is an estimate from the games played. _se is its \
         standard error, _low and _high are the ends of its 95 % interval: Wilson's for shares, \
         normal for means (see `carat help methods`). The coverage is that of each interval alone, \
         not joint. A column with a name in capitals, such as PATH or METRIC, stands for one column of \
         each; values of a path are numbers where all are. Unknown values are empty, such as the \
         standard error of a single game; a column keeps its type even if all its fields are empty. In \
         Parquet, a whole number is Int64, a number Float64, text String and true or false Boolean. \
         In games.parquet and decisions.parquet, whole numbers other than `game` are Int32, and \
         features Float32.",
        game.title
    );
    let table = TableSpec::of(game.name).resolve(library)?.table;
    let mut text = prose(&introduction) + "\n";
    let mut records = Vec::new();
    for (kind, sheets) in declared_tables(game, table.as_ref()) {
        let mut files = Vec::new();
        for sheet in sheets {
            files.push((format!("{}.csv", sheet.name), sheet));
        }
        if kind == "simulate" {
            files.push((GAMES.to_string(), games(table.layout())));
            files.push((DECISIONS.to_string(), decisions(game)));
        }
        for (file, sheet) in files {
            let sheet = sheet.written();
            let head = format!("{file}, of {kind}: {}", sheet.rows);
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
            let shown = shown_table(&Cells::new(&["column", "type", "meaning"], rows));
            text += &format!("\n{}\n\n{shown}\n", prose(&head));
        }
    }
    Ok(Shown {
        text,
        records: Value::Array(records),
    })
}

/// The columns of `games.parquet`.
fn games(layout: &Layout) -> Sheet {
    let number = "number of the game, from 0";
    let mut columns = vec![Column::new("game", number, Values::Whole(Vec::new()))];
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
        let values = match recorded.units {
            1.0 => Values::Whole(Vec::new()),
            _ => Values::Number(Vec::new()),
        };
        columns.push(Column::new(name, meaning, values));
    }
    Sheet {
        name: "games".to_string(),
        rows:
            "one row per game, with --raw; means, rates and shares are those of this game. SEAT is the \
               number of a seat in the study, whatever its place at the table"
                .to_string(),
        columns,
    }
}

/// The columns of `decisions.parquet`.
fn decisions(game: &Game) -> Sheet {
    let rows = match game.vocabulary.answer {
        Kind::Truth => "one row per decision, with --raw decisions",
        Kind::Number => "one row per option of each decision, with --raw decisions",
    };
    let number = "number of the game, from 0";
    let mut columns = vec![Column::new("game", number, Values::Whole(Vec::new()))];
    for (name, meaning, form) in decision_columns(game.vocabulary) {
        let values = match form {
            Form::Whole => Values::Whole(Vec::new()),
            Form::Units(_) | Form::Bits => Values::Number(Vec::new()),
            Form::Label => Values::Text(Vec::new()),
        };
        columns.push(Column::new(name, meaning, values));
    }
    Sheet {
        name: "decisions".to_string(),
        rows: rows.to_string(),
        columns,
    }
}
