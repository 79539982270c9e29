//! The charts of a game whose bots score options: how learning went, and what features are for.

use super::named;
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::rows::{Figures, Row, Rows};
use crate::learning::Objective;
use crate::results::NamedChart;
use crate::results::words::more_or_less;
use crate::statistics::Estimate;
use crate::study::solve::{LearntRound, ScoredPlayed};

/// The charts of a game that was learnt; `subtitle` says what was played.
pub fn scored(subtitle: &str, played: &ScoredPlayed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    if played.rounds.len() > 1 {
        charts.push(named("learning", subtitle, learning(played)));
    }
    if !played.without.is_empty() {
        charts.push(named("features", subtitle, features(played)));
    }
    charts
}

fn learning(played: &ScoredPlayed) -> Convergence {
    let wins = played.resolved.objective() == Objective::WinShare;
    let line = |label: String, of: fn(&LearntRound) -> Estimate| SeatRun {
        label,
        checkpoints: (played.rounds.iter())
            .map(|round| (round.games, of(round)))
            .collect(),
    };
    let mut seats = vec![line(
        match played.resolved.learners {
            1 => "beside the bots".to_string(),
            _ => format!("beside {}", played.resolved.first.label()),
        },
        |round| round.beside_first,
    )];
    if played.resolved.learners > 1 {
        let before = "beside the bot before".to_string();
        seats.push(line(before, |round| round.beside_before));
    }
    Convergence {
        title: "How learning went".to_string(),
        unit: if wins {
            "Share of the wins of the learnt bot"
        } else {
            "Mean score of the learnt bot"
        }
        .to_string(),
        axis: "games learnt from".to_string(),
        note: "Bots that were not clearly better than the one before are shown, too.".to_string(),
        share: wins,
        seats,
    }
}

fn features(played: &ScoredPlayed) -> Rows {
    let wins = played.resolved.objective() == Objective::WinShare;
    let fair = played.resolved.fair();
    let rows = played.without.iter().take(20).map(|row| {
        let shown = if wins {
            row.share.minus(fair).scaled(100.0)
        } else {
            row.share
        };
        Row::one(row.feature.to_string(), shown)
    });
    Rows {
        title: "What the learnt bot is without a feature".to_string(),
        axis: if wins {
            more_or_less(
                "percentage points of the wins",
                "the equal share, beside copies of the bot that sees all",
            )
        } else {
            "mean score beside copies of the bot that sees all".to_string()
        },
        figures: if wins {
            Figures::Changes
        } else {
            Figures::Values
        },
        rows: rows.collect(),
        ..Rows::default()
    }
}
