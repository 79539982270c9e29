//! What is left of a run that is interrupted, killed, or wrong: all that was finished.
#![cfg(unix)]

use crate::fixtures::{carat, contents, folder, ok, text};
use crate::kept::{FILES, names, signal, start};
use crate::studies::interrupted;
use carat::figure::Figure;
use carat::game::story::Telling;
use carat::game::{Layout, Record, Table};
use carat::sheet::Sheet;
use carat::simulation::{
    FinishedParts, Going, Job, Listener, NotKept, Player, Precision, Sums, Threads, run,
};
use carat::study::{Study, library::Library};
use fearless_simd::Level;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

const SWEEP: [&str; 7] = [
    "sweep",
    "diamant",
    "--vary",
    "seats.1.target=10..13",
    "--games",
    "2M",
    "--no-charts",
];
const SHORT: [&str; 7] = [
    "simulate",
    "diamant",
    "--games",
    "500",
    "--no-charts",
    "--out",
    "o",
];
const ENDLESS: [&str; 7] = [
    "simulate",
    "diamant",
    "--games",
    "10^12",
    "--no-charts",
    "--out",
    "o",
];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    [&SWEEP[..], &["--out", "o"], more].concat()
}

/// Demands that carat refuses, and says all of `said`.
#[track_caller]
fn refused(here: &Path, args: &[&str], said: &[&str]) {
    let output = carat(here, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for words in said {
        assert!(message.contains(words), "it should say {words}: {message}");
    }
}

#[test]
fn nothing_that_took_time_to_play_is_removed_unless_asked_for() {
    let here = folder();
    interrupted(here.path(), &with(&[]));
    let journal = here.path().join("o/unfinished.jsonl");
    let bytes = fs::read(&journal).expect("a journal");
    let kept = || assert_eq!(fs::read(&journal).ok().as_ref(), Some(&bytes));

    refused(
        here.path(),
        &with(&[]),
        &["done of this study", "--resume", "--restart"],
    );
    kept();
    let other = ["tournament", "diamant", "--bots", "threshold", "depth"];
    let other = [&other[..], &["--games", "9", "--out", "o"]].concat();
    refused(
        here.path(),
        &other,
        &["another study", "study was \"sweep\"", "--restart"],
    );
    kept();
    refused(
        here.path(),
        &[&other[..], &["--resume"]].concat(),
        &["what changed", "--restart"],
    );
    kept();
    refused(here.path(), &with(&["--resume", "--restart"]), &["--re"]);
    kept();
    refused(here.path(), &SHORT, &["another study", "--restart"]);
    kept();
    assert_eq!(names(&here.path().join("o")), ["unfinished.jsonl"]);

    ok(here.path(), &[&other[..], &["--restart"]].concat());
    assert!(!journal.exists());
}

#[test]
fn damaged_parts_are_played_again() {
    let here = folder();
    ok(here.path(), &[&SWEEP[..], &["--out", "whole"]].concat());
    interrupted(here.path(), &with(&[]));
    let journal = here.path().join("o/unfinished.jsonl");
    let mut bytes = fs::read(&journal).expect("a journal");
    let parts = bytes.iter().filter(|byte| **byte == b'\n').count() - 1;
    // One digit of the first part.
    let first = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line");
    let tail = &mut bytes[first + 60..];
    let digit = tail.iter_mut().find(|byte| byte.is_ascii_digit());
    let digit = digit.expect("a number");
    *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
    fs::write(&journal, bytes).expect("written");
    if parts > 1 {
        refused(here.path(), &with(&[]), &["done of this study"]);
    }
    let output = carat(here.path(), &with(&["--resume"]));
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 damaged part is played again"), "{said}");
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("o"), of("whole"));
}

/// Killed at any moment, a sweep goes on to the same bytes.
#[test]
fn sweeps_that_were_killed_go_on() {
    let here = folder();
    ok(here.path(), &[&SWEEP[..], &["--out", "whole"]].concat());
    let mut killed = 0;
    for wait in [5, 30, 60, 90, 150, 200, 300] {
        let mut run = start(here.path(), &with(&["--resume"]));
        std::thread::sleep(Duration::from_millis(wait));
        killed += u32::from(run.try_wait().expect("a child").is_none());
        run.kill().expect("killed");
        run.wait().expect("it ended");
    }
    assert!(killed > 0);
    ok(here.path(), &with(&["--resume"]));
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("o"), of("whole"));
}

