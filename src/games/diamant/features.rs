//! What a Diamant bot can see: the vocabulary of its formula.
//!
//! The referee and the kernel fill the same names with the same numbers; `carat show
//! features diamant` prints this table.

use super::rules::{Card, DiamantRules};
use crate::formula::program::Bounds;
use crate::formula::{Feature, Kind, Vocabulary};

/// Everything that a formula of Diamant may use, in register order.
pub const VOCABULARY: Vocabulary = Vocabulary {
    question: "leave",
    answer: Kind::Truth,
    features: FEATURES,
};

const FEATURES: &[Feature] = &[
    Feature::shared(
        "held",
        "rubies",
        "0…",
        "what you would lose to a trap: the same for all who are inside",
    ),
    Feature::shared(
        "leftover",
        "rubies",
        "0…",
        "lies on the path, for those who leave next to share",
    ),
    Feature::shared(
        "relics_on_path",
        "relics",
        "0…",
        "lie on the path, for one who leaves alone",
    ),
    Feature::shared(
        "relic_worth",
        "rubies",
        "0…",
        "what one who leaves alone would get for them now",
    ),
    Feature::shared("traps_seen", "kinds", "0…8", "different traps on the path"),
    Feature::shared(
        "bust_risk",
        "probability",
        "0…1",
        "that the next card ends the expedition",
    ),
    Feature::shared(
        "treasure_left",
        "rubies",
        "0…",
        "on cards that are not revealed yet",
    ),
    Feature::shared(
        "cards_revealed",
        "cards",
        "1…64",
        "revealed in this expedition",
    ),
    Feature::shared("cards_left", "cards", "0…63", "not revealed yet"),
    Feature::shared(
        "explorers",
        "explorers",
        "1…8",
        "inside the cave, you included",
    ),
    Feature::shared("players", "explorers", "1…8", "in the game"),
    Feature::shared("round", "expeditions", "1…20", "number of this expedition"),
    Feature::shared("rounds_left", "expeditions", "0…19", "after this one"),
    Feature::shared(
        "just_left",
        "explorers",
        "0…7",
        "left at the last decision of this expedition",
    ),
    Feature::own(
        "chest",
        "rubies",
        "0…",
        "you have brought home, relics included",
    ),
    Feature::own(
        "best_other_chest",
        "rubies",
        "0…",
        "of the richest other explorer (open chests only)",
    ),
    Feature::own(
        "rank",
        "place",
        "1…8",
        "1 when no other chest is fuller than yours (open chests only)",
    ),
    Feature::own(
        "random",
        "probability",
        "0…1",
        "a new uniform number at each of your decisions, never 1",
    ),
];

/// Position of `held` in [`VOCABULARY`]; the others follow in the order of the table.
pub const HELD: usize = 0;
/// Position of `leftover`.
pub const LEFTOVER: usize = 1;
/// Position of `relics_on_path`.
pub const RELICS_ON_PATH: usize = 2;
/// Position of `relic_worth`.
pub const RELIC_WORTH: usize = 3;
/// Position of `traps_seen`.
pub const TRAPS_SEEN: usize = 4;
/// Position of `bust_risk`.
pub const BUST_RISK: usize = 5;
/// Position of `treasure_left`.
pub const TREASURE_LEFT: usize = 6;
/// Position of `cards_revealed`.
pub const CARDS_REVEALED: usize = 7;
/// Position of `cards_left`.
pub const CARDS_LEFT: usize = 8;
/// Position of `explorers`.
pub const EXPLORERS: usize = 9;
/// Position of `players`.
pub const PLAYERS: usize = 10;
/// Position of `round`.
pub const ROUND: usize = 11;
/// Position of `rounds_left`.
pub const ROUNDS_LEFT: usize = 12;
/// Position of `just_left`.
pub const JUST_LEFT: usize = 13;
/// Position of `chest`.
pub const CHEST: usize = 14;
/// Position of `best_other_chest`.
pub const BEST_OTHER_CHEST: usize = 15;
/// Position of `rank`.
pub const RANK: usize = 16;
/// Position of `random`.
pub const RANDOM: usize = 17;

/// Counter of the `random` number that `seat` sees at the decision after card
/// `cards_revealed` of expedition `round` (from 0).
#[inline(always)]
pub const fn random_counter(round: u32, cards_revealed: u32, seat: usize) -> u64 {
    ((round as u64 * 128) + cards_revealed as u64) * 8 + seat as u64
}

/// Between what each feature lies at a table of `seats`, where it is a whole number that takes no
/// more than 15 bits. All rubies and relics of a box do, 64 cards of 255 at most; chests may hold
/// more, and are then floats, as is the rank that follows from them.
pub fn bounds(rules: &DiamantRules, seats: usize) -> Vec<Bounds> {
    let mut rubies = 0;
    let mut relics = 0;
    for card in &rules.cards {
        match *card {
            Card::Treasure(value) => rubies += i32::from(value),
            Card::Relic(relic) => relics += i32::from(rules.relics[usize::from(relic)]),
            Card::Trap(_) => (),
        }
    }
    let cards = rules.cards.len() as i32;
    let rounds = rules.rounds as i32;
    let seats = seats as i32;
    let mut bounds = vec![None; FEATURES.len()];
    for (feature, low, high) in [
        (HELD, 0, rubies),
        (LEFTOVER, 0, rubies),
        (RELICS_ON_PATH, 0, rules.relics.len() as i32),
        (RELIC_WORTH, 0, relics),
        (TRAPS_SEEN, 0, 8),
        (TREASURE_LEFT, 0, rubies),
        (CARDS_REVEALED, 0, cards),
        (CARDS_LEFT, 0, cards),
        (EXPLORERS, 0, seats),
        (PLAYERS, seats, seats),
        (ROUND, 1, rounds),
        (ROUNDS_LEFT, 0, rounds - 1),
        (JUST_LEFT, 0, seats),
    ] {
        bounds[feature] = Some((low, high));
    }
    if !rules.chests_are_wide() {
        bounds[CHEST] = Some((0, rules.score_max() as i32));
        bounds[BEST_OTHER_CHEST] = bounds[CHEST];
        bounds[RANK] = Some((1, seats));
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_table() {
        let positions = [
            ("held", HELD),
            ("leftover", LEFTOVER),
            ("relics_on_path", RELICS_ON_PATH),
            ("relic_worth", RELIC_WORTH),
            ("traps_seen", TRAPS_SEEN),
            ("bust_risk", BUST_RISK),
            ("treasure_left", TREASURE_LEFT),
            ("cards_revealed", CARDS_REVEALED),
            ("cards_left", CARDS_LEFT),
            ("explorers", EXPLORERS),
            ("players", PLAYERS),
            ("round", ROUND),
            ("rounds_left", ROUNDS_LEFT),
            ("just_left", JUST_LEFT),
            ("chest", CHEST),
            ("best_other_chest", BEST_OTHER_CHEST),
            ("rank", RANK),
            ("random", RANDOM),
        ];
        assert_eq!(positions.len(), VOCABULARY.features.len());
        for (name, position) in positions {
            assert_eq!(VOCABULARY.find(name), Some(position), "{name}");
        }
    }
}
