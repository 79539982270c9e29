//! Tokens into an unchecked syntax tree.
//!
//! Only the shape of the text is judged here; names and kinds are the business of `check`. Binding
//! strength, weakest first: `or`, `and`, `not`, comparisons, `+ -`, `* /`, unary `-`. The branches
//! of `if` reach as far as they can.

use std::ops::Range;

use super::cursor::Cursor;
use super::operation::Operation;
use super::token::{Class, FUNCTIONS, Token, tokens};
use super::{Fault, TEXT_MAX};
use crate::diagnostic::nearest;

/// A part of a formula with its place, parentheses included.
#[derive(Debug)]
pub(super) struct Syntax<'t> {
    pub span: Range<usize>,
    pub form: Form<'t>,
}

#[derive(Debug)]
pub(super) enum Form<'t> {
    Number(f32),
    Truth(bool),
    Name(&'t str),
    /// As many operands as the operation takes. `if` is [`Operation::ChooseNumber`], whatever the
    /// kind of its branches.
    Apply(Operation, Vec<Syntax<'t>>),
    /// A cell of a table, by the table's name with its place, and the indices.
    LookUp((&'t str, Range<usize>), Vec<Syntax<'t>>),
    Let(Vec<Binding<'t>>, Box<Syntax<'t>>),
}

/// `let name = value;`
#[derive(Debug)]
pub(super) struct Binding<'t> {
    pub name: &'t str,
    pub place: Range<usize>,
    pub value: Syntax<'t>,
}

/// The syntax tree of a whole formula, which keeps to the size limits.
pub(super) fn parse(text: &str) -> Result<Syntax<'_>, Fault> {
    if text.len() > TEXT_MAX {
        return Err(Fault {
            span: text.floor_char_boundary(TEXT_MAX)..text.len(),
            message: format!("the formula is longer than {TEXT_MAX} bytes"),
            label: "too long from here on".to_owned(),
            help: None,
        });
    }
    let mut cursor = Cursor::new(tokens(text)?);
    let syntax = cursor.formula()?;
    match cursor.peek().class {
        Class::End => Ok(syntax),
        _ => Err(cursor.unexpected("an operator or the end of the formula")),
    }
}

const NOT: u8 = 2;
const COMPARISON: u8 = 3;
const UNARY: u8 = 6;

/// The strength of an infix operator, and the operation it stands for.
fn infix(text: &str) -> Option<(u8, Operation)> {
    Some(match text {
        "or" => (0, Operation::Or),
        "and" => (1, Operation::And),
        "<" | ">" => (COMPARISON, Operation::Less),
        "<=" | ">=" => (COMPARISON, Operation::AtMost),
        "==" => (COMPARISON, Operation::Equal),
        "!=" => (COMPARISON, Operation::Unequal),
        "+" => (4, Operation::Add),
        "-" => (4, Operation::Subtract),
        "*" => (5, Operation::Multiply),
        "/" => (5, Operation::Divide),
        _ => return None,
    })
}

