//! How such a study is played: rounds of games that are taken apart, a bot fitted to them, and a duel.

use super::{LearntRound, Scored, ScoredPlayed, Thought, Without};
use crate::diagnostic::counted;
use crate::formula::Value;
use crate::game::Table;
use crate::learning::Objective;
use crate::learning::additive::{self, Additive, Decisions, Shape, Term};
use crate::learning::bot::{self, Base};
use crate::learning::samples::{Sample, Sampler, Sampling, Told};
use crate::numbers;
use crate::simulation::{NotKept, Player};
use crate::statistics::Estimate;
use crate::strategy::{Mind, Seat, Strategy};
use crate::study::solve::differing::differing;
use crate::study::solve::play::{OF_CHOICE, Session, Stopped};
use crate::study::solve::{BesideLearnt, SolveError};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Rounds whose decisions are remembered.
const REMEMBERED: usize = 4;
/// Games that are taken apart at a time, between looks at the clock.
const AT_A_TIME: u64 = 50;
/// Most look-up tables of a bot, and of a simple one.
const TABLES: usize = 30;
const SIMPLE: usize = 6;
/// A figure is of so many times the games that are taken apart in a round, …
const REPORTED: u64 = 5;
/// … and of so many where a seat thinks, fewer where not even a round of games is taken apart.
const OF_THINKING: [u64; 2] = [400, 100];
/// Features that say nothing of an option.
const CHANCE: [&str; 2] = ["random", "noise"];

impl Scored {
    pub(super) fn play(
        self,
        base: Base,
        player: &mut Player,
    ) -> Result<Option<ScoredPlayed>, NotKept> {
        let mut session = Session::new(player, self.study.table.seed, self.game.chunk);
        match self.played(&mut session, base) {
            Ok(played) => Ok(Some(played)),
            Err(Stopped::Told) => Ok(None),
            Err(Stopped::NotKept(error)) => Err(error),
        }
    }

    fn played(mut self, session: &mut Session, base: Base) -> Result<ScoredPlayed, Stopped> {
        let shape = self.shape(TABLES);
        let mut way = Way::recalled(session);
        let mut data = Decisions::new(self.game.vocabulary.features.len() + 1);
        while !self.is_over(&way) && !self.is_enough(session, &way)? {
            self.round(session, &mut way, &mut data, (&shape, &base))?;
        }
        let games = way.games();
        self.table.learnt_from(games);
        let bot = self.present(&way);
        let bot = match way.kept() {
            Some(round) => self.read("solved", &round.text),
            None => bot,
        };
        let reported = self.reported();
        let mut thoughts = Vec::new();
        if self.objective() == Objective::WinShare && self.learners > 1 {
            for (playouts, most) in self.how.thinks.into_iter().zip(OF_THINKING) {
                let least = self.how.games.min(games);
                session.known = format!("one that thinks {playouts} playouts");
                let games = (most * least / self.how.games).max(2);
                let name = format!("thinking {playouts}");
                let share = self.thinker(session, &name, &bot, playouts, games)?;
                thoughts.push(Thought {
                    playouts,
                    games,
                    share,
                });
            }
        }
        let mut standings = Vec::new();
        let (mut without, mut simple) = (Vec::new(), None);
        let mut differing_at = Vec::new();
        if self.learners > 1 {
            session.known = "where it stands".to_string();
            for other in &self.field {
                let label = other.label();
                let games = (0, reported / 4);
                let name = format!("beside learnt {label}");
                let beside_learnt = self.measure(session, &name, other, &bot, games)?;
                let name = format!("learnt beside {label}");
                let learnt_beside = self.measure(session, &name, &bot, other, games)?;
                standings.push(BesideLearnt {
                    bot: other.clone(),
                    beside_learnt,
                    learnt_beside,
                });
            }
            if let Some(kept) = way.kept() {
                session.known = "what features are for".to_string();
                without = self.without(session, &bot, &kept.model, (&shape, &base))?;
                session.known = "a simple bot".to_string();
                let rule = self.read("simple", &kept.simple);
                let share = self.measure(session, "simple", &rule, &bot, (0, reported))?;
                simple = Some((rule, share));
                session.known = "where it departs from the first bot".to_string();
                let (table, first) = (self.own_table(&bot), self.first.formula());
                let seed = self.study.table.seed;
                differing_at = differing(session, table.as_ref(), &first, seed)?;
            }
        }
        Ok(ScoredPlayed {
            bot,
            rounds: way.rounds,
            thoughts,
            standings,
            without,
            differing: differing_at,
            simple,
            resolved: self,
        })
    }

