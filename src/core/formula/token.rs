//! Formula text into tokens with their places.
//!
//! Blanks, line breaks and comments (`#` to the end of the line) are dropped here. Symbols that
//! other languages use, such as `&&`, are answered with the word this language has for them.

use std::ops::Range;

use winnow::LocatingSlice;
use winnow::ascii::{digit1, multispace1, till_line_ending};
use winnow::combinator::{alt, opt, peek, preceded, repeat, terminated};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{any, one_of, take_while};

use super::Fault;

/// The words that are part of the language and cannot name anything.
const KEYWORDS: [&str; 9] = [
    "and", "or", "not", "true", "false", "if", "then", "else", "let",
];

/// The functions; their names cannot name anything else.
pub const FUNCTIONS: [&str; 4] = ["min", "max", "abs", "floor"];

/// Whether `text` can name a parameter, a feature or a `let` value: ASCII letters, digits and
/// underscores, not starting with a digit, and not a word of the language.
pub fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let reserved = KEYWORDS.contains(&text) || FUNCTIONS.contains(&text);
    starts_well && text.chars().all(is_name_part) && !reserved
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Name,
    Keyword,
    Symbol,
    End,
}

/// A piece of a formula's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub class: Class,
    pub text: &'t str,
    /// Bytes of the formula text.
    pub span: Range<usize>,
}

/// All tokens of `text`, closed by one of class [`Class::End`] with an empty span.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut input = LocatingSlice::new(text);
    let mut tokens = Vec::new();
    loop {
        let rest = blank.parse_next(&mut input).map(|()| *input);
        let rest = rest.unwrap_or_default();
        let place = text.len() - rest.len();
        if rest.is_empty() {
            let (class, text, span) = (Class::End, "", place..place);
            tokens.push(Token { class, text, span });
            return Ok(tokens);
        }
        let ((class, text), span) = (alt((number, word, symbol)).with_span())
            .parse_next(&mut input)
            .map_err(|EmptyError| stray(rest, place))?;
        tokens.push(Token { class, text, span });
    }
}

type Input<'t> = LocatingSlice<&'t str>;

fn blank(input: &mut Input<'_>) -> Result<(), EmptyError> {
    repeat(0.., alt((multispace1, preceded('#', till_line_ending)))).parse_next(input)
}

fn number<'t>(input: &mut Input<'t>) -> Result<(Class, &'t str), EmptyError> {
    let fraction = opt(('.', digit1));
    let exponent = opt((one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1));
    let end = peek(winnow::combinator::not(one_of(is_number_part)));
    terminated((digit1, fraction, exponent).take(), end)
        .map(|text| (Class::Number, text))
        .parse_next(input)
}

fn word<'t>(input: &mut Input<'t>) -> Result<(Class, &'t str), EmptyError> {
    let start = one_of(|c: char| c.is_ascii_alphabetic() || c == '_');
    (start, take_while(0.., is_name_part))
        .take()
        .map(|text| {
            if KEYWORDS.contains(&text) {
                (Class::Keyword, text)
            } else {
                (Class::Name, text)
            }
        })
        .parse_next(input)
}

fn symbol<'t>(input: &mut Input<'t>) -> Result<(Class, &'t str), EmptyError> {
    let two = alt(("<=", ">=", "==", "!="));
    alt((two, one_of(|c| "+-*/<>=()[],;".contains(c)).take()))
        .map(|text| (Class::Symbol, text))
        .parse_next(input)
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_number_part(c: char) -> bool {
    is_name_part(c) || c == '.'
}

fn stray(rest: &str, place: usize) -> Fault {
    let words = [
        ("&&", "and"),
        ("&", "and"),
        ("||", "or"),
        ("|", "or"),
        ("!", "not"),
    ];
    if let Some((foreign, word)) = words.iter().find(|(foreign, _)| rest.starts_with(foreign)) {
        let message = format!("`{foreign}` is not part of the language");
        let span = place..place + foreign.len();
        return Fault::new(span, message, format!("write `{word}`"));
    }
    let numeral = rest.find(|c| !is_number_part(c)).unwrap_or(rest.len());
    if numeral > 0 {
        let message = format!("`{}` is not a number", &rest[..numeral]);
        let fault = Fault::new(place..place + numeral, message, "malformed number");
        return fault.with_help("numbers are written like `12`, `0.5` or `1e3`".to_owned());
    }
    let stranger = any::<_, EmptyError>.parse_peek(rest).map(|(_, c)| c);
    let stranger = stranger.unwrap_or_default();
    let message = format!("unexpected character `{}`", stranger.escape_debug());
    let span = place..place + stranger.len_utf8();
    Fault::new(span, message, "not part of the language")
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/token.rs"]
mod tests;
