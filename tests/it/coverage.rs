//! The stated 95 % intervals hold the truth about 95 times in a hundred.

use crate::fixtures::{diamant, play};
use carat::game::Record;
use carat::simulation::Tally;
use carat::statistics::Estimate;
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
        let wins = (0..4).map(|seat| tally.win_share(layout, seat));
        let scores = (0..4).map(|seat| tally.score(layout, seat));
        let busts = (0..4).map(|seat| tally.seat_metric(layout, seat, &layout.seat_metrics[0]));
        let ratios = (0..4).map(|seat| tally.seat_metric(layout, seat, &layout.seat_metrics[2]));
        let table = layout
            .table_metrics
            .iter()
            .map(|metric| tally.table_metric(layout, metric));
        wins.chain(scores)
            .chain(busts.flatten())
            .chain(ratios.flatten())
            .chain(table.flatten())
            .collect()
    };
    let truth: Vec<f64> = figures(&play(table.as_ref(), 99, 4_000_000))
        .iter()
        .map(|estimate| estimate.value)
        .collect();

    let (runs, games) = (4000, 500);
    let mut covered = vec![0; truth.len()];
    let mut record = Record::new(layout, games);
    for run in 0..runs {
        record.clear(games);
        table.play(Level::new(), 7, run * games as u64, &mut record);
        let mut tally = Tally::new(layout);
        tally.add(Level::new(), layout, &record);
        for (covered, (estimate, truth)) in
            covered.iter_mut().zip(figures(&tally).iter().zip(&truth))
        {
            *covered += u64::from((estimate.low..=estimate.high).contains(truth));
        }
    }
    for (index, covered) in covered.iter().enumerate() {
        let coverage = *covered as f64 / runs as f64;
        // Three standard errors of the measured coverage on either side, and what is certain
        // (a bot that never busts) is always covered.
        let certain = coverage == 1.0;
        assert!(
            certain || (0.935..=0.965).contains(&coverage),
            "figure {index}: {coverage}"
        );
    }
    let mean: f64 = covered.iter().map(|&covered| covered as f64).sum::<f64>();
    println!(
        "mean coverage {:.4}",
        mean / covered.len() as f64 / runs as f64
    );
}
