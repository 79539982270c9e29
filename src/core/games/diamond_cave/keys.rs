//! The keys of Diamond Cave's rules files.

use super::rules::{
    CARDS_MAX, CELLS_MAX, DECK_MAX, Memory, PLANNED_MAX, PLAYERS_MAX, PLAYERS_MIN, SIZE_MAX,
    TURNS_MAX,
};
use crate::game::Allowed::{Counts, Number, Switch, Table};
use crate::game::{SECONDS_MAX, SET_UP_MAX, rules_keys};

rules_keys! {
    "size": Number(5, SIZE_MAX as i64), "Cards along each side of the board, an odd number";
    "deck": Number(0, DECK_MAX as i64), "Cards of the deck that fill the gaps";
    "planned": Number(0, PLANNED_MAX as i64), "Planned cards that lie face up beside the deck";
    "diamonds": Number(1, (CELLS_MAX - PLAYERS_MAX) as i64), "Cards with a diamond on the back. \
        All start on the board, which must have at least 4 more \
        cells than diamonds";
    "memory": Memory::WORDS, "Whether bots remember cards that were once face up";
    "hidden_diamond_excludes_standard": Switch, "Whether a standard card with a diamond under it \
        scores for its diamond only";
    "finish_turn": Switch, "Whether a player who digs up a dark card may still lay a planned card \
        when no diamond shows any more";
    "lone_may_pass": Switch, "Whether a player with a single, blocked card may pass instead of \
        turning it. The card is turned towards an open neighbour; without one the player passes in \
        any case";
    "turns_max": Number(1, TURNS_MAX), "Turns of each player, including those started at once \
        after a dig. Once all are used, the game is stopped, scored, and counted as capped";
    "cards": Counts(0, CARDS_MAX as i64), "Cards of each kind of light. Together they must fill \
        the board, the deck and the planned cards; one kind may be \"rest\": all cards not listed";
    "pairs": Counts(0, 20), "How often a tunnel joins these two edges of its card; not all may be \
        0. The cards (torch, standard, dark) are dealt to the six pairs in rounds, with this many \
        to a pair in each";
    "players": Table, "Numbers of players printed on the box";
    "players.min": Number(PLAYERS_MIN as i64, PLAYERS_MAX as i64), "Fewest players";
    "players.max": Number(PLAYERS_MIN as i64, PLAYERS_MAX as i64), "Most players";
    "minutes": Table, "Seconds for each step; carat derives playing_minutes from them. The \
        defaults are guesses: enter what you measure at your table";
    "minutes.set_up": Number(0, SET_UP_MAX), "Once a game: set-up and scoring";
    "minutes.card": Number(0, SECONDS_MAX), "Each card that is dug up, laid or turned";
    "minutes.decision": Number(0, SECONDS_MAX), "Each decision with two or more options";
    "minutes.turn": Number(0, SECONDS_MAX), "Each turn, in addition";
}
