//! The charts of a game whose bots score options: how learning went, and what features are for.

use super::named;
use crate::charts::rows::{Figures, Row, Rows};
use crate::figure::{Lines, Panel};
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
    let scale = if wins { 100.0 } else { 1.0 };
    let what = match wins {
        true => "Share of the wins, percent",
        false => "Mean score",
    };
    let panel = |beside: &str, of: fn(&LearntRound) -> Estimate| Panel {
        heading: format!("{what}, beside {beside}"),
        lines: vec![
            played
                .rounds
                .iter()
                .map(|at| of(at).value * scale)
                .collect(),
        ],
    };
    let first = match played.resolved.learners {
        1 => "the bots that it learns against".to_string(),
        _ => format!("copies of {}", played.resolved.first.label()),
    };
    let mut panels = vec![panel(&first, |at| at.beside_first)];
    if played.resolved.learners > 1 {
        panels.push(panel("copies of the bot before", |at| at.beside_before));
    }
    Lines {
        title: "How learning went".to_string(),
        x_title: "games learnt from".to_string(),
        x: played.rounds.iter().map(|at| at.games as f64).collect(),
        labels: vec!["learnt".to_string()],
        panels,
        note: "Bots that were not clearly better than the one before are shown, too.".to_string(),
    }
}

fn features(played: &ScoredPlayed) -> Rows {
    let wins = played.resolved.objective() == Objective::WinShare;
    let fair = played.resolved.fair();
    let rows = played.without.iter().take(20).map(|row| {
        let shown = match wins {
            true => row.share.minus(fair).scaled(100.0),
            false => row.share,
        };
        Row::one(row.feature.to_string(), shown)
    });
    Rows {
        title: "What the learnt bot is without a feature".to_string(),
        axis: match wins {
            true => more_or_less(
                "percentage points of the wins",
                "the equal share, beside copies of the bot that sees all",
            ),
            false => "mean score beside copies of the bot that sees all".to_string(),
        },
        figures: match wins {
            true => Figures::Changes,
            false => Figures::Values,
        },
        rows: rows.collect(),
        ..Rows::default()
    }
}
