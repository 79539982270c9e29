//! What varies: paths to values of rules, tables and bots, and the values that they take.

use crate::fixtures::edition;
use crate::process::{Folder, Ran, folder, holds};

/// Two files of bots with two parameters each.
pub fn write_bots(here: &Folder) {
    for name in ["two.toml", "my.bot.toml"] {
        let bot = "description = ''\nleave = 'held >= target or traps_seen > nerve'\n\
                   [params]\ntarget = 9\nnerve = 2\n";
        here.write(name, bot);
    }
}

/// The words of a small sweep along these axes.
fn sweep(axes: &[&str], more: &str) -> String {
    let vary: String = axes
        .iter()
        .map(|axis| format!(" --vary '{axis}'"))
        .collect();
    format!("sweep diamant --out o --quiet --games 20{vary} {more}")
}

/// Runs carat, which may take ten seconds of a processor core.
#[cfg(unix)]
pub fn at_once(here: &Folder, line: &str) -> Ran {
    here.shell(&format!("ulimit -t 10; exec \"$0\" {line}"))
}

#[cfg(unix)]
#[test]
fn grids_that_are_too_large_are_refused_at_once() {
    let here = folder();
    let list: Vec<String> = (0..20_000).map(|value| value.to_string()).collect();
    let study = format!(
        "study = 'sweep'\n[table]\ngame = 'diamant'\nseats = ['5*threshold']\ngames = 7\n[vary]\n'seats.1.target' = [{}]\n",
        list.join(",")
    );
    here.write("s.toml", study);
    let thousands = [
        "seats.1.target=1..1000",
        "seats.2.target=1..1000",
        "rules.rounds=1..1000",
    ];
    let squared = ["seats.1.target=1..33", "rules.rounds=1..33"];
    for (line, said) in [
        (
            sweep(&["seats.1.target=1..1000000"], ""),
            "1000000 cells … 20000000 in all … 1024",
        ),
        (
            sweep(&["seats.1.target=0..1 step 1e-300"], ""),
            "more than 10^24 cells",
        ),
        (
            sweep(&["seats.1.target=0..1e30 step 1e-9"], ""),
            "more than 10^24 cells",
        ),
        (
            sweep(&["seats.1.target=0..1e308 step 1e-300"], ""),
            "more than 10^24 cells",
        ),
        (sweep(&thousands, ""), "1000000000 cells"),
        (sweep(&squared, ""), "1089 cells"),
        ("run s.toml".to_string(), "20000 cells … 140000 in all"),
    ] {
        let ran = at_once(&here, &line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        holds(&ran.stderr, said);
    }
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
        here.run(&sweep(&[axis], "--seat threshold --players 2 --no-charts"));
        let (path, _) = axis.split_once('=').expect("an axis");
        let cells = here.table("o/cells.csv");
        let mut found = cells.column(path);
        found.dedup();
        assert_eq!(found, values, "{axis}");
        if path == "seats.1.target" {
            let played = cells.column("params").into_iter().step_by(2);
            for (params, value) in played.zip(values) {
                let played: f64 = params.trim_start_matches("target=").parse().expect(params);
                assert_eq!(Some(played), value.parse().ok(), "{params}");
            }
        }
    }
    for axis in ["seats.1.target=4,4.0", "seats.1.target=16777216..16777217"] {
        here.ends(2, &sweep(&[axis], "")).says("are the same value");
    }
}

