//! Simulations and comparisons that were killed or interrupted go on to the bytes of those that
//! were not.
#![cfg(unix)]

use crate::process::{Folder, folder};

/// What tells how far an unfinished run is.
const STATE: &str = "o/unfinished-games.carat";

/// The permissions of a file.
fn mode(here: &Folder, file: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::metadata(here.path(file)).expect("a file");
    found.permissions().mode() & 0o777
}

/// Starts a study and kills it as soon as it is kept how far it is.
fn killed(here: &Folder, study: &str) {
    let mut run = here.start(study);
    assert!(run.comes(|_| here.has(STATE)), "it ended early");
    run.kill();
}

/// Interrupts a study once it is kept further than before; tells after how many games that was.
fn interrupted(here: &Folder, study: &str) -> u64 {
    let kept = || here.has(STATE).then(|| here.bytes(STATE));
    let before = kept();
    let mut run = here.start(study);
    assert!(run.comes(|_| kept() != before), "it ended early");
    run.signal("-INT");
    let said = run.ends(130).replace('\n', " ");
    assert!(
        said.contains("is marked partial; run the same command with --resume to continue"),
        "{said}"
    );
    let (_, games) = said.split_once("interrupted after ").expect("games");
    let games = games.split(' ').next().map(|games| games.replace(',', ""));
    let games = games.and_then(|games| games.parse().ok());
    games.expect("a number")
}

#[test]
fn killed_and_interrupted_runs_resume() {
    go_on(["5k", "2k"]);
}

#[test]
#[ignore = "full set"]
fn killed_and_interrupted_long_runs_resume() {
    go_on(["75k", "48k"]);
}

fn go_on(games: [&str; 2]) {
    let studies = [
        ("simulate", "", "--raw"),
        ("compare", "--b rules.goal=1", ""),
    ];
    for ((kind, sides, raw), games) in studies.into_iter().zip(games) {
        let here = folder();
        let study = format!("{kind} diamond_miner {sides} --games {games} --no-charts");
        here.run(&format!("{study} --out whole {raw}"));
        let study = format!("{study} --threads 1 --out o");
        killed(&here, &study);
        assert_eq!(mode(&here, STATE), mode(&here, "whole/manifest.json"));
        here.refused_with(6, &study, "--resume … --restart");
        let again = format!("{study} --resume");
        let games = interrupted(&here, &again);
        assert!(games > 0 && here.has("o/partial/manifest.json"));
        here.ends(0, &format!("{again} {raw}")).says("resuming: ");
        here.same("o", "whole");
    }
}

/// Interrupted for the first time, too, and by another study that is asked for in its folder.
#[test]
fn other_studies_do_not_resume_saved_progress() {
    let here = folder();
    interrupted(
        &here,
        "simulate diamant --seat 5*threshold --games 10^12 --threads 1 --no-charts --out o",
    );
    let before = here.files("o");
    let other = "progress of another study";
    here.refused_with(6, "simulate diamant --games 500 --out o", other);
    here.refused_with(6, "solve diamant --against depth --out o", other);
    assert!(here.files("o") == before);
    let size: usize = before.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size < 1 << 18, "{size}");
    here.run("simulate diamant --games 500 --no-charts --out o --restart");
    assert!(
        !here
            .names("o")
            .iter()
            .any(|name| name.starts_with("unfinished"))
    );
}
