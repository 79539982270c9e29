//! carat as a process: what users type, and what they get.

use crate::process::{folder, holds, run};
use polars_io::prelude::{ParquetReader, SerReader};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const FILES: [&str; 13] = [
    "bots.csv",
    "convergence.csv",
    "convergence.png",
    "depth.csv",
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
    let shown = here.draw("simulate diamant --games 200k");
    let said = "Diamant · iello-2016 · 5 players · 200,000 games · seed 1 … simple … wins most";
    holds(&shown, said);
    assert_eq!(here.names("reports/out/diamant"), FILES);
    for name in FILES {
        let path = Path::new("reports/out/diamant").join(name);
        holds(&shown, &path.display().to_string());
    }
    // Nothing temporary is left beside the results, and playing again replaces them.
    here.run("simulate diamant --games 1000 --quiet");
    assert_eq!(here.names("reports/out"), ["diamant"]);
}

/// Nor do levels of vector instructions.
#[test]
fn threads_do_not_change_a_byte() {
    let here = folder();
    for how in ["--threads 1", "--threads 2", "--threads 7", "--simd sse2"] {
        let study = "simulate diamant --games 30000 --seed 5 --svg --format csv,parquet --quiet";
        let out = how.rsplit(' ').next().expect("a word");
        assert_eq!(here.run(&format!("{study} {how} --out {out}")), "");
    }
    assert_eq!(here.names("1").len(), 4 + 4 + 6 + 6 + 3);
    here.same("1", "2");
    here.same("1", "7");
    here.same("1", "sse2");
    let seats = fs::File::open(here.path("1/seats.parquet")).expect("seats");
    let seats = ParquetReader::new(seats).finish().expect("a table");
    let low = seats.column("score_p05").and_then(|low| low.i64());
    low.expect("signed, so that differences may be below 0");
}

#[test]
fn a_study_file_is_the_command_line() {
    let here = folder();
    let study = "study = 'simulate'\ngame = 'diamant'\nrules = 'schmidt-2005'\n\
                 seats = ['2*traps:nerve=2', 'depth']\nset = ['rounds=3']\n\
                 games = '4k'\nseed = 8\n";
    here.write("mine.toml", study);
    here.run("run mine.toml --quiet");
    here.run(
        "simulate diamant --rules schmidt-2005 --seat 2*traps:nerve=2 --seat depth \
         --set rounds=3 --games 4000 --seed 8 --quiet --out typed",
    );
    here.same("reports/out/mine", "typed");
}

#[test]
fn shown_rules_can_be_edited_and_played() {
    let here = folder();
    for edition in crate::fixtures::game("diamant").editions {
        let rules = here.run(&format!("show rules diamant {}", edition.name));
        let mix = rules.replace("rounds = 5", "rounds = 2");
        assert_ne!(rules, mix);
        here.write("mix.toml", mix);
        here.run("check mix.toml");
        let how = "--rules mix.toml --games 500 --no-charts --seat 4*depth --out o";
        holds(&here.run(&format!("simulate diamant {how}")), "mix.toml");
    }
}

#[test]
fn the_working_directory_adds_and_overrides_bots() {
    let here = folder();
    let bots = here.inner("strategies/diamant");
    let never = "description = \"Never leaves.\"\nleave = \"false\"\n";
    bots.write("stubborn.toml", never);
    bots.write("depth.toml", never);
    holds(&here.run("list"), "stubborn … Never leaves.");
    let shown = here.run("show strategy diamant depth");
    assert_eq!(shown, format!("format = 1\n{never}"));
    let seats = "--seat depth --seat stubborn";
    here.run(&format!(
        "simulate diamant {seats} --games 500 --no-charts --out o"
    ));
    // The manifest says which text was played.
    holds(&here.read("o/manifest.json"), "Never leaves.");
}

