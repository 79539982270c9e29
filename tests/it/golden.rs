//! Golden files: transcripts of games, and what is summed of many. Those of charts are beside each
//! chart, in its tests.
//!
//! `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; read the difference.

use crate::fixtures::{edition, game, play, table};
use carat::game::story::Telling;
use expect_test::expect_file;

/// Editions of Diamant that differ in more than their cards.
pub const EDITIONS: [&str; 4] = [
    "iello-2016",
    "schmidt-2005-alt",
    "incan-gold-2006",
    "incan-gold-2020",
];

#[test]
fn transcripts_read_well() {
    let bots = ["threshold", "depth:cards=5", "relic-hunter", "last-out"];
    for name in EDITIONS {
        let table = table(game("diamant"), &edition(name), &bots).expect("open to these bots");
        let file = format!("golden/replay-{name}.txt");
        expect_file![&file].assert_eq(&table.replay(7, 42, Telling::PLAIN));
    }
}

/// A change here changes every published result.
#[test]
fn results_are_stable() {
    let mut told = String::new();
    for (name, games, seats) in [
        ("diamant", 100_000, "threshold traps depth risk random"),
        ("diamond_cave", 200, "wanderer wanderer"),
        ("diamond_miner", 200, "builder rusher thief guardian"),
    ] {
        let (game, seats) = (game(name), seats.split(' ').collect::<Vec<_>>());
        let table = table(game, game.editions[0].text, &seats).expect("they can play");
        let tally = play(table.as_ref(), 1, games);
        told += &format!("{name}: sums of all outcomes of {games} games\n");
        for (column, outcome) in tally.columns.iter().enumerate() {
            told += &format!("{column:>3} {:>10}\n", outcome.sum);
        }
    }
    expect_file!["golden/sums.txt"].assert_eq(&told);
}
