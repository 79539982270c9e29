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

/// Whatever its kind, a complete study is resumed to the bytes of a run that asked for all at once,
/// and no game is played for it.
#[test]
fn a_study_that_is_complete_is_not_played_again() {
    let threshold = "--seat threshold --players 3";
    for study in [
        format!("simulate diamant {threshold} --games 500 --raw"),
        "compare diamant --b traps.snake=4 --games 300".to_string(),
        format!("sweep diamant {threshold} --vary seats.1.target=8,9 --games 500"),
        "tournament diamant --bots threshold traps --players 3 --games 200".to_string(),
        format!(
            "tune diamant {threshold} --vary seats.1.target=11..12 --maximize win_share@1 --max-games 5000"
        ),
        "solve diamant --players 3 --set rounds=1 --games 100k".to_string(),
        "analyse diamant --games 1 --playouts 64".to_string(),
    ] {
        let here = folder();
        let run = |out: &str, more: &str| {
            let args = format!("{study} --out {out} {more}");
            carat(here.path(), &args.split(' ').collect::<Vec<_>>())
        };
        let all = "--format parquet,json,csv --svg";
        for (out, more) in [("all", all), ("few", "--no-charts --format json")] {
            assert!(run(out, more).status.success(), "{study}");
        }
        for more in [all, "--no-charts"] {
            let again = run("few", &format!("--resume {more}"));
            let (said, errors) = (text(&again.stdout), text(&again.stderr));
            assert!(again.status.success(), "{study}: {errors}");
            let expected = match more {
                "--no-charts" => "all of this study is there already",
                _ => "this was played already; what is missing is written",
            };
            assert!(errors.contains(expected), "{study}: {errors}");
            assert!(!said.is_empty());
        }
        let [all, few] = ["all", "few"].map(|out| contents(&here.path().join(out)));
        assert!(all == few, "{study}: {:?}", differing(&all, &few));
    }
}

/// The names of files that two folders do not have alike.
fn differing(a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)]) -> Vec<String> {
    let only = |a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)]| {
        let of_a = a.iter().filter(|file| !b.contains(file));
        of_a.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    [only(a, b), only(b, a)].concat()
}

/// What cannot be made of what is kept is played: here the games one by one.
#[test]
fn what_is_not_kept_is_played_again() {
    let here = folder();
    let run = |more: &[&str]| {
        let study = [
            "simulate",
            "diamant",
            "--games",
            "500",
            "--out",
            "o",
            "--no-charts",
        ];
        let output = carat(here.path(), &[&study[..], more].concat());
        assert!(output.status.success());
        text(&output.stderr)
    };
    run(&[]);
    assert!(run(&["--resume", "--raw"]).contains("it is played again for files"));
    assert!(here.path().join("o/games.parquet").exists());
    run(&["--resume", "--format", "json"]);
    assert!(here.path().join("o/games.parquet").exists());
    let kept = here.path().join("o/report.carat");
    fs::write(&kept, "damaged").expect("a file");
    let study = [
        "simulate", "diamant", "--games", "500", "--out", "o", "--resume",
    ];
    let refused = carat(here.path(), &study);
    assert!(text(&refused.stderr).contains("`report.carat` is not as carat wrote it"));
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
    let output = carat(here.path(), &args);
    let [shown, noted] = [&output.stdout, &output.stderr].map(|b| text(b).replace('\n', " "));
    assert!(
        shown.contains("Only a sample was played: 12 of 15"),
        "{shown}"
    );
    assert!(shown.contains("line_ups = 15 plays all"), "{shown}");
    let remedy = "to play all, give --line-ups 15, or at most 2 bots after --bots";
    assert!(noted.contains(remedy), "{noted}");
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

#[test]
fn a_replay_tells_why() {
    let here = folder();
    let replay = |game: &str, more: &[&str]| ok(here.path(), &[&["replay", game], more].concat());
    let told = replay("diamant", &["--why", "--set", "traps.snake=4"]);
    assert!(told.starts_with("With traps.snake=4:\n"), "{told}");
    assert!(told.contains("? 1 threshold: leave: no; held "), "{told}");
    let told = replay("diamond_miner", &["--why"]);
    assert!(
        told.contains("? 1 builder: score ") && told.contains(", the best of "),
        "{told}"
    );
    let [long, short] = [&[][..], &["--short", "--why"]].map(|more| replay("diamond_cave", more));
    assert!(
        short.contains("? 1 prospector: score ") && short.contains("   points: "),
        "{short}"
    );
    let boards = |told: &str| {
        told.lines()
            .filter(|line| line.starts_with("       A"))
            .count()
    };
    assert!(boards(&long) > 0 && boards(&short) == 0, "{short}");
}

/// The fields of a CSV line, in which a field may be quoted.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("there is one").push(letter),
        }
    }
    fields
}

