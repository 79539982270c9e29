//! A person at the terminal, or one whose answers come through a pipe: games against bots, questions,
//! and what is kept of them.

use crate::process::{Folder, Ran, folder, holds, short};
use std::process::Stdio;

/// Runs carat with these answers on its standard input.
pub fn answered(here: &Folder, line: &str, answers: &str) -> Ran {
    here.write("answers.txt", answers);
    let input = std::fs::File::open(here.path("answers.txt")).expect("it was written");
    here.end(here.command(line).stdin(Stdio::from(input)))
}

/// Games with answers that end them, though some mean nothing; quick ones have a card that hides the
/// only diamond, or stop soon.
pub fn games(quick: bool) -> [(String, &'static str); 3] {
    let [mut cave, mut miner] = ["diamond_cave", "diamond_miner"].map(short);
    if quick {
        cave = cave
            .replace("deck=3", "deck=1")
            .replace("diamonds=3", "diamonds=1");
        miner += "--set rounds=4 --others thief";
    } else {
        miner += "--others appraiser";
    }
    [
        ("diamant --players 4".to_string(), "s\ns\nl\nstay\n"),
        (format!("diamond_cave --players 2 {cave}"), "2\n3\n1\n"),
        (format!("diamond_miner --players 2 {miner}"), "9\n2\n1\n1\n"),
    ]
}

#[test]
fn short_games_are_played_through_a_pipe() {
    plays_through_a_pipe(games(true));
}

#[test]
#[ignore = "full set"]
fn whole_games_are_played_through_a_pipe() {
    plays_through_a_pipe(games(false));
}

fn plays_through_a_pipe(games: [(String, &str); 3]) {
    for (game, answers) in games {
        let here = folder();
        let play = format!("play {game} --seed 3 --name Anna --playouts 64");
        let ran = answered(
            &here,
            &format!("{play} --coach --out a.toml"),
            &answers.repeat(400),
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        holds(&ran.stdout, "coach: … win … Reviewing … Anna");
        assert!(!ran.stdout.contains("{}"), "{}", ran.stdout);
        // What is kept is the game that was told.
        let name = game.split(' ').next().expect("a name");
        holds(&here.run("check a.toml"), &format!("a game of {name}"));
        if name == "diamant" {
            holds(&ran.stdout, "judged as if … people, bold, careful made");
        }
        let output = here.run(&format!("replay {name} a.toml"));
        let end = output.trim_end().lines().last().expect("an end");
        holds(&ran.stdout, end);
        here.run(&format!(
            "analyse {name} a.toml --me 1 --playouts 64 --quiet --no-charts --out o"
        ));
        holds(&here.read("o/transcript.txt"), end);
        let bots = here.table("o/bots.csv");
        assert_eq!(bots.column("bot")[0], "Anna");
        // What was best at the second decision of the person, or of another.
        let other = format!("advise {name} a.toml --move 1 --me 2 --playouts 100 --json");
        assert_eq!(here.json(&other)["advice"]["seat"], 2);
        let advice = here.json(&format!(
            "advise {name} a.toml --move 2 --playouts 100 --json"
        ));
        let options = advice["advice"]["options"].as_array().expect("options");
        assert!(options.len() > 1, "{advice}");
        here.refused(
            &format!("advise {name} a.toml"),
            "the game is over; use --move",
        );
        here.refused(
            &format!("advise {name} a.toml --move 9999"),
            "seat 1 has made",
        );
        here.refused("play --resume a.toml --playouts 3", "from 64 to");
    }
}

#[test]
fn left_games_resume() {
    for (game, answers) in games(true) {
        let here = folder();
        let play = format!("play {game} --seed 4 --no-review");
        let whole = answered(
            &here,
            &format!("{play} --out whole.toml"),
            &answers.repeat(400),
        );
        assert_eq!(whole.code, Some(0), "{}", whole.stderr);
        // Three answers and a question, and the input ends; then one answer at a time.
        let left = answered(&here, &format!("{play} --out parts.toml"), "");
        holds(&left.stdout, "carat play --resume parts.toml");
        let name = game.split(' ').next().expect("a name");
        let stands = here.run(&format!("advise {name} parts.toml --playouts 100"));
        holds(&stands, "win share");
        let mut over = false;
        for (number, answer) in answers.lines().cycle().take(3000).enumerate() {
            let resumed = "play --resume parts.toml --no-review";
            let ran = answered(&here, resumed, &format!("{answer}\n"));
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            over = !ran.stdout.contains("--resume");
            if number == 2 && !over {
                // What was played so far is told and judged.
                let open = "The game is not over: seat 1 decides.";
                holds(&here.run(&format!("replay {name} parts.toml")), open);
                let how = "--playouts 64 --no-charts --quiet --out o";
                here.run(&format!("analyse {name} parts.toml {how}"));
                holds(&here.read("o/transcript.txt"), open);
            }
            if over || number == 12 {
                break;
            }
        }
        if !over {
            let same = answers.lines().cycle().skip(13).take(2000);
            let rest: String = same.map(|answer| format!("{answer}\n")).collect();
            answered(&here, "play --resume parts.toml --no-review", &rest);
        }
        assert_eq!(here.read("parts.toml"), here.read("whole.toml"), "{game}");
    }
}

#[test]
fn a_cave_fits_a_terminal() {
    fits_a_terminal(3);
}

#[test]
#[ignore = "full set"]
fn many_caves_fit_a_terminal() {
    fits_a_terminal(12);
}

/// Of a cave the board, what lies beside it and the moves fit a terminal, and equal moves are listed once.
fn fits_a_terminal(caves: u64) {
    let here = folder();
    let mut hidden = 0;
    for seed in 0..caves {
        let play = format!("play diamond_cave --seed {seed} --no-review --out {seed}.toml");
        here.write("answers.txt", "1\n".repeat(200));
        let input = std::fs::File::open(here.path("answers.txt")).expect("it was written");
        let mut command = here.command(&play);
        let columns = if seed % 2 == 0 { "60" } else { "80" };
        let ran = here.end(command.env("COLUMNS", columns).stdin(Stdio::from(input)));
        for block in ran.stdout.split("Your move, ") {
            let Some((_, board)) = block.rsplit_once("       A    B ") else {
                continue;
            };
            assert!(board.lines().count() < 24, "{board}");
            let (_, planned) = board.split_once("planned: ").expect("planned cards");
            let (planned, _) = planned.split_once(')').expect("a first card");
            let moves = board.lines().filter(|line| line.contains(" lay card "));
            let mut moves: Vec<&str> = moves
                .filter_map(|line| line.split_once(", "))
                .map(|(_, to)| to)
                .collect();
            let folded = board.split_whitespace().collect::<Vec<_>>().join(" ");
            let planned = planned.split_whitespace().collect::<Vec<_>>().join(" ");
            if folded.matches(&planned).count() < 2 {
                continue;
            }
            let listed = moves.len();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), listed, "{board}");
        }
        // Decisions with more options than are listed.
        let kept = here.read(&format!("{seed}.toml"));
        let own = kept
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("\"@1 "));
        let listed = ran.stdout.split("Your move, ").skip(1);
        for (own, listed) in own.zip(listed) {
            let options = own.split(['/', ' ']).nth(1).expect("a number");
            let listed = listed.strip_prefix("1 to ").unwrap_or(options);
            let listed = listed.split(' ').next().expect("a number");
            hidden += usize::from(options != listed);
        }
    }
    assert!(hidden > 0 || caves < 6, "no two planned cards were alike");
    // All edges of a card that no player has seen are worth the same.
    let play = "play diamond_cave --seed 5 --playouts 64 --out same.toml";
    holds(
        &answered(&here, play, "13\n1\n?\nq\n").stdout,
        "; same value: ",
    );
}

