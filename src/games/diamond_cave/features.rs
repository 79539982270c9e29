//! What a Diamond Cave bot can see: the vocabulary of its formula.
//!
//! A bot scores every legal choice, and each choice is a row of its own numbers. The referee and
//! the kernel fill the same names with the same numbers; `carat show features diamond_cave` prints
//! this table. The "front" is the cell that the pawn would point to after the choice; for digging
//! and starting, with a way out that is not known yet, it is the card that would be turned up.

use crate::game::vocabulary;

vocabulary! {
    question "score", answer Number;
    START = shared("start", "truth", "0, 1", "this is a card to begin on, at the start of the game");
    PLAN = shared("plan", "truth", "0, 1", "this lays a planned card in front and ends the turn");
    DIG = shared("dig", "truth", "0, 1", "this declares an edge and turns up the card in front");
    EXIT = shared("exit", "truth", "0, 1", "this is a way out of the card just turned up");
    TURN = shared("turn", "truth", "0, 1", "this turns the only card of a blocked tunnel");
    GO_ON = shared("go_on", "truth", "0, 1", "this starts another turn at once");
    STOP = shared("stop", "truth", "0, 1", "this ends the turn");
    TORCH = shared("torch", "probability", "0…1", "that the head of the tunnel is a torch after this choice");
    DARK = shared("dark", "probability", "0…1", "that the head of the tunnel is dark after this choice");
    KNOWN = shared("known", "truth", "0, 1", "you know the card that will be the head");
    RIGHT_WAY = shared("right_way", "probability", "0…1", "that this choice has the right-way bonus");
    GAIN = shared("gain", "probability", "0…1", "that this choice gains a diamond");
    TAIL_DIAMOND = shared("tail_diamond", "truth", "0, 1", "the tail of your tunnel hides a diamond");
    TAIL_POINTS = shared("tail_points", "points", "0…5", "of your tunnel that its tail makes");
    LENGTH = shared("length", "cards", "0…81", "in your tunnel now");
    NEXT_DIAMOND = shared("next_diamond", "cards", "0…81", "of your tunnel from its tail to the first that hides a diamond, 0 if the tail does; your whole tunnel if none does");
    HIDDEN = shared("hidden", "diamonds", "0…77", "under the cards of your tunnel now");
    TUNNEL_POINTS = shared("tunnel_points", "points", "0…", "that your tunnel is worth if the game ends now");
    FRONT_DIAMOND = shared("front_diamond", "truth", "0, 1", "the front shows a diamond");
    FRONT_BLOCKED = shared("front_blocked", "truth", "0, 1", "the front is blocked: you would lose a turn, or turn a lone card");
    ROOM = shared("room", "cells", "0…4", "open beside the front; 0 when it is blocked");
    STRAIGHT = shared("straight", "truth", "0, 1", "this keeps the direction of the pawn");
    DIAMOND_DISTANCE = shared("diamond_distance", "steps", "0…18", "from the front to the nearest diamond that shows");
    RIM = shared("rim", "steps", "-1…4", "from the front to the rim; 0 on it, -1 off the board");
    RIVAL_DISTANCE = shared("rival_distance", "steps", "0…18", "from the front to the nearest other pawn");
    RIVALS_AHEAD = shared("rivals_ahead", "players", "0…3", "other pawns that point to the front");
    FRONT_KNOWN = shared("front_known", "truth", "0, 1", "you know the card at the front, and it is not blocked");
    FRONT_TORCH = shared("front_torch", "probability", "0…1", "that the card at the front is a torch; 0 when it is blocked");
    FRONT_DARK = shared("front_dark", "probability", "0…1", "that the card at the front is dark; 0 when it is blocked");
    DEAD_END = shared("dead_end", "probability", "0…1", "that the card at the front, once dug up, leaves you no open way out; 0 when it is blocked");
    DEAD_END_SOON = shared("dead_end_soon", "probability", "0…1", "that this happens within three cards, however you go on; unknown cards are equally likely");
    POINTS_SOON = shared("points_soon", "points", "…", "that your next digs add on average, two at most and as many as pay, each the best way; unknown cards are equally likely");
    REACH = shared("reach", "cells", "0…40", "open ones that are at most 4 steps over open cells away, the front included; 0 when it is blocked");
    DIAMONDS_NEAR = shared("diamonds_near", "diamonds", "0…40", "that show on open cells at most 4 steps away");
    COVERS_LAST = shared("covers_last", "truth", "0, 1", "this covers the last diamond that shows");
    BLOCKS = shared("blocks", "players", "0…3", "others whom this choice blocks");
    BLOCKS_POINTS = shared("blocks_points", "points", "0…", "that the tunnels of those others are worth now");
    DIAMONDS_LEFT = shared("diamonds_left", "diamonds", "0…77", "that show on the board");
    DECK_LEFT = shared("deck_left", "cards", "0…40", "in the deck");
    GAINED = shared("gained", "diamonds", "0…77", "you have gained");
    POINTS = shared("points", "points", "0…", "that you have if the game ends now");
    LEAD = shared("lead", "points", "…", "that you are ahead of the best other, or behind when below 0");
    PLAYERS = shared("players", "players", "2…4", "in the game");
    TURN_DIGS = shared("turn_digs", "cards", "0…", "you have dug up in this turn");
    TURNS = shared("turns", "turns", "0…", "you have begun, this one included");
    TEMPER = shared("temper", "probability", "0…1", "a uniform number that you keep for the whole game, never 1");
    RANDOM = shared("random", "probability", "0…1", "a new uniform number at each decision, the same for all its choices, never 1");
    NOISE = shared("noise", "probability", "0…1", "a new uniform number for each choice, never 1");
}

/// Cards within which a dead end comes soon.
pub const SOON: usize = 3;
/// Digs for the features named `…_soon`.
pub const DIGS_SOON: usize = 2;
/// Steps within which a diamond is near the front.
pub const STEPS_NEAR: usize = 4;
