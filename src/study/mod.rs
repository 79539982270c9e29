//! The one description of work, the same from the command line, a study file or a manifest.
//!
//! Each kind of study has a file here, with the same three types: what to play, as it is written
//! down (`Simulate`, `Sweep`, …); `Resolved`, the same with every name looked up; and `Played`, with
//! what came out. How many threads play it and where results go is not part of a study.

pub mod advise;
pub mod analyse;
mod axis;
pub mod compare;
mod counts;
mod decimal;
mod each;
mod error;
pub mod library;
mod overrides;
mod path;
mod paths;
mod readapt;
pub mod simulate;
pub mod solve;
pub mod sweep;
mod target;
pub mod tournament;
pub mod tune;
mod written;

pub use analyse::{Analyse, AnalyseError};
pub use axis::{Axis, Scalar};
pub use compare::Compare;
pub use counts::parse_count;
pub use each::{EachError, NumberStep};
pub use error::{StudyError, no_such_game};
pub use overrides::{OverrideError, apply};
pub use path::Path;
pub use paths::{PathError, paths};
pub use simulate::Simulate;
pub use solve::{Solve, SolveError};
pub use sweep::{Sweep, SweepError};
pub use tournament::{Tournament, TournamentError};
pub use tune::{Tune, TuneError};

use crate::game::{Game, Table};
use crate::simulation::{Ending, Goal, Missed, NotKept, Player};
use library::{Library, Sources};

use crate::diagnostic::Diagnostic;
use indexmap::IndexMap;
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
    /// A search for good values.
    Tune(Tune),
    /// Play that is learnt.
    Solve(Solve),
    /// Games taken apart.
    Analyse(Analyse),
}

/// The kinds of study, as written in a study file.
const KINDS: [&str; 7] = [
    "simulate",
    "compare",
    "sweep",
    "tournament",
    "tune",
    "solve",
    "analyse",
];

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
                    "a bot or a rules file is named in a study; `carat check` tells which a file is"
                        .to_string(),
                ),
            }));
        }
        let kind: Kind = toml::from_str(text).map_err(faulty)?;
        let mut study = match kind.study.get_ref().as_str() {
            "simulate" => Study::Simulate(toml::from_str(text).map_err(faulty)?),
            "compare" => Study::Compare(toml::from_str(text).map_err(faulty)?),
            "sweep" => Study::Sweep(toml::from_str(text).map_err(faulty)?),
            "tournament" => Study::Tournament(toml::from_str(text).map_err(faulty)?),
            "tune" => Study::Tune(toml::from_str(text).map_err(faulty)?),
            "solve" => Study::Solve(toml::from_str(text).map_err(faulty)?),
            "analyse" => Study::Analyse(toml::from_str(text).map_err(faulty)?),
            other => {
                return Err(Box::new(Diagnostic {
                    file: file.to_string(),
                    text: text.to_string(),
                    span: kind.study.span(),
                    message: format!("there is no kind of study called `{other}`"),
                    label: format!("should be one of {}", KINDS.join(", ")),
                    help: None,
                }));
            }
        };
        study.head_table();
        Ok(study)
    }

    /// Hands the title and the description that stand at the top of a file to the table.
    fn head_table(&mut self) {
        let (title, description, table) = match self {
            Study::Simulate(_) => return,
            Study::Compare(study) => (&mut study.title, &mut study.description, &mut study.table),
            Study::Sweep(study) => (&mut study.title, &mut study.description, &mut study.table),
            Study::Tournament(study) => {
                (&mut study.title, &mut study.description, &mut study.table)
            }
            Study::Tune(study) => (&mut study.title, &mut study.description, &mut study.table),
            Study::Solve(study) => (&mut study.title, &mut study.description, &mut study.table),
            Study::Analyse(study) => (&mut study.title, &mut study.description, &mut study.table),
        };
        table.title = title.take().or(table.title.take());
        table.description = description.take().or(table.description.take());
    }

    /// Reads the study of a manifest.
    pub fn from_json(value: serde_json::Value) -> Result<Study, serde_json::Error> {
        match value.get("study").and_then(serde_json::Value::as_str) {
            Some("compare") => serde_json::from_value(value).map(Study::Compare),
            Some("sweep") => serde_json::from_value(value).map(Study::Sweep),
            Some("tournament") => serde_json::from_value(value).map(Study::Tournament),
            Some("tune") => serde_json::from_value(value).map(Study::Tune),
            Some("solve") => serde_json::from_value(value).map(Study::Solve),
            Some("analyse") => serde_json::from_value(value).map(Study::Analyse),
            _ => serde_json::from_value(value).map(Study::Simulate),
        }
    }

    /// Its kind, as a study file names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Study::Simulate(_) => "simulate",
            Study::Compare(_) => "compare",
            Study::Sweep(_) => "sweep",
            Study::Tournament(_) => "tournament",
            Study::Tune(_) => "tune",
            Study::Solve(_) => "solve",
            Study::Analyse(_) => "analyse",
        }
    }

    /// What all its tables share.
    pub fn table(&self) -> &Simulate {
        match self {
            Study::Simulate(study) => study,
            Study::Compare(study) => &study.table,
            Study::Sweep(study) => &study.table,
            Study::Tournament(study) => &study.table,
            Study::Tune(study) => &study.table,
            Study::Solve(study) => &study.table,
            Study::Analyse(study) => &study.table,
        }
    }

    /// The sides that play the same games, by name, each with its changes.
    pub fn sides(&self) -> Option<&IndexMap<String, Vec<String>>> {
        match self {
            Study::Compare(study) => Some(&study.sides),
            Study::Tournament(study) => Some(&study.sides),
            _ => None,
        }
    }

    /// Looks up everything that the study names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`]: then nothing is played.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        Ok(match self {
            Study::Simulate(study) => Resolved::Simulate(study.resolve(library)?),
            Study::Compare(study) => Resolved::Compare(study.resolve(library)?),
            Study::Sweep(study) => Resolved::Sweep(study.resolve(library)?),
            Study::Tournament(study) => Resolved::Tournament(study.resolve(library)?),
            Study::Tune(study) => Resolved::Tune(study.resolve(library)?),
            Study::Solve(study) => Resolved::Solve(Box::new(study.resolve(library)?)),
            Study::Analyse(study) => Resolved::Analyse(Box::new(study.resolve(library)?)),
        })
    }
}

