//! Signs that a game is broken, found by playing some games of a table: what is the same in nearly
//! all of them, and what never comes up.

use crate::game::moments::What;
use crate::game::story::StoryStyle;
use crate::game::{CAPPED_RATE, Metric, Of, Per, Record, SHARED_WIN_RATE, Table, WIN, WIN_UNITS};
use crate::numbers::percent;
use fearless_simd::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Games whose outcomes are counted, and those that the referee plays.
const GAMES: u64 = 512;
const PLAYED: u64 = 128;
/// Fewest games at tables where a game takes long.
const LEAST: u64 = 32;

/// Shares from which a value, an end, a kind of card, an answer or a bot is a sign.
const SAME: f64 = 0.95;
const AT_ENDS: f64 = 0.02;
const RUN_OUT: f64 = 0.01;
const CAPPED: f64 = 0.1;
const SEEN: f64 = 0.01;
const ALIKE: f64 = 0.98;
/// How far above a fair share, as a part of what is above it.
const ABOVE_FAIR: f64 = 0.5;
/// Fewest decisions of a kind that are judged.
const DECISIONS: u64 = 200;

/// A sign, with the share of games or decisions that show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum Flaw {
    /// A metric in words, its value, and the games that have it.
    #[error("{0}: {1} in {of} of the games", of = percent(*.2, 1))]
    OneValue(String, String, f64),
    /// A share in words that is nearly 0 or nearly 1.
    #[error("{0}: {of}", of = percent(*.1, 1))]
    AtEnd(String, f64),
    #[error("the deck runs out in {of} of the games", of = percent(*.0, 1))]
    RunsOut(f64),
    #[error("a cap in the rules stops {of} of the games", of = percent(*.0, 1))]
    Capped(f64),
    /// Kinds of card, with the games in which the most frequent is seen.
    #[error("{cards}: seen in {of} of the games", cards = .0.join(", "), of = percent(*.1, 1))]
    Unseen(Vec<String>, f64),
    #[error("{of} of the decisions are alike: {0}", of = percent(*.1, 1))]
    Alike(String, f64),
    /// A simple bot, the players beside it, and what it wins.
    #[error("{bot} wins {of} of the games beside {beside}, where {} would be fair",
        percent(*.fair, 0), of = percent(*.share, 0))]
    Simple {
        bot: String,
        beside: String,
        share: f64,
        fair: f64,
    },
}

/// A sign, and the names of the tables that show it; none if it names the players itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundFlaw {
    pub flaw: Flaw,
    pub tables: Vec<String>,
}

impl Flaw {
    /// Whether it is the same sign, if with another share.
    pub fn is_like(&self, other: &Flaw) -> bool {
        match (self, other) {
            (Flaw::OneValue(own, value, _), Flaw::OneValue(other, same, _)) => {
                own == other && value == same
            }
            (Flaw::AtEnd(own, value), Flaw::AtEnd(other, same)) => {
                own == other && (*value < 0.5) == (*same < 0.5)
            }
            (Flaw::Unseen(own, _), Flaw::Unseen(other, _)) => own == other,
            (Flaw::Alike(own, _), Flaw::Alike(other, _)) => own == other,
            (Flaw::RunsOut(_), Flaw::RunsOut(_)) | (Flaw::Capped(_), Flaw::Capped(_)) => true,
            _ => self == other,
        }
    }
}

