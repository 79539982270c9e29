//! The sheets of results: which rows and columns each has.
//!
//! Columns are part of carat's interface; `carat show columns` lists them with their meanings.

use crate::game::{CAPPED_RATE, Layout, MetricRef, SCORE_MEAN, WIN_SHARE, Whose};
use crate::sheet::{Column, Sheet, Values};
use crate::simulation::Tally;
use crate::simulation::grid::PlayedGrid;
use crate::simulation::paired::Difference;
use crate::statistics::{Estimate, Unit, quantile};
use crate::strategy::Seat;
use crate::tournament::{MetaGame, Payoffs, PlayedField, Standing, beside};

/// `seats`: one row per seat, in the order given.
pub fn seats(layout: &Layout, seats: &[Seat], tally: &Tally) -> Sheet {
    let rows = 0..layout.seats;
    let estimates = |name| -> Vec<Option<Estimate>> {
        let of = |seat| tally.estimate(layout, MetricRef::of_seat(name, seat));
        rows.clone().map(of).collect()
    };
    let mut sheet = Sheet::new("seats", "one row per seat, in the order given");
    sheet.whole(
        "seat",
        "number of the seat, from 1",
        rows.clone().map(|seat| seat as u64 + 1),
    );
    let names = seats.iter().map(|seat| seat.strategy.name.clone());
    sheet.text("strategy", "the bot", names);
    sheet.text(
        "params",
        "its parameters",
        seats.iter().map(Seat::params_text),
    );
    sheet.whole("games", "games played", rows.clone().map(|_| tally.games));
    sheet.estimates(
        WIN_SHARE,
        "share of all wins; a win shared by t players counts 1/t for each",
        &estimates(WIN_SHARE),
    );
    let games = tally.games as f64;
    let sole = tally.sole_wins.iter().map(|&sole| sole as f64 / games);
    sheet.number("sole_win_rate", "share of games won alone", sole);
    let scores = estimates(SCORE_MEAN);
    sheet.estimates(SCORE_MEAN, "mean score", &scores);
    let sd = scores.iter().flatten().map(|score| score.se * games.sqrt());
    sheet.number(
        "score_sd",
        "standard deviation of the score between games",
        sd,
    );
    for (name, q, meaning) in [
        (
            "score_p05",
            0.05,
            "score that a twentieth of the games stays at or below",
        ),
        (
            "score_p25",
            0.25,
            "score that a quarter of the games stays at or below",
        ),
        (
            "score_median",
            0.5,
            "score that half of the games stays at or below",
        ),
        (
            "score_p75",
            0.75,
            "score that three quarters of the games stay at or below",
        ),
        (
            "score_p95",
            0.95,
            "score that all but a twentieth of the games stay at or below",
        ),
    ] {
        let scores = tally.scores.iter();
        sheet.whole(
            name,
            meaning,
            scores.map(|scores| quantile(scores, q) as u64),
        );
    }
    for metric in layout.own_seat_metrics() {
        let known = estimates(metric.name).into_iter();
        let values = known.map(|estimate| estimate.map(|estimate| estimate.value));
        sheet.number(metric.name, metric.meaning, values);
    }
    sheet
}

/// `table`: one row per metric of the whole table.
pub fn table(layout: &Layout, tally: &Tally) -> Sheet {
    let games = tally.games as f64;
    let mut rows = vec![(
        "games",
        Some(Estimate {
            value: games,
            se: 0.0,
            low: games,
            high: games,
            unit: Unit::Amount,
        }),
    )];
    for metric in &layout.table_metrics {
        let (name, whose) = (metric.name, Whose::Table);
        rows.push((name, tally.estimate(layout, MetricRef { name, whose })));
    }
    let (names, estimates): (Vec<&str>, Vec<Option<Estimate>>) = rows.into_iter().unzip();
    let mut sheet = Sheet::new("table", "one row per metric of the whole table");
    sheet.text(
        "metric",
        "the metric",
        names.iter().map(|name| name.to_string()),
    );
    let values = estimates
        .iter()
        .map(|known| known.map(|estimate| estimate.value));
    sheet.number("value", "its estimate", values);
    sheet.errors("", "value", &estimates);
    sheet
}

/// `scores`: the exact histogram of every seat's score; scores that never occurred are left out.
pub fn scores(seats: &[Seat], tally: &Tally) -> Sheet {
    let mut rows = Vec::new();
    for (seat, histogram) in tally.scores.iter().enumerate() {
        let occurred = histogram
            .iter()
            .enumerate()
            .filter(|(_, games)| **games > 0);
        rows.extend(occurred.map(|(score, games)| (seat, score as u64, *games)));
    }
    let name = |seat: usize| seats[seat].strategy.name.clone();
    let mut sheet = Sheet::new("scores", "one row per seat and score that occurred");
    sheet.whole(
        "seat",
        "number of the seat, from 1",
        rows.iter().map(|row| row.0 as u64 + 1),
    );
    sheet.text("strategy", "the bot", rows.iter().map(|row| name(row.0)));
    sheet.whole("score", "the score", rows.iter().map(|row| row.1));
    sheet.whole(
        "games",
        "games in which the seat had it",
        rows.iter().map(|row| row.2),
    );
    sheet
}

