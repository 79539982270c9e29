//! Tables as files: CSV, JSON, and Parquet by way of Polars.

use carat_core::sheet::{Sheet, Values};
use carat_studies::report::{csv, records};
use carat_studies::study::Study;
use polars_core::prelude::*;
use polars_io::parquet::write::{KeyValueMetadata, ParquetWriter};
use polars_io::prelude::{CsvReadOptions, ParquetReader, SerReader};
use polars_parquet::write::schema_to_metadata_key;
use serde_json::Value;
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;

/// The values of a row by their columns.
pub type Row = indexmap::IndexMap<String, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV with a header line.
    Csv,
    Parquet,
    /// A JSON list of records, one per line.
    Json,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];

    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::Json => "json",
        }
    }
}

/// What Polars writes to: one type for all files, since each takes a copy of its Parquet writer.
pub type AnyFile<'a> = Box<dyn Write + Send + 'a>;

#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}: {source}")]
pub struct EncodeError {
    name: String,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl EncodeError {
    pub fn of(name: &str, source: impl std::error::Error + Send + Sync + 'static) -> EncodeError {
        let (name, source) = (name.to_string(), Box::new(source));
        EncodeError { name, source }
    }
}

/// A writer whose file describes texts as plain strings, which old readers have too, in place of
/// string views; carat's version stands beside, and the study with its seed.
pub fn parquet_writer<'a>(
    file: AnyFile<'a>,
    schema: &Schema,
    study: Option<&Study>,
) -> ParquetWriter<AnyFile<'a>> {
    let mut schema = schema.to_arrow(CompatLevel::oldest());
    for field in schema.iter_values_mut() {
        if field.dtype == ArrowDataType::LargeUtf8 {
            field.dtype = ArrowDataType::Utf8;
        }
    }
    let plain = schema_to_metadata_key(&schema);
    let version = ("carat".to_string(), env!("CARGO_PKG_VERSION").to_string());
    let mut metadata = vec![(plain.key, plain.value.unwrap_or_default()), version];
    if let Some(study) = study {
        metadata.push(("seed".to_string(), study.run.seed.to_string()));
        let study = serde_json::to_string(study).unwrap_or_default();
        metadata.push(("study".to_string(), study));
    }
    let metadata = KeyValueMetadata::from_static(metadata);
    ParquetWriter::new(file).with_key_value_metadata(Some(metadata))
}

/// The file of a sheet; a Parquet file names its study, if it is given.
pub fn encode(
    sheet: &Sheet,
    format: Format,
    study: Option<&Study>,
) -> Result<Vec<u8>, EncodeError> {
    if format == Format::Json {
        let lines: Vec<String> = records(sheet).iter().map(Value::to_string).collect();
        return Ok(format!("[\n{}\n]\n", lines.join(",\n")).into_bytes());
    }
    if format == Format::Csv {
        return Ok(csv(sheet).into_bytes());
    }
    let mut bytes = Vec::new();
    let file: AnyFile = Box::new(&mut bytes);
    let written = frame(sheet).and_then(|mut frame| {
        let writer = parquet_writer(file, frame.schema(), study);
        writer.finish(&mut frame)
    });
    written.map_err(|source| EncodeError::of(&sheet.name, source))?;
    Ok(bytes)
}

fn frame(sheet: &Sheet) -> PolarsResult<DataFrame> {
    let sheet = sheet.written();
    let columns = sheet.columns.iter().map(|column| {
        let name = PlSmallStr::from_str(&column.name);
        match &column.values {
            Values::Whole(values) if values.iter().max() > Some(&Some(i64::MAX as u64)) => {
                Column::new(name, values)
            }
            // Signed, so that differences of columns may be negative.
            Values::Whole(values) => {
                let signed = |value: &u64| i64::try_from(*value).unwrap_or(i64::MAX);
                let values = values.iter().map(|value| value.as_ref().map(signed));
                Column::new(name, Vec::from_iter(values))
            }
            Values::Number(values) => Column::new(name, values),
            Values::Text(values) => Column::new(name, values),
            Values::Truth(values) => Column::new(name, values),
            // Sheets of files have no such values.
            Values::Estimates(_) => Column::new_empty(name, &DataType::Float64),
        }
    });
    DataFrame::new_infer_height(columns.collect())
}

/// The rows of a file in CSV or Parquet, with their known values as words.
pub fn read_rows(path: &Path) -> PolarsResult<Vec<Row>> {
    if path.extension().is_some_and(|ending| ending == "csv") {
        return read_csv(std::fs::read(path)?);
    }
    rows_of(&ParquetReader::new(File::open(path)?).finish()?)
}

/// The rows of a table in CSV.
pub fn read_csv(text: Vec<u8>) -> PolarsResult<Vec<Row>> {
    let all_text = CsvReadOptions::default().with_infer_schema_length(Some(0));
    let reader = all_text.into_reader_with_file_handle(Cursor::new(text));
    rows_of(&reader.finish()?)
}

fn rows_of(frame: &DataFrame) -> PolarsResult<Vec<Row>> {
    let mut rows = vec![Row::new(); frame.height()];
    for column in frame.columns() {
        let words = column.cast(&DataType::String)?;
        for (row, word) in rows.iter_mut().zip(words.str()?.iter()) {
            row.extend(word.map(|word| (column.name().to_string(), word.to_string())));
        }
    }
    Ok(rows)
}

#[cfg(test)]
#[path = "../../tests/unit/carat/files/encode.rs"]
mod tests;
