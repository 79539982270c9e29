//! The study of a game itself: play that is learnt, and how far it can be beaten.

use super::error::KindError;
use super::library::Library;
use super::run;
use super::{Head, Kind, Outcome, Ready, RunSpec, Setting, Study, StudyError, TableSpec};
use crate::catalog::those;
use crate::diagnostic::{Diagnostic, Fault, counted};
use crate::game::{CardShape, Game, SCORE_MEAN, Seating};
use crate::learning::{Objective, whole_batches};
use crate::strategy::{Grid, Seat, Strategy};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

mod attack;
mod card;
mod learners;
mod play;
mod scored;

pub use attack::{Attack, Start};
pub use card::{FittedCard, NEVER};
pub use learners::LearnersTable;
pub use play::{BesideLearnt, Milestone, PolicyPlayed};
pub use scored::{LearntRound, Scored, ScoredPlayed, Thought, Without};

/// Games that are learnt from when neither games nor minutes are given.
const GAMES: u64 = 100_000_000;
/// Fewest games to learn from.
pub const GAMES_MIN: u64 = 100_000;

/// What is learnt, at which table, and for how long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    #[serde(skip_serializing)]
    pub head: Head,
    /// The game, its rules and players, and the bots that do not learn.
    #[serde(skip_serializing)]
    pub table: TableSpec,
    /// Number of games to learn from.
    #[serde(default, deserialize_with = "run::count")]
    pub games: Option<u64>,
    /// Seed of all random numbers.
    #[serde(
        default = "run::first_seed",
        deserialize_with = "run::seed",
        serialize_with = "run::written_seed"
    )]
    pub seed: u64,
    pub objective: Option<Objective>,
    /// Take about so long, attacks included, instead of so many games.
    pub minutes: Option<f64>,
    /// Learn until the gain that is found is no more than this.
    pub until: Option<f64>,
    /// What the policy looks at.
    pub axes: Option<Grid>,
}

/// Why a game cannot be solved as asked.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The game has no learner.
    #[error("{0} cannot be solved: only {known} can\nto see how far a bot can be beaten, seat the same bot beside it and let it think: BOT:playouts=256", known = those(Game::can_be_learnt, |game| game.title))]
    Game(&'static str),
    /// Everyone is a bot.
    #[error("{} for {}: nobody is left to learn", counted(*bots, "bot"), counted(*players, "player"))]
    NobodyLearns { bots: usize, players: usize },
    /// A bot that thinks is too slow to learn against.
    #[error("{0}: learning takes millions of games; name a bot that does not think")]
    Thinks(String),
    /// What is learnt cannot be added to the first bot's score.
    #[error("learning begins from `{0}`, whose file here {1}; rename your own file of that name")]
    First(&'static str, String),
    /// Several learn beside bots.
    #[error(
        "{learners} seats would learn beside bots: name one bot fewer than there are players, or none"
    )]
    SeveralLearn { learners: usize },
    /// One who is alone always wins.
    #[error("players = 1: one who is alone always wins; ask for objective = \"score_mean\"")]
    Alone,
    /// Not a length of time.
    #[error("minutes = {0}: write a number above 0")]
    Minutes(f64),
    #[error("until = {0}: write a gain above 0, such as 0.01 for a percentage point")]
    Until(f64),
    /// A gain of what has none.
    #[error(
        "until: there is a gain only where learners play among themselves, for the share of the wins"
    )]
    NoGain,
    #[error("games = {games}: learning takes at least {least}")]
    Games { games: u64, least: u64 },
    #[error("games and minutes: give one of them")]
    GamesAndMinutes,
    #[error("axes: {0} is learnt by scoring options, not by cells; leave axes out")]
    NoAxes(&'static str),
    /// The axes are faulty.
    #[error("{0}")]
    Axes(Box<Diagnostic>),
}

/// What came out when a game was solved.
pub enum Played {
    /// A policy over cells was learnt.
    Policy(Box<PolicyPlayed>),
    /// It was learnt to score options.
    Scored(Box<ScoredPlayed>),
}

