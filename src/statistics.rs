//! What an estimate is: a value, its standard error, and a 95 % interval.
//!
//! All of it follows from exact integer sums, and ratios are taken last. Nothing here knows
//! where the sums come from.

use crate::numbers::{points_within, share_within, within};
use serde::{Deserialize, Deserializer, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::fmt;

/// Half-width of a two-sided 95 % normal interval, in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// How many standard errors above 0 a difference must be to be distinguished from 0 when the best of
/// `candidates` is sought in `looks` looks at the results, so that with 95 % probability the true best
/// is never called worse than any other: one-sided, with the error shared out among its rivals and
/// the looks (Bonferroni). On comparisons with the best see Gupta 1965 and Hsu 1984.
pub fn best_set_z(candidates: usize, looks: usize) -> f64 {
    let rivals = candidates.saturating_sub(1).max(1) as f64;
    Normal::standard().inverse_cdf(1.0 - 0.05 / rivals / looks.max(1) as f64)
}

/// By how much a standard error grows when the largest and the smallest of so many figures were
/// picked by the same games: each pair of them might have been (Bonferroni).
pub fn widening(figures: usize) -> f64 {
    match figures * figures.saturating_sub(1) / 2 {
        0 | 1 => 1.0,
        pairs => Normal::standard().inverse_cdf(1.0 - 0.025 / pairs as f64) / Z95,
    }
}

/// Sums over games of one whole number a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    pub sum: i128,
    pub squares: i128,
}

impl Moments {
    pub fn merge(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// What an estimate counts, which tells how it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// A share (0..=1), written in percent.
    Share,
    /// A difference of shares, written in percentage points.
    Points,
    #[default]
    Amount,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    /// Its standard error; infinite when a single game cannot tell.
    #[serde(deserialize_with = "infinite")]
    pub se: f64,
    /// Lower end of the 95 % interval.
    #[serde(deserialize_with = "minus_infinite")]
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[serde(deserialize_with = "infinite")]
    pub high: f64,
    /// What all four count.
    #[serde(default)]
    pub unit: Unit,
}

/// JSON has no infinity: it is null there.
fn infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|read| read.unwrap_or(f64::INFINITY))
}

fn minus_infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|read| read.unwrap_or(f64::NEG_INFINITY))
}

/// The value and half the width of its interval, as people read it; with `+` also the sign of what is
/// above 0.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if f.sign_plus() && self.value > 0.0 {
            f.write_str("+")?;
        }
        let (value, half) = (self.value, self.half_width());
        match self.unit {
            Unit::Share => f.write_str(&share_within(value, self.low, self.high)),
            Unit::Points => f.write_str(&points_within(value, half)),
            Unit::Amount => f.write_str(&within(value, half)),
        }
    }
}

impl Estimate {
    /// What nothing is known of: there was nothing to divide by.
    pub const UNKNOWN: Estimate = Estimate {
        value: 0.0,
        se: f64::INFINITY,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        unit: Unit::Amount,
    };

    /// A value and its standard error, with a normal interval.
    pub fn normal(value: f64, se: f64) -> Estimate {
        let unknown = Estimate {
            value,
            se,
            ..Estimate::UNKNOWN
        };
        unknown.within(value - Z95 * se, value + Z95 * se)
    }

    /// The same estimate in another unit, of which `factor` make one of this one's.
    ///
    /// Below zero it turns the scale around: the interval's ends change places.
    pub fn scaled(self, factor: f64) -> Estimate {
        let (a, b) = (self.low * factor, self.high * factor);
        let (low, high) = if factor < 0.0 { (b, a) } else { (a, b) };
        let (value, se) = (self.value * factor, self.se * factor.abs());
        Estimate { value, se, ..self }.within(low, high)
    }

    /// How far the estimate is above `level`, which is exactly known.
    pub fn minus(self, level: f64) -> Estimate {
        let value = self.value - level;
        Estimate { value, ..self }.within(self.low - level, self.high - level)
    }

    /// The same, of what is a difference of shares.
    pub fn in_points(self) -> Estimate {
        Estimate {
            unit: Unit::Points,
            ..self
        }
    }

    fn within(self, low: f64, high: f64) -> Estimate {
        Estimate { low, high, ..self }
    }

    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Mean of `x / unit` over `games` games, with a normal interval.
    pub fn mean(games: u64, moments: &Moments, unit: f64) -> Estimate {
        let value = moments.sum as f64 / games as f64 / unit;
        let se = (variance(games, moments) / games as f64).sqrt() / unit;
        Estimate::normal(value, se)
    }

