//! Studies that are played in shards and merged: the same bytes as on one machine, or a refusal
//! that names what is wrong.

use crate::process::{Folder, folder, holds};
use std::fs;

const SIMULATE: &str = "simulate diamant --games 300k --players=3";
const SWEEP: &str = "sweep diamant --vary seats.1.enough=9..12 --vary players=3..4 --games 50k";

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

/// Demands that shards of a study merge to the same bytes as the study, both written as `how` says;
/// tells in how many rounds.
#[track_caller]
fn merges(study: &str, of: u64, how: &str) -> usize {
    let here = folder();
    let whole = here.end(&mut here.command(&format!("{study} --out whole {how}")));
    for round in 1..20 {
        shards(&here, study, of);
        let merged = here.end(&mut here.command(&format!("{MERGE} {how}")));
        if merged.code != Some(4) {
            assert_eq!(merged.code, whole.code, "{}", merged.stderr);
            here.same("merged", "whole");
            return round;
        }
        merged.says(&format!("round {} of shards", round + 1));
        assert!(!here.has("merged"));
    }
    panic!("{study}: it does not end")
}

#[test]
fn shards_of_every_kind_merge_to_the_same_bytes() {
    let bots = "--bots threshold depth threshold:target=20";
    let tournament = format!("tournament diamant --players 3 --games 2k {bots}");
    assert_eq!(merges(SIMULATE, 3, ""), 1);
    assert_eq!(merges("simulate diamond_cave --games 3000", 2, ""), 1);
    let compare = "compare diamant --b rounds=4 --games 200k";
    assert_eq!(merges(compare, 4, ""), 1);
    let thinking = "simulate diamond_cave --seat surveyor:playouts=8 --seat 3*surveyor";
    assert_eq!(merges(&format!("{thinking} --games 12"), 3, ""), 1);
    assert_eq!(merges(SWEEP, 5, ""), 1);
    assert_eq!(merges(&tournament, 3, ""), 1);
}

#[test]
fn shards_may_be_of_no_games() {
    let study = "simulate diamant --games 5";
    assert_eq!(merges(study, 7, "--no-charts"), 1);
}

#[test]
fn shards_of_a_precision_are_played_in_rounds() {
    merges("simulate diamant --precision 0.0008", 2, "");
    let sweep = "sweep diamant --vary seats.1.enough=8..20 --precision 0.0012";
    assert!(merges(sweep, 2, "--no-charts") > 1);
    let missed = format!("{sweep} --max-games 40k");
    merges(&missed, 3, "--no-charts");
    let goal = "--precision 0.003 --max-games 500k";
    let tournament = format!("tournament diamant --players 3 {goal} --bots threshold depth");
    merges(&tournament, 2, "--no-charts");
}

#[test]
fn a_shard_that_is_complete_is_not_played_again() {
    let here = folder();
    shard(&here, SIMULATE, 2, 3);
    let before = here.files("shards");
    let said = shard(&here, SIMULATE, 2, 3);
    crate::process::holds(&said, "still missing: 1, 3");
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
        crate::process::holds(&said, "shard 2/3 of round 1: ");
        crate::process::holds(&shard(&here, SIMULATE, 2, 3), "already complete");
        assert_eq!(here.names("shards"), [file.as_str()]);
    }
    let said = shard(&here, &format!("{SIMULATE} --restart"), 2, 3);
    crate::process::holds(&said, "shard 2/3 of round 1: ");
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
    shards(&here, SIMULATE, 7);
    let file = |number: u64| format!("shards/round-1-shard-{number}-of-7.jsonl");
    let (second, third) = (here.bytes(&file(2)), here.bytes(&file(3)));

    let copy = here.inner("copy");
    copy.write("round-1-shard-2-of-7.jsonl", &second);
    let both = "merge shards copy --out merged";
    refused(both, "copy … duplicate of shard 2/7 of round 1");

    for number in [2, 3, 5] {
        here.remove(&file(number));
    }
    let begun = "shards/round-1-shard-5-of-7.unfinished";
    here.write(begun, "");
    let missing = "round 1: 3 of 7 shards missing: 2-3, 5 (incomplete: 5)";
    refused(MERGE, missing);
    refused(both, "2 of 7 shards missing: 3, 5");
    here.remove(begun);
    shard(&here, SIMULATE, 5, 7);
    here.write(&file(2), &second);

    let other = format!("{SIMULATE} --seed 2 --shard 3/7 --out");
    here.run(&format!("{other} other"));
    let foreign = "other … different studies … seed was 1 and is now 2";
    refused("merge shards other --out merged", foreign);
    // Nor does a shard of it go to the others.
    refused(&format!("{other} shards"), "seed was 1");
    let fewer = format!("{SIMULATE} --shard 3/5 --out shards");
    refused(&fewer, "this folder holds shards of 7, not of 5");

    let damaged = format!("{} … damaged", file(3));
    for length in [0, 100, third.len() - 100] {
        here.write(&file(3), &third[..length]);
        refused(MERGE, &damaged);
    }
    // Cut off between two lines: every line that is left is sound.
    let line = third.iter().position(|byte| *byte == b'\n');
    here.write(&file(3), &third[..=line.expect("a line")]);
    let cut = format!("{} … games are missing … run shard 3/7 again", file(3));
    refused(MERGE, &cut);
    let mut changed = third.clone();
    let digit = changed.iter_mut().rev().find(|byte| byte.is_ascii_digit());
    *digit.expect("a digit") ^= 1;
    here.write(&file(3), &changed);
    refused(MERGE, &damaged);
    here.write(&file(3), &third);
    here.run(MERGE);

    refused("merge none", "none: no such file or folder");
    here.inner("empty");
    refused("merge empty", "no shard of a study");
    here.write("notes.jsonl", "my notes\n");
    refused("merge notes.jsonl", "not a shard of a study");
}

