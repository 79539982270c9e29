//! Diamond Miner as a whole: kernel and referee over random rules and bots, endings, stability.

use crate::fixtures::{assert_same, both, level, table};
use crate::tables::{bots, numbers, seat, seats};
use carat_core::catalog;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Game, MetricRef, Record, Seating, Table};
use carat_core::library::Library;
use carat_core::strategy::Seat;
use fearless_simd::Level;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::strategy::Strategy as Pick;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

fn game() -> &'static Game {
    catalog::find("diamond_miner").expect("in the catalog")
}

fn standard() -> &'static str {
    game().editions[0].text
}

/// A bot that answers with `score`.
fn bot(score: &str) -> Seat {
    seat("diamond_miner", score, &Default::default())
}

/// Sum over a record of what a metric of the table is the mean of.
fn sum(table: &dyn Table, record: &Record, metric: &str) -> i64 {
    let layout = table.layout();
    let metric = MetricRef::find(layout, metric).expect("a metric");
    let fraction = layout.fraction(metric).expect("a metric of the table");
    let column = record.column(fraction.of[0]);
    column.iter().map(|value| i64::from(*value)).sum()
}

fn played(table: &dyn Table, seed: u64, games: usize) -> Record {
    let mut record = Record::new(table.layout(), games);
    table.play(Level::new(), seed, 0, &mut record);
    record
}

const ORE: [&str; 8] = [
    "ore + ore -> shovel",
    "ore + ore + ore -> 2 shovels",
    "ore + shovel +> 1 ore",
    "ore + ore +> 1 shovel",
    "ore + shovel -> cart",
    "ore + shield + ore -> shovel + sword",
    "ore + ore + ore + ore -> cart or 3 shovels",
    "ore + sword +> 2 ore + shield",
];
const SHOVELS: [&str; 7] = [
    "shovel + shovel +> 2 ore",
    "shovel + shovel + shovel -> cart",
    "shovel + ore +> 3 ore",
    "shovel + 3 ore -> cart",
    "shovel + ore + ore -> 2 shovels or cart",
    "shovel + cart -> anvil + ore",
    "shovel + shield +> 1 cart + 1 sword",
];
const CARTS: [&str; 6] = [
    "cart + shovel +> 1 shovel",
    "cart + cart -> anvil",
    "cart + shovel + anvil -> diamond",
    "cart + ore + ore -> shield or sword",
    "cart + sword + shovel -> diamond + cart",
    "cart + anvil -> 2 diamonds",
];
const ARMS: [&str; 6] = [
    "anvil + ore -> anvil + shield or anvil + sword",
    "anvil + shovel +> 1 ore",
    "anvil + anvil -> diamond",
    "shield + ore -> sword",
    "sword + ore -> shield",
    "sword + sword -> diamond or cart",
];

/// A rules file; many of those that come out cannot be played.
fn rules_files() -> impl Pick<Value = String> {
    let recipes = (
        proptest::collection::vec(subsequence(ORE.to_vec(), 1..=4), 1..=4),
        subsequence(SHOVELS.to_vec(), 1..=4),
        subsequence(CARTS.to_vec(), 2..=5),
        subsequence(ARMS.to_vec(), 1..=4),
    );
    let counts = (
        proptest::collection::vec(0..16u8, 4),
        (4..20u8, 2..10u8, 1..7u8, 1..9u8, 1..9u8, 3..9u8),
    );
    let numbers = (1..4u8, 0..5u8, 5..20u8, 1..12u8, any::<[bool; 3]>());
    (recipes, counts, numbers).prop_map(|((ore, shovel, cart, arms), (cards, bank), (goal, take, rounds, moves, [stay, tops, at_once]))| {
        let (shovels, carts, anvils, shields, swords, diamonds) = bank;
        let of = |top: &str| {
            let mine: Vec<&&str> = arms.iter().filter(|recipe| recipe.starts_with(top)).collect();
            format!("{top} = {mine:?}\n")
        };
        let mut text = format!(
            "game = \"diamond_miner\"\ntitle = \"made up\"\ngoal = {goal}\ntake = {take}\nrounds = {rounds}\nmoves = {moves}\n\
             arms = \"{}\"\ntop_arms_count = {tops}\nreshuffle = \"{}\"\n[players]\nmin = 2\nmax = 6\n[cards]\nshovel = {shovels}\ncart = {carts}\nanvil = {anvils}\nshield = {shields}\n\
             sword = {swords}\ndiamond = {diamonds}\n[recipes]\nshovel = {shovel:?}\ncart = {cart:?}\n{}{}{}\
             [minutes]\nset_up = 0\ncard = 0\ndecision = 0\nturn = 0\n",
            if stay { "stay" } else { "travel" }, if at_once { "at-once" } else { "at-draw" },
            of("anvil"), of("shield"), of("sword"),
        );
        for (front, (recipes, cards)) in ore.iter().zip(cards).enumerate() {
            text += &format!("[ore.front{front}]\ncards = {cards}\nrecipes = {recipes:?}\n");
        }
        text
    })
}

