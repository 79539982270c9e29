//! Studies that are played in shards and merged: the same bytes as on one machine, or a refusal
//! that names what is wrong.

use crate::fixtures::{carat, contents, folder, ok, text};
use std::fs;
use std::path::Path;

const SIMULATE: [&str; 5] = ["simulate", "diamant", "--games", "300k", "--players=3"];
const SWEEP: [&str; 8] = [
    "sweep",
    "diamant",
    "--vary",
    "seats.1.target=9..12",
    "--vary",
    "players=3..4",
    "--games",
    "50k",
];

/// Plays shard `number` of `of` of a study into the folder `shards`.
fn shard(here: &Path, study: &[&str], number: u64, of: u64) -> String {
    let own = format!("{number}/{of}");
    // Neither threads nor vectors matter.
    let threads = (1 + number % 3).to_string();
    let how = ["--shard", &own, "--out", "shards", "--threads", &threads];
    ok(here, &[study, &how].concat())
}

fn shards(here: &Path, study: &[&str], of: u64) {
    for number in (1..=of).rev() {
        shard(here, study, number, of);
    }
}

const MERGE: [&str; 4] = ["merge", "shards", "--out", "merged"];

/// Demands that shards of a study merge to the same bytes as the study, both written as `how` says;
/// tells in how many rounds.
#[track_caller]
fn merges(study: &[&str], of: u64, how: &[&str]) -> usize {
    let here = folder();
    let whole = carat(here.path(), &[study, &["--out", "whole"], how].concat());
    for round in 1.. {
        shards(here.path(), study, of);
        let merged = carat(here.path(), &[&MERGE[..], how].concat());
        let said = text(&merged.stderr);
        match merged.status.code() {
            Some(4) if round < 20 => {
                assert!(
                    said.contains(&format!("round {} is to be played", round + 1)),
                    "{said}"
                );
                assert!(!here.path().join("merged").exists());
            }
            code => {
                assert_eq!(code, whole.status.code(), "{said}");
                let files = |name: &str| contents(&here.path().join(name));
                assert!(
                    files("merged") == files("whole"),
                    "{study:?} in {of:?} shards"
                );
                return round;
            }
        }
    }
    unreachable!("it ended or failed")
}

#[test]
fn shards_of_every_kind_merge_to_the_same_bytes() {
    let compare = ["compare", "diamant", "--b", "rounds=4", "--games", "200k"];
    let tournament = [
        &["tournament", "diamant", "--players", "3", "--games", "2k"][..],
        &["--bots", "threshold", "depth", "threshold:target=20"],
    ];
    let cave = ["simulate", "diamond_cave", "--games", "3000"];
    assert_eq!(merges(&SIMULATE, 3, &[]), 1);
    assert_eq!(merges(&cave, 2, &[]), 1);
    assert_eq!(merges(&compare, 4, &[]), 1);
    assert_eq!(merges(&SWEEP, 5, &[]), 1);
    assert_eq!(merges(&tournament.concat(), 3, &[]), 1);
}

const PLAIN: [&str; 1] = ["--no-charts"];

/// More shards than games are no harm: some are of no games.
#[test]
fn shards_may_be_of_no_games() {
    assert_eq!(
        merges(&["simulate", "diamant", "--games", "5"], 7, &PLAIN),
        1
    );
}

/// What goes by what it sees is played in rounds.
#[test]
fn shards_of_a_precision_are_played_in_rounds() {
    let figure = ["simulate", "diamant", "--precision", "0.0002"];
    merges(&figure, 2, &[]);
    let sweep = [
        &["sweep", "diamant", "--vary", "seats.1.target=8..20"][..],
        &["--precision", "0.0008"],
    ];
    assert!(merges(&sweep.concat(), 2, &PLAIN) > 1);
    let missed = [&sweep.concat()[..], &["--max-games", "200k"]].concat();
    merges(&missed, 3, &PLAIN);
    let tournament = [
        &[
            "tournament",
            "diamant",
            "--players",
            "3",
            "--precision",
            "0.002",
        ][..],
        &["--max-games", "1M", "--bots", "threshold", "depth"],
    ];
    merges(&tournament.concat(), 2, &PLAIN);
}

