//! The outcomes recorded of a game of Diamond Cave, and their metrics.

use super::rules::{DiamondCaveRules, KIND_NAMES};
use crate::game::{
    ByPlace, ByUse, CAPPED_RATE, CountTable, Layout, LengthTable, Metric, OWN, Per,
    SHARED_WIN_RATE, STARTER_WIN_SHARE, Sign, WIN_UNITS, positions,
};

// Outcomes of each seat, besides its win and its score.
positions! {
    from OWN;
    counts SEAT_COUNTS, length SEAT_OUTCOMES;
    /// diamonds gained
    GAINED "0 to diamonds",
    /// cards in the tunnel at the end
    LENGTH,
    /// turns; a turn that follows at once after a dig counts as part of the one before
    TURNS,
    /// planned cards laid
    PLANS,
    /// cards dug up
    DIGS,
    /// cards dug up whose tunnel leaves by the declared edge
    RIGHT "0 to digs",
    /// turns lost to a blocked tunnel
    BLOCKED,
    /// blocked turns in which a single card was turned
    TURNED,
}

// Outcomes of the table.
positions! {
    from 0;
    counts TABLE_COUNTS, length TABLE_OUTCOMES;
    /// turns of all players
    TABLE_TURNS,
    /// planned cards laid, digs, and actions of blocked players
    ACTIONS,
    /// diamonds gained by all players
    TABLE_GAINED "0 to diamonds",
    /// best score minus second best score
    MARGIN,
    /// the start player's win: 840 if won alone, 840/n if shared by n
    STARTER_WIN "0 to 840",
    /// 1 if several players share the win
    SHARED "0 or 1",
    /// 1 if the cap on turns ended the game
    CAPPED "0 or 1",
    /// decisions with two or more options, by all players
    DECISIONS,
    /// torches dug up, by all players
    DUG_TORCH,
    /// torches laid as planned cards, by all players
    PLANNED_TORCH,
    /// standard cards dug up, by all players
    DUG_STANDARD,
    /// standard cards laid as planned cards, by all players
    PLANNED_STANDARD,
    /// dark cards dug up, by all players
    DUG_DARK,
    /// dark cards laid as planned cards, by all players
    PLANNED_DARK,
}

// Tables of counts.
positions! {
    from 0;
    /// By bot, points for gained diamonds, hidden diamonds, torches, standard cards.
    PARTS,
    /// By cell, diamonds that each bot gained there.
    GAINED_AT,
    /// By number of a bot's own turn, the number of such turns of each bot, and the sum of the
    /// cards in its tunnel after it.
    LENGTHS,
    /// By cards dug up in a turn, the turns of each bot.
    TURN_DIGS,
    /// By order of play, the games of each bot, its wins, and the sum of its scores.
    ORDER,
    /// By turns of all players, the games, and those that the cap stopped.
    GAME_TURNS,
    /// By kind of card and way into a tunnel, the uses of each bot.
    BY_CARD,
    COUNT_TABLES,
}

// The uses of the rows of [`BY_CARD`] by all players, from DUG_TORCH on.
const _: () = assert!(DUG_TORCH + LAID == TABLE_OUTCOMES);

/// How a card enters a tunnel.
pub const WAYS: [&str; 2] = ["dug up", "planned"];
/// Rows of [`BY_CARD`]: each kind of card, in each of the [`WAYS`].
pub const LAID: usize = 3 * WAYS.len();
/// Own turns that [`LENGTHS`] has rows for; later turns are left out.
pub const TURN_ROWS: usize = 60;
/// Rows of [`TURN_DIGS`]; the last holds longer turns, too.
pub const DIG_ROWS: usize = 21;
/// Rows of [`GAME_TURNS`]; the last holds longer games, too.
pub const GAME_TURN_ROWS: usize = 401;

