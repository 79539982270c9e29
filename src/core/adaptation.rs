//! Populations adapted to a table: logit play over a family of bots.
//!
//! In each iteration seat 1 plays candidates and all others the population, at one table; wins are
//! summed by candidate, and the better ones are played more (`logit`). What the population loses to
//! its best response says nothing about bots outside the family.

mod family;
mod logit;

use crate::game::{CountTable, Layout, MetricRef, Play, Record, Table, WIN, WIN_SHARE, WIN_UNITS};
use crate::simulation::{Experiment, Player, RoundInfo, Stopped};
use crate::statistics::Estimate;
use crate::streams;
use crate::tuning::{Aim, Point, Problem, search};
use family::searched;
use fearless_simd::Level;

pub use family::{FamilyTable, SPREAD};
pub use logit::{EVENLY, Measure, SLOTS, TEMPERATURE, Won, play_logit};

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

/// Iterations, unless the adaptation is repeated or quick.
const ITERATIONS: u64 = 120;
/// The step of an iteration towards the payoffs seen, as a fraction of the way; larger where there
/// are fewer.
const STEP: f64 = 0.06;
/// With a higher gain, adaptation is repeated …
const SETTLED_GAIN: f64 = 0.04;
/// … with steps smaller by this factor, and more of them by its square.
const SLOWER: u64 = 2;
/// Games of an iteration, of the search for the best response, and of each figure, as parts of the
/// number of games.
const ITERATION_PART: f64 = 0.015;
const SEARCH_PART: f64 = 1.6;
const FIGURE_PART: f64 = 0.16;
/// With fewer games than this part of the default an adaptation takes fewer steps, but this part of
/// all.
const FULL_PART: f64 = 0.25;
const STEPS_LEAST: f64 = 0.1;

/// The most games of an adaptation with this number of games, which may be repeated, and of this
/// many figures beside its own.
pub fn most_games(games: u64, figures: usize) -> u64 {
    let iterations = ITERATIONS as f64 * ITERATION_PART * (1 + SLOWER * SLOWER) as f64;
    let figures = FIGURE_PART * (2 + figures) as f64;
    (games as f64 * (iterations + figures)) as u64 + 2 * searched(games, SEARCH_PART)
}

impl FamilyTable {
    /// Adapts a population in the games of a seed; its parts have names that begin with `name`.
    /// Also stops if the family cannot be played at the table.
    pub fn adapt(&self, name: &str, seed: u64, player: &mut Player) -> Result<Adapted, Stopped> {
        let first = self.attempt(name, seed, 1, 0, player)?;
        if first.is_settled() {
            return Ok(first);
        }
        let name = format!("{name}again ");
        let second = self.attempt(&name, seed, SLOWER, first.games, player)?;
        Ok(Adapted {
            games: first.games + second.games,
            ..if second.gain.value < first.gain.value {
                second
            } else {
                first
            }
        })
    }

    /// The games of each figure of a population.
    pub fn figure_games(&self) -> u64 {
        (self.games as f64 * FIGURE_PART) as u64
    }

    /// Adapts a population by steps smaller by the factor `slower`, in games from `first_game` on.
    fn attempt(
        &self,
        name: &str,
        seed: u64,
        slower: u64,
        first_game: u64,
        player: &mut Player,
    ) -> Result<Adapted, Stopped> {
        let (games, most) = (self.games as f64, ITERATIONS as f64);
        // A quick look takes fewer steps, since each costs time besides its games.
        let part = (games / (FULL_PART * self.game.games as f64)).clamp(STEPS_LEAST, 1.0);
        let steps = (most * part) as u64;
        let each = (games * ITERATION_PART * most / steps as f64) as u64;
        let iterations = steps * slower * slower;
        let step = STEP * (most / steps as f64) / slower as f64;
        let mut measure = |iteration: u64, candidates: &[Point], others: &[Point]| {
            let seated = self.beside(self.crowd(others)?, self.crowd(candidates)?);
            let table = BySlot::of(seated?);
            let mut experiment = Experiment::apart(vec![&table], self.dealt(seed));
            let info = RoundInfo {
                name: &format!("{}{name}iteration {iteration} ", self.parts),
                status: "adapting the population",
                later: (iterations - iteration - 1) * each + self.search_games(SEARCH_PART),
            };
            let from = first_game + iteration * each;
            experiment.play(info, from..from + each, u64::MAX, player)?;
            Ok(table.won(&experiment.tallies[0].counts, self.fair()))
        };
        let population = play_logit(&self.space, iterations, step, seed, &mut measure)?;
        let played = iterations * each;
        let first_game = first_game + played;
        let (gain, searched) = self.respond(&population, name, seed, first_game, player)?;
        Ok(Adapted {
            population,
            gain,
            games: played + searched,
        })
    }

    /// Searches for the best response to a population; returns its gain in held-out games, and the
    /// number of all games.
    fn respond(
        &self,
        population: &[Point],
        name: &str,
        seed: u64,
        first_game: u64,
        player: &mut Player,
    ) -> Result<(Estimate, u64), Stopped> {
        let aim = Aim::highest(MetricRef::of_seat(WIN_SHARE, 0));
        let crowd = self.crowd(population)?;
        let beside = |point: &[usize]| self.beside(crowd.clone(), self.crowd(&[point.to_vec()])?);
        let problem = Problem {
            space: &self.space,
            aim: &aim,
            tables: &|point| Some(vec![beside(point).ok()?.into()]),
            first: &[population[SLOTS / 2].clone()],
            words: &|_| "searching for the best response".to_string(),
            line_ups: &[],
            name: &format!("{}{name}firm ", self.parts),
            tolerance: None,
            budget: self.search_games(SEARCH_PART),
            first_game,
            games: self.dealt(seed),
        };
        let found = search(&problem, player)?;
        let table = beside(&found.best)?;
        let checked = self.figure_games();
        let fresh = found.next_game..found.next_game + checked;
        let (name, status) = (format!("{name}firm check "), "playing fresh games");
        let share = self.shares(&[table], &name, status, fresh, seed, player)?[0];
        Ok((share.minus(self.fair()), found.games + checked))
    }
}

/// A table that also counts the games and the units won of each candidate, at seat 1, and then of
/// each point of the population, at the other seats in games where all seats play the population.
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
