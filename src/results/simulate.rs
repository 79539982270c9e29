//! The report of a simulation: the bots with their results, the figures of the table, and who wins.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::tables;
use super::text::Block;
use crate::charts::labels::capitalized;
use crate::game::{Layout, Metric, MetricRef, SCORE_MEAN, WIN_SHARE};
use crate::numbers;
use crate::statistics::{Estimate, quantile};
use crate::strategy::{seat_names, table_labels};
use crate::study::simulate::Played;
use crate::study::{Outcome, Study};

/// The report of a simulation.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let mut sheets = vec![
        tables::seats(layout, &resolved.seats, tally),
        tables::table(layout, tally),
        tables::scores(&resolved.seats, tally),
    ];
    sheets.extend(resolved.table.sheets(tally.games, &tally.counts));
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let charts = pictures::simulate(&subtitle, played);
    // As many games as were played give the same bytes again, whatever ended the run; a precision
    // that was missed is missed again.
    let mut study = resolved.study.clone();
    if played.missed().is_none() {
        study.fix_games(tally.games);
    }
    Report {
        summary: summary(played),
        sheets,
        charts,
        files: Vec::new(),
        text: text(played),
        game: resolved.game,
        manifest: Manifest {
            partial: played.interrupted().is_some(),
            study: Study::Simulate(study),
            ..manifest
        },
    }
}

fn text(played: &Played) -> Vec<Block> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let headline = format!(
        "{} · {} · seed {}",
        resolved.headline(),
        numbers::games(tally.games),
        resolved.study.seed
    );
    let mut blocks = vec![Block::text(headline), seats(played), of_table(played)];
    if resolved.seats.len() > 1 {
        blocks.push(Block::text(verdict(played)));
    }
    blocks
}

/// Figures of the table that a summary tells.
const TOLD: usize = 3;

/// Who wins and how, and the first figures of the table.
fn summary(played: &Played) -> String {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let unit = resolved.game.score_unit;
    let mean = |seat: usize| tally.seat(layout, SCORE_MEAN, seat);
    let who = match layout.seats {
        1 => format!(
            "{} ends with {} {unit} on average.",
            resolved.seats[0].label(),
            mean(0)
        ),
        _ => verdict(played),
    };
    let of_table = layout.table_metrics.iter().take(TOLD).filter_map(|metric| {
        let of = MetricRef::of_table(metric.name);
        let estimate = tally.estimate(layout, of)?;
        Some(format!("{} {estimate}", metric.meaning))
    });
    let of_table: Vec<String> = of_table.collect();
    if of_table.is_empty() {
        who
    } else {
        format!("{who} {}.", capitalized(&of_table.join("; ")))
    }
}

/// The bots with their results.
fn seats(played: &Played) -> Block {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let own = layout.own_seat_metrics();
    let unit = resolved.game.score_unit;
    let heads = own.iter().map(|metric| metric.name.replace('_', " "));
    let heads: Vec<String> = heads.collect();
    let mut header = vec![
        "seat",
        "bot",
        "wins",
        unit,
        "score percentiles\n5 · 50 · 95 %",
    ];
    header.extend(heads.iter().map(String::as_str));
    let names = table_labels(&resolved.seats);
    let rows = (0..layout.seats).map(|seat| {
        let histogram = &tally.scores[seat];
        let [low, half, high] = [0.05, 0.5, 0.95].map(|q| quantile(histogram, q));
        let mut row = vec![
            (seat + 1).to_string(),
            names[seat].clone(),
            tally.seat(layout, WIN_SHARE, seat).to_string(),
            tally.seat(layout, SCORE_MEAN, seat).to_string(),
            format!("{low} · {half} · {high}"),
        ];
        row.extend(own.iter().map(|metric| {
            let estimate = tally.estimate(layout, MetricRef::of_seat(metric.name, seat));
            estimate.map_or("–".to_string(), |estimate| plain(metric, &estimate))
        }));
        row
    });
    Block::table(&header, rows.collect())
}

/// The figures of the table, one a line.
fn of_table(played: &Played) -> Block {
    let layout: &Layout = played.resolved.table.layout();
    let rows = layout.table_metrics.iter().filter_map(|metric| {
        let of = MetricRef::of_table(metric.name);
        let estimate = played.tally.estimate(layout, of)?;
        Some(vec![metric.meaning.to_string(), estimate.to_string()])
    });
    Block::table(&[], rows.collect())
}

/// Who wins, and how sure that is.
fn verdict(played: &Played) -> String {
    let names = seat_names(&played.resolved.seats);
    let shares = played
        .tally
        .seats(played.resolved.table.layout(), WIN_SHARE);
    let mut ranked: Vec<(usize, Estimate)> = shares.into_iter().enumerate().collect();
    ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let (first, best) = &ranked[0];
    let close = ranked[1..].iter();
    let close = close.filter(|(_, other)| other.high >= best.low);
    let close: Vec<&str> = close.map(|(seat, _)| names[*seat].as_str()).collect();
    let name = &names[*first];
    let alike = ranked.iter().all(|(_, win)| win.value == best.value);
    match close.as_slice() {
        _ if alike => "Nobody leads: all have the same share of the wins.".to_string(),
        [] => format!("{name} wins most: {best} of the games."),
        others => format!(
            "{name} leads with {}, but cannot be told apart from {}: more games may tell.",
            best,
            others.join(", ")
        ),
    }
}

/// A figure without its interval, which is in the files.
fn plain(metric: &Metric, estimate: &Estimate) -> String {
    if metric.proportion {
        numbers::percent(estimate.value, 1)
    } else {
        numbers::number(estimate.value, 2)
    }
}
