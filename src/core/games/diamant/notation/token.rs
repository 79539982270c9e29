//! The words of a record, with their places.

use crate::diagnostic::Fault;
use crate::game::notation::{people, players};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'t> {
    Number(u32),
    /// `@3`: the explorer at seat 3.
    Seat(u32),
    /// A word, such as the name of a trap.
    Word(&'t str),
    /// `:` after the number of an expedition.
    Colon,
    /// `/`, `;` or the end of a line.
    Break,
}

#[derive(Debug, Clone)]
pub struct Token<'t> {
    pub kind: Kind<'t>,
    /// Where it is, in bytes.
    pub span: Range<usize>,
}

/// The tokens of a text. Skips blanks, commas, `+`, `&` and comments from `#` to the end of a line.
/// Names of people become seats.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let people = people(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match person(&people, rest) {
            Some((seat, length)) => (Some(Kind::Seat(seat)), length),
            None => piece(rest, first, at)?,
        };
        let mut end = at + length;
        tokens.extend(kind.map(|kind| Token {
            kind,
            span: at..end,
        }));
        if matches!(kind, Some(Kind::Word(word)) if word.eq_ignore_ascii_case("players")) {
            // Names may be any words, so only their number is read.
            let line = rest.find(['\n', '/', ';', '|']).unwrap_or(rest.len());
            if let Some(players) = players(&rest[..line]) {
                let (kind, span) = (Kind::Number(players as u32), end..at + line);
                end = span.end;
                tokens.push(Token { kind, span });
            }
        }
        at = end;
    }
    Ok(tokens)
}

/// The token that `rest`, which is at place `at`, begins with, if it is one, and the length to
/// pass.
fn piece(rest: &str, first: char, at: usize) -> Result<(Option<Kind<'_>>, usize), Fault> {
    let run = |part: fn(char) -> bool| rest[1..].find(|c| !part(c)).map_or(rest.len(), |n| n + 1);
    Ok(match first {
        '\n' | '/' | ';' | '|' => (Some(Kind::Break), 1),
        ':' => (Some(Kind::Colon), 1),
        '#' => (None, rest.find('\n').unwrap_or(rest.len())),
        ',' | '+' | '&' | '.' => (None, 1),
        '@' => {
            let length = run(|c| c.is_ascii_digit());
            let number = number(&rest[1..length], at..at + length)?;
            (Some(Kind::Seat(number)), length)
        }
        '0'..='9' => {
            let length = run(|c| c.is_ascii_digit());
            let number = number(&rest[..length], at..at + length)?;
            (Some(Kind::Number(number)), length)
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            (Some(Kind::Word(&rest[..length])), length)
        }
        c if c.is_whitespace() || c == '\u{feff}' => (None, c.len_utf8()),
        c => {
            let message = format!("`{}` has no meaning here", c.escape_debug());
            let fault = Fault::new(at..at + c.len_utf8(), message, "not a card, not a word");
            return Err(fault.with_help(EXAMPLE.to_owned()));
        }
    })
}

/// The seat and the length of the name at the start of a text.
fn person(people: &[String], text: &str) -> Option<(u32, usize)> {
    let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let length = length.unwrap_or(text.len());
    // Numbers are cards.
    text.starts_with(char::is_alphabetic).then_some(())?;
    let seat = people.iter().position(|name| *name == text[..length])?;
    Some((seat as u32 + 1, length))
}

pub const EXAMPLE: &str = "write for example: 4: 5 7 snake 11 / @3 @5 leave / relic 3 (expedition 4, its cards, the seats that left)";

fn number(digits: &str, span: Range<usize>) -> Result<u32, Fault> {
    let parsed = digits.parse().ok().filter(|number| *number <= 9_999_999);
    parsed.ok_or_else(|| match digits {
        "" => Fault::new(span, "an `@` without a seat", "write @3 for seat 3"),
        _ => Fault::new(span, "the number is too large", "too large"),
    })
}

pub const LEAVERS: &str = "me i all everyone everybody nobody no none seat seats";
pub const LEAVE: &str = "leave leaves left out home go goes";
pub const NUMBERS: &str = "one two three four five six seven eight";

/// Whether a word is one of some words with blanks between them, in any case.
pub fn is(word: &str, words: &str) -> bool {
    let mut words = words.split(' ');
    words.any(|other| word.eq_ignore_ascii_case(other))
}
