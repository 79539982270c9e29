//! Where results go: carat writes only inside the folder that is named, and removes only what it
//! verifiably wrote.

use crate::process::{Folder, Running, folder, holds, run};
use carat::files::Output;
use carat_studies::report::{FileRecord, MANIFEST, Manifest};
use carat_studies::study::Study;
use std::fs;

/// A short simulation that draws nothing.
const SHORT: &str = "simulate diamant --games 500 --no-charts --quiet --out";
/// One that is never played to its end: what is refused is refused before.
const ENDLESS: &str = "simulate diamant --games 10^12 --no-charts --threads 1 --out";
/// What is in a folder after [`SHORT`].
pub const FILES: [&str; 8] = [
    "bots.csv",
    "convergence.csv",
    "depth.csv",
    "manifest.json",
    "report.carat",
    "scores.csv",
    "seats.csv",
    "table.csv",
];

/// Demands that results cannot go to `out`, before a game is played.
#[track_caller]
fn closed(here: &Folder, out: &str, said: &str) {
    let ran = here.end(&mut here.command(&format!("{ENDLESS} {out}")));
    assert!(matches!(ran.code, Some(1 | 2)), "{}", ran.stderr);
    ran.says(said);
}

#[test]
fn an_overtaken_run_reports_it() {
    let here = folder();
    let [first, second] = [(); 2].map(|()| Output::open(&here.path("o")).expect("room"));
    let study = Study::from_toml("a", "study = 'simulate'\ngame = 'diamant'\n").expect("a study");
    assert!(!first.is_overtaken() && !second.is_overtaken());
    let published = second.publish(Manifest::new(study, Default::default()));
    assert!(published.is_ok() && first.is_overtaken());
}

#[test]
fn every_name_of_a_folder_works_from_inside_it_too() {
    let here = folder();
    here.run(&format!("{SHORT} res"));
    let (res, first) = (here.inner("res"), here.files("res"));
    for out in ["../res", ".", "../res/../res", "./", "../res/."] {
        res.run(&format!(
            "run manifest.json --no-charts --quiet --out {out}"
        ));
        assert!(here.files("res") == first, "--out {out}");
        assert_eq!(here.names(""), ["res"], "--out {out}");
    }
    here.run(&format!("{SHORT} new/../res --seed 2"));
    assert!(here.files("res") != first);
    assert_eq!(here.names(""), ["res"]);
    here.inner("empty").run(&format!("{SHORT} ."));
    assert!(here.files("empty") == first);
}

#[cfg(unix)]
#[test]
fn links_are_followed_unless_they_lead_nowhere() {
    let here = folder();
    here.inner("real");
    let link = |to, name| std::os::unix::fs::symlink(to, here.path(name)).expect("a link");
    link("real", "link");
    here.run(&format!("{SHORT} link/inner"));
    here.run(&format!("{SHORT} link/inner/"));
    assert_eq!(here.names("real/inner"), FILES);
    link("gone/away", "dangling");
    for out in ["dangling", "dangling/inner"] {
        closed(&here, out, "dangling: this link … gone/away");
    }
    link("loop", "loop");
    closed(&here, "loop", "loop");
    assert_eq!(here.names(""), ["dangling", "link", "loop", "real"]);
}

#[test]
fn targets_that_cannot_work_are_refused_before_a_game_is_played() {
    let here = folder();
    let long = "x".repeat(300);
    closed(&here, &long, "cannot find the folder");
    closed(&here, &format!("a/b/{long}"), "cannot");
    here.write("file", "mine");
    closed(&here, "s3://bucket/res", "s3://bucket/res: an address");
    for out in ["file", "file/deep", "file/../res"] {
        closed(&here, out, "file: a file");
    }
    assert_eq!(here.names(""), ["file"], "no folder is left behind");
    #[cfg(target_os = "linux")]
    closed(&here, "/sys", "/sys");
}