#[test]
fn each_number_of_the_rules_goes_one_step_down_and_up() {
    let here = folder();
    let table = ["diamant", "--players", "3", "--games", "2000", "--quiet"];
    let play = |args: &[&str], out: &str| {
        let out = ["--no-charts", "--out", out];
        ok(
            here.path(),
            &[&args[..1], &table, &args[1..], &out].concat(),
        );
        let file = here.path().join(out[2]).join("differences.csv");
        let csv = fs::read_to_string(file).expect("a table");
        csv.lines().map(fields).collect::<Vec<_>>()
    };
    let all = play(&["sweep", "--each"], "all");
    for side in [
        "rounds = 4",
        "traps.snake = 4",
        "treasures of 5 = 3",
        "relics.values of 10 = 1",
    ] {
        assert!(all.iter().any(|row| row[0] == side), "{side}");
    }
    let traps = play(&["compare", "--each=traps"], "traps");
    let sides = traps
        .iter()
        .filter(|row| row[1] == "bust_rate" && row[2].is_empty());
    assert_eq!(sides.count(), 10, "five traps, down and up");
    // A step is what a side with this change is.
    let by_hand = play(&["compare", "--b", "traps.snake=4"], "hand");
    let stepped = traps.iter().filter(|row| row[0] == "traps.snake = 4");
    let by_hand = by_hand[1..].iter();
    assert!(
        stepped
            .map(|row| &row[1..])
            .eq(by_hand.map(|row| &row[1..]))
    );

    let seat = ["sweep", "--each=seats.1", "--metric", "win_share@1"];
    play(&seat, "seat");
    let again = ["run", "seat/manifest.json", "--no-charts", "--out", "again"];
    let shown = ok(here.path(), &again);
    assert!(shown.contains("one step down") && shown.contains("seats.1.target"));
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("seat"), of("again"));

    let refused = |more: &[&str], said: &str| {
        let output = carat(here.path(), &[&["sweep"], &table[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
    };
    refused(&["--each=rules.nothing"], "no number of that name");
    refused(&["--each", "--metric", "win_share"], "win_share@1");
    refused(&["--each", "--vary", "players=3,4"], "cannot be used with");
    let output = carat(here.path(), &["sweep", "diamond_cave", "--each=size"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("should be odd"));
}

#[test]
fn a_tournament_under_several_rules_plays_the_same_games() {
    let here = folder();
    let field = [
        "tournament",
        "diamant",
        "--players",
        "3",
        "--bots",
        "threshold",
        "depth",
        "risk",
    ];
    let play = |more: &[&str], out: &str| {
        let end = ["--games", "500", "--no-charts", "--out", out];
        ok(here.path(), &[&field[..], more, &end].concat())
    };
    play(&[], "one");
    let shown = play(&["--b", "rounds=5", "--c", "traps.snake=6"], "sides");
    assert!(
        shown.contains("c: iello-2016 with traps.snake=6"),
        "{shown}"
    );
    let one = table(&here.path().join("one/ratings.csv"));
    let sides = table(&here.path().join("sides/ratings.csv"));
    for (row, side) in sides[1..].iter().zip(["a", "a", "a", "b", "b", "b", "c"]) {
        assert_eq!(row[0], side);
        let alone = one.iter().find(|alone| alone[0] == row[1]).expect("a bot");
        assert_eq!(alone[1..] == row[2..], side != "c", "{row:?}");
    }
    let shifts = table(&here.path().join("sides/shifts.csv"));
    assert_eq!(shifts.len(), 1 + 6);
    for row in &shifts[1..] {
        let [first, own, shift, se]: [f64; 4] =
            [2, 3, 4, 5].map(|column| row[column].parse().expect("a number"));
        assert!((own - first - shift).abs() < 1e-12, "{row:?}");
        // The same rules shift nothing, and that is certain.
        assert_eq!(row[0] == "b", shift.abs() < 1e-12 && se < 1e-9, "{row:?}");
    }
    let again = [
        "run",
        "sides/manifest.json",
        "--quiet",
        "--no-charts",
        "--out",
        "again",
    ];
    ok(here.path(), &again);
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("sides"), of("again"));

    let output = carat(
        here.path(),
        &[&field[..], &["--b", "seats.1=depth"]].concat(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("differ in rules alone"));
}

#[test]
fn the_spread_of_win_shares_is_a_metric_like_others() {
    let here = folder();
    let seats = [
        "--seat",
        "threshold",
        "--seat",
        "2*depth",
        "--games",
        "3000",
        "--out",
    ];
    let with = |kind: &str, more: &[&str], out: &str| {
        let args = [&[kind, "diamant"], &seats[..], &[out, "--no-charts"], more].concat();
        ok(here.path(), &args);
    };
    with("simulate", &[], "s");
    let rows = table(&here.path().join("s/table.csv"));
    let spread = rows.iter().find(|row| row[0] == "win_share_spread");
    let spread: f64 = spread.expect("a metric")[1].parse().expect("a number");
    let seats = table(&here.path().join("s/seats.csv"));
    let column = seats[0].iter().position(|head| head == "win_share");
    let share = |row: &Vec<String>| {
        row[column.expect("a column")]
            .parse::<f64>()
            .expect("a number")
    };
    let shares: Vec<f64> = seats[1..].iter().map(share).collect();
    let [low, high] = [f64::min, f64::max].map(|pick| shares.iter().copied().reduce(pick));
    assert!((high.expect("seats") - low.expect("seats") - spread).abs() < 1e-12);
    let metric = ["--metric", "win_share_spread", "--vary", "rounds=3,5"];
    with("sweep", &metric, "v");
    with("compare", &["--b", "rounds=3"], "c");
    let differences = fs::read_to_string(here.path().join("c/differences.csv")).expect("a table");
    assert!(differences.contains("win_share_spread"));
}
