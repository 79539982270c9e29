//! The sheets of a tuning.

use super::{change_of, judged, line_up, range, verdict};
use crate::game::MetricRef;
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::tune::{Played, words};
use crate::tuning::{Deviation, StartAndBest, TargetVerdict, Tried};

/// All sheets of a tuning.
pub fn sheets(played: &Played) -> Vec<Sheet> {
    let mut sheets = vec![
        best(played),
        candidates(played),
        neighbours(played),
        fields(played),
    ];
    if !played.resolved.aim.targets.is_empty() {
        sheets.push(targets(played));
    }
    if played.readapted.is_some() {
        sheets.push(readapted(played));
    }
    sheets
}

/// `best`: what was found.
fn best(played: &Played) -> Sheet {
    let axes = &played.resolved.axes;
    let mut sheet = Sheet::new("best", "one row per path that varied");
    let path = axes.iter().map(|axis| axis.path.to_string());
    sheet.text("path", "what varied", path);
    let start = axes.iter().map(|axis| axis.values[axis.start].clone());
    sheet.text("start", "its value to begin with", start);
    let best = played.values(&played.found.best).map(str::to_string);
    sheet.text("best", "the best value that was found", best);
    sheet
}

/// `candidates`: all that was tried.
fn candidates(played: &Played) -> Sheet {
    let tried = &played.found.tried;
    let mut sheet = Sheet::new(
        "candidates",
        "one row per point and heat, in order; these figures chose the best, so they favour it",
    );
    let rounds = tried.iter().map(|tried| tried.round as u64);
    sheet.whole("heat", "number of the heat, from 1", rounds);
    for (axis, tuned) in played.resolved.axes.iter().enumerate() {
        let value = |tried: &Tried| tuned.values[tried.point[axis]].clone();
        let values = tried.iter().map(value);
        sheet.text(tuned.path.to_string(), "its value", values);
    }
    let games = tried.iter().map(|tried| tried.games);
    let meaning = "games played in this heat, all fields together";
    sheet.whole("games", meaning, games);
    for (index, metric) in played.resolved.aim.metrics().into_iter().enumerate() {
        let estimates: Vec<Option<Estimate>> =
            tried.iter().map(|tried| tried.estimates[index]).collect();
        let meaning = "the metric in these games, mean over the fields";
        sheet.estimates(&metric.to_string(), meaning, &estimates);
    }
    if !played.resolved.aim.targets.is_empty() {
        let outside = tried.iter().map(|tried| tried.outside);
        let meaning = "how far outside all targets together, as shares of the values at the start";
        sheet.number("outside", meaning, outside);
    }
    let survived = tried.iter().map(|tried| tried.survived);
    let meaning = "whether it was left at the end of its heat";
    sheet.truth("survived", meaning, survived);
    sheet
}

/// A deviation with a metric of the aim.
fn rows(played: &Played) -> Vec<(&Deviation, usize, MetricRef)> {
    let metrics = played.resolved.aim.metrics();
    let rows = played.validation.deviations.iter().flat_map(|deviation| {
        let metrics = metrics.iter().enumerate();
        metrics.map(move |(index, metric)| (deviation, index, *metric))
    });
    rows.collect()
}

/// `neighbours`: what changes when the best is left by one step.
fn neighbours(played: &Played) -> Sheet {
    let rows = rows(played);
    let axes = &played.resolved.axes;
    let best = &played.found.best;
    let mut sheet = Sheet::new(
        "neighbours",
        "one row per deviation from the best and metric, in games that had no part in the search",
    );
    let changed = rows.iter().map(|row| row.0.axis);
    let path = changed.map(|axis| axis.map(|axis| axes[axis].path.to_string()));
    let meaning = "what is changed by one step; nothing where several paths differ";
    sheet.text("path", meaning, path);
    let value = |axis: usize, point: &[usize]| axes[axis].values[point[axis]].clone();
    let changed = rows.iter().map(|row| row.0.axis);
    let own = changed.map(|axis| axis.map(|axis| value(axis, best)));
    sheet.text("best", "its best value", own);
    let to = rows.iter().map(|(deviation, ..)| match deviation.axis {
        Some(axis) => value(axis, &deviation.point),
        None => words(axes, &deviation.point),
    });
    let meaning = "the value it is changed to, or all that differs from the start";
    sheet.text("to", meaning, to);
    let metric = rows.iter().map(|(.., metric)| metric.to_string());
    sheet.text("metric", "the metric", metric);
    let games = rows.iter().map(|(deviation, ..)| deviation.games);
    sheet.whole("games", "games, all fields together", games);
    let differences: Vec<Option<Estimate>> = (rows.iter())
        .map(|(deviation, index, _)| deviation.differences[*index])
        .collect();
    let meaning = "how much more than at the best, game by game";
    sheet.estimates("difference", meaning, &differences);
    let has_objective = played.resolved.aim.objective.is_some();
    let judged = rows.iter().map(|row| judged(row.0).to_string());
    let judged = judged.map(|word| has_objective.then_some(word));
    let meaning = "how it compares by what is maximized or minimized";
    sheet.text("judged", meaning, judged);
    if !played.resolved.aim.targets.is_empty() {
        let verdicts = rows.iter().map(|row| verdict(row.0.verdict()).to_string());
        let meaning = "met when it meets all targets, missed when it misses one, or undecided";
        sheet.text("targets", meaning, verdicts);
    }
    sheet
}

