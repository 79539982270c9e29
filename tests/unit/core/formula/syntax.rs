use super::*;
use crate::testing::assert_refused;

/// The tree in prefix notation.
fn shape(syntax: &Syntax) -> String {
    match &syntax.form {
        Form::Number(number) => number.to_string(),
        Form::Truth(truth) => truth.to_string(),
        Form::Name(name) => (*name).to_owned(),
        Form::Apply(operation, operands) => format!("{operation:?}({})", shapes(operands)),
        Form::LookUp((name, _), indices) => format!("{name}[{}]", shapes(indices)),
        Form::Let(bindings, body) => {
            let names: Vec<&str> = bindings.iter().map(|binding| binding.name).collect();
            format!("Let({}: {})", names.join(" "), shape(body))
        }
    }
}

fn shapes(syntax: &[Syntax]) -> String {
    syntax.iter().map(shape).collect::<Vec<_>>().join(" ")
}

#[test]
fn operators_bind_as_documented() {
    for case in [
        "a or b and not c < d => Or(a And(b Not(Less(c d))))",
        "a + b * -c - d => Subtract(Add(a Multiply(b Negate(c))) d)",
        "a - b - c / d / e => Subtract(Subtract(a b) Divide(Divide(c d) e))",
        "-a * b => Multiply(Negate(a) b)",
        "a >= b + 1 => AtMost(Add(b 1) a)",
        "not not a and b => And(Not(Not(a)) b)",
        "(a or b) and c => And(Or(a b) c)",
        // Branches reach as far as they can.
        "if a then 1 else 2 + 3 => ChooseNumber(a 1 Add(2 3))",
        "1 + if a then 1 else if b then 2 else 3 => Add(1 ChooseNumber(a 1 ChooseNumber(b 2 3)))",
        // Functions of many arguments fold from the left.
        "min(a, b, c) => Minimum(Minimum(a b) c)",
        "floor(abs(-1)) => Floor(Absolute(Negate(1)))",
        "a[b + 1] * c[d, -e[1]] => Multiply(a[Add(b 1)] c[d Negate(e[1])])",
        "let a = 1; let b = a; a + b => Let(a b: Add(a b))",
        "1 + (let a = 2; a * a) => Add(1 Let(a: Multiply(a a)))",
    ] {
        let (text, expected) = case.split_once(" => ").unwrap();
        assert_eq!(shape(&parse(text).unwrap()), expected, "{text}");
    }
}

#[test]
fn faults_say_what_was_expected() {
    let cases = [
        "1 + abs(a, b) => 4..13 `abs` takes one argument",
        "min() => 0..5 `min` takes two or more arguments",
        "mni(1, 2) => 0..3 unknown function `mni` | not a function \
         | the functions are `min`, `max`, `abs`, `floor`",
        "max + 1 => 0..3 `max` is a function",
        "a[] => 2..3 expected a number, a name or `(`, found `]`",
        "a[b => 3..3 expected an operator, `,` or `]`, found the end of the formula",
        "(a)[b] => 3..4 expected an operator or the end of the formula, found `[`",
        "1 + let a = 2; a => 4..7 `let` is not allowed here",
        "let a = 2, a => 9..10 expected `;` after the value of `a`, found `,`",
        "let if = 2; 3 => 4..6 expected a name after `let`, found `if`",
        "a + => 3..3 expected a number, a name or `(`, found the end of the formula",
        " => 0..0 expected a number, a name or `(`, found the end of the formula",
        "(a + b => 6..6 expected an operator or `)`, found the end of the formula",
        "a b => 2..3 expected an operator or the end of the formula, found `b`",
        "a < b == c => 6..8 comparisons cannot be chained",
        "a + not b => 4..7 `not` binds less strongly than the operator before it",
        "1e39 => 0..4 the number is too large",
        "if a = 1 then 2 else 3 => 5..6 expected `then` after the condition of `if`, found `=` \
         | not expected here | write `==` to compare",
        "a =>1 => 2..3 expected an operator or the end of the formula, found `=` \
         | not expected here | write `>=` to compare",
        "a =< 1 => 2..3 expected an operator or the end of the formula, found `=` \
         | not expected here | write `<=` to compare",
        "a > = 1 => 4..5 expected a number, a name or `(`, found `=` \
         | not expected here | write `>=` to compare",
        "a <> 1 => 3..4 expected a number, a name or `(`, found `>` \
         | not expected here | write `!=` to compare",
    ];
    assert_refused(&cases, |text| parse(text).unwrap_err());
}

#[test]
fn size_is_limited_before_the_stack_is() {
    let fault = |text: &str| parse(text).unwrap_err();
    for opening in ["(", "-", "not ", "if ", "abs(", "a["] {
        let deep = opening.repeat(TEXT_MAX / opening.len());
        assert_eq!(fault(&deep).message, "the formula is nested too deeply");
    }
    // Numbers and names are no operations; each kind of operation is one.
    let sum = |operations: usize| "a+".repeat(operations) + "1";
    let nine = "max(1,2,3) + abs(-a) + (if a < 1 then 2 else 3) + ";
    let operations = |rest: usize| format!("{nine}{}", sum(rest));
    assert!(parse(&sum(OPERATIONS_MAX)).is_ok() && parse(&operations(OPERATIONS_MAX - 9)).is_ok());
    for large in [
        sum(OPERATIONS_MAX + 1),
        sum(TEXT_MAX / 2 - 1),
        operations(OPERATIONS_MAX - 8),
    ] {
        assert_eq!(fault(&large).message, "the formula is too large");
    }
    let longer = " ".repeat(TEXT_MAX + 1);
    assert_eq!(fault(&longer).span, TEXT_MAX..TEXT_MAX + 1);
    let allowed = "(".repeat(DEPTH_MAX) + "a" + &")".repeat(DEPTH_MAX);
    assert_eq!(shape(&parse(&allowed).unwrap()), "a");
}
