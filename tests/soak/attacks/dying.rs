//! Attacks on runs under way: they are killed, and what they kept is damaged.

use super::case::{Case, Outcome, Ran};
use super::dice::Dice;
use super::reading::demand;
use std::time::{Duration, Instant};

const STUDIES: &[&str] = &[
    "sweep diamant --vary seats.1.enough=10..13 --games 600k",
    "sweep diamant --vary players=3..5 --vary seats.1.enough=8..12 --precision 0.002 --max-games 400k",
    "sweep diamond_cave --vary rules.turns_max=20,400 --vary players=2..4 --games 500",
    "sweep diamond_cave --vary seats.1.fear=2..7 --games 800",
    "sweep diamond_miner --vary rules.goal=1..3 --vary players=2..4 --games 500",
    "tournament diamant --bots threshold traps depth risk --players 3 --games 40k",
    "tournament diamant --players 6 --line-ups 400 --games 2000",
    "tournament diamond_miner --bots builder rusher thief --players 3 --games 400",
];

const SHARDED: &[&str] = &[
    "simulate diamant --games 1M --seat depth",
    "simulate diamond_cave --games 3k",
    "compare diamant --b rounds=4 --games 300k",
    "compare diamond_miner --each=goal,take --games 400",
    "sweep diamant --vary seats.1.enough=10..13 --games 600k",
    "sweep diamond_cave --vary rules.turns_max=20,400 --vary players=2..4 --games 500",
    "sweep diamond_miner --vary rules.goal=1..3 --vary players=2..4 --games 500",
];

/// A study that is played in parts, or one that is not.
pub fn study(dice: &mut Dice, in_parts: bool) -> Vec<String> {
    let simple = "simulate diamant --games 1M --seat depth";
    let text = if in_parts { dice.pick(STUDIES) } else { simple };
    dealt(dice, text)
}

/// A study that has shards.
pub fn sharded(dice: &mut Dice) -> Vec<String> {
    let text = dice.pick(SHARDED);
    dealt(dice, text)
}

fn dealt(dice: &mut Dice, text: &str) -> Vec<String> {
    let args = format!("{text} --seed {} --no-charts", dice.below(1000));
    args.split(' ').map(str::to_string).collect()
}

pub fn with(args: &[String], more: &[&str]) -> Vec<String> {
    args.iter()
        .cloned()
        .chain(more.iter().map(|arg| arg.to_string()))
        .collect()
}

pub fn undisturbed(case: &mut Case, study: &[String]) -> Result<Duration, String> {
    let began = Instant::now();
    let ran = case.carat(&with(study, &["--out", "whole"]))?;
    if ran.is_well() {
        Ok(began.elapsed())
    } else {
        Err("the study itself was refused".to_string())
    }
}

pub fn same(case: &Case, folder: &str) -> Outcome {
    let [whole, other] = ["whole", folder].map(|name| case.files(name));
    let differ = whole
        .iter()
        .find(|(path, bytes)| other.get(*path) != Some(bytes));
    let more = other.keys().find(|path| !whole.contains_key(*path));
    match (differ, more) {
        (None, None) => Ok(()),
        (Some((path, _)), _) => Err(format!("{path} is not as without disturbance")),
        (_, Some(path)) => Err(format!("{path} is left over")),
    }
}

/// Killed again and again, then resumed.
pub fn kills(case: &mut Case) -> Outcome {
    let in_parts = case.dice.chance(85);
    let study = study(&mut case.dice, in_parts);
    let whole = undisturbed(case, &study)?;
    for _ in 0..1 + case.dice.below(5) {
        let threads = (1 + case.dice.below(4)).to_string();
        let before = if case.dice.chance(20) {
            "--restart"
        } else {
            "--resume"
        };
        let args = with(&study, &["--out", "o", "--threads", &threads, before]);
        // Within what an undisturbed run takes, or a little later.
        let wait = whole.mul_f64(case.dice.below(1100) as f64 / 1000.0);
        if case.dice.chance(70) {
            let run = case.start(&args);
            case.kill(run, wait);
        } else {
            let ran = case.start(&args);
            let ran = case.end(ran, &[(wait, "-INT")])?;
            early(case, &ran)?;
        }
    }
    let ran = case.carat(&with(&study, &["--out", "o", "--resume"]))?;
    demand(
        ran.is_well(),
        format!("what was killed does not go on: {}", ran.code),
    )?;
    case.remove("o/partial");
    same(case, "o")
}

/// What holds of a run that a signal may have ended before carat could catch it.
pub fn early(case: &Case, ran: &Ran) -> Outcome {
    match ran.code {
        129 | 130 | 143 if ran.stderr.is_empty() => Ok(()),
        _ => case.sane(ran),
    }
}

/// The parts that were done are damaged: they are played again, or it is said why not.
pub fn journals(case: &mut Case) -> Outcome {
    let study = study(&mut case.dice, true);
    undisturbed(case, &study)?;
    let parts = 1 + case.dice.below(3);
    let run = case.start(&with(&study, &["--out", "o", "--threads", "1"]));
    let journal = case.folder.join("o/unfinished.jsonl");
    let read = || std::fs::read(&journal).unwrap_or_default();
    case.kill_once(run, || {
        read().iter().filter(|byte| **byte == b'\n').count() > parts
    });
    let mut bytes = read();
    let head = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |at| at + 1);
    let from = if case.dice.chance(80) { head } else { 0 };
    (0..1 + case.dice.below(4)).for_each(|_| case.dice.damage_bytes(&mut bytes, from));
    if case.dice.chance(20) {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let (a, b) = (case.dice.below(lines.len()), case.dice.below(lines.len()));
        if a.min(b) > 0 {
            lines.swap(a, b);
        }
        bytes = lines.concat();
    }
    if !case.folder.join("o").exists() {
        return Ok(());
    }
    case.write("o/unfinished.jsonl", &bytes);
    let ran = case.carat(&with(&study, &["--out", "o", "--resume"]))?;
    if !ran.is_well() {
        // Only the first line can be in the way, and then nothing may be lost.
        let kept = std::fs::read(case.folder.join("o/unfinished.jsonl")).ok() == Some(bytes);
        let clear = ran.stderr.contains("first line") || ran.stderr.contains("differences");
        demand(
            kept && clear && from == 0,
            "a damaged journal is in the way",
        )?;
        let ran = case.carat(&with(&study, &["--out", "o", "--restart"]))?;
        if !ran.is_well() {
            case.remove("o/unfinished.jsonl");
            case.carat(&with(&study, &["--out", "o"]))?;
        }
    }
    same(case, "o")
}
