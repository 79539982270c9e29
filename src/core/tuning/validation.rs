//! The validation: the value of the best point, measured in held-out games.

use super::aim::{Aim, MetricTarget, Objective, TargetVerdict};
use super::candidates::{CANDIDATES_MAX, Candidates, START};
use super::search::Problem;
use super::space::Point;
use crate::game::MetricRef;
use crate::simulation::{Player, RoundInfo, Stopped, Tally};
use crate::statistics::{Estimate, best_set_z};
use std::cmp::Ordering;
use std::iter;
use std::ops::Range;

/// Index of the best among the candidates, after the start.
const BEST: usize = 1;
const PILOT: u64 = 4096;

#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// Games at each table of the start and of the best.
    pub games: u64,
    /// All games at the best, in each line-up.
    pub tallies: Vec<Tally>,
    pub changes: Vec<Change>,
    /// For each target, the verdicts at the start and at the best.
    pub verdicts: Vec<(TargetVerdict, TargetVerdict)>,
    /// The targets that must be met; the others are wishes.
    pub musts: usize,
    /// The verdicts at each table where a target must hold.
    pub verdicts_at: Vec<Vec<(TargetVerdict, TargetVerdict)>>,
    /// Points other than the best: its neighbours, then points statistically tied with it.
    pub deviations: Vec<Deviation>,
    /// Number of the next unused game.
    pub next_game: u64,
}

impl Validation {
    /// If the best misses a target: the points around it that meet all targets.
    pub fn meeting(&self) -> impl Iterator<Item = &Deviation> {
        let best = TargetVerdict::of_all(self.verdicts[..self.musts].iter().map(|both| both.1));
        let met = move |of: &&Deviation| of.verdict() == TargetVerdict::Met;
        let deviations = self.deviations.iter().filter(met);
        deviations.filter(move |_| best != TargetVerdict::Met)
    }
}

impl Deviation {
    /// Whether it is significantly better than the best and meets all targets.
    pub fn is_better(&self) -> bool {
        self.against_best == Ordering::Greater && self.verdict() == TargetVerdict::Met
    }

    pub fn verdict(&self) -> TargetVerdict {
        TargetVerdict::of_all(self.verdicts.iter().copied())
    }
}

/// The change of a metric from the start to the best.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub metric: MetricRef,
    /// The mean over the line-ups.
    pub mean: StartAndBest,
    pub line_ups: Vec<StartAndBest>,
}

/// A metric at the start and at the best; `None` if a divisor is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartAndBest {
    pub start: Option<Estimate>,
    pub best: Option<Estimate>,
    /// The increase from the start to the best, game by game.
    pub gain: Option<Estimate>,
    /// The verdict at the best on the metric's target, if it has one.
    pub verdict: Option<TargetVerdict>,
}

/// A point other than the best.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// The axis it is one step away on, if it is a neighbour.
    pub axis: Option<usize>,
    pub point: Point,
    /// Games over its tables.
    pub games: u64,
    /// For each metric of the aim, the excess over the best, game by game.
    pub differences: Vec<Option<Estimate>>,
    /// Whether the objective is significantly worse than at the best (`Less`), better, or
    /// statistically tied; with 95 % probability no deviation at all is wrongly judged worse.
    pub against_best: Ordering,
    /// Of the targets that must be met.
    pub verdicts: Vec<TargetVerdict>,
}

/// Plays held-out games at the start, at the best, and around it.
pub fn validate(
    problem: &Problem,
    best: &[usize],
    rivals: &[Point],
    player: &mut Player,
) -> Result<Validation, Stopped> {
    let neighbours = problem.space.neighbours(best).into_iter();
    let neighbours = neighbours.map(|(axis, point)| (Some(axis), point));
    let mut around: Vec<(Option<usize>, Point)> = neighbours.collect();
    for rival in rivals {
        if !around.iter().any(|(_, point)| point == rival) {
            around.push((None, rival.clone()));
        }
    }
    let most = CANDIDATES_MAX - 2;
    let (first, others) = around.split_at(around.len().min(most));
    let batches: Vec<&[_]> = iter::once(first).chain(others.chunks(most)).collect();
    let all = 2 * batches.len() + around.len();
    let budget = problem.budget / all as u64;
    let mut validation: Option<Validation> = None;
    for (number, batch) in batches.iter().enumerate() {
        let name = format!("{}proof {number} ", problem.name);
        let played = validate_batch(problem, best, batch, (&name, budget, around.len()), player)?;
        match &mut validation {
            None => validation = Some(played),
            Some(validation) => {
                validation.next_game = validation.next_game.max(played.next_game);
                validation.deviations.extend(played.deviations);
            }
        }
    }
    Ok(validation.expect("there is at least one batch"))
}

