//! Estimates of the two answers in every cell, and the policy that follows.
//!
//! A rare cell is judged by those around it: its own estimate is weighed against that of the
//! coarser cell that it lies in, and so on up to a few large ones. (In statistics this is called
//! shrinkage: Efron and Morris 1975.) Most cells of a large policy are rare.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct CellSums {
    /// Extra worth of a yes over a no, times the weight.
    better: f32,
    weight: f32,
    /// Recent decisions in the cell, with decaying weight.
    seen: f32,
    /// Sums since the last comparison, and their counts, for no and for yes.
    sums: [f32; 2],
    counts: [f32; 2],
}

/// How a policy follows from averages: a softmax of two answers, with a straight line between 0 and
/// 1 as its curve.
#[derive(Debug, Clone, Copy)]
pub struct PolicyRule {
    /// Temperature of the softmax, in standard deviations of a game.
    pub temperature: f32,
    /// The same in standard errors of the difference.
    pub confidence: f32,
}

pub struct Averages {
    pub learnt: AveragesState,
    /// The answers of the policy before any learning.
    prior: Vec<u8>,
    /// From the finest level to the coarsest, the cell of the next level that a cell lies in.
    parents: Vec<Vec<u32>>,
    /// Number of cells of each level.
    sizes: Vec<usize>,
    /// By cell, the estimated extra worth of a yes over the prior, in standard deviations of a
    /// game, and its weight, in games.
    found: Vec<Found>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct AveragesState {
    known: Vec<CellSums>,
    phases: Vec<u8>,
    /// The standard deviation of a decision's worth by phase.
    deviations: Vec<f32>,
}

/// A mean and its weight, in games.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    mean: f32,
    weight: f32,
}

impl Found {
    /// The prior: a yes is worth as much more as believed at first.
    const AT_FIRST: Found = Found {
        mean: 0.0,
        weight: 1.0 / (SPREAD * SPREAD),
    };

    /// The estimate for the parent cell of such parts.
    fn of_its_parts(self) -> Found {
        let weight = 1.0 / (SPREAD * SPREAD + 1.0 / self.weight);
        Found { weight, ..self }
    }

    fn with(self, other: Found) -> Found {
        let weight = self.weight + other.weight;
        let sum = self.mean * self.weight + other.mean * other.weight;
        let mean = if weight > 0.0 { sum / weight } else { 0.0 };
        Found { mean, weight }
    }
}

/// The answers are compared once each was given this often.
const SEEN: f32 = 8.0;
/// The prior answer in unvisited cells is believed to be better by this many standard deviations of
/// a game.
const BELIEF: f32 = 0.1;
/// Standard deviation between a cell and its parent cell, and between the coarsest cells and the
/// prior, in standard deviations of a game.
const SPREAD: f32 = 0.06;

impl Averages {
    /// Averages of unvisited cells. `parents` gives for each level, from the finest, the cell of
    /// the next level that each cell lies in.
    pub fn new(prior: Vec<u8>, phases: usize, parents: Vec<Vec<u32>>) -> Averages {
        let size = |parents: &Vec<u32>| parents.iter().max().map_or(0, |last| *last as usize + 1);
        let learnt = AveragesState {
            known: vec![CellSums::default(); prior.len()],
            phases: vec![0; prior.len()],
            deviations: vec![1.0; phases],
        };
        Averages {
            learnt,
            sizes: parents.iter().map(size).collect(),
            found: vec![Found::default(); prior.len()],
            prior,
            parents,
        }
    }

