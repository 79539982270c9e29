//! The printed rules, as bots that were written from the rulebook, the sentences and the words defined
//! beside them alone: they decide as the bots of the rules.

use crate::fixtures::{game, table};
use carat_core::formula::Formula;
use carat_core::game::moments::What;
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;

const POSITIONS: usize = 200;

/// The options with the highest score of a formula, of these features each.
fn best(formula: &Formula, options: &[Vec<f32>]) -> Vec<usize> {
    let score = |option: &Vec<f32>| formula.evaluate(|feature| option[feature]).number();
    let scores = options.iter().map(|option| score(option).expect("a number"));
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
                let names = [chosen, read].map(|of| Vec::from_iter(of.into_iter().map(|at| options.names[at].clone())));
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
    decides_alike("diamond_cave", include_str!("literal/diamond_cave.txt"));
}

#[test]
fn a_literal_reader_of_diamond_miner_decides_as_the_rule() {
    decides_alike("diamond_miner", include_str!("literal/diamond_miner.txt"));
}
