//! How people decide, from their decisions: weights of a habit, fitted to a person.
//!
//! A logistic regression with slips and a normal prior around the people that the game expects: the
//! weights with the highest posterior, found by Fisher scoring, and their errors by Laplace's
//! approximation (Bishop, *Pattern Recognition and Machine Learning*, 4.3 and 4.5).

use crate::game::Habit;
use crate::statistics::{Estimate, standard_normal};
use crate::streams;

/// The inputs of a decision, and whether the answer was yes.
pub type Sample<'s> = (&'s [f64], bool);

/// Most steps of the search, which converges in far fewer.
const STEPS: usize = 100;
/// Draws from the posterior of a person, and their seed.
const DRAWS: usize = 16;
const SEED: u64 = 1;
/// Steps of a sequence of evenly spread points in several dimensions (Roberts 2018).
const SPREAD: f64 = 1.167_303_978_261_418_7;
/// Most further games that are counted.
const MORE_MAX: usize = 1000;

/// What a person decided, and what is expected of people.
pub struct Model<'m> {
    pub habit: &'m Habit,
    /// For each weight a mean and a standard deviation.
    pub prior: &'m [(f64, f64)],
    pub samples: &'m [Sample<'m>],
}

/// The posterior of a person's weights.
pub struct Fit {
    /// The weights, in the order of the habit.
    pub weights: Vec<Estimate>,
    /// The mean ratio of the standard errors to those without any decision.
    pub doubt: f64,
    /// About the number of further games that halve it, if it is known.
    pub more_games: Option<usize>,
    /// Weights drawn from the posterior.
    pub draws: Vec<Vec<f64>>,
}

/// Fits weights to the decisions of this number of games. The number of the person selects the
/// draws.
pub fn fit(model: &Model, games: usize, person: u64) -> Fit {
    let weights = model.likeliest();
    let covariance = inverted(model.slopes(&weights, 1.0).1);
    let doubt = model.doubt(&weights, 1.0);
    let more_games = (1..MORE_MAX).find(|more| {
        let part = 1.0 + *more as f64 / games as f64;
        games > 0 && model.doubt(&weights, part) <= doubt / 2.0
    });
    let draws = model.draws(&weights, &covariance, person);
    let errors = (0..weights.len()).map(|at| covariance[at][at].sqrt());
    let weights = weights.into_iter().zip(errors);
    Fit {
        weights: weights
            .map(|(weight, error)| Estimate::normal(weight, error))
            .collect(),
        doubt,
        more_games,
        draws,
    }
}