    /// Adds the sums of a batch: for each action of each cell the sum and count, the phases of
    /// cells, and for each phase the moments of all.
    pub fn learn(
        &mut self,
        sums: impl Fn(usize) -> (u64, u64),
        phases: impl Fn(usize) -> u8,
        moments: &[[f64; 3]],
        rate: f32,
    ) {
        let AveragesState {
            known,
            phases: of_cells,
            deviations,
        } = &mut self.learnt;
        for (deviation, [count, sum, squares]) in deviations.iter_mut().zip(moments) {
            if *count > 0.0 {
                let mean = sum / count;
                let variance = ((squares / count - mean * mean).max(1.0)) as f32;
                *deviation = variance.sqrt();
            }
        }
        for (cell, known) in known.iter_mut().enumerate() {
            of_cells[cell] = of_cells[cell].max(phases(cell));
            known.better *= 1.0 - rate;
            known.weight *= 1.0 - rate;
            known.seen *= 1.0 - rate;
            for action in 0..2 {
                let (sum, count) = sums(2 * cell + action);
                known.sums[action] += sum as f32;
                known.counts[action] += count as f32;
                known.seen += count as f32;
            }
            let [no, yes] = known.counts;
            if no.min(yes) >= SEEN {
                // Both were played in the same games, against the same policies.
                let weight = no * yes / (no + yes);
                known.better += weight * (known.sums[1] / yes - known.sums[0] / no);
                known.weight += weight;
                known.sums = [0.0; 2];
                known.counts = [0.0; 2];
            }
        }
        self.find();
    }

    /// Restores saved averages; returns false if they are of another number of cells.
    pub fn recall(&mut self, state: AveragesState) -> bool {
        let sizes = |of: &AveragesState| [of.known.len(), of.phases.len(), of.deviations.len()];
        let fits = sizes(&state) == sizes(&self.learnt);
        if fits {
            self.learnt = state;
            self.find();
        }
        fits
    }

    /// Combines the estimates of cells with those of their parent cells.
    fn find(&mut self) {
        let own = (0..self.learnt.known.len()).map(|cell| self.own(cell));
        let mut levels = vec![own.collect::<Vec<Found>>()];
        for (level, (parents, size)) in self.parents.iter().zip(&self.sizes).enumerate() {
            let mut coarser = vec![Found::default(); *size];
            for (found, parent) in levels[level].iter().zip(parents) {
                let whole = &mut coarser[*parent as usize];
                *whole = whole.with(*found);
            }
            levels.push(coarser);
        }
        let mut above: Vec<Found> = Vec::new();
        for (level, mut cells) in levels.into_iter().enumerate().rev() {
            for (cell, found) in cells.iter_mut().enumerate() {
                let prior = match self.parents.get(level) {
                    None => Found::AT_FIRST,
                    Some(parents) => above[parents[cell] as usize].of_its_parts(),
                };
                *found = found.with(prior);
            }
            above = cells;
        }
        self.found = above;
    }

    /// The estimate of a cell from its own games.
    fn own(&self, cell: usize) -> Found {
        let CellSums { better, weight, .. } = self.learnt.known[cell];
        let mean = match weight {
            0.0 => 0.0,
            _ => better / weight / self.deviation(cell) - self.believed(cell),
        };
        Found { mean, weight }
    }

    /// The standard deviation of the worth of a decision in this cell.
    fn deviation(&self, cell: usize) -> f32 {
        self.learnt.deviations[usize::from(self.learnt.phases[cell])]
    }

    /// The prior extra worth of a yes, in standard deviations of a game.
    fn believed(&self, cell: usize) -> f32 {
        (f32::from(self.prior[cell]) / 255.0 * 2.0 - 1.0) * BELIEF
    }

    /// The probability of a yes in each cell.
    pub fn chances(&self, rule: PolicyRule) -> impl Iterator<Item = f32> {
        let widest = self.learnt.deviations.iter().copied().fold(0.0, f32::max);
        let cool = rule.temperature * widest;
        (0..self.found.len()).map(move |cell| {
            let found = self.found[cell];
            let deviation = self.deviation(cell);
            let better = (found.mean + self.believed(cell)) * deviation;
            let variance = deviation * deviation / found.weight;
            let scale = (cool * cool + rule.confidence * rule.confidence * variance).sqrt();
            if scale == 0.0 {
                return if better > 0.0 { 1.0 } else { 0.0 };
            }
            (0.5 + better / (4.0 * scale)).clamp(0.0, 1.0)
        })
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/learning/averages.rs"]
mod tests;
