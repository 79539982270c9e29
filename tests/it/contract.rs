//! What every game in the catalog must keep, whatever its rules.

use carat::catalog::GAMES;
use carat::game::{Game, Record, Table};
use carat::study::library::Library;
use fearless_simd::Level;

/// A table of `game` under `edition` with the named seats; `None` when the bots cannot play it.
pub fn table(game: &dyn Game, rules_text: &str, seats: &[&str]) -> Option<Box<dyn Table>> {
    let library = Library::default();
    let rules = game.rules("rules", rules_text).unwrap();
    let seats: Vec<_> = seats
        .iter()
        .flat_map(|seat| library.seats(game.facts(), seat).unwrap())
        .collect();
    rules.table(&seats, true).ok()
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

#[test]
fn kernel_plays_the_referees_game() {
    let library = Library::default();
    let mut games = 0;
    for game in GAMES {
        let bots = library.strategy_names(game.facts());
        // Games that take longer are compared fewer times.
        let each = (game.facts().games / 2500).clamp(4, 400) as usize;
        for edition in game.facts().editions {
            for players in 1..=8 {
                for shift in 0..bots.len() {
                    let seats: Vec<&str> = (0..players)
                        .map(|i| bots[(shift + i * 2) % bots.len()].as_str())
                        .collect();
                    let Some(table) = table(*game, edition.text, &seats) else {
                        continue;
                    };
                    let both = both(table.as_ref(), Level::new(), 11, 1000 * shift as u64, each);
                    assert_same(
                        table.as_ref(),
                        &format!("{} {seats:?}", edition.name),
                        &both,
                    );
                    games += both[0].games();
                }
            }
        }
    }
    assert!(games >= 100_000, "only {games} games were compared");
}
