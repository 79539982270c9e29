//! The outcomes recorded of a game of Diamond Miner, and their metrics.

use super::cards::{CLASSES, NAMES, ORE, SHOVEL, SWORD};
use super::rules::MinerRules;
use crate::game::{
    ByPlace, ByUse, CAPPED_RATE, Count, CountTable, Layout, LengthTable, Metric, OWN, Per, SCORE,
    SHARED_WIN_RATE, Sign, intern, positions,
};

// Outcomes of each seat, besides its win and its score.
positions! {
    from OWN;
    counts SEAT_COUNTS, length SEAT_OUTCOMES;
    /// turns
    TURNS,
    /// moves
    MOVES,
    /// transformations completed on others' stacks
    STEALS,
    /// transformations that others completed on the seat's stacks
    ROBBED,
    /// shovels made by transformations, minus those used up in them
    SHOVELS,
    /// carts made by transformations, minus those used up in them
    CARTS,
    /// anvils made by transformations, minus those used up in them
    ANVILS,
    /// shields made by transformations
    SHIELDS,
    /// swords made by transformations
    SWORDS,
    /// others' shields removed with swords
    BROKEN,
    /// round of the first diamond, 0 without one
    FIRST_ROUND,
    /// 1 if the seat gets a diamond
    FIRST "0 or 1",
    /// worth of production at the end of each turn but the last, in 1/8 ore
    LEFT,
    /// part of `left` that remains when the next turn begins, in 1/8 ore
    KEPT "0 to left",
}

const _: () = assert!(
    SWORDS - SHOVELS == SWORD - SHOVEL,
    "tools follow each other"
);

// Outcomes of the table.
positions! {
    from 0;
    counts TABLE_COUNTS, length TABLE_OUTCOMES;
    /// rounds played
    ROUNDS "1 to rules_rounds",
    /// moves of all players
    TABLE_MOVES,
    /// turns of all players
    TABLE_TURNS,
    /// round of the first diamond at the table, 0 without one
    TABLE_FIRST_ROUND,
    /// 1 if a player gets a diamond
    TABLE_FIRST "0 or 1",
    /// round of the second diamond at the table, 0 without one
    SECOND_ROUND,
    /// 1 if there is a second diamond at the table
    SECOND "0 or 1",
    /// 1 if the cap on rounds ended the game
    CAPPED "0 or 1",
    /// turns that the cap on moves ended
    CUT,
    /// pairs of a shield and a sword discarded
    PAIRS,
    /// cards due but missing, because their pile had run out
    SKIPPED,
    /// 1 if the owner of the first diamond did not win
    COMEBACK "0 or 1",
    /// 1 if several players share the win
    SHARED "0 or 1",
    /// decisions with two or more options, by all players
    DECISIONS,
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
    Sign { outcome: STEALS, of_others: true, is_good: false, happens: "steals", counted: "steals of the others" },
    Sign { outcome: SHOVELS, of_others: true, is_good: false, happens: "makes a shovel", counted: "shovels that the others make" },
    Sign { outcome: CARTS, of_others: true, is_good: false, happens: "makes a cart", counted: "carts that the others make" },
    Sign { outcome: ANVILS, of_others: true, is_good: false, happens: "makes an anvil", counted: "anvils that the others make" },
    Sign { outcome: SCORE, of_others: true, is_good: false, happens: "has a diamond", counted: "diamonds of the others" },
];

const ROUNDS_PER_GAME: &str = "rounds_per_game";

/// The table's outcome for the uses of a row of [`MOVED`] or [`BY_RECIPE`] by all players.
pub fn uses(table: usize, row: usize) -> usize {
    TABLE_OUTCOMES + if table == MOVED { row } else { CLASSES + row }
}

/// All outcomes of the table: the last are the uses of each card and recipe.
fn table_counts(rules: &MinerRules) -> Vec<Count> {
    let mut counts = TABLE_COUNTS.to_vec();
    let count = |name: String, meaning: String| Count {
        name: intern(&name),
        meaning: intern(&meaning),
        range: "",
    };
    for name in NAMES {
        let meaning = format!("moves of {name} cards under a stack, by all players");
        counts.push(count(format!("moved_{name}"), meaning));
    }
    for (recipe, written) in rules.recipes.iter().zip(&rules.written) {
        let card = rules
            .card_name(recipe.top)
            .replace(|c: char| !c.is_alphanumeric(), "_");
        let meaning = format!("uses of recipe {}, by all players", written.text);
        counts.push(count(format!("used_{card}_{}", written.number), meaning));
    }
    counts
}

