//! A fault in a text the user wrote, shown at its place.
//!
//! Every file a user may edit is parsed into a value or into one [`Diagnostic`]: what is wrong, on
//! which line, under which characters, and where possible what to write instead. This module
//! renders diagnostics and guesses the intended name; it does not know the meaning of the texts,
//! and it never opens a file.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A fault in a text the user wrote, shown with file, line and a caret.
///
/// `Display` draws it in plain text, without colour codes and without a newline at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as the user would name it; shown, never opened.
    pub file: String,
    pub text: String,
    /// The fault. Spans may be empty, cut a character or reach past the end; of a span over several
    /// lines the first line is shown.
    pub fault: Fault,
}

/// A fault in a text; only the caller knows which file it is in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The faulty place, in bytes of the text, on character boundaries.
    pub span: Range<usize>,
    pub message: String,
    /// A note on the span, shown beside the caret; may be empty.
    pub label: String,
    pub help: Option<String>,
}

impl Fault {
    pub fn new(span: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Fault {
            span,
            message: message.into(),
            label: label.into(),
            help: None,
        }
    }

    /// Adds a help text, if there is one.
    pub fn with_help(self, help: impl Into<Option<String>>) -> Self {
        let help = help.into();
        Fault { help, ..self }
    }

    pub fn in_file(self, file: &str, text: &str) -> Diagnostic {
        Diagnostic {
            file: file.to_owned(),
            text: text.to_owned(),
            fault: self,
        }
    }
}

/// A number of things in words: `1 seat`, `5 seats`.
pub fn counted(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// The number called `name` of a file, if it is within the allowed range.
pub fn within(
    name: &str,
    value: &toml::Spanned<i64>,
    allowed: RangeInclusive<i64>,
) -> Result<i64, Fault> {
    let number = *value.get_ref();
    if allowed.contains(&number) {
        return Ok(number);
    }
    let message = format!("{name} is {number}");
    let label = format!("should be {} to {}", allowed.start(), allowed.end());
    Err(Fault::new(value.span(), message, label))
}

impl Diagnostic {
    /// The diagnostic for a text that is not TOML, or not the expected TOML.
    ///
    /// For an unknown key or variant it suggests the nearest known name. An error without a place
    /// is shown at the start of the text.
    pub fn from_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let (mut message, help) = readable(error.message().trim_end());
        let span = error.span().unwrap_or(0..0);
        if message == "duplicate key" {
            let key = text.get(span.clone()).unwrap_or_default();
            message = format!("`{}` is given twice", key.trim_matches(['"', '\'']));
        }
        let help = help.or_else(|| quotes_lacking(text, span.start));
        let fault = Fault::new(span, message, "");
        fault.with_help(help).in_file(file, text)
    }

    pub fn with_more_help(mut self, more: &str) -> Self {
        let help = self.fault.help.map(|help| format!("{help} ({more})"));
        self.fault.help = Some(help.unwrap_or_else(|| more.to_string()));
        self
    }
}

/// How to write a line of TOML whose value lacks its quotation marks.
fn quotes_lacking(text: &str, at: usize) -> Option<String> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let (key, value) = text[start..].lines().next()?.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_text = value.starts_with(char::is_alphabetic) && !matches!(value, "true" | "false");
    is_text.then(|| format!("write texts and formulas in quotes: {key} = \"{value}\""))
}

/// The message of a reader of TOML or JSON in plain words, and the nearest known name for one that
/// there is not.
pub fn readable(message: &str) -> (String, Option<String>) {
    let message = plain_words(message);
    let Some((what, name, known)) = unknown_name(&message) else {
        return (message, None);
    };
    let help = match related(name, known.iter().copied()) {
        Some(near) => Some(format!("the nearest is `{near}`")),
        None => did_you_mean(name, known.iter().copied()),
    };
    (no_such(what, name, &known), help)
}

/// The message about an unknown `key` or `value`, with the allowed ones.
pub fn no_such(what: &str, name: &str, allowed: &[&str]) -> String {
    format!(
        "unknown {what} `{name}`; allowed: `{}`",
        allowed.join("`, `")
    )
}

/// The message for a string without its end.
const OPEN: &str = "a text without its closing quotation mark";

