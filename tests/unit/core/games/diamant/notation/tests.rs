//! What is written can be read, and what the rules forbid is found at its place.

use super::{Next, Reader, Reading, read, read_all, write};
use crate::diagnostic::Fault;
use crate::formula::Formula;
use crate::games::diamant::features::VOCABULARY;
use crate::games::diamant::log::Log;
use crate::games::diamant::referee::{self, GameResult, Hands};
use crate::games::diamant::rules::{Card, DiamantRules, EDITIONS};
use crate::streams;
use proptest::prelude::*;

fn rules(edition: usize) -> DiamantRules {
    DiamantRules::from_toml("rules", EDITIONS[edition].text).expect("an edition")
}

/// A reader of a situation at a table of five; seat 2 asks.
fn of_situation(rules: &DiamantRules) -> Reader<'_> {
    Reader {
        me: Some(1),
        way: Some(0),
        ..Reader::of_record(rules, 5)
    }
}

fn try_reading(edition: usize, text: &str) -> Result<Reading, Fault> {
    read(of_situation(&rules(edition)), text)
}

/// A game of bots that leave at random, as it was written; checks that it is read again.
fn read_again(rules: &DiamantRules, seats: usize, seed: u64, game: u64) -> (GameResult, Reading) {
    let bot = Formula::parse("random < 0.15", &[], &VOCABULARY).expect("a formula");
    let key = streams::game_key(seed, game);
    let result = referee::play(rules, Hands::Bots(&vec![bot; seats], key), &mut (), &mut ());
    let text = write(rules, seats, &result.log);
    let parsed = read(Reader::of_record(rules, seats), &text)
        .unwrap_or_else(|fault| panic!("{}", fault.in_file("text", &text)));
    assert_eq!(parsed.next, Next::Nothing, "{text}");
    assert_eq!(parsed.chests, result.chests(), "{text}");
    (result, parsed)
}

fn reading(text: &str) -> Reading {
    try_reading(0, text).unwrap_or_else(|fault| panic!("{}", fault.in_file("text", text)))
}

/// The fault of a text, and the words it points at.
fn fault(edition: usize, text: &str) -> (String, String) {
    let fault = try_reading(edition, text).expect_err(text);
    (fault.message, text[fault.span].to_string())
}

/// Games of bots that leave at random, under every edition, come back as they were written.
#[test]
fn what_is_written_is_read() {
    for edition in 0..EDITIONS.len() {
        let rules = rules(edition);
        for seats in 1..=8 {
            for game in 0..20 {
                let (result, parsed) = read_again(&rules, seats, 4, game);
                let text = write(&rules, seats, &result.log);
                assert_eq!(write(&rules, seats, &parsed.log), text);
                let again = referee::play(&rules, Hands::Log(seats, &parsed.log), &mut (), &mut ());
                assert_eq!(again.wins(), result.wins(), "{text}");
            }
        }
    }
}

/// Traps may have names with another meaning in records, and a deck may run out.
#[test]
fn odd_games_are_read_as_they_were_written() {
    let traps = |names: &str| EDITIONS[4].text.replace("snakes = 3", names);
    // Five relics, one for each of the first expeditions.
    let treasures = "treasures = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]";
    let few = (EDITIONS[4].text.replace(treasures, "treasures = []"))
        .replace(" = 3\n", " = 0\n")
        .replace("min = 0", "min = 3")
        .replace("rounds = 5", "rounds = 9");
    for text in [
        traps("relic-7 = 3\nArtifact9 = 1\nrelic-x = 1"),
        traps("Trap1 = 3\nTRAP3 = 2"),
        few,
    ] {
        let rules = DiamantRules::from_toml("odd", &text).unwrap_or_else(|fault| panic!("{fault}"));
        for game in 0..40 {
            let (result, parsed) = read_again(&rules, 3, 5, game);
            let shown = |log: &Log| -> Vec<Vec<Card>> {
                let turns = log.expeditions.iter();
                let cards =
                    turns.map(|turns| turns.iter().map(|turn| rules.cards[turn.card.unwrap()]));
                cards.map(Iterator::collect).collect()
            };
            assert_eq!(shown(&parsed.log), shown(&result.log));
        }
    }
}

