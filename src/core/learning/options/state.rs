//! The state of learners, and its initial layout.

use super::{Task, pairs};
use crate::game::practice::Offer;
use crate::game::{Record, SCORE};
use crate::learning::additive::{Additive, Shape, edges};
use fearless_simd::Level;
use serde::{Deserialize, Serialize};

/// Games that determine edges and the critic's tables.
const LAYING_OUT: u64 = 64;
/// The first of these games, far from those used for learning.
const OF_LAYING_OUT: u64 = 1 << 41;
/// Decay rates of Adam for gradients and their squares.
const FORGETS: [f64; 2] = [0.1, 0.01];
/// The result is the mean over this fraction of the steps, the last ones.
const MEAN_PART: f64 = 0.2;

#[derive(Clone, Serialize, Deserialize)]
pub struct OptionState {
    pub(super) games: u64,
    /// The edges of each feature, and an empty list for the base.
    pub(super) edges: Vec<Vec<f32>>,
    /// Mean and standard deviation of the score.
    pub(super) scores: [f32; 2],
    pub(super) tables: Vec<Place>,
    /// The heights of the tables, and then a weight of the base for each kind of options.
    pub(super) heights: Vec<Height>,
    pub(super) critic: Vec<Place>,
    pub(super) expected: Vec<f32>,
}

/// A table of two features.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) kind: usize,
    pub(super) looks: [usize; 2],
    pub(super) first: usize,
    /// Number of cells of the second feature.
    pub(super) width: usize,
}

impl Place {
    #[inline(always)]
    pub(super) fn cell(&self, cells: &[u8]) -> usize {
        let [a, b] = self.looks.map(|look| usize::from(cells[look]));
        self.first + a * self.width + b
    }
}

/// A learnt number.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Height {
    pub(super) value: f64,
    /// The mean of the last values.
    pub(super) mean: f64,
    slope: f64,
    pub(super) square: f64,
    steps: u32,
}

impl Height {
    pub(super) fn at(value: f64) -> Height {
        Height {
            value,
            mean: value,
            ..Height::default()
        }
    }

    pub(super) fn step(&mut self, slope: f64, rate: f64) {
        self.steps += 1;
        self.slope += FORGETS[0] * (slope - self.slope);
        self.square += FORGETS[1] * (slope * slope - self.square);
        let seen = FORGETS.map(|forgets| 1.0 - (1.0 - forgets).powi(self.steps as i32));
        let root = (self.square / seen[1]).sqrt();
        self.value += rate * (self.slope / seen[0]) / (root + 1e-6);
        let part = 1.0 / (MEAN_PART * f64::from(self.steps)).max(1.0);
        self.mean += part * (self.value - self.mean);
    }
}

