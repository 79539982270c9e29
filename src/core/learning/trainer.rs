//! Trains and measures: batches until a number of games or a time, with saved progress, and the
//! games of figures.

use super::Learns;
use super::training::Training;
use crate::game::Table;
use crate::limit::limit;
use crate::simulation::{Experiment, Player, RoundInfo, Stopped, Tally};
use crate::statistics::Estimate;
use crate::strategy::{Mind, Seat, Strategy};
use crate::streams;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Duration;
use web_time::Instant;

/// Reported figures use the games from 0 on; these are the first games that choose one of several
/// bots, and that measure milestones.
pub(super) const OF_CHOICE: u64 = 1 << 40;
pub(super) const OF_WAY: u64 = 1 << 41;
/// The phase of the generator that draws the seeds of training games.
const OF_LEARNING: u64 = 1 << 50;

/// The interval between saves of the progress of learning.
const KEPT_EVERY: Duration = Duration::from_secs(30);
/// The saved learner that the training is about; attackers have other names.
pub(super) const LEARNER: &str = "learner";

/// A running training, measured in stages.
pub(super) struct Trainer<'t, 'p, Stage> {
    pub training: &'t Training,
    pub player: &'t mut Player<'p>,
    pub status: String,
    /// The prefix of each part's name, which identifies the policy.
    pub of: String,
    /// Games of a reported figure.
    pub reported: u64,
    pub progress: Progress<Stage>,
    /// The time of learning after which it ends, in seconds.
    pub seconds: Option<f64>,
    /// The approximate games of the study; 0 if not known.
    pub planned: u64,
    /// Games of learners restored from saved progress.
    recalled: u64,
    /// The time of the last save.
    kept: Instant,
}

/// What is measured so far, and the time of learning. It is saved with the learner.
#[derive(Serialize, Deserialize)]
pub(super) struct Progress<Stage> {
    pub stages: Vec<Stage>,
    pub time: Duration,
}

/// A bot of the table's field and the trained one.
pub struct BesideLearnt {
    pub bot: Seat,
    pub beside_learnt: Estimate,
    pub learnt_beside: Estimate,
}

impl<'t, 'p, Stage: Serialize + DeserializeOwned> Trainer<'t, 'p, Stage> {
    /// A trainer that has played no games yet.
    pub fn new(training: &'t Training, player: &'t mut Player<'p>) -> Self {
        Trainer {
            training,
            player,
            status: String::new(),
            of: String::new(),
            reported: 0,
            progress: Progress {
                stages: Vec::new(),
                time: Duration::ZERO,
            },
            seconds: training.minutes.map(|minutes| minutes * 60.0),
            planned: 0,
            recalled: 0,
            kept: Instant::now(),
        }
    }

    /// The seed of the training games, which differ from those of figures.
    pub fn seed(&self, purpose: u64) -> u64 {
        streams::game_key(self.training.deal.seed, OF_LEARNING + purpose)
    }

    /// Whether this number of games, or the time of learning, is all that was asked for.
    pub fn is_over(&self, games: u64) -> bool {
        self.training.games.is_some_and(|most| games >= most) || self.is_late()
    }

    fn is_late(&self) -> bool {
        let seconds = self.progress.time.as_secs_f64();
        self.seconds.is_some_and(|most| seconds >= most)
    }

    /// Games at the end of a stage of at most `games` games.
    pub fn end(&self, games: u64) -> u64 {
        self.training.games.unwrap_or(u64::MAX).min(games)
    }

