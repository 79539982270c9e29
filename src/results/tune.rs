//! The report of a tuning: what was found, what it is worth, and how much each value matters.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::text::Block;
use crate::diagnostic::counted;
use crate::game::MetricRef;
use crate::numbers;
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::Study;
use crate::study::tune::{Played, words};
use crate::tuning::{Change, Deviation, Edge, Target, Verdict};
use std::cmp::Ordering;

/// Most rows of a table on the terminal.
const ROWS: usize = 16;

/// The report of a tuning.
pub fn report(played: &Played, simd: &str) -> Report {
    let headline = headline(played);
    Report {
        sheets: sheets(played),
        charts: pictures::tune(&headline, played),
        files: played.files(),
        text: text(headline, played),
        game: played.resolved.first().game,
        manifest: Manifest::new(
            Study::Tune(played.resolved.study.clone()),
            played.resolved.sources.clone(),
            simd,
        ),
    }
}

fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let fields = match resolved.fields.len() {
        1 => String::new(),
        fields => format!(" · {fields} fields"),
    };
    let heats = played.found.tried.last().map_or(0, |tried| tried.heat);
    format!(
        "{}{fields} · {} in {}",
        resolved.first().headline(),
        counted(played.found.tried.len(), "try").replace("trys", "tries"),
        counted(heats, "heat"),
    )
}

fn sheets(played: &Played) -> Vec<Sheet> {
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
    let of = |pick: fn(&crate::tuning::Side) -> Option<Estimate>| -> Vec<Option<Estimate>> {
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

/// The change of the metric that a target is about.
fn change_of<'a>(changes: &'a [Change], target: &Target) -> Option<&'a Change> {
    changes.iter().find(|change| change.metric == target.metric)
}

/// `targets`: whether each was met.
fn targets(played: &Played) -> Sheet {
    let targets = &played.resolved.aim.targets;
    let proof = &played.proof;
    let side = |pick: fn(&crate::tuning::Side) -> Option<Estimate>| -> Vec<Option<Estimate>> {
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

/// A verdict in a word.
fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Met => "met",
        Verdict::Missed => "missed",
        Verdict::Undecided => "undecided",
    }
}

/// The range of a target.
fn range(target: &Target, share: bool) -> String {
    let level = |value: f64| match share {
        true => format!("{} %", plain(100.0 * value)),
        false => plain(value),
    };
    let end = |edge: Edge| match edge {
        Edge::Open => String::new(),
        Edge::At(value) => level(value),
        Edge::FromStart(0.0) => "start".to_string(),
        Edge::FromStart(shift) if shift < 0.0 => format!("start-{}", level(-shift)),
        Edge::FromStart(shift) => format!("start+{}", level(shift)),
    };
    format!("{}..{}", end(target.low), end(target.high))
}

/// A number with as many digits as it needs, but for errors of binary fractions.
fn plain(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    rounded.to_string()
}

/// What the terminal shows.
fn text(headline: String, played: &Played) -> Vec<Block> {
    let mut blocks = vec![Block::text(headline), found_table(played)];
    blocks.extend(objective_text(played));
    blocks.extend(targets_text(played));
    blocks.extend(steps_text(played));
    blocks.extend(readapted_text(played));
    let mut remarks = vec![format!(
        "All figures come from {} at each table that had no part in the search.",
        numbers::games(played.proof.games)
    )];
    if !played.found.complete {
        remarks.push(
            "The search ended with its games: more of them (max_games) may find better."
                .to_string(),
        );
    }
    match played.found.unplayable {
        0 => {}
        1 => remarks.push("1 point could not be played by these rules.".to_string()),
        many => remarks.push(format!("{many} points could not be played by these rules.")),
    }
    blocks.push(Block::text(remarks.join("\n")));
    blocks
}

