//! One step up and one step down of every number at a table, each as an arm to compare.

use super::arms::Arm;
use super::error::{StudyError, refuse};
use super::path::Path;
use super::paths::paths_of_values;
use super::table::{SeatedTable, TableSpec};
use carat_core::game::{MetricRef, Scope, WIN_SHARE};
use carat_core::library::Library;
use carat_core::strategy::ParamRange;
use std::collections::HashSet;

const NUMBERS_MAX: usize = 100;

/// A number at a table, and where one step leads it; or two, where only both together can step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberStep {
    /// The new value: `traps.snake = 4`, or `cards.torch = 14, cards.dark = 16`.
    pub name: String,
    /// The path of the number: `traps.snake`, `treasures.5`; or of both: `cards.torch, cards.dark`.
    pub what: String,
    pub from: String,
    pub to: String,
    pub down: bool,
    pub changes: Vec<(Path, String)>,
}

/// The table as it is, then the steps of its numbers `under` these paths, and the names of
/// impossible steps. Numbers that cannot step alone do so together with another. Fails if there is
/// no step.
pub fn arms(
    base: Arm,
    table: &TableSpec,
    under: &str,
    metric: &str,
    library: &Library,
) -> Result<(Vec<Arm>, Vec<String>), StudyError> {
    let arm_of = |step: &NumberStep| -> Result<Arm, StudyError> {
        let mut arm = Arm::resolve(&step.name, table, &step.changes, library)?;
        MetricRef::find(arm.layout(), metric)?;
        arm.step = Some(step.clone());
        Ok(arm)
    };
    let (mut arms, mut left_out) = (vec![base], Vec::new());
    for step in steps(&arms[0].seated, under, library)? {
        match arm_of(&step) {
            Ok(arm) => arms.push(arm),
            // A rule at the end of its range has only one step.
            Err(error) => left_out.push((step, error)),
        }
    }
    // Of what has none, one more is one less of something else.
    let stuck = left_out.chunk_by(|(a, _), (b, _)| a.what == b.what);
    let stuck = stuck.filter(|steps| steps.len() == 2);
    let stuck: Vec<NumberStep> = stuck.map(|steps| steps[0].0.clone()).collect();
    for number in stuck {
        let mut swapped = false;
        for swap in swaps(&arms[0].seated, &number)? {
            let known = arms.iter().any(|arm| arm.name == swap.name);
            let arm = if known { None } else { arm_of(&swap).ok() };
            swapped |= known || arm.is_some();
            arms.extend(arm);
        }
        if swapped {
            left_out.retain(|(step, _)| step.what != number.what);
        }
    }
    if arms.len() == 1
        && let Some((_, error)) = left_out.pop()
    {
        return Err(error);
    }
    let left_out = left_out.into_iter().map(|(step, _)| step.name);
    Ok((arms, left_out.collect()))
}

/// The steps of every number of a table with a path in the list `under`, or below one.
fn steps(
    base: &SeatedTable,
    under: &str,
    library: &Library,
) -> Result<Vec<NumberStep>, StudyError> {
    let mut paths = paths_of_values(base)?;
    // What is printed on the box and how long it takes change no game.
    let changes_none = ["rules.players.", "rules.minutes."];
    paths.retain(|(path, _)| !changes_none.iter().any(|below| path.starts_with(below)));
    let mut numbers = Vec::new();
    for part in under.split(',').map(str::trim) {
        // `traps` is `rules.traps`.
        let spelt = part.parse::<Path>();
        let spelt = spelt.map_or(part.to_string(), |path| path.to_string());
        let below = format!("{spelt}.");
        let before = numbers.len();
        for (path, value) in &paths {
            if *path == spelt || path.starts_with(&below) {
                let range = range_of(base, path, library)?;
                numbers.extend(numbers_of(path, value, range)?);
            }
        }
        if numbers.len() == before {
            refuse!(
                "each: no number matches {part}; write a path such as traps, treasures or seats.1"
            );
        }
    }
    if numbers.len() > NUMBERS_MAX {
        let numbers = numbers.len();
        refuse!("each: {numbers} numbers are selected; select at most {NUMBERS_MAX}");
    }
    let mut known = HashSet::new();
    let mut steps: Vec<NumberStep> = numbers.into_iter().flatten().collect();
    steps.retain(|step| known.insert((step.what.clone(), step.down)));
    Ok(steps)
}

/// The declared range of a parameter of a bot.
fn range_of(
    base: &SeatedTable,
    path: &str,
    library: &Library,
) -> Result<Option<ParamRange>, StudyError> {
    let Path::SeatParam(seat, param) = path.parse()? else {
        return Ok(None);
    };
    let bot = library.strategy(base.game, &base.spec.seats[seat - 1].name)?;
    let mut ranges = bot.ranges.into_iter();
    Ok(ranges
        .find(|(name, _)| *name == param)
        .map(|(_, range)| range))
}

