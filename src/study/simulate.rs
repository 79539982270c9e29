//! The study of one table: which bots, which rules, how many games.

use super::error::StudyError;
use super::kind::{Capped, Interrupted, Known, Outcome};
use super::run::Spec;
use super::table::{SeatedTable, TableSpec, sources};
use super::typed::Example;
use carat_core::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use carat_core::library::Library;
use carat_core::numbers;
use carat_core::simulation::{Ending, Experiment, FAR, Goal, Missed, Player, Stopped, Tally};
use carat_core::statistics::Estimate;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "";

/// Seat bots at a table, play many games, and report who wins and why
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that --precision applies to: win_share, score_mean@2 (of seat 2), cards_per_game, …
    /// [default: win_share]
    #[arg(long, value_name = "METRIC", add = Example::of("\"win_share\""))]
    pub metric: Option<String>,
}

/// Fewest games by default at a table with seats that think.
const GAMES_OF_THINKERS: u64 = 100;

pub struct Resolved {
    pub study: Simulate,
    pub seated: SeatedTable,
    pub goal: Goal,
    /// The metric of the precision: the requested one, or the win share of every seat.
    pub metric: MetricRef,
}

impl Deref for Resolved {
    type Target = SeatedTable;

    fn deref(&self) -> &SeatedTable {
        &self.seated
    }
}

pub struct Played {
    pub resolved: Resolved,
    pub tally: Tally,
    /// Whether all games were played, or enough for the precision.
    pub ending: Ending,
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

impl Resolved {
    pub fn headline(&self) -> String {
        self.study.head.over(self.seated.headline())
    }

    /// Plays until the goal is reached or the player is stopped.
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let layout = self.table.layout();
        let games = self.study.run.dealt(self.game.chunk);
        let mut table = Experiment::apart(vec![self.table.as_ref()], games);
        let look = &mut |checkpoints: &mut Vec<Checkpoint>, table: &Experiment| {
            let tally = &table.tallies[0];
            // All but the last are about a quarter of a doubling apart, as fine as a chart can show.
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
            tally.estimates(layout, self.metric)
        };
        let watched = player.watch(&mut table, self.goal, self.metric, look)?;
        Ok(Played {
            tally: table.tallies.swap_remove(0),
            ending: watched.ending,
            checkpoints: watched.seen,
            state: watched.state,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Simulate> {
        let mut warnings = self.warnings.clone();
        if self.seats.iter().any(|seat| seat.mind().is_some()) {
            let cost = numbers::count(self.table.cost());
            warnings.push(format!(
                "some bots think: a game takes about {cost} times as long as without"
            ));
        }
        if self.study.metric.is_some() && self.study.run.precision.is_none() {
            warnings.push("metric has no effect without precision".to_string());
        }
        let labels = self.seats.iter().map(|seat| seat.person.clone()).collect();
        Known {
            only_table: Some((Arc::clone(&self.table), labels)),
            ..Known::of(&self.study, self.game, sources([&self.seated]), warnings)
        }
    }
}

impl Outcome for Played {
    fn interrupted(&self) -> Option<Interrupted> {
        (self.ending == Ending::Stopped).then_some(Interrupted {
            games: self.tally.games,
            most: self.resolved.goal.most(),
        })
    }

    fn missed(&self) -> Option<Missed> {
        if self.ending == Ending::Stopped {
            return None;
        }
        let layout = self.resolved.table.layout();
        let estimates = self.tally.estimates(layout, self.resolved.metric);
        self.resolved.goal.missed(&estimates)
    }

    fn passes(&self) -> u64 {
        self.tally.passes(self.resolved.table.layout())
    }

    fn capped(&self) -> Vec<Capped> {
        let layout = self.resolved.table.layout();
        Vec::from_iter(Capped::of(String::new(), layout, &self.tally))
    }
}

/// Limits tables to the same games, as many as the smallest of their budgets.
pub fn play_alike<'a>(tables: impl IntoIterator<Item = &'a mut Resolved>) {
    let tables = Vec::from_iter(tables);
    let games = tables.iter().filter_map(|table| table.study.run.games);
    if let Some(games) = games.min() {
        for table in tables {
            table.study.run.games = Some(games);
            table.goal = Goal::Games(games);
        }
    }
}

impl Simulate {
    /// The study of a table that is one of several in a study.
    pub fn of(table: TableSpec, spec: &Spec, metric: &Option<String>) -> Simulate {
        Simulate {
            spec: Spec {
                table,
                ..spec.clone()
            },
            metric: metric.clone(),
        }
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let seated = self.table.resolve(library)?;
        let game = seated.game;
        let mut study = self.clone();
        study.table.clone_from(&seated.spec);
        let run = &mut study.run;
        if run.precision.is_none() && run.games.is_none() {
            let games = game.games / seated.table.cost();
            run.games = Some(games.clamp(GAMES_OF_THINKERS, game.games));
        }
        let goal = run.fill_goal(game)?;
        let metric = self.metric.as_deref().unwrap_or(WIN_SHARE);
        let metric = MetricRef::find(seated.table.layout(), metric)?;
        Ok(Resolved {
            study,
            seated,
            goal,
            metric,
        })
    }
}
