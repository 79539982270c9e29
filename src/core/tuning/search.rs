//! The search: candidates race on the same games, survivors propose new ones, and it ends when no
//! neighbour of the best is better. Each round plays new games.
//!
//! Racing spends most games on candidates that are hard to distinguish (Maron and Moore, Hoeffding
//! races, 1994); survivors propose the next candidates as in iterated racing (Balaprakash,
//! Birattari and Stützle 2007).

use super::aim::{Aim, Distance, Objective, certain_order};
use super::candidates::{CANDIDATES_MAX, Candidates, START};
use super::space::{Point, Space};
use crate::game::Table;
use crate::simulation::{Games, Player, Stopped};
use crate::statistics::{Estimate, Z95, best_set_z, z_over};
use indexmap::{IndexMap, IndexSet};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

/// The tables of a point, one per line-up.
pub type Tables = Vec<Arc<dyn Table>>;

#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub space: &'a Space,
    pub aim: &'a Aim,
    /// The tables of a point, one per line-up; `None` if the rules or the bots forbid the point.
    pub tables: &'a dyn Fn(&[usize]) -> Option<Tables>,
    /// Points to try first, besides the start.
    pub first: &'a [Point],
    /// Describes a point in a few words.
    pub words: &'a dyn Fn(&[usize]) -> String,
    /// The names of the line-ups, for what is shown meanwhile; empty ones need none.
    pub line_ups: &'a [String],
    /// Prefix of the names of all its parts.
    pub name: &'a str,
    /// Half-width at which differences of the objective are precise enough; by default a small
    /// fraction of the metric.
    pub tolerance: Option<f64>,
    /// Most games, all tables together.
    pub budget: u64,
    pub first_game: u64,
    /// Games and seed; proposals use the same seed.
    pub games: Games,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The round, from 1.
    pub round: usize,
    pub point: Point,
    /// Games over all its tables.
    pub games: u64,
    /// All that is sought, as [`Aim::sought`] lists it.
    pub estimates: Vec<Option<Estimate>>,
    /// The distance from each target, in its unit; then the objective, where less is better. The
    /// ends hold for all candidates of the round jointly.
    pub criteria: Vec<Distance>,
    /// Whether it survived its round.
    pub survived: bool,
}

impl Tried {
    /// Whether another is significantly better in one thing that is sought, and as good in all
    /// others.
    fn is_dominated_by(&self, other: &Tried) -> bool {
        let pairs = || other.criteria.iter().zip(&self.criteria);
        pairs().all(|(other, own)| other.value <= own.value)
            && pairs().any(|(other, own)| other.worse < own.better)
    }
}

/// The result of a search; its estimates are biased, since they were used to choose.
pub struct Found {
    /// The aim with the units of its targets.
    pub aim: Aim,
    /// All points tried, in order; survivors of a round appear again in the next.
    pub tried: Vec<Tried>,
    pub best: Point,
    /// Points statistically tied with it, the best first.
    pub rivals: Vec<Point>,
    /// Whether every neighbour of the best was tried.
    pub complete: bool,
    /// Points that the rules or the bots forbid.
    pub unplayable: Vec<Point>,
    /// Games played, all tables together.
    pub games: u64,
    pub next_game: u64,
}

impl Found {
    /// Compromises: the best, and points that neither equal it nor are dominated, by their last
    /// heat.
    pub fn front(&self) -> Vec<&Tried> {
        let mut last: IndexMap<&Point, &Tried> = IndexMap::new();
        for tried in &self.tried {
            last.insert(&tried.point, tried);
        }
        let mut front: Vec<&Tried> = last.values().copied().collect();
        let is_dominated = |own: &&Tried| last.values().any(|other| own.is_dominated_by(other));
        let values = |of: &Tried| Vec::from_iter(of.criteria.iter().map(|one| one.value));
        let best = last.get(&self.best).map(|best| values(best));
        front.retain(|own| {
            own.point == self.best || !is_dominated(own) && best != Some(values(own))
        });
        front
    }

