//! Common parts of the stories of single games: style, words, and why bots do what they do.

use crate::diagnostic::counted;
use crate::formula::{Formula, Value, Vocabulary};
use std::cell::RefCell;

#[derive(Debug, Clone, Copy, Default)]
pub struct StoryStyle {
    /// Draws pictures in ASCII.
    pub plain: bool,
    /// Leaves out pictures of the board.
    pub short: bool,
    /// Adds, for each decision, the features that the bot used and its answer.
    pub why: bool,
    /// The seat that the story is for, if any: information that the rules hide from it is left out,
    /// and each of its decisions shows the position.
    pub seat: Option<usize>,
}

impl StoryStyle {
    /// ASCII, with all other settings at their defaults.
    pub const PLAIN: StoryStyle = StoryStyle {
        plain: true,
        short: false,
        why: false,
        seat: None,
    };

    pub const fn for_seat(seat: usize) -> StoryStyle {
        StoryStyle {
            seat: Some(seat),
            ..StoryStyle::PLAIN
        }
    }
}

pub struct Why {
    /// The features that its formula used, by number, with their values.
    looked: Vec<(usize, f32)>,
    answer: Value,
    /// If it scored several choices: the number of others, and the best score among them.
    others: Option<(usize, f32)>,
}

impl Why {
    /// Evaluates `formula` and records the features it uses.
    pub fn of(formula: &Formula, feature: impl Fn(usize) -> f32) -> Why {
        let looked = RefCell::new(Vec::new());
        let answer = formula.evaluate(|number| {
            let value = feature(number);
            let mut looked = looked.borrow_mut();
            if looked.iter().all(|(known, _)| *known != number) {
                looked.push((number, value));
            }
            value
        });
        Why {
            looked: looked.into_inner(),
            answer,
            others: None,
        }
    }

    /// The same for choice `chosen` of a bot that scores them, given the features of each.
    pub fn among(formula: &Formula, features: &[Vec<f32>], chosen: usize) -> Why {
        let others = features.iter().enumerate().filter(|(at, _)| *at != chosen);
        let scores = others.filter_map(|(_, seen)| formula.evaluate(|at| seen[at]).number());
        Why {
            others: Some((features.len() - 1, scores.fold(f32::NEG_INFINITY, f32::max))),
            ..Why::of(formula, |feature| features[chosen][feature])
        }
    }

    /// The answer, then the features used: `score 3.5, best of 14 others: 2; gain 1`.
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        let mut text = vocabulary.question.to_string();
        text += &match self.answer {
            Value::Truth(true) => ": yes".to_string(),
            Value::Truth(false) => ": no".to_string(),
            Value::Number(score) => format!(" {}", short(score)),
        };
        if let (Value::Number(_), Some((others, best))) = (self.answer, self.others) {
            text += &format!(", best of {}: {}", counted(others, "other"), short(best));
        }
        for (at, (number, value)) in self.looked.iter().enumerate() {
            let separator = if at == 0 { ";" } else { "," };
            let name = vocabulary.features[*number].name;
            text += &format!("{separator} {name} {}", short(*value));
        }
        text
    }
}

/// A number with at most three decimals.
fn short(number: f32) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Joins names with commas and an `and`.
pub fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The verb for this many winners.
pub fn win(winners: usize) -> &'static str {
    if winners == 1 {
        "wins"
    } else {
        "share the win"
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/game/story.rs"]
mod tests;
