//! The charts of a comparison of steps: what one step down and one step up of each number changes.

use super::named;
use super::words::shown_in;
use crate::charts::labels::capitalized;
use crate::charts::rows::{Figures, Row as ChartRow, RowLine, Rows};
use crate::game::MetricRef;
use crate::numbers;
use crate::results::NamedChart;
use crate::results::each::{Row, StepRows};
use crate::statistics::Estimate;
use crate::study::compare::Played;

/// Most rows of a chart.
const ROWS_MAX: usize = 25;

/// A chart of the metric by which steps are ranked, and one for each other metric of the table.
pub fn each(played: &Played, ranked_by: MetricRef) -> Vec<NamedChart> {
    let layout = played.resolved.first().table.layout();
    let of_table = layout.table_metrics.iter();
    let others = of_table.map(|metric| MetricRef::of_table(metric.name));
    let others = others.filter(|metric| *metric != ranked_by);
    let mut charts = vec![chart("steps", played, ranked_by)];
    charts.extend(others.map(|metric| chart(metric.name, played, metric)));
    charts
}

fn chart(name: &'static str, played: &Played, metric: MetricRef) -> NamedChart {
    let first = played.resolved.first();
    let layout = first.table.layout();
    let mut steps = StepRows::of(played, metric);
    let all = steps.rows.len();
    steps.rows.retain(|row| row.size() > 0.0);
    steps.rows.truncate(ROWS_MAX);
    let now = steps.now();
    let (scale, unit) = shown_in(steps.share);
    let line = |row: &Row, down: bool| {
        let (to, change): (&str, Estimate) = row.step(down)?;
        change.se.is_finite().then(|| RowLine {
            seat: usize::from(down),
            name: format!("{} to {to}", if down { "down" } else { "up" }),
            estimate: change.scaled(scale),
        })
    };
    let row = |(row, names): &(&Row, Vec<&str>)| ChartRow {
        label: label(row, names),
        lines: Vec::from_iter([true, false].iter().filter_map(|&down| line(row, down))),
        ..ChartRow::default()
    };
    let shown = steps.rows.len();
    let of = match shown == all {
        true => String::new(),
        false => format!(" · the {shown} of {all} numbers that matter most"),
    };
    let rows = merged(&steps.rows);
    let title = layout.title(metric);
    let games = numbers::count(played.games);
    let told = format!("{} · {games} games each{of}", first.headline());
    let chart = Rows {
        title: format!("What one step changes: {title}"),
        axis: capitalized(&format!(
            "more (right) or less (left) than {now}{unit}, with 95 % interval"
        )),
        figures: Figures::Changes,
        note: match rows.iter().any(|(_, names)| names.len() > 1) {
            true => {
                "What does the same, as far as the intervals tell, stands in one row.".to_string()
            }
            false => String::new(),
        },
        rows: rows.iter().map(row).collect(),
        ..Rows::default()
    };
    named(name, told, chart)
}

/// Rows with all names that they stand for: numbers of one table that lead from the same value to the
/// same values, and change as much as far as their intervals tell.
fn merged<'a>(rows: &'a [Row<'a>]) -> Vec<(&'a Row<'a>, Vec<&'a str>)> {
    let mut merged: Vec<(&Row, Vec<&str>)> = Vec::new();
    for row in rows {
        let alike = merged.iter_mut().find(|(first, _)| are_alike(first, row));
        match (alike, row.what.rsplit_once('.')) {
            (Some((_, names)), Some((_, name))) => names.push(name),
            (_, Some((_, name))) => merged.push((row, vec![name])),
            (_, None) => merged.push((row, vec![row.what.as_str()])),
        }
    }
    merged
}

fn are_alike(one: &Row, other: &Row) -> bool {
    let table = |row: &Row| Some(row.what.rsplit_once('.')?.0.to_string());
    let same_step = |down: bool| match (one.step(down), other.step(down)) {
        (None, None) => true,
        (Some((to, a)), Some((as_well, b))) => to == as_well && a.low <= b.high && b.low <= a.high,
        _ => false,
    };
    let same_table = table(one).is_some() && table(one) == table(other);
    let is_list = one.what.contains(" of ");
    same_table && !is_list && one.from == other.from && same_step(true) && same_step(false)
}

/// `traps: snake, spider or lava, now 3`, or `treasures of 5, now 2 cards`.
fn label(row: &Row, names: &[&str]) -> String {
    let from = match (row.what.contains(" of "), row.from.as_str()) {
        (false, from) => from.to_string(),
        (true, "1") => "1 card".to_string(),
        (true, from) => format!("{from} cards"),
    };
    match (names, row.what.rsplit_once('.')) {
        ([.., last], Some((table, _))) if names.len() > 1 => {
            let others = names[..names.len() - 1].join(", ");
            format!("{table}: {others} or {last}, now {from}")
        }
        _ => format!("{}, now {from}", row.what),
    }
}
