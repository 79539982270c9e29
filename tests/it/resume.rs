//! What was played is not played again: studies that go on after they were interrupted or killed,
//! and those that are complete.

use crate::fixtures::play_study;
use crate::process::{ALL, Folder, folder, holds, made};
use crate::report::EACH;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::{FinishedParts, Listener, NotKept, Player, Precision, Sums, Threads};
use carat_studies::report::{self, Report};
use carat_studies::study::Study;
use fearless_simd::Level;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A study that is played in parts.
pub const SWEEP: &str = "sweep diamant --vary seats.1.enough=10..13 --games 60k --no-charts";

/// Starts a study whose results go to `o`, and interrupts it as soon as one part of it is done.
#[cfg(unix)]
pub fn interrupted(here: &Folder, study: &str) {
    // On one thread there is much to do after the first part.
    let mut run = here.start(&format!("{study} --out o --threads 1"));
    assert!(run.comes(|_| parts(here, "o/unfinished.jsonl") > 0));
    run.signal("-INT");
    holds(&run.ends(130), "--resume to continue");
    let names = here.names("o").into_iter();
    let others: Vec<String> = names
        .filter(|name| !name.starts_with("unfinished"))
        .collect();
    assert!(others.is_empty(), "nothing but what is done: {others:?}");
}

/// How many lines of a journal follow its first.
pub fn parts(here: &Folder, journal: &str) -> usize {
    if here.has(journal) {
        here.read(journal).lines().count().saturating_sub(1)
    } else {
        0
    }
}

#[cfg(unix)]
#[test]
fn resumed_studies_give_the_uninterrupted_bytes() {
    resumed_give_the_same(&[
        "sweep diamant --vary seats.1.enough=10..13 --games 60k",
        "tournament diamant --games 200k --bots threshold traps depth --players 3",
        "tune diamant --seat threshold --players 3 --vary seats.1.target=4..60 \
         --maximize win_share@1 --precision 0.002 --max-games 1M",
    ]);
}

#[cfg(unix)]
#[test]
fn resumed_searches_give_the_uninterrupted_bytes() {
    resumed_give_the_same(&[
        "tune diamant --table 2*adapted --set rounds=2 --vary rules.rounds=1..2 \
         --target cards_per_game=..8 --max-games 20k --population-games 1000",
        "rule diamant --players 2 --set rounds=1 --games 100k",
    ]);
}

#[cfg(unix)]
#[test]
#[ignore = "full set"]
fn resumed_long_studies_give_the_uninterrupted_bytes() {
    resumed_give_the_same(&[
        "sweep diamant --vary seats.1.enough=10..13 --games 400k",
        "tournament diamant --games 400k --bots threshold traps depth --players 3",
        "tune diamant --seat threshold --players 5 --vary seats.1.target=4..60 \
         --maximize win_share@1 --precision 0.0008 --max-games 4M",
        "tune diamant --table 2..3*adapted --set rounds=2 --vary rules.rounds=1..2 \
         --target cards_per_game=..8 --max-games 300k",
        "rule diamant --players 2 --set rounds=1",
    ]);
}

#[cfg(unix)]
fn resumed_give_the_same(studies: &[&str]) {
    for study in studies {
        let here = folder();
        interrupted(&here, study);
        if let Some((start, games)) = study.split_once(" --games ") {
            let other = format!("{start} --games 9{games} --out o --resume");
            here.refused_with(6, &other, "games … → 9");
        }
        let resumed = here.ends(0, &format!("{study} --out o --resume"));
        resumed.says("resuming: ");
        assert!(!here.has("o/unfinished.jsonl"));
        here.run(&format!("{study} --out unbroken --quiet"));
        here.same("o", "unbroken");
    }
}

/// Ends a study after this number of parts.
struct After<'a>(usize, &'a AtomicBool);

impl Listener for After<'_> {
    fn checkpoint(&mut self, precision: Option<Precision>) {
        self.0 -= usize::from(precision.is_none() && self.0 > 0);
        self.1.store(self.0 == 0, Ordering::Relaxed);
    }
}

/// The saved parts and states of a study.
#[derive(Default)]
struct Kept {
    parts: HashMap<String, Sums>,
    states: HashMap<String, Vec<u8>>,
}

impl FinishedParts for Kept {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.parts.get(part).cloned()
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        assert!(
            self.parts.insert(part.to_string(), sums.clone()).is_none(),
            "{part}"
        );
        Ok(())
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        self.states.get(of).cloned()
    }

    fn keep_state(&mut self, of: &str, state: &[u8]) -> Result<(), NotKept> {
        self.states.insert(of.to_string(), state.to_vec());
        Ok(())
    }

    fn save_intervals(&self) -> (Duration, Duration) {
        (Duration::ZERO, Duration::ZERO)
    }
}

