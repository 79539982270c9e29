//! Learning a policy over cells: seats that share a policy play many games, and after each batch
//! the policy moves towards the answers that were worth more.
//!
//! Beside bots one learner improves its policy by the worth of its decisions, as judged by a critic
//! (Barto, Sutton and Anderson 1983). Several learners play the mean of their answers so far, which
//! is fictitious play (Brown 1951) with answers that are uncertain where values are close
//! (Fudenberg and Levine 1998), and with more weight for later answers.
//!
//! All sums are integers and the policy changes between batches alone, so the result does not
//! depend on threads.

pub mod additive;
pub mod attack;
mod averages;
pub mod bot;
mod critic;
pub mod options;
pub mod policy;
pub mod scored;
pub mod trainer;
pub mod training;
mod worker;

use crate::game::Lesson;
use crate::simulation::Player;
use averages::{Averages, PolicyRule};
use critic::Critic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use worker::{Worker, add, split};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The win rate.
    #[default]
    WinShare,
    ScoreMean,
}

/// Games in a chunk: few enough that their lessons stay in the processor's cache.
const CHUNK: u64 = 2048;
/// Fewest games in a batch.
const BATCH_MIN: u64 = 1 << 17;
/// Divisor: a batch is the games before it divided by this, …
const BATCH_PART: u64 = 100;
/// … but no more than this.
const BATCH_MAX: u64 = 1 << 21;

/// Millions of games after which the temperature stays: at lower temperatures, learners that all
/// play alike chase each other's last answers.
const COOLING: f32 = 32.0;

/// The schedule of learning, as a function of the games played.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// Decay of earlier data in each batch.
    pub rate: f32,
    /// Temperature after a million games; it falls with their square root, for `COOLING` million.
    pub temperature: f32,
    /// Differences below this many of their standard errors are answered at random.
    pub confidence: f32,
    /// Whether to play the mean of all answers so far, with later batches weighing more, instead of
    /// the last answers. Learners that all give the best response to the last answers of the others
    /// chase each other; their mean settles.
    pub mean: bool,
    /// Weight of the initial policy in the mean, in games.
    pub earlier: u64,
}

impl Schedule {
    pub const BESIDE_BOTS: Schedule = Schedule {
        rate: 0.02,
        temperature: 0.06,
        confidence: 1.0,
        mean: false,
        earlier: 0,
    };
    /// An attacker that looks for weaknesses of a strong policy.
    pub const ATTACK: Schedule = Schedule {
        rate: 0.03,
        temperature: 0.01,
        confidence: 0.25,
        mean: false,
        earlier: 0,
    };

    /// Several learners. Two of them respond to each other most directly: the sooner they forget
    /// each other's old answers, the less they chase each other.
    pub fn together(learners: usize) -> Schedule {
        Schedule {
            rate: if learners == 2 { 0.2 } else { 0.06 },
            temperature: 0.03,
            confidence: 0.5,
            mean: true,
            earlier: 0,
        }
    }
}

/// The number of games in whole batches that contain at least `least` games.
pub fn whole_batches(least: u64) -> u64 {
    let mut games: u64 = 0;
    while games < least {
        games = match batch_games(games) {
            BATCH_MAX => {
                let batches = (least - games).div_ceil(BATCH_MAX);
                games.saturating_add(batches.saturating_mul(BATCH_MAX))
            }
            batch => games + batch,
        };
    }
    games
}

/// Games of the batch that follows the first `games` games.
fn batch_games(games: u64) -> u64 {
    (games / BATCH_PART / CHUNK * CHUNK).clamp(BATCH_MIN, BATCH_MAX)
}

/// What learns batch by batch, and can be saved.
pub trait Learns {
    type State: Serialize + DeserializeOwned;

    /// Number of training games so far.
    fn games(&self) -> u64;

    /// Plays a batch of at most `most` games, and learns from it; returns whether the batch was
    /// completed.
    fn batch(&mut self, most: u64, player: &Player) -> bool;

    fn state(&self) -> Self::State;

    /// Restores saved learners, with identical further results; returns false if they are of
    /// another table.
    fn recall(&mut self, state: Self::State) -> bool;
}

pub struct Learner {
    table: Box<dyn Lesson>,
    learners: usize,
    seed: u64,
    schedule: Schedule,
    averages: Averages,
    critic: Critic,
    pub policy: Vec<u8>,
    /// The policy before rounding.
    chances: Vec<f32>,
    games: u64,
    workers: Vec<Worker>,
}

#[derive(Serialize, Deserialize)]
pub struct LearnerState {
    games: u64,
    chances: Vec<f32>,
    averages: averages::AveragesState,
    critic: critic::CriticState,
}