/// Killed at any moment, a run leaves old results or new ones; the next leaves nothing else.
#[test]
fn what_a_killed_run_leaves_is_put_in_order() {
    let here = folder();
    let res = here.path().join("o");
    ok(here.path(), &SHORT);
    for wait in 0..60 {
        let seed = wait.to_string();
        let mut run = start(here.path(), &[&SHORT[..], &["--seed", &seed]].concat());
        std::thread::sleep(Duration::from_micros(1500 * wait));
        run.kill().expect("killed");
        run.wait().expect("it ended");
    }
    ok(here.path(), &[&SHORT[..], &["--seed", "1"]].concat());
    assert_eq!(names(&res), FILES);
    ok(here.path(), &["run", "o/manifest.json", "--no-charts"]);
    assert_eq!(contents(&res), contents(&here.path().join("o-again")));
}

/// Partial results go beside complete ones, inside their folder.
#[test]
fn partial_results_do_not_replace_complete_ones() {
    let here = folder();
    ok(here.path(), &SHORT);
    let complete = contents(&here.path().join("o/"));
    let interrupt = |code| {
        let run = start(here.path(), &ENDLESS);
        std::thread::sleep(Duration::from_millis(700));
        signal("-INT", &run);
        let output = run.wait_with_output().expect("carat ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    };
    for _ in 0..2 {
        let said = interrupt(130);
        assert!(said.contains("o/partial/manifest.json"), "{said}");
        assert_eq!(names(here.path()), ["o"]);
        let all = [&FILES[..2], &["partial"], &FILES[2..]].concat();
        assert_eq!(names(&here.path().join("o")), all);
        assert_eq!(names(&here.path().join("o/partial")), FILES);
        for (name, bytes) in &complete {
            let now = fs::read(here.path().join("o").join(name)).ok();
            assert_eq!(now.as_ref(), Some(bytes));
        }
    }
    // Complete results leave them there; what somebody put there is in the way.
    ok(here.path(), &SHORT);
    assert_eq!(names(&here.path().join("o/partial")), FILES);
    fs::write(here.path().join("o/partial/note"), "mine").expect("written");
    refused(here.path(), &ENDLESS, &["o/partial: ", "`note`"]);
}

/// The second of two signals ends a run at once, and what it prepared is gone.
#[test]
fn two_interruptions_leave_nothing_behind() {
    for apart in [0, 20, 1200] {
        let here = folder();
        // The charts take a while: the second signal comes in between.
        let args = ["simulate", "diamant", "--games", "10^12", "--svg"];
        let mut run = start(here.path(), &[&args[..], &["--out", "o/p"]].concat());
        std::thread::sleep(Duration::from_millis(300));
        signal("-INT", &run);
        std::thread::sleep(Duration::from_millis(apart));
        if run.try_wait().expect("a child").is_none() {
            signal("-INT", &run);
        }
        let output = run.wait_with_output().expect("carat ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        let hidden = |name: &String| name.starts_with('.');
        let there = here.path().join("o/p").exists();
        assert!(!there || !names(&here.path().join("o/p")).iter().any(hidden));
        assert_eq!(there, here.path().join("o").exists());
    }
}

/// Somebody else holds the folder for long: a second signal ends the wait, and old results stay.
#[test]
fn a_second_interruption_ends_a_run_that_waits_for_its_folder() {
    let here = folder();
    ok(here.path(), &SHORT);
    let old = contents(&here.path().join("o"));
    let run = start(here.path(), &ENDLESS);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(names(&here.path().join("o")).len(), FILES.len() + 1);
    let held = fs::File::open(here.path().join("o")).expect("a folder");
    held.lock().expect("a lock");
    signal("-INT", &run);
    std::thread::sleep(Duration::from_millis(1500));
    signal("-INT", &run);
    let output = run.wait_with_output().expect("carat ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("no results were written"), "{said}");
    assert_eq!(contents(&here.path().join("o")), old);
}

/// What `nohup` starts goes on when the terminal is closed; what it does not start ends.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let here = folder();
    for (trap, goes_on, code) in [("trap '' HUP;", true, 130), ("", false, 129)] {
        let script = format!("{trap} exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_carat")]);
        command.args(ENDLESS).args(["--quiet", "--restart"]);
        let mut run = command
            .current_dir(here.path())
            .process_group(0)
            .spawn()
            .expect("sh starts");
        std::thread::sleep(Duration::from_millis(700));
        signal("-HUP", &run);
        std::thread::sleep(Duration::from_millis(1500));
        assert_eq!(run.try_wait().expect("a child").is_none(), goes_on);
        if goes_on {
            signal("-INT", &run);
        }
        assert_eq!(run.wait().expect("it ends").code(), Some(code));
        let mut left = names(&here.path().join("o"));
        // Of a run that took long there is also what goes on later.
        left.retain(|name| !name.starts_with("unfinished"));
        assert_eq!(left, FILES);
    }
}

/// A table that is wrong in the middle of a run.
struct Wrong(Box<dyn Table>);

impl Table for Wrong {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        assert!(first < 100_000, "wrong on purpose");
        self.0.play(level, seed, first, record);
    }

    fn referee(&self, seed: u64, first: u64, record: &mut Record) {
        self.0.referee(seed, first, record);
    }

    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet> {
        self.0.sheets(games, counts)
    }

    fn figures(&self, seed: u64, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)> {
        self.0.figures(seed, games, counts)
    }

    fn replay(&self, seed: u64, game: u64, telling: Telling) -> String {
        self.0.replay(seed, game, telling)
    }
}

