//! carat as a process: what users type, and what they get.

use crate::fixtures::{carat, contents, folder, ok, text};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const FILES: [&str; 12] = [
    "convergence.png",
    "depth.csv",
    "leave_map.png",
    "leaving.png",
    "manifest.json",
    "report.carat",
    "report.html",
    "scores.csv",
    "scores.png",
    "seats.csv",
    "table.csv",
    "win_shares.png",
];

#[test]
fn simulating_needs_no_argument_but_the_game() {
    let here = folder();
    let shown = ok(here.path(), &["simulate", "diamant", "--games", "200k"]);
    assert!(
        shown.contains("Diamant · iello-2016 · 5 players · 200,000 games · seed 1"),
        "{shown}"
    );
    assert!(
        shown.contains("threshold") && shown.contains("wins most"),
        "{shown}"
    );
    let out = here.path().join("reports/out/diamant");
    let names: Vec<String> = contents(&out).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, FILES);
    for name in FILES {
        let path = Path::new("reports/out/diamant")
            .join(name)
            .display()
            .to_string();
        assert!(shown.contains(&path), "{path} is not shown");
    }
    // Nothing temporary is left beside the results, and playing again replaces them.
    ok(
        here.path(),
        &["simulate", "diamant", "--games", "1000", "--quiet"],
    );
    let left = fs::read_dir(here.path().join("reports/out"))
        .expect("a folder")
        .count();
    assert_eq!(left, 1);
}

#[test]
fn tables_have_the_documented_columns() {
    let here = folder();
    ok(
        here.path(),
        &[
            "simulate",
            "diamant",
            "--games",
            "2000",
            "--no-charts",
            "--out",
            "o",
        ],
    );
    let first_line = |name: &str| {
        let text = fs::read_to_string(here.path().join("o").join(name)).expect("a table");
        text.lines().next().expect("a header").to_string()
    };
    let seats = "seat,strategy,params,games,win_share,win_share_se,win_share_low,win_share_high,\
                 sole_win_rate,score_mean,score_mean_se,score_mean_low,score_mean_high,score_sd,\
                 score_p05,score_p25,score_median,score_p75,score_p95,bust_rate,relics_per_game,\
                 left_alone_rate,cards_at_leaving_mean";
    assert_eq!(first_line("seats.csv"), seats);
    assert_eq!(first_line("table.csv"), "metric,value,se,low,high");
    assert_eq!(first_line("scores.csv"), "seat,strategy,score,games");
    assert!(first_line("depth.csv").starts_with("cards,expeditions,ended_by_trap,left_seat_1,"));
    let table = fs::read_to_string(here.path().join("o/table.csv")).expect("a table");
    let metrics: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    for metric in [
        "games",
        "cards_per_game",
        "cards_per_expedition",
        "bust_rate",
        "rubies_left_behind_per_game",
        "relics_claimed_per_game",
        "winning_margin_mean",
        "lead_changes_per_game",
        "comeback_rate",
        "shared_win_rate",
    ] {
        assert!(
            metrics.contains(&metric),
            "{metric} is missing: {metrics:?}"
        );
    }
    let columns = ok(here.path(), &["show", "columns", "diamant"]);
    let listed = ok(here.path(), &["show", "metrics", "diamant"]);
    let explained = |name: &str| {
        (columns.lines().chain(listed.lines())).any(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(name) && words.next().is_some()
        })
    };
    let unmeasured = |name: &&str| *name != "games";
    for name in seats
        .split(',')
        .chain(metrics.into_iter().skip(1).filter(unmeasured))
    {
        assert!(explained(name), "{name} is not explained");
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let here = folder();
    for threads in ["1", "2", "7"] {
        let args = [
            "simulate", "diamant", "--games", "30000", "--seed", "5", "--svg",
        ];
        let formats = [
            "--format",
            "csv,parquet",
            "--quiet",
            "--threads",
            threads,
            "--out",
            threads,
        ];
        assert_eq!(ok(here.path(), &[&args[..], &formats].concat()), "");
    }
    let one = contents(&here.path().join("1"));
    assert_eq!(one.len(), 4 + 4 + 5 + 5 + 3);
    assert_eq!(one, contents(&here.path().join("2")));
    assert_eq!(one, contents(&here.path().join("7")));
}

