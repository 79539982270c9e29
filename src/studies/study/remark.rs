//! Remarks: what is said beside the results of a study, such as its warnings. A remark is data
//! until it is shown; its words are here alone, and nothing reads them back.

use super::kind::Length;
use carat_core::analysis::flaws::FoundFlaw;
use carat_core::game::{STARTER_WIN_SHARE, WIN_SHARE_SPREAD};
use carat_core::numbers::{self, count, number, percent};
use carat_core::statistics::spread_of_equals;
use carat_core::strategy::MadeFor;
use carat_core::tournament::LineUps;
use serde::{Deserialize, Serialize};

/// Each with its words; a game and the library say in their own what their rules lack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum Remark {
    #[error("{0} is printed for {1} to {2} players; playing with {3} anyway")]
    Unprinted(String, usize, usize, usize),
    #[error("{0}")]
    WithoutEffect(String),
    /// The path, the rules, and what their table has.
    #[error("{0} is new; {1} has {2}")]
    New(String, String, String),
    #[error("{0}")]
    OlderRules(String),
    #[error("{0} uses a feature that these rules hide; {1} plays instead")]
    Replaced(String, String),
    #[error(
        "seating = \"fixed\" keeps the places, but each game draws its first player; the metric \
        {STARTER_WIN_SHARE} shows the first-player advantage"
    )]
    FixedPlaces,
    /// Bots, each with the table for which it was made.
    #[error("{MADE_ELSEWHERE}: {}", listed(.0))]
    MadeElsewhere(Vec<(String, MadeFor)>),
    #[error("copies of {} always decide alike, which distorts win shares; for a table of people, use \
        `people` or a bot with `temper` in its formula", .0.join(", "))]
    Copies(Vec<String>),
    /// People whom `carat fit` knows.
    #[error("margins of error are those of the games played here, without what is not known of {}; \
        `carat rule` and `carat advise` include both", .0.join(", "))]
    WithoutDoubt(Vec<String>),
    #[error("a bot is a program: results are only as reproducible as that program")]
    Program,
    #[error("some bots think: a game takes about {} times as long as without", count(*.0))]
    Thinking(u64),
    #[error("metric has no effect without precision")]
    UnusedMetric,
    /// The seconds of a game's parts.
    #[error("playing_minutes is a guess from seconds in [minutes] of the rules: {0}")]
    Minutes(String),
    #[error("{0}: only one value, so it is fixed")]
    OneValue(String),
    #[error("{0} does not take part: {1}")]
    TakesNoPart(String, String),
    /// The last is the most line-ups that a study may play.
    #[error("{0} bots make {all} line-ups of {1}; playing a sample of {2}. Ratings are less precise, \
        and the equilibrium mix uses only games of one bot against copies of another{remedies}",
        all = LineUps::number(*.0, *.1), remedies = remedies(*.0, *.1, *.2, *.3))]
    Sampled(usize, usize, usize, usize),
    #[error("steps skipped because their rules are impossible: {}", .0.join(", "))]
    ImpossibleSteps(Vec<String>),
    /// Cells or candidates, with the errors of the first.
    #[error("left out because they cannot be played: {0}")]
    Impossible(String),
    #[error(
        "one population plays as adapted: margins of error leave out what populations differ by"
    )]
    OnePopulation,
    #[error("adapted: the population for {0} has not settled")]
    NotSettled(MadeFor),
    /// A remark on the named part of a study only.
    #[error("{0}: {1}")]
    Of(String, Box<Remark>),
    /// All warnings of a study, in its report, which repeats those on bots made elsewhere.
    #[error("Note: {MADE_ELSEWHERE}: {}.", bots_of(.0))]
    Elsewhere(Vec<Remark>),
    /// The share of capped games; with the name of the table of several that has most, and its
    /// share.
    #[error("Warning: a cap in the rules stopped {} of the games{}. The players ahead at the cap were \
        counted as winners.{}", at_least_a_tenth(*.0), worst(.1), lengths(.2))]
    Capped(f64, Option<(String, f64)>, Option<Length>),
    /// A measure, and the share of games in which its quotient is divided by 0.
    #[error("Note: the measure {name} divides by 0 in {} of the games, which count as 0. For a ratio of \
        two means, write mean(…) / mean(…); see `carat help results`.", percent(*.1, 1), name = .0)]
    Undefined(String, f64),
    #[error("Signs of a broken game: {}.", signs(.0))]
    Broken(Vec<FoundFlaw>),
    #[error("By chance alone, the {WIN_SHARE_SPREAD} of {players} equal players averages {} points in \
        {}.", number(100.0 * spread_of_equals(*.players, *.games), 2), numbers::games(*.games))]
    SpreadByChance { players: usize, games: u64 },
}