    /// Mean of `x / unit` where it lies between 0 and 1 in each game, with a [`Estimate::wilson`]
    /// interval.
    pub fn proportion(games: u64, moments: &Moments, unit: f64) -> Estimate {
        let mean = Estimate::mean(games, moments, unit);
        mean.wilson(games, games)
    }

    /// Mean of `(x − y) / unit` of two shares, of which the first has the larger sum. How they hang
    /// together is not needed: both are never below 0, so x·y is not either, and the error is that
    /// of games in which one of them was 0, which is at most a little too wide.
    pub fn spread(games: u64, x: &Moments, y: &Moments, unit: f64) -> Estimate {
        let (sum, squares) = (x.sum - y.sum, x.squares + y.squares);
        Estimate::mean(games, &Moments { sum, squares }, unit).in_points()
    }

    /// The same spread when the largest and the smallest of so many shares were picked.
    pub fn picked_from(self, shares: usize) -> Estimate {
        let wide = Estimate::normal(self.value, self.se * widening(shares)).in_points();
        wide.within(wide.low.max(0.0), wide.high.min(1.0))
    }

    /// Ratio Σx / Σd over games, with a normal interval from the residuals x − ratio·d: the ratio
    /// estimator of survey sampling (Cochran 1977).
    /// `None` when nothing was counted in d.
    pub fn ratio(games: u64, x: &Moments, d: &Moments, products: i128) -> Option<Estimate> {
        if d.sum == 0 {
            return None;
        }
        let n = games as f64;
        let value = x.sum as f64 / d.sum as f64;
        let residuals =
            x.squares as f64 - 2.0 * value * products as f64 + value * value * d.squares as f64;
        let se = (residuals.max(0.0) / (n - 1.0) / n).sqrt() / (d.sum as f64 / n);
        let se = if games < 2 { f64::INFINITY } else { se };
        Some(Estimate::normal(value, se))
    }

    /// The same estimate of a proportion from `games` games, with the interval of Wilson (1927), which
    /// stays sane near 0 and 1. Games that are shared, or that count several trials each, tell less or
    /// more than one yes or no: the interval is that of as many independent trials as would have
    /// this standard error, and of `trials` where all were alike.
    pub fn wilson(mut self, games: u64, trials: u64) -> Estimate {
        self.unit = Unit::Share;
        let Estimate { value: p, se, .. } = self;
        if games < 2 || se.is_infinite() {
            return self.within(0.0, 1.0);
        }
        let binary = p * (1.0 - p);
        let n = games as f64;
        // The standard error divides by n − 1 where Wilson's formula has n.
        let variance = se * se * (n - 1.0) / n;
        let effective = match (variance > 0.0, binary > 0.0) {
            (true, true) => binary / variance,
            (_, false) => trials as f64,
            // Every game was shared alike: there is nothing to be unsure of.
            (false, true) => return self.within(p, p),
        };
        let z2 = Z95 * Z95 / effective;
        let center = (p + z2 / 2.0) / (1.0 + z2);
        let half = Z95 / (1.0 + z2) * (binary / effective + z2 / (4.0 * effective)).sqrt();
        // Rounding must not push the interval off the value at the ends.
        self.within((center - half).clamp(0.0, p), (center + half).clamp(p, 1.0))
    }
}

/// Sample variance, computed without cancellation; infinite below two games.
pub fn variance(games: u64, moments: &Moments) -> f64 {
    if games < 2 {
        return f64::INFINITY;
    }
    let n = i128::from(games);
    let spread = n * moments.squares - moments.sum * moments.sum;
    spread as f64 / (games as f64 * (games - 1) as f64)
}

/// The standard error of the mean of some values, at least two.
pub fn standard_error(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (n - 1.0) / n).sqrt()
}