#[test]
fn kernel_plays_the_referees_game_under_any_rules() {
    let bots = bots(numbers("diamond_miner"), 2..=6);
    let all = [Seating::EveryOrder, Seating::Neighbours, Seating::Fixed];
    let seatings = proptest::sample::select(all.to_vec());
    let inputs = (rules_files(), bots, seatings, any::<u64>());
    let cases = crate::fixtures::cases(1500);
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        ..ProptestConfig::default()
    });
    let played = Cell::new(0u32);
    let result = runner.run(&inputs, |(rules, bots, seating, seed)| {
        // Many made-up rules hold a recipe that can never fire.
        let Ok(rules) = game().rules("made-up", &rules) else {
            return Ok(());
        };
        let table = rules
            .table(&seats("diamond_miner", &bots), seating)
            .unwrap();
        let both = both(table.as_ref(), level(seed), seed, seed % 1000, 3);
        assert_same(table.as_ref(), "made-up rules", &both);
        played.set(played.get() + 1);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        played.get() >= cases / 40,
        "only {} rules files could be played",
        played.get()
    );
}

#[test]
fn every_bot_ends_its_turns_and_games() {
    let library = Library::default();
    for name in library.strategy_names(game()) {
        for players in [2, 4, 6] {
            let table = table(game(), standard(), &vec![name.as_str(); players]).unwrap();
            let record = played(table.as_ref(), 2, 40);
            let rounds = sum(table.as_ref(), &record, "rounds_per_game");
            assert!(rounds <= 40 * 200, "{name}: {rounds} rounds");
            let cut = sum(table.as_ref(), &record, "cut_turns_per_game");
            assert_eq!(cut, 0, "{name}");
        }
    }
}

#[test]
fn games_without_a_possible_win_are_capped() {
    let text = standard().replacen("rounds = 200", "rounds = 7", 1);
    let rules = game().rules("short", &text).unwrap();
    let table = rules
        .table(&[bot("ends"), bot("ends")], Seating::Fixed)
        .unwrap();
    let record = played(table.as_ref(), 1, 10);
    assert_eq!(sum(table.as_ref(), &record, "capped_rate"), 10);
    assert_eq!(sum(table.as_ref(), &record, "rounds_per_game"), 70);
    assert_eq!(sum(table.as_ref(), &record, "shared_win_rate"), 10);
}

#[test]
fn recipes_that_feed_each_other_are_cut() {
    let text = standard()
        .replace("\"ore + ore -> shovel\"", "\"ore + ore -> 2 ore\"")
        .replacen("moves = 100", "moves = 20", 1);
    let rules = game().rules("loop", &text).unwrap();
    let turning = || bot("if ends > 0 then 0 else if missing == 0 then 1 else -1");
    let table = rules
        .table(&[turning(), turning()], Seating::EveryOrder)
        .unwrap();
    let both = both(table.as_ref(), Level::new(), 1, 0, 10);
    assert_same(table.as_ref(), "loop", &both);
    assert!(sum(table.as_ref(), &both[0], "cut_turns_per_game") > 0);
}

#[test]
fn tools_that_only_productions_give_have_a_worth_too() {
    let text = standard()
        .replace("\"ore + ore -> shovel\"", "\"ore + ore +> 1 shovel\"")
        .replacen("\"ore + ore + ore -> 2 shovels\"", "", 1)
        .replacen("\"ore + ore -> shovel + shield or shovel + sword\"", "", 1);
    let rules = game().rules("slow", &text).unwrap();
    let seats = [
        bot("gain + production_gain"),
        bot("production_gain + noise"),
    ];
    let table = rules.table(&seats, Seating::EveryOrder).unwrap();
    let both = both(table.as_ref(), Level::new(), 1, 0, 3);
    assert_same(table.as_ref(), "slow", &both);
}

#[test]
fn a_changed_recipe_shows() {
    let rounds = |from: &str, to: &str| {
        let text = standard().replacen(from, to, 1);
        let table = table(game(), &text, &["builder"; 3]).unwrap();
        sum(
            table.as_ref(),
            &played(table.as_ref(), 1, 200),
            "rounds_per_game",
        )
    };
    let normal = rounds("", "");
    assert!(rounds("3 ore -> cart", "3 ore -> 2 carts") < normal);
    assert!(rounds("shovel + shovel +> 2 ore", "shovel + shovel +> 1 ore") > normal);
}

#[test]
fn stories_cover_a_game() {
    let table = table(game(), standard(), &["builder", "rusher", "thief"]).unwrap();
    let story = table.replay(1, 1, StoryStyle::PLAIN);
    for said in ["player 3 (thief) begins", "Round 2\n", "takes "] {
        assert!(story.contains(said), "{said}: {story}");
    }
    assert!(story.trim_end().ends_with("diamonds."), "{story}");
}