/// A study whose names have been looked up, ready to be played.
pub enum Resolved {
    /// One table.
    Simulate(simulate::Resolved),
    /// Several sides.
    Compare(compare::Resolved),
    /// A grid of cells.
    Sweep(sweep::Resolved),
    /// A field of bots.
    Tournament(tournament::Resolved),
    /// A search.
    Tune(tune::Resolved),
    /// A game to learn.
    Solve(Box<solve::Resolved>),
    /// Games to take apart.
    Analyse(Box<analyse::Resolved>),
}

impl Resolved {
    /// The study, with every default filled in.
    pub fn study(&self) -> Study {
        match self {
            Resolved::Simulate(resolved) => Study::Simulate(resolved.study.clone()),
            Resolved::Compare(resolved) => Study::Compare(resolved.study.clone()),
            Resolved::Sweep(resolved) => Study::Sweep(resolved.study.clone()),
            Resolved::Tournament(resolved) => Study::Tournament(resolved.study.clone()),
            Resolved::Tune(resolved) => Study::Tune(resolved.study.clone()),
            Resolved::Solve(resolved) => Study::Solve(resolved.study.clone()),
            Resolved::Analyse(resolved) => Study::Analyse(resolved.study.clone()),
        }
    }

    /// Its game.
    pub fn game(&self) -> &'static Game {
        match self {
            Resolved::Simulate(resolved) => resolved.game,
            Resolved::Compare(resolved) => resolved.first().game,
            Resolved::Sweep(resolved) => resolved.first().game,
            Resolved::Tournament(resolved) => resolved.game,
            Resolved::Tune(resolved) => resolved.first().game,
            Resolved::Solve(resolved) => resolved.game,
            Resolved::Analyse(resolved) => resolved.game(),
        }
    }

    /// The texts of its rules and bots.
    pub fn sources(&self) -> Sources {
        match self {
            Resolved::Simulate(resolved) => resolved.sources(),
            Resolved::Compare(resolved) => resolved.sources(),
            Resolved::Sweep(resolved) => resolved.sources(),
            Resolved::Tournament(resolved) => resolved.sources(),
            Resolved::Tune(resolved) => resolved.sources.clone(),
            Resolved::Solve(resolved) => resolved.sources(),
            Resolved::Analyse(resolved) => resolved.sources(),
        }
    }

    /// What the user should know, though it can be played.
    pub fn warnings(&self) -> Vec<String> {
        match self {
            Resolved::Simulate(resolved) => resolved.warnings(),
            Resolved::Compare(resolved) => resolved.warnings(),
            Resolved::Sweep(resolved) => resolved.warnings(),
            Resolved::Tournament(resolved) => resolved.warnings.clone(),
            Resolved::Tune(resolved) => resolved.warnings(),
            Resolved::Solve(resolved) => resolved.warnings.clone(),
            Resolved::Analyse(resolved) => resolved.warnings(),
        }
    }

    /// Whether it is played in parts, each of which is kept when the study is interrupted. The other
    /// kinds end early with the games they have.
    pub fn in_parts(&self) -> bool {
        !matches!(self, Resolved::Simulate(_) | Resolved::Compare(_))
    }

    /// Its table, where there is only one.
    pub fn only_table(&self) -> Option<&dyn Table> {
        match self {
            Resolved::Simulate(resolved) => Some(resolved.table.as_ref()),
            _ => None,
        }
    }

    /// How many games it plays, where it can be shared out among shards. What searches or learns
    /// cannot: it looks at its games too often.
    pub fn goal(&self) -> Option<Goal> {
        match self {
            Resolved::Simulate(resolved) => Some(resolved.goal),
            Resolved::Compare(resolved) => Some(resolved.first().goal),
            Resolved::Sweep(resolved) => Some(resolved.first().goal),
            Resolved::Tournament(resolved) => Some(resolved.goal),
            Resolved::Tune(_) | Resolved::Solve(_) | Resolved::Analyse(_) => None,
        }
    }

    /// Plays the study; `None` when it was interrupted before there was a result.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when a finished part could not be kept.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        Ok(match self {
            Resolved::Simulate(resolved) => resolved.play(player)?.map(Played::Simulate),
            Resolved::Compare(resolved) => resolved.play(player)?.map(Played::Compare),
            Resolved::Sweep(resolved) => resolved.play(player)?.map(Played::Sweep),
            Resolved::Tournament(resolved) => resolved.play(player)?.map(Played::Tournament),
            Resolved::Tune(resolved) => resolved.play(player)?.map(Box::new).map(Played::Tune),
            Resolved::Solve(resolved) => resolved.play(player)?.map(Box::new).map(Played::Solve),
            Resolved::Analyse(resolved) => {
                resolved.play(player)?.map(Box::new).map(Played::Analyse)
            }
        })
    }
}

