//! The keys of Diamond Miner's rules files.

use super::cards::CARDS_MAX;
use super::rules::{PLAYERS, ROUNDS_MAX, Reshuffle};
use crate::game::Allowed::{Counts, Number, Switch, Table, Words};
use crate::game::rules_keys;

rules_keys! {
    "goal": Number(1, CARDS_MAX as i64), "Diamonds that win, at most those in the bank";
    "take": Number(0, 9), "Ore cards that everyone takes each turn";
    "rounds": Number(1, ROUNDS_MAX), "Rounds after which a game without a winner ends. The player \
        with most diamonds wins it";
    "moves": Number(1, ROUNDS_MAX), "Moves after which a turn ends, so that recipes that feed each \
        other cannot go on forever";
    "arms": Words(&["stay", "travel"]), "What becomes of shields and swords when the top card of \
        their stack moves: they stay with their miner as loose cards, or go along";
    "top_arms_count": Switch, "Whether a shield or sword on top acts as one in the stack. Such a \
        shield keeps others' cards away, and when its sword comes, both are discarded and so is \
        the rest of the stack";
    "reshuffle": Reshuffle::WORDS, "When the ore discard pile is shuffled and becomes the deck: \
        when a card is due and none is left, or as soon as the deck is empty";
    "players": Table, "Miners at the table. Others, within 2 to 6, are played with a warning";
    "players.min": Number(*PLAYERS.start() as i64, *PLAYERS.end() as i64), "The fewest";
    "players.max": Number(*PLAYERS.start() as i64, *PLAYERS.end() as i64), "The most";
    "cards": Counts(0, CARDS_MAX as i64), "The bank: copies of each card that is not ore. All \
        cards together may be at most 127";
    "ore": Table, "Ore fronts, up to 8 of any name: how many cards bear it (cards), and their \
        recipes, the top card first. A transformation \"->\" discards the stack for what it gives; \
        a production \"+>\" leaves the stack and gives once a turn. \"or\" lets the mover choose. \
        Numbers stand before a card: \"-> 2 shovels\". Only the top card's recipes apply";
    "recipes": Table, "Recipes of the other cards";
}