    /// The score that is added to.
    ///
    /// # Errors
    ///
    /// [`SolveError::First`] where a large sum added to it would be no bot.
    pub(super) fn base(&self) -> Result<Base, SolveError> {
        let refused = |why: &str| SolveError::First(self.how.first, why.to_string());
        let vocabulary = self.game.vocabulary;
        let base = Base::of(&self.first.strategy, vocabulary.question, self.how.range);
        let base = base.filter(|_| self.first.mind().is_none());
        let base = base.ok_or_else(|| refused("thinks before it decides"))?;
        let shape = self.shape(TABLES);
        let kinds = shape.kinds.len() + 1;
        let term = |number: usize| Term {
            kind: number % kinds,
            looks: vec![0, 1],
            edges: vec![vec![0.0], vec![0.0]],
            heights: vec![1.0; 4],
        };
        let large = Additive {
            terms: (0..TABLES).map(term).collect(),
            weights: vec![1.0; kinds],
        };
        let text = bot::text(&large, &shape, &base, vocabulary, "");
        let read = Strategy::from_toml("learnt", "learnt", &text, vocabulary);
        match read.map(|bot| Seat::new(bot, &[])) {
            Ok(Ok(_)) => Ok(base),
            _ => Err(refused("cannot be added to: it has tables, or is too long")),
        }
    }

    /// What a model may look like that has so many tables.
    fn shape(&self, tables: usize) -> Shape {
        let features = self.game.vocabulary.features;
        let kinds = self.how.kinds.iter();
        let kinds = kinds.map(|kind| self.game.vocabulary.find(kind).expect("its own feature"));
        Shape {
            kinds: kinds.collect(),
            looks: (0..=features.len())
                .filter(|&look| {
                    let feature = features.get(look);
                    feature.is_none_or(|feature| !CHANCE.contains(&feature.name))
                })
                .collect(),
            base: Some(features.len()),
            tables,
        }
    }

    /// Whether learning is over.
    fn is_over(&self, way: &Way) -> bool {
        let most = self.study.table.games.unwrap_or(u64::MAX);
        way.games() >= most || self.is_late(way.time)
    }

    /// Whether one that thinks gains no more than the study wants.
    fn is_enough(&self, session: &mut Session, way: &Way) -> Result<bool, Stopped> {
        let kept = way.rounds.last().is_some_and(|round| round.kept);
        let Some(until) = self.study.until.filter(|_| kept) else {
            return Ok(false);
        };
        let name = format!("until round {}", way.rounds.len());
        let ([playouts, _], [games, _]) = (self.how.thinks, OF_THINKING);
        let share = self.thinker(session, &name, &self.present(way), playouts, games)?;
        Ok(share.minus(self.fair()).high <= until)
    }

    fn is_late(&self, time: Duration) -> bool {
        let minutes = self.study.minutes.map(|minutes| minutes * 60.0);
        minutes.is_some_and(|seconds| time.as_secs_f64() >= seconds)
    }

    /// The bot that plays now.
    fn present(&self, way: &Way) -> Seat {
        match way.kept() {
            Some(round) => self.read("learnt", &round.text),
            None => self.first.clone(),
        }
    }

