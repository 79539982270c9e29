//! Advice at the table: situations, lines of a pipe, and records of games.

use crate::fixtures::{carat, folder, ok, text};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

fn json(args: &[&str]) -> Value {
    let args = [&["advise", "diamant", "--format", "json"], args].concat();
    serde_json::from_str(&ok(folder().path(), &args)).expect("JSON")
}

/// The situation of the README.
const TABLE: [&str; 8] = [
    "--players",
    "5",
    "--me",
    "2",
    "--chests",
    "12,0,30,5,8",
    "--round",
    "4",
];

#[test]
fn a_situation_is_answered() {
    let situation = "5 7 snake 11 / 2 leave / relic 3";
    let args = [&["advise", "diamant"], &TABLE[..], &[situation]].concat();
    let told = ok(folder().path(), &args);
    assert!(told.contains("you are @2, later as solved-5"), "{told}");
    assert!(told.contains("Expedition 4 of 5, 6 cards"), "{told}");
    assert!(
        told.contains("it is worth") || told.contains("Either"),
        "{told}"
    );

    // Of what is not told each way is alike likely: the worth is their mean.
    let few = ["--playouts", "60000"];
    let answer = json(&[&TABLE[..], &few, &[situation]].concat());
    let worth = |answer: &Value, option: &str| answer[option]["win_share"]["value"].as_f64();
    let mut sum = 0.0;
    for pair in ["1 @3", "1 @4", "1 @5", "3 @4", "3 @5", "4 @5"] {
        let named = format!("5 7 snake 11 / @{pair} leave / relic 3");
        let answer = json(&[&TABLE[..], &few, &[&named]].concat());
        sum += worth(&answer, "stay").expect("a share");
    }
    let mixed = worth(&answer, "stay").expect("a share");
    assert!((mixed - sum / 6.0).abs() < 0.01, "{mixed} {}", sum / 6.0);
    let cases = answer["cases"].as_array().expect("a list");
    let likely: f64 = cases
        .iter()
        .filter_map(|case| case["likely"]["value"].as_f64())
        .sum();
    assert!(cases.len() == 3 && (likely - 1.0).abs() < 1e-9, "{answer}");
}

/// In the last decision before a certain end the worth is known exactly.
#[test]
fn what_is_certain_is_exact() {
    // One expedition, two explorers, and the other leaves: 7 and 17 give 3 and 8 each.
    let last = |bot: &str, situation: &str| {
        let others = ["--others", bot, "--as", "depth:cards=1"];
        let rules = [
            "--rules",
            "schmidt-2005",
            "--set",
            "rounds=1",
            "--players",
            "2",
        ];
        json(&[&rules[..], &others, &[situation]].concat())
    };
    let answer = last("depth:cards=1", "7 serpent 17");
    assert_eq!(answer["leave"]["score"]["value"], 12.0);
    assert_eq!(answer["leave"]["win_share"]["value"], 0.5);
    assert_eq!(answer["leave"]["win_share"]["low"], 0.5);
    // Of 27 cards two are the serpent; those who stay see one more card alone.
    let treasures = [1, 2, 3, 4, 5, 5, 7, 9, 11, 11, 13, 14, 15];
    let left: i32 = treasures.iter().sum();
    let exact = (25.0 * 11.0 + f64::from(left)) / 27.0;
    let stay = &answer["stay"]["score"];
    let (low, high) = (stay["low"].as_f64(), stay["high"].as_f64());
    let half = (high.expect("high") - low.expect("low")) / 2.0;
    let value = stay["value"].as_f64().expect("a mean");
    assert!(
        (value - exact).abs() < 2.5 * half && half < 0.1,
        "{value} {exact} {half}"
    );
    assert_eq!(answer["cases"][1]["likely"]["value"], 1.0);
    // The other never leaves by itself; that case is looked at all the same.
    let answer = last("threshold:target=99", "7 serpent 17");
    assert_eq!(answer["cases"][1]["likely"]["value"], 0.0);
    assert_eq!(answer["cases"][1]["leave"]["score"]["value"], 12.0);
    assert_eq!(answer["cases"][0]["leave"]["score"]["value"], 13.0);
}

