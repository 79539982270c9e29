//! Populations adapted to a table: logit play over a family of bots.
//!
//! In each iteration seat 1 plays candidates and all others the population, at one table; wins are
//! summed by candidate, and the better ones are played more (`logit`). What the population loses to
//! its best response says nothing about bots outside the family.

mod logit;

use crate::game::{CountTable, Layout, MetricRef, Play, Record, Table, WIN, WIN_SHARE, WIN_UNITS};
use crate::simulation::{Experiment, Games, Player, RoundInfo, Stopped};
use crate::statistics::Estimate;
use crate::streams;
use crate::tuning::{Aim, Point, Problem, Space, search};
use fearless_simd::Level;

pub use logit::{EVENLY, Measure, SLOTS, TEMPERATURE, Won, play_logit};

/// Seats a lottery over the first points at seat 1, and one over the second at all others; `None` if
/// the rules or the family forbid it.
pub type Seated<'a> = dyn Fn(&[Point], &[Point]) -> Option<Box<dyn Table>> + 'a;

/// The problem to adapt to, and its budget.
pub struct Adaptation<'a> {
    /// The parameters of the family to search, and their start values.
    pub space: &'a Space,
    pub table: &'a Seated<'a>,
    /// Win rate of a seat that is as good as the others.
    pub fair: f64,
    /// How often its play changes, and games of each time: [`ITERATIONS`], or fewer and larger steps.
    pub iterations: u64,
    pub iteration_games: u64,
    /// Most games of the search for the best response, and held-out games that measure its gain.
    pub search_games: u64,
    pub check_games: u64,
    pub games: Games,
    /// Prefix of the names of all its parts.
    pub name: &'a str,
}

pub struct Adapted {
    /// Points that are played in as many games each, in order; some are the same.
    pub population: Vec<Point>,
    /// The win rate of the best response above the fair share, in held-out games.
    pub gain: Estimate,
    /// All games together.
    pub games: u64,
}

impl Adapted {
    /// Whether the best response gains little.
    pub fn is_settled(&self) -> bool {
        self.gain.value <= SETTLED_GAIN
    }
}

/// Iterations, unless the adaptation is repeated.
pub const ITERATIONS: u64 = 120;
/// The step of an iteration towards the payoffs seen, as a fraction of the way; larger where there are
/// fewer.
const STEP: f64 = 0.06;
/// With a higher gain, adaptation is repeated …
const SETTLED_GAIN: f64 = 0.04;
/// … with steps smaller by this factor, and more of them by its square.
const SLOWER: u64 = 2;

/// Adapts a population; also stops if the family cannot be played at the table.
pub fn adapt(asked: &Adaptation, player: &mut Player) -> Result<Adapted, Stopped> {
    let first = attempt(asked, "", 1, 0, player)?;
    if first.is_settled() {
        return Ok(first);
    }
    let second = attempt(asked, "again ", SLOWER, first.games, player)?;
    Ok(Adapted {
        games: first.games + second.games,
        ..if second.gain.value < first.gain.value {
            second
        } else {
            first
        }
    })
}

/// Adapts a population by steps smaller by the factor `slower`, in games from `first_game` on.
fn attempt(
    asked: &Adaptation,
    name: &str,
    slower: u64,
    first_game: u64,
    player: &mut Player,
) -> Result<Adapted, Stopped> {
    let name = format!("{}{name}", asked.name);
    let iterations = asked.iterations * slower * slower;
    let step = STEP * (ITERATIONS as f64 / asked.iterations as f64) / slower as f64;
    let mut measure = |iteration: u64, candidates: &[Point], others: &[Point]| {
        let table = BySlot::of((asked.table)(candidates, others).ok_or(Stopped::Early)?);
        let mut experiment = Experiment::apart(vec![&table], asked.games);
        let info = RoundInfo {
            name: &format!("{name}iteration {iteration} "),
            status: "adapting the population",
            later: (iterations - iteration - 1) * asked.iteration_games + asked.search_games,
        };
        let from = first_game + iteration * asked.iteration_games;
        experiment.play(info, from..from + asked.iteration_games, u64::MAX, player)?;
        Ok(table.won(&experiment.tallies[0].counts, asked.fair))
    };
    let population = play_logit(
        asked.space,
        iterations,
        step,
        asked.games.seed,
        &mut measure,
    )?;
    let played = iterations * asked.iteration_games;
    let first_game = first_game + played;
    let (gain, searched) = respond(asked, &population, &name, first_game, player)?;
    Ok(Adapted {
        population,
        gain,
        games: played + searched,
    })
}

