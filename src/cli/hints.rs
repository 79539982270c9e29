//! Hints for command lines that cannot be parsed: what to type instead.

use crate::catalog::GAMES;
use clap::error::{ContextKind, ErrorKind};

/// The hint for a clap error, if the mistake is a known one.
pub fn hint(error: &clap::Error) -> Option<String> {
    let wrong = error.get(ContextKind::InvalidArg)?.to_string();
    let games = || GAMES.map(|game| game.name).join(", ");
    match error.kind() {
        ErrorKind::MissingRequiredArgument if wrong.contains("<GAME>") => {
            Some(format!("the games are {}", games()))
        }
        ErrorKind::MissingRequiredArgument if wrong.contains("--vary") => Some(
            "--vary seats.1.target=4..12 tries values; --each changes each number of the rules by a \
             step"
                .to_string(),
        ),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "-a" | "-b" | "-c") => Some(format!(
            "changes of a side take two dashes: -{wrong} rules.traps.snake=4"
        )),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "--bot" | "--bots") => {
            Some("a bot at the table is --seat BOT; repeat for more".to_string())
        }
        _ => None,
    }
}
