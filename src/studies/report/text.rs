//! Views: how results are shown on the terminal and on the page. A view of a table names its
//! columns and holds no numbers.

use crate::study::Remark;
use carat_core::figure::board::Board;
use carat_core::sheet::{Columns, Head, Sheet};
use serde::{Deserialize, Serialize};

/// A part of a view; an empty line follows each part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum View {
    /// Lines of text, wrapped where they are shown.
    Text(String),
    /// The summary of the report, and lines that follow it.
    Summary(Vec<String>),
    Remark(Remark),
    /// Preformatted lines.
    Story(String),
    /// A position as a picture, with a heading, the position in words and what is said of it;
    /// where pictures are not shown, all of it as preformatted lines.
    Example {
        heading: String,
        standing: String,
        words: String,
        board: Board,
        story: String,
    },
    Print(Print),
}

/// A table in words, its rows as wide as its header; the header may be empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Which columns are right-aligned.
    pub right: Vec<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Print {
    pub of: String,
    /// The names of its columns, and their headings.
    pub columns: Vec<(String, String)>,
    /// The indices of its rows in order; all rows if `None`.
    pub rows: Option<Vec<usize>>,
}

impl Cells {
    pub fn new(header: &[impl ToString], rows: Vec<Vec<String>>) -> Cells {
        Cells {
            header: header.iter().map(|head| head.to_string()).collect(),
            rows,
            right: Vec::new(),
        }
    }

    /// Right-aligns the columns from this one on.
    pub fn right_from(mut self, first: usize) -> Cells {
        self.right = (0..self.width()).map(|column| column >= first).collect();
        self
    }

    pub fn width(&self) -> usize {
        self.rows.first().map_or(self.header.len(), Vec::len)
    }

    pub fn is_right(&self, column: usize) -> bool {
        self.right.get(column) == Some(&true)
    }

    pub fn first_columns(&self, columns: usize) -> Cells {
        let mut first = self.clone();
        first.header.truncate(columns);
        first.rows.iter_mut().for_each(|row| row.truncate(columns));
        first
    }
}

impl View {
    pub fn text(text: impl Into<String>) -> View {
        View::Text(text.into())
    }

    /// Its words, unless it is a table; `summary` is that of the report.
    pub fn words(&self, summary: &str) -> String {
        match self {
            View::Text(text) | View::Story(text) => text.clone(),
            View::Example { story, .. } => story.clone(),
            View::Summary(more) => [&[summary.to_string()], more.as_slice()]
                .concat()
                .join("\n"),
            View::Remark(remark) => remark.to_string(),
            View::Print(_) => String::new(),
        }
    }

    /// All rows of a table.
    pub fn print<T: Columns>(heads: impl IntoIterator<Item = Head<T>>) -> View {
        View::Print(Print::of(heads, None))
    }

    /// These rows of a table; no view without rows.
    pub fn print_rows<T: Columns>(
        heads: impl IntoIterator<Item = Head<T>>,
        rows: Vec<usize>,
    ) -> Option<View> {
        (!rows.is_empty()).then(|| View::Print(Print::of(heads, Some(rows))))
    }
}

impl Print {
    fn of<T: Columns>(heads: impl IntoIterator<Item = Head<T>>, rows: Option<Vec<usize>>) -> Print {
        let columns = heads.into_iter().map(|head| (head.column, head.heading));
        Print {
            of: T::NAME.to_string(),
            columns: columns.collect(),
            rows,
        }
    }

    /// The view with the values of its table, without columns that this study lacks.
    pub fn cells(&self, sheets: &[Sheet]) -> Cells {
        let Some(sheet) = sheets.iter().find(|sheet| sheet.name == self.of) else {
            return Cells::default();
        };
        let mut cells = Cells::default();
        let mut columns = Vec::new();
        for (name, head) in &self.columns {
            if let Some(column) = sheet.column(name) {
                cells.header.push(head.clone());
                cells.right.push(column.is_numeric());
                columns.push(column);
            }
        }
        if cells.header.iter().all(String::is_empty) {
            cells.header.clear();
        }
        let all = || (0..sheet.height()).collect();
        for row in self.rows.clone().unwrap_or_else(all) {
            let row = columns.iter().map(|column| column.shown(row));
            cells.rows.push(row.collect());
        }
        cells
    }
}