/// Plays a study in runs of `parts` parts each; returns the number of runs, all games that were
/// played, and the report.
fn played_in_runs(text: &str, parts: usize) -> (usize, u64, String) {
    let study = Study::from_toml("study.toml", text).unwrap_or_else(|fault| panic!("{fault}"));
    let threads = Threads::start(2).expect("threads");
    let (mut kept, games) = (Kept::default(), AtomicU64::new(0));
    for times in 0.. {
        let stop = AtomicBool::new(false);
        let mut library = Library::default();
        library.strategies = vec![SourceText::new("one", ONE)];
        let ready = study
            .resolve(&library)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let manifest = report::manifest(&ready);
        let played = ready.play(&mut Player {
            threads: &threads,
            level: Level::new(),
            stop: &stop,
            played: &games,
            listener: &mut After(parts, &stop),
            finished: &mut kept,
            sharing: None,
            each: None,
        });
        let played = played.expect("nothing fails");
        if let Some(played) = played.filter(|played| played.outcome().interrupted.is_none()) {
            let report = Report::of(&played, manifest).to_json().expect("a report");
            return (times, games.into_inner(), report.to_string());
        }
    }
    unreachable!("it ended")
}

const ONE: &str = "leave = \"held >= enough\"\n[params]\n\
                   enough = { value = 10, range = [6, 14], step = 2 }\n";

#[test]
fn interrupted_after_any_part_it_goes_on_to_the_same() {
    goes_on_to_the_same("games = 1000", 4);
}

#[test]
#[ignore = "full set"]
fn whole_searches_go_on_to_the_same() {
    goes_on_to_the_same("", 10);
}

/// Whatever a study plays, it goes on where it was, also in the middle of a long part. Searches play so
/// many games, and are interrupted after so many parts.
fn goes_on_to_the_same(games: &str, parts: usize) {
    let one = &format!("set = ['rounds=1']\nplayers = 2\n{games}\n");
    for (study, run, often) in [
        ("simulate", "players = 3\ngames = 30000", 1),
        ("simulate", "players = 3\nprecision = 0.01", 3),
        (
            "compare'\nsides = { a = [], b = ['rounds=4'] }\n#'",
            "players = 3\ngames = 30000",
            3,
        ),
        (
            "compare'\nsides = { a = [], b = ['rounds=4'] }\n#'",
            "players = 3\nprecision = 0.01",
            1,
        ),
        ("rule'\nfamily = 'one", one, parts),
        ("adapt'\nfamily = 'one", one, parts),
        (
            "tune'\nvary = { 'rules.rounds' = '4..5' }\ntargets = { cards_per_game = '26..27' }\n#'",
            "players = 3\nmax_games = 300000\nwho = 'none'",
            1,
        ),
        (
            "tune'\nvary = { 'rules.rounds' = '4..5' }\ntargets = { cards_per_game = '26..27' }\n#'",
            "players = 3\nmax_games = 60000",
            200,
        ),
    ] {
        let text = format!("study = '{study}'\n[table]\ngame = 'diamant'\n{run}\n");
        let (times, games, whole) = played_in_runs(&text, usize::MAX);
        assert_eq!(times, 0);
        let (times, again, found) = played_in_runs(&text, often);
        assert!(times > 0, "{text}");
        assert!(found == whole, "{text}");
        // Little is played twice.
        assert!(
            again < games + games / 2,
            "{text}: {again} instead of {games}"
        );
    }
}

/// A search loses seconds, not all of a long look: also when it is killed.
#[cfg(unix)]
#[test]
fn a_long_look_goes_on_where_it_was() {
    let here = folder();
    let study = "tune diamant --seat 2*depth:cards=7 --vary seats.1.cards=3..9 --maximize win_share@1 \
                 --precision 0.00001 --max-games 300M --no-charts --threads 1 --out o";
    let journal = "o/unfinished.jsonl";
    let pieces = || here.read(journal).matches(" + ").count();
    let mut before = 0;
    for signal in ["-INT", "-KILL"] {
        let mut run = here.start(&format!("{study} --resume"));
        assert!(run.comes(|_| here.has(journal) && pieces() > before));
        run.signal(signal);
        if signal == "-INT" {
            run.ends(130);
        } else {
            run.comes(|_| false);
        }
        before = pieces();
        let line = format!("{study} --resume --dry-run --json");
        let dry_run = &here.json(&line)["dry_run"];
        assert!(dry_run["games_left"].as_u64() < dry_run["games"].as_u64());
    }
}

#[cfg(unix)]
#[test]
fn interrupted_learning_resumes() {
    let axes = r#"[{ name = "policy", axes = [{ of = "traps_seen", edges = [1, 2] }] }]"#;
    let games = "--set rounds=1 --games 6M --threads 1";
    learning_resumes(&format!("--against depth {games} --axes '{axes}'"));
}