/// The classes of card that recipes give, with the uses of those recipes.
fn kinds(rules: &MinerRules) -> Vec<(String, Vec<usize>)> {
    let mut kinds = Vec::new();
    for (class, name) in NAMES.into_iter().enumerate() {
        let recipes = rules.recipes.iter().enumerate();
        let made = recipes.filter(|(_, recipe)| class != ORE && recipe.gives[class] > 0);
        let made = Vec::from_iter(made.map(|(row, _)| uses(BY_RECIPE, row)));
        if !made.is_empty() && rules.bank[class] > 0 {
            kinds.push((name.to_string(), made));
        }
    }
    kinds
}

#[rustfmt::skip] // A table, one metric a line.
pub fn layout(rules: &MinerRules, seats: usize) -> Layout {
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let rounds = rules.rounds as usize;
    Layout {
        seats,
        seat_outcomes: SEAT_OUTCOMES,
        table_outcomes: uses(BY_RECIPE, rules.recipes.len()),
        seat_counts: SEAT_COUNTS,
        table_counts: table_counts(rules),
        seat_metrics: Metric::of_seat(vec![
            metric("first_diamond_round", FIRST_ROUND, Per::Outcome(FIRST), "round of first diamond: the seat's first"),
            metric("steals_per_game", STEALS, game, "steals: transformations on others' stacks per game"),
            metric("robbed_per_game", ROBBED, game, "times robbed: transformations by others on the seat's stacks per game"),
            metric("carts_per_game", CARTS, game, "carts made: by transformations per game"),
            metric("anvils_per_game", ANVILS, game, "anvils made: by transformations per game, minus those used up in them"),
            metric("shields_per_game", SHIELDS, game, "shields made: by transformations per game"),
            metric("swords_per_game", SWORDS, game, "swords made: by transformations per game"),
            metric("production_kept", KEPT, Per::Outcome(LEFT), "production kept: share of production (by worth) that survives until the owner's next turn"),
            metric("broken_per_game", BROKEN, game, "shields broken: others' shields removed with swords per game"),
        ]),
        table_metrics: Metric::of_table(vec![
            metric(ROUNDS_PER_GAME, ROUNDS, game, "rounds per game").key(),
            metric("moves_per_game", TABLE_MOVES, game, "moves per game: by all players"),
            metric("decisions_per_game", DECISIONS, game, "decisions per game: decisions with two or more options, by all players, per game").key(),
            metric("moves_per_turn", TABLE_MOVES, Per::Outcome(TABLE_TURNS), "moves per turn"),
            metric("first_diamond_round", TABLE_FIRST_ROUND, Per::Outcome(TABLE_FIRST), "round of first diamond: the first at the table").key(),
            metric("second_diamond_round", SECOND_ROUND, Per::Outcome(SECOND), "round of second diamond: the second at the table"),
            metric("shields_broken_per_game", PAIRS, game, "shields broken: pairs of a shield and a sword discarded per game"),
            metric("cards_skipped_per_game", SKIPPED, game, "cards missing: due but missing, because their pile had run out, per game"),
            share("comeback_rate", COMEBACK, game, "comebacks: share of games lost by the owner of the first diamond; a shared win is not a loss").key(),
            share(SHARED_WIN_RATE, SHARED, game, "shared wins").key(),
            share(CAPPED_RATE, CAPPED, game, "stopped by the cap: share of games stopped by the cap on rounds").key(),
            metric("cut_turns_per_game", CUT, game, "turns cut short: turns ended by the cap on moves, per game"),
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
        kinds: kinds(rules),
        lengths: Some(LengthTable { table: LENGTHS, first: 1, columns: 2, mean: ROUNDS_PER_GAME, unit: "rounds" }),
        ..Layout::default()
    }
}
