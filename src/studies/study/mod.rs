//! The one description of work, the same from the command line, a study file or a manifest.
//!
//! Each kind of study has a file here, with the same three types: what to play, as it is written
//! down (`Simulate`, `Sweep`, …); `Resolved`, the same with every name looked up, of which all is
//! known that makes a study [`Ready`]; and `Played`, with what came out. How many threads play it
//! and where results go is not part of a study.

pub mod adapt;
pub mod advise;
mod against;
pub mod analyse;
mod arms;
pub mod axis;
pub mod company;
pub mod compare;
pub mod describe;
mod each;
mod error;
mod file;
pub mod fit;
pub mod flaws;
mod gates;
pub mod kept_game;
pub mod kept_rule;
mod kind;
pub mod line_ups;
#[cfg(feature = "clap")]
pub mod options;
mod path;
mod paths;
mod plan;
mod reasons;
pub mod recorded;
pub mod remark;
pub mod rule;
pub mod run;
mod sides;
pub mod simulate;
pub mod solve;
pub mod sweep;
pub mod table;
mod target;
#[cfg(feature = "clap")]
mod template;
pub mod tournament;
pub mod tune;
pub mod typed;
mod written;

pub use adapt::Adapt;
pub use analyse::Analyse;
pub use arms::Arm;
pub use compare::Compare;
pub use describe::Describe;
pub use each::NumberStep;
pub use error::{StudyError, left_out, no_such_game};
pub use kind::{Capped, Expectation, Interrupted, Known, Outcome};
pub use path::Path;
pub use paths::{paths, rules_numbers, values_of};
pub use remark::Remark;
pub use rule::Rule;
pub use run::{Head, RunSpec, Spec};
pub use sides::Sides;
pub use simulate::Simulate;
pub use solve::Solve;
pub use sweep::Sweep;
pub use table::{SeatedTable, TableSpec};
pub use tournament::Tournament;
pub use tune::Tune;
pub use typed::parse_count;
pub use written::rules_file;

use carat_core::game::PLAYING_MINUTES;
use carat_core::library::{ADAPTED, Library, Sources};
use carat_core::simulation::{NotKept, Player, Stopped};
use carat_core::strategy::SeatSpec;
use indexmap::IndexMap;
use serde::Deserializer;
use std::ops::{Deref, DerefMut};

/// Whether a word is among keys and values: that of a bot or of a measure.
pub fn names(keys: &impl serde::Serialize, word: &str) -> Result<bool, StudyError> {
    let keys = serde_json::to_string(keys).map_err(|error| error.to_string())?;
    Ok(keys.contains(word))
}

