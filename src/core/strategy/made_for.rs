//! The rules and players a bot was made for, as stated in its file.
//!
//! ```toml
//! made_for = { rules = "iello-2016", set = ["traps.snake=2"], players = 5, by = "carat solve" }
//! ```

use super::file::{check_keys, number, table_of, text_of, wrong_type};
use crate::diagnostic::{Fault, counted};
use std::fmt;
use toml::de::DeTable;

/// The command that makes bots of people, in their files.
pub const FIT: &str = "carat fit";

/// The table that a bot was made for.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct MadeFor {
    /// An edition or a rules file.
    pub rules: Option<String>,
    /// Changes to it, each `PATH=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    pub players: Option<usize>,
    /// The command that wrote the file.
    pub by: Option<String>,
}

impl MadeFor {
    /// Reads the key of a bot's file, if present.
    pub(super) fn of(document: &DeTable) -> Result<Option<MadeFor>, Fault> {
        let Some(value) = document.get("made_for") else {
            return Ok(None);
        };
        let table = table_of("made_for", value)?;
        check_keys(table, &["rules", "set", "players", "by"], "`made_for`")?;
        let mut made_for = MadeFor {
            rules: text_of(table, "rules")?,
            by: text_of(table, "by")?,
            ..MadeFor::default()
        };
        if let Some(value) = table.get("players") {
            let players = number(value, "`players`")?;
            if players < 1.0 || players.fract() != 0.0 {
                let message = "`players` must be a whole number from 1";
                return Err(Fault::new(value.span(), message, "out of range"));
            }
            made_for.players = Some(players as usize);
        }
        if let Some(value) = table.get("set") {
            let fault = || wrong_type(value, "`set`", "a list of `\"PATH=VALUE\"`");
            for change in value.get_ref().as_array().ok_or_else(fault)?.iter() {
                let change = change.get_ref().as_str().ok_or_else(fault)?;
                made_for.set.push(change.to_string());
            }
        }
        Ok(Some(made_for))
    }

    /// Whether both have the same rules and number of players.
    pub fn is_same_table(&self, other: &MadeFor) -> bool {
        (&self.rules, &self.set, self.players) == (&other.rules, &other.set, other.players)
    }

    /// The key as a line of a bot's file.
    pub fn line(&self) -> String {
        let keys = toml::Value::try_from(self).expect("texts and a number");
        format!("made_for = {keys}")
    }
}

pub fn with_changes(rules: &str, set: &[String]) -> String {
    match set {
        [] => rules.to_string(),
        set => format!("{rules} with {}", set.join(", ")),
    }
}

pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// For example `iello-2016 with traps.snake=2, 5 players`.
impl fmt::Display for MadeFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self
            .rules
            .iter()
            .map(|rules| with_changes(rules, &self.set));
        let players = self.players.map(|players| counted(players, "player"));
        f.write_str(&rules.chain(players).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/strategy/made_for.rs"]
mod tests;
