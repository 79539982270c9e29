//! Bad input gets a message that names the place and what is allowed, and exit code 2.

use crate::fixtures::{carat, folder, text};
use std::fs;
use std::path::Path;

/// Runs `simulate diamant` with more arguments and demands a refusal that says all of `said`.
#[track_caller]
fn refused(folder: &Path, args: &[&str], said: &[&str]) {
    let all = [
        &[
            "simulate",
            "diamant",
            "--games",
            "1000",
            "--no-charts",
            "--out",
            "o",
        ],
        args,
    ];
    refused_as_is(folder, &all.concat(), said);
    assert!(!folder.join("o").exists(), "{args:?} left results");
}

#[track_caller]
fn refused_as_is(folder: &Path, args: &[&str], said: &[&str]) {
    let output = carat(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "carat {args:?}: {message}");
    for words in said {
        assert!(
            message.contains(words),
            "carat {args:?} should say {words:?}: {message}"
        );
    }
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn misspelt_names_get_the_nearest_known_one() {
    let here = folder();
    refused(
        here.path(),
        &["--seat", "treshold"],
        &["no bot called `treshold`", "`threshold`?"],
    );
    refused(
        here.path(),
        &["--seat", "threshold:targte=3"],
        &["targte", "`target`"],
    );
    refused(
        here.path(),
        &["--rules", "iello-2061"],
        &["iello-2061", "`iello-2016`?"],
    );
    refused(
        here.path(),
        &["--set", "traps.snaek=4"],
        &["traps.snaek", "`snake`?"],
    );
    refused(
        here.path(),
        &["--set", "round=4"],
        &["`round`", "`rounds`?"],
    );
    refused_as_is(
        here.path(),
        &["simulate", "diamond"],
        &["no game called `diamond`", "diamant"],
    );
    refused_as_is(here.path(), &["simulat", "diamant"], &["simulate"]);
    fs::write(
        here.path().join("b.toml"),
        "description = \"\"\nleave = \"hold > 3\"\n",
    )
    .expect("written");
    refused(
        here.path(),
        &["--seat", "b.toml"],
        &["b.toml:2:10", "hold", "`held`", "^"],
    );
    let rules = crate::fixtures::edition("iello-2016").replace("remove_trap", "remove_traps");
    fs::write(here.path().join("r.toml"), rules).expect("written");
    refused(
        here.path(),
        &["--rules", "r.toml"],
        &["r.toml:", "remove_traps", "remove_trap"],
    );
    let study = "study = \"simulate\"\ngame = \"diamant\"\ngmaes = 5\n";
    fs::write(here.path().join("s.toml"), study).expect("written");
    refused_as_is(
        here.path(),
        &["run", "s.toml"],
        &["s.toml:3", "gmaes", "`games`"],
    );
}

#[test]
fn faulty_formulas_are_shown_with_a_caret() {
    let here = folder();
    for (formula, said) in [
        ("held + (traps_seen > 2)", &["a truth value", "^"][..]),
        ("held", &["leave", "truth"]),
        ("held >= ", &["expected", "^"]),
        ("held = 3", &["==", "^"]),
        ("held > 3 && leftover > 2", &["`and`"]),
        ("1 < held < 5", &["^"]),
    ] {
        let bot = format!("description = \"\"\nleave = \"{formula}\"\n");
        fs::write(here.path().join("bot.toml"), bot).expect("written");
        refused(
            here.path(),
            &["--seat", "bot.toml"],
            &[said, &["bot.toml:2:"]].concat(),
        );
    }
    let unused = "description = \"\"\nleave = \"held > 3\"\n[params]\ntarget = 2\n";
    fs::write(here.path().join("bot.toml"), unused).expect("written");
    refused(
        here.path(),
        &["--seat", "bot.toml"],
        &["bot.toml:4", "target"],
    );
}

/// Faults of the command line repeat what was written there, in words that control no terminal.
#[test]
fn arguments_do_not_control_the_terminal() {
    let here = folder();
    for wrong in ["\u{85}", "a\u{202e}b", "\u{7}"] {
        for option in ["--seed", "--games", "--seat", "--precision"] {
            let output = carat(here.path(), &["simulate", "diamant", option, wrong]);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(!message.contains(wrong), "{message}");
        }
    }
}

#[test]
fn impossible_decks_are_refused() {
    let here = folder();
    refused(
        here.path(),
        &["--set", "traps.snake=60"],
        &["92 cards", "1 to 64"],
    );
    refused(
        here.path(),
        &["--set", "treasures=[0]"],
        &["a treasure is 0", "1 to 255"],
    );
    refused(
        here.path(),
        &["--set", "treasures=[300]"],
        &["a treasure is 300", "1 to 255"],
    );
    refused(
        here.path(),
        &["--set", "traps.snake=-1"],
        &["traps.snake is -1", "0 to 64"],
    );
    refused(
        here.path(),
        &["--set", "rounds=0"],
        &["rounds is 0", "1 to 20"],
    );
    refused(
        here.path(),
        &["--set", "rounds=many"],
        &["rounds", "a whole number"],
    );
    let none = [
        "--set",
        "treasures=[]",
        "--set",
        "traps={}",
        "--set",
        "relics.values=[]",
    ];
    refused(here.path(), &none, &["no cards at all"]);
    let nine = "traps={a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1}";
    refused(
        here.path(),
        &["--set", nine],
        &["9 kinds of trap", "at most 8"],
    );
}

#[test]
fn wrong_numbers_say_what_is_allowed() {
    let here = folder();
    refused(here.path(), &["--players", "0"], &["0 players", "1 to 8"]);
    refused(here.path(), &["--players", "9"], &["9 players", "1 to 8"]);
    refused(here.path(), &["--players", "-3"], &["-3", "--players"]);
    refused(
        here.path(),
        &["--players", "2", "--seat", "3*depth"],
        &["3 bots for 2 players"],
    );
    refused(here.path(), &["--seat", "9*depth"], &["9"]);
    refused(here.path(), &["--seat", "0*depth"], &["0"]);
    refused(here.path(), &["--seat", "depth:cards"], &["depth:cards"]);
    refused(here.path(), &["--seat", "depth:cards=six"], &["six"]);
    refused(here.path(), &["--seat", "depth:cards=1e99"], &["1e99"]);
    for games in ["0", "-1", "many", "1.5"] {
        let args = ["simulate", "diamant", "--games", games];
        refused_as_is(here.path(), &args, &["--games"]);
    }
    refused_as_is(
        here.path(),
        &["simulate", "diamant", "--threads", "-1"],
        &["threads"],
    );
    refused_as_is(
        here.path(),
        &["simulate", "diamant", "--threads", "5000"],
        &["256"],
    );
    refused_as_is(
        here.path(),
        &["simulate", "diamant", "--format", "xls"],
        &["csv", "parquet"],
    );
    refused_as_is(
        here.path(),
        &["simulate", "diamant", "--seed", "-1"],
        &["--seed"],
    );
}

#[test]
fn values_of_the_wrong_kind_are_told_in_plain_words() {
    let here = folder();
    refused(here.path(), &["--set", "chests=331"], &["a word in quotes"]);
    refused(here.path(), &["--set", "chests={}"], &["a word in quotes"]);
    refused(
        here.path(),
        &["--set", "rounds=[]"],
        &["a list", "a whole number"],
    );
    refused(
        here.path(),
        &["--set", "rounds={}"],
        &["a table", "a whole number"],
    );
    refused(here.path(), &["--set", "rounds=1.5"], &["the number `1.5`"]);
    refused(here.path(), &["--set", "title=[]"], &["a text in quotes"]);
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let here = folder();
    let compare = |change: &str, said: &[&str]| {
        let args = [
            "compare", "diamant", "--games", "500", "--b", change, "--out", "o",
        ];
        refused_as_is(here.path(), &args, said);
    };
    compare("seats.9=depth", &["no seat 9", "5 seats"]);
    compare("seats.1.targte=9", &["targte", "`target`"]);
    compare("all.nobody.target=9", &["no seat plays `nobody`"]);
    compare("rules.traps.snaek=4", &["traps.snaek", "`snake`"]);
    compare("rules=iello-2061", &["`iello-2016`?"]);
    compare("speed=9", &["no value `speed`", "seats.N.PARAM"]);
    compare("players", &["PATH=VALUE"]);
    refused_as_is(
        here.path(),
        &["compare", "diamant", "--a", "players=3"],
        &["at least two"],
    );
}

#[test]
fn grids_that_cannot_be_laid_out_are_refused() {
    let here = folder();
    let sweep = |vary: &str, said: &[&str]| {
        let args = [
            "sweep", "diamant", "--games", "500", "--vary", vary, "--out", "o",
        ];
        refused_as_is(here.path(), &args, said);
    };
    sweep("seats.1.target=9..4", &["range is empty"]);
    sweep(
        "seats.1.target=1..5000",
        &["5000 cells", "2500000 games", "1024"],
    );
    sweep("seats.1.targte=4..6", &["targte", "`target`"]);
    sweep("seats.1.target", &["PATH=VALUES"]);
    sweep("speed=1..3", &["no value `speed`", "seats.N.PARAM"]);
    sweep("seats.1.target=4,4", &["`4` is there twice"]);
    let vary = ["--vary", "seats.1.target=4..5", "--vary"];
    let sweep_of_two = |other: &str, said: &str| {
        let args = [&["sweep", "diamant"], &vary[..], &[other, "--out", "o"]].concat();
        refused_as_is(here.path(), &args, &[said]);
    };
    sweep_of_two("seats.1.target=10..12", "given twice");
    sweep_of_two("all.threshold.target=4..5", "the same value");
    let args = [
        "sweep",
        "diamant",
        "--vary",
        "players=3..4",
        "--metric",
        "wins",
        "--out",
        "o",
    ];
    refused_as_is(
        here.path(),
        &args,
        &["there is no such metric", "win_share@SEAT"],
    );
    let args = [
        "sweep",
        "diamant",
        "--vary",
        "rules.rounds=3..4",
        "--metric",
        "win_share",
    ];
    refused_as_is(here.path(), &args, &["about one seat", "win_share@1"]);
}

#[test]
fn tournaments_that_cannot_be_laid_out_are_refused() {
    let here = folder();
    let tournament = |args: &[&str], said: &[&str]| {
        let all = [&["tournament", "diamant"], args, &["--out", "o"]].concat();
        refused_as_is(here.path(), &all, said);
    };
    fs::write(
        here.path().join("none.toml"),
        "study = \"tournament\"\nbots = []\n[table]\ngame = \"diamant\"\n",
    )
    .expect("a study");
    refused_as_is(
        here.path(),
        &["run", "none.toml"],
        &["none.toml", "0 bot", "at least 2"],
    );
    tournament(&["--bots", "threshold"], &["1 bot", "at least 2"]);
    tournament(&["--bots", "threshold", "tarps"], &["tarps", "`traps`"]);
    tournament(
        &["--bots", "depth", "traps", "depth"],
        &["`depth`", "twice"],
    );
    tournament(&["--bots", "2*depth", "traps"], &["2*depth", "once"]);
    tournament(&["--players", "1"], &["players = 1", "at least 2"]);
    tournament(&["--players", "9"], &["9 players", "1 to 8"]);
    tournament(&["--line-ups", "0"], &["line_ups = 0", "20000"]);
    tournament(&["--line-ups", "20"], &["144 pairs", "20 line-ups"]);
    tournament(&["--metric", "score_mean"], &["score_mean", "win_share"]);
    tournament(&["--seating", "fixed"], &["seating: a tournament"]);
    tournament(&["--games", "10^12"], &["1000000000000", "4294967296"]);
    let sampled = ["--players", "8", "--precision", "0.01"];
    tournament(&sampled, &["75582 line-ups", "fewer bots"]);
}

#[test]
fn goals_that_contradict_each_other_are_refused() {
    let here = folder();
    fs::write(
        here.path().join("study.toml"),
        "study = \"simulate\"\ngame = \"diamant\"\ngames = 500\nprecision = 0.01\n",
    )
    .expect("a study");
    refused_as_is(
        here.path(),
        &["run", "study.toml"],
        &["one of them", "max_games"],
    );
    let simulate = |args: &[&str], said: &[&str]| {
        refused_as_is(
            here.path(),
            &[&["simulate", "diamant"], args].concat(),
            said,
        );
    };
    simulate(
        &["--games", "5", "--precision", "0.1"],
        &["--games", "--precision"],
    );
    simulate(&["--max-games", "5"], &["--precision"]);
    simulate(&["--precision", "-1"], &["precision -1", "above 0"]);
    simulate(&["--precision", "1%"], &["a number above 0", "0.001"]);
    simulate(
        &["--precision", "0.1", "--metric", "wins"],
        &["wins", "win_share@SEAT"],
    );
}

#[test]
fn bots_that_need_open_chests_say_so() {
    let here = folder();
    let args = [
        "--rules",
        "schmidt-2005-alt",
        "--seat",
        "chaser",
        "--players",
        "4",
    ];
    refused(here.path(), &args, &["chaser", "best_other_chest", "open"]);
}

#[test]
fn folders_that_are_not_carats_are_left_alone() {
    let here = folder();
    let mine = here.path().join("mine");
    fs::create_dir(&mine).expect("a folder");
    fs::write(mine.join("thesis.txt"), "precious").expect("written");
    let out = |target: &str| {
        carat(
            here.path(),
            &[
                "simulate",
                "diamant",
                "--games",
                "500",
                "--no-charts",
                "--out",
                target,
            ],
        )
    };
    let output = out("mine");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("not written by carat"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_dir(&mine).expect("a folder").count(), 1);

    let output = out("mine/thesis.txt");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("this is a file"),
        "{}",
        text(&output.stderr)
    );

    // A file in the way of the folder's parents, and a place where nobody can write.
    for (target, code, said) in [
        ("mine/thesis.txt/deep", 2, "this is a file"),
        ("/proc/carat", 1, "cannot"),
    ] {
        let output = out(target);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{target}: {message}");
        assert!(message.contains(said), "{message}");
    }

    // Results to which somebody added a note are not replaced.
    assert!(out("results").status.success());
    fs::write(here.path().join("results/note.txt"), "keep me").expect("written");
    let output = out("results");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("note.txt"),
        "{}",
        text(&output.stderr)
    );
    assert!(here.path().join("results/note.txt").exists());
}

