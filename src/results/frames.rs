//! Polars frames of a tally, one row a thing, and their bytes as CSV or Parquet.
//!
//! Columns are part of carat's interface: README describes each.

use crate::game::{Layout, MetricRef, SCORE_MEAN, Sheet, SheetColumn, WIN_SHARE, Whose};
use crate::simulation::Tally;
use crate::simulation::paired::Difference;
use crate::statistics::{Estimate, quantile};
use crate::strategy::Seat;
use crate::tournament::{MetaGame, Payoffs, PlayedField, Standing, against};
use polars::prelude::*;

/// File formats of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text with a header line.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

/// A frame that could not be built or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}: {source}")]
pub struct FrameError {
    name: &'static str,
    source: PolarsError,
}

/// `seats`: one row a seat, in the order given.
pub fn seats(layout: &Layout, seats: &[Seat], tally: &Tally) -> Result<DataFrame, FrameError> {
    let rows = 0..layout.seats;
    let wins = tally.seats(layout, WIN_SHARE);
    let scores = tally.seats(layout, SCORE_MEAN);
    let sole = tally
        .sole_wins
        .iter()
        .map(|&sole| sole as f64 / tally.games as f64);
    let sd = scores
        .iter()
        .map(|score| score.se * (tally.games as f64).sqrt());
    let mut columns = vec![
        integers("seat", rows.clone().map(|seat| seat as u64 + 1)),
        texts(
            "strategy",
            seats.iter().map(|seat| seat.strategy.name.clone()),
        ),
        texts("params", seats.iter().map(Seat::params_text)),
        integers("games", rows.clone().map(|_| tally.games)),
        numbers("win_share", wins.iter().map(|win| win.value)),
        numbers("win_share_se", wins.iter().map(|win| win.se)),
        numbers("win_share_low", wins.iter().map(|win| win.low)),
        numbers("win_share_high", wins.iter().map(|win| win.high)),
        numbers("sole_win_rate", sole),
        numbers("score_mean", scores.iter().map(|score| score.value)),
        numbers("score_mean_se", scores.iter().map(|score| score.se)),
        numbers("score_mean_low", scores.iter().map(|score| score.low)),
        numbers("score_mean_high", scores.iter().map(|score| score.high)),
        numbers("score_sd", sd),
    ];
    for (name, q) in [
        ("score_p05", 0.05),
        ("score_p25", 0.25),
        ("score_median", 0.5),
        ("score_p75", 0.75),
        ("score_p95", 0.95),
    ] {
        columns.push(integers(
            name,
            tally.scores.iter().map(|h| quantile(h, q) as u64),
        ));
    }
    for metric in layout.own_seat_metrics() {
        let value = |seat| {
            let estimate = tally.estimate(layout, MetricRef::of_seat(metric.name, seat))?;
            Some(estimate.value)
        };
        columns.push(Column::new(
            metric.name.into(),
            rows.clone()
                .map(|seat| value(seat).and_then(finite))
                .collect::<Vec<_>>(),
        ));
    }
    frame("seats", columns)
}

/// `table`: one row a figure of the whole table.
pub fn table(layout: &Layout, tally: &Tally) -> Result<DataFrame, FrameError> {
    let games = tally.games as f64;
    let mut rows = vec![(
        "games",
        Some(Estimate {
            value: games,
            se: 0.0,
            low: games,
            high: games,
        }),
    )];
    for metric in &layout.table_metrics {
        let whose = Whose::Table;
        let name = metric.name;
        rows.push((name, tally.estimate(layout, MetricRef { name, whose })));
    }
    let column = |name: &str, of: fn(&Estimate) -> f64| {
        let values = rows
            .iter()
            .map(|(_, estimate)| estimate.as_ref().map(of).and_then(finite));
        Column::new(name.into(), values.collect::<Vec<_>>())
    };
    frame(
        "table",
        vec![
            texts("metric", rows.iter().map(|(name, _)| name.to_string())),
            column("value", |estimate| estimate.value),
            column("se", |estimate| estimate.se),
            column("low", |estimate| estimate.low),
            column("high", |estimate| estimate.high),
        ],
    )
}

