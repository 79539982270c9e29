//! Logit play, in games whose equilibrium is known.

use carat_core::adaptation::{Measure, SLOTS, TEMPERATURE, Won, play_logit};
use carat_core::simulation::Stopped;
use carat_core::tuning::{AxisShape, Point, Space};

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