#[test]
fn studies_without_shards_are_refused() {
    let here = folder();
    here.run(&format!("{SIMULATE} --no-charts --out results"));
    let tune = "tune diamant --vary rules.rounds=3..6 --target cards_per_game=31..32";
    for (study, said) in [
        (tune, "shards of `tune` would"),
        ("solve diamant --games 1M", "shards of `solve`"),
        (&format!("{SIMULATE} --json"), "--shard"),
    ] {
        here.refused(&format!("{study} --shard 1/2"), said);
    }
    let folder_of_results = format!("{SIMULATE} --out results --shard 1/2");
    here.refused_with(7, &folder_of_results, "holds results");
    here.refused(&format!("{SIMULATE} --shard 3/2"), "write K/N");
}

/// Wherever a shard is killed, it goes on, and what it left is never merged.
#[cfg(unix)]
#[test]
fn killed_shards_resume() {
    let study = "simulate diamant --games 6M";
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
        here.refused_with(7, MERGE, "1 of 2 shards missing: 2");
    }
    // Killed while it wrote its first line, which is long.
    let begun = "shards/round-1-shard-2-of-2.unfinished";
    let bytes = here.bytes(begun);
    here.write(begun, &bytes[..5000]);
    here.run(&own);
    here.run(&format!("{MERGE} --no-charts"));
    here.same("merged", "whole");
}

/// Every game is a row; what shards write reads as one table.
#[test]
fn raw_games_are_read_as_one_table() {
    use polars_core::prelude::DataFrame;
    use polars_io::prelude::{ParquetReader, SerReader};
    let here = folder();
    let raw = format!("{SIMULATE} --raw");
    here.run(&format!("{raw} --no-charts --out one"));
    for number in 1..=3 {
        shard(&here, &raw, number, 3);
    }
    here.run(MERGE);
    let read = |file: &str| -> DataFrame {
        let file = fs::File::open(here.path(file)).expect("games");
        ParquetReader::new(file).finish().expect("a table")
    };
    let games = read("one/games.parquet");
    let mut of_shards = read("shards/round-1-shard-1-of-3.parquet");
    for number in [2, 3] {
        let more = read(&format!("shards/round-1-shard-{number}-of-3.parquet"));
        of_shards.vstack_mut(&more).expect("the same columns");
    }
    assert!(games.equals(&of_shards));
    assert_eq!(games.height(), 300_000);
    let numbers = games.column("game").and_then(|column| column.i64());
    let numbers = numbers.expect("numbers").into_no_null_iter();
    assert!(numbers.eq(0..300_000));
    let sweep = format!("{SWEEP} --raw");
    folder().refused(&sweep, "`sweep` plays several tables");
}

#[test]
fn shards_read_cluster_variables_and_status_lists_states() {
    let here = folder();
    here.write(
        "s.toml",
        "study = 'simulate'\ngame = 'diamant'\ngames = 40000\n",
    );
    let play = |shard: &str, variables: &[(&str, &str)]| {
        let mut command = here.command(&format!("run s.toml --shard {shard} -q --out o"));
        command.envs(variables.iter().copied());
        here.end(&mut command).code
    };
    let slurm = |id| {
        let names = ["ID", "MIN", "STEP", "COUNT"].map(|name| format!("SLURM_ARRAY_TASK_{name}"));
        let values = [id, "10", "5", "3"];
        let all: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(values).collect();
        play("auto", &all)
    };
    assert_eq!(slurm("15"), Some(0));
    assert!(here.has("o/round-1-shard-2-of-3.jsonl"));
    here.ends(4, "merge --status o");
    let index = ["JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];
    assert_eq!(play("auto/3", &[(index[0], "2")]), Some(0));
    assert_eq!(
        play("auto", &[(index[0], "2")]),
        Some(2),
        "the number of shards is not known"
    );
    assert_eq!(play("auto", &[]), Some(2));
    assert_eq!(play("auto/3", &[(index[0], "3")]), Some(2));
    let whole = here.bytes("o/round-1-shard-3-of-3.jsonl");
    here.write("o/round-1-shard-3-of-3.jsonl", &whole[..whole.len() - 9]);
    here.write("o/round-1-shard-1-of-3.unfinished", "");
    let output = here.ends(7, "merge --status o").stdout;
    holds(&output, "complete: 2\n … 1 (0 s)\n … damaged: 3\n");
    here.remove("o/round-1-shard-1-of-3.unfinished");
    let aws = [(index[1], "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "3")];
    assert_eq!(play("auto", &aws), Some(0));
    assert_eq!(play("3/3", &[]), Some(0));
    holds(&here.run("merge --status o"), "complete: 1-3\n");
    here.refused_with(7, "merge --status .", "no shard of a study");
}
