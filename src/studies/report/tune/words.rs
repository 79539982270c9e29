//! The terminal's report of a tuning.

use super::charts::COMPROMISES;
use super::sheets::{
    AtTables, Best, Front, Neighbours, TargetRow, Targets, Who, all_changes, judge_name, must_hold,
    targets, who,
};
use super::{at_table, front, table_name, title};
use crate::report::text::View;
use crate::report::words::{axis_name, holds_for, shown};
use crate::study::left_out;
use crate::study::tune::{Played, Resolved, bots_at, differing, space};
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::game::story;
use carat_core::heads;
use carat_core::numbers;
use carat_core::sheet::format_measure;
use carat_core::simulation::TargetVerdict;
use carat_core::statistics::Unit;
use carat_core::tuning::{Aim, Deviation, Distance, Point};
use indexmap::IndexMap;
use std::cmp::Ordering;

/// Most steps from the best in the table.
const STEPS: usize = 16;

const OF_FRONT: &str = "Trade-offs: the best, and candidates with no other that is significantly \
                        better in one metric and as good in all others (front.csv; search \
                        estimates).";

const SEPARATE: &str = "These rows come from separate games, so values and verdicts may differ from \
                        those above.";

pub fn views(headline: String, played: &Played) -> Vec<View> {
    let resolved = &played.resolved;
    let mut of_targets = heads![Targets: WHAT "target", RANK "", TABLE, WANTED "range",
        BEST, VERDICT "", START, START_VERDICT ""];
    let tables = heads![AtTables: WHAT "metric", TABLE, START, UNADAPTED "best, not adapted", BEST,
        GAIN "change", VERDICT_AT ""];
    if resolved.tables.len() == 1 {
        of_targets.retain(|head| head.column != Targets::TABLE.name);
    }
    let sought = played.sought();
    let title = (sought.first()).map_or(String::new(), |first| title(played, first));
    let steps = heads![Neighbours: CHANGE "step from the best", DIFFERENCE format!("change in \
        {title}"), JUDGED "", TARGETS];
    let mut head = headline;
    if let [only] = resolved.tables.as_slice() {
        head += &format!("\nseats: {}", bots_at(only));
    }
    let mut views = vec![View::text(head)];
    if !resolved.aim.targets.is_empty() {
        views.push(View::print(of_targets));
    }
    if played.judged.is_some() {
        views.push(View::print(
            heads![Who: WHAT "target", TABLE "players", WANTED "range", BEST, VERDICT "",
            NEED "", START],
        ));
        views.push(View::text(SEPARATE));
    }
    views.push(View::print(heads![Best: PATH, START, BEST]));
    views.push(View::print(tables));
    views.extend(View::print_rows(steps, largest(played)));
    views.extend(compromises(played));
    let validation = &played.validation;
    let mut more = vec![format!(
        "All estimates come from {} per table, played after the search.",
        numbers::games(validation.games)
    )];
    let meets = validation.meeting().next().is_some();
    let settled = played.adapted.as_ref().map(|adapted| adapted.settled);
    let is_start = played.found.best == space(&played.resolved.axes).start;
    for (holds, words) in [
        (
            meets,
            "A step marked as met meets all targets in the same games; tune again from there.",
        ),
        (
            !meets && validation.best.verdict() == TargetVerdict::Missed,
            "The best was chosen by fresh games, in which no values met all targets. Estimates of the \
             search, such as the column `outside` of candidates.csv, flatter the best of many: a \
             smaller value there is no proof of better values.",
        ),
        (
            validation.deviations.iter().any(Deviation::is_better),
            "In these games, some steps beat the values found; tune again from there.",
        ),
        (
            settled == Some(true) && !is_start,
            "Seats with `adapted` are played by populations adapted to the best rules anew, with \
             other seeds than in the search. In the column `best, not adapted`, they play as at the \
             start.",
        ),
        (
            settled == Some(false),
            "The best values still changed after the bots adapted to them; tune again from the \
             best.",
        ),
        (
            !played.found.complete,
            "The search used all its games; more games (max_games) may find better values.",
        ),
    ] {
        if holds {
            more.push(words.to_string());
        }
    }
    more.extend(unplayable(played));
    views.push(View::Summary(more));
    views
}