/// The smallest value at or below which at least the share `q` of an exact histogram lies;
/// `histogram[v]` counts value v.
pub fn quantile(histogram: &[u64], q: f64) -> usize {
    let total: u64 = histogram.iter().sum();
    let wanted = ((total as f64 * q).ceil() as u64).max(1);
    let mut seen = 0;
    for (value, count) in histogram.iter().enumerate() {
        seen += count;
        if seen >= wanted {
            return value;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[i128]) -> Moments {
        let (sum, squares) = (values.iter().sum(), values.iter().map(|v| v * v).sum());
        Moments { sum, squares }
    }

    #[test]
    fn a_mean_knows_its_error() {
        let estimate = Estimate::mean(4, &moments(&[2, 4, 4, 6]), 1.0);
        assert_eq!(estimate.value, 4.0);
        assert!((estimate.se - (8.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert!(estimate.low < 4.0 && estimate.high > 4.0);
    }

    #[test]
    fn a_proportion_of_ones_and_zeros_is_wilsons() {
        // 10 of 20: center stays at one half; half-width by the textbook formula.
        let wins: Vec<i128> = (0..20).map(|i| i128::from(i < 10)).collect();
        let estimate = Estimate::proportion(20, &moments(&wins), 1.0);
        assert!((estimate.low + estimate.high - 1.0).abs() < 1e-12);
        assert!((estimate.low - 0.299_298).abs() < 1e-6, "{estimate:?}");
    }

    #[test]
    fn proportions_at_the_ends_stay_sane() {
        let never = Estimate::proportion(1000, &moments(&[0; 1000]), 1.0);
        assert_eq!((never.value, never.low), (0.0, 0.0));
        assert!(never.high > 0.001 && never.high < 0.01);
        let always = Estimate::proportion(1000, &moments(&[840; 1000]), 840.0);
        assert_eq!((always.value, always.high), (1.0, 1.0));
        assert!(always.low < 0.999 && always.low > 0.99);
        let shared = Estimate::proportion(1000, &moments(&[168; 1000]), 840.0);
        assert_eq!((shared.low, shared.high, shared.se), (0.2, 0.2, 0.0));
    }

    #[test]
    fn one_game_tells_nothing_of_its_error() {
        let estimate = Estimate::proportion(1, &moments(&[840]), 840.0);
        assert_eq!((estimate.low, estimate.high), (0.0, 1.0));
        assert!(Estimate::mean(1, &moments(&[5]), 1.0).se.is_infinite());
        let unknown = Estimate::normal(0.4, f64::INFINITY).wilson(10, 10);
        assert_eq!((unknown.low, unknown.high), (0.0, 1.0));
    }

    #[test]
    fn a_ratio_of_proportional_sums_is_certain() {
        let d = [1, 2, 3, 4];
        let x = [3, 6, 9, 12];
        let products = d.iter().zip(&x).map(|(d, x)| d * x).sum();
        let estimate = Estimate::ratio(4, &moments(&x), &moments(&d), products).unwrap();
        assert_eq!((estimate.value, estimate.se), (3.0, 0.0));
        let nothing = Estimate::ratio(4, &moments(&x), &Moments::default(), 0);
        assert_eq!(nothing, None);
    }

    #[test]
    fn units_and_levels_change_all_of_an_estimate() {
        let points = Estimate::normal(0.5, 0.01).minus(0.25).scaled(100.0);
        let all = |e: Estimate| [e.value, e.se, e.low, e.high];
        let wanted = all(Estimate::normal(25.0, 1.0));
        let near = |a: [f64; 4], b: [f64; 4]| (0..4).all(|i| (a[i] - b[i]).abs() < 1e-9);
        assert!(near(all(points), wanted), "{points:?}");
        let turned = points.scaled(-1.0);
        assert!(near(all(turned), [-25.0, 1.0, -wanted[3], -wanted[2]]));
    }

    #[test]
    fn more_rivals_need_a_clearer_difference() {
        assert!((best_set_z(2, 1) - 1.644_854).abs() < 1e-5);
        assert!((best_set_z(51, 1) - 3.090_232).abs() < 1e-5);
        assert_eq!(best_set_z(11, 5), best_set_z(51, 1));
        assert!(best_set_z(1, 0) > 1.6);
    }

    #[test]
    fn a_spread_errs_on_the_wide_side() {
        // Three seats; the second wins half, no win is shared: the bound is exact.
        let (x, y) = (moments(&[1, 0, 1, 0]), moments(&[0, 1, 0, 0]));
        let spread = Estimate::spread(4, &x, &y, 1.0);
        let mean = Estimate::mean(4, &moments(&[1, -1, 1, 0]), 1.0);
        assert_eq!(spread, mean.in_points());
        let picked = spread.picked_from(3);
        assert!(picked.se > 1.2 * spread.se && picked.se < 1.3 * spread.se);
        assert_eq!((picked.low, spread.picked_from(2).se), (0.0, spread.se));
        assert_eq!((widening(1), widening(2)), (1.0, 1.0));
    }

    #[test]
    fn quantiles_are_exact() {
        let histogram = [5, 0, 3, 2];
        let found = [0.5, 0.51, 0.95, 0.0].map(|q| quantile(&histogram, q));
        assert_eq!(found, [0, 2, 3, 0]);
    }
}
