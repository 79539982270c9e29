//! The charts of games tell what was played.

use crate::fixtures::{game, play, table};
use carat_core::figure::{Figure, Row};
use carat_core::game::Table;
use carat_core::sheet::{Sheet, Values};

const SEED: u64 = 5;

fn figure(table: &dyn Table, name: &str, games: u64) -> Figure {
    let tally = play(table, SEED, games);
    let counted = tally.counted(table.layout());
    let mut figures = table.figures(&counted).into_iter();
    let (_, figure) = figures.find(|(known, _)| *known == name).expect(name);
    figure
}

#[test]
fn what_a_place_is_worth_adds_up() {
    let games = 300;
    for (name, chart, seats) in [
        (
            "diamond_cave",
            "playing_order",
            ["prospector", "gambler", "hoarder"],
        ),
        ("diamond_miner", "places", ["builder", "rusher", "guardian"]),
    ] {
        let game = game(name);
        let table = table(game, game.editions[0].text, &seats).expect("a table");
        let tally = play(table.as_ref(), SEED, games);
        let sheets = table.sheets(&tally.counted(table.layout()));
        let sheet = sheets
            .iter()
            .find(|sheet| sheet.name == chart)
            .expect("a sheet");
        let [played, shares, low, high] = ["games", "win_share", "win_share_low", "win_share_high"]
            .map(|name| column(sheet, name));
        assert_eq!(played.iter().sum::<f64>(), 3.0 * games as f64, "{name}");
        let won: f64 = played
            .iter()
            .zip(&shares)
            .map(|(games, share)| games * share)
            .sum();
        assert!((won - games as f64).abs() < 1e-6, "{name}: {won} games won");
        for at in 0..shares.len() {
            assert!(low[at] <= shares[at] && shares[at] <= high[at] && low[at] < high[at]);
        }
        let Figure::Rows(figure) = figure(table.as_ref(), chart, games) else {
            panic!("{chart} is another chart");
        };
        let places =
            |row: &Row| -> Vec<f64> { row.lines.iter().map(|line| line.estimate.value).collect() };
        let everybody: f64 = places(&figure.rows[0]).iter().sum();
        assert!((everybody - 1.0).abs() < 1e-9, "{name}: {everybody}");
        let own: Vec<f64> = (figure.rows[1..].iter())
            .map(|row| places(row)[0])
            .collect();
        assert_eq!(own, shares[..3], "the first place");
    }
}

/// The numbers of a column.
pub fn column(sheet: &Sheet, name: &str) -> Vec<f64> {
    let sheet = sheet.written();
    let column = sheet.columns.iter().find(|column| column.name == name);
    match &column.expect(name).values {
        Values::Whole(values) => values
            .iter()
            .map(|value| value.expect(name) as f64)
            .collect(),
        Values::Number(values) => values.iter().map(|value| value.expect(name)).collect(),
        _ => panic!("{name} holds no numbers"),
    }
}