#[cfg(unix)]
#[test]
#[ignore = "full set"]
fn interrupted_self_play_resumes() {
    learning_resumes("--players 2 --games 100k");
}

#[cfg(unix)]
fn learning_resumes(against: &str) {
    let here = folder();
    let solve = format!("solve diamant {against} --no-charts --quiet --out");
    for before in ["", "--resume"] {
        let kept = here.files("o");
        // It keeps what it learns every 30 seconds.
        let mut run = here.command(&format!("{solve} o {before}"));
        let mut run = here.spawn(run.env("CARAT_HASTE", "300"));
        assert!(run.comes(|_| !here.files("o").is_empty() && here.files("o") != kept));
        run.signal("-INT");
        run.ends(130);
    }
    here.run(&format!("{solve} o --resume"));
    here.run(&format!("{solve} unbroken"));
    here.same("o", "unbroken");
}

#[cfg(unix)]
#[test]
fn progress_is_removed_only_on_restart() {
    let here = folder();
    interrupted(&here, SWEEP);
    let journal = "o/unfinished.jsonl";
    let bytes = here.bytes(journal);
    let other = "tournament diamant --bots threshold depth --games 9 --out o";
    for (line, said) in [
        (
            format!("{SWEEP} --out o"),
            "progress of this study … --resume … --restart",
        ),
        (
            other.to_string(),
            "another study … study \"sweep\" → … --restart",
        ),
        (format!("{other} --resume"), "differences: … --restart"),
    ] {
        here.refused_with(6, &line, said);
        assert!(here.bytes(journal) == bytes, "{line}");
    }
    here.refused(&format!("{SWEEP} --out o --resume --restart"), "--re");
    here.refused_with(
        6,
        "simulate diamant --games 500 --no-charts --out o",
        "another study",
    );
    here.refused_with(6, &format!("{SWEEP} --out o --dry-run"), "use --resume");
    let dry_run = &here.json(&format!("{SWEEP} --out o --dry-run --resume --json"))["dry_run"];
    assert!(
        dry_run["games_left"].as_u64() < dry_run["games"].as_u64(),
        "{dry_run}"
    );
    assert!(here.bytes(journal) == bytes);

    here.run(&format!("{other} --restart"));
    assert!(!here.has(journal));
}

#[cfg(unix)]
#[test]
fn damaged_parts_are_played_again() {
    let here = folder();
    here.run(&format!("{SWEEP} --out whole"));
    interrupted(&here, SWEEP);
    let journal = "o/unfinished.jsonl";
    let mut bytes = here.bytes(journal);
    // One digit of the first part.
    let first = bytes.iter().position(|byte| *byte == b'\n');
    let tail = &mut bytes[first.expect("a line") + 60..];
    let digit = tail.iter_mut().find(|byte| byte.is_ascii_digit());
    let digit = digit.expect("a number");
    *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
    let parts = parts(&here, journal);
    here.write(journal, bytes);
    if parts > 1 {
        here.refused_with(6, &format!("{SWEEP} --out o"), "progress of this study");
    }
    let ran = here.ends(0, &format!("{SWEEP} --out o --resume"));
    ran.says("1 damaged part again");
    here.same("o", "whole");
}

#[test]
fn a_study_that_is_complete_is_not_played_again() {
    complete_ones_are_not_played_again(&EACH);
}

#[test]
#[ignore = "full set"]
fn a_complete_search_is_not_played_again() {
    complete_ones_are_not_played_again(&["solve diamant --players 3 --set rounds=1 --games 100k"]);
}

/// Whatever its kind, a complete study is resumed to the bytes of a run that asked for all at once,
/// and no game is played for it.
fn complete_ones_are_not_played_again(studies: &[&str]) {
    for study in studies {
        let here = folder();
        let all = made(study);
        here.run(&format!("{study} --out few --no-charts --format json"));
        for (more, said) in [
            (ALL, "writing missing files"),
            ("--no-charts", "with all its files"),
        ] {
            let again = here.ends(0, &format!("{study} --out few --resume {more}"));
            again.says(said);
            assert!(!again.stdout.is_empty());
        }
        here.same(&all, "few");
    }
}

