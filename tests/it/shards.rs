//! Studies that are played in shards and merged: the same bytes as on one machine, or a refusal
//! that names what is wrong.

use crate::process::{Folder, folder, holds};
use std::fs;

const SIMULATE: &str = "simulate diamant --games 6k --players=3";
const SWEEP: &str = "sweep diamant --vary seats.1.enough=9..12 --vary players=3..4 --games 1k";

/// Plays shard `number` of `of` of a study into the folder `shards`.
fn shard(here: &Folder, study: &str, number: u64, of: u64) -> String {
    // Neither threads nor vectors matter.
    let threads = 1 + number % 3;
    let how = format!("--shard {number}/{of} --out shards --threads {threads}");
    here.run(&format!("{study} {how}"))
}

fn shards(here: &Folder, study: &str, of: u64) {
    for number in (1..=of).rev() {
        shard(here, study, number, of);
    }
}

const MERGE: &str = "merge shards --out merged";

/// Demands that shards of a study merge to the same bytes as the study, both written as `how` says.
#[track_caller]
fn merges(study: &str, of: u64, how: &str) {
    let here = folder();
    here.run(&format!("{study} --out whole {how}"));
    shards(&here, study, of);
    here.run(&format!("{MERGE} {how}"));
    here.same("merged", "whole");
}

#[test]
fn shards_of_every_kind_merge_to_the_same_bytes() {
    every_kind_merges(["6k", "60", "4k", "100", "3", "1k", "50"], "--no-charts");
    merges(SIMULATE, 3, "");
    merges(SWEEP, 5, "");
}

#[test]
#[ignore = "full set"]
fn shards_of_many_games_merge_to_the_same_bytes() {
    every_kind_merges(["60k", "900", "40k", "2k", "12", "10k", "500"], "");
}

fn every_kind_merges(games: [&str; 7], how: &str) {
    let studies = [
        ("simulate diamant --players=3", 3),
        ("simulate diamond_cave", 2),
        ("compare diamant --b rounds=4", 4),
        ("compare diamond_miner --each=goal,take", 3),
        (
            "simulate diamond_cave --seat surveyor:playouts=8 --seat 3*surveyor",
            3,
        ),
        (
            "sweep diamant --vary seats.1.enough=9..12 --vary players=3..4",
            5,
        ),
        // More cells than are compared with each other game by game.
        ("sweep diamant --vary seats.1.enough=1..70", 3),
    ];
    for ((study, of), games) in studies.into_iter().zip(games) {
        merges(&format!("{study} --games {games}"), of, how);
    }
}

#[test]
fn shards_may_be_of_no_games() {
    merges("simulate diamant --games 5", 7, "--no-charts");
}

/// The games of a shard are a range: about as many as those of the others, at every table.
#[test]
fn shards_play_ranges_of_games() {
    let here = folder();
    for study in [SIMULATE, SWEEP] {
        shards(&here, study, 3);
        let sizes = here.files("shards").into_iter();
        let games = sizes.map(|(_, bytes)| {
            let text = String::from_utf8(bytes).expect("text");
            let lines = text
                .lines()
                .skip(1)
                .filter(|line| line.contains("\"games\":"));
            let mut games = 0;
            for line in lines {
                let line: serde_json::Value = serde_json::from_str(line).expect("a line");
                let tables = line[1]["sums"]["tables"].as_array().expect("tables");
                games += tables[0]["games"].as_u64().expect("games");
            }
            games
        });
        let games: Vec<u64> = games.collect();
        let least = games.iter().min().expect("shards");
        assert!(games.iter().all(|games| games - least <= 4), "{games:?}");
        here.remove("shards");
    }
}

