//! The tables of a tuning: the best values, candidates, neighbours, tables and targets.

use super::{at_table, front, judged, range, table_name, weight};
use crate::study::Expectation;
use crate::study::tune::{Played, TunedAxis, differing, space, words};
use carat_core::columns;
use carat_core::game::MetricRef;
use carat_core::sheet::{Columns, Sheet};
use carat_core::simulation::TargetVerdict;
use carat_core::statistics::Estimate;
use carat_core::tuning::{Aim, Deviation, MetricTarget, Sought, StartAndBest, Tried};
use std::cmp::Ordering;

pub fn sheets(played: &Played) -> Vec<Sheet> {
    let axes = 0..played.resolved.axes.len();
    let mut sheets = vec![
        Best::sheet(played, axes),
        Candidates::sheet(played, &played.found.tried),
        Neighbours::sheet(played, neighbours(played)),
        AtTables::sheet(played, at_tables(played)),
    ];
    if !played.resolved.aim.targets.is_empty() {
        sheets.push(Targets::sheet(played, targets(played)));
    }
    if played.judged.is_some() {
        sheets.push(Who::sheet(played, who(played)));
    }
    if played.resolved.aim.criteria() > 1 {
        sheets.push(Front::sheet(played, front(played)));
    }
    sheets
}

const ESTIMATE: &str =
    "estimate of the metric at the table named, else averaged over the tables that have it";
const START: &str = "metric at the start";
const BEST: &str = "metric at the best";

columns! {
    pub Best<'a>(of: Played, axis: usize) "best", "one row per tuned path";
    PATH: text("path", "the tuned path") => tuned(of, *axis).path;
    START: written("start", "value at the start")
        => Some(&tuned(of, *axis).values[tuned(of, *axis).start]);
    BEST: written("best", "best value found") => Some(value(of, *axis, &of.found.best));
}

fn tuned(played: &Played, axis: usize) -> &TunedAxis {
    &played.resolved.axes[axis]
}

fn value<'a>(played: &'a Played, axis: usize, point: &[usize]) -> &'a str {
    &tuned(played, axis).values[point[axis]]
}

columns! {
    pub Candidates<'a>(of: Played, tried: &'a Tried)
    "candidates",
    "one row per candidate and heat, in order; estimates flatter the best, because they were used to choose it";
    HEAT: whole("heat", "number of the heat, from 1") => tried.round as u64;
    PATH: written("PATH", "value of the path"), for axis in axis_columns(of)
        => Some(value(of, axis, &tried.point));
    GAMES: whole("games", "games played in this heat, over all tables") => tried.games;
    METRIC: estimates("METRIC", ESTIMATE), for index in sought_columns(of, ESTIMATE)
        => tried.estimates[index];
    OUTSIDE: number("outside", "distance of the metrics from their targets at the worst table, summed over targets, each times its weight: in widths of the range, or if an end is open in parts of how far the metric moved in the first heat"),
        if has_targets(of) => of.resolved.aim.in_order(&tried.criteria)[0].value;
    SURVIVED: truth("survived", "whether the candidate survived the heat") => tried.survived;
}

fn has_targets(played: &Played) -> bool {
    !played.resolved.aim.targets.is_empty()
}

fn axis_columns(played: &Played) -> impl Iterator<Item = (usize, String, String)> {
    let axes = played.resolved.axes.iter().enumerate();
    axes.map(|(axis, of)| (axis, of.path.to_string(), "value of the path".to_string()))
}

fn sought_columns(played: &Played, meaning: &str) -> Vec<(usize, String, String)> {
    let mut columns = Vec::new();
    for (index, sought) in played.sought().iter().enumerate() {
        let name = at_table(played, sought, sought.metric);
        columns.push((index, name, meaning.to_string()));
    }
    columns
}

const OF_FRONT: &str = "estimate of the metric at the table named, else averaged over the tables \
                        that have it; it helped choose the best";