#[test]
fn a_situation_can_be_typed() {
    let text = "4: chests 12,0,30,5,8 / 5 7 snake 11 / @3 @5 leave / relic 3";
    let parsed = reading(text);
    let Next::Decision(position) = &parsed.next else {
        panic!("{parsed:?}");
    };
    // 5 and 7 and 11 leave 1, 1 and 2 each, and 0, 2 and 1 on the path; 3 is shared by three.
    assert_eq!((position.round, position.revealed), (3, 6));
    assert_eq!((position.held, position.leftover()), (5, 1));
    assert_eq!(position.inside().collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(parsed.chests, [12, 0, 35, 5, 13]);
    for same in [
        "expedition 4\nchests 12 0 30 5 8\n5, 7, SNAKES, 11\nseats 3 and 5 left\nartifact 3",
        "round 4; chests: 12 0 30 5 8; 5 7 sn 11; @3 leaves; @5 leaves; relic, 3 # so far",
        "chests 12 0 30 5 8 / 4: 5 7 trap2 11 @3 @5 out relic nobody leaves 3",
        "players Anna Ben Zoë Dan 5th / chests 12 0 30 5 8 / 4: 5 7 trap2 11 Zoë @5 leave relic 3",
    ] {
        assert_eq!(reading(same), parsed, "{same}");
    }
}

#[test]
fn those_who_are_not_named_may_be_any() {
    let rules = rules(0);
    let all = |text: &str| {
        let readings = read_all(of_situation(&rules), text).expect(text);
        let inside = |reading: Reading| match reading.next {
            Next::Decision(now) | Next::Card(now) => now.inside().collect::<Vec<_>>(),
            next => panic!("{next:?}"),
        };
        readings.into_iter().map(inside).collect::<Vec<_>>()
    };
    assert_eq!(all("5 7 / 2 leave / 9").len(), 6);
    // Seats 3, 4 and 5, and then the two that are left of them.
    assert_eq!(all("5 7 / @1 and one leave / 9 / two leave"), vec![[1]; 3]);
    // Explorers who leave later have not left before.
    assert_eq!(
        all("5 7 / 2 leave / 9 / @3 leaves"),
        [[1, 4], [1, 3], [0, 1]]
    );
}

#[test]
fn a_game_goes_on_from_expedition_to_expedition() {
    let parsed = reading("5 snake snake / 2: 7 / me leaves / all leave");
    assert_eq!(parsed.next, Next::Expedition(2));
    assert_eq!(parsed.chests, [1; 5]);
    // One snake has left the game with the first expedition.
    let Next::Decision(position) = reading("5 snake snake / snake").next else {
        panic!("a first snake");
    };
    assert_eq!(position.deck.count_ones(), 33);
    let text = "3: chests 0 0 0 0 0 / gone snake snake / 5 snake / snake";
    assert_eq!(fault(0, text).1, "snake");
    let text = "3: chests 5 2 3 4 7 / relics 1 0 0 0 1 / gone relic-5 relic-7 / 5";
    let Next::Decision(position) = try_reading(4, text).expect("a position").next else {
        panic!("{text}");
    };
    assert_eq!((position.claimed, position.in_game.count_ones()), (2, 31));
}

/// Edition, text, message, and place.
const FAULTS: &str = "\
    0 | 5 6 | there is no treasure of 6 | 6
    0 | 1 7 1 | the treasure of 1 lies on the path already | 1
    0 | 5 snaek | `snaek` is not a card of this game | snaek
    0 | players Ann Bob Cy Di Ed / 5 / Bub leaves | `Bub` is neither a card nor a player of this game | Bub
    0 | 5 s | `s` may be spider or snake | s
    0 | 5 / @6 leaves | there is no such seat; seats are @1 to @5 | @6
    0 | 5 @1 leaves 7 @1 leaves | @1 has left already | @1
    0 | @1 leaves | the first card must come before players can leave | @1 leaves
    0 | 5 / 7 leave | 7 cannot leave: 4 could | 7
    0 | 5 / 3 leaves | does seat 3 leave, or do 3 players? | 3 leaves
    0 | 5 / @2 7 | `leave` is missing | @2 7
    0 | chests 0 9 0 0 0 / 5 | a chest of 9: before expedition 1 a player can have at most 0 | chests 0 9 0 0 0
    0 | 2: chests 0 0 0 0 0 / gone ram snake / 5 | before expedition 2, at most 1 trap can have left the game | snake
    0 | 2: chests 155 155 155 155 155 / 5 | 775 in all chests: before expedition 2 all players together can have at most 159 | chests 155 155 155 155 155
    0 | 2: chests 0 35 0 0 100 / relics 0 0 0 0 0 / 5 | 135 in all chests: before expedition 2 all players together can have at most 124 | chests 0 35 0 0 100
    0 | 4: chests 0 34 0 0 100 / relics 0 5 0 0 0 / 5 | @2 took out 5 relics, worth at least 35: its chest cannot hold 34 | relics 0 5 0 0 0
    0 | 4: chests 10 10 0 0 0 / relics 2 2 0 0 0 / 5 | 4 relics taken out are worth at least 25: all chests together cannot hold 20 | relics 2 2 0 0 0
    0 | 4: chests 0 0 0 0 0 / gone ram ram ram / 5 | at least 1 ram stays in the deck: only the trap that ends an expedition leaves it | ram
    4 | 2: chests 0 0 0 0 0 / gone relic-7 / 5 | before expedition 2, it had not joined the deck | relic-7
    0 | 9: 5 | there are 5 expeditions in a game | 9
    0 | 5 / 2: 7 | expedition 1 is not over | 2
    0 | 5 all leave / 3: 7 | expedition 2 comes next | 3
    0 | 5 all leave / chests 1 1 1 1 2 | by the text so far, the chest of @5 holds 1, not 2 | chests 1 1 1 1 2
    0 | 5 gone snake | this belongs before the first card | gone
    1 | 5 relic | there are no relics in this game | relic
    0 | players 4 | this table has 5 players | players
    0 | 5 ? 7 | `?` has no meaning here | ?
    0 | 99999999999 | the number is too large | 99999999999
    4 | 2: chests 0 0 0 0 0 / relic | which relic? It may be relic-5 or relic-7 | relic
    3 | relic relic | no relic is in the deck now | relic";

#[test]
fn faults_are_shown_at_their_places() {
    for line in FAULTS.lines() {
        let parts: Vec<&str> = line.trim().split(" | ").collect();
        let [edition, text, message, place] = parts[..] else {
            panic!("{line}");
        };
        let edition = edition.parse().expect("a number");
        let expected = (message.to_string(), place.to_string());
        assert_eq!(fault(edition, text), expected, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No text makes the reader panic, and every fault lies in the text.
    #[test]
    fn any_text_is_read_or_refused(
        edition in 0usize..5,
        words in prop::collection::vec(
            prop::sample::select(vec![
                "5", "7", "11", "snake", "fire", "serpent", "relic", "relic-5", "@1", "@2", "@9", "leave",
                "2", "all", "me", "nobody", "/", "\n", "1:", "3:", "chests", "0 0 0 0 0", "gone", "relics",
                "players 5", "trap1", "trap2", "trap3", "and", "one", "é", "@", ":", "#", "1", "17", "seat",
            ]),
            0..30,
        ),
        way in prop::option::of(0usize..50),
    ) {
        let text = words.join(" ");
        let rules = rules(edition);
        let reader = Reader { rules: &rules, players: 5, me: way.map(|way| way % 5), way };
        if let Err(fault) = read(reader, &text) {
            prop_assert!(text.get(fault.span.clone()).is_some(), "{text:?}: {fault:?}");
        }
    }
}