/// The signs that games of this seed show.
pub fn flaws(table: &dyn Table, seed: u64) -> Vec<Flaw> {
    let layout = table.layout();
    let mut flaws = Vec::new();
    let games = (GAMES / table.cost()).max(LEAST);
    let record = play(table, seed, games);
    // Measures are computed of whole tallies only.
    let is_measure = |of: &Metric| layout.measures.iter().any(|own| own.name == of.name);
    let metrics = layout.table_metrics.iter();
    for metric in metrics.filter(|metric| metric.is_key && !is_measure(metric)) {
        let Of::Outcome(outcome) = metric.of else {
            continue;
        };
        let values = record.column(layout.table_column(outcome));
        flaws.extend(of_metric(metric, values));
    }
    let played = (PLAYED / table.cost()).max(LEAST);
    let census = table.census(seed, played);
    let share = |of: u64| of as f64 / played as f64;
    if share(census.ran_out) > RUN_OUT {
        flaws.push(Flaw::RunsOut(share(census.ran_out)));
    }
    let of_census = census.seen.into_iter();
    let seen = of_census.map(|(name, games)| (name, share(games)));
    let seen = seen.chain(layout.kinds.iter().map(|(name, outcomes)| {
        let columns = outcomes.iter().map(|outcome| layout.table_column(*outcome));
        let columns = Vec::from_iter(columns.map(|column| record.column(column)));
        let is_seen = |game: &usize| columns.iter().any(|column| column[*game] > 0);
        let seen = (0..record.games()).filter(is_seen).count();
        (name.clone(), seen as f64 / games as f64)
    }));
    let unseen = Vec::from_iter(seen.filter(|(_, share)| *share < SEEN));
    let most = unseen.iter().map(|(_, share)| *share).reduce(f64::max);
    let names = unseen.into_iter().map(|(name, _)| name).collect();
    flaws.extend(most.map(|most| Flaw::Unseen(names, most)));
    flaws.extend(alike(table, seed, played));
    flaws
}

/// Whether the bot of the first seat wins much more than a fair share beside the others.
pub fn wins_simply(table: &dyn Table, seed: u64, bot: &str, beside: &str) -> Option<Flaw> {
    let games = (GAMES / table.cost()).max(LEAST);
    let record = play(table, seed, games);
    let wins = record.column(table.layout().seat_column(0, WIN));
    let won: i64 = wins.iter().map(|won| i64::from(*won)).sum();
    let share = won as f64 / f64::from(WIN_UNITS) / games as f64;
    let fair = 1.0 / table.layout().seats as f64;
    (share > fair + ABOVE_FAIR * (1.0 - fair)).then(|| Flaw::Simple {
        bot: bot.to_string(),
        beside: beside.to_string(),
        share,
        fair,
    })
}

fn play(table: &dyn Table, seed: u64, games: u64) -> Record {
    let mut record = Record::new(table.layout(), games as usize);
    table.play(Level::new(), seed, 0, &mut record);
    record
}

/// What is wrong with a metric, by its value in each game.
fn of_metric(metric: &Metric, values: &[i32]) -> Option<Flaw> {
    let Per::Games(units) = metric.per else {
        return None;
    };
    let games = values.len() as f64;
    let sum: i64 = values.iter().map(|value| i64::from(*value)).sum();
    let mean = sum as f64 / games / units;
    if metric.name == CAPPED_RATE {
        return (mean > CAPPED).then_some(Flaw::Capped(mean));
    }
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_default() += 1;
    }
    let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let same = count as f64 / games;
    let is_same = same > SAME && !(metric.name == SHARED_WIN_RATE && value == 0);
    let is_at_end = match (metric.proportion, units) {
        (false, _) => false,
        // One game is either or.
        (true, 1.0) => is_same,
        (true, _) => !(AT_ENDS..=1.0 - AT_ENDS).contains(&mean),
    };
    let name = metric.short().to_string();
    if is_at_end {
        return Some(Flaw::AtEnd(name, mean));
    }
    let value = if metric.proportion {
        format!("{value} of {units}")
    } else {
        value.to_string()
    };
    is_same.then_some(Flaw::OneValue(name, value, same))
}

/// Whether nearly all decisions between the same options are alike; options that are places or
/// moves have kinds, and are not compared.
fn alike(table: &dyn Table, seed: u64, games: u64) -> Vec<Flaw> {
    let mut kinds: BTreeMap<Vec<String>, BTreeMap<String, u64>> = BTreeMap::new();
    for game in 0..games {
        for moment in table.course(seed, game, StoryStyle::PLAIN).moments {
            let What::Decision(options) = moment.what else {
                continue;
            };
            if options.groups.is_empty() {
                let chosen = options.names[options.chosen].clone();
                let answers = kinds.entry(options.names).or_default();
                *answers.entry(chosen).or_default() += 1;
            }
        }
    }
    let mut flaws = Vec::new();
    for answers in kinds.into_values() {
        let all: u64 = answers.values().sum();
        let most = answers.into_iter().max_by_key(|(_, count)| *count);
        let (answer, count) = most.expect("a kind has decisions");
        let share = count as f64 / all as f64;
        if all >= DECISIONS && share > ALIKE {
            flaws.push(Flaw::Alike(answer, share));
        }
    }
    flaws
}
