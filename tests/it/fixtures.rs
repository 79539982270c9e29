//! What the tests share: tables, and studies played without the command line.

use carat_core::catalog;
use carat_core::game::{Game, Table};
use carat_core::library::Library;
use carat_core::simulation::{Discard, FinishedParts, NotKept, Player, Threads};
use carat_studies::study::{Played, Ready, TableSpec};
use fearless_simd::Level;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The game called `name`.
pub fn game(name: &str) -> &'static Game {
    catalog::find(name).expect("a game of the catalog")
}

/// Values of rules with short games.
pub fn short(game: &str) -> &'static [&'static str] {
    match game {
        "diamond_cave" => &[
            "size=5",
            "deck=3",
            "diamonds=3",
            "cards.torch=9",
            "cards.dark=9",
            "cards.standard=\"rest\"",
        ],
        "diamond_miner" => &["goal=1"],
        _ => &[],
    }
}

/// A table of `game` with its own defaults, but short games, and more values of rules.
pub fn short_table(game: &str, more: &[&str]) -> Arc<dyn Table> {
    let mut spec = TableSpec::of(game);
    let sets = short(game).iter().chain(more);
    spec.set = sets.map(|set| set.to_string()).collect();
    spec.resolve(&Library::default())
        .expect("defaults play")
        .table
}

/// The text of an edition of Diamant.
pub fn edition(name: &str) -> String {
    let editions = game("diamant").editions;
    let edition = editions.iter().find(|edition| edition.name == name);
    edition.expect("an edition of Diamant").text.to_string()
}

/// Plays a study.
pub fn play_study(
    ready: Ready,
    threads: &Threads,
    finished: &mut dyn FinishedParts,
) -> Result<Option<Played>, NotKept> {
    ready.play(&mut Player {
        threads,
        level: Level::new(),
        stop: &AtomicBool::new(false),
        played: &AtomicU64::new(0),
        listener: &mut Discard,
        finished,
        sharing: None,
        each: None,
    })
}

/// The project's own folder.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
