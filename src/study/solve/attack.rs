//! Attacks on a bot: one seat learns against copies of it.
//!
//! The gain of an attack is a lower bound of exploitability. An attack has finer axes than the bot,
//! and starts in several ways: from scratch, from a coarse attack, and from the bot's own play.

use super::Resolved;
use super::learners::that_thinks;
use super::session::{OF_CHOICE, Session};
use crate::game::Lesson;
use crate::learning::{Learner, Schedule};
use crate::simulation::Stopped;
use crate::statistics::Estimate;
use crate::strategy::{Grid, Mind, Seat};

/// Games that choose the best of several attacks, as a part of those of a reported figure; they are
/// other games.
const CHOICE: u64 = 4;
/// The cost of a game with a thinking seat, in other games, at least.
const A_THINKERS_GAME: u64 = 500;
/// The initial probability of leaving in an unseen cell.
pub const NOTHING: u8 = 26;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Nothing,
    /// From a coarse attack with the axes of the bot.
    Coarse,
    /// From the bot's own play.
    Solved,
    /// Not learnt: the bot itself, which thinks before it decides.
    Thinking,
}

impl Start {
    pub fn name(self) -> &'static str {
        match self {
            Start::Nothing => "nothing",
            Start::Coarse => "a coarse attack",
            Start::Solved => "the bot's own play",
            Start::Thinking => "thinking",
        }
    }
}

pub struct Attack {
    pub start: Start,
    pub games: u64,
    pub bot: Seat,
    /// Its win share in the games of the choice; for the thinking bot, which has no rivals, in
    /// those of all figures.
    pub share: Estimate,
}

impl Resolved {
    /// Learns an attack on `bot`, which plays `policy` over the grid of this study, and saves
    /// progress if `kept`.
    pub(super) fn attack(
        &self,
        session: &mut Session,
        bot: &Seat,
        policy: &[u8],
        start: Start,
        games: u64,
        kept: bool,
    ) -> Result<Attack, Stopped> {
        let name = format!("attack from {}", start.name());
        let kept = kept.then_some(name.as_str());
        let others = vec![bot.clone(); self.players() - 1];
        let prior = match start {
            Start::Nothing | Start::Thinking => vec![NOTHING; self.finer.cells()],
            Start::Solved => inherited(&self.finer, &self.grid, policy),
            Start::Coarse => {
                let nothing = vec![NOTHING; self.grid.cells()];
                let coarse = kept.map(|_| "coarse attack");
                let coarse =
                    self.learnt(session, coarse, &self.grid, &others, nothing, games / 2)?;
                inherited(&self.finer, &self.grid, &coarse.greedy())
            }
        };
        let learnt = match start {
            Start::Coarse => games / 2,
            _ => games,
        };
        let learner = self.learnt(session, kept, &self.finer, &others, prior, learnt)?;
        let mut best: Option<(Seat, Estimate)> = None;
        for (index, policy) in [learner.greedy(), learner.policy.clone()]
            .iter()
            .enumerate()
        {
            let attack = self.bot("attack", "An attack.", &self.finer, policy);
            let name = format!("{name} {index}");
            let games = (OF_CHOICE, session.reported / CHOICE);
            let found = self.measure(session, &name, &attack, bot, games)?;
            if best
                .as_ref()
                .is_none_or(|(_, best)| found.value > best.value)
            {
                best = Some((attack, found));
            }
        }
        let Some((bot, share)) = best else {
            return Err(Stopped::Early);
        };
        Ok(Attack {
            start,
            games,
            bot,
            share,
        })
    }

    /// The bot itself as an attack, with playouts before each decision. So it also uses information
    /// that no axis has.
    pub(super) fn attack_by_thinking(
        &self,
        session: &mut Session,
        bot: &Seat,
    ) -> Result<Attack, Stopped> {
        let seat = that_thinks(bot, Mind::ATTACK.playouts);
        let games = (0, (session.reported / A_THINKERS_GAME).max(100));
        Ok(Attack {
            start: Start::Thinking,
            games: 0,
            share: self.measure(session, "attack by thinking", &seat, bot, games)?,
            bot: seat,
        })
    }

    fn lesson(&self, grid: &Grid, learners: usize, others: &[Seat]) -> Box<dyn Lesson> {
        let school = self.checked.school();
        let cell = grid.formula(self.game.vocabulary);
        match (school, cell) {
            (Some(school), Ok(cell)) => match school.lesson(&cell, learners, others) {
                Ok(lesson) => lesson,
                Err(_) => unreachable!("such a table was tried when the study was looked up"),
            },
            _ => unreachable!("the axes were checked when the study was looked up"),
        }
    }

    /// The table of the study's own training.
    pub(super) fn own_lesson(&self) -> Box<dyn Lesson> {
        self.lesson(&self.grid, self.learners, &self.others)
    }

    pub(super) fn learnt(
        &self,
        session: &mut Session,
        name: Option<&str>,
        grid: &Grid,
        others: &[Seat],
        prior: Vec<u8>,
        games: u64,
    ) -> Result<Learner, Stopped> {
        let lesson = self.lesson(grid, 1, others);
        let seed = session.seed(2);
        let mut learner = Learner::new(
            lesson,
            1,
            self.objective(),
            seed,
            prior,
            grid.levels(),
            Schedule::ATTACK,
        );
        session.learn(name, &mut learner, games)?;
        Ok(learner)
    }
}

/// A `policy` over a coarse grid, on a finer one.
pub(super) fn inherited(finer: &Grid, coarse: &Grid, policy: &[u8]) -> Vec<u8> {
    let parents = finer.parents(coarse).into_iter();
    parents.map(|parent| policy[parent as usize]).collect()
}
