//! The formulas of all seats at a table as one program over whole columns.
//!
//! Seats that compute the same thing share it, each distinct constant has one register, and
//! features that no formula depends on are reported as unused, so that a kernel need not compute
//! them. Where features are known to be small whole numbers, so is what is added, multiplied and
//! compared of them, as far as it stays small: that takes half the work of floats and gives the
//! same answers. Nothing here knows what the rows are.

use fearless_simd::Simd;

use super::Formula;
use super::columns::{Action, Step, execute};
use super::compiler::compiled;
use super::operation::Operation;
use super::table::Lookups;
use super::vocabulary::{FORMULAS_MAX, Vocabulary};
use super::whole::WHOLE_MAX;

use std::sync::Arc;

pub use super::columns::{BLOCK, BLOCKS, Column, LANES, RegisterFile, Truths};
pub use super::whole::Bounds;

/// Most registers of a kind of one program, those of features not counted.
pub const REGISTERS_MAX: usize = 2048;

/// The formulas at a table are too large together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("their formulas need more than {REGISTERS_MAX} registers of a kind")]
pub struct ProgramTooLarge;

/// The formulas of all seats at a table, compiled. See [`RegisterFile`] for what it works on.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) steps: Vec<Step>,
    /// What the steps look up. Seats share what is alike.
    pub(super) lookups: Lookups,
    /// The register of each seat's answer.
    pub(super) outputs: Vec<usize>,
    /// For each feature, one bit for each seat that uses it.
    pub(super) readers: Vec<u8>,
    /// All registers before the first row is computed, one value for all rows.
    pub(super) numbers: Vec<f32>,
    pub(super) wholes: Vec<i16>,
    pub(super) truths: Vec<bool>,
}

/// Numbers that change at the same edges of one number, each with its register.
#[derive(Debug, Clone)]
pub struct Draw {
    edges: Arc<[f32]>,
    results: Vec<(usize, Vec<f32>)>,
}

impl Draw {
    /// Sets the numbers of a row for the value of the number that they follow from.
    #[inline(always)]
    pub fn fill(&self, file: &mut RegisterFile, row: usize, value: f32) {
        let step = self.edges.partition_point(|edge| *edge <= value);
        for (register, heights) in &self.results {
            file.numbers[*register].0[row] = heights[step];
        }
    }
}

impl Program {
    /// Compiles one bound formula a seat, over features that are read from number registers.
    /// Features that have `bounds`, in the order of the vocabulary, are read from whole registers
    /// instead; numbers are the same but for the sign of zero, on which no truth depends. Fails
    /// with [`ProgramTooLarge`] when more than [`REGISTERS_MAX`] registers of a kind would be
    /// needed. Panics when there are more formulas than [`FORMULAS_MAX`], when one of them has
    /// parameters that are not bound or speaks of features that this vocabulary lacks, and when
    /// there are bounds but not one for each feature, or bounds that 15 bits and a sign do not
    /// hold.
    pub fn compile(
        vocabulary: &Vocabulary,
        formulas: &[Formula],
        bounds: &[Bounds],
    ) -> Result<Program, ProgramTooLarge> {
        let complete = bounds.is_empty() || bounds.len() == vocabulary.features.len();
        assert!(complete, "a bound for each feature");
        let holds = |number: i32| number.abs() <= WHOLE_MAX;
        let fit = (bounds.iter().flatten()).all(|&(low, high)| holds(low) && holds(high));
        assert!(fit, "bounds that do not fit");
        assert!(formulas.len() <= FORMULAS_MAX, "too many formulas");
        let program = compiled(vocabulary, formulas, bounds);
        let numbers = program.numbers.len().max(program.wholes.len()) - vocabulary.registers();
        if numbers.max(program.truths.len()) > REGISTERS_MAX {
            return Err(ProgramTooLarge);
        }
        Ok(program)
    }

    /// Takes out the steps that evaluate step functions of number register `register`: what they
    /// give stays as [`Draw::fill`] sets it. So a number that is the same throughout a game is
    /// looked up once a game.
    pub fn take_draws(&mut self, register: usize) -> Vec<Draw> {
        let mut draws: Vec<Draw> = Vec::new();
        let lookups = &self.lookups;
        self.steps.retain(|step| {
            let Action::Floats(Operation::Evaluate(function)) = step.action else {
                return true;
            };
            if step.operands[0] != register {
                return true;
            }
            let function = &lookups.functions[usize::from(function)];
            let results = (step.result, function.heights().to_vec());
            match draws.iter_mut().find(|draw| draw.edges == function.edges) {
                Some(draw) => draw.results.push(results),
                None => draws.push(Draw {
                    edges: Arc::clone(&function.edges),
                    results: vec![results],
                }),
            }
            false
        });
        draws
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
    /// Panics when `blocks` exceeds [`BLOCKS`], or `file` was made for another program of another
    /// size.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn run<S: Simd>(&self, simd: S, file: &mut RegisterFile, blocks: usize) {
        assert!(blocks <= BLOCKS, "more blocks than a register has");
        let sizes = [file.numbers.len(), file.wholes.len(), file.truths[0].len()];
        let own = [self.numbers.len(), self.wholes.len(), self.truths.len()];
        assert_eq!(sizes, own, "another program's file");
        for step in &self.steps {
            execute(simd, step, &self.lookups, file, blocks);
        }
    }

    /// The register of the answer of seat `seat`: a truth register or a number register, as the
    /// vocabulary's answer is. It may be a feature's own register, and seats may share one.
    pub fn output(&self, seat: usize) -> usize {
        self.outputs[seat]
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/program.rs"]
mod tests;
