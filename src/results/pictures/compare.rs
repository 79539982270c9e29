//! The charts of a comparison: how win shares, scores and the game as a whole change.

use crate::charts::differences::{self as chart, Differences};
use crate::charts::labels::capitalized;
use crate::charts::numbers;
use crate::game::Game;
use crate::results::DifferenceRow;
use crate::statistics::Estimate;
use crate::study::Compare;

/// Win shares in percentage points, and everything else relative to side a.
pub fn comparison(
    study: &Compare,
    facts: &Game,
    rows: &[DifferenceRow],
    games: u64,
) -> Vec<(&'static str, Differences)> {
    let several = study.sides.len() > 2;
    let drawn = |title: &str, axis: &str, shown: Vec<(&DifferenceRow, f64)>| Differences {
        title: title.to_string(),
        subtitle: headline(study, games),
        axis: axis.to_string(),
        rows: shown
            .into_iter()
            .map(|(row, scale)| {
                let side = if several {
                    format!("{} · ", row.side)
                } else {
                    String::new()
                };
                let what = match &row.strategy {
                    Some(bot) => format!("{} {bot}", row.seat.unwrap_or(0)),
                    None => row.metric.replace('_', " "),
                };
                let Estimate {
                    value, low, high, ..
                } = row.difference.difference;
                chart::DifferenceRow {
                    label: side + &what,
                    value: value * scale,
                    low: low * scale,
                    high: high * scale,
                }
            })
            .collect(),
    };
    let rows = &rows
        .iter()
        .filter(|row| row.difference.difference.se.is_finite())
        .cloned()
        .collect::<Vec<_>>();
    if study.sides.len() > SIDES_MAX {
        return by_metric(study, rows, games, facts.title);
    }
    let wins = rows
        .iter()
        .filter(|row| row.metric == "win_share")
        .map(|row| (row, 100.0));
    let scores = rows
        .iter()
        .filter(|row| row.metric == "score_mean")
        .map(|row| (row, 1.0));
    let relative = rows
        .iter()
        .filter(|row| row.seat.is_none() && row.difference.a != 0.0)
        .map(|row| (row, 100.0 / row.difference.a.abs()));
    vec![
        (
            "win_share_differences",
            drawn(
                "How the win shares change",
                "percentage points more (right) or fewer (left) than side a, with 95 % interval",
                wins.collect(),
            ),
        ),
        (
            "score_differences",
            drawn(
                "How the mean scores change",
                &format!(
                    "{} more (right) or fewer (left) than side a, with 95 % interval",
                    facts.score_unit
                ),
                scores.collect(),
            ),
        ),
        (
            "table_differences",
            drawn(
                "How the game changes",
                "percent more (right) or less (left) than side a, with 95 % interval",
                relative.collect(),
            ),
        ),
    ]
}

/// Most sides whose figures go on one chart.
pub const SIDES_MAX: usize = 4;

/// Of many sides: a chart for each figure of the table, the sides below each other.
fn by_metric(
    study: &Compare,
    rows: &[DifferenceRow],
    games: u64,
    title: &str,
) -> Vec<(&'static str, Differences)> {
    let mut metrics: Vec<&'static str> = Vec::new();
    for row in rows.iter().filter(|row| row.seat.is_none()) {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    let base = study.sides.keys().next().map_or("", String::as_str);
    let mut subtitle: Vec<String> = study.table.title.clone().into_iter().collect();
    subtitle.push(title.to_string());
    subtitle.push(format!("{} games each", numbers::count(games)));
    let drawn = |metric: &'static str| {
        let of = || {
            rows.iter()
                .filter(|row| row.seat.is_none() && row.metric == metric)
        };
        let (share, value) = of()
            .next()
            .map_or((false, 0.0), |row| (row.proportion, row.difference.a));
        // Shares in percentage points, everything else relative to the first side.
        let (scale, unit, value) = match share {
            true => (100.0, "percentage points", numbers::percent(value, 2)),
            false => (100.0 / value.abs(), "percent", numbers::number(value, 2)),
        };
        let shown = of().filter(|_| scale.is_finite()).map(|row| {
            let estimate = row.difference.difference;
            chart::DifferenceRow {
                label: row.side.clone(),
                value: estimate.value * scale,
                low: estimate.low * scale,
                high: estimate.high * scale,
            }
        });
        Differences {
            title: capitalized(&metric.replace('_', " ")),
            subtitle: subtitle.join(" · "),
            axis: format!(
                "{unit} more (right) or less (left) than {base}, where it is {value}, with 95 % interval"
            ),
            rows: shown.collect(),
        }
    };
    metrics
        .into_iter()
        .map(|metric| (metric, drawn(metric)))
        .collect()
}

/// What is compared: the sides with their changes.
fn headline(study: &Compare, games: u64) -> String {
    let sides = study
        .sides
        .iter()
        .map(|(name, changes)| match changes.as_slice() {
            [] => format!("{name}: as it is"),
            changes => format!("{name}: {}", changes.join(", ")),
        });
    let games = numbers::count(games);
    format!(
        "{} · {games} games each",
        sides.collect::<Vec<_>>().join(" · ")
    )
}
