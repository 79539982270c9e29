//! The keys of Diamond Miner's rules files.

use super::cards::CARDS_MAX;
use super::rules::{PLAYERS, ROUNDS_MAX, Reshuffle};
use crate::game::Allowed::{Counts, Number, Switch, Table, Words};
use crate::game::{SECONDS_MAX, SET_UP_MAX, rules_keys};

rules_keys! {
    "goal": Number(1, CARDS_MAX as i64), "Diamonds that win the game, at most those in the bank";
    "take": Number(0, 9), "Ore cards that a player takes each turn";
    "rounds": Number(1, ROUNDS_MAX), "Rounds after which a game ends. The player with most \
        diamonds then wins";
    "moves": Number(1, ROUNDS_MAX), "Most moves in a turn, so that recipes that feed each other \
        cannot run forever";
    "arms": Words(&["stay", "travel"]), "What becomes of shields and swords when the top card of \
        their stack moves: they stay with their owner as loose cards, or go along";
    "top_arms_count": Switch, "Whether a shield or sword on top acts as one in the stack. Such a \
        shield keeps others' cards away; when a sword meets it, both and the rest of the stack are \
        discarded";
    "reshuffle": Reshuffle::WORDS, "When the ore discard pile is shuffled and becomes the deck: \
        when a card is due and none is left, or as soon as the deck is empty";
    "players": Table, "Usual numbers of players. carat warns about other numbers (it plays 2 to 6)";
    "players.min": Number(*PLAYERS.start() as i64, *PLAYERS.end() as i64), "Fewest players";
    "players.max": Number(*PLAYERS.start() as i64, *PLAYERS.end() as i64), "Most players";
    "cards": Counts(0, CARDS_MAX as i64), "The bank: copies of each card that is not ore. All \
        cards together may be at most 127";
    "ore": Table, "Ore fronts, up to 8 with any names: the number of cards with each (cards), and \
        their recipes, the top card first. A transformation \"->\" discards the stack for what it \
        gives; a production \"+>\" keeps the stack and gives once a turn. \"or\" lets the mover \
        choose. A number comes before its card: \"-> 2 shovels\". Only the top card's recipes \
        apply";
    "recipes": Table, "Recipes of the other cards";
    "minutes": Table, "Seconds for each step; carat derives playing_minutes from them. The \
        defaults are guesses: enter what you measure at your table";
    "minutes.set_up": Number(0, SET_UP_MAX), "Once a game: set-up and scoring";
    "minutes.card": Number(0, SECONDS_MAX), "Each move of a card";
    "minutes.decision": Number(0, SECONDS_MAX), "Each decision with two or more options";
    "minutes.turn": Number(0, SECONDS_MAX), "Each turn, in addition: cards taken and produced";
}
