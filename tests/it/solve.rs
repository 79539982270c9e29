//! Play that is learnt: its files, where it starts, and what is refused.

use crate::process::{Folder, folder, holds};
use serde_json::Value;

/// Learns in a folder, and tells the manifest and tables.
fn solve(here: &Folder, how: &str) -> Value {
    here.json(&format!("solve diamant --json --no-charts --out o {how}"))
}

/// A learnt bot plays wherever bots do; what it is made of is checked.
#[test]
fn a_learnt_bot_plays() {
    let deck = "--set treasures=[2,3,5,9] --set 'traps={a=2,b=2}' --set rounds=1";
    let here = folder();
    solve(
        &here,
        &format!("--players 3 --games 100k {deck} --from nothing"),
    );
    assert!(here.has("o/gain.csv"));
    let whole = here.read("o/solved.toml");
    here.write("solved.toml", &whole);
    let simulate = "simulate diamant --seat 2*./solved.toml --seat threshold";
    here.run(&format!("{simulate} --games 1000 --out s"));

    // The same file with a few bytes fewer.
    let (axes, cells) = whole.split_once("zlib = \"").expect("compressed cells");
    let fewer = format!("{axes}zlib = \"{}", &cells[4..]);
    here.write("solved.toml", fewer);
    here.refused(
        simulate,
        "its values are not compressed by zlib, or are damaged",
    );
}

#[test]
fn learning_starts_from_the_bot_that_ships() {
    let solved = solve(&folder(), "--players 2 --games 100k --set rounds=1");
    assert_eq!(solved["manifest"]["study"]["from"], "solved-2");
    assert_eq!(solved["tables"]["standings"][0]["bot"], "solved-2");
}

#[test]
fn invalid_training_is_refused() {
    let here = folder();
    here.refuses_as("solve");
    for (axes, said) in [
        ("", "no section is given"),
        (
            "{ name = 'go', axes = [] }",
            "1 to 8 axes are possible, 0 given",
        ),
        (
            "{ name = 'go', axes = [{ of = 'held', edges = [3, 2] }] }",
            "edges must be finite and rise",
        ),
        (
            "{ name = 'go', axes = [{ of = 'helt', edges = [3] }] }",
            "unknown name `helt` … axes.1.axes.1.of:1:1",
        ),
        (
            "{ name = 'a b', axes = [{ of = 'held', edges = [3] }] }",
            "`a b` cannot name a section … axes.1.name:1:1",
        ),
    ] {
        let study = format!("study = 'solve'\naxes = [{axes}]\n[table]\ngame = 'diamant'\n");
        here.write("faulty.toml", study);
        here.refused("run faulty.toml", said);
    }
}

/// The bot that training starts from is in the manifest, and its score is what a new one must beat.
#[test]
fn a_training_from_a_bot_of_ones_own_is_repeated() {
    let here = folder();
    let how = "--players 3 --games 100k --set rounds=1 --objective score_mean --no-charts";
    here.run(&format!("solve diamant {how} --from nothing --out first"));
    here.write("mine.toml", here.read("first/solved.toml"));
    let shown = here.run(&format!(
        "solve diamant {how} --from mine.toml --out second"
    ));
    // Far more than a third.
    holds(&shown.replace('\n', " "), "mine.toml in its place gets");
    let elsewhere = folder();
    elsewhere.write("manifest.json", here.read("second/manifest.json"));
    elsewhere.run("run manifest.json --no-charts --out again");
    assert_eq!(
        elsewhere.read("again/standings.csv"),
        here.read("second/standings.csv")
    );
}
