//! Seats for which programs in other languages decide.

use crate::fixtures::project;
use crate::process::{Folder, folder};
use serde_json::Value;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Whether a program is there; else a line says what is skipped.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

/// A program that takes the last option, and on line `N` fails in a way: `odd.py WAY N`.
const ODD: &str = r#"
import json, os, sys, time
way, at = sys.argv[1], int(sys.argv[2])
features = json.loads(sys.stdin.readline())["features"]
if way == "hidden": features.append("secret")
print(json.dumps({"features": features[:1] + features[-1:]}), flush=True)
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    answers = [len(of["options"]) - 1 if "options" in of else 1 for of in asked["decisions"]]
    if number == at:
        if way == "crash": sys.exit(3)
        if way == "late": time.sleep(60)
        if way == "close": os.close(1); time.sleep(60)
        if way == "range": answers[0] = 99
        if way == "float": answers[0] = 0.5
        if way == "count": answers.pop()
        if way == "id": asked["id"] = 77
        if way == "text": print("hello", flush=True); continue
        if way == "bytes": sys.stdout.buffer.write(b"\xff\n"); sys.stdout.flush(); continue
    print(json.dumps({"id": asked["id"], "answers": answers}), flush=True)
"#;

/// The name of a file that only processes of this folder have in their command lines.
fn marked(here: &Folder, name: &str) -> String {
    let folder = here.path("");
    let folder = folder.file_name().expect("a name").display();
    format!("{name}-{folder}.py")
}

/// A folder with bots `WAY.toml`, that fail so at their fifth line.
fn odd(ways: &[&str]) -> Folder {
    let here = folder();
    let odd = marked(&here, "odd");
    here.write(&odd, ODD);
    for way in ways {
        let seconds = if *way == "late" { 0.4 } else { 60.0 };
        let file = format!("exec = \"python3 {odd} {way} 5\"\nseconds = {seconds}\n");
        here.write(&format!("{way}.toml"), file);
    }
    here
}

/// A program that never starts ends the run in all kinds of study; passes count after a start.
#[test]
fn programs_that_cannot_start_are_refused() {
    if !has("python3") {
        return;
    }
    let here = odd(&["crash", "hidden"]);
    for bot in [
        "no-such-program",
        "python3 missing.py",
        "python3 -c 'import sys; sys.exit(3)'",
    ] {
        let table =
            format!("--seat \"exec:{bot}\" --others depth --players 3 --on-failure pass -q");
        let kinds = [
            "simulate diamant --games 30 --out o",
            "simulate diamant --games 30 --raw --out o",
            "compare diamant --games 30 --b rounds=4 --out o",
            "sweep diamant --games 30 --vary rounds=3,4 --out o",
            "replay diamant",
        ];
        let tried = if bot == "no-such-program" { 5 } else { 1 };
        for line in &kinds[..tried] {
            let line = format!(
                "{line} {}",
                table.replace("-q", if line.contains("replay") { "" } else { "-q" })
            );
            here.ends(2, &line).says("the program … (needed for");
            assert!(!here.has("o/manifest.json"), "{line}");
        }
    }
    let bots = "--bots depth,crash.toml --players 2 --games 60 --on-failure pass --no-charts -q";
    here.run(&format!("tournament diamant {bots} --out cup"));
    let vary = "--vary seats.1=depth,./crash.toml --games 60 --on-failure pass --no-charts -q";
    here.run(&format!(
        "sweep diamant --seat depth --seat risk {vary} --out sweep"
    ));
    let cells = here.table("sweep/cells.csv");
    let passes = cells.column("passes");
    assert!(
        passes[0] == "0" && passes[2] != "0" && passes[3] == "0",
        "{passes:?}"
    );
    let sides = "--b seats.1=./crash.toml --games 60 --on-failure pass --no-charts -q";
    here.run(&format!(
        "compare diamant --seat depth --seat risk {sides} --out compare"
    ));
    for folder in ["cup", "sweep", "compare"] {
        let manifest = here.read(&format!("{folder}/manifest.json"));
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        assert!(manifest["passes"].as_u64() > Some(0), "{folder}");
    }
}

/// Processes whose command line has this in it.
fn running(word: &str) -> usize {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

/// Whether processes with this in their command lines end soon.
fn all_end(word: &str) -> bool {
    let began = Instant::now();
    while running(word) > 0 && began.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(20));
    }
    running(word) == 0
}

