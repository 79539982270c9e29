//! The charts of a simulation: the common ones, and those of its game.

use crate::charts::Chart;
use crate::charts::convergence::{Convergence, Quantity, SeatRun};
use crate::charts::scores::{Scores, SeatScores};
use crate::charts::win_shares::{SeatShare, WinShares};
use crate::figure::Figure;
use crate::game::{Layout, SCORE_MEAN, WIN_SHARE};
use crate::simulation::Tally;
use crate::statistics::Estimate;
use crate::study::simulate::Checkpoint;

/// What the charts of a simulation are drawn from.
pub struct Pictured<'a> {
    /// What is played, for the line below every title.
    pub subtitle: String,
    /// What a point of the score is called.
    pub score_unit: &'a str,
    /// The bots, by seat.
    pub names: &'a [String],
    /// What was recorded.
    pub layout: &'a Layout,
    /// All games.
    pub tally: &'a Tally,
    /// The game's own figures, by file name without ending.
    pub figures: Vec<(&'static str, Figure)>,
    /// The running estimate.
    pub checkpoints: &'a [Checkpoint],
}

/// The charts of a simulation, by file name without ending.
pub fn simulation(of: Pictured) -> Vec<(&'static str, Box<dyn Chart>)> {
    let mut charts: Vec<(&'static str, Box<dyn Chart>)> = Vec::new();
    if of.layout.seats > 1 {
        charts.push(("win_shares", Box::new(win_shares(&of))));
    }
    charts.push(("scores", Box::new(scores(&of))));
    charts.push(("convergence", Box::new(convergence(&of))));
    for (name, mut figure) in of.figures {
        figure.set_subtitle(&of.subtitle);
        charts.push((name, drawn(figure)));
    }
    charts
}

fn drawn(figure: Figure) -> Box<dyn Chart> {
    match figure {
        Figure::Leaving(figure) => Box::new(figure),
        Figure::Stack(figure) => Box::new(figure),
        Figure::HeatMap(figure) => Box::new(figure),
        Figure::Lines(figure) => Box::new(figure),
        Figure::Histogram(figure) => Box::new(figure),
    }
}

fn win_shares(of: &Pictured) -> WinShares {
    let share = |seat| {
        let win = of.tally.seat(of.layout, WIN_SHARE, seat);
        SeatShare {
            label: of.names[seat].clone(),
            share: win.value,
            low: win.low,
            high: win.high,
        }
    };
    WinShares {
        title: "Who wins how often".to_string(),
        subtitle: of.subtitle.clone(),
        seats: (0..of.layout.seats).map(share).collect(),
    }
}

fn scores(of: &Pictured) -> Scores {
    let seat_scores = |seat: usize| {
        let occurred = of.tally.scores[seat]
            .iter()
            .enumerate()
            .filter(|(_, games)| **games > 0);
        SeatScores {
            label: of.names[seat].clone(),
            histogram: occurred
                .map(|(score, games)| (score as i64, *games))
                .collect(),
            mean: of.tally.seat(of.layout, SCORE_MEAN, seat).value,
        }
    };
    Scores {
        title: format!("How many {} each bot ends with", of.score_unit),
        subtitle: of.subtitle.clone(),
        unit: of.score_unit.to_string(),
        seats: (0..of.layout.seats).map(seat_scores).collect(),
    }
}

/// The running estimate: of the win shares, or of the score where nobody can lose.
fn convergence(of: &Pictured) -> Convergence {
    let alone = of.layout.seats == 1;
    let estimates = |at: &'_ Checkpoint, seat: usize| match alone {
        true => at.scores[seat],
        false => at.win_shares[seat],
    };
    let run = |seat: usize| {
        let column = |part: fn(&Estimate) -> f64| {
            of.checkpoints
                .iter()
                .map(|at| part(&estimates(at, seat)))
                .collect()
        };
        SeatRun {
            label: of.names[seat].clone(),
            games: of.checkpoints.iter().map(|at| at.games).collect(),
            value: column(|estimate| estimate.value),
            low: column(|estimate| estimate.low),
            high: column(|estimate| estimate.high),
        }
    };
    let (title, unit, quantity) = match alone {
        true => (
            "How sure the mean score is",
            of.score_unit,
            Quantity::Amount,
        ),
        false => ("How sure the win shares are", "win share", Quantity::Share),
    };
    Convergence {
        title: title.to_string(),
        subtitle: of.subtitle.clone(),
        unit: unit.to_string(),
        quantity,
        seats: (0..of.layout.seats).map(run).collect(),
    }
}
