//! The search for values that meet targets.

use crate::fixtures::{diamant, games};
use carat_core::game::{MetricRef, Table};
use carat_core::simulation::{Discard, Going, Listener, Player, Threads, alone};
use carat_core::tuning::{
    Aim, AxisShape, Edge, Found, MetricTarget, Point, Problem, Space, Tables, Validation, prove,
    search, search_adapted,
};
use fearless_simd::Level;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

const BUDGET: u64 = 100_000;

/// A table of three with this many expeditions and snakes.
fn table(rounds: usize, snakes: usize) -> Arc<dyn Table> {
    let sets = [format!("rounds={rounds}"), format!("traps.snake={snakes}")];
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    diamant("iello-2016", &sets, &["2*depth", "traps"]).into()
}

/// Tunes expeditions from 3 on and snakes from 2 on, this many values each, from 5 and 3.
fn tuned(values: [usize; 2], aim: &Aim, seed: u64) -> (Found, Validation) {
    let shape = |count| AxisShape {
        count,
        ordered: true,
    };
    let space = Space {
        axes: values.map(shape).to_vec(),
        start: vec![2, 1],
    };
    let problem = Problem {
        space: &space,
        aim,
        tables: &|point| Some(Tables::from([table(3 + point[0], 2 + point[1])])),
        first: &[],
        words: &|_| String::new(),
        line_ups: &[],
        name: "",
        tolerance: None,
        budget: BUDGET,
        first_game: 0,
        games: games(seed),
    };
    let play = |player: &mut Player| {
        let found = search(&problem, player)?;
        let left = BUDGET - found.games;
        prove(&problem, found, left, false, player)
    };
    let played = alone(&Threads::start(2).expect("threads"), Level::new(), play);
    played.expect("nothing stops it")
}

fn target(metric: &str, low: Edge, high: Edge) -> MetricTarget {
    MetricTarget {
        metric: MetricRef::find(table(5, 3).layout(), metric).expect("a metric"),
        low,
        high,
        tables: vec![0],
        is_wish: false,
        weight: 1.0,
        unit: 0.0,
    }
}

#[derive(Default)]
struct Heard(Vec<String>);

impl Listener for Heard {
    fn remaining(&mut self, _: u64, _: Option<Going>, status: &str) {
        self.0.push(status.to_string());
    }
}

#[test]
fn targets_are_shown_while_the_search_runs() {
    let cards = target("cards_per_game", Edge::At(10.0), Edge::At(20.0));
    let aim = Aim {
        objective: None,
        targets: vec![cards],
    };
    let axis = AxisShape {
        count: 3,
        ordered: true,
    };
    let space = Space {
        axes: vec![axis],
        start: vec![2],
    };
    let names = ["family".to_string()];
    let problem = Problem {
        space: &space,
        aim: &aim,
        tables: &|point| Some(Tables::from([table(3 + point[0], 3)])),
        first: &[],
        words: &|point| format!("rounds={}", 3 + point[0]),
        line_ups: &names,
        name: "",
        tolerance: None,
        budget: 20_000,
        first_game: 0,
        games: games(1),
    };
    let (threads, mut heard) = (Threads::start(1).expect("threads"), Heard::default());
    let mut player = Player {
        threads: &threads,
        level: Level::new(),
        stop: &AtomicBool::new(false),
        played: &AtomicU64::new(0),
        listener: &mut heard,
        finished: &mut Discard,
        sharing: None,
        each: None,
    };
    assert!(search(&problem, &mut player).is_ok());
    let last: Vec<&str> = heard.0.last().expect("a status").lines().collect();
    assert_eq!(last.len(), 3, "{last:?}");
    assert!(last[0].starts_with("heat 1: rounds=3"), "{last:?}");
    let cells: Vec<&str> = last[2].split_whitespace().collect();
    assert_eq!(cells[..2], ["cards_per_game", "family"], "{last:?}");
    assert_eq!(*cells.last().expect("a verdict"), "undecided", "{last:?}");
}

