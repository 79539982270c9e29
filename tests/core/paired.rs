//! Paired differences: the same luck on both sides cancels.

use crate::fixtures::{diamant, games, play_all};
use carat_core::game::{MetricRef, Play, WIN_SHARE, WIN_SHARE_SPREAD};
use carat_core::simulation::paired::{Difference, Pair};
use carat_core::simulation::{Experiment, Threads};
use carat_core::statistics::Estimate;

fn differences(a: &[&str], b: &[&str]) -> Vec<(MetricRef, Option<Difference>)> {
    differences_of(a, b, 1, 20_000)
}

fn differences_of(
    a: &[&str],
    b: &[&str],
    seed: u64,
    games: u64,
) -> Vec<(MetricRef, Option<Difference>)> {
    let tables = [a, b].map(|seats| diamant("iello-2016", &[], seats));
    let tables: Vec<&dyn Play> = tables
        .iter()
        .map(|table| table.as_ref() as &dyn Play)
        .collect();
    let side = |at: usize| (at, tables[at].layout());
    let pair = Pair {
        a: side(0),
        b: side(1),
    };
    let both = [(vec![0, 1], 0)];
    let metrics = |_, _| pair.metrics().collect();
    let mut sides = Experiment::new(tables.clone(), self::games(seed), both, &metrics);
    let threads = Threads::start(0).expect("threads");
    play_all(&mut sides, games, &threads);
    pair.metrics()
        .map(|metric| (metric, sides.compared(metric, 0, 1)))
        .collect()
}

#[test]
fn pairing_detects_small_differences() {
    let a = ["threshold:target=12", "depth", "traps"];
    let b = ["threshold:target=13", "depth", "traps"];
    let found = differences(&a, &b);
    let share = |seat| {
        let wanted = MetricRef::of_seat(WIN_SHARE, seat);
        found
            .iter()
            .find(|(metric, _)| *metric == wanted)
            .expect("known")
            .1
            .expect("known")
    };
    let sum: f64 = (0..3).map(|seat| share(seat).difference.value).sum();
    assert!(sum.abs() < 1e-12, "what one wins the others lose: {sum}");
    assert!(share(0).paired_over_unpaired.expect("known") < 0.7);
    assert!(share(0).difference.se > 0.0);
}

#[test]
#[ignore = "full set"]
fn paired_intervals_keep_their_coverage() {
    let a = ["threshold:target=12", "depth", "traps"];
    let b = ["threshold:target=16", "depth", "traps"];
    let truth = differences_of(&a, &b, 1 << 40, 4_000_000);
    let runs = 600;
    let mut covered = vec![0; truth.len()];
    for seed in 0..runs {
        let found = differences_of(&a, &b, seed, 4000);
        for ((covered, (_, found)), (_, truth)) in covered.iter_mut().zip(&found).zip(&truth) {
            let (Some(found), Some(truth)) = (found, truth) else {
                continue;
            };
            let Estimate { low, high, .. } = found.difference;
            *covered += u64::from((low..=high).contains(&truth.difference.value));
        }
    }
    for ((metric, truth), covered) in truth.iter().zip(&covered) {
        // What never varies is always right, but for rounding.
        if truth.is_none_or(|truth| truth.difference.se < 1e-9) {
            continue;
        }
        let coverage = *covered as f64 / runs as f64;
        // A spread is on the wide side: its ends were picked by the same games.
        let most = if metric.name == WIN_SHARE_SPREAD {
            1.0
        } else {
            0.985
        };
        assert!((0.91..=most).contains(&coverage), "{metric}: {coverage}");
    }
}
