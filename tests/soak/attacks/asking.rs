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
        "simulate simulate compare compare sweep sweep sweep tournament tune analyse solve advise \
         merge replay list show check run help play",
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
        "merge" => args.push(dice.word("o gone . my.toml /dev/null").to_string()),
        "list" | "help" if dice.chance(70) => {}
        _ => args.push(if dice.chance(4) {
            dice.nasty()
        } else {
            game.name.to_string()
        }),
    }
    if command == "advise" {
        let places = "5 7 snake lava relic / @3 leaves / 2 leave / chests 3 0 4 / all x";
        args.push(dice.join(6, " ", |dice| dice.word(places).to_string()));
    }
    // What a command needs, and what is its own.
    let (needed, own) = match command {
        "simulate" => ("--games", "--raw"),
        "compare" => ("--games --b", "--a --c --each"),
        "sweep" => ("--games --vary", "--each"),
        "tournament" => ("--games", "--bots --line-ups --b"),
        "tune" => (
            "--max-games --vary --maximize",
            "--minimize --target --field",
        ),
        "solve" => ("--games", "--against --objective --until"),
        "analyse" => ("--playouts", "--game --as --me"),
        "advise" => (
            "--playouts",
            "--me --chests --round --gone --relics --others --as",
        ),
        _ => ("", "--game"),
    };
    let plays = !needed.is_empty() && command != "advise";
    let flags = if plays || dice.chance(30) {
        "--seat --players --rules --set --games --precision --max-games --metric --seed \
         --seating --threads --format --no-charts --svg --simd --resume --json --restart --quiet \
         --shard --vary --nonsense -x"
    } else {
        "--seed --game --seating --set --seat --rules --players --help"
    };
    let chosen = (0..dice.below(5)).map(|_| {
        if dice.chance(40) {
            dice.word(own)
        } else {
            dice.word(flags)
        }
    });
    let chosen: Vec<&str> = chosen.collect();
    for flag in needed
        .split(' ')
        .filter(|flag| !flag.is_empty())
        .chain(chosen)
    {
        let foreign = ["--vary", "--games", "--max-games", "--precision"].contains(&flag);
        if (foreign && !needed.contains(flag) && dice.chance(90))
            || (flag == "--nonsense" && dice.chance(70))
            || (args.iter().any(|arg| arg == flag) && dice.chance(90))
        {
            continue;
        }
        if flag == "--each" {
            args.push(format!("--each={}", words::path(dice, game)));
            continue;
        }
        args.push(flag.to_string());
        let value = match flag {
            "--seat" | "--bots" | "--field" | "--against" | "--as" => words::seat(dice, game, true),
            "--players" | "--line-ups" | "--game" | "--me" | "--round" => dice.below(9).to_string(),
            "--others" => words::seat(dice, game, false),
            "--chests" | "--relics" => dice.join(6, ",", |dice| dice.number()),
            "--gone" => dice.word("snake relic lava,5 5").to_string(),
            "--playouts" => dice.word("100 100 200 7").to_string(),
            "--until" => dice.word("0.1 0.01 -1").to_string(),
            "--objective" => dice.word("win_share score_mean wins").to_string(),
            "--maximize" | "--minimize" | "--metric" => words::metric(dice),
            "--target" => format!(
                "{}={}..{}",
                words::metric(dice),
                dice.number(),
                dice.number()
            ),
            "--shard" => dice.word("1/1 1/2 3/2 0/0").to_string(),
            "--max-games" if command == "tune" => (4000 + dice.below(9000)).to_string(),
            "--rules" => words::value(dice, game),
            "--set" => words::change(dice, game)
                .trim_start_matches("rules.")
                .to_string(),
            "--vary" => words::axis(dice, game),
            "--a" | "--b" | "--c" => words::change(dice, game),
            "--games" | "--max-games" => words::games(dice, game),
            "--precision" => dice.word("0.1 0.01 0.5 1e-12 0").to_string(),
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
    if dice.chance(95) && (plays || command == "run") {
        let folder = dice.chance(10).then(|| dice.nasty());
        // Only within the folder of the case.
        let inside = folder.filter(|folder| !folder.contains(['/', '\0']) && folder != "..");
        args.extend(["--out".to_string(), inside.unwrap_or("o".to_string())]);
    }
    case.interrupted(&args, if plays { PATIENCE } else { &[] })
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
