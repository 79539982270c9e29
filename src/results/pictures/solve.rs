//! The charts of a game that was learnt: what to do when, how learning went, and what simple rules
//! keep.

use super::{named, running};
use crate::figure::{Figures, Line, Lines, Row, Rows};
use crate::results::words::more_or_less;

use crate::learning::Objective;
use crate::results::{NamedChart, card};
use crate::study::solve::{PolicyPlayed, RuleOfThumb};

/// The charts of a game that was learnt; `subtitle` says what was played.
pub fn solve(subtitle: &str, played: &PolicyPlayed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    if played.milestones.len() > 1 {
        charts.push(named("learning", subtitle, learning(played)));
    }
    let shape = played.resolved.card();
    let of_card = |rule: &&RuleOfThumb| rule.bot.strategy.name == "card";
    if let (Some(shape), Some(rule)) = (shape, played.thumbs.iter().find(of_card))
        && let Some(card) = card(&shape, &rule.bot.strategy, played.resolved.players())
    {
        charts.push(named("card", subtitle, card));
    }
    if played.thumbs.len() > 1 {
        charts.push(named("rules", subtitle, rules(played)));
    }
    charts
}

fn learning(played: &PolicyPlayed) -> Lines {
    let wins = played.resolved.objective() == Objective::WinShare;
    let among = played.resolved.learners > 1 && wins;
    let scale = if among { 100.0 } else { 1.0 };
    let mut points = Vec::new();
    for at in &played.milestones {
        let estimate = at.estimate.scaled(scale);
        if estimate.low.is_finite() {
            points.push((at.games as f64, estimate));
        }
    }
    let (title, what, label) = match (among, wins) {
        (true, _) => (
            "How far the learnt play could be beaten",
            "Gain of a quick attack, in percentage points",
            "attack found",
        ),
        (_, true) => ("How learning went", "Share of the wins", "learnt play"),
        _ => ("How learning went", "Mean score", "learnt play"),
    };
    let line = Line {
        label: label.to_string(),
        points,
        ..Line::default()
    };
    let share = wins && !among;
    Lines {
        note: "Each attack learnt from a quarter of the games so far.".to_string(),
        ..running(title, what, "games learnt from", share, vec![line])
    }
}

fn rules(played: &PolicyPlayed) -> Rows {
    let wins = played.resolved.objective() == Objective::WinShare;
    let fair = played.resolved.fair();
    let rows = played.thumbs.iter().map(|rule| Row {
        detail: rule.bot.strategy.description.clone(),
        ..Row::one(
            rule.bot.label(),
            if wins {
                rule.beside_learnt.minus(fair).scaled(100.0)
            } else {
                rule.beside_learnt
            },
        )
    });
    Rows {
        title: if wins {
            "How simple rules fare beside the learnt bot".to_string()
        } else {
            "What simple rules score beside the learnt bot".to_string()
        },
        axis: if wins {
            more_or_less(
                "percentage points of the wins",
                "the equal share, beside copies of the learnt bot",
            )
        } else {
            "mean score beside copies of the learnt bot".to_string()
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
