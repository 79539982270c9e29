//! Lotteries over formulas, drawn by a feature that is uniform from 0 to 1.

use super::operation::Operation;
use super::table::Lookups;
use super::{Formula, Node, pushed};

impl Formula {
    /// A formula that answers like the first of `parts` with a bound above feature `temper`, or
    /// like the last part if there is none; bounds rise up to 1. Each part sees `temper` rescaled
    /// to 0 to 1. Panics when `parts` is empty or a part has unbound parameters.
    pub fn mixed(parts: &[(f32, &Formula)], temper: usize) -> Formula {
        let mut mixed = Formula {
            nodes: vec![Node::Feature(temper)],
            lookups: Lookups::default(),
        };
        let mut answers = Vec::new();
        let mut low = 0.0;
        for (high, part) in parts {
            let mut within = 0;
            if low > 0.0 {
                within = mixed.apply(Node::Number(low), Operation::Subtract, within);
            }
            if *high - low < 1.0 {
                let scale = Node::Number(1.0 / (high - low));
                within = mixed.apply(scale, Operation::Multiply, within);
            }
            answers.push(mixed.append(part, (temper, within)));
            low = *high;
        }
        let mut answer = answers.pop().expect("a mix has parts");
        let choose = match mixed.nodes[answer] {
            Node::Apply(operation, _) if operation.result() == super::Kind::Truth => {
                Operation::ChooseTruth
            }
            Node::Truth(_) => Operation::ChooseTruth,
            _ => Operation::ChooseNumber,
        };
        for ((high, _), other) in parts.iter().zip(answers).rev() {
            let is_it = mixed.apply(Node::Number(*high), Operation::Less, 0);
            answer = pushed(
                &mut mixed.nodes,
                Node::Apply(choose, [is_it, other, answer]),
            );
        }
        mixed.bind(&[])
    }

    /// Adds `number` and what `operation` makes of node `of` and it.
    fn apply(&mut self, number: Node, operation: Operation, of: usize) -> usize {
        let number = pushed(&mut self.nodes, number);
        pushed(&mut self.nodes, Node::Apply(operation, [of, number, 0]))
    }

    /// Adds the nodes of `part`, where node `replaced.1` stands for feature `replaced.0`; returns
    /// where its answer is.
    fn append(&mut self, part: &Formula, replaced: (usize, usize)) -> usize {
        let mut places = Vec::with_capacity(part.nodes.len());
        for node in &part.nodes {
            places.push(match node.moved(&places) {
                Node::Feature(feature) if feature == replaced.0 => replaced.1,
                Node::Apply(operation, operands) => {
                    let operation = self.lookups.adopt(operation, &part.lookups);
                    pushed(&mut self.nodes, Node::Apply(operation, operands))
                }
                other => pushed(&mut self.nodes, other),
            });
        }
        places[places.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::tests::{bound, numbers, table};
    use super::*;

    const TEMPER: usize = 3;

    fn part(text: &str, height: f32) -> Formula {
        bound(text, &[table("card", &[&[2.0]], numbers(&[height, 20.0]))])
    }

    #[test]
    fn each_part_answers_in_its_share() {
        let [bold, shy] = [9.0, 5.0].map(|height| part("held > card[traps_seen]", height));
        let moody = part("random < 0.5", 0.0);
        let parts = [(0.25, &bold), (0.5, &shy), (1.0, &moody)];
        let mixed = Formula::mixed(&parts, TEMPER);
        for (temper, expected) in [
            (0.2, false),
            (0.25, true),
            (0.5, true),
            (0.7, true),
            (0.75, false),
        ] {
            let answer = mixed.evaluate(|feature| [7.0, 0.0, 1.0, temper][feature]);
            assert_eq!(answer, Value::Truth(expected), "{temper}");
        }
        assert_eq!(Formula::mixed(&[(1.0, &bold)], TEMPER).nodes, bold.nodes);
    }
}
