//! Tokens into an unchecked syntax tree.
//!
//! Only the shape of the text is judged here; names and kinds are the business of `check`. Binding
//! strength, weakest first: `or`, `and`, `not`, comparisons, `+ -`, `* /`, unary `-`. The branches
//! of `if` reach as far as they can. Operators are parsed by their strength (Pratt 1973). Size and
//! nesting are limited, so that no text can exhaust the stack.

use std::ops::Range;

use super::operation::Operation;
use super::token::{Class, FUNCTIONS, Token, tokens};
use super::{DEPTH_MAX, Fault, OPERATIONS_MAX, TEXT_MAX};
use crate::diagnostic::did_you_mean;

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
        let message = format!("the formula is longer than {TEXT_MAX} bytes");
        let span = text.floor_char_boundary(TEXT_MAX)..text.len();
        return Err(Fault::new(span, message, "too long from here on"));
    }
    let mut cursor = Cursor {
        tokens: tokens(text)?,
        next: 0,
        operations: 0,
        depth: 0,
    };
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

/// A place in a formula's tokens.
struct Cursor<'t> {
    /// The last is of class `End` and is never passed.
    tokens: Vec<Token<'t>>,
    next: usize,
    operations: usize,
    depth: usize,
}

impl<'t> Cursor<'t> {
    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next]
    }

    /// Passes the next token, unless it is the end.
    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Passes the next token if it reads `text`, and says whether it did.
    fn accept(&mut self, text: &str) -> bool {
        let accepted = self.peek().text == text;
        if accepted {
            self.advance();
        }
        accepted
    }

    /// Passes the next token, which must read `text`.
    fn expect(&mut self, text: &str, described: &str) -> Result<(), Fault> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(self.unexpected(described))
        }
    }

    /// Passes the token that begins something nested, which lowers `depth` at its end; every level
    /// in use takes a bounded part of the stack.
    fn deeper(&mut self) -> Result<(), Fault> {
        if self.depth == DEPTH_MAX {
            let label = format!("more than {DEPTH_MAX} levels");
            return Err(self.fault_here("the formula is nested too deeply", &label));
        }
        self.depth += 1;
        self.advance();
        Ok(())
    }

    /// A node of the tree; operations are counted.
    fn node(&mut self, span: Range<usize>, form: Form<'t>) -> Result<Syntax<'t>, Fault> {
        self.operations += match &form {
            Form::Apply(..) => 1,
            // A step function for each axis, sums of all but the last, and the cell.
            Form::LookUp(_, indices) => 2 * indices.len() - 1,
            _ => 0,
        };
        if self.operations <= OPERATIONS_MAX {
            Ok(Syntax { span, form })
        } else {
            let label = format!("more than {OPERATIONS_MAX} operations");
            Err(Fault::new(span, "the formula is too large", label))
        }
    }

    fn fault_here(&self, message: &str, label: &str) -> Fault {
        Fault::new(self.peek().span.clone(), message, label)
    }

    /// The fault for a next token that is not what it should be.
    fn unexpected(&self, expected: &str) -> Fault {
        let Token { class, text, .. } = self.peek();
        let (found, label) = match class {
            Class::End => ("the end of the formula".to_owned(), "ends here"),
            _ => (format!("`{text}`"), "not expected here"),
        };
        let text_at = |at: usize| self.tokens.get(at).map_or("", |token| token.text);
        let (before, after) = (text_at(self.next.wrapping_sub(1)), text_at(self.next + 1));
        let meant = match (before, *text, after) {
            (">", "=", _) | (_, "=", ">") => Some(">="),
            ("<", "=", _) | (_, "=", "<") => Some("<="),
            ("<", ">", _) => Some("!="),
            (_, "=", _) => Some("=="),
            _ => None,
        };
        let help = meant.map(|meant| format!("write `{meant}` to compare"));
        let message = format!("expected {expected}, found {found}");
        self.fault_here(&message, label).with_help(help)
    }

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
        let (name, place) = (text, span);
        Ok(Binding { name, place, value })
    }

    /// An expression in which all infix operators bind at least as strongly as `strength`.
    fn expression(&mut self, strength: u8) -> Result<Syntax<'t>, Fault> {
        let mut left = self.operand(strength)?;
        let mut compared = false;
        while let Some((own, operation)) = infix(self.peek().text) {
            if own < strength {
                break;
            }
            if own == COMPARISON && compared {
                let fault = self.fault_here("comparisons cannot be chained", "second comparison");
                return Err(fault.with_help("write `a < b and b < c`".to_owned()));
            }
            compared = own == COMPARISON;
            let exchanged = self.peek().text.starts_with('>');
            self.advance();
            let right = self.expression(own + 1)?;
            let span = left.span.start..right.span.end;
            let mut operands = vec![left, right];
            if exchanged {
                operands.reverse();
            }
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
        let operand = self.expression(inner)?;
        self.depth -= 1;
        let span = start..operand.span.end;
        self.node(span, Form::Apply(operation, vec![operand]))
    }

    fn primary(&mut self) -> Result<Syntax<'t>, Fault> {
        let Token { class, text, span } = self.peek().clone();
        let after = self.tokens.get(self.next + 1).map(|token| token.text);
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
                "`let` is not allowed here",
                "allowed only at the start of the formula or of a parenthesis",
            )),
            (Class::Symbol, "(") => self.parenthesis(),
            (Class::Name, _) if after == Some("(") => self.call(),
            (Class::Name, _) if after == Some("[") => self.look_up(),
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
        let condition = self.expression(0)?;
        self.expect("then", "`then` after the condition of `if`")?;
        let yes = self.expression(0)?;
        self.expect("else", "`else`, because an `if` needs both branches")?;
        let no = self.expression(0)?;
        self.depth -= 1;
        let span = start..no.span.end;
        let operands = vec![condition, yes, no];
        self.node(span, Form::Apply(Operation::ChooseNumber, operands))
    }

    fn parenthesis(&mut self) -> Result<Syntax<'t>, Fault> {
        let start = self.peek().span.start;
        self.deeper()?;
        let mut inner = self.formula()?;
        inner.span = start..self.peek().span.end;
        self.expect(")", "an operator or `)`")?;
        self.depth -= 1;
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
        let arguments = match self.peek().text {
            ")" => Vec::new(),
            _ => self.list()?,
        };
        let span = span.start..self.peek().span.end;
        self.expect(")", "an operator, `,` or `)`")?;
        self.depth -= 1;

        let count = arguments.len();
        if count < fewest || count > most {
            let wanted = match fewest {
                1 => "one argument",
                _ => "two or more arguments",
            };
            let message = format!("`{text}` takes {wanted}");
            return Err(Fault::new(span, message, format!("{count} given")));
        }
        if most == 1 {
            return self.node(span, Form::Apply(operation, arguments));
        }
        let mut arguments = arguments.into_iter();
        let mut result = arguments.next().expect("at least two arguments");
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
        let indices = self.list()?;
        let whole = span.start..self.peek().span.end;
        self.expect("]", "an operator, `,` or `]`")?;
        self.depth -= 1;
        self.node(whole, Form::LookUp((text, span), indices))
    }

    /// Expressions with commas between them.
    fn list(&mut self) -> Result<Vec<Syntax<'t>>, Fault> {
        let mut expressions = vec![self.expression(0)?];
        while self.accept(",") {
            expressions.push(self.expression(0)?);
        }
        Ok(expressions)
    }

    fn unknown_function(&self) -> Fault {
        let name = self.peek().text;
        let all = || format!("the functions are `{}`", FUNCTIONS.join("`, `"));
        let help = did_you_mean(name, FUNCTIONS).unwrap_or_else(all);
        let message = format!("unknown function `{name}`");
        self.fault_here(&message, "not a function").with_help(help)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/syntax.rs"]
mod tests;
