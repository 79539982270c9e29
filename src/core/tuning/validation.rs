//! The validation: the value of the best point, measured in held-out games.

use super::aim::{Aim, Distance, MetricTarget, Objective, Sought, certain_order};
use super::candidates::{CANDIDATES_MAX, Candidates, START};
use super::search::{Problem, worth};
use super::space::Point;
use crate::game::MetricRef;
use crate::simulation::TargetVerdict;
use crate::simulation::{Player, Stopped, Tally};
use crate::statistics::{Estimate, Z95, best_set_z, z_over};
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
    /// For each target, the verdicts at the start and at the best, at each of its tables.
    pub verdicts_at: Vec<Vec<[TargetVerdict; 2]>>,
    /// The best and the start themselves.
    pub best: Deviation,
    pub start: Deviation,
    /// Points other than the best: its neighbours, then points statistically tied with it.
    pub deviations: Vec<Deviation>,
    pub next_game: u64,
}

impl Validation {
    /// If the best misses a target: the points around it that meet all targets.
    pub fn meeting(&self) -> impl Iterator<Item = &Deviation> {
        let is_met = |of: &Deviation| of.verdict() == TargetVerdict::Met;
        let met = self.deviations.iter().filter(move |of| is_met(of));
        met.filter(move |_| !is_met(&self.best))
    }

    /// The verdict on the best for the target of this number.
    pub fn verdict(&self, target: usize) -> TargetVerdict {
        let verdicts = self.verdicts_at[target].iter().map(|both| both[1]);
        verdicts.max().unwrap_or(TargetVerdict::Met)
    }

    /// The point that is best in these games, unless it is the one that was validated.
    pub fn better(&self, problem: &Problem) -> Option<Point> {
        let mut best = &self.best;
        for of in iter::once(&self.start).chain(&self.deviations) {
            if of.worth(problem) < best.worth(problem) {
                best = of;
            }
        }
        Some(best.point.clone()).filter(|point| *point != self.best.point)
    }

    /// Whether the best meets the targets as well as another point of these games, by the
    /// intervals.
    pub fn is_as_good_as(&self, other: &Point) -> bool {
        let mut others = iter::once(&self.start).chain(&self.deviations);
        let other = others.find(|of| of.point == *other);
        other.is_none_or(|other| {
            let [own, known] = [&self.best, other].map(|of| &of.ranks[..2]);
            self.best.verdict() <= other.verdict() && certain_order(own, known) != Ordering::Greater
        })
    }

    /// Whether the best is further from the targets than the start, by the intervals.
    pub fn is_behind_start(&self) -> bool {
        let [best, start] = [&self.best, &self.start].map(|of| &of.ranks[..2]);
        certain_order(best, start) == Ordering::Greater
    }
}

impl Deviation {
    /// Its sort key, like that of the search; points statistically tied with the best are as good.
    fn worth(&self, problem: &Problem) -> Vec<f64> {
        let last = match (&problem.aim.objective, self.against_best) {
            (None, _) => problem.space.change(&self.point),
            (_, Ordering::Equal) => 0.0,
            (Some(objective), _) => {
                self.differences[0].map_or(f64::MAX, |more| -objective.gain(more).value)
            }
        };
        worth(&self.ranks, last)
    }

    /// Whether it is significantly better than the best and meets all targets.
    pub fn is_better(&self) -> bool {
        self.against_best == Ordering::Greater && self.verdict() == TargetVerdict::Met
    }

