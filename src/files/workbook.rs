//! What a study prints, and all its tables, as a workbook for spreadsheets.

use super::encode::EncodeError;
use carat_core::sheet::{Column, Values};
use carat_core::statistics::Unit;
use carat_studies::report::{Report, View, records};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Note, Workbook, Worksheet, XlsxError};
use serde_json::Value;

pub const WORKBOOK: &str = "tables.xlsx";

/// Most characters of a cell of a workbook.
const CELL_MAX: usize = 32_767;
/// Most letters in the name of a sheet of a workbook.
const NAME_MAX: usize = 31;

/// The name of the first sheet, with what is printed.
const PRINTED: &str = "report";

/// A workbook: first what is printed, then a sheet for each table. A note on each heading has the
/// meaning of its column. Numbers keep all digits, and are shown as in print.
pub fn workbook(report: &Report) -> Result<Vec<u8>, EncodeError> {
    let mut book = Workbook::new();
    let written = fill(&mut book, report).and_then(|()| book.save_to_buffer());
    written.map_err(|source| EncodeError::of(WORKBOOK, source))
}

fn fill(book: &mut Workbook, report: &Report) -> Result<(), XlsxError> {
    // The date is the same in every run, as are all bytes.
    let date = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let properties = DocProperties::new().set_creation_datetime(&date);
    book.set_properties(&properties.set_author("carat"));
    fill_printed(book.add_worksheet(), report)?;
    let formats = Formats {
        whole: Format::new().set_num_format("#,##0"),
        amount: Format::new().set_num_format("0.00"),
        share: Format::new().set_num_format("0.0 %"),
        points: Format::new().set_num_format("0.00 %"),
    };
    for sheet in report.tables() {
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
                    Value::String(text) => _ = page.write_string(below, at, cut(text))?,
                    number => {
                        if let Some(number) = number.as_f64() {
                            let format = formats.of(column, below as usize - 1);
                            page.write_number_with_format(below, at, number, format)?;
                        }
                    }
                }
            }
        }
        page.autofit();
    }
    Ok(())
}

/// How numbers of each unit are shown.
struct Formats {
    whole: Format,
    amount: Format,
    share: Format,
    points: Format,
}

impl Formats {
    fn of(&self, column: &Column, row: usize) -> &Format {
        match (&column.values, column.unit(row)) {
            (Values::Whole(_), _) => &self.whole,
            (_, Some(Unit::Share)) => &self.share,
            (_, Some(Unit::Points)) => &self.points,
            _ => &self.amount,
        }
    }
}

/// The views of a report, one below the other.
fn fill_printed(page: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    page.set_name(PRINTED)?;
    let bold = Format::new().set_bold();
    let mut row = 0;
    for view in &report.views {
        if let View::Print(print) = view {
            let cells = print.cells(&report.sheets);
            for (at, head) in (0..).zip(&cells.header) {
                page.write_string_with_format(row, at, head, &bold)?;
            }
            row += u32::from(!cells.header.is_empty());
            for line in &cells.rows {
                for (at, cell) in (0..).zip(line) {
                    page.write_string(row, at, cut(cell))?;
                }
                row += 1;
            }
        }
        for line in view.words(&report.summary).lines() {
            page.write_string(row, 0, cut(line))?;
            row += 1;
        }
        row += 1;
    }
    Ok(())
}

fn cut(text: &str) -> String {
    text.chars().take(CELL_MAX).collect()
}
