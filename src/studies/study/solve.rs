//! The study of learning: trains a bot, and measures how far it can be beaten.

use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, one_of, parse_toml};
use super::remark::Remark;
use super::run::Spec;
use super::table::{checked_rules, headline, unprinted};
use carat_core::diagnostic::counted;
use carat_core::format::Format;
use carat_core::game::{Game, Seating, SeatingError};
use carat_core::learning::policy::{LearntPolicy, Policy};
use carat_core::learning::scored::{LearntScored, Scored};
use carat_core::learning::training::Training;
use carat_core::learning::{Objective, whole_batches};
use carat_core::library::{ADAPTED, Library, SourceText, Sources};
use carat_core::simulation::{Player, Stopped};
use carat_core::strategy::{Grid, Seat, SeatSpec};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::slice;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "others people seating precision max_games populations measures expect";

mod methods;

/// Default number of games to learn from.
const GAMES: u64 = 100_000_000;
/// Default number of rounds of a training with scored options.
const ROUNDS: u64 = 8;
/// Fewest games for a comparison with an adapted population.
const LONG: u64 = 10_000_000;
/// The name for learning from scratch.
const NOTHING: &str = "nothing";
pub const GAMES_MIN: u64 = 100_000;
/// Fewest games of a training with scored options.
const SCORED_MIN: u64 = 10;

#[cfg(feature = "clap")]
const AGAINST: &str =
    "An opponent to train against, `[copies*]BOT[:param=value,…]`; repeat for more";
#[cfg(feature = "clap")]
const GAMES_HELP: &str =
    "Number of training games [default: 100M, in Diamond Cave 2.56M, in Diamond Miner 256k]";

/// Train a bot, and measure by how much it can be beaten
///
/// Without --against, carat trains all seats by self-play, then trains attackers against the result
/// and reports the gain of the strongest. With --against, it trains one seat to play its best
/// against these bots. carat writes solved.toml, a bot that any study can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_arg("seats", |seats| seats.long("against").help(AGAINST))))]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| arg.help(GAMES_HELP).add(Example::of("\"200k\"")))))]
pub struct Solve {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that training maximizes: win_share or score_mean
    #[cfg_attr(feature = "clap", arg(long, value_name = "OBJECTIVE", default_value = "win_share", value_parser = one_of::<Objective>(&["win_share", "score_mean"]), add = Example::of("\"win_share\"")))]
    pub objective: Option<Objective>,
    /// Training time in minutes, instead of a number of games. In Diamant this includes the
    /// attacks, which take about four fifths; in the other games, measuring the result takes extra
    /// time. The manifest records the number of games
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", conflicts_with = "games", allow_negative_numbers = true, value_parser = super::typed::parse_positive, add = Example::of("5")))]
    pub minutes: Option<f64>,
    /// A trained bot to start from, or `nothing` [default: the included bot for this number of
    /// players, if it has the same axes]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"nothing\"")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Stop training once a quick attack gains at most this win share; 0.01 is one percentage point
    #[cfg_attr(feature = "clap", arg(long, value_name = "GAIN", allow_negative_numbers = true, value_parser = super::typed::parse_positive, add = Example::of("0.01")))]
    pub until: Option<f64>,
    /// The axes of the policy, in the form of a study file
    #[cfg_attr(feature = "clap", arg(long, value_name = "AXES", hide = true, value_parser = parse_toml::<Grid>, add = Example::of("[{ name = \"policy\", axes = [{ of = \"traps_seen\", edges = [1, 2] }] }]")))]
    pub axes: Option<Grid>,
}

/// A training with its names resolved.
pub struct Resolved {
    pub study: Solve,
    pub game: &'static Game,
    /// The rules file, before the study's changes.
    rules: SourceText,
    warnings: Vec<Remark>,
    training: Training,
    method: Method,
}

impl Deref for Resolved {
    type Target = Training;

