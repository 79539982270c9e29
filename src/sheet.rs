//! Sheets: the tables that a study leaves behind, as plain columns.
//!
//! Every column says what it means, so that what is written down and what is explained cannot differ.
//! Nothing here knows a file, a format or a game.

use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// A table: columns of equal length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Its name, that of the file without ending.
    pub name: String,
    /// What a row is: `one row per seat`.
    pub rows: String,
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    /// What it says, in a few words with its unit.
    pub meaning: String,
    pub values: Values,
}

/// The values of a column; nothing where a value is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Values {
    Whole(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Truth(Vec<bool>),
}

impl Values {
    /// Values as people write them: numbers where all are.
    pub fn written(words: Vec<Option<String>>) -> Values {
        fn all<T: std::str::FromStr>(words: &[Option<String>]) -> Option<Vec<Option<T>>> {
            let read = |word: &Option<String>| word.as_ref().map(|word| word.parse().ok());
            words
                .iter()
                .map(|word| read(word).map_or(Some(None), |read| read.map(Some)))
                .collect()
        }
        match (all(&words), all(&words)) {
            (Some(whole), _) => Values::Whole(whole),
            (_, Some(numbers)) => Values::Number(numbers),
            _ => Values::Text(words),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Whole(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::Truth(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Sheet {
    /// A sheet without columns.
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
        self.columns.push(Column {
            name: name.into(),
            meaning: meaning.into(),
            values,
        });
    }
}

/// Rows that are known already, and the sheet that is made of them: each column says something of a
/// row.
pub struct Rows<R> {
    rows: Vec<R>,
    sheet: Sheet,
}

impl<R> Rows<R> {
    /// A sheet of this name, without columns; `one` says what a row is.
    pub fn new(name: &str, one: &str, rows: impl IntoIterator<Item = R>) -> Rows<R> {
        Rows {
            rows: rows.into_iter().collect(),
            sheet: Sheet::new(name, one),
        }
    }

    /// Adds a column of whole numbers.
    pub fn whole<T: Into<Option<u64>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        let values = self.rows.iter().map(|row| of(row).into());
        self.sheet
            .add(name, meaning, Values::Whole(values.collect()));
    }

    /// Adds a column of numbers; one that is not finite is not known, as the error of one game.
    pub fn number<T: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        let finite = |row| of(row).into().filter(|value: &f64| value.is_finite());
        let values = self.rows.iter().map(finite);
        self.sheet
            .add(name, meaning, Values::Number(values.collect()));
    }

    /// Adds a column of words.
    pub fn text<T: Into<Option<String>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        let values = self.rows.iter().map(|row| of(row).into());
        self.sheet
            .add(name, meaning, Values::Text(values.collect()));
    }

    /// Adds a column of values as people write them: of numbers where all are.
    pub fn written<T: Into<Option<String>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        let values = self.rows.iter().map(|row| of(row).into());
        self.sheet
            .add(name, meaning, Values::written(values.collect()));
    }

    /// Adds a column of yes and no.
    pub fn truth(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> bool) {
        let values = self.rows.iter().map(of);
        self.sheet
            .add(name, meaning, Values::Truth(values.collect()));
    }

    /// Adds four columns: the values of estimates, their standard errors, and the ends of their
    /// intervals.
    pub fn estimates<T: Into<Option<Estimate>>>(
        &mut self,
        name: &str,
        meaning: &str,
        of: impl Fn(&R) -> T,
    ) {
        let known: Vec<Option<Estimate>> = self.rows.iter().map(|row| of(row).into()).collect();
        let mut part = |name: String, meaning: String, of: fn(&Estimate) -> f64| {
            let values = known.iter().map(|known| known.as_ref().map(of));
            let finite = values.map(|value| value.filter(|value| value.is_finite()));
            self.sheet
                .add(name, meaning, Values::Number(finite.collect()));
        };
        let se = format!("standard error of {name}");
        let end = |end: &str| format!("{end} end of the 95 % interval of {name}");
        part(name.to_string(), meaning.to_string(), |e| e.value);
        part(format!("{name}_se"), se, |e| e.se);
        part(format!("{name}_low"), end("lower"), |e| e.low);
        part(format!("{name}_high"), end("upper"), |e| e.high);
    }

    pub fn sheet(self) -> Sheet {
        self.sheet
    }
}
