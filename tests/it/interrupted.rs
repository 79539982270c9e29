//! What is left of a run that is interrupted, killed, or wrong: all that was finished.
#![cfg(unix)]

use crate::output::FILES;
use crate::process::{Folder, Running, folder, holds, words};
use crate::resume::{SWEEP, interrupted};
use std::process::Command;
use std::time::Duration;

const SHORT: &str = "simulate diamant --games 500 --no-charts --out o";
const ENDLESS: &str = "simulate diamant --games 10^12 --no-charts --threads 1 --out o";

/// The results in `o` and their bytes, without what an unfinished run keeps beside them.
fn complete(here: &Folder) -> Vec<(String, Vec<u8>)> {
    let mut files = here.files("o");
    files.retain(|(name, _)| !name.starts_with("unfinished"));
    files
}

/// Whether the results that are prepared in `o` hold a file of this name.
fn prepares(here: &Folder, file: &str) -> bool {
    let names = here.names("o").into_iter();
    let mut hidden = names.filter(|name| name.starts_with(".carat-"));
    hidden.any(|staging| here.has(&format!("o/{staging}/{file}")))
}

/// Sends signals until the run ends: a second one counts when it comes a second after the first.
fn interrupt_again(run: &mut Running) {
    let mut sent = std::time::Instant::now();
    run.comes(|run| {
        if sent.elapsed() > Duration::from_millis(50) {
            run.signal("-INT");
            sent = std::time::Instant::now();
        }
        false
    });
}

/// A run that is stopped keeps what is complete, marked as partial and under no final name, and can
/// be played again.
#[test]
fn a_signal_keeps_what_is_complete() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-USR1", 138)] {
        let here = folder();
        let mut run = here.start(ENDLESS);
        run.plays();
        run.signal(signal);
        holds(
            &run.ends(code),
            "interrupted after … o/partial/manifest.json",
        );
        assert_eq!(complete(&here), []);
        assert_eq!(here.names("o/partial"), FILES);
        let partial = "o/partial/manifest.json";
        holds(&here.read(partial), "\"partial\": true");
        here.run(&format!("run {partial} --no-charts --quiet --out again"));
        let [seats, again] = ["o/partial", "again"].map(|of| here.read(&format!("{of}/seats.csv")));
        assert_eq!(seats, again);
    }
}

/// Build tools remove the file that they wait for when a run is interrupted: the folder stays carat's.
#[test]
fn a_folder_without_manifest_is_resumed() {
    let here = folder();
    here.run(SHORT);
    interrupted(&here.inner("p"), SWEEP);
    for name in here.names("p/o") {
        here.write(&format!("o/{name}"), here.bytes(&format!("p/o/{name}")));
    }
    here.remove("o/manifest.json");
    here.run(&format!("{SWEEP} --out o --resume"));
    assert!(!here.has("o/unfinished.jsonl") && here.has("o/manifest.json"));
    // What new results do not replace may be somebody else's.
    assert!(here.has("o/depth.csv"));
}

/// Killed at any moment of writing, a run leaves old results or new ones; the next leaves nothing
/// else.
fn next_run_cleans_up(moments: impl Iterator<Item = usize>) {
    let here = folder();
    here.run(SHORT);
    for moment in moments {
        let mut run = here.start(&format!("{SHORT} --seed {moment}"));
        let (mut seen, mut changes) = (Vec::new(), 0);
        run.comes(|_| {
            let now: Vec<_> = (here.names("o").into_iter())
                .map(|name| here.names(&format!("o/{name}")).join(" ") + &name)
                .collect();
            changes += usize::from(now != seen);
            seen = now;
            changes > moment
        });
        run.kill();
    }
    here.run(&format!("{SHORT} --seed 1"));
    assert_eq!(here.names("o"), FILES);
    here.run("run o/manifest.json --no-charts");
    here.same("o", "o-again");
}

#[test]
fn next_run_cleans_up_after_a_killed_one() {
    next_run_cleans_up((0..30).step_by(3));
}

#[test]
#[ignore = "full set"]
fn next_run_cleans_up_after_one_killed_at_any_moment() {
    next_run_cleans_up(0..30);
}

#[test]
fn partial_results_do_not_replace_complete_ones() {
    let here = folder();
    here.run(SHORT);
    let before = complete(&here);
    for _ in 0..2 {
        let mut run = here.start(&format!("{ENDLESS} --restart"));
        run.plays();
        run.signal("-INT");
        holds(&run.ends(130), "o/partial/manifest.json");
        assert_eq!(here.names(""), ["o"]);
        assert_eq!(here.names("o/partial"), FILES);
        assert!(complete(&here) == before);
    }
    // Complete results take their place; what somebody put there is in the way.
    here.run(&format!("{SHORT} --restart"));
    assert_eq!(here.names("o"), FILES);
    here.inner("o/partial").write("note", "mine");
    here.refused(&format!("{ENDLESS} --restart"), "o/partial: … `note`");
}