#[test]
fn a_program_plays_the_games_of_the_bot_that_it_copies() {
    let bots = project().join("scripts/bots");
    let here = folder();
    let python = format!("exec:python3 {}", bots.join("threshold.py").display());
    let mut copies = Vec::new();
    if has("python3") {
        copies.push(python);
    }
    if has("g++") {
        let source = bots.join("threshold.cpp");
        let mut build = Command::new("g++");
        build
            .args(["-o", "bot"])
            .arg(source)
            .current_dir(here.path(""));
        assert!(build.status().is_ok_and(|built| built.success()));
        copies.push("exec:./bot".to_string());
    }
    let table = "--others people --players 4 --games 700 --seed 5 --raw -q --no-charts --threads 2";
    here.run(&format!(
        "simulate diamant --seat threshold:target=12 {table} --out a"
    ));
    for (at, copy) in copies.iter().enumerate() {
        here.run(&format!(
            "simulate diamant --seat '{copy} 12' {table} --out b{at}"
        ));
        let again = format!("run b{at}/manifest.json --raw -q --no-charts --threads 1 --out c{at}");
        here.run(&again);
        for games in [format!("b{at}"), format!("c{at}")] {
            let games = format!("{games}/games.parquet");
            // The files name the study, and so the bot.
            let own = here.rows("a/games.parquet");
            assert!(own.equals(&here.rows(&games)), "{games}");
        }
        for shard in 1..=3 {
            let shard = format!("run b{at}/manifest.json --shard {shard}/3 -q --out s{at}");
            here.run(&shard);
        }
        here.run(&format!("merge s{at} -q --no-charts --out m{at}"));
        let (whole, merged) = (format!("b{at}/seats.csv"), format!("m{at}/seats.csv"));
        assert_eq!(here.read(&whole), here.read(&merged));
        let replay =
            |bot: &str| here.run(&format!("replay diamant --seat {bot} --players 3 --game 9"));
        let own = format!("'{copy} 12'");
        let replayed = replay(&own).replace(&own.replace('\'', ""), "threshold");
        assert_eq!(replayed, replay("threshold"));
    }
}

#[test]
fn programs_choose_among_options() {
    if !has("python3") {
        return;
    }
    let here = odd(&["fine"]);
    for (game, other) in [("diamond_cave", "gambler"), ("diamond_miner", "random")] {
        let table = format!("{game} --seat fine.toml --others {other} --players 3 --games 4");
        here.run(&format!("simulate {table} --out {game} -q --no-charts"));
        assert_eq!(
            here.table(&format!("{game}/seats.csv")).numbers("games"),
            [4.0; 3]
        );
    }
    let study = "diamant --seat depth --others fine.toml --players 3 --games 50 -q --no-charts";
    here.run(&format!("compare {study} --b rules.rounds=4 --out compare"));
    here.run(&format!(
        "sweep {study} --vary rules.rounds=3..5 --out sweep"
    ));
    here.run("tournament diamant --bots depth,fine.toml --players 2 --games 50 -q --out cup");
}

