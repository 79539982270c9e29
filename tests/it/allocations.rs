//! Playing more games allocates nothing more.

use crate::fixtures::{default_table, game, table};
use carat::catalog::GAMES;
use carat::game::Record;
use carat::game::story::Telling;
use fearless_simd::Level;

/// Bots that look at what those of the default tables do not.
const OTHERS: [(&str, [&str; 4]); 2] = [
    (
        "diamond_cave",
        ["prospector", "gambler", "hoarder", "saboteur"],
    ),
    ("diamond_miner", ["builder", "rusher", "thief", "guardian"]),
];

#[test]
fn no_game_allocates() {
    let defaults = GAMES.iter().map(|game| (game.name, default_table(game)));
    let others = OTHERS.iter().map(|(name, seats)| {
        let game = game(name);
        let table = table(game, game.editions[0].text, seats);
        (*name, table.expect("they can play"))
    });
    for (name, table) in defaults.chain(others) {
        let mut record = Record::new(table.layout(), 2048);
        let mut allocations = |games| {
            record.clear(games);
            let play = || table.play(Level::new(), 1, 0, &mut record);
            allocation_counter::measure(play).count_total
        };
        // What the first chunk allocates may serve the next ones, too.
        let few = allocations(128);
        let again = allocations(128);
        let many = allocations(2048);
        assert_eq!(many, again, "{name}: 2048 and 128 games");
        assert!(again <= few && few < 100, "{name}: {few} allocations");
    }
}

#[test]
fn no_playout_allocates() {
    for game in GAMES {
        let table = default_table(game);
        let Some(moments) = table.moments() else {
            continue;
        };
        let course = moments.course(1, 0, Telling::PLAIN);
        let position = &course.moments[course.moments.len() / 2].position;
        let mut record = Record::new(&table.layout().bare(), 1024);
        let mut allocations = |games| {
            record.clear(games);
            let play = || moments.play_on(Level::new(), position, None, 1, 0, &mut record);
            allocation_counter::measure(play).count_total
        };
        // The first call makes what later ones use again.
        let first = allocations(64);
        assert!(
            first < 120,
            "{}: {first} allocations for a chunk",
            game.name
        );
        let few = allocations(64);
        assert_eq!(allocations(1024), few, "{}", game.name);
        assert!(few <= first, "{}", game.name);
    }
}
