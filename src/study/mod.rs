//! The one description of work, the same from the command line, a study file or a manifest.
//!
//! A study says what to play. It is resolved into bots at a table, which can then be played;
//! how many threads do it and where the results go is not part of it.

mod compare;
mod counts;
pub mod library;
mod overrides;
mod paths;
mod simulate;
mod sweep;
mod tournament;

pub use compare::Compare;
pub use counts::parse_count;
pub use overrides::{OverrideError, apply};
pub use paths::PathError;
pub use simulate::{Resolved, Simulate, StudyError, no_such_game, resolve, write_out};
pub use sweep::{Axis, Cell, Scalar, Sweep, SweepError};
pub use tournament::{ResolvedTournament, Tournament, TournamentError};

use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

/// A description of work.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Study {
    /// One table, many games.
    Simulate(Simulate),
    /// The same games at different tables.
    Compare(Compare),
    /// One table over a grid of values.
    Sweep(Sweep),
    /// Bots that all meet each other.
    Tournament(Tournament),
}

/// The kinds of study, as written in a study file.
const KINDS: [&str; 4] = ["simulate", "compare", "sweep", "tournament"];

impl Study {
    /// Reads a study file; `file` is the name that errors show.
    pub fn from_toml(file: &str, text: &str) -> Result<Study, Box<Diagnostic>> {
        let faulty = |error| Box::new(Diagnostic::from_toml(file, text, &error));
        let table: toml::Table = toml::from_str(text).map_err(faulty)?;
        if !table.contains_key("study") {
            return Err(Box::new(Diagnostic {
                file: file.to_string(),
                text: text.to_string(),
                span: 0..0,
                message: "this is not a study: it has no key `study`".to_string(),
                label: String::new(),
                help: Some(
                    "bots are played with --seat, rules with --rules; `carat check` tells which \
                     a file is"
                        .to_string(),
                ),
            }));
        }
        let kind: Kind = toml::from_str(text).map_err(faulty)?;
        match kind.study.get_ref().as_str() {
            "simulate" => Ok(Study::Simulate(toml::from_str(text).map_err(faulty)?)),
            "compare" => Ok(Study::Compare(toml::from_str(text).map_err(faulty)?)),
            "sweep" => Ok(Study::Sweep(toml::from_str(text).map_err(faulty)?)),
            "tournament" => Ok(Study::Tournament(toml::from_str(text).map_err(faulty)?)),
            other => Err(Box::new(Diagnostic {
                file: file.to_string(),
                text: text.to_string(),
                span: kind.study.span(),
                message: format!("there is no kind of study called `{other}`"),
                label: format!("should be one of {}", KINDS.join(", ")),
                help: None,
            })),
        }
    }

    /// Reads the study of a manifest.
    pub fn from_json(value: serde_json::Value) -> Result<Study, serde_json::Error> {
        match value.get("study").and_then(serde_json::Value::as_str) {
            Some("compare") => serde_json::from_value(value).map(Study::Compare),
            Some("sweep") => serde_json::from_value(value).map(Study::Sweep),
            Some("tournament") => serde_json::from_value(value).map(Study::Tournament),
            _ => serde_json::from_value(value).map(Study::Simulate),
        }
    }
}

#[derive(Deserialize)]
struct Kind {
    study: toml::Spanned<String>,
}