    /// Takes games of the present bot apart, fits a new one, and finds out whether it is better.
    fn round(
        &self,
        session: &mut Session,
        way: &mut Way,
        data: &mut Decisions,
        (shape, base): (&Shape, &Base),
    ) -> Result<(), Stopped> {
        let start = Instant::now();
        let number = way.rounds.len() + 1;
        session.known = format!("round {number}");
        let present = self.present(way);
        let first = way.games();
        let most = self.study.table.games.unwrap_or(u64::MAX);
        let end = most.min(first + self.how.games);
        if data.is_empty() {
            // What a run that was interrupted had learnt from.
            let done = way.rounds.len();
            for at in done.saturating_sub(REMEMBERED - 1)..done {
                let before = Way {
                    rounds: way.rounds[..at].to_vec(),
                    time: way.time,
                };
                let (first, end) = (before.games(), way.rounds[at].games);
                let played = self.own_table(&self.present(&before));
                let sampler = self.sampler(session, played.as_ref());
                for at in (first..end).step_by(AT_A_TIME as usize) {
                    let some = (end - at).min(AT_A_TIME);
                    self.sample(session, &sampler, base, (at, some), data)?;
                }
            }
        }
        let older = REMEMBERED.saturating_sub(1);
        if let Some(at) = way.rounds.len().checked_sub(older) {
            let own: u64 = way.rounds[at..].iter().map(|round| round.own).sum();
            data.forget(data.len().saturating_sub(own as usize));
        }
        let before = data.len();
        let table = self.own_table(&present);
        let sampler = self.sampler(session, table.as_ref());
        let mut games = first;
        session
            .player
            .listener
            .remaining(end - first, None, &session.known);
        while games < end && !(games > first && self.is_late(way.time + start.elapsed())) {
            let some = (end - games).min(AT_A_TIME);
            self.sample(session, &sampler, base, (games, some), data)?;
            games += some;
        }
        let own = (data.len() - before) as u64;
        if let Some(kept) = way.kept() {
            kept.model.choose(data, shape);
        }
        let model = additive::fit(data, shape);
        let description = format!(
            "Learnt {} in {}: {}.",
            self.against(),
            counted(games as usize, "game"),
            self.headline()
        );
        let text = bot::text(&model, shape, base, self.game.vocabulary, &description);
        let learnt = self.read("learnt", &text);
        let checked = (OF_CHOICE, self.reported());
        let (beside_first, beside_before, kept) = match self.learners {
            1 => {
                let of = |session: &mut Session, what: &str, bot: &Seat| {
                    let name = format!("round {number} {what}");
                    self.gets(session, &name, self.own_table(bot).as_ref(), checked)
                };
                let own = of(session, "own", &learnt)?;
                let before = of(session, "before", &present)?;
                let apart = (own.se * own.se + before.se * before.se).sqrt();
                (own, before, own.value - before.value > 2.0 * apart)
            }
            _ => {
                let name = format!("round {number} beside first");
                let first = self.measure(session, &name, &learnt, &self.first, checked)?;
                let name = format!("round {number} beside before");
                let before = self.measure(session, &name, &learnt, &present, checked)?;
                let kept = match self.objective() {
                    Objective::WinShare => before.low > self.fair(),
                    Objective::ScoreMean => {
                        let name = format!("round {number} among before");
                        let among = self.measure(session, &name, &present, &present, checked)?;
                        before.low > among.high
                    }
                };
                (first, before, kept)
            }
        };
        let few = self.shape(SIMPLE);
        let simple = bot::text(
            &additive::fit(data, &few),
            &few,
            base,
            self.game.vocabulary,
            &format!("A simple bot for {}.", self.headline()),
        );
        way.rounds.push(LearntRound {
            games,
            decisions: data.len() as u64,
            own,
            beside_first,
            beside_before,
            kept,
            text,
            model,
            simple,
        });
        way.time += start.elapsed();
        way.keep(session)?;
        session.known = format!(
            "beside {} {}",
            self.first.label(),
            numbers::percent(beside_first.value, 1)
        );
        Ok(())
    }

