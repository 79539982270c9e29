//! How a table is filled up, and the warnings about its bots.

use carat_core::library::Library;
use carat_core::strategy::SeatSpec;
use carat_studies::study::TableSpec;
use carat_studies::study::typed::Bots;

#[test]
fn one_bot_takes_the_seats_that_are_not_given() {
    let mut table = TableSpec::of("diamant");
    table.seats = vec![SeatSpec::of("depth")];
    table.others = Some(Bots::people());
    table.players = Some(4);
    let seated = table.resolve(&Library::default()).expect("they can play");
    let names = seated.seats.iter().map(|seat| seat.strategy.name.as_str());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["depth", "people", "people", "people"]
    );
    assert!(seated.headline().ends_with("others: people"));
    let again = seated
        .spec
        .resolve(&Library::default())
        .expect("they can play");
    assert_eq!(again.seats.len(), 4);
}

#[test]
fn bots_at_other_tables_than_their_own_give_one_warning() {
    let warnings = |sets: &[&str], players: usize| {
        let mut table = TableSpec::of("diamant");
        table.seats = vec!["2*solved-5".parse().expect("a bot"), SeatSpec::of("card-5")];
        table.players = Some(players);
        table.set = sets.iter().map(|set| set.to_string()).collect();
        table
            .resolve(&Library::default())
            .expect("they can play")
            .said()
    };
    assert_eq!(warnings(&[], 5), Vec::<String>::new());
    for found in [warnings(&[], 6), warnings(&["traps.snake=2"], 5)] {
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("solved-5 for iello-2016, 5 players; card-5 for"),
            "{found:?}"
        );
    }
}
