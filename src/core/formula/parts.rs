//! Subexpressions of a formula over some of its features.
//!
//! Two rows in which these features differ have the same answer as long as the values of the
//! subexpressions are equal: `if round > 5 then 1 else gain` distinguishes two kinds of rounds.

use super::operation::{Operation, Value};
use super::table::Lookups;
use super::{Formula, Kind, Node, fold};

/// The largest parts of a formula that follow from some features alone.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Operands come before what uses them.
    nodes: Vec<Node>,
    parts: Vec<usize>,
    lookups: Lookups,
}

impl Formula {
    /// The largest parts that follow from the `given` features alone. Two rows in which these have
    /// the same values, and all other features too, have the same answer to the bit. Panics when
    /// the formula has parameters that are not bound.
    pub fn parts(&self, given: impl Fn(usize) -> bool) -> Parts {
        let mut follows = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            follows.push(match *node {
                Node::Feature(feature) => given(feature),
                Node::Param(_) => panic!("a formula must be bound before it is taken apart"),
                _ => node.operands().iter().all(|&operand| follows[operand]),
            });
        }
        let nodes = self.nodes.iter().zip(&follows);
        let others = nodes.filter(|(_, follows)| !**follows);
        let used: Vec<&usize> = others.flat_map(|(node, _)| node.operands()).collect();
        let answer = self.nodes.len() - 1;
        let is_part = |&index: &usize| {
            let constant = matches!(self.nodes[index], Node::Number(_) | Node::Truth(_));
            follows[index] && !constant && (index == answer || used.contains(&&index))
        };
        let parts: Vec<usize> = (0..self.nodes.len()).filter(is_part).collect();
        let (nodes, parts) = fold::pruned_to(&self.nodes, &parts);
        Parts {
            nodes,
            parts,
            lookups: self.lookups.clone(),
        }
    }
}

impl Parts {
    /// Room to evaluate them in.
    pub fn room(&self) -> Vec<Value> {
        vec![Value::Truth(false); self.nodes.len()]
    }

    /// The numbers with which the parts compare a feature, or at which they step, if they do
    /// nothing else with it: they make the same of two values that lie alike to each of these.
    pub fn edges(&self, feature: usize) -> Option<Vec<f32>> {
        let is_it = |index: usize| self.nodes[index] == Node::Feature(feature);
        let mut edges = Vec::new();
        for node in &self.nodes {
            let Node::Apply(operation, _) = node else {
                continue;
            };
            let mut used = node.operands().iter();
            if !used.clone().any(|&operand| is_it(operand)) {
                continue;
            }
            if let Operation::Evaluate(function) = operation {
                edges.extend(&*self.lookups.functions[usize::from(*function)].edges);
                continue;
            }
            let edge = used.find_map(|&operand| match self.nodes[operand] {
                Node::Number(edge) => Some(edge),
                _ => None,
            });
            edges.push(edge.filter(|_| operation.result() == Kind::Truth)?);
        }
        edges.sort_unstable_by(f32::total_cmp);
        edges.dedup();
        let is_part = self.parts.iter().any(|&part| is_it(part));
        (!is_part).then_some(edges)
    }

    /// The bits of their values, one after the other, where `features` gives the value of a feature
    /// by its index.
    #[inline]
    pub fn values<'a>(
        &'a self,
        room: &'a mut [Value],
        features: impl Fn(usize) -> f32,
    ) -> impl Iterator<Item = u32> + 'a {
        for (index, node) in self.nodes.iter().enumerate() {
            room[index] = node.value(room, &features, &self.lookups);
        }
        self.parts.iter().map(|part| match room[*part] {
            Value::Number(number) => number.to_bits(),
            Value::Truth(truth) => u32::from(truth),
        })
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/parts.rs"]
mod tests;
