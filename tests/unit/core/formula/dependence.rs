use super::super::Value;
use super::super::tests::{bound, numbers, table};
use super::*;

/// A formula that is true where the answer depends on `features`.
fn dependence(text: &str, features: &[usize]) -> Formula {
    let card = table("card", &[&[1.0], &[2.0]], numbers(&[1.0, 2.0, 3.0, 4.0]));
    bound(text, &[card]).depends_on(features)
}

/// Whether the answer depends on `random`, feature 3, where one holds 7 rubies.
#[test]
fn known_sides_and_conditions_decide() {
    for (text, depends) in [
        ("held > 6", false),
        ("random < 0.5", true),
        ("abs(random - 1) < 0.5", true),
        ("random < 0.5 or held > 6", false),
        ("random < 0.5 or held > 7", true),
        ("held > 7 and random < 0.5", false),
        ("held > 6 and random < 0.5", true),
        ("if held > 6 then chest > 20 else random > 0.5", false),
        ("(if held > 7 then chest else random) > 1", true),
        ("if random > 0.5 then held > 1 else held > 2", true),
        ("if held > 6 then random > 0.5 else held > 2", true),
        ("not (held > 7 and random < 0.5)", false),
    ] {
        let answer = dependence(text, &[3]).evaluate(|feature| [7.0, 20.0, 2.0, 0.5][feature]);
        assert_eq!(answer, Value::Truth(depends), "{text}");
    }
}

#[test]
fn what_always_or_never_depends_is_known_at_once() {
    for (text, features) in [
        ("card[held, random] > 0", &[3][..]),
        ("card[random, 3] > 0", &[3]),
        ("held + random > 1", &[3]),
        ("chest > random", &[1, 3]),
    ] {
        let nodes = dependence(text, features).nodes;
        assert_eq!(nodes, [Node::Truth(true)], "{text}");
    }
    let text = "held > 6 and random > 0.5";
    assert_ne!(dependence(text, &[1, 3]).nodes, [Node::Truth(true)]);
    for text in ["card[held, chest] > 0", "held > traps_seen"] {
        assert_eq!(dependence(text, &[3]).nodes, [Node::Truth(false)]);
    }
}
