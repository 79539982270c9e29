//! Golden files: transcripts of games. Those of charts are beside each chart, in its tests.
//!
//! `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; read the difference.

use crate::fixtures::{edition, game, table};
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
