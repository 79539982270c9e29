//! The charts of a simulation: the common ones, and those of its game.

use super::{all, rows, run, running};
use crate::figure::{Density, DensityRow, Figure, Figures, Lines, RowLine, Rows};
use crate::game::{SCORE_MEAN, WIN_SHARE};
use crate::numbers;
use crate::results::NamedChart;
use crate::results::words::equal_share;
use crate::sheet::Sheet;
use crate::strategy::seat_names;
use crate::study::simulate::Played;

/// The charts of a simulation, with the sheets of its seats and of how sure it is.
pub fn simulate(played: &Played, seats: &Sheet, convergence: &Sheet) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let mut figures = Vec::new();
    if seats.height() > 1 {
        figures.push(("win_shares", Figure::Rows(win_shares(seats))));
    }
    figures.push(("scores", Figure::Density(scores(played))));
    let running = running_estimates(resolved.game.score_unit, seats.height(), convergence);
    figures.push(("convergence", Figure::Lines(running)));
    figures.extend(resolved.table.figures(tally.games, &tally.counts));
    all(&subtitle, figures)
}

fn win_shares(seats: &Sheet) -> Rows {
    let bots = 0..seats.height();
    let mut rows = rows(seats, bots, "seat_name", WIN_SHARE, RowLine::of);
    rows.sort_by(|a, b| super::size(b).total_cmp(&super::size(a)));
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
    let names = seat_names(&played.resolved.seats).into_iter();
    let rows = names.zip(played.tally.scores.iter().cloned());
    Density {
        title: format!("How many {unit} each bot ends with"),
        axis: format!("{unit} at the end of a game"),
        unit: unit.to_string(),
        rows: rows
            .map(|(label, games)| DensityRow { label, games })
            .collect(),
        note: String::new(),
    }
}

/// The running estimate: of the win shares, or of the score where nobody can lose.
fn running_estimates(unit: &str, seats: usize, sheet: &Sheet) -> Lines {
    let (title, heading, value) = if seats > 1 {
        (
            "How sure the win shares are",
            "Win share".to_string(),
            WIN_SHARE,
        )
    } else {
        (
            "How sure the mean score is",
            format!("Mean {unit}"),
            SCORE_MEAN,
        )
    };
    let mut lines = Vec::new();
    for seat in 0..seats.min(sheet.height()) {
        let own = (seat..sheet.height()).step_by(seats);
        lines.push(run(sheet, own, &sheet.shown("name", seat), seat, value));
    }
    let heading = format!("{heading} so far");
    running(title, &heading, "games played", seats > 1, lines)
}