/// A table that also counts the games and the units won of each candidate, at seat 1, and then of each
/// point of the population, at the other seats in games where all seats play the population.
struct BySlot {
    table: Box<dyn Table>,
    layout: Layout,
}

impl BySlot {
    fn of(table: Box<dyn Table>) -> BySlot {
        let mut layout = table.layout().clone();
        layout.counts.push(CountTable {
            rows: 2 * SLOTS,
            columns: 2,
        });
        BySlot { table, layout }
    }

    fn first_count(&self) -> usize {
        self.layout.count(self.layout.counts.len() - 1, 0, 0)
    }

    /// What each point won above the fair share, in percentage points.
    fn won(&self, counts: &[u64], fair: f64) -> Vec<Won> {
        let lots = counts[self.first_count()..].as_chunks::<2>().0.iter();
        let won = |&[games, units]: &[u64; 2]| Won {
            above: 100.0 * (units as f64 / f64::from(WIN_UNITS) - games as f64 * fair),
            games: games as f64,
        };
        lots.map(won).collect()
    }
}

impl Play for BySlot {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cost(&self) -> u64 {
        self.table.cost()
    }

    fn failure(&self) -> Option<String> {
        self.table.failure()
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.table.play(level, seed, first, record);
        let first_count = self.first_count();
        for game in 0..record.games() {
            let key = streams::game_key(seed, first + game as u64);
            for seat in 0..self.layout.seats {
                let slot = (streams::temper(key, seat) * SLOTS as f32) as usize;
                let units = record.column(self.layout.seat_column(seat, WIN))[game];
                let count = first_count + 2 * (slot + if seat == 0 { 0 } else { SLOTS });
                record.counts[count] += 1;
                record.counts[count + 1] += units as u64;
                if seat == 0 && slot < EVENLY {
                    break;
                }
            }
        }
    }
}

/// Searches for the best response to a population; returns its gain in held-out games, and the
/// number of all games.
fn respond(
    asked: &Adaptation,
    population: &[Point],
    name: &str,
    first_game: u64,
    player: &mut Player,
) -> Result<(Estimate, u64), Stopped> {
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let aim = Aim::highest(metric);
    let name = format!("{name}firm ");
    let beside = |point: &[usize]| (asked.table)(&[point.to_vec()], population);
    let problem = Problem {
        space: asked.space,
        aim: &aim,
        tables: &|point| Some(vec![beside(point)?.into()]),
        first: &[population[SLOTS / 2].clone()],
        words: &|_| "searching for the best response".to_string(),
        line_ups: &[],
        name: &name,
        tolerance: None,
        budget: asked.search_games,
        first_game,
        games: asked.games,
    };
    let found = search(&problem, player)?;
    let table = beside(&found.best).ok_or(Stopped::Early)?;
    let mut fresh_games = Experiment::apart(vec![table.as_ref()], asked.games);
    let fresh = found.next_game..found.next_game + asked.check_games;
    fresh_games.play_all(
        &format!("{name}check "),
        "playing fresh games",
        fresh,
        player,
    )?;
    let share = fresh_games.estimate(0, metric).unwrap_or(Estimate::UNKNOWN);
    Ok((share.minus(asked.fair), found.games + asked.check_games))
}
