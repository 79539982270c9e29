//! Sheets as files: CSV or Parquet, by way of Polars.

use crate::sheet::{Sheet, Values};
use polars::prelude::*;

/// File formats of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text with a header line.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

/// A sheet that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}: {source}")]
pub struct EncodeError {
    name: &'static str,
    source: PolarsError,
}

/// The bytes of a sheet.
///
/// # Errors
///
/// [`EncodeError`] when Polars refuses it.
pub fn encode(sheet: &Sheet, format: Format) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    let written = frame(sheet).and_then(|mut frame| match format {
        Format::Csv => CsvWriter::new(&mut bytes).finish(&mut frame),
        Format::Parquet => ParquetWriter::new(&mut bytes)
            .finish(&mut frame)
            .map(|_| ()),
    });
    let name = sheet.name;
    written
        .map(|()| bytes)
        .map_err(|source| EncodeError { name, source })
}

fn frame(sheet: &Sheet) -> PolarsResult<DataFrame> {
    let columns = sheet.columns.iter().map(|column| {
        let name = PlSmallStr::from_str(&column.name);
        match &column.values {
            Values::Whole(values) => Column::new(name, values),
            Values::Number(values) => Column::new(name, values),
            Values::Text(values) => Column::new(name, values),
            Values::Truth(values) => Column::new(name, values),
        }
    });
    DataFrame::new_infer_height(columns.collect())
}