/// Several things that are sought, side by side where no candidate dominates.
fn compromises(played: &Played) -> Vec<View> {
    if played.resolved.aim.criteria() < 2 || front(played).len() < 2 {
        return Vec::new();
    }
    let mut columns = heads![Front: VALUES, IS_BEST];
    for sought in &played.sought() {
        let name = at_table(played, sought, sought.metric);
        columns.push(Front::METRIC.head_of(name, title(played, sought)));
    }
    let rows = (0..front(played).len().min(COMPROMISES)).collect();
    let mut views = vec![View::text(OF_FRONT)];
    views.extend(View::print_rows(columns, rows));
    views
}

/// The rows of the changes that matter most for the first metric; those that are better or meet all
/// targets come first.
fn largest(played: &Played) -> Vec<usize> {
    let sought = played.sought().len();
    let validation = &played.validation;
    let meeting: Vec<&Point> = validation.meeting().map(|of| &of.point).collect();
    let mut order: Vec<usize> = (0..validation.deviations.len()).collect();
    let key = |at: usize| {
        let of = &validation.deviations[at];
        let size = of.differences.first().copied().flatten();
        let size = size.map_or(0.0, |d| d.value.abs());
        (of.is_better() || meeting.contains(&&of.point), size)
    };
    order.sort_by(|&a, &b| {
        let ((first, large), (second, small)) = (key(a), key(b));
        second.cmp(&first).then(small.total_cmp(&large))
    });
    order.truncate(STEPS);
    order.iter().map(|at| at * sought).collect()
}

/// The summary: the changed values, and the metrics before and after.
pub fn summary(played: &Played) -> String {
    let mut changed = Vec::new();
    let best = played.values(&played.found.best);
    for (axis, best) in played.resolved.axes.iter().zip(best) {
        let start = &axis.values[axis.start];
        if start != best {
            let name = axis_name(&axis.path, &[&axis.path, &axis.path]);
            let (start, best) = (shown(start), shown(best));
            changed.push(format!("{name} from {start} to {best}"));
        }
    }
    let validation = &played.validation;
    let mut text = match changed.join("; ") {
        none if none.is_empty() => "Fresh games found nothing better than the start.".to_string(),
        changed => format!("The search changed {changed}."),
    };
    let is_alone = played.resolved.tables.len() == 1 || validation.verdicts_at.is_empty();
    for change in validation.changes.iter().filter(|_| is_alone) {
        let (Some(start), Some(best)) = (change.mean.start, change.mean.best) else {
            continue;
        };
        let title = capitalized(&played.title(change.metric));
        let from = match changed.as_slice() {
            [] => String::new(),
            _ => format!(", from {start} at the start"),
        };
        text.push_str(&format!(" {title}: {best}{from}."));
    }
    text.extend([false, true].map(|is_wish| count_met(played, is_wish)));
    text += &against(played);
    if played.judged.is_some() {
        return text + "\n" + &told_by_others(played);
    }
    let tables = (0..played.resolved.tables.len()).map(|table| table_name(played, table));
    text + &holds_for(&Vec::from_iter(tables).join(", "))
}

