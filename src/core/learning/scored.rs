//! Training in games with scored options: adjusts tables that are added to a bot's score
//! ([`options`](super::options)).
//!
//! Each round has as many games as all before it. Its bot is accepted if it is significantly better
//! than the present one in fresh games.

use super::Learns;
use super::additive::{Additive, Shape, Term};
use super::bot::{self, Base};
use super::options::{OptionLearner, Task};
use super::trainer::{BesideLearnt, LEARNER, OF_CHOICE, Trainer};
use super::training::Training;
use crate::game::{ByOptions, CHANCE, Game, Table};
use crate::numbers;
use crate::simulation::{Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{Seat, Strategy};
use serde::{Deserialize, Serialize};
use web_time::Instant;

/// Step sizes shrink after this many times the games of the first round.
const SLOWER: f64 = 5.0;
/// A starting bot is worth the games of this many rounds.
const EARLIER: u32 = 4;
/// The approximate number of figures of each round, and after the last one.
const FIGURES_OF_ROUND: u32 = 2;
const FIGURES_AT_END: u32 = 16;
/// The part of a bot's tables that a round replaces by new ones.
const GROWTH: usize = 4;
/// The games of a figure, in games of the first round, …
const REPORTED: u64 = 2;
/// … and the games of one with a thinking seat, at most those of the training.
const OF_THINKING: [u64; 2] = [100, 25];

/// The training of a bot with scored options.
pub struct Scored {
    /// The game's own bot; training adds to its score.
    pub first: Seat,
    /// The sum that the starting bot adds, if it is another one.
    pub start: Option<Additive>,
    how: &'static ByOptions,
    shape: Shape,
    /// The score that training adds to.
    base: Base,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LearntRound {
    pub games: u64,
    pub tables: u64,
    /// The result of the new bot beside copies of the first one, or beside the bots of the table.
    pub beside_first: Estimate,
    /// Its result beside copies of the bot before, or that bot's beside the bots of the table.
    pub beside_before: Estimate,
    pub kept: bool,
    pub text: String,
    model: Additive,
}

pub struct Thought {
    pub playouts: u64,
    pub games: u64,
    /// The win share beside copies of the learnt bot.
    pub share: Estimate,
}

/// The learnt bot without one feature.
pub struct Without {
    pub feature: &'static str,
    /// The result of the bot without the feature beside copies of the learnt one.
    pub share: Estimate,
}

pub struct LearntScored {
    /// Number of training games.
    pub games: u64,
    /// The game's own bot.
    pub first: Seat,
    pub bot: Seat,
    pub rounds: Vec<LearntRound>,
    pub thoughts: Vec<Thought>,
    pub standings: Vec<BesideLearnt>,
    /// The importance of features, the most important first.
    pub without: Vec<Without>,
}

type RoundTrainer<'t, 'p> = Trainer<'t, 'p, LearntRound>;

impl Scored {
    /// Training that adds to the score of the game's own bot. Refuses one that is no longer a bot
    /// with a large sum added, and says why.
    pub fn new(game: &Game, how: &'static ByOptions, first: Seat) -> Result<Scored, &'static str> {
        let vocabulary = game.vocabulary;
        let base = Base::of(&first.strategy, vocabulary, how.range);
        let base = base.filter(|_| first.mind().is_none());
        let base = base.ok_or("thinks before it decides")?;
        let shape = shape(game, how);
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
        let text = bot::text(&large, &shape, &base, "");
        let read = Strategy::from_toml("learnt", "learnt", &text, vocabulary);
        if !read.is_ok_and(|bot| Seat::new(bot, &[]).is_ok()) {
            return Err("cannot be added to: it has tables, or is too long");
        }
        Ok(Scored {
            first,
            start: None,
            how,
            shape,
            base,
        })
    }

    /// The sum that a trained bot adds; `None` if it is another bot.
    pub fn sum_of(&self, bot: &Seat) -> Option<Additive> {
        bot::read(&bot.strategy.text, &self.shape, &self.base)
    }

    /// Trains a bot and measures it.
    pub fn train(&self, training: &Training, player: &mut Player) -> Result<LearntScored, Stopped> {
        let trainer = &mut Trainer::new(training, player);
        let table = training.own_table(&self.first);
        let mut learner = self.learner(trainer, table.as_ref());
        trainer.recall(LEARNER, &mut learner);
        while !trainer.is_over(games(trainer)) && !self.is_enough(trainer)? {
            self.round(trainer, &mut learner)?;
        }
        let games = games(trainer);
        trainer.reported = self.reported(games);
        let bot = self.present(trainer, "solved");
        let (mut thoughts, mut standings, mut without) = (Vec::new(), Vec::new(), Vec::new());
        if training.learners > 1 {
            if training.wins() {
                thoughts = self.thoughts(trainer, &bot, games)?;
            }
            standings = trainer.standings(&bot, trainer.reported / 4)?;
            if let Some(kept) = kept(&trainer.progress.stages) {
                let model = kept.model.clone();
                without = self.without(trainer, &bot, &model)?;
            }
        }
        Ok(LearntScored {
            games,
            first: self.first.clone(),
            bot,
            rounds: std::mem::take(&mut trainer.progress.stages),
            thoughts,
            standings,
            without,
        })
    }

    fn learner<'a>(&'a self, trainer: &RoundTrainer, table: &'a dyn Table) -> OptionLearner<'a> {
        let task = Task {
            table,
            learners: trainer.training.learners,
            objective: trainer.training.objective,
            point: self.how.point,
            entropy: self.how.entropy,
            like_first: self.how.like_first,
            slower: SLOWER * self.how.games as f64,
            shape: &self.shape,
            base: &self.base,
            from: self.start.as_ref(),
            earlier: self.start.as_ref().map_or(0, |_| self.how.games << EARLIER),
            seed: trainer.seed(1),
        };
        OptionLearner::new(task, trainer.player.level)
    }

    /// Whether a thinking player gains no more than the training's `until`.
    fn is_enough(&self, trainer: &mut RoundTrainer) -> Result<bool, Stopped> {
        let rounds = &trainer.progress.stages;
        let is_kept = rounds.last().is_some_and(|round| round.kept);
        let Some(until) = trainer.training.until.filter(|_| is_kept) else {
            return Ok(false);
        };
        let name = format!("until round {}", rounds.len());
        let ([playouts, _], [games, _]) = (self.how.thinks, OF_THINKING);
        let bot = self.present(trainer, "learnt");
        let (_, share) = trainer.thinker(&name, &bot, playouts, games)?;
        Ok(share.minus(trainer.training.fair()).high <= until)
    }

    /// The last bot that was kept, under this name, else the one that training starts from.
    fn present(&self, trainer: &RoundTrainer, name: &str) -> Seat {
        let training = trainer.training;
        match kept(&trainer.progress.stages) {
            Some(round) => training.read(name, &round.text),
            None => training.from.as_ref().unwrap_or(&self.first).clone(),
        }
    }

    /// The estimated games of the study by the speed of learning, those of figures included.
    fn planned(&self, trainer: &RoundTrainer, learnt: u64) -> u64 {
        let games = trainer.expected(learnt);
        let rounds = (games / self.how.games).max(1).ilog2() + 1;
        games + self.reported(games) * u64::from(FIGURES_OF_ROUND * rounds + FIGURES_AT_END)
    }

    /// Adds tables, learns, and compares the bot with the one before.
    fn round(
        &self,
        trainer: &mut RoundTrainer,
        learner: &mut OptionLearner,
    ) -> Result<(), Stopped> {
        let (training, rounds) = (trainer.training, &trainer.progress.stages);
        let number = rounds.len() + 1;
        let mut status = format!("round {number}");
        if let Some(round) = rounds.last() {
            let share = numbers::percent(round.beside_first.value, 1);
            status += &format!(", against {} {share}", self.first.label());
        }
        let end = trainer.end(self.how.games << rounds.len());
        trainer.status = status;
        trainer.planned = self.planned(trainer, learner.games());
        if number > 1 && learner.games() == games(trainer) {
            trainer.report_left(end.saturating_sub(learner.games()) + learner.looking());
            let start = Instant::now();
            let growth = self.how.tables / GROWTH;
            learner.prune(self.how.tables - growth);
            if !learner.grow(growth, trainer.player) {
                return Err(Stopped::Early);
            }
            trainer.progress.time += start.elapsed();
        }
        trainer.learn(Some(LEARNER), learner, end)?;
        trainer.reported = self.reported(learner.games());
        let model = learner.model().merged(self.how.tables);
        let text = self.text(&model, &training.trained(learner.games(), ""));
        let learnt = training.read("learnt", &text);
        let (beside_first, beside_before, kept) = self.duel(trainer, &learnt)?;
        let tables = model.terms.iter().filter(|term| !term.looks.is_empty());
        let tables = tables.count() as u64;
        trainer.progress.stages.push(LearntRound {
            games: learner.games(),
            tables,
            beside_first,
            beside_before,
            kept,
            text,
            model,
        });
        trainer.keep(Some(LEARNER), learner)
    }

    /// Compares the bot of a round with the first one and the present one, beside their copies or,
    /// if it learns alone, beside the bots of the table; and whether it is clearly better.
    fn duel(
        &self,
        trainer: &mut RoundTrainer,
        learnt: &Seat,
    ) -> Result<(Estimate, Estimate, bool), Stopped> {
        let present = self.present(trainer, "learnt");
        let (training, number) = (trainer.training, trainer.progress.stages.len() + 1);
        let games = OF_CHOICE..OF_CHOICE + trainer.reported;
        let name = |what: &str| format!("round {number} {what}");
        if training.learners == 1 {
            let [learnt, present] = [learnt, &present].map(|bot| training.own_table(bot));
            let own = trainer.gets(&name("own"), learnt.as_ref(), games.clone())?;
            let before = trainer.gets(&name("before"), present.as_ref(), games)?;
            let apart = (own.se * own.se + before.se * before.se).sqrt();
            return Ok((own, before, own.value - before.value > 2.0 * apart));
        }
        let mut of = |what: &str, bot: &Seat, others: &Seat| {
            trainer.measure(&name(what), bot, others, games.clone())
        };
        let first = of("beside first", learnt, &self.first)?;
        let before = of("beside before", learnt, &present)?;
        let least = if training.wins() {
            training.fair()
        } else {
            of("among before", &present, &present)?.high
        };
        Ok((first, before, before.low > least))
    }

    fn text(&self, model: &Additive, description: &str) -> String {
        bot::text(model, &self.shape, &self.base, description)
    }

    /// How far thinking players beat the bot.
    fn thoughts(
        &self,
        trainer: &mut RoundTrainer,
        bot: &Seat,
        games: u64,
    ) -> Result<Vec<Thought>, Stopped> {
        let mut thoughts = Vec::new();
        for (playouts, most) in self.how.thinks.into_iter().zip(OF_THINKING) {
            let least = self.how.games.min(games);
            trainer.status = format!("measuring a player with {playouts} playouts");
            let games = (most * least / self.how.games).max(2);
            let name = format!("thinking {playouts}");
            let (_, share) = trainer.thinker(&name, bot, playouts, games)?;
            thoughts.push(Thought {
                playouts,
                games,
                share,
            });
        }
        Ok(thoughts)
    }

    fn without(
        &self,
        trainer: &mut RoundTrainer,
        bot: &Seat,
        model: &Additive,
    ) -> Result<Vec<Without>, Stopped> {
        trainer.status = "measuring the features".to_string();
        let mut without = Vec::new();
        for &look in &self.shape.looks {
            let Some(blind) = model.without(look) else {
                continue;
            };
            let feature = self.base.name(look);
            let blind = self.text(&blind, feature);
            let blind = trainer.training.read("blind", &blind);
            let games = 0..trainer.reported / 2;
            let share = trainer.measure(&format!("without {feature}"), &blind, bot, games)?;
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

/// What a sum for these bots may look at.
fn shape(game: &Game, how: &ByOptions) -> Shape {
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

/// The training games in whole rounds.
fn games(trainer: &RoundTrainer) -> u64 {
    let last = trainer.progress.stages.last();
    last.map_or(0, |round| round.games)
}

fn kept(rounds: &[LearntRound]) -> Option<&LearntRound> {
    rounds.iter().rev().find(|round| round.kept)
}
