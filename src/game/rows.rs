//! Sheets that are made of rows which are known already: each column says something of a row.

use crate::sheet::Sheet;
use crate::statistics::Estimate;

/// Rows, and the sheet that is made of them.
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
        self.sheet.whole(name, meaning, self.rows.iter().map(of));
    }

    /// Adds a column of numbers.
    pub fn number<T: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        self.sheet.number(name, meaning, self.rows.iter().map(of));
    }

    /// Adds a column of words.
    pub fn text<T: Into<Option<String>>>(
        &mut self,
        name: &str,
        meaning: impl Into<String>,
        of: impl Fn(&R) -> T,
    ) {
        self.sheet.text(name, meaning, self.rows.iter().map(of));
    }

    /// Adds a column of yes and no.
    pub fn truth(&mut self, name: &str, meaning: &str, of: impl Fn(&R) -> bool) {
        self.sheet.truth(name, meaning, self.rows.iter().map(of));
    }

    /// Adds the columns of estimates.
    pub fn estimates<T: Into<Option<Estimate>>>(
        &mut self,
        name: &str,
        meaning: &str,
        of: impl Fn(&R) -> T,
    ) {
        self.estimates_of(name, meaning, &format!("{name}_"), of);
    }

    /// The same, where the names of the further columns begin with `prefix`.
    pub fn estimates_of<T: Into<Option<Estimate>>>(
        &mut self,
        name: &str,
        meaning: &str,
        prefix: &str,
        of: impl Fn(&R) -> T,
    ) {
        let estimates = self.rows.iter().map(|row| of(row).into());
        let estimates: Vec<_> = estimates.collect();
        self.sheet.number(
            name,
            meaning,
            estimates.iter().map(|known| known.map(|e| e.value)),
        );
        self.sheet.errors(prefix, name, &estimates);
    }

    /// The sheet.
    pub fn sheet(self) -> Sheet {
        self.sheet
    }
}
