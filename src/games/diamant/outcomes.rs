//! What is recorded of a game of Diamant, and the figures that follow from it.

use super::rules::DiamantRules;
use crate::game::{Counts, Layout, Metric, Per};

/// Seat outcome after the two common ones: expeditions lost to a trap.
pub const BUSTS: usize = 2;
/// Seat outcome: relics taken out.
pub const RELICS: usize = 3;
/// Seat outcome: expeditions left in time.
pub const LEFT: usize = 4;
/// Seat outcome: expeditions left as the only one to leave at that moment.
pub const LEFT_ALONE: usize = 5;
/// Seat outcome: cards revealed when leaving, summed over expeditions.
pub const CARDS_AT_LEAVING: usize = 6;

/// Table outcome: cards revealed.
pub const CARDS: usize = 0;
/// Table outcome: expeditions ended by a trap.
pub const TABLE_BUSTS: usize = 1;
/// Table outcome: rubies on the path when an expedition ended, summed.
pub const LEFT_BEHIND: usize = 2;
/// Table outcome: relics taken out by anybody.
pub const CLAIMED: usize = 3;
/// Table outcome: the best score less the second best.
pub const MARGIN: usize = 4;
/// Table outcome: expeditions after which no earlier leader was still in front.
pub const LEAD_CHANGES: usize = 5;
/// Table outcome: 1 when no winner was in front before the last expedition.
pub const COMEBACK: usize = 6;
/// Table outcome: 1 when several share the win.
pub const SHARED: usize = 7;

/// Count table: by number of cards, the expeditions that ended there, and those that a trap ended.
pub const ENDED: usize = 0;
/// Count table: by number of cards, how often each seat left there.
pub const LEAVING: usize = 1;

/// Number of rows of the count tables: 0 to 64 cards.
pub const DEPTHS: usize = 65;

/// The layout of a table of `seats` explorers.
pub fn layout(rules: &DiamantRules, seats: usize) -> Layout {
    let rounds = f64::from(rules.rounds);
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let expedition = Per::Games(rounds);
    let mut table_metrics = vec![
        metric("cards_per_game", CARDS, game, "cards revealed in a game"),
        metric(
            "cards_per_expedition",
            CARDS,
            expedition,
            "cards revealed in an expedition",
        ),
        share(
            "bust_rate",
            TABLE_BUSTS,
            expedition,
            "share of expeditions that a trap ended",
        ),
        metric(
            "rubies_left_behind_per_game",
            LEFT_BEHIND,
            game,
            "rubies on the path when expeditions ended",
        ),
        metric(
            "relics_claimed_per_game",
            CLAIMED,
            game,
            "relics taken out of the cave",
        ),
    ];
    if seats > 1 {
        table_metrics.extend([
            metric(
                "winning_margin_mean",
                MARGIN,
                game,
                "rubies between best and second",
            ),
            metric(
                "lead_changes_per_game",
                LEAD_CHANGES,
                game,
                "expeditions after which no earlier leader was in front",
            ),
            share(
                "comeback_rate",
                COMEBACK,
                game,
                "share of games whose winner was not in front before the last expedition",
            ),
            share(
                "shared_win_rate",
                SHARED,
                game,
                "share of games with several winners",
            ),
        ]);
    }
    Layout {
        seats,
        seat_outcomes: &[
            "win",
            "score",
            "busts",
            "relics",
            "left",
            "left_alone",
            "cards_at_leaving",
        ],
        table_outcomes: &[
            "cards",
            "busts",
            "left_behind",
            "claimed",
            "margin",
            "lead_changes",
            "comeback",
            "shared",
        ],
        seat_metrics: Metric::of_seat(vec![
            share(
                "bust_rate",
                BUSTS,
                expedition,
                "share of expeditions lost to a trap",
            ),
            metric("relics_per_game", RELICS, game, "relics taken out"),
            share(
                "left_alone_rate",
                LEFT_ALONE,
                Per::Outcome(LEFT),
                "of the times it left, alone",
            ),
            metric(
                "cards_at_leaving_mean",
                CARDS_AT_LEAVING,
                Per::Outcome(LEFT),
                "cards revealed when it left",
            ),
        ]),
        table_metrics,
        score_max: rules.score_max(),
        counts: vec![
            Counts {
                name: "ended",
                rows: DEPTHS,
                columns: 2,
            },
            Counts {
                name: "leaving",
                rows: DEPTHS,
                columns: seats,
            },
        ],
    }
}
