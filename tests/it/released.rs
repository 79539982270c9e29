//! What released versions of carat wrote goes on working. Every file is checked, and one of each kind is
//! played; the full set plays all.
//!
//! A file is named `WORD-….ENDING`. Its first word says what it is, and its last the game, unless that
//! is Diamant. `FILE.TABLE.csv` is the table that the same version wrote for it; a folder of the same
//! name is what a run of it left behind. The search for targets was changed since 0.3.0: the tables beside
//! its `tune-targets` are those of today. Its order of candidates was changed since 0.4.0, too.

use crate::play::answered;
use crate::process::{Folder, folder, holds};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

const VERSIONS: [&str; 3] = ["0.2.0", "0.3.0", "0.4.0"];
const QUICK: &str = "--no-charts --threads 1";

/// A fresh folder with the files of a version.
fn files_of(version: &str) -> Folder {
    let here = folder();
    let released = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released");
    copy(&released.join(version), &here);
    here
}

fn copy(from: &Path, to: &Folder) {
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(OsStr::to_str).expect("a name");
        if path.is_dir() {
            copy(&path, &to.inner(name));
        } else {
            to.write(name, fs::read(&path).expect("a file"));
        }
    }
}

/// The names of files and folders that begin with `word`, without the tables.
fn names(here: &Folder, word: &str) -> Vec<String> {
    let mut names = here.names("");
    names.retain(|name| name.starts_with(word) && !name.ends_with(".csv"));
    names
}

fn game_of(name: &str) -> &'static str {
    let others = ["diamond_cave", "diamond_miner"];
    let other = others.iter().find(|game| name.contains(**game));
    other.unwrap_or(&"diamant")
}

/// What a column of an earlier version is called today.
fn name_today(table: &str, column: &str) -> String {
    match (table, column) {
        // Here those that a record names are shown now, in 0.3.0 the default bots.
        ("bots.csv" | "mistakes.csv", "strategy") => column.to_string(),
        (_, "strategy") => "bot".to_string(),
        ("differences.csv", "se" | "low" | "high") => format!("difference_{column}"),
        _ => column.to_string(),
    }
}

/// Demands that results in `out` are those of the tables beside the file `stem`, in the columns of
/// both.
#[track_caller]
fn agrees(here: &Folder, stem: &str, out: &str) {
    let start = format!("{stem}.");
    for name in here.names("") {
        let Some(table) = name.strip_prefix(&start).filter(|_| name.ends_with("csv")) else {
            continue;
        };
        let (mut old, mut new) = (here.table(&name), here.table(&format!("{out}/{table}")));
        for column in &mut old.head {
            *column = name_today(table, column);
        }
        // Metrics that are newer have rows of their own.
        if old.head.iter().any(|column| column == "metric") {
            let (known, place) = (old.column("metric"), new.place("metric"));
            new.rows
                .retain(|row| known.iter().any(|metric| *metric == row[place]));
        }
        let both = old.head.iter().filter(|column| new.head.contains(column));
        let same = both.inspect(|column| {
            // Since 0.5.0 rules are searched in other games.
            if !(stem == "rule" || stem.starts_with("rule-")) {
                assert_eq!(old.column(column), new.column(column), "{name}: {column}");
            }
        });
        assert!(same.count() > 1 && !old.rows.is_empty(), "{name}");
    }
}

#[test]
fn files_of_earlier_versions_are_played() {
    for version in VERSIONS {
        plays(version, false);
    }
    let here = files_of("0.3.0");
    for name in names(&here, "refused-readapt") {
        here.refused(&format!("run {name}"), "`readapt` was removed");
    }
}

#[test]
#[ignore = "full set"]
fn all_files_of_earlier_versions_are_played() {
    for version in VERSIONS {
        plays(version, true);
    }
}

/// Checks all files, and plays rules and bots at a table, and studies and manifests as they are: all, or
/// the first with each word. A study with a folder resumes what is in it.
fn plays(version: &str, all: bool) {
    let here = files_of(version);
    let mut files = names(&here, "");
    for table in here.names("").iter().filter(|name| name.ends_with(".csv")) {
        let of = table.split('.').next();
        assert!(
            files.iter().any(|name| name.split('.').next() == of),
            "{table}"
        );
    }
    let unchecked = ["play", "record", "refused"];
    files.retain(|name| name.contains('.') && !unchecked.iter().any(|word| name.starts_with(word)));
    for game in ["diamant", "diamond_cave", "diamond_miner"] {
        let own = files.iter().filter(|name| game_of(name) == game);
        let own: String = own.map(|name| format!(" {name}")).collect();
        here.run(&format!("check --game {game}{own}"));
    }
    // These search for long.
    let mut words = vec!["adapt", "rule"];
    if version != "0.4.0" {
        words.push("solve");
    }
    for name in &files {
        let Some((stem, ending)) = name.rsplit_once('.') else {
            continue;
        };
        let (word, game) = (stem.split('-').next().expect("a word"), game_of(name));
        if !all {
            if words.contains(&word) {
                continue;
            }
            // Results of each kind are added to in a way of their own.
            words.extend((word != "report").then_some(word));
        }
        let bot = format!("bot-{game}.toml");
        let playing = match word {
            "rules" if here.has(&bot) => {
                format!("simulate {game} --rules {name} --seat 3*{bot} --games 20")
            }
            "rules" => format!("simulate {game} --rules {name} --games 20"),
            "bot" => format!("simulate {game} --seat 3*{name} --games 20"),
            // Since 0.5.0 others judge targets, too; without them the results are those of then.
            "tune" if ending == "toml" => {
                let alone = here
                    .read(name)
                    .replacen("study = ", "who = 'none'\nstudy = ", 1);
                here.write(name, alone);
                format!("run {name}")
            }
            _ => format!("run {name}"),
        };
        let (out, resume) = if here.has(stem) {
            (stem.to_string(), "--resume")
        } else {
            (format!("out-{name}"), "")
        };
        let line = format!("{playing} {QUICK} --out {out} {resume}");
        let said = here.ends(0, &line).stderr;
        agrees(&here, stem, &out);
        if word == "rules" {
            let replay = playing.replace("simulate", "replay");
            let replayed = here.ends(0, &replay.replace("--games 20", ""));
            assert_eq!(replayed.stderr, said, "{name}");
        }
        if stem == "rules-first-diamond_cave" {
            holds(&said, "finish_turn = false");
        }
        if word == "unfinished" || (word == "report" && version != "0.3.0") {
            holds(&said, "resuming: ");
        }
        if ending == "json" && word != "printed" {
            let manifest: Value = serde_json::from_str(&here.read(name)).expect(name);
            let by = manifest["carat"].as_str().expect("a version");
            let announced = said.contains(&format!("was written by carat {by}"));
            assert_eq!(announced, by != env!("CARGO_PKG_VERSION"), "{name}: {said}");
        }
    }
}

