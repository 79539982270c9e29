//! The charts of a comparison: how win shares, scores and the game as a whole change.

use super::named;
use crate::charts::labels::capitalized;
use crate::charts::rows::{Row, RowLine, Rows};
use crate::numbers;
use crate::results::words::{changes_told, more_or_less};
use crate::results::{DifferenceRow, NamedChart};
use crate::statistics::Estimate;
use crate::study::compare::Played;

/// Most sides whose figures go on one chart, side by side.
pub const SIDES_MAX: usize = 4;

/// What the charts of a comparison are drawn from.
struct PicturedSides<'a> {
    /// The sides with their changes; the first is what the others are compared with.
    sides: Vec<(&'a str, String)>,
    /// What is played on all of them.
    subtitle: String,
    /// What is known of each figure of each side.
    rows: Vec<&'a DifferenceRow>,
}

/// Shares in percentage points, scores in their unit, and everything else relative to the first
/// side.
pub fn compare(played: &Played, rows: &[DifferenceRow]) -> Vec<NamedChart> {
    let resolved = &played.resolved;
    let first = resolved.first();
    let sides = resolved.study.sides.iter();
    let sides = sides.map(|(name, changes)| (name.as_str(), changes_told(changes)));
    let games = numbers::games(played.games);
    let known = |row: &&DifferenceRow| row.difference.difference.se.is_finite();
    let of = PicturedSides {
        sides: sides.collect(),
        subtitle: format!("{} · {games} on each side", first.headline()),
        rows: rows.iter().filter(known).collect(),
    };
    if of.sides.len() > SIDES_MAX {
        return of.by_metric();
    }
    let unit = first.game.score_unit;
    vec![
        of.chart(
            "win_share_differences",
            "How the win shares change",
            POINTS,
            &|row| (row.metric == "win_share").then_some(100.0),
        ),
        of.chart(
            "score_differences",
            "How the mean scores change",
            unit,
            &|row| (row.metric == "score_mean").then_some(1.0),
        ),
        of.chart(
            "table_differences",
            "How the game changes",
            PERCENT,
            &|row| {
                (row.seat.is_none() && !row.proportion)
                    .then(|| relative(row))
                    .flatten()
            },
        ),
        of.chart(
            "table_shares",
            "How shares of the game change",
            POINTS,
            &|row| (row.seat.is_none() && row.proportion).then_some(100.0),
        ),
    ]
}

/// The units of shares, and of what is told relative to the first side.
const POINTS: &str = "percentage points";
const PERCENT: &str = "percent";

/// How many percent of the first side's value make one of the figure's unit.
fn relative(row: &DifferenceRow) -> Option<f64> {
    let base = row.difference.a.abs();
    (base > 0.0).then(|| 100.0 / base)
}

fn scaled(row: &DifferenceRow, scale: f64) -> Estimate {
    row.difference.difference.scaled(scale)
}

impl PicturedSides<'_> {
    /// The first side as it is told in a sentence.
    fn first(&self) -> String {
        match self.sides[0].0 {
            letter if letter.chars().count() == 1 => format!("side {letter}"),
            name => name.to_string(),
        }
    }

    /// The rows that have a scale, of which that many make one of the figure's own; the sides stand
    /// side by side.
    fn chart(
        &self,
        name: &'static str,
        title: &str,
        unit: &str,
        scale: &dyn Fn(&DifferenceRow) -> Option<f64>,
    ) -> NamedChart {
        let others = &self.sides[1..];
        let mut known: Vec<(&str, Option<u64>)> = Vec::new();
        for row in self.rows.iter().filter(|row| scale(row).is_some()) {
            if !known.contains(&(row.metric, row.seat)) {
                known.push((row.metric, row.seat));
            }
        }
        let row = |of: &(&str, Option<u64>)| {
            let own = || self.rows.iter().filter(|row| (row.metric, row.seat) == *of);
            let line = |(seat, (side, _)): (usize, &(&str, String))| {
                let row = own().find(|row| row.side == *side)?;
                Some(RowLine::of(seat, scaled(row, scale(row)?)))
            };
            Row {
                label: label(&own().copied().collect::<Vec<_>>()),
                lines: others.iter().enumerate().filter_map(line).collect(),
                ..Row::default()
            }
        };
        // A name of more than a letter says what is meant.
        let head = |(name, changes): &(&str, String)| match name.chars().count() {
            1 => format!("{name}: {changes}"),
            _ => name.to_string(),
        };
        let (told, key) = match others {
            [_] => (&self.sides[..], vec![]),
            others => (&self.sides[..1], others.iter().map(head).collect()),
        };
        let told: Vec<String> = told.iter().map(head).collect();
        let rows = known.iter().map(row).collect();
        let chart = Rows {
            key,
            ..Rows::differences(title, more_or_less(unit, &self.first()), rows)
        };
        let played = format!("{} · {}", self.subtitle, told.join(" · "));
        named(name, played, chart)
    }

    /// Of many sides: a chart for each figure of the table, the sides below each other.
    fn by_metric(&self) -> Vec<NamedChart> {
        let of_table = || self.rows.iter().filter(|row| row.seat.is_none());
        let mut metrics: Vec<&DifferenceRow> = Vec::new();
        for row in of_table() {
            if metrics.iter().all(|known| known.metric != row.metric) {
                metrics.push(row);
            }
        }
        let chart = |first: &DifferenceRow| -> NamedChart {
            let value = first.difference.a;
            let (unit, value) = if first.proportion {
                (POINTS, numbers::percent(value, 2))
            } else {
                (PERCENT, numbers::number(value, 2))
            };
            let row = |row: &&DifferenceRow| {
                let scale = if row.proportion {
                    Some(100.0)
                } else {
                    relative(row)
                };
                Some(Row::one(row.side.as_str(), scaled(row, scale?)))
            };
            let own = of_table().filter(|row| row.metric == first.metric);
            let axis = more_or_less(unit, &format!("{}, where it is {value}", self.first()));
            let rows = own.filter_map(row).collect();
            let chart = Rows::differences(capitalized(first.meaning), axis, rows);
            named(first.metric, self.subtitle.as_str(), chart)
        };
        metrics.into_iter().map(chart).collect()
    }
}

/// What a figure is called on all sides: by the bot where it is the same one, else by its seat.
fn label(rows: &[&DifferenceRow]) -> String {
    let first = rows[0];
    match (&first.strategy, first.seat) {
        (Some(bot), Some(seat)) if rows.iter().all(|row| row.strategy.as_ref() == Some(bot)) => {
            format!("{seat} {bot}")
        }
        (Some(_), Some(seat)) => format!("seat {seat}"),
        _ => first.meaning.to_string(),
    }
}
