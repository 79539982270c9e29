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
         Treasures, traps and relics are at most 64 cards in all",
    ),
    RulesKey::new(
        "treasure_order",
        Words(&["sorted", "listed"]),
        "The order of treasures before a seed shuffles them: by value, or as listed. With \"sorted\", \
         the order of the list does not matter",
    ),
    RulesKey::new(
        "leavers",
        Words(&["before-reveal", "after-reveal"]),
        "When players who leave collect: before or after the next card is revealed",
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
        "How players who leave together divide the rubies on the path: in one sum, or card by card",
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
        "Who wins among equal scores: all share the win, or the players with most relics do",
    ),
    RulesKey::new(
        "chests",
        Words(&["open", "hidden"]),
        "Whether bots see the other players' chests",
    ),
    RulesKey::new(
        "players",
        Table,
        "Numbers of players printed on the box. With other numbers, 1 to 8, carat warns",
    ),
    RulesKey::new("players.min", Number(1, SEATS_MAX as i64), "Fewest players"),
    RulesKey::new("players.max", Number(1, SEATS_MAX as i64), "Most players"),
    RulesKey::new(
        "traps",
        Named(0, CARDS_MAX as i64),
        "Trap cards: the copies of each kind, up to 8 kinds with any names",
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
        "Rubies that each relic is worth: a number for each, [] for no relics",
    ),
    RulesKey::new(
        "relics.worth",
        Words(&["claim-order", "exit-order", "printed"]),
        "Which value a relic has. \"claim-order\" gives the k-th relic taken out the k-th value; \
         with \"exit-order\", relics that leave the game untaken use up values, too; with \
         \"printed\", each card has its own value",
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
