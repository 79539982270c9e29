//! Trains a policy over cells: learns, attacks the result, and measures milestones.

use super::attack::{Attack, NOTHING, Start};
use super::trainer::{BesideLearnt, LEARNER, OF_WAY, Trainer};
use super::training::Training;
use super::{Learner, Learns, Schedule};
use crate::game::{Lesson, Table};
use crate::numbers;
use crate::simulation::{Player, Stopped, Tally};
use crate::statistics::Estimate;
use crate::strategy::{Grid, Mind, Seat};
use serde::{Deserialize, Serialize};

/// Games of the first milestone of a best response; each of the following has twice as many.
const FIRST_MILESTONE: u64 = 1 << 18;

/// Games of the first milestone in self-play, where each one trains an attack.
const FIRST_ATTACK: u64 = 1 << 22;

/// The approximate games of learning and attacks in a whole study per game of self-play, and its
/// figures.
const WHOLE_STUDY: f64 = 3.4;
const FIGURES: u64 = 10;

/// Most games of a reported figure; fewer in a study with fewer training games.
const REPORTED: u64 = 4_000_000;

/// The weight of a starting bot in the average, in games.
const EARLIER: u64 = 8_000_000;

/// The part of a study's minutes for self-play; attacks take about the rest.
const LEARNING_SHARE: f64 = 0.22;

/// The training of a policy over cells.
pub struct Policy {
    /// The axes of the policy.
    pub grid: Grid,
    /// The axes of attacks.
    pub finer: Grid,
    /// What the starting bot plays in each cell.
    pub start: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Milestone {
    pub games: u64,
    /// The result of learners beside the bots, or the gain of an attack.
    pub estimate: Estimate,
}

pub struct LearntPolicy {
    /// Number of training games.
    pub games: u64,
    pub bot: Seat,
    /// The result beside copies of the starting bot, or of a lone learner beside the others, and
    /// that of the starting bot in its place, unless it is the equal share.
    pub beside_start: Option<(Estimate, Option<Estimate>)>,
    /// Whether the bot is not the starting one, which is kept unless the other is clearly better.
    pub is_new: bool,
    pub milestones: Vec<Milestone>,
    /// The result of the learnt bot beside its training opponents.
    pub own: Option<(Tally, Box<dyn Table>)>,
    pub attacks: Vec<Attack>,
    pub standings: Vec<BesideLearnt>,
}

pub(super) type PolicyTrainer<'t, 'p> = Trainer<'t, 'p, Milestone>;

impl Training {
    /// Whether attacks measure the result: in self-play for wins.
    fn is_attacked(&self) -> bool {
        self.learners > 1 && self.wins()
    }

    /// A bot with this policy over a grid.
    pub(super) fn bot(&self, name: &str, about: &str, grid: &Grid, policy: &[u8]) -> Seat {
        self.read(name, &grid.bot(self.vocabulary.question, about, policy))
    }

    pub(super) fn lesson(&self, grid: &Grid, learners: usize, others: &[Seat]) -> Box<dyn Lesson> {
        let school = self
            .rules
            .school(learners + others.len())
            .expect("a game that can be learnt");
        let cell = grid.formula(self.vocabulary);
        let cell = cell.expect("the axes were checked when the study was looked up");
        let lesson = school.lesson(&cell, learners, others);
        lesson.expect("it was tried when the study was looked up")
    }
}

impl Policy {
    /// Trains a bot and measures it.
    pub fn train(&self, training: &Training, player: &mut Player) -> Result<LearntPolicy, Stopped> {
        let trainer = &mut Trainer::new(training, player);
        if training.is_attacked() {
            trainer.seconds = trainer.seconds.map(|seconds| seconds * LEARNING_SHARE);
        }
        let mut learner = self.new_learner(trainer);
        self.learn(trainer, &mut learner)?;
        let games = learner.games();
        trainer.of = format!("{games}: ");
        trainer.reported = reported(games);
        let all = trainer.reported;

        let mut policy = settled(training, &learner);
        let mut bot = self.learnt_bot(training, &policy, games, "");
        let (mut beside_start, mut is_new) = (None, true);
        if let (Some(start), Some(its_policy)) = (&training.from, &self.start) {
            trainer.status = format!("against {}", start.label());
            let (own, before) = if training.learners == 1 {
                let tables = [&bot, start].map(|bot| training.own_table(bot));
                let own = trainer.gets("beside the bots", tables[0].as_ref(), 0..all)?;
                (
                    own,
                    Some(trainer.gets("the start", tables[1].as_ref(), 0..all)?),
                )
            } else {
                let own = trainer.measure("beside the start", &bot, start, 0..all)?;
                let mut among = || trainer.measure("among the start", start, start, 0..all);
                (own, (!training.wins()).then(&mut among).transpose()?)
            };
            beside_start = Some((own, before));
            is_new = own.low > before.map_or(training.fair(), |before| before.high);
            if !is_new {
                (bot, policy) = (start.clone(), its_policy.clone());
            }
        }
        let (mut own, mut attacks, mut standings) = (None, Vec::new(), Vec::new());
        if training.learners == 1 {
            let table = training.own_table(&bot);
            let tally = trainer.play("own", table.as_ref(), 0..all)?;
            own = Some((tally, table));
        } else {
            if training.is_attacked() {
                attacks = self.attacks(trainer, &bot, &policy, games / 2)?;
                if is_new {
                    let beaten = beaten(training, &attacks);
                    bot = self.learnt_bot(training, &policy, games, &beaten);
                }
            }
            standings = trainer.standings(&bot, all / 10)?;
        }
        Ok(LearntPolicy {
            games,
            bot,
            beside_start,
            is_new,
            milestones: std::mem::take(&mut trainer.progress.stages),
            own,
            attacks,
            standings,
        })
    }

