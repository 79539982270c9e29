//! Examples of charts of rows.

use super::{BOTS, Examples, TITLE, estimate, label, texts};
use crate::charts::rows::{Figures, Row, RowLine, Rows};
use crate::charts::scores::{ScoresChart, SeatScores};
use crate::charts::strips::{Strip, Strips};
use crate::figure::{StackedBar, StackedBars};
use crate::statistics::Estimate;

pub fn rows() -> Examples {
    let chart = |shares: &[f64], half: f64| {
        let row = |(seat, &share): (usize, &f64)| {
            let share = Estimate {
                low: (share - half).max(0.0),
                high: (share + half).min(1.0),
                ..estimate(share, half)
            };
            Row::of(label(seat), seat, share)
        };
        Rows {
            title: TITLE.into(),
            axis: "share of games won".into(),
            figures: Figures::Shares,
            level: Some((1.0 / shares.len().max(1) as f64, "equal share".into())),
            rows: shares.iter().enumerate().map(row).collect(),
            ..Rows::default()
        }
    };
    let mut golden = chart(&[0.6, 0.4], 0.03);
    golden.level = Some((0.5, "equal share 50 %".into()));
    for (row, seat) in golden.rows.iter_mut().zip([1, 0]) {
        (row.lines[0].seat, row.label) = (seat, BOTS[seat].into());
    }
    let mut points = chart(&[12.0, -3.5, 40.0], 0.0);
    for row in &mut points.rows {
        row.lines[0].estimate = estimate(row.lines[0].estimate.value, 0.5);
        row.detail = "what this bot does, in so many words that two lines do not hold all".into();
    }
    (points.figures, points.level) = (Figures::Values, None);
    let others = vec![
        chart(&[], 0.0),
        chart(&[1.0], 0.0),
        chart(&[0.5, 0.5], 0.2),
        chart(&[0.231, 0.2, 0.199, 0.187, 0.183], 0.001),
        chart(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0),
        chart(&[0.125; 30], 0.000_4),
        points,
    ];
    let named = chart(&[0.234, 0.266, 0.5], 0.001);
    let broken = chart(&[0.5, f64::NAN], 0.1);
    Examples::of("rows", golden, others)
        .refusing(broken, "finite numbers are needed")
        .saying(named, &["23.4 ± 0.1 %", "equal share"])
}

pub fn differences() -> Examples {
    let chart = |values: &[f64], half: f64| {
        let row = |(index, &value)| Row::one(label(index), estimate(value, half));
        let rows = values.iter().enumerate().map(row).collect();
        Rows::differences(TITLE, "percentage points", rows)
    };
    let mut golden = chart(&[1.3, -0.1], 0.2);
    for (row, bot) in golden.rows.iter_mut().zip(BOTS) {
        row.label = bot.into();
    }
    let mut side_by_side = chart(&[1.5, -0.2, 12.0], 0.1);
    for row in &mut side_by_side.rows {
        let half = row.lines[0].estimate.scaled(-0.5);
        row.lines.push(RowLine {
            seat: 2,
            name: String::new(),
            estimate: half,
        });
    }
    let longest =
        "d: a long name, and longer still, with all that it changes in the rules of a game";
    side_by_side.key = texts(["b: traps.snake=4", "c: players=3", longest]);
    let mut grouped = chart(&[0.5; 6], 0.1);
    for (index, row) in grouped.rows.iter_mut().enumerate() {
        row.group = format!("{} players", 4 + index / 3);
    }
    let others = vec![
        chart(&[], 0.0),
        chart(&[0.0], 0.0),
        chart(&[1.5, -0.2, 0.01], 0.1),
        chart(&[12_345.0, -0.5], 3.0),
        chart(&[0.001; 12], 0.000_4),
        chart(&[-2.0; 30], 0.1),
        side_by_side,
        grouped,
    ];
    let signed = chart(&[1.3, -0.7, 0.01], 0.1);
    Examples::of("differences", golden, others)
        .saying(signed, &["+1.3 ± 0.1", "−0.7 ± 0.1", "0.0 ± 0.1"])
}

pub fn changes() -> Examples {
    let chart = |values: &[(f64, f64)], half: f64| {
        let step = |to: &str, value: f64, seat: usize| RowLine {
            seat,
            name: to.into(),
            estimate: estimate(value, half),
        };
        let row = |(index, &(down, up)): (usize, &(f64, f64))| Row {
            label: label(index),
            lines: vec![step("down to 11", down, 1), step("up to 13", up, 0)],
            ..Row::default()
        };
        Rows {
            title: TITLE.into(),
            axis: "percentage points".into(),
            figures: Figures::Changes,
            rows: values.iter().enumerate().map(row).collect(),
            note: "No step of this changes anything: reach.".into(),
            ..Rows::default()
        }
    };
    let mut alone = chart(&[(0.0, 0.0)], 0.0);
    alone.rows[0].lines.clear();
    let others = vec![
        chart(&[], 0.0),
        chart(&[(0.0, 0.0)], 0.0),
        chart(&[(-1.5, 0.4), (-0.2, -9000.0)], 0.1),
        chart(&[(-0.001, 0.002); 20], 0.000_4),
        alone,
    ];
    let golden = chart(&[(-1.3, -0.4), (0.05, -2.1)], 0.2);
    Examples::of("changes", golden, others)
}

