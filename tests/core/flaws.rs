//! Signs of broken games: printed editions have none, and broken ones are told.

use crate::fixtures::{diamant, game, table};
use carat_core::analysis::flaws::{Flaw, flaws, wins_simply};
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::overrides;

/// The editions of the fastest game, at its usual number of players.
#[test]
fn printed_editions_have_no_sign() {
    editions_have_no_sign(&GAMES[..1], false);
}

#[test]
#[ignore = "full set"]
fn printed_editions_have_no_sign_in_any_game_with_any_number_of_players() {
    editions_have_no_sign(&GAMES, true);
}

fn editions_have_no_sign(games: &[&Game], with_all: bool) {
    for game in games {
        for edition in game.editions {
            let rules = game.rules("rules", edition.text).expect("an edition");
            let printed = rules.printed_players();
            for players in printed.clone() {
                // Every number of players of the first edition of the fastest game, else the usual one.
                let is_first = edition.name == GAMES[0].editions[0].name;
                if players != game.players && !(with_all && is_first) {
                    continue;
                }
                let seats = vec!["people"; players];
                let table = table(game, edition.text, &seats).expect("people play");
                let name = format!("{} with {players}", edition.name);
                assert_eq!(flaws(table.as_ref(), 1), [], "{name}");
                for (_, bot) in game.easy {
                    let mut seats = seats.clone();
                    seats[0] = bot;
                    let table = self::table(game, edition.text, &seats).expect("it plays");
                    let found = wins_simply(table.as_ref(), 1, bot, "people");
                    assert_eq!(found, None, "{name}");
                }
            }
        }
    }
}

/// The signs among five people with these changes, in words.
fn signs(sets: &[&str]) -> Vec<String> {
    let found = flaws(diamant("iello-2016", sets, &["people"; 5]).as_ref(), 1);
    found.iter().map(Flaw::to_string).collect()
}

#[test]
fn what_is_the_same_in_nearly_all_games_is_told() {
    let ones = [
        "traps.snake=1",
        "traps.spider=1",
        "traps.lava=1",
        "traps.boulder=1",
        "traps.ram=1",
    ];
    assert_eq!(signs(&ones), ["ended by a trap: 0.0 %"]);
    let small = [
        "traps.lava=0",
        "traps.boulder=0",
        "traps.ram=0",
        "treasures=[1,2]",
    ];
    let found = signs(&[&ones[..2], &small].concat());
    assert!(
        found.contains(&"the deck runs out in 100.0 % of the games".to_string()),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|sign| sign.starts_with("cards per game: 25 in")),
        "{found:?}"
    );
    let once = [
        "lead changes per game: 0 in 100.0 % of the games",
        "comebacks: 0.0 %",
    ];
    assert_eq!(signs(&["rounds=1"]), once);
}

#[test]
fn what_never_comes_up_and_what_is_always_decided_alike_are_told() {
    let miner = game("diamond_miner");
    let rules = overrides::apply("rules", miner.editions[0].text, &["rounds=2".to_string()]);
    let table = table(miner, &rules.expect("a key"), &["people"; 3]).expect("people play");
    let found = flaws(table.as_ref(), 1);
    let is_unseen = |sign: &Flaw| matches!(sign, Flaw::Unseen(kinds, _) if kinds.contains(&"diamond".to_string()));
    assert!(found.iter().any(is_unseen), "{found:?}");
    let never = diamant("iello-2016", &[], &["depth:cards=30"; 3]);
    let found = flaws(never.as_ref(), 1);
    assert!(
        found.contains(&Flaw::Alike("stay".to_string(), 1.0)),
        "{found:?}"
    );
    let bold = diamant(
        "iello-2016",
        &[
            "traps.snake=1",
            "traps.spider=1",
            "traps.lava=0",
            "traps.boulder=0",
            "traps.ram=0",
        ],
        &["depth:cards=14", "people", "people", "people"],
    );
    let found = wins_simply(bold.as_ref(), 1, "depth:cards=14", "3 people");
    assert!(
        matches!(found, Some(Flaw::Simple { share, .. }) if share > 0.6),
        "{found:?}"
    );
}
