//! For which rows an answer hangs on features that are new each time, such as random numbers.
//!
//! Where it does not, it may be kept and used again, whatever these features are then: the same
//! operations would be applied to the same numbers.

use super::operation::Operation;
use super::{Formula, Node, fold};

impl Formula {
    /// The formula that tells whether the features `new` can change this one's answer while the
    /// others stay as they are. A side that never hangs on them may decide `and` and `or`, and a
    /// known condition which side of `if` counts; beyond that it may say yes where no is true.
    ///
    /// It is there to be compiled beside this one: it may have more nodes than a formula that is
    /// read, but besides this one's nodes at most two for each operation.
    pub fn hangs_on(&self, new: &[usize]) -> Formula {
        let mut nodes = self.nodes.clone();
        nodes.extend([Node::Truth(false), Node::Truth(true)]);
        let (never, always) = (nodes.len() - 2, nodes.len() - 1);
        // Which node tells it of each node.
        let mut hanging = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            hanging.push(match *node {
                Node::Feature(feature) if new.contains(&feature) => always,
                Node::Apply(operation, operands) => {
                    let of = operands.map(|operand| hanging[operand]);
                    let count = operation.operands().len();
                    if of[..count].iter().all(|of| *of == never) {
                        never
                    } else {
                        joined(&mut nodes, operation, operands, of, never)
                    }
                }
                _ => never,
            });
        }
        nodes.truncate(hanging[hanging.len() - 1] + 1);
        Formula {
            nodes: fold::folded(&nodes, &[]),
        }
    }

    /// Whether the answer is true, whatever the features are.
    pub fn is_true(&self) -> bool {
        self.nodes == [Node::Truth(true)]
    }
}

/// Adds what tells of an operation; `of` tells of its operands.
fn joined(
    nodes: &mut Vec<Node>,
    operation: Operation,
    [a, b, _]: [usize; 3],
    of: [usize; 3],
    never: usize,
) -> usize {
    let mut add = |operation, operands| {
        nodes.push(Node::Apply(operation, operands));
        nodes.len() - 1
    };
    let one_is_known = of[0] == never || of[1] == never;
    let (known, other) = if of[0] == never {
        (a, of[1])
    } else {
        (b, of[0])
    };
    match operation {
        Operation::And if one_is_known => add(Operation::And, [known, other, 0]),
        Operation::Or if one_is_known => {
            let open = add(Operation::Not, [known, 0, 0]);
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
    use super::super::TEST_VOCABULARY;
    use super::*;

    /// Whether the answer hangs on `random`, feature 3, where one holds 7 rubies.
    fn hangs(text: &str) -> bool {
        let formula = Formula::parse(text, &[], &TEST_VOCABULARY).unwrap();
        let hangs = formula.bind(&[]).hangs_on(&[3]);
        let features = [7.0, 20.0, 2.0, 0.5];
        hangs.evaluate(|feature| features[feature]).truth().unwrap()
    }

    #[test]
    fn known_sides_and_conditions_decide() {
        assert!(!hangs("held > 6"));
        assert!(hangs("random < 0.5"));
        assert!(hangs("abs(random - 1) < 0.5"));
        assert!(!hangs("random < 0.5 or held > 6"));
        assert!(hangs("random < 0.5 or held > 7"));
        assert!(!hangs("held > 7 and random < 0.5"));
        assert!(hangs("held > 6 and random < 0.5"));
        assert!(!hangs("if held > 6 then chest > 20 else random > 0.5"));
        assert!(hangs("(if held > 7 then chest else random) > 1"));
        assert!(hangs("if random > 0.5 then held > 1 else held > 2"));
        assert!(hangs("if held > 6 then random > 0.5 else held > 2"));
        assert!(!hangs("not (held > 7 and random < 0.5)"));
    }

    #[test]
    fn what_always_or_never_hangs_is_known_at_once() {
        let of = |text: &str| {
            let formula = Formula::parse(text, &[], &TEST_VOCABULARY).unwrap();
            formula.bind(&[]).hangs_on(&[1, 3])
        };
        assert!(of("held + random > 1").is_true());
        assert!(of("chest > random").is_true());
        assert!(!of("held > 6 and random > 0.5").is_true());
        assert_eq!(of("held > traps_seen").nodes, [Node::Truth(false)]);
    }
}
