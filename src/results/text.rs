//! What is said of a result in words and small tables; how wide and in which font is for others.

use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// A piece of what is said; pieces are set apart by an empty line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// Lines of text, each as long as it wants to be.
    Text(String),
    /// Lines that stay as they are.
    Story(String),
    Table {
        /// The heads of its columns; none where the rows speak for themselves.
        header: Vec<String>,
        /// Its rows, as wide as the header.
        rows: Vec<Vec<String>>,
    },
}

/// An estimate as people read it, if there is one.
pub fn known(estimate: Option<Estimate>) -> String {
    estimate.map_or("–".to_string(), |estimate| estimate.to_string())
}

/// What a side changes, in words.
pub fn changed(changes: &[String]) -> String {
    match changes {
        [] => "unchanged".to_string(),
        changes => changes.join(", "),
    }
}

impl Block {
    pub fn text(text: impl Into<String>) -> Block {
        Block::Text(text.into())
    }

    /// What is said between the headline and the first table, but for what leads to that.
    pub fn first_words(blocks: &[Block]) -> String {
        let words = blocks.iter().skip(1).map_while(|block| match block {
            Block::Text(text) if !text.ends_with(':') => Some(text.replace('\n', " ")),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    pub fn table(header: &[&str], rows: Vec<Vec<String>>) -> Block {
        Block::Table {
            header: header.iter().map(|head| head.to_string()).collect(),
            rows,
        }
    }

    /// Whether a column of a table holds numbers, which are set to the right.
    pub fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
        let numeric =
            |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "-–−+".contains(c));
        !rows.is_empty() && rows.iter().all(|row| numeric(&row[column]))
    }
}
