//! The charts of a comparison: differences by side, by metric, and of steps.

use super::Comparison;
use crate::report::NamedChart;
use crate::report::pictures::{self, all, drawn, rows};
use crate::report::words::{describe_changes, more_or_less};
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::figure::{Figure, Figures, Multiples, RowLine, Rows};
use carat_core::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use carat_core::numbers;
use carat_core::statistics::Z95;

/// Most sides on one chart.
pub const SIDES_MAX: usize = 4;
/// Most numbers on a small chart of steps.
const SMALL_MAX: usize = 3;

const TABLE: &str = "differences";

const POINTS: &str = "percentage points";
const PERCENT: &str = "percent";

/// The charts of differences: those of one metric in its unit; those of several together in
/// percentage points, or relative to the first side.
pub fn charts(of: &Comparison) -> Vec<NamedChart> {
    let resolved = &of.played.resolved;
    let first = resolved.first();
    let games = numbers::games(of.played.games);
    let tables = resolved.tables.len();
    let headline = match tables {
        1 => format!("{} · {}", resolved.headline(), of.players()),
        _ => format!("{} · {tables} tables", first.game.title),
    };
    let played = format!("{headline} · {games} on each side");
    let layout = first.table.layout();
    let than = match &resolved.arms[0].name {
        letter if letter.chars().count() == 1 => format!("side {letter}"),
        name => name.to_string(),
    };
    if resolved.arms_each() > SIDES_MAX || tables > 1 && resolved.arms_each() > 2 {
        let mut figures = Vec::new();
        for metric in &layout.table_metrics {
            let order = of.rows(|_, of| of == MetricRef::of_table(metric.name));
            let Some(&row) = order.first() else { continue };
            let than = match tables {
                1 => format!("{than}, where it is {}", of.now(&order)),
                _ => format!("{than} at the same table"),
            };
            let unit = if metric.proportion { POINTS } else { "" };
            let title = capitalized(&of.what(row));
            let chart = differences(of, &title, RowOf::Side, (unit, &than), order);
            figures.push((metric.name, chart));
        }
        return all(&played, figures);
    }
    // A name longer than a letter needs no description.
    let head = |(name, changes): (&String, &Vec<String>)| match name.chars().count() {
        1 => format!("{name}: {}", describe_changes(changes)),
        _ => name.to_string(),
    };
    let mut heads: Vec<String> = resolved.study.sides.0.iter().map(head).collect();
    let key = if tables > 1 {
        resolved.tables.clone()
    } else {
        heads.split_off(if heads.len() == 2 { 2 } else { 1 })
    };
    let mut figures = Vec::new();
    for kind in Kind::ALL {
        let (name, title, unit) = match kind {
            Kind::WinShares => ("win_share_differences", "Change in win shares", POINTS),
            Kind::Scores => (
                "score_differences",
                "Change in mean scores",
                first.game.score_unit,
            ),
            Kind::OfTable => ("table_differences", "Change in the game", PERCENT),
            Kind::TableShares => ("table_shares", "Change in shares of the game", POINTS),
        };
        let order = of.rows(|side, metric| match kind {
            // Seats of tables of several line-ups have little in common.
            Kind::WinShares | Kind::Scores if tables > 1 || !of.is_shown(side, metric) => false,
            Kind::WinShares => metric.name == WIN_SHARE,
            Kind::Scores => metric.name == SCORE_MEAN,
            Kind::OfTable => metric.seat().is_none() && !layout.is_share(metric),
            Kind::TableShares => metric.seat().is_none() && layout.is_share(metric),
        });
        let sure = order.iter().map(|row| of.sureness(*row));
        let clearest = sure.fold(0.0, f64::max);
        let mut chart = differences(of, title, RowOf::Metric(kind), (unit, &than), order);
        if let Figure::Rows(rows) = &mut chart {
            rows.key = key.clone();
        }
        figures.push((clearest, (name, chart)));
    }
    // What changed most comes first.
    figures.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let figures = figures.into_iter().map(|(_, figure)| figure).collect();
    all(&format!("{played} · {}", heads.join(" · ")), figures)
}

/// A chart of several metrics.
#[derive(Clone, Copy)]
enum Kind {
    WinShares,
    Scores,
    /// Metrics of the table, relative to the first side.
    OfTable,
    TableShares,
}

impl Kind {
    const ALL: [Kind; 4] = [
        Kind::WinShares,
        Kind::Scores,
        Kind::OfTable,
        Kind::TableShares,
    ];
}

/// What a row of a chart stands for: a side, or a metric with a line for each side.
#[derive(Clone, Copy)]
enum RowOf {
    Side,
    Metric(Kind),
}

