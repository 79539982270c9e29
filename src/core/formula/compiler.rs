//! Compiles formulas to the steps of a program: common subexpressions are computed once, and
//! numbers stay whole as long as they are known to be small.

use std::collections::HashMap;

use super::columns::{Action, Step};
use super::operation::OPERANDS_MAX;
use super::operation::Operation;
use super::program::Program;
use super::table::Lookups;
use super::vocabulary::{Kind, Vocabulary};
use super::whole::{self, Bounds};
use super::{Formula, Node, pushed};

/// The program of bound formulas, one a seat; `bounds` as for [`Program::compile`].
pub(super) fn compiled(
    vocabulary: &Vocabulary,
    formulas: &[Formula],
    bounds: &[Bounds],
) -> Program {
    let mut compiler = Compiler {
        vocabulary,
        program: Program {
            steps: Vec::new(),
            lookups: Lookups::default(),
            outputs: Vec::new(),
            readers: vec![0; vocabulary.features.len()],
            numbers: vec![0.0; vocabulary.registers()],
            wholes: match bounds {
                [] => Vec::new(),
                _ => vec![0; vocabulary.registers()],
            },
            truths: Vec::new(),
        },
        bounds,
        constants: HashMap::new(),
        results: HashMap::new(),
    };
    for (seat, formula) in formulas.iter().enumerate() {
        let answer = compiler.formula(formula, seat);
        compiler.program.outputs.push(answer);
    }
    compiler.program
}

struct Compiler<'v> {
    vocabulary: &'v Vocabulary,
    program: Program,
    bounds: &'v [Bounds],
    /// The registers of constants. Numbers are distinguished by their bits.
    constants: HashMap<Constant, usize>,
    /// The registers of what has been computed already.
    results: HashMap<(Action, [usize; OPERANDS_MAX]), usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Constant {
    Number(u32),
    Whole(i16),
    Truth(bool),
}

/// Where a value is found.
#[derive(Clone, Copy)]
enum Place {
    Truth(usize),
    Float(usize),
    /// A constant gets a register once it is known in which form it is needed.
    Constant(f32),
    /// A register, and the lowest and the highest number that it may hold.
    Whole(usize, (i32, i32)),
}

impl Place {
    /// The bounds of a number that is known to be whole; those of a truth mean nothing.
    fn bounds(self) -> Bounds {
        match self {
            Place::Truth(_) => Some((0, 0)),
            Place::Float(_) => None,
            Place::Constant(number) => whole::constant(number),
            Place::Whole(_, range) => Some(range),
        }
    }
}

impl Compiler<'_> {
    fn formula(&mut self, formula: &Formula, seat: usize) -> usize {
        let mut places = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            places.push(match *node {
                Node::Number(number) => Place::Constant(number),
                Node::Truth(truth) => Place::Truth(self.truth(truth)),
                Node::Param(_) => panic!("a formula must be bound before it is compiled"),
                Node::Feature(feature) => {
                    self.program.readers[feature] |= 1 << seat;
                    let register = self.vocabulary.register(feature, seat);
                    match self.bounds.get(feature).copied().flatten() {
                        Some(range) => Place::Whole(register, range),
                        None => Place::Float(register),
                    }
                }
                Node::Apply(operation, operands) => {
                    let count = operation.operands().len();
                    let operands = operands.map(|operand| places[operand]);
                    let operation = self.program.lookups.adopt(operation, &formula.lookups);
                    self.apply(operation, &operands[..count])
                }
            });
        }
        self.unbounded(places[places.len() - 1])
    }

    /// The register of a value: its number register, whatever its bounds, or its truth register.
    fn unbounded(&mut self, place: Place) -> usize {
        match place {
            Place::Truth(register) | Place::Float(register) => register,
            Place::Constant(number) => {
                let known = self.constants.entry(Constant::Number(number.to_bits()));
                *known.or_insert_with(|| pushed(&mut self.program.numbers, number))
            }
            Place::Whole(register, _) => self.step(Action::Convert, [register, 0, 0]),
        }
    }

    /// The register of a value that is known to be whole, or a truth.
    fn whole(&mut self, place: Place) -> usize {
        match place {
            Place::Constant(number) => {
                let known = self.constants.entry(Constant::Whole(number as i16));
                *known.or_insert_with(|| pushed(&mut self.program.wholes, number as i16))
            }
            Place::Truth(register) | Place::Whole(register, _) => register,
            Place::Float(_) => unreachable!("no float is known to be whole"),
        }
    }

    fn truth(&mut self, truth: bool) -> usize {
        let known = self.constants.entry(Constant::Truth(truth));
        *known.or_insert_with(|| pushed(&mut self.program.truths, truth))
    }

    fn apply(&mut self, operation: Operation, operands: &[Place]) -> Place {
        let mut bounds = [None; OPERANDS_MAX];
        for (bounds, place) in bounds.iter_mut().zip(operands) {
            *bounds = place.bounds();
        }
        let range = match self.bounds {
            [] => None,
            _ => whole::bounds(operation, &bounds[..operands.len()], &self.program.lookups),
        };
        let mut registers = [0; OPERANDS_MAX];
        for (register, &place) in registers.iter_mut().zip(operands) {
            *register = match range {
                Some(_) => self.whole(place),
                None => self.unbounded(place),
            };
        }
        let action = match range {
            _ if !operation.operands().contains(&Kind::Number) => Action::Truths(operation),
            Some(_) => Action::Wholes(operation),
            None => Action::Floats(operation),
        };
        let register = self.step(action, registers);
        match (operation.result(), range) {
            (Kind::Truth, _) => Place::Truth(register),
            (Kind::Number, None) => Place::Float(register),
            (Kind::Number, Some(range)) => Place::Whole(register, range),
        }
    }

    /// The register of the result of a step, which is added unless there is one like it.
    fn step(&mut self, action: Action, operands: [usize; OPERANDS_MAX]) -> usize {
        let program = &mut self.program;
        *self.results.entry((action, operands)).or_insert_with(|| {
            let kind = match action {
                Action::Floats(operation) | Action::Wholes(operation) => operation.result(),
                Action::Truths(_) => Kind::Truth,
                Action::Convert => Kind::Number,
            };
            let result = match (kind, action) {
                (Kind::Truth, _) => pushed(&mut program.truths, false),
                (Kind::Number, Action::Wholes(_)) => pushed(&mut program.wholes, 0),
                (Kind::Number, _) => pushed(&mut program.numbers, 0.0),
            };
            program.steps.push(Step {
                action,
                operands,
                result,
            });
            result
        })
    }
}
