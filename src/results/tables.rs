//! The sheets of results: the rows and columns of each.
//!
//! Columns are part of carat's interface; `carat show columns` lists them with their meanings.

use super::words::valued;
use crate::study::compare::{self, ArmDifference};
use crate::study::{Path, simulate, sweep, tournament};
use carat_core::game::{CAPPED_RATE, Layout, MetricRef, SCORE_MEAN, WIN_SHARE};
use carat_core::sheet::{Column, Rows, Sheet, Values};
use carat_core::simulation::Tally;
use carat_core::statistics::{Estimate, Unit, quantile};
use carat_core::strategy::{Seat, seat_names, table_labels};
use carat_core::tournament::{BotStanding, MetaGame, Payoffs, PlayedField, beside};

/// The meanings of columns that several sheets share.
const BOT: &str = "the bot";
pub const LABEL: &str = "label of the seat, or the name of its person; empty if there is none";
const IN_BEST_SET: &str = "whether it is in the set that holds the true best with 95 % probability";

/// Adds the label of each seat, or its person's name, to a sheet with a column `seat`.
pub fn add_labels(sheet: &mut Sheet, seats: &[Seat]) {
    let place = |name: &str| sheet.columns.iter().position(|column| column.name == name);
    let Some(at) = place("seat") else { return };
    let after = place("bot").unwrap_or(at);
    let Values::Whole(numbers) = &sheet.columns[at].values else {
        return;
    };
    let of_seat = |number: &Option<u64>| seats.get((*number)? as usize - 1)?.person.clone();
    let labels = Values::Text(numbers.iter().map(of_seat).collect());
    sheet
        .columns
        .insert(after + 1, Column::new("label", LABEL, labels));
}

pub fn seats(layout: &Layout, seats: &[Seat], tally: &Tally) -> Sheet {
    let estimate = |name, seat| tally.estimate(layout, MetricRef::of_seat(name, seat));
    let one = "one row per seat, in the order given";
    let mut sheet = Rows::new("seats", one, 0..layout.seats);
    sheet.numbered("seat", |&seat| seat);
    sheet.text("bot", BOT, |&seat| seats[seat].strategy.name.clone());
    let params = |&seat: &usize| seats[seat].params_text();
    sheet.text("params", "parameters of the bot", params);
    sheet.whole("games", "games played", |_| tally.games);
    if layout.passes.is_some() {
        let meaning = "with on_failure = \"pass\": decisions that the program failed to take";
        let passes = &tally.counts[layout.passes()];
        sheet.whole("passes", meaning, |&seat| passes[seat]);
    }
    let meaning = "win share; a win shared by t players counts as 1/t for each";
    sheet.estimates(WIN_SHARE, meaning, |&seat| estimate(WIN_SHARE, seat));
    let games = tally.games as f64;
    let meaning = "share of games won alone";
    sheet.number("sole_win_rate", meaning, |&seat| {
        tally.sole_wins[seat] as f64 / games
    });
    sheet.estimates(SCORE_MEAN, "mean score", |&seat| estimate(SCORE_MEAN, seat));
    let meaning = "standard deviation of the score in a game";
    sheet.number("score_sd", meaning, |&seat| {
        estimate(SCORE_MEAN, seat).map(|score| score.se * games.sqrt())
    });
    for (name, q) in [
        ("score_p05", 0.05),
        ("score_p25", 0.25),
        ("score_median", 0.5),
        ("score_p75", 0.75),
        ("score_p95", 0.95),
    ] {
        let meaning = format!("{} % quantile of the score", 100.0 * q);
        sheet.whole(name, &meaning, |&seat| {
            quantile(&tally.scores[seat], q) as u64
        });
    }
    for metric in layout.own_seat_metrics() {
        let value = |&seat: &usize| estimate(metric.name, seat).map(|known| known.value);
        sheet.number(metric.name, metric.meaning, value);
        if metric.proportion {
            sheet.units(|_| Unit::Share);
        }
    }
    let (names, alone) = (table_labels(seats), seat_names(seats));
    sheet.label("name", |&seat| names[seat].clone());
    sheet.label("seat_name", |&seat| alone[seat].clone());
    let mut sheet = sheet.sheet();
    add_labels(&mut sheet, seats);
    sheet
}

