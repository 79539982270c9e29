//! The charts of a comparison: how win shares, scores and the game as a whole change, and what steps
//! do.

use super::{alone, named, rows, shown};
use crate::charts::labels::capitalized;
use crate::figure::{Figures, RowLine, Rows};
use crate::game::MetricRef;
use crate::numbers;
use crate::results::NamedChart;
use crate::results::compare::Comparison;
use crate::results::words::{changes_told, more_or_less, shown_in};
use crate::statistics::Estimate;

/// Most sides whose figures go on one chart, side by side.
pub const SIDES_MAX: usize = 4;
/// Most numbers of a chart of steps.
const NUMBERS_MAX: usize = 25;

const POINTS: &str = "percentage points";

/// Shares in percentage points, scores in their unit, and everything else relative to the first side.
pub fn compare(of: &Comparison) -> Vec<NamedChart> {
    let first = of.played.resolved.first();
    if of.played.resolved.sides.len() > SIDES_MAX {
        let metrics = first.table.layout().table_metrics.iter();
        return metrics
            .filter_map(|metric| of_metric(of, metric.name))
            .collect();
    }
    let share = |metric: MetricRef| {
        let known = first.table.layout().metric(metric);
        known.is_some_and(|metric| metric.proportion)
    };
    let chart = |name, title, label, unit, wanted: &dyn Fn(MetricRef) -> bool| {
        let rows = of.rows(|_, metric| wanted(metric));
        side_by_side(of, name, title, label, unit, rows)
    };
    vec![
        chart(
            "win_share_differences",
            "How the win shares change",
            "of",
            POINTS,
            &|metric| metric.name == "win_share",
        ),
        chart(
            "score_differences",
            "How the mean scores change",
            "of",
            first.game.score_unit,
            &|metric| metric.name == "score_mean",
        ),
        chart(
            "table_differences",
            "How the game changes",
            "what",
            "percent",
            &|metric| metric.seat().is_none() && !share(metric),
        ),
        chart(
            "table_shares",
            "How shares of the game change",
            "what",
            POINTS,
            &|metric| metric.seat().is_none() && share(metric),
        ),
    ]
}

/// A difference in percent of the first side's value.
fn relative(of: &Comparison, row: usize, difference: Estimate) -> Option<Estimate> {
    let base = of.played.differences[row].difference.a.abs();
    (base > 0.0).then(|| difference.scaled(100.0 / base))
}

/// The first side as it is named in a sentence.
fn first_side(of: &Comparison) -> String {
    match &of.played.resolved.sides[0].name {
        letter if letter.chars().count() == 1 => format!("side {letter}"),
        name => name.to_string(),
    }
}

/// These differences, those of all sides as lines of one row.
fn side_by_side(
    of: &Comparison,
    name: &'static str,
    title: &str,
    label: &str,
    unit: &str,
    order: Vec<usize>,
) -> NamedChart {
    let resolved = &of.played.resolved;
    let heads = resolved.study.sides.iter().map(|(name, changes)| {
        // A name of more than a letter says what is meant.
        match name.chars().count() {
            1 => format!("{name}: {}", changes_told(changes)),
            _ => name.to_string(),
        }
    });
    let heads: Vec<String> = heads.collect();
    let (below, key) = match heads.len() {
        2 => (&heads[..], Vec::new()),
        _ => (&heads[..1], heads[1..].to_vec()),
    };
    let side = |row: usize| of.played.differences[row].side - 1;
    let percent = unit == "percent";
    let order = order
        .into_iter()
        .filter(|&row| !percent || of.played.differences[row].difference.a != 0.0);
    let rows = rows(of.sheet, order, label, "difference", |row, estimate| {
        let shown = if percent {
            relative(of, row, estimate)
        } else {
            None
        };
        RowLine::of(side(row), shown.unwrap_or(estimate))
    });
    let games = numbers::games(of.played.games);
    let played = format!(
        "{} · {games} on each side · {}",
        resolved.first().headline(),
        below.join(" · ")
    );
    let chart = Rows {
        key,
        ..Rows::differences(title, more_or_less(unit, &first_side(of)), rows)
    };
    named(name, played, chart)
}