#[test]
fn opponents_have_characters_and_levels() {
    let here = folder();
    for (level, names) in [
        ("easy", "2 timid … 3 fickle"),
        ("people", "player 2 (people) … player 3 (bold)"),
        ("experts", "2 expert … 3 expert"),
    ] {
        let play = format!("play diamant --level {level} --seed 1 --out {level}.toml");
        holds(&answered(&here, &play, "q\n").stdout, names);
    }
    here.refused(
        "play diamant --level easy --others depth",
        "cannot be used with",
    );
    let quiz = "quiz diamant --questions 2 --seed 3 --playouts 2000";
    holds(
        &answered(&here, quiz, "s\ns\n").stdout,
        "if 0 others leave ( … %): stay … if 1 other leaves ( … why:    Most likely … leaving brings … the next card adds … So ",
    );
}

/// A hint to continue repeats the options, and the winner and the scores are the last lines.
#[test]
fn hints_repeat_what_is_known() {
    let here = folder();
    let play = "play diamant --name Anna --coach --playouts 64 --no-review --seed 2 --out a.toml";
    let ran = answered(&here, play, "");
    holds(
        &ran.stdout,
        "--resume a.toml --coach --no-review --playouts 64",
    );
    let rules = answered(
        &here,
        "play diamant --rules incan-gold-2006 --out b.toml",
        "r\ns\n?\n",
    );
    holds(&rules.stdout, "after the next card is revealed");
    let cave = answered(&here, "play diamond_cave --out c.toml", "u\n\nq\n");
    holds(
        &cave.stdout,
        "Your move, such as … not made a move … h lists the keys",
    );
    let ended = answered(
        &here,
        "play --resume a.toml --playouts 64",
        &"s\nl\n".repeat(99),
    );
    let (review, last) = ended.stdout.rsplit_once("\n\n").expect("a last paragraph");
    holds(review, "Reviewing");
    holds(last, "(rubies): … Anna … win");
}