columns! {
    /// Compromises between all that is sought.
    pub Front<'a>(of: Played, tried: &'a Tried)
    "front",
    "the best, then one row per candidate that no other dominates, in order of the first wish or metric; \
      with wishes, only candidates that may meet all other targets. Estimates helped choose the best";
    VALUES: text("values", "all changes from the start") => all_changes(of, &tried.point);
    IS_BEST: truth("is_best", "whether it is the best found") => tried.point == of.found.best;
    PATH: written("PATH", "value of the path"), for axis in axis_columns(of)
        => Some(value(of, axis, &tried.point));
    GAMES: whole("games", "games played in its last heat, over all tables") => tried.games;
    METRIC: estimates("METRIC", OF_FRONT), for index in sought_columns(of, OF_FRONT)
        => tried.estimates[index];
}

/// All values of a point that differ from the start.
pub fn all_changes(played: &Played, point: &[usize]) -> String {
    let axes = &played.resolved.axes;
    match differing(axes, point, &space(axes).start) {
        none if none.is_empty() => words(axes, point),
        changes => changes.join(" "),
    }
}

/// A deviation, and the number of what is sought.
type Step<'a> = (&'a Deviation, usize, Sought);

columns! {
    /// What changes when the best is left by one step.
    pub Neighbours<'a>(of: Played, row: Step<'a>)
    "neighbours", "one row per step from the best values and metric, in games played after the search";
    PATH: maybe("path", "path changed by one step; empty if several paths differ")
        => Some(&tuned(of, row.0.axis?).path);
    BEST: written("best", "best value of the path") => Some(value(of, row.0.axis?, &of.found.best));
    TO: written("to", "value after the step, or all changes from the start") => Some(match row.0.axis {
        Some(axis) => value(of, axis, &row.0.point).to_string(),
        None => words(&of.resolved.axes, &row.0.point),
    });
    METRIC: text("metric", "the metric") => row.2.metric;
    TABLE: text("table", "table of the metric, or all for the mean"), if of.resolved.tables.len() > 1
        => match row.2.tables.len() {
            1 => table_name(of, row.2.tables.start),
            _ => "all".to_string(),
        };
    GAMES: whole("games", "games played, over all tables") => row.0.games;
    DIFFERENCE: estimates("difference", "metric after the step minus that of the best, paired by game")
        => row.0.differences[row.1];
    JUDGED: maybe("judged", "comparison with the best in the metric to maximize or minimize")
        => of.resolved.aim.objective.is_some().then(|| judged(row.0));
    CHANGE: label("change", "")
        => differing(&of.resolved.axes, &row.0.point, &of.found.best).join(" ");
    TARGETS: text("targets", "met if all targets are met, missed if one is missed, else undecided"),
        if has_targets(of) => row.0.verdict().name();
}

fn neighbours(played: &Played) -> Vec<Step<'_>> {
    let mut rows = Vec::new();
    for deviation in &played.validation.deviations {
        let sought = played.sought().into_iter().enumerate();
        rows.extend(sought.map(|(index, sought)| (deviation, index, sought)));
    }
    rows
}

/// A metric at a table, and its value there when adapted seats play as at the start.
pub struct AtTable {
    table: String,
    metric: MetricRef,
    is: StartAndBest,
    /// The table that decides the verdict of all, and its value.
    decided_at: Option<(usize, Estimate)>,
    unadapted: Option<Estimate>,
}

columns! {
    /// Each metric at the start and at the best, at each table.
    pub AtTables<'a>(of: Played, row: AtTable)
    "tables", "one row per metric and table, in games played after the search";
    TABLE: text("table", "name of the table, or all") => row.table;
    METRIC: text("metric", "the metric") => row.metric;
    START: estimates("start", START) => row.is.start;
    BEST: estimates("best", BEST) => row.is.best;
    GAIN: estimates("gain", "metric at the best minus that at the start, paired by game") => row.is.gain;
    UNADAPTED: estimates("unadapted", "metric at the best when adapted seats play as at the start"),
        if of.adapted.is_some() => row.unadapted;
    VERDICT: maybe("verdict", "whether the best meets the target of the metric: met, missed or \
        undecided"), if has_targets(of) => row.is.verdict.map(TargetVerdict::name);
    DECIDED_AT: maybe("decided_at", "for all tables, the table that decides the verdict"),
        if has_targets(of) && of.resolved.tables.len() > 1 => Some(table_name(of, row.decided_at?.0));
    VERDICT_AT: label("verdict_at", ""), if has_targets(of) => verdict_at(of, row);
    WHAT: label("what", "") => of.title(row.metric);
}

