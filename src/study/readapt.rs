//! Bots that learn rules which were changed: each tunes its own parameters, one bot after the other,
//! and the targets are looked at again.

use super::library::Library;
use super::path::Path;
use super::paths::changed;
use super::simulate;
use super::tune::{Resolved, TuneError, TunedAxis, at, seated, space, words};
use super::{Simulate, StudyError};
use crate::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use crate::simulation::race::PlayRound;
use crate::statistics::Estimate;
use crate::tuning::{Aim, AxisShape, Objective, Problem, Space, Validation, tune, validate};

/// What came of it.
pub struct Readapted {
    /// The bots that learnt, in order.
    pub bots: Vec<Adapted>,
    /// The table with the rules that were found and the bots that learnt them, beside the start.
    pub validation: Validation,
}

/// A bot that learnt.
pub struct Adapted {
    pub bot: String,
    /// Each parameter with its value before and what was found to be the best.
    pub params: Vec<(String, String, String)>,
    /// What it was after: more wins, or where it plays alone more points.
    pub metric: MetricRef,
    /// What one such bot gained by it while its copies stayed as they were.
    pub validation: Validation,
}

impl Adapted {
    /// Whether the bot plays by what was found from then on: only where it clearly gains.
    pub fn is_adopted(&self) -> bool {
        self.gain().is_some_and(|gain| gain.low > 0.0)
    }

    /// How much more one such bot gets by all its changes.
    pub fn gain(&self) -> Option<Estimate> {
        self.validation.changes.first()?.mean.gain
    }
}

/// Values of a parameter on each side of what it is.
const STEPS: i32 = 15;

/// The parameters of a bot as axes around what they are, at the first seat that it takes.
///
/// # Errors
///
/// When nobody plays the bot, or it has no parameters.
pub fn bot_axes(
    table: &simulate::Resolved,
    bot: &str,
) -> Result<(usize, Vec<TunedAxis>), StudyError> {
    let Some(seat) = table.seats.iter().position(|s| s.strategy.name == bot) else {
        let seats: Vec<String> = table.seats.iter().map(|seat| seat.label()).collect();
        return Err(TuneError::NoSuchBot(bot.to_string(), seats.join(", ")).into());
    };
    let axis = |(param, value): (&str, f32)| {
        let step = if value.fract() == 0.0 {
            (value.abs() / 20.0).ceil().max(1.0)
        } else {
            value.abs() / 20.0
        };
        let exact = |value: f32| (1e6 * f64::from(value)).round();
        let at = |steps: i32| (exact(value) + f64::from(steps) * exact(step)) / 1e6;
        let values = (-STEPS..=STEPS).map(|steps| (at(steps) as f32).to_string());
        TunedAxis {
            path: Path::SeatParam(seat + 1, param.to_string()),
            values: values.collect(),
            start: STEPS as usize,
            ordered: true,
        }
    };
    let axes: Vec<TunedAxis> = table.seats[seat].params().map(axis).collect();
    if axes.is_empty() {
        Err(TuneError::NoParams(bot.to_string()).into())
    } else {
        Ok((seat, axes))
    }
}

/// Lets bots learn at the tables of the point `best`, then plays these beside those of the start. The
/// first of `games` is the first game that is played, the second the budget of each bot; `None` when
/// `play` was told to stop.
pub fn readapt<E>(
    resolved: &Resolved,
    best: &[usize],
    (mut first_game, budget): (u64, u64),
    library: &Library,
    play: &mut PlayRound<'_, E>,
) -> Result<Option<Readapted>, E> {
    let start = resolved.bases();
    let changes = at(&resolved.axes, best);
    let best = start.iter().map(|base| changed(base, &changes));
    let mut best: Vec<Simulate> = best.flatten().collect();
    let seed = resolved.first().study.seed;
    let names = &resolved.study.readapt;
    let mut bots = Vec::new();
    for (number, bot) in (1..).zip(names) {
        let table = best[0].resolve(library);
        let Ok((seat, axes)) = table.and_then(|table| bot_axes(&table, bot)) else {
            continue;
        };
        let name = match best[0].seats.len() {
            1 => SCORE_MEAN,
            _ => WIN_SHARE,
        };
        let (metric, maximize) = (MetricRef::of_seat(name, seat), true);
        let objective = Some(Objective { metric, maximize });
        let targets = Vec::new();
        let aim = Aim { objective, targets };
        let problem = Problem {
            space: &space(&axes),
            aim: &aim,
            tables: &|point: &[usize]| seated(&best, &at(&axes, point), library),
            words: &|point: &[usize]| words(&axes, point),
            name: &format!("bot {number} "),
            tolerance: None,
            budget,
            later: budget * (names.len() - number) as u64,
            first_game,
            seed,
        };
        let Some((found, validation)) = tune(&problem, play)? else {
            return Ok(None);
        };
        first_game = validation.next_game;
        let params = axes.iter().zip(&found.best).map(|(axis, &value)| {
            let param = match &axis.path {
                Path::SeatParam(_, param) => param.clone(),
                other => other.to_string(),
            };
            let [before, after] = [axis.start, value].map(|value| axis.values[value].clone());
            (param, before, after)
        });
        let params: Vec<(String, String, String)> = params.collect();
        let adapted = Adapted {
            bot: bot.clone(),
            params,
            metric,
            validation,
        };
        // All its copies play as it does from now on.
        for table in best.iter_mut().filter(|_| adapted.is_adopted()) {
            if let Some(learnt) = learnt(table, bot, &adapted.params) {
                *table = learnt;
            }
        }
        bots.push(adapted);
    }
    // Of the two points the first is the start, the second the table that was learnt.
    let sides = [start, best];
    let (count, ordered) = (2, false);
    let (axes, start) = (vec![AxisShape { count, ordered }], vec![0]);
    let problem = Problem {
        space: &Space { axes, start },
        aim: &resolved.aim,
        tables: &|point: &[usize]| seated(&sides[point[0]], &[], library),
        words: &|_: &[usize]| "the bots that learnt".to_string(),
        name: "learnt ",
        tolerance: None,
        budget,
        later: 0,
        first_game,
        seed,
    };
    let validation = validate(&problem, &[1], &[], play)?;
    Ok(validation.map(|validation| Readapted { bots, validation }))
}

/// The table with other parameters of a bot at each of its seats.
fn learnt(table: &Simulate, bot: &str, params: &[(String, String, String)]) -> Option<Simulate> {
    let path = |param: &String| Path::AllParam(bot.to_string(), param.clone());
    let paths: Vec<Path> = params.iter().map(|(param, ..)| path(param)).collect();
    let values = params.iter().map(|(_, _, after)| after.as_str());
    changed(table, &paths.iter().zip(values).collect::<Vec<_>>()).ok()
}