fn found_table(played: &Played) -> Block {
    let axes = played.resolved.axes.iter();
    let rows = axes
        .zip(played.values(&played.found.best))
        .map(|(axis, best)| {
            let start = axis.values[axis.start].clone();
            let changed = if start == best { "" } else { "changed" };
            vec![
                axis.path.to_string(),
                start,
                best.to_string(),
                changed.to_string(),
            ]
        });
    Block::table(&["path", "start", "best", ""], rows.collect())
}

/// An estimate of a metric as people read it.
fn shown(estimate: Option<Estimate>, share: bool) -> String {
    match estimate {
        None => "–".to_string(),
        Some(e) if share => numbers::percent_within(e.value, e.half_width()),
        Some(e) => numbers::within(e.value, e.half_width()),
    }
}

/// A difference as people read it: of shares in percentage points.
fn shown_difference(estimate: Option<Estimate>, share: bool) -> String {
    let Some(estimate) = estimate else {
        return "–".to_string();
    };
    let scaled = estimate.scaled(if share { 100.0 } else { 1.0 });
    let text = numbers::within(scaled.value, scaled.half_width());
    match scaled.value > 0.0 {
        true => format!("+{text}"),
        false => text,
    }
}

fn is_share(played: &Played, metric: MetricRef) -> bool {
    let layout = played.resolved.first().table.layout();
    layout.metric(metric).is_some_and(|known| known.proportion)
}

/// What became of the objective, and in each field if there are several.
fn objective_text(played: &Played) -> Option<Block> {
    let objective = played.resolved.aim.objective.as_ref()?;
    let change = (played.proof.changes.iter()).find(|change| change.metric == objective.metric)?;
    let share = is_share(played, change.metric);
    let mut rows = Vec::new();
    let mut row = |label: String, side: &crate::tuning::Side| {
        rows.push(vec![
            label,
            shown(side.start, share),
            shown(side.best, share),
            shown_difference(side.gain, share),
        ]);
    };
    let title = played.title(change.metric);
    let many = change.fields.len() > 1;
    row(title, &change.mean);
    for (field, side) in change.fields.iter().enumerate().filter(|_| many) {
        let seats = &played.resolved.fields[field].study.seats;
        let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
        row(format!("  at {}", seats.join(" ")), side);
    }
    let gain = if share { "gain in points" } else { "gain" };
    Some(Block::table(&["", "start", "best", gain], rows))
}

/// How each target stands.
fn targets_text(played: &Played) -> Option<Block> {
    let targets = &played.resolved.aim.targets;
    let rows = targets
        .iter()
        .zip(&played.proof.verdicts)
        .map(|(target, (before, after))| {
            let share = is_share(played, target.metric);
            let side = change_of(&played.proof.changes, target).map(|change| change.mean);
            vec![
                played.title(target.metric),
                range(target, share),
                shown(side.and_then(|side| side.start), share),
                verdict(*before).to_string(),
                shown(side.and_then(|side| side.best), share),
                verdict(*after).to_string(),
            ]
        });
    let rows: Vec<Vec<String>> = rows.collect();
    let header = ["target", "range", "start", "", "best", ""];
    (!rows.is_empty()).then(|| Block::table(&header, rows))
}

