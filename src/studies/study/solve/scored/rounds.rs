//! The rounds of training with scored options: games to learn from, and a duel after each round.

use super::{LearntRound, Scored, ScoredPlayed, Thought, Without};
use crate::study::error::StudyError;
use crate::study::solve::session::{KEPT_EVERY, LEARNER, OF_CHOICE, Session};
use carat_core::game::{ByOptions, CHANCE, Game, Table};
use carat_core::learning::Objective;
use carat_core::learning::additive::{Additive, Shape, Term};
use carat_core::learning::bot::{self, Base};
use carat_core::learning::options::{OptionLearner, Task};
use carat_core::limit::limit;
use carat_core::numbers;
use carat_core::simulation::{Player, Stopped};
use carat_core::strategy::{Seat, Strategy};
use std::time::{Duration, Instant};

/// What a sum for these bots may look at.
pub(super) fn shape(game: &Game, how: &ByOptions) -> Shape {
    let features = game.vocabulary.features;
    let kinds = how.kinds.iter();
    let kinds = kinds.map(|kind| game.vocabulary.find(kind).expect("its own feature"));
    let is_seen = |look: &usize| {
        let feature = features.get(*look).map(|feature| feature.name);
        let is_unseen = |name| how.unseen.split(' ').any(|unseen| unseen == name);
        feature.is_none_or(|name| !CHANCE.contains(&name) && !is_unseen(name))
    };
    Shape {
        kinds: kinds.collect(),
        looks: (0..=features.len()).filter(is_seen).collect(),
        base: features.len(),
    }
}

/// The score that training adds to. Refuses one that is no longer a bot with a large sum added.
pub(super) fn base(
    game: &Game,
    how: &ByOptions,
    first: &Seat,
    shape: &Shape,
) -> Result<Base, StudyError> {
    let refused = |why: &str| {
        let first = how.first;
        StudyError::Refused(format!(
            "training starts from `{first}`, but your own file of that name {why}; rename it"
        ))
    };
    let vocabulary = game.vocabulary;
    let base = Base::of(&first.strategy, vocabulary, how.range);
    let base = base.filter(|_| first.mind().is_none());
    let base = base.ok_or_else(|| refused("thinks before it decides"))?;
    let kinds = shape.kinds.len() + 1;
    let pair = |number: usize| Term {
        kind: number % kinds,
        looks: vec![0, 1],
        edges: vec![vec![0.0], vec![0.0]],
        heights: vec![1.0; 4],
        used: vec![1.0; 4],
    };
    let large = Additive {
        terms: (0..how.tables).map(pair).collect(),
        weights: vec![1.0; kinds],
    };
    let text = bot::text(&large, shape, &base, "");
    let read = Strategy::from_toml("learnt", "learnt", &text, vocabulary);
    match read.map(|bot| Seat::new(bot, &[])) {
        Ok(Ok(_)) => Ok(base),
        _ => Err(refused("cannot be added to: it has tables, or is too long")),
    }
}

/// Step sizes shrink after this many times the games of the first round.
const SLOWER: f64 = 5.0;
/// A starting bot is worth the games of this many rounds.
const EARLIER: u32 = 4;
/// The approximate number of figures of each round, and after the last one.
const FIGURES_OF_ROUND: u32 = 2;
const FIGURES_AT_END: u32 = 16;
/// The name of the rounds in saved progress.
const ROUNDS: &str = "rounds";
/// The part of a bot's tables that a round replaces by new ones.
const GROWTH: usize = 4;
/// The games of a figure, in games of the first round, …
const REPORTED: u64 = 2;
/// … and the games of one with a thinking seat, at most those of the training.
const OF_THINKING: [u64; 2] = [100, 25];

