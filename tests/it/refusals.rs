//! Bad input gets a message that names the place and what is allowed, and exit code 2.

use crate::fixtures::edition;
use crate::process::{Folder, folder, holds};

/// What would play, but for what is added to it.
const SIMULATE: &str = "simulate diamant --games 1000 --no-charts --out o";

/// A folder with a bot that leaves by this formula.
fn with_bot(formula: &str) -> Folder {
    let here = folder();
    here.write(
        "b.toml",
        format!("description = ''\nleave = \"{formula}\"\n"),
    );
    here
}

#[test]
fn misspelt_names_get_the_nearest_known_one() {
    let here = with_bot("hold > 3");
    let rules = edition("iello-2016").replace("remove_trap", "remove_traps");
    here.write("r.toml", rules);
    here.refuses_as("refusals");
    here.refuses_as("refusals-11");
    let study = "study = 'simulate'\ngame = 'diamant'\ngmaes = 5\n";
    here.write("s.toml", study);
    here.refused("run s.toml", "s.toml:3 … gmaes … `games`");
}

#[test]
fn faulty_formulas_are_shown_with_a_caret() {
    let play = format!("{SIMULATE} --seat b.toml");
    for (formula, said) in [
        ("held + (traps_seen > 2)", "a truth value … ^"),
        ("held", "leave … truth"),
        ("held >= ", "expected … ^"),
        ("held = 3", "== … ^"),
        ("held > 3 && leftover > 2", "`and`"),
        ("1 < held < 5", "^"),
    ] {
        let message = with_bot(formula).refused(&play, said);
        holds(&message, "b.toml:2:");
    }
    let here = with_bot("held > 3");
    let unused = here.read("b.toml") + "[params]\ntarget = 2\n";
    here.write("b.toml", unused);
    here.refused(&play, "b.toml:4 … target");
}

#[test]
fn formulas_have_as_many_operations_as_promised() {
    let bot = |operations: usize| {
        let sum = "held + ".repeat(operations - 1);
        with_bot(&format!("{sum}1 > 9"))
    };
    let play = "simulate diamant --games 50 --seat b.toml --no-charts --out o";
    bot(200).run(play);
    bot(1001).refused(play, "too large … more than 1000 operations");
}

/// Faults of the command line repeat what was written there, in words that control no terminal.
#[test]
fn arguments_do_not_control_the_terminal() {
    let here = folder();
    for wrong in ["\u{85}", "a\u{202e}b", "\u{7}"] {
        for option in ["--seed", "--games", "--seat", "--precision"] {
            let message = here.refused(&format!("simulate diamant {option} {wrong}"), "");
            assert!(!message.contains(wrong), "{message}");
        }
    }
}

#[test]
fn impossible_decks_are_refused() {
    folder().refuses_as("refusals-2");
}

#[test]
fn wrong_numbers_say_what_is_allowed() {
    let here = folder();
    here.refuses_as("refusals-3");
    let from_0 = "--seed … write a whole number from 0 to 18446744073709551615";
    here.refuses_as("refusals-4");
    for (game, players, said) in [
        ("cave", [0, 1, 5, 8], "Diamond Cave is played by 2 to 4"),
        ("miner", [0, 1, 7, 8], "Diamond Miner is played by 2 to 6"),
    ] {
        for players in players {
            let line = format!("simulate diamond_{game} --players {players}");
            let s = if players == 1 { "" } else { "s" };
            here.refused(&line, &format!("{players} player{s}: {said}"));
        }
    }
    here.refused(
        "replay diamant --game -1",
        &from_0.replace("--seed", "--game"),
    );
    for option in ["--seed", "--threads", "--games", "--players"] {
        for value in ["-1", "x", "1.5", "99999999999999999999999"] {
            let message = here.refused(&format!("simulate diamant {option} {value}"), "number");
            let jargon = ["digit", "unexpected"].map(|word| message.contains(word));
            assert_eq!(jargon, [false; 2], "{message}");
        }
    }
}

#[test]
fn wrong_types_are_named_in_errors() {
    folder().refuses_as("refusals-5");
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let here = folder();
    here.refuses_as("refusals-6");
    let one = here.refused("compare diamant --a players=3", "at least two sides");
    assert!(!one.contains("1 sides"), "{one}");
}

#[test]
fn grids_that_cannot_be_laid_out_are_refused() {
    folder().refuses_as("refusals-7");
}

#[test]
fn tournaments_that_cannot_be_laid_out_are_refused() {
    let here = folder();
    here.refuses_as("refusals-8");
    let study = "study = 'tournament'\nbots = []\n[table]\ngame = 'diamant'\n";
    here.write("none.toml", study);
    here.refused("run none.toml", "none.toml … 0 bot … at least 2");
}