pub fn table(layout: &Layout, tally: &Tally) -> Sheet {
    let games = Some(Estimate::normal(tally.games as f64, 0.0));
    let mut rows = vec![("games", games, None)];
    for metric in &layout.table_metrics {
        let estimate = tally.estimate(layout, MetricRef::of_table(metric.name));
        rows.push((metric.name, estimate, Some(metric.meaning.to_string())));
    }
    let mut sheet = Rows::new("table", "one row per metric of the whole table", rows);
    sheet.text("metric", "the metric", |row| row.0.to_string());
    sheet.estimates("value", "estimate of the metric", |row| row.1);
    sheet.label("meaning", |row| row.2.clone());
    sheet.sheet()
}

/// `scores`: the exact histogram of every seat's score; scores that never occurred are left out.
pub fn scores(seats: &[Seat], tally: &Tally) -> Sheet {
    let mut rows = Vec::new();
    for (seat, histogram) in tally.scores.iter().enumerate() {
        let occurred = (0..).zip(histogram).filter(|(_, games)| **games > 0);
        rows.extend(occurred.map(|(score, games)| (seat, score, *games)));
    }
    let mut sheet = Rows::new("scores", "one row per seat and score that occurred", rows);
    sheet.numbered("seat", |row| row.0);
    sheet.text("bot", BOT, |row| seats[row.0].strategy.name.clone());
    sheet.whole("score", "the score", |row| row.1);
    let meaning = "games in which the seat had this score";
    sheet.whole("games", meaning, |row| row.2);
    sheet.sheet()
}

/// Joins the rows of several cells in one sheet, with the values of the axes as first columns. All
/// sheets have the same columns. An axis of whole numbers or numbers is a column of that type.
pub fn cells(name: &str, rows: &str, axes: &[(String, Vec<String>)], sheets: Vec<Sheet>) -> Sheet {
    let heights: Vec<usize> = sheets.iter().map(Sheet::height).collect();
    let mut all = Sheet::new(name, rows);
    for (path, values) in axes {
        let cells = values.iter().zip(&heights);
        let repeated = cells.flat_map(|(value, rows)| std::iter::repeat_n(value, *rows));
        let values = Values::written(repeated.cloned().map(Some).collect());
        all.add(path, format!("value of {path} in this cell"), values);
    }
    let joined = sheets.into_iter().reduce(|mut joined, sheet| {
        for (column, more) in joined.columns.iter_mut().zip(sheet.columns) {
            column.units.extend(more.units);
            column.values.append(more.values);
        }
        joined
    });
    all.columns
        .extend(joined.into_iter().flat_map(|sheet| sheet.columns));
    all
}

/// The metric of a cell and its place in the race, as columns of the cell's first row.
pub const FIGURE: &str = "figure";
pub const MARK: &str = "mark";
pub const BEST: &str = "best";
pub const TIED: &str = "statistically tied";
/// A cell in words: all its values, those of its choices, and those of its conditions.
pub const CELL: &str = "cell";
pub const CHOICE: &str = "choice";
pub const CONDITION: &str = "condition";

