//! Simple rules for the table.

use crate::process::{folder, holds};

/// The rule is the same on any number of threads, plays, and says what it does.
#[test]
fn a_rule_is_found_said_and_played() {
    let [one, two] = [1, 2].map(|threads| {
        let here = folder();
        let shown = here.run(&format!(
            "rule diamant --players 4 --set rounds=3 --no-charts --threads {threads} --out o"
        ));
        holds(&shown, "leave at … Subtract … In the last expedition");
        here
    });
    for file in ["rules.csv", "friends.csv", "rule.toml", "rule-friends.toml"] {
        let file = format!("o/{file}");
        assert_eq!(one.read(&file), two.read(&file), "{file}");
    }
    let friends = one.table("o/friends.csv");
    let pair = friends.numbers("personal")[1];
    assert!(pair > 0.25, "{pair}");
    one.run(
        "simulate diamant --set rounds=3 --seat o/rule.toml --seat 3*people --games 100k \
         --no-charts --quiet --out q",
    );
    let played = one.table("q/seats.csv").numbers("win_share")[0];
    let table = one.table("o/rules.csv");
    let rules = table.numbers("beside_1");
    assert!(
        rules.iter().any(|found| (found - played).abs() < 0.01),
        "{played}: {rules:?}"
    );
}

#[test]
fn a_rule_has_no_seats() {
    folder().refuses(
        "rule diamant --out o",
        &[
            ("--seat depth", "no such option"),
            ("--family depth", "no parameter"),
        ],
    );
}