/// The verdict, with the table that decides it and its value.
fn verdict_at(played: &Played, row: &AtTable) -> String {
    let verdict = row.is.verdict.map_or("", TargetVerdict::name);
    match row.decided_at {
        Some((table, there)) => format!("{verdict} at {}: {there}", table_name(played, table)),
        None => verdict.to_string(),
    }
}

/// The table that is furthest from the targets of a metric, and its value, unless all are met.
fn decisive(played: &Played, metric: MetricRef) -> Option<(usize, Estimate)> {
    let targets = played.resolved.aim.targets.iter();
    let own = targets.zip(&played.validation.best.distances);
    let own = own.filter(|(target, _)| target.metric == metric);
    let worst = own.map(|(_, distance)| distance).max_by(|a, b| {
        let (a, b) = ([a.better, a.worse], [b.better, b.worse]);
        a.partial_cmp(&b).unwrap_or(Ordering::Equal)
    })?;
    worst.at.filter(|_| worst.verdict() != TargetVerdict::Met)
}

fn at_tables(played: &Played) -> Vec<AtTable> {
    let mut rows = Vec::new();
    for (number, change) in played.validation.changes.iter().enumerate() {
        let metric = change.metric;
        let unadapted = |table: usize| {
            let metrics = played.adapted.as_ref()?.unadapted.get(table)?;
            metrics.get(number).copied().flatten()
        };
        let is_sought = |side: &StartAndBest| {
            let objective = played.resolved.aim.objective;
            side.verdict.is_some() || objective.is_some_and(|it| it.metric == metric)
        };
        if change.line_ups.len() > 1 && change.line_ups.iter().all(is_sought) {
            rows.push(AtTable {
                table: "all".to_string(),
                metric,
                is: change.mean,
                decided_at: decisive(played, metric),
                unadapted: None,
            });
        }
        for (table, side) in change
            .line_ups
            .iter()
            .enumerate()
            .filter(|of| is_sought(of.1))
        {
            rows.push(AtTable {
                table: table_name(played, table),
                metric,
                is: *side,
                decided_at: None,
                unadapted: unadapted(table),
            });
        }
    }
    rows
}

columns! {
    /// Whether each target holds at the tables of all who judge.
    pub Who<'a>(of: Played, row: TargetRow<'a>)
    "who", "one row per target and table of those who judge the best, in games of their own";
    METRIC: text("metric", "the metric") => row.0.metric;
    TABLE: text("table", "who plays there: the table of the study, or bots at all seats") => judge_name(of, row.1);
    RANGE: text("range", "wanted range of the metric, and its weight")
        => range(row.0, false) + &weight(row.0);
    MUST: truth("must", "whether the target must hold there") => must_hold(of, row);
    START: estimates("start", START) => among(of, row)?.start;
    BEST: estimates("best", BEST) => among(of, row)?.best;
    VERDICT: text("verdict", "whether the best meets the target there: met, missed or undecided")
        => row.2[1].name();
    WHAT: label("what", "") => of.title(row.0.metric);
    WANTED: label("wanted", "") => wanted(of, row.0);
    NEED: label("need", "") => if must_hold(of, row) { "" } else { "not required" };
}

pub fn judge_name(played: &Played, table: usize) -> &str {
    let others = played.resolved.others.as_ref();
    others.map_or("", |others| &others.all.names[table])
}

fn among(played: &Played, row: &TargetRow) -> Option<StartAndBest> {
    let mut changes = played.judged.as_ref()?.validation.changes.iter();
    let change = changes.find(|change| change.metric == row.0.metric)?;
    Some(change.line_ups[row.1])
}