impl Model<'_> {
    /// The weights with the highest posterior.
    fn likeliest(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = self.prior.iter().map(|(mean, _)| *mean).collect();
        let mut best = self.density(&weights);
        for _ in 0..STEPS {
            let (gradient, information) = self.slopes(&weights, 1.0);
            let rows = inverted(information).into_iter();
            let step: Vec<f64> = rows.map(|row| weighed(&row, &gradient)).collect();
            // A shorter step if the whole one overshoots the maximum.
            let mut tried = (0..30).map(|halved| {
                let part = 0.5_f64.powi(halved);
                let next = weights.iter().zip(&step).map(|(w, s)| w + part * s);
                let next = self.possible(next.collect());
                (self.density(&next), next)
            });
            let Some((found, next)) = tried.find(|(found, _)| *found > best + 1e-12) else {
                break;
            };
            (best, weights) = (found, next);
        }
        weights
    }

    /// Weights that are at least the least of the habit.
    fn possible(&self, weights: Vec<f64>) -> Vec<f64> {
        let least = self.habit.least.iter().zip(weights);
        least.map(|(least, weight)| weight.max(*least)).collect()
    }

    /// The probability of yes under these weights, and its derivatives by the weights.
    fn chance(&self, weights: &[f64], inputs: &[f64]) -> (f64, Vec<f64>) {
        let (lean, mut slopes) = (self.habit.lean)(weights, inputs);
        let sure = 1.0 / (1.0 + (-lean).exp());
        let part = 1.0 - 2.0 * self.habit.slip;
        let growth = part * sure * (1.0 - sure);
        slopes.iter_mut().for_each(|slope| *slope *= growth);
        (self.habit.slip + part * sure, slopes)
    }

    /// The logarithm of the posterior density, up to a constant.
    fn density(&self, weights: &[f64]) -> f64 {
        let likely = self.samples.iter().map(|(inputs, yes)| {
            let (chance, _) = self.chance(weights, inputs);
            let said = if *yes { chance } else { 1.0 - chance };
            said.ln()
        });
        let expected = weights.iter().zip(self.prior);
        let expected =
            expected.map(|(weight, (mean, doubt))| -((weight - mean) / doubt).powi(2) / 2.0);
        likely.sum::<f64>() + expected.sum::<f64>()
    }

    /// The gradient of the log posterior, and its expected negative second derivatives, if there
    /// were `part` times as many decisions.
    fn slopes(&self, weights: &[f64], part: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let all = weights.len();
        let mut gradient: Vec<f64> = (weights.iter().zip(self.prior))
            .map(|(weight, (mean, doubt))| (mean - weight) / (doubt * doubt))
            .collect();
        let mut information = vec![vec![0.0; all]; all];
        for (at, (_, doubt)) in self.prior.iter().enumerate() {
            information[at][at] = 1.0 / (doubt * doubt);
        }
        for (inputs, yes) in self.samples {
            let (chance, slopes) = self.chance(weights, inputs);
            let by_variance = part / (chance * (1.0 - chance));
            let off = (f64::from(u8::from(*yes)) - chance) * by_variance;
            for a in 0..all {
                gradient[a] += off * slopes[a];
                for b in 0..all {
                    information[a][b] += by_variance * slopes[a] * slopes[b];
                }
            }
        }
        (gradient, information)
    }

    /// The mean ratio of the standard errors to those without any decision, if there were `part`
    /// times as many.
    fn doubt(&self, weights: &[f64], part: f64) -> f64 {
        let covariance = inverted(self.slopes(weights, part).1);
        let ratios = (self.prior.iter().enumerate())
            .map(|(at, (_, doubt))| covariance[at][at].sqrt() / doubt);
        ratios.sum::<f64>() / weights.len() as f64
    }

    /// Draws from the normal distribution around these weights, evenly spread, in a random order.
    fn draws(&self, weights: &[f64], covariance: &[Vec<f64>], person: u64) -> Vec<Vec<f64>> {
        let root = root_of(covariance);
        let key = streams::game_key(SEED, person);
        let random = |number: usize| f64::from(streams::uniform(key, number as u64));
        let mut draws = Vec::new();
        for draw in 0..DRAWS {
            let mut normal = Vec::new();
            for at in 0..weights.len() {
                let step = draw as f64 / SPREAD.powi(at as i32 + 1);
                let share = (random(at) + step).fract();
                normal.push(standard_normal(share.clamp(0.001, 0.999)));
            }
            let off = root.iter().map(|row| weighed(row, &normal));
            let drawn = weights.iter().zip(off).map(|(weight, off)| weight + off);
            let drawn = self.possible(drawn.collect());
            draws.push((random(weights.len() + draw), drawn));
        }
        draws.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        draws.into_iter().map(|(_, weights)| weights).collect()
    }
}

fn weighed(weights: &[f64], looked: &[f64]) -> f64 {
    let pairs = weights.iter().zip(looked);
    pairs.map(|(weight, value)| weight * value).sum()
}

/// The lower triangular root of a matrix that is symmetric and positive (Cholesky).
fn root_of(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let all = matrix.len();
    let mut root = vec![vec![0.0; all]; all];
    for row in 0..all {
        for column in 0..=row {
            let rest = matrix[row][column] - weighed(&root[row][..column], &root[column][..column]);
            root[row][column] = if column == row {
                rest.max(0.0).sqrt()
            } else {
                rest / root[column][column]
            };
        }
    }
    root
}

/// The inverse of a matrix that is symmetric and positive, by elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let all = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..all).map(|column| if column == at { 1.0 } else { 0.0 }));
    }
    for at in 0..all {
        let pivot = matrix[at][at];
        let own: Vec<f64> = matrix[at].iter().map(|value| value / pivot).collect();
        for row in &mut matrix {
            let factor = row[at];
            let reduced = row.iter_mut().zip(&own);
            reduced.for_each(|(value, own)| *value -= factor * own);
        }
        matrix[at] = own;
    }
    matrix.into_iter().map(|row| row[all..].to_vec()).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/core/fitting.rs"]
mod tests;