#[test]
fn lines_of_a_pipe_are_answered_by_lines() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carat"))
        .args(["advise", "diamant", "--players", "3", "--playouts", "2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carat starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"5 7 snake\n\n5 sanke\n5 / all leave\n5 / @1 leaves / 7")
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("carat ends");
    let told = text(&output.stdout);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert!(
        lines[0].contains("leave") && lines[0].contains("stay"),
        "{told}"
    );
    assert_eq!(lines[1], "error: `sanke` is not a card of this game");
    assert!(lines[2].starts_with("Expedition 2 of 5 begins."), "{told}");
    assert!(lines[3].contains("nothing to decide"), "{told}");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("^^^^^"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_game_is_printed_as_a_record_under_every_edition() {
    let here = folder();
    for edition in [
        "iello-2016",
        "schmidt-2005-alt",
        "incan-gold-2006",
        "incan-gold-2020",
    ] {
        let replay = |more: &[&str]| {
            let table = ["replay", "diamant", "--rules", edition, "--game", "7"];
            let bots = [
                "--seat",
                "2*depth",
                "--seat",
                "threshold",
                "--seat",
                "2*random",
            ];
            ok(here.path(), &[&table[..], &bots, more].concat())
        };
        let record = replay(&["--record"]);
        assert!(
            record.contains("players 5\n1: ") && record.contains("\nchests "),
            "{record}"
        );
        // Whatever a record tells ends a game, and the story tells the same.
        let lines: Vec<&str> = record.lines().collect();
        let chests = lines[lines.len() - 1].trim_start_matches("chests ");
        let told = replay(&[]);
        let last = told
            .lines()
            .rfind(|line| line.starts_with("  = "))
            .expect("chests");
        let after: Vec<&str> = last
            .split(" | ")
            .map(|seat| seat.rsplit(' ').next().expect("a chest"))
            .collect();
        assert_eq!(after.join(" "), chests, "{told}");
        let asked = [
            "advise",
            "diamant",
            "--rules",
            edition,
            "--players",
            "5",
            &record,
        ];
        assert!(ok(here.path(), &asked).contains("The game is over."));
    }
}

#[test]
fn wrong_questions_are_refused() {
    let here = folder();
    fs::write(here.path().join("empty.toml"), "").expect("written");
    for (args, said) in [
        (
            &["diamond_cave", "5"][..],
            "no advice can be given in diamond_cave",
        ),
        (
            &["diamant", "--me", "6", "5"],
            "me is seat 6; the table has seats 1 to 5",
        ),
        (&["diamant", "--players", "9", "5"], "9 players"),
        (
            &["diamant", "5", "--others", "depth", "traps"],
            "name one for all, or 4",
        ),
        (
            &["diamant", "5 5 5"],
            "all 2 treasures of 5 lie on the path already",
        ),
        (
            &["diamant", "--chests", "1,2,x", "5"],
            "one number for each",
        ),
        (&["diamant", "--round", "4", "5"], "what is in the chests?"),
        (
            &["diamant", "--gone", "5", "7"],
            "traps and relics leave the game",
        ),
        (&["diamant", "--playouts", "3", "7"], "100.."),
    ] {
        let output = carat(here.path(), &[&["advise"], args].concat());
        let told = text(&output.stderr);
        assert!(told.contains(said), "{args:?}: {told}");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    }
    let output = carat(here.path(), &["replay", "diamond_cave", "--record"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A game that people wrote down is taken apart like one of bots, and again from its manifest.
#[test]
fn a_record_is_analysed() {
    let here = folder();
    let record = "# Friday\nplayers 3\n1: 5 7 lava / @2 leaves / 11 lava\n2: ram 9 / all leave\n3: 17 / \
                  @1 leaves / 5 snake snake\n4: 4 / all leave\n5: 15 7 / @3 leaves / relic / all leave\n";
    fs::write(here.path().join("game.txt"), record).expect("written");
    let few = ["--playouts", "64", "--no-charts", "--quiet", "--out"];
    ok(
        here.path(),
        &[&["analyse", "diamant", "game.txt"], &few[..], &["a"]].concat(),
    );
    ok(
        here.path(),
        &[
            &["run", "a/manifest.json", "--no-charts", "--quiet", "--out"],
            &["b"][..],
        ]
        .concat(),
    );
    let csv = |folder: &str| fs::read_to_string(here.path().join(folder).join("decisions.csv"));
    let decisions = csv("a").expect("decisions");
    assert_eq!(decisions, csv("b").expect("decisions"));
    // Seat 2 left after the third card, and after no card before.
    let chosen = |seat: &str, at: &str, option: &str| {
        let here = [format!("{at}\",{seat},"), format!(",{option},true,")];
        let mut lines = decisions.lines();
        lines.any(|line| here.iter().all(|cell| line.contains(cell)))
    };
    for (seat, at, option) in [
        ("2", "expedition 1, card 3", "leave"),
        ("1", "expedition 1, card 3", "stay"),
        ("2", "expedition 1, card 2", "stay"),
        ("3", "expedition 5, card 2", "leave"),
    ] {
        assert!(chosen(seat, at, option), "{seat} {at}: {decisions}");
    }
    for (record, said) in [
        (
            "players 3\n1: 5 / all leave\n",
            "the record ends before expedition 2",
        ),
        (
            "players 3\n1: 5 7\n",
            "the record ends in the middle of expedition 1",
        ),
        ("players 3\n1: 5 / 2 leave\n", "who leaves?"),
        ("players 9\n1: 5", "9 players"),
    ] {
        fs::write(here.path().join("game.txt"), record).expect("written");
        let output = carat(here.path(), &["analyse", "diamant", "game.txt"]);
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(2));
    }
}