/// `scores`: the exact histogram of every seat's score; scores that never occurred are left out.
pub fn scores(seats: &[Seat], tally: &Tally) -> Result<DataFrame, FrameError> {
    let mut rows = Vec::new();
    for (seat, histogram) in tally.scores.iter().enumerate() {
        let occurred = histogram
            .iter()
            .enumerate()
            .filter(|(_, games)| **games > 0);
        rows.extend(occurred.map(|(score, games)| (seat, score as u64, *games)));
    }
    frame(
        "scores",
        vec![
            integers("seat", rows.iter().map(|(seat, _, _)| *seat as u64 + 1)),
            texts(
                "strategy",
                rows.iter()
                    .map(|(seat, _, _)| seats[*seat].strategy.name.clone()),
            ),
            integers("score", rows.iter().map(|(_, score, _)| *score)),
            integers("games", rows.iter().map(|(_, _, games)| *games)),
        ],
    )
}

/// Rows of several cells in one frame, with the values of the axes as columns in front. All
/// frames have the same columns; an axis whose values are all numbers is a column of numbers.
pub fn cells(
    name: &'static str,
    axes: &[(String, Vec<String>)],
    frames: Vec<DataFrame>,
) -> Result<DataFrame, FrameError> {
    let failed = |source| FrameError { name, source };
    let rows: Vec<usize> = frames.iter().map(DataFrame::height).collect();
    let mut frames = frames.into_iter();
    let mut all = frames.next().unwrap_or_default();
    for frame in frames {
        all.vstack_mut(&frame).map_err(failed)?;
    }
    for (index, (path, values)) in axes.iter().enumerate() {
        let repeated = || {
            let cells = values.iter().zip(&rows);
            cells.flat_map(|(value, rows)| std::iter::repeat_n(value, *rows))
        };
        let parsed: Option<Vec<f64>> = repeated().map(|value| value.parse().ok()).collect();
        let column = match parsed {
            Some(parsed) => numbers(path, parsed.into_iter()),
            None => texts(path, repeated().cloned()),
        };
        all.insert_column(index, column).map_err(failed)?;
    }
    Ok(all)
}

/// A row of `differences`: how a figure of one side differs from that of the first side.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceRow {
    /// Name of the side.
    pub side: String,
    /// Name of the figure.
    pub metric: &'static str,
    /// The seat that it is of, from 1; none for the whole table.
    pub seat: Option<u64>,
    /// The bot at that seat of the side.
    pub strategy: Option<String>,
    /// What the figure says.
    pub meaning: &'static str,
    /// Whether the figure lies between 0 and 1.
    pub proportion: bool,
    /// The paired difference.
    pub difference: Difference,
}

/// `differences`: one row a side (but the first), figure and seat.
pub fn differences(rows: &[DifferenceRow]) -> Result<DataFrame, FrameError> {
    let estimate =
        |of: fn(&Estimate) -> f64| rows.iter().map(move |row| of(&row.difference.difference));
    let seats: Vec<Option<u64>> = rows.iter().map(|row| row.seat).collect();
    let strategies: Vec<Option<String>> = rows.iter().map(|row| row.strategy.clone()).collect();
    frame(
        "differences",
        vec![
            texts("side", rows.iter().map(|row| row.side.clone())),
            texts("metric", rows.iter().map(|row| row.metric.to_string())),
            Column::new("seat".into(), seats),
            Column::new("strategy".into(), strategies),
            numbers("value_a", rows.iter().map(|row| row.difference.a)),
            numbers("value", rows.iter().map(|row| row.difference.b)),
            numbers("difference", estimate(|e| e.value)),
            numbers("se", estimate(|e| e.se)),
            numbers("low", estimate(|e| e.low)),
            numbers("high", estimate(|e| e.high)),
        ],
    )
}

