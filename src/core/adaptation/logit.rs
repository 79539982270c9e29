//! Logit play of a symmetric game in which everyone picks a point of a space: points are played in
//! proportion to exp(payoff / temperature) (quantal response equilibrium, McKelvey and Palfrey
//! 1995). Payoffs are measured at some points at a time; what is seen at a point counts near it,
//! too.
//!
//! All numbers are sums, products and quotients, so they are the same on every machine.

use crate::simulation::Stopped;
use crate::tuning::{AxisShape, Point, Space};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Points of a population, each played as often, and candidates measured at a time, …
pub const SLOTS: usize = 256;
/// … of which the first are drawn evenly from all points, the others from the population.
pub const EVENLY: usize = 128;
/// Most points of the lattice that is played.
const LATTICE_MAX: f64 = 16_384.0;
/// The difference in payoff that makes a point e times as likely to be played.
pub const TEMPERATURE: f64 = 0.5;
/// Standard deviation of the population at the start, as a fraction of each axis.
const START_WIDTH: f64 = 1.0 / 6.0;
/// Distance to which a payoff counts for its neighbours, as a fraction of an axis, …
const LENGTH: f64 = 0.085;
/// … or of the distance between two points on it, whichever is more.
const LENGTH_OF_STEP: f64 = 0.5;
/// Weight of the payoffs known before, in candidates of a mean number of games.
const PRIOR: f64 = 1.0;
/// Most by which a payoff counts as different from the one known before.
const SURPRISE: f64 = 3.0;

/// What a point won above its fair share, summed over its games.
#[derive(Debug, Clone, Copy)]
pub struct Won {
    pub above: f64,
    pub games: f64,
}

/// Measures candidates, and then the population that they play, in an iteration, from 0.
pub type Measure<'a> = dyn FnMut(u64, &[Point], &[Point]) -> Result<Vec<Won>, Stopped> + 'a;

