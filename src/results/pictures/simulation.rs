//! The charts of a simulation: the common ones, and those of its game.

use crate::charts::Chart;
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::scores::{Scores, SeatScores};
use crate::charts::win_shares::{SeatShare, WinShares};
use crate::figure::Figure;
use crate::game::{Layout, SCORE_MEAN, WIN_SHARE};
use crate::simulation::Tally;
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
        charts.push((name, Box::new(figure)));
    }
    charts
}

fn win_shares(of: &Pictured) -> WinShares {
    let share = |seat: usize| SeatShare {
        label: of.names[seat].clone(),
        share: of.tally.seat(of.layout, WIN_SHARE, seat),
    };
    WinShares {
        title: "Who wins how often".to_string(),
        subtitle: of.subtitle.clone(),
        seats: (0..of.layout.seats).map(share).collect(),
    }
}

fn scores(of: &Pictured) -> Scores {
    let seat_scores = |seat: usize| SeatScores {
        label: of.names[seat].clone(),
        histogram: of.tally.scores[seat].clone(),
        mean: of.tally.seat(of.layout, SCORE_MEAN, seat).value,
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
    let run = |seat: usize| {
        let estimates = of.checkpoints.iter().map(|at| match alone {
            true => (at.games, at.scores[seat]),
            false => (at.games, at.win_shares[seat]),
        });
        SeatRun {
            label: of.names[seat].clone(),
            // A single game says nothing of the error of a score.
            checkpoints: estimates.filter(|(_, e)| e.low.is_finite()).collect(),
        }
    };
    let (title, unit) = match alone {
        true => ("How sure the mean score is", of.score_unit),
        false => ("How sure the win shares are", "win share"),
    };
    Convergence {
        title: title.to_string(),
        subtitle: of.subtitle.clone(),
        unit: unit.to_string(),
        share: !alone,
        seats: (0..of.layout.seats).map(run).collect(),
    }
}
