//! Writing to the terminal: text, small tables, and notes beside the progress bar.

use super::error::{CliError, usage};
use carat_core::format::{self, Format};
use carat_core::game::story::StoryStyle;
use carat_core::library::FILE_MAX;
use carat_studies::report::{Cells, Contents, View};
use carat_studies::study::Remark;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{BufRead, IsTerminal, Read, Write};
use terminal_size::{Height, Width, terminal_size};

/// Prints to standard output; a closed pipe is an error, not a panic.
pub fn print(text: &str) -> Result<(), CliError> {
    print_as_it_is(&visible(text))
}

/// Prints text that may hold colours; other control characters must be [visible] already.
pub fn print_as_it_is(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The next line of standard input; nothing at its end.
pub fn next_line() -> Result<Option<String>, CliError> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(FILE_MAX + 1);
    match input.read_until(b'\n', &mut bytes) {
        Ok(0) => Ok(None),
        Ok(length) if length as u64 > FILE_MAX => {
            let _ = input.into_inner().skip_until(b'\n');
            Err(CliError::LongLine)
        }
        Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_string())),
        Err(source) => usage!("cannot read standard input: {source}"),
    }
}

/// A line of JSON with control characters escaped as `\u202e`, so that the terminal prints it as
/// is.
pub fn json_line(value: &impl Serialize) -> Result<String, CliError> {
    let mut line = String::new();
    for character in serde_json::to_string(value)?.chars() {
        if controls(character) {
            // Control characters occur only in strings, and have four digits.
            line += &format!("\\u{:04x}", u32::from(character))
        } else {
            line.push(character)
        }
    }
    Ok(line + "\n")
}

/// An answer as a line of JSON, with the version of its format (see `carat show json`).
pub fn answer(what: &str, value: impl Serialize) -> Result<String, CliError> {
    json_line(&json!({ format::KEY: Format::NOW, what: value }))
}

/// Prints an answer as a line of JSON (see [`answer`]), or else its text.
pub fn reply(json: bool, what: &str, value: impl Serialize, text: &str) -> Result<(), CliError> {
    if json {
        return print(&answer(what, value)?);
    }
    print(text)
}

/// Prints a line to standard error, above the progress bar.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(&hanging(text)));
}

/// Prints warnings to standard error.
pub fn warn(warnings: impl IntoIterator<Item = impl Display>) {
    for warning in warnings {
        note(&format!("warning: {warning}"));
    }
}

/// Whether a person reads what is printed, and can answer.
pub fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Escapes control characters of titles, names and faulty files, such as `\u{1b}`; keeps line
/// breaks and tabs.
pub fn visible(text: &str) -> Cow<'_, str> {
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