/// For whom targets hold that must, and who misses one.
fn told_by_others(played: &Played) -> String {
    let mut rows = who(played);
    rows.retain(|row| must_hold(played, row));
    rows.sort_by_key(|row| (row.0.metric.to_string(), row.1));
    let mut judges = Vec::from_iter(rows.iter().map(|row| judge_name(played, row.1)));
    judges.sort_unstable();
    judges.dedup();
    let judges = story::list(&judges);
    rows.retain(|row| row.2[1] != TargetVerdict::Met);
    if rows.is_empty() {
        return format!("All targets hold at the tables of {judges}.");
    }
    let told = rows.iter().take(NAMED).map(|row| {
        let (verdict, name) = (row.2[1].name(), judge_name(played, row.1));
        format!("{} {verdict} with {name}", played.title(row.0.metric))
    });
    let told = Vec::from_iter(told).join("; ");
    let mut text = format!("Some targets are not met at the tables of {judges}: {told}.");
    if let (Some(others), Some(judged)) = (&played.resolved.others, &played.judged) {
        let needed = &others.needed;
        let tried = judged.tried.iter();
        let seen = tried.map(|of| (&of.point, &of.criteria[..needed.aim.targets.len()]));
        let seen: Seen = seen.collect();
        let aim = needed.aim_of(&played.found);
        let mut missed = Vec::from_iter(0..aim.targets.len());
        missed.sort_by_key(|target| target_name(needed, *target));
        for target in missed {
            let worst = rows
                .iter()
                .filter(|row| row.0.metric == aim.targets[target].metric)
                .map(|row| row.2[1])
                .max();
            if let Some(worst) = worst {
                text.extend(describe_closest(played, needed, &aim, &seen, target, worst));
            }
        }
    }
    text
}

/// Most targets that the summary names as not met.
const NAMED: usize = 4;

/// How many of the targets or of the wishes are met, table by table, and which are not.
fn count_met(played: &Played, is_wish: bool) -> String {
    let mut rows = targets(played);
    rows.retain(|row| row.0.is_wish == is_wish);
    let all = rows.len();
    rows.sort_by_key(|row| row.0.metric.to_string());
    rows.retain(|row| row.2[1] != TargetVerdict::Met);
    let is_alone = played.resolved.tables.len() == 1;
    let name = |row: &TargetRow| match played.resolved.tables.len() {
        1 => row.0.metric.to_string(),
        _ => format!("{} at {}", row.0.metric, table_name(played, row.1)),
    };
    let mut names = Vec::from_iter(rows.iter().take(NAMED).map(name));
    names.extend((rows.len() > NAMED).then(|| format!("and {} more", rows.len() - NAMED)));
    let things = ["Targets", "Wishes"][usize::from(is_wish)];
    let mut text = format!(" {things} met: {} of {all}", all - rows.len());
    if !is_wish && !is_alone {
        text += ", counting each table separately";
    }
    if !names.is_empty() {
        text += &format!("; missed or undecided: {}", names.join(", "));
    }
    if all > 0 { text + "." } else { String::new() }
}

/// For each target or wish that is not met, the candidate that would meet it, and at what cost.
fn against(played: &Played) -> String {
    let (own, aim) = (&played.resolved, &played.found.aim);
    let verdict = |target: usize| played.validation.verdict(target);
    let mut missed = Vec::from_iter(0..aim.targets.len());
    missed.retain(|target| verdict(*target) != TargetVerdict::Met);
    missed.sort_by_key(|&target| (aim.targets[target].is_wish, target_name(own, target)));
    let seen = distances_seen(played);
    let described = missed.into_iter();
    described
        .filter_map(|target| describe_closest(played, own, aim, &seen, target, verdict(target)))
        .collect()
}

/// The distances of candidates from the targets.
type Seen<'a> = IndexMap<&'a Point, &'a [Distance]>;

/// The distances of each candidate from the targets, in fresh games if it was played in these.
fn distances_seen(played: &Played) -> Seen<'_> {
    let validation = &played.validation;
    let targets = played.resolved.aim.targets.len();
    let tried = played.found.tried.iter();
    let tried = tried.map(|tried| (&tried.point, &tried.criteria[..targets]));
    let fresh = [&validation.start, &validation.best].into_iter();
    let fresh = fresh.chain(&validation.deviations);
    tried
        .chain(fresh.map(|of| (&of.point, &of.distances[..])))
        .collect()
}

/// Distances from here on are those of metrics without a value.
const UNKNOWN: f64 = 1e12;

