use super::super::cards::{ANVIL, ORE, SHIELD, SHOVEL, SWORD};
use super::*;
use crate::testing::assert_refused;

fn counts(cards: &[(usize, u8)]) -> Counts {
    let mut counts = [0; CLASSES];
    for (class, copies) in cards {
        counts[*class] = *copies;
    }
    counts
}

#[test]
fn recipes_read_as_they_are_written() {
    let recipe = parse("ore + ore -> shovel").unwrap();
    assert_eq!((recipe.top, recipe.effect), (ORE, Effect::Transform));
    assert_eq!(recipe.need, counts(&[(ORE, 2)]));
    assert_eq!(recipe.gives, [counts(&[(SHOVEL, 1)])]);

    let recipe = parse("shovel+2 shovels+>2ore").unwrap();
    assert_eq!((recipe.top, recipe.effect), (SHOVEL, Effect::Produce));
    assert_eq!(recipe.need, counts(&[(SHOVEL, 3)]));
    assert_eq!(recipe.gives, [counts(&[(ORE, 2)])]);

    let recipe = parse("anvil + ore -> anvil + shield or anvil + sword").unwrap();
    assert_eq!(
        recipe.gives,
        [
            counts(&[(ANVIL, 1), (SHIELD, 1)]),
            counts(&[(ANVIL, 1), (SWORD, 1)])
        ]
    );
}

#[test]
fn faults_are_shown_at_their_place() {
    assert_refused(
        &[
            "ore + shovle -> shovel => 6..12 there is no card called `shovle` | the cards are ore, shovel, cart, anvil, shield, sword, diamond | did you mean `shovel`?",
            "ore + ore => 9..9 a recipe says what it gives after `->` or `+>`",
            "ore + -> shovel => 6..8 a card is missing",
            "ore + ore = shovel => 10..11 `=` is not part of a recipe",
            "ore ore -> shovel => 4..7 a recipe says what it gives after `->` or `+>`",
            "ore + ore -> 0 shovels => 13..14 0 copies of a card",
            "ore + ore -> 7 ore + 7 ore => 21..26 more than 9 copies of one card",
            "ore + ore +> ore or shovel => 17..19 a production leaves no choice",
            "ore + ore -> shovel shovel => 20..26 the recipe goes on",
            "ore → shovel => 4..7 `→` is not part of a recipe",
            " => 0..0 a card is missing",
        ],
        |text| parse(text).unwrap_err(),
    );
}
