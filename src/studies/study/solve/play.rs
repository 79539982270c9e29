//! The steps of training a policy: learn, attack the result, and report milestones.

use super::Policy;
use super::attack::{Attack, NOTHING, Start};
use super::session::{BesideLearnt, LEARNER, Milestone, OF_WAY, Session, Way, reported};
use carat_core::game::Table;
use carat_core::learning::{Learner, Schedule};
use carat_core::numbers;
use carat_core::simulation::{Player, Stopped, Tally};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Mind, Seat};
use std::time::Duration;

/// Games of the first milestone of a best response; each of the following has twice as many.
const FIRST_MILESTONE: u64 = 1 << 18;

/// Games of the first milestone in self-play, where each one trains an attack.
const FIRST_ATTACK: u64 = 1 << 22;

/// The approximate games of learning and attacks in a whole study per game of self-play, and its figures.
const WHOLE_STUDY: f64 = 3.4;
const FIGURES: u64 = 10;

/// The cost of a game with a thinking seat, in other games, at least.
const A_THINKERS_GAME: u64 = 500;

/// The weight of a starting bot in the average, in games.
const EARLIER: u64 = 8_000_000;

/// The part of a study's minutes for self-play; attacks take about the rest.
const LEARNING_SHARE: f64 = 0.22;

pub struct PolicyPlayed {
    /// The result of training, with the number of games in its study.
    pub resolved: Policy,
    pub bot: Seat,
    /// The win share beside copies of the starting bot, which is kept unless this is significantly
    /// above the equal share.
    pub beside_start: Option<Estimate>,
    pub milestones: Vec<Milestone>,
    /// The result of the learnt bot beside its training opponents.
    pub own: Option<(Tally, Box<dyn Table>)>,
    pub attacks: Vec<Attack>,
    pub standings: Vec<BesideLearnt>,
}

impl Policy {
    pub fn play(mut self, player: &mut Player) -> Result<PolicyPlayed, Stopped> {
        let session = &mut Session::new(player, self.study.run.dealt(self.game.chunk));
        let mut learner = self.new_learner(session);
        self.learn(session, &mut learner)?;
        let games = learner.games();
        session.of_policy("", games);
        self.table.learnt_from(games);

        let mut policy = self.settled(&learner);
        let mut bot = self.learnt_bot(&policy, games, "");
        let (mut beside_start, mut is_new) = (None, true);
        if let Some((start, its_policy)) = &self.from {
            session.status = format!("against {}", start.label());
            let games = (0, session.reported);
            let share = self.measure(session, "beside the start", &bot, start, games)?;
            beside_start = Some(share);
            is_new = share.low > self.fair();
            if !is_new {
                (bot, policy) = (start.clone(), its_policy.clone());
            }
        }
        let (mut own, mut attacks, mut standings) = (None, Vec::new(), Vec::new());
        if self.learners == 1 {
            let table = self.own_table(&bot);
            let tally = session.play("own", table.as_ref(), (0, session.reported))?;
            own = Some((tally, table));
        } else {
            if self.is_attacked() {
                for start in [Start::Solved, Start::Coarse, Start::Nothing] {
                    session.status = format!("attack from {}", start.name());
                    attacks.push(self.attack(session, &bot, &policy, start, games / 2, true)?);
                }
                let value = |attack: usize| attacks[attack].share.value;
                let best = (0..attacks.len()).max_by(|&a, &b| value(a).total_cmp(&value(b)));
                let best = best.expect("there are attacks");
                let all = (0, session.reported);
                let found = self.measure(session, "gain", &attacks[best].bot, &bot, all)?;
                attacks[best].fresh = Some(found);
                session.status = "attack by a thinking player".to_string();
                // It also uses information that no axis has.
                let (name, playouts) = ("attack by thinking", Mind::ATTACK.playouts);
                let all = (session.reported / A_THINKERS_GAME).max(100);
                let (seat, share) = self.thinker(session, name, &bot, playouts, all)?;
                let thinking = Attack {
                    start: Start::Thinking,
                    games: 0,
                    bot: seat,
                    share,
                    fresh: Some(share),
                };
                if is_new {
                    let beaten = self.beaten(found, &thinking);
                    bot = self.learnt_bot(&policy, games, &beaten);
                }
                attacks.push(thinking);
            }
            standings = self.standings(session, &bot, session.reported / 10)?;
        }
        Ok(PolicyPlayed {
            resolved: self,
            bot,
            beside_start,
            milestones: std::mem::take(&mut session.way.milestones),
            own,
            attacks,
            standings,
        })
    }

