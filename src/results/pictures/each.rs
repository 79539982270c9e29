//! The charts of a comparison of steps: what one step down and one step up of each number changes.

use super::named;
use crate::charts::rows::{Figures, Row as ChartRow, RowLine, Rows};
use crate::game::MetricRef;
use crate::numbers;
use crate::results::NamedChart;
use crate::results::each::{Row, StepRows, both, merged, what};
use crate::results::words::shown_in;
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
        label: what(row, names),
        detail: format!("now {}", now_of(row)),
        lines: Vec::from_iter([true, false].iter().filter_map(|&down| line(row, down))),
        ..ChartRow::default()
    };
    let shown = steps.rows.len();
    let of = if shown == all {
        String::new()
    } else {
        format!(" · the {shown} of {all} numbers that matter most")
    };
    let rows = merged(&steps.rows);
    let title = layout.title(metric);
    let games = numbers::count(played.games);
    let told = format!("{} · {games} games each{of}", first.headline());
    let chart = Rows {
        title: format!("What one step changes: {title}"),
        axis: format!("more (right) or less (left) than {now}{unit}, with 95 % interval"),
        figures: Figures::Changes,
        note: if rows.iter().any(|(_, names)| names.len() > 1) {
            "What does the same, as far as the intervals tell, stands in one row.".to_string()
        } else {
            String::new()
        },
        rows: rows.iter().map(row).collect(),
        ..Rows::default()
    };
    named(name, told, chart)
}

/// What a number is now: of cards of a kind, how many.
fn now_of(row: &Row) -> String {
    match (row.what.contains(" of "), row.from.as_str()) {
        (false, from) => both(from),
        (true, "1") => "1 card".to_string(),
        (true, from) => format!("{from} cards"),
    }
}