/// Adds columns to the rows of cells, one per seat: its comparison with the best, the cost of
/// choosing it instead, and the cell in words.
pub fn ranked(sheet: &mut Sheet, played: &sweep::Played) {
    let sweep::Played { resolved, grid, .. } = played;
    let mut rows = Vec::new();
    for (number, cell) in resolved.arms.iter().enumerate() {
        let seats = 0..cell.layout().seats;
        rows.extend(seats.map(|seat| (number, seat == 0)));
    }
    let mut more = Rows::new("", "", rows);
    if grid.ranks() {
        let meaning = "whether the cell has the highest value of the ranked metric";
        more.truth("best", meaning, |row| grid.best[row.0]);
        more.truth("in_best_set", IN_BEST_SET, |row| grid.in_best_set[row.0]);
        let meaning = "lead of the best cell over this one, in the games that both played; the \
                       interval allows for another cell being the best";
        more.estimates("behind_best", meaning, |row| grid.behind[row.0]);
    }
    more.estimates(FIGURE, "", |row| grid.estimates[row.0]);
    more.only_shown();
    more.label(MARK, |&(cell, is_first)| {
        is_first.then(|| standing_of(grid.best[cell], grid.in_best_set[cell]))
    });
    let paths: Vec<&Path> = resolved.axes.iter().map(|(path, _)| path).collect();
    let choices: Vec<bool> = paths.iter().map(|path| resolved.is_choice(path)).collect();
    let has_choice = choices.contains(&true);
    for (name, is_choice) in [(CELL, None), (CHOICE, Some(true)), (CONDITION, Some(false))] {
        more.label(name, |row| {
            let mut words = Vec::new();
            for (axis, value) in resolved.arms[row.0].values.iter().enumerate() {
                if is_choice.is_none_or(|is_choice| is_choice == (choices[axis] || !has_choice)) {
                    words.push(valued(paths[axis], value, &paths));
                }
            }
            words.join(" · ")
        });
    }
    sheet.columns.extend(more.sheet().columns);
}

pub fn cell_rows(sheet: &Sheet) -> Vec<usize> {
    let is_first = |row: &usize| match sheet.column(MARK).map(|column| &column.values) {
        Some(Values::Text(marks)) => marks[*row].is_some(),
        _ => false,
    };
    (0..sheet.height()).filter(is_first).collect()
}

/// The mark of a bot or cell: best, tied with the best, or none.
fn standing_of(is_best: bool, is_in_best_set: bool) -> String {
    match (is_best, is_in_best_set) {
        (true, _) => BEST,
        (_, true) => TIED,
        _ => "",
    }
    .to_string()
}

pub fn differences(played: &compare::Played) -> Sheet {
    let arms = &played.resolved.arms;
    let metric = |row: &&ArmDifference| arms[row.arm].layout().metric(row.metric);
    let unit = |row: &&ArmDifference| match metric(row) {
        Some(metric) if metric.proportion => Unit::Share,
        _ => Unit::Amount,
    };
    let at = |side: usize, seat: usize| arms[side].seated.seats.get(seat);
    let bot = |side: usize, seat: usize| at(side, seat).map(Seat::called);
    let one = "one row per side (except the first), metric and seat";
    let mut sheet = Rows::new("differences", one, &played.differences);
    let meaning = "name of the side";
    sheet.text("side", meaning, |row| arms[row.arm].name.clone());
    let resolved = &played.resolved;
    let table = |row: &&ArmDifference| resolved.tables[resolved.design.groups[row.arm]].clone();
    if resolved.tables.len() > 1 {
        sheet.text("table", "table at which the side plays", table);
    }
    sheet.text("metric", "the metric", |row| row.metric.name.to_string());
    let seat = |row: &&ArmDifference| row.metric.seat();
    let meaning = "seat of the metric, from 1; empty for metrics of the table";
    sheet.whole("seat", meaning, |row| seat(row).map(|seat| seat as u64 + 1));
    let meaning = "bot at that seat on this side";
    sheet.text("bot", meaning, |row| {
        at(row.arm, seat(row)?).map(Seat::label)
    });
    sheet.text("label", LABEL, |row| {
        at(row.arm, seat(row)?)?.person.clone()
    });
    let meaning = "value of the metric on the first side";
    sheet.number("value_a", meaning, |row| row.difference.a);
    sheet.units(unit);
    let meaning = "value of the metric on this side";
    sheet.number("value", meaning, |row| row.difference.b);
    sheet.units(unit);
    let meaning = "value minus value_a, from the same games";
    sheet.estimates("difference", meaning, |row| row.difference.difference);
    sheet.label("what", |row| {
        metric(row).map(|metric| metric.meaning.to_string())
    });
    sheet.label("of", |row| {
        let Some(seat) = seat(row) else {
            return "table".to_string();
        };
        let own = bot(row.arm, seat).unwrap_or_default();
        let first = resolved.design.reference(row.arm);
        let mut others = first..first + resolved.arms_each();
        if others.all(|side| bot(side, seat).as_ref() == Some(&own)) {
            format!("{own} (seat {})", seat + 1)
        } else {
            format!("seat {}", seat + 1)
        }
    });
    sheet.label("side_at", |row| {
        format!("{}, {}", arms[row.arm].name, table(row))
    });
    sheet.label("verdict", |row| {
        verdict(&row.difference.difference).to_string()
    });
    if resolved.ranked_by().is_none() {
        return sheet.sheet();
    }
    let step = |row: &&ArmDifference| arms[row.arm].step.as_ref();
    sheet.label("step", |row| {
        let way = if step(row)?.down { "down" } else { "up" };
        Some(format!("{way} to {}", step(row)?.to))
    });
    let meaning = "with `each`: path of the number, or of a list with the card that is counted";
    sheet.text("path", meaning, |row| Some(step(row)?.what.clone()));
    let meaning = "with `each`: the number or count on the first side";
    sheet.text("from", meaning, |row| Some(step(row)?.from.clone()));
    let meaning = "with `each`: the number or count on this side";
    sheet.text("to", meaning, |row| Some(step(row)?.to.clone()));
    sheet.sheet()
}