    fn new_learner(&self, session: &Session) -> Learner {
        let (learners, grid, from) = (self.learners, &self.grid, self.from.as_ref());
        let nothing = vec![NOTHING; grid.cells()];
        let start = from.map_or(nothing, |(_, policy)| policy.clone());
        let pace = match learners {
            1 => Schedule::BESIDE_BOTS,
            learners => Schedule {
                earlier: from.map_or(0, |_| EARLIER),
                ..Schedule::together(learners)
            },
        };
        let (objective, seed, levels) = (self.objective(), session.seed(1), grid.levels());
        let lesson = self.lesson(grid, learners, &self.others);
        Learner::new(lesson, learners, objective, seed, start, levels, pace)
    }

    /// Whether attacks measure the result: in self-play for wins.
    fn is_attacked(&self) -> bool {
        self.learners > 1 && self.wins()
    }

    /// Learns for the study's games or minutes, and records milestones.
    fn learn(&self, session: &mut Session, learner: &mut Learner) -> Result<(), Stopped> {
        session.recall(LEARNER, learner);
        let attacked = self.is_attacked();
        let share = if attacked { LEARNING_SHARE } else { 1.0 };
        let seconds = self.study.minutes.map(|minutes| minutes * 60.0 * share);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let most = self.study.run.games.unwrap_or(u64::MAX);
        let first = match self.learners {
            1 => FIRST_MILESTONE,
            _ => FIRST_ATTACK,
        };
        loop {
            let milestones = &session.way.milestones;
            let until = most.min(first << milestones.len());
            let over = |way: &Way| time.is_some_and(|time| way.time >= time);
            let mut enough = learner.games() >= most || over(&session.way);
            if let Some(Milestone { estimate, .. }) = milestones.last() {
                enough |= self.study.until.is_some_and(|gain| estimate.high <= gain);
                enough |= time.is_some() && attacked && no_longer_falls(milestones);
                if self.learners > 1 {
                    session.status = format!("gain so far {}", numbers::percent(estimate.value, 2));
                }
            }
            session.planned = self.planned_games(session, learner);
            session.report_left(until.saturating_sub(learner.games()));
            while !enough && learner.games() < until {
                session.batch(Some(LEARNER), learner)?;
                enough = over(&session.way);
            }
            session.keep(Some(LEARNER), learner)?;
            if enough || learner.games() >= most {
                return Ok(());
            }
            let estimate = self.milestone(session, learner)?;
            let games = learner.games();
            session.way.milestones.push(Milestone { games, estimate });
        }
    }

    /// The estimated games of the study by the speed of learning.
    fn planned_games(&self, session: &Session, learner: &Learner) -> u64 {
        let seconds = session.way.time.as_secs_f64();
        let games = match (self.study.run.games, self.study.minutes) {
            (Some(games), _) => games as f64,
            (None, Some(minutes)) if seconds > 0.0 => {
                learner.games() as f64 / seconds * 60.0 * minutes * LEARNING_SHARE
            }
            _ => return 0,
        };
        let (times, figures) = if self.is_attacked() {
            (WHOLE_STUDY, FIGURES)
        } else {
            (1.0, 1)
        };
        (games * times) as u64 + figures * reported(games as u64)
    }

    fn milestone(&self, session: &mut Session, learner: &Learner) -> Result<Estimate, Stopped> {
        let policy = self.settled(learner);
        let bot = self.learnt_bot(&policy, learner.games(), "");
        session.of_policy("way ", learner.games());
        let on_the_way = (OF_WAY, session.reported / 10);
        if !self.is_attacked() {
            let table = self.own_table(&bot);
            let tally = session.play("way", table.as_ref(), on_the_way)?;
            return Ok(tally.seat(table.layout(), self.metric(), 0));
        }
        let games = learner.games() / 4;
        let attack = self.attack(session, &bot, &policy, Start::Solved, games, false)?;
        let found = self.measure(session, "way", &attack.bot, &bot, on_the_way)?;
        Ok(found.minus(self.fair()))
    }

    /// The learnt policy: the average play in self-play, the better answer of a lone learner.
    fn settled(&self, learner: &Learner) -> Vec<u8> {
        match self.learners {
            1 => learner.greedy(),
            _ => learner.policy.clone(),
        }
    }

    /// The bot that plays this policy; its description ends with how it was `beaten`.
    fn learnt_bot(&self, policy: &[u8], games: u64, beaten: &str) -> Seat {
        let description = self.trained(games, beaten);
        self.bot("solved", &description, &self.grid, policy)
    }

    /// The gains of the strongest learnt attack and of a thinking player, in words.
    fn beaten(&self, found: Estimate, thinking: &Attack) -> String {
        let gain = |share: Estimate| share.minus(self.fair()).in_points();
        let playouts = thinking.bot.mind().map_or(0, |mind| mind.playouts);
        format!(
            "; against copies of it, the strongest attack gained {:+} in fresh games, and a player \
             with {playouts} playouts {:+}",
            gain(found),
            gain(thinking.share)
        )
    }
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