/// Rows of differences, in percent of the first side for metrics of the table. `than` is the unit
/// and the first side.
fn differences(
    of: &Comparison,
    title: &str,
    row_of: RowOf,
    than: (&str, &str),
    order: Vec<usize>,
) -> Figure {
    let is_relative = matches!(row_of, RowOf::Metric(Kind::OfTable));
    let resolved = &of.played.resolved;
    let is_one = resolved.tables.len() == 1;
    let mut lines = Vec::new();
    for row in order {
        let base = of.row(row).difference.a.abs();
        let Some(estimate) = drawn(of.difference(row)).filter(|_| !is_relative || base > 0.0)
        else {
            continue;
        };
        let side = of.row(row).arm;
        let (label, line) = match row_of {
            RowOf::Side if is_one => (of.side(row).name.clone(), 0),
            RowOf::Side => (format!("{}, {}", of.side(row).name, of.table(row)), 0),
            RowOf::Metric(kind) => {
                let label = match kind {
                    Kind::WinShares | Kind::Scores => of.of(row),
                    Kind::OfTable | Kind::TableShares => of.what(row),
                };
                let line = if is_one {
                    side - 1
                } else {
                    resolved.design.groups[side]
                };
                (label, line)
            }
        };
        let scale = if is_relative { 100.0 / base } else { 1.0 };
        lines.push((label, RowLine::of(line, estimate.scaled(scale))));
    }
    let mut chart = Rows::differences(title, more_or_less(than.0, than.1), rows(lines));
    chart.table = TABLE.to_string();
    if is_relative {
        chart.figures = Figures::Percents;
    }
    Figure::Rows(chart)
}

/// A chart of the metric by which steps are ranked, and a page of small ones for the others of the
/// table that change, the clearest changes first.
pub fn charts_of_each(of: &Comparison, ranked_by: MetricRef) -> Vec<NamedChart> {
    let resolved = &of.played.resolved;
    let metrics = resolved.first().table.layout().table_metrics.iter();
    let others = metrics.map(|metric| MetricRef::of_table(metric.name));
    let others = others.filter(|other| *other != ranked_by);
    let sureness = |metric: &MetricRef| {
        let rows = of.ranked(*metric).into_iter();
        rows.map(|row| of.sureness(row)).fold(0.0, f64::max)
    };
    let (mut changed, all): (Vec<MetricRef>, usize) = (others.clone().collect(), others.count());
    changed.retain(|metric| sureness(metric) > Z95);
    changed.sort_by(|a, b| sureness(b).total_cmp(&sureness(a)));
    let note = match all - changed.len() {
        0 => String::new(),
        same => format!(
            "No step changes {} significantly.",
            counted(same, "other metric")
        ),
    };
    let games = numbers::games(of.played.games);
    let played = format!(
        "{} · {games} each · the {SMALL_MAX} numbers with the largest effect",
        resolved.headline()
    );
    let page = Multiples {
        title: "Effect of one step on other metrics".to_string(),
        charts: changed
            .into_iter()
            .map(|other| small_steps(of, other))
            .collect(),
        note,
        table: TABLE.to_string(),
    };
    let page = NamedChart::new("other_metrics", &played, Figure::Multiples(page));
    vec![steps(of, ranked_by), page]
}

/// What one step of the numbers that matter most to a metric changes, without their values now.
fn small_steps(of: &Comparison, metric: MetricRef) -> Rows {
    let layout = of.played.resolved.first().table.layout();
    let order = of.ranked(metric);
    let (mut rows, _) = pictures::steps(&of.steps_of(&order));
    rows.truncate(SMALL_MAX);
    for row in &mut rows {
        row.detail.clear();
    }
    let axis = format!("more (right) or less (left) than {}", of.now(&order));
    Rows {
        figures: Figures::Changes,
        table: TABLE.to_string(),
        ..Rows::differences(capitalized(&layout.title(metric)), axis, rows)
    }
}

/// The chart of the effects of one step down and one step up of each number.
fn steps(of: &Comparison, metric: MetricRef) -> NamedChart {
    let resolved = &of.played.resolved;
    let layout = resolved.first().table.layout();
    let order = of.ranked(metric);
    let (rows, idle) = pictures::steps(&of.steps_of(&order));
    let games = numbers::count(of.played.games);
    let played = format!("{} · {games} games each", resolved.headline());
    let (now, is_share) = (of.now(&order), layout.is_share(metric));
    let mut chart = pictures::of_steps(&layout.title(metric), &now, is_share, rows, &idle);
    if let Figure::Rows(rows) = &mut chart {
        rows.table = TABLE.to_string();
    }
    NamedChart::new("steps", &played, chart)
}