#[test]
fn folders_made_for_nothing_are_removed() {
    folder().refused("simulate diamant --seat nobody --out a/b/c", "nobody");
}

#[test]
fn runs_into_one_folder_at_once_all_succeed() {
    let here = folder();
    for round in 0..4 {
        let start = |run| {
            let seed = 8 * round + run;
            let how = format!("--no-charts --quiet --seed {seed} --out new/res");
            here.start(&format!("simulate diamant --games 300 {how}"))
        };
        let runs: Vec<Running> = (0..8).map(start).collect();
        for run in runs {
            run.ends(0);
        }
        assert_eq!(here.names("new/res"), FILES);
    }
    // What is there is one result, not a mixture.
    here.run("run new/res/manifest.json --no-charts --quiet --out again");
    here.same("new/res", "again");
}

/// Demands that a change to results is found, and that nothing of them is touched.
#[track_caller]
fn left_alone(change: impl FnOnce(&Folder), said: &str) {
    let here = folder();
    here.run(&format!("{SHORT} res"));
    change(&here.inner("res"));
    let before = (here.names("res"), here.files("res"));
    closed(&here, "res", said);
    assert!((here.names("res"), here.files("res")) == before);
}

#[test]
fn only_what_carat_wrote_is_replaced() {
    left_alone(|res| res.write("note.txt", "mine"), "holds `note.txt`");
    left_alone(
        |res| res.write("seats.csv", "mine"),
        "`seats.csv` was changed",
    );
    let directory = |res: &Folder| {
        res.remove("seats.csv");
        res.inner("seats.csv").write("mine", "mine");
    };
    left_alone(directory, "`seats.csv` was changed");
    let one_byte = |res: &Folder| {
        let mut bytes = res.bytes("table.csv");
        bytes[20] ^= 1;
        res.write("table.csv", bytes);
    };
    left_alone(one_byte, "`table.csv` was changed");
    for (from, to, said) in [
        ("\"seed\": 1", "\"seed\": 2", "was changed"),
        ("seats.csv", "../seats.csv", "manifest.json"),
        ("crc32:", "crc33:", "was changed"),
    ] {
        let manifest = |res: &Folder| {
            let text = res.read(MANIFEST);
            holds(&text, from);
            res.write(MANIFEST, text.replacen(from, to, 1));
        };
        left_alone(manifest, said);
    }
}

#[test]
fn manifests_of_others_make_no_folder_carats() {
    let here = folder();
    let mine = here.inner("mine");
    mine.write("data.csv", "precious");
    closed(&here, "mine", "did not write this folder");
    for manifest in [
        "{\"partial\": false, \"files\": [\"data.csv\"]}",
        "{\"carat\": \"0.2.0\", \"partial\": false, \"files\": [\"data.csv\"]}",
        "{\"partial\": false, \"files\": []}",
        "not even JSON",
    ] {
        mine.write(MANIFEST, manifest);
        closed(&here, "mine", "another program … older carat");
        assert_eq!(here.names("mine"), ["data.csv", MANIFEST]);
    }
}

/// What another version wrote, with other keys and files, is carat's as well.
#[test]
fn results_of_other_versions_are_replaced_too() {
    let here = folder();
    here.run(&format!("{SHORT} o"));
    let (res, before) = (here.inner("o"), here.files("o"));
    let text = res.read(MANIFEST);
    let other = text.replace("\"carat\":", "\"key of another version\": 1, \"carat\":");
    let head = |text: &str| {
        let end = text.find("\n  \"files\": [").expect("a list of files");
        FileRecord::of(MANIFEST, &text.as_bytes()[..end])
    };
    let (old, new) = (head(&text), head(&other));
    let size = |file: &FileRecord| format!("\"bytes\": {},", file.bytes);
    let listed = other.replace(&old.checksum, &new.checksum);
    let listed = listed.replace(&size(&old), &size(&new));
    let extra = serde_json::to_string(&FileRecord::of("old.csv", b"old")).expect("JSON");
    let listed = listed.replace("\"files\": [", &format!("\"files\": [\n    {extra},"));
    res.write(MANIFEST, &listed);
    res.write("old.csv", "old");
    res.write(".DS_Store", "a file manager was here");
    res.write("run.log", "what the run before said");
    here.run(&format!("{SHORT} o"));
    assert!(!res.has("old.csv"));
    res.remove(".DS_Store");
    res.remove("run.log");
    assert!(here.files("o") == before);
}

