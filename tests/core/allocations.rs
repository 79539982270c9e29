//! Playing more games allocates nothing more.

use crate::fixtures::{default_table, table};
use carat_core::catalog::GAMES;
use carat_core::game::practice::Offer;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Game, Record, Table};
use carat_core::library::Library;
use fearless_simd::Level;

/// Tables of a game at which every bot that ships sits once.
fn tables(game: &'static Game) -> impl Iterator<Item = (String, Box<dyn Table>)> {
    let bots = Library::default().strategy_names(game);
    (0..bots.len())
        .step_by(game.players)
        .filter_map(move |first| {
            let seats = bots.iter().cycle().skip(first).take(game.players);
            let seats: Vec<&str> = seats.map(String::as_str).collect();
            let table = table(game, game.editions[0].text, &seats)?;
            Some((format!("{} {seats:?}", game.name), table))
        })
}

#[test]
fn no_game_allocates() {
    for (name, table) in GAMES.iter().flat_map(|game| tables(game)) {
        let mut record = Record::new(table.layout(), 512);
        let mut allocations = |games| {
            record.clear(games);
            let play = || table.play(Level::new(), 1, 0, &mut record);
            allocation_counter::measure(play).count_total
        };
        // What the first chunk allocates may serve the next ones, too.
        let few = allocations(64);
        let again = allocations(64);
        let many = allocations(512);
        assert_eq!(many, again, "{name}: 512 and 64 games");
        assert!(again <= few && few < 100, "{name}: {few} allocations");
    }
}

#[test]
fn no_game_of_practice_allocates() {
    for game in GAMES.iter().filter(|game| game.training.is_some()) {
        let table = default_table(game);
        let mut record = Record::new(table.layout(), 128);
        let mut allocations = |games| {
            record.clear(games);
            let mut pick = |offer: &Offer| Some(offer.scores.len() / 2);
            let play = || table.practise(Level::new(), (1, 0), &mut pick, &mut record);
            allocation_counter::measure(play).count_total
        };
        // The first call makes what later ones use again.
        allocations(128);
        assert_eq!(allocations(32), allocations(128), "{}", game.name);
    }
}

#[test]
fn no_playout_allocates() {
    for game in GAMES {
        let table = default_table(game);
        let course = table.course(1, 0, StoryStyle::PLAIN);
        let position = &course.moments[course.moments.len() / 2].position;
        let mut record = Record::new(&table.layout().bare(), 1024);
        let mut allocations = |games| {
            record.clear(games);
            let play = || table.play_on(Level::new(), (position, None), (1, 0), &mut record);
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
