//! Golden files: transcripts of games, and results of many. Those of charts are beside each
//! chart, in its tests.
//!
//! `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; read the difference.

use crate::process::folder;
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;
use carat_studies::study::TableSpec;
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
        let spec = TableSpec {
            rules: Some(name.to_string()),
            seats: bots.map(|bot| bot.parse().expect("a bot")).to_vec(),
            ..TableSpec::of("diamant")
        };
        let seated = spec.resolve(&Library::default());
        let table = seated.expect("open to these bots").table;
        let file = format!("golden/replay-{name}.txt");
        expect_file![&file].assert_eq(&table.replay(7, 42, StoryStyle::PLAIN));
    }
}

/// A change here changes every published result.
#[test]
fn results_are_stable() {
    let here = folder();
    for (game, games, bots) in [
        ("diamant", 100_000, "threshold traps depth risk random"),
        ("diamond_cave", 200, "wanderer wanderer"),
        ("diamond_miner", 200, "builder rusher thief guardian"),
    ] {
        let seats = format!("--seat {}", bots.replace(' ', " --seat "));
        let how = format!("--games {games} --seed 1 --no-charts --quiet --out o");
        here.run(&format!("simulate {game} {seats} {how}"));
        let sheets = here.read("o/seats.csv") + "\n" + &here.read("o/table.csv");
        let file = format!("golden/results-{game}.txt");
        expect_file![&file].assert_eq(&sheets);
    }
}
