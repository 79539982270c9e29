//! The outcomes recorded of a game of Diamond Miner, and their metrics.

use super::cards::{CLASSES, SHOVEL, SWORD};
use super::rules::MinerRules;
use crate::game::{
    ByPlace, ByUse, CAPPED_RATE, CountTable, Layout, LengthTable, Metric, OWN, Per, SCORE, Sign,
    positions,
};

// Outcomes of each seat, besides its win and its score.
positions! {
    from OWN;
    names SEAT_NAMES;
    TURNS,
    MOVES,
    /// Transformations completed on others' stacks.
    STEALS,
    /// Transformations that others completed on its stacks.
    ROBBED,
    /// Shovels made by transformations; the other tools follow in the order of their classes.
    SHOVELS,
    CARTS,
    ANVILS,
    SHIELDS,
    SWORDS,
    /// Shields on others' stacks taken off with swords.
    BROKEN,
    /// Round of the first diamond, 0 without one.
    FIRST_ROUND,
    /// 1 with a diamond.
    FIRST,
    /// Worth of production at the end of turns that another one follows,
    LEFT,
    /// and the part of it that remains when that one begins, in 1/8 ore.
    KEPT,
    SEAT_OUTCOMES,
}

const _: () = assert!(
    SWORDS - SHOVELS == SWORD - SHOVEL,
    "tools follow each other"
);

// Outcomes of the table.
positions! {
    from 0;
    names TABLE_NAMES;
    ROUNDS,
    TABLE_MOVES,
    TABLE_TURNS,
    /// Round of the first diamond at the table, 0 without one.
    TABLE_FIRST_ROUND,
    /// 1 with a diamond at the table.
    TABLE_FIRST,
    /// Round of the second, 0 without one.
    SECOND_ROUND,
    /// 1 with a second diamond.
    SECOND,
    /// 1 when the cap on rounds ended the game.
    CAPPED,
    /// Turns that the cap on moves ended.
    CUT,
    /// Pairs of shield and sword discarded.
    PAIRS,
    /// Cards that were due but had run out.
    SKIPPED,
    /// 1 when the owner of the first diamond did not win.
    COMEBACK,
    /// 1 when several share the win.
    SHARED,
    /// Decisions with two options or more, of all miners.
    DECISIONS,
    TABLE_OUTCOMES,
}

// Tables of counts.
positions! {
    from 0;
    /// By round, the columns of [`ROUND_COLUMNS`] for each seat.
    BY_ROUND,
    /// By round, the [`LENGTH_COLUMNS`] columns.
    LENGTHS,
    /// By class of card, the columns of [`CARD_COLUMNS`] for each seat.
    BY_CARD,
    /// By class of card, copies that were due but had run out, and games with any.
    SHORTAGES,
    /// By place in turn order, the games of each bot, its wins, and the sum of its diamonds.
    PLACES,
    /// By class of card, the moves of such a card under a stack by each seat.
    MOVED,
    /// By recipe, in the order of the rules, the uses of each seat.
    BY_RECIPE,
    COUNT_TABLES,
}

/// Sums over the turns of a seat in a round: turns, worth of production (in 1/8 ore) when the turn
/// begins and when it ends, and cards on its table by class when it ends.
pub const ROUND_COLUMNS: [&str; 9] = [
    "turns",
    "produced",
    "production",
    "shovels",
    "carts",
    "anvils",
    "shields",
    "swords",
    "diamonds",
];
/// Games by round: ended by a win, by the cap, first diamond, second diamond.
pub const LENGTH_COLUMNS: usize = 4;
/// The counts of each card, and their meaning per game.
pub const CARD_COLUMNS: [(&str, &str); 4] = [
    ("taken", "cards taken at the start of turns, per game"),
    (
        "made",
        "cards made on own stacks, minus those of their kind that the recipes use up, per game",
    ),
    ("stolen", "cards made on others' stacks, per game"),
    ("lost", "cards made by others on own stacks, per game"),
];