/// How much each step from the best matters, and what cannot be told from it.
fn steps_text(played: &Played) -> Vec<Block> {
    let metrics = played.resolved.aim.metrics();
    let Some(&metric) = metrics.first() else {
        return Vec::new();
    };
    let axes = &played.resolved.axes;
    let share = is_share(played, metric);
    let size = |deviation: &&Deviation| deviation.differences[0].map_or(0.0, |d| d.value.abs());
    let mut steps: Vec<&Deviation> = (played.proof.deviations.iter())
        .filter(|deviation| deviation.axis.is_some())
        .collect();
    steps.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let has_objective = played.resolved.aim.objective.is_some();
    let rows = steps.iter().take(ROWS).map(|deviation| {
        let axis = deviation.axis.unwrap_or(0);
        let judged = match deviation.against_best {
            _ if !has_objective => "",
            Ordering::Less => "worse",
            Ordering::Greater => "better",
            Ordering::Equal => "as good, as far as can be told",
        };
        vec![
            format!(
                "{}={}",
                axes[axis].path, axes[axis].values[deviation.point[axis]]
            ),
            shown_difference(deviation.differences[0], share),
            judged.to_string(),
        ]
    });
    let title = match share {
        true => format!("{} changes by (points)", played.title(metric)),
        false => format!("{} changes by", played.title(metric)),
    };
    let mut blocks = Vec::new();
    if !steps.is_empty() {
        blocks.push(Block::table(
            &["one step from the best", &title, ""],
            rows.collect(),
        ));
    }
    if has_objective {
        blocks.push(Block::text(told(played)));
    }
    blocks
}

/// What cannot be told from the best, in words.
fn told(played: &Played) -> String {
    let axes = &played.resolved.axes;
    let of = |judged: Ordering| -> Vec<String> {
        let deviations = played.proof.deviations.iter();
        let alike = deviations.filter(|deviation| deviation.against_best == judged);
        let differs = |deviation: &Deviation| {
            let at = axes.iter().zip(&deviation.point).zip(&played.found.best);
            let other = at.filter(|((_, value), best)| value != best);
            let other =
                other.map(|((axis, value), _)| format!("{}={}", axis.path, axis.values[*value]));
            other.collect::<Vec<_>>().join(" ")
        };
        alike.map(differs).collect()
    };
    let listed = |names: &[String]| match names.len() {
        0..=6 => names.join("; "),
        many => format!(
            "{}; and {} more in neighbours.csv",
            names[..5].join("; "),
            many - 5
        ),
    };
    let (better, alike) = (of(Ordering::Greater), of(Ordering::Equal));
    let mut lines = Vec::new();
    if !better.is_empty() {
        lines.push(format!(
            "The fresh games show better points than the one found: {}. Tune again from there.",
            listed(&better)
        ));
    }
    lines.push(match alike.is_empty() {
        true => "Every other point that was compared is clearly worse (95 % for all together)."
            .to_string(),
        false => format!(
            "Cannot be told from the best, with these changes (95 % for all together): {}.",
            listed(&alike)
        ),
    });
    lines.join("\n")
}

/// What became of the bots that learnt.
fn readapted_text(played: &Played) -> Vec<Block> {
    let Some(readapted) = &played.readapted else {
        return Vec::new();
    };
    let rows = readapted.bots.iter().map(|bot| {
        let changed = bot
            .params
            .iter()
            .filter(|(_, before, after)| before != after);
        let changed: Vec<String> = changed
            .map(|(param, before, after)| format!("{param} {before} → {after}"))
            .collect();
        let gain = bot
            .proof
            .changes
            .first()
            .and_then(|change| change.mean.gain);
        let share = is_share(played, bot.metric);
        vec![
            bot.bot.clone(),
            match changed.is_empty() {
                true => "nothing".to_string(),
                false => changed.join(", "),
            },
            shown_difference(gain, share),
        ]
    });
    let mut blocks = vec![Block::table(&["bot", "learnt", "gain"], rows.collect())];
    let targets = &played.resolved.aim.targets;
    let rows = targets
        .iter()
        .zip(&readapted.proof.verdicts)
        .map(|(target, (_, after))| {
            let share = is_share(played, target.metric);
            let best = change_of(&readapted.proof.changes, target).and_then(|c| c.mean.best);
            vec![
                played.title(target.metric),
                range(target, share),
                shown(best, share),
                verdict(*after).to_string(),
            ]
        });
    let rows: Vec<Vec<String>> = rows.collect();
    if !rows.is_empty() {
        blocks.push(Block::table(
            &["target", "range", "with bots that learnt", ""],
            rows,
        ));
    }
    blocks
}