#[test]
fn levels_of_vector_instructions_change_no_table() {
    let here = folder();
    for level in ["auto", "sse2"] {
        let args = [
            "simulate", "diamant", "--games", "20000", "--simd", level, "--quiet",
        ];
        ok(
            here.path(),
            &[&args[..], &["--no-charts", "--out", level]].concat(),
        );
    }
    for table in ["seats.csv", "table.csv", "scores.csv", "depth.csv"] {
        let bytes = |level: &str| fs::read(here.path().join(level).join(table)).expect("a table");
        assert_eq!(bytes("auto"), bytes("sse2"), "{table}");
    }
    let manifest = fs::read_to_string(here.path().join("sse2/manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"simd\": \"sse2\""), "{manifest}");
}

#[test]
fn a_manifest_plays_the_same_again() {
    let here = folder();
    let bot = here.path().join("mine.toml");
    fs::write(
        &bot,
        "description = \"mine\"\nleave = \"held >= x\"\n[params]\nx = 9\n",
    )
    .expect("a file");
    let args = [
        "simulate", "diamant", "--games", "5000", "--seed", "3", "--quiet", "--out", "a",
    ];
    let seats = [
        "--seat",
        "mine.toml:x=7",
        "--seat",
        "2*depth",
        "--set",
        "traps.snake=4",
    ];
    ok(here.path(), &[&args[..], &seats].concat());
    // The manifest holds the bot: the file is not needed any more.
    fs::remove_file(bot).expect("removed");
    ok(
        here.path(),
        &["run", "a/manifest.json", "--quiet", "--out", "b"],
    );
    assert_eq!(
        contents(&here.path().join("a")),
        contents(&here.path().join("b"))
    );
}

#[test]
fn a_study_file_is_the_command_line() {
    let here = folder();
    let study = "study = \"simulate\"\ngame = \"diamant\"\nrules = \"schmidt-2005\"\n\
                 seats = [\"2*traps:nerve=2\", \"depth\"]\nset = [\"rounds=3\"]\n\
                 games = \"4k\"\nseed = 8\n";
    fs::write(here.path().join("mine.toml"), study).expect("a file");
    ok(here.path(), &["run", "mine.toml", "--quiet"]);
    let args = [
        "simulate",
        "diamant",
        "--rules",
        "schmidt-2005",
        "--seat",
        "2*traps:nerve=2",
    ];
    let more = [
        "--seat", "depth", "--set", "rounds=3", "--games", "4000", "--seed", "8",
    ];
    ok(
        here.path(),
        &[&args[..], &more, &["--quiet", "--out", "typed"]].concat(),
    );
    let ran = contents(&here.path().join("reports/out/mine"));
    assert_eq!(ran, contents(&here.path().join("typed")));
}

#[test]
fn shown_rules_can_be_edited_and_played() {
    let here = folder();
    for edition in [
        "iello-2016",
        "schmidt-2005",
        "schmidt-2005-alt",
        "incan-gold-2006",
        "incan-gold-2020",
    ] {
        let rules = ok(here.path(), &["show", "rules", "diamant", edition]);
        let mix = rules.replace("rounds = 5", "rounds = 2");
        assert_ne!(rules, mix);
        fs::write(here.path().join("mix.toml"), mix).expect("a file");
        ok(here.path(), &["check", "mix.toml"]);
        let args = [
            "simulate",
            "diamant",
            "--rules",
            "mix.toml",
            "--games",
            "500",
            "--no-charts",
        ];
        let shown = ok(
            here.path(),
            &[&args[..], &["--seat", "4*depth", "--out", "o"]].concat(),
        );
        assert!(shown.contains("mix.toml"), "{shown}");
    }
}

