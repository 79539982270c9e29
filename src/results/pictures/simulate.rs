//! The charts of a simulation: the common ones, and those of its game.

use super::{alone, named, rows, running, runs};
use crate::figure::{Density, DensityRow, Figures, Lines, Row, RowLine, Rows};
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
    let value = |row: &Row| row.lines[0].estimate.value;
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

fn scores(played: &Played) -> Density {
    let unit = played.resolved.game.score_unit;
    let mut rows = Vec::new();
    for (label, games) in (seat_names(&played.resolved.seats).into_iter()).zip(&played.tally.scores)
    {
        let games = games.clone();
        rows.push(DensityRow { label, games });
    }
    Density {
        title: format!("How many {unit} each bot ends with"),
        axis: format!("{unit} at the end of a game"),
        unit: unit.to_string(),
        rows,
        note: String::new(),
    }
}

/// The running estimate: of the win shares, or of the score where nobody can lose.
fn convergence(played: &Played, sheet: &Sheet) -> Lines {
    let x_title = "games played";
    if played.resolved.seats.len() > 1 {
        let (title, lines) = (
            "How sure the win shares are",
            runs(sheet, "name", WIN_SHARE),
        );
        return running(title, "Win share so far", x_title, true, lines);
    }
    let (title, lines) = (
        "How sure the mean score is",
        runs(sheet, "name", SCORE_MEAN),
    );
    let heading = format!("Mean {} so far", played.resolved.game.score_unit);
    running(title, &heading, x_title, false, lines)
}
