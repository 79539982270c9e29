//! How long an answer takes: seconds on one thread until the difference between the win shares of
//! two bots is known to ±0.1 percentage points at 95 %.
//!
//! `cargo bench --bench answer` seats one bot, and then the other, beside the same four opponents,
//! and prints the seconds (a) when the two play games of their own, (b) when they play the same
//! games, and (c) when moreover the luck of the cards is taken out by control variates: what solo
//! explorers with fixed habits bring home from the same cards, which is pure luck. Their games
//! cost time too, and it is counted. Seconds follow from the variance a game and the time a game,
//! both measured here.

#[path = "common/table.rs"]
mod table;
#[path = "common/time.rs"]
mod time;

use carat_core::game::{Record, SCORE, Table, WIN, WIN_UNITS};
use carat_core::statistics::Z95;
use fearless_simd::Level;
use time::seconds;

const GAMES: usize = 8192;
const CHUNKS: u64 = 100;
const HALF_WIDTH: f64 = 0.001;
const OPPONENTS: [&str; 4] = ["depth:cards=5", "risk", "traps", "chaser"];
const SOLO: [&str; 3] = ["depth:cards=3", "depth:cards=6", "threshold:target=12"];
const PAIRS: [[&str; 2]; 4] = [
    ["threshold:target=15", "threshold:target=16"],
    ["threshold:target=12", "threshold:target=15"],
    ["threshold:target=15", "depth"],
    ["risk", "last-out"],
];

fn main() {
    let level = Level::new();
    let solo = SOLO.map(|bot| table::table("diamant", &[bot]));
    let luck: Vec<(Vec<f64>, f64)> = solo
        .iter()
        .map(|t| played(t.as_ref(), level, SCORE))
        .collect();
    println!("Seconds on one thread to ±0.1 percentage points, iello-2016, five at the table\n");
    println!(
        "{:<44}{:>10}{:>8}{:>18}{:>12}",
        "the two bots", "unpaired", "paired", "paired, control", "explained"
    );
    for bots in PAIRS {
        let [a, b] = bots.map(|bot| table::table("diamant", &[&[bot], &OPPONENTS[..]].concat()));
        let [a, b] = [a, b].map(|table| played(table.as_ref(), level, WIN));
        let units = f64::from(WIN_UNITS);
        let difference = |(a, b): (&f64, &f64)| (a - b) / units;
        let differences: Vec<f64> = a.0.iter().zip(&b.0).map(difference).collect();
        let apart = (variance(&a.0) + variance(&b.0)) / units / units;
        let together = variance(&differences);
        let columns: Vec<&[f64]> = luck.iter().map(|(column, _)| &column[..]).collect();
        let explained = explained(&differences, &columns);
        let seconds = |variance: f64, time: f64| variance * (Z95 / HALF_WIDTH).powi(2) * time;
        let both = a.1 + b.1;
        let control = both + luck.iter().map(|(_, time)| time).sum::<f64>();
        println!(
            "{:<44}{:>10.3}{:>8.3}{:>18.3}{:>10.1} %",
            bots.join(" and "),
            seconds(apart, both),
            seconds(together, both),
            seconds(together * (1.0 - explained), control),
            100.0 * explained
        );
    }
}

/// An outcome of the first seat, game by game, and the seconds a game.
fn played(table: &dyn Table, level: Level, outcome: usize) -> (Vec<f64>, f64) {
    let mut record = Record::new(table.layout(), GAMES);
    let mut values = Vec::new();
    let mut fastest = f64::INFINITY;
    for chunk in 0..CHUNKS {
        record.clear(GAMES);
        let play = || table.play(level, 1, chunk * GAMES as u64, &mut record);
        fastest = fastest.min(seconds(1, play));
        let column = record.column(table.layout().seat_column(0, outcome));
        values.extend(column.iter().map(|&value| f64::from(value)));
    }
    (values, fastest / GAMES as f64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b));
    products.sum::<f64>() / (a.len() - 1) as f64
}

fn variance(values: &[f64]) -> f64 {
    covariance(values, values)
}

/// The share of the variance of `y` that the best linear combination of `columns` explains: each
/// column is freed of those before it, so that their shares add up.
fn explained(y: &[f64], columns: &[&[f64]]) -> f64 {
    let mut free: Vec<Vec<f64>> = Vec::new();
    let mut share = 0.0;
    for column in columns {
        let mut own = column.to_vec();
        for other in &free {
            let slope = covariance(&own, other) / variance(other);
            let middle = mean(other);
            for (own, other) in own.iter_mut().zip(other) {
                *own -= slope * (other - middle);
            }
        }
        share += covariance(y, &own).powi(2) / variance(&own) / variance(y);
        free.push(own);
    }
    share
}
