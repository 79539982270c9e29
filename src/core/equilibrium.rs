//! Equilibria and dominance of symmetric games, as plain numbers.
//!
//! Every player of a symmetric game picks one of the same strategies, with the same payoff rule.
//! Such a game has an equilibrium in which all players draw from one mixed strategy (Nash,
//! Non-cooperative games, 1951); [`solve`] searches for it. Nothing here knows where the payoffs
//! come from.
//!
//! Both questions reduce to one linear program: the mix that minimizes the maximum of several
//! linear functions, which is also the equilibrium of a matrix game (von Neumann 1928, Dantzig
//! 1951).

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::iter::once_with;
use std::time::Duration;

/// Tolerance, as a fraction of the range of the payoffs, and for probabilities.
const NOTHING: f64 = 1e-9;
/// Most steps from each start.
const STEPS: usize = 100;
/// Starts from single strategies, and from scattered mixes.
const SINGLE_STARTS: usize = 4;
const SCATTERED_STARTS: usize = 40;
/// A linear program that takes longer is abandoned. One of 40 strategies takes milliseconds, so the
/// limit only matters if the library fails.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq)]
pub struct SymmetricGame {
    /// For each strategy, its payoff against each possible field. For any mix, the probabilities of
    /// the fields of a strategy sum to 1.
    pub payoffs: Vec<Vec<Term>>,
}

/// The payoff of a strategy against one field. The probability of the field is weight · product of
/// mix\[strategy\]^copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The strategies of the other players, each named once with its number of copies.
    pub field: Vec<(usize, u32)>,
    /// Number of seatings of the field.
    pub weight: f64,
    pub payoff: f64,
}

impl Term {
    /// The probability of the field, without one player of the strategy `seated`: the derivative of
    /// the probability with respect to the share of that strategy.
    fn probability(&self, mix: &[f64], seated: Option<usize>) -> f64 {
        let mut probability = self.weight;
        for &(strategy, copies) in &self.field {
            let copies = copies as i32;
            probability *= if seated == Some(strategy) {
                f64::from(copies) * mix[strategy].powi(copies - 1)
            } else {
                mix[strategy].powi(copies)
            };
        }
        probability
    }
}

impl SymmetricGame {
    /// The payoff of a strategy when all others draw from the mix.
    pub fn payoff(&self, strategy: usize, mix: &[f64]) -> f64 {
        let paid = |term: &Term| term.payoff * term.probability(mix, None);
        self.payoffs[strategy].iter().map(paid).sum()
    }

    /// The gain of the best response over the mix itself: 0 in equilibrium.
    pub fn exploitability(&self, mix: &[f64]) -> f64 {
        let payoffs = self.all_payoffs(mix);
        let value = dot(&payoffs, mix);
        payoffs.iter().map(|p| p - value).fold(0.0, f64::max)
    }

    fn all_payoffs(&self, mix: &[f64]) -> Vec<f64> {
        let payoff = |strategy| self.payoff(strategy, mix);
        (0..self.payoffs.len()).map(payoff).collect()
    }

    /// The exploitability that is treated as 0: a small fraction of the range of the payoffs, but
    /// at least their rounding error.
    fn goal(&self) -> f64 {
        let (low, high) = extent(self.payoffs.iter().flatten().map(|term| term.payoff));
        NOTHING * (high - low).max(0.0) + 16.0 * f64::EPSILON * low.abs().max(high.abs())
    }

    /// The gain of each strategy over the mix itself, linearized around `mix`: one row for each
    /// strategy; its product with a nearby mix is the strategy's gain there.
    fn gains_nearby(&self, mix: &[f64]) -> Vec<Vec<f64>> {
        let payoffs = self.all_payoffs(mix);
        let value = dot(&payoffs, mix);
        let mut slopes = vec![vec![0.0; mix.len()]; mix.len()];
        let mut slope_of_value = payoffs.clone();
        for (strategy, terms) in self.payoffs.iter().enumerate() {
            for term in terms {
                for &(other, _) in &term.field {
                    slopes[strategy][other] += term.payoff * term.probability(mix, Some(other));
                }
            }
            for (sum, slope) in slope_of_value.iter_mut().zip(&slopes[strategy]) {
                *sum += mix[strategy] * slope;
            }
        }
        for (row, payoff) in slopes.iter_mut().zip(&payoffs) {
            for (slope, of_value) in row.iter_mut().zip(&slope_of_value) {
                *slope -= of_value;
            }
            let constant = payoff - value - dot(row, mix);
            row.iter_mut().for_each(|slope| *slope += constant);
        }
        slopes
    }
}

/// A mix that no player gains by leaving, up to the exploitability found.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// The probability of each strategy.
    pub mix: Vec<f64>,
    pub exploitability: f64,
}

