//! How many games: a number of them, or as many as an estimate needs.

use crate::statistics::Estimate;
use std::ops::ControlFlow;

/// Fewest games before a run may stop: the width of an interval must itself be known well.
const PILOT: u64 = 4096;

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// After so many games.
    Games(u64),
    /// When the widest interval has this half-width.
    Precision {
        /// The half-width, in the unit of the figure.
        half_width: f64,
        /// Most games, however wide the intervals still are.
        most: u64,
    },
}

impl Goal {
    /// Most games.
    pub fn most(self) -> u64 {
        match self {
            Goal::Games(games) => games,
            Goal::Precision { most, .. } => most,
        }
    }

    /// Whether a run of `games` games with these estimates may stop before its last game.
    ///
    /// The decision looks at the widths only, never at the values. A width settles long before the
    /// run ends, so stopping by it does not favour lucky values (Chow and Robbins, 1965) and the
    /// interval keeps its 95 % without spending any of it on the looks; a test measures that.
    pub fn reached(self, games: u64, estimates: &[Estimate]) -> bool {
        match self {
            Goal::Games(_) => false,
            Goal::Precision { half_width, .. } => games >= PILOT && widest(estimates) <= half_width,
        }
    }

    /// The same as what a run does next.
    pub fn flow(self, games: u64, estimates: &[Estimate]) -> ControlFlow<()> {
        match self.reached(games, estimates) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// What is missing of the precision that was asked for, when a run played all its games.
    pub fn missed(self, estimates: &[Estimate]) -> Option<Missed> {
        let Goal::Precision { half_width, most } = self else {
            return None;
        };
        let widest = widest(estimates);
        (widest > half_width).then_some(Missed {
            half_width,
            most,
            widest,
        })
    }

    /// After how many games those that are clearly worse are looked for and dropped: once at the
    /// end, or after each doubling of a pilot.
    pub fn looks(self) -> Vec<u64> {
        let most = self.most();
        let doublings = (0..64).map(|doubling| PILOT.saturating_mul(1 << doubling));
        let mut looks: Vec<u64> = match self {
            Goal::Games(_) => Vec::new(),
            Goal::Precision { .. } => doublings.take_while(|&games| games < most).collect(),
        };
        looks.push(most);
        looks
    }
}

/// A run played all its games before it was as precise as was asked.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "the precision of {half_width} was not reached: after {most} games the widest interval has \
     half-width {widest:.2e}; max_games allows no more"
)]
pub struct Missed {
    /// The half-width that was asked for.
    pub half_width: f64,
    /// Games that were played.
    pub most: u64,
    /// The half-width that was reached.
    pub widest: f64,
}

/// Half-width of the widest interval.
pub fn widest(estimates: &[Estimate]) -> f64 {
    let widths = estimates.iter().map(Estimate::half_width);
    widths.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_double_up_to_the_most() {
        let goal = Goal::Precision {
            half_width: 0.1,
            most: 20_000,
        };
        assert_eq!(goal.looks(), [4096, 8192, 16_384, 20_000]);
        assert_eq!(Goal::Games(100_000).looks(), [100_000]);
    }

    #[test]
    fn the_widest_interval_decides() {
        let goal = Goal::Precision {
            half_width: 0.1,
            most: u64::MAX,
        };
        let known = [Estimate::normal(1.0, 0.01), Estimate::normal(1.0, 0.05)];
        assert!(goal.reached(5000, &known));
        assert!(!goal.reached(4000, &known));
        let unknown = Estimate::normal(1.0, f64::INFINITY);
        assert!(!goal.reached(5000, &[known[0], unknown]));
        assert!(!Goal::Games(10).reached(10, &known));
    }
}
