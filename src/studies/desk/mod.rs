//! Answers questions as lines of JSON, about a position (`positions`) or about a table (`tables`).
//! The terminal, the server of the page and a browser hand the lines in.

pub mod advice;
pub mod games;
mod populations;
mod positions;
mod question;
mod shares;
mod tables;

use crate::study::kept_game::KeptGame;
use crate::study::{SeatedTable, StudyError, TableSpec};
use carat_core::diagnostic::readable;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::Threads;
use populations::Populations;
use question::Question;
pub use question::{Fields, Head, Work};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use tables::Asked;

const FIELDS: &str = "id, ask, table, me, seed, number, moves, choice, situation, playouts, games, \
                      pin, width, reach, files, vary, metric, steps, client, seconds, of, part, merge";
/// Questions about a table.
const STUDIES: [&str; 4] = ["about", "simulate", "sweep", "files"];
const ASKS: &str = "options, features, decide, advise, play, keep, review, about, simulate, sweep, \
                    files, cancel";
/// Tables that a thread remembers.
const TABLES: usize = 16;

/// A field of a question, and what is wrong with it.
pub struct Fault {
    field: String,
    why: String,
}

impl From<StudyError> for Fault {
    fn from(why: StudyError) -> Fault {
        in_table(why)
    }
}

pub fn fault(field: &str, why: impl Display) -> Fault {
    Fault {
        field: field.to_string(),
        why: why.to_string(),
    }
}

/// What is wrong with the value of a field.
pub fn misread(field: &str, error: serde_json::Error) -> Fault {
    let (words, help) = readable(&error.to_string());
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    fault(field, words + &help)
}

pub fn in_table(why: impl Display) -> Fault {
    fault("table", why)
}

/// A table without programs.
pub fn resolve(table: &TableSpec, library: &Library) -> Result<SeatedTable, Fault> {
    let seated = table.resolve(library).map_err(in_table)?;
    seated.without_programs().map_err(in_table)
}

/// The fields of an object that is written as JSON.
pub fn fields(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// What a question may ask for.
pub struct Limits {
    pub playouts: u64,
    pub games: u64,
    /// Games or playouts, times what one costs.
    pub work: u64,
}

/// What a page may ask for: some seconds of a machine.
pub const OF_PAGE: Limits = Limits {
    playouts: 100_000,
    games: 2_000_000,
    work: 20_000_000,
};

/// What all answering threads share.
pub struct Shared {
    /// Those that play.
    pub threads: Threads,
    pub limits: Limits,
    pub populations: Arc<Mutex<Populations>>,
}

impl Shared {
    pub fn new(threads: Threads, limits: Limits) -> Shared {
        Shared {
            threads,
            limits,
            populations: Arc::default(),
        }
    }

    /// Checks the number of games or playouts in a field of a question.
    pub fn check(&self, field: &str, number: u64, most: u64, cost: u64) -> Result<(), Fault> {
        if !(1..=most).contains(&number) {
            return Err(fault(field, format!("write a number from 1 to {most}")));
        }
        if number.saturating_mul(cost) > self.limits.work {
            let most = self.limits.work / cost.max(1);
            let why = format!("games at this table take long: write a number up to {most}");
            return Err(fault(field, why));
        }
        Ok(())
    }
}

/// Takes an answer.
pub type Say<'a> = &'a mut (dyn FnMut(Fields) + Send);

/// Who asked: takes answers, and may stop waiting for more.
pub struct Asker<'a> {
    pub stop: &'a AtomicBool,
    pub say: Say<'a>,
}

/// Takes a field of a question; null is the same as a missing field.
pub fn take<T: DeserializeOwned>(question: &mut Fields, field: &str) -> Result<Option<T>, Fault> {
    let value = question.remove(field).unwrap_or_default();
    serde_json::from_value(value).map_err(|error| misread(field, error))
}

/// Refuses a field that is left when a question has been read.
fn check_empty(question: &Fields, place: &str) -> Result<(), Fault> {
    let left = question.keys().next();
    left.map_or(Ok(()), |field| {
        Err(fault(field, format!("not allowed {place}")))
    })
}

/// An answering thread with its cache of tables.
pub struct Desk {
    pub library: Library,
    /// Texts of files that a question brought.
    pub texts: Vec<SourceText>,
    /// The populations adapted so far, by all threads; by this desk alone if it has texts of its
    /// own, whose names mean other files elsewhere.
    pub populations: Arc<Mutex<Populations>>,
    pub shared: Arc<Shared>,
    tables: Vec<(TableSpec, SeatedTable)>,
}