/// A study that was played.
pub enum Played {
    /// One table.
    Simulate(simulate::Played),
    /// Several sides.
    Compare(compare::Played),
    /// A grid of cells.
    Sweep(sweep::Played),
    /// A field of bots.
    Tournament(tournament::Played),
    /// A search.
    Tune(Box<tune::Played>),
    /// A game that was learnt.
    Solve(Box<solve::Played>),
    /// Games that were taken apart.
    Analyse(Box<analyse::Played>),
}

/// A study that was told to stop, and has results of the games until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted {
    /// Games that were played.
    pub games: u64,
    /// Games that it would have played at most.
    pub most: u64,
}

impl Played {
    /// How far the study came, if it was told to stop before its end.
    pub fn interrupted(&self) -> Option<Interrupted> {
        let (ending, games, goal) = match self {
            Played::Simulate(played) => (played.ending, played.tally.games, played.resolved.goal),
            Played::Compare(played) => (played.ending, played.games, played.resolved.first().goal),
            Played::Sweep(_)
            | Played::Tournament(_)
            | Played::Tune(_)
            | Played::Solve(_)
            | Played::Analyse(_) => return None,
        };
        (ending == Ending::Stopped).then_some(Interrupted {
            games,
            most: goal.most(),
        })
    }

    /// What is missing of the precision that was asked for, unless the study was told to stop.
    pub fn missed(&self) -> Option<Missed> {
        match self {
            Played::Simulate(played) => played.missed(),
            Played::Compare(played) => played.missed(),
            Played::Sweep(played) => played.missed(),
            Played::Tournament(played) => played.missed(),
            Played::Tune(_) => None,
            Played::Solve(_) => None,
            Played::Analyse(_) => None,
        }
    }
}

#[derive(Deserialize)]
struct Kind {
    study: toml::Spanned<String>,
}