#[test]
fn partial_results_report_newer_complete_ones() {
    let here = folder();
    here.run("simulate diamant --games 500 --no-charts --out p");
    let mut run = here.start(ENDLESS);
    run.plays();
    for (name, bytes) in here.files("p") {
        here.write(&format!("o/{name}"), bytes);
    }
    run.signal("-INT");
    holds(&run.ends(130), "partial results are written beside");
}

#[test]
fn two_interruptions_leave_nothing_behind() {
    // It comes while results are prepared: before tables, before the last chart, or at the end.
    for until in ["", "seats.csv", "win_shares.svg"] {
        let here = folder();
        let mut run = here.start("simulate diamant --games 10^12 --svg --threads 1 --out o/p");
        run.plays();
        run.signal("-INT");
        run.comes(|_| {
            let mut staging = here.names("o/p").into_iter();
            staging.any(|name| here.has(&format!("o/p/{name}/{until}")))
        });
        interrupt_again(&mut run);
        run.ends(130);
        let left = here.names("o/p");
        let hidden = left.iter().any(|name| name.starts_with('.'));
        assert!(!hidden, "{left:?}");
        assert_eq!(here.has("o/p"), here.has("o"));
    }
}

/// Somebody else holds the folder for long: a second signal ends the wait, and old results stay.
#[test]
fn a_second_interruption_ends_a_run_that_waits_for_its_folder() {
    let here = folder();
    here.run(SHORT);
    let old = complete(&here);
    let mut run = here.start(ENDLESS);
    // From then on it waits for its folder only when it is about to publish.
    assert!(run.comes(|_| here.has("o/unfinished.jsonl")));
    let mut names = here.names("o");
    names.retain(|name| !name.starts_with("unfinished"));
    assert_eq!(names.len(), FILES.len() + 1, "{names:?}");
    let held = std::fs::File::open(here.path("o")).expect("a folder");
    held.lock().expect("a lock");
    run.signal("-INT");
    assert!(run.comes(|_| prepares(&here, "report.carat")));
    interrupt_again(&mut run);
    holds(&run.ends(130), "no results were written");
    assert!(complete(&here) == old);
}

/// What `nohup` starts goes on when the terminal is closed; what it does not start ends.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let here = folder();
    for (how, code) in [("--ignore-signal=HUP", 130), ("--default-signal=HUP", 129)] {
        let mut command = Command::new("env");
        command.args([how, env!("CARGO_BIN_EXE_carat")]);
        command.args(words(&format!("{ENDLESS} --restart")));
        let mut run = here.spawn(&mut command);
        run.plays();
        let status = format!("/proc/{}/status", run.id());
        let status = std::fs::read_to_string(status).expect("it is under way");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16);
        let ignored = mask.expect("a number") & 1 == 1;
        assert_eq!(ignored, code == 130);
        run.signal("-HUP");
        if ignored {
            run.signal("-INT");
        }
        // The first signal that is not ignored gives the code, and results are kept.
        run.ends(code);
        assert_eq!(here.names("o/partial"), FILES);
    }
}

/// A mistake ends the process, asks for a report, and loses nothing that was finished. The only
/// way to one from outside is a journal of sums that cannot be, with checksums that are right.
#[test]
fn a_panic_ends_the_process_and_asks_for_a_report() {
    let here = folder();
    interrupted(&here, SWEEP);
    let journal = "o/unfinished.jsonl";
    let mut lines: Vec<String> = here.read(journal).lines().map(str::to_string).collect();
    for line in &mut lines[1..] {
        let sums = line[12..line.len() - 1].replace("\"sum\":", "\"sum\":9999");
        let checksum = crc32fast::hash(sums.as_bytes());
        *line = format!("[\"{checksum:08x}\",{sums}]");
    }
    let absurd = lines.join("\n") + "\n";
    here.write(journal, &absurd);
    let ran = here.ends(101, &format!("{SWEEP} --out o --resume"));
    ran.says("please report it … message: … where: … \"--resume\"");
    ran.says(concat!("version: carat ", env!("CARGO_PKG_VERSION")));
    assert_eq!(here.names("o"), ["unfinished.jsonl"]);
    assert!(here.read(journal).starts_with(&absurd));
}
