//! Golden files: transcripts of games, and every chart as SVG.
//!
//! `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; read the difference.

use crate::fixtures::{edition, game, table};
use carat::charts::Chart;
use carat::charts::convergence::{Convergence, Quantity, SeatRun};
use carat::charts::differences::{DifferenceRow, Differences};
use carat::charts::matrix::{BestOf, Mark, Matrix, MatrixCell};
use carat::charts::response::{Response, ResponsePoint};
use carat::charts::scores::{Scores, SeatScores};
use carat::charts::win_shares::{SeatShare, WinShares};
use carat::figure::{
    HeatMap, HeatPanel, Histogram, Leaving, Lines, Panel, SeatLeaving, Stack, StackRow,
};
use expect_test::expect_file;

#[test]
fn transcripts_read_well() {
    let bots = ["threshold", "depth:cards=5", "relic-hunter", "last-out"];
    for name in [
        "iello-2016",
        "schmidt-2005-alt",
        "incan-gold-2006",
        "incan-gold-2020",
    ] {
        let table = table(game("diamant"), &edition(name), &bots).expect("open to these bots");
        let file = format!("golden/replay-{name}.txt");
        expect_file![&file].assert_eq(&table.replay(7, 42, true));
    }
}

#[test]
fn charts_are_drawn_alike() {
    let title = || "A title".to_string();
    let subtitle = || "Diamant · iello-2016 · 2 players · 1,000 games".to_string();
    let labels = ["1 threshold:target=8", "2 last-out"];
    let charts: [(&str, Box<dyn Chart>); 11] = [
        (
            "heat_map",
            Box::new(HeatMap {
                title: title(),
                subtitle: subtitle(),
                unit: "diamonds a game".to_string(),
                columns: 3,
                panels: labels
                    .map(|label| HeatPanel {
                        label: label.to_string(),
                        values: (0..9).map(f64::from).collect(),
                    })
                    .to_vec(),
            }),
        ),
        (
            "stack",
            Box::new(Stack {
                title: title(),
                subtitle: subtitle(),
                unit: "points".to_string(),
                parts: vec!["diamonds".to_string(), "torches".to_string()],
                rows: labels
                    .map(|label| StackRow {
                        label: label.to_string(),
                        parts: vec![8.0, 3.5],
                    })
                    .to_vec(),
                decimals: 1,
                sums: true,
            }),
        ),
        (
            "lines",
            Box::new(Lines {
                title: title(),
                subtitle: subtitle(),
                x_title: "round".to_string(),
                x: vec![1.0, 2.0, 3.0],
                labels: labels.map(str::to_string).to_vec(),
                panels: vec![Panel {
                    heading: "shovels".to_string(),
                    lines: vec![vec![0.0, 1.0, 2.0], vec![0.5, 0.6, 0.4]],
                }],
                note: "A remark.".to_string(),
            }),
        ),
        (
            "histogram_bars",
            Box::new(Histogram {
                title: title(),
                subtitle: subtitle(),
                x_title: "rounds".to_string(),
                y_title: "share of games".to_string(),
                labels: ["1", "2", "3"].map(str::to_string).to_vec(),
                shares: vec![0.2, 0.5, 0.3],
                reference: Some((0.33, "equal share".to_string())),
                note: String::new(),
            }),
        ),
        (
            "response",
            Box::new(Response {
                title: title(),
                subtitle: subtitle(),
                axis: "seats.1.target".to_string(),
                unit: "win share".to_string(),
                share: true,
                joined: true,
                points: [(0.2, false), (0.3, true), (0.31, true)]
                    .iter()
                    .zip(4..)
                    .map(|(&(value, tied), at)| ResponsePoint {
                        label: at.to_string(),
                        at: f64::from(at),
                        value,
                        low: value - 0.02,
                        high: value + 0.02,
                        tied,
                    })
                    .collect(),
                best: Some(2),
            }),
        ),
        (
            "matrix",
            Box::new(Matrix {
                title: title(),
                subtitle: subtitle(),
                row_axis: "this bot".to_string(),
                column_axis: "against this bot".to_string(),
                rows: labels.map(str::to_string).to_vec(),
                columns: (0..9)
                    .map(|i| format!("{} threshold:target={i}", i + 1))
                    .collect(),
                unit: "win share".to_string(),
                share: true,
                cells: (0..18)
                    .map(|i| {
                        let mark = match i {
                            17 => Mark::Best,
                            15 | 16 => Mark::Tied,
                            _ => Mark::None,
                        };
                        let value = 0.4 + 0.01 * f64::from(i);
                        (i != 9).then_some(MatrixCell { value, mark })
                    })
                    .collect(),
                middle: Some(0.5),
                best_of: BestOf::All,
            }),
        ),
        (
            "differences",
            Box::new(Differences {
                title: title(),
                subtitle: subtitle(),
                axis: "percentage points".to_string(),
                rows: [(1.3, labels[0]), (-0.1, labels[1])]
                    .map(|(value, label)| DifferenceRow {
                        label: label.to_string(),
                        value,
                        low: value - 0.2,
                        high: value + 0.2,
                    })
                    .to_vec(),
            }),
        ),
        (
            "win_shares",
            Box::new(WinShares {
                title: title(),
                subtitle: subtitle(),
                seats: [(0.6, labels[0]), (0.4, labels[1])]
                    .map(|(share, label)| SeatShare {
                        label: label.to_string(),
                        share,
                        low: share - 0.03,
                        high: share + 0.03,
                    })
                    .to_vec(),
            }),
        ),
        (
            "scores",
            Box::new(Scores {
                title: title(),
                subtitle: subtitle(),
                unit: "rubies".to_string(),
                seats: labels
                    .map(|label| SeatScores {
                        label: label.to_string(),
                        histogram: (0..40).map(|score| (score, 40 - score as u64)).collect(),
                        mean: 13.0,
                    })
                    .to_vec(),
            }),
        ),
        (
            "convergence",
            Box::new(Convergence {
                title: title(),
                subtitle: subtitle(),
                unit: "win share".to_string(),
                quantity: Quantity::Share,
                seats: [(0.6, labels[0]), (0.4, labels[1])]
                    .map(|(share, label)| SeatRun {
                        label: label.to_string(),
                        games: vec![100, 1000],
                        value: vec![share + 0.05, share],
                        low: vec![share - 0.05, share - 0.03],
                        high: vec![share + 0.15, share + 0.03],
                    })
                    .to_vec(),
            }),
        ),
        (
            "leaving",
            Box::new(Leaving {
                title: title(),
                subtitle: subtitle(),
                depths: vec![1, 2, 3],
                seats: labels
                    .map(|label| SeatLeaving {
                        label: label.to_string(),
                        left: vec![0.1, 0.5, 0.2],
                        lost: 0.2,
                    })
                    .to_vec(),
                risk: vec![Some(0.05), Some(0.1), None],
                reached: vec![1.0, 0.85, 0.3],
            }),
        ),
    ];
    for (name, chart) in charts {
        let file = format!("golden/chart-{name}.svg");
        expect_file![&file].assert_eq(&chart.svg().expect("the columns fit together"));
    }
}