#[test]
fn everything_can_be_shown() {
    let editions_and_bots = "diamant … iello-2016 … incan-gold-2020 … relic-hunter … chaser";
    holds(&run("list"), editions_and_bots);
    holds(&run("show features diamant"), "bust_risk … probability");
    holds(&run("list diamant"), "1 to 8");
    holds(&run("--help"), "simulate");
    holds(&run("simulate --help"), "--seat … --shard … --raw");
    for (kind, has) in [
        ("compare", "--shard"),
        ("tune", "--dry-run"),
        ("tournament", "--line-ups"),
        ("analyse", "--resume"),
    ] {
        let help = run(&format!("{kind} --help"));
        let refused = ["--raw", "--shard"].iter().filter(|option| *option != &has);
        assert!(help.contains(has), "{kind}");
        assert!(
            refused.clone().all(|option| !help.contains(option)),
            "{kind}"
        );
    }
    assert!(run("--version").starts_with("carat "));
}

#[test]
fn counts_players_and_fields_fill_the_table() {
    let here = folder();
    let simulate = "simulate diamant --games 300 --no-charts";
    for players in [1, 8] {
        let table = format!("--players {players} --out {players}");
        let ran = here.ends(0, &format!("{simulate} {table}"));
        let seats = here.table(&format!("{players}/seats.csv"));
        assert_eq!(seats.rows.len(), players);
        let warned = ran.stderr.contains("printed for 3 to 8 players");
        assert_eq!(warned, players == 1);
    }
    let shown = run(&format!("{simulate} --players 4 --seat last-out --out f"));
    holds(&shown, "last-out (seat 1) … people, 3 seats");
}