#[test]
fn undo_stops_at_seen_events() {
    let here = folder();
    let diamant = answered(
        &here,
        "play diamant --seed 1 --out a.toml",
        "u\ns\nundo\nb\nh\nhuh\nq\n",
    );
    // All decide at the same time: there is nothing to take back, so there is no such key.
    holds(&diamant.stdout, "`u` is … `undo` is … s  stay … `huh` is");
    assert!(!diamant.stdout.contains("undo  ") && !diamant.stdout.contains("  u  "));
    // The way on from a card that was dug up shows nothing new, so one may choose another.
    let mut undone = 0;
    for seed in 0..8 {
        let cave = format!("play diamond_cave --players 2 --seed {seed} --out b.toml");
        let play = |answers: &str| {
            let ran = answered(&here, &cave, answers);
            let kept = here.read("b.toml");
            here.remove("b.toml");
            (ran.stdout, kept)
        };
        let before = "1\n1\ndeclare the n\n";
        let (_, plain) = play(&format!("{before}2\n"));
        let (output, again) = play(&format!("{before}1\nu\n2\n"));
        if !output.contains("cannot be taken back") {
            assert_eq!(plain, again, "{seed}: {output}");
            undone += 1;
            if undone > 1 {
                break;
            }
        }
    }
    assert!(undone > 0);
}

