//! How precise results are asked to be, and what is told when they are not.

use crate::process::{Folder, folder, holds};
use serde_json::{Value, json};

#[test]
fn missed_precision_is_reported() {
    let here = folder();
    let goal = "--precision 0.0001 --max-games 500 --no-charts --out o";
    for study in [
        "simulate diamant",
        "compare diamant --b seats.1.enough=5",
        "sweep diamant --vary seats.1.enough=4,5",
        "tournament diamant --bots threshold depth",
    ] {
        let ran = here.ends(3, &format!("{study} {goal}"));
        ran.says("was not reached: after 500 games");
        assert!(here.has("o/manifest.json"));
    }
}

/// A folder with a bot that never leaves.
fn with_one_that_stays() -> Folder {
    let here = folder();
    here.write("stays.toml", "description = ''\nleave = 'false'\n");
    here
}

#[test]
fn a_precision_without_a_value_is_not_reached() {
    let here = with_one_that_stays();
    let missed = || {
        let manifest: Value = serde_json::from_str(&here.read("o/manifest.json")).expect("JSON");
        manifest.get("precision_missed").cloned()
    };
    let again = || {
        // It can be played again, and comes to the same end.
        here.ends(3, "run o/manifest.json --out p --quiet --no-charts");
        here.same("o", "p");
    };
    let play = |code, study: &str, metric: &str| {
        let seats = "--seat 2*./stays.toml --precision 0.5 --max-games 30000 --no-charts --out o";
        let ran = here.ends(code, &format!("{study} {seats} --metric {metric}"));
        ran.stderr
    };
    for study in [
        "simulate diamant",
        "compare diamant --b rules.rounds=3",
        "sweep diamant --vary rules.rounds=3..4",
    ] {
        let said = play(3, study, "cards_at_leaving_mean@1");
        holds(&said, "was not reached: there was nothing to divide by");
        let nothing = json!({ "asked": 0.5, "reached": null });
        assert_eq!(missed(), Some(nothing), "{study}");
        again();
        // One that is reached says nothing.
        let said = play(0, study, "score_mean@1");
        assert!(!said.contains("not reached"), "{study}: {said}");
        assert_eq!(missed(), None);
    }
    let tight = "simulate diamant --precision 1e-5 --max-games 5000 --no-charts --out o";
    here.ends(3, tight)
        .says("after 5,000 games the widest interval");
    let missed = missed().expect("it was missed");
    let reached = missed["reached"].as_f64().expect("a half-width");
    assert!(reached > 1e-3 && reached < 0.1, "{reached}");
    assert_eq!(missed["asked"], 1e-5);
    again();
}

#[test]
fn missing_values_do_not_block_a_precision() {
    let here = with_one_that_stays();
    let study = "simulate diamant --seat 2*stays.toml --precision 0.5 --no-charts --out o";
    let ran = here.ends(3, &format!("{study} --metric cards_at_leaving_mean@2"));
    ran.says("nothing to divide by");
    let games = here.table("o/seats.csv").numbers("games")[0] as u64;
    assert!((1 << 20..1 << 23).contains(&games), "{games}");
}