/// A symmetric equilibrium: the same one for the same game.
///
/// From a mix, the gains of all strategies are taken to first order, and a linear program gives the
/// mix nearby whose largest gain is smallest. "Nearby" narrows when the true gains do not follow,
/// and widens when they do (Madsen, An algorithm for minimax solution of overdetermined systems of
/// non-linear equations, 1975). Between two players who share a constant sum the gains are linear,
/// so the first step is exact.
///
/// Otherwise no method is both quick and sure (Daskalakis, Goldberg and Papadimitriou 2009): a
/// start may end where no small change helps although some strategy still gains. So there are
/// several starts: the equal mix, the least exploitable pure strategies, and mixes scattered over
/// all. The first start that ends in an equilibrium decides which one is returned; if none does,
/// the least exploitable mix is. The exploitability distinguishes the two cases. Probabilities
/// below a billionth are set to 0.
pub fn solve(game: &SymmetricGame) -> Equilibrium {
    let strategies = game.payoffs.len();
    let goal = game.goal();
    let starts = once_with(|| equal(strategies))
        .chain(once_with(|| least_exploited(game)).flatten())
        .chain((0..SCATTERED_STARTS).map(|start| scattered(strategies, start)));
    let mut best = tidied(game, equal(strategies));
    for start in starts {
        if best.exploitability <= goal {
            break;
        }
        let found = tidied(game, improved(game, start, goal));
        if found.exploitability < best.exploitability {
            best = found;
        }
    }
    best
}

fn tidied(game: &SymmetricGame, mut mix: Vec<f64>) -> Equilibrium {
    tidy(&mut mix);
    let exploitability = game.exploitability(&mix);
    Equilibrium {
        mix,
        exploitability,
    }
}

fn least_exploited(game: &SymmetricGame) -> Vec<Vec<f64>> {
    let strategies = game.payoffs.len();
    let mut singles: Vec<_> = (0..strategies).map(|s| single(strategies, s)).collect();
    singles.sort_by_cached_key(|mix| game.exploitability(mix).to_bits());
    singles.truncate(SINGLE_STARTS);
    singles
}

fn equal(strategies: usize) -> Vec<f64> {
    vec![1.0 / strategies as f64; strategies]
}

fn single(strategies: usize, strategy: usize) -> Vec<f64> {
    let mut mix = vec![0.0; strategies];
    mix[strategy] = 1.0;
    mix
}

/// A random mix, seeded by the start's number. Cubes favour a few strategies.
fn scattered(strategies: usize, start: usize) -> Vec<f64> {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(start as u64);
    let mut mix: Vec<f64> = (0..strategies)
        .map(|_| -(1.0 - draws.random::<f64>()).ln().powi(3))
        .collect();
    tidy(&mut mix);
    mix
}

/// The mix after steps from `mix`, until at most `goal` is gained.
fn improved(game: &SymmetricGame, mut mix: Vec<f64>, goal: f64) -> Vec<f64> {
    let mut gain = game.exploitability(&mix);
    let mut gains = game.gains_nearby(&mix);
    let mut reach = 1.0;
    for _ in 0..STEPS {
        if gain <= 1e-3 * goal || reach < NOTHING {
            break;
        }
        let Some(next) = least_largest(&gains, &mix, reach) else {
            break;
        };
        let promised = gain - largest(&gains, &next);
        if promised <= 1e-3 * goal {
            break;
        }
        let kept = (gain - game.exploitability(&next)) / promised;
        if kept > 0.1 {
            mix = next;
            gain = game.exploitability(&mix);
            gains = game.gains_nearby(&mix);
            if kept > 0.5 {
                reach = (2.0 * reach).min(1.0);
            }
        } else {
            let steps = mix.iter().zip(&next).map(|(a, b)| (a - b).abs());
            reach = steps.fold(0.0, f64::max).min(reach) / 4.0;
        }
    }
    mix
}

/// The derivative of an equilibrium mix with respect to the payoffs: `[part][strategy]` is the
/// growth of a part for each unit that the strategy earns more. It follows from equal payoffs
/// within the mix. `None` where that does not determine it.
pub fn sensitivity(game: &SymmetricGame, mix: &[f64]) -> Option<Vec<Vec<f64>>> {
    let support: Vec<usize> = (0..mix.len()).filter(|&s| mix[s] > 0.0).collect();
    let gains = game.gains_nearby(mix);
    let n = support.len();
    // Each row: the gain of a strategy minus that of the first; and the sum of all parts.
    let mut rows = vec![vec![0.0; 2 * n]; n];
    for (row, &strategy) in support.iter().enumerate() {
        for (column, &part) in support.iter().enumerate() {
            let difference = gains[strategy][part] - gains[support[0]][part];
            rows[row][column] = if row == 0 { 1.0 } else { difference };
        }
        rows[row][n + row] = 1.0;
    }
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) < NOTHING {
            return None;
        }
        rows.swap(column, pivot);
        let divisor = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= divisor);
        let own = rows[column].clone();
        for row in (0..n).filter(|row| *row != column) {
            let factor = rows[row][column];
            for (value, own) in rows[row].iter_mut().zip(&own) {
                *value -= factor * own;
            }
        }
    }
    let mut sensitivity = vec![vec![0.0; mix.len()]; mix.len()];
    for (row, &part) in support.iter().enumerate() {
        for (column, &strategy) in support.iter().enumerate().skip(1) {
            let change = -rows[row][n + column];
            sensitivity[part][strategy] = change;
            sensitivity[part][support[0]] -= change;
        }
    }
    Some(sensitivity)
}