/// Rows of several cells in one sheet, with the values of the axes as columns in front. All sheets
/// have the same columns; an axis whose values are all whole numbers, or all numbers, is a column of
/// these.
pub fn cells(name: &str, rows: &str, axes: &[(String, Vec<String>)], sheets: Vec<Sheet>) -> Sheet {
    let heights: Vec<usize> = sheets.iter().map(Sheet::height).collect();
    let mut all = Sheet::new(name, rows);
    for (path, values) in axes {
        let cells = values.iter().zip(&heights);
        let repeated = cells.flat_map(|(value, rows)| std::iter::repeat_n(value, *rows));
        let whole = repeated.clone().map(|value| value.parse().ok());
        let number = repeated.clone().map(|value| value.parse().ok());
        let meaning = format!("value of {path} in this cell");
        if let Some(whole) = whole.collect::<Option<Vec<u64>>>() {
            all.whole(path, meaning, whole);
        } else if let Some(number) = number.collect::<Option<Vec<f64>>>() {
            all.number(path, meaning, number);
        } else {
            all.text(path, meaning, repeated.cloned());
        }
    }
    let mut sheets = sheets.into_iter();
    let mut columns = sheets.next().map_or_else(Vec::new, |first| first.columns);
    for sheet in sheets {
        for (column, more) in columns.iter_mut().zip(sheet.columns) {
            append(column, more);
        }
    }
    all.columns.extend(columns);
    all
}

/// Adds to rows of cells, `heights` of each, whether a cell is the best, and what it costs to choose
/// it instead.
pub fn ranked(sheet: &mut Sheet, heights: &[usize], grid: &PlayedGrid) {
    fn repeated<T: Copy>(values: &[T], heights: &[usize]) -> Vec<T> {
        let cells = values.iter().zip(heights);
        cells
            .flat_map(|(value, rows)| std::iter::repeat_n(*value, *rows))
            .collect()
    }
    sheet.truth(
        "best",
        "whether the cell has the highest value of the metric that is ranked",
        repeated(&grid.best, heights),
    );
    sheet.truth(
        "in_best_set",
        "whether it may be the best; with 95 % probability the true best is among these",
        repeated(&grid.in_best_set, heights),
    );
    sheet.estimates(
        "behind_best",
        "by how much the best is above it, in the games that both played; the interval allows for \
         another being the best",
        &repeated(&grid.behind, heights),
    );
}

fn append(column: &mut Column, more: Column) {
    match (&mut column.values, more.values) {
        (Values::Whole(values), Values::Whole(more)) => values.extend(more),
        (Values::Number(values), Values::Number(more)) => values.extend(more),
        (Values::Text(values), Values::Text(more)) => values.extend(more),
        (Values::Truth(values), Values::Truth(more)) => values.extend(more),
        _ => unreachable!("a column of two kinds: {}", column.name),
    }
}

/// A row of `differences`: how a metric of one side differs from that of the first side.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceRow {
    /// Name of the side.
    pub side: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// The seat that it is of, from 1; none for the whole table.
    pub seat: Option<u64>,
    /// The bot at that seat of the side.
    pub strategy: Option<String>,
    /// What the metric says.
    pub meaning: &'static str,
    /// Whether the metric lies between 0 and 1.
    pub proportion: bool,
    /// The paired difference.
    pub difference: Difference,
}

/// `differences`: one row per side (but the first), metric and seat.
pub fn differences(rows: &[DifferenceRow]) -> Sheet {
    let estimates: Vec<_> = rows
        .iter()
        .map(|row| Some(row.difference.difference))
        .collect();
    let mut sheet = Sheet::new(
        "differences",
        "one row per side but the first, metric and seat",
    );
    sheet.text("side", "the side", rows.iter().map(|row| row.side.clone()));
    sheet.text(
        "metric",
        "the metric",
        rows.iter().map(|row| row.metric.to_string()),
    );
    let seats = rows.iter().map(|row| row.seat);
    sheet.whole(
        "seat",
        "the seat that it is of, from 1; empty for the table",
        seats,
    );
    let strategies = rows.iter().map(|row| row.strategy.clone());
    sheet.text("strategy", "the bot at that seat of the side", strategies);
    let base = rows.iter().map(|row| row.difference.a);
    sheet.number("value_a", "the metric on the first side", base);
    sheet.number(
        "value",
        "the metric on this side",
        rows.iter().map(|row| row.difference.b),
    );
    let found = rows.iter().map(|row| row.difference.difference.value);
    sheet.number(
        "difference",
        "value less value_a, from the same games",
        found,
    );
    sheet.errors("", "difference", &estimates);
    sheet
}

