//! The goal of a run: a number of games, the precision of an estimate, or a verdict.

use super::verdict::{games_to_decide, is_decided};
use crate::numbers;
use crate::statistics::Estimate;
use std::f64::consts::SQRT_2;

/// Fewest games before a run may stop: the width of an interval must itself be known well.
pub(super) const PILOT: u64 = 4096;

/// Games after which a figure without a value (nothing to divide by) is no longer waited for.
pub(super) const PATIENCE: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    Games(u64),
    /// Until the widest interval has this half-width.
    Precision {
        /// The half-width, in the unit of the figure.
        half_width: f64,
        /// Most games, even if the intervals are still wider.
        most: u64,
    },
    /// Until each difference is known to be above or below 0, or to be at most `margin` from it.
    Decide {
        margin: Option<f64>,
        most: u64,
    },
}

impl Goal {
    pub fn most(self) -> u64 {
        match self {
            Goal::Games(games) => games,
            Goal::Precision { most, .. } | Goal::Decide { most, .. } => most,
        }
    }

    /// About how many games follow `games` games with these estimates.
    pub fn left(self, games: u64, estimates: &[Estimate]) -> u64 {
        let all = match self {
            Goal::Games(all) => all,
            Goal::Precision { half_width, most } => {
                most.min((games as f64 * (widest(estimates) / half_width).powi(2)) as u64)
            }
            Goal::Decide { margin, most } => {
                most.min(games_to_decide(games, estimates, margin) as u64)
            }
        };
        all.saturating_sub(games)
    }

    /// Whether a run of `games` games with these estimates may stop before its last game. It waits
    /// for figures without a value, but only for a limited number of games.
    ///
    /// For a precision the decision looks at the widths only, never at the values. A width settles
    /// long before the run ends, so stopping by it does not favour lucky values (Chow and Robbins,
    /// 1965) and the interval keeps its 95 % without spending any of it on the looks; a test
    /// measures that. The width that a few populations give does not settle, so it is looked at
    /// late; see `deciding`.
    pub fn reached(self, games: u64, estimates: &[Estimate]) -> bool {
        match self {
            Goal::Games(_) => false,
            Goal::Decide { margin, .. } => is_decided(games, estimates, margin),
            Goal::Precision { half_width, .. } if is_beyond(estimates, half_width) => {
                games >= PILOT
            }
            Goal::Precision { half_width, .. } if games < PATIENCE => {
                games >= PILOT && widest(estimates) <= half_width
            }
            Goal::Precision { half_width, .. } => {
                let widths = estimates.iter().map(deciding);
                let mut known = widths.filter(|width| width.is_finite());
                known.all(|width| width <= half_width)
            }
        }
    }

    /// The shortfall from the requested precision after the last game of a run.
    pub fn missed(self, estimates: &[Estimate]) -> Option<Missed> {
        let Goal::Precision { half_width, most } = self else {
            return None;
        };
        let widths = estimates.iter().map(Estimate::half_width);
        let widest = widths.fold(0.0, f64::max);
        (widest > half_width).then_some(Missed {
            half_width,
            most,
            widest: widest.is_finite().then_some(widest),
            is_beyond: is_beyond(estimates, half_width),
            is_of_verdict: false,
        })
    }

    /// The numbers of games after which clearly worse cells are dropped: only at the end, or after
    /// each doubling of a pilot.
    pub fn looks(self) -> Vec<u64> {
        let most = self.most();
        let doublings = (0..64).map(|doubling| PILOT.saturating_mul(1 << doubling));
        let mut looks: Vec<u64> = match self {
            Goal::Games(_) => Vec::new(),
            Goal::Precision { .. } | Goal::Decide { .. } => {
                doublings.take_while(|&games| games < most).collect()
            }
        };
        looks.push(most);
        looks
    }
}

/// A run ended before it reached the requested precision or verdict.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the {}: {}", match is_of_verdict { true => "difference is not decided".to_string(), _ => format!("precision of ±{half_width} was not reached") }, reason(*most, *widest, *is_beyond))]
pub struct Missed {
    /// The precision, or the margin of a verdict.
    pub half_width: f64,
    pub most: u64,
    /// The half-width reached; `None` if a figure has no value.
    pub widest: Option<f64>,
    /// Whether populations differ by more, so that no number of games is enough.
    pub is_beyond: bool,
    pub is_of_verdict: bool,
}

fn reason(most: u64, widest: Option<f64>, is_beyond: bool) -> String {
    match widest {
        Some(widest) if is_beyond => format!(
            "populations differ by ±{}, which more games do not change; more populations do",
            numbers::rounded(widest)
        ),
        Some(widest) => format!(
            "after {} the widest interval is ±{}; max_games allows no more",
            numbers::games(most),
            numbers::rounded(widest)
        ),
        None => "there was nothing to divide by, so the metric has no value".to_string(),
    }
}

/// Whether populations differ by more than this half-width.
fn is_beyond(estimates: &[Estimate], half_width: f64) -> bool {
    let mut widths = estimates.iter().filter(|of| of.is_of_populations());
    widths.any(|of| of.half_width() > half_width)
}

/// The half-width that decides whether an estimate is precise. Populations are few and their games
/// may make them look alike by chance, look after look, until the noise of the games is at most
/// half of the variance that is asked for. What the populations differ by hardly changes from then
/// on.
fn deciding(of: &Estimate) -> f64 {
    let games = of.of_games.map_or(0.0, |games| SQRT_2 * games);
    games.max(of.half_width())
}

/// The widest half-width that decides; infinite if a figure has no value.
pub fn widest(estimates: &[Estimate]) -> f64 {
    estimates.iter().map(deciding).fold(0.0, f64::max)
}

#[cfg(test)]
#[path = "../../../tests/unit/core/simulation/precision.rs"]
mod tests;