fn verdict(difference: &Estimate) -> &'static str {
    match (difference.low > 0.0, difference.high < 0.0) {
        (true, _) => "more",
        (_, true) => "less",
        _ => "not significant",
    }
}

/// `convergence`: the running estimates by seat.
pub fn convergence(played: &simulate::Played) -> Sheet {
    let seats = 0..played.resolved.seats.len();
    let checkpoints = played.checkpoints.iter();
    let rows = checkpoints.flat_map(|at| seats.clone().map(move |seat| (at, seat)));
    let one = "one row per seat and checkpoint";
    let mut sheet = Rows::new("convergence", one, rows);
    sheet.whole("games", "games played so far", |(at, _)| at.games);
    sheet.numbered("seat", |row| row.1);
    let names = seat_names(&played.resolved.seats);
    let seats = &played.resolved.seats;
    sheet.text("bot", BOT, |row| seats[row.1].strategy.name.clone());
    let meaning = "win share so far";
    sheet.estimates(WIN_SHARE, meaning, |(at, seat)| at.win_shares[*seat]);
    let meaning = "mean score so far";
    sheet.estimates(SCORE_MEAN, meaning, |(at, seat)| at.scores[*seat]);
    sheet.label("name", |row| names[row.1].clone());
    sheet.sheet()
}

pub fn payoffs(names: &[String], payoffs: &Payoffs) -> Sheet {
    let mut rows = Vec::new();
    for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
        for bot in (0..names.len()).filter(|&bot| entry.copies(bot) > 0) {
            let field = entry.field(bot);
            let field: Vec<&str> = field.iter().map(|&other| names[other].as_str()).collect();
            rows.push((bot, field.join(" + "), at));
        }
    }
    let capped = rows.iter().all(|row| payoffs.capped(row.2).is_some());
    let one = "one row per bot and set of opponents";
    let mut sheet = Rows::new("payoffs", one, rows);
    sheet.text("bot", BOT, |row| names[row.0].clone());
    sheet.text("field", "bots at the other seats", |row| row.1.clone());
    sheet.whole("games", "games played", |row| payoffs.games(row.2));
    let meaning = "win share of one seat of the bot";
    sheet.estimates(WIN_SHARE, meaning, |row| payoffs.payoff(row.2, row.0));
    let meaning = "mean score of one seat of the bot";
    sheet.number(SCORE_MEAN, meaning, |row| payoffs.score(row.2, row.0));
    if capped {
        let meaning = "share of games stopped by a cap";
        sheet.number(CAPPED_RATE, meaning, |row| payoffs.capped(row.2));
    }
    sheet.sheet()
}

