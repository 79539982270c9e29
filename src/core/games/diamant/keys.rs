//! The keys of Diamant's rules files.

use super::rules::{CARDS_MAX, ROUNDS_MAX, VALUE_MAX};
use crate::game::Allowed::{Named, Number, Numbers, Switch, Table, Words};
use crate::game::RulesKey;
use crate::strategy::SEATS_MAX;

pub const KEYS: &[RulesKey] = &[
    RulesKey::new("rounds", Number(1, ROUNDS_MAX), "Expeditions in a game"),
    RulesKey::new(
        "treasures",
        Numbers(0, VALUE_MAX),
        "Rubies on each treasure card; 0 is a blank card. treasures.17=2 sets the copies of a value. \
         Treasures, traps and relics may be 64 cards together",
    ),
    RulesKey::new(
        "treasure_order",
        Words(&["sorted", "listed"]),
        "Whether the seed of a game meets treasures sorted by value or as listed. With \"sorted\", \
         lists in any order are the same rules",
    ),
    RulesKey::new(
        "leavers",
        Words(&["before-reveal", "after-reveal"]),
        "When leavers collect: before or after the next card is revealed",
    ),
    RulesKey::new(
        "first_card",
        Words(&["before-decision", "after-decision"]),
        "When the first card is revealed: before the first decision, or after everyone has decided \
         at the entrance",
    ),
    RulesKey::new(
        "leftovers",
        Words(&["pooled", "per-card"]),
        "How players who leave together divide the rubies on the path: all of them together, or \
         card by card",
    ),
    RulesKey::new(
        "traps_to_end",
        Number(1, 4),
        "How many traps of a kind end an expedition",
    ),
    RulesKey::new(
        "remove_trap",
        Switch,
        "Whether the trap card that ended an expedition leaves the game",
    ),
    RulesKey::new(
        "tiebreak",
        Words(&["shared", "relics"]),
        "Who wins among equal scores: all of them share the win, or those with most relics do",
    ),
    RulesKey::new(
        "chests",
        Words(&["open", "hidden"]),
        "Whether bots know what is in the others' chests",
    ),
    RulesKey::new(
        "players",
        Table,
        "Explorers printed on the box. Other numbers, 1 to 8, are played with a warning",
    ),
    RulesKey::new("players.min", Number(1, SEATS_MAX as i64), "The fewest"),
    RulesKey::new("players.max", Number(1, SEATS_MAX as i64), "The most"),
    RulesKey::new(
        "traps",
        Named(0, CARDS_MAX as i64),
        "Trap cards, up to 8 kinds with any names: the copies of each kind",
    ),
    RulesKey::new(
        "traps_from",
        Named(1, ROUNDS_MAX),
        "Kinds of trap that join later, each with its first expedition, such as snake = 2",
    ),
    RulesKey::new("relics", Table, "Relic cards"),
    RulesKey::new(
        "relics.values",
        Numbers(1, VALUE_MAX),
        "Rubies that each is worth. There are as many relics as numbers, none with []",
    ),
    RulesKey::new(
        "relics.worth",
        Words(&["claim-order", "exit-order", "printed"]),
        "What a relic is worth: \"claim-order\" gives the k-th relic to leave the cave the k-th \
         value; with \"exit-order\" relics that leave the game untaken use up values, too; with \
         \"printed\" each card carries its own value",
    ),
    RulesKey::new(
        "relics.schedule",
        Words(&["all", "one-per-expedition"]),
        "When relics join the deck: all before the first expedition, or one before each",
    ),
    RulesKey::new(
        "relics.order",
        Words(&["listed", "shuffled"]),
        "The order in which they join one by one: as listed above, or shuffled for each game",
    ),
    RulesKey::new(
        "relics.unclaimed",
        Words(&["leave-game", "reshuffled"]),
        "What becomes of relics left on the path after an expedition",
    ),
];
