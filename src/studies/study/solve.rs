//! The study of learning: trains a bot, and measures how far it can be beaten.

use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, one_of, parse_toml};
use super::run::Spec;
use carat_core::diagnostic::{Diagnostic, Fault};
use carat_core::game::{Game, Seating};
use carat_core::learning::{Objective, whole_batches};
use carat_core::library::Library;
use carat_core::overrides::apply;
use carat_core::simulation::{Player, Stopped};
use carat_core::strategy::{Grid, Seat, SeatSpec, Strategy};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "others people seating precision max_games populations measures";

mod attack;
mod learners;
mod play;
mod scored;
mod session;

pub use attack::{Attack, Start};
pub use learners::LearnersTable;
pub use play::PolicyPlayed;
pub use scored::{LearntRound, Scored, ScoredPlayed, Thought, Without};
pub use session::{BesideLearnt, Milestone};

/// Default number of games to learn from.
const GAMES: u64 = 100_000_000;
/// The name for learning from scratch.
const NOTHING: &str = "nothing";
pub const GAMES_MIN: u64 = 100_000;

#[cfg(feature = "clap")]
const AGAINST: &str =
    "An opponent to train against, `[copies*]BOT[:param=value,…]`; repeat for more";
#[cfg(feature = "clap")]
const GAMES_HELP: &str =
    "Number of training games [default: 100M, in Diamond Cave 2.56M, in Diamond Miner 256k]";

/// Train a bot, and measure by how much it can be beaten
///
/// Without --against, carat trains all seats by self-play, then trains attackers against the result
/// and reports the gain of the strongest. With --against, it trains one seat to play its best
/// against these bots. carat writes solved.toml, a bot that any study can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_arg("seats", |seats| seats.long("against").help(AGAINST))))]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| arg.help(GAMES_HELP).add(Example::of("\"200k\"")))))]
pub struct Solve {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that training maximizes: win_share or score_mean
    #[cfg_attr(feature = "clap", arg(long, value_name = "OBJECTIVE", default_value = "win_share", value_parser = one_of::<Objective>(&["win_share", "score_mean"]), add = Example::of("\"win_share\"")))]
    pub objective: Option<Objective>,
    /// Training time in minutes, instead of a number of games. In Diamant this includes the
    /// attacks, which take about four fifths; in the other games, measuring the result takes extra
    /// time. The manifest records the number of games
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", conflicts_with = "games", allow_negative_numbers = true, value_parser = super::typed::parse_positive, add = Example::of("5")))]
    pub minutes: Option<f64>,
    /// A trained bot to start from, or `nothing` [default: the included bot for this number of
    /// players, if it has the same axes]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"nothing\"")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Stop training once a quick attack gains at most this win share; 0.01 is one percentage point
    #[cfg_attr(feature = "clap", arg(long, value_name = "GAIN", allow_negative_numbers = true, value_parser = super::typed::parse_positive, add = Example::of("0.01")))]
    pub until: Option<f64>,
    /// The axes of the policy, in the form of a study file
    #[cfg_attr(feature = "clap", arg(long, value_name = "AXES", hide = true, value_parser = parse_toml::<Grid>, add = Example::of("[{ name = \"policy\", axes = [{ of = \"traps_seen\", edges = [1, 2] }] }]")))]
    pub axes: Option<Grid>,
}

pub enum Played {
    Policy(Box<PolicyPlayed>),
    Scored(Box<ScoredPlayed>),
}

pub enum Resolved {
    Policy(Box<Policy>),
    Scored(Box<Scored>),
}

/// The training of a policy over cells.
pub struct Policy {
    table: LearnersTable,
    /// The axes of the policy.
    pub grid: Grid,
    /// The axes of attacks.
    pub finer: Grid,
    /// The bot that learning starts from, and what it plays in each cell.
    pub from: Option<(Seat, Vec<u8>)>,
}

impl Deref for Policy {
    type Target = LearnersTable;

    fn deref(&self) -> &LearnersTable {
        &self.table
    }
}