#[test]
fn saved_games_of_earlier_versions_go_on() {
    saved_games_go_on("play-over-diamant");
}

#[test]
#[ignore = "full set"]
fn saved_games_of_all_games_go_on() {
    saved_games_go_on("play-over-");
}

fn saved_games_go_on(start: &str) {
    for version in VERSIONS {
        let here = files_of(version);
        for over in names(&here, start) {
            let (begun, game) = (over.replace("over-", ""), game_of(&over));
            let answers = match game {
                "diamond_cave" => "2\n3\n1\n",
                "diamond_miner" => "9\n2\n1\n1\n",
                _ => "s\ns\nl\nstay\n",
            };
            let resumed = format!("play --resume {begun} --playouts 64");
            let ran = answered(&here, &resumed, &answers.repeat(300));
            assert_eq!(ran.code, Some(0), "{begun}: {}", ran.stderr);
            holds(&ran.stdout, "Reviewing");
            // Since 0.5.0 bots are called `player 2 (thief)`, before `2 thief`.
            let mut ended = here.read(&begun);
            for seat in 1..=4 {
                let now = format!("player {seat} (bot-{game})");
                ended = ended.replace(&now, &format!("{seat} bot-{game}"));
            }
            assert_eq!(ended, here.read(&over), "{begun}");
            let how = format!("--as bot-{game}.toml --playouts 64 {QUICK} --out out-{game}");
            here.run(&format!("analyse {game} {over} {how}"));
            let stem = over.trim_end_matches(".toml");
            agrees(&here, stem, &format!("out-{game}"));
        }
    }
}

#[test]
fn records_of_earlier_versions_are_analysed() {
    for version in VERSIONS {
        let here = files_of(version);
        for name in names(&here, "record-") {
            let how = format!("--as bot-diamant.toml --playouts 100 {QUICK} --out out-{name}");
            here.run(&format!("analyse diamant {name} {how}"));
            agrees(&here, name.trim_end_matches(".txt"), &format!("out-{name}"));
        }
    }
}

/// Before shards were ranges of games, a study was divided in another way.
#[test]
fn shards_of_earlier_versions_merge_or_are_refused() {
    for version in ["0.3.0", "0.4.0"] {
        let here = files_of(version);
        let all = names(&here, "shards-");
        assert!(!all.is_empty(), "{version}");
        for shards in all {
            let merge = format!("merge {shards} {QUICK} --out out");
            if version != "0.3.0" {
                holds(
                    &here.run(&format!("merge --status {shards}")),
                    "complete: 1-",
                );
                here.run(&merge);
                agrees(&here, &shards, "out");
                here.remove("out");
                continue;
            }
            let file = format!(
                "{shards}/round-1-shard-1-of-{}.jsonl",
                here.names(&shards).len()
            );
            for line in [
                merge,
                format!("merge {file} {QUICK} --out out"),
                format!("merge --status {shards}"),
                format!("simulate diamant --shard 1/2 --out {shards}"),
            ] {
                let said = here.refused_with(7, &line, "older carat … run the shards again");
                holds(&said, &shards);
            }
        }
    }
}

#[test]
fn files_of_newer_versions_are_refused() {
    let here = folder();
    let rules = here.run("show rules diamant");
    here.write("rules.toml", rules.replace("format = 1", "format = 2"));
    let bot = here.run("show strategy diamant threshold");
    here.write("bot.toml", bot.replace("format = 1", "format = 2"));
    here.write(
        "study.toml",
        "study = \"simulate\"\nformat = 2\ngame = \"diamant\"\n",
    );
    here.run("simulate diamant --games 9 --no-charts -q --out out");
    let manifest = here.read("out/manifest.json");
    let newer = manifest.replacen("\"format\": 1", "\"format\": 2", 1);
    here.write("manifest.json", newer);
    for line in [
        "simulate diamant --rules rules.toml",
        "simulate diamant --seat bot.toml",
        "run study.toml",
        "run manifest.json",
    ] {
        here.refused(line, "format 2 needs a newer carat");
    }
}
