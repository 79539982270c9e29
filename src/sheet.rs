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
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it says, in a few words with its unit.
    pub meaning: String,
    /// Its values.
    pub values: Values,
}

/// The values of a column; nothing where a value is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers, all finite.
    Number(Vec<Option<f64>>),
    /// Words.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Truth(Vec<bool>),
}

impl Values {
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

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Adds a column of whole numbers.
    pub fn whole<T: Into<Option<u64>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) {
        let values = values.into_iter().map(Into::into).collect();
        self.add(name, meaning, Values::Whole(values));
    }

    /// Adds a column of numbers; one that is not finite is not known, as the error of one game.
    pub fn number<T: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) {
        let finite = |value: T| value.into().filter(|value| value.is_finite());
        let values = values.into_iter().map(finite).collect();
        self.add(name, meaning, Values::Number(values));
    }

    /// Adds a column of words.
    pub fn text<T: Into<Option<String>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) {
        let values = values.into_iter().map(Into::into).collect();
        self.add(name, meaning, Values::Text(values));
    }

    /// Adds a column of yes and no.
    pub fn truth(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        values: impl IntoIterator<Item = bool>,
    ) {
        self.add(name, meaning, Values::Truth(values.into_iter().collect()));
    }

    /// Adds four columns: the values of estimates, their standard errors, and the ends of their
    /// intervals.
    pub fn estimates(&mut self, name: &str, meaning: &str, estimates: &[Option<Estimate>]) {
        self.number(name, meaning, part(estimates, |e| e.value));
        self.errors(&format!("{name}_"), name, estimates);
    }

    /// Adds the last three of these columns: `name` is that of the first.
    pub fn errors(&mut self, prefix: &str, name: &str, estimates: &[Option<Estimate>]) {
        let se = format!("standard error of {name}");
        self.number(format!("{prefix}se"), se, part(estimates, |e| e.se));
        for (end, word) in [("low", "lower"), ("high", "upper")] {
            let of = |e: &Estimate| if end == "low" { e.low } else { e.high };
            let meaning = format!("{word} end of the 95 % interval of {name}");
            self.number(format!("{prefix}{end}"), meaning, part(estimates, of));
        }
    }

    fn add(&mut self, name: impl Into<String>, meaning: impl Into<String>, values: Values) {
        self.columns.push(Column {
            name: name.into(),
            meaning: meaning.into(),
            values,
        });
    }
}

/// One number of each estimate that is known.
fn part(estimates: &[Option<Estimate>], of: impl Fn(&Estimate) -> f64) -> Vec<Option<f64>> {
    let known = estimates.iter().map(|estimate| estimate.as_ref().map(&of));
    known.collect()
}
