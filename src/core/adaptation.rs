//! Populations adapted to a table: a double oracle over a family of bots.
//!
//! A population is a lottery over members of the family. In each round a search finds the best
//! response to the population, which joins it, while the weights of older members fade
//! (policy-space response oracles, Lanctot et al. 2017). The rounds end when responses gain little.
//! What a population loses to its best response says nothing about bots outside the family.

use crate::game::{MetricRef, Table, WIN_SHARE};
use crate::simulation::{Experiment, Games, Player, Stopped};
use crate::statistics::Estimate;
use crate::tuning::{Aim, Point, Problem, Space, search};

/// Members with their weights, which sum to 1.
pub type Population = Vec<Member>;

#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Indices of its values on each axis.
    pub point: Point,
    /// Spread of its copies, as a fraction of the largest spread that the family allows.
    pub spread: f64,
    pub weight: f64,
}

/// Seats a point beside a population; `None` if the rules or the family forbid it.
pub type SeatBeside<'a> = dyn Fn(&Population, &[usize]) -> Option<Box<dyn Table>> + 'a;

/// The problem to adapt to, and its budget.
pub struct Adaptation<'a> {
    /// The parameters of the family to search, and their start values.
    pub space: &'a Space,
    /// A table where seat 1 plays a point without spread and all others the population.
    pub table: &'a SeatBeside<'a>,
    /// Win rate of a seat that is as good as the others.
    pub fair: f64,
    /// Most games of the search in each round.
    pub search_games: u64,
    /// Held-out games that measure the gain of each round's response.
    pub check_games: u64,
    pub games: Games,
    /// Prefix of the names of all its parts.
    pub name: &'a str,
}

/// The population after the last round.
pub struct Adapted {
    pub population: Population,
    pub rounds: Vec<Round>,
    /// The win rate of the best response of the final, larger search above the fair share, in
    /// held-out games.
    pub gain: Estimate,
    /// Games of all rounds together.
    pub games: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    pub response: Point,
    /// Win rate of the response above the fair share, in held-out games.
    pub gain: Estimate,
    /// Total games up to the end of the round.
    pub games: u64,
}

const START_SPREAD: f64 = 2.0 / 3.0;
/// Weight of the first member, in rounds.
const START_WEIGHT: f64 = 6.0;
/// Spread of a response that joins the population.
const JOINING_SPREAD: f64 = 5.0 / 12.0;
/// Members below this weight are removed.
const LEAST_WEIGHT: f64 = 0.002;
/// Adaptation ends when the mean gain over this many rounds …
const CALM_ROUNDS: usize = 4;
/// … is below this win rate, …
const CALM_GAIN: f64 = 0.017;
/// … or after this many rounds.
const ROUNDS_MAX: usize = 20;
/// Factor by which the last search and its check are larger than those of a round.
const FIRM: u64 = 4;
/// The most games of an adaptation, in those of a round.
pub const ROUNDS_MOST: u64 = ROUNDS_MAX as u64 + FIRM;

/// Adds a member, and scales down the weights of all others.
fn join(population: &mut Population, point: Point, weight: f64) {
    for member in &mut *population {
        member.weight *= 1.0 - weight;
    }
    let same = |member: &&mut Member| member.point == point && member.spread == JOINING_SPREAD;
    match population.iter_mut().find(same) {
        Some(member) => member.weight += weight,
        None => population.push(Member {
            point,
            spread: JOINING_SPREAD,
            weight,
        }),
    }
    population.retain(|member| member.weight >= LEAST_WEIGHT);
    let all: f64 = population.iter().map(|member| member.weight).sum();
    for member in population {
        member.weight /= all;
    }
}

/// Adapts a population; also stops if the family cannot be played at the table.
pub fn adapt(asked: &Adaptation, player: &mut Player) -> Result<Adapted, Stopped> {
    let mut population = vec![Member {
        point: asked.space.start.clone(),
        spread: START_SPREAD,
        weight: 1.0,
    }];
    let mut rounds: Vec<Round> = Vec::new();
    let (mut next, mut games) = (0, 0);
    while !is_calm(&rounds) {
        let last = rounds.last();
        let start = last.map_or(&asked.space.start, |round| &round.response);
        let name = format!("{}round {} ", asked.name, rounds.len() + 1);
        let found = respond(asked, &population, start, &name, 1, &mut next, player)?;
        games += found.games;
        let weight = 1.0 / (rounds.len() as f64 + 1.0 + START_WEIGHT);
        join(&mut population, found.response.clone(), weight);
        rounds.push(Round { games, ..found });
    }
    let start = &rounds[rounds.len() - 1].response;
    let name = format!("{}firm ", asked.name);
    let firm = respond(asked, &population, start, &name, FIRM, &mut next, player)?;
    Ok(Adapted {
        population,
        gain: firm.gain,
        games: games + firm.games,
        rounds,
    })
}

/// Whether the gains of the last rounds are small.
fn is_calm(rounds: &[Round]) -> bool {
    if rounds.len() >= ROUNDS_MAX {
        return true;
    }
    let Some(last) = rounds.len().checked_sub(CALM_ROUNDS) else {
        return false;
    };
    let sum: f64 = rounds[last..].iter().map(|round| round.gain.value).sum();
    sum / (CALM_ROUNDS as f64) < CALM_GAIN
}

/// Searches for the best response to a population, and measures it in held-out games.
fn respond(
    asked: &Adaptation,
    population: &Population,
    start: &Point,
    name: &str,
    times: u64,
    next_game: &mut u64,
    player: &mut Player,
) -> Result<Round, Stopped> {
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let space = Space {
        start: start.clone(),
        axes: asked.space.axes.clone(),
    };
    let aim = Aim::highest(metric);
    let problem = Problem {
        space: &space,
        aim: &aim,
        tables: &|point| Some(vec![(asked.table)(population, point)?.into()]),
        first: &[],
        words: &|_| "searching for the best response".to_string(),
        name,
        tolerance: None,
        budget: times * asked.search_games,
        first_game: *next_game,
        games: asked.games,
    };
    let found = search(&problem, player)?;
    let Some(table) = (asked.table)(population, &found.best) else {
        return Err(Stopped::Early);
    };
    let mut fresh_games = Experiment::apart(vec![table.as_ref()], asked.games);
    let name = format!("{name}check ");
    let status = "playing fresh games";
    let check = times * asked.check_games;
    let fresh = found.next_game..found.next_game + check;
    *next_game = fresh.end;
    fresh_games.play_all(&name, status, fresh, player)?;
    let share = fresh_games.estimate(0, metric).unwrap_or(Estimate::UNKNOWN);
    Ok(Round {
        response: found.best,
        gain: share.minus(asked.fair),
        games: found.games + check,
    })
}
