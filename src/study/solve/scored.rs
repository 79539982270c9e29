//! Training in games with scored options: adjusts tables that are added to a bot's score
//! ([`options`](crate::learning::options)).
//!
//! Each round has as many games as all before it. Its bot is accepted if it is significantly better
//! than the present one in fresh games.

mod rounds;

use super::learners::LearnersTable;
use super::session::BesideLearnt;
use super::spec::Solve;
use super::{NOTHING, Played};
use crate::game::{ByOptions, Game, Seating};
use crate::learning::additive::Additive;
use crate::learning::{Objective, bot};
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::study::error::{StudyError, refuse};
use crate::study::kind::Ready;
use crate::study::library::Library;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Default number of rounds.
const ROUNDS: u64 = 8;
/// Fewest games to learn from.
const GAMES_MIN: u64 = 10;
/// The training of a bot with scored options, with its names resolved.
pub struct Scored {
    table: LearnersTable,
    /// The game's own bot; training adds to its score.
    pub first: Seat,
    /// The starting bot, if it is another one, and the sum that it adds.
    pub from: Option<(Seat, Additive)>,
    how: &'static ByOptions,
}

impl Deref for Scored {
    type Target = LearnersTable;

    fn deref(&self) -> &LearnersTable {
        &self.table
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LearntRound {
    pub games: u64,
    pub tables: u64,
    /// The result of the new bot beside copies of the first one, or beside the bots of the table.
    pub beside_first: Estimate,
    /// Its result beside copies of the bot before, or that bot's beside the bots of the table.
    pub beside_before: Estimate,
    pub kept: bool,
    pub text: String,
    model: Additive,
}

pub struct Thought {
    pub playouts: u64,
    pub games: u64,
    /// The win share beside copies of the learnt bot.
    pub share: Estimate,
}

/// The learnt bot without one feature.
pub struct Without {
    pub feature: &'static str,
    /// The result of the bot without the feature beside copies of the learnt one.
    pub share: Estimate,
}

pub struct ScoredPlayed {
    /// The result of training, with the number of games in its study.
    pub resolved: Scored,
    pub bot: Seat,
    pub rounds: Vec<LearntRound>,
    pub thoughts: Vec<Thought>,
    pub standings: Vec<BesideLearnt>,
    /// The importance of features, the most important first.
    pub without: Vec<Without>,
}

impl Solve {
    /// Resolves the names of the study.
    pub fn scored(
        &self,
        game: &'static Game,
        how: &'static ByOptions,
        library: &Library,
    ) -> Result<Scored, StudyError> {
        if self.axes.is_some() {
            refuse!(
                "axes: training in {} scores options and has no cells; leave axes out",
                game.title
            );
        }
        let usual = (how.games << (ROUNDS - 1), GAMES_MIN);
        let table = self.learners_table(game, usual, library)?;
        let mut first = library.seats(game, &SeatSpec::of(how.first))?;
        let first = first.remove(0);
        let mut seats = vec![first.clone(); table.learners];
        seats.extend(table.others.iter().cloned());
        table.checked.table(&seats, Seating::default())?;
        let mut scored = Scored {
            table,
            first,
            from: None,
            how,
        };
        scored.from = scored.starting_bot(self.from.as_deref(), library)?;
        let from = scored.from.as_ref();
        let name = from
            .map_or(NOTHING, |(bot, _)| &bot.strategy.name)
            .to_string();
        scored.table.study.from = Some(name);
        scored.table.seat_standing(library)?;
        Ok(scored)
    }
}

impl Scored {
    /// The starting bot: the requested one, else the included learnt one if it adds to the first.
    fn starting_bot(
        &self,
        asked: Option<&str>,
        library: &Library,
    ) -> Result<Option<(Seat, Additive)>, StudyError> {
        let all = self.learners == self.players() && self.objective() == Objective::WinShare;
        let name = match asked {
            Some(NOTHING) => return Ok(None),
            Some(name) => name.to_string(),
            None if all => format!("solved-{}", self.players()),
            None => return Ok(None),
        };
        if asked.is_none() && !library.strategy_names(self.game).contains(&name) {
            return Ok(None);
        }
        let bot = library.seats(self.game, &SeatSpec::of(&name))?.remove(0);
        let base = self.base()?;
        let found = bot::read(&bot.strategy.text, &self.shape(), &base);
        if found.is_none() && asked.is_some() {
            refuse!(
                "from = {name:?}: training cannot start from this bot; name a bot that \
                 `carat solve` wrote for this game, or `{NOTHING}`"
            );
        }
        Ok(found.map(|model| (bot, model)))
    }

    pub fn ready(self) -> Result<Ready, StudyError> {
        let base = self.base()?;
        let mut bots = vec![self.first.clone()];
        bots.extend(self.from.iter().map(|(bot, _)| bot.clone()));
        Ok(Ready {
            study: self.study.clone().into(),
            game: self.game,
            sources: self.sources(&bots),
            warnings: self.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| Ok(Played::Scored(Box::new(self.play(base, player)?)).into())),
        })
    }
}