    /// Makes another point the best; the former becomes a rival.
    pub fn change_best(&mut self, best: Point, space: &Space) {
        let former = std::mem::replace(&mut self.best, best);
        self.rivals.retain(|rival| *rival != self.best);
        if former != space.start {
            self.rivals.insert(0, former);
        }
        let mut around = space.neighbours(&self.best).into_iter();
        let is_tried = |point: &Point| self.tried.iter().any(|tried| tried.point == *point);
        self.complete &= around.all(|(_, point)| is_tried(&point));
    }
}

/// The share of the budget that the search may spend; the rest is for held-out games at the end.
const SEARCH_SHARE: f64 = 0.7;
/// The fraction of the search's share to spend before trying the neighbours of the best.
const SCATTER_SHARE: f64 = 0.6;
/// Initial reach of new points, as a fraction of an axis, …
const SPREAD: f64 = 0.25;
/// … multiplied by this from round to round.
const NARROWING: f64 = 0.75;
/// Factor by which the cap on games per candidate grows from round to round.
const GROWTH: f64 = 1.4;
/// Fewest games of a first look, …
const PILOT_LEAST: u64 = 64;
/// … and most games of it.
const PILOT: u64 = 4096;
/// With a smaller budget than this for each table, fewer points are scattered, …
const BUDGET_OF_MANY: u64 = 100 * CANDIDATES_MAX as u64;
/// … but no fewer than this.
const SCATTERED_LEAST: u64 = 8;
/// Most rivals kept for the validation.
const RIVALS: usize = 8;

/// The fewest games for a useful search in `line_ups` line-ups: a first look at each candidate, and
/// fresh games for the result. With a single point, nothing is searched.
pub fn least_budget(space: &Space, line_ups: usize) -> u64 {
    let points = space.size().unwrap_or(CANDIDATES_MAX).min(CANDIDATES_MAX);
    match points {
        1 => 0,
        _ => ((points * line_ups) as f64 * PILOT_LEAST as f64 / SEARCH_SHARE).ceil() as u64,
    }
}

/// The sort key of a point with these ranks (see [`Aim::ranks`]), less first: the most targets that
/// it may miss, the largest possible distance from them, the least distance from each wish, then
/// the objective or the amount of change.
pub fn worth(ranks: &[Distance], last: f64) -> Vec<f64> {
    let (musts, wishes) = ranks.split_at(2);
    let mut worth = Vec::from_iter(musts.iter().map(|must| must.worse));
    worth.extend(wishes.iter().map(|wish| wish.better));
    worth.push(last);
    worth
}

struct Search<'a, 'p> {
    problem: &'a Problem<'a>,
    aim: Aim,
    player: &'a mut Player<'p>,
    rng: Xoshiro256PlusPlus,
    tried: Vec<Tried>,
    known: HashSet<Point>,
    /// The best so far, and the games it played in the round that ranked it.
    best: Option<(Point, u64)>,
    rounds: usize,
    games: u64,
    next_game: u64,
    unplayable: IndexSet<Point>,
    status: String,
}

