//! What users give to carat: pipes, bots in lists, labels, misspelt words; and limits of the machine.

use crate::decisions::read;
use crate::process::{Folder, folder};
use serde_json::Value;

const QUICK: &str = "--games 60 --no-charts --threads 1 -q";

/// Files that are read more than once, as a pipe and as a file, lead to the same results.
#[cfg(unix)]
#[test]
fn every_input_is_read_once() {
    let here = folder();
    here.write("r.toml", here.run("show rules diamant"));
    here.write("b.toml", "leave = \"held > 5\"\n");
    let study =
        "study = 'compare'\ngame = 'diamant'\ngames = 60\nsides = { a = [], b = ['rounds=4'] }\n";
    here.write("s.toml", study);
    here.run(&format!("simulate diamant {QUICK} --out kept"));
    for line in [
        "simulate diamant RULES SEAT QUICK --games 60",
        "compare diamant RULES SEAT QUICK --games 60 --b rounds=4",
        "compare diamant QUICK --games 60 --a rules=PIPE --b rules=PIPE --b traps.snake=4",
        "sweep diamant RULES SEAT QUICK --games 60 --vary rounds=3..4",
        "sweep diamant RULES QUICK --games 60 --each=rules.traps",
        "tune diamant RULES SEAT QUICK --vary rounds=4..6 --target cards_per_game=1..99 --dry-run",
        "tournament diamant RULES QUICK --games 20 --bots depth,risk --players 2",
        "rule diamant RULES QUICK --dry-run",
        "adapt diamant RULES QUICK --dry-run",
        "solve diamant RULES QUICK --dry-run",
        "replay diamant RULES SEAT",
        "advise diamant RULES --players 2 --round 2 --chests 1,2 --me 1 --playouts 100 '5 7'",
        "quiz diamant RULES",
        "play diamant RULES",
        "run STUDY RULE QUICK --seat BOT",
        "check STUDY",
        "check KEPT",
        "run KEPT QUICK",
    ] {
        let line = line.replace("QUICK", "--no-charts --threads 1 -q --restart --out o");
        let line = line
            .replace("RULES", "--rules PIPE")
            .replace("SEAT", "--seat BOT");
        let line = line.replace("RULE ", " ").replace("PIPE", "<(cat r.toml)");
        let line = line
            .replace("BOT", "<(cat b.toml)")
            .replace("STUDY", "<(cat s.toml)");
        let line = line.replace("KEPT", "<(cat kept/manifest.json)");
        let ran = here.shell(&format!("\"$0\" {line} < /dev/null"));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
    }
    let ran = here
        .shell("\"$0\" compare diamant --rules /dev/stdin --b rounds=4 --dry-run < <(cat r.toml)");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let piped = "\"$0\" run - --dry-run --seat /dev/fd/8 < <(cat s.toml) 8< <(cat b.toml)";
    assert_eq!(here.shell(piped).code, Some(0));
}

/// The bots of `seats.csv` with their parameters and labels.
fn seated(here: &Folder, line: &str) -> String {
    here.run(&format!(
        "simulate diamant {line} {QUICK} --restart --out o"
    ));
    let seats = here.table("o/seats.csv");
    let [bots, params, labels] = ["bot", "params", "label"].map(|name| seats.column(name));
    let each = (0..bots.len()).map(|at| match params[at].split(',').next() {
        Some("") | None => format!("{} {}", bots[at], labels[at]),
        Some(first) => format!("{}:{first} {}", bots[at], labels[at]),
    });
    let manifest: Value = serde_json::from_str(&here.read("o/manifest.json")).expect("JSON");
    here.run("run o/manifest.json -q --no-charts --threads 1 --out again");
    here.same("o", "again");
    here.remove("again");
    assert!(manifest["study"]["others"].is_string());
    Vec::from_iter(each.map(|bot| bot.trim().to_string())).join(" | ")
}