#[test]
fn a_shard_that_is_complete_is_not_played_again() {
    let here = folder();
    shard(&here, SIMULATE, 2, 3);
    let before = here.files("shards");
    let said = shard(&here, SIMULATE, 2, 3);
    holds(&said, "shard 2/3 is already complete");
    assert!(here.files("shards") == before);

    // What is damaged is played again, and so is what was asked for; not a file of another study.
    let (file, whole) = (&before[0].0, &before[0].1);
    let path = format!("shards/{file}");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let line = whole.iter().position(|byte| *byte == b'\n').expect("lines") + 1;
    let cut = [0, 100, line, whole.len() - 9].map(|length| whole[..length].to_vec());
    for damaged in cut.into_iter().chain([flipped]) {
        here.write(&path, &damaged);
        let said = shard(&here, SIMULATE, 2, 3);
        holds(&said, "shard 2/3: ");
        holds(&shard(&here, SIMULATE, 2, 3), "already complete");
        assert_eq!(here.names("shards"), [file.as_str()]);
    }
    let said = shard(&here, &format!("{SIMULATE} --restart"), 2, 3);
    holds(&said, "shard 2/3: ");
    for number in [1, 3] {
        shard(&here, SIMULATE, number, 3);
    }
    here.run(&format!("{SIMULATE} --out whole"));
    here.run(MERGE);
    here.same("merged", "whole");
}

#[test]
fn merging_names_what_is_missing_double_foreign_or_damaged() {
    let here = folder();
    let refused = |line: &str, said: &str| drop(here.refused_with(7, line, said));
    let missing = |line: &str, said: &str| drop(here.refused_with(4, line, said));
    shards(&here, SIMULATE, 7);
    let file = |number: u64| format!("shards/shard-{number}-of-7.jsonl");
    let (second, third) = (here.bytes(&file(2)), here.bytes(&file(3)));

    let copy = here.inner("copy");
    copy.write("shard-2-of-7.jsonl", &second);
    let both = "merge shards copy --out merged";
    refused(both, "copy … duplicate of shard 2/7");
    copy.write("shard-2-of-7.jsonl", &third);
    refused(both, "copy … this is shard 3/7, not 2/7");
    copy.write("shard-2-of-7.jsonl", &second);

    for number in [2, 3, 5] {
        here.remove(&file(number));
    }
    let begun = "shards/shard-5-of-7.unfinished";
    here.write(begun, "");
    let said = "shards are complete … complete: 1, 4, 6-7; interrupted: 5; missing: 2-3";
    missing(MERGE, said);
    missing(both, "missing: 3");
    here.remove(begun);
    shard(&here, SIMULATE, 5, 7);
    here.write(&file(2), &second);

    let other = format!("{SIMULATE} --seed 2 --shard 3/7 --out");
    here.run(&format!("{other} other"));
    let foreign = "other … different studies … seed 1 → 2";
    refused("merge shards other --out merged", foreign);
    // Nor does a shard of it go to the others.
    refused(&format!("{other} shards"), "different studies … seed");
    let fewer = format!("{SIMULATE} --shard 3/5 --out shards");
    refused(&fewer, "one of 7 shards, this of 5");

    let damaged = format!("{} … damaged", file(3));
    let first = third
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line")
        + 1;
    let second = first
        + third[first..]
            .iter()
            .position(|byte| *byte == b'\n')
            .expect("two")
        + 1;
    // Cut off within a line and between two, or a line is taken out: what is left is sound.
    let lost = [&third[..first], &third[second..]].concat();
    let cut = [0, 100, first, third.len() - 100].map(|length| third[..length].to_vec());
    for bytes in cut.into_iter().chain([lost]) {
        here.write(&file(3), &bytes);
        refused(MERGE, &damaged);
        let status = here.ends(7, "merge --status shards").stdout;
        holds(&status, "complete: 1-2, 4-7\n … damaged: 3\n");
    }
    let mut changed = third.clone();
    let digit = changed.iter_mut().rev().find(|byte| byte.is_ascii_digit());
    *digit.expect("a digit") ^= 1;
    here.write(&file(3), &changed);
    refused(MERGE, &damaged);
    here.write(&file(3), &third);
    // Files beside the shards are none of them, however they are named.
    here.write("shards/shard-3-of-7.games.parquet", "rows");
    here.write("shards/3.log", "");
    here.run(MERGE);
    let files: String = (1..=7).map(|number| file(number) + " ").collect();
    let rows = "shards/shard-3-of-7.games.parquet";
    here.run(&format!("merge {files} {rows} --out by-file"));
    here.same("merged", "by-file");

    for none in ["merge none", "merge none --status"] {
        let ran = here.ends(2, none);
        holds(&ran.stderr, "error: none: no such folder");
        assert_eq!(ran.stdout, "");
    }
    here.inner("empty");
    missing("merge empty", "empty: no shard of a study");
    missing(
        "merge shards empty --out merged",
        "empty: no shard of a study",
    );
    here.write("notes.jsonl", "my notes\n");
    refused("merge notes.jsonl", "not a shard of a study");
}

