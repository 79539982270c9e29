//! Tests of sums of small tables.

use super::additive::*;
use crate::streams::uniform;

const SHAPE_OF: fn(usize) -> Shape = |tables| Shape {
    kinds: vec![0],
    looks: vec![1, 2],
    base: None,
    tables,
};

/// Decisions among four options of two kinds. What an option is worth depends on both of its
/// numbers together, and each is seen with noise.
fn decisions(count: usize) -> (Decisions, Vec<f32>) {
    let (mut data, mut truth) = (Decisions::new(3), Vec::new());
    for decision in 0..count {
        data.first.push(data.worths.len());
        data.chosen.push(data.worths.len());
        for option in 0..4 {
            let luck = |at: u64| uniform(7, ((decision * 4 + option) as u64) * 8 + at);
            let [kind, a, b] = [luck(0), luck(1) * 4.0, luck(2) * 4.0].map(f32::floor);
            let kind = kind + (option % 2) as f32;
            let worth = match (kind > 0.0, a >= 2.0, b >= 2.0) {
                (true, true, true) | (true, false, false) => 0.1,
                (false, _, true) => 0.05,
                _ => 0.0,
            };
            data.seen.extend([kind, a, b]);
            data.playouts.push(16.0);
            data.worths.push(worth + 0.1 * (luck(3) - 0.5));
            truth.push(worth);
        }
    }
    (data, truth)
}

/// What one who picks by the sums gains a decision over what was taken: mean and standard error.
fn gain(model: &Additive, data: &Decisions, shape: &Shape) -> (f64, f64) {
    let mut picked = data.clone();
    model.choose(&mut picked, shape);
    let both = picked.chosen.iter().zip(&data.chosen);
    let gains = both.map(|(own, taken)| f64::from(data.worths[*own] - data.worths[*taken]));
    let gains: Vec<f64> = gains.collect();
    let count = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / count;
    let squares = gains.iter().map(|gain| gain * gain).sum::<f64>();
    (mean, ((squares / count - mean * mean) / count).sqrt())
}

#[test]
fn what_two_numbers_tell_together_is_found_through_noise() {
    let (mut data, truth) = decisions(4_000);
    let shape = SHAPE_OF(6);
    let model = fit(&data, &shape);
    let (gain, se) = gain(&model, &data, &shape);
    assert!(gain > 10.0 * se, "{gain} ± {se}");
    model.choose(&mut data, &shape);
    let best = |decision: usize| {
        let most = data.options(decision).map(|option| truth[option]);
        truth[data.chosen[decision]] >= most.fold(0.0, f32::max)
    };
    let right = (0..data.len()).filter(|&decision| best(decision)).count();
    assert!(right > 3_900, "{right}");
    let again = fit(&decisions(4_000).0, &shape);
    assert_eq!(model, again);
}

#[test]
fn a_bot_that_does_not_see_a_number_takes_the_mean() {
    let (data, _) = decisions(2_000);
    let shape = SHAPE_OF(6);
    let model = fit(&data, &shape);
    let blind = model.without(1).expect("it looks at it");
    assert!(blind.without(1).is_none());
    assert!(gain(&blind, &data, &shape).0 < gain(&model, &data, &shape).0);
    let sum = |model: &Additive| -> f64 {
        let of = |term: &Term| term.heights.iter().sum::<f64>() / term.heights.len() as f64;
        model.terms.iter().map(of).sum()
    };
    assert!((sum(&blind) - sum(&model)).abs() < 1e-9);
}

#[test]
fn the_first_decisions_are_forgotten() {
    let (mut data, _) = decisions(10);
    let (whole, _) = decisions(10);
    data.forget(4);
    assert_eq!((data.len(), data.worths.len()), (6, 24));
    assert_eq!(data.seen[..], whole.seen[4 * 4 * 3..]);
    assert_eq!(data.options(5), 20..24);
    data.forget(6);
    assert!(data.is_empty() && data.worths.is_empty());
}
