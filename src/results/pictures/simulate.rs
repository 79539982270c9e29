//! The charts of a simulation: the common ones, and those of its game.

use super::{alone, named, rows, runs};
use crate::charts::convergence::Convergence;
use crate::charts::rows::{Figures, RowLine, Rows};
use crate::charts::scores::{ScoresChart, SeatScores};
use crate::game::{SCORE_MEAN, WIN_SHARE};
use crate::numbers;
use crate::results::NamedChart;
use crate::results::words::equal_share;
use crate::sheet::Sheet;
use crate::strategy::seat_names;
use crate::study::simulate::Played;

/// The charts of a simulation with these sheets.
pub fn simulate(played: &Played, sheets: &[Sheet]) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let subtitle = subtitle.as_str();
    let mut charts: Vec<NamedChart> = Vec::new();
    let of = |name: &str| sheets.iter().find(|sheet| sheet.name == name);
    if let Some(seats) = of("seats").filter(|seats| seats.height() > 1) {
        charts.push(named("win_shares", subtitle, win_shares(seats)));
    }
    charts.push(named("scores", subtitle, scores(played)));
    if let Some(sheet) = of("convergence") {
        charts.push(named("convergence", subtitle, convergence(played, sheet)));
    }
    for (name, figure) in resolved.table.figures(tally.games, &tally.counts) {
        charts.push(named(name, subtitle, figure));
    }
    charts
}

fn win_shares(seats: &Sheet) -> Rows {
    let mut rows = rows(
        seats,
        0..seats.height(),
        "seat_name",
        WIN_SHARE,
        |seat, estimate| RowLine {
            seat,
            ..alone(seat, estimate)
        },
    );
    let value = |row: &crate::charts::rows::Row| row.lines[0].estimate.value;
    rows.sort_by(|a, b| value(b).total_cmp(&value(a)));
    Rows {
        title: "Who wins how often".to_string(),
        axis: "share of games won".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(seats.height())),
        rows,
        ..Rows::default()
    }
}

fn scores(played: &Played) -> ScoresChart {
    let layout = played.resolved.table.layout();
    let names = seat_names(&played.resolved.seats);
    let unit = played.resolved.game.score_unit;
    let seat_scores = |seat: usize| SeatScores {
        label: names[seat].clone(),
        histogram: played.tally.scores[seat].clone(),
        mean: played.tally.seat(layout, SCORE_MEAN, seat).value,
    };
    ScoresChart {
        title: format!("How many {unit} each bot ends with"),
        unit: unit.to_string(),
        seats: (0..layout.seats).map(seat_scores).collect(),
    }
}

/// The running estimate: of the win shares, or of the score where nobody can lose.
fn convergence(played: &Played, sheet: &Sheet) -> Convergence {
    let alone = played.resolved.seats.len() == 1;
    let (title, unit, value) = if alone {
        let unit = format!("Mean {} so far", played.resolved.game.score_unit);
        ("How sure the mean score is", unit, SCORE_MEAN)
    } else {
        let unit = "Win share so far".to_string();
        ("How sure the win shares are", unit, WIN_SHARE)
    };
    Convergence {
        title: title.to_string(),
        unit,
        axis: "games played".to_string(),
        note: String::new(),
        share: !alone,
        seats: runs(sheet, "name", value),
    }
}