#[test]
fn others_are_several_bots_with_values() {
    let here = folder();
    here.write("a.toml", "leave = \"held > 5\"\n");
    here.write("b.toml", "leave = \"held > 6\"\n");
    let humans = "human:bias=-3 | human:bias=-8 | human:bias=-4.75";
    let bias = here.run("show strategy diamant human");
    let bias = bias
        .lines()
        .find_map(|line| line.strip_prefix("bias = "))
        .expect("a bias");
    let humans = humans.replace("-4.75", bias);
    for (line, bots) in [
        (
            "--others human:bias=-3,human:bias=-8,human",
            humans.as_str(),
        ),
        (
            "--others human:bias=-3 --others human:bias=-8 --others=human",
            &humans,
        ),
        (
            "--others 'human:bias=-3,spread=1,depth'",
            "human:bias=-3 | depth:cards=6",
        ),
        (
            "--others 'human:bias=-3 as careful,depth:cards=4 as bold'",
            "human:bias=-3 careful | depth:cards=4 bold",
        ),
        (
            "--others a.toml b.toml --others depth:cards=3",
            "a.toml | b.toml | depth:cards=3",
        ),
    ] {
        assert_eq!(seated(&here, line), bots, "{line}");
    }
    let bots = "tournament diamant --players 2 --games 20 --no-charts -q --out cup --bots";
    here.run(&format!(
        "{bots} 'human:bias=-3,spread=1 as Ann,depth:cards=4,risk'"
    ));
    assert_eq!(
        here.table("cup/ratings.csv").column("bot"),
        ["Ann", "depth:cards=4", "risk"]
    );
    here.run("run cup/manifest.json --no-charts -q --out cup2");
    here.same("cup", "cup2");
    let vary =
        "sweep diamant --seat depth --others risk --players 2 --games 20 --no-charts -q --out v";
    here.run(&format!(
        "{vary} --vary 'seats.1=human:bias=-3,spread=1,depth'"
    ));
    let cells = here.table("v/cells.csv");
    let swept = cells.column("seats.1");
    assert_eq!(
        swept,
        [
            "human:bias=-3,spread=1",
            "human:bias=-3,spread=1",
            "depth",
            "depth"
        ]
    );
}

/// Every table with seats has their labels or people's names, and says which seats have none.
#[test]
fn tables_name_labels_and_people() {
    let here = folder();
    for (game, tables) in [
        ("diamant", "seats scores convergence"),
        ("diamond_cave", "seats scores convergence score_parts cards"),
        (
            "diamond_miner",
            "seats scores convergence rounds cards recipes",
        ),
    ] {
        let seats = "--seat '2*people as O’Neil & 50% 😀' --seat people --people ,Ben --players 3";
        let raw = "--raw decisions --format csv,parquet --svg";
        here.run(&format!(
            "simulate {game} {seats} {raw} --games 9 -q --out {game}"
        ));
        for name in tables.split(' ') {
            let table = here.table(&format!("{game}/{name}.csv"));
            assert!(!table.rows.is_empty(), "{name}");
            for (seat, label) in table.column("seat").iter().zip(table.column("label")) {
                let known =
                    ["O’Neil & 50% 😀", "Ben", ""][seat.parse::<usize>().expect("a seat") - 1];
                assert_eq!(label, known, "{game} {name}");
            }
        }
        let rows = read(&here, &format!("{game}/decisions.parquet"));
        let labels = rows
            .column("label")
            .expect("labels")
            .str()
            .expect("texts")
            .clone();
        let seats = rows
            .column("seat")
            .expect("seats")
            .i32()
            .expect("numbers")
            .clone();
        for (seat, label) in seats.into_no_null_iter().zip(labels.iter()) {
            let known = [Some("O’Neil & 50% 😀"), Some("Ben"), None][seat as usize - 1];
            assert_eq!(label, known);
        }
        let columns = here.run(&format!("show columns {game}"));
        assert!(columns.matches("\n label ").count() > 5, "{columns}");
    }
    let table = "--seat 'depth as Ann' --seat risk --people ,Ben --games 30 --no-charts -q";
    here.run(&format!(
        "sweep diamant {table} --vary rounds=3,4 --out sweep"
    ));
    assert_eq!(
        here.table("sweep/cells.csv").column("label"),
        ["Ann", "Ben", "Ann", "Ben"]
    );
    here.run(&format!(
        "compare diamant {table} --b rounds=4 --out compare"
    ));
    let differences = here.table("compare/differences.csv");
    for (seat, label) in differences.pairs("seat", "label") {
        assert_eq!(
            label,
            ["", "Ann", "Ben"][seat.parse::<usize>().unwrap_or(0)]
        );
    }
}

#[test]
fn labels_say_what_they_may_hold() {
    let here = folder();
    for label in ["a,b", "x=1", "a:b", "2*x", "a;b"] {
        let line = format!("simulate diamant --games 9 --seat 'depth as {label}'");
        here.refused(
            &line,
            &format!("`{label}` cannot be a label … `,` `;` `:` `=` `*`"),
        );
    }
    here.write("such as this.toml", "leave = \"held > 5\"\n");
    here.run("simulate diamant --games 9 --no-charts -q --seat 'such as this.toml' --out o");
}