/// `merge` and `merge --status` go by the same check: one fails where the other does.
#[test]
fn merge_and_its_status_agree() {
    let here = folder();
    let study = "simulate diamant --games 4k";
    shards(&here, study, 3);
    let sound: Vec<(String, Vec<u8>)> = here.files("shards");
    here.run(&format!("{study} --seed 2 --shard 2/3 --out other"));
    let foreign = here.bytes("other/shard-2-of-3.jsonl");
    let path = |number: u64| format!("shards/shard-{number}-of-3.jsonl");
    let states = |code: i32| -> serde_json::Value {
        here.ends(code, "merge shards --out merged");
        let shown = here.ends(code, "merge --status shards --json").stdout;
        serde_json::from_str(&shown).expect("JSON")
    };
    let status = &states(0)["shards"];
    assert_eq!(status["of"], 3);
    assert_eq!(status["complete"], serde_json::json!([1, 2, 3]));
    for (bytes, code, state) in [
        (Some(&foreign[..]), 7, "foreign"),
        (Some(&sound[1].1[..500]), 7, "damaged"),
        (None, 4, "missing"),
    ] {
        here.remove(&path(2));
        if let Some(bytes) = bytes {
            here.write(&path(2), bytes);
        }
        let status = &states(code)["shards"];
        assert_eq!(status[state], serde_json::json!([2]), "{status}");
        assert_eq!(status["complete"], serde_json::json!([1, 3]), "{status}");
    }
    let listed = here.ends(4, "merge shards --status");
    holds(&listed.stdout, "missing: 2\n");
    assert!(!listed.stderr.contains("missing"), "{}", listed.stderr);
}

#[test]
fn studies_without_shards_are_refused() {
    let here = folder();
    here.run(&format!("{SIMULATE} --no-charts --out results"));
    let one_job = "one job … carat help results";
    for study in [
        "tune diamant --vary rules.rounds=3..6 --target cards_per_game=31..32",
        "solve diamant --games 1M",
        "tournament diamant --players 3 --bots threshold depth",
        "adapt diamant",
        "rule diamant",
        "analyse diamant --game 1",
        "simulate diamant --precision 0.01",
        "sweep diamant --vary players=3..4 --precision 0.01 --max-games 5k",
        "compare diamant --b rounds=4 --precision 0.01",
    ] {
        here.refused(&format!("{study} --shard 1/2"), one_job);
        here.refused(&format!("{study} --shard 1/2 --dry-run"), one_job);
    }
    here.refused("simulate diamant --max-games 9 --shard 1/2", "max_games");
    here.refused(&format!("{SIMULATE} --json --shard 1/2"), "--shard");
    let folder_of_results = format!("{SIMULATE} --out results --shard 1/2");
    here.refused_with(7, &folder_of_results, "holds results");
    here.refused(&format!("{SIMULATE} --shard 3/2"), "write K/N");
}

