//! Attacks by command lines: any of them ends with results or a refusal that says why.

use super::case::{Case, Outcome};
use super::reading::my_files;
use super::words;
use std::time::Duration;

/// Only what is slow on purpose is interrupted.
const PATIENCE: &[(Duration, &str)] = &[
    (Duration::from_secs(2), "-INT"),
    (Duration::from_secs(4), "-INT"),
];

pub fn lines(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    my_files(case, game);
    let dice = &mut case.dice;
    let command = dice.word(
        "simulate simulate compare compare sweep sweep sweep tournament replay list show check run \
         help play",
    );
    let mut args = vec![command.to_string()];
    match command {
        "show" => {
            let what = dice.word("game rules bot features paths metrics columns bots");
            args.extend([what, game.name].map(str::to_string));
            if dice.chance(40) {
                args.push(words::seat(dice, game, false));
            }
        }
        "check" | "run" => args.push(
            dice.word("my.toml my-rules.toml gone.toml . /dev/null")
                .to_string(),
        ),
        "list" | "help" if dice.chance(70) => {}
        _ => args.push(if dice.chance(4) {
            dice.nasty()
        } else {
            game.name.to_string()
        }),
    }
    let plays = ["simulate", "compare", "sweep", "tournament"].contains(&command);
    let flags = match plays || dice.chance(30) {
        true => {
            "--seat --players --rules --set --vary --a --b --c --games --precision --max-games \
             --metric --seed --seating --threads --format --no-charts --svg --simd --resume --json \
             --restart --quiet --bots --line-ups --game --nonsense -x"
        }
        false => "--seed --game --seating --set --seat --rules --players --help",
    };
    let needed: &[&str] = match command {
        "sweep" => &["--vary"],
        "compare" => &["--b"],
        _ => &[],
    };
    let chosen = (0..dice.below(5))
        .map(|_| dice.word(flags))
        .collect::<Vec<_>>();
    for flag in needed.iter().copied().chain(chosen) {
        let of_others = matches!((flag, command), ("--vary", c) if c != "sweep")
            || matches!((flag, command), ("--a" | "--b" | "--c", c) if c != "compare")
            || matches!((flag, command), ("--bots" | "--line-ups", c) if c != "tournament");
        if (of_others || (flag == "--game" && plays)) && dice.chance(97) {
            continue;
        }
        args.push(flag.to_string());
        let value = match flag {
            "--seat" | "--bots" => words::seat(dice, game, true),
            "--players" | "--line-ups" | "--game" => dice.below(9).to_string(),
            "--rules" => words::value(dice, game),
            "--set" => words::change(dice, game)
                .trim_start_matches("rules.")
                .to_string(),
            "--vary" => words::axis(dice, game),
            "--a" | "--b" | "--c" => words::change(dice, game),
            "--games" | "--max-games" => words::games(dice, game),
            "--precision" => dice.word("0.1 0.01 0.5 1e-12 0").to_string(),
            "--metric" => words::metric(dice),
            "--seed" => dice.next().to_string(),
            "--seating" => dice.word("every-order neighbours fixed").to_string(),
            "--threads" => dice.word("0 1 2 7 256").to_string(),
            "--format" => dice
                .word("csv parquet csv,parquet parquet,parquet")
                .to_string(),
            "--simd" => dice.word("auto fallback sse2 avx2 avx512").to_string(),
            _ => continue,
        };
        args.push(if dice.chance(8) { dice.nasty() } else { value });
    }
    if plays
        && !args
            .iter()
            .any(|arg| arg == "--games" || arg == "--precision")
    {
        args.extend(["--games".to_string(), words::games(dice, game)]);
    }
    if dice.chance(95) && (plays || command == "run") {
        let folder = if dice.chance(10) {
            dice.nasty()
        } else {
            "o".to_string()
        };
        // Only within the folder of the case.
        let inside = !folder.contains(['/', '\0']) && folder != "..";
        args.extend([
            "--out".to_string(),
            if inside { folder } else { "o".to_string() },
        ]);
    }
    let slow = ["--precision", "--max-games", "--games"]
        .iter()
        .any(|flag| args.iter().any(|arg| arg == flag));
    case.interrupted(&args, if slow { PATIENCE } else { &[] })
        .map(|_| ())
}

/// A path and its values, in a sweep and as sides of a comparison.
pub fn ranges(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    my_files(case, game);
    let dice = &mut case.dice;
    let small = ["--games", "30", "--no-charts", "--out"];
    let (vary, change) = (words::axis(dice, game), words::change(dice, game));
    case.carat(&[&["sweep", game.name, "--vary", &vary], &small[..], &["s"]].concat())?;
    case.carat(&[&["compare", game.name, "--b", &change], &small[..], &["c"]].concat())?;
    Ok(())
}
