//! Estimates: a value, its standard error, and a 95 % interval.
//!
//! Everything follows from exact integer sums; ratios are taken last. Nothing here knows where the
//! sums come from.

mod populations;

pub use self::populations::z_over;

use crate::numbers::{between, share_within};
use serde::{Deserialize, Deserializer, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::FRAC_2_SQRT_PI;
use std::fmt;

/// Half-width of a two-sided 95 % normal interval, in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// How many standard errors above 0 a difference must be, when the best of `candidates` is sought
/// in `looks` looks at the results, so that with 95 % probability the true best is never called
/// worse than any other: one-sided, with the error divided among its rivals and the looks
/// (Bonferroni). On comparisons with the best see Gupta 1965 and Hsu 1984.
pub fn best_set_z(candidates: usize, looks: usize) -> f64 {
    let rivals = candidates.saturating_sub(1).max(1) as f64;
    Normal::standard().inverse_cdf(1.0 - 0.05 / rivals / looks.max(1) as f64)
}

/// The standard normal number that this share of all lie below.
pub fn standard_normal(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// Factor by which a standard error grows when the same games picked the largest and the smallest
/// of `figures` figures (Bonferroni over the pairs).
pub fn widening(figures: usize) -> f64 {
    match figures * figures.saturating_sub(1) / 2 {
        0 | 1 => 1.0,
        pairs => joint_z(pairs) / Z95,
    }
}

/// Half-width of a two-sided interval that holds for `figures` figures at once, in standard errors.
fn joint_z(figures: usize) -> f64 {
    Normal::standard().inverse_cdf(1.0 - 0.025 / figures as f64)
}

/// Standard deviation of the largest of 1, 2, … independent standard normal numbers
/// (Teichroew 1956).
const SD_OF_LARGEST: [f64; 8] = [1.0, 0.8256, 0.7480, 0.7012, 0.6690, 0.6449, 0.6260, 0.6107];
/// Standard deviation of the range of 1, 2, … such numbers (Tippett 1925).
const SD_OF_RANGE: [f64; 8] = [0.0, 0.8525, 0.8884, 0.8798, 0.8641, 0.8480, 0.8332, 0.8198];
/// Mean of that range.
const MEAN_RANGE: [f64; 8] = [
    0.0,
    FRAC_2_SQRT_PI,
    1.6926,
    2.0588,
    2.3259,
    2.5344,
    2.7044,
    2.8472,
];
/// A figure more standard errors below the largest is not a candidate for the largest.
const CLEARLY_LESS: f64 = 3.0;

/// The entry of one of these tables for `numbers` numbers; beyond the last, that of the last.
fn tabulated(table: &[f64; 8], numbers: usize) -> f64 {
    table[numbers.clamp(1, table.len()) - 1]
}

/// The expected gap between the highest and the lowest win rate of `players` equal players.
pub fn spread_of_equals(players: usize, games: u64) -> f64 {
    tabulated(&MEAN_RANGE, players) / (players as f64 * games as f64).sqrt()
}

/// Sums over games of one whole number per game.
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

/// The unit of an estimate; it decides the format.
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
    /// Its standard error; infinite for a single game.
    #[serde(deserialize_with = "infinite")]
    pub se: f64,
    /// Lower end of the 95 % interval.
    #[serde(deserialize_with = "minus_infinite")]
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[serde(deserialize_with = "infinite")]
    pub high: f64,
    /// The unit of the value, its error and its interval.
    #[serde(default)]
    pub unit: Unit,
    /// Where populations take turns: the half-width that the noise of the games alone would give.
    #[serde(skip)]
    pub of_games: Option<f64>,
}

/// JSON has no infinity: it is null there.
fn infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|read| read.unwrap_or(f64::INFINITY))
}

fn minus_infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|read| read.unwrap_or(f64::NEG_INFINITY))
}

/// The value and half the width of its interval; with `+` positive values get a sign.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if f.sign_plus() && self.value > 0.0 {
            f.write_str("+")?;
        }
        let [value, low, high] = [self.value, self.low, self.high];
        let points = [value, low, high].map(|of| 100.0 * of);
        match self.unit {
            Unit::Share => f.write_str(&share_within(value, low, high)),
            Unit::Points => f.write_str(&between(points[0], points[1], points[2], " points")),
            Unit::Amount => f.write_str(&between(value, low, high, "")),
        }
    }
}

