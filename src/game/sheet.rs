//! Tables that only one game has.

/// A table that only this game has: plain columns of equal length.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Its name, that of the file without ending.
    pub name: &'static str,
    /// Its columns, by name.
    pub columns: Vec<(String, SheetColumn)>,
}

/// The values of a sheet's column.
#[derive(Debug, Clone, PartialEq)]
pub enum SheetColumn {
    /// Whole numbers.
    Whole(Vec<u64>),
    /// Numbers.
    Number(Vec<f64>),
    /// Words.
    Text(Vec<String>),
}

impl Sheet {
    /// A sheet without columns.
    pub fn new(name: &'static str) -> Sheet {
        let columns = Vec::new();
        Sheet { name, columns }
    }

    /// Adds a column of whole numbers.
    pub fn whole(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = u64>) {
        let values = SheetColumn::Whole(values.into_iter().collect());
        self.columns.push((name.into(), values));
    }

    /// Adds a column of numbers.
    pub fn number(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) {
        let values = SheetColumn::Number(values.into_iter().collect());
        self.columns.push((name.into(), values));
    }

    /// Adds a column of words.
    pub fn text(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = String>) {
        let values = SheetColumn::Text(values.into_iter().collect());
        self.columns.push((name.into(), values));
    }
}
