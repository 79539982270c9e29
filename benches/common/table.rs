//! Bots at a table, for the benches.

use carat::catalog;
use carat::game::Table;
use carat::study::library::Library;

/// Seats `seats`, as on the command line, at a table of `game` by its first edition.
pub fn table(game: &str, seats: &[&str]) -> Box<dyn Table> {
    let game = catalog::find(game).expect("the game is in the catalog");
    let library = Library::default();
    let load = |seat: &&str| {
        let seats = library.seats(game, &seat.parse().expect("a bot"));
        seats.expect("the bench's bots load")
    };
    let seats: Vec<_> = seats.iter().flat_map(load).collect();
    let edition = &game.editions[0];
    let rules = game.rules(edition.name, edition.text);
    let rules = rules.expect("editions load");
    rules
        .table(&seats, true)
        .expect("the bench's bots can play")
}
