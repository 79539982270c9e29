//! The report of a comparison: how every metric of a side differs from the first side's.

use super::each;
use super::manifest::Manifest;
use super::pictures::{self, SIDES_MAX};
use super::report::Report;
use super::rules_changed::{RulesChanged, rules_changed};
use super::tables::{self, DifferenceRow};
use super::text::Block;
use super::words::changes_told;
use crate::game::{MetricRef, SCORE_MEAN, WIN_SHARE, Whose};
use crate::numbers;
use crate::statistics::Estimate;
use crate::study::compare::{Played, SideDifference};
use crate::study::{Outcome, Study};

/// The report of a comparison.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let resolved = &played.resolved;
    let found = played.differences.iter();
    let rows: Vec<DifferenceRow> = found.map(|found| row(played, found)).collect();
    let mut study = resolved.study.clone();
    if played.missed().is_none() {
        study.table.fix_games(played.games);
        // It tells what is shown, too.
        study.table.metric.clone_from(&resolved.study.table.metric);
    }
    let summary = match resolved.ranked_by {
        Some(metric) => each::summary(played, metric),
        None => summary(&rows, played),
    };
    let changed = rules_changed(&manifest, resolved.first().game);
    Report {
        sheets: vec![tables::differences(&rows)],
        charts: match resolved.ranked_by {
            Some(metric) => pictures::each(played, metric),
            None => pictures::compare(played, &rows),
        },
        files: Vec::new(),
        text: match resolved.ranked_by {
            Some(metric) => each::text(played, metric),
            None if resolved.sides.len() > SIDES_MAX => overview(played, &rows),
            None => side_by_side(played, &rows, &summary, &changed),
        },
        summary,
        game: resolved.first().game,
        manifest: Manifest {
            partial: played.interrupted().is_some(),
            study: Study::Compare(study),
            ..manifest
        },
    }
}

fn row(played: &Played, found: &SideDifference) -> DifferenceRow {
    let side = &played.resolved.sides[found.side];
    let known = side.resolved.table.layout().metric(found.metric);
    let seat = found.metric.seat();
    DifferenceRow {
        side: side.name.clone(),
        metric: found.metric.name,
        meaning: known.map_or("", |metric| metric.meaning),
        proportion: known.is_some_and(|metric| metric.proportion),
        seat: seat.map(|seat| seat as u64 + 1),
        strategy: seat.map(|seat| side.resolved.seats[seat].label()),
        difference: found.difference,
    }
}

/// The differences in words and numbers, one side after the other.
fn side_by_side(
    played: &Played,
    rows: &[DifferenceRow],
    summary: &str,
    changed: &[RulesChanged],
) -> Vec<Block> {
    let resolved = &played.resolved;
    let sides = &resolved.sides;
    let mut head = vec![
        resolved.first().headline(),
        format!("{} on each side", numbers::games(played.games)),
    ];
    for (name, _) in &resolved.study.sides {
        let own = changed.iter().find(|changed| changed.of == *name);
        let own = own.map_or("unchanged".to_string(), |changed| changed.lines.join("; "));
        head.push(format!("  {name}: {own}"));
    }
    let mut blocks = vec![Block::text(head.join("\n")), Block::text(summary)];
    for side in &sides[1..] {
        let first = &sides[0].name;
        blocks.push(Block::text(format!("{} against {first}", side.name)));
        let of_side = rows.iter().filter(|row| row.side == side.name);
        let shown = of_side
            .filter(|row| row.seat.is_none() || [WIN_SHARE, SCORE_MEAN].contains(&row.metric));
        let shown: Vec<&DifferenceRow> = shown.collect();
        let header = ["what", "of", "difference", "", first, &side.name];
        let lines = shown.iter().map(|row| line(row));
        blocks.push(Block::table(&header, lines.collect()));
        let ratios = shown.iter().map(|row| row.difference.paired_over_unpaired);
        let mut ratios: Vec<f64> = ratios.flatten().collect();
        ratios.sort_by(f64::total_cmp);
        if let Some(median) = ratios.get(ratios.len() / 2) {
            blocks.push(Block::text(format!(
                "As both sides play the same games, the variance of a difference is {} times that \
                 between separate games (median of these figures). The 95 % hold for each interval \
                 alone, not all jointly.",
                numbers::number(*median, 2)
            )));
        }
    }
    blocks
}

/// Letters of the changes of a side that stand in a sentence.
const BRIEF: usize = 60;

/// Differences of one kind that a summary tells of a side.
const TOLD: usize = 3;

