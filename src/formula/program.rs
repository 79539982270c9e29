//! The formulas of all seats at a table as one program over whole columns.
//!
//! Seats that compute the same thing share it, each distinct constant has one register, and
//! features that no formula depends on are reported as unused, so that a kernel need not compute
//! them. Where features are known to be small whole numbers, so is what is added, multiplied and
//! compared of them, as far as it stays small: that takes half the work of floats and gives the same
//! answers. Nothing here knows what the rows are.

use std::collections::HashMap;

use fearless_simd::Simd;

use super::columns::{Action, Step, execute};
use super::operation::Operation;
use super::vocabulary::{Kind, SEATS_MAX, Vocabulary};
use super::whole::{self, WHOLE_MAX};
use super::{Formula, Node, OPERANDS_MAX};

pub use super::columns::{BLOCK, BLOCKS, Column, LANES, RegisterFile, Truths};
pub use super::whole::Bounds;

/// Most registers of a kind of one program, those of features not counted.
pub const REGISTERS_MAX: usize = 512;

/// The formulas at a table are too large together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("their formulas need more than {REGISTERS_MAX} registers of a kind")]
pub struct ProgramTooLarge;

/// The formulas of all seats at a table, compiled. See [`RegisterFile`] for what it works on.
#[derive(Debug, Clone)]
pub struct Program {
    steps: Vec<Step>,
    /// The register of each seat's answer.
    outputs: Vec<usize>,
    /// For each feature, one bit for each seat that uses it.
    readers: Vec<u8>,
    /// All registers before the first row is computed, one value for all rows.
    numbers: Vec<f32>,
    wholes: Vec<i16>,
    truths: Vec<bool>,
}

impl Program {
    /// Compiles one bound formula a seat, over features that are read from number registers.
    ///
    /// # Errors
    ///
    /// [`ProgramTooLarge`] when more than [`REGISTERS_MAX`] registers of a kind would be needed.
    ///
    /// # Panics
    ///
    /// When there are more formulas than [`SEATS_MAX`], when one of them has parameters that are
    /// not bound, or when one was parsed with another vocabulary and speaks of features that this
    /// one lacks.
    pub fn compile(
        vocabulary: &Vocabulary,
        formulas: &[Formula],
    ) -> Result<Program, ProgramTooLarge> {
        Program::compile_whole(vocabulary, formulas, &[])
    }

    /// Compiles one bound formula a seat. Features that have `bounds`, in the order of the
    /// vocabulary, are read from whole registers instead. Numbers are the same but for the sign of
    /// zero, on which no truth depends.
    ///
    /// # Errors, Panics
    ///
    /// As [`Program::compile`], and when there are bounds but not one for each feature, or bounds
    /// that 15 bits and a sign do not hold.
    pub fn compile_whole(
        vocabulary: &Vocabulary,
        formulas: &[Formula],
        bounds: &[Bounds],
    ) -> Result<Program, ProgramTooLarge> {
        let features = vocabulary.features.len();
        assert!(
            bounds.is_empty() || bounds.len() == features,
            "a bound for each feature"
        );
        let holds = |number: i32| number.abs() <= WHOLE_MAX;
        assert!(
            (bounds.iter().flatten()).all(|&(low, high)| holds(low) && holds(high)),
            "bounds that do not fit"
        );
        assert!(formulas.len() <= SEATS_MAX, "too many seats");
        let mut compiler = Compiler {
            vocabulary,
            program: Program {
                steps: Vec::new(),
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
            let output = compiler.formula(formula, seat);
            compiler.program.outputs.push(output);
        }
        let program = compiler.program;
        let numbers = program.numbers.len().max(program.wholes.len()) - vocabulary.registers();
        if numbers.max(program.truths.len()) > REGISTERS_MAX {
            return Err(ProgramTooLarge);
        }
        Ok(program)
    }

    /// Whether any seat's answer may depend on feature `feature`.
    pub fn uses(&self, feature: usize) -> bool {
        self.readers[feature] != 0
    }

    /// Whether the answer of seat `seat` may depend on feature `feature`.
    pub fn uses_for_seat(&self, feature: usize, seat: usize) -> bool {
        self.readers[feature] & (1 << seat) != 0
    }

    /// Registers for this program: constants hold their value in every row, the rest is zero.
    pub fn register_file(&self) -> RegisterFile {
        let words = self.truths.iter().map(|truth| match truth {
            true => u64::MAX,
            false => 0,
        });
        let words: Box<[u64]> = words.collect();
        RegisterFile {
            numbers: self.numbers.iter().copied().map(Column::splat).collect(),
            wholes: self.wholes.iter().copied().map(Column::splat).collect(),
            truths: std::array::from_fn(|_| words.clone()),
        }
    }

    /// Computes the answers for rows `0..16 * blocks` from the features in `file`; answers for
    /// later rows are left undefined. Call it where the target features of `simd` are enabled.
    ///
    /// # Panics
    ///
    /// When `blocks` exceeds [`BLOCKS`], or `file` was made for another program of another size.
    #[inline(always)]
    pub fn run<S: Simd>(&self, simd: S, file: &mut RegisterFile, blocks: usize) {
        assert!(blocks <= BLOCKS, "more blocks than a register has");
        assert_eq!(
            file.numbers.len(),
            self.numbers.len(),
            "another program's file"
        );
        assert_eq!(
            file.wholes.len(),
            self.wholes.len(),
            "another program's file"
        );
        assert_eq!(
            file.truths[0].len(),
            self.truths.len(),
            "another program's file"
        );
        for step in &self.steps {
            execute(simd, step, file, blocks);
        }
    }

    /// The register of the answer of seat `seat`: a truth register or a number register, as the
    /// vocabulary's answer is. It may be a feature's own register, and seats may share one.
    pub fn output(&self, seat: usize) -> usize {
        self.outputs[seat]
    }
}

struct Compiler<'v> {
    vocabulary: &'v Vocabulary,
    program: Program,
    bounds: &'v [Bounds],
    /// The registers of constants. Numbers are told apart by their bits.
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
    Whole {
        register: usize,
        low: i32,
        high: i32,
    },
}