#[test]
fn check_gives_the_hints_of_other_commands() {
    let here = folder();
    for (text, hint) in [
        ("leavs = \"held > 1\"", "did you mean `leave`?"),
        ("scoer = \"diamonds\"", "did you mean `score`?"),
        ("score = \"diamonds_taken + helt_up\"\n", "helt_up"),
        ("score = \"diamons\"", "did you mean"),
        ("leave = \"held => 10\"", "`>=`"),
        ("leave = \"held > 10\n", "closing quotation mark … 1:19"),
        ("leave = 'held > 10\n", "closing quotation mark … 1:19"),
        ("leave = \"\"\"held > 10\n", "closing quotation mark"),
        (
            "studdy = 'simulate'\ngame = 'diamant'\n",
            "did you mean `study`?",
        ),
        (
            "study = 'simulat'\ngame = 'diamant'\n",
            "did you mean `simulate`?",
        ),
    ] {
        here.write("x.toml", text);
        here.refused("check x.toml", hint);
    }
    for game in ["diamant", "diamond_cave", "diamond_miner"] {
        let rules = here.run(&format!("show rules {game}"));
        here.write("x.toml", rules.replace("\ngame = ", "\ngane = "));
        here.refused("check x.toml", "did you mean `game`?");
        for key in ["joker", "first_out_bonus"] {
            here.write("x.toml", format!("{key} = 1\n{rules}"));
            here.refused("check x.toml", &format!("{key} … carat help rules"));
            let set = format!("simulate {game} --set {key}=1");
            here.refused(&set, &format!("{key}: unknown key … carat help rules"));
        }
        if game == "diamant" {
            let said = "the nearest is `leave_bonus` … carat help rules … My rule is not here";
            here.refused("check x.toml", said);
            here.refused("simulate diamant --set first_out_bonus=1", said);
        }
    }
}

/// The copies of a number in a list are a value like any other: set, varied, tuned and stepped by
/// the path that `--each` prints.
/// A change may add a kind of trap, which may be the slip of somebody who thinks of another edition.
#[test]
fn names_that_changes_add_are_told() {
    let here = folder();
    let said = |rules: &str, set: &str| {
        let few = "--games 100 --others depth --seat depth";
        let line = format!("simulate diamant {few} --rules {rules} --set {set}");
        here.end(&mut here.command(&line)).stderr
    };
    let new =
        "warning: traps.snake is new; schmidt-2005 has serpent, scorpion, rockfall, gas, explosion";
    assert!(said("schmidt-2005", "rules.traps.snake=4").contains(new));
    for (rules, set) in [
        ("iello-2016", "traps.snake=4"),
        ("iello-2016", "traps_from.snake=2"),
        ("schmidt-2005", "traps.gas=4"),
        ("schmidt-2005", "at.5.traps.gas=4"),
    ] {
        assert!(!said(rules, set).contains("is new"), "{rules} {set}");
    }
}

#[test]
fn copies_of_cards_have_paths() {
    let here = folder();
    let shown = here.run("show paths diamant --set treasures.17=2");
    for (path, copies) in [
        ("treasures.5", "2"),
        ("treasures.17", "2"),
        ("relics.values.5", "3"),
    ] {
        let mut rows = shown.lines().map(|line| line.split_whitespace());
        assert!(
            rows.any(|row| row.eq([&format!("rules.{path}")[..], copies])),
            "{path}"
        );
    }
    let few = "--games 400 --no-charts --out out";
    let listed = "treasures=[1,2,3,4,5,5,7,7,9,11,11,13,14,15,17,17]";
    here.run(&format!(
        "compare diamant {few} --a treasures.17=2 --b {listed}"
    ));
    let differences = here.table("out/differences.csv");
    assert!(
        differences
            .column("difference")
            .iter()
            .all(|change| *change == "0" || *change == "0.0")
    );
    here.run(&format!("compare diamant --each=treasures {few}x"));
    let differences = here.table("outx/differences.csv");
    let mut paths = differences.column("path");
    paths.dedup();
    for path in paths {
        here.run(&format!("show paths diamant --set {path}=3"));
    }
    here.run(&format!(
        "sweep diamant --vary rules.treasures.0=0..2 {few}y"
    ));
    let cells = here.table("outy/cells.csv");
    assert!(cells.column("rules.treasures.0").ends_with(&["2"]));
    let target = "--target cards_per_game=37..40 --out tuned --no-charts --max-games 60000";
    here.run(&format!(
        "tune diamant --vary rules.relics.values.10=1..3 {target}"
    ));
    for vary in ["rules.relics.values=5..12", "treasures=3,4"] {
        let said = "expected a list … =[ … =2 for 2 copies";
        here.refused(&format!("sweep diamant --vary {vary}"), said);
        let target = "--vary rules.rounds=4..6 --target cards_per_game=30..31";
        here.refused(&format!("tune diamant --vary {vary} {target}"), said);
    }
}