/// Validates as many points around the best as a round can hold; all batches play the same games.
fn validate_batch(
    problem: &Problem,
    best: &[usize],
    around: &[(Option<usize>, Point)],
    (name, budget, rivals): (&str, u64, usize),
    player: &mut Player,
) -> Result<Validation, Stopped> {
    let aim = problem.aim;
    let (mut tables, mut points) = (Vec::new(), Vec::new());
    tables.extend((problem.tables)(&problem.space.start));
    tables.extend((problem.tables)(best));
    for (axis, point) in around {
        if let Some(seated) = (problem.tables)(point) {
            tables.push(seated);
            points.push((*axis, point));
        }
    }
    let line_ups = tables[START].len();
    let most = (budget / line_ups as u64).max(1);
    let mut race = Candidates::new(&tables, problem, &|a, _| a == START || a == BEST);
    let mut deviations: Vec<Option<Deviation>> = vec![None; points.len()];
    let z = best_set_z(rivals + 1, 1);
    let info = RoundInfo {
        name,
        status: &format!("fresh games for {}", (problem.words)(best)),
        later: problem.later,
    };
    let (mut played, mut end) = (0, PILOT.min(most));
    loop {
        let first = problem.first_game;
        let range = first + played..first + end;
        race.cells.play(info, range, u64::MAX, player)?;
        played = end;
        // Whether a candidate is precise enough depends on the widths alone, never on the values:
        // that keeps the intervals valid.
        let ended = played == most;
        let mut stay = vec![START, BEST];
        for candidate in race.remaining().into_iter().filter(|&c| c > BEST) {
            let at = candidate - 2;
            deviations[at] = Some(deviation(problem, &race, candidate, points[at], z));
            if !is_known(problem, &race, candidate) {
                stay.push(candidate);
            }
        }
        race.keep(&stay);
        let sides_known = is_known(problem, &race, START) && is_known(problem, &race, BEST);
        if ended || (stay.len() == 2 && sides_known) {
            break;
        }
        end = played.saturating_mul(2).min(most);
    }
    let side = |metric: MetricRef, line_ups: Range<usize>| StartAndBest {
        start: race.estimate_in(line_ups.clone(), START, metric),
        best: race.estimate_in(line_ups.clone(), BEST, metric),
        gain: race.difference_in(line_ups.clone(), metric, BEST, START),
        verdict: aim.verdict_in(metric, line_ups, &race, BEST),
    };
    let change = |metric| Change {
        metric,
        mean: side(metric, 0..line_ups),
        line_ups: (0..line_ups)
            .map(|line_up| side(metric, line_up..line_up + 1))
            .collect(),
    };
    Ok(Validation {
        games: race.tallies(BEST)[0].games,
        tallies: race.tallies(BEST).to_vec(),
        changes: aim.metrics().into_iter().map(change).collect(),
        verdicts: verdicts(aim, &race, |target| vec![&target.tables[..]]).concat(),
        musts: aim.musts(),
        verdicts_at: verdicts(aim, &race, |target| target.tables.chunks(1).collect()),
        deviations: deviations.into_iter().flatten().collect(),
        next_game: problem.first_game + played,
    })
}

/// For each target, the verdicts at the start and at the best, at each of its groups of tables.
fn verdicts(
    aim: &Aim,
    race: &Candidates,
    groups: impl Fn(&MetricTarget) -> Vec<&[usize]>,
) -> Vec<Vec<(TargetVerdict, TargetVerdict)>> {
    let of_target = |target: &MetricTarget| {
        let verdict = |tables, side| target.verdict(tables, race, side);
        let at = |tables| (verdict(tables, START), verdict(tables, BEST));
        groups(target).into_iter().map(at).collect()
    };
    aim.targets.iter().map(of_target).collect()
}

fn deviation(
    problem: &Problem,
    race: &Candidates,
    candidate: usize,
    (axis, point): (Option<usize>, &Point),
    z: f64,
) -> Deviation {
    let aim = problem.aim;
    let difference = |metric| race.difference(metric, candidate, BEST);
    let gain = aim.objective.as_ref();
    let gain = gain.and_then(|objective| Some(objective.gain(difference(objective.metric)?)));
    let against_best = match gain {
        Some(gain) if gain.value < -z * gain.se => Ordering::Less,
        Some(gain) if gain.value > z * gain.se => Ordering::Greater,
        _ => Ordering::Equal,
    };
    Deviation {
        axis,
        point: point.clone(),
        games: race.games(candidate),
        differences: aim.metrics().into_iter().map(difference).collect(),
        against_best,
        verdicts: (aim.targets[..aim.musts()].iter())
            .map(|target| target.verdict(&target.tables, race, candidate))
            .collect(),
    }
}

/// Whether the metrics of a candidate are precise enough: the objective relative to the best, and
/// the metrics of targets.
fn is_known(problem: &Problem, race: &Candidates, candidate: usize) -> bool {
    let aim = problem.aim;
    let is_known = |estimate: Option<Estimate>, enough: Option<f64>, metric| {
        let enough = enough.unwrap_or_else(|| race.tolerance(metric, BEST));
        estimate.is_some_and(|estimate| estimate.half_width() <= enough)
    };
    let objective = aim.objective.iter().all(|&Objective { metric, .. }| {
        let difference = match candidate {
            BEST => race.estimate(BEST, metric),
            other => race.difference(metric, other, BEST),
        };
        is_known(difference, problem.tolerance, metric)
    });
    let mut targets = aim.targets.iter();
    objective
        && targets.all(|target| {
            target.tables.iter().all(|&line_up| {
                let line_up = line_up..line_up + 1;
                let estimate = if target.is_relative() {
                    race.difference_in(line_up, target.metric, candidate, START)
                } else {
                    race.estimate_in(line_up, candidate, target.metric)
                };
                is_known(estimate, target.tolerance(), target.metric)
            })
        })
}
