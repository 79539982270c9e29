//! The sheets of a tuning.

use super::{change_of, range, verdict};
use crate::game::MetricRef;
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::tune::{Played, words};
use crate::tuning::{Deviation, Side, Verdict};
use std::cmp::Ordering;

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
    let heats = tried.iter().map(|tried| tried.heat as u64);
    sheet.whole("heat", "number of the heat, from 1", heats);
    for (axis, tuned) in played.resolved.axes.iter().enumerate() {
        let value = |point: &Vec<usize>| tuned.values[point[axis]].clone();
        let path = tuned.path.to_string();
        sheet.text(
            path,
            "its value",
            tried.iter().map(|tried| value(&tried.point)),
        );
    }
    let games = tried.iter().map(|tried| tried.games);
    sheet.whole(
        "games",
        "games played in this heat, all fields together",
        games,
    );
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
    sheet.truth(
        "survived",
        "whether it was left at the end of its heat",
        survived,
    );
    sheet
}

/// A deviation with a metric of the aim.
fn rows(played: &Played) -> Vec<(&Deviation, usize, MetricRef)> {
    let metrics = played.resolved.aim.metrics();
    let deviations = played.proof.deviations.iter();
    deviations
        .flat_map(|deviation| {
            let metrics = metrics.iter().enumerate();
            metrics.map(move |(index, metric)| (deviation, index, *metric))
        })
        .collect()
}

/// `neighbours`: what changes when the best is left by one step.
fn neighbours(played: &Played) -> Sheet {
    let rows = rows(played);
    let axes = &played.resolved.axes;
    let best = &played.found.best;
    let path = |deviation: &Deviation| {
        let axis = deviation.axis?;
        Some(axes[axis].path.to_string())
    };
    let mut sheet = Sheet::new(
        "neighbours",
        "one row per deviation from the best and metric, in games that had no part in the search",
    );
    sheet.text(
        "path",
        "what is changed by one step; nothing where several paths differ",
        rows.iter().map(|(deviation, ..)| path(deviation)),
    );
    sheet.text(
        "best",
        "its best value",
        rows.iter().map(|(deviation, ..)| {
            let axis = deviation.axis?;
            Some(axes[axis].values[best[axis]].clone())
        }),
    );
    sheet.text(
        "to",
        "the value it is changed to, or all that differs from the start",
        rows.iter().map(|(deviation, ..)| match deviation.axis {
            Some(axis) => axes[axis].values[deviation.point[axis]].clone(),
            None => words(axes, &deviation.point),
        }),
    );
    let metric = rows.iter().map(|(.., metric)| metric.to_string());
    sheet.text("metric", "the metric", metric);
    let games = rows.iter().map(|(deviation, ..)| deviation.games);
    sheet.whole("games", "games, all fields together", games);
    let differences: Vec<Option<Estimate>> = (rows.iter())
        .map(|(deviation, index, _)| deviation.differences[*index])
        .collect();
    sheet.estimates(
        "difference",
        "how much more than at the best, game by game",
        &differences,
    );
    let judged = rows
        .iter()
        .map(|(deviation, ..)| match deviation.against_best {
            Ordering::Less => "worse",
            Ordering::Greater => "better",
            Ordering::Equal => "as good, as far as can be told",
        });
    let has_objective = played.resolved.aim.objective.is_some();
    let judged = judged.map(|word| has_objective.then(|| word.to_string()));
    sheet.text(
        "judged",
        "how it compares by what is maximized or minimized",
        judged,
    );
    sheet
}

/// `fields`: each metric at the start and at the best, in each field.
fn fields(played: &Played) -> Sheet {
    let resolved = &played.resolved;
    let mut labels = Vec::new();
    let mut metrics = Vec::new();
    let mut sides = Vec::new();
    for change in &played.proof.changes {
        let all = ("all".to_string(), change.mean);
        let each = change.fields.iter().enumerate().map(|(field, side)| {
            let seats = &resolved.fields[field].study.seats;
            let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
            (seats.join(" "), *side)
        });
        let many = (change.fields.len() > 1).then_some(all);
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
    let of = |pick: fn(&Side) -> Option<Estimate>| -> Vec<Option<Estimate>> {
        sides.iter().map(pick).collect()
    };
    sheet.estimates(
        "start",
        "the metric before anything was changed",
        &of(|side| side.start),
    );
    sheet.estimates("best", "the metric at the best", &of(|side| side.best));
    sheet.estimates(
        "gain",
        "how much more it is at the best, game by game",
        &of(|side| side.gain),
    );
    sheet
}

/// `targets`: whether each was met.
fn targets(played: &Played) -> Sheet {
    let targets = &played.resolved.aim.targets;
    let proof = &played.proof;
    let side = |pick: fn(&Side) -> Option<Estimate>| -> Vec<Option<Estimate>> {
        let of = |target| pick(&change_of(&proof.changes, target)?.mean);
        targets.iter().map(of).collect()
    };
    let mut sheet = Sheet::new(
        "targets",
        "one row per target, in games that had no part in the search",
    );
    let metric = targets.iter().map(|target| target.metric.to_string());
    sheet.text("metric", "the metric", metric);
    let range = targets.iter().map(|target| range(target, false));
    sheet.text("range", "where it should lie", range);
    sheet.estimates(
        "start",
        "the metric before anything was changed",
        &side(|side| side.start),
    );
    sheet.estimates("best", "the metric at the best", &side(|side| side.best));
    let verdicts = |pick: fn(&(Verdict, Verdict)) -> Verdict| {
        let verdicts = proof.verdicts.iter();
        verdicts.map(move |both| verdict(pick(both)).to_string())
    };
    let meaning = "met, missed, or undecided, before anything was changed";
    sheet.text("start_verdict", meaning, verdicts(|both| both.0));
    sheet.text("verdict", "the same at the best", verdicts(|both| both.1));
    if let Some(readapted) = &played.readapted {
        let learnt: Vec<Option<Estimate>> = (targets.iter())
            .map(|target| change_of(&readapted.proof.changes, target)?.mean.best)
            .collect();
        sheet.estimates(
            "readapted",
            "the metric when the bots have learnt the rules",
            &learnt,
        );
        let verdicts = readapted.proof.verdicts.iter();
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
    let mut rows = Vec::new();
    for bot in bots {
        let gain = bot
            .proof
            .changes
            .first()
            .and_then(|change| change.mean.gain);
        rows.extend(bot.params.iter().map(|param| (bot, param, gain)));
    }
    let mut sheet = Sheet::new("readapted", "one row per parameter of a bot that learnt");
    sheet.text(
        "bot",
        "the bot",
        rows.iter().map(|(bot, ..)| bot.bot.clone()),
    );
    let param = rows.iter().map(|(_, param, _)| param.0.clone());
    sheet.text("param", "its parameter", param);
    let before = rows.iter().map(|(_, param, _)| param.1.clone());
    sheet.text("before", "its value before", before);
    let after = rows.iter().map(|(_, param, _)| param.2.clone());
    sheet.text("after", "its value after", after);
    let metric = rows.iter().map(|(bot, ..)| bot.metric.to_string());
    sheet.text("metric", "what the bot was after", metric);
    let gains: Vec<Option<Estimate>> = rows.iter().map(|(.., gain)| *gain).collect();
    sheet.estimates(
        "gain",
        "how much more one such bot gets by all its changes",
        &gains,
    );
    sheet
}