/// Whether a character would control a terminal.
fn controls(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // Characters that change the direction of writing.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// The views of a report, each followed by an empty line; `rest` names the place of columns that do
/// not fit.
pub fn views(report: &Contents, rest: &str) -> String {
    let mut text = String::new();
    for view in &report.views {
        text += &match view {
            // It was a warning before the study.
            View::Remark(Remark::Elsewhere(_)) => continue,
            View::Story(story) | View::Example { story, .. } => hanging(story),
            View::Print(print) => shortened(&print.cells(&report.sheets), rest),
            words => prose(&words.words(&report.summary)),
        };
        text += "\n\n";
    }
    text
}

/// The columns of a table that fit, and the names of the others. A single row that is too wide
/// becomes a list.
fn shortened(cells: &Cells, rest: &str) -> String {
    let width = width();
    let all = cells.width();
    let shown = width.map_or(all, |width| columns_within(cells, width));
    if shown >= all || cells.header.is_empty() {
        return fitted(cells, width);
    }
    let heads = cells.header.iter();
    let names = Vec::from_iter(heads.map(|head| head.replace('\n', " ")));
    if let [row] = cells.rows.as_slice() {
        let lines = names.into_iter().zip(row.iter().cloned());
        let list = lines.map(|(name, value)| vec![name, value]).collect();
        return fitted(&Cells::new(&[] as &[&str], list), width);
    }
    let left_out = format!("\n\n({rest}: {})", names[shown..].join(", "));
    fitted(&cells.first_columns(shown), width) + &wrapped(&left_out, width)
}

/// The width of lines; `None` if the output is a file.
fn width() -> Option<usize> {
    Some(size("COLUMNS", |(width, _)| width.0)?.max(NARROWEST))
}

/// The lines of the screen; `None` if the output is a file.
pub fn height() -> Option<usize> {
    size("LINES", |(_, height)| height.0)
}

/// A side of the terminal, from the variable of this name or the terminal itself.
fn size(variable: &str, side: fn((Width, Height)) -> u16) -> Option<usize> {
    let said = std::env::var(variable).ok();
    let said = said.and_then(|said| said.parse().ok());
    let found = || terminal_size().map(|sides| usize::from(side(sides)));
    said.or_else(|| found().filter(|_| std::io::stdout().is_terminal()))
}

/// Narrower terminals wrap the lines themselves.
const NARROWEST: usize = 40;
/// Widest line of prose: longer lines are hard to read.
const PROSE: usize = 100;
/// The narrowest width of a text column before columns to its right are left out.
const WORDS: usize = 24;
/// The same where all columns then fit.
const NARROW: usize = 11;
/// The padding of a column, in characters.
const PADDING: usize = 2;

/// Lines of text, wrapped to the terminal.
pub fn prose(text: &str) -> String {
    wrapped(text, width())
}

/// What the player at seat `me` (from 1) sees of a game.
pub fn story_style(me: usize) -> StoryStyle {
    StoryStyle {
        plain: !std::io::stdout().is_terminal(),
        ..StoryStyle::for_seat(me - 1)
    }
}

/// Lines with blanks before them, wrapped.
pub fn indented(lines: Vec<String>, blanks: usize) -> String {
    let line = |line: String| hanging(&format!("{:blanks$}{line}\n", ""));
    lines.into_iter().map(line).collect()
}

/// Asks for a number; an empty line means the default.
pub fn asked(question: &str, default: usize) -> Result<usize, CliError> {
    loop {
        print(&prose(&format!("{question} [{default}] ")))?;
        let Some(line) = next_line()? else {
            usage!("no situation on standard input");
        };
        match (line.trim(), line.trim().parse()) {
            ("", _) => return Ok(default),
            (_, Ok(number)) => return Ok(number),
            _ => print("Write a whole number.\n")?,
        }
    }
}

/// Lines that are kept if they fit; the rest of a longer one is indented to its text, or to its
/// second column.
pub fn hanging(text: &str) -> String {
    width().map_or_else(|| text.to_string(), |width| hung(text, width))
}

fn hung(text: &str, width: usize) -> String {
    let hung = |line| match hang(line) {
        indent if indent + WORDS <= width => broken(line, width, indent),
        _ => broken(line, width, 0),
    };
    text.split('\n').map(hung).collect::<Vec<_>>().join("\n")
}

/// The start of a line's second column, or else two characters after its own start.
fn hang(line: &str) -> usize {
    let start = line.len() - line.trim_start_matches(' ').len();
    let Some(gap) = line[start..].find("  ") else {
        return start + 2;
    };
    let (first, rest) = line.split_at(start + gap);
    first.chars().count() + rest.len() - rest.trim_start_matches(' ').len()
}

/// Lines of text, broken between words.
fn wrapped(text: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(PROSE).min(PROSE);
    let lines = text.split('\n').map(|line| broken(line, width, 0));
    lines.collect::<Vec<_>>().join("\n")
}

/// A line wrapped between words, but not within `1.2 ± 0.3 %`; the lines that follow are indented.
fn broken(line: &str, width: usize, indent: usize) -> String {
    let mut shown = String::with_capacity(line.len() + line.len() / 50);
    let mut used = 0;
    let line = line
        .replace(" ± ", "\u{a0}±\u{a0}")
        .replace(" %", "\u{a0}%");
    for (index, word) in line.split(' ').enumerate() {
        let long = word.chars().count();
        if index > 0 && used + 1 + long > width {
            shown.push('\n');
            shown.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        } else if index > 0 {
            shown.push(' ');
            used += 1;
        }
        shown.push_str(word);
        used += long;
    }
    shown.replace('\u{a0}', " ")
}

/// How many columns of a table fit, counted from the left, with narrow text columns.
fn columns_within(cells: &Cells, width: usize) -> usize {
    let mut fitting = 0;
    // Narrower where all columns then fit.
    for words in [WORDS, NARROW] {
        let mut used = 0;
        let fits = |column: &usize| {
            let widest = content_width(cells, *column);
            let is_right = cells.is_right(*column);
            used += PADDING + if is_right { widest } else { widest.min(words) };
            used <= width
        };
        let count = (0..cells.width()).take_while(fits).count();
        if fitting == 0 || count == cells.width() {
            fitting = count;
        }
    }
    fitting.clamp(cells.width().min(2), cells.width())
}

fn content_width(cells: &Cells, column: usize) -> usize {
    let head = cells.header.get(column).into_iter();
    let all = head.chain(cells.rows.iter().map(|row| &row[column]));
    let lines = all.flat_map(|cell| cell.lines());
    lines.map(|line| line.chars().count()).max().unwrap_or(0)
}

/// A table without a frame, wrapped to the terminal.
pub fn table(cells: &Cells) -> String {
    fitted(cells, width())
}

fn fitted(cells: &Cells, width: Option<usize>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let widths = (0..cells.width()).map(|column| content_width(cells, column) + PADDING);
    let needed: usize = widths.sum();
    if let Some(width) = width.filter(|width| *width < needed) {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    }
    if !cells.header.is_empty() {
        table.set_header(&cells.header);
    }
    table.add_rows(&cells.rows);
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((1, 1));
        if cells.is_right(at) {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.trim_fmt()
}

#[cfg(test)]
#[path = "../../tests/unit/carat/cli/terminal.rs"]
mod tests;