impl Solve {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        Ok(match game.training {
            Some(how) => Resolved::Scored(Box::new(self.scored(game, how, library)?)),
            None => Resolved::Policy(Box::new(self.policy(game, library)?)),
        })
    }

    fn policy(&self, game: &'static Game, library: &Library) -> Result<Policy, StudyError> {
        let mut table = self.learners_table(game, (GAMES, GAMES_MIN), library)?;
        table.study.run.games = table.study.run.games.map(whole_batches);
        let school = table.checked.school();
        let school = school.expect("games without settings of training have one");
        let (players, learners) = (table.players(), table.learners);
        let wins = table.wins();
        let own = || school.grid(players, wins, learners == 1);
        let grid = self.axes.clone().unwrap_or_else(own);
        let extra = school.finer(players, wins);
        // A lone learner uses all axes.
        let grid = match (learners, &self.axes) {
            (1, None) => grid.finer(&extra),
            _ => grid,
        };
        let finer = grid.finer(&extra);
        for grid in [&grid, &finer] {
            let faulty = |fault: Diagnostic| StudyError::Refused(fault.to_string());
            grid.check(game.vocabulary).map_err(faulty)?;
            // Each axis is valid, but all together may be too long.
            let whole = |fault: Fault| {
                let fault = Fault::new(0..0, fault.message, "all axes together");
                faulty(fault.in_file("axes", ""))
            };
            let cell = grid.formula(game.vocabulary).map_err(whole)?;
            school.lesson(&cell, learners, &table.others)?;
            let text = grid.bot(game.vocabulary.question, "", &vec![0; grid.cells()]);
            let bot = Strategy::from_toml("solved", "solved", &text, game.vocabulary);
            let bot = bot.map_err(|fault| whole(fault.fault))?;
            let bot = Seat::new(bot, &[]);
            let bot = bot.map_err(|error| whole(Fault::new(0..0, error.to_string(), "")))?;
            let alone = vec![bot; players];
            table.checked.table(&alone, Seating::default())?;
        }
        table.study.axes = Some(grid.clone());
        let from = self.starting_bot(&table, &grid, library)?;
        let name = from.as_ref().map_or(NOTHING, |(bot, _)| &bot.strategy.name);
        table.study.from = Some(name.to_string());
        table.seat_standing(library)?;
        Ok(Policy {
            table,
            grid,
            finer,
            from,
        })
    }

    /// The bot that learning starts from, and what it plays in each cell.
    fn starting_bot(
        &self,
        table: &LearnersTable,
        grid: &Grid,
        library: &Library,
    ) -> Result<Option<(Seat, Vec<u8>)>, StudyError> {
        let Some(name) = table.start(self.from.as_deref(), library) else {
            return Ok(None);
        };
        let bot = match library.seats(table.game, &SeatSpec::of(&name)) {
            Ok(mut bots) => bots.remove(0),
            // Manifests of older versions lack it: learning started from scratch.
            Err(_) if self.from.is_none() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let alone = vec![bot.clone(); table.players()];
        let seated = table.checked.table(&alone, Seating::default());
        if seated.is_err() && self.from.is_none() {
            return Ok(None);
        }
        seated?;
        let policy = policy_of(&bot, table, grid);
        if policy.is_none() && self.from.is_some() {
            refuse!(
                "from = {name:?}: training cannot start from this bot, which has other features; \
                 name a bot that `carat solve` wrote for this game and number of players, or \
                 `{NOTHING}`"
            );
        }
        Ok(policy.map(|policy| (bot, policy)))
    }
}

/// The play of a learnt bot in each cell of a grid, if its axes fit.
fn policy_of(bot: &Seat, table: &LearnersTable, grid: &Grid) -> Option<Vec<u8>> {
    let own_rules = bot.strategy.made_for.as_ref().and_then(|made_for| {
        let mut editions = table.game.editions.iter();
        let edition = editions.find(|edition| Some(edition.name) == made_for.rules.as_deref())?;
        let rules = apply(edition.name, edition.text, &made_for.set).ok()?;
        table.game.rules(edition.name, &rules).ok()
    });
    let school = own_rules.as_ref().unwrap_or(&table.checked).school()?;
    let own_grid = school.grid(table.players(), table.wins(), table.learners == 1);
    let policy = own_grid.policy(&bot.strategy.text)?;
    let inherited = attack::inherited(grid, &own_grid, &policy);
    (inherited.len() == grid.cells()).then_some(inherited)
}

impl Resolved {
    pub fn known(&self) -> Known<Solve> {
        match self {
            Resolved::Policy(policy) => policy.known(&[]),
            Resolved::Scored(scored) => scored.known(&scored.bots()),
        }
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        Ok(match self {
            Resolved::Policy(policy) => Played::Policy(Box::new(policy.play(player)?)),
            Resolved::Scored(scored) => Played::Scored(Box::new(scored.play(player)?)),
        })
    }
}

impl Policy {
    fn bot(&self, name: &str, description: &str, grid: &Grid, policy: &[u8]) -> Seat {
        let question = self.game.vocabulary.question;
        self.read(name, &grid.bot(question, description, policy))
    }
}
