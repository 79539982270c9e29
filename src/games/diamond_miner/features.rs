//! What a Diamond Miner bot can see: the vocabulary of its formula.
//!
//! A bot gives a score to every move it could make. The first features speak of the move and differ
//! from row to row; the others are the same for all moves of a decision, except `noise`. Worths are
//! in ore, as the rules file's recipes make them, in steps of 1/8. The referee and the kernel fill the same names with the same numbers; `carat show features
//! diamond_miner` prints this table.

use super::cards::{DIAMOND, SHOVEL, SWORD};
use crate::formula::{Feature, Kind, Vocabulary};
use std::ops::Range;

/// Everything that a formula of Diamond Miner may use, in register order.
pub const VOCABULARY: Vocabulary = Vocabulary {
    question: "score",
    answer: Kind::Number,
    features: FEATURES,
};

#[rustfmt::skip] // A table, one feature a line.
const FEATURES: &[Feature] = &[
    // Of a move: what it does with cards (OF_CARDS).
    Feature::shared("ends", "yes or no", "0…1", "1 for the move that ends your turn; all other features of the move are then 0"),
    Feature::shared("mine", "yes or no", "0…1", "whether the card goes under a stack of your own"),
    Feature::shared("steals", "yes or no", "0…1", "whether it completes a transformation on another's stack"),
    Feature::shared("spoils", "yes or no", "0…1", "whether it goes under another's stack and completes nothing"),
    Feature::shared("card_worth", "ore", "0…", "worth of the card that moves"),
    Feature::shared("plays_shield", "yes or no", "0…1", "whether the card that moves is a shield"),
    Feature::shared("plays_sword", "yes or no", "0…1", "whether the card that moves is a sword"),
    Feature::shared("makes_shovel", "cards", "0…9", "shovels you get, beyond those that the recipe uses up of yours"),
    Feature::shared("makes_cart", "cards", "0…9", "carts you get, likewise"),
    Feature::shared("makes_anvil", "cards", "0…9", "anvils you get, likewise"),
    Feature::shared("makes_shield", "cards", "0…9", "shields you get, likewise"),
    Feature::shared("makes_sword", "cards", "0…9", "swords you get, likewise"),
    Feature::shared("makes_diamond", "cards", "0…9", "diamonds you get"),
    Feature::shared("gain", "ore", "any", "change in the worth of all cards on your table"),
    Feature::shared("harm", "ore", "any", "loss in worth of the cards on the other's table (below 0: the card you give)"),
    Feature::shared("production_gain", "ore a turn", "any", "change in the worth of what your stacks produce"),
    Feature::shared("production_harm", "ore a turn", "any", "loss in the worth of what the other's stacks produce"),
    Feature::shared("nearer", "cards", "any", "how many cards fewer the stack then lacks for its next transformation"),
    Feature::shared("missing", "cards", "0…9", "cards it then lacks, 0 when it is transformed, 9 when it has no transformation"),
    Feature::shared("exposes", "ore", "any", "change in what another could make with one card from this stack, if it is yours"),
    Feature::shared("protects", "ore", "0…", "worth of your stack when the card is its first shield"),
    Feature::shared("unshields", "shields", "0…", "shields that the card takes from another's stack"),
    // Of a move: what follows from what lies on all tables (OF_REACH).
    Feature::shared("lacks", "cards", "0…9", "cards that the stack then lacks for its next transformation beyond those you can still move; 9 when it has none"),
    Feature::shared("advances", "yes or no", "0…1", "whether the card is needed for a transformation of the stack that it completes, or that you can complete with cards you can still move"),
    Feature::shared("risk", "ore", "any", "change in the worth of your cards that others could use up before your next turn, with what they have and will take"),
    // Of a move: whose stack it is about (OF_OWNER).
    Feature::shared("owner_diamonds", "diamonds", "0…", "of whoever owns the stack"),
    Feature::shared("owner_to_diamond", "ore", "0…", "worth of the cards its owner still lacks for a diamond"),
    // The same for all moves of a decision (OF_TABLE).
    Feature::shared("ore", "cards", "0…", "ore you can move: loose or on top"),
    Feature::shared("shovels", "cards", "0…", "shovels you can move"),
    Feature::shared("carts", "cards", "0…", "carts you can move"),
    Feature::shared("anvils", "cards", "0…", "anvils you can move"),
    Feature::shared("shields", "cards", "0…", "shields you can move"),
    Feature::shared("swords", "cards", "0…", "swords you can move"),
    Feature::shared("production", "ore a turn", "0…", "worth of what your stacks produce"),
    Feature::shared("diamonds", "diamonds", "0…", "you own"),
    Feature::shared("to_diamond", "ore", "0…", "worth of the cards you still lack for a diamond, wherever yours lie"),
    Feature::shared("best_production", "ore a turn", "0…", "of the other who produces most"),
    Feature::shared("best_diamonds", "diamonds", "0…", "of the other who owns most"),
    Feature::shared("leader_to_diamond", "ore", "0…", "least worth that any other lacks for a diamond"),
    Feature::shared("worth_shovel", "ore", "0…", "of a shovel under these rules"),
    Feature::shared("worth_cart", "ore", "0…", "of a cart under these rules"),
    Feature::shared("worth_anvil", "ore", "0…", "of an anvil under these rules"),
    Feature::shared("bank_shovels", "cards", "0…", "shovels in the bank"),
    Feature::shared("bank_carts", "cards", "0…", "carts in the bank"),
    Feature::shared("bank_anvils", "cards", "0…", "anvils in the bank"),
    Feature::shared("moves_made", "moves", "0…", "you have made this turn"),
    Feature::shared("round", "rounds", "1…", "number of this round"),
    Feature::shared("players", "miners", "2…6", "in the game"),
    Feature::shared("random", "probability", "0…1", "a new uniform number at each decision, the same for all its moves, never 1"),
    // Another number for each move.
    Feature::shared("noise", "probability", "0…1", "a new uniform number for each move, never 1"),
];

