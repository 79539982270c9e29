//! What the terminal shows of a tuning.

use super::{change_of, range, verdict};
use crate::game::MetricRef;
use crate::numbers;
use crate::results::text::Block;
use crate::statistics::Estimate;
use crate::strategy::seat_names;
use crate::study::tune::Played;
use crate::tuning::{Deviation, Side, Verdict};
use std::cmp::Ordering;

/// Most rows of a table on the terminal.
const ROWS: usize = 16;

/// What the terminal shows.
pub fn text(headline: String, played: &Played) -> Vec<Block> {
    let mut blocks = vec![Block::text(headline + &seated(played)), found_table(played)];
    blocks.extend(objective_text(played));
    blocks.extend(targets_text(played));
    blocks.extend(steps_text(played));
    blocks.extend(readapted_text(played));
    let mut remarks = vec![format!(
        "All figures come from {} at each table that had no part in the search.",
        numbers::games(played.proof.games)
    )];
    if played
        .proof
        .verdicts
        .iter()
        .any(|(_, best)| *best == Verdict::Missed)
    {
        remarks.push(
            "No point was found that meets all targets; this one comes closest. `outside` in \
             candidates.csv tells how close the others come."
                .to_string(),
        );
    }
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

/// Who sits at the table, where that is one.
fn seated(played: &Played) -> String {
    match played.resolved.fields.as_slice() {
        [only] => format!("\nseats: {}", seat_names(&only.seats).join(", ")),
        _ => String::new(),
    }
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
    let mut row = |label: String, side: &Side| {
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
