//! What a Diamond Cave bot can see: the vocabulary of its formula.
//!
//! A bot scores every legal choice, and each choice is a row of its own numbers. The referee and
//! the kernel fill the same names with the same numbers; `carat show features diamond_cave` prints
//! this table. The "front" is the cell that the pawn would point to after the choice; for digging
//! and starting, with a way out that is not known yet, it is the card that would be turned up.

use crate::game::vocabulary;

vocabulary! {
    question "score", answer Number;
    // Of which kind a choice is, in the order of `Choice::kind`.
    START = shared("start", "yes or no", "0, 1", "this choice begins the game on a card");
    PLAN = shared("plan", "yes or no", "0, 1", "this choice lays a planned card in front and ends the turn");
    DIG = shared("dig", "yes or no", "0, 1", "this choice declares an edge and turns up the card in front");
    _ = shared("exit", "yes or no", "0, 1", "this choice takes a way out of the card just turned up");
    _ = shared("turn", "yes or no", "0, 1", "this choice turns the only card of a blocked tunnel");
    _ = shared("go_on", "yes or no", "0, 1", "this choice starts another turn at once");
    STOP = shared("stop", "yes or no", "0, 1", "this choice ends the turn");
    TORCH = shared("torch", "probability", "0…1", "probability that the head of the tunnel is a torch after this choice");
    DARK = shared("dark", "probability", "0…1", "probability that the head of the tunnel is dark after this choice");
    KNOWN = shared("known", "yes or no", "0, 1", "you know the card that will be the head of the tunnel");
    RIGHT_WAY = shared("right_way", "probability", "0…1", "probability that this choice gets the right-way bonus");
    GAIN = shared("gain", "probability", "0…1", "probability that this choice gains a diamond");
    TAIL_DIAMOND = shared("tail_diamond", "yes or no", "0, 1", "the tail of your tunnel hides a diamond");
    TAIL_POINTS = shared("tail_points", "points", "0…5", "points of the tail of your tunnel");
    LENGTH = shared("length", "cards", "0…81", "cards in your tunnel now");
    NEXT_DIAMOND = shared("next_diamond", "cards", "0…81", "cards from the tail of your tunnel to the first one that hides a diamond; 0 if the tail does, the whole tunnel if none does");
    HIDDEN = shared("hidden", "diamonds", "0…77", "diamonds under the cards of your tunnel now");
    TUNNEL_POINTS = shared("tunnel_points", "points", "0…", "points of your tunnel if the game ends now");
    FRONT_DIAMOND = shared("front_diamond", "yes or no", "0, 1", "the front shows a diamond");
    FRONT_BLOCKED = shared("front_blocked", "yes or no", "0, 1", "the front is blocked, so you would lose a turn or turn a lone card");
    ROOM = shared("room", "cells", "0…4", "open cells beside the front; 0 if the front is blocked");
    STRAIGHT = shared("straight", "yes or no", "0, 1", "this choice keeps the direction of the pawn");
    DIAMOND_DISTANCE = shared("diamond_distance", "steps", "0…18", "steps from the front to the nearest visible diamond");
    RIM = shared("rim", "steps", "-1…4", "steps from the front to the rim; 0 on it, -1 off the board");
    RIVAL_DISTANCE = shared("rival_distance", "steps", "0…18", "steps from the front to the nearest other pawn");
    RIVALS_AHEAD = shared("rivals_ahead", "players", "0…3", "other pawns that point to the front");
    FRONT_KNOWN = shared("front_known", "yes or no", "0, 1", "you know the card at the front, and it is not blocked");
    FRONT_TORCH = shared("front_torch", "probability", "0…1", "probability that the card at the front is a torch; 0 if the front is blocked");
    FRONT_DARK = shared("front_dark", "probability", "0…1", "probability that the card at the front is dark; 0 if the front is blocked");
    DEAD_END = shared("dead_end", "probability", "0…1", "probability that the card at the front, once dug up, leaves you no open way out; 0 if the front is blocked");
    DEAD_END_SOON = shared("dead_end_soon", "probability", "0…1", "probability of a dead end within three cards, however you go on; unknown cards are equally likely");
    POINTS_SOON = shared("points_soon", "points", "any", "mean points from your next digs: up to two, while they bring points, each in the best direction; all unknown cards are equally likely");
    REACH = shared("reach", "cells", "0…40", "open cells reachable in 4 steps through open cells, the front included; 0 if the front is blocked");
    DIAMONDS_NEAR = shared("diamonds_near", "diamonds", "0…40", "visible diamonds on open cells within 4 steps");
    COVERS_LAST = shared("covers_last", "yes or no", "0, 1", "this choice covers the last visible diamond");
    BLOCKS = shared("blocks", "players", "0…3", "other players blocked by this choice");
    BLOCKS_POINTS = shared("blocks_points", "points", "0…", "points that the tunnels of the blocked players are worth now");
    DIAMONDS_LEFT = shared("diamonds_left", "diamonds", "0…77", "visible diamonds on the board");
    DECK_LEFT = shared("deck_left", "cards", "0…40", "cards in the deck");
    GAINED = shared("gained", "diamonds", "0…77", "diamonds you have gained");
    POINTS = shared("points", "points", "0…", "points you have if the game ends now");
    LEAD = shared("lead", "points", "any", "points you are ahead of the best other player; below 0 if behind");
    PLAYERS = shared("players", "players", "2…4", "players in the game");
    TURN_DIGS = shared("turn_digs", "cards", "0…", "cards you have dug up in this turn");
    TURNS = shared("turns", "turns", "0…", "turns you have begun, this one included");
    TEMPER = shared("temper", "probability", "0…1", "uniform random number below 1, the same for you throughout the game");
    RANDOM = shared("random", "probability", "0…1", "uniform random number below 1, new at each decision, the same for all its choices");
    NOISE = shared("noise", "probability", "0…1", "uniform random number below 1, new for each choice");
}

/// What a player knows of the card at the front.
pub fn comes(features: &[f32]) -> &'static str {
    let is = |feature: usize| features[feature] == 1.0;
    match (is(FRONT_BLOCKED), is(FRONT_KNOWN)) {
        (true, _) => "a blocked way",
        (_, true) if is(FRONT_TORCH) => "a known torch",
        (_, true) if is(FRONT_DARK) => "a known dark card",
        (_, true) => "a known standard card",
        _ => "an unknown card",
    }
}

/// Cards within which a dead end comes soon.
pub const SOON: usize = 3;
/// Digs for the features named `…_soon`.
pub const DIGS_SOON: usize = 2;
/// Steps within which a diamond is near the front.
pub const STEPS_NEAR: usize = 4;
