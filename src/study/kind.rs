//! The interface of all kinds of study with resolved names.

use super::{Adapt, Played, Study};
use carat_core::game::{CAPPED_RATE, Game, Layout, MetricRef, Table};
use carat_core::library::Sources;
use carat_core::simulation::{Missed, NotKept, Player, Stopped, Tally};
use std::ops::Deref;
use std::sync::Arc;

pub trait Outcome {
    /// The number of finished games, if the study was stopped early.
    fn interrupted(&self) -> Option<Interrupted> {
        None
    }

    /// The shortfall of the requested precision, unless the study was stopped.
    fn missed(&self) -> Option<Missed> {
        None
    }

    /// Decisions that programs failed to take.
    fn passes(&self) -> u64 {
        0
    }

    /// The tables at which a cap of the rules may end games; none for learning and analyses.
    fn capped(&self) -> Vec<Capped> {
        Vec::new()
    }
}

/// A stopped study with results of the games until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted {
    pub games: u64,
    /// Most games that it would have played.
    pub most: u64,
}

/// A table, or several that played the same bots.
pub struct Capped {
    pub name: String,
    pub games: u64,
    pub share: f64,
    /// The length of its games, if known.
    pub length: Option<Length>,
}

/// Mean and median length of games, and what they are counted in.
pub struct Length {
    pub mean: f64,
    pub median: usize,
    pub unit: &'static str,
}

impl Capped {
    /// A table with these games; `None` if the game has no cap.
    pub fn of(name: String, layout: &Layout, tally: &Tally) -> Option<Capped> {
        let value = |metric| Some(tally.estimate(layout, MetricRef::of_table(metric))?.value);
        let length = layout.lengths.as_ref().and_then(|lengths| {
            Some(Length {
                mean: value(lengths.mean)?,
                median: tally.counted(layout).median_length(lengths),
                unit: lengths.unit,
            })
        });
        Some(Capped {
            share: value(CAPPED_RATE)?,
            name,
            games: tally.games,
            length,
        })
    }
}

/// A table, and the labels of its seats.
pub type LabelledTable = (Arc<dyn Table>, Vec<Option<String>>);

/// What is known of a study with resolved names.
pub struct Known {
    /// The study, with every default filled in.
    pub study: Study,
    pub game: &'static Game,
    pub sources: Sources,
    pub warnings: Vec<String>,
    pub only_table: Option<LabelledTable>,
}

impl Known {
    pub fn of(
        study: &(impl Into<Study> + Clone),
        game: &'static Game,
        sources: Sources,
        warnings: Vec<String>,
    ) -> Known {
        Known {
            study: study.clone().into(),
            game,
            sources,
            warnings,
            only_table: None,
        }
    }
}

type Playing = Box<dyn FnOnce(&mut Player) -> Result<Played, Stopped>>;

pub struct Ready {
    pub(super) known: Known,
    /// What makes the populations for which stand-ins sit at the tables; it must come first.
    pub plan: Vec<Adapt>,
    pub(super) play: Playing,
}

impl Deref for Ready {
    type Target = Known;

    fn deref(&self) -> &Known {
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
