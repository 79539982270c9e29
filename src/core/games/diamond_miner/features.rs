//! What a Diamond Miner bot can see: the vocabulary of its formula.
//!
//! A bot scores every possible move. The first features describe the move and differ from row to
//! row; the others are the same for all moves of a decision, except `noise`. Worths are in ore,
//! derived from the rules file's recipes, in steps of 1/8. The referee and the kernel fill the same
//! names with the same numbers; `carat show features diamond_miner` prints this table.

use super::cards::{DIAMOND, SHOVEL, SWORD};
use crate::game::vocabulary;
use std::ops::Range;

vocabulary! {
    question "score", answer Number;
    // Of a move: what it does with cards (OF_MOVE).
    ENDS = shared("ends", "yes or no", "0, 1", "whether the move ends your turn; its other features are then 0");
    MINE = shared("mine", "yes or no", "0, 1", "whether the card goes under a stack of your own");
    STEALS = shared("steals", "yes or no", "0, 1", "whether the card completes a transformation on another player's stack");
    SPOILS = shared("spoils", "yes or no", "0, 1", "whether the card goes under another player's stack and completes nothing");
    CARD_WORTH = shared("card_worth", "ore", "0…", "worth of the card that moves");
    PLAYS_SHIELD = shared("plays_shield", "yes or no", "0, 1", "whether the card that moves is a shield");
    PLAYS_SWORD = shared("plays_sword", "yes or no", "0, 1", "whether the card that moves is a sword");
    MAKES_SHOVEL = shared("makes_shovel", "cards", "0…9", "shovels you get, minus those of yours that the recipe uses up");
    _ = shared("makes_cart", "cards", "0…9", "carts you get, minus those of yours that the recipe uses up");
    _ = shared("makes_anvil", "cards", "0…9", "anvils you get, minus those of yours that the recipe uses up");
    _ = shared("makes_shield", "cards", "0…9", "shields you get, minus those of yours that the recipe uses up");
    _ = shared("makes_sword", "cards", "0…9", "swords you get, minus those of yours that the recipe uses up");
    MAKES_DIAMOND = shared("makes_diamond", "cards", "0…9", "diamonds you get");
    GAIN = shared("gain", "ore", "any", "change in the worth of all cards on your table");
    HARM = shared("harm", "ore", "any", "worth lost on the other player's table; below 0 if the card adds worth");
    PRODUCTION_GAIN = shared("production_gain", "ore per turn", "any", "change in the worth that your stacks produce");
    PRODUCTION_HARM = shared("production_harm", "ore per turn", "any", "worth lost in what the other player's stacks produce");
    NEARER = shared("nearer", "cards", "any", "cards by which the stack comes nearer to its next transformation");
    MISSING = shared("missing", "cards", "0…9", "cards the stack then lacks; 0 if it is transformed, 9 if it has no transformation");
    EXPOSES = shared("exposes", "ore", "any", "change in what another player could make with one card from this stack, if it is yours");
    PROTECTS = shared("protects", "ore", "0…", "worth of your stack if the card is its first shield");
    UNSHIELDS = shared("unshields", "shields", "0…", "shields the card removes from another player's stack");
    // Of a move: what follows from what lies on all tables (OF_MOVE, too).
    LACKS = shared("lacks", "cards", "0…9", "cards the stack then lacks for its next transformation, beyond those you can still move; 9 if it has none");
    ADVANCES = shared("advances", "yes or no", "0, 1", "whether the stack's transformation needs the card, and you can complete it this turn");
    RISK = shared("risk", "ore", "any", "change in the worth of your cards that others could use up before your next turn, with the cards they have and will take");
    // Of a move: the owner of the stack it is about (OF_OWNER).
    OWNER_DIAMONDS = shared("owner_diamonds", "diamonds", "0…", "diamonds of the owner of the stack");
    OWNER_TO_DIAMOND = shared("owner_to_diamond", "ore", "0…", "worth of the cards that the owner of the stack still lacks for a diamond");
    // The same for all moves of a decision (OF_TABLE).
    ORES = shared("ore", "cards", "0…", "ore cards you can move (loose or on top)");
    _ = shared("shovels", "cards", "0…", "shovels you can move");
    _ = shared("carts", "cards", "0…", "carts you can move");
    _ = shared("anvils", "cards", "0…", "anvils you can move");
    _ = shared("shields", "cards", "0…", "shields you can move");
    SWORDS = shared("swords", "cards", "0…", "swords you can move");
    PRODUCTION = shared("production", "ore per turn", "0…", "worth that your stacks produce");
    DIAMONDS = shared("diamonds", "diamonds", "0…", "diamonds you own");
    TO_DIAMOND = shared("to_diamond", "ore", "0…", "worth of the cards you still lack for a diamond, wherever your cards lie");
    BEST_PRODUCTION = shared("best_production", "ore per turn", "0…", "worth produced by the other player who produces most");
    BEST_DIAMONDS = shared("best_diamonds", "diamonds", "0…", "diamonds of the other player who owns most");
    LEADER_TO_DIAMOND = shared("leader_to_diamond", "ore", "0…", "worth of the cards that the other player nearest to a diamond still lacks");
    WORTH_SHOVEL = shared("worth_shovel", "ore", "0…", "worth of a shovel under these rules");
    _ = shared("worth_cart", "ore", "0…", "worth of a cart under these rules");
    WORTH_ANVIL = shared("worth_anvil", "ore", "0…", "worth of an anvil under these rules");
    BANK_SHOVELS = shared("bank_shovels", "cards", "0…", "shovels in the bank");
    BANK_CARTS = shared("bank_carts", "cards", "0…", "carts in the bank");
    BANK_ANVILS = shared("bank_anvils", "cards", "0…", "anvils in the bank");
    MOVES_MADE = shared("moves_made", "moves", "0…", "moves you have made this turn");
    ROUND = shared("round", "rounds", "1…", "number of this round");
    PLAYERS = shared("players", "players", "2…6", "players in the game");
    TEMPER = shared("temper", "probability", "0…1", "uniform random number below 1, the same for you throughout the game");
    RANDOM = shared("random", "probability", "0…1", "uniform random number below 1, new at each decision, the same for all its moves");
    // Another number for each move.
    NOISE = shared("noise", "probability", "0…1", "uniform random number below 1, new for each move");
}

/// Number of features of what a move does, which come first.
pub const OF_MOVE: usize = OWNER_DIAMONDS;
/// Features that depend on the owner of the stack that the card goes under.
pub const OF_OWNER: Range<usize> = OF_MOVE..ORES;
/// Features that all moves of a decision share.
pub const OF_TABLE: Range<usize> = OF_OWNER.end..NOISE;

const _: () = assert!(
    MAKES_DIAMOND - MAKES_SHOVEL == DIAMOND - SHOVEL && SWORDS - ORES == SWORD,
    "classes in order"
);

/// The value of `missing` for a stack without a transformation.
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
