//! Diamant against an independent simulator, and the invariants found on the way.

use crate::fixtures::{diamant, estimate, play, project};
use carat_core::game::{SCORE, SCORE_MEAN, WIN_SHARE};
use carat_core::simulation::Tally;

/// The tables of the reference file: rows of bots with their published figures.
fn references() -> Vec<Vec<Vec<String>>> {
    let file = project().join("tests/it/data/diamant_reference.csv");
    let text = std::fs::read_to_string(file).expect("the reference file");
    let rows = text.lines().skip(1);
    let rows = rows.map(|line| line.split(',').map(str::to_string).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    assert!(rows.len() == 37 && rows.iter().all(|row| row.len() == 15));
    let tables = rows.chunk_by(|a, b| a[..2] == b[..2]);
    tables.map(<[_]>::to_vec).collect()
}

#[test]
fn every_row_is_within_four_standard_errors() {
    for rows in references() {
        // "NAME with key = value and key = value" changes values of an edition.
        let (edition, changes) = rows[0][1].split_once(" with ").unwrap_or((&rows[0][1], ""));
        let sets = changes.split(" and ").filter(|set| !set.is_empty());
        let sets: Vec<&str> = sets.collect();
        let seats: Vec<&str> = rows.iter().map(|row| row[4].as_str()).collect();
        let table = diamant(edition, &sets, &seats);
        let layout = table.layout();
        let tally = play(table.as_ref(), 2024, 1_000_000);
        for (seat, row) in rows.iter().enumerate() {
            let number = |column: usize| -> f64 { row[column].parse().expect("a number") };
            let win = tally.seat(layout, WIN_SHARE, seat);
            let score = tally.seat(layout, SCORE_MEAN, seat);
            let bust = estimate(&tally, layout, "bust_rate");
            let cards = estimate(&tally, layout, "cards_per_game");
            let near = |what: &str, value: f64, se: f64, column: usize| {
                let error = se.hypot(number(column + 1));
                // Published figures are rounded.
                let allowed = 4.0 * error + 1e-5;
                let off = (value - number(column)).abs();
                assert!(
                    off <= allowed,
                    "{row:?}: {what} {value} is off by {off} > {allowed}"
                );
            };
            near("win share", win.value, win.se, 6);
            near("mean", score.value, score.se, 8);
            near("bust rate", bust.value, bust.se, 11);
            near("cards", cards.value, cards.se, 13);
            let sd = score.se * (tally.games as f64).sqrt();
            assert!((sd / number(10) - 1.0).abs() < 0.01, "{row:?}: sd {sd}");
        }
    }
}

fn bust_rate(tally: &Tally, layout: &carat_core::game::Layout, seat: usize) -> f64 {
    estimate(tally, layout, &format!("bust_rate@{}", seat + 1)).value
}

#[test]
fn identical_bots_share_everything_and_take_no_relic() {
    let table = diamant("iello-2016", &[], &["4*threshold:target=9"]);
    let layout = table.layout();
    let tally = play(table.as_ref(), 5, 20_000);
    for seat in 0..4 {
        let win = tally.seat(layout, WIN_SHARE, seat);
        assert_eq!((win.value, win.low, win.high), (0.25, 0.25, 0.25));
        let relics = estimate(&tally, layout, &format!("relics_per_game@{}", seat + 1));
        assert_eq!(relics.value, 0.0);
        assert_eq!(tally.scores[seat], tally.scores[0]);
    }
}

#[test]
fn a_bot_that_never_leaves_scores_nothing_and_one_of_weak_nerves_never_busts() {
    let table = diamant(
        "iello-2016",
        &[],
        &["threshold:target=1e6", "traps:nerve=1"],
    );
    let layout = table.layout();
    let tally = play(table.as_ref(), 5, 20_000);
    assert_eq!(tally.columns[layout.seat_column(0, SCORE)].sum, 0);
    assert_eq!(bust_rate(&tally, layout, 0), 1.0);
    assert_eq!(bust_rate(&tally, layout, 1), 0.0);
}

/// With nobody ever leaving, how long the first expedition lasts has a closed form.
#[test]
fn survival_follows_its_formula() {
    for (edition, blanks, mean_length) in [
        ("schmidt-2005", 15, 7.417_083),
        ("iello-2016", 20, 8.613_387),
    ] {
        let table = diamant(edition, &["rounds=1"], &["threshold:target=1e6"]);
        let games = 400_000;
        let tally = play(table.as_ref(), 8, games);
        let cards = blanks + 15;
        let binomial = |n: usize, k: usize| -> f64 {
            if k > n {
                0.0
            } else {
                (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
            }
        };
        let survived = |k: usize| -> f64 {
            let ways = (0..=5.min(k))
                .map(|j| binomial(5, j) * 3f64.powi(j as i32) * binomial(blanks, k - j));
            ways.sum::<f64>() / binomial(cards, k)
        };
        let expected: f64 = (0..=blanks + 5).map(survived).sum();
        assert!(
            (expected - mean_length).abs() < 1e-6,
            "{edition}: {expected}"
        );
        let length = estimate(&tally, table.layout(), "cards_per_game");
        assert!(
            (length.value - expected).abs() < 4.0 * length.se,
            "{edition}: {length:?}"
        );
        // The count of expeditions ended at each number of cards is a multinomial sample.
        for k in 1..=blanks + 5 {
            let p = survived(k - 1) - survived(k);
            let ended = tally.counts[k * 2] as f64 / games as f64;
            let error = (p * (1.0 - p) / games as f64).sqrt();
            assert!(
                (ended - p).abs() <= 5.0 * error + 1e-9,
                "{edition}, {k} cards: {ended}, {p}"
            );
        }
    }
}