/// Wherever a shard is killed, it goes on, and what it left is never merged.
#[cfg(unix)]
#[test]
fn killed_shards_resume() {
    let study = "simulate diamant --games 600k";
    let here = folder();
    here.run(&format!("{study} --out whole --no-charts"));
    shard(&here, study, 1, 2);
    let own = format!("{study} --shard 2/2 --out shards --threads 1");
    for signal in ["-KILL", "-KILL", "-TERM"] {
        // Killed as soon as it begins, and then whenever it has kept more.
        let before = here.files("shards");
        let mut run = here.start(&own);
        assert!(run.comes(|_| here.files("shards") != before));
        run.signal(signal);
        run.comes(|_| false);
        here.refused_with(4, MERGE, "complete: 1; interrupted: 2");
    }
    // Killed while it wrote its first line, which is long.
    let begun = "shards/shard-2-of-2.unfinished";
    let bytes = here.bytes(begun);
    here.write(begun, &bytes[..5000]);
    here.run(&own);
    here.run(&format!("{MERGE} --no-charts"));
    here.same("merged", "whole");
}

#[test]
fn raw_decisions_of_shards_are_joined() {
    let here = folder();
    let raw = "simulate diamant --games 600 --players 3 --raw decisions";
    here.run(&format!("{raw} --no-charts --out one"));
    shards(&here, raw, 4);
    here.run(MERGE);
    here.same("merged", "one");
}

#[test]
fn raw_games_are_read_as_one_table() {
    raw_games_are_joined(6_000);
}

/// More rows than a group of the file has.
#[test]
#[ignore = "full set"]
fn many_raw_games_are_read_as_one_table() {
    raw_games_are_joined(300_000);
}

/// Every game is a row; what shards write reads as one table.
fn raw_games_are_joined(all: i64) {
    let here = folder();
    let plain = format!("simulate diamant --games {all} --players=3");
    let raw = format!("{plain} --raw");
    here.run(&format!("{raw} --no-charts --out one"));
    for number in 1..=3 {
        shard(&here, &raw, number, 3);
    }
    here.run(MERGE);
    here.same("merged", "one");
    let games = here.rows("one/games.parquet");
    let mut of_shards = here.rows("shards/shard-1-of-3.games.parquet");
    for number in [2, 3] {
        let more = here.rows(&format!("shards/shard-{number}-of-3.games.parquet"));
        of_shards.vstack_mut(&more).expect("the same columns");
    }
    assert!(games.equals(&of_shards));
    assert_eq!(games.height() as i64, all);
    let numbers = games.column("game").and_then(|column| column.i64());
    let numbers = numbers.expect("numbers").into_no_null_iter();
    assert!(numbers.eq(0..all));
    // Rows that are cut or gone are as good as a damaged shard, for all who look.
    let rows = "shards/shard-2-of-3.games.parquet";
    for cut in [Some(1000), None] {
        let bytes = here.bytes(rows);
        here.remove(rows);
        if let Some(length) = cut {
            here.write(rows, &bytes[..length]);
        }
        here.ends(7, "merge --status shards");
        here.refused_with(7, MERGE, "shard-2-of-3.games.parquet … run shard 2/3 again");
        holds(&shard(&here, &raw, 2, 3), "shard 2/3: ");
        assert!(here.bytes(rows) == bytes);
        holds(&shard(&here, &raw, 2, 3), "already complete");
    }
    here.run(MERGE);
    here.same("merged", "one");
    // Without rows it is a shard like any other, but rows of the others make no table.
    here.remove(rows);
    shard(&here, &plain, 2, 3);
    here.ends(0, MERGE)
        .says("rows of games are not joined … kind: 1, 3");
    assert!(!here.has("merged/games.parquet"));
    let sweep = format!("{SWEEP} --raw");
    folder().refused(&sweep, "`sweep` plays several tables");
}