    pub fn verdict(&self) -> TargetVerdict {
        self.ranks[0].verdict()
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
    /// For all that is sought, the excess over the best, game by game.
    pub differences: Vec<Option<Estimate>>,
    /// Whether the objective is significantly worse than at the best (`Less`), better, or
    /// statistically tied; with 95 % probability no deviation at all is wrongly judged worse.
    pub against_best: Ordering,
    /// What ranks it, as [`Aim::ranks`] has it.
    pub ranks: Vec<Distance>,
    /// The distance from each target.
    pub distances: Vec<Distance>,
}

/// Plays games at the start, at the best, and at others, but at none around them.
pub fn judge(
    problem: &Problem,
    best: &Point,
    others: &[Point],
    player: &mut Player,
) -> Result<Validation, Stopped> {
    let mut points = Vec::from_iter(others.iter().map(|point| (None, point.clone())));
    points.retain(|(_, point)| point != best && *point != problem.space.start);
    let budget = problem.budget / (2 + points.len()) as u64;
    let name = format!("{}judged ", problem.name);
    validate_batch(
        problem,
        best,
        &points,
        (&name, budget, points.len()),
        player,
    )
}

/// Plays held-out games at the start, at the best, and around it.
pub fn validate(
    problem: &Problem,
    best: &Point,
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
    best: &Point,
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
    let z = z_over(best_set_z(rivals + 1, 1), race.populations());
    let status = format!("fresh games for {}", (problem.words)(best));
    let (mut played, mut end) = (0, PILOT.min(most));
    loop {
        let first = problem.first_game;
        let range = first + played..first + end;
        race.cells.play_all(name, &status, range, player)?;
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
    let [start, best] = [(START, &problem.space.start), (BEST, best)]
        .map(|(side, point)| deviation(problem, &race, side, (None, point), z));
    let verdicts_at = verdicts(aim, &race);
    Ok(Validation {
        games: race.tallies(BEST)[0].games,
        tallies: race.tallies(BEST).to_vec(),
        changes: changes(aim, &race, &verdicts_at),
        verdicts_at,
        best,
        start,
        deviations: deviations.into_iter().flatten().collect(),
        next_game: problem.first_game + played,
    })
}

/// The verdicts on the start and the best, for each target at each of its tables.
fn verdicts(aim: &Aim, race: &Candidates) -> Vec<Vec<[TargetVerdict; 2]>> {
    let of_target = |target: &MetricTarget| {
        let at = |&table: &usize| [START, BEST].map(|side| target.verdict(table, race, side));
        target.tables.iter().map(at).collect()
    };
    aim.targets.iter().map(of_target).collect()
}

fn changes(aim: &Aim, race: &Candidates, verdicts: &[Vec<[TargetVerdict; 2]>]) -> Vec<Change> {
    let verdict = |metric: MetricRef, tables: &Range<usize>| {
        let targets = aim.targets.iter().zip(verdicts);
        let own = targets.filter(|(target, _)| target.metric == metric);
        let at = own.flat_map(|(target, verdicts)| target.tables.iter().zip(verdicts));
        let there = at.filter(|(table, _)| tables.contains(table));
        there.map(|(_, both)| both[1]).max()
    };
    let side = |metric: MetricRef, tables: Range<usize>| StartAndBest {
        start: race.estimate_in(tables.clone(), START, metric),
        best: race.estimate_in(tables.clone(), BEST, metric),
        gain: race.difference_in(tables.clone(), metric, BEST, START),
        verdict: verdict(metric, &tables),
    };
    let all = race.line_ups;
    let change = |metric| Change {
        metric,
        mean: side(metric, 0..all),
        line_ups: (0..all)
            .map(|table| side(metric, table..table + 1))
            .collect(),
    };
    aim.metrics().into_iter().map(change).collect()
}

fn deviation(
    problem: &Problem,
    race: &Candidates,
    candidate: usize,
    (axis, point): (Option<usize>, &Point),
    z: f64,
) -> Deviation {
    let aim = problem.aim;
    let sought = aim.sought(race.line_ups).into_iter();
    let difference = |of: Sought| race.difference_in(of.tables, of.metric, candidate, BEST);
    let differences: Vec<Option<Estimate>> = sought.map(difference).collect();
    let gain = aim.objective.as_ref();
    let gain = gain.and_then(|objective| Some(objective.gain(differences[0]?)));
    let against_best = match gain {
        Some(gain) if gain.value < -z * gain.se => Ordering::Less,
        Some(gain) if gain.value > z * gain.se => Ordering::Greater,
        _ => Ordering::Equal,
    };
    Deviation {
        axis,
        point: point.clone(),
        games: race.games(candidate),
        differences,
        against_best,
        ranks: aim.ranks(race, candidate, Z95),
        distances: aim.distances(race, candidate, Z95),
    }
}

/// Whether the metrics of a candidate are precise enough: the objective relative to the best, and
/// the metrics of targets.
fn is_known(problem: &Problem, race: &Candidates, candidate: usize) -> bool {
    let aim = problem.aim;
    let objective = aim.objective.iter().all(|&Objective { metric, .. }| {
        let difference = match candidate {
            BEST => race.estimate(BEST, metric),
            other => race.difference(metric, other, BEST),
        };
        let enough = problem.tolerance;
        let enough = enough.unwrap_or_else(|| race.tolerance(metric, BEST));
        difference.is_some_and(|difference| difference.half_width() <= enough)
    });
    objective && aim.is_precise(race, candidate, BEST)
}
