//! What the tests share: tables, and games played at them.

use carat_core::catalog;
use carat_core::game::{Game, Layout, MetricRef, Play, Record, Seating, Table, WIN_SHARE};
use carat_core::library::Library;
use carat_core::overrides;
use carat_core::simulation::{Experiment, Games, Goal, Player, Tally, Threads, alone, play_games};
use carat_core::statistics::Estimate;
use fearless_simd::Level;
use std::path::PathBuf;

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

/// A table of `game` with its simplest bot, its strongest one, and people.
pub fn default_table(game: &Game) -> Box<dyn Table> {
    table_of(game, game.editions[0].text)
}

fn table_of(game: &Game, rules: &str) -> Box<dyn Table> {
    let strongest = format!("solved-{}", game.players);
    let mut seats = vec![game.family.unwrap_or("people"), &strongest];
    seats.resize(game.players, "people");
    table(game, rules, &seats).expect("defaults play")
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

/// A table of `game` like [`default_table`], but with short games.
pub fn short_table(game: &Game) -> Box<dyn Table> {
    let sets: Vec<String> = short(game.name).iter().map(|set| set.to_string()).collect();
    let rules = overrides::apply("rules", game.editions[0].text, &sets);
    table_of(game, &rules.expect("keys exist"))
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
    let rules = overrides::apply("rules", &edition(edition_name), &sets).expect("keys exist");
    table(game("diamant"), &rules, seats).expect("the bots can play")
}

/// Games of a seed in chunks of the usual size.
pub fn games(seed: u64) -> Games {
    let chunk = 8192;
    Games { seed, chunk }
}

/// Plays an experiment until its goal is reached by these estimates.
pub fn watch(
    experiment: &mut Experiment,
    goal: Goal,
    threads: &Threads,
    mut estimates: impl FnMut(&Experiment) -> Vec<Estimate>,
) {
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let mut look = |_: &mut Vec<()>, experiment: &Experiment| estimates(experiment);
    let play = |player: &mut Player| player.watch(experiment, goal, metric, &mut look);
    alone(threads, Level::new(), play).expect("nothing stops it");
}

/// Plays all games of an experiment.
pub fn play_all(experiment: &mut Experiment, games: u64, threads: &Threads) {
    watch(experiment, Goal::Games(games), threads, |_| Vec::new());
}

/// Plays `games` games on all processors.
pub fn play(table: &dyn Play, seed: u64, games: u64) -> Tally {
    let threads = Threads::start(0).expect("threads");
    let tally = play_games(table, &threads, seed, games).expect("no bot fails");
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
    table.guided(seed, first, &mut (), &mut referee);
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
        levels.extend(best.as_sse2().map(Level::Sse2));
    }
    levels
}

/// One of [`levels`], by lot.
pub fn level(seed: u64) -> Level {
    let levels = levels();
    levels[seed as usize % levels.len()]
}

/// The project's own folder.
pub fn project() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Random cases of a test: all in the full set, where `CARAT_FULL` is set, and a quarter in the fast one.
pub fn cases(all: u32) -> u32 {
    match std::env::var_os("CARAT_FULL") {
        Some(_) => all,
        None => all / 4,
    }
}