#[test]
fn results_that_are_replaced_leave_no_old_file() {
    let here = folder();
    here.run(&format!("{SHORT} o --format csv,parquet --svg"));
    assert_eq!(here.names("o").len(), 14);
    here.run(&format!("{SHORT} o"));
    assert_eq!(here.names("o"), FILES);
}

/// What was played for hours is not thrown away because somebody put a note there meanwhile.
#[cfg(unix)]
#[test]
fn results_that_cannot_be_moved_in_are_kept() {
    let here = folder();
    here.run(&format!("{SHORT} o"));
    let old = here.files("o");
    let mut run = here.start(&format!("{ENDLESS} o"));
    run.plays();
    here.write("o/note.txt", "mine");
    here.write("o/partial", "mine");
    run.signal("-INT");
    holds(&run.ends(1), "the new results are in");
    let names = here.names("o");
    let kept: Vec<&String> = names.iter().filter(|n| n.starts_with("carat-")).collect();
    assert_eq!(kept.len(), 1, "{names:?}");
    assert_eq!(here.names(&format!("o/{}", kept[0])), FILES);
    for (name, bytes) in old {
        assert!(here.bytes(&format!("o/{name}")) == bytes, "{name}");
    }
}

#[test]
fn manifests_of_any_length_are_played_again() {
    let here = folder();
    for name in ["a.toml", "b.toml"] {
        let comment = "# \"quoted\" \\ to the end of the line\n".repeat(60_000);
        here.write(
            name,
            format!("description = 'long'\nleave = 'held > 5'\n{comment}"),
        );
    }
    here.run(&format!(
        "{SHORT} o --seat a.toml --seat b.toml --players 2"
    ));
    let size = fs::metadata(here.path("o/manifest.json")).expect("a manifest");
    assert!(size.len() > 1 << 22, "{}", size.len());
    here.run("check o/manifest.json");
    here.run("run o/manifest.json --no-charts --quiet");
    here.same("o", "o-again");
}

/// Whoever fills the free seats stays in the headline, in every kind of study.
#[test]
fn filled_seats_are_played_again() {
    let here = folder();
    let table = "--seat card-3 --players 4 --no-charts --quiet";
    for (name, line) in [
        ("s", "simulate diamant --games 500"),
        ("c", "compare diamant --games 500 --b traps.snake=4"),
        ("w", "sweep diamant --games 500 --vary rules.rounds=1..2"),
        ("a", "analyse diamant --playouts 64"),
        (
            "t",
            "tune diamant --vary rules.rounds=4..5 --target cards_per_game=10..20 --who none --max-games 5k",
        ),
    ] {
        here.run(&format!("{line} {table} --out {name}"));
        here.run(&format!("run {name}/manifest.json --no-charts --quiet"));
        here.same(name, &format!("{name}-again"));
    }
}

/// By default a manifest is played again beside its folder, wherever one stands.
#[test]
fn playing_again_inside_a_folder_leaves_it_carats() {
    let here = folder();
    here.run(&format!("{SHORT} res"));
    let res = here.inner("res");
    for (at, file) in [(&res, "manifest.json"), (&here, "res/manifest.json")] {
        at.run(&format!("run {file} --no-charts --quiet"));
        assert_eq!(here.names(""), ["res", "res-again"]);
        here.same("res", "res-again");
    }
    here.run(&format!("{SHORT} res --seed 2"));
    // Of partial results inside, too.
    let inner = res.inner("partial");
    inner.run(&format!("{SHORT} ."));
    here.remove("res-again");
    inner.run("run manifest.json --no-charts --quiet");
    assert_eq!(here.names(""), ["res", "res-again"]);
}

