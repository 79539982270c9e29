//! The charts of a comparison: how win shares, scores and the game as a whole change, and what steps
//! do.

use super::{all, rows};
use crate::charts::labels::capitalized;
use crate::figure::{Figure, RowLine, Rows};
use crate::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use crate::numbers;
use crate::results::NamedChart;
use crate::results::compare::Comparison;
use crate::results::words::{changes_told, more_or_less};

/// Most sides whose figures go on one chart, side by side.
pub const SIDES_MAX: usize = 4;
/// Most numbers of a chart of steps.
const NUMBERS_MAX: usize = 25;

const POINTS: &str = "percentage points";
const PERCENT: &str = "percent";

/// Shares in percentage points, scores in their unit, and everything else relative to the first side.
pub fn compare(of: &Comparison) -> Vec<NamedChart> {
    let resolved = &of.played.resolved;
    let first = resolved.first();
    let games = numbers::games(of.played.games);
    let played = format!("{} · {games} on each side", first.headline());
    let is_share = |metric: MetricRef| {
        let known = first.table.layout().metric(metric);
        known.is_some_and(|metric| metric.proportion)
    };
    let than = match &resolved.sides[0].name {
        letter if letter.chars().count() == 1 => format!("side {letter}"),
        name => name.to_string(),
    };
    let mut figures = Vec::new();
    let tables = resolved.tables.len();
    if resolved.sides_each() > SIDES_MAX || tables > 1 && resolved.sides_each() > 2 {
        let label = if tables > 1 { "side_at" } else { "side" };
        for metric in &first.table.layout().table_metrics {
            let metric = MetricRef::of_table(metric.name);
            let order = of.rows(|_, of| of == metric);
            let Some(&row) = order.first() else { continue };
            let than = format!("{than}, where it is {}", of.sheet.shown("value_a", row));
            let unit = if is_share(metric) { POINTS } else { PERCENT };
            let title = capitalized(&of.sheet.shown("what", row));
            let chart = differences(of, &title, label, more_or_less(unit, &than), order);
            figures.push((metric.name, chart));
        }
        return all(&played, figures);
    }
    let mut heads = Vec::new();
    for (name, changes) in resolved.study.sides.iter() {
        // A name of more than a letter says what is meant.
        heads.push(match name.chars().count() {
            1 => format!("{name}: {}", changes_told(changes)),
            _ => name.to_string(),
        });
    }
    let key = if tables > 1 {
        resolved.tables.clone()
    } else {
        heads.split_off(if heads.len() == 2 { 2 } else { 1 })
    };
    let kinds = [
        (
            "win_share_differences",
            "How the win shares change",
            "of",
            POINTS,
        ),
        (
            "score_differences",
            "How the mean scores change",
            "of",
            first.game.score_unit,
        ),
        ("table_differences", "How the game changes", "what", PERCENT),
        (
            "table_shares",
            "How shares of the game change",
            "what",
            POINTS,
        ),
    ];
    for (name, title, label, unit) in kinds {
        let order = of.rows(|_, metric| match name {
            // Seats of tables of several line-ups have little in common.
            "win_share_differences" => metric.name == WIN_SHARE && tables == 1,
            "score_differences" => metric.name == SCORE_MEAN && tables == 1,
            _ => metric.seat().is_none() && is_share(metric) == (unit == POINTS),
        });
        let mut chart = differences(of, title, label, more_or_less(unit, &than), order);
        if let Figure::Rows(rows) = &mut chart {
            rows.key = key.clone();
        }
        figures.push((name, chart));
    }
    all(&format!("{played} · {}", heads.join(" · ")), figures)
}

/// These differences, those of all sides as lines of one row; in percent where the axis says so.
fn differences(
    of: &Comparison,
    title: &str,
    label: &str,
    axis: String,
    order: Vec<usize>,
) -> Figure {
    let is_relative = axis.starts_with("percent ");
    let base = |row: usize| of.played.differences[row].difference.a.abs();
    let order = order
        .into_iter()
        .filter(|row| !is_relative || base(*row) > 0.0);
    let rows = rows(of.sheet, order, label, "difference", |row, estimate| {
        let scale = if is_relative { 100.0 / base(row) } else { 1.0 };
        let side = of.played.differences[row].side;
        let line = match of.played.resolved.tables.len() {
            _ if label.starts_with("side") => 0,
            1 => side - 1,
            _ => of.played.resolved.table_of(side),
        };
        RowLine::of(line, estimate.scaled(scale))
    });
    Figure::Rows(Rows::differences(title, axis, rows))
}

/// A chart of the metric by which steps are ranked, and one for each other metric of the table.
pub fn each(of: &Comparison, ranked_by: MetricRef) -> Vec<NamedChart> {
    let first = of.played.resolved.first();
    let mut charts = vec![steps(of, "steps", ranked_by)];
    for metric in &first.table.layout().table_metrics {
        let own = MetricRef::of_table(metric.name);
        if own != ranked_by {
            charts.push(steps(of, metric.name, own));
        }
    }
    charts
}

/// What one step down and one step up of each number changes.
fn steps(of: &Comparison, name: &str, metric: MetricRef) -> NamedChart {
    let first = of.played.resolved.first();
    let layout = first.table.layout();
    let order = of.ranked(metric);
    let now = order.first().map(|row| of.sheet.shown("value_a", *row));
    let known = layout.metric(metric);
    let is_share = known.is_some_and(|metric| metric.proportion);
    let (mut rows, idle) = super::steps(of.sheet, &order, ("from", "now"));
    let all = rows.len() + idle.len();
    rows.truncate(NUMBERS_MAX);
    let left_out = match (rows.len(), all) {
        (shown, all) if shown == all => String::new(),
        (shown, all) => format!(" · the {shown} of {all} numbers that matter most"),
    };
    let games = numbers::count(of.played.games);
    let played = format!("{} · {games} games each{left_out}", first.headline());
    let (title, now) = (layout.title(metric), now.unwrap_or_default());
    let chart = super::of_steps(&title, &now, is_share, rows, String::new());
    NamedChart::new(name, &played, chart)
}
