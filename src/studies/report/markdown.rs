//! What a study prints, as Markdown for forums.

use super::contents::Contents;
use super::text::{Cells, View};

pub const MARKDOWN: &str = "tables.md";

/// What a study prints, as Markdown. The columns of tables are aligned, so that they can be read in
/// a block of code, too.
pub fn markdown(of: &Contents) -> String {
    let mut text = String::new();
    for view in &of.views {
        text += &match view {
            View::Story(story) | View::Example { story, .. } => {
                format!("```\n{}\n```", story.replace("```", "'''"))
            }
            View::Print(print) => markdown_table(&print.cells(&of.sheets)),
            lines => escape(&lines.words(&of.summary)).replace('\n', "  \n"),
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