/// Finds the population, points in order, by iterations that each go some fraction of the way,
/// `step`, to the payoffs seen. It follows from the mean payoffs of the second half.
pub fn play_logit(
    space: &Space,
    iterations: u64,
    step: f64,
    seed: u64,
    measure: &mut Measure,
) -> Result<Vec<Point>, Stopped> {
    let lattice = Lattice::of(space);
    let mut payoffs: Vec<f64> = lattice.points.iter().map(|at| near(space, at)).collect();
    let (even, mut mean) = (vec![1.0; payoffs.len()], vec![0.0; payoffs.len()]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let averaged = iterations.div_ceil(2);
    for iteration in 0..iterations {
        let weights = logit_weights(&payoffs);
        let others = draw(&weights, SLOTS, rng.random());
        let mut candidates = draw(&even, EVENLY, rng.random());
        candidates.extend(draw(&weights, SLOTS - EVENLY, rng.random()));
        let won = measure(
            iteration,
            &lattice.pick(&candidates),
            &lattice.pick(&others),
        )?;
        let mut seen = vec![[0.0; 2]; payoffs.len()];
        let mut games = 0.0;
        for (&at, won) in candidates.iter().chain(&others).zip(&won) {
            seen[at][0] += won.above - won.games * payoffs[at];
            seen[at][1] += won.games;
            games += won.games;
        }
        let prior = PRIOR * games / won.len() as f64;
        for (at, [above, games]) in lattice.smooth(seen).into_iter().enumerate() {
            payoffs[at] += step * (above / (games + prior)).clamp(-SURPRISE, SURPRISE);
            if iteration >= iterations - averaged {
                mean[at] += payoffs[at] / averaged as f64;
            }
        }
    }
    Ok(lattice.pick(&lattice.represent(&logit_weights(&mean))))
}

/// Points of a space at even distances.
struct Lattice {
    /// The number of values on each axis.
    counts: Vec<usize>,
    /// All points, the last axis changing fastest.
    points: Vec<Point>,
    /// For each axis, the weight of an observation by its distance in points.
    nearness: Vec<Vec<f64>>,
}

impl Lattice {
    /// As many points as may be.
    fn of(space: &Space) -> Lattice {
        let mut axes = space.axes.clone();
        let size = |axes: &[AxisShape]| axes.iter().map(|axis| axis.count as f64).product::<f64>();
        while size(&axes) > LATTICE_MAX {
            let longest = axes.iter_mut().max_by_key(|axis| axis.count);
            longest.expect("many points have axes").count -= 1;
        }
        let counts: Vec<usize> = axes.iter().map(|axis| axis.count).collect();
        let start = Vec::new();
        let mut points = Space { axes, start }.all();
        for point in &mut points {
            for (axis, at) in point.iter_mut().enumerate() {
                let last = space.axes[axis].count - 1;
                *at = (place(*at, counts[axis]) * last as f64).round() as usize;
            }
        }
        let nearness = |&count: &usize| {
            let length = LENGTH.max(LENGTH_OF_STEP * place(1, count));
            let near = |apart| {
                let scaled = place(apart, count) / length;
                exp(-0.5 * scaled * scaled)
            };
            (0..count).map(near).collect()
        };
        Lattice {
            nearness: counts.iter().map(nearness).collect(),
            counts,
            points,
        }
    }

    fn pick(&self, indices: &[usize]) -> Vec<Point> {
        indices.iter().map(|at| self.points[*at].clone()).collect()
    }

    /// The sum of the observations around each point; distant ones weigh less.
    fn smooth(&self, mut seen: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
        let mut stride = 1;
        for (&count, nearness) in self.counts.iter().zip(&self.nearness).rev() {
            let mut smooth = vec![[0.0; 2]; seen.len()];
            for (point, sum) in smooth.iter_mut().enumerate() {
                let at = point / stride % count;
                for other in 0..count {
                    let weight = nearness[at.abs_diff(other)];
                    let seen = seen[point + other * stride - at * stride];
                    *sum = [sum[0] + weight * seen[0], sum[1] + weight * seen[1]];
                }
            }
            seen = smooth;
            stride *= count;
        }
        seen
    }

    /// Equally likely points that stand for these weights, by kernel herding (Chen, Welling and
    /// Smola 2010): each new point is the one around which most weight is missing.
    fn represent(&self, weights: &[f64]) -> Vec<usize> {
        let sum: f64 = weights.iter().sum();
        let wanted = self.smooth(weights.iter().map(|weight| [weight / sum, 0.0]).collect());
        let mut missing = vec![0.0; weights.len()];
        let mut chosen = Vec::with_capacity(SLOTS);
        for _ in 0..SLOTS {
            let mut best = 0;
            for at in 0..missing.len() {
                missing[at] += wanted[at][0];
                if missing[at] > missing[best] {
                    best = at;
                }
            }
            chosen.push(best);
            for (at, missing) in missing.iter_mut().enumerate() {
                *missing -= self.nearness(at, best);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    fn nearness(&self, mut a: usize, mut b: usize) -> f64 {
        let mut near = 1.0;
        for (&count, nearness) in self.counts.iter().zip(&self.nearness).rev() {
            near *= nearness[(a % count).abs_diff(b % count)];
            (a, b) = (a / count, b / count);
        }
        near
    }
}

/// Where a value is on an axis, from 0 to 1.
fn place(at: usize, count: usize) -> f64 {
    at as f64 / (count - 1).max(1) as f64
}

/// A payoff that decreases away from the start of a space.
fn near(space: &Space, point: &[usize]) -> f64 {
    let mut payoff = 0.0;
    for (axis, (&at, &start)) in space.axes.iter().zip(point.iter().zip(&space.start)) {
        let apart = (place(at, axis.count) - place(start, axis.count)) / START_WIDTH;
        payoff -= 0.5 * TEMPERATURE * apart * apart;
    }
    payoff
}

/// The weights by which points of these payoffs are played.
fn logit_weights(payoffs: &[f64]) -> Vec<f64> {
    let highest = payoffs.iter().copied().fold(f64::MIN, f64::max);
    let weight = |payoff: &f64| exp((payoff - highest) / TEMPERATURE);
    payoffs.iter().map(weight).collect()
}

/// Draws indices by their weights, evenly along the sum of these, from a random offset on.
fn draw(weights: &[f64], count: usize, offset: f64) -> Vec<usize> {
    let part = weights.iter().sum::<f64>() / count as f64;
    let (mut index, mut sum) = (0, weights[0]);
    let mut drawn = Vec::with_capacity(count);
    for slot in 0..count {
        while sum <= (slot as f64 + offset) * part && index + 1 < weights.len() {
            index += 1;
            sum += weights[index];
        }
        drawn.push(index);
    }
    drawn
}

/// eˣ for x up to 0, nearly: the standard library's differs between machines.
fn exp(x: f64) -> f64 {
    let mut power = (1.0 + x / f64::from(1 << 20)).max(0.0);
    for _ in 0..20 {
        power *= power;
    }
    power
}
