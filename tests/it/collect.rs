//! One table of many results folders.

use crate::fixtures::project;
use crate::process::{Folder, folder, holds};
use polars_core::prelude::{AnyValue, DataFrame};
use std::fs;

/// The grid: folders with the command of each.
fn grid() -> Vec<(String, String)> {
    let mut studies = Vec::new();
    for (game, players, set) in [
        ("diamant", [3, 4, 5], "rounds=2"),
        ("diamond_miner", [2, 3, 4], "goal=1"),
    ] {
        for players in players {
            for seed in 1..=2 {
                for set in ["", &format!("--set {set}")] {
                    let line = format!("simulate {game} --players {players} --seed {seed} {set}");
                    studies.push(line);
                }
            }
            let sides = format!("--b rules.{set} --c players=5");
            studies.push(format!(
                "compare {game} --players {players} --seed 3 {sides}"
            ));
        }
    }
    let named = studies.into_iter().enumerate();
    named.map(|(at, line)| (format!("f{at}"), line)).collect()
}

fn play(here: &Folder, studies: &[(String, String)]) {
    for (name, line) in studies {
        let how = "--games 20 -q --threads 1 --format csv,parquet";
        here.run(&format!("{line} {how} --out {name}"));
    }
}

/// The names and types of all columns.
fn schema(frame: &DataFrame) -> Vec<(String, String)> {
    let columns = frame.columns().iter();
    let named = columns.map(|of| (of.name().to_string(), of.dtype().to_string()));
    named.collect()
}

/// The values of a column as CSV has them.
fn texts(frame: &DataFrame, name: &str) -> Vec<String> {
    let column = frame.column(name).expect(name);
    let value = |row| match column.get(row).expect("a row") {
        AnyValue::Null => String::new(),
        AnyValue::Float64(number) => format!("{number:?}"),
        AnyValue::String(text) => text.to_string(),
        other => other.to_string(),
    };
    (0..column.len()).map(value).collect()
}

#[test]
fn a_grid_of_studies_is_collected_into_one_table() {
    let here = folder();
    let studies = grid();
    assert_eq!(studies.len(), 30);
    play(&here, &studies);
    let all = Vec::from_iter(studies.iter().map(|(name, _)| name.as_str())).join(" ");
    let printed = here.run(&format!("collect {all}"));
    here.run(&format!("collect {all} --out new/all.csv"));
    here.run(&format!("collect {all} --format parquet --out all.parquet"));
    assert_eq!(printed, here.read("new/all.csv"));
    let (csv, frame) = (here.table("new/all.csv"), here.rows("all.parquet"));
    assert_eq!(csv.head[..5], ["folder", "study", "game", "rules", "set"]);
    for (at, name) in csv.head.iter().enumerate() {
        let own = csv.rows.iter().map(|row| row[at].as_str());
        assert_eq!(Vec::from_iter(own), texts(&frame, name), "{name}");
    }
    let mut next = 0;
    for (name, line) in &studies {
        let is_compared = line.starts_with("compare");
        let table = if is_compared { "differences" } else { "seats" };
        let own = here.table(&format!("{name}/{table}.csv"));
        for own_row in &own.rows {
            let row = &csv.rows[next];
            next += 1;
            let cell = |column: &str| row[csv.place(column)].as_str();
            assert_eq!(cell("folder"), name);
            let words = Vec::from_iter(line.split_whitespace());
            assert_eq!([cell("study"), cell("game")], words[..2]);
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                Some(words[at + 1].to_string())
            };
            let side = if is_compared { cell("side") } else { "" };
            let players: Option<String> = match side {
                "c" => Some("5".to_string()),
                _ => after("--players"),
            };
            assert_eq!(Some(cell("players").to_string()), players, "{line}");
            let seats = cell("seats").split("; ").count();
            assert_eq!(seats.to_string(), cell("players"), "{line}");
            assert_eq!(Some(cell("seed").to_string()), after("--seed"));
            let set: Option<String> = match side {
                "b" => after("--b").map(|set| set.replace("rules.", "")),
                _ => after("--set"),
            };
            assert_eq!(cell("set"), set.unwrap_or_default(), "{line}");
            assert_eq!(
                [cell("games"), cell("version")],
                ["20", env!("CARGO_PKG_VERSION")]
            );
            for (column, value) in own.head.iter().zip(own_row) {
                let name = match column.as_str() {
                    "games" => "seats_games",
                    column => column,
                };
                assert_eq!(cell(name), value, "{name}: {column}");
            }
            let is_of_diamant = cell("game") == "diamant" && !is_compared;
            assert_eq!(cell("bust_rate").is_empty(), !is_of_diamant, "{name}");
        }
    }
    assert_eq!(next, csv.rows.len());
}

