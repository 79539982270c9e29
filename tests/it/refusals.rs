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
    here.refuses(
        SIMULATE,
        &[
            ("--seat treshold", "no bot called `treshold` … `threshold`?"),
            ("--seat threshold:targte=3", "targte … `target`"),
            ("--rules iello-2061", "iello-2061 … `iello-2016`?"),
            ("--set traps.snaek=4", "traps.snaek … `snake`?"),
            ("--set round=4", "`round` … `rounds`?"),
            ("--seat b.toml", "b.toml:2:10 … hold … `held` … ^"),
            (
                "--rules r.toml",
                "r.toml: … remove_traps … remove_trap … carat help rules",
            ),
        ],
    );
    here.refused("simulate diamond", "no game called `diamond` … diamant");
    here.refused("simulat diamant", "simulate");
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
    folder().refuses(
        SIMULATE,
        &[
            ("--set traps.snake=60", "92 cards … 1 to 64"),
            ("--set treasures=[0]", "a treasure is 0 … 1 to 255"),
            ("--set treasures=[300]", "a treasure is 300 … 1 to 255"),
            ("--set traps.snake=-1", "traps.snake is -1 … 0 to 64"),
            ("--set rounds=0", "rounds is 0 … 1 to 20"),
            ("--set rounds=many", "rounds … a whole number"),
            (
                "--set treasures=[] --set traps={} --set relics.values=[]",
                "no cards at all",
            ),
            (
                "--set traps={a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1}",
                "9 kinds of trap … at most 8",
            ),
        ],
    );
}

#[test]
fn wrong_numbers_say_what_is_allowed() {
    let here = folder();
    here.refuses(
        SIMULATE,
        &[
            ("--players 0", "0 players … 1 to 8"),
            ("--players 9", "9 players … 1 to 8"),
            ("--players -3", "-3 … --players"),
            ("--players 2 --seat 3*depth", "3 bots for 2 players"),
            ("--players 1 --seat 2*depth", "2 bots for 1 player:"),
            ("--seat 9*depth", "9"),
            ("--seat 0*depth", "0"),
            ("--seat depth:cards", "depth:cards"),
            ("--seat depth:cards=six", "six"),
            ("--seat depth:cards=1e99", "1e99"),
        ],
    );
    let from_0 = "--seed … write a whole number from 0 to 18446744073709551615";
    here.refuses(
        "simulate diamant",
        &[
            ("--games 0", "--games"),
            ("--games -1", "--games"),
            ("--games many", "--games"),
            ("--games 1.5", "--games"),
            ("--threads -1", "threads"),
            ("--threads 257", "from 0 to 256"),
            ("--threads 5000", "256"),
            ("--format xls", "csv … parquet"),
            ("--seating standing", "every-order"),
            ("--seed -1", from_0),
        ],
    );
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
fn values_of_the_wrong_kind_are_told_in_plain_words() {
    folder().refuses(
        SIMULATE,
        &[
            ("--set chests=331", "a word in quotes"),
            ("--set chests={}", "a word in quotes"),
            ("--set rounds=[]", "a list … a whole number"),
            ("--set rounds={}", "a table … a whole number"),
            ("--set rounds=1.5", "the number `1.5`"),
            ("--set title=[]", "a text in quotes"),
        ],
    );
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let here = folder();
    here.refuses(
        "compare diamant --games 500 --out o --b",
        &[
            ("seats.9=depth", "no seat 9 … 5 seats"),
            ("seats.2=depth --players 1", "the table has 1 seat,"),
            ("seats.1.enogh=9", "enogh … `enough`"),
            ("all.nobody.target=9", "no seat plays `nobody`"),
            ("rules.traps.snaek=4", "traps.snaek … `snake`"),
            ("rules=iello-2061", "`iello-2016`?"),
            ("speed=9", "no value `speed` … seats.N.PARAM"),
            ("players", "PATH=VALUE"),
        ],
    );
    let one = here.refused("compare diamant --a players=3", "at least two sides");
    assert!(!one.contains("1 sides"), "{one}");
}

#[test]
fn grids_that_cannot_be_laid_out_are_refused() {
    let of_a_seat = "of one seat … win_share@1";
    folder().refuses(
        "sweep diamant --out o --vary",
        &[
            ("seats.1.enough=9..4", "range is empty"),
            (
                "seats.1.enough=1..5000 --games 500",
                "5000 cells … 2500000 games … 1024",
            ),
            ("seats.1.enogh=4..6", "enogh … `enough`"),
            ("seats.1.enough", "PATH=VALUES"),
            ("speed=1..3", "no value `speed` … seats.N.PARAM"),
            ("seats.1.enough=4,4", "`4` appears twice"),
            (
                "seats.1.enough=4..5 --vary seats.1.enough=10..12",
                "given twice",
            ),
            (
                "seats.1.enough=4..5 --vary all.simple.enough=4..5",
                "the same value",
            ),
            (
                "players=3..4 --metric wins",
                "there is no such metric … win_share@SEAT",
            ),
            ("rules.rounds=3..4 --metric win_share", of_a_seat),
        ],
    );
}

#[test]
fn tournaments_that_cannot_be_laid_out_are_refused() {
    let here = folder();
    here.refuses(
        "tournament diamant --out o",
        &[
            ("--bots threshold", "1 bot … at least 2"),
            ("--bots threshold tarps", "tarps … `traps`"),
            ("--bots depth traps depth", "`depth` … twice"),
            ("--bots 2*depth traps", "2*depth … once"),
            ("--players 1", "players = 1 … at least 2"),
            ("--players 9", "9 players … 1 to 8"),
            ("--line-ups 0", "line_ups = 0 … 20000"),
            ("--line-ups -1", "at least 1"),
            ("--line-ups 20", "too few to rate 16 bots"),
            ("--metric score_mean", "--metric"),
            ("--seating fixed", "every-order"),
            ("--games 10^12", "1000000000000 … 4294967296"),
            (
                "--players 8 --precision 0.01",
                "490314 line-ups … fewer bots",
            ),
        ],
    );
    let study = "study = 'tournament'\nbots = []\n[table]\ngame = 'diamant'\n";
    here.write("none.toml", study);
    here.refused("run none.toml", "none.toml … 0 bot … at least 2");
}

#[test]
fn goals_that_contradict_each_other_are_refused() {
    let here = folder();
    here.refuses(
        "simulate diamant",
        &[
            ("--games 5 --precision 0.1", "--games … --precision"),
            ("--max-games 5", "max_games bounds a precision"),
            ("--precision -1", "precision -1 … above 0"),
            ("--precision 1%", "a number above 0 … 0.001"),
            ("--precision 0.1 --metric wins", "wins … win_share@SEAT"),
        ],
    );
    let study = "study = 'simulate'\ngame = 'diamant'\ngames = 500\nprecision = 0.01\n";
    here.write("study.toml", study);
    here.refused("run study.toml", "one of them … max_games");
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
fn a_full_disk_is_told() {
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
    here.refuses(
        SIMULATE,
        &[
            ("--seat bin.toml", "bin.toml … not UTF-8 … 9"),
            ("--rules bin.toml", "bin.toml … not UTF-8"),
        ],
    );
    here.refused("check bin.toml", "bin.toml … not UTF-8");
    here.refused("run gone.toml", "gone.toml … cannot read");
    here.refused("run m.json", "m.json");
    here.refused("run x.toml", "conquer … simulate");
}