/// The weight of a base with which its best option is taken with probability `often`.
fn sharpness(decisions: &[Vec<f32>], often: f64) -> f64 {
    let taken = |sharpness: f64| {
        let of_one = |bases: &Vec<f32>| {
            let most = bases.iter().copied().fold(f32::MIN, f32::max);
            let below = bases.iter().map(|base| f64::from(most - base));
            let (mut best, mut all) = (0.0, 0.0);
            for below in below {
                let chance = (-sharpness * below).exp();
                best += if below == 0.0 { chance } else { 0.0 };
                all += chance;
            }
            best / all
        };
        decisions.iter().map(of_one).sum::<f64>() / decisions.len().max(1) as f64
    };
    let (mut low, mut high) = (0.01, 1000.0);
    for _ in 0..30 {
        let middle = f64::sqrt(low * high);
        if taken(middle) < often {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

impl OptionState {
    /// An untrained state, with the edges found in games of the base bots.
    pub(super) fn laid_out(task: &Task, level: Level) -> OptionState {
        let Task { shape, table, .. } = task;
        let width = shape.base + 1;
        let mut numbers: Vec<Vec<f32>> = vec![Vec::new(); width];
        let mut varies = vec![false; width];
        let (mut own, mut bases) = (Vec::new(), Vec::new());
        let mut pick = |offer: &Offer| {
            let seen = offer.scores.iter().map(|score| task.base.seen(*score));
            bases.push(seen.collect::<Vec<f32>>());
            for option in 0..offer.scores.len() {
                task.numbers(offer, option, &mut own);
                let first = &offer.features[..shape.base];
                for (varies, (value, first)) in varies.iter_mut().zip(own.iter().zip(first)) {
                    *varies |= value != first;
                }
                for &look in &shape.looks {
                    numbers[look].push(own[look]);
                }
            }
            None
        };
        let mut record = Record::new(table.layout(), LAYING_OUT as usize);
        record.clear(LAYING_OUT as usize);
        table.practise(level, (task.seed, OF_LAYING_OUT), &mut pick, &mut record);
        let mut all_edges: Vec<Vec<f32>> = numbers.into_iter().map(edges).collect();
        for term in task.from.iter().flat_map(|from| &from.terms) {
            for (&look, edges) in term.looks.iter().zip(&term.edges) {
                all_edges[look].clone_from(edges);
            }
        }
        all_edges.push(Vec::new());
        let scores: Vec<f32> = (0..task.learners)
            .flat_map(|seat| record.column(table.layout().seat_column(seat, SCORE)))
            .map(|score| *score as f32)
            .collect();
        let count = scores.len() as f32;
        let mean = scores.iter().sum::<f32>() / count;
        let squares = scores.iter().map(|score| (score - mean).powi(2));
        let spread = squares.sum::<f32>() / count;
        let mut learnt = OptionState {
            games: 0,
            edges: all_edges,
            scores: [mean, spread.sqrt().max(1.0)],
            tables: Vec::new(),
            heights: vec![Height::at(sharpness(&bases, task.like_first)); shape.kinds.len() + 1],
            critic: Vec::new(),
            expected: Vec::new(),
        };
        let nothing = width;
        let looks = learnt.looks(shape);
        let mut stands = looks.clone();
        stands.retain(|&look| look != shape.base && !varies[look]);
        for (a, b) in pairs(stands.len()) {
            let looks = [stands[a], stands[b]];
            let first = learnt.expected.len();
            learnt.expected.resize(first + learnt.cells(looks), 0.0);
            learnt.critic.push(learnt.place(0, looks, first));
        }
        for kind in 0..=shape.kinds.len() {
            for &look in &looks {
                learnt.add(kind, [look, nothing]);
            }
        }
        if let Some(from) = task.from {
            learnt.begin_with(from.clone());
        }
        learnt
    }

    /// Replaces all tables by those of this sum.
    pub(super) fn begin_with(&mut self, Additive { terms, weights }: Additive) {
        let nothing = self.edges.len() - 1;
        let kinds = weights.len();
        self.tables.clear();
        self.heights = weights.into_iter().map(Height::at).collect();
        for term in terms {
            let look = |at: usize| term.looks.get(at).copied().unwrap_or(nothing);
            self.add(term.kind, [look(0), look(1)]);
            let first = self.heights.len() - kinds - term.heights.len();
            for (own, height) in self.heights[first..].iter_mut().zip(term.heights) {
                *own = Height::at(height);
            }
        }
    }

    /// The features that tables may look at: those that vary, except the kinds.
    pub(super) fn looks(&self, shape: &Shape) -> Vec<usize> {
        let looks = shape.looks.iter().copied();
        let seen = |look: &usize| !self.edges[*look].is_empty() && !shape.kinds.contains(look);
        looks.filter(seen).collect()
    }

    /// The cells of a table.
    pub(super) fn cells(&self, looks: [usize; 2]) -> usize {
        let cells = looks.map(|look| self.edges[look].len() + 1);
        cells[0] * cells[1]
    }

    fn place(&self, kind: usize, looks: [usize; 2], first: usize) -> Place {
        let width = self.edges[looks[1]].len() + 1;
        Place {
            kind,
            looks,
            first,
            width,
        }
    }

    /// Adds a table of zeros for a kind of option.
    pub(super) fn add(&mut self, kind: usize, looks: [usize; 2]) {
        let before = self.tables.last();
        let first = before.map_or(0, |place| place.first + self.cells(place.looks));
        let flat = vec![Height::default(); self.cells(looks)];
        self.heights.splice(first..first, flat);
        self.tables.push(self.place(kind, looks, first));
    }
}
