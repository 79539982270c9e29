//! Training in games with scored options: adjusts tables that are added to a bot's score
//! ([`options`](carat_core::learning::options)).
//!
//! Each round has as many games as all before it. Its bot is accepted if it is significantly better
//! than the present one in fresh games.

mod rounds;

use super::learners::LearnersTable;
use super::session::BesideLearnt;
use super::{NOTHING, Solve};
use crate::study::error::{StudyError, refuse};
use carat_core::game::{ByOptions, Game, Seating};
use carat_core::learning::additive::{Additive, Shape};
use carat_core::learning::bot::{self, Base};
use carat_core::library::Library;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Default number of rounds.
const ROUNDS: u64 = 8;
const GAMES_MIN: u64 = 10;
/// The training of a bot with scored options, with its names resolved.
pub struct Scored {
    table: LearnersTable,
    /// The game's own bot; training adds to its score.
    pub first: Seat,
    /// The starting bot, if it is another one, and the sum that it adds.
    pub from: Option<(Seat, Additive)>,
    how: &'static ByOptions,
    shape: Shape,
    /// The score that training adds to.
    base: Base,
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
    pub fn scored(
        &self,
        game: &'static Game,
        how: &'static ByOptions,
        library: &Library,
    ) -> Result<Scored, StudyError> {
        if self.axes.is_some() {
            let game = game.title;
            refuse!("axes: training in {game} scores options and has no cells; leave axes out");
        }
        let usual = (how.games << (ROUNDS - 1), GAMES_MIN);
        let table = self.learners_table(game, usual, library)?;
        let first = library.seats(game, &SeatSpec::of(how.first))?.remove(0);
        let mut seats = vec![first.clone(); table.learners];
        seats.extend(table.others.iter().cloned());
        table.checked.table(&seats, Seating::default())?;
        let shape = rounds::shape(game, how);
        let mut scored = Scored {
            base: rounds::base(game, how, &first, &shape)?,
            table,
            first,
            from: None,
            how,
            shape,
        };
        scored.from = scored.starting_bot(self.from.as_deref(), library)?;
        let from = scored.from.as_ref();
        let name = from.map_or(NOTHING, |(bot, _)| &bot.strategy.name);
        scored.table.study.from = Some(name.to_string());
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
        let Some(name) = self.start(asked, library) else {
            return Ok(None);
        };
        let bot = library.seats(self.game, &SeatSpec::of(&name))?.remove(0);
        let found = bot::read(&bot.strategy.text, &self.shape, &self.base);
        if found.is_none() && asked.is_some() {
            refuse!(
                "from = {name:?}: training cannot start from this bot; name a bot that \
                 `carat solve` wrote for this game, or `{NOTHING}`"
            );
        }
        Ok(found.map(|model| (bot, model)))
    }

    /// The bots that training starts from.
    pub(super) fn bots(&self) -> Vec<Seat> {
        let from = self.from.iter().map(|(bot, _)| bot);
        [&self.first].into_iter().chain(from).cloned().collect()
    }
}
