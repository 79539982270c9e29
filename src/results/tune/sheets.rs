//! The sheets of a tuning: the best values, candidates, neighbours, tables and targets.

use super::{change_of, judged, range, table_name, verdict};
use crate::results::words::{axis_name, shown};
use crate::sheet::{Rows, Sheet};
use crate::study::Path;
use crate::study::tune::{Played, TunedAxis, differing, words};
use crate::tuning::{MetricTarget, StartAndBest, TargetVerdict, Tried};

pub fn sheets(played: &Played) -> Vec<Sheet> {
    let mut sheets = vec![
        best(played),
        candidates(played),
        neighbours(played),
        tables(played),
    ];
    if !played.resolved.aim.targets.is_empty() {
        sheets.push(targets(played));
    }
    if played.resolved.aim.criteria() > 1 {
        sheets.push(compromises(played));
    }
    sheets
}

/// `best`: the start and the best value of every path.
fn best(played: &Played) -> Sheet {
    let best = played.values(&played.found.best);
    let axes = played.resolved.axes.iter().zip(best);
    let mut sheet = Rows::new("best", "one row per path that varied", axes);
    sheet.text("path", "what varied", |(axis, _)| axis.path.to_string());
    let start = |(axis, _): &(&TunedAxis, &str)| axis.values[axis.start].clone();
    sheet.written("start", "its value to begin with", start);
    let meaning = "the best value that was found";
    sheet.written("best", meaning, |(_, best)| best.to_string());
    sheet.sheet()
}

/// `candidates`: every candidate in every heat.
fn candidates(played: &Played) -> Sheet {
    let aim = &played.resolved.aim;
    let one =
        "one row per point and heat, in order; these figures chose the best, so they favour it";
    let mut sheet = Rows::new("candidates", one, &played.found.tried);
    sheet.whole("heat", "number of the heat, from 1", |tried| {
        tried.round as u64
    });
    for (axis, tuned) in played.resolved.axes.iter().enumerate() {
        let value = |tried: &&Tried| tuned.values[tried.point[axis]].clone();
        sheet.written(&tuned.path.to_string(), "its value", value);
    }
    let meaning = "games played in this heat, all tables together";
    sheet.whole("games", meaning, |tried| tried.games);
    for (index, metric) in aim.metrics().into_iter().enumerate() {
        let meaning = "the metric in these games, mean over the tables";
        sheet.estimates(&metric.to_string(), meaning, |tried| tried.estimates[index]);
    }
    if !aim.targets.is_empty() {
        let meaning = "how far outside all targets together, as shares of the values at the start";
        sheet.number("outside", meaning, |tried| {
            aim.in_order(&tried.criteria)[0].value
        });
    }
    let meaning = "whether it was left at the end of its heat";
    sheet.truth("survived", meaning, |tried| tried.survived);
    sheet.sheet()
}

/// `front`: compromises between all that is sought.
fn compromises(played: &Played) -> Sheet {
    let aim = &played.resolved.aim;
    let one =
        "one row per candidate that no other dominates, in the order of the first wish or metric";
    let mut sheet = Rows::new("front", one, super::front(played));
    let meaning = "all that differs from the start";
    sheet.text("values", meaning, |tried| {
        words(&played.resolved.axes, &tried.point)
    });
    let meaning = "games of its last heat, all tables together";
    sheet.whole("games", meaning, |tried| tried.games);
    for (index, metric) in aim.metrics().into_iter().enumerate() {
        let meaning = "the metric in these games, mean over the tables; it chose the best";
        sheet.estimates(&metric.to_string(), meaning, |tried| tried.estimates[index]);
    }
    sheet.sheet()
}

/// `neighbours`: what changes when the best is left by one step.
fn neighbours(played: &Played) -> Sheet {
    let aim = &played.resolved.aim;
    let (axes, best) = (&played.resolved.axes, &played.found.best);
    let metrics = aim.metrics();
    let rows = played.validation.deviations.iter().flat_map(|deviation| {
        let metrics = metrics.iter().enumerate();
        metrics.map(move |(index, metric)| (deviation, index, *metric))
    });
    let one =
        "one row per deviation from the best and metric, in games that had no part in the search";
    let mut sheet = Rows::new("neighbours", one, rows);
    let meaning = "what is changed by one step; nothing where several paths differ";
    sheet.text("path", meaning, |row| {
        row.0.axis.map(|axis| axes[axis].path.to_string())
    });
    let value = |axis: usize, point: &[usize]| axes[axis].values[point[axis]].clone();
    sheet.written("best", "its best value", |row| {
        row.0.axis.map(|axis| value(axis, best))
    });
    let meaning = "the value it is changed to, or all that differs from the start";
    sheet.written("to", meaning, |(deviation, ..)| match deviation.axis {
        Some(axis) => value(axis, &deviation.point),
        None => words(axes, &deviation.point),
    });
    sheet.text("metric", "the metric", |(.., metric)| metric.to_string());
    sheet.whole("games", "games, all tables together", |row| row.0.games);
    let meaning = "how much more than at the best, game by game";
    sheet.estimates("difference", meaning, |row| row.0.differences[row.1]);
    let meaning = "how it compares by what is maximized or minimized";
    sheet.text("judged", meaning, |row| {
        let has_objective = aim.objective.is_some();
        has_objective.then(|| judged(row.0).to_string())
    });
    sheet.label("change", |row| {
        differing(axes, &row.0.point, best).join(" ")
    });
    let paths: Vec<&Path> = axes.iter().map(|axis| &axis.path).collect();
    sheet.label("number", |row| {
        row.0.axis.map(|axis| axis_name(paths[axis], &paths))
    });
    sheet.label("step", |row| {
        let (axis, point) = (row.0.axis?, &row.0.point);
        let way = if point[axis] < best[axis] {
            "down"
        } else {
            "up"
        };
        Some(format!("{way} to {}", shown(&value(axis, point))))
    });
    if !aim.targets.is_empty() {
        let meaning = "met when it meets all targets, missed when it misses one, or undecided";
        sheet.text("targets", meaning, |row| {
            verdict(row.0.verdict()).to_string()
        });
    }
    sheet.sheet()
}

