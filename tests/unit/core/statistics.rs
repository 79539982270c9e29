use super::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn moments(values: &[i128]) -> Moments {
    let (sum, squares) = (values.iter().sum(), values.iter().map(|v| v * v).sum());
    Moments { sum, squares }
}

#[test]
fn a_mean_knows_its_error() {
    let estimate = Estimate::mean(4, &moments(&[2, 4, 4, 6]), 1.0);
    assert_eq!(estimate.value, 4.0);
    assert!((estimate.se - (8.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    assert!(estimate.low < 4.0 && estimate.high > 4.0);
}

#[test]
fn a_proportion_of_ones_and_zeros_is_wilsons() {
    // 10 of 20: center stays at one half; half-width by the textbook formula.
    let wins: Vec<i128> = (0..20).map(|i| i128::from(i < 10)).collect();
    let estimate = Estimate::proportion(20, &moments(&wins), 1.0);
    assert!((estimate.low + estimate.high - 1.0).abs() < 1e-12);
    assert!((estimate.low - 0.299_298).abs() < 1e-6, "{estimate:?}");
}

#[test]
fn proportions_at_the_ends_stay_sane() {
    let never = Estimate::proportion(1000, &moments(&[0; 1000]), 1.0);
    assert_eq!((never.value, never.low), (0.0, 0.0));
    assert!(never.high > 0.001 && never.high < 0.01);
    let always = Estimate::proportion(1000, &moments(&[840; 1000]), 840.0);
    assert_eq!((always.value, always.high), (1.0, 1.0));
    assert!(always.low < 0.999 && always.low > 0.99);
    let shared = Estimate::proportion(1000, &moments(&[168; 1000]), 840.0);
    assert_eq!((shared.low, shared.high, shared.se), (0.2, 0.2, 0.0));
}

#[test]
fn one_game_has_no_standard_error() {
    let estimate = Estimate::proportion(1, &moments(&[840]), 840.0);
    assert_eq!((estimate.low, estimate.high), (0.0, 1.0));
    assert!(Estimate::mean(1, &moments(&[5]), 1.0).se.is_infinite());
    let unknown = Estimate::normal(0.4, f64::INFINITY).wilson(10, 10);
    assert_eq!((unknown.low, unknown.high), (0.0, 1.0));
}

#[test]
fn a_ratio_of_proportional_sums_is_certain() {
    let d = [1, 2, 3, 4];
    let x = [3, 6, 9, 12];
    let products = d.iter().zip(&x).map(|(d, x)| d * x).sum();
    let estimate = Estimate::ratio(4, &moments(&x), &moments(&d), products).unwrap();
    assert_eq!((estimate.value, estimate.se), (3.0, 0.0));
    let third = Estimate::ratio(4, &moments(&d), &moments(&x), products).unwrap();
    assert_eq!((third.value, third.se), (1.0 / 3.0, 0.0));
    // Nor do populations that differ by the rounding of their figures.
    let third = third.over(&[1.0 / 3.0, 0.333_333_333_333_333_26].map(Some));
    assert_eq!((third.se, third.low), (0.0, third.high));
    let nothing = Estimate::ratio(4, &moments(&x), &Moments::default(), 0);
    assert_eq!(nothing, None);
}

#[test]
fn units_and_levels_change_all_of_an_estimate() {
    let points = Estimate::normal(0.5, 0.01).minus(0.25).scaled(100.0);
    let all = |e: Estimate| [e.value, e.se, e.low, e.high];
    let wanted = all(Estimate::normal(25.0, 1.0));
    let near = |a: [f64; 4], b: [f64; 4]| (0..4).all(|i| (a[i] - b[i]).abs() < 1e-9);
    assert!(near(all(points), wanted), "{points:?}");
    let turned = points.scaled(-1.0);
    assert!(near(all(turned), [-25.0, 1.0, -wanted[3], -wanted[2]]));
}

#[test]
fn more_rivals_need_a_clearer_difference() {
    assert!((best_set_z(2, 1) - 1.644_854).abs() < 1e-5);
    assert!((best_set_z(51, 1) - 3.090_232).abs() < 1e-5);
    assert_eq!(best_set_z(11, 5), best_set_z(51, 1));
    assert!(best_set_z(1, 0) > 1.6);
}

/// The spreads of many simulated matches of `games` games among bots that win with these
/// chances.
fn spreads(chances: &[f64], games: u64) -> Vec<Estimate> {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(1);
    let play = |_| {
        let mut wins = vec![0; chances.len()];
        for _ in 0..games {
            let mut left: f64 = draws.random();
            let wins_now = |chance: &f64| {
                left -= chance;
                left < 0.0
            };
            wins[chances.iter().position(wins_now).unwrap_or(0)] += 1;
        }
        let share = |&wins: &i128| Moments {
            sum: wins,
            squares: wins,
        };
        Estimate::spread(games, &wins.iter().map(share).collect::<Vec<_>>(), 1.0)
    };
    (0..2_000).map(play).collect()
}

#[test]
fn a_spread_knows_its_standard_error() {
    for (chances, within) in [
        (vec![0.4, 0.25, 0.2, 0.1, 0.05], 0.05),
        (vec![0.6, 0.4], 0.05),
        (vec![0.2; 5], 0.15),
    ] {
        let found = spreads(&chances, 1_000);
        let values: Vec<f64> = found.iter().map(|spread| spread.value).collect();
        let sd = standard_error(&values) * (values.len() as f64).sqrt();
        let mean_se = found.iter().map(|spread| spread.se).sum::<f64>() / found.len() as f64;
        assert!(
            (mean_se / sd - 1.0).abs() < within,
            "{chances:?}: {mean_se} for {sd}"
        );
        let true_spread = chances[0] - chances[chances.len() - 1];
        let holds = |spread: &&Estimate| (spread.low..=spread.high).contains(&true_spread);
        let held = found.iter().filter(holds).count();
        assert!(held >= 1_880, "{chances:?}: {held} of 2,000 intervals hold");
    }
    let clear = spreads(&[0.4, 0.25, 0.2, 0.1, 0.05], 1_000);
    let held = |spread: &&Estimate| (spread.low..=spread.high).contains(&0.35);
    assert!(
        clear.iter().filter(held).count() <= 1_920,
        "not wider than 95 %"
    );
}

#[test]
fn shared_wins_count_in_a_spread() {
    // Of two seats the second share follows from the first.
    let (x, y) = (moments(&[840, 420, 0, 420]), moments(&[0, 420, 840, 420]));
    let spread = Estimate::spread(4, &[x, y], 840.0);
    let mean = Estimate::mean(4, &moments(&[840, 0, -840, 0]), 840.0);
    assert_eq!((spread.value, spread.high), (0.0, mean.high));
    assert_eq!((widening(1), widening(2)), (1.0, 1.0));
}

#[test]
fn quantiles_are_exact() {
    let histogram = [5, 0, 3, 2];
    let found = [0.5, 0.51, 0.95, 0.0].map(|q| quantile(&histogram, q));
    assert_eq!(found, [0, 2, 3, 0]);
}

#[test]
fn a_new_value_differs_more_than_the_mean() {
    // A variance of 2, and a half of it again for the mean of two.
    assert!((predictive_error(&[1.0, 3.0]) - 3.0f64.sqrt()).abs() < 1e-12);
    assert_eq!(predictive_error(&[0.5; 9]), 0.0);
}
