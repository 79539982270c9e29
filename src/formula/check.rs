//! A syntax tree into nodes, with every name resolved and every kind checked.

use std::ops::Range;

use super::operation::Operation;
use super::syntax::{Binding, Form, Syntax};
use super::table::{Lookups, Table};
use super::token::FUNCTIONS;
use super::vocabulary::{Kind, Vocabulary};
use super::whole::WHOLE_MAX;
use super::{Fault, Node};
use crate::diagnostic::nearest;

/// The nodes of a formula whose answer is of the vocabulary's kind, operands before what uses
/// them, together with the index of the answer. Tables come with what is looked up of them.
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
    if kind != vocabulary.answer {
        let mut fault = mismatch(&syntax.span, vocabulary.answer);
        fault.message = format!(
            "`{}` must be {}",
            vocabulary.question,
            vocabulary.answer.described()
        );
        return Err(fault);
    }
    Ok((checker.nodes, root))
}

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
    fn node(&mut self, syntax: &Syntax<'t>) -> Result<(usize, Kind), Fault> {
        match &syntax.form {
            Form::Number(number) => Ok((self.push(Node::Number(*number)), Kind::Number)),
            Form::Truth(truth) => Ok((self.push(Node::Truth(*truth)), Kind::Truth)),
            Form::Name(name) => self.name(name, &syntax.span),
            Form::Apply(operation, operands) => self.apply(*operation, operands),
            Form::LookUp(table, indices) => self.look_up(table, indices, &syntax.span),
            Form::Let(bindings, body) => self.scope(bindings, body),
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Result<(usize, Kind), Fault> {
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

    fn apply(
        &mut self,
        operation: Operation,
        operands: &[Syntax<'t>],
    ) -> Result<(usize, Kind), Fault> {
        // The branches of an `if` may be of either kind, as long as it is the same.
        let mut operation = operation;
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
    ) -> Result<(usize, Kind), Fault> {
        let Some(number) = self.tables.iter().position(|table| table.name == *name) else {
            return Err(self.unknown_table(name, place));
        };
        let axes = self.tables[number].axes.len();
        if indices.len() != axes {
            let given = indices.len();
            return Err(Fault {
                span: span.clone(),
                message: format!(
                    "table `{name}` has {}",
                    match axes {
                        1 => "1 axis".to_owned(),
                        _ => format!("{axes} axes"),
                    }
                ),
                label: format!("{given} given"),
                help: Some("each axis needs an index".to_owned()),
            });
        }
        let first = self.lookups.first_stairs(number);
        // The look-up adds two sums: places on the last axes, which may be whole numbers as long as
        // they are small together, and those on the others.
        let axes = &self.tables[number].axes;
        let count = |axes: &[Vec<f32>]| axes.iter().map(|edges| edges.len() + 1).product::<usize>();
        let small = |axis: &usize| count(&axes[*axis..]) <= WHOLE_MAX as usize;
        let split = (1..axes.len()).find(small).unwrap_or(1);
        let mut sums = [None; 2];
        for (axis, index) in indices.iter().enumerate() {
            let (node, kind) = self.node(index)?;
            if kind != Kind::Number {
                return Err(mismatch(&index.span, Kind::Number));
            }
            let climb = Operation::Climb((first + axis) as u16);
            let own = self.push(Node::Apply(climb, [node, 0, 0]));
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
        let help = nearest(name, tables()).map(|near| format!("did you mean `{near}`?"));
        let all = || {
            format!(
                "the tables are `{}`",
                tables().collect::<Vec<_>>().join("`, `")
            )
        };
        Fault {
            span: place.clone(),
            message,
            label,
            help: help.or_else(|| (!self.tables.is_empty()).then(all)),
        }
    }

    fn scope(
        &mut self,
        bindings: &[Binding<'t>],
        body: &Syntax<'t>,
    ) -> Result<(usize, Kind), Fault> {
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
                return Err(Fault {
                    span: local.place,
                    message: format!("`{}` is never used", local.name),
                    label: "defined here".to_owned(),
                    help: Some("use it or remove its `let`".to_owned()),
                });
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
        Err(Fault {
            span: binding.place.clone(),
            message: format!("`{name}` already names {holder}"),
            label: "choose another name".to_owned(),
            help: None,
        })
    }

    /// What a name that is taken stands for.
    fn holder(&self, name: &str) -> Option<&'static str> {
        if self.lets.iter().any(|local| local.name == name) {
            Some("a `let` name")
        } else if self.params.contains(&name) {
            Some("a parameter")
        } else if self.tables.iter().any(|table| table.name == name) {
            Some("a table")
        } else if self.vocabulary.find(name).is_some() {
            Some("a feature")
        } else if FUNCTIONS.contains(&name) {
            Some("a function")
        } else {
            None
        }
    }

    fn unknown(&self, name: &str, span: &Range<usize>) -> Fault {
        if self.tables.iter().any(|table| table.name == name) {
            return Fault {
                span: span.clone(),
                message: format!("`{name}` is a table"),
                label: "its indices are missing".to_owned(),
                help: Some(format!("write `{name}[…]`")),
            };
        }
        let lets = self.lets.iter().map(|local| local.name);
        let params = self.params.iter().copied();
        let features = self.vocabulary.features.iter().map(|feature| feature.name);
        let known = lets.chain(params).chain(features).chain(FUNCTIONS);
        let tables = self.tables.iter().map(|table| table.name.as_str());
        let known = known.chain(tables);
        Fault {
            span: span.clone(),
            message: format!("unknown name `{name}`"),
            label: "not a feature, a parameter or a `let` name".to_owned(),
            help: nearest(name, known).map(|near| format!("did you mean `{near}`?")),
        }
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// The fault for a value that is not of the kind `wanted`.
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
    Fault {
        span: span.clone(),
        message: message.to_owned(),
        label: label.to_owned(),
        help: Some(help.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::TEST_VOCABULARY;
    use super::super::{Cells, Fault, Formula, Table};

    #[track_caller]
    fn fault(text: &str) -> Fault {
        Formula::parse(text, &["target", "nerve"], &TEST_VOCABULARY).unwrap_err()
    }

    #[test]
    fn unknown_names_are_shown_with_the_nearest_known() {
        let fault = fault("held > 3 or trap_seen > nerve");
        assert_eq!(fault.span, 12..21);
        assert_eq!(fault.help.as_deref(), Some("did you mean `traps_seen`?"));
        assert_eq!(
            self::fault("tarjet > 1").help.as_deref(),
            Some("did you mean `target`?")
        );
        assert_eq!(self::fault("xyz > 1").help, None);
        let local = self::fault("let stake = held; steak > stake");
        assert_eq!(local.help.as_deref(), Some("did you mean `stake`?"));
    }

    #[test]
    fn kinds_must_fit() {
        for (text, place, needed) in [
            ("held and true", 0..4, "a truth value"),
            ("not held", 4..8, "a truth value"),
            ("1 + (held > 2) > 2", 4..14, "a number"),
            ("min(held, true) > 2", 10..14, "a number"),
            ("if held then true else false", 3..7, "a truth value"),
            ("(held > 1) == true", 0..10, "a number"),
        ] {
            let fault = fault(text);
            assert_eq!(fault.span, place, "{text}");
            assert_eq!(fault.message, format!("{needed} is needed here"));
        }
    }

    #[test]
    fn branches_and_answers_must_be_of_the_right_kind() {
        let branches = fault("if held > 1 then true else 3");
        assert_eq!(branches.span, 27..28);
        assert_eq!(branches.message, "the branches of `if` differ in kind");
        let answer = fault("held + 1");
        assert_eq!(answer.span, 0..8);
        assert_eq!(answer.message, "`leave` must be a truth value");
        let text = "if if true then false else true then held > 1 else held < 1";
        Formula::parse(text, &[], &TEST_VOCABULARY).unwrap();
    }

    #[test]
    fn lets_may_not_shadow_or_go_unused() {
        assert_eq!(
            fault("let held = 1; held > 2").message,
            "`held` already names a feature"
        );
        assert_eq!(
            fault("let nerve = 1; nerve > 2").message,
            "`nerve` already names a parameter"
        );
        assert_eq!(
            fault("let min = 1; held > 2").message,
            "`min` already names a function"
        );
        let twice = fault("let a = 1; let a = 2; a > 2");
        assert_eq!(
            (twice.span, twice.message.as_str()),
            (15..16, "`a` already names another `let`")
        );
        let unused = fault("let a = 1; held > 2");
        assert_eq!(
            (unused.span, unused.message.as_str()),
            (4..5, "`a` is never used")
        );
        assert_eq!(fault("let a = a; a > 2").message, "unknown name `a`");
    }

    #[test]
    fn a_let_ends_with_its_parenthesis() {
        let parse = |text| Formula::parse(text, &[], &TEST_VOCABULARY);
        parse("(let a = held; a > 1) or (let a = chest; a > 2)").unwrap();
        assert_eq!(
            fault("(let a = held; a > 1) or a > 2").message,
            "unknown name `a`"
        );
    }

    fn tables() -> Vec<Table> {
        let table = |name: &str, axes: Vec<Vec<f32>>| Table {
            name: name.to_owned(),
            cells: Cells::packed(vec![0; 1 << axes.len()], 0.0, 1.0),
            axes,
        };
        let [one, two] = [vec![vec![1.0]], vec![vec![1.0], vec![2.0]]];
        vec![table("boldness", one), table("card", two)]
    }

    #[test]
    fn look_ups_must_fit_their_tables() {
        let parse =
            |text: &str| Formula::parse_with_tables(text, &["target"], &tables(), &TEST_VOCABULARY);
        let formula = parse("held > card[held, 2] + target").unwrap();
        assert!(!formula.uses_table(0) && formula.uses_table(1));
        for (text, span, message) in [
            ("held > boldnes[1]", 7..14, "unknown table `boldnes`"),
            ("held > held[1]", 7..11, "`held` is a feature"),
            ("held > target[1]", 7..13, "`target` is a parameter"),
            ("held > min[1]", 7..10, "`min` is a function"),
            ("held > card", 7..11, "`card` is a table"),
            ("held > card[1]", 7..14, "table `card` has 2 axes"),
            (
                "held > boldness[1, 2]",
                7..21,
                "table `boldness` has 1 axis",
            ),
            ("held > boldness[true]", 16..20, "a number is needed here"),
            ("boldness[held]", 0..14, "`leave` must be a truth value"),
            (
                "let card = 1; held > card",
                4..8,
                "`card` already names a table",
            ),
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!(
                (fault.span, fault.message.as_str()),
                (span, message),
                "{text}"
            );
        }
        let near = parse("held > boldnes[1]").unwrap_err().help;
        assert_eq!(near.as_deref(), Some("did you mean `boldness`?"));
        assert_eq!(fault("held > nerve[1]").label, "not a table");
    }
}
