use super::*;

fn written(path: &str, value: &str) -> Vec<String> {
    let shown = |of: NumberStep| {
        let change = &of.changes[0].1;
        format!("{}: {}-{} {change}", of.what, of.from, of.to)
    };
    let steps = numbers_of(path, value, None).unwrap().into_iter().flatten();
    steps.map(shown).collect()
}

#[test]
fn numbers_go_down_and_up() {
    let snakes = ["traps.snake: 3-2 2", "traps.snake: 3-4 4"];
    assert_eq!(written("rules.traps.snake", "3"), snakes);
    let fear = [
        "seats.1.fear: 0.25-0.24 0.24",
        "seats.1.fear: 0.25-0.26 0.26",
    ];
    assert_eq!(written("seats.1.fear", "0.25"), fear);
    assert_eq!([stepped("0", true), stepped("1.0", true)], ["-1", "0.9"]);
    let swap = "[\"ore + ore -> shovel\"]";
    for value in ["\"open\"", "true", "threshold", "[5, 5]", swap] {
        assert!(written("rules.x", value).is_empty(), "{value}");
    }
}