pub fn scores() -> Examples {
    let chart = |histograms: Vec<Vec<u64>>| {
        let seat = |(seat, histogram): (usize, Vec<u64>)| {
            let games: u64 = histogram.iter().sum();
            let sum: u64 = (0..).zip(&histogram).map(|(score, n)| score * n).sum();
            SeatScores {
                label: label(seat),
                histogram,
                mean: sum as f64 / games.max(1) as f64,
            }
        };
        ScoresChart {
            title: TITLE.into(),
            unit: "rubies".into(),
            seats: histograms.into_iter().enumerate().map(seat).collect(),
        }
    };
    let bell = |mean: f64, width: f64, zeros: u64| {
        let games = |score: u32| {
            let z = (f64::from(score) - mean) / width;
            (40_000.0 * (-0.5 * z * z).exp()) as u64
        };
        let mut histogram: Vec<_> = (0..160).map(games).collect();
        histogram[0] += zeros;
        histogram
    };
    // All games ended with one of a few scores.
    let only = |scores: &[usize]| -> Vec<u64> {
        let games = |score| u64::from(scores.contains(&score));
        (0..1000).map(games).collect()
    };
    let mut golden = chart(vec![(1..=40).rev().collect(); 2]);
    for (seat, bot) in golden.seats.iter_mut().zip(BOTS) {
        (seat.label, seat.mean) = (bot.into(), 13.0);
    }
    let cut = (0..5).map(|i| bell(30.0 + 5.0 * f64::from(i), 10.0, 9_000));
    let cut_far = (0..8).map(|i| bell(20.0, 4.0 + f64::from(i), 100_000));
    let others = vec![
        chart(vec![]),
        chart(vec![vec![]]),
        chart(vec![only(&[7])]),
        chart(vec![only(&[0, 900]), bell(40.0, 12.0, 0)]),
        chart(vec![only(&[5]), vec![]]),
        chart(cut.collect()),
        chart(cut_far.collect()),
    ];
    Examples::of("scores", golden, others)
}

pub fn stacked_bars() -> Examples {
    let chart = |rows: &[&[f64]]| {
        let row = |(seat, parts): (usize, &&[f64])| StackedBar {
            label: label(seat),
            parts: parts.to_vec(),
        };
        let parts = rows.first().map_or(4, |row| row.len());
        StackedBars {
            title: TITLE.into(),
            unit: "points".into(),
            parts: (0..parts)
                .map(|part| format!("part number {part}"))
                .collect(),
            rows: rows.iter().enumerate().map(row).collect(),
            ordered: false,
            decimals: 1,
            sums: true,
        }
    };
    let mut golden = chart(&[&[8.0, 3.5], &[8.0, 3.5]]);
    golden.parts = texts(["diamonds", "torches"]);
    for (row, bot) in golden.rows.iter_mut().zip(BOTS) {
        row.label = bot.into();
    }
    let mut ordered = golden.clone();
    (ordered.ordered, ordered.sums) = (true, false);
    let eight = [
        [0.0; 8], [1.0; 8], [2.0; 8], [3.0; 8], [4.0; 8], [5.0; 8], [6.0; 8], [7.0; 8],
    ];
    let others = vec![
        chart(&[&[12.0, 3.5, 0.2, 0.0], &[8.0, 0.0, 4.1, 2.2]]),
        chart(&eight.each_ref().map(|row| &row[..])),
        chart(&[]),
        chart(&[&[0.0, 0.0], &[0.0, 0.0]]),
        chart(&[&[0.001], &[0.0]]),
        ordered,
    ];
    let mut short = chart(&[&[1.0, 2.0]]);
    short.rows[0].parts.pop();
    let broken = chart(&[&[f64::NAN]]);
    Examples::of("stacked_bars", golden, others)
        .refusing(short, "parts of")
        .refusing(broken, "finite numbers are needed")
}

pub fn strips() -> Examples {
    let strip = |points: &[f64], wanted| Strip {
        label: "cards turned over in a game".into(),
        share: false,
        wanted,
        points: points.to_vec(),
        named: vec![("start 39.2".into(), 39.2), ("best 31.6".into(), 31.6)],
    };
    let chart = |strips| Strips {
        title: TITLE.into(),
        strips,
        note: "Each dot is a candidate.".into(),
    };
    let points = [39.2, 31.0, 33.5, 36.0, 31.7, 30.2];
    let golden = chart(vec![strip(&points, (Some(31.0), Some(32.0)))]);
    let mut bare = strip(&[], (None, None));
    bare.named.clear();
    let many = strip(&[31.0; 200], (Some(31.0), None));
    Examples::of(
        "strips",
        golden,
        vec![chart(vec![]), chart(vec![bare, many])],
    )
}
