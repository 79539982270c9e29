//! A short piece of the attack that `scripts/soak.sh` plays for as long as one likes.
#![cfg(unix)]

use crate::attacks::{ATTACKS, asked, attack};
use crate::process::folder;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Plays so many cases of a category; a failing one is shown with all that was run.
#[track_caller]
fn some(category: &str, cases: u32) {
    let chosen = ATTACKS.iter().find(|attack| attack.0 == category);
    let chosen = chosen.expect("a category");
    let here = folder();
    // A smaller seed is not a smaller case.
    let config = Config {
        cases,
        max_shrink_iters: 0,
        failure_persistence: None,
        ..Config::default()
    };
    // The same cases each time; other ones are for `scripts/soak.sh`.
    let same = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let played = TestRunner::new_with_rng(config, same).run(&any::<u64>(), |seed| {
        let (case, outcome) = attack(chosen, seed, &here.path(""));
        let describe = |fault| format!("{category}:{seed}: {fault}\n{}", case.log);
        outcome.map_err(|fault| TestCaseError::fail(describe(fault)))
    });
    played.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn any_command_line_ends_with_a_clean_refusal_or_results() {
    some("lines", 60);
    some("ranges", 20);
    some("pipes", 10);
}

#[test]
fn any_study_ends_with_a_clean_refusal_or_results() {
    some("studies", 30);
    some("manifests", 15);
    some("names", 4);
}

#[test]
fn any_rules_and_bots_are_refused_or_played_as_the_referee_does() {
    some("tables", 15);
    some("texts", 2);
}

#[test]
fn killed_at_any_moment_and_resumed_it_gives_the_same_bytes() {
    some("kills", 3);
    some("journals", 2);
}

#[test]
fn random_cases_agree_with_oracles() {
    for (category, cases) in [("packed", 5), ("tunes", 2), ("solves", 1), ("records", 3)] {
        some(category, cases);
    }
    some("shards", 2);
    some("raw", 2);
}

#[test]
fn an_attack_that_cannot_be_played_is_refused() {
    assert!(asked("0.5", "", "").is_ok_and(|it| it.2.is_none()));
    assert!(asked("1", "0", "lines:123").is_ok_and(|it| it.3 == Some(123)));
    for wrong in ["5m||", "0||", "nan||", "5|x|", "5||linse", "5||lines:x"] {
        let parts: Vec<&str> = wrong.split('|').collect();
        assert!(asked(parts[0], parts[1], parts[2]).is_err(), "{wrong}");
    }
}
