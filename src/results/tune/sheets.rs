//! The sheets of a tuning: the best values, candidates, neighbours, tables and targets.

use super::{at_table, judged, range, table_name, verdict};
use crate::results::words::{axis_name, shown};
use crate::study::Path;
use crate::study::tune::{Played, TunedAxis, differing, words};
use carat_core::sheet::{Rows, Sheet};
use carat_core::tuning::{StartAndBest, Tried};

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

fn best(played: &Played) -> Sheet {
    let best = played.values(&played.found.best);
    let axes = played.resolved.axes.iter().zip(best);
    let mut sheet = Rows::new("best", "one row per tuned path", axes);
    sheet.text("path", "the tuned path", |(axis, _)| axis.path.to_string());
    let start = |(axis, _): &(&TunedAxis, &str)| axis.values[axis.start].clone();
    sheet.written("start", "value at the start", start);
    let meaning = "best value found";
    sheet.written("best", meaning, |(_, best)| best.to_string());
    sheet.sheet()
}

fn candidates(played: &Played) -> Sheet {
    let aim = &played.resolved.aim;
    let one = "one row per candidate and heat, in order; estimates flatter the best, because they \
               were used to choose it";
    let mut sheet = Rows::new("candidates", one, &played.found.tried);
    let meaning = "number of the heat, from 1";
    sheet.whole("heat", meaning, |tried| tried.round as u64);
    for (axis, tuned) in played.resolved.axes.iter().enumerate() {
        let value = |tried: &&Tried| tuned.values[tried.point[axis]].clone();
        sheet.written(&tuned.path.to_string(), "value of the path", value);
    }
    let meaning = "games played in this heat, over all tables";
    sheet.whole("games", meaning, |tried| tried.games);
    for (index, sought) in played.sought().iter().enumerate() {
        let meaning =
            "estimate of the metric at the table named, else averaged over the tables that have it";
        let name = at_table(played, sought, sought.metric);
        sheet.estimates(&name, meaning, |tried| tried.estimates[index]);
    }
    if !aim.targets.is_empty() {
        let meaning = "total distance from the targets, relative to the values at the start";
        sheet.number("outside", meaning, |tried| {
            aim.in_order(&tried.criteria)[0].value
        });
    }
    let meaning = "whether the candidate survived the heat";
    sheet.truth("survived", meaning, |tried| tried.survived);
    sheet.sheet()
}

/// `front`: compromises between all that is sought.
fn compromises(played: &Played) -> Sheet {
    let one = "one row per candidate that no other dominates, in order of the first wish or metric; \
               estimates helped choose the best";
    let mut sheet = Rows::new("front", one, super::front(played));
    let meaning = "all changes from the start";
    let axes = &played.resolved.axes;
    sheet.text("values", meaning, |tried| words(axes, &tried.point));
    let meaning = "games played in its last heat, over all tables";
    sheet.whole("games", meaning, |tried| tried.games);
    for (index, sought) in played.sought().iter().enumerate() {
        let meaning = "estimate of the metric at the table named, else averaged over the tables that have it; it helped choose the best";
        let name = at_table(played, sought, sought.metric);
        sheet.estimates(&name, meaning, |tried| tried.estimates[index]);
    }
    sheet.sheet()
}