impl Estimate {
    /// An unknown value: the divisor was 0.
    pub const UNKNOWN: Estimate = Estimate {
        value: 0.0,
        se: f64::INFINITY,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        unit: Unit::Amount,
        of_games: None,
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

    /// The same estimate in another unit: all numbers times `factor`.
    ///
    /// A negative factor swaps the ends of the interval.
    pub fn scaled(self, factor: f64) -> Estimate {
        let (a, b) = (self.low * factor, self.high * factor);
        let (low, high) = if factor < 0.0 { (b, a) } else { (a, b) };
        let (value, se) = (self.value * factor, self.se * factor.abs());
        let of_games = self.of_games.map(|of| of * factor.abs());
        let scaled = Estimate {
            value,
            se,
            of_games,
            ..self
        };
        scaled.within(low, high)
    }

    /// The estimate minus `level`, which is exact.
    pub fn minus(self, level: f64) -> Estimate {
        let value = self.value - level;
        Estimate { value, ..self }.within(self.low - level, self.high - level)
    }

    /// A difference of shares, shown in percentage points; its numbers stay shares.
    pub fn in_points(mut self) -> Estimate {
        self.unit = Unit::Points;
        self
    }

    /// The mean of independent estimates of one unit, at least one.
    pub fn mean_of(each: &[Estimate]) -> Estimate {
        if let [one] = each {
            return *one;
        }
        let number = each.len() as f64;
        let exact = Estimate {
            value: each.iter().map(|of| of.value).sum::<f64>() / number,
            se: 0.0,
            of_games: None,
            ..each[0]
        };
        let squares: f64 = each.iter().map(|of| of.se * of.se).sum();
        exact.with_error(squares.sqrt() / number)
    }

    /// The estimate with an error more, independent and with this standard deviation.
    pub fn with_error(self, sd: f64) -> Estimate {
        let se = self.se.hypot(sd);
        let (low, high) = (self.value - Z95 * se, self.value + Z95 * se);
        let wide = Estimate { se, ..self };
        match self.unit {
            Unit::Share => wide.within(low.max(0.0), high.min(1.0)),
            _ => wide.within(low, high),
        }
    }

    pub fn within(self, low: f64, high: f64) -> Estimate {
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
        Estimate::mean(games, moments, unit).wilson(games, games)
    }

    /// The share of `sum` in `unit` a game, where each game adds all of it or nothing.
    pub fn share(games: u64, sum: u64, unit: i32) -> Estimate {
        let (sum, unit) = (i128::from(sum), i128::from(unit));
        let squares = sum * unit;
        Estimate::proportion(games, &Moments { sum, squares }, unit as f64)
    }

    /// The largest of some shares minus the smallest. Each game divides `whole` among them all, so
    /// the products of two shares are known, summed over all pairs; a pair counts by its sums.
    pub fn spread(games: u64, shares: &[Moments], whole: f64) -> Estimate {
        let sum: i128 = shares.iter().map(|share| share.sum).sum();
        let with_others = |share: &Moments| share.sum * (sum - share.sum);
        let of_pairs: i128 = shares.iter().map(with_others).sum();
        let squares: f64 = shares.iter().map(|share| share.squares as f64).sum();
        let products = (whole * sum as f64 - squares).max(0.0);
        let rate = if of_pairs > 0 {
            products / of_pairs as f64
        } else {
            0.0
        };
        let difference = |x: usize, y: usize| {
            let (x, y) = (&shares[x], &shares[y]);
            let products = (rate * x.sum as f64 * y.sum as f64).round() as i128;
            let sum = x.sum - y.sum;
            // Rounding leaves no variance below 0.
            let least = (sum * sum + i128::from(games) - 1) / i128::from(games);
            let squares = (x.squares + y.squares - 2 * products).max(least);
            Estimate::mean(games, &Moments { sum, squares }, whole).in_points()
        };
        let by_sum = |share: &usize| shares[*share].sum;
        // The first of equal sums.
        let most = (0..shares.len()).rev().max_by_key(by_sum).unwrap_or(0);
        let least = (0..shares.len()).min_by_key(by_sum).unwrap_or(0);
        let highest = (0..shares.len()).filter(|&other| difference(most, other).is_near_0());
        let lowest = (0..shares.len()).filter(|&other| difference(other, least).is_near_0());
        difference(most, least).picked_from(highest.count(), lowest.count(), shares.len())
    }

    /// Whether a nonnegative value may well be 0, where several are looked at.
    pub fn is_near_0(&self) -> bool {
        self.value <= CLEARLY_LESS * self.se
    }

    /// Corrects this difference of the largest and the smallest of `shares` as an estimate of their
    /// true range, when `highest` of them may be the largest and `lowest` the smallest.
    ///
    /// The largest of several is too large by chance, so the interval reaches further down than up.
    pub fn picked_from(self, highest: usize, lowest: usize, shares: usize) -> Estimate {
        let alike = highest == shares && lowest == shares;
        let pairs = if alike {
            shares * (shares - 1)
        } else {
            highest * lowest
        };
        let down = if pairs > 1 { joint_z(pairs) } else { Z95 };
        let (low, high) = (self.value - down * self.se, self.value + Z95 * self.se);
        let sd = |count| tabulated(&SD_OF_LARGEST, count);
        let narrower = match (alike, pairs > 1) {
            (_, false) => 1.0,
            (true, true) => tabulated(&SD_OF_RANGE, shares) / 2f64.sqrt(),
            (false, true) => ((sd(highest).powi(2) + sd(lowest).powi(2)) / 2.0).sqrt(),
        };
        let se = self.se * narrower;
        Estimate { se, ..self }.within(low.max(0.0), high.min(1.0))
    }

    /// Ratio Σx / Σd over games, with a normal interval from the residuals x − ratio·d: the ratio
    /// estimator of survey sampling (Cochran 1977). `None` if Σd is 0.
    pub fn ratio(games: u64, x: &Moments, d: &Moments, products: i128) -> Option<Estimate> {
        if d.sum == 0 {
            return None;
        }
        let n = games as f64;
        let value = x.sum as f64 / d.sum as f64;
        let residuals =
            x.squares as f64 - 2.0 * value * products as f64 + value * value * d.squares as f64;
        let residuals = without_rounding(residuals, x.squares as f64);
        let se = (residuals / (n - 1.0) / n).sqrt() / (d.sum as f64 / n).abs();
        let se = if games < 2 { f64::INFINITY } else { se };
        Some(Estimate::normal(value, se))
    }

    /// The same estimate of a proportion from `games` games, with the interval of Wilson (1927),
    /// which stays valid near 0 and 1. Shared games, or games of several trials each, carry less or
    /// more information than one yes or no: the interval is that of the number of independent
    /// trials with this standard error, and of `trials` where all were alike.
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
            // All games were shared alike: the proportion is exact.
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

/// A sum of squares of which parts as large as `parts` may have cancelled: 0 where only their
/// rounding is left.
pub fn without_rounding(squares: f64, parts: f64) -> f64 {
    if squares <= 1e-13 * parts {
        0.0
    } else {
        squares
    }
}

/// The standard error of the mean of some values, at least two.
pub fn standard_error(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    // Figures of games differ by more than the rounding of a share.
    (without_rounding(squares, 1e-13) / (n - 1.0) / n).sqrt()
}

/// The standard error of a new value of which some are known, at least two: it is one more draw
/// than their mean is of.
pub fn predictive_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / (count - 1.0) * (1.0 + 1.0 / count)).sqrt()
}

/// The smallest value at or below which at least the share `q` of an exact histogram lies;
/// `histogram[v]` counts value v.
pub fn quantile(histogram: &[u64], q: f64) -> usize {
    let total: u64 = histogram.iter().sum();
    let wanted = ((total as f64 * q).ceil() as u64).max(1);
    let mut seen = 0;
    let reaches = |count: &u64| {
        seen += count;
        seen >= wanted
    };
    histogram.iter().position(reaches).unwrap_or(0)
}

#[cfg(test)]
#[path = "../../tests/unit/core/statistics.rs"]
mod tests;
