//! Sheets: the tables of results, as plain columns.
//!
//! Every column states its meaning, so files and their explanations cannot differ. Nothing here
//! knows a file, a format or a game.

use crate::numbers;
use crate::statistics::{Estimate, Unit};
use serde::{Deserialize, Serialize};

/// A table: columns of equal length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Its name: the file's name without ending.
    pub name: String,
    /// The meaning of a row: `one row per seat`.
    pub rows: String,
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    /// Its meaning in a few words, with its unit.
    pub meaning: String,
    /// The unit of each number, or one for all; empty for plain numbers.
    pub units: Vec<Unit>,
    /// Whether it appears in views only, not in files.
    pub is_label: bool,
    pub values: Values,
}

/// The values of a column; `None` where a value is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Values {
    Whole(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Truth(Vec<bool>),
    /// Four columns in files: the values, their standard errors, and the ends of their intervals.
    Estimates(Vec<Option<Estimate>>),
}

impl Values {
    /// Values as people write them: numbers where all are.
    pub fn written(words: Vec<Option<String>>) -> Values {
        fn all<T: std::str::FromStr>(words: &[Option<String>]) -> Option<Vec<Option<T>>> {
            let read = |word: &Option<String>| word.as_ref().map(|word| word.parse());
            words
                .iter()
                .map(|word| read(word).transpose().ok())
                .collect()
        }
        match (all(&words), all(&words)) {
            (Some(whole), _) => Values::Whole(whole),
            (_, Some(numbers)) => Values::Number(numbers),
            _ => Values::Text(words),
        }
    }

    /// The type in files, also if no value is known.
    pub fn type_name(&self) -> &'static str {
        match self {
            Values::Whole(_) => "whole number",
            Values::Number(_) | Values::Estimates(_) => "number",
            Values::Text(_) => "text",
            Values::Truth(_) => "true or false",
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::Whole(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::Truth(values) => values.len(),
            Values::Estimates(values) => values.len(),
        }
    }

    /// Adds the values of another column of the same type.
    pub fn append(&mut self, more: Values) {
        match (self, more) {
            (Values::Whole(values), Values::Whole(more)) => values.extend(more),
            (Values::Number(values), Values::Number(more)) => values.extend(more),
            (Values::Text(values), Values::Text(more)) => values.extend(more),
            (Values::Truth(values), Values::Truth(more)) => values.extend(more),
            (Values::Estimates(values), Values::Estimates(more)) => values.extend(more),
            _ => unreachable!("a column of two types"),
        }
    }
}

impl Column {
    pub fn new(name: impl Into<String>, meaning: impl Into<String>, values: Values) -> Column {
        Column {
            name: name.into(),
            meaning: meaning.into(),
            units: Vec::new(),
            is_label: false,
            values,
        }
    }

    /// Whether its values are right-aligned.
    pub fn is_numeric(&self) -> bool {
        !self.units.is_empty() || !matches!(self.values, Values::Text(_) | Values::Truth(_))
    }

    /// A value as text, by its unit.
    pub fn shown(&self, row: usize) -> String {
        let shown = match &self.values {
            Values::Whole(values) => values[row].map(numbers::count),
            Values::Number(values) => values[row].map(|value| self.number(row, value)),
            Values::Text(values) => return values[row].clone().unwrap_or_default(),
            Values::Truth(values) => return if values[row] { "yes" } else { "" }.to_string(),
            Values::Estimates(values) => values[row].map(|estimate| estimate.to_string()),
        };
        shown.unwrap_or_else(|| "–".to_string())
    }

    fn number(&self, row: usize, value: f64) -> String {
        match self.units.get(row).or(self.units.first()) {
            Some(Unit::Share) => numbers::percent(value, 1),
            Some(Unit::Points) => format!("{} points", numbers::number(100.0 * value, 2)),
            Some(Unit::Amount) | None => numbers::number(value, 2),
        }
    }

    /// Its columns in files.
    fn written(&self) -> Vec<Column> {
        let known = match &self.values {
            _ if self.is_label => return Vec::new(),
            Values::Estimates(known) => known,
            _ => return vec![self.clone()],
        };
        let name = &self.name;
        let part = |ending: &str, meaning: String, of: fn(&Estimate) -> f64| {
            let values = known.iter().map(|known| known.as_ref().map(of));
            let finite = values.map(|value| value.filter(|value| value.is_finite()));
            let values = Values::Number(finite.collect());
            Column::new(format!("{name}{ending}"), meaning, values)
        };
        let end = |end: &str| format!("{end} end of the 95 % interval of {name}");
        vec![
            part("", self.meaning.clone(), |e| e.value),
            part("_se", format!("standard error of {name}"), |e| e.se),
            part("_low", end("lower"), |e| e.low),
            part("_high", end("upper"), |e| e.high),
        ]
    }
}