/// No study tells an error of what it saw once, nor a figure of what it never saw; charts leave both
/// out.
#[test]
fn unmeasured_values_are_empty() {
    let here = folder();
    for line in [
        "simulate diamant",
        "simulate diamond_cave",
        "simulate diamond_miner",
        "simulate diamant --players 1",
        "compare diamant --b rounds=4",
        "compare diamond_miner --b players=3",
        "sweep diamant --each=rules",
        "sweep diamant --vary seats.1.enough=6..8",
        "sweep diamond_miner --vary players=2,3 --metric first_diamond_round@1",
        "tournament diamant --bots threshold depth --players 3",
        "tournament diamant --bots threshold depth --players 3 --b rounds=3",
        "tournament diamond_cave --bots prospector gambler --players 2",
        "tournament diamond_miner --bots builder thief --players 2",
    ] {
        let shown = here.run(&format!("{line} --games 1 --svg --out o"));
        let words: Vec<&str> = shown.split(|c: char| !c.is_alphanumeric()).collect();
        let none = ["NaN", "nan", "inf"]
            .iter()
            .all(|word| !words.contains(word));
        assert!(none, "{line}: {shown}");
        for name in here.names("o").iter().filter(|name| name.ends_with(".csv")) {
            let table = here.table(&format!("o/{name}"));
            let errors = (0..table.head.len()).filter(|&at| table.head[at].ends_with("se"));
            for (at, row) in errors.flat_map(|at| table.rows.iter().map(move |row| (at, row))) {
                // How many games were played is certain, and that the best is not behind itself.
                let certain = row[0] == "games" || row.get(1).is_some_and(|cell| cell == "games");
                let itself = table.head[at] == "behind_best_se" && row[at] == "0.0";
                let cell = format!("{line}: {name}: {}: {row:?}", table.head[at]);
                assert!(certain || itself || row[at].is_empty(), "{cell}");
                let ends = [row[at + 1].as_str(), &row[at + 2]];
                let open = ends.contains(&"") || ends == ["0.0", "1.0"];
                assert!(certain || open, "{cell}");
            }
        }
        here.remove("o");
    }
}

/// Charts say which letters they lack, once, and draw them with other fonts if asked to; an SVG keeps
/// them.
#[test]
fn missing_letters_are_warned_of() {
    let here = folder();
    let seats = "--seat 'simple as 王小明' --seat 'people as Жан' --others people --games 500";
    let play = |more: &str| here.ends(0, &format!("simulate diamant {seats} --svg {more}"));
    let warned = play("--out a").stderr;
    assert_eq!(warned.matches("王").count(), 1, "{warned}");
    assert!(here.read("a/win_shares.svg").contains("王小明"));
    assert!(!play("--no-charts --out b").stderr.contains("王"));
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/Roboto-Regular.ttf");
    assert_eq!(play(&format!("--font {own} --out c")).stderr, warned);
    here.same("a", "c");
    here.refused("simulate diamant --font none.ttf --out d", "--font");
    here.refused(&format!("simulate diamant --font {own}x --out d"), "--font");
    let other = "rule diamant --players 3 --set rounds=2 --others 'people as 王小明' --games 1000";
    here.ends(0, &format!("{other} --no-charts --out e.pdf"))
        .says("the PDF … 王");
}

