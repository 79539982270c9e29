//! Verdicts that may be looked for at any time.

use carat_core::simulation::Goal;
use carat_core::simulation::verdict::{Verdict, at_any_time};
use carat_core::statistics::{Estimate, Moments};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Differences of −1, 0 or 1 a game with this mean, looked at after every `step` games until they
/// are decided; the verdict and the games.
fn decide(
    seed: u64,
    mean: f64,
    margin: Option<f64>,
    most: u64,
    step: u64,
) -> (Option<Verdict>, u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let goal = Goal::Decide { margin, most };
    let (mut sum, mut games) = (Moments::default(), 0);
    while games < most {
        for _ in 0..step {
            let drawn: f64 = random.random();
            let difference =
                i128::from(drawn < 0.25 + mean / 2.0) - i128::from(drawn > 0.75 + mean / 2.0);
            sum.sum += difference;
            sum.squares += difference * difference;
        }
        games += step;
        let found = Estimate::mean(games, &sum, 1.0);
        if goal.reached(games, &[found]) {
            return (Verdict::of(&at_any_time(&found, games, 1), margin), games);
        }
    }
    (None, games)
}

#[test]
fn verdicts_err_in_one_of_twenty_runs_at_most_at_any_time() {
    let wrong = (0..1000).filter(|&seed| decide(seed, 0.0, None, 100_000, 256).0.is_some());
    let wrong = wrong.count();
    println!("{wrong} of 1,000 runs");
    assert!(wrong <= 50);
}

#[test]
fn verdicts_find_differences_and_equality() {
    for (mean, margin, verdict) in [
        (0.05, None, Verdict::More),
        (-0.05, None, Verdict::Less),
        (0.0, Some(0.02), Verdict::Within),
        (0.05, Some(0.02), Verdict::More),
    ] {
        for seed in 0..20 {
            let (found, games) = decide(seed, mean, margin, 1_000_000, 1024);
            assert_eq!(found, Some(verdict), "{mean}: {games} games");
        }
    }
}

/// The figures of METHODS: a fixed number of games finds the difference in 90 % of runs.
#[test]
fn verdicts_take_about_as_many_games_as_a_fixed_number() {
    for mean in [0.02, 0.01] {
        let fixed = 10.507 * 0.5 / (mean * mean);
        let games = (0..200).map(|seed| decide(seed, mean, None, 10_000_000, 1024).1);
        let share = games.sum::<u64>() as f64 / 200.0 / fixed;
        println!("{mean}: {share}");
        assert!((0.8..1.4).contains(&share), "{mean}: {share}");
    }
}

#[test]
fn events_not_yet_seen_are_not_impossible() {
    let none = Estimate::normal(0.0, 0.0);
    let goal = |margin| Goal::Decide {
        margin,
        most: 1_000_000,
    };
    assert!(!goal(Some(0.0005)).reached(4096, &[none]));
    assert!(goal(Some(0.0005)).reached(40_960, &[none]));
    assert!(!goal(None).reached(1 << 30, &[none]));
    // A difference of the rules themselves never varies.
    assert!(goal(None).reached(4096, &[Estimate::normal(-1.0, 0.0)]));
    assert!(!goal(None).reached(4095, &[Estimate::normal(-1.0, 0.0)]));
}

#[test]
fn noise_of_populations_ends_a_run() {
    let noisy = Estimate {
        of_games: Some(0.001),
        ..Estimate::normal(0.05, 0.05)
    };
    assert!(
        Goal::Decide {
            margin: None,
            most: u64::MAX
        }
        .reached(4096, &[noisy])
    );
    let several = [Estimate::normal(1.0, 0.1), Estimate::normal(0.1, 0.1)];
    assert!(
        !Goal::Decide {
            margin: None,
            most: u64::MAX
        }
        .reached(1 << 30, &several)
    );
}
