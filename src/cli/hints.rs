//! What is said to those who type a line that cannot be read, besides what is wrong with it.

use super::tune::Bots;
use crate::catalog::GAMES;
use crate::strategy::SeatSpec;
use clap::error::{ContextKind, ErrorKind};

/// What to type instead, where it is known.
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
            "a change of a side has two dashes: -{wrong} rules.traps.snake=4"
        )),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "--bot" | "--bots") => {
            Some("a bot at the table is --seat BOT; repeat for more".to_string())
        }
        _ => None,
    }
}

/// One change, such as `traps.snake=4`: two in one word would be read as one odd value.
pub fn parse_change(text: &str) -> Result<String, String> {
    let plain = !text.contains([':', '[', '{', '"', '\'']);
    match text.split_once(',') {
        Some((one, other)) if plain && other.contains('=') => Err(format!(
            "write one change, {one}, and repeat the option for {other}"
        )),
        Some(_) if plain => match text.split_once('=') {
            Some((path, values)) if values.split(',').all(|v| v.trim().parse::<f64>().is_ok()) => {
                Err(format!("write a list in brackets: {path}=[{values}]"))
            }
            _ => Ok(text.to_string()),
        },
        _ => Ok(text.to_string()),
    }
}

/// Bots of a list, parted by blanks or by commas; the commas of a bot's own values part no bots.
pub fn parse_bots(text: &str) -> Result<Bots, String> {
    let bots: Vec<&str> = if text.contains(':') {
        vec![text]
    } else {
        text.split(',').collect()
    };
    let read = |bot: &str| SeatSpec::parse(bot).map_err(|error| error.to_string());
    bots.into_iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map(Bots)
}
