//! The sheets of a tuning.

use super::{change_of, judged, range, table_name, verdict};
use crate::results::words::{axis_name, shown};
use crate::sheet::{Rows, Sheet};
use crate::study::Path;
use crate::study::tune::{Played, TunedAxis, differing, words};
use crate::tuning::{MetricTarget, StartAndBest, TargetVerdict, Tried, Validation};

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
    sheets
}

/// `best`: what was found.
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

/// `candidates`: all that was tried.
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
        sheet.written(tuned.path.to_string(), "its value", value);
    }
    let meaning = "games played in this heat, all tables together";
    sheet.whole("games", meaning, |tried| tried.games);
    for (index, metric) in aim.metrics().into_iter().enumerate() {
        let meaning = "the metric in these games, mean over the tables";
        sheet.estimates(&metric.to_string(), meaning, |tried| tried.estimates[index]);
    }
    if !aim.targets.is_empty() {
        let meaning = "how far outside all targets together, as shares of the values at the start";
        sheet.number("outside", meaning, |tried| tried.outside);
    }
    let meaning = "whether it was left at the end of its heat";
    sheet.truth("survived", meaning, |tried| tried.survived);
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
    for change in &played.validation.changes {
        let each = change.line_ups.iter().enumerate();
        let each = each.map(|(table, side)| (table_name(played, table), *side));
        let many = (change.line_ups.len() > 1).then(|| ("all".to_string(), change.mean));
        let all = many.into_iter().chain(each);
        rows.extend(all.map(|(label, side)| (label, change.metric, side)));
    }
    let one = "one row per metric and table, in games that had no part in the search";
    let mut sheet = Rows::new("tables", one, rows);
    let meaning = "the table, or all of them";
    sheet.text("table", meaning, |row| row.0.clone());
    sheet.text("metric", "the metric", |row| row.1.to_string());
    start_and_best(&mut sheet, |row| Some(row.2));
    let meaning = "how much more it is at the best, game by game";
    sheet.estimates("gain", meaning, |row| row.2.gain);
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

/// `targets`: whether each was met.
fn targets(played: &Played) -> Sheet {
    let changes =
        |validation: &Validation, target| Some(change_of(&validation.changes, target)?.mean);
    let validation = &played.validation;
    let one = "one row per target, in games that had no part in the search";
    let targets = played.resolved.aim.targets.iter().enumerate();
    let mut sheet = Rows::new("targets", one, targets);
    sheet.text("metric", "the metric", |row| row.1.metric.to_string());
    sheet.text("range", "where it should lie", |row| range(row.1, false));
    start_and_best(&mut sheet, |row| changes(validation, row.1));
    let word = |judged: TargetVerdict| verdict(judged).to_string();
    let meaning = "met, missed, or undecided, before anything was changed";
    sheet.text("start_verdict", meaning, |row| {
        word(validation.verdicts[row.0].0)
    });
    let meaning = "the same at the best";
    sheet.text("verdict", meaning, |row| word(validation.verdicts[row.0].1));
    let layout = played.resolved.first().table.layout();
    let share = |target: &MetricTarget| layout.metric(target.metric).is_some_and(|m| m.proportion);
    sheet.label("what", |row| played.title(row.1.metric));
    sheet.label("wanted", |row| range(row.1, share(row.1)));
    sheet.sheet()
}
