//! The parser's position in the tokens, its limits, and its errors.
//!
//! The limits on size and nesting are enforced here, so that no text can exhaust the stack.

use std::ops::Range;

use super::syntax::{Form, Syntax};
use super::token::{Class, Token};
use super::{DEPTH_MAX, Fault, OPERATIONS_MAX};

/// A place in a formula's tokens.
pub(super) struct Cursor<'t> {
    /// The last is of class `End` and is never passed.
    tokens: Vec<Token<'t>>,
    next: usize,
    operations: usize,
    depth: usize,
}

impl<'t> Cursor<'t> {
    /// The start of `tokens`, which must not be empty.
    pub fn new(tokens: Vec<Token<'t>>) -> Self {
        Cursor {
            tokens,
            next: 0,
            operations: 0,
            depth: 0,
        }
    }

    pub fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next]
    }

    /// The token after the next.
    pub fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)]
    }

    /// Passes the next token, unless it is the end.
    pub fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Passes the next token if it reads `text`, and says whether it did.
    pub fn accept(&mut self, text: &str) -> bool {
        let accepted = self.peek().text == text;
        if accepted {
            self.advance();
        }
        accepted
    }

    /// Passes the next token, which must read `text`.
    pub fn expect(&mut self, text: &str, described: &str) -> Result<(), Fault> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(self.unexpected(described))
        }
    }

    /// Enters something nested; every level in use takes a bounded part of the stack.
    pub fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        let label = format!("more than {DEPTH_MAX} levels");
        if self.depth <= DEPTH_MAX {
            Ok(())
        } else {
            Err(self.fault_here("the formula is nested too deeply", &label))
        }
    }

    /// Leaves what the last [`Self::deeper`] entered.
    pub fn shallower(&mut self) {
        self.depth -= 1;
    }

    /// A node of the tree; operations are counted.
    pub fn node(&mut self, span: Range<usize>, form: Form<'t>) -> Result<Syntax<'t>, Fault> {
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

    /// A fault at the next token.
    pub fn fault_here(&self, message: &str, label: &str) -> Fault {
        Fault::new(self.peek().span.clone(), message, label)
    }

    /// The fault for a next token that is not what it should be.
    pub fn unexpected(&self, expected: &str) -> Fault {
        let Token { class, text, .. } = self.peek();
        let (found, label) = match class {
            Class::End => ("the end of the formula".to_owned(), "ends here"),
            _ => (format!("`{text}`"), "not expected here"),
        };
        let compare = (*text == "=").then(|| "write `==` to compare".to_owned());
        let message = format!("expected {expected}, found {found}");
        self.fault_here(&message, label).with_help(compare)
    }
}
