//! The charts of a game that was learnt: how learning went, and the card.

use super::{named, running};
use crate::figure::{Line, Lines};
use crate::learning::Objective;
use crate::results::{NamedChart, card};
use crate::study::solve::PolicyPlayed;

/// The charts of a game that was learnt; `subtitle` says what was played.
pub fn solve(subtitle: &str, played: &PolicyPlayed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    if played.milestones.len() > 1 {
        charts.push(named("learning", subtitle, learning(played)));
    }
    let resolved = &played.resolved;
    let (table, vocabulary) = (resolved.made_for(), resolved.game.vocabulary);
    if let (Some(shape), Some(found)) = (resolved.card(), &played.card)
        && let Some(card) = card(shape, &found.bot.strategy, &table, vocabulary)
    {
        charts.push(named("card", subtitle, card));
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