#[test]
fn shards_read_cluster_variables_and_status_lists_states() {
    let here = folder();
    here.write(
        "s.toml",
        "study = 'simulate'\ngame = 'diamant'\ngames = 4000\n",
    );
    let play = |shard: &str, variables: &[(&str, &str)]| {
        let mut command = here.command(&format!("run s.toml --shard {shard} -q --out o"));
        command.envs(variables.iter().copied());
        here.end(&mut command).code
    };
    let slurm = |shard: &str, values: [&str; 4]| {
        let names = ["ID", "MIN", "MAX", "COUNT"].map(|name| format!("SLURM_ARRAY_TASK_{name}"));
        let all: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(values).collect();
        play(shard, &all)
    };
    // A part of an array has the shards of its own numbers, and does not say how many there are.
    for (shard, values, code) in [
        ("auto/3", ["2", "2", "2", "1"], 0),
        ("auto", ["2", "2", "2", "1"], 2),
        ("auto", ["2", "1", "5", "3"], 2),
        ("auto/3", ["4", "1", "4", "4"], 2),
        ("auto/3", ["0", "0", "1", "2"], 2),
        ("auto/4", ["2", "0", "2", "3"], 2),
        ("auto", ["1", "0", "2", "2"], 2),
        ("auto/3", ["1", "0", "2", "3"], 0),
        ("auto", ["1", "0", "2", "3"], 0),
        ("auto0/3", ["1", "1", "1", "1"], 0),
        ("auto/x", ["2", "1", "3", "3"], 2),
        ("auto", ["2", "1", "3", "3"], 0),
    ] {
        assert_eq!(slurm(shard, values), Some(code), "{shard} {values:?}");
    }
    let index = ["JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];
    assert_eq!(play("auto", &[]), Some(2));
    let sge = |last: &'static str, step: &'static str| {
        let names = ["ID", "FIRST", "LAST", "STEPSIZE"].map(|name| format!("SGE_TASK_{name}"));
        names.into_iter().zip(["2", "1", last, step])
    };
    for (shard, last, step, code) in [
        ("auto", "3", "1", 0),
        ("auto", "5", "2", 2),
        ("auto/3", "2", "1", 0),
    ] {
        let all = Vec::from_iter(sge(last, step));
        let all = Vec::from_iter(all.iter().map(|(name, value)| (name.as_str(), *value)));
        assert_eq!(play(shard, &all), Some(code), "{shard} {last}");
    }
    for index in ["PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX"] {
        assert_eq!(play("auto/3", &[(index, "2")]), Some(0), "{index}");
        assert_eq!(play("auto0/3", &[(index, "1")]), Some(0), "{index}");
        let mut command = here.command("run s.toml --shard auto -q --out o");
        let error = here.end(command.env(index, "2")).stderr;
        holds(
            &error,
            &format!("{index} does not say how many jobs the array has; write auto/N"),
        );
    }
    assert_eq!(play("auto/3", &[("PBS_ARRAY_INDEX", "0")]), Some(2));
    // LSF gives a job that is in no array the number 0, Grid Engine a word.
    assert_eq!(play("auto0/3", &[("LSB_JOBINDEX", "0")]), Some(2));
    assert_eq!(play("auto/3", &[("SGE_TASK_ID", "undefined")]), Some(2));
    assert_eq!(here.names("o"), ["shard-2-of-3.jsonl"]);
    here.ends(4, "merge --status o");
    assert_eq!(play("auto/3", &[(index[0], "2")]), Some(0));
    assert_eq!(
        play("auto", &[(index[0], "2")]),
        Some(2),
        "the number of shards is not known"
    );
    assert_eq!(play("auto/3", &[(index[0], "3")]), Some(2));
    let whole = here.bytes("o/shard-3-of-3.jsonl");
    here.write("o/shard-3-of-3.jsonl", &whole[..whole.len() - 9]);
    here.write("o/shard-1-of-3.unfinished", "");
    let begun = fs::File::open(here.path("o/shard-1-of-3.unfinished")).expect("a file");
    begun.lock().expect("a lock");
    let output = here.ends(7, "merge --status o").stdout;
    holds(&output, "shards: 3\ncomplete: 2\nrunning: 1\ndamaged: 3\n");
    drop(begun);
    let output = here.ends(7, "merge --status o").stdout;
    holds(&output, "complete: 2\ninterrupted: 1\ndamaged: 3\n");
    let aws = [(index[1], "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "3")];
    assert_eq!(play("auto", &aws), Some(0));
    assert_eq!(play("3/3", &[]), Some(0));
    holds(&here.run("merge --status o"), "complete: 1-3\n");
    here.inner("empty");
    assert_eq!(here.ends(4, "merge --status empty").stdout, "shards: 0\n");
}