    fn sampler<'a>(&self, session: &Session, table: &'a dyn Table) -> Sampler<'a> {
        Sampler {
            table,
            going_on: table,
            sampling: Sampling {
                playouts: self.how.playouts,
                every: self.how.every,
                seed: session.seed(1),
            },
            only: (self.learners == 1).then_some(0),
            level: session.player.level,
        }
    }

    /// Takes some games apart, unless that was done before.
    fn sample(
        &self,
        session: &mut Session,
        sampler: &Sampler,
        base: &Base,
        (first, games): (u64, u64),
        data: &mut Decisions,
    ) -> Result<(), Stopped> {
        let player = &mut *session.player;
        let name = format!("games {first} to {}", first + games);
        let known = player.finished.recall_state(&name);
        let known: Option<Vec<Vec<Vec<Told>>>> =
            known.and_then(|known| rmp_serde::from_slice(&known).ok());
        let mut workers: Vec<Vec<(u64, Vec<Sample>)>> = Vec::new();
        let take_apart = |own: &mut Vec<(u64, Vec<Sample>)>, game: u64| {
            let known = known.as_ref().and_then(|known| known.get(game as usize));
            own.push((
                game,
                sampler.samples(first + game, known.map(Vec::as_slice)),
            ));
            player.played.fetch_add(1, Ordering::Relaxed);
        };
        let threads = player.threads;
        threads.share(&mut workers, Vec::new, games, player.stop, &take_apart);
        if player.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Told);
        }
        player.listener.checkpoint(None);
        let mut all: Vec<(u64, Vec<Sample>)> = workers.into_iter().flatten().collect();
        all.sort_by_key(|(game, _)| *game);
        if known.is_none() {
            let worths = |sample: &Sample| sample.worths.clone();
            let of_game = |(_, samples): &(u64, Vec<Sample>)| samples.iter().map(worths).collect();
            let worths: Vec<Vec<Vec<Told>>> = all.iter().map(of_game).collect();
            let state = rmp_serde::to_vec(&worths).map_err(|error| NotKept(error.into()))?;
            player.finished.keep_state(&name, &state)?;
        }
        let formula = self.first.formula();
        for sample in all.into_iter().flat_map(|(_, samples)| samples) {
            data.first.push(data.worths.len());
            data.chosen.push(data.worths.len() + sample.chosen);
            for (option, told) in sample.options.iter().zip(&sample.worths) {
                data.seen.extend(option);
                let score = match formula.evaluate(|feature| option[feature]) {
                    Value::Number(score) => score,
                    Value::Truth(_) => unreachable!("options are scored by numbers"),
                };
                data.seen.push(base.seen(score));
                data.playouts.push(told.playouts as f32);
                data.worths.push(match self.objective() {
                    Objective::WinShare => told.wins + self.how.point * told.score,
                    Objective::ScoreMean => told.score,
                });
            }
        }
        Ok(())
    }

    /// What the bot loses without each of its features.
    fn without(
        &self,
        session: &mut Session,
        bot: &Seat,
        model: &Additive,
        (shape, base): (&Shape, &Base),
    ) -> Result<Vec<Without>, Stopped> {
        let mut without = Vec::new();
        for &look in &shape.looks {
            let Some(blind) = model.without(look) else {
                continue;
            };
            let feature = match self.game.vocabulary.features.get(look) {
                Some(feature) => feature.name,
                None => Base::NAME,
            };
            let text = bot::text(&blind, shape, base, self.game.vocabulary, feature);
            let blind = self.read("blind", &text);
            let name = format!("without {feature}");
            let games = (0, self.reported() / 2);
            let share = self.measure(session, &name, &blind, bot, games)?;
            without.push(Without { feature, share });
        }
        without.sort_by(|a, b| a.share.value.total_cmp(&b.share.value));
        Ok(without)
    }

    /// What the bot gets beside copies of itself when it thinks.
    fn thinker(
        &self,
        session: &mut Session,
        name: &str,
        bot: &Seat,
        playouts: u64,
        games: u64,
    ) -> Result<Estimate, Stopped> {
        let mind = Mind {
            playouts,
            ..Mind::ATTACK
        };
        let seat = Seat::new(bot.strategy.clone().that_thinks(), &mind.params());
        let Ok(seat) = seat else {
            unreachable!("these are parameters of thinking");
        };
        self.measure(session, name, &seat, bot, (0, games))
    }

    /// Games of a figure.
    fn reported(&self) -> u64 {
        let asked = self.study.table.games.unwrap_or(u64::MAX);
        REPORTED * self.how.games.min(asked)
    }
}

/// How learning came to where it is.
#[derive(Default, Serialize, Deserialize)]
struct Way {
    rounds: Vec<LearntRound>,
    time: Duration,
}

impl Way {
    fn recalled(session: &mut Session) -> Way {
        let state = session.player.finished.recall_state("rounds");
        let way = state.and_then(|state| rmp_serde::from_slice(&state).ok());
        way.unwrap_or_default()
    }

    fn keep(&self, session: &mut Session) -> Result<(), Stopped> {
        let state = rmp_serde::to_vec(self).map_err(|error| NotKept(error.into()))?;
        Ok(session.player.finished.keep_state("rounds", &state)?)
    }

    /// Games that were taken apart.
    fn games(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.games)
    }

    /// The last round whose bot was kept.
    fn kept(&self) -> Option<&LearntRound> {
        self.rounds.iter().rev().find(|round| round.kept)
    }
}