#[rustfmt::skip] // A table, one sign a line.
pub const SIGNS: &[Sign] = &[
    Sign { outcome: GAINED, of_others: false, is_good: true, happens: "you gain a diamond", counted: "diamonds that you gain" },
    Sign { outcome: BLOCKED, of_others: false, is_good: false, happens: "your tunnel is blocked", counted: "turns that you lose to a blocked tunnel" },
    Sign { outcome: GAINED, of_others: true, is_good: false, happens: "gains a diamond", counted: "diamonds that the others gain" },
    Sign { outcome: BLOCKED, of_others: true, is_good: true, happens: "is blocked", counted: "turns that the others lose to blocked tunnels" },
];

const TURNS_PER_GAME: &str = "turns_per_game";

/// The kinds of card in the game, with how often they enter a tunnel.
fn kinds(rules: &DiamondCaveRules) -> Vec<(String, Vec<usize>)> {
    let mut kinds = Vec::new();
    for (kind, dug) in KIND_NAMES
        .into_iter()
        .zip((DUG_TORCH..).step_by(WAYS.len()))
    {
        let mut cards = rules.cards.iter();
        if cards.any(|card| KIND_NAMES[card.kind as usize] == kind) {
            kinds.push((format!("{kind} cards"), vec![dug, dug + 1]));
        }
    }
    kinds
}

#[rustfmt::skip] // A table, one metric a line.
pub fn layout(rules: &DiamondCaveRules, seats: usize) -> Layout {
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let turn = Per::Outcome(TURNS);
    let win = Per::Games(f64::from(WIN_UNITS));
    Layout {
        seats,
        seat_outcomes: SEAT_OUTCOMES,
        table_outcomes: TABLE_OUTCOMES,
        seat_counts: SEAT_COUNTS,
        table_counts: TABLE_COUNTS.to_vec(),
        seat_metrics: Metric::of_seat(vec![
            metric("diamonds_gained_per_game", GAINED, game, "diamonds gained: diamonds gained per game"),
            metric("digs_per_turn", DIGS, turn, "digs per turn: cards dug up per turn"),
            metric("right_edge_rate", RIGHT, Per::Outcome(DIGS), "digs the right way: share of digs that leave by the declared edge"),
            metric("plans_per_turn", PLANS, turn, "planned cards per turn: planned cards laid per turn"),
            metric("blocked_turn_rate", BLOCKED, turn, "blocked turns: share of turns lost to a blocked tunnel"),
            metric("final_tunnel_mean", LENGTH, game, "final tunnel length: cards in the tunnel at the end"),
        ]),
        table_metrics: Metric::of_table(vec![
            metric(TURNS_PER_GAME, TABLE_TURNS, game, "turns per game").key(),
            metric("actions_per_game", ACTIONS, game, "actions per game"),
            metric("decisions_per_game", DECISIONS, game, "decisions per game: decisions with two or more options, by all players, per game").key(),
            metric("diamonds_gained_per_game", TABLE_GAINED, game, "diamonds gained: diamonds gained per game by all players"),
            metric("winning_margin_mean", MARGIN, game, "winning margin (points)").key(),
            share(STARTER_WIN_SHARE, STARTER_WIN, win, "start player wins: share of games won by the start player; a win shared by n counts 1/n").key(),
            share(SHARED_WIN_RATE, SHARED, game, "shared wins").key(),
            share(CAPPED_RATE, CAPPED, game, "stopped by the cap: share of games stopped by the cap on turns").key(),
        ], seats),
        score_max: rules.score_max(),
        counts: CountTable::list::<COUNT_TABLES>([
            (PARTS, seats, 4),
            (GAINED_AT, rules.cells(), seats),
            (LENGTHS, TURN_ROWS, 2 * seats),
            (TURN_DIGS, DIG_ROWS, seats),
            (ORDER, seats, ByPlace::COLUMNS * seats),
            (GAME_TURNS, GAME_TURN_ROWS, 2),
            (BY_CARD, LAID, ByUse::COLUMNS * seats),
        ]),
        kinds: kinds(rules),
        lengths: Some(LengthTable { table: GAME_TURNS, first: 0, columns: 1, mean: TURNS_PER_GAME, unit: "turns" }),
        ..Layout::default()
    }
}