/// Whether a target must hold at a table of those who judge.
pub fn must_hold(played: &Played, row: &TargetRow) -> bool {
    let Some(others) = &played.resolved.others else {
        return false;
    };
    let name = judge_name(played, row.1);
    let same = |target: &&MetricTarget| {
        (target.metric, target.low, target.high) == (row.0.metric, row.0.low, row.0.high)
    };
    let mut same = others.needed.aim.targets.iter().filter(same);
    same.any(|target| {
        target
            .tables
            .iter()
            .any(|at| others.needed.names[*at] == name)
    })
}

pub fn who(played: &Played) -> Vec<TargetRow<'_>> {
    match (&played.resolved.others, &played.judged) {
        (Some(others), Some(judged)) => at_each(&others.all.aim, &judged.validation.verdicts_at),
        _ => Vec::new(),
    }
}

/// A target at a table, with the verdicts at the start and at the best.
pub type TargetRow<'a> = (&'a MetricTarget, usize, [TargetVerdict; 2]);

columns! {
    /// Whether each target was met, at each table.
    pub Targets<'a>(of: Played, row: TargetRow<'a>)
    "targets", "one row per target and table, in games played after the search";
    METRIC: text("metric", "the metric") => row.0.metric;
    TABLE: text("table", "table at which the target applies") => table_name(of, row.1);
    RANGE: text("range", "wanted range of the metric, and its weight")
        => range(row.0, false) + &weight(row.0);
    RANK: text("rank", "must or wish; wishes rank the candidates that meet every must"),
        if of.resolved.aim.musts() < of.resolved.aim.targets.len()
        => if row.0.is_wish { "wish" } else { "must" };
    START: estimates("start", START) => start_and_best(of, row)?.start;
    BEST: estimates("best", BEST) => start_and_best(of, row)?.best;
    START_VERDICT: text("start_verdict", "whether the start meets the target: met, missed or undecided")
        => row.2[0].name();
    VERDICT: text("verdict", "whether the best meets the target: met, missed or undecided")
        => row.2[1].name();
    WHAT: label("what", "") => of.title(row.0.metric);
    WANTED: label("wanted", "") => wanted(of, row.0);
}

pub fn targets(played: &Played) -> Vec<TargetRow<'_>> {
    at_each(&played.resolved.aim, &played.validation.verdicts_at)
}

fn at_each<'a>(aim: &'a Aim, verdicts: &[Vec<[TargetVerdict; 2]>]) -> Vec<TargetRow<'a>> {
    let mut rows = Vec::new();
    for (target, verdicts) in aim.targets.iter().zip(verdicts) {
        let tables = target.tables.iter().zip(verdicts);
        rows.extend(tables.map(|(table, verdicts)| (target, *table, *verdicts)));
    }
    rows
}

pub fn start_and_best(played: &Played, row: &TargetRow) -> Option<StartAndBest> {
    let mut changes = played.validation.changes.iter();
    let change = changes.find(|change| change.metric == row.0.metric)?;
    Some(change.line_ups[row.1])
}

/// The wanted range in words.
pub fn wanted(played: &Played, target: &MetricTarget) -> String {
    let layout = played.table_with(target.metric).table.layout();
    let range = range(target, layout.is_share(target.metric));
    let range = match range.split_once("..") {
        Some((low, "")) => format!("at least {low}"),
        Some(("", high)) => format!("at most {high}"),
        Some((low, high)) => format!("{low} to {high}"),
        None => range,
    };
    range + &weight(target)
}

/// The targets that must be met, at each table where they must hold.
pub fn expectations(played: &Played) -> Vec<Expectation> {
    let mut all = Vec::new();
    let own = targets(played).into_iter().filter(|row| !row.0.is_wish);
    let own = own.map(|row| {
        (
            table_name(played, row.1).to_string(),
            start_and_best(played, &row),
            row,
        )
    });
    let others = who(played).into_iter().filter(|row| must_hold(played, row));
    let others = others.map(|row| {
        (
            judge_name(played, row.1).to_string(),
            among(played, &row),
            row,
        )
    });
    for (at, values, row) in own.chain(others) {
        all.push(Expectation {
            metric: row.0.metric.to_string(),
            at,
            range: range(row.0, false),
            verdict: row.2[1],
            found: values.and_then(|values| values.best),
        });
    }
    all
}
