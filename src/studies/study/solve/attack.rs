//! Attacks on a bot: one seat learns against copies of it.
//!
//! The gain of an attack is a lower bound of exploitability. An attack has finer axes than the bot,
//! and starts in several ways: from scratch, from a coarse attack, and from the bot's own play.

use super::Policy;
use super::session::{OF_CHOICE, Session};
use carat_core::game::Lesson;
use carat_core::learning::{Learner, Schedule};
use carat_core::simulation::Stopped;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Grid, Seat};

/// Games that choose the best of several attacks, as a part of those of a reported figure; they are
/// other games.
const CHOICE: u64 = 4;
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
    /// Its win share in games that chose nothing; only of the strongest and of the thinking bot.
    pub fresh: Option<Estimate>,
}

impl Policy {
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
        let mut one_of = |index: usize, policy: &[u8]| {
            let own = self.bot("attack", "An attack.", &self.finer, policy);
            let name = format!("{name} {index}");
            let checked = (OF_CHOICE, session.reported / CHOICE);
            let share = self.measure(session, &name, &own, bot, checked)?;
            Ok::<_, Stopped>(Attack {
                start,
                games,
                bot: own,
                share,
                fresh: None,
            })
        };
        let greedy = one_of(0, &learner.greedy())?;
        let average = one_of(1, &learner.policy)?;
        let is_better = average.share.value > greedy.share.value;
        Ok(if is_better { average } else { greedy })
    }

    pub(super) fn lesson(&self, grid: &Grid, learners: usize, others: &[Seat]) -> Box<dyn Lesson> {
        let school = self.checked.school().expect("a game that can be learnt");
        let cell = grid.formula(self.game.vocabulary);
        let cell = cell.expect("the axes were checked when the study was looked up");
        let lesson = school.lesson(&cell, learners, others);
        lesson.expect("it was tried when the study was looked up")
    }

    /// Learns an attack in this number of games, continuing the saved learner of this name; one
    /// without a name starts from scratch.
    fn learnt(
        &self,
        session: &mut Session,
        name: Option<&str>,
        grid: &Grid,
        others: &[Seat],
        prior: Vec<u8>,
        games: u64,
    ) -> Result<Learner, Stopped> {
        let (lesson, seed) = (self.lesson(grid, 1, others), session.seed(2));
        let (objective, levels) = (self.objective(), grid.levels());
        let pace = Schedule::ATTACK;
        let mut learner = Learner::new(lesson, 1, objective, seed, prior, levels, pace);
        if let Some(name) = name {
            session.recall(name, &mut learner);
        }
        session.report_left(games.saturating_sub(learner.games()));
        while learner.games() < games {
            session.batch(name, &mut learner)?;
        }
        session.keep(name, &learner)?;
        Ok(learner)
    }
}

/// A `policy` over a coarse grid, on a finer one.
pub(super) fn inherited(finer: &Grid, coarse: &Grid, policy: &[u8]) -> Vec<u8> {
    let parents = finer.parents(coarse).into_iter();
    parents.map(|parent| policy[parent as usize]).collect()
}
