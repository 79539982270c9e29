//! What a Diamond Miner bot can see: the vocabulary of its formula.
//!
//! A bot gives a score to every move it could make. The first [`MOVE_FEATURES`] features speak of
//! the move and differ from row to row; the others are the same for all moves of a decision,
//! except `noise`. Worths are in ore, as the rules file's recipes make them, in steps of 1/8.
//! The referee and the kernel fill the same names with the same numbers; `carat show features
//! diamond_miner` prints this table.

use crate::formula::{Feature, Kind, Vocabulary};

/// Everything that a formula of Diamond Miner may use, in register order.
pub const VOCABULARY: Vocabulary = Vocabulary {
    question: "score",
    answer: Kind::Number,
    features: FEATURES,
};

const FEATURES: &[Feature] = &[
    Feature::shared(
        "ends",
        "yes or no",
        "0…1",
        "1 for the move that ends your turn; all other features of the move are then 0",
    ),
    Feature::shared(
        "mine",
        "yes or no",
        "0…1",
        "whether the card goes under a stack of your own",
    ),
    Feature::shared(
        "steals",
        "yes or no",
        "0…1",
        "whether it completes a transformation on another's stack",
    ),
    Feature::shared(
        "spoils",
        "yes or no",
        "0…1",
        "whether it goes under another's stack and completes nothing",
    ),
    Feature::shared("card_worth", "ore", "0…", "worth of the card that moves"),
    Feature::shared(
        "plays_shield",
        "yes or no",
        "0…1",
        "whether the card that moves is a shield",
    ),
    Feature::shared(
        "plays_sword",
        "yes or no",
        "0…1",
        "whether the card that moves is a sword",
    ),
    Feature::shared(
        "makes_shovel",
        "cards",
        "0…9",
        "shovels you get, beyond those that the recipe uses up of yours",
    ),
    Feature::shared("makes_cart", "cards", "0…9", "carts you get, likewise"),
    Feature::shared("makes_anvil", "cards", "0…9", "anvils you get, likewise"),
    Feature::shared("makes_shield", "cards", "0…9", "shields you get, likewise"),
    Feature::shared("makes_sword", "cards", "0…9", "swords you get, likewise"),
    Feature::shared("makes_diamond", "cards", "0…9", "diamonds you get"),
    Feature::shared(
        "gain",
        "ore",
        "any",
        "change in the worth of all cards on your table",
    ),
    Feature::shared(
        "harm",
        "ore",
        "any",
        "loss in worth of the cards on the other's table (below 0: the card you give)",
    ),
    Feature::shared(
        "production_gain",
        "ore a turn",
        "any",
        "change in the worth of what your stacks produce",
    ),
    Feature::shared(
        "production_harm",
        "ore a turn",
        "any",
        "loss in the worth of what the other's stacks produce",
    ),
    Feature::shared(
        "nearer",
        "cards",
        "any",
        "how many cards fewer the stack then lacks for its next transformation",
    ),
    Feature::shared(
        "missing",
        "cards",
        "0…9",
        "cards it then lacks, 0 when it is transformed, 9 when it has no transformation",
    ),
    Feature::shared(
        "exposes",
        "ore",
        "any",
        "change in what another could make with one card from this stack, if it is yours",
    ),
    Feature::shared(
        "protects",
        "ore",
        "0…",
        "worth of your stack when the card is its first shield",
    ),
    Feature::shared(
        "unshields",
        "shields",
        "0…",
        "shields that the card takes from another's stack",
    ),
    Feature::shared(
        "owner_diamonds",
        "diamonds",
        "0…",
        "of whoever owns the stack",
    ),
    Feature::shared(
        "owner_to_diamond",
        "ore",
        "0…",
        "worth of the cards its owner still lacks for a diamond",
    ),
    Feature::shared(
        "shovels",
        "cards",
        "0…",
        "shovels you can move: loose or on top",
    ),
    Feature::shared("carts", "cards", "0…", "carts you can move"),
    Feature::shared("anvils", "cards", "0…", "anvils you can move"),
    Feature::shared(
        "production",
        "ore a turn",
        "0…",
        "worth of what your stacks produce",
    ),
    Feature::shared("diamonds", "diamonds", "0…", "you own"),
    Feature::shared(
        "to_diamond",
        "ore",
        "0…",
        "worth of the cards you still lack for a diamond, wherever yours lie",
    ),
    Feature::shared(
        "best_production",
        "ore a turn",
        "0…",
        "of the other who produces most",
    ),
    Feature::shared(
        "best_diamonds",
        "diamonds",
        "0…",
        "of the other who owns most",
    ),
    Feature::shared(
        "leader_to_diamond",
        "ore",
        "0…",
        "least worth that any other lacks for a diamond",
    ),
    Feature::shared("bank_shovels", "cards", "0…", "shovels in the bank"),
    Feature::shared("bank_carts", "cards", "0…", "carts in the bank"),
    Feature::shared("bank_anvils", "cards", "0…", "anvils in the bank"),
    Feature::shared("moves_made", "moves", "0…", "you have made this turn"),
    Feature::shared("round", "rounds", "1…", "number of this round"),
    Feature::shared("players", "miners", "2…6", "in the game"),
    Feature::shared(
        "random",
        "probability",
        "0…1",
        "a new uniform number at each decision, the same for all its moves, never 1",
    ),
    Feature::shared(
        "noise",
        "probability",
        "0…1",
        "a new uniform number for each move, never 1",
    ),
];

