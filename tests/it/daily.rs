//! In daily use: what a user meets again and again.

use crate::fixtures::{carat, contents, folder, ok, text};
use std::fs;
use std::path::Path;

/// The lines of a table of results as cells, its head first.
fn table(file: &Path) -> Vec<Vec<String>> {
    let csv = fs::read_to_string(file).expect("a table");
    let cells = |line: &str| line.split(',').map(str::to_string).collect();
    csv.lines().map(cells).collect()
}

#[test]
fn games_that_a_cap_ends_are_told_with_their_share() {
    let here = folder();
    let short = ["diamond_miner", "--set", "rules.rounds=3", "--games", "200"];
    let with = |kind: &str, more: &[&str]| {
        let args = [&[kind], &short[..], &["--no-charts", "--out", "o"], more].concat();
        ok(here.path(), &args)
    };
    for shown in [
        with("simulate", &[]),
        with("compare", &["--b", "take=2"]),
        with("sweep", &["--vary", "take=1,2"]),
        with(
            "tournament",
            &["--bots", "builder", "thief", "--players", "2"],
        ),
    ] {
        assert!(
            shown.contains("a cap of the rules ended 100.0 % of the games"),
            "{shown}"
        );
    }
    let page = fs::read_to_string(here.path().join("o/report.html")).expect("a page");
    assert!(page.contains("a cap of the rules ended 100.0 %"));
    let usual = [
        "simulate",
        "diamant",
        "--games",
        "200",
        "--no-charts",
        "--out",
        "p",
    ];
    assert!(!ok(here.path(), &usual).contains("cap of the rules"));
}

#[test]
fn a_study_that_is_complete_is_not_played_again() {
    let here = folder();
    let study = [
        "sweep",
        "diamant",
        "--vary",
        "seats.1.target=8,9",
        "--games",
        "2000",
    ];
    let with = |more: &[&str]| ok(here.path(), &[&study[..], &["--out", "o"], more].concat());
    with(&["--format", "csv,parquet"]);
    let first = contents(&here.path().join("o"));
    let said = with(&["--resume"]);
    assert!(said.contains("is there already"), "{said}");
    assert_eq!(contents(&here.path().join("o")), first);
    with(&["--resume", "--format", "json", "--no-charts"]);
    let more = contents(&here.path().join("o"));
    for file in first.iter().filter(|(name, _)| name != "manifest.json") {
        assert!(more.contains(file), "{}", file.0);
    }
    assert!(more.iter().any(|(name, _)| name == "cells.json") && more.len() == first.len() + 2);
}

#[test]
fn what_a_mistake_costs_is_told_of_every_cell() {
    let here = folder();
    let args = [
        "sweep",
        "diamant",
        "--seat",
        "threshold",
        "--players",
        "3",
        "--vary",
        "seats.1.target=2,12,14",
        "--precision",
        "0.01",
        "--no-charts",
        "--quiet",
        "--out",
        "o",
    ];
    ok(here.path(), &args);
    let rows = table(&here.path().join("o/cells.csv"));
    let column = |name: &str| rows[0].iter().position(|head| head == name).expect(name);
    let [best, behind, se, games] = ["best", "behind_best", "behind_best_se", "games"].map(column);
    let mine = || rows[1..].iter().step_by(3);
    assert_eq!(mine().filter(|row| row[best] == "true").count(), 1);
    let first = &rows[1];
    let last = mine().find(|row| row[best] == "true").expect("a best");
    let [cost, error]: [f64; 2] = [behind, se].map(|at| first[at].parse().expect("a number"));
    assert!(cost > 0.1 && error > 0.0 && error < 0.05, "{cost} {error}");
    assert_eq!((last[behind].as_str(), last[se].as_str()), ("0.0", "0.0"));
    let played = |row: &[String]| -> u64 { row[games].parse().expect("a number") };
    assert!(
        played(first) <= played(last),
        "the worst target was dropped early"
    );
}