#[test]
fn goals_that_contradict_each_other_are_refused() {
    let here = folder();
    here.refuses_as("refusals-9");
    let study = "study = 'simulate'\ngame = 'diamant'\ngames = 500\nprecision = 0.01\n";
    here.write("study.toml", study);
    here.refused("run study.toml", "only one … max_games");
}

#[test]
fn bots_that_need_open_chests_say_so() {
    let closed = "--rules schmidt-2005-alt --seat chaser --players 4";
    let said = "chaser … best_other_chest … open";
    folder().refused(&format!("{SIMULATE} {closed}"), said);
}

/// A full disk loses neither the old results nor the word about it.
#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_reported() {
    let here = folder();
    let ran = here.shell("\"$0\" list > /dev/full");
    assert_eq!(ran.code, Some(1));
    ran.says("cannot write to standard output");

    let play = "simulate diamant --games 50000 --no-charts --quiet --out o";
    here.run(play);
    let before = here.files("o");
    // A limit on the size of files is the nearest thing to a full disk that needs no rights.
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\"";
    let ran = here.shell(&format!("{limited} {play} --seed 2"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    ran.says("cannot write");
    assert!(here.files("o") == before);
    assert_eq!(here.names(""), ["o"]);
    assert_eq!(
        here.names("o").len(),
        before.len(),
        "nothing hidden is left"
    );
}

#[test]
fn files_that_are_not_text_are_refused() {
    let here = folder();
    here.write("bin.toml", b"leave = \"\xff\xfe\"");
    here.write("m.json", "{\"carat\": 1}");
    here.write("x.toml", "study = 'conquer'\n");
    here.refuses_as("refusals-10");
    here.refuses_as("refusals-12");
}

/// A message names the key, the side or the name that was meant.
#[test]
fn messages_name_keys_sides_and_near_names() {
    let here = folder();
    let study = |kind: &str, rest: &str| {
        let text = format!("study = '{kind}'\ngame = 'diamant'\n{rest}");
        here.write("s.toml", text);
        here.refused("run s.toml", "")
    };
    for (kind, rest, said) in [
        (
            "simulate",
            "[vary]\n'rules.rounds' = '3..4'",
            "unknown key `vary` … is a key of sweep and tune",
        ),
        (
            "simulate",
            "saets = []",
            "unknown key `saets`; allowed: `title` … did you mean `seats`?",
        ),
        (
            "simulate",
            "seating = 'evry-order'",
            "unknown value `evry-order` … `every-order`?",
        ),
        (
            "simulate",
            "game = 'diamant'",
            "`game` is given twice … s.toml:3",
        ),
        (
            "simulate",
            "measures = { long = 'cards >> 40' }",
            "--> measures.long:1:8",
        ),
        (
            "simulate",
            "metric = 'bustrate'",
            "no metric called `bustrate`; did you mean `bust_rate`?",
        ),
        (
            "compare",
            "sides = { a = [], bee = ['rounds=three'] }",
            "side bee: rounds=three: ",
        ),
        (
            "compare",
            "sides = { a = [], bee = ['ruels.rounds=3'] }",
            "side bee: ruels.rounds: … did you mean `rules.rounds`?",
        ),
        (
            "tournament",
            "bots = ['depth', 'risk']\nsides = { a = [], bee = ['rounds=three'] }",
            "side bee: ",
        ),
    ] {
        holds(&study(kind, rest), said);
    }
    for (line, said) in [
        (
            "simulate diamant --metric win_shares@2",
            "did you mean `win_share@2`?",
        ),
        (
            "simulate diamant --define minutes=cards --metric minuts",
            "did you mean `minutes`?",
        ),
        (
            "tune diamant --vary rules.rounds=3..6 --target minuts=3..4 --define minutes=cards",
            "`minuts`; did you mean `minutes`?",
        ),
        (
            "simulate diamant --shard 1/2 --format csv",
            "give --format, --svg and --json to `carat merge`",
        ),
        (
            "simulate diamant --games 1k --precision 0.01",
            "games and precision: give only one",
        ),
        (
            "compare diamant --b rounds=4 --decide comeback_rate --games 5",
            "decide: remove games",
        ),
    ] {
        holds(&here.refused(line, ""), said);
    }
    let both =
        "tune diamant --vary rules.rounds=3..6 --maximize win_share@1 --minimize win_share@2";
    here.refused(both, "maximize and minimize: give only one");
}