/// `payoffs`: one row per bot and field that it met.
pub fn payoffs(names: &[String], payoffs: &Payoffs) -> Sheet {
    let mut rows = Vec::new();
    for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
        for bot in (0..names.len()).filter(|&bot| entry.copies(bot) > 0) {
            let field = entry.field(bot);
            let field: Vec<&str> = field.iter().map(|&other| names[other].as_str()).collect();
            rows.push((names[bot].clone(), field.join(" + "), at, bot));
        }
    }
    let wins: Vec<_> = rows
        .iter()
        .map(|row| Some(payoffs.payoff(row.2, row.3)))
        .collect();
    let mut sheet = Sheet::new("payoffs", "one row per bot and opponents that it met");
    sheet.text("strategy", "the bot", rows.iter().map(|row| row.0.clone()));
    sheet.text(
        "field",
        "the bots at the other seats",
        rows.iter().map(|row| row.1.clone()),
    );
    let games = rows.iter().map(|row| payoffs.games(row.2));
    sheet.whole("games", "games played", games);
    sheet.estimates(
        WIN_SHARE,
        "share of the wins that a seat of the bot earns",
        &wins,
    );
    let scores = rows.iter().map(|row| payoffs.score(row.2, row.3));
    sheet.number(SCORE_MEAN, "mean score of a seat of the bot", scores);
    let capped = rows.iter().map(|row| payoffs.capped(row.2));
    if let Some(capped) = capped.collect::<Option<Vec<f64>>>() {
        sheet.number(CAPPED_RATE, "share of the games that a cap ended", capped);
    }
    sheet
}

/// `ratings`: one row per bot, in the order given.
pub fn ratings(names: &[String], played: &PlayedField, meta_game: &MetaGame) -> Sheet {
    let payoffs = &played.payoffs;
    let standings = meta_game.standings.iter();
    let games = |bot: usize| -> u64 {
        let entries = payoffs.line_ups.entries.iter().enumerate();
        let met = entries.filter(|(_, entry)| entry.copies(bot) > 0);
        met.map(|(at, _)| payoffs.games(at)).sum()
    };
    let ratings: Vec<_> = standings.clone().map(|bot| Some(bot.rating)).collect();
    let regrets: Vec<_> = standings.clone().map(|bot| Some(bot.regret)).collect();
    let mut sheet = Sheet::new("ratings", "one row per bot");
    sheet.text("strategy", "the bot", names.iter().cloned());
    sheet.whole(
        "games",
        "games in which it took part",
        (0..names.len()).map(games),
    );
    sheet.estimates(
        "rating",
        "share of the wins when every other seat is drawn from all bots alike",
        &ratings,
    );
    sheet.truth(
        "in_best_set",
        "whether it may be the best; with 95 % probability the true best is among these",
        played.in_best_set.iter().copied(),
    );
    let mixes = standings.clone().map(|bot| bot.mix);
    sheet.number("mix", "its share of the equilibrium mix", mixes);
    sheet.estimates(
        "regret",
        "how much less of the wins it earns among the mix than the mix does",
        &regrets,
    );
    sheet.truth(
        "lasts_alone",
        "whether nobody gains by another bot when all play this one",
        standings.clone().map(|bot| bot.lasts_alone),
    );
    sheet.text(
        "dominated_by",
        "the bot or mix of bots that earns more against every field, if there is one",
        standings.map(|bot| dominator_text(names, bot)),
    );
    sheet
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

/// `matrix`: what one of each bot earns with each at the table.
pub fn matrix(names: &[String], payoffs: &Payoffs) -> Sheet {
    let pairs = (0..names.len()).flat_map(|bot| (0..names.len()).map(move |other| (bot, other)));
    let rows: Vec<(usize, usize, Estimate)> = pairs
        .filter_map(|(bot, other)| Some((bot, other, beside(payoffs, bot, other)?)))
        .collect();
    let wins: Vec<_> = rows.iter().map(|row| Some(row.2)).collect();
    let mut sheet = Sheet::new(
        "matrix",
        "one row per bot and opponent; of a sample, all other seats hold copies of it",
    );
    sheet.text(
        "strategy",
        "the bot",
        rows.iter().map(|row| names[row.0].clone()),
    );
    sheet.text(
        "against",
        "the bot at another seat; further seats are drawn from all bots",
        rows.iter().map(|row| names[row.1].clone()),
    );
    sheet.estimates(WIN_SHARE, "share of the wins that the bot earns", &wins);
    sheet
}