#[test]
fn a_seat_takes_one_bot_wherever_it_is_named() {
    let here = folder();
    let said = "seats.1=2*depth … a seat takes a single bot";
    here.refused(
        "sweep diamant --vary 'seats.1=depth,2*depth' --games 20",
        said,
    );
    for side in ["--a", "--b"] {
        let line = format!("compare diamant {side} seats.1=2*depth --b players=4");
        here.refused(&line, said);
    }
    for study in [
        "study = 'sweep'\n[vary]\n'seats.1' = ['depth', '2*depth']\n",
        "study = 'compare'\n[sides]\na = []\nb = ['seats.1=2*depth']\n",
    ] {
        here.write("s.toml", format!("{study}[table]\ngame = 'diamant'\n"));
        here.refused("run s.toml", said);
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

/// Whether the two are the same place at a table where the first bot is `two.toml`.
fn same_place(a: &str, b: &str) -> bool {
    let param = |path: &str| path.rsplit('.').next().map(str::to_string);
    let of_bot = |path: &str| path.starts_with("seats.1.") || path.starts_with("all.");
    a == b || (of_bot(a) && of_bot(b) && param(a) == param(b))
}

#[test]
fn every_pair_of_kinds_of_path_varies_together_or_says_why_not() {
    let here = folder();
    write_bots(&here);
    here.write("copy.toml", edition("iello-2016"));
    let two = "--seat two.toml --seat depth --players 4 --no-charts";
    for (index, (one, own)) in KINDS.iter().enumerate() {
        for (other, others) in &KINDS[index + 1..] {
            let apart = !same_place(one, other);
            let overlap = format!("`{one}` … `{other}` … change the same value");
            let check = |line: &str| {
                if apart {
                    drop(here.run(line))
                } else {
                    here.ends(2, line).says(&overlap)
                }
            };
            let [a, b] = [(one, own), (other, others)]
                .map(|(path, values)| format!("{path}={}", values.join(",")));
            for axes in [[&a, &b], [&b, &a]] {
                check(&sweep(&axes.map(String::as_str), two));
                if apart {
                    let cells = here.table("o/cells_table.csv");
                    let pairs = cells.column(one).into_iter().zip(cells.column(other));
                    let mut found: Vec<_> = pairs.collect();
                    found.sort();
                    found.dedup();
                    assert_eq!(found.len(), 4, "{axes:?}");
                }
            }
            // The same in a comparison, from the command line and from a file.
            let [a, b] = [
                format!("{one}={}", own[0]),
                format!("{other}={}", others[0]),
            ];
            let sides = format!("--b {a} --b {b} {two}");
            check(&format!(
                "compare diamant --games 20 --out c --quiet {sides}"
            ));
            let study = format!(
                "study = 'compare'\n[sides]\na = []\nb = ['{b}', '{a}']\n[table]\n\
                 game = 'diamant'\nseats = ['two.toml', 'depth']\nplayers = 4\ngames = 20\n"
            );
            here.write("s.toml", study);
            check("run s.toml --out c --no-charts --quiet");
        }
    }
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
            let message = here.refused(&sweep(&axes, "--seat threshold"), "");
            let said = ["the same value", "given twice"].map(|said| message.contains(said));
            assert!(said.contains(&true), "{axes:?}: {message}");
        }
    }
    // Who sits where decides, after all are seated.
    here.refused(
        "compare diamant --players 3 --seat threshold --b seats.2=threshold \
         --b seats.2.target=4 --b all.threshold.target=5",
        "`seats.2.target` … `all.threshold.target` … the same value",
    );
}

#[test]
fn files_may_lie_anywhere_and_have_dots_in_their_names() {
    let here = folder();
    write_bots(&here);
    for name in ["a.toml", "b.toml"] {
        here.write(name, edition("iello-2016"));
    }
    let inner = here.inner("inner");
    inner.run(&sweep(&["rules=../a.toml,../b.toml"], "--no-charts"));
    let cells = inner.table("o/cells_table.csv");
    let rules = cells.column("rules");
    assert!(rules.contains(&"../a.toml") && rules.contains(&"../b.toml"));
    let seats = "--seat 2*./my.bot.toml --seat depth --no-charts";
    here.run(&sweep(&["all../my.bot.toml.target=7..8"], seats));
    let cells = here.table("o/cells.csv");
    let params = cells.column("params").into_iter();
    assert_eq!(
        params
            .filter(|params| params.starts_with("target=7,"))
            .count(),
        2
    );
    let paths = here.run("show paths diamant --seat ./my.bot.toml");
    holds(&paths, "all../my.bot.toml.target");
    let unknown = sweep(&["all../me.bot.toml.target=7..8"], seats);
    let said = "no seat plays `./me.bot.toml` … ./my.bot.toml";
    here.refused(&unknown, said);
    // The metric is that of the first seat that the bot takes.
    let seats = "--seat depth --seat ./my.bot.toml --no-charts";
    let shown = sweep(&["all../my.bot.toml.target=7..8"], seats).replace("--quiet ", "");
    holds(&here.run(&shown), "seat 2");
}

#[test]
fn large_tables_of_bots_are_counted() {
    let here = folder();
    let shown = here.run("show paths diamond_miner --players 4 --seat solved-4");
    assert!(shown.lines().count() < 200, "{}", shown.lines().count());
    holds(
        &shown,
        "seats.N.TABLE.CELL … seats.1.shovel … all.solved-4.cut",
    );
    // JSON lists each.
    let all = here.json("show paths diamond_miner --players 4 --seat solved-4 --json");
    assert!(all["paths"].as_array().expect("paths").len() > 2000);
}
