//! Verdicts about differences that may be looked for after any number of games: an interval that
//! holds at all of them at once (a confidence sequence).

use super::precision::{Missed, PATIENCE, PILOT};
use crate::statistics::Estimate;

/// The probability that any verdict of a study is wrong.
const ERROR: f64 = 0.05;
/// The variance of the mixture, in games; the interval is narrowest for about eight times as many.
const MIXTURE: f64 = 2048.0;

/// What is decided about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    More,
    Less,
    /// At most a margin from 0.
    Within,
}

/// An estimate with the interval that holds after any number of games, with 95 % for `figures`
/// figures together: the normal mixture boundary (Howard, Ramdas, McAuliffe and Sekhon 2021).
///
/// The error allows for one more game that differs by 1, so that a rare event that was not seen yet
/// is not taken for impossible.
pub fn at_any_time(found: &Estimate, games: u64, figures: usize) -> Estimate {
    let (games, error) = (games as f64, ERROR / figures as f64);
    let odds = (games + MIXTURE) / MIXTURE / (error * error);
    let wide = ((1.0 + MIXTURE / games) * odds.ln()).sqrt();
    let half = wide * found.se.hypot(1.0 / games);
    found.within(found.value - half, found.value + half)
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::Within => "within",
        }
    }

    /// The verdict of an interval that holds at any time.
    pub fn of(found: &Estimate, margin: Option<f64>) -> Option<Verdict> {
        if margin.is_some_and(|margin| found.low >= -margin && found.high <= margin) {
            return Some(Verdict::Within);
        }
        match (found.low > 0.0, found.high < 0.0) {
            (true, _) => Some(Verdict::More),
            (_, true) => Some(Verdict::Less),
            _ => None,
        }
    }
}

/// Whether each difference is decided, or never will be.
pub(super) fn is_decided(games: u64, estimates: &[Estimate], margin: Option<f64>) -> bool {
    let is_over = |found: &Estimate| {
        let hopeless = found.is_of_populations() || (!found.se.is_finite() && games >= PATIENCE);
        hopeless || Verdict::of(&at_any_time(found, games, estimates.len()), margin).is_some()
    };
    games >= PILOT && estimates.iter().all(is_over)
}

/// About how many games decide all differences.
pub(super) fn games_to_decide(games: u64, estimates: &[Estimate], margin: Option<f64>) -> f64 {
    let share = |found: &Estimate| {
        let half = at_any_time(found, games, estimates.len()).half_width();
        let value = found.value.abs();
        half / value.max(margin.map_or(0.0, |margin| margin - value))
    };
    let widest = estimates.iter().map(share).fold(0.0, f64::max);
    games as f64 * widest * widest
}

/// The shortfall where a difference is not decided after these games.
pub fn undecided(games: u64, estimates: &[Estimate], margin: Option<f64>) -> Option<Missed> {
    let found = estimates.iter();
    let found = found.map(|of| at_any_time(of, games, estimates.len()));
    let open = Vec::from_iter(found.filter(|of| Verdict::of(of, margin).is_none()));
    let widest = open.iter().map(Estimate::half_width).fold(0.0, f64::max);
    (!open.is_empty()).then_some(Missed {
        half_width: margin.unwrap_or(0.0),
        most: games,
        widest: widest.is_finite().then_some(widest),
        is_beyond: open.iter().any(|of| of.is_of_populations()),
        is_of_verdict: true,
    })
}
