//! The language in which bots are written: one expression over a game's features.
//!
//! ```text
//! let stake = held + leftover / explorers;   # names for readability
//! stake >= target or traps_seen >= nerve and not (bust_risk < 0.1)
//! ```
//!
//! There are numbers, `true` and `false`, the names of parameters and features, `+ - * /`,
//! `< <= > >= == !=`, `and or not`, `if c then a else b`, `min max abs floor` and parentheses. A
//! formula is pure and total: it has no loops and no memory, and division by zero gives zero.
//! Numbers are `f32` throughout, each operation rounded once. `name[a, b]` looks up a table, which
//! is given beside the text: on each axis the index is the number of edges that are not above the
//! value.
//!
//! A text is read by [`Formula::parse`], given its parameters by [`Formula::bind`], and then either
//! evaluated for one row by [`Formula::evaluate`] or compiled, for all seats of a table together,
//! into a [`program::Program`] over whole columns; both give the same answers to the bit. Nothing
//! here knows any game, any file, or how work is spread over threads.

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/agreement.rs"]
mod agreement;
mod check;
mod columns;
mod compiler;
mod dependence;
mod exact;
mod fold;
mod lookup;
mod mix;
mod node;
mod operation;
mod parts;
pub mod program;
mod syntax;
mod table;
mod token;
mod vocabulary;
mod whole;

use node::Node;
use operation::Operation;
use table::{Lookups, pushed};

pub use crate::diagnostic::Fault;
pub use exact::{Exact, common_units};
pub use mix::Lot;
pub use operation::Value;
pub use parts::Parts;
pub use table::{AXES_MAX, CELLS_MAX, Cell, Cells, EDGES_MAX, Table};
pub use token::{FUNCTIONS, is_name};
pub use vocabulary::{FORMULAS_MAX, Feature, Kind, Vocabulary};
pub use whole::WHOLE_MAX;

/// Longest formula text, in bytes.
pub const TEXT_MAX: usize = 16384;

/// Most operations in a formula: operators, functions (two for `max` of three), `if`s and look-ups
/// (one, and two more for each axis but the first).
pub const OPERATIONS_MAX: usize = 1000;

/// Formulas of no more nodes are evaluated without asking for memory. Nodes are the operations, and
/// the numbers, names and truths that they take.
const NODES_USUAL: usize = 256;

/// Deepest nesting of parentheses, calls, `if`s and prefix operators.
pub const DEPTH_MAX: usize = 64;

/// A checked formula: every name is known and every operand is of the kind it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// Operands come before what uses them, the answer is last, and nothing is left over.
    nodes: Vec<Node>,
    lookups: Lookups,
}

impl Formula {
    /// Reads a formula that may use `params` and the features of `vocabulary`.
    ///
    /// Parameters come before features where the names collide; callers should not let them. It has
    /// no tables; see [`Formula::parse_with_tables`]. Fails with a [`Fault`] for text that is not
    /// in the language or over its size limits, for unknown names, for values of the wrong kind,
    /// for `let` names that are never used or already taken, and for an answer that is not of kind
    /// `vocabulary.answer`.
    pub fn parse(text: &str, params: &[&str], vocabulary: &Vocabulary) -> Result<Formula, Fault> {
        Formula::parse_with_tables(text, params, &[], vocabulary)
    }

    /// Reads a formula that may also look up `tables`, which share no name with each other nor with
    /// anything else. Fails as [`Formula::parse`], and for look-ups of what is no table, or with
    /// too few or too many indices.
    pub fn parse_with_tables(
        text: &str,
        params: &[&str],
        tables: &[Table],
        vocabulary: &Vocabulary,
    ) -> Result<Formula, Fault> {
        let syntax = syntax::parse(text)?;
        let lookups = Lookups::of(tables);
        let (nodes, answer) = check::check(&syntax, params, (tables, &lookups), vocabulary)?;
        let nodes = fold::pruned(&nodes, answer);
        // Tables are large: they are joined once, and all tables that seat the bot share them.
        let (nodes, lookups) = fold::joined(&nodes, &lookups, vocabulary);
        Ok(Formula { nodes, lookups })
    }

    /// The same formula with its parameters replaced by `params`, in the order that was given to
    /// [`Formula::parse`], and with everything computed that does not depend on a feature. Panics
    /// when there are fewer values than the formula has parameters.
    pub fn bind(&self, params: &[f32]) -> Formula {
        let lookups = self.lookups.bound(params);
        let nodes = fold::folded(&self.nodes, params, &lookups);
        Formula { nodes, lookups }
    }

    /// This formula for these parameters, of which only those of its tables are bound.
    pub fn lot(&self, values: &[f32]) -> Lot {
        Lot {
            formula: Formula {
                nodes: self.nodes.clone(),
                lookups: self.lookups.bound(values),
            },
            values: values.to_vec(),
        }
    }

    /// The same formula where some features have values that are known in advance, as pairs of
    /// index and value, with everything computed that depends on nothing else. Panics when the
    /// formula has parameters that are not bound.
    pub fn given(&self, certain: &[(usize, f32)]) -> Formula {
        let value = |feature| certain.iter().find(|(known, _)| *known == feature);
        let known = |node: &Node| match *node {
            Node::Feature(feature) => value(feature).map_or(*node, |pair| Node::Number(pair.1)),
            other => other,
        };
        let nodes: Vec<Node> = self.nodes.iter().map(known).collect();
        Formula {
            nodes: fold::folded(&nodes, &[], &self.lookups),
            lookups: self.lookups.clone(),
        }
    }

    /// Whether the answer may depend on feature `feature`. Binding can make a feature unused.
    pub fn uses(&self, feature: usize) -> bool {
        self.nodes.contains(&Node::Feature(feature))
    }

    /// Whether the formula, or a table that was given to it, mentions parameter `param`.
    pub fn uses_param(&self, param: usize) -> bool {
        self.nodes.contains(&Node::Param(param)) || self.lookups.uses_param(param)
    }

    /// Whether the formula looks up table `table`, of those that were given when it was read.
    pub fn uses_table(&self, table: usize) -> bool {
        let evaluation = Operation::Evaluate(self.lookups.first[table] as u16);
        let mut nodes = self.nodes.iter();
        nodes.any(|node| matches!(node, Node::Apply(operation, _) if *operation == evaluation))
    }

    /// The answer for one row, where `features` gives the value of a feature by its index. Panics
    /// when the formula has parameters that are not bound.
    pub fn evaluate(&self, features: impl Fn(usize) -> f32) -> Value {
        let nothing = Value::Truth(false);
        let (mut few, mut many);
        let values = if self.nodes.len() <= NODES_USUAL {
            few = [nothing; NODES_USUAL];
            &mut few[..]
        } else {
            many = vec![nothing; self.nodes.len()];
            &mut many[..]
        };
        for (index, node) in self.nodes.iter().enumerate() {
            values[index] = node.value(values, &features, &self.lookups);
        }
        values[self.nodes.len() - 1]
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/mod.rs"]
mod tests;
