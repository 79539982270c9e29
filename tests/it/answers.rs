//! No silent wrong answer: what is played is what was asked for, or a message says why not.

use crate::fixtures::{carat, contents, folder, ok, text};
use carat::game::Seating;
use carat::game::story::Telling;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs carat and demands a refusal that says all of `said`.
#[track_caller]
fn refused(folder: &Path, args: &[&str], said: &[&str]) -> String {
    let output = carat(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "carat {args:?}: {message}");
    for words in said {
        assert!(
            message.contains(words),
            "carat {args:?} should say {words:?}: {message}"
        );
    }
    message
}

/// The words after `sweep diamant` for these axes.
fn sweep<'a>(vary: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let axes = vary.iter().flat_map(|axis| ["--vary", axis]);
    let head = ["sweep", "diamant", "--out", "o", "--quiet", "--games", "20"];
    let head = head.into_iter().chain(axes);
    head.chain(more.iter().copied()).collect()
}

/// A column of a table of results, without its head.
fn column(folder: &Path, table: &str, name: &str) -> Vec<String> {
    let csv = fs::read_to_string(folder.join("o").join(table)).expect("a table");
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_string));
    let head: Vec<String> = lines.next().expect("a head").collect();
    let at = head.iter().position(|known| known == name);
    let at = at.unwrap_or_else(|| panic!("no {name} in {head:?}"));
    lines
        .map(|mut line| line.nth(at).unwrap_or_default())
        .collect()
}

/// Both files of bots with two parameters each, in `folder`.
fn write_bots(folder: &Path) {
    for name in ["two.toml", "my.bot.toml"] {
        let bot = "description = \"\"\nleave = \"held >= target or traps_seen > nerve\"\n\
                   [params]\ntarget = 9\nnerve = 2\n";
        fs::write(folder.join(name), bot).expect("written");
    }
}

const TWO: [&str; 6] = ["--seat", "two.toml", "--seat", "depth", "--players", "4"];

