//! What the terminal shows of a result.

use crate::charts::numbers;
use crate::game::{Layout, Metric, MetricRef, SCORE_MEAN, WIN_SHARE, Whose};
use crate::simulation::Tally;
use crate::statistics::{Estimate, quantile};
use crate::strategy::{seat_names, table_labels};
use crate::study::Resolved;
use comfy_table::{CellAlignment, Table};
use std::fmt::Write;

/// The bots with their results, the figures of the table, and a sentence on who wins.
pub fn summary(resolved: &Resolved, tally: &Tally) -> String {
    let layout = resolved.table.layout();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} · {} · seed {}\n",
        resolved.headline(),
        numbers::games(tally.games),
        resolved.study.seed
    );
    let _ = writeln!(text, "{}\n", seats_table(resolved, layout, tally));
    let _ = write!(text, "{}", figures(layout, tally));
    if layout.seats > 1 {
        let _ = writeln!(text, "\n{}", verdict(resolved, layout, tally));
    }
    text
}

fn seats_table(resolved: &Resolved, layout: &Layout, tally: &Tally) -> String {
    let mut header = vec![
        "seat",
        "bot",
        "wins",
        resolved.facts.score_unit,
        "5 · 50 · 95 %",
    ];
    let own = layout.own_seat_metrics();
    let heads: Vec<String> = own
        .iter()
        .map(|metric| metric.name.replace('_', " "))
        .collect();
    header.extend(heads.iter().map(String::as_str));
    let names = table_labels(&resolved.seats);
    let rows = (0..layout.seats).map(|seat| {
        let histogram = &tally.scores[seat];
        let [low, half, high] = [0.05, 0.5, 0.95].map(|q| quantile(histogram, q));
        let mut row = vec![
            (seat + 1).to_string(),
            names[seat].clone(),
            share(&tally.seat(layout, WIN_SHARE, seat)),
            amount(&tally.seat(layout, SCORE_MEAN, seat)),
            format!("{low} · {half} · {high}"),
        ];
        row.extend(own.iter().map(|metric| {
            tally
                .estimate(layout, MetricRef::of_seat(metric.name, seat))
                .map_or("–".to_string(), |e| plain(metric, &e))
        }));
        row
    });
    plain_table(&header, rows.collect())
}

/// The figures of the table, one a line.
fn figures(layout: &Layout, tally: &Tally) -> String {
    let mut text = String::new();
    let width = layout
        .table_metrics
        .iter()
        .map(|metric| metric.meaning.chars().count())
        .max();
    let width = width.unwrap_or(0);
    for metric in &layout.table_metrics {
        let Some(estimate) = tally.estimate(
            layout,
            MetricRef {
                name: metric.name,
                whose: Whose::Table,
            },
        ) else {
            continue;
        };
        let shown = if metric.proportion {
            share(&estimate)
        } else {
            amount(&estimate)
        };
        let _ = writeln!(text, " {:<width$}  {shown}", metric.meaning);
    }
    text
}

fn verdict(resolved: &Resolved, layout: &Layout, tally: &Tally) -> String {
    let names = seat_names(&resolved.seats);
    let mut ranked: Vec<(usize, Estimate)> = (0..layout.seats)
        .map(|seat| (seat, tally.seat(layout, WIN_SHARE, seat)))
        .collect();
    ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let (first, best) = &ranked[0];
    let close: Vec<String> = ranked[1..]
        .iter()
        .filter(|(_, other)| other.high >= best.low)
        .map(|(seat, _)| names[*seat].clone())
        .collect();
    let name = &names[*first];
    let alike = ranked.iter().all(|(_, win)| win.value == best.value);
    match close.as_slice() {
        _ if alike => "Nobody is in front: all share the wins alike.".to_string(),
        [] => format!("{name} wins most: {} of the games.", share(best)),
        others => format!(
            "{name} is in front with {}, but {} may be as good: more games would tell.",
            share(best),
            others.join(", ")
        ),
    }
}

/// A table without frame: the first columns of text to the left, numbers to the right.
pub fn plain_table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let numeric =
        |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '–');
    let right: Vec<bool> = (0..header.len())
        .map(|column| !rows.is_empty() && rows.iter().all(|row| numeric(&row[column])))
        .collect();
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header.to_vec());
    table.add_rows(rows);
    for (column, right) in table.column_iter_mut().zip(right) {
        column.set_padding((1, 1));
        if right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn share(estimate: &Estimate) -> String {
    numbers::share_within(estimate.value, estimate.low, estimate.high)
}

fn amount(estimate: &Estimate) -> String {
    match estimate.se.is_finite() {
        true => numbers::within(estimate.value, estimate.half_width()),
        false => numbers::number(estimate.value, 1),
    }
}

/// A figure without its interval, which is in the files.
fn plain(metric: &Metric, estimate: &Estimate) -> String {
    match metric.proportion {
        true => numbers::percent(estimate.value, 1),
        false => numbers::number(estimate.value, 2),
    }
}