    /// The number of training games, estimated by the speed of learning where only a time is given;
    /// 0 if not known.
    pub fn expected(&self, learnt: u64) -> u64 {
        let time = self.progress.time.as_secs_f64();
        match (self.training.games, self.seconds) {
            (Some(games), _) => games,
            (None, Some(seconds)) if time > 0.0 => (learnt as f64 / time * seconds) as u64,
            _ => 0,
        }
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
    pub fn recall<L: Learns>(&mut self, name: &str, learner: &mut L) {
        let saved = self
            .player
            .recall_state::<(L::State, Progress<Stage>)>(name);
        if let Some((state, progress)) = saved
            && learner.recall(state)
        {
            self.player.listener.recalled(learner.games());
            self.recalled += learner.games();
            if name == LEARNER {
                self.progress = progress;
            }
        }
    }

    /// Saves a learner, if it has a name.
    pub fn keep(&mut self, name: Option<&str>, learner: &impl Learns) -> Result<(), Stopped> {
        self.kept = Instant::now();
        if let Some(name) = name {
            let state = (learner.state(), &self.progress);
            self.player.keep_state(name, &state)?;
        }
        Ok(())
    }

    /// Learns until this number of games, and saves a learner with a name. The one that the
    /// training is about learns one batch at least, and stops once its time is over.
    pub fn learn(
        &mut self,
        name: Option<&str>,
        learner: &mut impl Learns,
        until: u64,
    ) -> Result<(), Stopped> {
        let before = learner.games();
        self.report_left(until.saturating_sub(before));
        let is_own = name == Some(LEARNER);
        let mut is_late = false;
        while learner.games() < until && !is_late {
            let start = Instant::now();
            let is_whole = learner.batch(until - learner.games(), self.player);
            if is_own {
                self.progress.time += start.elapsed();
                is_late = self.is_late();
            }
            // Before its first batch a learner is as it was saved, or is changed again next time.
            let has_learnt = learner.games() > before;
            if has_learnt && (!is_whole || self.kept.elapsed() > limit(KEPT_EVERY)) {
                self.keep(name, learner)?;
            }
            if !is_whole {
                return Err(Stopped::Early);
            }
            self.player.listener.checkpoint(None);
        }
        self.keep(name, learner)
    }

    /// Plays these games at a table; the name must be unique in the study.
    pub fn play(
        &mut self,
        name: &str,
        table: &dyn Table,
        games: Range<u64>,
    ) -> Result<Tally, Stopped> {
        let mut table = Experiment::apart(vec![table], self.training.deal);
        let info = RoundInfo {
            name: &format!("{}{name} ", self.of),
            status: &self.status,
            later: self.later(games.end - games.start),
        };
        table.play(info, games, u64::MAX, self.player)?;
        Ok(table.tallies.remove(0))
    }

    /// The result of the first seat of a table.
    pub fn gets(
        &mut self,
        name: &str,
        table: &dyn Table,
        games: Range<u64>,
    ) -> Result<Estimate, Stopped> {
        let tally = self.play(name, table, games)?;
        Ok(tally.seat(table.layout(), self.training.metric(), 0))
    }

    /// The result of `one` beside copies of the other.
    pub fn measure(
        &mut self,
        name: &str,
        one: &Seat,
        others: &Seat,
        games: Range<u64>,
    ) -> Result<Estimate, Stopped> {
        let mut seats = vec![others.clone(); self.training.players()];
        seats[0] = one.clone();
        let table = self.training.seated(&seats);
        self.gets(name, table.as_ref(), games)
    }

    /// The bot that tries each option in this many playouts before it decides, and its result
    /// beside copies of the bot itself.
    pub fn thinker(
        &mut self,
        name: &str,
        bot: &Seat,
        playouts: u64,
        games: u64,
    ) -> Result<(Seat, Estimate), Stopped> {
        let mind = Mind {
            playouts,
            ..Mind::ATTACK
        };
        let seat = Seat::new(Strategy::clone(&bot.strategy).that_thinks(), &mind.params());
        let seat = seat.expect("parameters of thinking");
        let share = self.measure(name, &seat, bot, 0..games)?;
        Ok((seat, share))
    }

    /// The results of the bots to compare with beside the learnt one.
    pub fn standings(&mut self, learnt: &Seat, games: u64) -> Result<Vec<BesideLearnt>, Stopped> {
        self.status = "playing other bots".to_string();
        let mut standings = Vec::new();
        for bot in &self.training.standing {
            let label = bot.label();
            let [name, other] =
                ["beside learnt", "learnt beside"].map(|of| format!("{of} {label}"));
            standings.push(BesideLearnt {
                bot: bot.clone(),
                beside_learnt: self.measure(&name, bot, learnt, 0..games)?,
                learnt_beside: self.measure(&other, learnt, bot, 0..games)?,
            });
        }
        Ok(standings)
    }
}
