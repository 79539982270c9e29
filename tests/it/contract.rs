//! What every game in the catalog must keep, whatever its rules.

use carat::catalog::GAMES;
use carat::game::{Game, Record, Table};
use carat::study::library::Library;
use fearless_simd::{Level, Simd};

/// A table of `game` under `edition` with the named seats; `None` when the bots cannot play it.
pub fn table(game: &dyn Game, rules_text: &str, seats: &[&str]) -> Option<Box<dyn Table>> {
    let library = Library::default();
    let rules = game.rules("rules", rules_text).unwrap();
    let seats: Vec<_> = seats
        .iter()
        .flat_map(|seat| library.seats(game.facts(), seat).unwrap())
        .collect();
    rules.table(&seats).ok()
}

/// Every level of vector instructions that this machine has.
pub fn levels() -> Vec<Level> {
    let mut levels = vec![Level::new(), Level::baseline()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(levels[0].as_avx2().map(Simd::level));
        levels.extend(levels[0].as_sse4_2().map(Simd::level));
    }
    levels
}

/// Games `first ..` of `seed` by the kernel.
pub fn fast(table: &dyn Table, level: Level, seed: u64, first: u64, games: usize) -> Record {
    let mut record = Record::new(table.layout(), games);
    table.play(level, seed, first, &mut record);
    record
}

/// The same games by the referee.
pub fn plain(table: &dyn Table, seed: u64, first: u64, games: usize) -> Record {
    let mut record = Record::new(table.layout(), games);
    table.referee(seed, first, &mut record);
    record
}

/// Shows the first difference instead of two huge records.
#[track_caller]
pub fn assert_same(table: &dyn Table, context: &str, kernel: &Record, referee: &Record) {
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
        for edition in game.facts().editions {
            for players in 1..=8 {
                for shift in 0..bots.len() {
                    let seats: Vec<&str> = (0..players)
                        .map(|i| bots[(shift + i * 2) % bots.len()].as_str())
                        .collect();
                    let Some(table) = table(*game, edition.text, &seats) else {
                        continue;
                    };
                    let table = table.as_ref();
                    let first = 1000 * shift as u64;
                    let referee = plain(table, 11, first, 400);
                    for level in levels() {
                        let kernel = fast(table, level, 11, first, 400);
                        let context = format!("{} {seats:?} {level:?}", edition.name);
                        assert_same(table, &context, &kernel, &referee);
                    }
                    games += referee.games();
                }
            }
        }
    }
    assert!(games >= 100_000, "only {games} games were compared");
}

/// Decks that run out, of 64 cards, of relics alone, and of the largest treasures.
#[test]
fn kernel_plays_the_referees_game_with_odd_decks() {
    let game = carat::catalog::find("diamant").unwrap();
    let treasures = "treasures = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]";
    let many = format!("treasures = {:?}", [255; 54]);
    let sevens = format!("treasures = {:?}", [7; 44]);
    let mut compared = 0;
    for edition in game.facts().editions {
        let traps = |copies: &str| -> String {
            let after = edition.text.find("[traps]").unwrap();
            let (head, tail) = edition.text.split_at(after);
            head.to_owned() + &tail.replace(" = 3\n", copies)
        };
        let odd = [
            traps(" = 1\n").replace(treasures, &many),
            traps(" = 1\n").replace(treasures, &sevens),
            traps(" = 2\n").replace(treasures, "treasures = [255, 254]"),
            traps(" = 2\n").replace("rounds = 5", "rounds = 20"),
            traps("_gone = 1\n").replace(treasures, "treasures = [3]"),
            {
                let (head, tail) = edition.text.split_at(edition.text.find("[traps]").unwrap());
                let tail = &tail[tail.find("[relics]").unwrap()..];
                let head = head.replace(treasures, "treasures = []");
                format!("{head}[traps]\n{tail}").replace("= []", "= [1, 2, 3]")
            },
        ];
        for (number, text) in odd.iter().enumerate() {
            for seats in [
                &["threshold:target=200"][..],
                &["last-out", "relic-hunter", "risk", "depth:cards=50"],
                &[
                    "random",
                    "chaser",
                    "last-out",
                    "threshold:target=900",
                    "first-out",
                ],
                &["depth:cards=60"; 8],
            ] {
                let Some(table) = table(game, text, seats) else {
                    continue;
                };
                let table = table.as_ref();
                let referee = plain(table, 3, 70, 300);
                for level in levels() {
                    let kernel = fast(table, level, 3, 70, 300);
                    let context = format!("{} {number} {seats:?} {level:?}", edition.name);
                    assert_same(table, &context, &kernel, &referee);
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 60, "only {compared} tables were compared");
}
