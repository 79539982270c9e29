//! The score of an option as a sum of small look-up tables.
//!
//! Each kind of option has tables of its own. Nothing here knows a game, a thread or a formula.

use serde::{Deserialize, Serialize};

/// The inputs available to a sum.
pub struct Shape {
    /// The features that give the kind of an option: the first that is above 0. All others are of a
    /// last kind.
    pub kinds: Vec<usize>,
    /// The features that tables may look at.
    pub looks: Vec<usize>,
    /// Index of the base score, which is added with a weight. It comes after all features.
    pub base: usize,
}

impl Shape {
    pub fn kind(&self, numbers: &[f32]) -> usize {
        let found = self.kinds.iter().position(|&kind| numbers[kind] > 0.0);
        found.unwrap_or(self.kinds.len())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    pub kind: usize,
    /// The features it looks at: none, one or two.
    pub looks: Vec<usize>,
    pub edges: Vec<Vec<f32>>,
    /// The values to add, cell by cell; the last feature changes fastest.
    pub heights: Vec<f64>,
    /// How often each cell is used, in any unit.
    pub used: Vec<f64>,
}

impl Term {
    /// Adds the heights of a table of one of its two features.
    fn take_in(&mut self, single: &Term) {
        let second = self.edges[1].len() + 1;
        let is_first = self.looks[0] == single.looks[0];
        for (cell, height) in self.heights.iter_mut().enumerate() {
            let [row, column] = [cell / second, cell % second];
            *height += single.heights[if is_first { row } else { column }];
        }
    }

    /// The spread of its heights: how strongly it separates options.
    fn weight(&self) -> f64 {
        let both = || self.heights.iter().zip(&self.used);
        let mean = mean(both());
        let squares = both().map(|(height, used)| used * (height - mean).powi(2));
        squares.sum()
    }
}

fn mean<'a>(weighted: impl Iterator<Item = (&'a f64, &'a f64)>) -> f64 {
    let (sum, all) = weighted.fold((0.0, 0.0), |(sum, all), (value, weight)| {
        (sum + value * weight, all + weight)
    });
    if all > 0.0 { sum / all } else { 0.0 }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Additive {
    pub terms: Vec<Term>,
    /// By kind, the weight of the base score.
    pub weights: Vec<f64>,
}

/// Most cells of an axis.
pub const BINS: usize = 8;
/// Tables with less than this fraction of the largest table's weight are flat.
const FLAT: f64 = 1e-6;

impl Additive {
    /// The sum without a feature; `None` if it does not look at it.
    ///
    /// Tables that look at it are replaced by their mean over its cells.
    pub fn without(&self, look: usize) -> Option<Additive> {
        if !self.terms.iter().any(|term| term.looks.contains(&look)) {
            return None;
        }
        let blind = |term: &Term| {
            let Some(at) = term.looks.iter().position(|own| *own == look) else {
                return term.clone();
            };
            let mut blind = term.clone();
            blind.looks.remove(at);
            let cells = blind.edges.remove(at).len() + 1;
            let others = term.heights.len() / cells;
            let cell = |own: usize, other: usize| match at {
                0 => own * others + other,
                _ => other * cells + own,
            };
            let of_others = |other: usize| {
                let own = (0..cells).map(|own| cell(own, other));
                mean(own.map(|cell| (&term.heights[cell], &term.used[cell])))
            };
            blind.heights = (0..others).map(of_others).collect();
            blind.used = vec![1.0; others];
            blind
        };
        Some(Additive {
            terms: self.terms.iter().map(blind).collect(),
            weights: self.weights.clone(),
        })
    }

    /// The same sum in at most `most` tables, apart from negligible parts: a table of one feature
    /// is merged into one of that feature and another, and the tables of least weight are dropped.
    /// Each kind keeps the mean of its dropped tables as a constant.
    pub fn merged(self, most: usize) -> Additive {
        let mut constants = vec![0.0; self.weights.len()];
        let (mut terms, others): (Vec<Term>, Vec<Term>) =
            (self.terms.into_iter()).partition(|term| term.looks.len() == 2);
        for term in others {
            let Some(look) = term.looks.first() else {
                constants[term.kind] += term.heights[0];
                continue;
            };
            let holds = |other: &&mut Term| other.kind == term.kind && other.looks.contains(look);
            match terms.iter_mut().find(holds) {
                Some(other) => other.take_in(&term),
                None => terms.push(term),
            }
        }
        terms.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
        let flat = FLAT * terms.first().map_or(0.0, Term::weight);
        let heavy = terms.iter().take_while(|term| term.weight() > flat).count();
        for term in terms.drain(heavy.min(most)..) {
            constants[term.kind] += mean(term.heights.iter().zip(&term.used));
        }
        let constants = constants.into_iter().enumerate();
        terms.extend(constants.map(|(kind, height)| Term {
            kind,
            looks: Vec::new(),
            edges: Vec::new(),
            heights: vec![height],
            used: vec![1.0],
        }));
        Additive { terms, ..self }
    }
}

/// The edges of a feature: between all its values if they are few, otherwise such that cells hold
/// similar numbers of decisions, with less weight on very frequent values.
pub fn edges(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    let alike = values.chunk_by(|a, b| a == b);
    let counted: Vec<(f32, f64)> = alike.map(|same| (same[0], same.len() as f64)).collect();
    // Edges between whole numbers are whole: easier to read and to compute.
    let is_whole = counted.iter().all(|(value, _)| value.fract() == 0.0);
    let between = |at: usize| {
        if is_whole {
            counted[at + 1].0
        } else {
            (counted[at].0 + counted[at + 1].0) / 2.0
        }
    };
    if counted.len() <= BINS {
        return (1..counted.len()).map(|at| between(at - 1)).collect();
    }
    let all: f64 = counted.iter().map(|(_, count)| count.sqrt()).sum();
    let (mut edges, mut before) = (Vec::new(), 0.0);
    for at in 0..counted.len() - 1 {
        before += counted[at].1.sqrt();
        let due = all * (edges.len() + 1) as f64 / BINS as f64;
        if before >= due && edges.len() + 1 < BINS {
            edges.push(between(at));
        }
    }
    edges
}

#[cfg(test)]
#[path = "../../../tests/unit/core/learning/additive.rs"]
mod tests;