const MADE_ELSEWHERE: &str = "bots made for other rules or numbers of players may play worse here";

impl Remark {
    /// The same on a part of the study only.
    pub fn of(&self, part: &str) -> Remark {
        Remark::Of(part.to_string(), Box::new(self.clone()))
    }

    /// The table for which a bot was made, if it was made elsewhere.
    pub fn made_for(&self, bot: &str) -> Option<&MadeFor> {
        match self {
            Remark::MadeElsewhere(bots) => Some(&bots.iter().find(|own| own.0 == bot)?.1),
            _ => None,
        }
    }

    /// The bots that were made elsewhere, and the part of the study where they play.
    fn bots(&self) -> Option<String> {
        match self {
            Remark::MadeElsewhere(bots) => Some(listed(bots)),
            Remark::Of(part, remark) => Some(format!("{} ({part})", remark.bots()?)),
            _ => None,
        }
    }
}

/// Each sign of a broken game with the tables that show it.
pub fn signs(found: &[FoundFlaw]) -> String {
    let found = found.iter().map(|of| match of.tables.join(", ") {
        none if none.is_empty() => of.flaw.to_string(),
        tables => format!("{} (at {tables})", of.flaw),
    });
    Vec::from_iter(found).join("; ")
}

fn listed(bots: &[(String, MadeFor)]) -> String {
    let bots = bots.iter().map(|(bot, table)| format!("{bot} for {table}"));
    Vec::from_iter(bots).join("; ")
}

/// All bots that these remarks say were made elsewhere; equal remarks are one.
pub fn bots_of(remarks: &[Remark]) -> String {
    let is_first = |at: &usize| !remarks[..*at].contains(&remarks[*at]);
    let first = (0..remarks.len()).filter(is_first);
    Vec::from_iter(first.filter_map(|at| remarks[at].bots())).join("; ")
}

/// How to play all line-ups.
fn remedies(bots: usize, players: usize, played: usize, most: usize) -> String {
    let all = LineUps::number(bots, players);
    let fit = |bots: &usize| LineUps::number(*bots, players) <= played as u128;
    let mut remedies = Vec::new();
    remedies.extend((all <= most as u128).then(|| format!("line_ups = {all}")));
    let fewer = (2..bots).rev().find(fit);
    remedies.extend(fewer.map(|fewer| format!("at most {fewer} bots")));
    match remedies.join(", or ") {
        none if none.is_empty() => none,
        remedies => format!("; to play all line-ups, use {remedies}"),
    }
}

/// A share in percent that is never shown as none.
fn at_least_a_tenth(share: f64) -> String {
    match share {
        0.0..0.0005 => "fewer than 0.1 %".to_string(),
        _ => percent(share, 1),
    }
}

fn worst(worst: &Option<(String, f64)>) -> String {
    worst.as_ref().map_or(String::new(), |(name, share)| {
        format!(" (most at {name}: {})", percent(*share, 1))
    })
}

fn lengths(length: &Option<Length>) -> String {
    length.as_ref().map_or(String::new(), |of| {
        let (mean, median, unit) = (number(of.mean, 1), of.median, &of.unit);
        format!(" Games at these tables last {mean} {unit} on average; the median is {median}.")
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/remark.rs"]
mod tests;