impl Scored {
    pub fn play(mut self, player: &mut Player) -> Result<ScoredPlayed, Stopped> {
        let session = &mut Session::new(player, self.study.run.dealt(self.game.chunk));
        let mut way = Way {
            rounds: session.recalled(ROUNDS).unwrap_or_default(),
            ..Way::default()
        };
        let table = self.own_table(&self.first);
        let mut learner = self.learner(session, table.as_ref());
        if let Some((state, time)) = session.recalled(LEARNER) {
            learner.learnt = state;
            way.time = time;
            session.player.listener.recalled(learner.games());
        }
        while !self.is_over(&way) && !self.is_enough(session, &way)? {
            self.round(session, &mut way, &mut learner)?;
        }
        let games = way.games();
        self.table.learnt_from(games);
        let bot = self.present("solved", &way);
        let reported = self.reported(games);
        let mut thoughts = Vec::new();
        if self.wins() && self.learners > 1 {
            for (playouts, most) in self.how.thinks.into_iter().zip(OF_THINKING) {
                let least = self.how.games.min(games);
                session.status = format!("measuring a player with {playouts} playouts");
                let games = (most * least / self.how.games).max(2);
                let name = format!("thinking {playouts}");
                let (_, share) = self.thinker(session, &name, &bot, playouts, games)?;
                thoughts.push(Thought {
                    playouts,
                    games,
                    share,
                });
            }
        }
        let (mut standings, mut without) = (Vec::new(), Vec::new());
        if self.learners > 1 {
            standings = self.standings(session, &bot, reported / 4)?;
            if let Some(kept) = way.kept() {
                session.status = "measuring the features".to_string();
                without = self.without(session, &bot, &kept.model, reported / 2)?;
            }
        }
        Ok(ScoredPlayed {
            bot,
            rounds: way.rounds,
            thoughts,
            standings,
            without,
            resolved: self,
        })
    }

    fn is_over(&self, way: &Way) -> bool {
        let most = self.study.run.games.unwrap_or(u64::MAX);
        way.games() >= most || self.is_late(way.time)
    }

    /// Whether a thinking player gains no more than the study's `until`.
    fn is_enough(&self, session: &mut Session, way: &Way) -> Result<bool, Stopped> {
        let kept = way.rounds.last().is_some_and(|round| round.kept);
        let Some(until) = self.study.until.filter(|_| kept) else {
            return Ok(false);
        };
        let name = format!("until round {}", way.rounds.len());
        let ([playouts, _], [games, _]) = (self.how.thinks, OF_THINKING);
        let bot = self.present("learnt", way);
        let (_, share) = self.thinker(session, &name, &bot, playouts, games)?;
        Ok(share.minus(self.fair()).high <= until)
    }

    fn is_late(&self, time: Duration) -> bool {
        let minutes = self.study.minutes.map(|minutes| minutes * 60.0);
        minutes.is_some_and(|seconds| time.as_secs_f64() >= seconds)
    }

    /// The last bot that was kept, under this name, else the one that training starts from.
    fn present(&self, name: &str, way: &Way) -> Seat {
        match (way.kept(), &self.from) {
            (Some(round), _) => self.read(name, &round.text),
            (None, Some((bot, _))) => bot.clone(),
            (None, None) => self.first.clone(),
        }
    }

    fn learner<'a>(&'a self, session: &Session, table: &'a dyn Table) -> OptionLearner<'a> {
        let task = Task {
            table,
            learners: self.learners,
            objective: self.objective(),
            point: self.how.point,
            entropy: self.how.entropy,
            like_first: self.how.like_first,
            slower: SLOWER * self.how.games as f64,
            shape: &self.shape,
            base: &self.base,
            from: self.from.as_ref().map(|(_, model)| model),
            earlier: self.from.as_ref().map_or(0, |_| self.how.games << EARLIER),
            seed: session.seed(1),
        };
        OptionLearner::new(task, session.player.level)
    }

    /// Learns until this number of games, or until the time is over.
    fn learn(
        &self,
        session: &mut Session,
        way: &mut Way,
        learner: &mut OptionLearner,
        games: u64,
    ) -> Result<(), Stopped> {
        session.report_left(games.saturating_sub(learner.games()));
        let mut kept = Instant::now();
        while learner.games() < games
            && (way.is_new_round(learner.games()) || !self.is_late(way.time))
        {
            let start = Instant::now();
            let most = games - learner.games();
            let is_whole = learner.batch(most, session.player);
            way.time += start.elapsed();
            // A round begins by replacing tables.
            let is_new = way.is_new_round(learner.games());
            if !is_new && (!is_whole || kept.elapsed() > limit(KEPT_EVERY)) {
                session.keep_state(LEARNER, &(&learner.learnt, way.time))?;
                kept = Instant::now();
            }
            if !is_whole {
                return Err(Stopped::Early);
            }
            session.player.listener.checkpoint(None);
        }
        Ok(())
    }

    /// The estimated games of the study by the speed of learning, those of figures included.
    fn planned_games(&self, way: &Way, learnt: u64) -> u64 {
        let games = match (self.study.run.games, self.study.minutes) {
            (Some(games), _) => games,
            (None, Some(minutes)) if !way.time.is_zero() => {
                (learnt as f64 / way.time.as_secs_f64() * 60.0 * minutes) as u64
            }
            _ => return 0,
        };
        let rounds = (games / self.how.games).max(1).ilog2() + 1;
        games + self.reported(games) * u64::from(FIGURES_OF_ROUND * rounds + FIGURES_AT_END)
    }

