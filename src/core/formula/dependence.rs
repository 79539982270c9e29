//! Finds the rows in which an answer depends on certain features, such as random numbers.
//!
//! In all other rows the answer may be cached and reused, whatever these features are then: the same
//! operations would be applied to the same numbers.

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
mod tests {
    use super::super::Value;
    use super::super::tests::{bound, numbers, table};
    use super::*;

    /// A formula that is true where the answer depends on `features`.
    fn dependence(text: &str, features: &[usize]) -> Formula {
        let card = table("card", &[&[1.0], &[2.0]], numbers(&[1.0, 2.0, 3.0, 4.0]));
        bound(text, &[card]).depends_on(features)
    }

    /// Whether the answer depends on `random`, feature 3, where one holds 7 rubies.
    #[test]
    fn known_sides_and_conditions_decide() {
        for (text, depends) in [
            ("held > 6", false),
            ("random < 0.5", true),
            ("abs(random - 1) < 0.5", true),
            ("random < 0.5 or held > 6", false),
            ("random < 0.5 or held > 7", true),
            ("held > 7 and random < 0.5", false),
            ("held > 6 and random < 0.5", true),
            ("if held > 6 then chest > 20 else random > 0.5", false),
            ("(if held > 7 then chest else random) > 1", true),
            ("if random > 0.5 then held > 1 else held > 2", true),
            ("if held > 6 then random > 0.5 else held > 2", true),
            ("not (held > 7 and random < 0.5)", false),
        ] {
            let answer = dependence(text, &[3]).evaluate(|feature| [7.0, 20.0, 2.0, 0.5][feature]);
            assert_eq!(answer, Value::Truth(depends), "{text}");
        }
    }

    #[test]
    fn what_always_or_never_depends_is_known_at_once() {
        for (text, features) in [
            ("card[held, random] > 0", &[3][..]),
            ("card[random, 3] > 0", &[3]),
            ("held + random > 1", &[3]),
            ("chest > random", &[1, 3]),
        ] {
            let nodes = dependence(text, features).nodes;
            assert_eq!(nodes, [Node::Truth(true)], "{text}");
        }
        let text = "held > 6 and random > 0.5";
        assert_ne!(dependence(text, &[1, 3]).nodes, [Node::Truth(true)]);
        for text in ["card[held, chest] > 0", "held > traps_seen"] {
            assert_eq!(dependence(text, &[3]).nodes, [Node::Truth(false)]);
        }
    }
}
