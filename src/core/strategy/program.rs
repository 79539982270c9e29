//! Bots that are external programs, in any language, and their files.
//!
//! ```toml
//! description = "Asks a network that was trained elsewhere."
//! exec = "python3 mine.py 'small model'"
//! seconds = 10
//! ```

use super::Strategy;
use super::file::{BotFile, check_file, number, string, text_of};
use super::made_for::quoted;
use crate::diagnostic::{Diagnostic, Fault};
use crate::formula::{Formula, Kind, Vocabulary};

/// Default time limit of an answer, in seconds.
const SECONDS: f32 = 10.0;

/// An external program that decides, and its time limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The program and its arguments; not empty.
    pub words: Vec<String>,
    /// Time limit of an answer, in seconds, above 0.
    pub seconds: f32,
    /// Whether failed decisions become passes; otherwise they end the run.
    pub passes: bool,
    pub vocabulary: Vocabulary,
}

impl Program {
    /// The text of the file of a bot that runs this command.
    pub fn file(command: &str) -> String {
        let command = quoted(command);
        format!("# Results are as reproducible as this program.\nexec = {command}\n")
    }

    /// Reads the bot called `name` from its file, if it is an external program.
    pub fn read(
        name: &str,
        file: &BotFile,
        vocabulary: &Vocabulary,
    ) -> Result<Option<Strategy>, Diagnostic> {
        file.read_if("exec", |document| {
            check_file(document, &["description", "exec", "seconds"], "a program")?;
            let (command, place) = string(document, "exec")?;
            let words = words(&command).ok_or_else(|| {
                let message = "`exec` must be a program and its arguments, with quotes in pairs";
                Fault::new(place, message, "no command")
            })?;
            let mut seconds = SECONDS;
            if let Some(value) = document.get("seconds") {
                seconds = number(value, "`seconds`")?;
                if !(0.001..=86400.0).contains(&seconds) {
                    let message = "`seconds` must lie between 0.001 and 86400";
                    return Err(Fault::new(value.span(), message, "out of range"));
                }
            }
            let description = text_of(document, "description")?;
            // A program never uses its formula.
            let idle = match vocabulary.answer {
                Kind::Truth => "false",
                Kind::Number => "0",
            };
            Ok(Strategy {
                description: description.unwrap_or_else(|| format!("The program `{command}`.")),
                program: Some(Program {
                    words,
                    seconds,
                    passes: false,
                    vocabulary: *vocabulary,
                }),
                ..Strategy::of_formula(name, file.text, Formula::parse(idle, &[], vocabulary)?)
            })
        })
    }
}

/// Splits a command into words; single or double quotes keep blanks together. `None` if there is no
/// word, or a quote is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

#[cfg(test)]
#[path = "../../../tests/unit/core/strategy/program.rs"]
mod tests;
