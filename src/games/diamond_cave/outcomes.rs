//! What is recorded of a game of Diamond Cave, and the figures that follow from it.

use super::rules::DiamondCaveRules;
use crate::game::{Counts, Layout, Metric, Per, WIN_UNITS};

/// Seat outcome after the two common ones: diamonds gained.
pub const GAINED: usize = 2;
/// Seat outcome: cards in the tunnel at the end.
pub const LENGTH: usize = 3;
/// Seat outcome: turns, those started at once after a dig counted with the one before.
pub const TURNS: usize = 4;
/// Seat outcome: planned cards laid.
pub const PLANS: usize = 5;
/// Seat outcome: cards dug up.
pub const DIGS: usize = 6;
/// Seat outcome: of these, with the declared edge right.
pub const RIGHT: usize = 7;
/// Seat outcome: turns lost to a blocked tunnel.
pub const BLOCKED: usize = 8;
/// Seat outcome: lone cards turned.
pub const TURNED: usize = 9;

/// Table outcome: turns of all players.
pub const TABLE_TURNS: usize = 0;
/// Table outcome: plans, digs, and what blocked players did.
pub const ACTIONS: usize = 1;
/// Table outcome: diamonds gained by anybody.
pub const TABLE_GAINED: usize = 2;
/// Table outcome: the best score less the second best.
pub const MARGIN: usize = 3;
/// Table outcome: what the start player won, in units of the win.
pub const STARTER_WIN: usize = 4;
/// Table outcome: 1 when several share the win.
pub const SHARED: usize = 5;
/// Table outcome: 1 when the game was stopped because all turns were used up.
pub const CAPPED: usize = 6;

/// Count table: by bot, points for gained diamonds, hidden diamonds, torches, standard cards.
pub const PARTS: usize = 0;
/// Count table: by cell, diamonds that each bot gained there.
pub const GAINED_AT: usize = 1;
/// Count table: by number of a bot's own turn, for each bot how often it had such a turn, and the
/// cards in its tunnel after it, summed.
pub const LENGTHS: usize = 2;
/// Count table: by cards dug up in a turn, the turns of each bot.
pub const TURN_DIGS: usize = 3;
/// Count table: by order of play, for each bot the games, what it won, and its score, summed.
pub const ORDER: usize = 4;
/// Count table: by turns of all players, the games, and those of them that were stopped.
pub const GAME_TURNS: usize = 5;

/// Own turns that [`LENGTHS`] tells apart; later ones are not counted there.
pub const TURNS_TOLD: usize = 60;
/// Rows of [`TURN_DIGS`]; the last holds longer turns, too.
pub const DIGS_TOLD: usize = 21;
/// Rows of [`GAME_TURNS`]; the last holds longer games, too.
pub const GAME_TURNS_TOLD: usize = 401;

/// The layout of a table of `seats` players.
pub fn layout(rules: &DiamondCaveRules, seats: usize) -> Layout {
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let turn = Per::Outcome(TURNS);
    let counts = |name, rows, columns| Counts {
        name,
        rows,
        columns,
    };
    Layout {
        seats,
        seat_outcomes: &[
            "win", "score", "gained", "length", "turns", "plans", "digs", "right", "blocked",
            "turned",
        ],
        table_outcomes: &[
            "turns",
            "actions",
            "gained",
            "margin",
            "starter_win",
            "shared",
            "capped",
        ],
        seat_metrics: Metric::of_seat(vec![
            metric("diamonds_gained_per_game", GAINED, game, "diamonds gained"),
            metric("digs_per_turn", DIGS, turn, "cards dug up in a turn"),
            metric(
                "right_edge_rate",
                RIGHT,
                Per::Outcome(DIGS),
                "of its digs, with the declared edge right",
            ),
            metric(
                "plans_per_turn",
                PLANS,
                turn,
                "planned cards laid in a turn",
            ),
            metric(
                "blocked_turn_rate",
                BLOCKED,
                turn,
                "of its turns, lost to a blocked tunnel",
            ),
            metric(
                "final_tunnel_mean",
                LENGTH,
                game,
                "cards in its tunnel at the end",
            ),
        ]),
        table_metrics: vec![
            metric("turns_per_game", TABLE_TURNS, game, "turns in a game"),
            metric("actions_per_game", ACTIONS, game, "actions in a game"),
            metric(
                "diamonds_gained_per_game",
                TABLE_GAINED,
                game,
                "diamonds gained by anybody",
            ),
            metric(
                "winning_margin_mean",
                MARGIN,
                game,
                "points between best and second",
            ),
            share(
                "starter_win_share",
                STARTER_WIN,
                Per::Games(f64::from(WIN_UNITS)),
                "share of games won by the start player",
            ),
            share(
                "shared_win_rate",
                SHARED,
                game,
                "share of games with several winners",
            ),
            share(
                "capped_rate",
                CAPPED,
                game,
                "share of games stopped because all turns were used up",
            ),
        ],
        score_max: rules.score_max(),
        counts: vec![
            counts("parts", seats, 4),
            counts("gained_at", rules.cells(), seats),
            counts("lengths", TURNS_TOLD, 2 * seats),
            counts("turn_digs", DIGS_TOLD, seats),
            counts("order", seats, 3 * seats),
            counts("game_turns", GAME_TURNS_TOLD, 2),
        ],
    }
}
