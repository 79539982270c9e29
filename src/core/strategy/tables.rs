//! The tables of a bot's file.
//!
//! ```toml
//! [tables.nerve]
//! axes = [[1, 2, 3, 4]]
//! values = [30, 20, 14, "calm", 5]
//! ```
//!
//! A value is a number, or the name of a parameter. In a small table every number is itself a
//! parameter, named by its place: `nerve.1` is 30, and in a table of two axes `nerve.1.2` is the
//! second value of the first list. Large tables may be packed, one byte per cell:
//! `values = { packed = "…", scale = [0, 1] }`, or `zlib = "…"` for compressed bytes.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::file::{Key, NO_NAME, check_keys, number, table_of, wrong_type};
use crate::formula::{
    AXES_MAX, CELLS_MAX, EDGES_MAX, FUNCTIONS, Fault, Table, Vocabulary, is_name,
};

pub(super) const TABLES_MAX: usize = 256;

#[derive(Default)]
pub(super) struct Tables<'i> {
    /// In the order of the file.
    pub tables: Vec<Table>,
    pub keys: Vec<Key<'i>>,
    /// The parameters in small tables; they follow those of the file.
    pub params: Vec<(String, f32)>,
}

/// Reads the tables of a file that has these parameters.
pub(super) fn read<'i>(
    document: &DeTable<'i>,
    params: &[(Key<'i>, f32)],
    vocabulary: &Vocabulary,
) -> Result<Tables<'i>, Fault> {
    let mut read = Tables::default();
    let Some(value) = document.get("tables") else {
        return Ok(read);
    };
    for (key, value) in table_of("tables", value)? {
        let name = key.get_ref();
        let is_param = params.iter().any(|(param, _)| param.get_ref() == name);
        let taken = unfit(name, vocabulary).or(is_param.then_some("the name of a parameter"));
        if let Some(label) = taken {
            let message = format!("`{name}` cannot name a table");
            return Err(Fault::new(key.span(), message, label));
        }
        if read.tables.len() == TABLES_MAX {
            let message = format!("more than {TABLES_MAX} tables");
            return Err(Fault::new(key.span(), message, "one too many"));
        }
        let table = TableReader { name, params }.table(key, value, &mut read.params)?;
        read.tables.push(table);
        read.keys.push(key.clone());
    }
    Ok(read)
}

/// Why a table cannot have this name in any bot, if so.
pub(super) fn unfit(name: &str, vocabulary: &Vocabulary) -> Option<&'static str> {
    if vocabulary.find(name).is_some() {
        Some("the name of a feature")
    } else if FUNCTIONS.contains(&name) {
        Some("the name of a function")
    } else {
        (!is_name(name)).then_some(NO_NAME)
    }
}

pub(super) struct TableReader<'a, 'i> {
    pub name: &'a str,
    pub params: &'a [(Key<'i>, f32)],
}

impl TableReader<'_, '_> {
    fn table(
        &self,
        key: &Key,
        value: &Spanned<DeValue>,
        named: &mut Vec<(String, f32)>,
    ) -> Result<Table, Fault> {
        let fields = table_of(self.name, value)?;
        check_keys(fields, &["axes", "values"], "a table")?;
        let field = |field: &str| {
            fields.get(field).ok_or_else(|| {
                let message = format!("`{field}` of table `{}` is missing", self.name);
                let help = "a table has `axes = [[1, 2]]` and `values = [30, 20, 10]`".to_owned();
                Fault::new(key.span(), message, "in this table").with_help(help)
            })
        };
        let axes_value = field("axes")?;
        let axes = self.axes(axes_value)?;
        let sizes: Vec<usize> = axes.iter().map(|edges| edges.len() + 1).collect();
        let cells = sizes.iter().try_fold(1, |cells: usize, size| {
            cells.checked_mul(*size).filter(|cells| *cells <= CELLS_MAX)
        });
        if cells.is_none() {
            let what = format!("at most {CELLS_MAX} cells");
            let fault = self.fault(axes_value.span(), what, "too many edges");
            return Err(fault.with_help("remove edges".to_owned()));
        }
        let cells = self.cells(field("values")?, &sizes, named)?;
        let name = self.name.to_owned();
        Ok(Table { name, axes, cells })
    }

    pub fn fault(&self, span: Range<usize>, what: String, label: impl Into<String>) -> Fault {
        Fault::new(span, format!("table `{}`: {what}", self.name), label)
    }

    fn axes(&self, value: &Spanned<DeValue>) -> Result<Vec<Vec<f32>>, Fault> {
        let help = "write `axes = [[1, 2, 4]]` for one axis with 3 edges";
        let axes = list_of(value, help)?;
        if !(1..=AXES_MAX).contains(&axes.len()) {
            let what = format!("1 to {AXES_MAX} axes are possible");
            let fault = self.fault(value.span(), what, format!("{} given", axes.len()));
            return Err(fault.with_help(help.to_owned()));
        }
        let mut read = Vec::new();
        for axis in axes.iter() {
            let edges = list_of(axis, help)?;
            if !(1..=EDGES_MAX).contains(&edges.len()) {
                let what = format!("an axis has 1 to {EDGES_MAX} edges");
                return Err(self.fault(axis.span(), what, format!("{} given", edges.len())));
            }
            let mut numbers: Vec<f32> = Vec::new();
            for edge in edges.iter() {
                let number = number(edge, "an edge")?;
                if let Some(before) = numbers.last().filter(|before| **before >= number) {
                    let label = format!("must be above {before}, the edge before it");
                    return Err(self.fault(edge.span(), "edges must rise".to_owned(), label));
                }
                numbers.push(number);
            }
            read.push(numbers);
        }
        Ok(read)
    }
}

/// The list in `value`, which belongs to axes.
fn list_of<'a, 'i>(value: &'a Spanned<DeValue<'i>>, help: &str) -> Result<&'a DeArray<'i>, Fault> {
    let fault = || wrong_type(value, "`axes`", "a list of lists of numbers");
    let list = value.get_ref().as_array();
    list.ok_or_else(|| fault().with_help(help.to_owned()))
}
