//! The one description of work, the same from the command line, a study file or a manifest.
//!
//! Each kind of study has a file here, with the same three types: what to play, as it is written
//! down (`Simulate`, `Sweep`, …), a [`Kind`]; `Resolved`, the same with every name looked up, which
//! makes a study [`Ready`]; and `Played`, with what came out. How many threads play it and where results go is not part of a study.

pub mod advise;
pub mod analyse;
mod axis;
pub mod compare;
mod counts;
mod decimal;
mod each;
mod error;
mod file;
mod kind;
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
pub use error::{StudyError, left_out, no_such_game};
pub use kind::{Kind, Ready, Setting};
pub use overrides::{OverrideError, apply};
pub use path::Path;
pub use paths::{PathError, paths};
pub use simulate::Simulate;
pub use solve::{Solve, SolveError};
pub use sweep::{Sweep, SweepError};
pub use tournament::{Tournament, TournamentError};
pub use tune::{Tune, TuneError};

use crate::simulation::{Ending, Missed};
use library::Library;
use serde::{Deserialize, Deserializer};

/// Makes a [`Study`] of the one list of its kinds.
macro_rules! kinds {
    ($($Kind:ident $name:literal $what:literal)+) => {
        /// A description of work.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Study {
            $(#[doc = $what] $Kind($Kind),)+
        }

        impl Study {
            /// The kinds of study, as written in a study file.
            const KINDS: &[&str] = &[$($name),+];

            fn named(&self) -> (&'static str, &dyn Kind) {
                match self {
                    $(Study::$Kind(study) => ($name, study),)+
                }
            }

            /// The study of this kind, whose shared values stand under `table`.
            fn read<'de, D: Deserializer<'de>>(kind: &str, from: D) -> Result<Study, D::Error> {
                match kind {
                    $($name => Deserialize::deserialize(from).map(Study::$Kind),)+
                    _ => Err(serde::de::Error::unknown_variant(kind, Study::KINDS)),
                }
            }

            /// Its keys, besides those that all kinds share.
            fn own(&self) -> serde_json::Result<serde_json::Value> {
                match self {
                    $(Study::$Kind(study) => serde_json::to_value(study),)+
                }
            }
        }
    };
}

kinds! {
    Simulate "simulate" "One table, many games."
    Compare "compare" "The same games at different tables."
    Sweep "sweep" "One table over a grid of values."
    Tournament "tournament" "Bots that all meet each other."
    Tune "tune" "A search for good values."
    Solve "solve" "Play that is learnt."
    Analyse "analyse" "Games taken apart."
}

impl Study {
    /// Its kind, as a study file names it.
    pub fn kind(&self) -> &'static str {
        self.named().0
    }

    /// What it has as every kind of study.
    pub fn of_kind(&self) -> &dyn Kind {
        self.named().1
    }

    /// What all its tables share.
    pub fn table(&self) -> &Simulate {
        self.of_kind().table()
    }

    /// Looks up everything that the study names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`]: then nothing is played.
    pub fn resolve(&self, library: &Library) -> Result<Ready, StudyError> {
        self.of_kind().look_up(library)
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