#[rustfmt::skip] // A table, one sign a line.
pub const SIGNS: &[Sign] = &[
    Sign { outcome: ROBBED, of_others: false, is_good: false, happens: "another player steals from you", counted: "steals from you" },
    Sign { outcome: STEALS, of_others: false, is_good: true, happens: "you steal", counted: "your steals" },
    Sign { outcome: SHOVELS, of_others: false, is_good: true, happens: "you make a shovel", counted: "shovels that you make" },
    Sign { outcome: CARTS, of_others: false, is_good: true, happens: "you make a cart", counted: "carts that you make" },
    Sign { outcome: ANVILS, of_others: false, is_good: true, happens: "you make an anvil", counted: "anvils that you make" },
    Sign { outcome: SHIELDS, of_others: false, is_good: true, happens: "you make a shield", counted: "shields that you make" },
    Sign { outcome: SWORDS, of_others: false, is_good: true, happens: "you make a sword", counted: "swords that you make" },
    Sign { outcome: CARTS, of_others: true, is_good: false, happens: "another player makes a cart", counted: "carts that the others make" },
    Sign { outcome: ANVILS, of_others: true, is_good: false, happens: "another player makes an anvil", counted: "anvils that the others make" },
    Sign { outcome: SCORE, of_others: true, is_good: false, happens: "another player has a diamond", counted: "diamonds of the others" },
];

const ROUNDS_PER_GAME: &str = "rounds_per_game";

#[rustfmt::skip] // A table, one metric a line.
pub fn layout(rules: &MinerRules, seats: usize) -> Layout {
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let rounds = rules.rounds as usize;
    Layout {
        seats,
        seat_outcomes: SEAT_OUTCOMES,
        table_outcomes: TABLE_OUTCOMES,
        seat_names: SEAT_NAMES,
        table_names: TABLE_NAMES.to_vec(),
        seat_metrics: Metric::of_seat(vec![
            metric("first_diamond_round", FIRST_ROUND, Per::Outcome(FIRST), "round in which it gets its first diamond"),
            metric("steals_per_game", STEALS, game, "transformations on others' stacks per game"),
            metric("robbed_per_game", ROBBED, game, "transformations that others make on its stacks per game"),
            metric("carts_per_game", CARTS, game, "carts made by transformations per game"),
            metric("anvils_per_game", ANVILS, game, "anvils made by transformations per game, minus those used up in them"),
            metric("shields_per_game", SHIELDS, game, "shields made by transformations per game"),
            metric("swords_per_game", SWORDS, game, "swords made by transformations per game"),
            metric("production_kept", KEPT, Per::Outcome(LEFT), "share of production (by worth) that survives until the owner's next turn"),
            metric("broken_per_game", BROKEN, game, "others' shields removed with swords per game"),
        ]),
        table_metrics: Metric::of_table(vec![
            metric(ROUNDS_PER_GAME, ROUNDS, game, "rounds per game"),
            metric("moves_per_game", TABLE_MOVES, game, "moves per game, of all miners"),
            metric("decisions_per_game", DECISIONS, game, "decisions with two or more options, by all miners, per game"),
            metric("moves_per_turn", TABLE_MOVES, Per::Outcome(TABLE_TURNS), "moves per turn"),
            metric("first_diamond_round", TABLE_FIRST_ROUND, Per::Outcome(TABLE_FIRST), "round of the first diamond at the table"),
            metric("second_diamond_round", SECOND_ROUND, Per::Outcome(SECOND), "round of the second diamond at the table"),
            metric("shields_broken_per_game", PAIRS, game, "pairs of shield and sword discarded per game"),
            metric("cards_skipped_per_game", SKIPPED, game, "cards due but missing, because their pile had run out, per game"),
            share("comeback_rate", COMEBACK, game, "share of games lost by the owner of the first diamond; a shared win is not a loss"),
            share("shared_win_rate", SHARED, game, "share of games with several winners"),
            share(CAPPED_RATE, CAPPED, game, "share of games stopped by the cap on rounds"),
            metric("cut_turns_per_game", CUT, game, "turns ended by the cap on moves, per game"),
        ], seats),
        score_max: rules.score_max(),
        counts: CountTable::list::<COUNT_TABLES>([
            (BY_ROUND, rounds, seats * ROUND_COLUMNS.len()),
            (LENGTHS, rounds, LENGTH_COLUMNS),
            (BY_CARD, CLASSES, seats * CARD_COLUMNS.len()),
            (SHORTAGES, CLASSES, 2),
            (PLACES, seats, ByPlace::COLUMNS * seats),
            (MOVED, CLASSES, ByUse::COLUMNS * seats),
            (BY_RECIPE, rules.recipes.len(), ByUse::COLUMNS * seats),
        ]),
        lengths: Some(LengthTable { table: LENGTHS, first: 1, columns: 2, mean: ROUNDS_PER_GAME, unit: "rounds" }),
        passes: None,
        measures: Vec::new(),
        populations: 0,
    }
}