/// Position of `ends` in [`VOCABULARY`]; the others follow in the order of the table.
pub const ENDS: usize = 0;
/// Position of `mine`.
pub const MINE: usize = 1;
/// Position of `steals`.
pub const STEALS: usize = 2;
/// Position of `spoils`.
pub const SPOILS: usize = 3;
/// Position of `card_worth`.
pub const CARD_WORTH: usize = 4;
/// Position of `plays_shield`.
pub const PLAYS_SHIELD: usize = 5;
/// Position of `plays_sword`.
pub const PLAYS_SWORD: usize = 6;
/// Position of `makes_shovel`; carts, anvils, shields and swords follow.
pub const MAKES_SHOVEL: usize = 7;
/// Position of `makes_diamond`.
pub const MAKES_DIAMOND: usize = 12;
/// Position of `gain`.
pub const GAIN: usize = 13;
/// Position of `harm`.
pub const HARM: usize = 14;
/// Position of `production_gain`.
pub const PRODUCTION_GAIN: usize = 15;
/// Position of `production_harm`.
pub const PRODUCTION_HARM: usize = 16;
/// Position of `nearer`.
pub const NEARER: usize = 17;
/// Position of `missing`.
pub const MISSING: usize = 18;
/// Position of `exposes`.
pub const EXPOSES: usize = 19;
/// Position of `protects`.
pub const PROTECTS: usize = 20;
/// Position of `unshields`.
pub const UNSHIELDS: usize = 21;
/// Position of `owner_diamonds`.
pub const OWNER_DIAMONDS: usize = 22;
/// Position of `owner_to_diamond`.
pub const OWNER_TO_DIAMOND: usize = 23;
/// Position of `shovels`.
pub const SHOVELS: usize = 24;
/// Position of `carts`.
pub const CARTS: usize = 25;
/// Position of `anvils`.
pub const ANVILS: usize = 26;
/// Position of `production`.
pub const PRODUCTION: usize = 27;
/// Position of `diamonds`.
pub const DIAMONDS: usize = 28;
/// Position of `to_diamond`.
pub const TO_DIAMOND: usize = 29;
/// Position of `best_production`.
pub const BEST_PRODUCTION: usize = 30;
/// Position of `best_diamonds`.
pub const BEST_DIAMONDS: usize = 31;
/// Position of `leader_to_diamond`.
pub const LEADER_TO_DIAMOND: usize = 32;
/// Position of `bank_shovels`.
pub const BANK_SHOVELS: usize = 33;
/// Position of `bank_carts`.
pub const BANK_CARTS: usize = 34;
/// Position of `bank_anvils`.
pub const BANK_ANVILS: usize = 35;
/// Position of `moves_made`.
pub const MOVES_MADE: usize = 36;
/// Position of `round`.
pub const ROUND: usize = 37;
/// Position of `players`.
pub const PLAYERS: usize = 38;
/// Position of `random`.
pub const RANDOM: usize = 39;
/// Position of `noise`.
pub const NOISE: usize = 40;

/// Features that differ from move to move.
pub const MOVE_FEATURES: usize = OWNER_TO_DIAMOND + 1;

/// What `missing` says of a stack that has no transformation.
pub const MISSING_MAX: u32 = 9;

/// Counter of the number `random` at decision `decision` of a game, from 0.
#[inline(always)]
pub const fn random_counter(decision: u64) -> u64 {
    decision << 20
}

/// Counter of the number `noise` for move `row` of that decision, from 0.
#[inline(always)]
pub const fn noise_counter(decision: u64, row: usize) -> u64 {
    (decision << 20) + 1 + row as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_table() {
        let positions = [
            ("ends", ENDS),
            ("mine", MINE),
            ("steals", STEALS),
            ("spoils", SPOILS),
            ("card_worth", CARD_WORTH),
            ("plays_shield", PLAYS_SHIELD),
            ("plays_sword", PLAYS_SWORD),
            ("makes_shovel", MAKES_SHOVEL),
            ("makes_diamond", MAKES_DIAMOND),
            ("gain", GAIN),
            ("harm", HARM),
            ("production_gain", PRODUCTION_GAIN),
            ("production_harm", PRODUCTION_HARM),
            ("nearer", NEARER),
            ("missing", MISSING),
            ("exposes", EXPOSES),
            ("protects", PROTECTS),
            ("unshields", UNSHIELDS),
            ("owner_diamonds", OWNER_DIAMONDS),
            ("owner_to_diamond", OWNER_TO_DIAMOND),
            ("shovels", SHOVELS),
            ("carts", CARTS),
            ("anvils", ANVILS),
            ("production", PRODUCTION),
            ("diamonds", DIAMONDS),
            ("to_diamond", TO_DIAMOND),
            ("best_production", BEST_PRODUCTION),
            ("best_diamonds", BEST_DIAMONDS),
            ("leader_to_diamond", LEADER_TO_DIAMOND),
            ("bank_shovels", BANK_SHOVELS),
            ("bank_carts", BANK_CARTS),
            ("bank_anvils", BANK_ANVILS),
            ("moves_made", MOVES_MADE),
            ("round", ROUND),
            ("players", PLAYERS),
            ("random", RANDOM),
            ("noise", NOISE),
        ];
        assert_eq!(positions.len() + 4, VOCABULARY.features.len());
        for (name, position) in positions {
            assert_eq!(VOCABULARY.find(name), Some(position), "{name}");
        }
    }
}
