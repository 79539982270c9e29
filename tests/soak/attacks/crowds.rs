//! Attacks from around a run: others in its folder, signals, closed pipes, a full disk.

use super::case::{Case, Outcome, Running};
use super::dying::{early, same, study, undisturbed, with};
use super::reading::demand;
use super::words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Several runs into one folder, some of them killed.
pub fn together(case: &mut Case) -> Outcome {
    let count = 2 + case.dice.below(3);
    let studies = (0..count).map(|_| {
        let in_parts = case.dice.chance(30);
        study(&mut case.dice, in_parts)
    });
    let studies: Vec<Vec<String>> = studies.collect();
    let out = case.dice.pick(&["o", "new/o", "."]);
    let out = if out == "." { "o/../o" } else { out };
    let mut runs: Vec<Running> = Vec::new();
    for study in &studies {
        let wait = case.dice.below(200) as u64;
        std::thread::sleep(Duration::from_millis(wait));
        runs.push(case.start(&with(
            study,
            &["--threads", "1", "--quiet", "--out", out, "--restart"],
        )));
    }
    for run in runs {
        if case.dice.chance(25) {
            let wait = case.dice.below(400) as u64;
            case.kill(run, Duration::from_millis(wait));
            continue;
        }
        let ran = case.end(run, &[])?;
        case.sane(&ran)?;
        demand(
            ran.is_well() || ran.stderr.contains("another carat"),
            "a run beside others fails",
        )?;
    }
    let last = studies.last().cloned().unwrap_or_default();
    undisturbed(case, &last)?;
    let ran = case.carat(&with(&last, &["--out", out, "--restart"]))?;
    demand(ran.is_well(), "the last run fails")?;
    // A run of the other kind that was killed leaves its parts, which nobody asked to remove.
    case.remove(&format!("{out}/unfinished.jsonl"));
    same(case, out)
}

/// Signals at any moment: what is complete is kept, and nothing else is left.
pub fn interrupts(case: &mut Case) -> Outcome {
    let study = case.dice.pick(&[
        "simulate diamant --games 1G",
        "compare diamant --b players=4 --games 1G",
        "simulate diamond_cave --games 1G",
        "sweep diamant --vary seats.1.enough=4..30 --games 10M",
        "tournament diamond_miner --games 100k",
        "simulate diamond_miner --precision 1e-6",
    ]);
    let mut args: Vec<String> = study.split(' ').map(str::to_string).collect();
    args.extend(["--out", "o"].map(str::to_string));
    args.extend(case.dice.chance(50).then(|| "--no-charts".to_string()));
    let first = Duration::from_millis(case.dice.below(1200) as u64);
    let second = first + Duration::from_millis(case.dice.below(2500) as u64);
    // Under nohup a hangup is ignored: it is never the last.
    let plan = [
        (first, case.dice.pick(&["-INT", "-TERM", "-HUP"])),
        (second, case.dice.pick(&["-INT", "-TERM"])),
    ];
    let plan = &plan[case.dice.below(2)..];
    let run = case.start(&args);
    let ran = case.end(run, plan)?;
    early(case, &ran)?;
    let files = case.files("");
    super::inspect::results(&files)?;
    let partial = ran.stderr.contains("marked partial");
    let goes_on = ran.stderr.contains("--resume to continue");
    match files.keys().find(|path| path.contains("carat-")) {
        Some(left) => Err(format!("{left} is left over")),
        None if ran.code == 0 => Err("an endless run ended well".to_string()),
        None if partial != files.contains_key("o/partial/manifest.json") => {
            Err("partial results, or none?".to_string())
        }
        None if goes_on != files.contains_key("o/unfinished.jsonl") => {
            Err("parts, or none?".to_string())
        }
        None if !partial && !goes_on && !files.is_empty() => {
            Err(format!("{:?} is left over", files.keys()))
        }
        None => Ok(()),
    }
}

/// Nobody reads what is printed, or it cannot be written.
pub fn pipes(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let ends = [
        "| head -c 1",
        "| true",
        ">&-",
        "2>&-",
        ">&- 2>&-",
        "> /dev/full",
        "2> /dev/full",
        "<&-",
        "> /dev/full 2>&1",
    ];
    let end = case.dice.pick(&ends);
    let commands = [
        "list",
        "show columns diamant",
        "show features diamond_cave",
        "show rules diamond_miner",
        "--help",
        "nonsense",
        "simulate GAME --games 300 --no-charts --out o",
        "sweep GAME --vary players=2..4 --games 50 --out o",
        "replay GAME",
        "simulate GAME --seat nobody",
        "check gone.toml",
        "tournament GAME --games 10 --line-ups 600 --no-charts --out o",
    ];
    let command = case.dice.pick(&commands).replace("GAME", game.name);
    let mut shell = Command::new("bash");
    let line = format!("set -o pipefail; \"$0\" {command} {end}");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_carat")]);
    let run = case.spawn(shell, format!("carat {command} {end}"));
    let ran = case.end(run, &[])?;
    if !matches!(ran.code, 0..=2) || ran.stderr.contains("panicked") {
        return Err(format!("exit code {}", ran.code));
    }
    let files = case.files("");
    super::inspect::results(&files)?;
    let left = files.keys().find(|path| path.contains("carat-"));
    left.map_or(Ok(()), |left| Err(format!("{left} is left over")))
}

/// A small disk of its own, gone when it is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path, kilobytes: usize) -> Option<Disk> {
        std::fs::create_dir(at).ok()?;
        let size = format!("size={kilobytes}k");
        let mut mount = Command::new("mount");
        let mounted = mount
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(at)
            .output()
            .ok()?;
        mounted.status.success().then(|| Disk(at.to_path_buf()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// The disk is full at some moment: old results stay as they are, and nothing half is left.
pub fn disks(case: &mut Case) -> Outcome {
    let kilobytes = 4 * (1 + case.dice.below(60));
    let Some(_disk) = Disk::mount(&case.folder.join("disk"), kilobytes) else {
        case.skipped = true;
        return Ok(());
    };
    let out = case.dice.pick(&["disk", "disk/o", "disk/a/b"]);
    let mut old = BTreeMap::new();
    for _ in 0..3 {
        let in_parts = case.dice.chance(50);
        let mut args = study(&mut case.dice, in_parts);
        args.truncate(args.len() - case.dice.below(2));
        let ran = case.carat(&with(&args, &["--out", out, "--restart"]))?;
        let mut now = case.files("disk");
        let has_kept = now.keys().any(|path| ran.kept(path));
        now.retain(|path, _| !path.ends_with("unfinished.jsonl") && !ran.kept(path));
        demand(
            ran.is_well() || ran.stderr.contains("No space"),
            "a full disk is not told",
        )?;
        let mut files = now.iter().filter(|(path, _)| !path.ends_with('/'));
        demand(
            ran.is_well() || !files.any(|(path, bytes)| old.get(path) != Some(bytes)),
            "a full disk changed results",
        )?;
        // What was kept is for its owner to move: until then the folder is not carat's to write.
        if has_kept {
            break;
        }
        old = now;
    }
    Ok(())
}
