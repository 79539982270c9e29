//! Writing to the terminal: text, small tables, and notes beside the progress bar.

use super::error::CliError;
use crate::results::Block;
use comfy_table::{CellAlignment, Table};
use std::borrow::Cow;
use std::io::Write;

/// Prints to standard output; a closed pipe is an error, not a panic.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(visible(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a line to standard error, where it stands beside the progress bar and not in a pipe.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}

/// The text with all that would control a terminal written out, such as `\u{1b}`: titles, names and
/// faulty files may hold it. Lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let controls = |c: char| match c {
        '\n' | '\t' => false,
        // What turns the direction of writing around.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    if !text.contains(controls) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // The end of a line as some editors write it.
            '\r' if characters.peek() == Some(&'\n') => shown.push('\r'),
            c if controls(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// What is said of a result, with an empty line after each piece.
pub fn blocks(blocks: &[Block]) -> String {
    let shown = blocks.iter().map(|block| match block {
        Block::Text(text) => format!("{text}\n\n"),
        Block::Table { header, rows } => format!("{}\n\n", table(header, rows.clone())),
    });
    shown.collect()
}

/// A table without frame: the first columns of text to the left, numbers to the right.
pub fn table(header: &[impl AsRef<str>], rows: Vec<Vec<String>>) -> String {
    let numeric =
        |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '–');
    let right: Vec<bool> = (0..header.len())
        .map(|column| !rows.is_empty() && rows.iter().all(|row| numeric(&row[column])))
        .collect();
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header.iter().map(AsRef::as_ref));
    table.add_rows(rows);
    for (column, right) in table.column_iter_mut().zip(right) {
        column.set_padding((1, 1));
        if right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(visible("plain é\n\ttext"), "plain é\n\ttext");
        assert_eq!(visible("a\r\nb\rc"), "a\r\nb\\rc");
        let shown = visible("\u{1b}[31m\u{9b}\u{7}\u{202e}");
        assert_eq!(shown, "\\u{1b}[31m\\u{9b}\\u{7}\\u{202e}");
    }
}