/// More games are added to those that are there: the bytes are those of a run that played all at once.
#[test]
fn games_are_added_to_a_complete_study() {
    for (study, numbers) in [
        (
            "simulate diamant --players 3",
            &["500", "1024", "70001", "90k"][..],
        ),
        ("simulate diamond_cave", &["33", "300", "600"]),
        (
            "compare diamant --b traps.snake=4",
            &["7", "20k", "21k", "40k"],
        ),
    ] {
        let here = folder();
        for (before, games) in numbers.iter().enumerate() {
            let study = format!("{study} --games {games} --no-charts --out");
            let added = here.ends(0, &format!("{study} o --resume --format json"));
            if before > 0 {
                added.says("resuming: ");
                added.says(" games are finished");
            }
            here.run(&format!("{study} whole --format json"));
            here.same("o", "whole");
        }
        // What was merged has the same state; and a file is written without it getting lost.
        let last = numbers[numbers.len() - 1];
        let first = format!("{study} --games {} --no-charts", numbers[1]);
        for shard in ["1/2", "2/2"] {
            here.run(&format!("{first} --shard {shard} --out shards"));
        }
        here.run("merge shards --no-charts --format json --out merged");
        here.run(&format!("{first} --out merged --resume"));
        let added = format!("{study} --games {last} --no-charts --out merged --resume");
        here.ends(0, &added).says("resuming: ");
        here.run(&format!(
            "{study} --games {last} --no-charts --out all --format json,csv"
        ));
        here.same("merged", "all");
    }
    let here = folder();
    let rows = "simulate diamant --no-charts --out o --games";
    here.run(&format!("{rows} 40 --raw decisions"));
    here.refused(&format!("{rows} 90 --resume"), "decisions.parquet");
    here.run(&format!("{rows} 90 --resume --raw decisions"));
    // Games that are there are not thrown away.
    for fewer in ["--resume --raw decisions", "--resume"] {
        here.ends(6, &format!("{rows} 40 {fewer}"))
            .says("has results of 90 games");
    }
    here.run(&format!(
        "{} 90 --raw decisions",
        rows.replace(" o ", " rows ")
    ));
    here.same("o", "rows");
    let here = folder();
    let sweep = "sweep diamant --seat threshold --vary seats.1.target=8,9 --no-charts --games";
    here.run(&format!("{sweep} 500 --out o"));
    let again = here.ends(0, &format!("{sweep} 900 --out o --resume"));
    again.says("500 games");
    here.run(&format!("{sweep} 900 --out whole"));
    here.same("o", "whole");
}

/// What cannot be made of what is kept is played: here the games one by one.
#[test]
fn unsaved_rows_are_played_again() {
    let here = folder();
    let study = "simulate diamant --games 500 --out o --no-charts";
    here.run(study);
    let ran = here.ends(0, &format!("{study} --resume --raw"));
    ran.says("plays it again for the missing files");
    assert!(here.has("o/games.parquet"));
    here.run(&format!("{study} --resume --format json"));
    assert!(here.has("o/games.parquet"));
    here.write("o/report.carat", "damaged");
    let said = "`report.carat` was changed";
    here.refused(&format!("{study} --resume"), said);
}

/// A disk that is full for a moment.
struct FullOnce(bool);

impl FinishedParts for FullOnce {
    fn recall(&mut self, _part: &str) -> Option<Sums> {
        None
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        if std::mem::replace(&mut self.0, true) {
            Ok(())
        } else {
            Err(NotKept("full".into()))
        }
    }
}

/// Parts that other threads finish and keep after one that could not be kept do not hide that.
#[test]
fn a_failed_save_is_reported() {
    let text = "study = 'sweep'\n[table]\ngame = 'diamant'\ngames = 100000\n\
                [vary]\n'players' = '3..8'\n";
    let study = Study::from_toml("study.toml", text).expect("a study");
    let threads = Threads::start(6).expect("threads");
    for _ in 0..20 {
        let resolved = study.resolve(&Library::default()).expect("it is sound");
        let ended = play_study(resolved, &threads, &mut FullOnce(false));
        assert!(ended.is_err(), "parts are missing, and nobody is told");
    }
}

#[test]
fn a_study_is_varied_on_the_command_line() {
    let here = folder();
    here.write("s.toml", "study = 'simulate'\ngame = 'diamant'\ngames = 500\nset = ['rounds=4']\nothers = 'people'\n");
    here.run("run s.toml --set traps.snake=4 --seed 18446744073709551615 --players 3 --seat depth -q --no-charts --out a");
    let table =
        "--set rounds=4 --set traps.snake=4 --seed 18446744073709551615 --players 3 --seat depth";
    here.run(&format!(
        "simulate diamant --others people --games 500 {table} -q --no-charts --out b"
    ));
    here.same("a", "b");
    // A study without changes of its own takes them, too.
    here.write(
        "t.toml",
        "study = 'simulate'\ngame = 'diamant'\ngames = 500\n",
    );
    here.run("run t.toml --set rounds=3 -q --no-charts --out e");
    here.run("simulate diamant --set rounds=3 --games 500 -q --no-charts --out f");
    here.same("e", "f");
    here.run("run a/manifest.json --set rounds=3 --seed 2 -q --no-charts --out c");
    here.refuses_as("resume");
}