    fn new_learner(&self, trainer: &PolicyTrainer) -> Learner {
        let (training, grid) = (trainer.training, &self.grid);
        let nothing = || vec![NOTHING; grid.cells()];
        let pace = match training.learners {
            1 => Schedule::BESIDE_BOTS,
            learners => Schedule {
                earlier: self.start.as_ref().map_or(0, |_| EARLIER),
                ..Schedule::together(learners)
            },
        };
        Learner::new(
            training.lesson(grid, training.learners, &training.others),
            training.learners,
            training.objective,
            trainer.seed(1),
            self.start.clone().unwrap_or_else(nothing),
            grid.levels(),
            pace,
        )
    }

    /// Learns for the training's games or minutes, and records milestones.
    fn learn(&self, trainer: &mut PolicyTrainer, learner: &mut Learner) -> Result<(), Stopped> {
        trainer.recall(LEARNER, learner);
        let first = match trainer.training.learners {
            1 => FIRST_MILESTONE,
            _ => FIRST_ATTACK,
        };
        while !trainer.is_over(learner.games()) && !is_enough(trainer) {
            let milestones = &trainer.progress.stages;
            let until = trainer.end(first << milestones.len());
            if let (Some(last), 2..) = (milestones.last(), trainer.training.learners) {
                let gain = numbers::percent(last.estimate.value, 2);
                trainer.status = format!("gain so far {gain}");
            }
            trainer.planned = planned(trainer, learner.games());
            trainer.learn(Some(LEARNER), learner, until)?;
            if !trainer.is_over(learner.games()) {
                let games = learner.games();
                let estimate = self.milestone(trainer, learner)?;
                trainer.progress.stages.push(Milestone { games, estimate });
                trainer.keep(Some(LEARNER), learner)?;
            }
        }
        Ok(())
    }

    fn milestone(
        &self,
        trainer: &mut PolicyTrainer,
        learner: &Learner,
    ) -> Result<Estimate, Stopped> {
        let (training, games) = (trainer.training, learner.games());
        let policy = settled(training, learner);
        let bot = self.learnt_bot(training, &policy, games, "");
        trainer.of = format!("way {games}: ");
        trainer.reported = reported(games);
        let on_the_way = OF_WAY..OF_WAY + trainer.reported / 10;
        if !training.is_attacked() {
            return trainer.gets("way", training.own_table(&bot).as_ref(), on_the_way);
        }
        let attack = self.attack(trainer, &bot, &policy, Start::Solved, games / 4, false)?;
        let found = trainer.measure("way", &attack.bot, &bot, on_the_way)?;
        Ok(found.minus(training.fair()))
    }

    /// The bot that plays this policy; its description ends with how it was `beaten`.
    fn learnt_bot(&self, training: &Training, policy: &[u8], games: u64, beaten: &str) -> Seat {
        let description = training.trained(games, beaten);
        training.bot("solved", &description, &self.grid, policy)
    }
}

/// The learnt policy: the average play in self-play, the better answer of a lone learner.
fn settled(training: &Training, learner: &Learner) -> Vec<u8> {
    match training.learners {
        1 => learner.greedy(),
        _ => learner.policy.clone(),
    }
}

/// The games of a reported figure in a study with this number of training games.
fn reported(games: u64) -> u64 {
    (games / 25).clamp(100_000, REPORTED)
}

/// The estimated games of the study by the speed of learning; 0 if not known.
fn planned(trainer: &PolicyTrainer, learnt: u64) -> u64 {
    let games = trainer.expected(learnt);
    match (games, trainer.training.is_attacked()) {
        (0, _) => 0,
        (_, true) => (games as f64 * WHOLE_STUDY) as u64 + FIGURES * reported(games),
        (_, false) => games + reported(games),
    }
}

/// Whether attacks gain little enough, or in a limited time no longer less.
fn is_enough(trainer: &PolicyTrainer) -> bool {
    let (training, milestones) = (trainer.training, &trainer.progress.stages);
    let is_below = |at: &Milestone| training.until.is_some_and(|gain| at.estimate.high <= gain);
    milestones.last().is_some_and(is_below)
        || training.minutes.is_some() && training.is_attacked() && no_longer_falls(milestones)
}

/// Whether the last two attacks gained no less than the one before.
fn no_longer_falls(milestones: &[Milestone]) -> bool {
    match milestones {
        [.., before, one, two] => {
            let [before, one, two] = [before, one, two].map(|at| at.estimate.value);
            one >= before && two >= before
        }
        _ => false,
    }
}

/// The gains of the strongest learnt attack and of a thinking player, in words.
fn beaten(training: &Training, attacks: &[Attack]) -> String {
    let fresh = attacks.iter().filter_map(|attack| attack.fresh);
    let gains = fresh.map(|share| share.minus(training.fair()).in_points());
    let gains = Vec::from_iter(gains.map(|gain| format!("{gain:+}")));
    format!(
        "; against copies of it, the strongest attack gained {} in fresh games, and a player with {} \
         playouts {}",
        gains[0],
        Mind::ATTACK.playouts,
        gains[1]
    )
}

#[cfg(test)]
#[path = "../../../tests/unit/core/learning/policy.rs"]
mod tests;