/// The columns follow from the table alone, with the types that `carat show columns` declares.
#[test]
fn collected_columns_do_not_depend_on_the_folders() {
    let here = folder();
    let studies = [
        ("a", "simulate diamant --players 3"),
        ("b", "simulate diamond_cave"),
        ("c", "simulate diamond_miner --set goal=1"),
        ("s", "sweep diamant --vary players=3,4"),
        ("t", "tournament diamant --bots depth,risk --players 3"),
    ];
    play(
        &here,
        &studies.map(|(name, line)| (name.to_string(), line.to_string())),
    );
    here.run("simulate diamant --players 3 --seed 2 --games 20 -q --out inner/e");
    for (table, folders) in [
        ("seats", &["a", "inner/e", "a inner"][..]),
        ("scores", &["a", "inner"]),
    ] {
        let mut schemas = Vec::new();
        for folders in folders {
            here.run(&format!(
                "collect {folders} --table {table} --out o.parquet"
            ));
            schemas.push(schema(&here.rows("o.parquet")));
        }
        schemas.dedup();
        assert_eq!(schemas.len(), 1, "{table}");
        for (name, of_type) in [
            ("seed", "i64"),
            ("players", "i64"),
            ("set", "str"),
            ("side", "str"),
        ] {
            assert!(schemas[0].contains(&(name.to_string(), of_type.to_string())));
        }
    }
    // Columns of games that are not there are left out.
    here.run("collect a b --table seats --out o.csv");
    assert!(here.table("o.csv").head.contains(&"bust_rate".to_string()));
    here.run("collect b --table seats --out o.csv");
    let of_cave = here.table("o.csv").head;
    assert!(!of_cave.contains(&"bust_rate".to_string()));
    assert!(of_cave.contains(&"seats.1".to_string()));
    let declared = here.json("show columns diamant --json");
    here.run("collect s t a --out o.parquet");
    let frame = here.rows("o.parquet");
    for column in declared["columns"].as_array().expect("columns") {
        let [study, table, name, of_type] =
            ["study", "table", "column", "type"].map(|key| column[key].as_str().expect(key));
        let is_there = [
            ("sweep", "cells"),
            ("tournament", "ratings"),
            ("simulate", "seats"),
        ]
        .contains(&(study, table));
        let is_own = !["games", "PATH"].contains(&name);
        if is_there && is_own {
            let expected = match of_type {
                "whole number" => "i64",
                "number" => "f64",
                "text" => "str",
                _ => "bool",
            };
            let own = frame.column(name).expect(name);
            assert_eq!(own.dtype().to_string(), expected, "{table} {name}");
        }
    }
    // A path that is a key has the values of its rows.
    let of_cells = here.table("s/cells.csv");
    assert_eq!(
        texts(&frame, "players")[..of_cells.rows.len()],
        of_cells.column("players")
    );
}

#[test]
fn columns_for_each_seat_are_collected_in_long_form() {
    let here = folder();
    let studies = [3, 5].map(|n| (format!("p{n}"), format!("simulate diamant --players {n}")));
    play(&here, &studies);
    here.run("collect p3 p5 --table depth --out o.csv");
    let long = here.table("o.csv");
    let mut next = 0;
    for players in [3, 5] {
        let wide = here.table(&format!("p{players}/depth.csv"));
        for row in &wide.rows {
            for seat in 1..=players {
                let own = [
                    &row[wide.place("cards")],
                    &row[wide.place(&format!("left_seat_{seat}"))],
                    &seat.to_string(),
                    &players.to_string(),
                ];
                let found = ["cards", "left", "seat", "players"];
                assert_eq!(found.map(|name| &long.rows[next][long.place(name)]), own);
                next += 1;
            }
        }
    }
    assert_eq!(next, long.rows.len());
}

#[test]
fn a_seed_is_collected_with_all_digits() {
    let here = folder();
    let most = u64::MAX.to_string();
    let line = format!("simulate diamant --players 3 --seed {most}");
    play(&here, &[("a".to_string(), line)]);
    here.run("collect a --out o.parquet");
    assert_eq!(texts(&here.rows("o.parquet"), "seed"), vec![most; 3]);
}