/// Results are safe where nothing can be printed, and the exit code tells.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_panic() {
    let here = folder();
    for line in ["show rules diamant", "show columns diamant", "--help"] {
        let ran = here.shell(&format!("set -o pipefail; \"$0\" {line} | :"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    }

    // A pipe that is closed from the start: results are safe, and the exit code tells.
    let play = "simulate diamant --games 2000 --no-charts --out o";
    let ran = here.shell(&format!("exec \"$0\" {play} >&-"));
    assert!(!ran.stderr.contains("panicked"));
    assert!(here.has("o/manifest.json"));
}

#[test]
fn wrong_habits_get_the_right_hint() {
    let here = folder();
    for (line, said) in [
        ("simulate", "the games are diamant, diamond_cave"),
        ("sweep diamant", "--each"),
        ("compare diamant", "--b rules.traps.snake=4"),
        ("show strategy diamant", "name a bot … threshold"),
        ("compare diamant -b players=4", "two dashes"),
        (
            "compare diamond_cave --b cards.torch=16,cards.dark=14",
            "repeat the option for cards.dark=14",
        ),
        (
            "simulate diamant --set treasures=1,2,3",
            "treasures=[1,2,3]",
        ),
    ] {
        here.refused(line, said);
    }
    here.run("tournament diamant --bots depth,traps --games 20 --no-charts -q --out o");
    here.run("analyse diamant --playouts 64 --seat-number 2 --no-charts -q --out a");
}

/// Files that a study names lie beside it; results are played again however they are named.
#[test]
fn studies_and_results_are_found() {
    let here = folder();
    let sub = here.inner("sub");
    sub.write("my.toml", here.run("show rules diamant"));
    sub.write("bot.toml", "leave = 'held > 3'\n");
    let study =
        "study = 'simulate'\ngame = 'diamant'\ngames = 9\nrules = 'my.toml'\nseats = ['bot.toml']";
    sub.write("s.toml", study);
    here.run("run sub/s.toml --no-charts -q --out o");
    holds(
        &here.run("check sub/s.toml o"),
        "a study of … a manifest of",
    );
    sub.remove("bot.toml");
    here.refused("run sub/s.toml", "sub/s.toml: … sub/bot.toml … bot.toml");
    let printed = here.run("run o --json");
    here.write("printed.json", printed);
    for (from, out) in [("o", "a"), ("printed.json", "b")] {
        here.run(&format!("run {from} --no-charts -q --out {out}"));
        here.same("o", out);
    }
    let replaced = here.ends(0, "run o --games 8 --no-charts --out o");
    replaced.says("in o … games 9 → 8");
    here.write("solve.toml", here.run("show study solve"));
    let output = here.ends(0, "run o --games 8 --dry-run -q");
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
    here.ends(0, "run solve.toml --games 9 --dry-run")
        .says("100,000 games");
    here.refused("check o/seats.csv", "a table of results");
}

#[test]
fn run_overrides_games_and_dry_run_only_prints() {
    let here = folder();
    let study = "study = 'sweep'\ngame = 'diamant'\nprecision = 0.0001\n\
                 [vary]\n'seats.1.enough' = '6..7'\n";
    here.write("study.toml", study);
    let ran = here.run("run study.toml --games 30 --dry-run");
    holds(
        &ran,
        "sweep of Diamant: 60 games … less than two seconds … reports/out/study",
    );
    assert_eq!(here.names(""), ["study.toml"]);
    here.run("run study.toml --games 30 --no-charts -q --out a");
    #[cfg(unix)]
    for (out, file) in [("b", "study.toml"), ("c", "a/manifest.json")] {
        let run = format!("\"$0\" run - --games 30 --no-charts -q --out {out} <{file}");
        assert_eq!(here.shell(&run).code, Some(0), "{out}");
        here.same("a", out);
    }
}

#[test]
fn check_reports_validity_to_scripts() {
    let here = folder();
    here.write("good.toml", "description = ''\nleave = 'held > 3'\n");
    here.write("bad.toml", "description = ''\nleave = 'hold > 3'\n");
    holds(&here.run("check good.toml"), "a bot of diamant, valid");
    let ran = here.ends(2, "check good.toml bad.toml");
    ran.says("bad.toml:2 … `held` … 1 invalid file of 2");
}

/// What scripts read: the whole result, lists and texts as JSON, and nothing else on that stream.
/// A label is what tables show, and it is kept; what is no label is part of a name.
#[test]
fn seats_have_labels() {
    let here = folder();
    let seats = "--seat 'threshold:target=8 as cautious' --seat '2*depth as the crowd'";
    let output = here.run(&format!(
        "simulate diamant {seats} --games 1000 --no-charts --out o"
    ));
    holds(&output, "cautious (seat 1) … the crowd, 2 seats");
    assert!(!output.contains("threshold"), "{output}");
    holds(
        &here.read("o/manifest.json"),
        "threshold:target=8 as cautious",
    );
    here.run("run o/manifest.json --no-charts --out again");
    assert_eq!(here.read("o/seats.csv"), here.read("again/seats.csv"));
    here.refused("simulate diamant --seat 'bold as y.toml'", "bold as y.toml");
}

/// Two games ask the same question of bots: what a formula looks at shows which is meant.
#[test]
fn the_game_of_a_bot_is_found_by_its_formula() {
    let here = folder();
    for (game, formula) in [
        ("diamond_cave", "30 * right_way + gain"),
        ("diamond_miner", "makes_shovel + gain"),
    ] {
        here.write("mine.toml", format!("score = '{formula}'\n"));
        holds(
            &here.run("check mine.toml"),
            &format!("a bot of {game}, valid"),
        );
    }
    here.write("mine.toml", "score = 'gain'\n");
    here.refused("check mine.toml", "--game");
}

#[test]
fn json_is_whole_and_alone() {
    let here = folder();
    let how = "--games 200 --no-charts --out o --format csv,json";
    let result = here.json(&format!("simulate diamant --json {how}"));
    assert_eq!(result["manifest"]["study"]["game"], "diamant");
    let seats = &result["tables"]["seats"];
    assert_eq!(seats.as_array().map(Vec::len), Some(5));
    assert_eq!(seats[0]["seat"], 1);
    assert!(seats[0]["win_share"].is_f64() && seats[0]["bot"].is_string());
    let file: serde_json::Value = serde_json::from_str(&here.read("o/seats.json")).expect("JSON");
    assert_eq!(&file, seats);
    assert!(here.has("o/seats.csv"));

    let list = here.json("list diamond_cave --json");
    assert_eq!(list["games"][0]["name"], "diamond_cave");
    let bots = list["games"][0]["bots"].as_array();
    assert!(bots.is_some_and(|bots| bots.len() > 4));
    let games = here.json("list --json");
    assert_eq!(games["games"].as_array().map(Vec::len), Some(3));
    let rules = here.json("show rules diamant --json");
    holds(rules["file"]["text"].as_str().expect("a text"), "[traps]");
    for what in ["features", "columns", "metrics", "counts", "paths"] {
        let shown = here.json(&format!("show {what} diamant --json"));
        assert!(shown[what].is_array(), "{what}");
    }
    let column = &here.json("show columns diamant --json")["columns"][0];
    assert_eq!(column["type"], "whole number", "{column}");
    // Readers of JSON round larger numbers than 2^53; what is not known is null.
    let field = "tournament diamant --bots depth random --players 2 --games 200";
    let field = here.json(&format!("{field} --seed 9007199254740993 --json"));
    assert_eq!(field["manifest"]["study"]["seed"], "9007199254740993");
    let dominated = |bot: usize| field["tables"]["ratings"][bot]["dominated_by"].clone();
    assert_eq!([dominated(0), dominated(1)], [Value::Null, json!("depth")]);
    here.refused("simulate diamant --out -", "--json");
}

#[test]
fn shells_and_manuals_get_what_they_need() {
    let here = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        holds(&here.run(&format!("completions {shell}")), "COMPLETE");
    }
    #[cfg(unix)]
    for (line, offered) in [
        ("simulate dia", "diamant … diamond_cave … diamond_miner"),
        ("show strategy diamant t", "threshold … traps"),
        ("simulate diamond_cave --rules ''", "rifo-2009"),
        (
            "simulate diamant --games 9 --set tr",
            "traps.spider= traps_end_from= traps_to_end= treasure_order= … treasures.17= … treasures=",
        ),
        ("sweep diamant --vary seats.1", "seats.1.enough= … seats.1="),
        ("tune diamant --maximize win_share", "win_share_spread"),
        ("run no-such", "<>"),
    ] {
        let ran = here.shell(&format!(
            "PATH=$(dirname \"$0\"):$PATH; source <(carat completions bash); \
             COMP_WORDS=(carat {line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); compopt() {{ :; }}; \
             _clap_complete_carat carat \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             echo \"<$(printf '%s\n' \"${{COMPREPLY[@]}}\" | sort | xargs)>\""
        ));
        holds(&ran.stdout, offered);
    }
    here.run("man .");
    holds(&here.read("carat-sweep.1"), "precision");
    here.ends(1, "man nowhere").says("nowhere");
}

#[test]
fn a_study_with_its_own_files_is_shared_as_its_manifest() {
    let here = folder();
    let rules = here
        .run("show rules diamant")
        .replace("rounds = 5", "rounds = 2");
    here.write("mine.toml", &rules);
    let study = "study = 'simulate'\ngame = 'diamant'\nrules = 'mine.toml'\ngames = 500\n";
    here.write("s.toml", study);
    holds(&here.run("check s.toml"), "mine.toml … manifest.json");
    here.run("run s.toml --quiet --out o");
    let other = here.inner("other");
    other.write("s.toml", study);
    for command in ["run s.toml", "check s.toml"] {
        other.refused(
            command,
            "cannot find mine.toml beside the study … manifest.json",
        );
    }
    other.write("manifest.json", here.bytes("o/manifest.json"));
    holds(&other.run("check ."), "with all its rules and bots");
    let beside = other.inner("results");
    beside.write("manifest.json", here.bytes("o/manifest.json"));
    other.run("run results --quiet --out again");
    assert_eq!(other.bytes("again/seats.csv"), here.bytes("o/seats.csv"));
    other.inner("empty");
    for command in ["run empty", "check empty"] {
        other.refused(command, "empty: this folder has no manifest.json");
    }
}