/// `payoffs`: one row a bot and field that it met.
pub fn payoffs(names: &[String], payoffs: &Payoffs) -> Result<DataFrame, FrameError> {
    let mut rows = Vec::new();
    for line_up in payoffs.groups() {
        let entry = &payoffs.line_ups.entries[line_up.start];
        let games = payoffs.games(line_up.clone());
        for bot in (0..names.len()).filter(|&bot| entry.copies(bot) > 0) {
            let field: Vec<&str> = (entry.field(bot).iter())
                .map(|&other| names[other].as_str())
                .collect();
            let win_share = payoffs.payoff(line_up.clone(), bot);
            let score = payoffs.score(line_up.clone(), bot);
            rows.push((
                names[bot].clone(),
                field.join(" + "),
                games,
                win_share,
                score,
            ));
        }
    }
    let estimate = |of: fn(&Estimate) -> f64| rows.iter().map(move |row| of(&row.3));
    let columns = vec![
        texts("strategy", rows.iter().map(|row| row.0.clone())),
        texts("field", rows.iter().map(|row| row.1.clone())),
        integers("games", rows.iter().map(|row| row.2)),
        numbers("win_share", estimate(|e| e.value)),
        numbers("win_share_se", estimate(|e| e.se)),
        numbers("win_share_low", estimate(|e| e.low)),
        numbers("win_share_high", estimate(|e| e.high)),
        numbers("score_mean", rows.iter().map(|row| row.4)),
    ];
    frame("payoffs", columns)
}

/// `ratings`: one row a bot, in the order given.
pub fn ratings(
    names: &[String],
    played: &PlayedField,
    meta_game: &MetaGame,
) -> Result<DataFrame, FrameError> {
    let standings = &meta_game.standings;
    let rating = |of: fn(&Estimate) -> f64| standings.iter().map(move |bot| of(&bot.rating));
    let regret = |of: fn(&Estimate) -> f64| standings.iter().map(move |bot| of(&bot.regret));
    let games = |bot: usize| {
        let met =
            played.payoffs.groups().into_iter().filter(move |line_up| {
                played.payoffs.line_ups.entries[line_up.start].copies(bot) > 0
            });
        met.map(|line_up| played.payoffs.games(line_up)).sum()
    };
    let columns = vec![
        texts("strategy", names.iter().cloned()),
        integers("games", (0..names.len()).map(games)),
        numbers("rating", rating(|e| e.value)),
        numbers("rating_se", rating(|e| e.se)),
        numbers("rating_low", rating(|e| e.low)),
        numbers("rating_high", rating(|e| e.high)),
        Column::new("in_best_set".into(), played.in_best_set.clone()),
        numbers("mix", standings.iter().map(|bot| bot.mix)),
        numbers("regret", regret(|e| e.value)),
        numbers("regret_se", regret(|e| e.se)),
        numbers("regret_low", regret(|e| e.low)),
        numbers("regret_high", regret(|e| e.high)),
        Column::new(
            "lasts_alone".into(),
            standings
                .iter()
                .map(|bot| bot.lasts_alone)
                .collect::<Vec<_>>(),
        ),
        texts(
            "dominated_by",
            standings.iter().map(|bot| dominator_text(names, bot)),
        ),
    ];
    frame("ratings", columns)
}

/// The mix that dominates a bot, such as `risk` or `0.60 risk + 0.40 depth`; empty if none does.
pub fn dominator_text(names: &[String], standing: &Standing) -> String {
    match standing.dominated_by.as_deref() {
        None => String::new(),
        Some([(bot, _)]) => names[*bot].clone(),
        Some(mix) => {
            let parts = mix
                .iter()
                .map(|(bot, part)| format!("{part:.2} {}", names[*bot]));
            parts.collect::<Vec<_>>().join(" + ")
        }
    }
}

/// `matrix`: what one of each bot earns against a field of copies of each.
pub fn matrix(names: &[String], payoffs: &Payoffs) -> Result<DataFrame, FrameError> {
    let pairs = (0..names.len()).flat_map(|bot| (0..names.len()).map(move |other| (bot, other)));
    let rows: Vec<(usize, usize, Estimate)> = pairs
        .filter_map(|(bot, other)| Some((bot, other, against(payoffs, bot, other)?)))
        .collect();
    let estimate = |of: fn(&Estimate) -> f64| rows.iter().map(move |row| of(&row.2));
    let columns = vec![
        texts("strategy", rows.iter().map(|row| names[row.0].clone())),
        texts("against", rows.iter().map(|row| names[row.1].clone())),
        numbers("win_share", estimate(|e| e.value)),
        numbers("win_share_se", estimate(|e| e.se)),
        numbers("win_share_low", estimate(|e| e.low)),
        numbers("win_share_high", estimate(|e| e.high)),
    ];
    frame("matrix", columns)
}

