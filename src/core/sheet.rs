//! Sheets: the tables of results, as plain columns.
//!
//! A table is declared once, with [`columns!`](crate::columns): the name, the meaning and the type
//! of each column, and how its value follows from a row. Views name columns by these declarations,
//! and `carat show columns` lists them. Words come last: a row holds data, and nothing reads a
//! sheet back. Nothing here knows a file, a format or a game.

pub use crate::columns;
use crate::numbers;
use crate::statistics::{Estimate, Unit};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// The names of the columns of seats and bots, beside which labels stand.
pub const SEAT: &str = "seat";
pub const BOT: &str = "bot";

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
    /// Whether it is declared for several columns, with what differs in their names in capitals.
    #[serde(skip)]
    pub is_family: bool,
    pub values: Values,
}

/// The values of a column; `None` where a value is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Values {
    Whole(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Truth(Vec<Option<bool>>),
    /// Four columns in files: the values, their standard errors, and the ends of their intervals.
    Estimates(Vec<Option<Estimate>>),
}

impl Values {
    /// Values as people write them: numbers where all are.
    pub fn written(words: Vec<Option<String>>) -> Values {
        let whole = Values::Whole(Vec::new()).read(&words);
        let numbers = whole.or_else(|| Values::Number(Vec::new()).read(&words));
        numbers.unwrap_or(Values::Text(words))
    }

    /// Words as values of this type; `None` if one of them is none.
    pub fn read(&self, words: &[Option<String>]) -> Option<Values> {
        fn all<T: std::str::FromStr>(words: &[Option<String>]) -> Option<Vec<Option<T>>> {
            let read = |word: &Option<String>| word.as_ref().map(|word| word.parse());
            words
                .iter()
                .map(|word| read(word).transpose().ok())
                .collect()
        }
        Some(match self {
            Values::Whole(_) => Values::Whole(all(words)?),
            Values::Number(_) | Values::Estimates(_) => Values::Number(all(words)?),
            Values::Text(_) => Values::Text(words.to_vec()),
            Values::Truth(_) => Values::Truth(all(words)?),
        })
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
}

impl Column {
    /// A column without a name.
    pub const fn of(values: Values) -> Column {
        Column::none(values, false)
    }

    pub const fn none(values: Values, is_label: bool) -> Column {
        Column {
            name: String::new(),
            meaning: String::new(),
            units: Vec::new(),
            is_label,
            is_family: false,
            values,
        }
    }

    pub fn new(name: impl Into<String>, meaning: impl Into<String>, values: Values) -> Column {
        Column {
            name: name.into(),
            meaning: meaning.into(),
            ..Column::of(values)
        }
    }

    pub fn with_units(mut self, units: Vec<Unit>) -> Column {
        self.units = units;
        self
    }

    pub const fn of_family(mut self, is_family: bool) -> Column {
        self.is_family = is_family;
        self
    }

    /// Leaves it out of files.
    pub fn only_shown(mut self) -> Column {
        self.is_label = true;
        self
    }

    /// Whether its values are right-aligned.
    pub fn is_numeric(&self) -> bool {
        !self.units.is_empty() || !matches!(self.values, Values::Text(_) | Values::Truth(_))
    }

    /// The unit of a value, if it has one.
    pub fn unit(&self, row: usize) -> Option<&Unit> {
        self.units.get(row).or(self.units.first())
    }

    /// A value as text, by its unit.
    pub fn shown(&self, row: usize) -> String {
        let shown = match &self.values {
            Values::Whole(values) => values[row].map(numbers::count),
            Values::Number(values) => {
                let unit = self.unit(row);
                values[row].map(|value| format_measure(value, unit))
            }
            Values::Text(values) => return values[row].clone().unwrap_or_default(),
            Values::Truth(values) => values[row].map(|is| if is { "yes" } else { "" }.to_string()),
            Values::Estimates(values) => values[row].map(|estimate| estimate.to_string()),
        };
        shown.unwrap_or_else(|| "–".to_string())
    }

