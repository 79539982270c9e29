//! All tables of a study in one file: a workbook for spreadsheets, and Markdown for forums.

use super::encode::{EncodeError, records};
use super::text::{Cells, View};
use carat_core::sheet::Sheet;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Note, Workbook, XlsxError};
use serde_json::Value;

pub const WORKBOOK: &str = "tables.xlsx";
pub const MARKDOWN: &str = "tables.md";

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

/// What a study prints, as Markdown. The columns of tables are aligned, so that they can be read in
/// a block of code, too.
pub fn markdown(views: &[View], sheets: &[Sheet]) -> String {
    let mut text = String::new();
    for view in views {
        text += &match view {
            View::Text(lines) => escape(lines).replace('\n', "  \n"),
            View::Story(story) => format!("```\n{}\n```", story.replace("```", "'''")),
            View::Print(print) => markdown_table(&print.cells(sheets)),
        };
        text += "\n\n";
    }
    text.trim_end().to_string() + "\n"
}

fn markdown_table(cells: &Cells) -> String {
    let mut header = cells.header.clone();
    header.resize(cells.width(), String::new());
    let rows = std::iter::once(&header).chain(&cells.rows);
    let rows =
        rows.map(|row| Vec::from_iter(row.iter().map(|cell| escape(cell).replace('\n', " "))));
    let mut rows: Vec<Vec<String>> = rows.collect();
    let mut rule = Vec::new();
    for column in 0..cells.width() {
        let lengths = rows.iter().map(|row| row[column].chars().count());
        let width = lengths.max().unwrap_or(0).max(3);
        let is_right = cells.is_right(column);
        rule.push("-".repeat(width - 1) + if is_right { ":" } else { "-" });
        for row in &mut rows {
            row[column] = if is_right {
                format!("{:>width$}", row[column])
            } else {
                format!("{:<width$}", row[column])
            };
        }
    }
    rows.insert(1, rule);
    let lines = rows.iter().map(|row| format!("| {} |", row.join(" | ")));
    lines.collect::<Vec<_>>().join("\n")
}

/// A text with a `\` before the characters that Markdown would read.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if r"\|*<[`~".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
