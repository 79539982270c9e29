//! Attacks on a bot: one seat learns against copies of it.
//!
//! The gain of an attack is a lower bound of exploitability. An attack has finer axes than the bot,
//! and starts in several ways: from scratch, from a coarse attack, and from the bot's own play.

use super::policy::{Policy, PolicyTrainer};
use super::trainer::OF_CHOICE;
use super::{Learner, Schedule};
use crate::simulation::Stopped;
use crate::statistics::Estimate;
use crate::strategy::{Grid, Mind, Seat};

/// Games that choose the best of several attacks, as a part of those of a reported figure; they are
/// other games.
const CHOICE: u64 = 4;
/// The cost of a game with a thinking seat, in other games, at least.
const A_THINKERS_GAME: u64 = 500;
/// The initial probability of leaving in an unseen cell.
pub(super) const NOTHING: u8 = 26;

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
    /// Learns attacks on `bot` from each start, in this number of games each. The strongest of them
    /// is measured in fresh games, and so is a thinking player, the last.
    pub(super) fn attacks(
        &self,
        trainer: &mut PolicyTrainer,
        bot: &Seat,
        policy: &[u8],
        games: u64,
    ) -> Result<Vec<Attack>, Stopped> {
        let mut attacks = Vec::new();
        for start in [Start::Solved, Start::Coarse, Start::Nothing] {
            trainer.status = format!("attack from {}", start.name());
            attacks.push(self.attack(trainer, bot, policy, start, games, true)?);
        }
        let best = attacks.iter_mut();
        let best = best.max_by(|one, other| one.share.value.total_cmp(&other.share.value));
        let best = best.expect("there are attacks");
        let found = trainer.measure("gain", &best.bot, bot, 0..trainer.reported)?;
        best.fresh = Some(found);
        trainer.status = "attack by a thinking player".to_string();
        // It also uses information that no axis has.
        let (name, playouts) = ("attack by thinking", Mind::ATTACK.playouts);
        let few = (trainer.reported / A_THINKERS_GAME).max(100);
        let (bot, share) = trainer.thinker(name, bot, playouts, few)?;
        attacks.push(Attack {
            start: Start::Thinking,
            games: 0,
            bot,
            share,
            fresh: Some(share),
        });
        Ok(attacks)
    }

    /// Learns an attack on `bot`, which plays `policy` over the grid of this training, and saves
    /// progress if `kept`.
    pub(super) fn attack(
        &self,
        trainer: &mut PolicyTrainer,
        bot: &Seat,
        policy: &[u8],
        start: Start,
        games: u64,
        kept: bool,
    ) -> Result<Attack, Stopped> {
        let training = trainer.training;
        let name = format!("attack from {}", start.name());
        let kept = kept.then_some(name.as_str());
        let others = vec![bot.clone(); training.players() - 1];
        let (mut prior, mut learnt) = (vec![NOTHING; self.finer.cells()], games);
        if start == Start::Solved {
            prior = inherited(&self.finer, &self.grid, policy);
        } else if start == Start::Coarse {
            learnt = games / 2;
            let nothing = vec![NOTHING; self.grid.cells()];
            let coarse = kept.map(|_| "coarse attack");
            let coarse = learn_attack(trainer, coarse, &self.grid, &others, nothing, learnt)?;
            prior = inherited(&self.finer, &self.grid, &coarse.greedy());
        }
        let learner = learn_attack(trainer, kept, &self.finer, &others, prior, learnt)?;
        let choice = OF_CHOICE..OF_CHOICE + trainer.reported / CHOICE;
        let mut one_of = |index: usize, policy: &[u8]| {
            let own = training.bot("attack", "An attack.", &self.finer, policy);
            let share = trainer.measure(&format!("{name} {index}"), &own, bot, choice.clone())?;
            Ok::<_, Stopped>((own, share))
        };
        let greedy = one_of(0, &learner.greedy())?;
        let average = one_of(1, &learner.policy)?;
        let is_better = average.1.value > greedy.1.value;
        let (bot, share) = if is_better { average } else { greedy };
        Ok(Attack {
            start,
            games,
            bot,
            share,
            fresh: None,
        })
    }
}

/// Learns an attack in this number of games, continuing the saved learner of this name; one without
/// a name starts from scratch.
fn learn_attack(
    trainer: &mut PolicyTrainer,
    name: Option<&str>,
    grid: &Grid,
    others: &[Seat],
    prior: Vec<u8>,
    games: u64,
) -> Result<Learner, Stopped> {
    let training = trainer.training;
    let mut learner = Learner::new(
        training.lesson(grid, 1, others),
        1,
        training.objective,
        trainer.seed(2),
        prior,
        grid.levels(),
        Schedule::ATTACK,
    );
    if let Some(name) = name {
        trainer.recall(name, &mut learner);
    }
    trainer.learn(name, &mut learner, games)?;
    Ok(learner)
}

/// A `policy` over a coarse grid, on a finer one.
pub fn inherited(finer: &Grid, coarse: &Grid, policy: &[u8]) -> Vec<u8> {
    let parents = finer.parents(coarse).into_iter();
    parents.map(|parent| policy[parent as usize]).collect()
}
