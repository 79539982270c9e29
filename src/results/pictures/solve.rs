//! The charts of a game that was learnt: how learning went, and what features are for.

use super::{all, alone, rows, run, running};
use crate::figure::{Figure, Figures, Lines, Rows};
use crate::learning::Objective;
use crate::results::NamedChart;
use crate::results::words::more_or_less;
use crate::sheet::Sheet;
use crate::study::solve::{PolicyPlayed, ScoredPlayed};

const GAMES: &str = "games learnt from";
const LEARNING: &str = "How learning went";

/// The charts of a game that was learnt, with the sheet of its milestones; `subtitle` says what was
/// played.
pub fn solve(subtitle: &str, played: &PolicyPlayed, way: &Sheet) -> Vec<NamedChart> {
    let wins = played.resolved.objective() == Objective::WinShare;
    let (title, what, label, share) = match (played.resolved.learners > 1, wins) {
        (true, true) => (
            "How far the learnt play could be beaten",
            "Gain of a quick attack, in percentage points",
            "attack found",
            false,
        ),
        (_, true) => (LEARNING, "Share of the wins", "learnt play", true),
        _ => (LEARNING, "Mean score", "learnt play", false),
    };
    let mut figures = Vec::new();
    if way.height() > 1 {
        let lines = vec![run(way, 0..way.height(), label, 0, "found")];
        let note = match played.resolved.learners {
            1 => String::new(),
            _ => "Each attack learnt from a quarter of the games so far.".to_string(),
        };
        let lines = Lines {
            note,
            ..running(title, what, GAMES, share, lines)
        };
        figures.push(("learning", Figure::Lines(lines)));
    }
    all(subtitle, figures)
}

/// The charts of a game whose bots score options, with the sheets of its rounds and features.
pub fn scored(
    subtitle: &str,
    played: &ScoredPlayed,
    rounds: &Sheet,
    features: &Sheet,
) -> Vec<NamedChart> {
    let resolved = &played.resolved;
    let wins = resolved.objective() == Objective::WinShare;
    let mut figures = Vec::new();
    if rounds.height() > 1 {
        let first = match resolved.learners {
            1 => "beside the bots".to_string(),
            _ => format!("beside {}", resolved.first.label()),
        };
        let all = 0..rounds.height();
        let mut lines = vec![run(rounds, all.clone(), &first, 0, "beside_first")];
        if resolved.learners > 1 {
            let before = "beside the bot before";
            lines.push(run(rounds, all, before, 1, "beside_before"));
        }
        let what = if wins {
            "Share of the wins of the learnt bot"
        } else {
            "Mean score of the learnt bot"
        };
        let note = "Bots that were not clearly better than the one before are shown, too.";
        figures.push((
            "learning",
            Figure::Lines(Lines {
                note: note.to_string(),
                ..running(LEARNING, what, GAMES, wins, lines)
            }),
        ));
    }
    if features.height() > 0 {
        let first = 0..features.height().min(20);
        let rows = rows(features, first, "feature", "without", |row, found| {
            let above = found.minus(resolved.fair()).scaled(100.0);
            alone(row, if wins { above } else { found })
        });
        let of_all = "beside copies of the bot that sees all";
        let (axis, drawn) = if wins {
            let than = format!("the equal share, {of_all}");
            let axis = more_or_less("percentage points of the wins", &than);
            (axis, Figures::Changes)
        } else {
            (format!("mean score {of_all}"), Figures::Values)
        };
        let title = "What the learnt bot is without a feature";
        let chart = Rows {
            figures: drawn,
            ..Rows::differences(title, axis, rows)
        };
        figures.push(("features", Figure::Rows(chart)));
    }
    all(subtitle, figures)
}