/// Makes [`Study`] and [`Played`] of the one list of kinds. The second name is that of the room of
/// a kind, and of the kind in a study file. `programs`: whether its tables may seat programs.
macro_rules! kinds {
    ($($Kind:ident $room:ident: $what:literal, programs $programs:literal,
        unused $unused:expr, asks $question:literal;)+) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum Study {
            $(#[doc = $what] $Kind($Kind),)+
        }

        impl Study {
            pub const KINDS: &[&str] = &[$(stringify!($room)),+];

            /// The kind, as a study file names it.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Study::$Kind(_) => stringify!($room),)+
                }
            }

            pub fn question(&self) -> &'static str {
                match self {
                    Study::Compare(of) if of.each.is_some() => {
                        "What changes in the same games when one number moves by one step?"
                    }
                    $(Study::$Kind(_) => $question,)+
                }
            }

            /// Shared keys that a kind does not use.
            fn unused(kind: &str) -> Vec<&'static str> {
                let keys = match kind {
                    $(stringify!($room) => $unused,)+
                    _ => "",
                };
                keys.split_whitespace().collect()
            }

            /// Reads a study of this kind; `from` reads one part of its keys.
            fn read<'de, D: Deserializer<'de>>(
                kind: &str,
                from: impl Fn(&[&str]) -> D,
            ) -> Result<Study, D::Error> {
                let spec = Spec {
                    head: file::read(&from)?,
                    table: file::read(&from)?,
                    run: file::read(&from)?,
                };
                $(if kind == stringify!($room) {
                    let mut study: $Kind = file::read(&from)?;
                    study.spec = spec;
                    return Ok(Study::$Kind(study));
                })+
                Err(serde::de::Error::unknown_variant(kind, Study::KINDS))
            }

            fn own_keys(kind: &str) -> &'static [&'static str] {
                match kind {
                    $(stringify!($room) => file::keys_of::<$Kind>(),)+
                    _ => &[],
                }
            }

            pub fn resolve(&self, library: &Library) -> Result<Ready, StudyError> {
                match &self.with_minutes()? {
                    $(Study::$Kind(study) => {
                        let resolved = study.resolve(library)?;
                        let Known {
                            study,
                            game,
                            mut sources,
                            mut warnings,
                            only_table,
                        } = resolved.known();
                        let program = sources.program.take();
                        if let (false, Some(error)) = ($programs, program) {
                            return Err(carat_core::game::SeatingError::Seat(error).into());
                        }
                        warnings.extend(sources.older.iter().cloned().map(Remark::OlderRules));
                        let mut study = Study::from(study);
                        let populations = study.fill_populations(&sources, library.closed);
                        if populations == Some(1) {
                            warnings.push(Remark::OnePopulation);
                        }
                        Ok(Ready {
                            plan: plan::plan(
                                game,
                                &sources,
                                &study.run,
                                populations.unwrap_or(1),
                                library,
                            )?,
                            known: Known {
                                study,
                                game,
                                sources,
                                warnings,
                                only_table,
                            },
                            play: Box::new(|player| {
                                Ok(Played::$Kind(Box::new(resolved.play(player)?)))
                            }),
                        })
                    })+
                }
            }

            /// A command whose arguments are the keys of a kind.
            #[cfg(feature = "clap")]
            pub fn command(kind: &str) -> clap::Command {
                let command = clap::Command::default();
                match kind {
                    $(stringify!($room) => <$Kind as clap::Args>::augment_args(command),)+
                    _ => command,
                }
            }

            /// The keys of the kind, without the shared ones.
            fn own(&self) -> serde_json::Result<serde_json::Value> {
                match self {
                    $(Study::$Kind(study) => serde_json::to_value(study),)+
                }
            }
        }

        impl Deref for Study {
            type Target = Spec;

            fn deref(&self) -> &Spec {
                match self {
                    $(Study::$Kind(study) => &study.spec,)+
                }
            }
        }

        impl DerefMut for Study {
            fn deref_mut(&mut self) -> &mut Spec {
                match self {
                    $(Study::$Kind(study) => &mut study.spec,)+
                }
            }
        }

        $(impl Deref for $Kind {
            type Target = Spec;

            fn deref(&self) -> &Spec {
                &self.spec
            }
        })+

        $(impl DerefMut for $Kind {
            fn deref_mut(&mut self) -> &mut Spec {
                &mut self.spec
            }
        })+

        $(impl From<$Kind> for Study {
            fn from(study: $Kind) -> Study {
                Study::$Kind(study)
            }
        })+

        pub enum Played {
            $(#[doc = $what] $Kind(Box<$room::Played>),)+
        }
    };
}

kinds! {
    Simulate simulate: "One table, many games.", programs true, unused "",
        asks "Who wins at this table, how, and with what confidence?";
    Compare compare: "The same games at different tables.", programs true, unused "",
        asks "What changes in the same games when rules or bots change?";
    Sweep sweep: "One table over a grid of values.", programs true, unused "",
        asks "Which value is best, and how flat is the optimum?";
    Tournament tournament: "All bots against each other.", programs true,
        unused tournament::UNUSED, asks "Which bot wins most often against the others, and which mix of bots is an \
            equilibrium?";
    Tune tune: "A search for good values.", programs false,
        unused tune::UNUSED, asks "Which values do best or meet the targets, and how much does each matter?";
    Solve solve: "Training of a bot.", programs false,
        unused solve::UNUSED, asks "What is the best play, and by how much can it still be beaten?";
    Analyse analyse: "The analysis of games.", programs false,
        unused analyse::UNUSED, asks "What was each decision worth, and what was luck?";
    Adapt adapt: "A population that knows the rules.", programs false,
        unused adapt::UNUSED, asks "How do players play once they know these rules?";
    Describe describe: "What a game is like.", programs false,
        unused describe::UNUSED, asks "What is this game like?";
    Rule rule: "A simple rule for the table.", programs false,
        unused rule::UNUSED, asks "Which simple rule plays nearly as well as the best?";
}

