//! The charts of a simulation: the common ones, and those of its game.

use super::named;
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::rows::{Figures, Row, Rows};
use crate::charts::scores::{ScoresChart, SeatScores};
use crate::game::{SCORE_MEAN, WIN_SHARE};
use crate::results::NamedChart;
use crate::results::words::equal_share;
use crate::strategy::seat_names;
use crate::study::simulate::Played;

/// What the charts of a simulation are drawn from.
struct PicturedRun<'a> {
    /// The bots, by seat.
    names: Vec<String>,
    played: &'a Played,
}

/// The charts of a simulation; `subtitle` says what was played.
pub fn simulate(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let of = PicturedRun {
        names: seat_names(&resolved.seats),
        played,
    };
    let mut charts: Vec<NamedChart> = Vec::new();
    if resolved.seats.len() > 1 {
        charts.push(named("win_shares", subtitle, win_shares(&of)));
    }
    charts.push(named("scores", subtitle, scores(&of)));
    charts.push(named("convergence", subtitle, convergence(&of)));
    for (name, figure) in resolved.table.figures(tally.games, &tally.counts) {
        charts.push(named(name, subtitle, figure));
    }
    charts
}

fn win_shares(of: &PicturedRun) -> Rows {
    let layout = of.played.resolved.table.layout();
    let share = |seat: usize| of.played.tally.seat(layout, WIN_SHARE, seat);
    let mut seats: Vec<usize> = (0..layout.seats).collect();
    seats.sort_by(|a, b| share(*b).value.total_cmp(&share(*a).value));
    let row = |seat: usize| Row::of(of.names[seat].as_str(), seat, share(seat));
    Rows {
        title: "Who wins how often".to_string(),
        axis: "share of games won".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(layout.seats)),
        rows: seats.into_iter().map(row).collect(),
        ..Rows::default()
    }
}

fn scores(of: &PicturedRun) -> ScoresChart {
    let layout = of.played.resolved.table.layout();
    let unit = of.played.resolved.game.score_unit;
    let seat_scores = |seat: usize| SeatScores {
        label: of.names[seat].clone(),
        histogram: of.played.tally.scores[seat].clone(),
        mean: of.played.tally.seat(layout, SCORE_MEAN, seat).value,
    };
    ScoresChart {
        title: format!("How many {} each bot ends with", unit),
        unit: unit.to_string(),
        seats: (0..layout.seats).map(seat_scores).collect(),
    }
}

/// The running estimate: of the win shares, or of the score where nobody can lose.
fn convergence(of: &PicturedRun) -> Convergence {
    let resolved = &of.played.resolved;
    let layout = resolved.table.layout();
    let alone = layout.seats == 1;
    let run = |seat: usize| {
        let estimates = of.played.checkpoints.iter().map(|at| {
            if alone {
                (at.games, at.scores[seat])
            } else {
                (at.games, at.win_shares[seat])
            }
        });
        SeatRun {
            label: of.names[seat].clone(),
            // A single game says nothing of the error of a score.
            checkpoints: estimates.filter(|(_, e)| e.low.is_finite()).collect(),
        }
    };
    let (title, unit) = if alone {
        (
            "How sure the mean score is",
            format!("Mean {} so far", resolved.game.score_unit),
        )
    } else {
        (
            "How sure the win shares are",
            "Win share so far".to_string(),
        )
    };
    Convergence {
        title: title.to_string(),
        unit,
        axis: "games played".to_string(),
        note: String::new(),
        share: !alone,
        seats: (0..layout.seats).map(run).collect(),
    }
}