#[test]
fn failures_of_programs_end_the_run_or_are_passes() {
    if !has("python3") {
        return;
    }
    let ways = [
        "crash", "late", "close", "range", "float", "count", "id", "text", "bytes", "hidden",
    ];
    let here = odd(&ways);
    for way in ways {
        let seats =
            format!("--seat ./{way}.toml --others depth --games 300 --threads 2 --no-charts");
        let failed = here.ends(2, &format!("simulate diamant {seats} --out {way}"));
        failed.says("odd- … decision … of game ");
        assert!(!here.has(&format!("{way}/manifest.json")), "{way}");
        here.ends(
            2,
            &format!("replay diamant --seat ./{way}.toml --others depth"),
        );
    }
    let seats_of_passes =
        "--seat ./crash.toml --others depth --games 60 --no-charts --on-failure pass";
    let done = here.ends(0, &format!("simulate diamant {seats_of_passes} --out pass"));
    done.says("passed because a program failed: ");
    let seats = here.table("pass/seats.csv");
    let passes = seats.column("passes");
    let counted: u64 = passes[0].parse().expect("a count");
    assert!(
        counted > 0 && passes[1..].iter().all(|passes| *passes == "0"),
        "{passes:?}"
    );
    done.says(&format!("failed: {counted}"));
    let manifest: Value = serde_json::from_str(&here.read("pass/manifest.json")).expect("JSON");
    assert_eq!(manifest["passes"], counted);
    // Games played again for their decisions could fail elsewhere.
    here.refused(
        &format!("simulate diamant {seats_of_passes} --raw decisions"),
        "plays games again",
    );
    assert_eq!(manifest["study"]["on_failure"], "pass");
    for line in [
        "simulate diamant --seat 'exec:no-such-program'",
        "simulate diamant --seat 'exec:'",
        "simulate diamant --seat \"exec:python3 'open\"",
        "simulate diamant --seat ./crash.toml:playouts=8",
        "simulate diamant --seat ./crash.toml --others depth:playouts=8",
        "tune diamant --seat ./crash.toml --vary rules.rounds=3..5 --target cards_per_game=30..31",
        "adapt diamant --set rounds=4 --others ./crash.toml",
        "analyse diamant --seat ./crash.toml --games 10",
        "advise diamant --others ./crash.toml --chests 1,2 --me 1 '5 7'",
        "quiz diamant --others ./crash.toml",
    ] {
        here.refused(line, "");
    }
    for way in ways {
        let line = format!("{}\0{way}\0", marked(&here, "odd"));
        // A program ends when its pipe closes; a busy machine takes a moment for that.
        assert!(all_end(&line), "{way}");
    }
}

/// What is asked never answers: a signal ends the run soon, with its own code, and nothing of the
/// game in progress counts.
#[cfg(unix)]
#[test]
fn signals_end_runs_whose_seats_take_long() {
    let mut tables = vec!["--seat 3*surveyor:playouts=2000".to_string()];
    if has("python3") {
        let bot = "exec:python3 asleep.py";
        tables.push(format!(
            "--seat \"{bot}\" --others gambler --on-failure pass"
        ));
    }
    for table in tables {
        for (signal, code) in [("-USR1", 138), ("-TERM", 143)] {
            let here = folder();
            here.write("asleep.py", ASLEEP);
            let study = format!("simulate diamond_cave {table} --players 3 --games 9 --threads 1");
            let mut run = here.start(&format!("{study} --shard 1/2 --out o"));
            assert!(run.comes(|_| here.has("o/shard-1-of-2.unfinished")));
            thread::sleep(Duration::from_millis(300));
            let began = Instant::now();
            run.signal(signal);
            run.ends(code);
            assert!(began.elapsed() < Duration::from_secs(9), "{table}");
            assert_eq!(here.names("o"), ["shard-1-of-2.unfinished"]);
        }
    }
}

/// Gives its first answer, then none.
const ASLEEP: &str = r#"
import os, sys, time
sys.stdin.readline()
open("starts", "a").write("x")
if len(sys.argv) > 1 and os.path.getsize("starts") > 1: sys.exit(3)
print("{}", flush=True)
if len(sys.argv) > 1: sys.exit(3)
time.sleep(900)
"#;

#[test]
fn a_program_that_fails_to_start_is_not_started_again() {
    if !has("python3") {
        return;
    }
    let here = folder();
    here.write("asleep.py", ASLEEP);
    let seat = "--seat \"exec:python3 asleep.py once\" --others depth --on-failure pass";
    here.run(&format!(
        "simulate diamant {seat} --games 300 --threads 1 --out o"
    ));
    assert_eq!(here.read("starts"), "xx");
}

#[test]
fn no_program_outlives_carat() {
    if !has("python3") || !cfg!(target_os = "linux") {
        return;
    }
    for signal in ["-INT", "-TERM", "-KILL"] {
        let here = folder();
        let mark = marked(&here, "stays");
        // One that does not read sees no pipe close.
        let (program, words) = match signal {
            "-KILL" => (ASLEEP, ""),
            _ => (ODD, " fine 0"),
        };
        here.write(&mark, program);
        let bot = format!("'exec:python3 {mark}{words}'");
        let mut carat = here.start(&format!(
            "simulate diamant --seat {bot} --games 10M --out o -q"
        ));
        // The first of these is carat itself.
        assert!(carat.comes(|_| running(&mark) > 1), "it starts");
        thread::sleep(Duration::from_millis(300));
        let pid = carat.id().to_string();
        Command::new("kill")
            .args([signal, &pid])
            .status()
            .expect("kill");
        carat.ended();
        assert!(all_end(&mark), "{signal}");
    }
}
