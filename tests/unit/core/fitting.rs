use super::*;
use crate::catalog;

fn habit() -> &'static Habit {
    let game = catalog::find("diamant").expect("a game");
    game.habit.expect("a habit")
}

const PRIOR: [(f64, f64); 6] = [
    (-5.0, 2.0),
    (0.35, 0.2),
    (0.9, 0.7),
    (1.0, 0.7),
    (0.0, 3.0),
    (0.0, 1.0),
];

/// A fit recovers the weights of many simulated decisions within their intervals; without
/// decisions it returns the prior.
#[test]
fn weights_are_found_again() {
    let habit = habit();
    let without = Model {
        habit,
        prior: &PRIOR,
        samples: &[],
    };
    let found = without.likeliest();
    assert!((without.doubt(&found, 1.0) - 1.0).abs() < 1e-9);
    for (found, (mean, _)) in found.iter().zip(PRIOR) {
        assert!((found - mean).abs() < 1e-9);
    }
    let truth = [-6.0, 0.5, 0.4, 0.5, 3.0, 1.0];
    let (mut held, mut all) = (0, 0);
    for run in 0..60 {
        let draw = |number: u64| f64::from(streams::uniform(run, number));
        let looked = (0u64..400).map(|at| {
            let [held, seen, relics] =
                [25.0, 4.0, 3.0].map(|most| most * draw(4 * at + most as u64 % 3));
            let [behind, ahead] = [4, 9].map(|last| f64::from(u8::from(at % 10 == last)));
            [
                held.floor(),
                seen.floor(),
                2.0 * relics.floor(),
                behind,
                ahead,
            ]
        });
        let looked: Vec<[f64; 5]> = looked.collect();
        let samples = (0u64..).zip(&looked).map(|(at, looked)| {
            let (chance, _) = without.chance(&truth, looked);
            (looked.as_slice(), draw(4 * at + 3) < chance)
        });
        let samples: Vec<Sample> = samples.collect();
        let model = Model {
            samples: &samples,
            ..without
        };
        let found = model.likeliest();
        let errors = inverted(model.slopes(&found, 1.0).1);
        for (at, truth) in truth.iter().enumerate() {
            let found = Estimate::normal(found[at], errors[at][at].sqrt());
            held += usize::from((found.low..=found.high).contains(truth));
            all += 1;
        }
    }
    let share = f64::from(held as u32) / f64::from(all);
    assert!((0.9..=0.98).contains(&share), "{held} of {all}");
}

/// Draws have about the mean and the spread of the posterior that they stand for.
#[test]
fn draws_spread_as_the_posterior_does() {
    let model = Model {
        habit: habit(),
        prior: &PRIOR,
        samples: &[],
    };
    let means = PRIOR.map(|(mean, _)| mean);
    let covariance = inverted(model.slopes(&means, 1.0).1);
    let draws = Vec::from_iter((0..50).map(|person| model.draws(&means, &covariance, person)));
    for (at, (mean, doubt)) in PRIOR.iter().enumerate() {
        let values = Vec::from_iter(draws.iter().flatten().map(|weights| weights[at]));
        let all = values.len() as f64;
        let found = values.iter().sum::<f64>() / all;
        let squares = values.iter().map(|value| (value - found).powi(2));
        let spread = (squares.sum::<f64>() / all).sqrt();
        assert!((found - mean).abs() < 0.1 * doubt, "{at}: {found}");
        assert!((spread / doubt - 1.0).abs() < 0.1, "{at}: {spread}");
    }
    assert_ne!(draws[0], draws[1]);
}
