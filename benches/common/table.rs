//! Bots at a table, for the benches.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carat_core::catalog;
use carat_core::game::{Seating, Table};
use carat_core::library::{Library, SourceText};

/// Seats `seats`, as on the command line, at a table of `game` by its first edition.
pub fn table(game: &str, seats: &[&str]) -> Box<dyn Table> {
    let game = catalog::find(game).expect("the game is in the catalog");
    let large = SourceText::new("large", large());
    let mut library = Library::default();
    library.beside = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
    library.strategies.push(large);
    let load = |seat: &&str| {
        let seats = library.seats(game, &seat.parse().expect("a bot"));
        seats.expect("the bench's bots load")
    };
    let seats: Vec<_> = seats.iter().flat_map(load).collect();
    let edition = &game.editions[0];
    let rules = game.rules(edition.name, edition.text);
    let rules = rules.expect("editions load");
    rules
        .table(&seats, Seating::EveryOrder)
        .expect("the bench's bots can play")
}

/// A bot of Diamant that leaves with a probability from a table of 302,400 cells, as one that was
/// learnt does. What is in them is arbitrary.
fn large() -> String {
    let axes = [
        "[2, 3, 4, 5]",
        "[2, 3, 4, 5, 6, 7, 8]",
        "[0.01, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.22, 0.26, 0.3, 0.4]",
        "[1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 27, 35]",
        "[1, 5, 10, 20]",
        "[5, 10, 15, 20, 25, 30, 40, 50]",
    ];
    let cells = 5 * 8 * 12 * 14 * 5 * 9;
    let bytes = (0..cells).map(|cell: u32| (cell.wrapping_mul(2_654_435_769) >> 24) as u8);
    let packed = STANDARD.encode(bytes.collect::<Vec<_>>());
    format!(
        "leave = 'random < go[round, explorers, bust_risk, held, relic_worth, chest]'\n\
         [tables.go]\naxes = [{}]\nvalues = {{ packed = '{packed}', scale = [0, 0.3] }}\n",
        axes.join(", ")
    )
}
