//! Logit play, in games whose equilibrium is known; and populations of a family.

use crate::fixtures::{edition, game};
use carat_core::adaptation::{
    FamilyTable, Measure, SLOTS, TEMPERATURE, Won, most_games, play_logit,
};
use carat_core::library::Library;
use carat_core::overrides::apply;
use carat_core::simulation::{Stopped, Threads, alone};
use carat_core::tuning::{AxisShape, Point, Space};
use fearless_simd::Level;

const WORTH: [f64; 5] = [0.0, 1.0, 1.5, 0.5, -1.0];
const COST: f64 = 4.0;

/// A matrix game of five strategies, of which each loses `COST` for every other player of its own:
/// in equilibrium, p(s) ~ exp((WORTH[s] - COST p(s)) / TEMPERATURE).
#[test]
fn play_of_a_matrix_game_is_its_quantal_response_equilibrium() {
    let mut exact = [0.2f64; 5];
    for _ in 0..20_000 {
        let payoff = |s: usize| (WORTH[s] - COST * exact[s]) / TEMPERATURE;
        let weights: [f64; 5] = std::array::from_fn(|s| payoff(s).exp());
        let sum: f64 = weights.iter().sum();
        exact = std::array::from_fn(|s| exact[s] + 0.01 * (weights[s] / sum - exact[s]));
    }
    let axis = AxisShape {
        count: 5,
        ordered: true,
    };
    let space = Space {
        axes: vec![axis],
        start: vec![4],
    };
    let measure: &mut Measure = &mut |_, candidates: &[Point], population: &[Point]| {
        let mut won = Vec::new();
        for point in candidates.iter().chain(population) {
            let alike = population.iter().filter(|other| *other == point).count();
            let payoff = WORTH[point[0]] - COST * alike as f64 / SLOTS as f64;
            // Noise that averages 0.
            let noise = 6.0 * ((won.len() * 37 % 64) as f64 - 31.5) / 64.0;
            won.push(Won {
                above: 100.0 * (payoff + noise),
                games: 100.0,
            });
        }
        Ok::<_, Stopped>(won)
    };
    let Ok(population) = play_logit(&space, 200, 0.06, 1, measure) else {
        panic!("nothing stops it");
    };
    assert!(population.is_sorted());
    for (s, exact) in exact.iter().enumerate() {
        let slots = population.iter().filter(|slot| slot[0] == s).count();
        let found = slots as f64 / SLOTS as f64;
        assert!((found - exact).abs() < 0.03, "{s}: {found} {exact}");
    }
}

/// A space of too many points is played at some of them; certain payoffs find the best.
#[test]
fn play_in_a_large_space_finds_the_best_points() {
    let axis = AxisShape {
        count: 50,
        ordered: true,
    };
    let space = Space {
        axes: vec![axis; 4],
        start: vec![10; 4],
    };
    let measure: &mut Measure = &mut |_, candidates: &[Point], population: &[Point]| {
        let all = candidates.iter().chain(population);
        let payoff = |point: &Point| -> f64 {
            let apart = |at: &usize| ((*at as f64 - 30.0) / 10.0).powi(2);
            -point.iter().map(apart).sum::<f64>()
        };
        let won = all.map(|point| Won {
            above: 100.0 * payoff(point),
            games: 100.0,
        });
        Ok::<_, Stopped>(won.collect())
    };
    let Ok(population) = play_logit(&space, 300, 0.06, 1, measure) else {
        panic!("nothing stops it");
    };
    for axis in 0..4 {
        let sum: usize = population.iter().map(|point| point[axis]).sum();
        let mean = sum as f64 / SLOTS as f64;
        assert!((28.0..32.0).contains(&mean), "{axis}: {mean}");
    }
}

/// The best response of the family gains little on its population, which is the same for any number of
/// threads.
#[test]
fn a_population_leaves_little_to_gain() {
    let text = apply("rules", &edition("iello-2016"), &["rounds=3".to_string()]);
    let game = game("diamant");
    let rules = game.rules("rules", &text.expect("a key")).expect("rules");
    let family = Library::default().strategy(game, "simple").expect("a bot");
    let table = FamilyTable {
        games: 5_000,
        ..FamilyTable::new(game, rules, family, 3)
    };
    let populations = [1, 2].map(|threads| {
        let threads = Threads::start(threads).expect("threads");
        let adapted = alone(&threads, Level::new(), |player| table.adapt("", 1, player));
        let Ok(adapted) = adapted else {
            panic!("nothing stops it");
        };
        // Four standard errors of 800 games around what a short search leaves.
        assert!(
            (-0.07..0.14).contains(&adapted.gain.value),
            "{}",
            adapted.gain
        );
        // It may be repeated with four times as many iterations.
        assert!(adapted.games <= most_games(table.games, 0));
        adapted.population
    });
    assert!(populations[0].len() == SLOTS && populations[0].is_sorted());
    assert_eq!(populations[0], populations[1]);
}

/// A bot whose numbers are off stays within their ranges.
#[test]
fn numbers_that_are_off_stay_in_their_ranges() {
    let game = game("diamant");
    let rules = game.rules("rules", &edition("iello-2016")).expect("rules");
    let family = Library::default().strategy(game, "simple").expect("a bot");
    let table = FamilyTable::new(game, rules, family, 3);
    let own = table.seat(&table.space.start, 0.0);
    assert!(table.seated(&vec![own; 3]).is_ok());
    for (axis, (param, values)) in table.axes.iter().enumerate() {
        let last = values.len() - 1;
        for (at, times) in [(0, 0.5), (last, 2.0), (last, 0.9), (0, 1.0)] {
            let mut point = table.space.start.clone();
            point[axis] = at;
            let off = table.seat_off(&point, 0.0, &[(axis, times)]);
            let mut params = off.params();
            let (_, value) = params.find(|(own, _)| own == param).expect("a parameter");
            let expected = (values[at] * times).clamp(values[0], values[last]);
            assert_eq!(value, expected, "{param}");
        }
    }
}
