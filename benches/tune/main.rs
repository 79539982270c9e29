//! How many games a tuning needs to find the best of a bot with six parameters, to within 0.2
//! percentage points of its wins, beside a random search and tree-structured Parzen estimators (the
//! crate `tpe`) that spend the same games on the same problem.
//!
//! `cargo run --release -p carat-tune-bench` prints, for each budget and method, how far the point
//! that was found is behind the best that is known: the median and the worst of several seeds,
//! measured in games that no method has played. The other two give every point the same number of
//! games, for which two values are tried, and report the point that did best in them.

use carat_core::catalog;
use carat_core::game::{Game, MetricRef, Table, WIN_SHARE};
use carat_core::library::Library;
use carat_core::simulation::{Experiment, Games, RoundInfo, Threads, alone};
use carat_core::strategy::{Seat, Strategy};
use carat_core::tuning::{Aim, AxisShape, Problem, Space, search};
use fearless_simd::Level;
use rand_08::{Rng, SeedableRng, rngs::StdRng};

const BOT: &str = r#"
leave = """
let take = held + floor(leftover / explorers);
let push = if rounds_left == 0 and best_other_chest > chest then dare else 0;
take >= first - per_trap * traps_seen - per_explorer * (explorers - 1) + push - calm * bust_risk * take + alone * (if explorers == 1 then 1 else 0)
"""
[params]
first = 20
per_trap = 3
per_explorer = 1
dare = 0
calm = 0
alone = 0
"#;

/// The lowest value, the step and the number of values of each parameter.
const AXES: [(f32, f32, usize); 6] = [
    (4.0, 1.0, 45),
    (0.0, 0.5, 25),
    (0.0, 0.25, 25),
    (0.0, 1.0, 31),
    (0.0, 0.25, 25),
    (0.0, 1.0, 31),
];
const SEEDS: u64 = 5;
const BUDGETS: [u64; 4] = [1_000_000, 4_000_000, 16_000_000, 64_000_000];
/// Games at each point, for the methods that do not choose them.
const EACH: [u64; 2] = [10_000, 50_000];
/// Games in which the point that was found is measured.
const JUDGED: u64 = 2_000_000;

struct Bench {
    game: &'static Game,
    bot: Strategy,
    others: Vec<Seat>,
    threads: Threads,
}

fn main() {
    let game = catalog::find("diamant").expect("a game");
    let library = Library::default();
    let others = game.field[1..game.players].iter().flat_map(|name| {
        let spec = name.parse().expect("a bot");
        library.seats(game, &spec).expect("a shipped bot")
    });
    let bench = Bench {
        game,
        bot: Strategy::from_toml("six", "six.toml", BOT, game.vocabulary).expect("a bot"),
        others: others.collect(),
        threads: Threads::start(0).expect("threads"),
    };
    let best = (0..3).map(|seed| bench.tuned(1000 + seed, 300_000_000));
    let best = best.map(|point| bench.judge(&point)).fold(0.0, f64::max);
    println!("the best that is known wins {:.2} %\n", 100.0 * best);
    println!("games       method                behind, points: median   worst");
    for budget in BUDGETS {
        let row = |method: &str, find: &dyn Fn(u64) -> Vec<usize>| {
            let mut behind: Vec<f64> = (0..SEEDS)
                .map(|seed| 100.0 * (best - bench.judge(&find(seed))))
                .collect();
            behind.sort_by(f64::total_cmp);
            let (median, worst) = (behind[behind.len() / 2], behind[behind.len() - 1]);
            println!("{budget:<12}{method:<30}{median:>16.2}{worst:>8.2}");
        };
        row("carat tune", &|seed| bench.tuned(seed, budget));
        for each in EACH.into_iter().filter(|each| 8 * each <= budget) {
            row(&format!("random, {each} each"), &|seed| {
                bench.random(seed, budget / each, each)
            });
            row(&format!("tpe, {each} each"), &|seed| {
                bench.parzen(seed, budget / each, each)
            });
        }
    }
}

