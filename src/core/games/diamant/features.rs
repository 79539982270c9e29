//! What a Diamant bot can see: the vocabulary of its formula.
//!
//! The referee and the kernel fill the same names with the same numbers; `carat show
//! features diamant` prints this table.

use super::rules::{Chests, DiamantRules};
use crate::formula::Formula;
use crate::game::vocabulary;

vocabulary! {
    question "leave", answer Truth;
    HELD = shared("held", "rubies", "0…", "rubies you carry and would lose to a trap; all players inside carry the same");
    LEFTOVER = shared("leftover", "rubies", "0…", "rubies on the path, shared by the players who leave next");
    RELICS_ON_PATH = shared("relics_on_path", "relics", "0…", "relics on the path; only a player who leaves alone takes them");
    RELIC_WORTH = shared("relic_worth", "rubies", "0…", "worth of these relics now to a player who leaves alone");
    TRAPS_SEEN = shared("traps_seen", "kinds", "0…8", "different traps on the path");
    BUST_RISK = shared("bust_risk", "probability", "0…1", "probability that the next card ends the expedition");
    TREASURE_LEFT = shared("treasure_left", "rubies", "0…", "rubies on cards not revealed yet");
    CARDS_REVEALED = shared("cards_revealed", "cards", "0…64", "cards revealed in this expedition");
    CARDS_LEFT = shared("cards_left", "cards", "0…63", "cards not revealed yet");
    EXPLORERS = shared("explorers", "players", "1…8", "players inside the cave, you included");
    PLAYERS = shared("players", "players", "1…8", "players in the game");
    ROUND = shared("round", "expeditions", "1…20", "number of this expedition");
    ROUNDS_LEFT = shared("rounds_left", "expeditions", "0…19", "expeditions after this one");
    JUST_LEFT = shared("just_left", "players", "0…7", "players who left at the last decision of this expedition");
    CHESTS_OPEN = shared("chests_open", "0 or 1", "0, 1", "1 if everyone knows all chests, 0 if they are hidden; features of other chests may stand in a part of a formula for 1 alone");
    CHEST = own("chest", "rubies", "0…", "rubies in your chest, relics included");
    BEST_OTHER_CHEST = own("best_other_chest", "rubies", "0…", "rubies in the fullest other chest (open chests only)");
    BEST_INSIDE = own("best_inside", "rubies", "0…", "rubies in the fullest chest of the other players inside; 0 if there are none (open chests only)");
    BEST_OUTSIDE = own("best_outside", "rubies", "0…", "rubies in the fullest chest of the players outside; 0 if all are inside (open chests only)");
    RANK = own("rank", "places", "1…8", "your place by chest; 1 if no other chest is fuller (open chests only)");
    RANDOM = own("random", "probability", "0…1", "uniform random number below 1, new at each of your decisions");
    TEMPER = own("temper", "probability", "0…1", "uniform random number below 1, the same for you throughout the game");
}

/// Counter of the `random` number of `seat` at the decision after card `cards_revealed` of
/// expedition `round` (from 0).
#[inline(always)]
pub const fn random_counter(round: u32, cards_revealed: u32, seat: usize) -> u64 {
    ((round as u64 * 128) + cards_revealed as u64) * 8 + seat as u64
}

/// The formula as these rules leave it: whether chests are open is known in advance.
pub fn under(rules: &DiamantRules, formula: &Formula) -> Formula {
    let open = f32::from(u8::from(rules.chests == Chests::Open));
    formula.given(&[(CHESTS_OPEN, open)])
}

/// A feature in `formula` that these rules hide, if any.
pub fn hidden(rules: &DiamantRules, formula: &Formula) -> Option<usize> {
    let secret = [BEST_OTHER_CHEST, BEST_INSIDE, BEST_OUTSIDE, RANK];
    match rules.chests {
        Chests::Open => None,
        Chests::Hidden => secret.into_iter().find(|&feature| formula.uses(feature)),
    }
}
