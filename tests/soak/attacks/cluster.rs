//! What happens on clusters: rows of shards that are damaged, programs that do not answer when a signal
//! comes, and limits on files and memory.

use super::case::{Case, Outcome, send};
use super::inspect;
use super::reading::demand;
use super::words;
use std::process::Command;
use std::time::{Duration, Instant};

/// Files of shards with rows are damaged, cut or removed: `merge` and its status agree, and what is
/// played again merges to the bytes of one machine.
pub fn rows(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let most = if game.name == "diamant" { 60_000 } else { 900 };
    let (games, of) = (1 + case.dice.below(most), 1 + case.dice.below(4));
    let raw = case.dice.pick(&["--raw", "--raw decisions"]);
    let games = if raw == "--raw" {
        games
    } else {
        1 + games / 20
    };
    let study = format!("simulate {} --games {games} --players 3 {raw}", game.name);
    let merge = "merge damaged --no-charts --out merged";
    case.line(&format!("{study} --no-charts --out whole"))?;
    let play = |case: &mut Case, number: usize| -> Outcome {
        let shard = format!("{study} --shard {number}/{of} --threads 1 --out damaged");
        if case.dice.chance(30) {
            let run = case.start(&shard.split(' ').collect::<Vec<_>>());
            let wait = case.dice.below(400) as u64;
            case.kill(run, Duration::from_millis(wait));
        }
        let ran = case.line(&shard)?;
        demand(ran.is_well(), format!("shard {number}/{of} fails"))
    };
    for number in 1..=of {
        play(case, number)?;
    }
    for _ in 0..case.dice.below(3) {
        let files: Vec<_> = case.files("damaged").into_iter().collect();
        let (name, bytes) = &files[case.dice.below(files.len())];
        let path = format!("damaged/{name}");
        match case.dice.below(3) {
            0 => case.remove(&path),
            1 => {
                let length = case.dice.below(bytes.len().max(1));
                case.write(&path, &bytes[..length]);
            }
            _ => {
                let mut other = bytes.clone();
                case.dice.damage_bytes(&mut other, 0);
                case.write(&path, other);
            }
        }
        let status = case.line("merge --status damaged")?;
        let ran = case.line(merge)?;
        demand(status.code == ran.code, "merge and its status differ")?;
        // Bytes that only the play of a shard reads may be damaged without loss.
        demand(matches!(ran.code, 0 | 4 | 7), "another refusal")?;
    }
    for number in 1..=of {
        play(case, number)?;
    }
    let ran = case.line(merge)?;
    demand(ran.is_well(), "the shards do not merge")?;
    let [whole, merged] = ["whole", "merged"].map(|folder| case.files(folder));
    demand(whole == merged, "the rows of shards are others")
}

/// A program that stops to answer at some moment, and a signal: carat ends soon with its code, and so
/// does the program.
pub fn sleepers(case: &mut Case) -> Outcome {
    let at = case.dice.below(4);
    case.write(
        "sleeper.py",
        format!(
            "import json, sys, time\nsys.stdin.readline()\nif {at} == 0: time.sleep(600)\n\
             print('{{\"features\":[\"random\"]}}', flush=True)\n\
             for number, line in enumerate(sys.stdin, 1):\n    asked = json.loads(line)\n    \
             if number == {at}: time.sleep(600)\n    \
             print(json.dumps({{'id': asked['id'], 'answers': [0] * len(asked['decisions'])}}), flush=True)\n"
        ),
    );
    let (signal, code) = [
        ("-USR1", 138),
        ("-TERM", 143),
        ("-INT", 130),
        ("-KILL", 137),
    ][case.dice.below(4)];
    let game = words::game(&mut case.dice);
    let other = if game.name == "diamond_cave" {
        "gambler"
    } else {
        "random"
    };
    let mark = case.folder.join("sleeper.py").display().to_string();
    let bot = format!("exec:python3 {mark}");
    let pass = case.dice.pick(&["stop", "pass"]);
    let rest = format!("--players 3 --games 9000 --on-failure {pass} --no-charts --threads 1");
    let shard = case.dice.pick(&["--out o", "--out o --shard 2/3"]);
    let line = format!("simulate {} {rest} {shard} --seat", game.name);
    let run = case.start(
        &line
            .split(' ')
            .chain([bot.as_str(), "--others", other])
            .collect::<Vec<_>>(),
    );
    let wait = Duration::from_millis(800 + case.dice.below(900) as u64);
    let began = Instant::now();
    let ran = case.end(run, &[(wait, signal)])?;
    let took = began.elapsed().saturating_sub(wait);
    demand(
        ran.code == code,
        format!("exit code {} after {signal}", ran.code),
    )?;
    demand(
        took < Duration::from_secs(5),
        format!("slow: it ended after {took:?}"),
    )?;
    std::thread::sleep(Duration::from_millis(300));
    let left = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .find(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&line).into_owned();
            words.split('\0').any(|word| word == mark)
        });
    if let Some(left) = left {
        send(
            "-KILL",
            left.file_name().to_string_lossy().parse().unwrap_or(0),
        );
        return Err("the program goes on".to_string());
    }
    Ok(())
}

/// Few files, small files, or little memory: carat says so, and leaves nothing half.
pub fn limits(case: &mut Case) -> Outcome {
    let dice = &mut case.dice;
    let limit = match dice.below(3) {
        0 => format!("-f {}", 1 + dice.below(900)),
        1 => format!("-n {}", 12 + dice.below(30)),
        _ => format!("-v {}", 400_000 + 10_000 * dice.below(100)),
    };
    let game = words::game(dice).name;
    let threads = 1 + dice.below(4);
    let raw = dice.pick(&["", "--raw", "--format csv,parquet,xlsx", "--shard 1/2"]);
    let line = format!("simulate {game} --games 3000 --out o --threads {threads} --quiet {raw}");
    let mut shell = Command::new("bash");
    let script = format!("ulimit {limit} && exec \"$0\" {line}");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_carat")]);
    let run = case.spawn(shell, format!("ulimit {limit}; carat {line}"));
    let ran = case.end(run, &[])?;
    case.played += u64::from(ran.code == 0);
    case.sane(&ran)?;
    demand(matches!(ran.code, 0 | 1), format!("exit code {}", ran.code))?;
    // What was prepared when memory ended is hidden, and goes with the next run.
    let mut files = case.files("");
    files.retain(|path, _| !path.contains(".carat-"));
    inspect::results(&files)
}
