//! Where a learnt bot departs from the one it came from, and what that is worth.

use super::play::{Session, Stopped};
use crate::formula::{Formula, Value};
use crate::game::moments::{Course, Guide, Options, Position, Standing, What};
use crate::game::story::Telling;
use crate::game::{Layout, Record, Table, WIN, WIN_UNITS};
use crate::statistics::Estimate;
use crate::streams;
use fearless_simd::Level;
use std::sync::atomic::Ordering;

/// Games that are looked at.
const GAMES: u64 = 40;
/// Most decisions that are tried, …
const TRIED: usize = 300;
/// … in so many playouts of both options, …
const PLAYOUTS: u64 = 256;
/// … and those that are told, in so many fresh ones.
const TOLD: usize = 10;
const FRESH: u64 = 4096;
/// Playouts at a time.
const CHUNK: u64 = 1024;

/// A decision at which two bots differ.
pub struct DifferingDecision {
    /// Number of the game.
    pub game: u64,
    /// Where in the game this is.
    pub at: String,
    /// Who decides, from 0.
    pub seat: usize,
    /// What happened since the moment before.
    pub told: String,
    /// What the learnt bot does.
    pub learnt: String,
    /// What the first bot would do.
    pub first: String,
    /// What the learnt bot's option is worth more, as a share of the wins.
    pub gain: Estimate,
}

/// A decision on its way.
struct Found {
    decision: DifferingDecision,
    position: Position,
    options: [usize; 2],
}

/// Asks another bot what it would do at each decision.
struct Asker<'a> {
    other: &'a Formula,
    answers: Vec<(usize, Option<Position>)>,
}

impl Guide for Asker<'_> {
    fn decide(&mut self, _seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let mut best = (chosen, self.score(stands, chosen));
        for option in 0..options {
            let score = self.score(stands, option);
            if score > best.1 {
                best = (option, score);
            }
        }
        let position = (best.0 != chosen).then(|| (stands.position)());
        self.answers.push((best.0, position));
        chosen
    }
}

impl Asker<'_> {
    fn score(&self, stands: &Standing, option: usize) -> f32 {
        let features = (stands.features)(option);
        match self.other.evaluate(|feature| features[feature]) {
            Value::Number(score) => score,
            Value::Truth(_) => f32::NEG_INFINITY,
        }
    }
}

/// The decisions of some games of `table`, at which `first` would decide otherwise, that matter
/// most; the largest gain first.
pub(super) fn differing(
    session: &mut Session,
    table: &dyn Table,
    first: &Formula,
    seed: u64,
) -> Result<Vec<DifferingDecision>, Stopped> {
    let telling = Telling {
        short: true,
        ..Telling::PLAIN
    };
    let mut all = Vec::new();
    for game in 0..GAMES {
        let mut asker = Asker {
            other: first,
            answers: Vec::new(),
        };
        let course = table.guided_course((seed, game, telling), &mut asker);
        all.extend(found(game, course, asker.answers));
    }
    let step = all.len().div_ceil(TRIED).max(1);
    let mut some: Vec<Found> = all.into_iter().step_by(step).collect();
    tried(session, table, seed, &mut some, (0, PLAYOUTS))?;
    some.sort_by(|a, b| b.decision.gain.value.total_cmp(&a.decision.gain.value));
    some.truncate(TOLD);
    tried(session, table, seed, &mut some, (PLAYOUTS, FRESH))?;
    let mut told: Vec<DifferingDecision> = some.into_iter().map(|found| found.decision).collect();
    told.sort_by(|a, b| b.gain.value.total_cmp(&a.gain.value));
    Ok(told)
}

/// The decisions of a game at which the bots differ.
fn found(game: u64, course: Course, answers: Vec<(usize, Option<Position>)>) -> Vec<Found> {
    let decisions = course.moments.into_iter().filter_map(|moment| {
        let What::Decision(options) = moment.what else {
            return None;
        };
        Some((moment.at, moment.told, options))
    });
    let found = decisions.zip(answers);
    let found = found.filter_map(|((at, told, options), (other, position))| {
        let Options {
            seat,
            mut names,
            chosen,
            ..
        } = options;
        Some(Found {
            position: position?,
            options: [chosen, other],
            decision: DifferingDecision {
                game,
                at,
                seat,
                told,
                learnt: std::mem::take(&mut names[chosen]),
                first: std::mem::take(&mut names[other]),
                gain: Estimate::UNKNOWN,
            },
        })
    });
    found.collect()
}

/// Tells by playouts what the first option of each decision is worth more than the second.
fn tried(
    session: &mut Session,
    table: &dyn Table,
    seed: u64,
    found: &mut [Found],
    (first, playouts): (u64, u64),
) -> Result<(), Stopped> {
    let player = &mut *session.player;
    let (layout, level) = (table.layout().bare(), player.level);
    let mut workers: Vec<Vec<(usize, Estimate)>> = Vec::new();
    let try_one = |own: &mut Vec<(usize, Estimate)>, at: u64| {
        let at = at as usize;
        let luck = streams::output(streams::game_key(seed, at as u64), streams::UNIFORM_BASE) >> 1;
        let gain = gain(
            table,
            &layout,
            level,
            &found[at],
            (seed, luck + first),
            playouts,
        );
        own.push((at, gain));
    };
    let threads = player.threads;
    threads.share(
        &mut workers,
        Vec::new,
        found.len() as u64,
        player.stop,
        &try_one,
    );
    if player.stop.load(Ordering::Relaxed) {
        return Err(Stopped::Told);
    }
    for (at, gain) in workers.into_iter().flatten() {
        found[at].decision.gain = gain;
    }
    Ok(())
}

fn gain(
    table: &dyn Table,
    layout: &Layout,
    level: Level,
    found: &Found,
    (seed, first): (u64, u64),
    playouts: u64,
) -> Estimate {
    let mut records = [0, 1].map(|_| Record::new(layout, CHUNK as usize));
    let column = layout.seat_column(found.decision.seat, WIN);
    let (mut sum, mut squares) = (0.0, 0.0);
    for from in (0..playouts).step_by(CHUNK as usize) {
        let count = (playouts - from).min(CHUNK);
        for (record, option) in records.iter_mut().zip(found.options) {
            record.clear(count as usize);
            let branch = (&found.position, Some(option));
            table.play_on(level, branch, (seed, first.wrapping_add(from)), record);
        }
        let [ours, others] = records.each_ref().map(|record| record.column(column));
        for (our, other) in ours.iter().zip(others) {
            let by = f64::from(our - other) / f64::from(WIN_UNITS);
            sum += by;
            squares += by * by;
        }
    }
    let count = playouts as f64;
    let mean = sum / count;
    let variance = (squares / count - mean * mean).max(0.0);
    Estimate::normal(mean, (variance / (count - 1.0)).sqrt()).in_points()
}
