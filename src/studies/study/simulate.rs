//! The study of one table: which bots, which rules, how many games.

use super::arms::{Arm, design, outcome};
use super::error::StudyError;
use super::kind::{Known, Outcome};
#[cfg(feature = "clap")]
use super::options::Example;
use super::remark::Remark;
use super::run::Spec;
use super::table::{SeatedTable, sources};
use carat_core::game::{SCORE_MEAN, WIN_SHARE};
use carat_core::library::Library;
use carat_core::simulation::{Design, Experiment, FAR, Player, Stopped, Tally};
use carat_core::statistics::Estimate;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

/// Seat bots at a table, play many games, and report who wins and why
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that --precision applies to: win_share, score_mean@2 (of seat 2), cards_per_game,
    /// … [default: win_share]
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC", add = Example::of("\"win_share\"")))]
    pub metric: Option<String>,
}

pub struct Resolved {
    pub study: Simulate,
    pub arm: Arm,
    pub design: Design,
}

impl Deref for Resolved {
    type Target = SeatedTable;

    fn deref(&self) -> &SeatedTable {
        &self.arm.seated
    }
}

pub struct Played {
    pub resolved: Resolved,
    pub tally: Tally,
    pub outcome: Outcome,
    pub checkpoints: Vec<Checkpoint>,
    /// The sums that later games are added to.
    pub state: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub games: u64,
    pub win_shares: Vec<Estimate>,
    pub scores: Vec<Estimate>,
}

impl Simulate {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut arm = Arm::resolve("", &self.table, &[], library)?;
        let table = Arc::get_mut(&mut arm.seated.table).expect("a table of its own");
        table.layout_mut().has_histograms = true;
        let mut study = self.clone();
        study.table.clone_from(&arm.seated.spec);
        let (arms, metric) = (slice::from_mut(&mut arm), self.metric.as_deref());
        Ok(Resolved {
            design: design(arms, vec![0], metric, &mut study.run)?,
            study,
            arm,
        })
    }
}

impl Resolved {
    pub fn headline(&self) -> String {
        self.study.head.over(self.arm.seated.headline())
    }

    /// Plays until the goal is reached or the player is stopped.
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let Design { metric, goal, .. } = self.design;
        let layout = self.table.layout();
        let mut run = self.design.experiment();
        let look = &mut |checkpoints: &mut Vec<Checkpoint>, run: &Experiment| {
            let tally = &run.tallies[0];
            // All but the last are about a quarter of a doubling apart, as fine as a chart can
            // show.
            if let [.., before, last] = checkpoints.as_slice()
                && (last.games as f64) < before.games as f64 * FAR
            {
                checkpoints.pop();
            }
            checkpoints.push(Checkpoint {
                games: tally.games,
                win_shares: tally.seats(layout, WIN_SHARE),
                scores: tally.seats(layout, SCORE_MEAN),
            });
            let margins = self.design.margins(run);
            margins.unwrap_or_else(|| tally.estimates(layout, metric))
        };
        let watched = player.watch(&mut run, goal, metric, look)?;
        let tally = run.tallies.swap_remove(0);
        let known = tally.estimates(layout, metric);
        let (arms, tallies) = (slice::from_ref(&self.arm), slice::from_ref(&tally));
        Ok(Played {
            outcome: outcome(arms, tallies, watched.ending, &self.design, &known),
            tally,
            checkpoints: watched.seen,
            state: watched.state,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Simulate> {
        let mut warnings = self.warnings.clone();
        if self.seats.iter().any(|seat| seat.mind().is_some()) {
            warnings.push(Remark::Thinking(self.table.cost()));
        }
        if self.study.metric.is_some() && self.study.run.precision.is_none() {
            warnings.push(Remark::UnusedMetric);
        }
        let labels = self.seats.iter().map(|seat| seat.person.clone()).collect();
        Known {
            only_table: Some((Arc::clone(&self.table), labels)),
            ..Known::of(
                &self.study,
                self.game,
                sources([&self.arm.seated]),
                warnings,
            )
        }
    }
}