/// Of many sides: a chart of a figure of the table, the sides below each other.
fn of_metric(of: &Comparison, name: &'static str) -> Option<NamedChart> {
    let order = of.rows(|_, metric| metric == MetricRef::of_table(name));
    let first = *order.first()?;
    let share =
        of.sheet.column("difference")?.estimate(first)?.unit == crate::statistics::Unit::Points;
    let unit = if share { POINTS } else { "percent" };
    let rows = rows(of.sheet, order, "side", "difference", |row, estimate| {
        let shown = if share {
            None
        } else {
            relative(of, row, estimate)
        };
        RowLine::of(0, shown.unwrap_or(estimate))
    });
    let value = shown(of.sheet, "value_a", first);
    let axis = more_or_less(unit, &format!("{}, where it is {value}", first_side(of)));
    let chart = Rows::differences(capitalized(&shown(of.sheet, "what", first)), axis, rows);
    let games = numbers::games(of.played.games);
    let headline = of.played.resolved.first().headline();
    Some(named(
        name,
        format!("{headline} · {games} on each side"),
        chart,
    ))
}

/// A chart of the metric by which steps are ranked, and one for each other metric of the table.
pub fn each(of: &Comparison, ranked_by: MetricRef) -> Vec<NamedChart> {
    let layout = of.played.resolved.first().table.layout();
    let of_table = layout.table_metrics.iter();
    let others = of_table.map(|metric| MetricRef::of_table(metric.name));
    let others = others.filter(|metric| *metric != ranked_by);
    let mut charts = vec![steps(of, "steps", ranked_by)];
    charts.extend(others.map(|metric| steps(of, metric.name, metric)));
    charts
}

/// What one step down and one step up of each number changes.
fn steps(of: &Comparison, name: &'static str, metric: MetricRef) -> NamedChart {
    let first = of.played.resolved.first();
    let layout = first.table.layout();
    let order = of.ranked(metric);
    let now = (order.first()).map_or(String::new(), |row| shown(of.sheet, "value_a", *row));
    let share = layout
        .metric(metric)
        .is_some_and(|metric| metric.proportion);
    let line = |row: usize, estimate: Estimate| {
        let step = of.played.resolved.sides[of.played.differences[row].side]
            .step
            .as_ref();
        let down = step.is_some_and(|step| step.down);
        RowLine {
            seat: usize::from(down),
            name: format!(
                "{} to {}",
                if down { "down" } else { "up" },
                shown(of.sheet, "to", row)
            ),
            ..alone(row, estimate)
        }
    };
    let mut rows = rows(
        of.sheet,
        order.iter().copied(),
        "number",
        "difference",
        line,
    );
    let all = rows.len();
    rows.retain(|row| row.lines.iter().any(|line| line.estimate.value != 0.0));
    rows.truncate(NUMBERS_MAX);
    for row in &mut rows {
        let of_row = order
            .iter()
            .find(|at| shown(of.sheet, "number", **at) == row.label);
        let from = of_row.map_or(String::new(), |at| shown(of.sheet, "from", *at));
        row.detail = format!("now {from}");
    }
    let left_out = match (rows.len(), all) {
        (shown, all) if shown == all => String::new(),
        (shown, all) => format!(" · the {shown} of {all} numbers that matter most"),
    };
    let games = numbers::count(of.played.games);
    let played = format!("{} · {games} games each{left_out}", first.headline());
    let unit = shown_in(share).1;
    let chart = Rows {
        title: format!("What one step changes: {}", layout.title(metric)),
        axis: format!("more (right) or less (left) than {now}{unit}, with 95 % interval"),
        figures: Figures::Changes,
        rows,
        ..Rows::default()
    };
    named(name, played, chart)
}