    /// Its columns in files.
    fn written(&self) -> Vec<Column> {
        let known = match &self.values {
            _ if self.is_label => return Vec::new(),
            Values::Estimates(known) => known,
            _ => return vec![self.clone()],
        };
        let name = &self.name;
        let units = known.iter();
        let units = units.map(|known| known.map_or(Unit::Amount, |of| of.unit));
        let units = Vec::from_iter(units);
        let part = |ending: &str, meaning: String, of: fn(&Estimate) -> f64| {
            let values = known.iter().map(|known| known.as_ref().map(of));
            let finite = values.map(|value| value.filter(|value| value.is_finite()));
            let values = Values::Number(finite.collect());
            Column::new(format!("{name}{ending}"), meaning, values)
                .of_family(self.is_family)
                .with_units(units.clone())
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
    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
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

/// A number in a unit; plain numbers have none.
pub fn format_measure(value: f64, unit: Option<&Unit>) -> String {
    match unit {
        _ if !value.is_finite() => "–".to_string(),
        Some(Unit::Share) => numbers::percent(value, 1),
        Some(Unit::Points) => format!("{} points", numbers::number(100.0 * value, 2)),
        Some(Unit::Amount) | None => numbers::number(value, 2),
    }
}

/// A table that is declared with [`columns!`](crate::columns).
pub trait Columns: Sized + 'static {
    /// What all rows have in common.
    type Of<'a>;
    type Row<'a>;
    /// The name of the sheet.
    const NAME: &'static str;
    /// The meaning of a row: `one row per seat`.
    const ROWS: &'static str;
    const ALL: &'static [Handle<Self>];

    fn sheet<'a>(of: &Self::Of<'a>, rows: impl IntoIterator<Item = Self::Row<'a>>) -> Sheet {
        let rows = Vec::from_iter(rows);
        sheet_of::<Self>(Self::ALL.iter().flat_map(|column| (column.fill)(of, &rows)))
    }

    /// The sheet without rows, with all columns that files may have; a family is one column.
    fn declared() -> Sheet {
        let in_files = Self::ALL.iter().filter(|column| !column.none.is_label);
        sheet_of::<Self>(in_files.map(|column| Column {
            name: column.name.to_string(),
            meaning: column.meaning.to_string(),
            ..column.none.clone()
        }))
    }
}

fn sheet_of<T: Columns>(columns: impl Iterator<Item = Column>) -> Sheet {
    Sheet {
        name: T::NAME.to_string(),
        rows: T::ROWS.to_string(),
        columns: columns.collect(),
    }
}

/// A column of a declared table.
pub struct Handle<T: Columns> {
    pub name: &'static str,
    pub meaning: &'static str,
    /// The column without values.
    pub none: Column,
    /// The column of these rows: none where the study lacks it, several of a family of columns.
    pub fill: Fill<T>,
}

pub type Fill<T> = for<'a> fn(&<T as Columns>::Of<'a>, &[<T as Columns>::Row<'a>]) -> Vec<Column>;

/// A column of a table in a view, with its heading.
pub struct Head<T> {
    pub column: String,
    pub heading: String,
    table: PhantomData<T>,
}

impl<T: Columns> Head<T> {
    pub fn shown(self) -> Head<T> {
        self
    }
}

impl<T: Columns> Handle<T> {
    /// The column with its name as heading.
    pub fn shown(self) -> Head<T> {
        let name = self.name;
        self.head(name)
    }

    pub fn head(self, heading: impl Into<String>) -> Head<T> {
        let name = self.name;
        self.head_of(name, heading)
    }

    /// A column of a family, by its name.
    pub fn head_of(self, column: impl Into<String>, heading: impl Into<String>) -> Head<T> {
        Head {
            column: column.into(),
            heading: heading.into(),
            table: PhantomData,
        }
    }
}

/// Columns of a declared table with their headings: `heads![Gains: BOT, GAIN "more"]`. A column
/// without one has its name.
#[macro_export]
macro_rules! heads {
    ($Table:ident: $($COLUMN:ident $($heading:expr)?),*) => {
        vec![$($Table::$COLUMN$(.head($heading))?.shown()),*]
    };
}

/// The sheets of these tables without rows.
#[macro_export]
macro_rules! declared {
    ($($Table:path),*) => {
        vec![$(<$Table as $crate::sheet::Columns>::declared()),*]
    };
}

/// Declares a table: `of` is what all rows have in common, and each column a value of `row`.
///
/// A column has a type (`whole`, `number`, `text`, …; `maybe` is a text that may be unknown) and a
/// name with a meaning. Views alone show columns of type `label`, `numeral`, `figure` (a number
/// with its unit) and `figures`. `if` says whether a study has the column; `for` makes a column for
/// each item, with its name and meaning.
#[macro_export]
macro_rules! columns {
    (
        $(#[$about:meta])*
        $vis:vis $Table:ident<$life:lifetime>($of:ident: $Of:ty, $row:ident: $Row:ty)
        $table:literal, $rows:literal;
        $($COLUMN:ident: $kind:ident($name:expr, $meaning:expr)
            $(, if $is:expr)? $(, for $item:pat in $items:expr)? => $value:expr;)*
    ) => {
        $(#[$about])*
        $vis struct $Table;

        impl $crate::sheet::Columns for $Table {
            type Of<$life> = $Of;
            type Row<$life> = $Row;
            const NAME: &'static str = $table;
            const ROWS: &'static str = $rows;
            const ALL: &'static [$crate::sheet::Handle<Self>] = &[$($Table::$COLUMN),*];
        }

        impl $Table {
            $($vis const $COLUMN: $crate::sheet::Handle<$Table> = {
                fn fill<$life>(
                    $of: &<$Table as $crate::sheet::Columns>::Of<$life>,
                    rows: &[<$Table as $crate::sheet::Columns>::Row<$life>],
                ) -> Vec<$crate::sheet::Column> {
                    let _ = $of;
                    $(if !$is { return Vec::new(); })?
                    let rows = rows.iter();
                    $crate::columns!(@each $kind $row rows ($name, $meaning) $value $(, $item in $items)?)
                }
                $crate::sheet::Handle {
                    name: $name,
                    meaning: $meaning,
                    none: $crate::columns!(@none $kind).of_family($crate::columns!(@is_family $($item)?)),
                    fill,
                }
            };)*
        }
    };

    (@each $kind:ident $row:ident $rows:ident ($name:expr, $meaning:expr) $value:expr) => {
        vec![$crate::sheet::Column {
            name: String::from($name),
            meaning: String::from($meaning),
            ..$crate::columns!(@$kind $row $rows $value)
        }]
    };
    (@each $kind:ident $row:ident $rows:ident ($name:expr, $meaning:expr) $value:expr, $item:pat in $items:expr) => {{
        let mut columns = Vec::new();
        for ($item, name, meaning) in $items {
            let rows = $rows.clone();
            let column = $crate::columns!(@$kind $row rows $value);
            columns.push($crate::sheet::Column { name, meaning, ..column });
        }
        columns
    }};

    (@whole $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Whole $rows.map(|$row| Option::<u64>::from($value)))
    };
    // A number from 1 of one from 0.
    (@numbered $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Whole $rows.map(|$row| Some($value as u64 + 1)))
    };
    (@number $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Number $rows.map(|$row| Option::<f64>::from($value).filter(|it| it.is_finite())))
    };
    (@share $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@number $row $rows $value).with_units(vec![$crate::statistics::Unit::Share])
    };
    // A number and its unit, if it has one.
    (@measure $row:ident $rows:ident $value:expr) => {{
        let (numbers, units): (Vec<f64>, Vec<Option<_>>) = $rows.map(|$row| $value).unzip();
        let numbers = numbers.iter();
        let units = units.into_iter().flatten().collect();
        $crate::columns!(@number number numbers *number).with_units(units)
    }};
    (@text $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Text $rows.map(|$row| Some($value.to_string())))
    };
    (@maybe $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Text $rows.map(|$row| Some($value?.to_string())))
    };
    (@label $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@text $row $rows $value).only_shown()
    };
    // A label that is aligned like numbers.
    (@numeral $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@label $row $rows $value).with_units(vec![$crate::statistics::Unit::Amount])
    };
    (@figure $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@measure $row $rows $value).only_shown()
    };
    (@figures $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@estimates $row $rows $value).only_shown()
    };
    // A value as people write it: a column of numbers where all are.
    (@written $row:ident $rows:ident $value:expr) => {
        $crate::sheet::Column::of($crate::sheet::Values::written(
            $rows.map(|$row| Some($value?.to_string())).collect(),
        ))
    };
    (@truth $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Truth $rows.map(|$row| Some($value)))
    };
    (@estimates $row:ident $rows:ident $value:expr) => {
        $crate::columns!(@of Estimates $rows.map(|$row| Option::<$crate::statistics::Estimate>::from($value)))
    };
    (@of $Values:ident $values:expr) => {
        $crate::sheet::Column::of($crate::sheet::Values::$Values($values.collect()))
    };

    (@is_family) => { false };
    (@is_family $item:pat) => { true };

    (@none whole) => { $crate::columns!(@empty Whole, false) };
    (@none numbered) => { $crate::columns!(@empty Whole, false) };
    (@none truth) => { $crate::columns!(@empty Truth, false) };
    (@none estimates) => { $crate::columns!(@empty Estimates, false) };
    (@none text) => { $crate::columns!(@empty Text, false) };
    (@none maybe) => { $crate::columns!(@empty Text, false) };
    (@none written) => { $crate::columns!(@empty Text, false) };
    (@none label) => { $crate::columns!(@empty Text, true) };
    (@none numeral) => { $crate::columns!(@empty Text, true) };
    (@none figure) => { $crate::columns!(@empty Number, true) };
    (@none figures) => { $crate::columns!(@empty Estimates, true) };
    (@none $number:ident) => { $crate::columns!(@empty Number, false) };
    (@empty $Values:ident, $is_label:literal) => {
        $crate::sheet::Column::none($crate::sheet::Values::$Values(Vec::new()), $is_label)
    };
}
