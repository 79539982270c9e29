//! What one step down and one step up of each number changes: the words of a comparison of steps.

use super::text::Block;
use crate::charts::labels::capitalized;
use crate::diagnostic::counted;
use crate::game::MetricRef;
use crate::numbers;
use crate::statistics::Estimate;
use crate::study::compare::Played;

/// What the steps change in a metric, the most important number first.
pub struct StepRows<'a> {
    /// One for each number.
    pub rows: Vec<Row<'a>>,
    /// Whether the metric lies between 0 and 1.
    pub share: bool,
    /// The metric as it is.
    now: Option<f64>,
}

/// The steps of a number.
pub struct Row<'a> {
    pub what: String,
    /// What it is now.
    pub from: String,
    /// Where steps lead, whether down, and what they change.
    steps: Vec<(&'a str, bool, Estimate)>,
}

impl<'a> Row<'a> {
    /// Where the step down or up leads, and what it changes; none where it is not allowed.
    pub fn step(&self, down: bool) -> Option<(&'a str, Estimate)> {
        let step = self.steps.iter().find(|step| step.1 == down);
        step.map(|&(to, _, change)| (to, change))
    }

    pub fn size(&self) -> f64 {
        let sizes = self.steps.iter().map(|(.., change)| change.value.abs());
        sizes.fold(0.0, f64::max)
    }
}

impl<'a> StepRows<'a> {
    /// What the steps change in `metric`.
    pub fn of(played: &'a Played, metric: MetricRef) -> StepRows<'a> {
        let sides = &played.resolved.sides;
        let layout = sides[0].resolved.table.layout();
        let found = || {
            let all = played.differences.iter();
            all.filter(|found| found.metric == metric)
        };
        let mut rows: Vec<Row> = Vec::new();
        for (number, side) in sides.iter().enumerate() {
            let (Some(step), Some(found)) = (&side.step, found().find(|of| of.side == number))
            else {
                continue;
            };
            let to = (step.to.as_str(), step.down, found.difference.difference);
            match rows.last_mut().filter(|row| row.what == step.what) {
                Some(row) => row.steps.push(to),
                None => rows.push(Row {
                    what: step.what.clone(),
                    from: step.from.clone(),
                    steps: vec![to],
                }),
            }
        }
        rows.sort_by(|a, b| b.size().total_cmp(&a.size()));
        let share = layout
            .metric(metric)
            .is_some_and(|metric| metric.proportion);
        StepRows {
            rows,
            share,
            now: found().next().map(|found| found.difference.a),
        }
    }

    /// The metric as it is, in words.
    pub fn now(&self) -> String {
        match (self.now, self.share) {
            (None, _) => "unknown".to_string(),
            (Some(value), true) => numbers::percent(value, 2),
            (Some(value), false) => numbers::number(value, 2),
        }
    }
}

/// Rows with all names that they stand for: numbers of one table that lead from the same value to the
/// same values, and change as much as far as their intervals tell.
pub fn merged<'a>(rows: &'a [Row<'a>]) -> Vec<(&'a Row<'a>, Vec<&'a str>)> {
    let mut merged: Vec<(&Row, Vec<&str>)> = Vec::new();
    for row in rows {
        let alike = merged.iter_mut().find(|(first, _)| are_alike(first, row));
        match (alike, row.what.rsplit_once('.')) {
            (Some((_, names)), Some((_, name))) => names.push(name),
            (_, Some((_, name))) => merged.push((row, vec![name])),
            (_, None) => merged.push((row, vec![row.what.as_str()])),
        }
    }
    merged
}

fn are_alike(one: &Row, other: &Row) -> bool {
    let table = |row: &Row| Some(row.what.rsplit_once('.')?.0.to_string());
    let same_step = |down: bool| match (one.step(down), other.step(down)) {
        (None, None) => true,
        (Some((to, a)), Some((as_well, b))) => to == as_well && a.low <= b.high && b.low <= a.high,
        _ => false,
    };
    let same_table = table(one).is_some() && table(one) == table(other);
    let is_list = one.what.contains(" of ");
    same_table && !is_list && one.from == other.from && same_step(true) && same_step(false)
}

/// What a row of one or several numbers is about: `traps: snake, spider or lava`, `treasures of 5`.
pub fn what(row: &Row, names: &[&str]) -> String {
    match (names, row.what.rsplit_once('.')) {
        ([others @ .., last], Some((table, _))) if !others.is_empty() => {
            format!("{table}: {} or {last}", others.join(", "))
        }
        _ => both(&row.what),
    }
}

/// Two numbers that are stepped against each other, or their values.
pub fn both(text: &str) -> String {
    text.replace(", ", " and ")
}

/// Steps that a summary tells.
const TOLD: usize = 3;

/// The steps that change a metric most.
pub fn summary(played: &Played, metric: MetricRef) -> String {
    let steps = StepRows::of(played, metric);
    let title = played.resolved.first().table.layout().title(metric);
    let rows = merged(&steps.rows);
    let told = rows.iter().take(TOLD).filter_map(|(row, names)| {
        let all = row.steps.iter();
        let largest = all.max_by(|a, b| a.2.value.abs().total_cmp(&b.2.value.abs()));
        let (to, _, change) =
            largest.filter(|(_, _, change)| change.low > 0.0 || change.high < 0.0)?;
        Some(format!("{} to {} ({change:+})", what(row, names), both(to)))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        format!("No single step changes the {title} more than its uncertainty.")
    } else {
        format!(
            "{}: {}. What changes it most in one step: {}.",
            capitalized(&title),
            steps.now(),
            told.join("; ")
        )
    }
}

/// Each number with what one step down and one step up does to a metric, the most
/// important first.
pub fn text(played: &Played, metric: MetricRef) -> Vec<Block> {
    let first = played.resolved.first();
    let layout = first.table.layout();
    let steps = StepRows::of(played, metric);
    let shown = |change: Option<(&str, Estimate)>| match change {
        None => "not allowed".to_string(),
        Some((to, change)) => format!("to {to}: {change}"),
    };
    let (alike, told): (Vec<_>, Vec<_>) = steps.rows.iter().partition(|row| row.size() == 0.0);
    let lines = told.iter().map(|row| {
        let [down, up] = [true, false].map(|down| shown(row.step(down)));
        vec![row.what.clone(), row.from.clone(), down, up]
    });
    let mut blocks = vec![
        Block::text(format!(
            "{} · {} · {} each\n{}: {}",
            first.headline(),
            counted(steps.rows.len(), "number"),
            numbers::games(played.games),
            capitalized(&layout.title(metric)),
            steps.now(),
        )),
        Block::table(
            &["number", "now", "one step down", "one step up"],
            lines.collect(),
        ),
    ];
    let mut remarks = String::new();
    if !alike.is_empty() {
        let names: Vec<&str> = alike.iter().map(|row| row.what.as_str()).collect();
        remarks = format!("A step of {} changes nothing. ", names.join(" or "));
    }
    remarks.push_str(
        "All steps play the same games. The 95 % hold for each interval alone, not all jointly. The \
         other figures are in the files.",
    );
    blocks.push(Block::text(remarks));
    blocks
}