    fn deref(&self) -> &Training {
        &self.training
    }
}

/// What learns: a policy over cells, or the scores of options.
enum Method {
    Policy(Policy),
    Scored(Scored),
}

pub enum Learnt {
    Policy(Box<LearntPolicy>),
    Scored(Box<LearntScored>),
}

pub struct Played {
    /// The training, with the number of games in its study.
    pub resolved: Resolved,
    pub learnt: Learnt,
}

impl Solve {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let game = study.table.game()?;
        study.fill_games(game)?;
        let (rules, checked) = checked_rules(game, &mut study.table, library)?;
        let table = &mut study.table;
        let bots = table.seats.iter().map(|seat| seat.copies).sum();
        let players = players(game, table.players, bots)?;
        let (mut others, made_for) = (Vec::new(), table.made_for(Some(players)));
        for seat in &table.seats {
            others.extend(library.seats_at(game, seat, &made_for)?);
        }
        if let Some(bot) = others.iter().find(|bot| bot.mind().is_some()) {
            let bot = bot.label();
            refuse!("{bot}: training takes millions of games; name a bot that does not think");
        }
        let learners = players - others.len();
        table.players = Some(players);
        let objective = *study.objective.get_or_insert_default();
        let wins = objective == Objective::WinShare;
        if players == 1 && wins {
            refuse!("players = 1: a lone player always wins; use objective = \"score_mean\"");
        }
        if let Some(until) = study.until {
            if !(until > 0.0 && until < 1.0) {
                refuse!(
                    "until = {until}: write a gain above 0, such as 0.01 for one percentage point"
                );
            }
            if !wins || learners == 1 {
                refuse!("until: only self-play for win_share measures a gain; remove until");
            }
        }
        let Spec { head, table, run } = &study.spec;
        let warnings = Vec::from_iter(unprinted(&rules, checked.as_ref(), players));
        let mut training = Training {
            rules: checked,
            vocabulary: game.vocabulary,
            learners,
            others,
            objective,
            from: None,
            standing: Vec::new(),
            deal: run.dealt(game.chunk),
            games: run.games,
            minutes: study.minutes,
            until: study.until,
            headline: head.over(headline(game, table, vec![players])),
        };
        let method = study.method(game, &mut training, library)?;
        let from = training.from.as_ref();
        study.from = Some(from.map_or(NOTHING, |bot| &bot.strategy.name).to_string());
        training.standing = study.standing(game, &training, library)?;
        Ok(Resolved {
            study,
            game,
            rules,
            warnings,
            training,
            method,
        })
    }

    /// Checks the number of games, which takes its default if no time is given.
    fn fill_games(&mut self, game: &Game) -> Result<(), StudyError> {
        let (usual, least) = match game.training {
            Some(_) if self.axes.is_some() => {
                let game = game.title;
                refuse!("axes: training in {game} scores options and has no cells; leave axes out");
            }
            Some(how) => (how.games << (ROUNDS - 1), SCORED_MIN),
            None => (GAMES, GAMES_MIN),
        };
        match (self.run.games, self.minutes) {
            (Some(_), Some(_)) => refuse!("games and minutes: give only one of them"),
            (Some(games), _) if games < least => {
                refuse!("games = {games}: write a number of at least {least}");
            }
            (None, Some(minutes)) if !(minutes > 0.0 && minutes < 1e6) => {
                refuse!("minutes = {minutes}: write a number above 0");
            }
            (None, None) => self.run.games = Some(usual),
            _ => {}
        }
        if game.training.is_none() {
            self.run.games = self.run.games.map(whole_batches);
        }
        Ok(())
    }

    /// The bots to compare with the trained one: the included trained bot, people, an adapted
    /// population and the game's own bots, if they can play at the table.
    fn standing(
        &self,
        game: &Game,
        training: &Training,
        library: &Library,
    ) -> Result<Vec<Seat>, StudyError> {
        let players = training.players();
        let known = library.strategy_names(game);
        let mut standing = Vec::new();
        for name in [&format!("solved-{players}"), "people"] {
            if known.iter().any(|known| known == name) && !game.field.contains(&name) {
                // Skips a mix of the user's own bots that does not fit.
                standing.extend(library.seats(game, &SeatSpec::of(name)).unwrap_or_default());
            }
        }
        // A manifest has an adapted population if its study was long, or took some time.
        let is_long = library.closed || training.games.is_none_or(|games| games >= LONG);
        if training.rules.school(players).is_some()
            && game.family.is_some()
            && players > 1
            && is_long
        {
            let made_for = self.table.made_for(Some(players));
            let adapted = library.seats_at(game, &SeatSpec::of(ADAPTED), &made_for);
            // Manifests of older versions have none.
            if adapted.is_ok() || !library.closed {
                standing.extend(adapted?);
            }
        }
        for name in game.field {
            standing.extend(library.seats(game, &SeatSpec::of(name))?);
        }
        standing.retain(|bot| check_alone(training, bot).is_ok());
        Ok(standing)
    }
}

