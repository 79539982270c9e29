//! What is learnt, as it is written down, and why it cannot be.

use crate::catalog::those;
use crate::diagnostic::{Diagnostic, counted};
use crate::game::Game;
use crate::learning::Objective;
use crate::strategy::Grid;
use crate::study::error::KindError;
use crate::study::run::{self, Head};
use crate::study::table::TableSpec;
use serde::{Deserialize, Serialize};

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

impl KindError for SolveError {}
