//! Lotteries over formulas, drawn by a feature that is uniform from 0 to 1.

use super::operation::{OPERANDS_MAX, Operation};
use super::table::{Cells, Lookups, StepFunction};
use super::{Formula, Node, pushed};
use std::sync::Arc;

/// What a lottery may draw: a formula with the values of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Lot {
    /// The parameters of its tables are bound, all others are not.
    pub formula: Formula,
    pub values: Vec<f32>,
}

impl Formula {
    /// A formula that answers like the first of `lots` with a bound above feature `temper`, or like
    /// the last if there is none; bounds rise up to 1. Each lot sees `temper` rescaled to 0 to 1.
    /// Neighbours with the same formula are one program that looks its parameters up by `temper`.
    /// Panics when `lots` is empty.
    pub fn mixed(lots: &[(f32, &Lot)], temper: usize) -> Formula {
        let mut mixed = Formula {
            nodes: vec![Node::Feature(temper)],
            lookups: Lookups::default(),
        };
        let (mut highs, mut answers) = (Vec::new(), Vec::new());
        let mut low = 0.0;
        for alike in lots.chunk_by(|(_, a), (_, b)| a.formula == b.formula) {
            answers.push(mixed.append(alike, low, temper));
            low = alike[alike.len() - 1].0;
            highs.push(low);
        }
        let mut answer = answers.pop().expect("a mix has parts");
        let choose = match mixed.nodes[answer] {
            Node::Apply(operation, _) if operation.result() == super::Kind::Truth => {
                Operation::ChooseTruth
            }
            Node::Truth(_) => Operation::ChooseTruth,
            _ => Operation::ChooseNumber,
        };
        for (high, other) in highs.into_iter().zip(answers).rev() {
            let high = pushed(&mut mixed.nodes, Node::Number(high));
            let is_it = mixed.apply(Operation::Less, [0, high, 0]);
            answer = mixed.apply(choose, [is_it, other, answer]);
        }
        mixed.bind(&[])
    }

    fn apply(&mut self, operation: Operation, operands: [usize; OPERANDS_MAX]) -> usize {
        pushed(&mut self.nodes, Node::Apply(operation, operands))
    }

    /// Adds the nodes of lots of one formula, drawn from `low` on by node 0, feature `temper`;
    /// returns where their answer is.
    fn append(&mut self, lots: &[(f32, &Lot)], low: f32, temper: usize) -> usize {
        let highs = lots.iter().map(|(high, _)| *high);
        let mut edges: Vec<f32> = highs.clone().collect();
        edges.pop();
        let lows: Vec<f32> = std::iter::once(low).chain(edges.iter().copied()).collect();
        let scale = |(high, low): (f32, &f32)| match high - low {
            width if width < 1.0 => 1.0 / width,
            _ => 1.0,
        };
        let scales: Vec<f32> = highs.zip(&lows).map(scale).collect();
        let edges: Arc<[f32]> = edges.into();
        let mut within = 0;
        if lows.iter().any(|low| *low > 0.0) {
            let low = self.draw(&edges, lows);
            within = self.apply(Operation::Subtract, [within, low, 0]);
        }
        if scales.iter().any(|scale| *scale != 1.0) {
            let scale = self.draw(&edges, scales);
            within = self.apply(Operation::Multiply, [within, scale, 0]);
        }
        let Lot { formula, values } = lots[0].1;
        let values = (0..values.len()).map(|at| lots.iter().map(move |(_, lot)| lot.values[at]));
        let values: Vec<usize> = values.map(|of| self.draw(&edges, of.collect())).collect();
        let mut places = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            places.push(match node.moved(&places) {
                Node::Feature(feature) if feature == temper => within,
                Node::Param(param) => values[param],
                Node::Apply(operation, operands) => {
                    let operation = self.lookups.adopt(operation, &formula.lookups);
                    self.apply(operation, operands)
                }
                other => pushed(&mut self.nodes, other),
            });
        }
        places[places.len() - 1]
    }

    /// Adds a number that changes at `edges` of node 0.
    fn draw(&mut self, edges: &Arc<[f32]>, heights: Vec<f32>) -> usize {
        if heights.iter().all(|height| *height == heights[0]) {
            return pushed(&mut self.nodes, Node::Number(heights[0]));
        }
        let function = StepFunction::new(Arc::clone(edges), Cells::Numbers(heights.into()));
        let operation = self.lookups.add(&function);
        self.apply(operation, [0; OPERANDS_MAX])
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/mix.rs"]
mod tests;