impl Bench {
    fn table(&self, point: &[usize]) -> Box<dyn Table> {
        let names = self.bot.params.iter().map(|(name, _)| name.clone());
        let values = AXES.iter().zip(point);
        let values = values.map(|((low, step, _), &at)| low + step * at as f32);
        let params: Vec<(String, f32)> = names.zip(values).collect();
        let own = Seat::new(self.bot.clone(), &params).expect("its parameters");
        let seats: Vec<Seat> = [own].into_iter().chain(self.others.clone()).collect();
        let edition = &self.game.editions[0];
        let rules = self
            .game
            .rules(edition.name, edition.text)
            .expect("an edition");
        rules
            .table(&seats, carat_core::game::Seating::EveryOrder)
            .expect("they can play")
    }

    /// The share of the wins in games of `seed` from the first one.
    fn play(&self, point: &[usize], seed: u64, games: u64) -> f64 {
        let table = self.table(point);
        let chunk = self.game.chunk;
        let mut run = Experiment::apart(vec![table.as_ref()], Games { seed, chunk });
        let played = alone(&self.threads, Level::new(), |player| {
            run.play(RoundInfo::default(), 0..games, u64::MAX, player)
        });
        played.expect("nothing stops it");
        run.tallies[0].seat(table.layout(), WIN_SHARE, 0).value
    }

    fn judge(&self, point: &[usize]) -> f64 {
        self.play(point, u64::MAX, JUDGED)
    }

    fn tuned(&self, seed: u64, budget: u64) -> Vec<usize> {
        let axis = |&(_, _, count): &(f32, f32, usize)| AxisShape {
            count,
            ordered: true,
        };
        let space = Space {
            axes: AXES.iter().map(axis).collect(),
            start: vec![16, 6, 4, 0, 0, 0],
        };
        let aim = Aim::highest(MetricRef::of_seat(WIN_SHARE, 0));
        let problem = Problem {
            space: &space,
            aim: &aim,
            tables: &|point: &[usize]| Some(vec![self.table(point).into()]),
            first: &[],
            words: &|_: &[usize]| String::new(),
            line_ups: &[],
            name: "",
            tolerance: Some(0.0005),
            budget: (budget as f64 / 0.7) as u64,
            first_game: 0,
            games: Games {
                seed,
                chunk: self.game.chunk / 4,
            },
        };
        let found = alone(&self.threads, Level::new(), |player| {
            search(&problem, player)
        });
        found.expect("nothing stops it").best
    }

    /// The best of some points drawn by lot.
    fn random(&self, seed: u64, points: u64, each: u64) -> Vec<usize> {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut best = (0.0, Vec::new());
        for _ in 0..points {
            let point: Vec<usize> = AXES.iter().map(|axis| rng.gen_range(0..axis.2)).collect();
            let share = self.play(&point, seed, each);
            if share >= best.0 {
                best = (share, point);
            }
        }
        best.1
    }

    /// The best of the points that the estimators ask for.
    fn parzen(&self, seed: u64, points: u64, each: u64) -> Vec<usize> {
        let mut rng = StdRng::seed_from_u64(seed);
        let range = |count: usize| tpe::range(0.0, count as f64).expect("a range");
        let mut axes: Vec<_> = AXES
            .iter()
            .map(|axis| tpe::TpeOptimizer::new(tpe::parzen_estimator(), range(axis.2)))
            .collect();
        let mut best = (0.0, Vec::new());
        for _ in 0..points {
            let asked: Vec<f64> = (axes.iter_mut())
                .map(|axis| axis.ask(&mut rng).expect("a value"))
                .collect();
            let point: Vec<usize> = asked.iter().map(|value| *value as usize).collect();
            let share = self.play(&point, seed, each);
            for (axis, value) in axes.iter_mut().zip(&asked) {
                axis.tell(*value, -share).expect("a finite value");
            }
            if share >= best.0 {
                best = (share, point);
            }
        }
        best.1
    }
}