#[test]
fn the_working_directory_adds_and_overrides_bots() {
    let here = folder();
    let bots = here.path().join("strategies/diamant");
    fs::create_dir_all(&bots).expect("a folder");
    let never = "description = \"Never leaves.\"\nleave = \"false\"\n";
    fs::write(bots.join("stubborn.toml"), never).expect("a file");
    fs::write(bots.join("depth.toml"), never).expect("a file");
    let list = ok(here.path(), &["list"]);
    assert!(
        list.contains("stubborn") && list.contains("Never leaves."),
        "{list}"
    );
    assert_eq!(
        ok(here.path(), &["show", "strategy", "diamant", "depth"]),
        never
    );
    let args = [
        "simulate", "diamant", "--seat", "depth", "--seat", "stubborn", "--games", "500",
    ];
    ok(
        here.path(),
        &[&args[..], &["--no-charts", "--out", "o"]].concat(),
    );
    let manifest = fs::read_to_string(here.path().join("o/manifest.json")).expect("a manifest");
    assert!(
        manifest.contains("Never leaves."),
        "the manifest says which text was played"
    );
}

#[test]
fn replay_tells_the_game_that_was_counted() {
    let here = folder();
    let table = [
        "diamant",
        "--seat",
        "threshold",
        "--seat",
        "depth",
        "--seed",
        "7",
    ];
    let story = ok(
        here.path(),
        &[&["replay"], &table[..], &["--game", "123"]].concat(),
    );
    assert!(
        story.contains("game 123 of seed 7") && story.contains("Expedition 5"),
        "{story}"
    );
    assert!(
        story.contains(" wins with ") || story.contains(" share the win with "),
        "{story}"
    );
}

#[test]
fn everything_can_be_shown() {
    let here = folder();
    let list = ok(here.path(), &["list"]);
    for word in [
        "diamant",
        "iello-2016",
        "incan-gold-2020",
        "relic-hunter",
        "chaser",
    ] {
        assert!(list.contains(word), "{word} is not listed");
    }
    let features = ok(here.path(), &["show", "features", "diamant"]);
    assert!(
        features.contains("bust_risk") && features.contains("probability"),
        "{features}"
    );
    assert!(ok(here.path(), &["show", "game", "diamant"]).contains("1 to 8"));
    assert!(ok(here.path(), &["--help"]).contains("simulate"));
    assert!(ok(here.path(), &["simulate", "--help"]).contains("--seat"));
    assert!(ok(here.path(), &["--version"]).starts_with("carat "));
}

#[test]
fn counts_players_and_fields_fill_the_table() {
    let here = folder();
    for players in ["1", "8"] {
        let args = [
            "simulate",
            "diamant",
            "--players",
            players,
            "--games",
            "300",
            "--no-charts",
        ];
        let output = carat(here.path(), &[&args[..], &["--out", players]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let seats = fs::read_to_string(here.path().join(players).join("seats.csv")).expect("seats");
        assert_eq!(
            seats.lines().count() - 1,
            players.parse::<usize>().expect("a number")
        );
        let warned = text(&output.stderr).contains("printed for 3 to 8 players");
        assert_eq!(warned, players == "1");
    }
    let args = [
        "simulate",
        "diamant",
        "--players",
        "4",
        "--seat",
        "last-out",
        "--games",
        "300",
    ];
    let shown = ok(
        here.path(),
        &[&args[..], &["--no-charts", "--out", "f"]].concat(),
    );
    assert!(
        shown.contains("1  last-out") && shown.contains("4  risk"),
        "{shown}"
    );
}

/// A run that is stopped keeps what is complete, marked as partial, and can be played again.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_complete() {
    let here = folder();
    let start = |games: &str| {
        Command::new(env!("CARGO_BIN_EXE_carat"))
            .args([
                "simulate",
                "diamant",
                "--games",
                games,
                "--no-charts",
                "--out",
                "o",
            ])
            .current_dir(here.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("carat starts")
    };
    let mut child = start("10^12");
    // A run this long is announced with the time it will take; then it is under way.
    let mut stderr = std::io::BufReader::new(child.stderr.take().expect("piped"));
    let mut announced = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut announced).expect("a line");
    assert!(announced.contains("this will take about"), "{announced}");
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .expect("kill")
            .success()
    );
    let output = child.wait_with_output().expect("carat ends");
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stderr, &mut rest).expect("the rest");
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted after"), "{rest}");
    let manifest = fs::read_to_string(here.path().join("o/manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"partial\": true"));

    ok(
        here.path(),
        &[
            "run",
            "o/manifest.json",
            "--no-charts",
            "--quiet",
            "--out",
            "again",
        ],
    );
    let table = |name: &str| fs::read(here.path().join(name).join("seats.csv")).expect("seats");
    assert_eq!(table("o"), table("again"));
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let here = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_carat"))
        .args(["show", "rules", "diamant"])
        .current_dir(here.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carat starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("carat ends");
    let said = text(&output.stderr);
    // It may have written everything before the pipe was closed.
    assert!(
        output.status.success() || said.contains("standard output was closed"),
        "{said}"
    );
    assert!(!said.contains("panicked"), "{said}");

    // A pipe that is closed from the start: results are safe, and the exit code tells.
    #[cfg(unix)]
    {
        let script = "exec \"$0\" simulate diamant --games 2000 --no-charts --out o >&-";
        let status = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_carat")])
            .current_dir(here.path())
            .stderr(Stdio::piped())
            .output()
            .expect("sh starts");
        assert!(!text(&status.stderr).contains("panicked"));
        assert!(here.path().join("o/manifest.json").exists());
    }
}

