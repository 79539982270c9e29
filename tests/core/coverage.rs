//! The stated 95 % intervals hold the truth about 95 times in a hundred.

use crate::fixtures::{diamant, estimate, play, watch};
use carat_core::game::{Record, WIN_SHARE, WIN_SHARE_SPREAD};
use carat_core::simulation::{Experiment, Games, Goal, Tally, Threads, widest};
use carat_core::statistics::Estimate;
use fearless_simd::Level;

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let seats = [
        "threshold:target=8",
        "threshold:target=16",
        "traps:nerve=3",
        "random:leave=0.3",
    ];
    let table = diamant("iello-2016", &[], &seats);
    let layout = table.layout();
    let figures = |tally: &Tally| -> Vec<Estimate> {
        let estimates = layout.metrics().map(|metric| {
            tally
                .estimate(layout, metric)
                .expect("something to divide by")
        });
        estimates.collect()
    };
    let truth: Vec<f64> = figures(&play(table.as_ref(), 99, 4_000_000))
        .iter()
        .map(|estimate| estimate.value)
        .collect();

    let (runs, games) = (4000, 500);
    let mut covered = vec![0; truth.len()];
    let mut record = Record::new(layout, games);
    for number in 0..runs {
        record.clear(games);
        table.play(Level::new(), 7, number * games as u64, &mut record);
        let mut tally = Tally::new(layout);
        tally.add(Level::new(), layout, 0, &record);
        for (covered, (estimate, truth)) in
            covered.iter_mut().zip(figures(&tally).iter().zip(&truth))
        {
            *covered += u64::from((estimate.low..=estimate.high).contains(truth));
        }
    }
    let mut coverages = Vec::new();
    for (metric, covered) in layout.metrics().zip(&covered) {
        let coverage = *covered as f64 / runs as f64;
        // Three standard errors of the measured coverage on either side, and what is certain
        // (a bot that never busts) is always covered. A spread is on the wide side.
        let wide = coverage == 1.0 || metric.name == WIN_SHARE_SPREAD;
        let most = if wide { 1.0 } else { 0.965 };
        assert!((0.935..=most).contains(&coverage), "{metric}: {coverage}");
        if !wide {
            coverages.push(coverage);
        }
    }
    let mean = coverages.iter().sum::<f64>() / coverages.len() as f64;
    println!(
        "intervals of {} metrics hold in {:.1} % of {runs} runs",
        coverages.len(),
        100.0 * mean
    );
}

#[test]
#[ignore = "full set"]
fn intervals_keep_their_coverage_under_early_stopping() {
    let seats = ["threshold:target=8", "threshold:target=16", "traps:nerve=3"];
    let table = diamant("iello-2016", &[], &seats);
    let layout = table.layout();
    let shares = |tally: &Tally| [0, 1, 2].map(|seat| tally.seat(layout, WIN_SHARE, seat));
    let known = play(table.as_ref(), 1 << 40, 4_000_000);
    let truth = shares(&known).map(|share| share.value);
    // The width to expect at one of the ends of blocks, so that luck decides which run stops there.
    let goal = Goal::Precision {
        half_width: widest(&shares(&known)) * (4_000_000.0f64 / 5_786.0).sqrt(),
        most: 1_000_000,
    };
    let runs = 2000;
    let threads = Threads::start(1).expect("a thread");
    let mut covered = [0; 3];
    let mut lengths = std::collections::BTreeSet::new();
    for seed in 0..runs {
        let games = Games { seed, chunk: 2048 };
        let mut run = Experiment::apart(vec![table.as_ref()], games);
        watch(&mut run, goal, &threads, |run| {
            shares(&run.tallies[0]).to_vec()
        });
        let tally = &run.tallies[0];
        lengths.insert(tally.games);
        for (covered, (share, truth)) in covered.iter_mut().zip(shares(tally).iter().zip(&truth)) {
            *covered += u64::from((share.low..=share.high).contains(truth));
        }
    }
    assert!(
        lengths.len() > 1,
        "runs end at different lengths: {lengths:?}"
    );
    for (seat, covered) in covered.iter().enumerate() {
        let coverage = *covered as f64 / runs as f64;
        // Four standard errors of the measured coverage.
        assert!((0.93..=0.97).contains(&coverage), "seat {seat}: {coverage}");
    }
}

/// The spread of the win shares at a table.
fn spread(seats: &[&str], seed: u64, games: u64) -> Estimate {
    let table = diamant("iello-2016", &[], seats);
    let tally = play(table.as_ref(), seed, games);
    estimate(&tally, table.layout(), WIN_SHARE_SPREAD)
}

#[test]
fn a_spread_lies_in_its_interval_however_alike_the_bots_are() {
    // Copies of a bot that decides without luck share every win.
    let copies = spread(&["depth"; 5], 1, 2000);
    assert_eq!((copies.value, copies.se), (0.0, 0.0));
    let alike = (["random"; 5], 0.0);
    let apart = [
        "threshold:target=6",
        "depth",
        "threshold",
        "depth",
        "random",
    ];
    let apart = (apart, spread(&apart, 1000, 400_000).value);
    for (seats, truth) in [alike, apart] {
        let holds = |seed: &u64| {
            let found = spread(&seats, *seed, 2000);
            assert!(found.value >= 0.0 && found.se > 0.0);
            found.low <= truth && truth <= found.high
        };
        let held = (0..200).filter(holds).count();
        // 190 of 200 are asked for; so few would be 2.6 standard errors fewer.
        assert!(held >= 182, "{seats:?}: {held} of 200");
    }
}