pub fn search(problem: &Problem, player: &mut Player) -> Result<Found, Stopped> {
    let mut search = Search {
        problem,
        aim: problem.aim.clone(),
        player,
        rng: Xoshiro256PlusPlus::seed_from_u64(problem.games.seed),
        tried: Vec::new(),
        known: HashSet::new(),
        best: None,
        rounds: 0,
        games: 0,
        next_game: problem.first_game,
        unplayable: IndexSet::new(),
        status: String::new(),
    };
    search.run()
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Found, Stopped> {
        let Problem { space, budget, .. } = *self.problem;
        let for_search = (budget as f64 * SEARCH_SHARE) as u64;
        if space.size().is_some_and(|size| size < CANDIDATES_MAX) {
            // Few points: all of them race.
            let ranking = self.round(space.all(), u64::MAX, 1, for_search)?;
            return Ok(self.found(ranking, true));
        }
        let mut ranking = self.scatter((for_search as f64 * SCATTER_SHARE) as u64)?;
        let mut visited = HashSet::new();
        loop {
            visited.insert(ranking[0].clone());
            let left = for_search.saturating_sub(self.games);
            let until = self.games
                + if self.is_thorough() {
                    left - left / 4
                } else {
                    left / 2
                };
            let steps = space.neighbours(&ranking[0]).into_iter();
            let mut steps: Vec<Point> = steps.map(|(_, point)| point).collect();
            steps.retain(|point| !self.unplayable.contains(point));
            let mut complete = true;
            let mut after: IndexSet<Point> = IndexSet::new();
            // All are compared with the best, in groups that fit a round.
            for steps in steps.chunks(CANDIDATES_MAX - 2 - RIVALS) {
                let mut points = vec![ranking[0].clone()];
                points.extend(ranking[1..].iter().take(RIVALS).cloned());
                points.extend(steps.iter().filter(|step| !ranking.contains(step)).cloned());
                complete &= self.games < for_search;
                let found = self.round(points, u64::MAX, 1, until)?;
                if found[0] != ranking[0] {
                    after = found.into_iter().collect();
                    break;
                }
                after.extend(found);
            }
            let stays = after.is_empty() || after[0] == ranking[0] || visited.contains(&after[0]);
            if !after.is_empty() {
                ranking = after.into_iter().collect();
            }
            if stays || self.games >= for_search {
                return Ok(self.found(ranking, stays && complete));
            }
        }
    }

    /// Rounds of scattered points, each narrower and longer than the one before.
    fn scatter(&mut self, until: u64) -> Result<Vec<Point>, Stopped> {
        let space = self.problem.space;
        let size = (8 + 4 * space.axes.len()).clamp(24, 48);
        let widest = space.axes.iter().map(|axis| axis.count).max().unwrap_or(1) as f64;
        let mut points = self.problem.first.to_vec();
        points.extend(space.spread_out(self.scattered() - points.len(), &mut self.rng));
        let (mut spread, mut cap) = (SPREAD, 4.0 * self.pilot() as f64);
        let mut survivors = size / 4;
        loop {
            let mut seen = HashSet::from([space.start.clone()]);
            points.retain(|point| seen.insert(point.clone()));
            let ranking = self.round(points, cap as u64, survivors, until)?;
            if self.games >= until || spread * widest < 0.5 {
                return Ok(ranking);
            }
            (spread, cap) = (spread * NARROWING, cap * GROWTH);
            survivors = (survivors - 1).max(4);
            points = ranking[..ranking.len().min(size / 4)].to_vec();
            let wanted = size - points.len();
            points.extend(space.propose(&points, spread, wanted, &self.known, &mut self.rng));
        }
    }

    /// The number of points of the first round.
    fn scattered(&self) -> usize {
        let most = CANDIDATES_MAX - 1;
        let each = self.problem.budget / self.line_ups();
        let part = (most as u64 * each / BUDGET_OF_MANY).max(SCATTERED_LEAST) as usize;
        part.min(most).max(self.problem.first.len())
    }

    fn line_ups(&self) -> u64 {
        let start = &self.problem.space.start;
        (self.problem.tables)(start).map_or(1, |tables| tables.len()) as u64
    }

    /// Whether it plays on until all is measured precisely. The point closest to the targets takes
    /// more games to find than the one that wins most.
    fn is_thorough(&self) -> bool {
        !self.problem.aim.targets.is_empty()
    }

    /// Games of a first look: few where the budget is small.
    fn pilot(&self) -> u64 {
        let Problem { space, budget, .. } = *self.problem;
        let size = space.size().filter(|_| self.is_thorough());
        let points = size.unwrap_or(CANDIDATES_MAX).min(CANDIDATES_MAX);
        (budget / (100 * points as u64 * self.line_ups())).clamp(PILOT_LEAST, PILOT)
    }

    /// Plays candidates, the start and `points`, until the best is known or `survivors` are left,
    /// with at most `cap` games per table and `until` games in the whole search; returns the
    /// remaining points, the best first.
    fn round(
        &mut self,
        points: Vec<Point>,
        cap: u64,
        survivors: usize,
        until: u64,
    ) -> Result<Vec<Point>, Stopped> {
        let problem = self.problem;
        let start = &problem.space.start;
        let mut all = vec![start.clone()];
        all.extend(points.into_iter().filter(|point| point != start));
        let mut tables = Vec::new();
        all.retain(|point| {
            let seated = (problem.tables)(point);
            if seated.is_none() {
                self.unplayable.insert(point.clone());
            }
            let playable = seated.is_some();
            tables.extend(seated);
            playable
        });
        let line_ups = tables[START].len() as u64;
        self.rounds += 1;
        let name = format!("{}heat {} ", problem.name, self.rounds);
        let mut race = Candidates::new(&tables, problem, &|_, _| true);
        let mut known = Vec::new();
        let pilot = self.pilot();
        let z = z_over(best_set_z(all.len(), 16), race.populations());
        let first = self.next_game;
        let mut played = 0;
        let mut ranking = Vec::new();
        for look in 0..40 {
            let tables = race.remaining().len() as u64 * line_ups;
            let mut end = pilot.saturating_mul(1 << look);
            if look > 0 {
                let most = played + until.saturating_sub(self.games) / tables;
                if played >= cap || played == most || end > most && !self.is_thorough() {
                    break;
                }
                // The last look is as long as the budget allows.
                end = end.min(most);
            }
            let cost = (end - played) * tables;
            let range = first + played..first + end;
            self.games += cost;
            race.cells
                .play_all(&name, &self.status, range, self.player)?;
            played = end;
            self.next_game = first + end;
            self.aim.set_units(&race);
            ranking = self.ranking(&race, &all);
            self.note(&race, &all, &mut known);
            let leader = ranking[0];
            let rivals = self.drop_worse(&mut race, &all, leader, z);
            let remaining = race.remaining();
            ranking.retain(|candidate| remaining.contains(candidate));
            self.status = self.describe(&race, &all[leader], leader);
            // The last one is measured, too.
            if survivors > 1 && rivals <= survivors || self.is_known(&race, &remaining, leader) {
                break;
            }
        }
        // A round of fewer games does not overrule one of more, unless it dropped the best.
        let games = race.games(ranking[0]);
        let place = match &self.best {
            Some((best, more)) if *more > games => ranking.iter().position(|&c| all[c] == *best),
            _ => None,
        };
        match place {
            Some(place) => ranking[..=place].rotate_right(1),
            None => self.best = Some((all[ranking[0]].clone(), games)),
        }
        for (candidate, tried) in known.iter_mut().enumerate() {
            tried.survived = ranking.contains(&candidate);
        }
        self.tried.extend(known);
        self.known.extend(all.iter().cloned());
        Ok(ranking.iter().map(|&c| all[c].clone()).collect())
    }

    /// The best so far, and a line for each target at each of its tables.
    fn describe(&self, race: &Candidates, point: &[usize], leader: usize) -> String {
        let mut text = format!("heat {}: {}", self.rounds, (self.problem.words)(point));
        let row = |cells: [&str; 5]| {
            let [target, table, start, now, verdict] = cells;
            format!("\n  {target:<26} {table:<14} {start:>17} {now:>17}  {verdict}")
        };
        for (number, target) in self.problem.aim.targets.iter().enumerate() {
            if number == 0 {
                text += &row(["target", "table", "start", "now", "verdict"]);
            }
            for &table in &target.tables {
                let shown = [START, leader].map(|candidate| {
                    let found = race.estimate_in(table..table + 1, candidate, target.metric);
                    found.map_or("–".to_string(), |found| found.to_string())
                });
                let verdict = target.outside(&[table], race, leader, Z95).verdict();
                let name = self.problem.line_ups.get(table).map_or("", String::as_str);
                let metric = target.metric.to_string();
                text += &row([&metric, name, &shown[0], &shown[1], verdict.name()]);
            }
        }
        text
    }

    fn worth(&self, race: &Candidates, all: &[Point], candidate: usize) -> Vec<f64> {
        let aim = &self.aim;
        let last = match &aim.objective {
            Some(objective) => (race.estimate(candidate, objective.metric))
                .map_or(f64::MAX, |estimate| -objective.gain(estimate).value),
            None => self.problem.space.change(&all[candidate]),
        };
        worth(&aim.ranks(race, candidate, Z95), last)
    }

    /// The remaining candidates, the best first.
    fn ranking(&self, race: &Candidates, all: &[Point]) -> Vec<usize> {
        let mut ranking: Vec<(usize, Vec<f64>)> = (race.remaining().into_iter())
            .map(|candidate| (candidate, self.worth(race, all, candidate)))
            .collect();
        // Of equal candidates the first: the sort is stable.
        ranking.sort_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        let ranking = ranking.into_iter();
        ranking.map(|(candidate, _)| candidate).collect()
    }

    /// Drops candidates that are clearly worse than the leader; returns how many are not. A start
    /// that targets are relative to is played on.
    fn drop_worse(&self, race: &mut Candidates, all: &[Point], leader: usize, z: f64) -> usize {
        let (aim, space) = (&self.aim, self.problem.space);
        let best = aim.ranks(race, leader, z);
        let stays = |&candidate: &usize| {
            if candidate == leader {
                return true;
            }
            match certain_order(&aim.ranks(race, candidate, z), &best) {
                Ordering::Greater => return false,
                Ordering::Less => return true,
                Ordering::Equal => (),
            }
            let Some(objective) = &aim.objective else {
                return space.change(&all[candidate]) <= space.change(&all[leader]);
            };
            if race.estimate(candidate, objective.metric).is_none() {
                return false;
            }
            let ahead = race.difference(objective.metric, leader, candidate);
            let ahead = ahead.map(|ahead| objective.gain(ahead));
            ahead.is_none_or(|ahead| !ahead.se.is_finite() || ahead.value <= z * ahead.se)
        };
        let mut stay: Vec<usize> = race.remaining().into_iter().filter(stays).collect();
        let rivals = stay.len();
        if self.is_thorough() && stay[0] != START {
            stay.push(START);
        }
        race.keep(&stay);
        rivals
    }

    /// Whether all remaining candidates are precise enough.
    fn is_known(&self, race: &Candidates, remaining: &[usize], leader: usize) -> bool {
        let Problem { aim, tolerance, .. } = self.problem;
        let default = |metric| race.tolerance(metric, leader);
        let objective = aim.objective.iter().all(|&Objective { metric, .. }| {
            let enough = tolerance.unwrap_or_else(|| default(metric));
            let mut rivals = remaining.iter().filter(|&&c| c != leader);
            let wide = |difference: Estimate| difference.half_width() > enough;
            !rivals.any(|&c| race.difference(metric, c, leader).is_some_and(wide))
        });
        let mut remaining = remaining.iter();
        objective && remaining.all(|&candidate| aim.is_precise(race, candidate, leader))
    }

    /// Notes the current estimates of each remaining candidate; dropped ones keep theirs.
    fn note(&self, race: &Candidates, all: &[Point], tried: &mut Vec<Tried>) {
        let aim = self.problem.aim;
        let z = z_over(best_set_z(all.len(), 1), race.populations());
        for candidate in race.remaining() {
            let now = Tried {
                round: self.rounds,
                point: all[candidate].clone(),
                games: race.games(candidate),
                estimates: (aim.sought(race.line_ups).into_iter())
                    .map(|of| race.estimate_in(of.tables, candidate, of.metric))
                    .collect(),
                criteria: self.criteria(race, candidate, z),
                survived: true,
            };
            match tried.get_mut(candidate) {
                Some(known) => *known = now,
                None => tried.push(now),
            }
        }
    }

    /// The distances of a candidate from all criteria, with intervals of `z` standard errors.
    fn criteria(&self, race: &Candidates, candidate: usize, z: f64) -> Vec<Distance> {
        let aim = &self.aim;
        let mut criteria = aim.distances(race, candidate, z);
        if let Some(objective) = &aim.objective
            && let Some(estimate) = race.estimate(candidate, objective.metric)
        {
            let gain = objective.gain(estimate);
            criteria.push(Distance {
                better: -gain.value - z * gain.se,
                value: -gain.value,
                worse: -gain.value + z * gain.se,
                at: None,
            });
        }
        criteria
    }

    fn found(&mut self, ranking: Vec<Point>, complete: bool) -> Found {
        let start = &self.problem.space.start;
        let mut ranking = ranking.into_iter();
        let best = ranking.next().unwrap_or_else(|| start.clone());
        let rivals = ranking.filter(|point| *point != best && point != start);
        Found {
            aim: self.aim.clone(),
            tried: std::mem::take(&mut self.tried),
            rivals: rivals.take(RIVALS).collect(),
            best,
            complete,
            unplayable: self.unplayable.iter().cloned().collect(),
            games: self.games,
            next_game: self.next_game,
        }
    }
}
