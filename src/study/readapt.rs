//! Bots that learn rules which were changed: each tunes its own parameters, one bot after the other,
//! and the targets are looked at again.

use super::library::Library;
use super::path::Path;
use super::paths::changed;
use super::simulate;
use super::tune::{TuneError, TunedAxis, at, seated, space, words};
use super::{Simulate, StudyError};
use crate::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use crate::simulation::race::PlayRound;
use crate::strategy::SeatSpec;
use crate::tuning::{Aim, Found, Objective, Problem, Proof, Space, Values, prove, search};

/// What came of it.
pub struct Readapted {
    /// The bots that learnt, in order.
    pub bots: Vec<Adapted>,
    /// The table with the rules that were found and the bots that learnt them, beside the start.
    pub proof: Proof,
}

/// A bot that learnt.
pub struct Adapted {
    /// The bot.
    pub bot: String,
    /// Each parameter with its value before and after.
    pub params: Vec<(String, String, String)>,
    /// What it was after: more wins, or where it plays alone more points.
    pub metric: MetricRef,
    /// What one such bot gained by it while its copies stayed as they were.
    pub proof: Proof,
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
        return Err(TuneError::NoSuchBot {
            bot: bot.to_string(),
            seats: seats.join(", "),
        }
        .into());
    };
    let axis = |(param, value): (&str, f32)| {
        let step = match value.fract() == 0.0 {
            true => (value.abs() / 20.0).ceil().max(1.0),
            false => value.abs() / 20.0,
        };
        let values = (-STEPS..=STEPS).map(|steps| (value + steps as f32 * step).to_string());
        TunedAxis {
            path: Path::SeatParam(seat + 1, param.to_string()),
            values: values.collect(),
            start: STEPS as usize,
            ordered: true,
        }
    };
    let axes: Vec<TunedAxis> = table.seats[seat].params().map(axis).collect();
    match axes.is_empty() {
        true => Err(TuneError::NoParams(bot.to_string()).into()),
        false => Ok((seat, axes)),
    }
}

/// Lets `bots` learn at the `best` tables, then plays these beside those of the start. The first of
/// `games` is the first game that is played, the second the budget of each bot; `None` when `play`
/// was told to stop.
#[expect(
    clippy::too_many_arguments,
    reason = "it is one call, and each is needed"
)]
pub fn readapt<E>(
    bots: &[String],
    start: &[Simulate],
    mut best: Vec<Simulate>,
    aim: &Aim,
    games: (u64, u64),
    library: &Library,
    seed: u64,
    play: &mut PlayRound<'_, E>,
) -> Result<Option<Readapted>, E> {
    let (mut first_game, budget) = games;
    let mut adapted = Vec::new();
    for (number, bot) in (1..).zip(bots) {
        let Some((seat, axes)) =
            (best[0].resolve(library).ok()).and_then(|t| bot_axes(&t, bot).ok())
        else {
            continue;
        };
        let players = best[0].seats.len();
        let name = if players > 1 { WIN_SHARE } else { SCORE_MEAN };
        let metric = MetricRef::of_seat(name, seat);
        let own = Aim {
            objective: Some(Objective {
                metric,
                maximize: true,
            }),
            targets: Vec::new(),
        };
        let problem = Problem {
            space: &space(&axes),
            aim: &own,
            tables: &|point: &[usize]| seated(&best, &at(&axes, point), library),
            words: &|point: &[usize]| words(&axes, point),
            name: &format!("bot {number} "),
            tolerance: None,
            budget,
            later: budget * (bots.len() - number) as u64,
            first_game,
            seed,
        };
        let Some(found) = search(&problem, play)? else {
            return Ok(None);
        };
        let Some(proof) = prove(&problem, &found, play)? else {
            return Ok(None);
        };
        first_game = proof.next_game;
        // All its copies play as it does from now on.
        let params = axes.iter().zip(&found.best).map(|(axis, &value)| {
            let param = match &axis.path {
                Path::SeatParam(_, param) => param.clone(),
                other => other.to_string(),
            };
            (
                param,
                axis.values[axis.start].clone(),
                axis.values[value].clone(),
            )
        });
        let params: Vec<(String, String, String)> = params.collect();
        for table in &mut best {
            if let Some(learnt) = learnt(table, bot, &params) {
                *table = learnt;
            }
        }
        adapted.push(Adapted {
            bot: bot.clone(),
            params,
            metric,
            proof,
        });
    }
    // Of the two points the first is the start, the second the table that was learnt.
    let sides = [start.to_vec(), best];
    let problem = Problem {
        space: &Space {
            axes: vec![Values {
                count: 2,
                ordered: false,
            }],
            start: vec![0],
        },
        aim,
        tables: &|point: &[usize]| seated(&sides[point[0]], &[], library),
        words: &|_: &[usize]| "the bots that learnt".to_string(),
        name: "learnt ",
        tolerance: None,
        budget,
        later: 0,
        first_game,
        seed,
    };
    let found = Found {
        tried: Vec::new(),
        best: vec![1],
        rivals: Vec::new(),
        complete: true,
        unplayable: 0,
        games: 0,
        next_game: first_game,
    };
    let proof = prove(&problem, &found, play)?;
    Ok(proof.map(|proof| Readapted {
        bots: adapted,
        proof,
    }))
}

/// The table with other parameters of a bot at each of its seats.
fn learnt(table: &Simulate, bot: &str, params: &[(String, String, String)]) -> Option<Simulate> {
    let plays = |seat: &SeatSpec| seat.name == bot;
    if !table.seats.iter().any(plays) {
        return None;
    }
    let paths: Vec<Path> = (params.iter())
        .map(|(param, ..)| Path::AllParam(bot.to_string(), param.clone()))
        .collect();
    let changes = paths
        .iter()
        .zip(params)
        .map(|(path, (_, _, after))| (path, after.as_str()));
    changed(table, &changes.collect::<Vec<_>>()).ok()
}