/// `tables`: each metric at the start and at the best, at each table.
fn tables(played: &Played) -> Sheet {
    let mut rows = Vec::new();
    for (number, change) in played.validation.changes.iter().enumerate() {
        let unadapted = |table: usize| {
            let metrics = played.adapted.as_ref()?.unadapted.get(table)?;
            metrics.get(number).copied().flatten()
        };
        let is_sought = |side: &StartAndBest| {
            let objective = played.resolved.aim.objective;
            side.verdict.is_some() || objective.is_some_and(|it| it.metric == change.metric)
        };
        if change.line_ups.len() > 1 && change.line_ups.iter().all(is_sought) {
            rows.push(("all".to_string(), change.metric, change.mean, None));
        }
        for (table, side) in change.line_ups.iter().enumerate() {
            if is_sought(side) {
                let name = table_name(played, table);
                rows.push((name, change.metric, *side, unadapted(table)));
            }
        }
    }
    let one = "one row per metric and table, in games that had no part in the search";
    let mut sheet = Rows::new("tables", one, rows);
    let meaning = "the table, or all of them";
    sheet.text("table", meaning, |row| row.0.clone());
    sheet.text("metric", "the metric", |row| row.1.to_string());
    start_and_best(&mut sheet, |row| Some(row.2));
    let meaning = "increase from the start to the best, paired by game";
    sheet.estimates("gain", meaning, |row| row.2.gain);
    if played.adapted.is_some() {
        let meaning = "the metric at the best where those who adapt play as they did at the start";
        sheet.estimates("unadapted", meaning, |row| row.3);
    }
    if !played.resolved.aim.targets.is_empty() {
        let meaning = "whether the best meets the target of the metric: met, missed, or undecided";
        sheet.text("verdict", meaning, |row| {
            row.2.verdict.map(|it| verdict(it).to_string())
        });
    }
    sheet.label("what", |row| played.title(row.1));
    sheet.sheet()
}

/// Adds the columns of a metric before and after the search.
fn start_and_best<R>(sheet: &mut Rows<R>, of: impl Fn(&R) -> Option<StartAndBest>) {
    let meaning = "the metric before anything was changed";
    sheet.estimates("start", meaning, |row| of(row)?.start);
    sheet.estimates("best", "the metric at the best", |row| of(row)?.best);
}

/// A target at one of the tables where it must hold.
struct At<'a> {
    number: usize,
    target: &'a MetricTarget,
    /// The number of the table, and its index among those of the target.
    table: usize,
    place: usize,
}

/// `targets`: whether each was met, at each table.
fn targets(played: &Played) -> Sheet {
    let validation = &played.validation;
    let mut rows = Vec::new();
    for (number, target) in played.resolved.aim.targets.iter().enumerate() {
        for (place, &table) in target.tables.iter().enumerate() {
            rows.push(At {
                number,
                target,
                table,
                place,
            });
        }
    }
    let one = "one row per target and table, in games that had no part in the search";
    let mut sheet = Rows::new("targets", one, rows);
    sheet.text("metric", "the metric", |row| row.target.metric.to_string());
    sheet.text("table", "where it must hold", |row| {
        table_name(played, row.table)
    });
    sheet.text("range", "where it should lie", |row| {
        range(row.target, false)
    });
    if played.resolved.aim.musts() < played.resolved.aim.targets.len() {
        let meaning = "must, or wish: wishes decide among candidates that meet the targets";
        sheet.text("rank", meaning, |row| {
            let rank = if row.target.is_wish { "wish" } else { "must" };
            rank.to_string()
        });
    }
    start_and_best(&mut sheet, |row| {
        let change = change_of(&validation.changes, row.target)?;
        Some(change.line_ups[row.table])
    });
    let at = |row: &At| validation.verdicts_at[row.number][row.place];
    let word = |judged: TargetVerdict| verdict(judged).to_string();
    let meaning = "met, missed, or undecided, before anything was changed";
    sheet.text("start_verdict", meaning, |row| word(at(row).0));
    let meaning = "the same at the best";
    sheet.text("verdict", meaning, |row| word(at(row).1));
    sheet.label("what", |row| played.title(row.target.metric));
    sheet.label("wanted", |row| {
        let layout = played.resolved.tables[row.table].table.layout();
        let share = layout.metric(row.target.metric);
        range(row.target, share.is_some_and(|metric| metric.proportion))
    });
    sheet.sheet()
}