#[test]
fn a_shard_that_is_complete_is_not_played_again() {
    let here = folder();
    shard(here.path(), &SIMULATE, 2, 3);
    let before = contents(&here.path().join("shards"));
    let said = shard(here.path(), &SIMULATE, 2, 3);
    assert!(
        said.contains("complete already; missing are still: 1, 3"),
        "{said}"
    );
    assert!(contents(&here.path().join("shards")) == before);
}

/// What is refused: the arguments, the words, and what is in the folder for results after that.
#[track_caller]
fn refused(here: &Path, args: &[&str], said: &[&str]) {
    let output = carat(here, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for words in said {
        assert!(message.contains(words), "it should say {words}: {message}");
    }
    assert!(!here.join("merged").exists());
}

#[test]
fn merging_names_what_is_missing_double_foreign_or_damaged() {
    let here = folder();
    let at = here.path();
    shards(at, &SIMULATE, 7);
    let file = |number: u64| format!("shards/round-1-shard-{number}-of-7.jsonl");
    let bytes = |number: u64| fs::read(at.join(file(number))).expect("a shard");
    let put = |name: &str, bytes: &[u8]| fs::write(at.join(name), bytes).expect("written");
    let (second, third) = (bytes(2), bytes(3));

    fs::create_dir(at.join("copy")).expect("made");
    put("copy/round-1-shard-2-of-7.jsonl", &second);
    let twice = ["merge", "shards", "copy", "--out", "merged"];
    refused(at, &twice, &["copy", "shard 2/7 of round 1 is there twice"]);

    for number in [2, 3, 5] {
        fs::remove_file(at.join(file(number))).expect("removed");
    }
    put("shards/round-1-shard-5-of-7.unfinished", b"");
    let missing = "round 1: 3 of 7 shards missing: 2-3, 5 (begun, but not complete: 5)";
    refused(at, &MERGE, &[missing]);
    let both = ["merge", "shards", "copy", "--out", "merged"];
    refused(at, &both, &["2 of 7 shards missing: 3, 5"]);
    fs::remove_file(at.join("shards/round-1-shard-5-of-7.unfinished")).expect("removed");
    shard(at, &SIMULATE, 5, 7);
    put(&file(2), &second);

    let other = [&SIMULATE[..4], &["--players=3", "--seed", "2"]].concat();
    let elsewhere = ["--shard", "3/7", "--out", "other"];
    ok(at, &[&other[..], &elsewhere].concat());
    let foreign = ["merge", "shards", "other", "--out", "merged"];
    refused(
        at,
        &foreign,
        &["other", "another study", "seed was 1, and is 2"],
    );
    // Nor does a shard of it go to the others.
    refused(
        at,
        &[&other[..], &["--shard", "3/7", "--out", "shards"]].concat(),
        &["seed was 1"],
    );
    let fewer = [&SIMULATE[..], &["--shard", "3/5", "--out", "shards"]].concat();
    refused(at, &fewer, &["this folder holds shards of 7, not of 5"]);

    for length in [0, 100, third.len() - 100] {
        put(&file(3), &third[..length]);
        refused(at, &MERGE, &[&file(3), "damaged"]);
    }
    // Cut off between two lines: every line that is left is sound.
    let line = third
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line");
    put(&file(3), &third[..=line]);
    refused(
        at,
        &MERGE,
        &[&file(3), "games are missing", "play shard 3/7 again"],
    );
    let mut changed = third.clone();
    let digit = changed.iter_mut().rev().find(|byte| byte.is_ascii_digit());
    *digit.expect("a digit") ^= 1;
    put(&file(3), &changed);
    refused(at, &MERGE, &[&file(3), "damaged"]);
    put(&file(3), &third);
    ok(at, &MERGE);
    fs::remove_dir_all(at.join("merged")).expect("removed");

    refused(at, &["merge", "none"], &["none: there is no such folder"]);
    fs::create_dir(at.join("empty")).expect("made");
    refused(at, &["merge", "empty"], &["there is no shard"]);
    put("notes.jsonl", b"my notes\n");
    refused(
        at,
        &["merge", "notes.jsonl"],
        &["it is no shard of a study"],
    );
}

#[test]
fn what_cannot_be_shared_out_is_refused() {
    let here = folder();
    let refused = |args: &[&str], said: &[&str]| refused(here.path(), args, said);
    let shard = ["--shard", "1/2"];
    let tune = [
        "tune",
        "diamant",
        "--vary",
        "rules.rounds=3..6",
        "--target",
        "cards_per_game=31..32",
    ];
    refused(
        &[&tune[..], &shard].concat(),
        &["a tune looks at its games too often"],
    );
    refused(
        &[&["solve", "diamant"][..], &shard].concat(),
        &["a solve looks"],
    );
    refused(
        &[&SIMULATE[..], &["--shard", "3/2"]].concat(),
        &["write K/N"],
    );
    refused(&[&SIMULATE[..], &shard, &["--json"]].concat(), &["--shard"]);
    let results = [&SIMULATE[..], &["--no-charts", "--out", "results"]].concat();
    ok(here.path(), &results);
    refused(
        &[&SIMULATE[..], &shard, &["--out", "results"]].concat(),
        &["holds results"],
    );
}

/// Wherever a shard is killed, it goes on, and what it left is never merged.
#[cfg(unix)]
#[test]
fn a_shard_that_was_killed_goes_on() {
    use crate::kept::{signal, start};
    let study = ["simulate", "diamant", "--games", "16M"];
    let here = folder();
    let whole = ["--out", "whole", "--no-charts"];
    ok(here.path(), &[&study[..], &whole].concat());
    shard(here.path(), &study, 1, 2);
    let own = [
        &study[..],
        &["--shard", "2/2", "--out", "shards", "--threads", "1"],
    ]
    .concat();
    for (delay, with) in [(200, "-KILL"), (700, "-KILL"), (400, "-TERM")] {
        let mut child = start(here.path(), &own);
        std::thread::sleep(std::time::Duration::from_millis(delay));
        signal(with, &child);
        let killed = !child.wait().expect("it ends").success();
        if killed {
            refused(here.path(), &MERGE, &["1 of 2 shards missing: 2"]);
        }
    }
    ok(here.path(), &own);
    ok(here.path(), &[&MERGE[..], &PLAIN].concat());
    let of = |name: &str| contents(&here.path().join(name));
    assert!(of("merged") == of("whole"));
}

/// Every game is a row, the same on any number of threads; what shards write reads as one table.
#[test]
fn raw_games_are_read_as_one_table() {
    use polars_core::prelude::DataFrame;
    use polars_io::prelude::{ParquetReader, SerReader};
    let here = folder();
    let at = here.path();
    let raw = [&SIMULATE[..], &["--raw", "--no-charts"]].concat();
    for (threads, out) in [("1", "one"), ("3", "three")] {
        ok(
            at,
            &[&raw[..], &["--threads", threads, "--out", out]].concat(),
        );
    }
    assert!(contents(&at.join("one")) == contents(&at.join("three")));
    for number in 1..=3 {
        shard(at, &[&SIMULATE[..], &["--raw"]].concat(), number, 3);
    }
    ok(at, &MERGE);
    let read = |file: &str| -> DataFrame {
        let file = fs::File::open(at.join(file)).expect("games");
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
    let sum = |column: &str| -> i64 {
        let column = games.column(column).expect("a column");
        column
            .i32()
            .expect("numbers")
            .into_no_null_iter()
            .map(i64::from)
            .sum()
    };
    let numbers = games
        .column("game")
        .and_then(|column| column.u64())
        .expect("numbers");
    assert!(numbers.into_no_null_iter().eq(0..300_000));
    let table = fs::read_to_string(at.join("one/seats.csv")).expect("a table");
    let mut rows = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().expect("a header");
    let place = |name: &str| {
        head.iter()
            .position(|known| *known == name)
            .expect("a column")
    };
    for (seat, row) in (1..).zip(rows) {
        for (outcome, metric, unit) in [("win", "win_share", 840.0), ("score", "score_mean", 1.0)] {
            let told: f64 = row[place(metric)].parse().expect("a number");
            let found = sum(&format!("{outcome}@{seat}")) as f64 / 300_000.0 / unit;
            assert!(
                (told - found).abs() < 1e-9,
                "{metric} of {seat}: {told}, {found}"
            );
        }
    }
    let sweep = [&SWEEP[..], &["--raw"]].concat();
    refused(folder().path(), &sweep, &["a sweep has several tables"]);
}
