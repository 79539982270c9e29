//! The charts of a comparison: how win shares, scores and the game as a whole change.

use crate::charts::differences::{Difference, Differences};
use crate::charts::labels::capitalized;
use crate::numbers;
use crate::results::{DifferenceRow, NamedChart};
use crate::study::Compare;
use crate::study::compare::Played;

/// Win shares in percentage points, and everything else relative to side a.
pub fn compare(played: &Played, rows: &[DifferenceRow]) -> Vec<NamedChart> {
    let study = &played.resolved.study;
    let game = played.resolved.first().game;
    let games = played.games;
    let known = |row: &&DifferenceRow| row.difference.difference.se.is_finite();
    let rows: Vec<&DifferenceRow> = rows.iter().filter(known).collect();
    if study.sides.len() > SIDES_MAX {
        return by_metric(study, &rows, games, game.title);
    }
    // The rows with a scale, drawn in units of which `scale` make one of the figure's own.
    let drawn = |title: &str, axis: &str, scale: &dyn Fn(&DifferenceRow) -> Option<f64>| {
        let row = |row: &&DifferenceRow| {
            let what = match &row.strategy {
                Some(bot) => format!("{} {bot}", row.seat.unwrap_or(0)),
                None => row.meaning.to_string(),
            };
            let label = match study.sides.len() > 2 {
                true => format!("{} · {what}", row.side),
                false => what,
            };
            Some(difference(label, row, scale(row)?))
        };
        Box::new(Differences {
            title: title.to_string(),
            subtitle: headline(study, games),
            axis: format!("{axis} (left) than side a, with 95 % interval"),
            rows: rows.iter().filter_map(row).collect(),
        })
    };
    vec![
        (
            "win_share_differences",
            drawn(
                "How the win shares change",
                "percentage points more (right) or fewer",
                &|row| (row.metric == "win_share").then_some(100.0),
            ),
        ),
        (
            "score_differences",
            drawn(
                "How the mean scores change",
                &format!("{} more (right) or fewer", game.score_unit),
                &|row| (row.metric == "score_mean").then_some(1.0),
            ),
        ),
        (
            "table_differences",
            drawn(
                "How the game changes",
                "percent more (right) or less",
                &|row| {
                    let amount = row.seat.is_none() && !row.proportion;
                    let shown = amount && row.difference.a != 0.0;
                    shown.then(|| 100.0 / row.difference.a.abs())
                },
            ),
        ),
        (
            "table_shares",
            drawn(
                "How shares change",
                "percentage points more (right) or fewer",
                &|row| (row.seat.is_none() && row.proportion).then_some(100.0),
            ),
        ),
    ]
}

/// Most sides whose figures go on one chart.
pub const SIDES_MAX: usize = 4;

/// Of many sides: a chart for each figure of the table, the sides below each other.
fn by_metric(study: &Compare, rows: &[&DifferenceRow], games: u64, title: &str) -> Vec<NamedChart> {
    let of_table = || rows.iter().filter(|row| row.seat.is_none());
    let mut metrics: Vec<&'static str> = Vec::new();
    for row in of_table() {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    let base = study.sides.keys().next().map_or("", String::as_str);
    let mut subtitle: Vec<String> = study.table.title.clone().into_iter().collect();
    subtitle.push(title.to_string());
    subtitle.push(format!("{} games each", numbers::count(games)));
    let drawn = |metric: &'static str| {
        let of = || of_table().filter(|row| row.metric == metric);
        let (share, value) = of()
            .next()
            .map_or((false, 0.0), |row| (row.proportion, row.difference.a));
        // Shares in percentage points, everything else relative to the first side.
        let (scale, unit, value) = match share {
            true => (100.0, "percentage points", numbers::percent(value, 2)),
            false => (100.0 / value.abs(), "percent", numbers::number(value, 2)),
        };
        let shown = of().filter(|_| scale.is_finite());
        Differences {
            title: capitalized(&metric.replace('_', " ")),
            subtitle: subtitle.join(" · "),
            axis: format!(
                "{unit} more (right) or less (left) than {base}, where it is {value}, with 95 % interval"
            ),
            rows: shown
                .map(|row| difference(row.side.clone(), row, scale))
                .collect(),
        }
    };
    metrics
        .into_iter()
        .map(|metric| -> NamedChart { (metric, Box::new(drawn(metric))) })
        .collect()
}

fn difference(label: String, row: &DifferenceRow, scale: f64) -> Difference {
    Difference {
        label,
        estimate: row.difference.difference.scaled(scale),
    }
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
