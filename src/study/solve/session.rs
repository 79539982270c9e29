//! The games of a study of learning while it is played, and how far it has come.

use crate::game::Table;
use crate::learning::{Learner, LearnerState};
use crate::simulation::{Experiment, Games, NotKept, Player, Stopped, Tally, Telling};
use crate::statistics::Estimate;
use crate::strategy::Seat;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Games of a figure that is reported. Where fewer are learnt from, all figures have fewer.
const REPORTED: u64 = 4_000_000;

/// Figures that are reported are of the games from 0 on. These are the first games by which one of
/// several attacks is chosen, and by which it is told on the way how far learning has come.
pub(super) const OF_CHOICE: u64 = 1 << 40;
pub(super) const OF_WAY: u64 = 1 << 41;
/// Where the seeds of the games that are learnt from come from.
const OF_LEARNING: u64 = 1 << 50;

/// How often it is kept how far learning has come.
pub(super) const KEPT_EVERY: Duration = Duration::from_secs(30);
/// The name of what the study is about, among all that learns in it.
pub(super) const LEARNER: &str = "learner";

/// What is kept, unless it could not be packed.
type Packed = Result<Vec<u8>, rmp_serde::encode::Error>;

pub(super) struct Session<'s, 'p> {
    pub player: &'s mut Player<'p>,
    seed: u64,
    pub chunk: u64,
    pub known: String,
    /// What stands before the name of each part: which policy it is of.
    of: String,
    /// Games of a figure that is reported.
    pub reported: u64,
    pub way: Way,
    /// All games of the study, about; 0 where that is not known.
    pub planned: u64,
    /// Games of learners that were recalled.
    recalled: u64,
    /// When it was kept last how far learning has come.
    kept: Instant,
}

/// How the learner of the study came to where it is.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Way {
    pub milestones: Vec<Milestone>,
    pub time: Duration,
}

impl<'s, 'p> Session<'s, 'p> {
    /// No games yet, of a study with this seed, played in chunks of so many.
    pub fn new(player: &'s mut Player<'p>, seed: u64, chunk: u64) -> Session<'s, 'p> {
        Session {
            player,
            seed,
            chunk,
            known: String::new(),
            of: String::new(),
            reported: REPORTED,
            way: Way::default(),
            planned: 0,
            recalled: 0,
            kept: Instant::now(),
        }
    }

    /// The seed of the games that are learnt from: others than those by which figures are told.
    pub fn seed(&self, purpose: u64) -> u64 {
        crate::streams::game_key(self.seed, OF_LEARNING + purpose)
    }

    /// Games that are left of the study after the next ones, about.
    fn later(&self, games: u64) -> u64 {
        let done = self.player.played.load(Ordering::Relaxed) + self.recalled;
        self.planned.saturating_sub(done + games)
    }

    /// Reports how many games are left: those of this step, and those after it.
    pub fn report_left(&mut self, games: u64) {
        let left = games + self.later(games);
        self.player.listener.remaining(left, None, &self.known);
    }

    /// Learns until so many games are done, and goes on from where a learner of this name was; one
    /// without a name begins anew.
    pub fn learn(
        &mut self,
        name: Option<&str>,
        learner: &mut Learner,
        games: u64,
    ) -> Result<(), Stopped> {
        if let Some(name) = name {
            self.recall(name, learner);
        }
        let left = games.saturating_sub(learner.games());
        self.report_left(left);
        while learner.games() < games {
            self.batch(name, learner)?;
        }
        self.keep(name, learner)
    }

    /// Goes on from where a learner of this name was.
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
        let Some(name) = name else {
            return Ok(());
        };
        let state = rmp_serde::to_vec(&(learner.state(), &self.way));
        self.keep_packed(name, state)
    }

    pub fn recalled<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let state = self.player.finished.recall_state(name)?;
        rmp_serde::from_slice(&state).ok()
    }

    pub fn keep_state(&mut self, name: &str, state: &impl Serialize) -> Result<(), Stopped> {
        self.keep_packed(name, rmp_serde::to_vec(state))
    }

    fn keep_packed(&mut self, name: &str, state: Packed) -> Result<(), Stopped> {
        let state = state.map_err(|error| NotKept(error.into()))?;
        Ok(self.player.finished.keep_state(name, &state)?)
    }

    pub fn batch(&mut self, name: Option<&str>, learner: &mut Learner) -> Result<(), Stopped> {
        let start = Instant::now();
        if !learner.batch(self.player) {
            self.keep(name, learner)?;
            return Err(Stopped::Told);
        }
        if name == Some(LEARNER) {
            self.way.time += start.elapsed();
        }
        self.player.listener.checkpoint(None);
        if self.kept.elapsed() > KEPT_EVERY {
            self.keep(name, learner)
        } else {
            Ok(())
        }
    }

    /// What follows is of the policy that was learnt from so many games.
    pub fn of_policy(&mut self, way: &str, games: u64) {
        self.of = format!("{way}{games}: ");
        self.reported = (games / 25).clamp(100_000, REPORTED);
    }

    /// Plays games at a table, numbered from the first; no other table of the study has this name.
    pub fn play(
        &mut self,
        name: &str,
        table: &dyn Table,
        (first, games): (u64, u64),
    ) -> Result<Tally, Stopped> {
        let dealt = Games {
            seed: self.seed,
            chunk: self.chunk,
        };
        let mut table = Experiment::apart(vec![table], dealt);
        let telling = Telling {
            name: &format!("{}{name} ", self.of),
            known: &self.known,
            later: self.later(games),
            ..Telling::default()
        };
        table.play(telling, first..first + games, u64::MAX, self.player)?;
        Ok(table.tallies.remove(0))
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Milestone {
    pub games: u64,
    /// What learners got beside the bots, or what an attack gained.
    pub estimate: Estimate,
}

/// A shipped bot and the learnt one.
pub struct BesideLearnt {
    pub bot: Seat,
    pub beside_learnt: Estimate,
    pub learnt_beside: Estimate,
}
