//! The keys of Diamant's rules files.

use super::bonus;
use super::rules::{
    CARDS_MAX, Chests, FirstCard, Leavers, Leftovers, Order, ROUNDS_MAX, Schedule, TakenBy,
    Tiebreak, TreasureOrder, Unclaimed, VALUE_MAX, Worth,
};
use crate::game::Allowed::{Formula, Named, Number, Numbers, Switch, Table};
use crate::game::{SECONDS_MAX, SET_UP_MAX, rules_keys};
use crate::strategy::SEATS_MAX;

rules_keys! {
    "rounds": Number(1, ROUNDS_MAX), "Expeditions in a game";
    "treasures": Numbers(0, VALUE_MAX), "Rubies on each treasure card; 0 is a blank card. \
        Treasures, traps and relics are at most 64 cards in all";
    "treasure_order": TreasureOrder::WORDS, "The order of treasures before a seed shuffles them: \
        by value, or as listed. With \"sorted\", the order of the list does not matter";
    "leavers": Leavers::WORDS, "When players who leave collect: before or after the next card is \
        revealed";
    "first_card": FirstCard::WORDS, "When the first card is revealed: before the first decision, \
        or after everyone has decided at the entrance";
    "leftovers": Leftovers::WORDS, "How players who leave together divide the rubies on the path: \
        in one sum, or card by card";
    "traps_to_end": Number(1, 4), "How many traps of a kind end an expedition";
    "traps_end_from": Number(1, CARDS_MAX as i64), "The first card of an expedition that may end \
        it. Before it, a trap that would is set aside, another card is revealed, and the trap goes \
        back into the deck; if only such traps are left, all players leave";
    "leave_bonus": Formula(0, bonus::MAX), "Rubies from the bank for each player who leaves. A \
        formula is rounded down and may use leavers, explorers, players, held, leftover, \
        relics_on_path, traps_seen, cards_revealed and round";
    "remove_trap": Switch, "Whether the trap card that ended an expedition leaves the game";
    "tiebreak": Tiebreak::WORDS, "Who wins among equal scores: all share the win, or the players \
        with most relics do";
    "chests": Chests::WORDS, "Whether bots see the other players' chests";
    "players": Table, "Numbers of players printed on the box. carat warns about other numbers (it \
        plays 1 to 8)";
    "players.min": Number(1, SEATS_MAX as i64), "Fewest players";
    "players.max": Number(1, SEATS_MAX as i64), "Most players";
    "traps": Named(0, CARDS_MAX as i64), "Trap cards: the copies of each kind, up to 8 kinds with \
        any names";
    "traps_from": Named(1, ROUNDS_MAX), "Kinds of trap that join later, each with its first \
        expedition, such as snake = 2";
    "relics": Table, "Relic cards";
    "relics.values": Numbers(1, VALUE_MAX), "Rubies that each relic is worth: a number for each, \
        [] for no relics";
    "relics.worth": Worth::WORDS, "Which value a relic has. \"claim-order\" gives the k-th relic \
        taken out the k-th value; with \"exit-order\", relics that leave the game untaken use up \
        values, too; with \"printed\", each card has its own value";
    "relics.schedule": Schedule::WORDS, "When relics join the deck: all before the first \
        expedition, or one before each";
    "relics.order": Order::WORDS, "The order in which they join one by one: as listed above, or \
        shuffled for each game";
    "relics.taken_by": TakenBy::WORDS, "Who takes the relics on the path: a player who leaves \
        alone, or only the last player inside";
    "relics.unclaimed": Unclaimed::WORDS, "What becomes of relics left on the path after an \
        expedition";
    "minutes": Table, "Seconds for each step; carat derives playing_minutes from them. The \
        defaults are guesses: enter what you measure at your table";
    "minutes.set_up": Number(0, SET_UP_MAX), "Once a game: set-up and scoring";
    "minutes.card": Number(0, SECONDS_MAX), "Each card, until its rubies are shared out";
    "minutes.decision": Number(0, SECONDS_MAX), "Each moment at which all inside decide at once";
    "minutes.expedition": Number(0, SECONDS_MAX), "Each expedition, in addition: rubies into chests, shuffling";
}