#[test]
fn folders_without_complete_results_are_refused() {
    let here = folder();
    let studies = ["good", "changed", "newer", "partial"];
    play(
        &here,
        &studies.map(|name| (name.to_string(), "simulate diamant".to_string())),
    );
    play(
        &here,
        &[(
            "other".to_string(),
            "compare diamant --b rounds=2".to_string(),
        )],
    );
    let manifest = here.read("good/manifest.json");
    let edited = |from: &str, to: &str| manifest.replacen(from, to, 1);
    here.write(
        "newer/manifest.json",
        edited("\"format\": 1", "\"format\": 2"),
    );
    here.write(
        "partial/manifest.json",
        edited("\"partial\": false", "\"partial\": true"),
    );
    here.write("changed/seats.parquet", "");
    here.inner("empty");
    here.inner("broken").write("manifest.json", "{");
    // The manifest has no checksum of this one.
    here.inner("cut")
        .write("manifest.json", manifest.replace("\"scores.", "\"old."));
    here.write("cut/scores.csv", "seat,bot\n1,\"x\n");
    here.write("old.csv", "mine");
    here.refuses_as("collect");
    assert_eq!(here.read("old.csv"), "mine");
    // Folders that lack a table which others have are named.
    let collect = "collect good other --table scores --out";
    let ran = here.ends(0, &format!("{collect} new.csv"));
    holds(&ran.stderr, "warning: … other");
    assert_eq!(here.table("new.csv").column("folder")[0], "good");
    // Results and files of one's own stay; a collected table is replaced.
    let seats = here.bytes("good/seats.csv");
    for other in ["old.csv", "good/seats.csv", "good/manifest.json"] {
        let ran = here.ends(2, &format!("{collect} {other}"));
        holds(
            &ran.stderr,
            &format!("--out {other}: this file is no table"),
        );
    }
    assert_eq!(here.read("old.csv"), "mine");
    assert_eq!(here.bytes("good/seats.csv"), seats);
    for again in ["new.csv", "new.parquet", "new.parquet"] {
        here.ends(0, &format!("{collect} {again}"));
    }
}

#[test]
fn results_of_earlier_versions_are_collected() {
    let here = folder();
    for version in ["0.2.0", "0.3.0", "0.4.0"] {
        let released = project().join("tests/released").join(version);
        let mut all = String::new();
        let mut rows = 0;
        for (kind, table) in [
            ("simulate", "seats"),
            ("compare", "differences"),
            ("sweep", "cells"),
        ] {
            let Ok(csv) = fs::read(released.join(format!("{kind}.{table}.csv"))) else {
                continue;
            };
            let name = format!("{version}-{kind}");
            let own = here.inner(&name);
            let manifest = fs::read(released.join(format!("{kind}.json"))).expect("a manifest");
            own.write("manifest.json", manifest);
            own.write(&format!("{table}.csv"), csv);
            rows += own.table(&format!("{table}.csv")).rows.len();
            all += &format!(" {name}");
        }
        here.run(&format!("collect{all} --out o.csv"));
        let collected = here.table("o.csv");
        assert!(rows > 0 && collected.rows.len() == rows, "{version}");
        let simulated = collected.pairs("study", "players").into_iter();
        let mut simulated = simulated.filter(|row| row.0 == "simulate");
        assert!(simulated.all(|row| !row.1.is_empty()), "{version}");
    }
}

/// The keys of a row are those of its own table.
#[test]
fn keys_are_those_of_each_side_and_of_all_seats() {
    let here = folder();
    let quick = "--games 300 --no-charts --quiet";
    here.run(&format!(
        "compare diamant --each --players 4 {quick} --out each"
    ));
    here.run(&format!(
        "sweep diamant --seat simple --others people --vary rules.rounds=4,5 {quick} --out sweep"
    ));
    here.run("collect each sweep --out all.csv");
    let all = here.table("all.csv");
    let column = |name: &str| {
        all.head
            .iter()
            .position(|head| head == name)
            .expect("a column")
    };
    let [folder, set, players, seats, path, to] =
        ["folder", "set", "players", "seats", "path", "to"].map(column);
    let mut steps = 0;
    for row in &all.rows {
        let is_sweep = row[folder] == "sweep";
        assert_eq!(row[players], if is_sweep { "5" } else { "4" }, "{row:?}");
        assert_eq!(
            row[seats].matches("people").count(),
            if is_sweep { 4 } else { 2 },
            "{row:?}"
        );
        if row[path] == "rounds" {
            assert_eq!(row[set], format!("rounds={}", row[to]), "{row:?}");
            steps += 1;
        }
    }
    assert!(steps > 0);
}