/// A step down and a step up of a number, `None` for another value; in a declared range, by its
/// step and no further than its ends.
fn numbers_of(
    path: &str,
    value: &str,
    range: Option<ParamRange>,
) -> Result<Option<Vec<NumberStep>>, StudyError> {
    let at: Path = path.parse()?;
    let name = path.strip_prefix("rules.").unwrap_or(path);
    let Ok(number) = value.parse::<f32>() else {
        return Ok(None);
    };
    let mut steps = Vec::new();
    for down in [true, false] {
        let mut to = stepped(value, down);
        if let Some(range) = &range {
            let next = if down {
                number - range.step
            } else {
                number + range.step
            };
            if !(range.low..=range.high).contains(&next) {
                continue;
            }
            to = next.to_string();
        }
        steps.push(NumberStep {
            name: format!("{name} = {to}"),
            what: name.to_string(),
            from: value.to_string(),
            to: to.clone(),
            down,
            changes: vec![(at.clone(), to)],
        });
    }
    Ok(Some(steps))
}

/// The steps of a number of the rules that cannot step alone (the total may be fixed), each with
/// the opposite step of another number of its table.
fn swaps(base: &SeatedTable, number: &NumberStep) -> Result<Vec<NumberStep>, StudyError> {
    let own = number.changes[0].0.to_string();
    let table = |path: &str| path.rsplit_once('.').map(|(table, _)| table.to_string());
    let mut numbers = paths_of_values(base)?;
    numbers.retain(|(path, value)| table(path) == table(&own) && value.parse::<f64>().is_ok());
    let Some(at) = numbers.iter().position(|(path, _)| *path == own) else {
        return Ok(Vec::new());
    };
    let mut swaps = Vec::new();
    for other in (0..numbers.len()).filter(|other| *other != at) {
        // A swap is the same from both sides.
        let [first, second] = [at.min(other), at.max(other)].map(|at| &numbers[at]);
        let second = numbers_of(&second.0, &second.1, None)?;
        for (first, second) in numbers_of(&first.0, &first.1, None)?
            .into_iter()
            .zip(second)
        {
            if let ([a, b], [c, d]) = (first.as_slice(), second.as_slice()) {
                swaps.extend([both(a.clone(), d.clone()), both(b.clone(), c.clone())]);
            }
        }
    }
    Ok(swaps)
}

fn both(step: NumberStep, other: NumberStep) -> NumberStep {
    let texts = |a: String, b: String| format!("{a}, {b}");
    NumberStep {
        name: texts(step.name, other.name),
        what: texts(step.what, other.what),
        from: texts(step.from, other.from),
        to: texts(step.to, other.to),
        down: step.down,
        changes: [step.changes, other.changes].concat(),
    }
}

/// The changes of a step, by its numbers and what they step to, as results have them.
pub fn changes_of(what: &str, to: &str) -> Result<Vec<(Path, String)>, StudyError> {
    let mut changes = Vec::new();
    for (number, to) in what.split(", ").zip(to.split(", ")) {
        let path = match number {
            "players" => number.to_string(),
            seat if seat.starts_with("seats.") || seat.starts_with("all.") => seat.to_string(),
            rule => format!("rules.{rule}"),
        };
        changes.push((path.parse()?, to.to_string()));
    }
    Ok(changes)
}

/// A number one step down or up: by one unit of its last decimal, or by 1.
fn stepped(number: &str, down: bool) -> String {
    let places = number.split_once('.').map_or(0, |(_, places)| places.len());
    let by = 0.1f64.powi(places as i32);
    let value: f64 = number.parse().unwrap_or_default();
    format!("{:.places$}", if down { value - by } else { value + by })
}

/// The metric that ranks the steps: the requested one, else the win share of the seat that all of
/// them change, else the first of the table.
pub fn metric(base: &Arm, asked: Option<&str>, under: &str) -> Result<MetricRef, StudyError> {
    let layout = base.layout();
    if let Some(asked) = asked {
        let metric = MetricRef::find(layout, asked)?;
        if metric.scope == Scope::EverySeat {
            refuse!("metric = {asked}: name a single seat for the ranking, such as {asked}@1");
        }
        return Ok(metric);
    }
    let mut seats = under.split(',').map(|path| match path.parse() {
        Ok(Path::Seat(seat) | Path::SeatParam(seat, _)) => Some(seat),
        _ => None,
    });
    let first = seats.next().flatten();
    Ok(match first.filter(|_| seats.all(|seat| seat == first)) {
        Some(seat) if layout.seats > 1 => MetricRef::of_seat(WIN_SHARE, seat - 1),
        _ => MetricRef::of_table(layout.table_metrics[0].name),
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/each.rs"]
mod tests;
