//! The charts of a comparison of steps: what one step down and one step up of each number changes.

use super::named;
use super::words::shown_in;
use crate::charts::labels::capitalized;
use crate::charts::steps::{AxisStep, StepRow, StepsChart};
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
    let step = |row: &Row, down: bool| {
        let (to, change): (&str, Estimate) = row.step(down)?;
        change.se.is_finite().then(|| AxisStep {
            to: to.to_string(),
            down,
            change: change.scaled(scale),
        })
    };
    let row = |row: &Row| StepRow {
        label: format!("{} = {}", row.what, row.from),
        steps: Vec::from_iter([true, false].iter().filter_map(|&down| step(row, down))),
    };
    let shown = steps.rows.len();
    let of = match shown == all {
        true => String::new(),
        false => format!(" · the {shown} of {all} numbers that matter most"),
    };
    let title = layout.title(metric);
    let games = numbers::count(played.games);
    let told = format!("{} · {games} games each{of}", first.headline());
    let chart = StepsChart {
        title: format!("What one step changes: {title}"),
        axis: capitalized(&format!(
            "more (right) or less (left) than {now}{unit}, with 95 % interval"
        )),
        rows: steps.rows.iter().map(row).collect(),
        note: String::new(),
    };
    named(name, told, chart)
}
