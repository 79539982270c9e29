//! Tests of reading rules: which files load, and which errors faulty files give.

use super::super::cards::{ANVIL, CART, SHOVEL, WORTH_UNITS};
use super::*;
use crate::testing::assert_rules_refused;

/// Part to replace, its replacement, and parts of the error message.
const FAULTS: &str = r#"
    "cart + cart + ore -> anvil" | "cart + cartt -> anvil" | no card called `cartt` | ^^^^^ | did you mean `cart`?
    "cart + cart + ore -> anvil" | "shovel + cart -> anvil" | starts with shovel | the top card comes first
    "cart + cart + ore -> anvil" | "cart -> anvil" | needs only its top card
    "cart + cart + ore -> anvil" | "cart + diamond -> anvil" | a diamond never lies in a stack
    "cart + cart + ore -> anvil" | "cart + shield + sword -> anvil" | a shield and a sword
    "cart + cart + ore -> anvil" | "cart + 9 carts -> anvil" | more than 9 copies
    "cart + cart + ore -> anvil" | "cart + 7 anvils -> anvil" | it needs 7 of anvil, and there are 6
    "cart + cart + ore -> anvil" | "cart + shovel -> anvil" | turns into something else first
    "shovel + shovel +> 2 ore" | "shovel + shovel + 4 ore +> 2 ore" | turns into something else first
    "cart + shovel + anvil -> diamond" | "cart + shovel + anvil -> 2 carts" | 9 diamond cards, but no recipe gives a diamond
    shield = [] | shield = ["shield + sword"] | `->` or `+>` is missing
    "shovel + shovel + 3 ore -> cart" | "shovel + cart -> 2 carts" | no obtainable cards give `cart`
    shield = 8 | shield = 0 | gives 1 of shield, and there are 0 | cannot be produced
    ore -> 2 shovels" | ore -> 9 carts + 9 anvils" | gives 9 of anvil, and there are 6
    shovel = 19 | shovel = 128 | cards.shovel is 128 | should be 0 to 127
    shovel = 19 | shovel = 99 | 188 cards in all | at most 127
    goal = 2 | goal = 10 | goal is 10 | should be 1 to 9
    goal = 2 | gaol = 2 | gaol | did you mean `goal`?
    max = 6 | max = 7 | players.max is 7 | should be 2 to 6
    min = 2 | min = 1 | players.min is 1 | should be 2 to 6
    rounds = 200 | rounds = 0 | rounds is 0 | should be 1 to 1000
    game = "diamond_miner" | game = "diamant" | not of diamond_miner
    shovel = 19 | spade = 19 | spade
"#;

#[test]
fn recipes_and_counts_that_cannot_be_are_refused() {
    assert_rules_refused(EDITIONS[0].text, MinerRules::from_toml, FAULTS);
}

#[test]
fn the_standard_edition_has_the_printed_cards() {
    let rules = MinerRules::from_toml("standard", EDITIONS[0].text).unwrap();
    assert_eq!(rules.copies(), [49, 19, 9, 6, 8, 8, 9]);
    assert_eq!((rules.goal, rules.take, rules.score_max()), (2, 2, 2));
    assert_eq!(rules.fronts.len(), 3);
    assert_eq!(rules.of(Card::of(ANVIL), Effect::Transform).len(), 2);
    // Two ore give a shovel and a shield; two shovels and three ore a cart; two carts and an ore an
    // anvil.
    assert_eq!(
        rules.worth.map(|worth| f64::from(worth) / 8.0),
        [1.0, 1.0, 5.0, 11.0, 1.0, 1.0, 17.0]
    );
    assert_eq!(rules.card_name(Card(1)), "ore b");
}

#[test]
fn a_front_without_cards_is_left_out() {
    let text = EDITIONS[0].text.replace("cards = 26", "cards = 0");
    let text = text.replace("cards = 6\n", "cards = 0\n");
    let rules = MinerRules::from_toml("mine.toml", &text).unwrap();
    assert_eq!(rules.copies()[ORE], 17);
    assert_eq!(rules.worth[SHOVEL], 2 * WORTH_UNITS);
}

#[test]
fn two_transformations_may_be_completed_by_one_card() {
    let text = EDITIONS[0].text.replacen(
        "\"cart + cart + ore -> anvil\"",
        "\"cart + cart + ore -> anvil\", \"cart + cart + ore -> 2 shovels\"",
        1,
    );
    let rules = MinerRules::from_toml("mine.toml", &text).unwrap();
    assert_eq!(rules.of(Card::of(CART), Effect::Transform).len(), 3);
}
