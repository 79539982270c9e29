//! A bot: a named formula with parameters, read from a file's text, and its place at a table.
//!
//! ```toml
//! description = "Leave once you hold enough."
//! leave = "held >= target"
//!
//! [params]
//! target = { value = 12, range = [4, 40], step = 1 }
//! ```
//!
//! A parameter is a number, or one with the range in which it may be varied.
//!
//! A line with the formula is enough. A formula may look up `tables`, which stand in the file, too.
//!
//! A [`Strategy`] is what the file says, a [`SeatSpec`] is what a user types to seat it, such as
//! `3*threshold:target=8`, and a [`Seat`] is the two together. Which strategies there are, and
//! where their files lie, is not known here; nor is any game.

mod cells;
mod file;
mod grid;
mod made_for;
mod mix;
mod program;
mod seat;
mod tables;
#[cfg(test)]
#[path = "../../../tests/unit/core/strategy/tables_tests.rs"]
mod tables_tests;
mod think;

pub use file::{BotFile, ParamRange};
pub use grid::{Axis, Grid, GridSection};
pub use made_for::{FIT, MadeFor, quoted, with_changes};
pub use mix::{MixFile, Part};
pub use program::Program;
pub use seat::{
    EXEC, SEATS_MAX, Seat, SeatError, SeatSpec, bots_with_seats, is_param, join_bots, seat_names,
    table_labels,
};
pub use think::{Mind, ThinkingFile, is_of_thinking};

use std::iter;
use std::sync::Arc;

use toml::de::DeTable;

use crate::diagnostic::Diagnostic;
use crate::formula::{Fault, Formula, Vocabulary};
use file::{Params, check_file, in_file, params_of, string, text_of};

/// A bot as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    pub name: String,
    /// One sentence for the user; by default the first line of the formula.
    pub description: String,
    /// The file's full text, shared by copies since it may be long.
    pub text: Arc<str>,
    /// The parameters with their default values, all finite, in the order of the file; then the
    /// numbers of small tables, which are parameters with names such as `nerve.2`.
    pub params: Vec<(String, f32)>,
    /// The parameters that may be varied, in the same order, each with its range.
    pub ranges: Vec<(String, ParamRange)>,
    /// What parameters do, in words for players, with `{}` for the value.
    pub sentences: Vec<(String, String)>,
    /// The names of its tables, and their numbers of cells.
    pub tables: Vec<(String, usize)>,
    /// Whether its last two parameters are `playouts` and `sigmas`, those of thinking.
    pub thinks: bool,
    /// The name of the bot that it plays as, if that is another.
    pub base: Option<String>,
    /// The names and texts of all other bots it depends on.
    pub made_of: Vec<(String, Arc<str>)>,
    /// The bots of a mix, in order of their `temper` bounds.
    pub parts: Vec<Part>,
    pub made_for: Option<MadeFor>,
    /// The other populations that take turns with it, game by game, where it is adapted.
    pub populations: Vec<Strategy>,
    /// What it always does, in words for players.
    pub says: Option<String>,
    /// The program that decides instead of its formula, if any.
    pub program: Option<Program>,
    /// The answer to the game's question; its parameters are those of `params`, in that order.
    pub formula: Formula,
}

impl Strategy {
    /// Reads the strategy called `name` from the `text` of the file that is called `file`.
    ///
    /// The formula's key is the question of `vocabulary`; besides it there may be a `description`,
    /// `params`, `tables` and `made_for`. Fails at the place in the file for text that is not TOML,
    /// for keys that are unknown or missing, for values of the wrong type, for parameters and
    /// tables that are never used or have a name that is taken, for numbers that are not finite,
    /// for edges that do not rise, for values that do not fit their axes, and for every fault of
    /// the formula.
    pub fn from_toml(
        name: &str,
        file: &str,
        text: &str,
        vocabulary: &Vocabulary,
    ) -> Result<Strategy, Diagnostic> {
        Strategy::read(name, &BotFile::parse(file, text)?, vocabulary)
    }

    /// The bot called `name` of a file with a formula.
    pub fn read(
        name: &str,
        file: &BotFile,
        vocabulary: &Vocabulary,
    ) -> Result<Strategy, Diagnostic> {
        file.read(|document| read(name, file.text, document, vocabulary))
    }

    /// All populations that take turns; itself only, unless it is adapted.
    pub fn each_population(&self) -> impl Iterator<Item = &Strategy> {
        iter::once(self).chain(&self.populations)
    }

    /// The bot called `name` of a file with this `text` and just `formula`.
    fn of_formula(name: &str, text: &str, formula: Formula) -> Strategy {
        Strategy {
            name: name.to_owned(),
            description: String::new(),
            text: text.into(),
            params: Vec::new(),
            ranges: Vec::new(),
            sentences: Vec::new(),
            tables: Vec::new(),
            thinks: false,
            base: None,
            made_of: Vec::new(),
            parts: Vec::new(),
            made_for: None,
            populations: Vec::new(),
            says: None,
            program: None,
            formula,
        }
    }
}

/// Reads a strategy from its parsed file; spans of faults are places in `text`.
fn read(
    name: &str,
    text: &str,
    document: &DeTable,
    vocabulary: &Vocabulary,
) -> Result<Strategy, Fault> {
    let question = vocabulary.question;
    let keys = [
        "description",
        question,
        "params",
        "tables",
        "made_for",
        "says",
    ];
    check_file(document, &keys, "a bot")?;
    let description = text_of(document, "description")?;
    let (formula_text, place) = string(document, question)?;
    let params = document.get("params");
    let params = params.map(|params| params_of(params, vocabulary));
    let Params {
        read: params,
        ranges,
        sentences,
    } = params.transpose()?.unwrap_or_default();
    let tables = tables::read(document, &params, vocabulary)?;
    let names = params.iter().map(|(name, _)| name.get_ref().as_ref());
    let names: Vec<&str> = names.collect();
    let formula = Formula::parse_with_tables(&formula_text, &names, &tables.tables, vocabulary)
        .map_err(|fault| in_file(fault, text, place, &formula_text))?;
    let table = (0..tables.keys.len()).find(|&table| !formula.uses_table(table));
    let table = table.map(|table| ("table", &tables.keys[table]));
    let param = (0..params.len()).find(|&param| !formula.uses_param(param));
    let param = param.map(|param| ("parameter", &params[param].0));
    if let Some((what, key)) = table.or(param) {
        let message = format!("{what} `{}` is never used", key.get_ref());
        let fault = Fault::new(key.span(), message, "not in the formula");
        return Err(fault.with_help("use it or remove it".to_owned()));
    }
    let mut lines = formula_text.lines().map(str::trim);
    let first_line = lines.find(|line| !line.is_empty());
    let params = (params.iter()).map(|(name, value)| (name.get_ref().to_string(), *value));
    Ok(Strategy {
        description: description.unwrap_or_else(|| first_line.unwrap_or_default().to_owned()),
        params: params.chain(tables.params).collect(),
        ranges,
        sentences,
        tables: (tables.tables.iter())
            .map(|table| (table.name.clone(), table.cells.count()))
            .collect(),
        made_for: MadeFor::of(document)?,
        says: text_of(document, "says")?,
        ..Strategy::of_formula(name, text, formula)
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/core/strategy/mod.rs"]
mod tests;