/// The number of players at a table where all beside these bots learn.
fn players(game: &Game, asked: Option<usize>, bots: usize) -> Result<usize, StudyError> {
    let usual = if bots == 0 { game.players } else { bots + 1 };
    let players = asked.unwrap_or(usual);
    game.check_players(players)?;
    if players <= bots {
        let (bots, players) = (counted(bots, "bot"), counted(players, "player"));
        refuse!("{bots} for {players}: no seat is left to train; name fewer bots");
    }
    let learners = players - bots;
    if bots > 0 && learners > 1 {
        refuse!(
            "{learners} seats would train against bots, but only one can: name one bot fewer than \
             there are players, or none"
        );
    }
    Ok(players)
}

/// Whether copies of a bot can sit at all seats.
fn check_alone(training: &Training, bot: &Seat) -> Result<(), SeatingError> {
    let alone = vec![bot.clone(); training.players()];
    training.rules.table(&alone, Seating::default()).map(drop)
}

impl Resolved {
    pub fn known(&self) -> Known<Solve> {
        let mut sources = Sources::default();
        sources.add(&self.rules, &self.others);
        if let Method::Scored(scored) = &self.method {
            sources.add(&self.rules, slice::from_ref(&scored.first));
        }
        sources.add(&self.rules, self.from.as_slice());
        sources.add(&self.rules, &self.standing);
        Known::of(&self.study, self.game, sources, self.warnings.clone())
    }

    pub fn play(mut self, player: &mut Player) -> Result<Played, Stopped> {
        let (games, learnt) = match &self.method {
            Method::Policy(policy) => {
                let learnt = policy.train(&self.training, player)?;
                (learnt.games, Learnt::Policy(Box::new(learnt)))
            }
            Method::Scored(scored) => {
                let learnt = scored.train(&self.training, player)?;
                (learnt.games, Learnt::Scored(Box::new(learnt)))
            }
        };
        self.study.run.games = Some(games);
        (self.study.minutes, self.study.until) = (None, None);
        let resolved = self;
        Ok(Played { resolved, learnt })
    }

    /// The file of a learnt bot with its `made_for`; the unchanged file of the starting bot if that
    /// is kept.
    pub fn bot_file(&self, text: &str) -> String {
        if text.lines().any(|line| line.starts_with("made_for")) {
            return text.to_string();
        }
        let (head, made_for) = (
            Format::line(),
            self.study.table.made_by("carat solve").line(),
        );
        let text = text.strip_prefix(&head).unwrap_or(text);
        format!("{head}{made_for}\n{text}")
    }

    /// The copies of a bot at all other seats, in words.
    pub fn copies(&self) -> String {
        match self.players() {
            2 => "a copy".to_string(),
            players => format!("{} copies", players - 1),
        }
    }
}