pub fn ratings(names: &[String], played: &PlayedField, meta_game: &MetaGame) -> Sheet {
    let payoffs = &played.payoffs;
    let rows = meta_game.standings.iter().enumerate();
    let mut sheet = Rows::new("ratings", "one row per bot", rows);
    sheet.text("bot", BOT, |row| names[row.0].clone());
    sheet.whole("games", "games in which the bot took part", |row| {
        let entries = payoffs.line_ups.entries.iter().enumerate();
        let met = entries.filter(|(_, entry)| entry.copies(row.0) > 0);
        met.map(|(at, _)| payoffs.games(at)).sum::<u64>()
    });
    let meaning = "win share when every other seat is drawn uniformly from all bots";
    sheet.estimates("rating", meaning, |row| row.1.rating);
    sheet.truth("in_best_set", IN_BEST_SET, |row| played.in_best_set[row.0]);
    let meaning = "weight of the bot in the equilibrium mix";
    sheet.estimates("mix", meaning, |row| row.1.mix);
    let meaning = "win share of the mix minus that of the bot, with opponents from the mix";
    sheet.estimates("regret", meaning, |row| row.1.regret);
    let meaning = "whether no player gains by switching to another bot when all use this one";
    sheet.truth("lasts_alone", meaning, |row| row.1.lasts_alone);
    let meaning = "bot or mix of bots with a higher win share against all opponents, if any";
    sheet.text("dominated_by", meaning, |row| dominator_text(names, row.1));
    let most = meta_game.standings.iter().map(|bot| bot.rating.value);
    let most = most.fold(0.0, f64::max);
    sheet.label(MARK, |&(bot, standing)| {
        standing_of(standing.rating.value >= most, played.in_best_set[bot])
    });
    sheet.sheet()
}

/// `shifts`: the difference of each rating to that under the first rules.
pub fn shifts(names: &[String], played: &tournament::Played) -> Sheet {
    let bots = 0..names.len();
    let sides = 1..played.fields.len();
    let rows = sides.flat_map(|side| bots.clone().map(move |bot| (side, bot)));
    let rating = |side: usize, bot: usize| played.fields[side].payoffs.rating(bot).value;
    let one = "one row per side (except the first) and bot";
    let mut sheet = Rows::new("shifts", one, rows);
    let sides = &played.resolved.sides;
    sheet.text("side", "name of the side", |row| sides[row.0].name.clone());
    sheet.text("bot", BOT, |row| names[row.1].clone());
    let meaning = "its rating on the first side";
    sheet.number("rating_a", meaning, |row| rating(0, row.1));
    sheet.units(|_| Unit::Share);
    let meaning = "its rating on this side";
    sheet.number("rating", meaning, |row| rating(row.0, row.1));
    sheet.units(|_| Unit::Share);
    let meaning = "rating minus rating_a, from the same games";
    sheet.estimates("shift", meaning, |&(side, bot)| {
        played.fields[side].payoffs.shift(bot, 0)
    });
    sheet.sheet()
}

/// The mix that dominates a bot, such as `risk` or `0.60 risk + 0.40 depth`.
fn dominator_text(names: &[String], standing: &BotStanding) -> Option<String> {
    let mix = standing.dominated_by.as_deref()?;
    if let [(bot, _)] = mix {
        return Some(names[*bot].clone());
    }
    let parts = mix.iter();
    let parts = parts.map(|(bot, part)| format!("{part:.2} {}", names[*bot]));
    Some(Vec::from_iter(parts).join(" + "))
}

/// `matrix`: the win rate of each bot by opponent.
pub fn matrix(names: &[String], payoffs: &Payoffs) -> Sheet {
    let pairs = (0..names.len()).flat_map(|bot| (0..names.len()).map(move |other| (bot, other)));
    let rows = pairs.filter_map(|(bot, other)| Some((bot, other, beside(payoffs, bot, other)?)));
    let one = "one row per bot and opponent; in a sample of line-ups, copies of the opponent hold \
               all other seats";
    let mut sheet = Rows::new("matrix", one, rows);
    sheet.text("bot", BOT, |row| names[row.0].clone());
    let meaning = "bot at another seat; any further seats are drawn from all bots";
    sheet.text("against", meaning, |row| names[row.1].clone());
    let meaning = "win share of the bot";
    sheet.estimates(WIN_SHARE, meaning, |row| row.2);
    sheet.sheet()
}
