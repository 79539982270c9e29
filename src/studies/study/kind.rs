//! The interface of all kinds of study with resolved names.

use super::remark::Remark;
use carat_core::game::{CAPPED_RATE, Game, Layout, MetricRef, Table};
use carat_core::library::Sources;
use carat_core::simulation::{Missed, Tally, TargetVerdict};
use carat_core::statistics::Estimate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What the results of every kind of study have; the default for learning and analyses.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The number of finished games, if the study was stopped early.
    pub interrupted: Option<Interrupted>,
    /// The shortfall of the requested precision, unless the study was stopped.
    pub missed: Option<Missed>,
    /// What the study expects of its tables.
    pub expectations: Vec<Expectation>,
    /// Decisions that programs failed to take.
    pub passes: u64,
    /// The tables at which a cap of the rules may end games.
    pub capped: Vec<Capped>,
    /// The measures that are quotients: their games of a division by 0, and all games.
    pub undefined: BTreeMap<&'static str, [u64; 2]>,
}

impl Outcome {
    /// Adds the games of a table.
    pub fn add(&mut self, name: String, layout: &Layout, tally: &Tally) {
        self.capped.extend(Capped::of(name, layout, tally));
        for (measure, at) in layout.quotients() {
            let games = self.undefined.entry(measure).or_default();
            games[0] += tally.counts[at];
            games[1] += tally.games;
        }
    }
}

/// A range in which a metric is expected at a table, and what the games say about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    pub metric: String,
    /// The table; empty where the study has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// The range as written: `31..37`.
    pub range: String,
    pub verdict: TargetVerdict,
    /// The metric with the interval that the verdict rests on; `None` if its divisor is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Estimate>,
}

impl Expectation {
    /// How many have this verdict.
    pub fn count(all: &[Expectation], verdict: TargetVerdict) -> usize {
        all.iter().filter(|it| it.verdict == verdict).count()
    }

    /// The metric, its range and the table: `cards_per_game=31..37 at b`.
    pub fn named(&self) -> String {
        let at = match self.at.as_str() {
            "" => String::new(),
            at => format!(" at {at}"),
        };
        format!("{}={}{at}", self.metric, self.range)
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.named())?;
        self.found.map_or(Ok(()), |found| write!(f, " is {found}"))
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
#[derive(Debug, Clone)]
pub struct Capped {
    pub name: String,
    pub games: u64,
    pub share: f64,
    /// The length of its games, if known.
    pub length: Option<Length>,
}

/// Mean and median length of games, and what they are counted in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Length {
    pub mean: f64,
    pub median: usize,
    pub unit: String,
}

impl Capped {
    /// A table with these games; `None` if the game has no cap.
    pub fn of(name: String, layout: &Layout, tally: &Tally) -> Option<Capped> {
        let value = |metric| Some(tally.estimate(layout, MetricRef::of_table(metric))?.value);
        let length = layout.lengths.as_ref().and_then(|lengths| {
            Some(Length {
                mean: value(lengths.mean)?,
                median: tally.counted(layout).median_length(lengths),
                unit: lengths.unit.to_string(),
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
pub struct Known<Study> {
    /// The study, with every default filled in.
    pub study: Study,
    pub game: &'static Game,
    pub sources: Sources,
    pub warnings: Vec<Remark>,
    pub only_table: Option<LabelledTable>,
}

impl<Study: Clone> Known<Study> {
    pub fn of(
        study: &Study,
        game: &'static Game,
        sources: Sources,
        warnings: Vec<Remark>,
    ) -> Known<Study> {
        Known {
            study: study.clone(),
            game,
            sources,
            warnings,
            only_table: None,
        }
    }
}