/// `fields`: each metric at the start and at the best, in each field.
fn fields(played: &Played) -> Sheet {
    let (mut labels, mut metrics, mut sides) = (Vec::new(), Vec::new(), Vec::new());
    for change in &played.validation.changes {
        let each = change.fields.iter().enumerate();
        let each = each.map(|(field, side)| (line_up(played, field), *side));
        let many = (change.fields.len() > 1).then(|| ("all".to_string(), change.mean));
        for (label, side) in many.into_iter().chain(each) {
            labels.push(label);
            metrics.push(change.metric.to_string());
            sides.push(side);
        }
    }
    let mut sheet = Sheet::new(
        "fields",
        "one row per metric and field, in games that had no part in the search",
    );
    sheet.text("field", "the line-up to begin with, or all of them", labels);
    sheet.text("metric", "the metric", metrics);
    start_and_best(
        &mut sheet,
        &sides.iter().copied().map(Some).collect::<Vec<_>>(),
    );
    let gains: Vec<Option<Estimate>> = sides.iter().map(|side: &StartAndBest| side.gain).collect();
    sheet.estimates(
        "gain",
        "how much more it is at the best, game by game",
        &gains,
    );
    sheet
}

/// Adds the columns of a metric before and after the search.
fn start_and_best(sheet: &mut Sheet, sides: &[Option<StartAndBest>]) {
    let of = |pick: fn(&StartAndBest) -> Option<Estimate>| -> Vec<Option<Estimate>> {
        let sides = sides.iter().map(|side| side.as_ref());
        sides.map(|side| side.and_then(pick)).collect()
    };
    let meaning = "the metric before anything was changed";
    sheet.estimates("start", meaning, &of(|side| side.start));
    sheet.estimates("best", "the metric at the best", &of(|side| side.best));
}

/// `targets`: whether each was met.
fn targets(played: &Played) -> Sheet {
    let targets = &played.resolved.aim.targets;
    let validation = &played.validation;
    let mut sheet = Sheet::new(
        "targets",
        "one row per target, in games that had no part in the search",
    );
    let metric = targets.iter().map(|target| target.metric.to_string());
    sheet.text("metric", "the metric", metric);
    let range = targets.iter().map(|target| range(target, false));
    sheet.text("range", "where it should lie", range);
    let side = |target| Some(change_of(&validation.changes, target)?.mean);
    start_and_best(&mut sheet, &targets.iter().map(side).collect::<Vec<_>>());
    let verdicts = |pick: fn(&(TargetVerdict, TargetVerdict)) -> TargetVerdict| {
        let verdicts = validation.verdicts.iter();
        verdicts.map(move |both| verdict(pick(both)).to_string())
    };
    let meaning = "met, missed, or undecided, before anything was changed";
    sheet.text("start_verdict", meaning, verdicts(|both| both.0));
    sheet.text("verdict", "the same at the best", verdicts(|both| both.1));
    if let Some(readapted) = &played.readapted {
        let learnt: Vec<Option<Estimate>> = (targets.iter())
            .map(|target| change_of(&readapted.validation.changes, target)?.mean.best)
            .collect();
        let meaning = "the metric when the bots have learnt the rules";
        sheet.estimates("readapted", meaning, &learnt);
        let verdicts = readapted.validation.verdicts.iter();
        let verdicts = verdicts.map(|both| verdict(both.1).to_string());
        sheet.text("readapted_verdict", "the verdict then", verdicts);
    }
    sheet
}

/// `readapted`: what the bots learnt.
fn readapted(played: &Played) -> Sheet {
    let bots = played
        .readapted
        .iter()
        .flat_map(|readapted| &readapted.bots);
    let rows = bots.flat_map(|bot| bot.params.iter().map(move |param| (bot, param)));
    let rows: Vec<_> = rows.collect();
    let mut sheet = Sheet::new("readapted", "one row per parameter of a bot that learnt");
    let bot = rows.iter().map(|(bot, _)| bot.bot.clone());
    sheet.text("bot", "the bot", bot);
    let param = rows.iter().map(|(_, param)| param.0.clone());
    sheet.text("param", "its parameter", param);
    let before = rows.iter().map(|(_, param)| param.1.clone());
    sheet.text("before", "its value before", before);
    let after = rows.iter().map(|(_, param)| param.2.clone());
    let meaning = "its best value by the search";
    sheet.text("after", meaning, after);
    let adopted = rows.iter().map(|(bot, _)| bot.is_adopted());
    let meaning = "whether the bot plays so from then on: its gain is clearly above 0";
    sheet.truth("adopted", meaning, adopted);
    let metric = rows.iter().map(|(bot, _)| bot.metric.to_string());
    sheet.text("metric", "what the bot was after", metric);
    let gains: Vec<Option<Estimate>> = rows.iter().map(|(bot, _)| bot.gain()).collect();
    let meaning = "how much more one such bot gets by all its changes";
    sheet.estimates("gain", meaning, &gains);
    sheet
}