impl Learner {
    /// Learners at the first seats, who start with the policy `start`. `levels` gives, from the
    /// cells on, the coarser cell of the next level that each cell lies in.
    pub fn new(
        table: Box<dyn Lesson>,
        learners: usize,
        objective: Objective,
        seed: u64,
        start: Vec<u8>,
        levels: Vec<Vec<u32>>,
        schedule: Schedule,
    ) -> Learner {
        let critic = Critic::new(objective, table.layout(), table.phases());
        let averages = Averages::new(start.clone(), table.phases(), levels);
        Learner {
            table,
            learners,
            seed,
            schedule,
            chances: start.iter().map(|yes| f32::from(*yes) / 255.0).collect(),
            policy: start,
            averages,
            critic,
            games: 0,
            workers: Vec::new(),
        }
    }

    /// Moves the policy to the answers after the last `games` games.
    fn answer(&mut self, games: u64) {
        let all = (self.schedule.earlier + self.games) as f32;
        let part = if self.schedule.mean {
            (2.0 * games as f32 / all).min(1.0)
        } else {
            1.0
        };
        let millions = (all / 1e6).clamp(1.0, COOLING);
        let rule = PolicyRule {
            temperature: self.schedule.temperature / millions.sqrt(),
            confidence: self.schedule.confidence,
        };
        for (chance, answer) in self.chances.iter_mut().zip(self.averages.chances(rule)) {
            *chance += part * (answer - *chance);
        }
        self.round();
    }

    fn round(&mut self) {
        for (played, chance) in self.policy.iter_mut().zip(&self.chances) {
            *played = (*chance * 255.0).round() as u8;
        }
    }

    /// The better answer in each cell.
    pub fn greedy(&self) -> Vec<u8> {
        let (confidence, temperature) = (0.0, 0.0);
        let answers = self.averages.chances(PolicyRule {
            confidence,
            temperature,
        });
        answers.map(|yes| u8::from(yes > 0.0) * 255).collect()
    }
}

impl Learns for Learner {
    type State = LearnerState;

    fn games(&self) -> u64 {
        self.games
    }

    /// Batches are whole: the last may have more games than `most`.
    fn batch(&mut self, _most: u64, player: &Player) -> bool {
        let (level, played) = (player.level, player.played);
        let games = batch_games(self.games);
        let layout = self.table.layout();
        let (cells, phases) = (self.policy.len(), self.table.phases());
        let worker = || Worker::new(layout, cells, phases);
        let mut workers = std::mem::take(&mut self.workers);
        workers.resize_with(player.threads.number(), worker);
        (player.threads).share(
            &mut workers,
            games / CHUNK,
            player.stop,
            &|worker, chunk| {
                worker.chunk(self, level, self.games + chunk * CHUNK);
                played.fetch_add(CHUNK, Ordering::Relaxed);
                ControlFlow::Continue(())
            },
        );
        if player.stop.load(Ordering::Relaxed) {
            return false;
        }
        self.games += games;
        let rate = self.schedule.rate;
        let mut moments = vec![[0.0; 3]; phases];
        for worker in &workers {
            let own = worker.moments.iter().flatten();
            for (all, own) in moments.iter_mut().flatten().zip(own) {
                *all += *own as f64;
            }
        }
        let of_action = |action| {
            let sums = workers.iter().map(|worker| worker.sum(action));
            sums.fold((0, 0), add)
        };
        let phase = |cell: usize| {
            let phases = workers.iter().map(|worker| worker.phases[cell]);
            phases.max().unwrap_or(0)
        };
        self.averages.learn(of_action, phase, &moments, rate);
        let of_place = |place| {
            let own = workers.iter().filter_map(|own| own.worth.sums.get(place));
            own.map(|sum| split(*sum)).fold((0, 0), add)
        };
        self.critic.learn(of_place, f64::from(rate));
        workers.iter_mut().for_each(Worker::clear);
        self.workers = workers;
        self.answer(games);
        true
    }

    fn state(&self) -> LearnerState {
        LearnerState {
            games: self.games,
            chances: self.chances.clone(),
            averages: self.averages.learnt.clone(),
            critic: self.critic.learnt.clone(),
        }
    }

    fn recall(&mut self, state: LearnerState) -> bool {
        let fits = state.chances.len() == self.chances.len()
            && self.averages.recall(state.averages)
            && self.critic.recall(state.critic);
        if fits {
            self.games = state.games;
            self.chances = state.chances;
            self.round();
        }
        fits
    }
}