/// A study of a policy over cells, with every name looked up, ready to be played.
pub struct Resolved {
    table: LearnersTable,
    /// What the policy looks at.
    pub grid: Grid,
    /// What the attack looks at.
    pub finer: Grid,
}

impl Deref for Resolved {
    type Target = LearnersTable;

    fn deref(&self) -> &LearnersTable {
        &self.table
    }
}

impl Solve {
    /// Looks up everything that the study names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a table, and those of learning.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let mut table = self.learners_table(game, (GAMES, GAMES_MIN), library)?;
        table.study.games = table.study.games.map(whole_batches);
        let Some(school) = table.checked.school() else {
            return Err(SolveError::Game(game.title).into());
        };
        let (players, learners) = (table.players(), table.learners);
        let wins = table.objective() == Objective::WinShare;
        let own = || school.grid(players, wins, learners == 1);
        let grid = self.axes.clone().unwrap_or_else(own);
        let extra = school.finer(players, wins);
        // One who learns alone may look at everything.
        let grid = match (learners, &self.axes) {
            (1, None) => grid.finer(&extra),
            _ => grid,
        };
        let finer = grid.finer(&extra);
        for grid in [&grid, &finer] {
            let faulty = |diagnostic| SolveError::Axes(Box::new(diagnostic));
            grid.check(game.vocabulary).map_err(faulty)?;
            // Each of the axes is right by itself, but all together may be too long.
            let whole = |fault: Fault| {
                let fault = Fault::new(0..0, fault.message, "all axes together");
                faulty(fault.in_file("axes", ""))
            };
            let cell = grid.formula(game.vocabulary).map_err(whole)?;
            school.lesson(&cell, learners, &table.others)?;
            let text = grid.bot(game.vocabulary.question, "", &vec![0; grid.cells()]);
            let bot = Strategy::from_toml("solved", "solved", &text, game.vocabulary);
            let bot = bot.map_err(|fault| whole(Fault::new(0..0, fault.fault.message, "")))?;
            let bot = Seat::new(bot, &[])
                .map_err(|error| whole(Fault::new(0..0, error.to_string(), "")))?;
            table
                .checked
                .table(&vec![bot; players], Seating::default())?;
        }
        table.study.axes = Some(grid.clone());
        Ok(Resolved { table, grid, finer })
    }
}

impl Resolved {
    /// The card for this table, where there is one.
    pub fn card(&self) -> Option<CardShape> {
        let school = self.checked.school()?;
        school.card(self.players())
    }

    /// The bot that this policy over this grid is.
    fn bot(&self, name: &str, description: &str, grid: &Grid, policy: &[u8]) -> Seat {
        let question = self.game.vocabulary.question;
        self.read(name, &grid.bot(question, description, policy))
    }
}

impl Kind for Solve {
    fn parts(&self) -> (&Head, &TableSpec, RunSpec) {
        let run = RunSpec {
            games: self.games,
            seed: self.seed,
            ..RunSpec::default()
        };
        (&self.head, &self.table, run)
    }

    fn question(&self) -> &'static str {
        "How to play, and how far can that be beaten?"
    }

    fn settings(&self) -> Vec<Setting> {
        let objective = self.objective.filter(|of| *of == Objective::ScoreMean);
        let objective = objective.map(|_| Setting::new("", "objective", SCORE_MEAN));
        let minutes = self.minutes.map(|time| Setting::new("", "minutes", time));
        let until = self.until.map(|gain| Setting::new("", "until", gain));
        [objective, minutes, until].into_iter().flatten().collect()
    }

    fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let game = self.table.game()?;
        if let Some(how) = game.training() {
            return Ok(self.scored(game, how, library)?.ready()?);
        }
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: Study::Solve(resolved.study.clone()),
            game: resolved.game,
            sources: resolved.sources(&[]),
            warnings: resolved.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| {
                let played = resolved.play(player)?;
                Ok(played.map(|played| Played::Policy(Box::new(played)).into()))
            }),
        })
    }
}

impl Outcome for Played {}

impl KindError for SolveError {}
