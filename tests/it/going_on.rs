//! Simulations and comparisons that were killed or interrupted go on to the bytes of those that
//! were not.
#![cfg(unix)]

use crate::fixtures::{carat, contents, folder, ok, text};
use crate::kept::{names, signal, start};
use std::path::Path;
use std::time::Duration;

/// What is under way so long is kept.
const LONG: Duration = Duration::from_millis(3500);

fn args(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Starts a study and kills it as soon as it is kept how far it is.
fn killed(here: &Path, study: &str) {
    let mut run = start(here, &args(study));
    while !here.join("o/unfinished-games.carat").exists() {
        assert!(run.try_wait().expect("a child").is_none(), "it ended early");
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().expect("killed");
    run.wait().expect("it ended");
}

/// Interrupts a study after a while; tells after how many games that was.
fn interrupted(here: &Path, study: &str, after: Duration) -> u64 {
    let run = start(here, &args(study));
    std::thread::sleep(after);
    signal("-INT", &run);
    let output = run.wait_with_output().expect("carat ends");
    let said = text(&output.stderr).replace('\n', " ");
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("is marked partial; the same command with --resume goes on"));
    let (_, games) = said.split_once("interrupted after ").expect("games");
    let games = games.split(' ').next().and_then(|games| games.parse().ok());
    games.expect("a number")
}

#[test]
fn what_was_killed_or_interrupted_goes_on() {
    let miner = "diamond_miner --games 30k --threads 1 --no-charts --out o";
    for study in [
        format!("simulate {miner}"),
        format!("compare {miner} --b rules.goal=1"),
    ] {
        let here = folder();
        let whole = study
            .replace("--threads 1", "")
            .replace("--out o", "--out whole");
        let whole: Vec<&str> = whole.split_whitespace().collect();
        let raw: &[&str] = if study.contains("compare") {
            &[]
        } else {
            &["--raw"]
        };
        ok(here.path(), &[&whole[..], raw].concat());
        killed(here.path(), &study);
        assert_eq!(
            names(&here.path().join("o"))[1..],
            ["unfinished-games.carat", "unfinished.jsonl"]
        );
        let refused = carat(here.path(), &args(&study));
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("--resume goes on with them"));

        let again = format!("{study} --resume");
        let first = interrupted(here.path(), &again, Duration::from_millis(300));
        let second = interrupted(here.path(), &again, Duration::from_millis(600));
        assert!(first > 0 && second >= first, "{first}, {second}");
        assert!(names(&here.path().join("o")).contains(&"manifest.json".to_string()));
        let last = carat(here.path(), &[&args(&again)[..], raw].concat());
        let said = text(&last.stderr);
        assert!(
            last.status.success() && said.contains("going on: "),
            "{said}"
        );
        let of = |name: &str| contents(&here.path().join(name));
        assert!(of("o") == of("whole"), "{study}");
    }
}

/// Interrupted for the first time, too, and by another study that is asked for in its folder.
#[test]
fn what_was_interrupted_is_not_taken_by_another_study() {
    let here = folder();
    let study = "simulate diamant --games 10^12 --no-charts --out o";
    interrupted(here.path(), study, LONG);
    let before = contents(&here.path().join("o"));
    for other in [
        "simulate diamant --games 500 --out o",
        "solve diamant --out o",
    ] {
        let refused = carat(here.path(), &args(other));
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("done of another study"), "{said}");
    }
    assert!(contents(&here.path().join("o")) == before);
    let size: usize = before.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size < 1 << 18, "{size}");
    ok(
        here.path(),
        &args("simulate diamant --games 500 --no-charts --out o --restart"),
    );
    assert!(
        !names(&here.path().join("o"))
            .iter()
            .any(|name| name.starts_with("unfinished"))
    );
}