#[test]
fn copies_of_a_bot_are_not_ranked() {
    let here = folder();
    let play = |seats: &str| {
        let games = "--games 2000 --seed 3 --no-charts --out o --restart";
        here.run(&format!("simulate diamant --players 4 {seats} {games}"))
    };
    for (seats, words) in [
        (
            "--seat people --others people",
            "All 4 seats are played by people: ",
        ),
        ("--seat 2*depth --others people", "(each of 2 seats)"),
        ("--seat 2*people --others people --seating fixed", "(seat "),
    ] {
        let said = play(seats);
        holds(&said, words);
        assert_eq!(words.contains("All"), !said.contains("games."), "{said}");
    }
    // Even of a single game: a share lies between 0 and 1.
    let one = "simulate diamant --seat 2*people --seat 3*depth --seed 3 --games 1 --no-charts";
    let said = here.run(&format!("{one} --out one"));
    holds(&said, "(each of 2 seats) leads with 50.0 % (0.0 to 100.0)");
}

/// At a table of one bot the first screen is about the game, and equal seats are one.
#[test]
fn tables_of_one_bot_report_the_game() {
    let here = folder();
    let games = "--games 2000 --svg";
    let shown = here.draw(&format!("simulate diamant --seat 5*people {games} --out o"));
    let said = "seed 1 … cards per game … ended by a trap … winning margin (rubies) … lead changes per game … \
                exp. 3 leader wins … comebacks … people, 5 seats … All 5 seats are played by people: cards per game";
    holds(&shown, said);
    assert_eq!(here.table("o/seats.csv").rows.len(), 5);
    assert_eq!(here.table("o/bots.csv").rows.len(), 1);
    assert!(!here.has("o/win_shares.svg") && here.has("o/shares.svg"));
    for chart in ["scores", "convergence", "leaving"] {
        let drawn = here.read(&format!("o/{chart}.svg"));
        assert!(drawn.contains("people, 5 seats"), "{chart}");
        assert!(
            !drawn.contains("player 1") && !drawn.contains("(seat "),
            "{chart}"
        );
    }
    for (game, charts) in [
        ("diamond_cave", ["score_parts", "turn_digs"]),
        ("diamond_miner", ["growth", "cards"]),
    ] {
        here.draw(&format!(
            "simulate {game} --seat 4*people --games 100 --svg --out {game}"
        ));
        for chart in charts {
            let drawn = here.read(&format!("{game}/{chart}.svg"));
            assert!(
                drawn.contains("people, 4 seats") && !drawn.contains("player 2"),
                "{chart}"
            );
        }
    }
    // With places that stay, seats differ.
    let fixed = here.run(&format!(
        "simulate diamant --seat 2*people --seating fixed {games} --out f"
    ));
    holds(&fixed, "people … people");
    assert!(!here.has("f/bots.csv"));
}

/// Short names of metrics fit charts; each is explained.
#[test]
fn metrics_have_short_names() {
    for game in ["diamant", "diamond_cave", "diamond_miner"] {
        let columns = run(&format!("show columns {game}"));
        assert!(columns.contains("win_share"), "{columns}");
        let spec = carat_studies::study::TableSpec::of(game);
        let seated = spec
            .resolve(&carat_core::library::Library::default())
            .expect("a table");
        let layout = seated.table.layout();
        for metric in layout.seat_metrics.iter().chain(&layout.table_metrics) {
            assert!(metric.short().chars().count() <= 24, "{}", metric.short());
        }
        assert!(layout.table_metrics.iter().any(|metric| metric.is_key));
    }
    holds(
        &run("show columns diamant"),
        "caught: share of expeditions lost to a trap",
    );
}

/// A page without charts is for those who ask for it.
#[test]
fn the_page_comes_with_charts_or_when_asked_for() {
    let here = folder();
    let study = "simulate diamant --games 500 --seat 5*depth";
    here.run(&format!("{study} --no-charts --out o"));
    assert_eq!(here.names("o"), FILES);
    here.run(&format!(
        "{study} --no-charts --format csv,html --out o --resume"
    ));
    assert!(here.has("o/report.html"));
    here.draw(&format!("{study} --out p"));
    assert!(here.has("p/report.html"));
    // Nothing that learnt sits at this table, so its manifest is small.
    assert!(here.bytes("o/manifest.json").len() < 10_000);
}
