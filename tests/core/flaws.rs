//! Signs of broken games: printed editions have none, and broken ones are told.

use crate::fixtures::{diamant, game, short, table};
use carat_core::analysis::flaws::{Flaw, flaws, wins_simply};
use carat_core::catalog::GAMES;
use carat_core::overrides;

#[test]
fn printed_editions_have_no_sign() {
    for game in GAMES {
        for edition in game.editions {
            let rules = game.rules("rules", edition.text).expect("an edition");
            let printed = rules.printed_players();
            for players in printed.clone() {
                let is_seen = *printed.start() == players || game.players == players;
                if !is_seen && game.name != "diamant" {
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
    println!("{:?}", signs(&["traps.snake=1", "traps.spider=1", "traps.lava=1", "traps.boulder=1", "traps.ram=1"]));
    println!("{:?}", signs(&["traps.snake=1", "traps.spider=1", "traps.lava=0", "traps.boulder=0", "traps.ram=0", "treasures=[1,2]"]));
    println!("{:?}", signs(&["traps.snake=0", "traps.spider=0", "traps.lava=0", "traps.boulder=0", "traps.ram=10", "treasures=[1,2,3]"]));
    println!("{:?}", signs(&["traps_end_from=40"]));
    println!("{:?}", signs(&["rounds=1"]));
    panic!("see");
}