/// Replaces names of Rust types in a message by plain words.
fn plain_words(message: &str) -> String {
    // Where one of several words is expected, and another type is found.
    if message.starts_with("wanted string or table") || message.starts_with("wanted exactly 1") {
        return "expected a word in quotes".to_owned();
    }
    [
        ("invalid basic string, expected `\"`", OPEN),
        ("invalid literal string, expected `'`", OPEN),
        ("invalid multi-line basic string, expected `\"`", OPEN),
        ("invalid multi-line literal string, expected `'`", OPEN),
        ("missing field", "missing key"),
        ("invalid type: sequence", "invalid type: a list"),
        ("invalid type: map", "invalid type: a table"),
        ("invalid type: string", "invalid type: the text"),
        ("invalid type: integer", "invalid type: the number"),
        ("invalid type: floating point", "invalid type: the number"),
        ("invalid value: integer", "invalid value: the number"),
        ("invalid type: boolean", "invalid type: the truth value"),
        ("expected a string", "expected text in quotes"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("expected i64", "expected a whole number"),
        ("expected u64", "expected a whole number of at least 0"),
        ("expected usize", "expected a whole number of at least 0"),
        ("expected f32", "expected a number"),
        ("expected a boolean", "expected true or false"),
    ]
    .iter()
    .fold(message.to_owned(), |text, (types, words)| {
        text.replace(types, words)
    })
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fault = &self.fault;
        let mut caret = AnnotationKind::Primary.span(drawable(&self.text, &fault.span));
        if !fault.label.is_empty() {
            caret = caret.label(&fault.label);
        }
        let snippet = Snippet::source(&self.text).path(&self.file);
        let mut group = Level::ERROR
            .no_name()
            .primary_title(&fault.message)
            .element(snippet.annotation(caret));
        if let Some(help) = &fault.help {
            group = group.element(Level::HELP.message(help));
        }
        f.write_str(Renderer::plain().render(&[group]).trim_end())
    }
}

impl std::error::Error for Diagnostic {}

/// The known name that `name` was probably meant to be, if one is near enough.
///
/// Ignores case. Near are names that begin alike, up to three quarters of the shorter, and those
/// that differ in at most two letters of five. Of equally near names it returns the first.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const NEAR_ENOUGH: f64 = 0.8;
    let name = name.to_lowercase();
    let likeness = |known: &'a str| (strsim::jaro_winkler(&name, &known.to_lowercase()), known);
    let is_like = |known: &&str| {
        let known = known.to_lowercase();
        let [one, other] = [&name, &known].map(|name| name.chars().count());
        let same = name.chars().zip(known.chars()).take_while(|(a, b)| a == b);
        let longer = one.max(other);
        4 * same.count() >= 3 * one.min(other)
            || 5 * strsim::osa_distance(&name, &known) <= 2 * longer
    };
    let near = known.into_iter().filter(is_like).map(likeness);
    let near = near.filter(|(likeness, _)| *likeness > NEAR_ENOUGH);
    let nearest = near.reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.map(|(_, known)| known)
}

/// The first known name with the same last word, as `leave_bonus` has with `first_out_bonus`.
pub fn related<'a>(name: &str, mut known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (_, last) = name.rsplit_once('_')?;
    known.find(|known| known.rsplit_once('_').is_some_and(|(_, own)| own == last))
}

/// The help for an unknown name of a file that has more of them.
pub fn with_others(help: Option<String>, others: &[&str]) -> Option<String> {
    let others = (!others.is_empty()).then(|| format!("unknown, too: `{}`", others.join("`, `")));
    let all = Vec::from_iter(help.into_iter().chain(others));
    (!all.is_empty()).then(|| all.join("; "))
}

/// The help for an unknown name: the most similar known one.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// The part of `span` that lies within one line of `text`, on whole characters.
fn drawable(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(span.start);
    let end = text.ceil_char_boundary(span.end).max(start);
    start..start + text[start..end].lines().next().unwrap_or("").len()
}

/// What is unknown, its name and the known ones, from a message such as serde writes it:
/// ``unknown field `a`, expected one of `b`, `c` ``.
pub(crate) fn unknown_name(message: &str) -> Option<(&str, &str, Vec<&str>)> {
    let kinds = [("unknown field `", "key"), ("unknown variant `", "value")];
    let (_, what) = kinds.iter().find(|(begin, _)| message.starts_with(begin))?;
    let mut quoted = message.split('`').skip(1).step_by(2);
    Some((*what, quoted.next()?, quoted.collect()))
}

#[cfg(test)]
#[path = "../../tests/unit/core/diagnostic.rs"]
mod tests;
