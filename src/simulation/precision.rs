//! How many games: a number of them, or as many as an estimate needs.

use crate::statistics::Estimate;

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
    pub fn reached<'a>(self, games: u64, estimates: impl Iterator<Item = &'a Estimate>) -> bool {
        match self {
            Goal::Games(_) => false,
            Goal::Precision { half_width, .. } => games >= PILOT && widest(estimates) <= half_width,
        }
    }

    /// What to say of a run that ended, after so many games and not by a signal, before it was as
    /// precise as was asked.
    pub fn missed<'a>(self, estimates: impl Iterator<Item = &'a Estimate>) -> Option<String> {
        let Goal::Precision { half_width, most } = self else {
            return None;
        };
        let widest = widest(estimates);
        (widest > half_width).then(|| {
            format!(
                "the precision of {half_width} was not reached: after {most} games the widest \
                 interval has half-width {widest:.2e}; max_games allows no more"
            )
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

/// Half-width of the widest interval.
pub fn widest<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> f64 {
    estimates.map(Estimate::half_width).fold(0.0, f64::max)
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
        assert!(goal.reached(5000, known.iter()));
        assert!(!goal.reached(4000, known.iter()));
        let unknown = Estimate::normal(1.0, f64::INFINITY);
        assert!(!goal.reached(5000, known.iter().chain([&unknown])));
        assert!(!Goal::Games(10).reached(10, known.iter()));
    }
}
