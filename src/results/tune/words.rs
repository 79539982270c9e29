//! What the terminal shows of a tuning.

use super::{change_of, judged, line_up, range, verdict};
use crate::charts::labels::capitalized;
use crate::diagnostic::counted;
use crate::game::MetricRef;
use crate::numbers;
use crate::results::text::{View, known};
use crate::results::words::valued;
use crate::statistics::Estimate;
use crate::strategy::seat_names;
use crate::study::left_out;
use crate::study::library::{Library, Sources};
use crate::study::tune::{Played, differing};
use crate::tuning::{Deviation, MetricTarget, Point, StartAndBest, TargetVerdict, Validation};
use std::cmp::Ordering;

/// Most rows of a table on the terminal.
const ROWS: usize = 16;

/// What the terminal shows.
pub fn text(headline: String, played: &Played) -> Vec<View> {
    let mut blocks = vec![View::text(headline + &seated(played)), found_table(played)];
    blocks.extend(objective_text(played));
    blocks.extend(targets_text(played));
    blocks.extend(steps_text(played));
    let mut remarks = vec![format!(
        "All figures come from {} at each table, played after the search.",
        numbers::games(played.validation.games)
    )];
    let mut verdicts = played.validation.verdicts.iter();
    let missed = verdicts.any(|(_, best)| *best == TargetVerdict::Missed);
    let meeting = played.validation.meeting().map(|point| {
        let values = differing(&played.resolved.axes, &point.point, &played.found.best);
        values.join(" ")
    });
    let meeting: Vec<String> = meeting.collect();
    if !meeting.is_empty() {
        remarks.push(format!(
            "With these changes it meets all targets in the same games: {}. Tune again from there.",
            listed(&meeting)
        ));
    }
    let further = [
        (missed && meeting.is_empty()).then_some(
            "No values were found that meet all targets; these come closest. `outside` in \
             candidates.csv tells how close the others come.",
        ),
        (!played.found.complete)
            .then_some("The search used up its games: with more (max_games) it may find better."),
    ];
    remarks.extend(further.into_iter().flatten().map(str::to_string));
    remarks.extend(unplayable(played));
    blocks.push(View::text(remarks.join("\n")));
    blocks
}

/// What was changed, and what that brings.
pub fn summary(played: &Played) -> String {
    let axes = played.resolved.axes.iter();
    let changed = axes
        .zip(played.values(&played.found.best))
        .filter_map(|(axis, best)| {
            let start = &axis.values[axis.start];
            let best_of = || valued(&axis.path, best, &[&axis.path, &axis.path]);
            (start != best).then(|| format!("{} instead of {start}", best_of()))
        });
    let changed: Vec<String> = changed.collect();
    let mut told = if changed.is_empty() {
        "Nothing better than the start was found.".to_string()
    } else {
        format!("The search found {}.", changed.join(", "))
    };
    let verdicts = &played.validation.verdicts;
    let of_target = |metric: MetricRef| {
        let mut targets = played.resolved.aim.targets.iter().zip(verdicts);
        let (_, (_, best)) = targets.find(|(target, _)| target.metric == metric)?;
        Some(verdict(*best))
    };
    for change in &played.validation.changes {
        let (Some(start), Some(best)) = (change.mean.start, change.mean.best) else {
            continue;
        };
        let target = match of_target(change.metric) {
            Some(verdict) => format!(" (target {verdict})"),
            None => String::new(),
        };
        let title = capitalized(&played.title(change.metric));
        told.push_str(&format!(" {title}: {best}, was {start}{target}."));
    }
    told
}

/// One line on the points that could not be played, if there were any.
fn unplayable(played: &Played) -> Option<String> {
    let Played {
        resolved, found, ..
    } = played;
    let Sources { strategies, rules } = resolved.sources.clone();
    let library = Library::pinned(strategies, rules);
    let start = resolved.axes.iter().map(|axis| axis.start);
    let start: Vec<usize> = start.collect();
    let fault = |point: &Point| {
        let studies = (0..resolved.fields.len()).map(|field| resolved.study_at(field, point));
        let mut faults = studies.map(|study| study.and_then(|it| it.resolve(&library)).err());
        let name = differing(&resolved.axes, point, &start).join(" ");
        Some((name, faults.find_map(|fault| fault)?))
    };
    let faults: Vec<_> = found.unplayable.iter().filter_map(fault).collect();
    let things = counted(found.unplayable.len(), "candidate");
    (!faults.is_empty()).then(|| capitalized(&left_out(&things, &faults)))
}

/// Who sits at the table, where that is one.
fn seated(played: &Played) -> String {
    match played.resolved.fields.as_slice() {
        [only] => format!("\nseats: {}", seat_names(&only.seats).join(", ")),
        _ => String::new(),
    }
}

fn found_table(played: &Played) -> View {
    let axes = played.resolved.axes.iter();
    let rows = axes
        .zip(played.values(&played.found.best))
        .map(|(axis, best)| {
            let (path, start) = (axis.path.to_string(), &axis.values[axis.start]);
            let changed = if start == best { "" } else { "changed" };
            vec![path, start.clone(), best.to_string(), changed.to_string()]
        });
    View::table(&["path", "start", "best", ""], rows.collect())
}

