//! Formulas in double precision, for figures that are summed as whole numbers.

use super::operation::{OPERANDS_MAX, Operation};
use super::{Formula, Node};

/// Most units per 1: answers beyond this are rounded.
const UNITS_MAX: u64 = 100_000;

/// A formula over parameters alone, without features and tables.
#[derive(Debug, Clone)]
pub struct Exact {
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Number(f64),
    Param(usize),
    Apply(Operation, [usize; OPERANDS_MAX]),
}

impl Exact {
    /// # Panics
    ///
    /// When the formula has features or tables.
    pub fn of(formula: &Formula) -> Exact {
        let step = |node: &Node| match *node {
            // The number as it was written, not the nearest of 32 bits.
            Node::Number(number) => Step::Number(number.to_string().parse().unwrap_or(0.0)),
            Node::Truth(truth) => Step::Number(f64::from(truth)),
            Node::Param(param) => Step::Param(param),
            Node::Apply(operation, operands) => Step::Apply(operation, operands),
            Node::Feature(_) => panic!("there are no features"),
        };
        Exact {
            steps: formula.nodes.iter().map(step).collect(),
        }
    }

    /// The answer for these values of the parameters; 1 or 0 for a truth. `room` is overwritten.
    pub fn compute(&self, params: &[f64], room: &mut Vec<f64>) -> f64 {
        room.clear();
        for step in &self.steps {
            let value = match step {
                Step::Number(number) => *number,
                Step::Param(param) => params[*param],
                Step::Apply(operation, operands) => apply(*operation, operands.map(|at| room[at])),
            };
            room.push(value);
        }
        room[room.len() - 1]
    }

    /// The number of units per 1 for which every answer is a whole number of units, given the units
    /// of the parameters; `None` if the answer may be any number.
    pub fn units(&self, params: &[u64]) -> Option<u64> {
        let mut units: Vec<Option<u64>> = Vec::new();
        for step in &self.steps {
            let own = match step {
                Step::Number(number) => decimal(*number).map(|(_, units)| units),
                Step::Param(param) => Some(params[*param]),
                Step::Apply(operation, operands) => self.units_of(*operation, operands, &units),
            };
            units.push(own.filter(|units| *units <= UNITS_MAX));
        }
        units.pop().flatten()
    }

    fn units_of(
        &self,
        operation: Operation,
        operands: &[usize; OPERANDS_MAX],
        units: &[Option<u64>],
    ) -> Option<u64> {
        use Operation::*;
        let [a, b, c] = operands.map(|at| units[at]);
        match operation {
            Negate | Absolute => a,
            Add | Subtract | Minimum | Maximum => common_units(a?, b?),
            Multiply => a?.checked_mul(b?),
            Divide => {
                let Step::Number(divisor) = self.steps[operands[1]] else {
                    return None;
                };
                let (whole, part) = decimal(divisor)?;
                // Division by 0 gives 0.
                let more = whole.checked_div(gcd(whole, part))?.max(1);
                a?.checked_mul(more)
            }
            ChooseNumber => common_units(b?, c?),
            _ => Some(1),
        }
    }

    /// The place in `room` of the divisor, if it is a quotient by more than a number.
    pub fn divisor(&self) -> Option<usize> {
        let Step::Apply(Operation::Divide, [_, divisor, _]) = *self.steps.last()? else {
            return None;
        };
        (!matches!(self.steps[divisor], Step::Number(_))).then_some(divisor)
    }

    pub fn uses(&self, param: usize) -> bool {
        let is_it = |step: &Step| matches!(step, Step::Param(own) if *own == param);
        self.steps.iter().any(is_it)
    }
}

/// The absolute value of a number as a fraction, where few decimals write it.
fn decimal(number: f64) -> Option<(u64, u64)> {
    let mut units = 1;
    while units <= UNITS_MAX {
        let whole = (number * units as f64).abs().round();
        if whole / units as f64 == number.abs() && whole < 1e15 {
            return Some((whole as u64, units));
        }
        units *= 10;
    }
    None
}

/// The fewest units per 1 for two figures with these, if they are not too many.
pub fn common_units(a: u64, b: u64) -> Option<u64> {
    a.checked_mul(b / gcd(a, b))
        .filter(|units| *units <= UNITS_MAX)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn apply(operation: Operation, operands: [f64; OPERANDS_MAX]) -> f64 {
    use Operation::*;
    let [a, b, c] = operands;
    match operation {
        Negate => -a,
        Absolute => a.abs(),
        Floor => a.floor(),
        Add => a + b,
        Subtract => a - b,
        Multiply => a * b,
        Divide if b == 0.0 => 0.0,
        Divide => a / b,
        Minimum => a.min(b),
        Maximum | Or => a.max(b),
        And => a * b,
        Less => f64::from(a < b),
        AtMost => f64::from(a <= b),
        Equal => f64::from(a == b),
        Unequal => f64::from(a != b),
        Not => 1.0 - a,
        ChooseNumber | ChooseTruth if a != 0.0 => b,
        ChooseNumber | ChooseTruth => c,
        Evaluate(_) | LookUp(_) => panic!("there are no tables"),
    }
}
