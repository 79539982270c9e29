//! Constant folding, and removal of unused nodes.
//!
//! Constants are computed with the interpreter's own operations, so a folded formula gives the same
//! answers to the bit. For the same reason no algebra is applied to numbers: only `and`, `or` and
//! `if` with a known side are shortened.

use super::operation::{Operation, Value};
use super::table::Lookups;
use super::{Node, OPERANDS_MAX};

/// The nodes of a formula with its parameters replaced by `params` and constants folded; `lookups`
/// are bound already.
pub(super) fn folded(nodes: &[Node], params: &[f32], lookups: &Lookups) -> Vec<Node> {
    let mut folded = Vec::with_capacity(nodes.len());
    // The new index of each of `nodes`.
    let mut places = Vec::with_capacity(nodes.len());
    for node in nodes {
        let node = match *node {
            Node::Param(param) => Node::Number(params[param]),
            Node::Apply(operation, operands) => {
                let operands = moved(operation, operands, &places);
                if let Some(place) = shortened(operation, operands, &folded) {
                    places.push(place);
                    continue;
                }
                let constant = constant(operation, operands, &folded, lookups);
                constant.unwrap_or(Node::Apply(operation, operands))
            }
            other => other,
        };
        places.push(folded.len());
        folded.push(node);
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
        if let (true, Node::Apply(operation, operands)) = (needed[index], nodes[index]) {
            for operand in &operands[..operation.operands().len()] {
                needed[*operand] = true;
            }
        }
    }
    let mut kept = Vec::new();
    let mut places = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        places.push(kept.len());
        if needed[index] {
            kept.push(match *node {
                Node::Apply(operation, operands) => {
                    Node::Apply(operation, moved(operation, operands, &places))
                }
                other => other,
            });
        }
    }
    (kept, answers.iter().map(|answer| places[*answer]).collect())
}

fn moved(
    operation: Operation,
    operands: [usize; OPERANDS_MAX],
    places: &[usize],
) -> [usize; OPERANDS_MAX] {
    let mut result = [0; OPERANDS_MAX];
    for position in 0..operation.operands().len() {
        result[position] = places[operands[position]];
    }
    result
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

/// The result of an operation on constants.
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
mod tests {
    use super::super::vocabulary::TEST_VOCABULARY;
    use super::super::{Formula, Node};

    fn bound(text: &str) -> Vec<Node> {
        let formula = Formula::parse(text, &["target"], &TEST_VOCABULARY).unwrap();
        formula.bind(&[12.0]).nodes
    }

    #[test]
    fn constants_and_known_sides_are_computed() {
        for (text, shorter) in [
            ("held > target * 2", "held > 24"),
            ("true and held > 1 or false", "held > 1"),
            ("if target > 3 then held > 1 else chest > 1", "held > 1"),
            ("(if target < 3 then chest else held) > 1", "held > 1"),
        ] {
            assert_eq!(bound(text), bound(shorter), "{text}");
        }
        let constant = bound("target / 5 > 2 and min(1, 0) == 0");
        assert_eq!(constant, [Node::Truth(true)]);
        assert_eq!(bound("held > 1 and false"), [Node::Truth(false)]);
        assert_eq!(bound("held > 1 or target > 3"), [Node::Truth(true)]);
    }

    #[test]
    fn numbers_are_not_rearranged() {
        assert_eq!(bound("held * 0 > 1").len(), 5);
        assert_eq!(bound("held + 1 + 2 > 1").len(), 7);
    }
}
