//! The outcomes recorded of a game of Diamant, and their metrics.

use super::rules::DiamantRules;
use crate::game::{
    Count, CountTable, Layout, Metric, OWN, Per, SHARED_WIN_RATE, intern, positions,
};
use std::ops::Range;

// Outcomes of each seat, besides its win and its score.
positions! {
    from OWN;
    counts SEAT_COUNTS, length SEAT_OUTCOMES;
    /// expeditions lost to a trap
    BUSTS "0 to rounds",
    /// relics taken out
    RELICS "0 to the number of relics",
    /// expeditions left in time
    LEFT "0 to rounds",
    /// expeditions that the seat left alone
    LEFT_ALONE "0 to rounds",
    /// cards revealed when leaving, summed over expeditions
    CARDS_AT_LEAVING,
    /// expeditions left in time, where no other player left after fewer cards
    FIRST_OUT "0 to rounds",
    /// expeditions in which no other player stayed for more cards; a trap catches all inside at
    /// once
    LAST_INSIDE "0 to rounds",
}

// Outcomes of the table.
positions! {
    from 0;
    counts TABLE_COUNTS, length TABLE_OUTCOMES;
    /// cards revealed
    CARDS,
    /// expeditions ended by a trap
    TABLE_BUSTS "0 to rounds",
    /// rubies on the path at the ends of expeditions, summed
    LEFT_BEHIND,
    /// relics taken out by all players
    CLAIMED "0 to the number of relics",
    /// best score minus second best score
    MARGIN,
    /// expeditions after which no earlier leader was still leading
    LEAD_CHANGES "0 to rounds",
    /// 1 if no winner was leading, alone or tied, before the last expedition
    COMEBACK "0 or 1",
    /// 1 if several players share the win
    SHARED "0 or 1",
    /// moments at which all players inside decide at once
    DECISIONS,
    /// most cards revealed in an expedition after the first departure
    LONGEST_WAIT,
    /// expeditions in which a relic was taken out
    RELIC_EXPEDITIONS "0 to rounds",
    /// expeditions, except the last, after which one player led alone
    SOLE_LEADERS "0 to rounds - 1",
}

// Outcomes of the table after each expedition but the last: [`after_each`] gives their positions.
positions! {
    from 0;
    counts AFTER_EACH_COUNTS, length AFTER_EACH;
    /// 1 if a winner was leading after expedition #, alone or tied
    LEADER_WINS "0 or 1",
    /// 1 if one player was leading alone after expedition #
    SOLE_LEADER "0 or 1",
    /// 1 if the player leading alone after expedition # won
    SOLE_LEADER_WINS "0 or 1",
}
/// Their names, with the number of expeditions for `#`.
const AFTER_EACH_NAMES: [&str; AFTER_EACH] =
    ["leader_#_wins", "sole_leader_#", "sole_leader_#_wins"];

/// The positions of an outcome that the table has after each of `rounds` expeditions but the last.
pub fn after_each(outcome: usize, rounds: u32) -> Range<usize> {
    let times = rounds as usize - 1;
    let first = TABLE_OUTCOMES + outcome * times;
    first..first + times
}

pub fn table_outcomes(rounds: u32) -> usize {
    after_each(AFTER_EACH, rounds).start
}

/// All outcomes of the table.
fn table_counts(rounds: u32) -> Vec<Count> {
    let mut counts = TABLE_COUNTS.to_vec();
    for (name, count) in AFTER_EACH_NAMES.into_iter().zip(AFTER_EACH_COUNTS) {
        counts.extend((1..rounds).map(|after| Count {
            name: numbered(name, after),
            meaning: numbered(count.meaning, after),
            ..*count
        }));
    }
    counts
}

/// A text with a number for `#`.
fn numbered(text: &str, number: u32) -> &'static str {
    intern(&text.replace('#', &number.to_string()))
}

