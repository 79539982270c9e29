//! The arms of a study: the tables that it compares, each the table of the study with some changes;
//! and the design by which they are played.

use super::each::NumberStep;
use super::error::StudyError;
use super::gates::{Place, expectations, gates};
use super::kind::{Interrupted, Outcome};
use super::path::Path;
use super::paths::changed;
use super::run::RunSpec;
use super::table::{SeatedTable, TableSpec};
use carat_core::game::{Layout, MetricRef, WIN_SHARE};
use carat_core::library::Library;
use carat_core::simulation::{Design, Ending, Tally};
use carat_core::statistics::Estimate;
use std::sync::Arc;

pub struct Arm {
    /// What tells it from the others; empty if it is alone.
    pub name: String,
    pub values: Vec<String>,
    /// The names by which an expectation selects it.
    pub at: Vec<String>,
    pub step: Option<NumberStep>,
    pub seated: SeatedTable,
}

/// Fewest games by default at a table with seats that think.
const GAMES_OF_THINKERS: u64 = 100;

impl Arm {
    pub fn resolve(
        name: &str,
        base: &TableSpec,
        changes: &[(Path, String)],
        library: &Library,
    ) -> Result<Arm, StudyError> {
        Ok(Arm {
            name: name.to_string(),
            at: Vec::new(),
            values: changes.iter().map(|(_, value)| value.clone()).collect(),
            step: None,
            seated: changed(base, changes)?.resolve(library)?,
        })
    }

    fn place(&self) -> Place<'_> {
        Place {
            layout: self.layout(),
            at: &self.at,
        }
    }

    pub fn layout(&self) -> &Layout {
        self.seated.table.layout()
    }
}

/// The design of these arms, each in a group. All arms have the metric, by default the win share,
/// and play the same games: by default as many as suit the slowest, which `run` is told.
pub fn design(
    arms: &mut [Arm],
    groups: Vec<usize>,
    metric: Option<&str>,
    run: &mut RunSpec,
) -> Result<Design, StudyError> {
    // Those of a group take turns alike, so that each population is compared with its own.
    let mut populations = vec![0; arms.len()];
    for (arm, &group) in arms.iter().zip(&groups) {
        populations[group] = arm.layout().populations.max(populations[group]);
    }
    for (arm, &group) in arms.iter_mut().zip(&groups) {
        let table = Arc::get_mut(&mut arm.seated.table).expect("a table of its own");
        table.layout_mut().populations = populations[group];
    }
    let game = arms[0].seated.game;
    let tables = arms.iter().map(|arm| &arm.seated.table);
    let cost = tables.clone().map(|table| table.cost()).max();
    let games = game.games / cost.unwrap_or(1);
    let games = games.clamp(GAMES_OF_THINKERS, game.games);
    let gates = gates(&run.expect, &Vec::from_iter(arms.iter().map(Arm::place)))?;
    let goal = if gates.is_empty() {
        run.fill_goal(games)?
    } else {
        run.fill_judging(games)?
    };
    let found = |arm: &Arm| MetricRef::find(arm.layout(), metric.unwrap_or(WIN_SHARE));
    Ok(Design {
        metric: arms.iter().map(found).collect::<Result<Vec<_>, _>>()?[0],
        arms: tables.cloned().collect(),
        groups,
        goal,
        games: run.dealt(game.chunk),
        seeds: Vec::new(),
        gates,
    })
}

/// What is reported of games that ended with these sums and estimates of the metric.
pub fn outcome(
    arms: &[Arm],
    tallies: &[Tally],
    ending: Ending,
    design: &Design,
    known: &[Estimate],
) -> Outcome {
    let mut outcome = Outcome::default();
    for (arm, tally) in arms.iter().zip(tallies) {
        outcome.passes += tally.passes(arm.layout());
        outcome.add(arm.name.clone(), arm.layout(), tally);
    }
    match ending {
        Ending::Complete => {
            outcome.missed = design.goal.missed(known);
            let places = Vec::from_iter(arms.iter().map(Arm::place));
            outcome.expectations = expectations(&design.gates, &places, tallies);
        }
        Ending::Stopped => {
            let (games, most) = (tallies[0].games, design.goal.most());
            outcome.interrupted = Some(Interrupted { games, most });
        }
    }
    outcome
}
