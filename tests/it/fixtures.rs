//! What the tests share: tables, whole runs, and carat as a process.

use carat::catalog;
use carat::game::{Game, Layout, MetricRef, Play, Record, Seating, Table};
use carat::simulation::{Job, Sums, Tally, Threads, run};
use carat::statistics::Estimate;
use carat::study::library::Library;
use fearless_simd::Level;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The game called `name`.
pub fn game(name: &str) -> &'static Game {
    catalog::find(name).expect("a game of the catalog")
}

/// A table of `game` under these rules; `None` when the bots cannot play together.
pub fn table(game: &Game, rules: &str, seats: &[&str]) -> Option<Box<dyn Table>> {
    let library = Library::default();
    let rules = game
        .rules("rules", rules)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let bots = seats.iter().flat_map(|seat| {
        library
            .seats(game, &seat.parse().expect("a bot"))
            .unwrap_or_else(|fault| panic!("{fault}"))
    });
    rules
        .table(&bots.collect::<Vec<_>>(), Seating::EveryOrder)
        .ok()
}

/// The text of an edition of Diamant.
pub fn edition(name: &str) -> String {
    let editions = game("diamant").editions;
    let edition = editions.iter().find(|edition| edition.name == name);
    edition.expect("an edition of Diamant").text.to_string()
}

/// A table of Diamant under `edition`, with values set as by `--set`.
pub fn diamant(edition_name: &str, sets: &[&str], seats: &[&str]) -> Box<dyn Table> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    let rules = carat::study::apply("rules", &edition(edition_name), &sets).expect("keys exist");
    table(game("diamant"), &rules, seats).expect("the bots can play")
}

/// Plays `games` games on all processors.
pub fn play(table: &dyn Play, seed: u64, games: u64) -> Tally {
    let tables = [table];
    let threads = Threads::start(0).expect("threads");
    let job = Job {
        tables: &tables,
        products: &[],
        seed,
        games,
        chunk: 8192,
        threads: &threads,
        level: Level::new(),
    };
    let (played, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let go_on = &mut |_: &Sums| ControlFlow::Continue(());
    let (mut sums, _) = run(&job, &played, &stop, go_on);
    let tally = sums.tables.remove(0);
    assert_eq!(tally.games, games);
    tally
}

/// A metric by the name that a study has for it.
pub fn estimate(tally: &Tally, layout: &Layout, metric: &str) -> Estimate {
    let metric = MetricRef::find(layout, metric).expect("a metric");
    tally
        .estimate(layout, metric)
        .expect("something to divide by")
}

/// The same games by kernel and referee.
pub fn both(table: &dyn Table, level: Level, seed: u64, first: u64, games: usize) -> [Record; 2] {
    let mut kernel = Record::new(table.layout(), games);
    let mut referee = kernel.clone();
    table.play(level, seed, first, &mut kernel);
    table.referee(seed, first, &mut referee);
    [kernel, referee]
}

/// Shows the first difference instead of two huge records.
#[track_caller]
pub fn assert_same(table: &dyn Table, context: &str, [kernel, referee]: &[Record; 2]) {
    for column in 0..table.layout().columns() {
        for game in 0..kernel.games() {
            let (fast, plain) = (kernel.column(column)[game], referee.column(column)[game]);
            assert_eq!(
                fast, plain,
                "{context}: game {game}, column {column}: kernel, referee"
            );
        }
    }
    assert_eq!(kernel.counts, referee.counts, "{context}: counts");
}

/// Every level of vector instructions that this machine has.
pub fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_sse2().map(Level::Sse2));
    }
    levels
}

/// A fresh folder that is gone when the test ends.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// carat as a process, run in `folder`.
pub fn carat(folder: &std::path::Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carat"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("carat starts")
}

/// What a process printed, as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The project's own folder.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs carat and demands success; tells what it printed.
#[track_caller]
pub fn ok(folder: &std::path::Path, args: &[&str]) -> String {
    let output = carat(folder, args);
    assert!(
        output.status.success(),
        "carat {args:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The files of a folder with their bytes, sorted by name.
pub fn contents(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("results").flatten();
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).expect("a result"))
    };
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}