    /// Adds tables, learns, and compares the bot with the one before.
    fn round(
        &self,
        session: &mut Session,
        way: &mut Way,
        learner: &mut OptionLearner,
    ) -> Result<(), Stopped> {
        let number = way.rounds.len() + 1;
        session.status = format!("round {number}");
        if let Some(round) = way.rounds.last() {
            let share = numbers::percent(round.beside_first.value, 1);
            session.status += &format!(", against {} {share}", self.first.label());
        }
        let most = self.study.run.games.unwrap_or(u64::MAX);
        let end = most.min(self.how.games << way.rounds.len());
        session.planned = self.planned_games(way, learner.games());
        if way.is_new_round(learner.games()) && number > 1 {
            let left = end.saturating_sub(learner.games()) + learner.looking();
            session.report_left(left);
            let start = Instant::now();
            let growth = self.how.tables / GROWTH;
            learner.prune(self.how.tables - growth);
            if !learner.grow(growth, session.player) {
                return Err(Stopped::Early);
            }
            way.time += start.elapsed();
        }
        self.learn(session, way, learner, end)?;
        session.keep_state(LEARNER, &(&learner.learnt, way.time))?;
        let present = self.present("learnt", way);
        let model = learner.model().merged(self.how.tables);
        let text = self.text(&model, &self.trained(learner.games(), ""));
        let learnt = self.read("learnt", &text);
        let checked = (OF_CHOICE, self.reported(learner.games()));
        let (beside_first, beside_before, kept) = match self.learners {
            1 => {
                let mut of = |what: &str, bot: &Seat| {
                    let name = format!("round {number} {what}");
                    self.gets(session, &name, self.own_table(bot).as_ref(), checked)
                };
                let (own, before) = (of("own", &learnt)?, of("before", &present)?);
                let apart = (own.se * own.se + before.se * before.se).sqrt();
                (own, before, own.value - before.value > 2.0 * apart)
            }
            _ => {
                let mut of = |what: &str, bot: &Seat, others: &Seat| {
                    let name = format!("round {number} {what}");
                    self.measure(session, &name, bot, others, checked)
                };
                let first = of("beside first", &learnt, &self.first)?;
                let before = of("beside before", &learnt, &present)?;
                let least = match self.objective() {
                    Objective::WinShare => self.fair(),
                    Objective::ScoreMean => of("among before", &present, &present)?.high,
                };
                (first, before, before.low > least)
            }
        };
        let tables = model.terms.iter().filter(|term| !term.looks.is_empty());
        way.rounds.push(LearntRound {
            games: learner.games(),
            tables: tables.count() as u64,
            beside_first,
            beside_before,
            kept,
            text,
            model,
        });
        session.keep_state(ROUNDS, &way.rounds)
    }

    fn text(&self, model: &Additive, description: &str) -> String {
        bot::text(model, &self.shape, &self.base, description)
    }

    fn without(
        &self,
        session: &mut Session,
        bot: &Seat,
        model: &Additive,
        games: u64,
    ) -> Result<Vec<Without>, Stopped> {
        let mut without = Vec::new();
        for &look in &self.shape.looks {
            let Some(blind) = model.without(look) else {
                continue;
            };
            let feature = self.base.name(look);
            let blind = self.read("blind", &self.text(&blind, feature));
            let name = format!("without {feature}");
            let share = self.measure(session, &name, &blind, bot, (0, games))?;
            without.push(Without { feature, share });
        }
        without.sort_by(|a, b| a.share.value.total_cmp(&b.share.value));
        Ok(without)
    }

    /// Games of a figure after this number of training games, which is the same for a repeated
    /// manifest.
    fn reported(&self, learnt: u64) -> u64 {
        REPORTED * self.how.games.min(learnt)
    }
}

#[derive(Default)]
struct Way {
    rounds: Vec<LearntRound>,
    time: Duration,
}

impl Way {
    /// The training games in whole rounds.
    fn games(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.games)
    }

    /// Whether a learner with this number of games is between rounds.
    fn is_new_round(&self, games: u64) -> bool {
        games == self.games()
    }

    fn kept(&self) -> Option<&LearntRound> {
        self.rounds.iter().rev().find(|round| round.kept)
    }
}
