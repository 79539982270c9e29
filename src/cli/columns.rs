//! The columns of every table that a game's studies write, listed from tables that were just made.

use super::error::CliError;
use super::show::Shown;
use super::terminal::{prose, table};
use crate::game::{Game, WIN_SHARE};
use crate::results::{Report, analyse_sheets, solve_sheets};
use crate::sheet::Sheet;
use crate::simulation::{Nobody, Player, Threads};
use crate::strategy::SeatSpec;
use crate::study::library::Library;
use crate::study::{Axis, Compare, Simulate, Study, Sweep, Tournament, Tune};
use fearless_simd::Level;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Every table with its columns and what they mean.
pub fn columns(game: &Game, library: &Library) -> Result<Shown, CliError> {
    let introduction = format!(
        "{}: the columns of all tables. Every value is an estimate from the games that were played. \
         _se is its standard error, _low and _high are the ends of its 95 % interval: Wilson's for \
         shares, normal for means. Each interval holds by itself, not all of them at once. A field is \
         empty where nothing can be known, as the standard error of a single game.",
        game.title
    );
    let mut text = prose(&introduction) + "\n";
    let mut records = Vec::new();
    let mut tables = Vec::new();
    for (kind, study) in studies(game) {
        tables.push((kind, sheets(&study, library)?));
    }
    if game.can_be_learnt() {
        tables.push(("solve", solve_sheets(game.vocabulary.question)));
    }
    tables.push(("analyse", analyse_sheets()));
    for (kind, sheets) in tables {
        for sheet in sheets {
            let head = format!("{}.csv, of {kind}: {}", sheet.name, sheet.rows);
            let _ = writeln!(text, "\n{}\n", prose(&head));
            let columns = sheet.columns.iter();
            records.extend(columns.map(|column| {
                json!({
                    "study": kind,
                    "table": sheet.name,
                    "column": column.name,
                    "meaning": column.meaning,
                })
            }));
            let rows = sheet.columns.into_iter();
            let rows = rows.map(|column| vec![column.name, column.meaning]);
            let _ = writeln!(text, "{}", table(&["column", "meaning"], rows.collect()));
        }
    }
    Ok(Shown {
        text,
        records: Value::Array(records),
    })
}

/// The smallest study of each kind.
fn studies(game: &Game) -> [(&'static str, Study); 5] {
    let simulate = Simulate {
        games: Some(2),
        ..Simulate::of(game.name)
    };
    let sides = ["a", "b"].map(|side| (side.to_string(), Vec::new()));
    let compare = Compare {
        study: Default::default(),
        title: None,
        description: None,
        table: simulate.clone(),
        sides: sides.clone().into_iter().collect(),
        each: None,
    };
    let players = Axis::Text(game.players.to_string());
    let sweep = Sweep {
        study: Default::default(),
        title: None,
        description: None,
        table: simulate.clone(),
        vary: [("players".to_string(), players)].into_iter().collect(),
    };
    let bots = game.field.iter().take(2).map(|bot| SeatSpec::of(bot));
    let tournament = Tournament {
        study: Default::default(),
        title: None,
        description: None,
        table: simulate.clone(),
        bots: Some(bots.collect()),
        line_ups: None,
        sides: sides.into_iter().collect(),
    };
    let tune = Tune {
        study: Default::default(),
        title: None,
        description: None,
        maximize: None,
        minimize: None,
        fields: Vec::new(),
        readapt: vec![game.field[0].to_string()],
        table: Simulate {
            max_games: Some(1),
            ..Simulate::of(game.name)
        },
        vary: ["rules".to_string()]
            .into_iter()
            .map(|path| (path, Axis::Text(game.editions[0].name.to_string())))
            .collect(),
        targets: [(WIN_SHARE.to_string(), "0..1".to_string())]
            .into_iter()
            .collect(),
    };
    [
        ("simulate", Study::Simulate(simulate)),
        ("compare", Study::Compare(compare)),
        ("sweep", Study::Sweep(sweep)),
        ("tournament", Study::Tournament(tournament)),
        ("tune", Study::Tune(tune)),
    ]
}

/// The tables of a study, played on one thread and kept nowhere.
fn sheets(study: &Study, library: &Library) -> Result<Vec<Sheet>, CliError> {
    let played = study.resolve(library)?.play(&mut Player {
        threads: &Threads::start(1)?,
        level: Level::new(),
        stop: &AtomicBool::new(false),
        played: &AtomicU64::new(0),
        listener: &mut Nobody,
        finished: &mut Nobody,
        sharing: None,
        each: None,
    })?;
    Ok(played.map_or_else(Vec::new, |played| Report::of(&played, "").sheets))
}