/// A difference of a metric as people read it.
fn difference(estimate: Option<Estimate>) -> String {
    estimate.map_or("–".to_string(), |estimate| format!("{estimate:+}"))
}

fn is_share(played: &Played, metric: MetricRef) -> bool {
    let layout = played.resolved.first().table.layout();
    layout.metric(metric).is_some_and(|known| known.proportion)
}

/// What became of the objective, and in each field if there are several.
fn objective_text(played: &Played) -> Option<View> {
    let objective = played.resolved.aim.objective.as_ref()?;
    let mut changes = played.validation.changes.iter();
    let change = changes.find(|change| change.metric == objective.metric)?;
    let mut rows = Vec::new();
    let mut row = |label: String, side: &StartAndBest| {
        rows.push(vec![
            label,
            known(side.start),
            known(side.best),
            difference(side.gain),
        ]);
    };
    let title = played.title(change.metric);
    let many = change.fields.len() > 1;
    row(title, &change.mean);
    for (field, side) in change.fields.iter().enumerate().filter(|_| many) {
        row(format!("  at {}", line_up(played, field)), side);
    }
    Some(View::table(&["", "start", "best", "gain"], rows))
}

/// How each target stands.
fn targets_text(played: &Played) -> Option<View> {
    let rows = target_rows(played, &played.validation, true);
    let header = ["target", "range", "start", "", "best", ""];
    (!rows.is_empty()).then(|| View::table(&header, rows))
}

/// A row a target: title and range, and what is known of it, at the start too where that is asked.
fn target_rows(played: &Played, validation: &Validation, start: bool) -> Vec<Vec<String>> {
    let targets = played.resolved.aim.targets.iter().zip(&validation.verdicts);
    let row = |(target, (before, after)): (&MetricTarget, &(TargetVerdict, TargetVerdict))| {
        let share = is_share(played, target.metric);
        let side = change_of(&validation.changes, target).map(|change| change.mean);
        let at = |estimate: Option<Estimate>, of: TargetVerdict| {
            [known(estimate), verdict(of).to_string()]
        };
        let mut row = vec![played.title(target.metric), range(target, share)];
        if start {
            row.extend(at(side.and_then(|side| side.start), *before));
        }
        row.extend(at(side.and_then(|side| side.best), *after));
        row
    };
    targets.map(row).collect()
}

/// How much each step from the best matters, and what cannot be told from it.
fn steps_text(played: &Played) -> Vec<View> {
    let metrics = played.resolved.aim.metrics();
    let Some(&metric) = metrics.first() else {
        return Vec::new();
    };
    let axes = &played.resolved.axes;
    let size = |deviation: &&Deviation| deviation.differences[0].map_or(0.0, |d| d.value.abs());
    let mut steps: Vec<&Deviation> = (played.validation.deviations.iter())
        .filter(|deviation| deviation.axis.is_some())
        .collect();
    steps.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let has_objective = played.resolved.aim.objective.is_some();
    let rows = steps.iter().take(ROWS).map(|deviation| {
        let judged = if has_objective { judged(deviation) } else { "" };
        vec![
            differing(axes, &deviation.point, &played.found.best).join(" "),
            difference(deviation.differences[0]),
            judged.to_string(),
        ]
    });
    let title = format!("{} changes by", played.title(metric));
    let mut blocks = Vec::new();
    if !steps.is_empty() {
        let header = ["one step from the best", &title, ""];
        blocks.push(View::table(&header, rows.collect()));
    }
    if has_objective {
        blocks.push(View::text(told(played)));
    }
    blocks
}

/// Points by what they change, the first of many.
fn listed(names: &[String]) -> String {
    match names.len() {
        0..=6 => names.join("; "),
        many => {
            let first = names[..5].join("; ");
            format!("{first}; and {} more in neighbours.csv", many - 5)
        }
    }
}

/// What cannot be told from the best, in words.
fn told(played: &Played) -> String {
    let axes = &played.resolved.axes;
    let of = |judged: Ordering| -> Vec<String> {
        let deviations = played.validation.deviations.iter();
        let alike = deviations.filter(|deviation| deviation.against_best == judged);
        let best = &played.found.best;
        let differs = |deviation: &Deviation| differing(axes, &deviation.point, best).join(" ");
        alike.map(differs).collect()
    };
    let (better, alike) = (of(Ordering::Greater), of(Ordering::Equal));
    let mut lines = Vec::new();
    if !better.is_empty() {
        lines.push(format!(
            "The fresh games show better values than those found: {}. Tune again from there.",
            listed(&better)
        ));
    }
    let clear = "All others that were compared are clearly worse (95 %, jointly).";
    lines.push(if alike.is_empty() {
        clear.to_string()
    } else {
        format!(
            "Cannot be told apart from the best (95 %, jointly): {}.",
            listed(&alike)
        )
    });
    lines.join("\n")
}