impl Sheet {
    pub fn new(name: &str, rows: &str) -> Sheet {
        Sheet {
            name: name.to_string(),
            rows: rows.to_string(),
            columns: Vec::new(),
        }
    }

    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    pub fn add(&mut self, name: impl Into<String>, meaning: impl Into<String>, values: Values) {
        self.columns.push(Column::new(name, meaning, values));
    }

    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// A value as text; empty if there is no such column.
    pub fn shown(&self, column: &str, row: usize) -> String {
        let column = self.column(column);
        column.map_or(String::new(), |column| column.shown(row))
    }

    /// The whole number in a row of a column of whole numbers.
    pub fn count(&self, column: &str, row: usize) -> Option<u64> {
        match &self.column(column)?.values {
            Values::Whole(values) => values[row],
            _ => None,
        }
    }

    /// The estimate in a row of a column of estimates.
    pub fn estimate(&self, column: &str, row: usize) -> Option<Estimate> {
        match &self.column(column)?.values {
            Values::Estimates(values) => values[row],
            _ => None,
        }
    }

    /// The sheet as in files: estimates as four columns each, and no labels.
    pub fn written(&self) -> Sheet {
        Sheet {
            name: self.name.clone(),
            rows: self.rows.clone(),
            columns: self.columns.iter().flat_map(Column::written).collect(),
        }
    }
}

/// Builds a sheet from known rows: each column is a function of the row.
pub struct Rows<R> {
    rows: Vec<R>,
    sheet: Sheet,
}

impl<R> Rows<R> {
    /// A sheet of this name, without columns; `one` is the meaning of a row.
    pub fn new(name: &str, one: &str, rows: impl IntoIterator<Item = R>) -> Rows<R> {
        Rows {
            rows: rows.into_iter().collect(),
            sheet: Sheet::new(name, one),
        }
    }

    pub fn whole<T: Into<Option<u64>>>(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> T) {
        self.add(name, meaning, Values::Whole, &|row| of(row).into());
    }

    /// Adds the column `what` of such numbers from 1, of numbers from 0.
    pub fn numbered(&mut self, what: &str, of: impl Fn(&R) -> usize) {
        let meaning = format!("number of the {what}, from 1");
        self.whole(what, &meaning, |row| of(row) as u64 + 1);
    }

    /// Adds a column of numbers; non-finite ones are unknown, such as the error of one game.
    pub fn number<T>(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> T)
    where
        T: Into<Option<f64>>,
    {
        let finite = |row: &R| of(row).into().filter(|value| value.is_finite());
        self.add(name, meaning, Values::Number, &finite);
    }

    pub fn text<T>(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> T)
    where
        T: Into<Option<String>>,
    {
        self.add(name, meaning, Values::Text, &|row| of(row).into());
    }

    /// Adds a column of values as people write them: of numbers where all are.
    pub fn written<T>(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> T)
    where
        T: Into<Option<String>>,
    {
        self.add(name, meaning, Values::written, &|row| of(row).into());
    }

    pub fn truth(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> bool) {
        self.add(name, meaning, Values::Truth, &of);
    }

    pub fn estimates<T>(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> T)
    where
        T: Into<Option<Estimate>>,
    {
        self.add(name, meaning, Values::Estimates, &|row| of(row).into());
    }

    /// The function is called by its address, so that this is compiled once for rows of a kind.
    fn add<T>(
        &mut self,
        name: &str,
        meaning: &str,
        values: fn(Vec<T>) -> Values,
        of: &dyn Fn(&R) -> T,
    ) {
        let known = self.rows.iter().map(of).collect();
        self.sheet.add(name, meaning, values(known));
    }

    /// Adds a column of words for views only.
    pub fn label<T: Into<Option<String>>>(&mut self, name: &str, of: impl Fn(&R) -> T) {
        self.text(name, "", of);
        self.only_shown();
    }

    /// Leaves the last column out of files.
    pub fn only_shown(&mut self) {
        if let Some(column) = self.sheet.columns.last_mut() {
            column.is_label = true;
        }
    }

    /// Sets the units of the last column, row by row.
    pub fn units(&mut self, of: impl Fn(&R) -> Unit) {
        if let Some(column) = self.sheet.columns.last_mut() {
            column.units = self.rows.iter().map(of).collect();
        }
    }

    pub fn sheet(self) -> Sheet {
        self.sheet
    }
}