/// A mix of the other strategies that earns more than `strategy` against every field, and its
/// smallest margin: the mix with the largest such margin. `payoffs[strategy][field]`. `None` if
/// there is none, or if the margin is within rounding. A pure strategy is preferred if it does as
/// well.
pub fn dominator(payoffs: &[Vec<f64>], strategy: usize) -> Option<(Vec<f64>, f64)> {
    let strategies = payoffs.len();
    let fields = payoffs[strategy].len();
    let (low, high) = extent(payoffs.iter().flatten().copied());
    let lost = NOTHING * (high - low);
    let others: Vec<usize> = (0..strategies).filter(|s| *s != strategy).collect();
    if others.is_empty() || fields == 0 {
        return None;
    }
    // The loss of each other strategy against each field.
    let losses = (0..fields).map(|f| {
        let loss = |other: &usize| payoffs[strategy][f] - payoffs[*other][f];
        others.iter().map(loss).collect()
    });
    let losses: Vec<Vec<f64>> = losses.collect();
    let mixed = least_largest(&losses, &equal(others.len()), 1.0);
    let singles = (0..others.len()).map(|other| single(others.len(), other));
    let mut best: Option<(Vec<f64>, f64)> = None;
    for mut mix in singles.chain(mixed) {
        tidy(&mut mix);
        let margin = -largest(&losses, &mix);
        if margin > best.as_ref().map_or(0.0, |(_, margin)| *margin) + lost {
            best = Some((mix, margin));
        }
    }
    best.map(|(mix, margin)| {
        let mut full = vec![0.0; strategies];
        for (other, share) in others.into_iter().zip(mix) {
            full[other] = share;
        }
        (full, margin)
    })
}

/// The mix within `reach` of `mix` that minimizes the maximum of the linear functions `rows`.
/// `None` if the library finds none.
fn least_largest(rows: &[Vec<f64>], mix: &[f64], reach: f64) -> Option<Vec<f64>> {
    // The library's tolerances are absolute, so the numbers are scaled to between -1 and 1. A
    // constant subtracted from all coefficients is subtracted from the result on mixes.
    let (low, high) = extent(rows.iter().flatten().copied());
    let (center, unit) = (low / 2.0 + high / 2.0, high / 2.0 - low / 2.0);
    if unit <= 0.0 {
        return None;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let bound = problem.add_var(1.0, (-1.0, 1.0));
    let mut share = |p: &f64| problem.add_var(0.0, ((p - reach).max(0.0), (p + reach).min(1.0)));
    let shares: Vec<_> = mix.iter().map(&mut share).collect();
    let whole: Vec<_> = shares.iter().map(|share| (*share, 1.0)).collect();
    problem.add_constraint(&whole, ComparisonOp::Eq, 1.0);
    for row in rows {
        let mut terms = vec![(bound, -1.0)];
        let scaled = row.iter().map(|value| (value - center) / unit);
        terms.extend(shares.iter().copied().zip(scaled));
        problem.add_constraint(&terms, ComparisonOp::Le, 0.0);
    }
    let mut options = SolveOptions::default();
    options.time_limit = Some(PATIENCE);
    options.tolerances.feasibility = 1e-10;
    let solution = problem.solve_with(options).ok()?.into_solution().ok()?;
    let found = shares.iter().map(|share| solution.var_value(*share));
    let mut found: Vec<f64> = found.map(|share| share.clamp(0.0, 1.0)).collect();
    normalise(&mut found);
    Some(found)
}

fn largest(rows: &[Vec<f64>], mix: &[f64]) -> f64 {
    extent(rows.iter().map(|row| dot(row, mix))).1
}

/// The least and the greatest value.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Drops probabilities close to 0 and normalizes the rest.
fn tidy(mix: &mut [f64]) {
    let small = mix.iter_mut().filter(|p| **p < NOTHING);
    small.for_each(|p| *p = 0.0);
    normalise(mix);
}

fn normalise(mix: &mut [f64]) {
    let sum: f64 = mix.iter().sum();
    mix.iter_mut().for_each(|p| *p /= sum);
}

#[cfg(test)]
#[path = "../../tests/unit/core/equilibrium.rs"]
mod tests;
