//! Every command in the README runs, in its order and in one folder, and prints what stands there.

use crate::fixtures::project;
use crate::process::{Folder, Ran, folder};
use std::process::Command;

/// A block of code: its language and its lines.
struct Block {
    language: String,
    lines: Vec<String>,
}

fn readme() -> String {
    std::fs::read_to_string(project().join("README.md")).expect("README.md")
}

fn blocks() -> Vec<Block> {
    let readme = readme();

    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in readme.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let (language, lines) = (language.to_string(), Vec::new());
                open = Some(Block { language, lines });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line.to_string());
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none() && blocks.len() > 6, "{}", blocks.len());
    blocks
}

/// Commands of blocks and of sentences, but for those with a word in capitals, without comments.
fn commands() -> Vec<String> {
    let readme = readme();

    let mut commands = Vec::new();
    for block in blocks().iter().filter(|block| block.language == "sh") {
        let lines = block.lines.join("\n").replace("\\\n", " ");
        let lines = lines.lines().map(|line| line.split("  # ").next());
        commands.extend(lines.map(|line| line.expect("a part").trim().to_string()));
    }
    let prose = readme.split("```").step_by(2).collect::<String>();
    let words = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    let inline = words.split('`').skip(1).step_by(2).map(str::to_string);
    commands.extend(inline.filter(|line| line.split(' ').count() > 2));
    commands.retain(|command| command.starts_with("carat ") && !command.contains("COMMAND"));
    commands
        .iter()
        .map(|line| line.replace("SHELL", "bash"))
        .collect()
}

/// Runs a line of the README, with few games if it should be quick.
fn run(here: &Folder, line: &str, is_quick: bool) -> Ran {
    let study = line.split(' ').nth(1).expect("a command");
    let few = match study {
        _ if !is_quick => "",
        "simulate" if line.contains("--games 10M") => "",
        _ if line.contains("5*adapted") => "--games 1000 --population-games 1000 --populations 1",
        "rule" | "compare" | "sweep" | "simulate" | "run" if !line.contains("--decide") => {
            "--games 2000"
        }
        "tune" => "--max-games 20k",
        "analyse" => "--playouts 64",
        _ => "",
    };
    let line = if is_quick {
        line.replace("--games 10M", "--games 9000")
    } else {
        line.to_string()
    };
    let line = match line.split_once(" > ") {
        Some((line, file)) if !file.contains('\'') => format!("{line} {few} > {file}"),
        _ if line == "carat serve" => {
            "timeout --preserve-status --signal=INT 1 \"$0\" serve --no-open --port 0".into()
        }
        _ => format!("{line} {few}"),
    };
    here.shell(&format!("carat() {{ \"$0\" \"$@\"; }}\n{line}"))
}

#[test]
fn every_command_of_the_readme_runs() {
    commands_run(true);
}

#[test]
#[ignore = "full set"]
fn every_command_of_the_readme_runs_in_full() {
    commands_run(false);
}

fn commands_run(are_quick: bool) {
    let here = folder();
    here.inner("evening");
    let record = project().join("tests/released/0.4.0/record-diamant.txt");
    here.write(
        "evening/record.txt",
        std::fs::read(record).expect("a record"),
    );
    for block in blocks().iter().filter(|block| block.language == "toml") {
        let name = block.lines[0].trim_start_matches("# ");
        here.write(name, block.lines.join("\n"));
    }
    here.write("study.toml", "study = \"simulate\"\ngame = \"diamant\"\n");
    let bots = here.path("scripts");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(project().join("scripts"))
        .arg(bots)
        .status();
    assert!(copied.expect("cp").success());

    let commands = commands();
    assert!(commands.len() > 25, "{commands:?}");
    for line in &commands {
        let ran = run(&here, line, are_quick);
        let ended = [Some(0), (line == "carat serve").then_some(130)];
        assert!(
            ended.contains(&ran.code),
            "{line}: {:?} {}",
            ran.code,
            ran.stderr
        );
    }
}

#[test]
fn figures_of_the_readme_are_printed() {
    figures_are_printed("$ carat compare");
}

#[test]
#[ignore = "full set"]
fn all_figures_of_the_readme_are_printed() {
    figures_are_printed("$ carat ");
}

/// What stands below commands that begin so is the beginning of lines that they print.
fn figures_are_printed(start: &str) {
    let here = folder();
    let blocks = blocks().into_iter();
    for block in blocks.filter(|block| block.lines[0].starts_with(start)) {
        let command = block.lines[0].strip_prefix("$ carat ").expect("a command");
        let printed = here.run(command);
        let printed: Vec<&str> = printed.split_whitespace().collect();
        let printed = printed.join(" ");
        for line in &block.lines[1..] {
            let words: Vec<&str> = line.trim_end_matches('…').split_whitespace().collect();
            assert!(
                printed.contains(&words.join(" ")),
                "{command}: {line}\n{printed}"
            );
        }
    }
}
