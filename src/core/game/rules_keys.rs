//! The keys of a game's rules files, declared once: what each means, and what it may be.

use std::ops::RangeInclusive;
use toml_edit::{Decor, DocumentMut, Table};

/// Longest line of a comment, in characters.
const WIDTH: usize = 100;

/// A key of rules files, or a table of keys.
pub struct RulesKey {
    /// Its path, such as `relics.values`.
    pub path: &'static str,
    pub allowed: Allowed,
    /// What it means, without a full stop.
    pub meaning: &'static str,
}

/// What a key may be.
pub enum Allowed {
    /// A whole number, from the least to the most.
    Number(i64, i64),
    /// Such a number, or a formula that gives it.
    Formula(i64, i64),
    /// A list of such numbers.
    Numbers(i64, i64),
    /// A table of such numbers: copies of cards, for instance.
    Counts(i64, i64),
    /// The same under names of one's own.
    Named(i64, i64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// True or false.
    Switch,
    /// A table of keys of its own, or recipes.
    Table,
}

/// Declares `KEYS`: a path, what the key may be, and what it means.
macro_rules! rules_keys {
    ($($path:literal: $allowed:expr, $meaning:literal;)*) => {
        pub const KEYS: &[$crate::game::RulesKey] = &[$($crate::game::RulesKey {
            path: $path,
            allowed: $allowed,
            meaning: $meaning,
        }),*];
    };
}

/// Declares the enums of keys that are one of several words; `WORDS` is what such a key may be.
macro_rules! words {
    ($($(#[doc = $doc:literal])* $Name:ident: $($Variant:ident $word:literal),+;)+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
        pub enum $Name {
            $(#[serde(rename = $word)] $Variant,)+
        }

        impl $Name {
            pub const WORDS: $crate::game::Allowed = $crate::game::Allowed::Words(&[$($word),+]);
        }
    )+};
}

pub(crate) use {rules_keys, words};

impl RulesKey {
    /// The numbers allowed; none for keys without numbers.
    pub fn range(&self) -> RangeInclusive<i64> {
        match self.allowed {
            Allowed::Number(least, most)
            | Allowed::Formula(least, most)
            | Allowed::Numbers(least, most)
            | Allowed::Counts(least, most)
            | Allowed::Named(least, most) => least..=most,
            Allowed::Words(_) | Allowed::Switch | Allowed::Table => RangeInclusive::new(1, 0),
        }
    }

    /// The lines of the comment above the key.
    fn comment(&self) -> String {
        let allowed = match &self.allowed {
            Allowed::Number(least, most) | Allowed::Numbers(least, most) => {
                format!(" ({least} to {most})")
            }
            Allowed::Formula(least, most) => format!(" ({least} to {most}, or a formula)"),
            Allowed::Counts(least, most) | Allowed::Named(least, most) => {
                format!(" ({least} to {most} each)")
            }
            Allowed::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!(" ({})", words.join(" or "))
            }
            Allowed::Switch => " (true or false)".to_string(),
            Allowed::Table => String::new(),
        };
        let (first, rest) = self.meaning.split_once(". ").unwrap_or((self.meaning, ""));
        let rest = if rest.is_empty() {
            String::new()
        } else {
            format!(" {rest}.")
        };
        let (mut lines, mut line) = (String::new(), "#".to_string());
        for word in format!("{first}{allowed}.{rest}").split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines += &format!("{line}\n");
                line = "#".to_string();
            }
            line += &format!(" {word}");
        }
        format!("{lines}{line}\n")
    }
}

/// The numbers that a declared key allows.
pub fn range_of(keys: &[RulesKey], path: &str) -> RangeInclusive<i64> {
    let key = keys.iter().find(|key| key.path == path);
    key.expect("a declared key").range()
}

/// A rules file with the meaning of each key above it, before the file's own comments; `None` if
/// the text is not TOML.
pub fn explained(keys: &[RulesKey], text: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    for key in keys {
        explain(document.as_table_mut(), key.path, &key.comment(), true);
    }
    Some(document.to_string())
}

/// Writes a comment above the key at a path of a table, if it is there.
fn explain(table: &mut Table, path: &str, comment: &str, is_top: bool) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    if let Some(inner) = table.get_mut(name).and_then(|item| item.as_table_mut()) {
        if !rest.is_empty() {
            return explain(inner, rest, comment, false);
        }
        if !inner.is_implicit() {
            return prepend(inner.decor_mut(), comment, true);
        }
        // The headings of such a table are those of its tables: `[ore.a]`.
        let first = inner.iter_mut().next();
        if let Some(first) = first.and_then(|(_, item)| item.as_table_mut()) {
            prepend(first.decor_mut(), comment, true);
        }
    } else if let Some(mut key) = table.key_mut(name) {
        prepend(key.leaf_decor_mut(), comment, is_top);
    }
}

/// Writes a comment before what stands above a key, after a blank line if it `starts` a paragraph.
fn prepend(decor: &mut Decor, comment: &str, starts: bool) {
    let above = decor
        .prefix()
        .and_then(|prefix| prefix.as_str())
        .unwrap_or_default();
    let above = above.trim_start_matches('\n');
    let blank = if starts { "\n" } else { "" };
    decor.set_prefix(format!("{blank}{comment}{above}"));
}
