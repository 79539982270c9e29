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

/// Position of `start` in [`VOCABULARY`]; the others follow in the order of the table.
pub const START: usize = 0;
/// Position of `plan`.
pub const PLAN: usize = 1;
/// Position of `dig`.
pub const DIG: usize = 2;
/// Position of `exit`.
pub const EXIT: usize = 3;
/// Position of `turn`.
pub const TURN: usize = 4;
/// Position of `go_on`.
pub const GO_ON: usize = 5;
/// Position of `stop`.
pub const STOP: usize = 6;
/// Position of `torch`.
pub const TORCH: usize = 7;
/// Position of `dark`.
pub const DARK: usize = 8;
/// Position of `known`.
pub const KNOWN: usize = 9;
/// Position of `right_way`.
pub const RIGHT_WAY: usize = 10;
/// Position of `gain`.
pub const GAIN: usize = 11;
/// Position of `tail_diamond`.
pub const TAIL_DIAMOND: usize = 12;
/// Position of `length`.
pub const LENGTH: usize = 13;
/// Position of `hidden`.
pub const HIDDEN: usize = 14;
/// Position of `tunnel_points`.
pub const TUNNEL_POINTS: usize = 15;
/// Position of `front_diamond`.
pub const FRONT_DIAMOND: usize = 16;
/// Position of `front_blocked`.
pub const FRONT_BLOCKED: usize = 17;
/// Position of `room`.
pub const ROOM: usize = 18;
/// Position of `straight`.
pub const STRAIGHT: usize = 19;
/// Position of `diamond_distance`.
pub const DIAMOND_DISTANCE: usize = 20;
/// Position of `rim`.
pub const RIM: usize = 21;
/// Position of `rival_distance`.
pub const RIVAL_DISTANCE: usize = 22;
/// Position of `rivals_ahead`.
pub const RIVALS_AHEAD: usize = 23;
/// Position of `blocks`.
pub const BLOCKS: usize = 24;
/// Position of `blocks_points`.
pub const BLOCKS_POINTS: usize = 25;
/// Position of `diamonds_left`.
pub const DIAMONDS_LEFT: usize = 26;
/// Position of `deck_left`.
pub const DECK_LEFT: usize = 27;
/// Position of `gained`.
pub const GAINED: usize = 28;
/// Position of `points`.
pub const POINTS: usize = 29;
/// Position of `lead`.
pub const LEAD: usize = 30;
/// Position of `players`.
pub const PLAYERS: usize = 31;
/// Position of `turn_digs`.
pub const TURN_DIGS: usize = 32;
/// Position of `turns`.
pub const TURNS: usize = 33;
/// Position of `random`.
pub const RANDOM: usize = 34;
/// Position of `noise`.
pub const NOISE: usize = 35;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_table() {
        let positions = [
            ("start", START),
            ("plan", PLAN),
            ("dig", DIG),
            ("exit", EXIT),
            ("turn", TURN),
            ("go_on", GO_ON),
            ("stop", STOP),
            ("torch", TORCH),
            ("dark", DARK),
            ("known", KNOWN),
            ("right_way", RIGHT_WAY),
            ("gain", GAIN),
            ("tail_diamond", TAIL_DIAMOND),
            ("length", LENGTH),
            ("hidden", HIDDEN),
            ("tunnel_points", TUNNEL_POINTS),
            ("front_diamond", FRONT_DIAMOND),
            ("front_blocked", FRONT_BLOCKED),
            ("room", ROOM),
            ("straight", STRAIGHT),
            ("diamond_distance", DIAMOND_DISTANCE),
            ("rim", RIM),
            ("rival_distance", RIVAL_DISTANCE),
            ("rivals_ahead", RIVALS_AHEAD),
            ("blocks", BLOCKS),
            ("blocks_points", BLOCKS_POINTS),
            ("diamonds_left", DIAMONDS_LEFT),
            ("deck_left", DECK_LEFT),
            ("gained", GAINED),
            ("points", POINTS),
            ("lead", LEAD),
            ("players", PLAYERS),
            ("turn_digs", TURN_DIGS),
            ("turns", TURNS),
            ("random", RANDOM),
            ("noise", NOISE),
        ];
        assert_eq!(positions.len(), VOCABULARY.features.len());
        for (name, position) in positions {
            assert_eq!(VOCABULARY.find(name), Some(position), "{name}");
        }
    }
}