/// Where chests are secret, nobody at the table hears what is in those of others; where they are open,
/// everybody does.
#[test]
fn stories_hide_unseen_cards() {
    let here = folder();
    let output = |rules: &str| {
        let play = format!("play diamant --rules {rules} --seed 2 --no-review --players 4");
        let ran = answered(
            &here,
            &format!("{play} --out {rules}.toml"),
            &"s\ns\nl\n".repeat(99),
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
            .rsplit_once("\nExpedition 5")
            .expect("the last")
            .0
            .to_string()
    };
    let hidden = output("schmidt-2005-alt");
    holds(&hidden, "  = 1 guest … Chests: you ");
    let mut chests = hidden
        .split("Chests: ")
        .skip(1)
        .filter_map(|rest| rest.split('.').next());
    assert!(
        !hidden.contains("| player 2 ") && chests.all(|chests| !chests.contains('@')),
        "{hidden}"
    );
    holds(
        &output("iello-2016"),
        "  = 1 guest … | player 2 (people) … , @2 (people) ",
    );
    // Cards to come are not told: two games that begin alike are told alike.
    let game = |seed: u64, answers: &str| {
        let play = format!("play diamant --seed {seed} --out g.toml");
        let output = answered(&here, &play, answers).stdout;
        here.remove("g.toml");
        output
    };
    assert!(
        game(5, "s\ns\n?\n").starts_with(
            game(5, "s\ns\n")
                .trim_end()
                .rsplit_once("[s]")
                .expect("asked")
                .0
        )
    );
}

/// The rules are explained in every game, and no line that a player reads is too long for its screen.
#[test]
fn rules_and_prompts_fit_the_screen() {
    for game in ["diamant", "diamond_cave", "diamond_miner"] {
        let here = folder();
        let name = "a-long-name-of-a-folder/with-another-one/and-a-game-of-a-long-name.toml";
        let sets = short(game);
        let play =
            format!("COLUMNS=80 \"$0\" play {game} {sets} --playouts 64 --seed 5 --out {name}");
        let ran = here.shell(&format!("printf 'r\\nh\\n?\\nq\\n' | {play}"));
        holds(&ran.stdout, "the goal: … list the keys");
        for line in ran.stdout.lines().filter(|line| line.contains(' ')) {
            assert!(line.chars().count() <= 80, "{game}: {line}");
        }
    }
}

/// Sessions that start at once keep games of their own, and no two go on with one.
#[test]
fn a_session_locks_its_game() {
    let here = folder();
    let begin = || here.spawn(here.command("play diamant").stdin(Stdio::piped()));
    let sessions: Vec<_> = (0..4).map(|_| begin()).collect();
    let there = || (1..5).all(|number| here.has(&format!("games/diamant-{number}.toml")));
    let began = std::time::Instant::now();
    while !there() && began.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(there(), "{:?}", here.names("games"));
    let resumed = "play --resume games/diamant-1.toml";
    here.refused(resumed, "another session is playing this game");
    drop(sessions);
    here.run(resumed);
}

#[test]
fn several_records_are_analysed_by_person() {
    let here = folder();
    let game = "1: 5 7 lava / @2 leaves / 11 lava\n2: ram 9 / all leave\n3: 17 / @1 leaves / 5 snake \
                snake\n4: 4 / all leave\n5: 15 7 / @3 leaves / relic / all leave\n";
    here.write("one.txt", format!("players Anna Ben Zoë # Friday\n{game}"));
    here.write(
        "two.txt",
        format!("# @1 Ben\n# @2 Anna\n# @3 Zoë\nplayers 3\n{game}"),
    );
    let analyse = |files: &str, more: &str| {
        here.run(&format!(
            "analyse diamant {files} --playouts 64 --no-charts --out o {more}"
        ))
    };
    let output = analyse("one.txt two.txt", "");
    holds(&output, "2 recorded games … 1 Anna … 2 Ben … 3 Zoë");
    holds(
        &output,
        "judged as if solved-3 made all later decisions … Anna left in",
    );
    // In the first game Anna leaves first in expedition 3, in the second in expedition 1.
    let decisions = here.table("o/decisions.csv");
    let [game, at, bot, option, chosen] =
        ["game", "at", "bot", "option", "chosen"].map(|name| decisions.place(name));
    for (number, when) in [("1", "expedition 3, card 1"), ("2", "expedition 1, card 3")] {
        let left = decisions.rows.iter().any(|row| {
            let it = [&row[game], &row[at], &row[bot], &row[option], &row[chosen]];
            it == [number, when, "Anna", "leave", "true"]
        });
        assert!(left, "{number} {when}");
    }
    // The same person at any seat: only Ben's decisions, who sits at 2 and at 1.
    analyse("one.txt two.txt", "--me 2");
    let only = here.table("o/decisions.csv");
    assert!(
        only.column("bot").iter().all(|bot| *bot == "Ben"),
        "{:?}",
        only.column("bot")
    );
    here.write("three.txt", "players Anna Ben Emil\n1: 5 / all leave\n2: 5 / all leave\n3: 5 / all leave\n4: 5 / all leave\n5: 5 / all leave\n");
    here.refuses_as("play-3");
    here.write("four.txt", "players 3\n1: 5 7 / snake 99\n");
    here.refused("fit diamant four.txt", "no treasure of 99 … four.txt:2:");
    let record = here.run("replay diamant one.txt");
    holds(&record, "1 Anna leaves with");
}

/// Bots that play as people do are found again by what they did.
#[test]
fn habits_are_found_in_records() {
    let here = folder();
    let seats = "--seat human:bias=-7,relic=1,behind=6,ahead=1 --seat human:relic=1 \
                 --seat human:ruby=0.6,bias=-7";
    let mut files = String::new();
    for game in 0..40 {
        let record = here.run(&format!("replay diamant --record {seats} --game {game}"));
        // The names of people instead of those of bots.
        let cards = record.lines().filter(|line| !line.starts_with(['#', 'p']));
        let cards: Vec<&str> = cards.collect();
        here.write(
            &format!("{game}.txt"),
            format!("players Anna Ben Cleo\n{}\n", cards.join("\n")),
        );
        files += &format!(" {game}.txt");
    }
    let found = here.json(&format!("fit diamant{files} --json"));
    let people = found["people"].as_array().expect("people");
    let truth = [
        [-7.0, 0.35, 0.9, 1.0, 6.0, 1.0],
        [-5.0, 0.35, 0.9, 1.0, 0.0, 0.0],
        [-7.0, 0.6, 0.9, 0.0, 0.0, 0.0],
    ];
    let mut far = 0;
    for ((person, name), truth) in people.iter().zip(["Anna", "Ben", "Cleo"]).zip(truth) {
        assert_eq!(person["name"], name);
        assert!(person["yes"].as_u64() > Some(50), "{person}");
        let params = ["bias", "ruby", "trap", "relic", "behind", "ahead"];
        for (param, truth) in params.iter().zip(truth) {
            let weight = &person["weights"][param];
            let of = |part: &str| weight[part].as_f64().expect("a number");
            assert!(of("se") > 0.0 && of("se") < 1.5, "{person}");
            far += usize::from(!(of("low")..=of("high")).contains(&truth));
        }
        // It can sit down.
        let bot = person["bot"].as_str().expect("a bot");
        here.run(&format!(
            "advise diamant --players 3 --others {bot} --playouts 200 '5 7'"
        ));
    }
    // Of eighteen intervals of 95 %, and with slips that the rule has not.
    assert!(far <= 2, "{found}");
    holds(
        &here.run("fit diamant 0.txt"),
        "Anna: … left in … leaves half of the time with … in the last expedition with … --others \"human:",
    );
    // Where nobody knows the score, none is looked for.
    let hidden = "--rules iello-2016 --set chests=hidden";
    holds(
        &here.run(&format!("fit diamant 0.txt {hidden}")),
        "with open chests: behind and ahead stay 0",
    );
    let found = here.json(&format!("fit diamant 0.txt {hidden} --json"));
    let found = found["people"].to_string();
    assert!(
        !found.contains("behind") && !found.contains("ahead"),
        "{found}"
    );
    // Named after the people, they sit down everywhere and are shown by name.
    let text = here.run("fit diamant 0.txt 1.txt --out friends");
    let list = "friends/Anna.toml,friends/Ben.toml,friends/Cleo.toml";
    holds(
        &text,
        &format!("2 games, … carat rule diamant --others {list}"),
    );
    here.run("fit diamant 1.txt --out friends");
    let file = here.read("friends/Anna.toml");
    holds(
        &file,
        "# Written by carat fit: bias … Decides as Anna: 1 game, … human:bias=",
    );
    let table = here.run(&format!(
        "simulate diamant --seat depth --others {list} --games 2000 --no-charts --out o"
    ));
    holds(&table, "4 players … Anna");
    assert!(!table.contains("  friends/"), "{table}");
    // What a shell makes of friends/*.toml is the same list.
    let files = list.replace(',', " ");
    let same =
        format!("simulate diamant --seat depth --others {files} --games 2000 --no-charts --out o2");
    here.run(&same);
    assert_eq!(here.read("o/seats.csv"), here.read("o2/seats.csv"));
    // In situations they go by their names, in the order of the files or of a record.
    let advise = |situation: &str| {
        let how = format!("advise diamant --others {files} --playouts 200 --json");
        here.json(&format!("{how} '{situation}'"))["advice"].take()
    };
    let by_name = advise("5 7 / Ben leaves / 3");
    assert_eq!(
        by_name["cases"].as_array().map(Vec::len),
        Some(3),
        "{by_name}"
    );
    assert_eq!(by_name, advise("5 7 / @3 leaves / 3"));
    let seated = advise("players Ben Anna Dora Cleo / 5 7 / Ben leaves / 3");
    let situation = seated["situation"].as_str().expect("words");
    holds(situation, "Inside: @2, you and @4");
    here.refused(
        &format!("simulate diamant --players 3 --seat depth --others {list}"),
        "others: 3 bots for 2 free seats",
    );
    here.refused(
        &format!("rule diamant --players 3 --others {list}"),
        "others: 3 opponents for 3 players",
    );
    here.write("friends/Ben.toml", "leave = 'held > 5'\n");
    here.refuses_as("play-4");
}

#[test]
fn invalid_games_are_refused() {
    let here = folder();
    here.refuses_as("play-2");
    let faults = "\
        moves = ['x'] => this is not a move\n\
        moves = ['@1 3/2 x'] => this is not a move\n\
        moves = ['@1 1/3 x'] => move 1: seat 1 has 2 options here\n\
        moves = ['@2 1/2 x'] => move 1: seat 1 has 2 options here\n\
        me = 7; moves = [] => me = 7\n\
        me = 0; moves = [] => me = 0\n\
        moves = 3 => invalid type\n\
        move = [] => unknown key `move`\n\
        format = 99; moves = [] => newer carat\n\
        people = ['a', 'b', 'c', 'd', 'e', 'f']; moves = [] => 6 names for 5 seats";
    for fault in faults.lines() {
        let (keys, said) = fault.split_once(" => ").expect("what is said");
        let text = format!("game = 'diamant'\n{}\n", keys.replace("; ", "\n"));
        here.write("a.toml", text);
        here.refused("play --resume a.toml", said);
    }
    here.write("b.toml", "");
    here.refused("play diamant --out b.toml", "b.toml: this file exists");
}
