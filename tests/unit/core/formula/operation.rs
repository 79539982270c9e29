use super::*;
use Value::{Number, Truth};

fn apply(operation: Operation, operands: &[Value]) -> Value {
    operation.apply(operands, &Lookups::default())
}

#[test]
fn comparisons_with_nan_are_false_except_unequal() {
    let operands = [Number(f32::NAN), Number(1.0)];
    for operation in [Operation::Less, Operation::AtMost, Operation::Equal] {
        assert_eq!(apply(operation, &operands), Truth(false));
    }
    assert_eq!(apply(Operation::Unequal, &operands), Truth(true));
    // The second operand is taken whenever the comparison fails.
    assert_eq!(apply(Operation::Minimum, &operands), Number(1.0));
    assert_eq!(apply(Operation::Maximum, &operands), Number(1.0));
}