/// Of the candidates closest to a target, the one at the least cost in the others (for a wish also
/// the earlier wishes): its change from the best where it meets the target, its value, and by how
/// much it misses others. Nothing for an undecided target that none is sure to meet.
fn describe_closest(
    played: &Played,
    of: &Resolved,
    aim: &Aim,
    seen: &Seen,
    target: usize,
    verdict: TargetVerdict,
) -> Option<String> {
    let others = Vec::from_iter((0..aim.musts().max(target)).filter(|other| *other != target));
    let outside = |of: &[Distance]| match verdict {
        TargetVerdict::Undecided => of[target].worse,
        _ => of[target].value,
    };
    let cost = |of: &[Distance]| {
        let mut cost = [outside(of), 0.0, 0.0];
        for &other in others.iter().filter(|other| of[**other].value > 0.0) {
            let weight = aim.targets[other].weight;
            cost[1] += weight;
            cost[2] += weight * of[other].value;
        }
        cost
    };
    // Where others judge the best, the search may have seen it meet the target.
    let best = &played.found.best;
    let mut candidates = Vec::from_iter(seen);
    candidates.retain(|(point, of)| **point != best || outside(of) > 0.0);
    let (point, closest) = candidates.into_iter().min_by(|(_, a), (_, b)| {
        let order = cost(a).partial_cmp(&cost(b));
        order.unwrap_or(Ordering::Equal)
    })?;
    let is_met = outside(closest) <= 0.0;
    if !is_met && verdict == TargetVerdict::Undecided {
        return None;
    }
    let rank = ["target", "wish"][usize::from(aim.targets[target].is_wish)];
    let name = target_name(of, target);
    let (table, metric) = closest[target].at?;
    let mut value = metric.to_string();
    if of.tables.len() > 1 {
        value += &format!(" at {}", of.name_of(table));
    }
    let (mut text, all, but) = if is_met {
        let changes = differing(&of.axes, point, best).join(" ");
        let text = format!(" {changes} would meet the {rank} for {name} ({value})");
        (text, " and all other targets", ", but would then miss ")
    } else {
        let values = all_changes(played, point);
        let text =
            format!(" No candidate met the {rank} for {name}; the closest ({values}) has {value}");
        (text, " and meets all other targets", " and also misses ")
    };
    let missed = others.iter().filter(|other| closest[**other].value > 0.0);
    let mut names = Vec::from_iter(missed.map(|&other| {
        let by = closest[other].value * aim.targets[other].unit;
        let layout = of.tables[aim.targets[other].tables[0]].table.layout();
        let is_share = layout.is_share(aim.targets[other].metric);
        let unit = if is_share { Unit::Points } else { Unit::Amount };
        let name = target_name(of, other);
        if by < UNKNOWN {
            format!("{name} by {}", format_measure(by, Some(&unit)))
        } else {
            name
        }
    }));
    names.sort();
    match names.join(" and ") {
        _ if others.is_empty() => (),
        none if none.is_empty() => text += all,
        names => text += &format!("{but}{names}"),
    }
    Some(text + ".")
}

/// The metric of a target, with the tables of one that is not for all.
fn target_name(of: &Resolved, target: usize) -> String {
    let target = &of.aim.targets[target];
    let mut name = target.metric.to_string();
    if target.tables.len() < of.tables.len() {
        let names = target.tables.iter().map(|table| of.name_of(*table));
        name += &format!(" at {}", Vec::from_iter(names).join("; "));
    }
    name
}

/// A line on points with impossible rules, if there were any.
fn unplayable(played: &Played) -> Option<String> {
    let (resolved, unplayable) = (&played.resolved, &played.found.unplayable);
    let library = resolved.library();
    let start: Vec<usize> = resolved.axes.iter().map(|axis| axis.start).collect();
    let fault = |point: &Point| {
        let mut tables = 0..resolved.tables.len();
        let fault = tables.find_map(|table| resolved.table_at(table, point, &library).err())?;
        let name = differing(&resolved.axes, point, &start).join(" ");
        Some((name, fault))
    };
    let faults: Vec<_> = unplayable.iter().filter_map(fault).collect();
    let things = counted(unplayable.len(), "candidate");
    (!faults.is_empty()).then(|| capitalized(&left_out(&things, &faults).to_string()))
}