impl Desk {
    pub fn new(library: Library, shared: Arc<Shared>) -> Desk {
        Desk {
            library,
            texts: Vec::new(),
            populations: Arc::clone(&shared.populations),
            shared,
            tables: Vec::new(),
        }
    }

    /// Answers a question in lines of JSON. A study says its results step by step, until `stop` is
    /// set.
    pub fn answer_line(
        &mut self,
        line: &str,
        stop: &AtomicBool,
        say: &mut (dyn FnMut(String) + Send),
    ) {
        let (id, question) = match serde_json::from_str(line.trim_start_matches('\u{feff}')) {
            Ok(Question { id, fields }) => (id, fields),
            Err(error) => {
                let why = format!("write each question as a JSON object on one line: {error}");
                return say(json!({ "error": why }).to_string());
            }
        };
        let mut reply = |more: Fields| {
            let more = Value::Object(more).to_string();
            say(format!("{{\"id\":{id},{}", &more[1..]));
        };
        match self.answer(question, stop, &mut reply) {
            Ok(answer) => reply(answer),
            Err(Fault { field, why }) => reply(fields(json!({ "error": why, "field": field }))),
        }
    }

    /// The last answer to a question; `say` takes those before.
    fn answer(
        &mut self,
        mut question: Fields,
        stop: &AtomicBool,
        say: Say,
    ) -> Result<Fields, Fault> {
        let is_unknown = |field: &&String| FIELDS.split(", ").all(|known| known != *field);
        if let Some(field) = question.keys().find(is_unknown) {
            let why = format!("no such field; the fields are {FIELDS}");
            return Err(fault(field, why));
        }
        let ask: Option<String> = take(&mut question, "ask")?;
        let ask = ask.unwrap_or_default();
        if !ASKS.split(", ").any(|known| known == ask) {
            return Err(fault("ask", format!("write one of {ASKS}")));
        }
        if ask == "cancel" {
            let why = "`carat engine` ends the question with this `id`; write no other field";
            return Err(fault("of", why));
        }
        let _: Option<String> = take(&mut question, "client")?;
        let seconds: Option<f64> = take(&mut question, "seconds")?;
        if seconds.is_some_and(|seconds| seconds <= 0.0) {
            return Err(fault("seconds", "write a number above 0"));
        }
        let table: Option<TableSpec> = take(&mut question, "table")?;
        let table = table.ok_or_else(|| fault("table", "is missing"))?;
        let files: Option<BTreeMap<String, String>> = take(&mut question, "files")?;
        if let Some(files) = files {
            // These names mean these files in this question alone.
            let texts = files.into_iter();
            let texts = Vec::from_iter(texts.map(|(name, text)| SourceText::new(&name, text)));
            let mut desk = Desk {
                library: self.library.with_texts(&texts),
                texts,
                populations: Arc::default(),
                shared: Arc::clone(&self.shared),
                tables: Vec::new(),
            };
            return desk.answer_about(&ask, question, table, stop, say);
        }
        self.answer_about(&ask, question, table, stop, say)
    }

    fn answer_about(
        &mut self,
        ask: &str,
        mut question: Fields,
        table: TableSpec,
        stop: &AtomicBool,
        say: Say,
    ) -> Result<Fields, Fault> {
        if STUDIES.contains(&ask) {
            let mut asked = Asked::read(&mut question, table, Asker { stop, say })?;
            return match ask {
                "about" => self.about(&asked.table),
                "simulate" => self.simulate(&mut asked),
                "sweep" => self.sweep(&mut asked),
                _ => self.files(&mut asked),
            };
        }
        self.answer_position(ask, question, table, Asker { stop, say })
    }

    /// The index of a table in the cache, which gains it if it is new.
    fn table(&mut self, spec: &TableSpec) -> Result<usize, Fault> {
        if let Some(at) = self.tables.iter().position(|(known, _)| known == spec) {
            return Ok(at);
        }
        let seated = resolve(spec, &self.library)?;
        if self.tables.len() == TABLES {
            self.tables.remove(0);
        }
        self.tables.push((spec.clone(), seated));
        Ok(self.tables.len() - 1)
    }
}

/// Why a question that was stopped has no answer.
pub fn stopped() -> Fault {
    fault("ask", "was stopped")
}

/// The game as the file that `carat play` saves.
pub fn file_of(kept: &KeptGame) -> Result<String, Fault> {
    kept.to_toml().map_err(in_table)
}
