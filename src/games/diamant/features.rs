//! What a Diamant bot can see: the vocabulary of its formula.
//!
//! The referee and the kernel fill the same names with the same numbers; `carat show
//! features diamant` prints this table.

use super::rules::{Chests, DiamantRules};
use crate::formula::{Feature, Formula, Kind, Vocabulary};

/// Everything that a formula of Diamant may use, in register order.
pub const VOCABULARY: Vocabulary = Vocabulary {
    question: "leave",
    answer: Kind::Truth,
    features: FEATURES,
};

#[rustfmt::skip] // A table, one feature a line.
const FEATURES: &[Feature] = &[
    Feature::shared("held", "rubies", "0…", "what you would lose to a trap: the same for all who are inside"),
    Feature::shared("leftover", "rubies", "0…", "lies on the path, for those who leave next to share"),
    Feature::shared("relics_on_path", "relics", "0…", "lie on the path, for one who leaves alone"),
    Feature::shared("relic_worth", "rubies", "0…", "what one who leaves alone would get for them now"),
    Feature::shared("traps_seen", "kinds", "0…8", "different traps on the path"),
    Feature::shared("bust_risk", "probability", "0…1", "that the next card ends the expedition"),
    Feature::shared("treasure_left", "rubies", "0…", "on cards that are not revealed yet"),
    Feature::shared("cards_revealed", "cards", "1…64", "revealed in this expedition"),
    Feature::shared("cards_left", "cards", "0…63", "not revealed yet"),
    Feature::shared("explorers", "explorers", "1…8", "inside the cave, you included"),
    Feature::shared("players", "explorers", "1…8", "in the game"),
    Feature::shared("round", "expeditions", "1…20", "number of this expedition"),
    Feature::shared("rounds_left", "expeditions", "0…19", "after this one"),
    Feature::shared("just_left", "explorers", "0…7", "left at the last decision of this expedition"),
    Feature::own("chest", "rubies", "0…", "you have brought home, relics included"),
    Feature::own("best_other_chest", "rubies", "0…", "of the richest other explorer (open chests only)"),
    Feature::own("best_inside", "rubies", "0…", "in the fullest chest of the others inside, 0 without others (open chests only)"),
    Feature::own("best_outside", "rubies", "0…", "in the fullest chest of those outside, 0 when all are inside (open chests only)"),
    Feature::own("rank", "place", "1…8", "1 when no other chest is fuller than yours (open chests only)"),
    Feature::own("random", "probability", "0…1", "a new uniform number at each of your decisions, never 1"),
];

/// Where a feature is in [`VOCABULARY`].
const fn at(name: &str) -> usize {
    VOCABULARY.position(name)
}

pub const HELD: usize = at("held");
pub const LEFTOVER: usize = at("leftover");
pub const RELICS_ON_PATH: usize = at("relics_on_path");
pub const RELIC_WORTH: usize = at("relic_worth");
pub const TRAPS_SEEN: usize = at("traps_seen");
pub const BUST_RISK: usize = at("bust_risk");
pub const TREASURE_LEFT: usize = at("treasure_left");
pub const CARDS_REVEALED: usize = at("cards_revealed");
pub const CARDS_LEFT: usize = at("cards_left");
pub const EXPLORERS: usize = at("explorers");
pub const PLAYERS: usize = at("players");
pub const ROUND: usize = at("round");
pub const ROUNDS_LEFT: usize = at("rounds_left");
pub const JUST_LEFT: usize = at("just_left");
pub const CHEST: usize = at("chest");
pub const BEST_OTHER_CHEST: usize = at("best_other_chest");
pub const BEST_INSIDE: usize = at("best_inside");
pub const BEST_OUTSIDE: usize = at("best_outside");
pub const RANK: usize = at("rank");
pub const RANDOM: usize = at("random");

/// Counter of the `random` number that `seat` sees at the decision after card
/// `cards_revealed` of expedition `round` (from 0).
#[inline(always)]
pub const fn random_counter(round: u32, cards_revealed: u32, seat: usize) -> u64 {
    ((round as u64 * 128) + cards_revealed as u64) * 8 + seat as u64
}

/// The feature that `formula` may not use under these rules, if it uses one.
pub fn hidden(rules: &DiamantRules, formula: &Formula) -> Option<usize> {
    let secret = [BEST_OTHER_CHEST, BEST_INSIDE, BEST_OUTSIDE, RANK];
    match rules.chests {
        Chests::Open => None,
        Chests::Hidden => secret.into_iter().find(|&feature| formula.uses(feature)),
    }
}