/// Too little room for files, memory or threads ends a run with exit code 1, a message and no results.
#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_machine_are_reported() {
    let here = folder();
    for line in [
        "simulate diamant --games 3000",
        "solve diamant --games 100k",
        "adapt diamant --games 1000",
        "compare diamant --games 3000 --b rounds=4",
        "sweep diamond_cave --games 300 --vary finish_turn=true,false",
    ] {
        let line = format!("exec \"$0\" {line} --threads 2 --no-charts -q --restart --out o");
        let mut lacked = 0;
        for limit in [
            "-f 1", "-v 70000", "-v 76000", "-v 82000", "-v 88000", "-v 94000",
        ] {
            let ran = here.shell(&format!("ulimit {limit}; {line}"));
            // With less, the system cannot even load the program.
            let is_loaded = ran.code.is_some_and(|code| code < 127);
            assert!(is_loaded || limit != "-f 1", "{line}: {}", ran.stderr);
            if is_loaded && ran.code != Some(0) {
                assert_eq!(ran.code, Some(1), "ulimit {limit}; {line}: {}", ran.stderr);
                assert!(!ran.stderr.contains("bug in carat"), "{}", ran.stderr);
                assert!(!ran.stderr.is_empty() && !here.has("o/manifest.json"));
                lacked += 1;
            } else if ran.code == Some(0) {
                here.remove("o");
            }
        }
        assert!(lacked > 1, "{line}");
    }
}

/// Wherever a bot is named.
#[test]
fn a_bot_of_another_game_is_called_one() {
    let here = folder();
    here.write("Ben.toml", "leave = \"held >= 8 and cards_revealed > 2\"\n");
    let said = "Ben.toml … a bot of diamant, not of diamond_cave";
    for line in [
        "simulate diamond_cave --seat 2*Ben.toml",
        "rule diamond_cave --others Ben.toml",
        "analyse diamond_cave --seat 2*Ben.toml --games 1",
        "tournament diamond_cave --bots Ben.toml,people",
        "solve diamond_cave --from Ben.toml",
        "solve diamond_cave --against 2*Ben.toml",
    ] {
        here.refused(line, said);
    }
    here.write(
        "s.toml",
        "study = 'simulate'\ngame = 'diamond_cave'\nseats = ['2*Ben.toml']\n",
    );
    here.refused("run s.toml", said);
    here.refused("check s.toml", said);
    here.write("mix.toml", "mix = { 'Ben.toml' = 1 }\n");
    here.refused(
        "simulate diamond_cave --seat 2*mix.toml",
        "a bot of diamant, not of",
    );
}

#[test]
fn labels_have_no_slash() {
    let here = folder();
    for label in ["AC/DC", "a\\b"] {
        let line = format!("simulate diamant --seat 'depth as {label}'");
        here.refused(&line, "cannot be a label … `/`");
    }
}

#[test]
fn all_unknown_keys_of_a_file_are_named() {
    let here = folder();
    let rules = here.run("show rules diamant");
    here.write(
        "rules.toml",
        format!("first_leaver_bonus = 1\n{rules}\n[zest]\na = 1\n"),
    );
    let bot = "leave = 'held >= 8'\nfirst_leaver_bonus = 1\nzest = 2\n";
    here.write("bot.toml", bot);
    let study = "study = 'simulate'\ngame = 'diamant'\nfirst_leaver_bonus = 1\nzest = 2\n";
    here.write("study.toml", study);
    for file in ["rules.toml", "bot.toml", "study.toml"] {
        let line = format!("check {file}");
        let said = here.refused(&line, "first_leaver_bonus … unknown, too: `zest`");
        assert!(!said.contains("did you mean"), "{said}");
    }
}
