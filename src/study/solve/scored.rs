//! Play that is learnt where bots score their options (approximate policy iteration by rollouts:
//! Lagoudakis and Parr 2003).
//!
//! Games of the present bot are taken apart: playouts value the options of some of its decisions, and
//! a sum of small tables is fitted to them. The new bot is kept if it is clearly better than the
//! present one in fresh games, and learning goes on from it.

mod rounds;

use super::differing::{DifferingDecision, differing};
use super::play::{OF_CHOICE, Session, Stopped};
use super::{BesideLearnt, LookedUp, Played, Solve, SolveError};
use crate::diagnostic::counted;
use crate::formula::Value;
use crate::game::{ByOptions, Game, Rules, SCORE_MEAN, Seating, Table, WIN_SHARE};
use crate::learning::Objective;
use crate::learning::additive::{self, Additive, Decisions, Shape};
use crate::learning::bot::{self, Base};
use crate::learning::samples::{Sample, Sampler, Sampling, Told};
use crate::numbers;
use crate::simulation::{NotKept, Player};
use crate::statistics::Estimate;
use crate::strategy::{Mind, Seat, SeatSpec, Strategy};
use crate::study::library::{Library, SourceText, Sources};
use crate::study::{Ready, Study, StudyError};
use crate::thinking;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Rounds of learning when neither games nor minutes are given.
const ROUNDS: u64 = 8;
/// Fewest games to learn from.
const GAMES_MIN: u64 = 10;
/// Rounds whose decisions are remembered.
const REMEMBERED: usize = 4;
/// Games that are taken apart at a time, between looks at the clock.
const AT_A_TIME: u64 = 50;
/// Most look-up tables of a bot, and of a simple one.
const TABLES: usize = 30;
const SIMPLE: usize = 6;
/// A figure is of so many times the games that are taken apart in a round, …
const REPORTED: u64 = 5;
/// … and of so many where a seat thinks, fewer where not even a round of games is taken apart.
const OF_THINKING: [u64; 2] = [400, 100];
/// Features that say nothing of an option.
const CHANCE: [&str; 2] = ["random", "noise"];

/// A study of a game whose bots score options, with every name looked up.
pub struct Scored {
    /// The study with every default filled in.
    pub study: Solve,
    /// Its game.
    pub game: &'static Game,
    /// The rules file, before the changes that the study makes to it.
    pub rules: SourceText,
    /// The bots that do not learn.
    pub others: Vec<Seat>,
    /// Seats that learn.
    pub learners: usize,
    /// The bot that is there at first.
    pub first: Seat,
    /// The game's own bots.
    pub field: Vec<Seat>,
    how: ByOptions,
    warnings: Vec<String>,
    checked: Box<dyn Rules>,
}

/// What a round of learning brought.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LearntRound {
    /// Games that were taken apart by then.
    pub games: u64,
    /// Decisions that the bot was fitted to.
    pub decisions: u64,
    /// Decisions that were new in this round.
    own: u64,
    /// What the new bot gets beside copies of the first one, or beside the bots of the table.
    pub beside_first: Estimate,
    /// What it gets beside copies of the one before, or what that gets beside the bots of the table.
    pub beside_before: Estimate,
    /// Whether it was kept.
    pub kept: bool,
    /// The file of the bot.
    pub text: String,
    /// What the bot adds up.
    model: Additive,
    /// The file of a simple bot that was fitted to the same decisions.
    simple: String,
}

/// What a seat that thinks gets.
pub struct Thought {
    /// Most playouts of an option.
    pub playouts: u64,
    /// Games it was seen in.
    pub games: u64,
    /// Its share of the wins beside copies of the learnt bot.
    pub share: Estimate,
}

/// What the learnt bot is without a feature.
pub struct Without {
    /// The feature.
    pub feature: &'static str,
    /// What the bot without it gets beside copies of the learnt one.
    pub share: Estimate,
}

/// A game after it was learnt to score options.
pub struct ScoredPlayed {
    /// What was learnt. Its study tells the games that were taken apart.
    pub resolved: Scored,
    /// The learnt bot.
    pub bot: Seat,
    /// The way.
    pub rounds: Vec<LearntRound>,
    /// What seats that think gain.
    pub thoughts: Vec<Thought>,
    /// Where shipped bots stand.
    pub standings: Vec<BesideLearnt>,
    /// What features are for, the most important first.
    pub without: Vec<Without>,
    /// Where it departs from the first bot, and what that is worth.
    pub differing: Vec<DifferingDecision>,
    /// A simple bot, and what it gets beside copies of the learnt one.
    pub simple: Option<(Seat, Estimate)>,
}

impl Solve {
    /// Looks up everything that a study of a game whose bots score options names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a table, and those of learning.
    pub fn scored(
        &self,
        game: &'static Game,
        how: ByOptions,
        library: &Library,
    ) -> Result<Scored, StudyError> {
        if self.axes.is_some() {
            return Err(SolveError::Idle("axes").into());
        }
        let usual = (ROUNDS * how.games, GAMES_MIN);
        let LookedUp {
            study,
            rules,
            checked,
            others,
            learners,
            warnings,
            field,
        } = self.looked_up(game, usual, library)?;
        let mut first = library.seats(game, &SeatSpec::of(how.first))?;
        let first = first.remove(0);
        let mut seats = vec![first.clone(); learners];
        seats.extend(others.iter().cloned());
        checked.table(&seats, Seating::default())?;
        Ok(Scored {
            study,
            game,
            rules,
            others,
            learners,
            first,
            field,
            how,
            warnings,
            checked,
        })
    }
}

impl Scored {
    /// Ready to be played.
    pub fn ready(self) -> Ready {
        let mut sources = Sources::default();
        sources.add(&self.rules, &self.others);
        sources.add(&self.rules, std::slice::from_ref(&self.first));
        sources.add(&self.rules, &self.field);
        Ready {
            study: Study::Solve(self.study.clone()),
            game: self.game,
            sources,
            warnings: self.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| {
                let played = self.play(player)?;
                Ok(played.map(|played| Played::Scored(Box::new(played)).into()))
            }),
        }
    }

    /// What learners want.
    pub fn objective(&self) -> Objective {
        self.study.objective.unwrap_or_default()
    }

    /// How many sit at the table.
    pub fn players(&self) -> usize {
        self.learners + self.others.len()
    }

    /// One line that says what is learnt: title, game, rules and players.
    pub fn headline(&self) -> String {
        super::headline(&self.study, self.game, &self.rules, self.players())
    }

    /// The metric that tells how learners fare.
    pub fn metric(&self) -> &'static str {
        match self.objective() {
            Objective::WinShare => WIN_SHARE,
            Objective::ScoreMean => SCORE_MEAN,
        }
    }

    /// The equal share.
    pub fn fair(&self) -> f64 {
        1.0 / self.players() as f64
    }
}
