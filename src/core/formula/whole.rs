//! Which numbers of a program are small whole numbers, so that 16 bits hold them.

use super::operation::{OPERANDS_MAX, Operation};
use super::table::Lookups;

/// The lowest and the highest value of a number that is always whole; nothing of other numbers.
pub type Bounds = Option<(i32, i32)>;

/// Whole registers hold numbers up to this size, with either sign.
pub const WHOLE_MAX: i32 = i16::MAX as i32;

pub(super) fn is_whole(number: f32) -> bool {
    number.fract() == 0.0 && number.abs() <= WHOLE_MAX as f32
}

pub(super) fn constant(number: f32) -> Bounds {
    is_whole(number).then_some((number as i32, number as i32))
}

/// The bounds of the result of `operation`, if operands within these bounds and the result are all
/// whole and small. Operands and results that are truths have bounds that mean nothing.
/// StepFunction and grids are those of `lookups`; numbers in grids are floats.
pub(super) fn bounds(operation: Operation, operands: &[Bounds], lookups: &Lookups) -> Bounds {
    use Operation::*;
    let mut known = [(0, 0); OPERANDS_MAX];
    for (known, &operand) in known.iter_mut().zip(operands) {
        *known = operand?;
    }
    let [a, b, c] = known;
    let (low, high) = match operation {
        Negate => (-a.1, -a.0),
        Absolute => (0, a.1.max(-a.0)),
        Floor => a,
        Add => (a.0 + b.0, a.1 + b.1),
        Subtract => (a.0 - b.1, a.1 - b.0),
        Multiply => {
            let mut products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            products.sort_unstable();
            (products[0], products[3])
        }
        Divide | LookUp(_) => return None,
        Evaluate(function) => {
            let function = lookups.functions[usize::from(function)].whole.as_ref()?;
            let heights = || function.heights().map(i32::from);
            (heights().min()?, heights().max()?)
        }
        Minimum => (a.0.min(b.0), a.1.min(b.1)),
        Maximum => (a.0.max(b.0), a.1.max(b.1)),
        ChooseNumber => (b.0.min(c.0), b.1.max(c.1)),
        Less | AtMost | Equal | Unequal | Not | And | Or | ChooseTruth => (0, 0),
    };
    (low >= -WHOLE_MAX && high <= WHOLE_MAX).then_some((low, high))
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/whole.rs"]
mod tests;
