//! A table as CSV with a header line.

use carat_core::sheet::{Sheet, Values};

/// The lines of a table; a cell without a value is empty. A text that a spreadsheet would run as a
/// formula has a `'` before it.
pub fn csv(sheet: &Sheet) -> String {
    let sheet = sheet.written();
    let header = sheet.columns.iter().map(|column| quote(&column.name));
    let mut text = Vec::from_iter(header).join(",") + "\n";
    for row in 0..sheet.height() {
        let cells = sheet.columns.iter().map(|column| cell(&column.values, row));
        text += &Vec::from_iter(cells).join(",");
        text += "\n";
    }
    text
}

fn cell(values: &Values, row: usize) -> String {
    let cell = match values {
        Values::Whole(values) => values[row].map(|value| value.to_string()),
        Values::Number(values) => values[row].map(format_number),
        Values::Text(values) => values[row]
            .as_deref()
            .map(|text| quote(&guard_formula(text))),
        Values::Truth(values) => values[row].map(|value| value.to_string()),
        // Tables of files have no such values.
        Values::Estimates(_) => None,
    };
    cell.unwrap_or_default()
}

/// All digits of a number, as JSON has them.
fn format_number(value: f64) -> String {
    match serde_json::Number::from_f64(value) {
        Some(number) => number.to_string(),
        None => value.to_string(),
    }
}

/// A text in quotes where it needs them, which an empty one does: without, it would be no value.
fn quote(text: &str) -> String {
    if text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_string()
}

/// A text with a `'` before it where a spreadsheet would run it as a formula: it begins with `=`,
/// `+`, `-`, `@`, a tab or a carriage return, and is no number.
fn guard_formula(text: &str) -> String {
    let runs = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if runs {
        format!("'{text}")
    } else {
        text.to_string()
    }
}
