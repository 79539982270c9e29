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
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_all_results_and_are_reached() {
        use Operation::*;
        let ([a, b], none) = ([(-3, 5), (-7, 2)], Lookups::default());
        for operation in [
            Negate, Absolute, Floor, Add, Subtract, Multiply, Minimum, Maximum,
        ] {
            let count = operation.operands().len();
            let pairs = (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| [x, y]));
            let result = |pair: [i32; 2]| {
                let values = pair.map(|number| super::super::Value::Number(number as f32));
                operation.apply(&values[..count], &none).number().unwrap() as i32
            };
            let results: Vec<i32> = pairs.map(result).collect();
            let found = (results.iter().min().copied()).zip(results.iter().max().copied());
            let stated = bounds(operation, &[Some(a), Some(b)][..count], &none);
            assert_eq!(stated, found, "{operation:?}");
        }
    }

    #[test]
    fn what_is_large_or_broken_has_no_bounds() {
        assert_eq!(constant(-0.0), Some((0, 0)));
        assert_eq!(constant(32_767.0), Some((32_767, 32_767)));
        for number in [0.5, 32_768.0, f32::INFINITY, f32::NAN] {
            assert_eq!(constant(number), None);
        }
        let (large, none) = (Some((0, 200)), Lookups::default());
        assert_eq!(bounds(Operation::Multiply, &[large, large], &none), None);
        assert_eq!(bounds(Operation::Divide, &[large, large], &none), None);
        assert_eq!(bounds(Operation::Add, &[large, None], &none), None);
    }
}
