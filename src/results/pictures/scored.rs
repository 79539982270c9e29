//! The charts of a game whose bots score options: how learning went, and what features are for.

use super::{named, running};
use crate::figure::{Figures, Line, Lines, Row, Rows};
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

fn learning(played: &ScoredPlayed) -> Lines {
    let wins = played.resolved.objective() == Objective::WinShare;
    let line = |label: &str, seat: usize, of: fn(&LearntRound) -> Estimate| {
        let rounds = played.rounds.iter();
        let points = rounds.map(|round| (round.games as f64, of(round)));
        Line {
            label: label.to_string(),
            seat,
            points: points.collect(),
            ..Line::default()
        }
    };
    let first = match played.resolved.learners {
        1 => "beside the bots".to_string(),
        _ => format!("beside {}", played.resolved.first.label()),
    };
    let mut lines = vec![line(&first, 0, |round| round.beside_first)];
    if played.resolved.learners > 1 {
        lines.push(line("beside the bot before", 1, |round| {
            round.beside_before
        }));
    }
    let what = if wins {
        "Share of the wins of the learnt bot"
    } else {
        "Mean score of the learnt bot"
    };
    let note = "Bots that were not clearly better than the one before are shown, too.";
    Lines {
        note: note.to_string(),
        ..running("How learning went", what, "games learnt from", wins, lines)
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
