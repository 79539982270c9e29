//! Finds the rows in which an answer depends on certain features, such as random numbers.
//!
//! In all other rows the answer may be cached and reused, whatever these features are then: the
//! same operations would be applied to the same numbers.

use super::operation::Operation;
use super::{Formula, Node, fold, pushed};

impl Formula {
    /// A formula that is true in each row where a change of `features` can change the answer while
    /// the other features stay as they are.
    ///
    /// It is true wherever the answer changes, and may be true where it does not: it only uses that
    /// a side of `and` or `or` that is free of these features may decide alone, and that a
    /// condition that is free of them selects one branch of `if`.
    ///
    /// It is meant to be compiled beside this formula: it may have more nodes than a formula in a
    /// file may, but at most two for each operation besides this formula's nodes.
    pub fn depends_on(&self, features: &[usize]) -> Formula {
        let mut nodes = self.nodes.clone();
        nodes.extend([Node::Truth(false), Node::Truth(true)]);
        let (never, always) = (nodes.len() - 2, nodes.len() - 1);
        // For each node, the node that is true where it depends on the features.
        let mut dependence = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            dependence.push(match *node {
                Node::Feature(feature) if features.contains(&feature) => always,
                Node::Apply(operation, operands)
                    if (node.operands().iter()).any(|operand| dependence[*operand] != never) =>
                {
                    let of = operands.map(|operand| dependence[operand]);
                    joined(&mut nodes, operation, operands, of, never)
                }
                _ => never,
            });
        }
        nodes.truncate(dependence[dependence.len() - 1] + 1);
        Formula {
            nodes: fold::folded(&nodes, &[], &self.lookups),
            lookups: self.lookups.clone(),
        }
    }
}

/// Adds the node that is true where the result of an operation depends on the features; `of`
/// returns that node for an operand.
fn joined(
    nodes: &mut Vec<Node>,
    operation: Operation,
    [a, b, _]: [usize; 3],
    of: [usize; 3],
    never: usize,
) -> usize {
    let mut add = |operation, operands| pushed(nodes, Node::Apply(operation, operands));
    let one_is_free = of[0] == never || of[1] == never;
    let (free, other) = if of[0] == never {
        (a, of[1])
    } else {
        (b, of[0])
    };
    match operation {
        Operation::And if one_is_free => add(Operation::And, [free, other, 0]),
        Operation::Or if one_is_free => {
            let open = add(Operation::Not, [free, 0, 0]);
            add(Operation::And, [open, other, 0])
        }
        Operation::ChooseNumber | Operation::ChooseTruth => {
            let chosen = add(Operation::ChooseTruth, [a, of[1], of[2]]);
            add(Operation::Or, [of[0], chosen, 0])
        }
        _ if operation.operands().len() == 1 => of[0],
        _ => add(Operation::Or, [of[0], of[1], 0]),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/dependence.rs"]
mod tests;
