//! The report of `solve` in games with scored options: the trained bot, its training rounds, the
//! gain of thinking against it, and the importance of its features.

use super::pictures::{all, alone, rows, run, running};
use super::report::{Contents, NamedChart};
use super::solve::{GAMES, LEARNING, headline, standings, stands, thinking_gains};
use super::store::Manifest;
use super::text::View;
use super::words::more_or_less;
use crate::study::Study;
use crate::study::solve::{LearntRound, ScoredPlayed, Thought, Without};
use carat_core::figure::{self, Figure, Figures};
use carat_core::learning::Objective;
use carat_core::sheet::{Rows, Sheet};

pub fn content(played: &ScoredPlayed, manifest: &mut Manifest) -> Contents {
    let resolved = &played.resolved;
    let fair = resolved.fair();
    let mut sheets = vec![learning(&played.rounds)];
    if resolved.learners > 1 {
        sheets.push(gain(&played.thoughts, fair));
        sheets.push(standings(&played.standings));
        sheets.push(features(&played.without));
    }
    let solved = resolved.bot_file(&played.bot.strategy.text);
    let mut files = vec![("solved.toml".to_string(), solved)];
    for (number, round) in (1..).zip(&played.rounds) {
        let text = resolved.bot_file(&round.text);
        files.push((format!("round-{number}.toml"), text));
    }
    manifest.study = Study::Solve(resolved.study.clone());
    let headline = headline(resolved);
    let summary = summary(played);
    Contents {
        charts: charts(&headline, played, &sheets),
        sheets,
        files,
        views: views(&headline, &summary, played),
        summary,
        ..Contents::default()
    }
}

pub fn empty_sheets() -> Vec<Sheet> {
    vec![learning(&[]), gain(&[], 0.0), standings(&[]), features(&[])]
}

fn learning(rounds: &[LearntRound]) -> Sheet {
    let one = "one row per training round";
    let mut sheet = Rows::new("learning", one, (1..).zip(rounds));
    let meaning = "number of the round, from 1";
    sheet.whole("round", meaning, |(number, _)| *number);
    sheet.whole("games", "training games so far", |(_, at)| at.games);
    let meaning = "look-up tables in the bot of the round";
    sheet.whole("tables", meaning, |(_, at)| at.tables);
    let meaning = "win share or mean score of its bot against copies of the first bot, or against \
                   the bots it trains against";
    sheet.estimates("beside_first", meaning, |(_, at)| at.beside_first);
    let meaning = "win share or mean score of its bot against copies of the previous bot, or that \
                   of the previous bot against the bots it trains against";
    sheet.estimates("beside_before", meaning, |(_, at)| at.beside_before);
    let meaning = "whether it was significantly better, so training continued from it";
    sheet.truth("kept", meaning, |(_, at)| at.kept);
    sheet.sheet()
}

fn gain(thoughts: &[Thought], fair: f64) -> Sheet {
    let one = "one row per player that runs playouts against copies of the trained bot";
    let mut sheet = Rows::new("gain", one, thoughts);
    let meaning = "maximum playouts per option";
    sheet.whole("playouts", meaning, |thought| thought.playouts);
    sheet.whole("games", "games played", |thought| thought.games);
    let meaning = "its win share minus the fair share: a lower bound on the possible gain";
    sheet.estimates("gain", meaning, |thought| thought.share.minus(fair));
    sheet.sheet()
}

fn features(without: &[Without]) -> Sheet {
    let one = "one row per feature of the trained bot, most important first";
    let mut sheet = Rows::new("features", one, without);
    sheet.text("feature", "the feature", |row| row.feature.to_string());
    let meaning = "win share or mean score of the bot without this feature, against copies of the \
                   full bot";
    sheet.estimates("without", meaning, |row| row.share);
    sheet.sheet()
}

const FEATURES: usize = 12;

fn views(headline: &str, summary: &str, played: &ScoredPlayed) -> Vec<View> {
    let mut views = vec![View::text(headline), View::text(summary)];
    let rounds = "round | games | beside_first: against the first | beside_before: against the \
                  previous | kept";
    let rows = (0..played.rounds.len()).collect();
    views.extend(View::print_rows("learning", rounds, rows));
    views.extend(stands(&played.standings));
    let features = "feature: without | without: against the full bot";
    let rows = (0..played.without.len().min(FEATURES)).collect();
    views.extend(View::print_rows("features", features, rows));
    views
}

/// The summary: the results of the trained bot, and the gain of thinking against it.
fn summary(played: &ScoredPlayed) -> String {
    let resolved = &played.resolved;
    let last = played.rounds.iter().rev().find(|round| round.kept);
    let first = resolved.first.label();
    let mut lines = vec![match (last, resolved.learners) {
        (Some(round), 1) => format!(
            "The trained bot gets {} against the bots it trained against; {first} or the previous \
             bot gets {}.",
            round.beside_first, round.beside_before
        ),
        (Some(round), _) => format!(
            "Against {} of the starting bot {first}, the trained bot gets {}.",
            resolved.copies(),
            round.beside_first
        ),
        (None, _) => {
            let start = resolved.from.as_ref();
            let start = start.map_or(first.clone(), |(bot, _)| bot.label());
            format!("Training found nothing better than {start}; use more games.")
        }
    }];
    for thought in &played.thoughts {
        let gain = thought.share.minus(resolved.fair());
        lines.push(thinking_gains(thought.playouts, gain));
    }
    lines.join("\n")
}

fn charts(subtitle: &str, played: &ScoredPlayed, sheets: &[Sheet]) -> Vec<NamedChart> {
    let (rounds, features) = (&sheets[0], sheets.get(3));
    let resolved = &played.resolved;
    let wins = resolved.objective() == Objective::WinShare;
    let mut figures = Vec::new();
    if rounds.height() > 1 {
        let first = match resolved.learners {
            1 => "against the opponents".to_string(),
            _ => format!("against {}", resolved.first.label()),
        };
        let all = 0..rounds.height();
        let mut lines = vec![run(rounds, all.clone(), &first, 0, "beside_first")];
        if resolved.learners > 1 {
            let before = "against the previous bot";
            lines.push(run(rounds, all, before, 1, "beside_before"));
        }
        let what = if wins { "Win share" } else { "Mean score" };
        let what = format!("{what} of the trained bot");
        let mut chart = running(LEARNING, &what, GAMES, wins, lines);
        chart.note = "Includes bots that were not kept.".to_string();
        figures.push(("learning", Figure::Lines(chart)));
    }
    if let Some(features) = features.filter(|features| features.height() > 0) {
        let first = 0..features.height().min(20);
        let rows = rows(features, first, "feature", "without", |row, found| {
            let above = found.minus(resolved.fair()).scaled(100.0);
            alone(row, if wins { above } else { found })
        });
        let than = "the fair share, against copies of the full bot";
        let (axis, drawn) = if wins {
            let axis = more_or_less("win share, percentage points", than);
            (axis, Figures::Changes)
        } else {
            let axis = "mean score against copies of the full bot";
            (axis.to_string(), Figures::Values)
        };
        let title = "The trained bot without one feature";
        let mut chart = figure::Rows::differences(title, axis, rows);
        chart.figures = drawn;
        figures.push(("features", Figure::Rows(chart)));
    }
    all(subtitle, figures)
}
