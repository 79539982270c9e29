//! Recipes as text: `ore + ore -> shovel`, `shovel + shovel +> 2 ore`,
//! `anvil + ore -> anvil + shield or anvil + sword`.
//!
//! Reads one recipe into counts. Whether it can ever fire in a game is for `rules` to say.

use super::cards::{CLASSES, Counts, NAMES};
use crate::diagnostic::Fault;
use crate::diagnostic::nearest;
use std::ops::Range;

pub const COPIES_MAX: u8 = 9;
pub const ALTERNATIVES_MAX: usize = 8;

/// What happens to a stack that satisfies a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// `->`: the stack is discarded for new cards.
    Transform,
    /// `+>`: the stack stays and gives cards at the start of its owner's turn.
    Produce,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// Class of the first card, which lies on top.
    pub top: usize,
    /// Cards that the stack must hold, the top card included.
    pub need: Counts,
    pub effect: Effect,
    /// The cards it gives; several when there is a choice.
    pub gives: Vec<Counts>,
}

pub struct Printed {
    pub kind: usize,
    pub recipe: Recipe,
    /// Where it is written, in bytes.
    pub span: Range<usize>,
}

pub fn parse(text: &str) -> Result<Recipe, Fault> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        end: text.len(),
    };
    let (top, need) = reader.cards()?;
    let effect = match reader.next() {
        Some((Token::Transforms, _)) => Effect::Transform,
        Some((Token::Produces, _)) => Effect::Produce,
        other => {
            let span = reader.span_of(other);
            return Err(Fault::new(
                span,
                "a recipe says what it gives after `->` or `+>`",
                "`->` or `+>` is missing",
            ));
        }
    };
    let mut gives = Vec::new();
    loop {
        gives.push(reader.cards()?.1);
        match reader.next() {
            None => break,
            Some((Token::Or, span)) => {
                if effect == Effect::Produce || gives.len() == ALTERNATIVES_MAX {
                    let message = match effect {
                        Effect::Produce => "a production leaves no choice".to_string(),
                        Effect::Transform => {
                            format!("a recipe has at most {ALTERNATIVES_MAX} alternatives")
                        }
                    };
                    return Err(Fault::new(span, &message, "not allowed here"));
                }
            }
            Some((_, span)) => {
                return Err(Fault::new(
                    span,
                    "the recipe goes on",
                    "`+` or `or` is missing",
                ));
            }
        }
    }
    Ok(Recipe {
        top,
        need,
        effect,
        gives,
    })
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'t> {
    Number(&'t str),
    Name(&'t str),
    Plus,
    Transforms,
    Produces,
    Or,
}

type Placed<'t> = (Token<'t>, Range<usize>);

struct Reader<'t> {
    tokens: Vec<Placed<'t>>,
    at: usize,
    end: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<Placed<'t>> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn span_of(&self, token: Option<Placed>) -> Range<usize> {
        token.map_or(self.end..self.end, |(_, span)| span)
    }

    /// Cards with `+` between them, and the class of the first.
    fn cards(&mut self) -> Result<(usize, Counts), Fault> {
        let mut counts = [0; CLASSES];
        let mut first = None;
        loop {
            let start = self.span_of(self.tokens.get(self.at).cloned()).start;
            let copies = self.copies()?;
            let class = self.class()?;
            first.get_or_insert(class);
            counts[class] += copies;
            if counts[class] > COPIES_MAX {
                let end = self.tokens[self.at - 1].1.end;
                let message = format!("more than {COPIES_MAX} copies of one card");
                return Err(Fault::new(start..end, &message, "too many"));
            }
            match self.tokens.get(self.at) {
                Some((Token::Plus, _)) => self.at += 1,
                _ => return Ok((first.unwrap_or(class), counts)),
            }
        }
    }

    fn copies(&mut self) -> Result<u8, Fault> {
        let Some((Token::Number(digits), span)) = self.tokens.get(self.at).cloned() else {
            return Ok(1);
        };
        self.at += 1;
        match digits.parse() {
            Ok(copies @ 1..=COPIES_MAX) => Ok(copies),
            _ => {
                let label = format!("should be 1 to {COPIES_MAX}");
                Err(Fault::new(
                    span,
                    format!("{digits} copies of a card"),
                    &label,
                ))
            }
        }
    }

    fn class(&mut self) -> Result<usize, Fault> {
        let token = self.next();
        let Some((Token::Name(name), span)) = token else {
            let span = self.span_of(token);
            return Err(Fault::new(
                span,
                "a card is missing",
                format!("one of {}", NAMES.join(", ")),
            ));
        };
        let known = |class: &str| name == class || name.strip_suffix('s') == Some(class);
        NAMES
            .iter()
            .position(|class| known(class))
            .ok_or_else(|| Fault {
                span,
                message: format!("there is no card called `{name}`"),
                label: format!("the cards are {}", NAMES.join(", ")),
                help: nearest(name, NAMES).map(|near| format!("did you mean `{near}`?")),
            })
    }
}

