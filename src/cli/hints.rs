//! Hints for command lines that cannot be parsed: what to type instead.

use crate::catalog::GAMES;
use clap::error::{ContextKind, ErrorKind};

pub fn hint(error: &clap::Error) -> Option<String> {
    let command = std::env::args_os().nth(1).unwrap_or_default();
    if error.kind() == ErrorKind::InvalidSubcommand && command == "help" {
        let topics = super::TOPICS.map(|(topic, _)| topic).join(", ");
        return Some(format!("the topics of help are {topics}"));
    }
    let wrong = error.get(ContextKind::InvalidArg)?.to_string();
    match error.kind() {
        ErrorKind::MissingRequiredArgument if wrong.contains("<GAME>") => {
            let games = GAMES.map(|game| game.name).join(", ");
            Some(format!("the games are {games}"))
        }
        ErrorKind::MissingRequiredArgument if wrong.contains("--vary") => Some(
            "--vary seats.1.target=4..12 tries values; --each changes each number of the rules by a \
             step"
                .to_string(),
        ),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "-a" | "-b" | "-c") => Some(format!(
            "write changes of a side with two dashes: -{wrong} rules.traps.snake=4"
        )),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "--bot" | "--bots") => {
            Some("--seat BOT seats a bot; repeat for more".to_string())
        }
        _ => None,
    }
}
