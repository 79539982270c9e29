//! All tables of a study as a workbook for spreadsheets.

use super::encode::EncodeError;
use carat_core::sheet::Sheet;
use carat_studies::report::records;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Note, Workbook, XlsxError};
use serde_json::Value;

pub const WORKBOOK: &str = "tables.xlsx";

/// Most characters of a cell of a workbook.
const CELL_MAX: usize = 32_767;
/// Most letters in the name of a sheet of a workbook.
const NAME_MAX: usize = 31;

/// A workbook with a sheet for each table; a note on each heading has the meaning of its column.
pub fn workbook(sheets: &[Sheet]) -> Result<Vec<u8>, EncodeError> {
    let mut book = Workbook::new();
    let written = fill(&mut book, sheets).and_then(|()| book.save_to_buffer());
    written.map_err(|source| EncodeError::of(WORKBOOK, source))
}

fn fill(book: &mut Workbook, sheets: &[Sheet]) -> Result<(), XlsxError> {
    // The date is the same in every run, as are all bytes.
    let date = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let properties = DocProperties::new().set_creation_datetime(&date);
    book.set_properties(&properties.set_author("carat"));
    for sheet in sheets {
        let page = book.add_worksheet();
        page.set_name(String::from_iter(sheet.name.chars().take(NAME_MAX)))?;
        page.set_default_note_author("carat");
        page.set_freeze_panes(1, 0)?;
        let records = records(sheet);
        for (at, column) in (0..).zip(&sheet.written().columns) {
            let note = Note::new(&column.meaning).add_author_prefix(false);
            page.write_string(0, at, &column.name)?;
            page.insert_note(0, at, &note)?;
            for (below, record) in (1..).zip(&records) {
                match &record[&column.name] {
                    Value::Bool(truth) => _ = page.write_boolean(below, at, *truth)?,
                    Value::String(text) => {
                        let text = String::from_iter(text.chars().take(CELL_MAX));
                        page.write_string(below, at, text)?;
                    }
                    number => {
                        if let Some(number) = number.as_f64() {
                            page.write_number(below, at, number)?;
                        }
                    }
                }
            }
        }
        page.autofit();
    }
    Ok(())
}
