//! The printed rules, as bots that several readers wrote from the rulebook, the sentences and the words
//! defined beside them alone: they decide as the bots of the rules.

use crate::fixtures::{game, table};
use carat_core::formula::Formula;
use carat_core::game::moments::What;
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;

const POSITIONS: usize = 200;

/// The options with the highest score of a formula, of these features each.
fn best(formula: &Formula, options: &[Vec<f32>]) -> Vec<usize> {
    let score = |option: &Vec<f32>| formula.evaluate(|feature| option[feature]).number();
    let scores = options
        .iter()
        .map(|option| score(option).expect("a number"));
    let scores = Vec::from_iter(scores);
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let is_best = |at: &usize| scores[*at] > highest - 1e-3;
    (0..scores.len()).filter(is_best).collect()
}

/// In positions of real games where the rule tells options apart, both choose the same.
fn decides_alike(name: &str, literal: &str) {
    let game = game(name);
    let literal = Formula::parse(literal, &[], game.vocabulary).expect("a formula");
    let seat = game.rule.expect("a rule").parse().expect("a bot");
    let rule = Library::default().seats(game, &seat).expect("a bot");
    let rule = rule[0].formula();
    let seats = ["simple", "people", "people", "people"];
    let table = table(game, game.editions[0].text, &seats).expect("bots play");
    let (mut positions, mut other) = (0, Vec::new());
    for number in 0.. {
        let course = table.course(5, number, StoryStyle::for_seat(0));
        for moment in course.moments {
            let What::Decision(options) = moment.what else {
                continue;
            };
            if options.seat != 0 || options.features.len() < 2 {
                continue;
            }
            let chosen = best(&rule, &options.features);
            if chosen.len() == options.features.len() {
                continue;
            }
            assert!(chosen.contains(&options.chosen));
            positions += 1;
            let read = best(&literal, &options.features);
            if read != chosen {
                let names = [chosen, read]
                    .map(|of| Vec::from_iter(of.into_iter().map(|at| options.names[at].clone())));
                other.push(format!("{}\n{names:?}", options.standing));
            }
            if positions == POSITIONS {
                let most = POSITIONS / 20;
                println!("{name}: {} of {POSITIONS} otherwise", other.len());
                assert!(other.len() <= most, "{name}: {}", other.join("\n"));
                return;
            }
        }
    }
}

#[test]
fn a_literal_reader_of_diamond_cave_decides_as_the_rule() {
    for literal in [
        include_str!("literal/diamond_cave-1.txt"),
        include_str!("literal/diamond_cave-2.txt"),
        include_str!("literal/diamond_cave-3.txt"),
        include_str!("literal/diamond_cave-4.txt"),
    ] {
        decides_alike("diamond_cave", literal);
    }
}

#[test]
fn a_literal_reader_of_diamond_miner_decides_as_the_rule() {
    for literal in [
        include_str!("literal/diamond_miner-1.txt"),
        include_str!("literal/diamond_miner-2.txt"),
        include_str!("literal/diamond_miner-3.txt"),
        include_str!("literal/diamond_miner-4.txt"),
    ] {
        decides_alike("diamond_miner", literal);
    }
}

/// The printed rules name all cards, and the page of a rule all that its words mean.
#[test]
fn printed_rules_are_complete() {
    for (name, words) in [
        (
            "diamond_cave",
            &[
                "63 cards: 15 torch, 33 standard, 15 dark",
                "12 diamonds",
                "you must turn down all cards",
                "4 per diamond gained",
            ][..],
        ),
        (
            "diamond_miner",
            &[
                "49 ore",
                "19 shovels, 9 carts, 6 anvils, 8 shields, 8 swords, 9 diamonds",
                "must be transformed",
                "anvil on top",
                "ore c (6 cards)",
            ],
        ),
    ] {
        let game = game(name);
        let seats = vec!["people"; game.players];
        let table = table(game, game.editions[0].text, &seats).expect("bots play");
        let printed = table.reference();
        for word in words {
            assert!(printed.contains(word), "{word}: {printed}");
        }
        let rules = game.rules("rules", game.editions[0].text);
        let rules = rules.unwrap_or_else(|fault| panic!("{fault}"));
        assert!(rules.terms(game.players).lines().count() >= 5);
        if name == "diamond_miner" {
            assert!(
                rules
                    .terms(game.players)
                    .contains("ore 1, shovel 1, cart 5, anvil 11")
            );
        }
    }
}
