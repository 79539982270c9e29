//! The parts of a formula.

use super::operation::{OPERANDS_MAX, Operation, Value};
use super::table::Lookups;

/// A part of a formula; operands are indices of earlier nodes, and a `let` value is simply a node
/// with several users.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    Number(f32),
    Truth(bool),
    Param(usize),
    Feature(usize),
    /// Of the operands only as many count as the operation takes; the others are 0.
    Apply(Operation, [usize; OPERANDS_MAX]),
}

impl Node {
    /// The nodes that it takes.
    pub fn operands(&self) -> &[usize] {
        match self {
            Node::Apply(operation, operands) => &operands[..operation.operands().len()],
            _ => &[],
        }
    }

    /// The same where each earlier node has moved to its place of `places`.
    pub fn moved(mut self, places: &[usize]) -> Node {
        if let Node::Apply(operation, operands) = &mut self {
            for operand in &mut operands[..operation.operands().len()] {
                *operand = places[*operand];
            }
        }
        self
    }

    /// Its value, where `values` has those of the nodes before it.
    #[inline]
    pub fn value(
        &self,
        values: &[Value],
        features: impl Fn(usize) -> f32,
        lookups: &Lookups,
    ) -> Value {
        match *self {
            Node::Number(number) => Value::Number(number),
            Node::Truth(truth) => Value::Truth(truth),
            Node::Feature(feature) => Value::Number(features(feature)),
            Node::Param(_) => panic!("a formula must be bound before it is evaluated"),
            Node::Apply(operation, operands) => {
                let count = operation.operands().len();
                let mut found = [Value::Truth(false); OPERANDS_MAX];
                for (found, operand) in found.iter_mut().zip(&operands[..count]) {
                    *found = values[*operand];
                }
                operation.apply(&found[..count], lookups)
            }
        }
    }
}