#[test]
fn checks_tell_scripts_what_is_sound() {
    let here = folder();
    let mut bot = fs::File::create(here.path().join("good.toml")).expect("a file");
    writeln!(bot, "description = \"\"\nleave = \"held > 3\"").expect("written");
    fs::write(
        here.path().join("bad.toml"),
        "description = \"\"\nleave = \"hold > 3\"\n",
    )
    .expect("written");
    assert!(ok(here.path(), &["check", "good.toml"]).contains("a bot of diamant, sound"));
    let output = carat(here.path(), &["check", "good.toml", "bad.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("bad.toml:2") && said.contains("`held`"),
        "{said}"
    );
    assert!(said.contains("1 of 2 files faulty"), "{said}");
}

/// What scripts read: the whole result, lists and texts as JSON, and nothing else on that stream.
#[test]
fn json_is_whole_and_alone() {
    let here = folder();
    let read = |args: &[&str]| -> serde_json::Value {
        let shown = ok(here.path(), args);
        serde_json::from_str(&shown).unwrap_or_else(|error| panic!("{args:?}: {error}: {shown}"))
    };
    let games = [
        "--games",
        "200",
        "--no-charts",
        "--out",
        "o",
        "--format",
        "csv,json",
    ];
    let result = read(&[&["simulate", "diamant", "--json"][..], &games].concat());
    assert_eq!(result["manifest"]["study"]["game"], "diamant");
    let seats = &result["tables"]["seats"];
    assert_eq!(seats.as_array().map(Vec::len), Some(5));
    assert_eq!(seats[0]["seat"], 1);
    assert!(seats[0]["win_share"].is_f64() && seats[0]["strategy"].is_string());
    let file = fs::read_to_string(here.path().join("o/seats.json")).expect("a table");
    assert_eq!(
        &serde_json::from_str::<serde_json::Value>(&file).expect("JSON"),
        seats
    );
    assert!(here.path().join("o/seats.csv").exists());

    let list = read(&["list", "diamond_cave", "--json"]);
    assert_eq!(list[0]["name"], "diamond_cave");
    assert!(
        list[0]["bots"]
            .as_array()
            .is_some_and(|bots| bots.len() > 4)
    );
    assert_eq!(read(&["list", "--json"]).as_array().map(Vec::len), Some(3));
    let rules = read(&["show", "rules", "diamant", "--json"]);
    assert!(
        rules["text"]
            .as_str()
            .is_some_and(|text| text.contains("[traps]"))
    );
    for what in ["features", "columns", "metrics", "paths", "game"] {
        let shown = read(&["show", what, "diamant", "--json"]);
        assert!(shown.is_array() || shown["features"].is_array(), "{what}");
    }

    let refused = carat(here.path(), &["simulate", "diamant", "--out", "-"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--json"));
}

#[test]
fn shells_and_manuals_get_what_they_need() {
    let here = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ok(here.path(), &["completions", shell]);
        assert!(script.contains("tournament"), "{shell}");
    }
    ok(here.path(), &["man", "."]);
    let page = fs::read_to_string(here.path().join("carat-sweep.1")).expect("a page");
    assert!(page.contains("precision"));
    let refused = carat(here.path(), &["man", "nowhere"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("nowhere"));
}
