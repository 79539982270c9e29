//! The meaning of every operation, for one row.
//!
//! This is the definition that constant folding and the row-by-row interpreter use, and that the
//! program over whole columns must match to the bit. It knows no names and no text.

use super::table::Lookups;
use super::vocabulary::Kind;

/// A value of one of the two kinds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Number(f32),
    Truth(bool),
}

impl Value {
    /// The number, or `None` for a truth value.
    pub fn number(self) -> Option<f32> {
        match self {
            Value::Number(number) => Some(number),
            Value::Truth(_) => None,
        }
    }
}

/// The operations of formulas. `a > b` is `Less` with its operands exchanged, and `a >= b` likewise
/// `AtMost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Negate,
    Absolute,
    Floor,
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    Less,
    AtMost,
    Equal,
    Unequal,
    Not,
    And,
    Or,
    ChooseNumber,
    ChooseTruth,
    /// The value of the step function of this number.
    Evaluate(u16),
    /// The cell of the grid of this number at the sum of two places.
    LookUp(u16),
}

pub(super) const OPERANDS_MAX: usize = 3;

impl Operation {
    pub fn operands(self) -> &'static [Kind] {
        use Kind::{Number, Truth};
        use Operation::*;
        match self {
            Negate | Absolute | Floor | Evaluate(_) => &[Number],
            Add | Subtract | Multiply | Divide => &[Number, Number],
            Minimum | Maximum | LookUp(_) => &[Number, Number],
            Less | AtMost | Equal | Unequal => &[Number, Number],
            Not => &[Truth],
            And | Or => &[Truth, Truth],
            ChooseNumber => &[Truth, Number, Number],
            ChooseTruth => &[Truth, Truth, Truth],
        }
    }

    pub fn result(self) -> Kind {
        use Operation::*;
        match self {
            Negate | Absolute | Floor | Add | Subtract | Multiply | Divide => Kind::Number,
            Minimum | Maximum | ChooseNumber | Evaluate(_) | LookUp(_) => Kind::Number,
            Less | AtMost | Equal | Unequal | Not | And | Or | ChooseTruth => Kind::Truth,
        }
    }

    /// The result for `operands`, which are as many and of the kinds that [`Self::operands`]
    /// says; panics otherwise. Step functions and grids are those of `lookups`.
    ///
    /// Numbers follow IEEE 754 in single precision, each operation rounded once. Division by zero
    /// gives zero. Where NaN arises from overflow, comparisons with it are false, except for
    /// `Unequal`.
    pub fn apply(self, operands: &[Value], lookups: &Lookups) -> Value {
        use Operation::*;
        use Value::{Number, Truth};
        match (self, operands) {
            (Negate, &[Number(a)]) => Number(-a),
            (Absolute, &[Number(a)]) => Number(a.abs()),
            (Floor, &[Number(a)]) => Number(a.floor()),
            (Add, &[Number(a), Number(b)]) => Number(a + b),
            (Subtract, &[Number(a), Number(b)]) => Number(a - b),
            (Multiply, &[Number(a), Number(b)]) => Number(a * b),
            (Divide, &[Number(a), Number(b)]) => Number(if b == 0.0 { 0.0 } else { a / b }),
            (Minimum, &[Number(a), Number(b)]) => Number(if a < b { a } else { b }),
            (Maximum, &[Number(a), Number(b)]) => Number(if a > b { a } else { b }),
            (Less, &[Number(a), Number(b)]) => Truth(a < b),
            (AtMost, &[Number(a), Number(b)]) => Truth(a <= b),
            (Equal, &[Number(a), Number(b)]) => Truth(a == b),
            (Unequal, &[Number(a), Number(b)]) => Truth(a != b),
            (Not, &[Truth(a)]) => Truth(!a),
            (And, &[Truth(a), Truth(b)]) => Truth(a && b),
            (Or, &[Truth(a), Truth(b)]) => Truth(a || b),
            (ChooseNumber, &[Truth(c), Number(a), Number(b)]) => Number(if c { a } else { b }),
            (ChooseTruth, &[Truth(c), Truth(a), Truth(b)]) => Truth(if c { a } else { b }),
            (Evaluate(function), &[Number(a)]) => {
                Number(lookups.functions[usize::from(function)].at(a))
            }
            (LookUp(grid), &[Number(a), Number(b)]) => {
                Number(lookups.grids[usize::from(grid)].at((a + b) as usize))
            }
            _ => panic!("{self:?} cannot be applied to {operands:?}"),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/operation.rs"]
mod tests;
