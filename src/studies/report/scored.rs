//! The report of `solve` in games with scored options: the trained bot, its training rounds, the
//! gain of thinking against it, and the importance of its features.

use super::contents::{Contents, NamedChart};
use super::manifest::Manifest;
use super::pictures::{all, drawn, rows, run, running};
use super::solve::{GAMES, LEARNING, Standings, beside, headline, stands, thinking_gains};
use super::text::View;
use super::words::more_or_less;
use crate::study::Study;
use crate::study::solve::Resolved;
use carat_core::figure::{Figure, Figures, RowLine, Rows};
use carat_core::learning::Objective;
use carat_core::learning::scored::{LearntRound, LearntScored, Thought, Without};
use carat_core::sheet::Columns;
use carat_core::strategy::Seat;
use carat_core::{columns, heads};

pub fn content(resolved: &Resolved, played: &LearntScored, manifest: &mut Manifest) -> Contents {
    let mut sheets = vec![Learning::sheet(&(), (1..).zip(&played.rounds))];
    if resolved.learners > 1 {
        sheets.push(Gain::sheet(&resolved.fair(), &played.thoughts));
        sheets.push(Standings::sheet(&(), &played.standings));
        sheets.push(Features::sheet(&(), &played.without));
    }
    let solved = resolved.bot_file(&played.bot.strategy.text);
    let mut files = vec![("solved.toml".to_string(), solved)];
    for (number, round) in (1..).zip(&played.rounds) {
        let text = resolved.bot_file(&round.text);
        files.push((format!("round-{number}.toml"), text));
    }
    manifest.study = Study::Solve(resolved.study.clone());
    let headline = headline(resolved);
    let summary = summary(resolved, played);
    Contents {
        charts: charts(&headline, resolved, played),
        sheets,
        files,
        views: views(&headline, played),
        summary,
        ..Contents::default()
    }
}

columns! {
    pub Learning<'a>(of: (), row: (u64, &'a LearntRound)) "learning", "one row per training round";
    ROUND: whole("round", "number of the round, from 1") => row.0;
    GAMES: whole("games", "training games so far") => row.1.games;
    TABLES: whole("tables", "look-up tables in the bot of the round") => row.1.tables;
    BESIDE_FIRST: estimates("beside_first", "win share or mean score of its bot against copies of \
        the first bot, or against the bots it trains against") => row.1.beside_first;
    BESIDE_BEFORE: estimates("beside_before", "win share or mean score of its bot against copies \
        of the previous bot, or that of the previous bot against the bots it trains against") => row.1.beside_before;
    KEPT: truth("kept", "whether it was significantly better, so training continued from it")
        => row.1.kept;
}

columns! {
    pub Gain<'a>(fair: f64, thought: &'a Thought)
    "gain", "one row per player that runs playouts against copies of the trained bot";
    PLAYOUTS: whole("playouts", "maximum playouts per option") => thought.playouts;
    GAMES: whole("games", "games played") => thought.games;
    GAIN: estimates("gain", "its win share minus the fair share: a lower bound on the possible gain")
        => thought.share.minus(*fair);
}

columns! {
    pub Features<'a>(of: (), row: &'a Without)
    "features", "one row per feature of the trained bot, most important first";
    FEATURE: text("feature", "the feature") => row.feature;
    WITHOUT: estimates("without", "win share or mean score of the bot without this feature, \
        against copies of the full bot") => row.share;
}

const FEATURES: usize = 12;

fn views(headline: &str, played: &LearntScored) -> Vec<View> {
    let mut views = vec![View::text(headline), View::Summary(Vec::new())];
    let rounds = heads![Learning: ROUND, GAMES, BESIDE_FIRST "against the first", BESIDE_BEFORE
        "against the previous", KEPT];
    let rows = (0..played.rounds.len()).collect();
    views.extend(View::print_rows(rounds, rows));
    views.extend(stands(&played.standings));
    let features = heads![Features: FEATURE "without", WITHOUT "against the full bot"];
    let rows = (0..played.without.len().min(FEATURES)).collect();
    views.extend(View::print_rows(features, rows));
    views
}

/// The summary: the results of the trained bot, and the gain of thinking against it.
fn summary(resolved: &Resolved, played: &LearntScored) -> String {
    let last = played.rounds.iter().rev().find(|round| round.kept);
    let first = played.first.label();
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
            let start = start.map_or(first.clone(), Seat::label);
            format!("Training found nothing better than {start}; use more games.")
        }
    }];
    for thought in &played.thoughts {
        let gain = thought.share.minus(resolved.fair());
        lines.push(thinking_gains(thought.playouts, gain));
    }
    lines.join("\n")
}

fn charts(subtitle: &str, resolved: &Resolved, played: &LearntScored) -> Vec<NamedChart> {
    let rounds = played.rounds.iter();
    let wins = resolved.objective == Objective::WinShare;
    let mut figures = beside(
        if wins { &played.standings } else { &[] },
        resolved.learners,
    );
    if rounds.len() > 1 || figures.is_empty() {
        let first = match resolved.learners {
            1 => "against the opponents".to_string(),
            _ => format!("against {}", played.first.label()),
        };
        let beside_first = rounds.clone();
        let beside_first = beside_first.map(|round| (round.games, round.beside_first));
        let mut lines = vec![run(&first, 0, beside_first)];
        if resolved.learners > 1 {
            let before = "against the previous bot";
            let beside_before = rounds.map(|round| (round.games, round.beside_before));
            lines.push(run(before, 1, beside_before));
        }
        let what = if wins { "Win share" } else { "Mean score" };
        let what = format!("{what} of the trained bot");
        let mut chart = running(LEARNING, &what, GAMES, wins, lines);
        chart.note = "Includes bots that were not kept.".to_string();
        figures.push(("learning", Figure::Lines(chart)));
    }
    if resolved.learners > 1 && !played.without.is_empty() {
        let first = played.without.iter().take(20);
        let rows = rows(first.filter_map(|row| {
            let found = drawn(row.share)?;
            let above = found.minus(resolved.fair()).scaled(100.0);
            let line = RowLine::of(0, if wins { above } else { found });
            Some((row.feature.to_string(), line))
        }));
        let than = "the fair share, against copies of the full bot";
        let (axis, drawn) = if wins {
            let axis = more_or_less("win share, percentage points", than);
            (axis, Figures::Changes)
        } else {
            let axis = "mean score against copies of the full bot";
            (axis.to_string(), Figures::Values)
        };
        let title = "The trained bot without one feature";
        let mut chart = Rows::differences(title, axis, rows);
        chart.figures = drawn;
        figures.push(("features", Figure::Rows(chart)));
    }
    all(subtitle, figures)
}
