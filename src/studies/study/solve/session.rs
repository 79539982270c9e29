//! The games and the progress of a running study of learning.

use carat_core::game::Table;
use carat_core::learning::{Learner, LearnerState};
use carat_core::limit::limit;
use carat_core::simulation::{Experiment, Games, Player, RoundInfo, Stopped, Tally, packed};
use carat_core::statistics::Estimate;
use carat_core::strategy::Seat;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Games of a reported figure; fewer in a study with fewer training games.
const REPORTED: u64 = 4_000_000;

/// Reported figures use the games from 0 on; these are the first games that choose one of several
/// attacks, and that measure milestones.
pub(super) const OF_CHOICE: u64 = 1 << 40;
pub(super) const OF_WAY: u64 = 1 << 41;
/// The phase of the generator that draws the seeds of training games.
const OF_LEARNING: u64 = 1 << 50;

/// The interval between saves of the progress of learning.
pub(super) const KEPT_EVERY: Duration = Duration::from_secs(30);
pub(super) const LEARNER: &str = "learner";

pub(super) struct Session<'s, 'p> {
    pub player: &'s mut Player<'p>,
    games: Games,
    pub status: String,
    /// The prefix of each part's name, which identifies the policy.
    of: String,
    /// Games of a reported figure.
    pub reported: u64,
    pub way: Way,
    /// The approximate games of the study; 0 if not known.
    pub planned: u64,
    /// Games of learners restored from saved progress.
    recalled: u64,
    /// The time of the last save.
    kept: Instant,
}

/// The milestones of the study's learner so far.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Way {
    pub milestones: Vec<Milestone>,
    pub time: Duration,
}

impl<'s, 'p> Session<'s, 'p> {
    /// A session that has played none of these games yet.
    pub fn new(player: &'s mut Player<'p>, games: Games) -> Session<'s, 'p> {
        Session {
            player,
            games,
            status: String::new(),
            of: String::new(),
            reported: REPORTED,
            way: Way::default(),
            planned: 0,
            recalled: 0,
            kept: Instant::now(),
        }
    }

    /// The seed of the training games, which differ from those of figures.
    pub fn seed(&self, purpose: u64) -> u64 {
        carat_core::streams::game_key(self.games.seed, OF_LEARNING + purpose)
    }

    /// The approximate games of the study after the next step.
    fn later(&self, games: u64) -> u64 {
        let done = self.player.played.load(Ordering::Relaxed) + self.recalled;
        self.planned.saturating_sub(done + games)
    }

    /// Reports the remaining games: those of this step, and those after it.
    pub fn report_left(&mut self, games: u64) {
        let left = games + self.later(games);
        self.player.listener.remaining(left, None, &self.status);
    }

    /// Restores the saved learner of this name.
    pub fn recall(&mut self, name: &str, learner: &mut Learner) {
        if let Some((memory, way)) = self.recalled::<(LearnerState, Way)>(name)
            && learner.recall(memory)
        {
            self.player.listener.recalled(learner.games());
            self.recalled += learner.games();
            if name == LEARNER {
                self.way = way;
            }
        }
    }

    pub fn keep(&mut self, name: Option<&str>, learner: &Learner) -> Result<(), Stopped> {
        self.kept = Instant::now();
        let state = (learner.state(), &self.way);
        name.map_or(Ok(()), |name| keep(self.player, name, &state))
    }

    pub fn recalled<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let state = self.player.finished.recall_state(name)?;
        rmp_serde::from_slice(&state).ok()
    }

    pub fn keep_state(&mut self, name: &str, state: &impl Serialize) -> Result<(), Stopped> {
        keep(self.player, name, state)
    }

    pub fn batch(&mut self, name: Option<&str>, learner: &mut Learner) -> Result<(), Stopped> {
        let start = Instant::now();
        if !learner.batch(self.player) {
            self.keep(name, learner)?;
            return Err(Stopped::Early);
        }
        if name == Some(LEARNER) {
            self.way.time += start.elapsed();
        }
        self.player.listener.checkpoint(None);
        if self.kept.elapsed() > limit(KEPT_EVERY) {
            self.keep(name, learner)?;
        }
        Ok(())
    }

    /// Names the following parts after the policy learnt from this number of games.
    pub fn of_policy(&mut self, way: &str, games: u64) {
        self.of = format!("{way}{games}: ");
        self.reported = reported(games);
    }

    /// Plays games at a table, from number `first` on; the name must be unique in the study.
    pub fn play(
        &mut self,
        name: &str,
        table: &dyn Table,
        (first, games): (u64, u64),
    ) -> Result<Tally, Stopped> {
        let mut table = Experiment::apart(vec![table], self.games);
        let info = RoundInfo {
            name: &format!("{}{name} ", self.of),
            status: &self.status,
            later: self.later(games),
        };
        table.play(info, first..first + games, u64::MAX, self.player)?;
        Ok(table.tallies.remove(0))
    }
}

/// The games of a reported figure in a study with this number of training games.
pub(super) fn reported(games: u64) -> u64 {
    (games / 25).clamp(100_000, REPORTED)
}

fn keep(player: &mut Player, name: &str, state: &impl Serialize) -> Result<(), Stopped> {
    Ok(player.finished.keep_state(name, &packed(state)?)?)
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Milestone {
    pub games: u64,
    /// The result of learners beside the bots, or the gain of an attack.
    pub estimate: Estimate,
}

/// A shipped bot and the learnt one.
pub struct BesideLearnt {
    pub bot: Seat,
    pub beside_learnt: Estimate,
    pub learnt_beside: Estimate,
}
