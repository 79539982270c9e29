//! Recipes as text: `ore + ore -> shovel`, `shovel + shovel +> 2 ore`,
//! `anvil + ore -> anvil + shield or anvil + sword`.
//!
//! Parses one recipe into counts. `rules` checks whether it can ever fire in a game.

use super::cards::{CLASSES, Card, Counts, NAMES};
use crate::diagnostic::{Fault, did_you_mean};
use std::ops::Range;

pub const COPIES_MAX: u8 = 9;
pub const ALTERNATIVES_MAX: usize = 8;

/// The effect on a stack that satisfies a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The card it is printed on.
    pub top: Card,
    pub recipe: Recipe,
    /// Where it is written, in bytes.
    pub span: Range<usize>,
    pub text: String,
}

impl Printed {
    /// Each alternative as it is written.
    pub fn alternatives(&self) -> Vec<String> {
        let sign = self.text.find('>').map_or(0, |sign| sign + 1);
        let (need, gives) = self.text.split_at(sign);
        let gives: Vec<&str> = gives.split(" or ").collect();
        if gives.len() != self.recipe.gives.len() {
            return vec![self.text.trim().to_string(); self.recipe.gives.len()];
        }
        gives
            .iter()
            .map(|gives| format!("{} {}", need.trim(), gives.trim()))
            .collect()
    }
}

pub fn parse(text: &str) -> Result<Recipe, Fault> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        text,
        tokens,
        at: 0,
    };
    let (top, need) = reader.cards()?;
    let effect = match reader.next() {
        "->" => Effect::Transform,
        "+>" => Effect::Produce,
        _ => {
            let message = "a recipe says what it gives after `->` or `+>`";
            return Err(reader.fault(message, "`->` or `+>` is missing"));
        }
    };
    let mut gives = Vec::new();
    loop {
        gives.push(reader.cards()?.1);
        match reader.next() {
            "" => break,
            "or" if effect == Effect::Produce => {
                return Err(reader.fault("a production leaves no choice", "not allowed here"));
            }
            "or" if gives.len() == ALTERNATIVES_MAX => {
                let message = format!("a recipe has at most {ALTERNATIVES_MAX} alternatives");
                return Err(reader.fault(message, "not allowed here"));
            }
            "or" => {}
            _ => return Err(reader.fault("the recipe goes on", "`+` or `or` is missing")),
        }
    }
    Ok(Recipe {
        top,
        need,
        effect,
        gives,
    })
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The place of a token, or the end of the text.
    fn span(&self, at: usize) -> Range<usize> {
        let end = self.text.len();
        self.tokens.get(at).cloned().unwrap_or(end..end)
    }

    /// The next token, empty at the end.
    fn peek(&self) -> &'t str {
        &self.text[self.span(self.at)]
    }

    fn next(&mut self) -> &'t str {
        self.at += 1;
        &self.text[self.span(self.at - 1)]
    }

    /// A fault at the last token.
    fn fault(&self, message: impl Into<String>, label: impl Into<String>) -> Fault {
        Fault::new(self.span(self.at - 1), message, label)
    }

    /// Cards with `+` between them, and the class of the first.
    fn cards(&mut self) -> Result<(usize, Counts), Fault> {
        let mut counts = [0; CLASSES];
        let mut first = None;
        loop {
            let start = self.span(self.at).start;
            let copies = self.copies()?;
            let class = self.class()?;
            first.get_or_insert(class);
            counts[class] += copies;
            if counts[class] > COPIES_MAX {
                let end = self.span(self.at - 1).end;
                let message = format!("more than {COPIES_MAX} copies of one card");
                return Err(Fault::new(start..end, &message, "too many"));
            }
            if self.peek() != "+" {
                return Ok((first.unwrap_or(class), counts));
            }
            self.at += 1;
        }
    }

    fn copies(&mut self) -> Result<u8, Fault> {
        if !self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(1);
        }
        let digits = self.next();
        match digits.parse() {
            Ok(copies @ 1..=COPIES_MAX) => Ok(copies),
            _ => {
                let label = format!("should be 1 to {COPIES_MAX}");
                Err(self.fault(format!("{digits} copies of a card"), label))
            }
        }
    }

    fn class(&mut self) -> Result<usize, Fault> {
        let name = self.next();
        if name == "or" || !name.starts_with(char::is_alphabetic) {
            let label = format!("one of {}", NAMES.join(", "));
            return Err(self.fault("a card is missing", label));
        }
        let known = |class: &str| name == class || name.strip_suffix('s') == Some(class);
        NAMES.iter().position(|class| known(class)).ok_or_else(|| {
            let message = format!("there is no card called `{name}`");
            let label = format!("the cards are {}", NAMES.join(", "));
            self.fault(message, label)
                .with_help(did_you_mean(name, NAMES))
        })
    }
}

/// The places of numbers, names and signs.
fn tokens(text: &str) -> Result<Vec<Range<usize>>, Fault> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    loop {
        let rest = text[at..].trim_start_matches([' ', '\t', '\r', '\n']);
        at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let while_it = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let length = match first {
            '0'..='9' => while_it(|c| c.is_ascii_digit()),
            _ if first.is_alphabetic() => while_it(|c| c.is_alphanumeric() || c == '_'),
            _ if rest.starts_with("->") || rest.starts_with("+>") => 2,
            '+' => 1,
            _ => {
                let place = at..at + first.len_utf8();
                let message = format!("`{first}` is not part of a recipe");
                return Err(Fault::new(place, message, "not understood"));
            }
        };
        tokens.push(at..at + length);
        at += length;
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_miner/recipes.rs"]
mod tests;
