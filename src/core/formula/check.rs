//! Checks a syntax tree: resolves every name, checks every kind, and builds nodes.

use std::ops::Range;

use super::operation::Operation;
use super::syntax::{Binding, Form, Syntax};
use super::table::{Lookups, Table};
use super::token::FUNCTIONS;
use super::vocabulary::{Kind, Vocabulary};
use super::whole::WHOLE_MAX;
use super::{Fault, Node, pushed};
use crate::diagnostic::did_you_mean;

/// The nodes of a formula with an answer of the vocabulary's kind, operands before their operation,
/// and the index of the answer. Also returns its tables, with the features they look up.
pub(super) fn check(
    syntax: &Syntax,
    params: &[&str],
    (tables, lookups): (&[Table], &Lookups),
    vocabulary: &Vocabulary,
) -> Result<(Vec<Node>, usize), Fault> {
    let mut checker = Checker {
        params,
        tables,
        lookups,
        vocabulary,
        lets: Vec::new(),
        nodes: Vec::new(),
    };
    let (root, kind) = checker.node(syntax)?;
    let answer = vocabulary.answer;
    if kind != answer {
        let message = format!("`{}` must be {}", vocabulary.question, answer.described());
        let fault = mismatch(&syntax.span, answer);
        return Err(Fault { message, ..fault });
    }
    Ok((checker.nodes, root))
}

/// The index and the kind of a node.
type Checked = Result<(usize, Kind), Fault>;

/// A `let` name in scope.
struct Local<'t> {
    name: &'t str,
    place: Range<usize>,
    node: usize,
    kind: Kind,
    used: bool,
}

struct Checker<'a, 't> {
    params: &'a [&'a str],
    tables: &'a [Table],
    lookups: &'a Lookups,
    vocabulary: &'a Vocabulary,
    lets: Vec<Local<'t>>,
    nodes: Vec<Node>,
}

