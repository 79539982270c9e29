//! Single games as they are told, and as records that people could have written.

use crate::process::{folder, holds, run};
use carat_core::game::Seating;
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;
use carat_studies::study::TableSpec;

#[test]
fn replay_shows_the_game_that_was_played() {
    let here = folder();
    let replay = |more: &str| here.run(&format!("replay diamond_miner --game 9 {more}"));
    let all = [
        ("every-order", Seating::EveryOrder),
        ("neighbours", Seating::Neighbours),
        ("fixed", Seating::Fixed),
    ];
    let [every, moved, fixed] = all.map(|(name, seating)| {
        let study = TableSpec {
            seating,
            ..TableSpec::of("diamond_miner")
        };
        let resolved = study.resolve(&Library::default()).expect("sound");
        let output = resolved.table.replay(5, 9, StoryStyle::PLAIN);
        let replayed = replay(&format!("--seed 5 --seating {name}"));
        let (_, story) = replayed.split_at(replayed.find("Diamond Miner").expect("a title"));
        assert_eq!(story, output);
        output
    });
    assert_eq!(replay(""), replay("--seating every-order"));
    assert!(
        every != moved && moved != fixed,
        "the game depends on who sits where"
    );
}

#[test]
fn replay_prints_the_features_of_decisions() {
    let output = run("replay diamant --why --set traps.snake=4");
    assert!(output.starts_with("With traps.snake=4:\n"), "{output}");
    holds(&output, "? player 1 (simple): leave: no; ");
    let output = run("replay diamond_miner --why");
    holds(&output, "? player 1 (appraiser): score … , best of ");
    let long = run("replay diamond_cave");
    let short = run("replay diamond_cave --short --why");
    holds(
        &short,
        "? player 1 (surveyor): score …    points (diamonds gained): ",
    );
    let boards = |output: &str| {
        let lines = output.lines();
        lines.filter(|line| line.starts_with("       A")).count()
    };
    assert!(boards(&long) > 0 && boards(&short) == 0, "{short}");
}

#[test]
fn the_last_board_comes_after_the_end() {
    for game in 1..6 {
        let replay = format!("replay diamond_cave --short --game {game} --set finish_turn=true");
        let output = run(&replay);
        let (_, after) = output.split_once("the game is over\n").expect("an end");
        assert_eq!(
            after.matches("   points (diamonds gained): ").count(),
            1,
            "{output}"
        );
    }
}

#[test]
fn a_game_is_printed_as_a_record_under_every_edition() {
    let here = folder();
    for edition in crate::golden::EDITIONS {
        let bots = "--seat 2*depth --seat threshold --seat 2*random --game 7";
        let replay = format!("replay diamant --rules {edition} {bots}");
        let record = here.run(&format!("{replay} --record"));
        holds(&record, "players 5\n1: … \nchests ");
        // Whatever a record tells ends a game, and the story tells the same.
        let chests = record.lines().last().expect("a line");
        let output = here.run(&replay);
        let last = output.lines().rfind(|line| line.starts_with("  = "));
        let after = last.expect("chests").split(" | ");
        let after = after.map(|seat| seat.rsplit(' ').next().expect("a chest"));
        let after: Vec<&str> = after.collect();
        assert_eq!(format!("chests {}", after.join(" ")), chests, "{output}");
        let advise = format!("advise diamant --rules {edition} --players 5 '{record}'");
        let won = output.trim_end().lines().last().expect("a winner");
        let (names, _) = won
            .split_once(" share")
            .or(won.split_once(" wins"))
            .expect("a verb");
        let seats = names.replace(" and", ",");
        let mut seats = seats
            .split(", ")
            .map(|name| format!("@{}", &name.trim_start_matches("player ")[..1]));
        let winners = here.run(&advise).replace('\n', " ");
        let (_, winners) = winners.split_once("The game is over: ").expect("an end");
        let (winners, _) = winners.split_once('.').expect("a sentence");
        assert!(seats.all(|seat| winners.contains(&seat)), "{won} {winners}");
    }
    here.refused("replay diamond_cave --record", "");
    let named = here.run("replay diamant --record --players 3 --people 'Ann (A),'");
    assert!(named.contains("\n# @1 Ann (A)\n# @2 solved-3\n"), "{named}");
}