/// Targets that few values meet, or none: most games go to the search, and what it finds is not
/// further from the targets than the start.
#[test]
fn half_of_the_games_search_and_the_start_is_never_closer() {
    let mut found_start = 0;
    for (values, cards) in [([4, 4], 6.7), ([3, 2], 0.2), ([3, 2], -1.0), ([12, 8], 7.5)] {
        let at_start = 33.5;
        let [low, high] = [at_start - cards, at_start - cards + 0.2].map(Edge::At);
        let aim = Aim {
            objective: None,
            targets: vec![
                target("cards_per_game", low, high),
                target("comeback_rate", Edge::FromStart(0.004), Edge::Open),
            ],
        };
        for seed in 1..6 {
            let (found, validation) = tuned(values, &aim, seed);
            let case = format!("{values:?} {cards} {seed}: {:?}", found.best);
            let searched: u64 = found.tried.iter().map(|tried| tried.games).sum();
            assert_eq!(searched, found.games);
            assert!(2 * searched >= BUDGET, "{case}: {searched}");
            let [best, start] = [&validation.best, &validation.start].map(|of| of.ranks[0]);
            assert!(best.better <= start.worse, "{case}");
            assert_eq!(validation.best.point, found.best);
            // A candidate that meets all targets in the fresh games is not passed over.
            assert!(validation.meeting().next().is_none(), "{case}");
            found_start += usize::from(found.best == [2, 1]);
        }
    }
    assert!(found_start < 20);
}

/// No candidate has so many comebacks, and those with the most are far from the number of cards. The
/// one that meets the other target is kept in every race, whatever the order of the targets.
#[test]
fn a_candidate_that_meets_more_targets_is_never_dropped() {
    let cards = target("cards_per_game", Edge::At(26.3), Edge::At(27.3));
    let comebacks = target("comeback_rate", Edge::At(0.9), Edge::Open);
    for seed in 1..5 {
        for targets in [[&cards, &comebacks], [&comebacks, &cards]] {
            let aim = Aim {
                objective: None,
                targets: targets.map(MetricTarget::clone).to_vec(),
            };
            let (found, validation) = tuned([4, 2], &aim, seed);
            let missed = validation.best.ranks[0];
            assert_eq!(
                [missed.better, missed.worse],
                [1.0, 1.0],
                "{:?}",
                found.best
            );
            // The range has a width of 1; the other unit is how far the metric moved.
            let units = Vec::from_iter(found.aim.targets.iter().map(|target| target.unit));
            let [width, moved] = if targets[0] == &cards {
                [units[0], units[1]]
            } else {
                [units[1], units[0]]
            };
            assert!(
                (width - 1.0).abs() < 1e-9 && (0.01..0.5).contains(&moved),
                "{units:?}"
            );
        }
    }
}

/// A target at one table is sought there, any other as a mean.
#[test]
fn a_target_is_sought_at_its_table() {
    let mut cards = target("cards_per_game", Edge::At(1.0), Edge::Open);
    cards.tables = vec![1];
    let mut comebacks = target("comeback_rate", Edge::At(1.0), Edge::Open);
    comebacks.tables = vec![0, 1, 2];
    let aim = Aim {
        objective: None,
        targets: vec![cards, comebacks],
    };
    let tables = aim.sought(3).into_iter().map(|sought| sought.tables);
    assert_eq!(Vec::from_iter(tables), [1..2, 0..3]);
}

/// Populations are adapted to the best of each search, until a search finds what they are adapted to.
#[test]
fn searches_end_when_the_populations_are_adapted() {
    let cards = MetricRef::find(table(5, 3).layout(), "cards_per_game").expect("a metric");
    let aim = Aim::highest(cards);
    for (start, searches) in [(0, 2), (4, 1)] {
        let axis = AxisShape {
            count: 5,
            ordered: true,
        };
        let space = Space {
            axes: vec![axis],
            start: vec![start],
        };
        let problem = Problem {
            space: &space,
            aim: &aim,
            tables: &|_| None,
            first: &[],
            words: &|_| String::new(),
            line_ups: &[],
            name: "",
            tolerance: None,
            budget: BUDGET,
            first_game: 0,
            games: games(1),
        };
        let mut adapted = vec![space.start.clone()];
        let tables = |adapted: &Vec<Point>, point: &[usize]| {
            assert!(!adapted.is_empty());
            Some(Tables::from([table(3 + point[0], 3)]))
        };
        let mut numbers = Vec::new();
        let mut adapt = |adapted: &mut Vec<Point>, number, best: &Point, _: &mut Player| {
            numbers.push(number);
            adapted.push(best.clone());
            Ok(())
        };
        let play = |player: &mut Player| {
            search_adapted(&problem, &mut adapted, &tables, &mut adapt, player)
        };
        let found = alone(&Threads::start(2).expect("threads"), Level::new(), play);
        let (found, is_settled) = found.unwrap_or_else(|_| panic!("nothing stops it"));
        assert!(is_settled);
        assert_eq!(numbers, Vec::from_iter(1..=searches));
        assert!(
            adapted[1..].iter().all(|point| *point == [4]),
            "{adapted:?}"
        );
        assert_eq!(found.best, [4]);
        let games: u64 = found.tried.iter().map(|tried| tried.games).sum();
        assert_eq!(games, found.games);
        assert!(found.tried.is_sorted_by_key(|tried| tried.round));
    }
}