impl Played {
    pub fn outcome(&self) -> Outcome {
        match self {
            Played::Simulate(played) => played.outcome.clone(),
            Played::Compare(played) => played.outcome.clone(),
            Played::Sweep(played) => played.outcome.clone(),
            Played::Describe(played) => played.outcome.clone(),
            Played::Tournament(played) => played.outcome(),
            Played::Tune(played) => played.outcome(),
            Played::Solve(_) | Played::Analyse(_) | Played::Adapt(_) | Played::Rule(_) => {
                Outcome::default()
            }
        }
    }
}

impl Study {
    /// Whether something is expected of it, or it has targets.
    pub fn is_judged(&self) -> bool {
        let has_targets = matches!(self, Study::Tune(study) if !study.targets.is_empty());
        has_targets || self.decides() || !self.run.expect.is_empty()
    }

    /// Whether its games end with a verdict.
    pub fn decides(&self) -> bool {
        matches!(self, Study::Compare(study) if study.decide.is_some())
    }

    /// Whether its report has a page to print.
    pub fn is_to_print(&self) -> bool {
        matches!(self, Study::Rule(_) | Study::Describe(_))
    }

    /// The sides that play the same games, by name, each with its changes.
    pub fn sides(&self) -> Option<&IndexMap<String, Vec<String>>> {
        match self {
            Study::Compare(study) => Some(&study.sides.0),
            Study::Tournament(study) => Some(&study.sides.0),
            _ => None,
        }
    }

    /// Fills in the number of populations where bots are adapted; `None` elsewhere. Manifests of
    /// before, without the number, have one.
    fn fill_populations(&mut self, sources: &Sources, is_manifest: bool) -> Option<usize> {
        let mut bots = sources.strategies.iter();
        if sources.not_adapted.is_empty() && !bots.any(|bot| bot.name == ADAPTED) {
            return None;
        }
        match self {
            Study::Rule(_) | Study::Solve(_) | Study::Adapt(_) => Some(1),
            study if is_manifest => Some(study.run.populations.unwrap_or(1)),
            study => Some(*study.run.populations.get_or_insert(run::POPULATIONS)),
        }
    }

    /// The study, with the game's measure of minutes if it names it.
    fn with_minutes(&self) -> Result<Study, StudyError> {
        let mut study = self.clone();
        if names(self, PLAYING_MINUTES)? {
            study.table.define_minutes()?;
        }
        Ok(study)
    }

    /// The study with this number of games, or the fewest that learning takes, instead of its own.
    pub fn rehearsed(mut self, games: u64) -> Study {
        match &mut self {
            Study::Tune(tune) => tune.run.max_games = Some(games),
            Study::Solve(solve) => {
                solve.minutes = None;
                solve.run.fix_games(games.max(solve::GAMES_MIN));
            }
            Study::Compare(compare) => compare.fix_games(games),
            study => study.run.fix_games(games),
        }
        self
    }

    /// The study with more changes to its rules, and with the seed, number of players and bots that
    /// are given.
    pub fn varied(
        mut self,
        set: &[String],
        seed: Option<u64>,
        players: Option<usize>,
        seats: &[SeatSpec],
    ) -> Study {
        self.table.set.extend_from_slice(set);
        self.run.seed = seed.unwrap_or(self.run.seed);
        self.table.players = players.or(self.table.players);
        if !seats.is_empty() {
            self.table.seats = seats.to_vec();
        }
        self
    }
}

type Playing = Box<dyn FnOnce(&mut Player) -> Result<Played, Stopped>>;

pub struct Ready {
    known: Known<Study>,
    /// What makes the populations for which stand-ins sit at the tables; it must come first.
    pub plan: Vec<Adapt>,
    play: Playing,
}

impl Deref for Ready {
    type Target = Known<Study>;

    fn deref(&self) -> &Known<Study> {
        &self.known
    }
}

impl Ready {
    /// Plays the study; `None` if it was interrupted before it had a result.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        match (self.play)(player) {
            Ok(played) => Ok(Some(played)),
            Err(Stopped::Early) => Ok(None),
            Err(Stopped::NotKept(error)) => Err(error),
        }
    }
}