impl<'t> Cursor<'t> {
    /// `let` bindings, if any, and what they are for.
    fn formula(&mut self) -> Result<Syntax<'t>, Fault> {
        let start = self.peek().span.start;
        let mut bindings = Vec::new();
        while self.accept("let") {
            bindings.push(self.binding()?);
        }
        let body = self.expression(0)?;
        if bindings.is_empty() {
            return Ok(body);
        }
        Ok(Syntax {
            span: start..body.span.end,
            form: Form::Let(bindings, Box::new(body)),
        })
    }

    fn binding(&mut self) -> Result<Binding<'t>, Fault> {
        let Token { class, text, span } = self.peek().clone();
        if class != Class::Name {
            return Err(self.unexpected("a name after `let`"));
        }
        self.advance();
        self.expect("=", &format!("`=` after `let {text}`"))?;
        let value = self.expression(0)?;
        self.expect(";", &format!("`;` after the value of `{text}`"))?;
        Ok(Binding {
            name: text,
            place: span,
            value,
        })
    }

    /// An expression whose infix operators all bind at least as strongly as `strength`.
    fn expression(&mut self, strength: u8) -> Result<Syntax<'t>, Fault> {
        let mut left = self.operand(strength)?;
        let mut compared = false;
        while let Some((own, operation)) = infix(self.peek().text) {
            if own < strength {
                break;
            }
            if own == COMPARISON && compared {
                return Err(self.chained());
            }
            compared = own == COMPARISON;
            let exchanged = self.peek().text.starts_with('>');
            self.advance();
            let right = self.expression(own + 1)?;
            let span = left.span.start..right.span.end;
            let operands = match exchanged {
                true => vec![right, left],
                false => vec![left, right],
            };
            left = self.node(span, Form::Apply(operation, operands))?;
        }
        Ok(left)
    }

    /// An operand with its prefix operators.
    fn operand(&mut self, strength: u8) -> Result<Syntax<'t>, Fault> {
        let (operation, inner) = match self.peek().text {
            "not" if strength > NOT => {
                return Err(self.fault_here(
                    "`not` binds less strongly than the operator before it",
                    "put `not …` into parentheses",
                ));
            }
            "not" => (Operation::Not, NOT),
            "-" => (Operation::Negate, UNARY),
            _ => return self.primary(),
        };
        let start = self.peek().span.start;
        self.deeper()?;
        self.advance();
        let operand = self.expression(inner)?;
        self.shallower();
        let span = start..operand.span.end;
        self.node(span, Form::Apply(operation, vec![operand]))
    }

    fn primary(&mut self) -> Result<Syntax<'t>, Fault> {
        let Token { class, text, span } = self.peek().clone();
        let after = self.peek_second().text;
        match (class, text) {
            (Class::Number, _) => {
                let number = self.number()?;
                self.advance();
                self.node(span, Form::Number(number))
            }
            (Class::Keyword, "true" | "false") => {
                self.advance();
                self.node(span, Form::Truth(text == "true"))
            }
            (Class::Keyword, "if") => self.choice(),
            (Class::Keyword, "let") => Err(self.fault_here(
                "`let` cannot stand here",
                "only at the front of the formula or of a parenthesis",
            )),
            (Class::Symbol, "(") => self.parenthesis(),
            (Class::Name, _) if after == "(" => self.call(),
            (Class::Name, _) if after == "[" => self.look_up(),
            (Class::Name, _) if FUNCTIONS.contains(&text) => Err(self.fault_here(
                &format!("`{text}` is a function"),
                "its arguments are missing",
            )),
            (Class::Name, _) => {
                self.advance();
                self.node(span, Form::Name(text))
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn number(&self) -> Result<f32, Fault> {
        match self.peek().text.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.fault_here(
                "the number is too large",
                &format!("the largest is {:e}", f32::MAX),
            )),
        }
    }

    fn choice(&mut self) -> Result<Syntax<'t>, Fault> {
        let start = self.peek().span.start;
        self.deeper()?;
        self.advance();
        let condition = self.expression(0)?;
        self.expect("then", "`then` after the condition of `if`")?;
        let yes = self.expression(0)?;
        self.expect("else", "`else`, because an `if` needs both branches")?;
        let no = self.expression(0)?;
        self.shallower();
        let span = start..no.span.end;
        let operands = vec![condition, yes, no];
        self.node(span, Form::Apply(Operation::ChooseNumber, operands))
    }

    fn parenthesis(&mut self) -> Result<Syntax<'t>, Fault> {
        let start = self.peek().span.start;
        self.deeper()?;
        self.advance();
        let mut inner = self.formula()?;
        inner.span = start..self.peek().span.end;
        self.expect(")", "an operator or `)`")?;
        self.shallower();
        Ok(inner)
    }

    fn call(&mut self) -> Result<Syntax<'t>, Fault> {
        let Token { text, span, .. } = self.peek().clone();
        let (operation, fewest, most) = match text {
            "min" => (Operation::Minimum, 2, usize::MAX),
            "max" => (Operation::Maximum, 2, usize::MAX),
            "abs" => (Operation::Absolute, 1, 1),
            "floor" => (Operation::Floor, 1, 1),
            _ => return Err(self.unknown_function()),
        };
        self.deeper()?;
        self.advance();
        self.advance();
        let mut arguments = Vec::new();
        if self.peek().text != ")" {
            arguments.push(self.expression(0)?);
            while self.accept(",") {
                arguments.push(self.expression(0)?);
            }
        }
        let span = span.start..self.peek().span.end;
        self.expect(")", "an operator, `,` or `)`")?;
        self.shallower();

        let count = arguments.len();
        if count < fewest || count > most {
            let wanted = match fewest {
                1 => "one argument",
                _ => "two or more arguments",
            };
            return Err(Fault {
                span,
                message: format!("`{text}` takes {wanted}"),
                label: format!("{count} given"),
                help: None,
            });
        }
        if most == 1 {
            return self.node(span, Form::Apply(operation, arguments));
        }
        let mut result = arguments.remove(0);
        for argument in arguments {
            let operands = vec![result, argument];
            result = self.node(span.clone(), Form::Apply(operation, operands))?;
        }
        Ok(result)
    }

    fn look_up(&mut self) -> Result<Syntax<'t>, Fault> {
        let Token { text, span, .. } = self.peek().clone();
        self.deeper()?;
        self.advance();
        self.advance();
        let mut indices = vec![self.expression(0)?];
        while self.accept(",") {
            indices.push(self.expression(0)?);
        }
        let whole = span.start..self.peek().span.end;
        self.expect("]", "an operator, `,` or `]`")?;
        self.shallower();
        self.node(whole, Form::LookUp((text, span), indices))
    }

    fn chained(&self) -> Fault {
        Fault {
            help: Some("write `a < b and b < c`".to_owned()),
            ..self.fault_here("comparisons cannot be chained", "second comparison")
        }
    }

    fn unknown_function(&self) -> Fault {
        let name = self.peek().text;
        let help = match nearest(name, FUNCTIONS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the functions are `{}`", FUNCTIONS.join("`, `")),
        };
        Fault {
            help: Some(help),
            ..self.fault_here(&format!("unknown function `{name}`"), "not a function")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DEPTH_MAX, OPERATIONS_MAX};
    use super::*;

    /// The tree in prefix notation.
    fn shape(syntax: &Syntax) -> String {
        match &syntax.form {
            Form::Number(number) => number.to_string(),
            Form::Truth(truth) => truth.to_string(),
            Form::Name(name) => (*name).to_owned(),
            Form::Apply(operation, operands) => {
                let operands: Vec<String> = operands.iter().map(shape).collect();
                format!("{operation:?}({})", operands.join(" "))
            }
            Form::LookUp((name, _), indices) => {
                let indices: Vec<String> = indices.iter().map(shape).collect();
                format!("{name}[{}]", indices.join(" "))
            }
            Form::Let(bindings, body) => {
                let names: Vec<&str> = bindings.iter().map(|binding| binding.name).collect();
                format!("Let({}: {})", names.join(" "), shape(body))
            }
        }
    }

    #[track_caller]
    fn assert_shape(text: &str, expected: &str) {
        assert_eq!(shape(&parse(text).unwrap()), expected, "{text}");
    }

    #[track_caller]
    fn fault(text: &str) -> (Range<usize>, String) {
        let fault = parse(text).unwrap_err();
        (fault.span, fault.message)
    }

    #[test]
    fn operators_bind_as_documented() {
        assert_shape("a or b and not c < d", "Or(a And(b Not(Less(c d))))");
        assert_shape("a + b * -c - d", "Subtract(Add(a Multiply(b Negate(c))) d)");
        assert_shape(
            "a - b - c / d / e",
            "Subtract(Subtract(a b) Divide(Divide(c d) e))",
        );
        assert_shape("-a * b", "Multiply(Negate(a) b)");
        assert_shape("a >= b + 1", "AtMost(Add(b 1) a)");
        assert_shape("not not a and b", "And(Not(Not(a)) b)");
        assert_shape("(a or b) and c", "And(Or(a b) c)");
    }

    #[test]
    fn branches_reach_as_far_as_they_can() {
        assert_shape("if a then 1 else 2 + 3", "ChooseNumber(a 1 Add(2 3))");
        assert_shape(
            "1 + if a then 1 else if b then 2 else 3",
            "Add(1 ChooseNumber(a 1 ChooseNumber(b 2 3)))",
        );
    }

    #[test]
    fn functions_of_many_arguments_fold_from_the_left() {
        assert_shape("min(a, b, c)", "Minimum(Minimum(a b) c)");
        assert_shape("floor(abs(-1))", "Floor(Absolute(Negate(1)))");
        let message = "`abs` takes one argument".to_owned();
        assert_eq!(fault("1 + abs(a, b)"), (4..13, message));
        assert_eq!(fault("min()").1, "`min` takes two or more arguments");
        assert_eq!(fault("mni(1, 2)").1, "unknown function `mni`");
        assert_eq!(fault("max + 1").1, "`max` is a function");
    }

    #[test]
    fn tables_take_any_indices() {
        assert_shape(
            "a[b + 1] * c[d, -e[1]]",
            "Multiply(a[Add(b 1)] c[d Negate(e[1])])",
        );
        assert_eq!(
            fault("a[]").1,
            "expected a number, a name or `(`, found `]`"
        );
        assert_eq!(
            fault("a[b").1,
            "expected an operator, `,` or `]`, found the end of the formula"
        );
        assert_eq!(
            fault("(a)[b]").1,
            "expected an operator or the end of the formula, found `[`"
        );
    }

    #[test]
    fn lets_stand_in_front_and_in_parentheses() {
        assert_shape("let a = 1; let b = a; a + b", "Let(a b: Add(a b))");
        assert_shape("1 + (let a = 2; a * a)", "Add(1 Let(a: Multiply(a a)))");
        assert_eq!(fault("1 + let a = 2; a").0, 4..7);
        assert_eq!(
            fault("let a = 2, a").1,
            "expected `;` after the value of `a`, found `,`"
        );
        assert_eq!(
            fault("let if = 2; 3").1,
            "expected a name after `let`, found `if`"
        );
    }

    #[test]
    fn faults_say_what_was_expected() {
        let end = "expected a number, a name or `(`, found the end of the formula";
        assert_eq!(fault("a +"), (3..3, end.to_owned()));
        assert_eq!(fault("").0, 0..0);
        assert_eq!(
            fault("(a + b").1,
            "expected an operator or `)`, found the end of the formula"
        );
        assert_eq!(
            fault("a b").1,
            "expected an operator or the end of the formula, found `b`"
        );
        assert_eq!(
            fault("a < b == c"),
            (6..8, "comparisons cannot be chained".to_owned())
        );
        assert_eq!(fault("a + not b").0, 4..7);
        assert_eq!(fault("1e39").1, "the number is too large");
        let single = parse("if a = 1 then 2 else 3").unwrap_err();
        assert_eq!(single.help.as_deref(), Some("write `==` to compare"));
    }

    #[test]
    fn size_is_limited_before_the_stack_is() {
        for opening in ["(", "-", "not ", "if ", "abs(", "a["] {
            let deep = opening.repeat(TEXT_MAX / opening.len());
            assert_eq!(fault(&deep).1, "the formula is nested too deeply");
        }
        let long = "a+".repeat(TEXT_MAX / 2 - 1) + "a";
        assert_eq!(fault(&long).1, "the formula is too large");
        // Numbers and names are no operations; each kind of operation is one.
        let sum = |operations: usize| "a+".repeat(operations) + "1";
        assert!(parse(&sum(OPERATIONS_MAX)).is_ok());
        assert_eq!(
            fault(&sum(OPERATIONS_MAX + 1)).1,
            "the formula is too large"
        );
        let larger = format!(
            "max(1,2,3) + abs(-a) + (if a < 1 then 2 else 3) + {}",
            sum(191)
        );
        assert!(parse(&larger).is_ok());
        assert!(parse(&format!("-{larger}")).is_err());
        let longer = " ".repeat(TEXT_MAX + 1);
        assert_eq!(fault(&longer).0, TEXT_MAX..TEXT_MAX + 1);
        let allowed = "(".repeat(DEPTH_MAX) + "a" + &")".repeat(DEPTH_MAX);
        assert_shape(&allowed, "a");
    }
}