/// A mistake while playing ends the run that it happens in, on any number of threads.
#[test]
fn a_panic_while_playing_ends_the_run() {
    for threads in [1, 3] {
        let (ended, waits) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let table = Wrong(crate::fixtures::diamant("iello-2016", &[], &["depth"]));
            let tables: [&dyn Table; 1] = [&table];
            let pool = Threads::start(threads).expect("threads");
            let job = Job {
                tables: &tables,
                products: &[],
                seed: 1,
                games: 10_000_000,
                chunk: 1024,
                threads: &pool,
                level: Level::new(),
            };
            let (played, stop) = (AtomicU64::new(0), AtomicBool::new(false));
            let play = std::panic::AssertUnwindSafe(|| {
                let go_on = &mut |_: &Sums| ControlFlow::Continue(());
                run(&job, &played, &stop, go_on)
            });
            let panicked = std::panic::catch_unwind(play).is_err();
            ended.send(panicked).expect("the test waits");
        });
        assert_eq!(waits.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}

/// A mistake ends the process, asks for a report, and loses nothing that was finished. The only
/// way to one from outside is a journal of sums that cannot be, with checksums that are right.
#[test]
fn a_panic_ends_the_process_and_asks_for_a_report() {
    let here = folder();
    interrupted(here.path(), &with(&[]));
    let journal = here.path().join("o/unfinished.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for line in &mut lines[1..] {
        let sums = line[12..line.len() - 1].replace("\"sum\":", "\"sum\":9999");
        let checksum = crc32fast::hash(sums.as_bytes());
        *line = format!("[\"{checksum:08x}\",{sums}]");
    }
    let absurd = lines.join("\n") + "\n";
    fs::write(&journal, &absurd).expect("written");
    let output = carat(here.path(), &with(&["--resume"]));
    let said = crate::fixtures::text(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{said}");
    let version = concat!("version: carat ", env!("CARGO_PKG_VERSION"));
    let words = [
        "please report it",
        "what: ",
        "where: ",
        version,
        "\"--resume\"",
    ];
    for words in words {
        assert!(said.contains(words), "it should say {words}: {said}");
    }
    assert_eq!(names(&here.path().join("o")), ["unfinished.jsonl"]);
    let kept = fs::read_to_string(&journal).expect("a journal");
    assert!(kept.starts_with(&absurd));
}

/// A disk that is full for a moment; and nobody listens.
struct FullOnce(bool);

impl FinishedParts for FullOnce {
    fn recall(&mut self, _part: &str) -> Option<Sums> {
        None
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        match std::mem::replace(&mut self.0, true) {
            true => Ok(()),
            false => Err(NotKept("full".into())),
        }
    }
}

impl Listener for FullOnce {
    fn remaining(&mut self, _games: u64, _going: Option<Going>, _known: &str) {}
    fn checkpoint(&mut self, _precision: Option<Precision>) {}
}

/// Parts that other threads finish and keep after one that could not be kept do not hide that.
#[test]
fn a_part_that_could_not_be_kept_is_not_forgotten() {
    let text = "study = \"sweep\"\n[table]\ngame = \"diamant\"\ngames = 100000\n\
                [vary]\n\"players\" = \"3..8\"\n";
    let study = Study::from_toml("study.toml", text).expect("a study");
    let threads = Threads::start(6).expect("threads");
    for _ in 0..20 {
        let resolved = study.resolve(&Library::default()).expect("it is sound");
        let ended = resolved.play(&mut Player {
            threads: &threads,
            level: Level::new(),
            stop: &AtomicBool::new(false),
            played: &AtomicU64::new(0),
            listener: &mut FullOnce(false),
            finished: &mut FullOnce(false),
            sharing: None,
            each: None,
        });
        assert!(ended.is_err(), "parts are missing, and nobody is told");
    }
}