/// A game's own table.
pub fn sheet(sheet: &Sheet) -> Result<DataFrame, FrameError> {
    let columns = sheet.columns.iter().map(|(name, column)| match column {
        SheetColumn::Whole(values) => integers(name, values.iter().copied()),
        SheetColumn::Number(values) => numbers(name, values.iter().copied()),
        SheetColumn::Text(values) => texts(name, values.iter().cloned()),
    });
    frame(sheet.name, columns.collect())
}

/// The bytes of a frame; `name` is what errors call it.
pub fn encode(
    name: &'static str,
    frame: &mut DataFrame,
    format: Format,
) -> Result<Vec<u8>, FrameError> {
    let mut bytes = Vec::new();
    let written = match format {
        Format::Csv => without_formulas(frame)
            .and_then(|mut frame| CsvWriter::new(&mut bytes).finish(&mut frame)),
        Format::Parquet => ParquetWriter::new(&mut bytes).finish(frame).map(|_| ()),
    };
    written
        .map(|()| bytes)
        .map_err(|source| FrameError { name, source })
}

/// The frame with a `'` before each text that a spreadsheet would run as a formula: it begins with
/// `=`, `+`, `-`, `@`, a tab or a carriage return, and is no number.
fn without_formulas(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let mut plain = frame.clone();
    for column in frame
        .columns()
        .iter()
        .filter(|column| column.dtype() == &DataType::String)
    {
        let texts = column.str()?;
        if texts.iter().flatten().any(is_formula) {
            let guarded = |text: &str| match is_formula(text) {
                true => format!("'{text}"),
                false => text.to_string(),
            };
            let texts: Vec<Option<String>> = texts.iter().map(|text| text.map(guarded)).collect();
            plain.with_column(Column::new(column.name().clone(), texts))?;
        }
    }
    Ok(plain)
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

fn frame(name: &'static str, columns: Vec<Column>) -> Result<DataFrame, FrameError> {
    DataFrame::new_infer_height(columns).map_err(|source| FrameError { name, source })
}

fn texts(name: &str, values: impl Iterator<Item = String>) -> Column {
    Column::new(name.into(), values.collect::<Vec<_>>())
}

fn integers(name: &str, values: impl Iterator<Item = u64>) -> Column {
    Column::new(name.into(), values.collect::<Vec<_>>())
}

/// Numbers, empty where they are not finite: one game knows no standard error.
fn numbers(name: &str, values: impl Iterator<Item = f64>) -> Column {
    Column::new(name.into(), values.map(finite).collect::<Vec<_>>())
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spreadsheet_runs_no_cell() {
        let cells = [
            "=1+1", "+x", "@sum", "\t=1", "-x.toml", "-1.5", "+2", "plain", "a=b", "", "'x",
        ];
        let columns = vec![
            texts("text", cells.iter().map(|cell| cell.to_string())),
            numbers("number", (0..cells.len()).map(|n| -(n as f64))),
        ];
        let mut table = frame("t", columns).unwrap();
        let csv = String::from_utf8(encode("t", &mut table, Format::Csv).unwrap()).unwrap();
        let found: Vec<&str> = csv
            .lines()
            .skip(1)
            .map(|l| l.split(',').next().unwrap())
            .collect();
        let guarded = [
            "'=1+1", "'+x", "'@sum", "'\t=1", "'-x.toml", "-1.5", "+2", "plain", "a=b", "\"\"",
            "'x",
        ];
        assert_eq!(found, guarded);
        assert!(csv.contains("plain,-7.0"), "{csv}");
        // The table itself, and other formats, hold the texts as they are.
        let first = table.column("text").unwrap().get(0).unwrap();
        assert_eq!(first.get_str(), Some("=1+1"));
    }
}