/// A full disk loses neither the old results nor the word about it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let here = folder();
    let output = std::process::Command::new("sh")
        .args(["-c", "\"$0\" list > /dev/full", env!("CARGO_BIN_EXE_carat")])
        .current_dir(here.path())
        .output()
        .expect("sh starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write to standard output"));

    let out = [
        "simulate",
        "diamant",
        "--games",
        "50000",
        "--no-charts",
        "--quiet",
        "--out",
        "o",
    ];
    assert!(carat(here.path(), &out).status.success());
    let before = fs::read(here.path().join("o/scores.csv")).expect("results");
    // A limit on the size of files is the nearest thing to a full disk that needs no rights.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\" --seed 2";
    let output = std::process::Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_carat")])
        .args(out)
        .current_dir(here.path())
        .output()
        .expect("bash starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("cannot write"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(
        fs::read(here.path().join("o/scores.csv")).expect("results"),
        before
    );
    let left: Vec<_> = fs::read_dir(here.path())
        .expect("a folder")
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn files_that_are_not_text_are_refused() {
    let here = folder();
    fs::write(here.path().join("bin.toml"), b"leave = \"\xff\xfe\"").expect("written");
    refused(
        here.path(),
        &["--seat", "bin.toml"],
        &["bin.toml", "not UTF-8", "9"],
    );
    refused(
        here.path(),
        &["--rules", "bin.toml"],
        &["bin.toml", "not UTF-8"],
    );
    refused_as_is(
        here.path(),
        &["check", "bin.toml"],
        &["bin.toml", "not UTF-8"],
    );
    refused_as_is(
        here.path(),
        &["run", "gone.toml"],
        &["gone.toml", "cannot read"],
    );
    fs::write(here.path().join("m.json"), "{\"carat\": 1}").expect("written");
    refused_as_is(here.path(), &["run", "m.json"], &["m.json"]);
    fs::write(here.path().join("x.toml"), "study = \"conquer\"\n").expect("written");
    refused_as_is(here.path(), &["run", "x.toml"], &["conquer", "simulate"]);
}
