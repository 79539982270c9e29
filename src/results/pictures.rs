//! Which charts a result has, and the plain columns that each is drawn from.

use crate::charts::Chart;
use crate::charts::convergence::{Convergence, Quantity, SeatRun};
use crate::charts::leaving::{Leaving, SeatLeaving};
use crate::charts::scores::{Scores, SeatScores};
use crate::charts::win_shares::{SeatShare, WinShares};
use crate::game::{Layout, Sheet};
use crate::simulation::Tally;
use crate::statistics::Estimate;
use crate::strategy::Seat;

/// How the win shares stood after some number of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Games played so far.
    pub games: u64,
    /// Win share of each seat.
    pub win_shares: Vec<Estimate>,
}

/// What the charts of a simulation are drawn from.
pub struct Pictured<'a> {
    /// What is played, for the line below every title.
    pub subtitle: String,
    /// What a point of the score is called.
    pub score_unit: &'a str,
    /// The bots.
    pub seats: &'a [Seat],
    /// What was recorded.
    pub layout: &'a Layout,
    /// All games.
    pub tally: &'a Tally,
    /// The game's own tables.
    pub sheets: &'a [Sheet],
    /// The running estimate.
    pub checkpoints: &'a [Checkpoint],
}

/// The charts of a simulation, by file name without ending.
pub fn simulation(of: &Pictured) -> Vec<(&'static str, Box<dyn Chart>)> {
    let mut charts: Vec<(&'static str, Box<dyn Chart>)> = vec![
        ("win_shares", Box::new(win_shares(of))),
        ("scores", Box::new(scores(of))),
        ("convergence", Box::new(convergence(of))),
    ];
    if let Some(depth) = of.sheets.iter().find(|sheet| sheet.name == "depth") {
        charts.push(("leaving", Box::new(leaving(of, depth))));
    }
    charts
}

fn label(of: &Pictured, seat: usize) -> String {
    format!("{} {}", seat + 1, of.seats[seat].label())
}

fn win_shares(of: &Pictured) -> WinShares {
    let share = |seat| {
        let win = of.tally.win_share(of.layout, seat);
        SeatShare {
            label: label(of, seat),
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
            label: label(of, seat),
            histogram: occurred
                .map(|(score, games)| (score as i64, *games))
                .collect(),
            mean: of.tally.score(of.layout, seat).value,
        }
    };
    Scores {
        title: "What each bot brings home".to_string(),
        subtitle: of.subtitle.clone(),
        unit: of.score_unit.to_string(),
        seats: (0..of.layout.seats).map(seat_scores).collect(),
    }
}

fn convergence(of: &Pictured) -> Convergence {
    let run = |seat: usize| {
        let column = |of_estimate: fn(&Estimate) -> f64| {
            of.checkpoints
                .iter()
                .map(move |at| of_estimate(&at.win_shares[seat]))
                .collect()
        };
        SeatRun {
            label: label(of, seat),
            games: of.checkpoints.iter().map(|at| at.games).collect(),
            value: column(|win| win.value),
            low: column(|win| win.low),
            high: column(|win| win.high),
        }
    };
    Convergence {
        title: "How sure the win shares are".to_string(),
        subtitle: of.subtitle.clone(),
        unit: "win share".to_string(),
        quantity: Quantity::Share,
        seats: (0..of.layout.seats).map(run).collect(),
    }
}

fn leaving(of: &Pictured, depth: &Sheet) -> Leaving {
    let reached = depth.whole("expeditions");
    let trapped = depth.whole("ended_by_trap");
    let all = reached.first().copied().unwrap_or(0).max(1) as f64;
    let share = |count: u64| count as f64 / all;
    // After this many cards: how likely the next one ends the expedition, if there is a next one.
    let risk = |row: usize| match reached.get(row + 1) {
        Some(&next) if next > 0 => trapped[row + 1] as f64 / next as f64,
        _ => 0.0,
    };
    let seat_leaving = |seat: usize| {
        let left = depth.whole(&format!("left_seat_{}", seat + 1));
        let out: u64 = left.iter().sum();
        SeatLeaving {
            label: label(of, seat),
            left: left.iter().map(|&count| share(count)).collect(),
            lost: 1.0 - share(out),
        }
    };
    Leaving {
        title: "When each bot leaves, and how the risk grows".to_string(),
        subtitle: of.subtitle.clone(),
        depths: depth
            .whole("cards")
            .iter()
            .map(|&cards| cards as u32)
            .collect(),
        seats: (0..of.layout.seats).map(seat_leaving).collect(),
        risk: (0..reached.len()).map(risk).collect(),
        reached: reached.iter().map(|&count| share(count)).collect(),
    }
}
