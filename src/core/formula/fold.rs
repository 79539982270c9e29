//! Constant folding, and removal of unused nodes.
//!
//! Constants are computed with the interpreter's own operations, so a folded formula gives the same
//! answers to the bit. For the same reason no algebra is applied to numbers: only `and`, `or` and
//! `if` with a known side are shortened.

use super::node::Node;
use super::operation::OPERANDS_MAX;
use super::operation::{Operation, Value};
use super::table::Lookups;
use super::table::pushed;
use super::vocabulary::Vocabulary;

/// The nodes of a formula with its parameters replaced by `params` and constants folded; `lookups`
/// are bound already.
pub(super) fn folded(nodes: &[Node], params: &[f32], lookups: &Lookups) -> Vec<Node> {
    let mut folded = Vec::with_capacity(nodes.len());
    // The new index of each of `nodes`.
    let mut places = Vec::with_capacity(nodes.len());
    for node in nodes {
        let node = match node.moved(&places) {
            Node::Param(param) => Node::Number(params[param]),
            Node::Apply(operation, operands) => {
                if let Some(place) = shortened(operation, operands, &folded) {
                    places.push(place);
                    continue;
                }
                let constant = constant(operation, operands, &folded, lookups);
                constant.unwrap_or(Node::Apply(operation, operands))
            }
            other => other,
        };
        places.push(pushed(&mut folded, node));
    }
    pruned(&folded, places[places.len() - 1])
}

/// The nodes that node `answer` depends on, itself last.
pub(super) fn pruned(nodes: &[Node], answer: usize) -> Vec<Node> {
    pruned_to(nodes, &[answer]).0
}

/// The nodes that the `answers` depend on, and the new indices of the answers.
pub(super) fn pruned_to(nodes: &[Node], answers: &[usize]) -> (Vec<Node>, Vec<usize>) {
    let mut needed = vec![false; nodes.len()];
    answers.iter().for_each(|answer| needed[*answer] = true);
    for index in (0..nodes.len()).rev() {
        if needed[index] {
            for &operand in nodes[index].operands() {
                needed[operand] = true;
            }
        }
    }
    let mut kept = Vec::new();
    let mut places = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        places.push(kept.len());
        if needed[index] {
            kept.push(node.moved(&places));
        }
    }
    (kept, answers.iter().map(|answer| places[*answer]).collect())
}

/// The same nodes in which one look-up at a chosen place is in the place of a choice between two
/// look-ups: each takes long, and of both only one number is used. Where all seats see both alike,
/// they share the look-ups, which stay.
pub(super) fn joined(
    before: &[Node],
    lookups: &Lookups,
    vocabulary: &Vocabulary,
) -> (Vec<Node>, Lookups) {
    let (mut nodes, mut lookups) = (Vec::new(), lookups.clone());
    // Where each node went.
    let mut places = Vec::with_capacity(before.len());
    // Whether seats see it each in its own way.
    let mut own = Vec::with_capacity(before.len());
    for node in before {
        own.push(match *node {
            Node::Feature(feature) => vocabulary.features[feature].per_seat,
            _ => node.operands().iter().any(|&operand| own[operand]),
        });
        let moved = node.moved(&places);
        let at_once = match (node, moved) {
            (Node::Apply(_, [_, a, b]), Node::Apply(Operation::ChooseNumber, operands))
                if own[*a] || own[*b] =>
            {
                at_once(operands, &mut nodes, &mut lookups)
            }
            _ => None,
        };
        places.push(pushed(&mut nodes, at_once.unwrap_or(moved)));
    }
    let nodes = pruned(&nodes, places[places.len() - 1]);
    (nodes, lookups)
}

/// The look-up that does what a choice between two does.
fn at_once(
    [condition, a, b]: [usize; OPERANDS_MAX],
    nodes: &mut Vec<Node>,
    lookups: &mut Lookups,
) -> Option<Node> {
    use Operation::{Add, ChooseNumber, LookUp};
    let (Node::Apply(LookUp(of_a), at_a), Node::Apply(LookUp(of_b), at_b)) = (nodes[a], nodes[b])
    else {
        return None;
    };
    let [of_a, of_b] = [of_a, of_b].map(|grid| lookups.grids[usize::from(grid)].clone());
    let grid = lookups.joined(&of_a, &of_b)?;
    let before = pushed(nodes, Node::Number(of_a.count() as f32));
    let after = pushed(nodes, Node::Apply(Add, [at_b[0], before, 0]));
    let place = [[at_a[0], after], [at_a[1], at_b[1]]]
        .map(|[a, b]| pushed(nodes, Node::Apply(ChooseNumber, [condition, a, b])));
    Some(Node::Apply(LookUp(grid), [place[0], place[1], 0]))
}

/// The node that an operation merely repeats.
fn shortened(
    operation: Operation,
    [a, b, c]: [usize; OPERANDS_MAX],
    nodes: &[Node],
) -> Option<usize> {
    match (operation, nodes[a], nodes[b]) {
        (Operation::And, Node::Truth(true), _) | (Operation::Or, Node::Truth(false), _) => Some(b),
        (Operation::And, _, Node::Truth(true)) | (Operation::Or, _, Node::Truth(false)) => Some(a),
        (Operation::And, Node::Truth(false), _) | (Operation::Or, Node::Truth(true), _) => Some(a),
        (Operation::And, _, Node::Truth(false)) | (Operation::Or, _, Node::Truth(true)) => Some(b),
        (Operation::ChooseNumber | Operation::ChooseTruth, Node::Truth(true), _) => Some(b),
        (Operation::ChooseNumber | Operation::ChooseTruth, Node::Truth(false), _) => Some(c),
        _ => None,
    }
}

fn constant(
    operation: Operation,
    operands: [usize; OPERANDS_MAX],
    nodes: &[Node],
    lookups: &Lookups,
) -> Option<Node> {
    let mut values = [Value::Truth(false); OPERANDS_MAX];
    let count = operation.operands().len();
    for position in 0..count {
        values[position] = match nodes[operands[position]] {
            Node::Number(number) => Value::Number(number),
            Node::Truth(truth) => Value::Truth(truth),
            _ => return None,
        };
    }
    Some(match operation.apply(&values[..count], lookups) {
        Value::Number(number) => Node::Number(number),
        Value::Truth(truth) => Node::Truth(truth),
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/fold.rs"]
mod tests;