/// `neighbours`: what changes when the best is left by one step.
fn neighbours(played: &Played) -> Sheet {
    let aim = &played.resolved.aim;
    let (axes, best) = (&played.resolved.axes, &played.found.best);
    let sought = played.sought();
    let mut rows = Vec::new();
    for deviation in &played.validation.deviations {
        let sought = sought.iter().enumerate();
        rows.extend(sought.map(|(index, sought)| (deviation, index, sought)));
    }
    let one = "one row per step from the best values and metric, in games played after the search";
    let mut sheet = Rows::new("neighbours", one, rows);
    let meaning = "path changed by one step; empty if several paths differ";
    sheet.text("path", meaning, |row| {
        row.0.axis.map(|axis| axes[axis].path.to_string())
    });
    let value = |axis: usize, point: &[usize]| axes[axis].values[point[axis]].clone();
    sheet.written("best", "best value of the path", |row| {
        row.0.axis.map(|axis| value(axis, best))
    });
    let meaning = "value after the step, or all changes from the start";
    sheet.written("to", meaning, |(deviation, ..)| match deviation.axis {
        Some(axis) => value(axis, &deviation.point),
        None => words(axes, &deviation.point),
    });
    sheet.text("metric", "the metric", |(.., sought)| {
        sought.metric.to_string()
    });
    let tables = played.resolved.tables.len();
    if tables > 1 {
        let meaning = "table of the metric, or all for the mean";
        sheet.text("table", meaning, |(.., sought)| match sought.tables.len() {
            1 => table_name(played, sought.tables.start),
            _ => "all".to_string(),
        });
    }
    sheet.whole("games", "games played, over all tables", |row| row.0.games);
    let meaning = "metric after the step minus that of the best, paired by game";
    sheet.estimates("difference", meaning, |row| row.0.differences[row.1]);
    let meaning = "comparison with the best in the metric to maximize or minimize";
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
        let is_down = point[axis] < best[axis];
        let way = if is_down { "down" } else { "up" };
        Some(format!("{way} to {}", shown(&value(axis, point))))
    });
    if !aim.targets.is_empty() {
        let meaning = "met if all targets are met, missed if one is missed, else undecided";
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
    let one = "one row per metric and table, in games played after the search";
    let mut sheet = Rows::new("tables", one, rows);
    let meaning = "name of the table, or all";
    sheet.text("table", meaning, |row| row.0.clone());
    sheet.text("metric", "the metric", |row| row.1.to_string());
    start_and_best(&mut sheet, |row| Some(row.2));
    let meaning = "metric at the best minus that at the start, paired by game";
    sheet.estimates("gain", meaning, |row| row.2.gain);
    if played.adapted.is_some() {
        let meaning = "metric at the best when adapted seats play as at the start";
        sheet.estimates("unadapted", meaning, |row| row.3);
    }
    if !played.resolved.aim.targets.is_empty() {
        let meaning = "whether the best meets the target of the metric: met, missed or undecided";
        sheet.text("verdict", meaning, |row| {
            row.2.verdict.map(|it| verdict(it).to_string())
        });
    }
    sheet.label("what", |row| played.title(row.1));
    sheet.sheet()
}

/// Adds the columns of a metric before and after the search.
fn start_and_best<R>(sheet: &mut Rows<R>, of: impl Fn(&R) -> Option<StartAndBest>) {
    let meaning = "metric at the start";
    sheet.estimates("start", meaning, |row| of(row)?.start);
    sheet.estimates("best", "metric at the best", |row| of(row)?.best);
}

/// `targets`: whether each was met, at each table.
fn targets(played: &Played) -> Sheet {
    let (validation, aim) = (&played.validation, &played.resolved.aim);
    let mut rows = Vec::new();
    for (target, verdicts) in aim.targets.iter().zip(&validation.verdicts_at) {
        let tables = target.tables.iter().zip(verdicts);
        rows.extend(tables.map(|(table, verdicts)| (target, *table, *verdicts)));
    }
    let one = "one row per target and table, in games played after the search";
    let mut sheet = Rows::new("targets", one, rows);
    sheet.text("metric", "the metric", |row| row.0.metric.to_string());
    let meaning = "table at which the target applies";
    sheet.text("table", meaning, |row| table_name(played, row.1));
    let meaning = "wanted range of the metric";
    sheet.text("range", meaning, |row| range(row.0, false));
    if aim.musts() < aim.targets.len() {
        let meaning = "must or wish; wishes rank the candidates that meet every must";
        sheet.text("rank", meaning, |row| {
            let rank = if row.0.is_wish { "wish" } else { "must" };
            rank.to_string()
        });
    }
    start_and_best(&mut sheet, |row| {
        let mut changes = validation.changes.iter();
        let change = changes.find(|change| change.metric == row.0.metric)?;
        Some(change.line_ups[row.1])
    });
    let meaning = "whether the start meets the target: met, missed or undecided";
    sheet.text("start_verdict", meaning, |row| {
        verdict(row.2[0]).to_string()
    });
    let meaning = "whether the best meets the target: met, missed or undecided";
    sheet.text("verdict", meaning, |row| verdict(row.2[1]).to_string());
    sheet.label("what", |row| played.title(row.0.metric));
    sheet.label("wanted", |row| {
        let layout = played.resolved.tables[row.1].table.layout();
        range(row.0, layout.is_share(row.0.metric))
    });
    sheet.sheet()
}