#[test]
fn a_title_may_stand_at_the_top_and_sides_have_many_letters() {
    let here = folder();
    let study = "study = \"compare\"\ntitle = \"On top\"\n[table]\ngame = \"diamant\"\ngames = 500\n\
                 [sides]\na = []\nb = [\"rounds=3\"]\n";
    fs::write(here.path().join("s.toml"), study).expect("written");
    let shown = ok(here.path(), &["run", "s.toml", "--no-charts", "--out", "o"]);
    assert!(shown.contains("On top · Diamant"), "{shown}");
    let sides = [
        "compare",
        "diamant",
        "--games",
        "500",
        "--no-charts",
        "--out",
        "o",
        "--d",
        "seats.1.target=9",
        "--z",
        "rounds=3",
    ];
    let shown = ok(here.path(), &sides);
    assert!(
        shown.contains("d against a") && shown.contains("z against a"),
        "{shown}"
    );
}

#[test]
fn a_sample_of_line_ups_says_so_and_what_plays_all() {
    let here = folder();
    let args = [
        "tournament",
        "diamant",
        "--bots",
        "threshold",
        "traps",
        "depth",
        "--players",
        "4",
        "--line-ups",
        "12",
        "--games",
        "50",
        "--no-charts",
        "--out",
        "o",
    ];
    let shown = ok(here.path(), &args);
    assert!(
        shown.contains("Only a sample was played: 12 of 15"),
        "{shown}"
    );
    assert!(shown.contains("line_ups = 15 plays all"), "{shown}");
}

#[test]
fn the_page_says_what_was_asked_and_how_to_do_it_again() {
    let here = folder();
    let study = [
        "simulate",
        "diamant",
        "--seat",
        "threshold:target=9",
        "--players",
        "3",
        "--games",
        "500",
        "--seed",
        "7",
        "--set",
        "traps.snake=4",
        "--out",
        "o",
        "--quiet",
    ];
    ok(here.path(), &study);
    let page = |folder: &str| {
        let page = fs::read_to_string(here.path().join(folder).join("report.html"));
        page.expect("a page")
    };
    let command = "carat simulate diamant --rules iello-2016 --set traps.snake=4 \
                   --seat threshold:target=9 --seat traps --seat depth --games 500 --seed 7";
    assert!(page("o").contains(command));
    for part in [
        "<svg role=\"img\"",
        "<dt>seed</dt><dd>7</dd>",
        "[traps]",
        "leave = &quot;",
    ] {
        assert!(page("o").contains(part), "{part}");
    }
    // The command gives the same page again.
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    ok(
        here.path(),
        &[&words[..], &["--out", "p", "--quiet"]].concat(),
    );
    assert_eq!(page("o"), page("p"));
    // And so does the study file.
    let file = page("o");
    let (_, file) = file.split_once("<pre>study = ").expect("a study");
    let (file, _) = file.split_once("</pre>").expect("its end");
    let file = format!("study = {file}").replace("&quot;", "\"");
    fs::write(here.path().join("s.toml"), file).expect("written");
    ok(here.path(), &["run", "s.toml", "--out", "q", "--quiet"]);
    assert_eq!(page("o"), page("q"));
}

#[test]
fn tables_fit_the_terminal() {
    let here = folder();
    for width in ["80", "100", "120"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_carat"));
        let args = [
            "simulate",
            "diamant",
            "--games",
            "500",
            "--no-charts",
            "--out",
            "o",
        ];
        let shown = command
            .args(args)
            .env("COLUMNS", width)
            .current_dir(here.path())
            .output();
        let shown = text(&shown.expect("carat runs").stdout);
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= width.parse().ok(), "{width}: {shown}");
        assert!(shown.contains("threshold"), "{shown}");
    }
    let wrong = carat(
        here.path(),
        &["simulate", "diamant", "--seating", "standing"],
    );
    assert!(text(&wrong.stderr).contains("every-order"));
}