fn tokens(text: &str) -> Result<Vec<Placed<'_>>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let run = |wanted: fn(char) -> bool| {
            let rest = &text[at..];
            rest.find(|c| !wanted(c)).unwrap_or(rest.len())
        };
        let (token, length) = match first {
            ' ' | '\t' | '\n' | '\r' => {
                at += 1;
                continue;
            }
            '0'..='9' => {
                let length = run(|c| c.is_ascii_digit());
                (Token::Number(&text[at..at + length]), length)
            }
            _ if first.is_alphabetic() => {
                let length = run(|c| c.is_alphanumeric() || c == '_');
                match &text[at..at + length] {
                    "or" => (Token::Or, length),
                    name => (Token::Name(name), length),
                }
            }
            _ if text[at..].starts_with("->") => (Token::Transforms, 2),
            _ if text[at..].starts_with("+>") => (Token::Produces, 2),
            '+' => (Token::Plus, 1),
            _ => {
                let span = at..at + first.len_utf8();
                let message = format!("`{first}` means nothing in a recipe");
                return Err(Fault::new(span, &message, "not understood"));
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::super::cards::{ANVIL, ORE, SHIELD, SHOVEL, SWORD};
    use super::*;

    fn counts(cards: &[(usize, u8)]) -> Counts {
        let mut counts = [0; CLASSES];
        cards
            .iter()
            .for_each(|(class, copies)| counts[*class] = *copies);
        counts
    }

    #[test]
    fn recipes_read_as_they_are_written() {
        let recipe = parse("ore + ore -> shovel").unwrap();
        assert_eq!((recipe.top, recipe.effect), (ORE, Effect::Transform));
        assert_eq!(recipe.need, counts(&[(ORE, 2)]));
        assert_eq!(recipe.gives, [counts(&[(SHOVEL, 1)])]);

        let recipe = parse("shovel+2 shovels+>2ore").unwrap();
        assert_eq!((recipe.top, recipe.effect), (SHOVEL, Effect::Produce));
        assert_eq!(recipe.need, counts(&[(SHOVEL, 3)]));
        assert_eq!(recipe.gives, [counts(&[(ORE, 2)])]);

        let recipe = parse("anvil + ore -> anvil + shield or anvil + sword").unwrap();
        assert_eq!(
            recipe.gives,
            [
                counts(&[(ANVIL, 1), (SHIELD, 1)]),
                counts(&[(ANVIL, 1), (SWORD, 1)])
            ]
        );
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let faulty = |text: &str| {
            let fault = parse(text).unwrap_err();
            (
                text[fault.span.clone()].to_string(),
                fault.message,
                fault.help,
            )
        };
        let (place, message, help) = faulty("ore + shovle -> shovel");
        assert_eq!(place, "shovle");
        assert!(message.contains("no card called `shovle`"));
        assert_eq!(help.as_deref(), Some("did you mean `shovel`?"));
        assert_eq!(faulty("ore + ore").0, "");
        assert_eq!(faulty("ore + -> shovel").0, "->");
        assert_eq!(faulty("ore + ore = shovel").0, "=");
        assert_eq!(faulty("ore ore -> shovel").0, "ore");
        assert_eq!(faulty("ore + ore -> 0 shovels").0, "0");
        assert_eq!(faulty("ore + ore -> 7 ore + 7 ore").0, "7 ore");
        assert_eq!(faulty("ore + ore +> ore or shovel").0, "or");
        assert_eq!(faulty("ore + ore -> shovel shovel").0, "shovel");
        assert_eq!(faulty("ore → shovel").0, "→");
        assert!(parse("").is_err());
    }
}