impl Place {
    /// Between what the value lies, if it is a number and known to be whole; of a truth, nothing
    /// that matters.
    fn bounds(self) -> Bounds {
        match self {
            Place::Truth(_) => Some((0, 0)),
            Place::Float(_) => None,
            Place::Constant(number) => whole::constant(number),
            Place::Whole { low, high, .. } => Some((low, high)),
        }
    }
}

impl Compiler<'_> {
    /// The register of the answer of `formula`.
    fn formula(&mut self, formula: &Formula, seat: usize) -> usize {
        // Binding an already bound formula folds it, should that not have been done.
        let formula = formula.bind(&[]);
        let mut places = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            places.push(match *node {
                Node::Number(number) => Place::Constant(number),
                Node::Truth(truth) => Place::Truth(self.truth(truth)),
                Node::Param(_) => unreachable!("binding removes parameters or panics"),
                Node::Feature(feature) => {
                    self.program.readers[feature] |= 1 << seat;
                    let register = self.vocabulary.register(feature, seat);
                    match self.bounds.get(feature).copied().flatten() {
                        Some((low, high)) => Place::Whole {
                            register,
                            low,
                            high,
                        },
                        None => Place::Float(register),
                    }
                }
                Node::Apply(operation, operands) => {
                    let count = operation.operands().len();
                    let operands = operands.map(|operand| places[operand]);
                    self.apply(operation, &operands[..count])
                }
            });
        }
        self.plain(places[places.len() - 1])
    }

    /// The register of a value: a truth register or a number register.
    fn plain(&mut self, place: Place) -> usize {
        match place {
            Place::Truth(register) | Place::Float(register) => register,
            Place::Constant(number) => {
                let numbers = &mut self.program.numbers;
                *self
                    .constants
                    .entry(Constant::Number(number.to_bits()))
                    .or_insert_with(|| pushed(numbers, number))
            }
            Place::Whole { register, .. } => self.step(Action::Convert, [register, 0, 0]),
        }
    }

    /// The register of a value that is known to be whole, or a truth.
    fn whole(&mut self, place: Place) -> usize {
        match place {
            Place::Constant(number) => {
                let wholes = &mut self.program.wholes;
                let number = number as i16;
                *self
                    .constants
                    .entry(Constant::Whole(number))
                    .or_insert_with(|| pushed(wholes, number))
            }
            Place::Truth(register) | Place::Whole { register, .. } => register,
            Place::Float(_) => unreachable!("no float is known to be whole"),
        }
    }

    fn truth(&mut self, truth: bool) -> usize {
        let truths = &mut self.program.truths;
        *self
            .constants
            .entry(Constant::Truth(truth))
            .or_insert_with(|| pushed(truths, truth))
    }

    fn apply(&mut self, operation: Operation, operands: &[Place]) -> Place {
        let mut bounds = [None; OPERANDS_MAX];
        for (bounds, place) in bounds.iter_mut().zip(operands) {
            *bounds = place.bounds();
        }
        let range = match self.bounds {
            [] => None,
            _ => whole::bounds(operation, &bounds[..operands.len()]),
        };
        let mut registers = [0; OPERANDS_MAX];
        for (register, &place) in registers.iter_mut().zip(operands) {
            *register = match range {
                Some(_) => self.whole(place),
                None => self.plain(place),
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
            (Kind::Number, Some((low, high))) => Place::Whole {
                register,
                low,
                high,
            },
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

/// Appends `value` and returns its index.
fn pushed<T>(values: &mut Vec<T>, value: T) -> usize {
    values.push(value);
    values.len() - 1
}

#[cfg(test)]
mod tests {
    use super::super::TEST_VOCABULARY;
    use super::*;

    const SCORES: Vocabulary = Vocabulary {
        question: "score",
        answer: Kind::Number,
        ..TEST_VOCABULARY
    };

    fn bound(vocabulary: &Vocabulary, text: &str) -> Formula {
        let formula = Formula::parse(text, &[], vocabulary);
        formula.unwrap_or_else(|fault| panic!("{fault}: {text}"))
    }

    fn compiled(vocabulary: &Vocabulary, texts: &[&str]) -> Program {
        let formulas: Vec<Formula> = texts.iter().map(|text| bound(vocabulary, text)).collect();
        Program::compile(vocabulary, &formulas).unwrap()
    }

    #[test]
    fn seats_share_what_they_have_in_common() {
        let text = "held + traps_seen * 2 > 12 or held > 12";
        let one = compiled(&TEST_VOCABULARY, &[text]);
        let three = compiled(&TEST_VOCABULARY, &[text; 3]);
        assert_eq!(one.steps.len(), 5);
        assert_eq!(one.steps, three.steps);
        assert_eq!(one.numbers, three.numbers);
        // The constants 2 and 12, and two results.
        assert_eq!(one.numbers.len(), TEST_VOCABULARY.registers() + 4);
        let own = compiled(&TEST_VOCABULARY, &["chest > 1", "chest > 1"]);
        assert_eq!(own.steps.len(), 2);
    }

    #[test]
    fn numbers_are_whole_as_long_as_they_stay_small() {
        let bounds = [Some((0, 300)), Some((0, 300)), Some((0, 8)), None];
        let actions = |text: &str| -> Vec<Action> {
            let formulas = [bound(&TEST_VOCABULARY, text)];
            let program = Program::compile_whole(&TEST_VOCABULARY, &formulas, &bounds).unwrap();
            program.steps.iter().map(|step| step.action).collect()
        };
        use Action::*;
        use Operation::*;
        let small = actions("(held + chest) * traps_seen >= 60 or held > 12");
        let whole = [Wholes(Add), Wholes(Multiply), Wholes(AtMost), Wholes(Less)];
        assert_eq!(small[..4], whole);
        assert_eq!(small[4..], [Truths(Or)]);
        let large = actions("held * chest > 60");
        assert_eq!(large, [Convert, Convert, Floats(Multiply), Floats(Less)]);
        assert_eq!(actions("held > 2.5"), [Convert, Floats(Less)]);
        assert_eq!(actions("held > 40000"), [Convert, Floats(Less)]);
        assert_eq!(actions("random < 1"), [Floats(Less)]);
        let mixed = actions("held / 2 < held - 3");
        let expected = [
            Convert,
            Floats(Divide),
            Wholes(Subtract),
            Convert,
            Floats(Less),
        ];
        assert_eq!(mixed, expected);
    }

    #[test]
    fn the_features_that_matter_are_known_by_seat() {
        let texts = [
            "held > 1 and chest > 1",
            "true or chest > 1",
            "held > random",
        ];
        let program = compiled(&TEST_VOCABULARY, &texts);
        assert!(program.uses(0) && program.uses(1) && !program.uses(2) && program.uses(3));
        let chest: Vec<bool> = (0..8).map(|seat| program.uses_for_seat(1, seat)).collect();
        assert_eq!(
            chest,
            [true, false, false, false, false, false, false, false]
        );
        assert!(program.uses_for_seat(0, 2) && !program.uses_for_seat(0, 1));
    }

    #[test]
    fn answers_may_be_constants_or_features() {
        let program = compiled(&TEST_VOCABULARY, &["1 < 2", "false"]);
        let file = program.register_file();
        assert!(
            file.truths
                .iter()
                .all(|word| word[program.output(0)] == u64::MAX)
        );
        assert!(file.truths.iter().all(|word| word[program.output(1)] == 0));
        let program = compiled(&SCORES, &["held", "chest", "0.5"]);
        assert_eq!(program.output(0), 0);
        assert_eq!(program.output(1), SCORES.register(1, 1));
        let constant = program.output(2);
        assert_eq!(
            program.register_file().numbers[constant],
            Column::splat(0.5)
        );
    }

    #[test]
    fn programs_that_need_too_many_registers_are_refused() {
        let formulas: Vec<Formula> = (0..SEATS_MAX)
            .map(|seat| {
                let terms: Vec<String> = (0..40).map(|n| format!("{seat}{n}.5 * held")).collect();
                bound(&SCORES, &terms.join(" + "))
            })
            .collect();
        let refused = Program::compile(&SCORES, &formulas).unwrap_err();
        assert!(refused.to_string().contains("512"));
        Program::compile(&SCORES, &formulas[..4]).unwrap();
    }
}
