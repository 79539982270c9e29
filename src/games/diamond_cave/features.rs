//! What a Diamond Cave bot can see: the vocabulary of its formula.
//!
//! A bot scores every legal choice, and each choice is a row of its own numbers. The referee and
//! the kernel fill the same names with the same numbers; `carat show features diamond_cave`
//! prints this table. The "front" is the cell that the pawn would point to after the choice; for
//! digging and starting, whose way out is not known yet, it is the card that would be turned up.

use crate::formula::{Feature, Kind, Vocabulary};

/// Everything that a formula of Diamond Cave may use, in register order.
pub const VOCABULARY: Vocabulary = Vocabulary {
    question: "score",
    answer: Kind::Number,
    features: FEATURES,
};

#[rustfmt::skip] // A table, one feature a line.
const FEATURES: &[Feature] = &[
    Feature::shared("start", "truth", "0, 1", "this is a card to begin on, at the start of the game"),
    Feature::shared("plan", "truth", "0, 1", "this lays a planned card in front and ends the turn"),
    Feature::shared("dig", "truth", "0, 1", "this declares an edge and turns up the card in front"),
    Feature::shared("exit", "truth", "0, 1", "this is a way out of the card just turned up"),
    Feature::shared("turn", "truth", "0, 1", "this turns the only card of a blocked tunnel"),
    Feature::shared("go_on", "truth", "0, 1", "this starts another turn at once"),
    Feature::shared("stop", "truth", "0, 1", "this ends the turn"),
    Feature::shared("torch", "probability", "0…1", "that the head of the tunnel is a torch after this choice"),
    Feature::shared("dark", "probability", "0…1", "that the head of the tunnel is dark after this choice"),
    Feature::shared("known", "truth", "0, 1", "you know the card that will be the head"),
    Feature::shared("right_way", "probability", "0…1", "that this choice has the right-way bonus"),
    Feature::shared("gain", "probability", "0…1", "that this choice gains a diamond"),
    Feature::shared("tail_diamond", "truth", "0, 1", "the tail of your tunnel hides a diamond"),
    Feature::shared("length", "cards", "0…81", "in your tunnel now"),
    Feature::shared("hidden", "diamonds", "0…77", "under the cards of your tunnel now"),
    Feature::shared("tunnel_points", "points", "0…", "that your tunnel is worth if the game ends now"),
    Feature::shared("front_diamond", "truth", "0, 1", "the front shows a diamond"),
    Feature::shared("front_blocked", "truth", "0, 1", "the front is blocked: you would lose a turn, or turn a lone card"),
    Feature::shared("room", "cells", "0…4", "open beside the front; 0 when it is blocked"),
    Feature::shared("straight", "truth", "0, 1", "this keeps the direction of the pawn"),
    Feature::shared("diamond_distance", "steps", "0…18", "from the front to the nearest diamond that shows"),
    Feature::shared("rim", "steps", "-1…4", "from the front to the rim; 0 on it, -1 off the board"),
    Feature::shared("rival_distance", "steps", "0…18", "from the front to the nearest other pawn"),
    Feature::shared("rivals_ahead", "players", "0…3", "others whose pawns point to the front, too"),
    Feature::shared("blocks", "players", "0…3", "others whom this choice blocks"),
    Feature::shared("blocks_points", "points", "0…", "that the tunnels of those others are worth now"),
    Feature::shared("diamonds_left", "diamonds", "0…77", "that show on the board"),
    Feature::shared("deck_left", "cards", "0…40", "in the deck"),
    Feature::shared("gained", "diamonds", "0…77", "you have gained"),
    Feature::shared("points", "points", "0…", "that you have if the game ends now"),
    Feature::shared("lead", "points", "…", "that you are ahead of the best other, or behind when below 0"),
    Feature::shared("players", "players", "2…4", "in the game"),
    Feature::shared("turn_digs", "cards", "0…", "you have dug up in this turn"),
    Feature::shared("turns", "turns", "0…", "you have begun, this one included"),
    Feature::shared("random", "probability", "0…1", "a new uniform number at each decision, the same for all its choices, never 1"),
    Feature::shared("noise", "probability", "0…1", "a new uniform number for each choice, never 1"),
];

/// Where a feature is in [`VOCABULARY`].
const fn at(name: &str) -> usize {
    VOCABULARY.position(name)
}

pub const START: usize = at("start");
pub const PLAN: usize = at("plan");
pub const DIG: usize = at("dig");
pub const EXIT: usize = at("exit");
pub const TURN: usize = at("turn");
pub const GO_ON: usize = at("go_on");
pub const STOP: usize = at("stop");
pub const TORCH: usize = at("torch");
pub const DARK: usize = at("dark");
pub const KNOWN: usize = at("known");
pub const RIGHT_WAY: usize = at("right_way");
pub const GAIN: usize = at("gain");
pub const TAIL_DIAMOND: usize = at("tail_diamond");
pub const LENGTH: usize = at("length");
pub const HIDDEN: usize = at("hidden");
pub const TUNNEL_POINTS: usize = at("tunnel_points");
pub const FRONT_DIAMOND: usize = at("front_diamond");
pub const FRONT_BLOCKED: usize = at("front_blocked");
pub const ROOM: usize = at("room");
pub const STRAIGHT: usize = at("straight");
pub const DIAMOND_DISTANCE: usize = at("diamond_distance");
pub const RIM: usize = at("rim");
pub const RIVAL_DISTANCE: usize = at("rival_distance");
pub const RIVALS_AHEAD: usize = at("rivals_ahead");
pub const BLOCKS: usize = at("blocks");
pub const BLOCKS_POINTS: usize = at("blocks_points");
pub const DIAMONDS_LEFT: usize = at("diamonds_left");
pub const DECK_LEFT: usize = at("deck_left");
pub const GAINED: usize = at("gained");
pub const POINTS: usize = at("points");
pub const LEAD: usize = at("lead");
pub const PLAYERS: usize = at("players");
pub const TURN_DIGS: usize = at("turn_digs");
pub const TURNS: usize = at("turns");
pub const RANDOM: usize = at("random");
pub const NOISE: usize = at("noise");