/// Where a feature is in [`VOCABULARY`].
const fn at(name: &str) -> usize {
    VOCABULARY.position(name)
}

pub const ENDS: usize = at("ends");
pub const MINE: usize = at("mine");
pub const STEALS: usize = at("steals");
pub const SPOILS: usize = at("spoils");
pub const CARD_WORTH: usize = at("card_worth");
pub const PLAYS_SHIELD: usize = at("plays_shield");
pub const PLAYS_SWORD: usize = at("plays_sword");
pub const MAKES_SHOVEL: usize = at("makes_shovel");
pub const MAKES_DIAMOND: usize = at("makes_diamond");
pub const GAIN: usize = at("gain");
pub const HARM: usize = at("harm");
pub const PRODUCTION_GAIN: usize = at("production_gain");
pub const PRODUCTION_HARM: usize = at("production_harm");
pub const NEARER: usize = at("nearer");
pub const MISSING: usize = at("missing");
pub const EXPOSES: usize = at("exposes");
pub const PROTECTS: usize = at("protects");
pub const UNSHIELDS: usize = at("unshields");
pub const LACKS: usize = at("lacks");
pub const ADVANCES: usize = at("advances");
pub const RISK: usize = at("risk");
pub const OWNER_DIAMONDS: usize = at("owner_diamonds");
pub const OWNER_TO_DIAMOND: usize = at("owner_to_diamond");
pub const ORES: usize = at("ore");
pub const SWORDS: usize = at("swords");
pub const PRODUCTION: usize = at("production");
pub const DIAMONDS: usize = at("diamonds");
pub const TO_DIAMOND: usize = at("to_diamond");
pub const BEST_PRODUCTION: usize = at("best_production");
pub const BEST_DIAMONDS: usize = at("best_diamonds");
pub const LEADER_TO_DIAMOND: usize = at("leader_to_diamond");
pub const WORTH_SHOVEL: usize = at("worth_shovel");
pub const WORTH_ANVIL: usize = at("worth_anvil");
pub const BANK_SHOVELS: usize = at("bank_shovels");
pub const BANK_CARTS: usize = at("bank_carts");
pub const BANK_ANVILS: usize = at("bank_anvils");
pub const MOVES_MADE: usize = at("moves_made");
pub const ROUND: usize = at("round");
pub const PLAYERS: usize = at("players");
pub const RANDOM: usize = at("random");
pub const NOISE: usize = at("noise");

/// Features that follow from what a move does with cards.
pub const OF_CARDS: Range<usize> = 0..LACKS;
/// Features that follow from it and from what lies on all tables.
pub const OF_REACH: Range<usize> = OF_CARDS.end..OWNER_DIAMONDS;
/// Features that follow from who owns the stack that the card goes under.
pub const OF_OWNER: Range<usize> = OF_REACH.end..ORES;
/// Features that all moves of a decision share.
pub const OF_TABLE: Range<usize> = OF_OWNER.end..NOISE;

/// How many features differ from move to move, besides `noise`.
pub const MOVE_FEATURES: usize = OF_OWNER.end;

const _: () = assert!(
    MAKES_DIAMOND - MAKES_SHOVEL == DIAMOND - SHOVEL && SWORDS - ORES == SWORD,
    "classes in order"
);

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