#[test]
fn what_cannot_be_played_is_refused_at_once() {
    let here = folder();
    let start = Instant::now();
    for (axes, said) in [
        (
            &["seats.1.target=1..1000000"][..],
            &["1000000 cells", "20000000 games", "1024"][..],
        ),
        (
            &["seats.1.target=0..1 step 1e-300"],
            &["more than 10^24 cells"],
        ),
        (
            &["seats.1.target=0..1e30 step 1e-9"],
            &["more than 10^24 cells"],
        ),
        (
            &[
                "seats.1.target=1..1000",
                "seats.2.target=1..1000",
                "rules.rounds=1..1000",
            ],
            &["1000000000 cells"],
        ),
        (
            &["seats.1.target=1..33", "rules.rounds=1..33"],
            &["1089 cells"],
        ),
    ] {
        refused(here.path(), &sweep(axes, &[]), said);
    }
    let list: Vec<String> = (0..20_000).map(|value| value.to_string()).collect();
    let study = format!(
        "study = \"sweep\"\n[table]\ngame = \"diamant\"\ngames = 7\n[vary]\n\"seats.1.target\" = [{}]\n",
        list.join(",")
    );
    fs::write(here.path().join("s.toml"), study).expect("written");
    refused(
        here.path(),
        &["run", "s.toml"],
        &["20000 cells", "140000 games"],
    );
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn steps_are_what_they_say() {
    let here = folder();
    for (axis, values) in [
        (
            "seats.1.target=0..10 step 25e-1",
            &["0.0", "2.5", "5.0", "7.5", "10.0"][..],
        ),
        (
            "seats.1.target=0..3e-1 step 1e-1",
            &["0.0", "0.1", "0.2", "0.3"],
        ),
        ("rules.rounds=2..4", &["2", "3", "4"]),
    ] {
        ok(
            here.path(),
            &sweep(
                &[axis],
                &["--seat", "threshold", "--players", "2", "--no-charts"],
            ),
        );
        let (path, _) = axis.split_once('=').expect("an axis");
        let mut found = column(here.path(), "cells.csv", path);
        found.dedup();
        assert_eq!(found, values, "{axis}");
        if path == "seats.1.target" {
            let played = column(here.path(), "cells.csv", "params");
            let own = played.iter().step_by(2).zip(values);
            for (params, value) in own {
                let played: f64 = params.trim_start_matches("target=").parse().expect(params);
                assert_eq!(Some(played), value.parse().ok(), "{params}");
            }
        }
    }
    for axis in ["seats.1.target=4,4.0", "seats.1.target=16777216..16777217"] {
        refused(here.path(), &sweep(&[axis], &[]), &["are the same value"]);
    }
}

#[test]
fn a_seat_takes_one_bot_wherever_it_is_named() {
    let here = folder();
    let said = &["seats.1=2*depth", "one seat takes one bot"];
    refused(here.path(), &sweep(&["seats.1=depth,2*depth"], &[]), said);
    for side in ["--a", "--b"] {
        let args = [
            "compare",
            "diamant",
            side,
            "seats.1=2*depth",
            "--b",
            "players=4",
        ];
        refused(here.path(), &args, said);
    }
    for study in [
        "study = \"sweep\"\n[vary]\n\"seats.1\" = [\"depth\", \"2*depth\"]\n",
        "study = \"compare\"\n[sides]\na = []\nb = [\"seats.1=2*depth\"]\n",
    ] {
        let study = format!("{study}[table]\ngame = \"diamant\"\n");
        fs::write(here.path().join("s.toml"), study).expect("written");
        refused(here.path(), &["run", "s.toml"], said);
    }
}

/// Values for a path of each kind, two of each.
const KINDS: [(&str, [&str; 2]); 9] = [
    ("players", ["3", "4"]),
    ("rules", ["iello-2016", "copy.toml"]),
    ("rules.rounds", ["3", "4"]),
    ("rules.traps.snake", ["2", "3"]),
    ("seats.2", ["depth", "last-out"]),
    ("seats.1.target", ["7", "8"]),
    ("seats.1.nerve", ["2", "3"]),
    ("all.two.toml.target", ["7", "8"]),
    ("all.two.toml.nerve", ["2", "3"]),
];

/// Whether the two are the same place at the table of [`TWO`].
fn same_place(a: &str, b: &str) -> bool {
    let param = |path: &str| path.rsplit('.').next().map(str::to_string);
    let of_bot = |path: &str| path.starts_with("seats.1.") || path.starts_with("all.");
    a == b || (of_bot(a) && of_bot(b) && param(a) == param(b))
}

#[test]
fn every_pair_of_kinds_of_path_varies_together_or_says_why_not() {
    let here = folder();
    write_bots(here.path());
    let rules = crate::fixtures::edition("iello-2016");
    fs::write(here.path().join("copy.toml"), rules).expect("written");
    for (index, (one, own)) in KINDS.iter().enumerate() {
        for (other, others) in &KINDS[index + 1..] {
            let axes = [own, others].map(|values| values.join(","));
            let axes = [format!("{one}={}", axes[0]), format!("{other}={}", axes[1])];
            let mut vary: Vec<&str> = axes.iter().map(String::as_str).collect();
            let apart = !same_place(one, other);
            let [a, b] = [one, other].map(|path| format!("`{path}`"));
            for _ in 0..2 {
                if apart {
                    ok(
                        here.path(),
                        &sweep(&vary, &[&TWO[..], &["--no-charts"]].concat()),
                    );
                    let cells = column(here.path(), "cells_table.csv", one);
                    let others = column(here.path(), "cells_table.csv", other);
                    let mut found: Vec<_> = cells.into_iter().zip(others).collect();
                    found.sort();
                    found.dedup();
                    assert_eq!(found.len(), 4, "{vary:?}");
                } else {
                    let said = &[a.as_str(), b.as_str(), "change the same value"];
                    refused(here.path(), &sweep(&vary, &TWO), said);
                }
                vary.reverse();
            }
            // The same in a comparison, from the command line and from a file.
            let changes = [
                format!("{one}={}", own[0]),
                format!("{other}={}", others[0]),
            ];
            let args = [
                "compare", "diamant", "--games", "20", "--out", "c", "--quiet",
            ];
            let sides = ["--no-charts", "--b", &changes[0], "--b", &changes[1]];
            let args = [&args[..], &TWO, &sides].concat();
            let study = format!(
                "study = \"compare\"\n[sides]\na = []\nb = [\"{}\", \"{}\"]\n[table]\n\
                 game = \"diamant\"\nseats = [\"two.toml\", \"depth\"]\nplayers = 4\ngames = 20\n",
                changes[1], changes[0]
            );
            fs::write(here.path().join("s.toml"), study).expect("written");
            let run = ["run", "s.toml", "--out", "c", "--no-charts", "--quiet"];
            if apart {
                ok(here.path(), &args);
                ok(here.path(), &run);
            } else {
                refused(here.path(), &args, &[&a, &b, "change the same value"]);
                refused(here.path(), &run, &[&a, &b, "change the same value"]);
            }
        }
    }
}

#[test]
fn two_parameters_of_a_bot_make_a_heat_map() {
    let here = folder();
    write_bots(here.path());
    for other in ["seats.1.nerve=2..3", "all.two.toml.nerve=2..3"] {
        ok(
            here.path(),
            &sweep(
                &["seats.1.target=6..8", other],
                &[&TWO[..], &["--svg"]].concat(),
            ),
        );
        let map = fs::read_to_string(here.path().join("o/heat_map.svg")).expect("a heat map");
        assert!(map.contains("seats.1.target") && map.contains("nerve"));
        let params = column(here.path(), "cells.csv", "params");
        let own: Vec<&String> = params.iter().step_by(4).collect();
        assert_eq!(own[0], "\"target=6");
        assert_eq!(own.len(), 6);
    }
    let study = "study = \"sweep\"\n[table]\ngame = \"diamant\"\nseats = [\"two.toml\"]\ngames = 20\n\
                 [vary]\n\"seats.1.target\" = \"6..8\"\n\" seats.1 . nerve\" = [2, 3]\n";
    fs::write(here.path().join("s.toml"), study).expect("written");
    ok(here.path(), &["run", "s.toml", "--out", "o", "--quiet"]);
    assert!(here.path().join("o/heat_map.png").exists());
    assert_eq!(column(here.path(), "cells.csv", "seats.1.nerve").len(), 6);
}

#[test]
fn overlapping_paths_are_found_however_they_are_spelt() {
    let here = folder();
    for (one, other) in [
        ("rules.traps.snake=2,3", "rules.traps={snake=1}"),
        ("rules.traps.snake=2,3", "rules. traps .snake=1,4"),
        ("seats.1=depth,risk", "seats. 01=last-out"),
        ("seats.1.target=4,5", "seats.1 .target=6,7"),
        ("players=3,4", "players =5"),
    ] {
        for axes in [[one, other], [other, one]] {
            let output = carat(here.path(), &sweep(&axes, &["--seat", "threshold"]));
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{axes:?}");
            let said = ["the same value", "given twice"].map(|said| message.contains(said));
            assert!(said.contains(&true), "{axes:?}: {message}");
        }
    }
    // Who sits where decides, after all are seated.
    let seat = ["--b", "seats.2=threshold", "--b", "seats.2.target=4"];
    let all = ["--b", "all.threshold.target=5"];
    let args = [
        &[
            "compare",
            "diamant",
            "--players",
            "3",
            "--seat",
            "threshold",
        ][..],
        &seat,
        &all,
    ]
    .concat();
    let said = [
        "`seats.2.target`",
        "`all.threshold.target`",
        "the same value",
    ];
    refused(here.path(), &args, &said);
}

#[test]
fn a_precision_without_a_value_is_not_reached() {
    let here = folder();
    let stays = "description = \"\"\nleave = \"false\"\n";
    fs::write(here.path().join("stays.toml"), stays).expect("written");
    let seats = ["--seat", "2*./stays.toml", "--precision", "0.5", "--metric"];
    let manifest = |folder: &str| -> serde_json::Value {
        let file = here.path().join(folder).join("manifest.json");
        serde_json::from_str(&fs::read_to_string(file).expect("a manifest")).expect("JSON")
    };
    let play = |args: &[&str], metric: &str| {
        let out = ["--out", "o", "--no-charts", "--max-games", "30000"];
        let output = carat(here.path(), &[args, &seats, &[metric], &out].concat());
        (text(&output.stderr), manifest("o"))
    };
    let again = || {
        let output = carat(
            here.path(),
            &[
                "run",
                "o/manifest.json",
                "--out",
                "p",
                "--quiet",
                "--no-charts",
            ],
        );
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    };
    let compare = ["compare", "diamant", "--b", "rules.rounds=3"];
    let sweep = ["sweep", "diamant", "--vary", "rules.rounds=3..4"];
    for args in [&["simulate", "diamant"][..], &compare, &sweep] {
        let (said, manifest) = play(args, "cards_at_leaving_mean@1");
        assert!(
            said.contains("was not reached: there was nothing to divide by"),
            "{args:?}: {said}"
        );
        let missed = serde_json::json!({ "asked": 0.5, "reached": null });
        assert_eq!(manifest["precision_missed"], missed, "{args:?}");
        // It can be played again, and comes to the same end.
        again();
        assert_eq!(
            contents(&here.path().join("o")),
            contents(&here.path().join("p")),
            "{args:?}"
        );
        // One that is reached says nothing.
        let (said, manifest) = play(args, "score_mean@1");
        assert!(!said.contains("not reached"), "{args:?}: {said}");
        assert!(manifest.get("precision_missed").is_none());
    }
    let tight = [
        "simulate",
        "diamant",
        "--precision",
        "1e-5",
        "--max-games",
        "5000",
    ];
    let tight = [&tight[..], &["--no-charts", "--out", "o"]].concat();
    let shown = carat(here.path(), &tight);
    assert!(text(&shown.stderr).contains("after 5000 games the widest interval"));
    let found = manifest("o");
    let reached = found["precision_missed"]["reached"]
        .as_f64()
        .expect("a half-width");
    assert!(reached > 1e-3 && reached < 0.1, "{reached}");
    assert_eq!(found["precision_missed"]["asked"], 1e-5);
    again();
    assert_eq!(
        contents(&here.path().join("o")),
        contents(&here.path().join("p"))
    );
}

#[test]
fn a_value_that_never_comes_is_not_waited_for_for_ever() {
    let here = folder();
    let stays = "description = \"\"\nleave = \"false\"\n";
    fs::write(here.path().join("stays.toml"), stays).expect("written");
    let args = [
        "simulate",
        "diamant",
        "--seat",
        "2*stays.toml",
        "--precision",
        "0.5",
        "--metric",
        "cards_at_leaving_mean@2",
        "--no-charts",
        "--out",
        "o",
    ];
    let shown = carat(here.path(), &args);
    assert!(text(&shown.stderr).contains("nothing to divide by"));
    let games: u64 = column(here.path(), "seats.csv", "games")[0]
        .parse()
        .expect("games");
    assert!((1 << 20..1 << 23).contains(&games), "{games}");
}

#[test]
fn replay_shows_the_game_that_was_played() {
    let here = folder();
    let replay = |more: &[&str]| ok(here.path(), &[&["replay", "diamond_miner"], more].concat());
    let table = |seating: Seating| {
        let library = carat::study::library::Library::default();
        let study = carat::study::Simulate {
            seating,
            ..carat::study::Simulate::of("diamond_miner")
        };
        study.resolve(&library).expect("it can be played").table
    };
    let all = [
        ("every-order", Seating::EveryOrder),
        ("neighbours", Seating::Neighbours),
        ("fixed", Seating::Fixed),
    ];
    for (name, seating) in all {
        let shown = replay(&["--game", "9", "--seed", "5", "--seating", name]);
        assert_eq!(shown, table(seating).replay(5, 9, Telling::PLAIN));
    }
    let usual = ["--game", "9", "--seating", "every-order"];
    assert_eq!(replay(&["--game", "9"]), replay(&usual));
    let [every, moved, fixed] = all.map(|(_, seating)| table(seating).replay(5, 9, Telling::PLAIN));
    assert!(
        every != moved && moved != fixed,
        "the game depends on who sits where"
    );
}

#[test]
fn files_may_lie_anywhere_and_have_dots_in_their_names() {
    let here = folder();
    write_bots(here.path());
    let inner = here.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    for name in ["a.toml", "b.toml"] {
        let rules = crate::fixtures::edition("iello-2016");
        fs::write(here.path().join(name), rules).expect("written");
    }
    let rules = "rules=../a.toml,../b.toml";
    ok(&inner, &sweep(&[rules], &["--no-charts"]));
    let found = column(&inner, "cells_table.csv", "rules");
    assert!(found.contains(&"../a.toml".to_string()) && found.contains(&"../b.toml".to_string()));
    let seats = [
        "--seat",
        "2*./my.bot.toml",
        "--seat",
        "depth",
        "--no-charts",
    ];
    ok(
        here.path(),
        &sweep(&["all../my.bot.toml.target=7..8"], &seats),
    );
    let params = column(here.path(), "cells.csv", "params");
    assert_eq!(
        params
            .iter()
            .filter(|params| *params == "\"target=7")
            .count(),
        2
    );
    let paths = ok(
        here.path(),
        &["show", "paths", "diamant", "--seat", "./my.bot.toml"],
    );
    assert!(paths.contains("all../my.bot.toml.target"), "{paths}");
    refused(
        here.path(),
        &sweep(&["all../me.bot.toml.target=7..8"], &seats),
        &["no seat plays `./me.bot.toml`", "./my.bot.toml"],
    );
    // The metric is that of the first seat that the bot takes.
    let seats = ["--seat", "depth", "--seat", "./my.bot.toml", "--no-charts"];
    let args = sweep(&["all../my.bot.toml.target=7..8"], &seats);
    let shown: Vec<&str> = args.into_iter().filter(|arg| *arg != "--quiet").collect();
    assert!(ok(here.path(), &shown).contains("seat 2"));
}

#[test]
fn names_do_nothing_to_terminals_pictures_and_spreadsheets() {
    let here = folder();
    let bot = "description = \"\"\nleave = \"held > 4\"\n";
    for name in ["=1+1.toml", "-x.toml", "esc\u{1b}[31m.toml"] {
        fs::write(here.path().join(name), bot).expect("written");
    }
    let study = "study = \"simulate\"\ntitle = \"\\u001b[31mred \\u0000\\u009b \\uFFFE<b>\"\n\
                 game = \"diamant\"\ngames = 50\n\
                 seats = [\"=1+1.toml\", \"-x.toml\", \"esc\\u001b[31m.toml\", \"threshold\"]\n";
    fs::write(here.path().join("s.toml"), study).expect("written");
    let args = ["run", "s.toml", "--svg", "--out", "o"];
    let output = carat(here.path(), &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let controls = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    assert!(!controls(&text(&output.stdout)) && !controls(&text(&output.stderr)));
    assert!(text(&output.stdout).contains("\\u{1b}[31mred"));
    let mut pictures = 0;
    for (name, bytes) in contents(&here.path().join("o")) {
        if name.ends_with(".svg") {
            let document = String::from_utf8(bytes).expect("text");
            let wrong = |c: char| (c.is_control() && c != '\n') || c == '\u{fffe}';
            assert!(!document.contains(wrong), "{name}");
            pictures += 1;
        }
    }
    assert!(pictures >= 4);
    let strategies = column(here.path(), "seats.csv", "strategy");
    assert_eq!(strategies[..2], ["'=1+1.toml", "'-x.toml"]);
    let missing = carat(
        here.path(),
        &["simulate", "diamant", "--seat", "\u{1b}[31m"],
    );
    assert!(
        !controls(&text(&missing.stderr)),
        "{}",
        text(&missing.stderr)
    );
}

#[test]
fn long_titles_are_drawn_in_no_time() {
    let here = folder();
    let study = |title: &str| {
        format!("study = \"simulate\"\ngame = \"diamant\"\ngames = 50\ntitle = \"{title}\"\n")
    };
    let start = Instant::now();
    for title in ["long title ".repeat(3_000), "x".repeat(32_000)] {
        fs::write(here.path().join("s.toml"), study(&title)).expect("written");
        ok(
            here.path(),
            &["run", "s.toml", "--svg", "--quiet", "--out", "o"],
        );
        let chart = fs::read_to_string(here.path().join("o/win_shares.svg")).expect("a chart");
        assert!(
            chart.contains('…') && chart.len() < 30_000,
            "{}",
            chart.len()
        );
    }
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn formulas_have_as_many_operations_as_promised() {
    let here = folder();
    let bot = |operations: usize| {
        let sum = "held + ".repeat(operations - 1);
        format!("description = \"\"\nleave = \"{sum}1 > 9\"\n")
    };
    fs::write(here.path().join("b.toml"), bot(200)).expect("written");
    let args = [
        "simulate",
        "diamant",
        "--games",
        "50",
        "--seat",
        "b.toml",
        "--no-charts",
        "--out",
        "o",
    ];
    ok(here.path(), &args);
    fs::write(here.path().join("b.toml"), bot(201)).expect("written");
    refused(
        here.path(),
        &args,
        &["too large", "more than 200 operations"],
    );
}

#[test]
fn numbers_that_are_none_are_told_what_to_be() {
    let here = folder();
    for flag in ["--seed", "--threads", "--games", "--players"] {
        for value in ["-1", "x", "1.5", "99999999999999999999999"] {
            let message = refused(
                here.path(),
                &["simulate", "diamant", flag, value],
                &["number"],
            );
            assert!(
                !message.contains("digit") && !message.contains("unexpected"),
                "{message}"
            );
        }
    }
    let said = &["write a whole number from 0 to 18446744073709551615"];
    refused(here.path(), &["simulate", "diamant", "--seed", "-1"], said);
    refused(here.path(), &["replay", "diamant", "--game", "-1"], said);
    refused(
        here.path(),
        &["simulate", "diamant", "--threads", "257"],
        &["from 0 to 256"],
    );
    refused(
        here.path(),
        &["tournament", "diamant", "--line-ups", "-1"],
        &["at least 1"],
    );
    let one = refused(
        here.path(),
        &["compare", "diamant", "--a", "players=3"],
        &["at least two sides"],
    );
    assert!(!one.contains("1 sides"), "{one}");
    let bots = ["simulate", "diamant", "--players", "1", "--seat", "2*depth"];
    refused(here.path(), &bots, &["2 bots for 1 player:"]);
    let seat = [
        "compare",
        "diamant",
        "--players",
        "1",
        "--b",
        "seats.2=depth",
    ];
    refused(here.path(), &seat, &["the table has 1 seat,"]);
}