/// What each side changes most, and how much does not change more than its uncertainty.
fn summary(rows: &[DifferenceRow], played: &Played) -> String {
    let sides = &played.resolved.sides;
    let of_side = |side: &str| {
        let own = rows.iter().filter(|row| row.side == side);
        let told = own.filter(|row| row.seat.is_none() || row.metric == WIN_SHARE);
        let (mut clear, unclear): (Vec<&DifferenceRow>, Vec<_>) = told.partition(|row| {
            let Estimate { low, high, .. } = row.difference.difference;
            low > 0.0 || high < 0.0
        });
        // The surest first: by how many standard errors they are away from nothing.
        let sure = |row: &&DifferenceRow| {
            row.difference.difference.value.abs()
                / row.difference.difference.se.max(f64::MIN_POSITIVE)
        };
        clear.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
        let pick = |of_bots: bool| {
            let own = clear
                .iter()
                .filter(move |row| row.seat.is_some() == of_bots);
            own.take(TOLD).map(|row| in_words(row))
        };
        let told: Vec<String> = pick(true).chain(pick(false)).collect();
        let more = clear.len() - told.len();
        let rest = match (more, unclear.len()) {
            (0, 0) => String::new(),
            (0, _) => " Nothing else changes more than its uncertainty.".to_string(),
            (more, still) => {
                let more = match more {
                    1 => "1 other figure changes".to_string(),
                    more => format!("{more} other figures change"),
                };
                let still = match still {
                    0 => String::new(),
                    1 => "; 1 does not change more than its uncertainty".to_string(),
                    still => format!("; {still} do not change more than their uncertainty"),
                };
                format!(" {more}, too{still}.")
            }
        };
        let changes = played.resolved.study.sides.get(side);
        let changes = changes.map(|changes| changes_told(changes));
        let side = match (side.chars().count(), changes) {
            (1, Some(changes)) if changes.chars().count() <= BRIEF => {
                format!("{changes} (side {side})")
            }
            (1, _) => format!("side {side}"),
            _ => side.to_string(),
        };
        if told.is_empty() {
            format!("With {side} nothing changes more than its uncertainty.")
        } else {
            format!("With {side} {}.{rest}", told.join("; "))
        }
    };
    let all: Vec<String> = sides[1..].iter().map(|side| of_side(&side.name)).collect();
    all.join("\n")
}

/// A difference in words: `the win share of 1 threshold falls by 1.2 ± 0.1 points, from 20.3 %`.
fn in_words(row: &DifferenceRow) -> String {
    let paired = &row.difference;
    let verb = if paired.difference.value > 0.0 {
        "rises"
    } else {
        "falls"
    };
    let size = if paired.difference.value < 0.0 {
        paired.difference.scaled(-1.0)
    } else {
        paired.difference
    };
    let from = if row.proportion {
        numbers::percent(paired.a, 1)
    } else {
        numbers::number(paired.a, 2)
    };
    let what = match (&row.strategy, row.seat) {
        (Some(bot), Some(seat)) => format!("the win share of {seat} {bot}"),
        _ => format!("“{}”", row.meaning),
    };
    format!("{what} {verb} by {size}, from {from}")
}

/// Of many sides: one metric, side by side.
fn overview(played: &Played, rows: &[DifferenceRow]) -> Vec<Block> {
    let first = played.resolved.first();
    let layout = first.table.layout();
    let metric = match first.study.metric {
        Some(_) => first.metric,
        None => MetricRef {
            name: layout.table_metrics[0].name,
            whose: Whose::Table,
        },
    };
    let shown = rows.iter().zip(&played.differences);
    let shown = shown.filter(|(_, found)| metric.covers(found.metric));
    let lines = shown.map(|(row, _)| {
        let mut line = line(row);
        line[0].clone_from(&row.side);
        line
    });
    let sides = &played.resolved.sides;
    let header = ["side", "of", "difference", "", &sides[0].name, "side's"];
    vec![
        Block::text(format!(
            "{} · {} sides · {} each",
            first.headline(),
            sides.len(),
            numbers::games(played.games)
        )),
        Block::text(format!(
            "{}: {}",
            metric.to_string().replace('_', " "),
            layout.title(metric)
        )),
        Block::table(&header, lines.collect()),
        Block::text(
            "The other figures are in the files. The 95 % hold for each interval alone, not all \
             jointly.",
        ),
    ]
}

fn line(row: &DifferenceRow) -> Vec<String> {
    let paired = &row.difference;
    let value = [paired.a, paired.b].map(|value| {
        if row.proportion {
            numbers::percent(value, 2)
        } else {
            numbers::number(value, 2)
        }
    });
    let verdict = match (paired.difference.low > 0.0, paired.difference.high < 0.0) {
        (true, _) => "more",
        (_, true) => "less",
        _ => "no difference seen",
    };
    let of = row
        .strategy
        .as_ref()
        .map(|bot| format!("{} {bot}", row.seat.unwrap_or(0)));
    let [a, b] = value;
    vec![
        row.meaning.to_string(),
        of.unwrap_or_else(|| "table".to_string()),
        paired.difference.to_string(),
        verdict.to_string(),
        a,
        b,
    ]
}