// Tables of counts.
positions! {
    from 0;
    /// By number of cards, the expeditions that ended there, and those that a trap ended.
    ENDED,
    /// By number of cards, the departures of each seat.
    LEAVING,
    COUNT_TABLES,
}

/// Number of rows of the count tables: 0 to 64 cards.
pub const DEPTHS: usize = 65;

#[rustfmt::skip] // A table, one metric a line.
pub fn layout(rules: &DiamantRules, seats: usize) -> Layout {
    let rounds = f64::from(rules.rounds);
    let metric = Metric::mean;
    let share = Metric::share;
    let game = Per::Games(1.0);
    let expedition = Per::Games(rounds);
    let mut table_metrics = vec![
        metric("cards_per_game", CARDS, game, "cards per game").key(),
        metric("cards_per_expedition", CARDS, expedition, "cards per expedition"),
        share("bust_rate", TABLE_BUSTS, expedition, "ended by a trap: share of expeditions ended by a trap").key(),
        metric("rubies_left_behind_per_game", LEFT_BEHIND, game, "rubies left per game: on the path, at the ends of expeditions"),
        metric("relics_claimed_per_game", CLAIMED, game, "relics taken per game"),
        metric("decisions_per_game", DECISIONS, game, "rounds of decisions: in the cave, per game"),
    ];
    if seats > 1 {
        table_metrics.extend([
            metric("longest_wait_mean", LONGEST_WAIT, game, "longest wait: most cards revealed in an expedition after the first departure"),
            metric("winning_margin_mean", MARGIN, game, "winning margin (rubies)").key(),
            metric("lead_changes_per_game", LEAD_CHANGES, game, "lead changes per game").key(),
        ]);
        let mut at_half = None;
        for (after, wins) in (1..).zip(after_each(LEADER_WINS, rules.rounds)) {
            table_metrics.push(share(numbered("leader_#_win_rate", after), wins, game, numbered("exp. # leader wins: share of games won by a player leading after expedition #, alone or tied", after)));
            if after == rules.rounds.div_ceil(2) {
                at_half = Some(share("leader_at_half_win_rate", wins, game, "half-time leader wins: share of games won by a player leading after half of the expeditions, rounded up, alone or tied").key());
            }
        }
        table_metrics.extend(at_half);
        let sole_leaders = after_each(SOLE_LEADER, rules.rounds).zip(after_each(SOLE_LEADER_WINS, rules.rounds));
        for (after, (sole, wins)) in (1..).zip(sole_leaders) {
            table_metrics.push(share(numbered("sole_leader_#_win_rate", after), wins, Per::Outcome(sole), numbered("exp. # sole leader wins: share of games won by the player leading alone after expedition #, where there is one", after)));
        }
        table_metrics.extend([
            share("comeback_rate", COMEBACK, game, "comebacks: share of games in which no winner was leading, alone or tied, before the last expedition").key(),
            share(SHARED_WIN_RATE, SHARED, game, "shared wins").key(),
        ]);
    }
    Layout {
        seats,
        seat_outcomes: SEAT_OUTCOMES,
        table_outcomes: table_outcomes(rules.rounds),
        seat_counts: SEAT_COUNTS,
        table_counts: table_counts(rules.rounds),
        seat_metrics: Metric::of_seat(vec![
            share("bust_rate", BUSTS, expedition, "caught: share of expeditions lost to a trap"),
            metric("relics_per_game", RELICS, game, "relics per game"),
            share("left_alone_rate", LEFT_ALONE, Per::Outcome(LEFT), "left alone: share of departures made alone"),
            metric("cards_at_leaving_mean", CARDS_AT_LEAVING, Per::Outcome(LEFT), "cards at leaving: cards revealed when the seat collects, including the next card if players who leave wait for it"),
        ]),
        table_metrics: Metric::of_table(table_metrics, seats),
        score_max: rules.score_max(),
        counts: CountTable::list::<COUNT_TABLES>([(ENDED, DEPTHS, 2), (LEAVING, DEPTHS, seats)]),
        ..Layout::default()
    }
}