impl<'t> Checker<'_, 't> {
    /// Index and kind of the node for `syntax`.
    fn node(&mut self, syntax: &Syntax<'t>) -> Checked {
        match &syntax.form {
            Form::Number(number) => Ok((self.push(Node::Number(*number)), Kind::Number)),
            Form::Truth(truth) => Ok((self.push(Node::Truth(*truth)), Kind::Truth)),
            Form::Name(name) => self.name(name, &syntax.span),
            Form::Apply(operation, operands) => self.apply(*operation, operands),
            Form::LookUp(table, indices) => self.look_up(table, indices, &syntax.span),
            Form::Let(bindings, body) => self.scope(bindings, body),
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Checked {
        if let Some(local) = self.lets.iter_mut().find(|local| local.name == name) {
            local.used = true;
            return Ok((local.node, local.kind));
        }
        let node = if let Some(param) = self.params.iter().position(|param| *param == name) {
            Node::Param(param)
        } else if let Some(feature) = self.vocabulary.find(name) {
            Node::Feature(feature)
        } else {
            return Err(self.unknown(name, span));
        };
        Ok((self.push(node), Kind::Number))
    }

    fn apply(&mut self, mut operation: Operation, operands: &[Syntax<'t>]) -> Checked {
        // The branches of an `if` may be of either kind, as long as it is the same.
        let mut indices = [0; 3];
        for (position, operand) in operands.iter().enumerate() {
            let (index, kind) = self.node(operand)?;
            if operation == Operation::ChooseNumber && position == 1 && kind == Kind::Truth {
                operation = Operation::ChooseTruth;
            }
            let wanted = operation.operands()[position];
            if kind != wanted {
                let mut fault = mismatch(&operand.span, wanted);
                if operation.operands().len() == 3 && position == 2 {
                    fault.message = "the branches of `if` differ in kind".to_owned();
                    fault.help = Some(format!("the other branch is {}", wanted.described()));
                }
                return Err(fault);
            }
            indices[position] = index;
        }
        let node = self.push(Node::Apply(operation, indices));
        Ok((node, operation.result()))
    }

    fn look_up(
        &mut self,
        (name, place): &(&str, Range<usize>),
        indices: &[Syntax<'t>],
        span: &Range<usize>,
    ) -> Checked {
        let mut tables = self.tables.iter();
        let number = tables.position(|table| table.name == *name);
        let number = number.ok_or_else(|| self.unknown_table(name, place))?;
        let axes = &self.tables[number].axes;
        if indices.len() != axes.len() {
            let has = match axes.len() {
                1 => "1 axis".to_owned(),
                axes => format!("{axes} axes"),
            };
            let message = format!("table `{name}` has {has}");
            let fault = Fault::new(span.clone(), message, format!("{} given", indices.len()));
            return Err(fault.with_help("each axis needs an index".to_owned()));
        }
        let first = self.lookups.first[number];
        // The look-up adds two sums: places on the last axes, which may be whole numbers as long as
        // they are small together, and those on the others.
        let count = |axes: &[Vec<f32>]| axes.iter().map(|edges| edges.len() + 1).product::<usize>();
        let small = |axis: &usize| count(&axes[*axis..]) <= WHOLE_MAX as usize;
        let split = (1..axes.len()).find(small).unwrap_or(1);
        let mut sums = [None; 2];
        for (axis, index) in indices.iter().enumerate() {
            let (node, kind) = self.node(index)?;
            if kind != Kind::Number {
                return Err(mismatch(&index.span, Kind::Number));
            }
            let evaluation = Operation::Evaluate((first + axis) as u16);
            let own = self.push(Node::Apply(evaluation, [node, 0, 0]));
            let sum = &mut sums[usize::from(axis >= split)];
            *sum = Some(match *sum {
                None => own,
                Some(before) => self.push(Node::Apply(Operation::Add, [before, own, 0])),
            });
        }
        let grids = self.tables[..number].iter();
        let grid = grids.filter(|table| table.axes.len() > 1).count();
        let cell = match sums {
            [Some(one), Some(other)] => {
                self.push(Node::Apply(Operation::LookUp(grid as u16), [one, other, 0]))
            }
            [height, _] => height.expect("a table has an axis"),
        };
        Ok((cell, Kind::Number))
    }

    fn unknown_table(&self, name: &str, place: &Range<usize>) -> Fault {
        let tables = || self.tables.iter().map(|table| table.name.as_str());
        let (message, label) = match self.holder(name) {
            Some(holder) => (format!("`{name}` is {holder}"), "not a table".to_owned()),
            None => (
                format!("unknown table `{name}`"),
                format!("there is no [tables.{name}] in the file"),
            ),
        };
        let all = || {
            let names = tables().collect::<Vec<_>>().join("`, `");
            (!names.is_empty()).then(|| format!("the tables are `{names}`"))
        };
        let help = did_you_mean(name, tables()).or_else(all);
        Fault::new(place.clone(), message, label).with_help(help)
    }

    fn scope(&mut self, bindings: &[Binding<'t>], body: &Syntax<'t>) -> Checked {
        let outer = self.lets.len();
        for binding in bindings {
            self.reject_shadowing(binding)?;
            let (node, kind) = self.node(&binding.value)?;
            self.lets.push(Local {
                name: binding.name,
                place: binding.place.clone(),
                node,
                kind,
                used: false,
            });
        }
        let answer = self.node(body)?;
        for local in self.lets.drain(outer..) {
            if !local.used {
                let message = format!("`{}` is never used", local.name);
                let fault = Fault::new(local.place, message, "defined here");
                return Err(fault.with_help("use it or remove its `let`".to_owned()));
            }
        }
        Ok(answer)
    }

    fn reject_shadowing(&self, binding: &Binding) -> Result<(), Fault> {
        let name = binding.name;
        let holder = match self.holder(name) {
            Some("a `let` name") => "another `let`",
            Some(holder) => holder,
            None => return Ok(()),
        };
        let message = format!("`{name}` already names {holder}");
        let place = binding.place.clone();
        Err(Fault::new(place, message, "choose another name"))
    }

    /// The meaning of a name that is taken.
    fn holder(&self, name: &str) -> Option<&'static str> {
        let is_let = self.lets.iter().any(|local| local.name == name);
        let is_table = self.tables.iter().any(|table| table.name == name);
        let holders = [
            (is_let, "a `let` name"),
            (self.params.contains(&name), "a parameter"),
            (is_table, "a table"),
            (self.vocabulary.find(name).is_some(), "a feature"),
            (FUNCTIONS.contains(&name), "a function"),
        ];
        let holder = holders.iter().find(|(is_held, _)| *is_held);
        holder.map(|(_, holder)| *holder)
    }

    fn unknown(&self, name: &str, span: &Range<usize>) -> Fault {
        if self.tables.iter().any(|table| table.name == name) {
            let message = format!("`{name}` is a table");
            let fault = Fault::new(span.clone(), message, "its indices are missing");
            return fault.with_help(format!("write `{name}[…]`"));
        }
        let lets = self.lets.iter().map(|local| local.name);
        let params = self.params.iter().copied();
        let features = self.vocabulary.features.iter().map(|feature| feature.name);
        let tables = self.tables.iter().map(|table| table.name.as_str());
        let known = lets.chain(params).chain(features);
        let help = did_you_mean(name, known.chain(FUNCTIONS).chain(tables));
        let label = if self.vocabulary.features.is_empty() {
            "not counted in a game"
        } else {
            "not a feature, a parameter or a `let` name"
        };
        Fault::new(span.clone(), format!("unknown name `{name}`"), label).with_help(help)
    }

    fn push(&mut self, node: Node) -> usize {
        pushed(&mut self.nodes, node)
    }
}

fn mismatch(span: &Range<usize>, wanted: Kind) -> Fault {
    let (message, label, help) = match wanted {
        Kind::Number => (
            "a number is needed here",
            "this is a truth value",
            "write `if … then 1 else 0` to count it",
        ),
        Kind::Truth => (
            "a truth value is needed here",
            "this is a number",
            "compare it, for example with `> 0`",
        ),
    };
    Fault::new(span.clone(), message, label).with_help(help.to_owned())
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/check.rs"]
mod tests;
