//! A measure of one's own, over what carat counts of each game: how often does a game
//! have more than 40 cards?
//!
//!   cargo run --release -p carat-core --example own_measure

use carat_core::game::{MetricRef, Seating};
use carat_core::library::Library;
use carat_core::simulation::{Threads, play_games};
use carat_core::thinking;

fn main() {
    let game = carat_core::catalog::find("diamant").expect("carat plays Diamant");
    let rules = game
        .rules("iello-2016", game.editions[0].text)
        .expect("an edition");
    let library = Library::default();
    let spec = "5*people".parse().expect("copies and a name");
    let bots = library.seats(game, &spec).expect("an included bot");
    let mut table =
        thinking::table(rules.as_ref(), &bots, Seating::EveryOrder).expect("five players");
    let layout = table.layout_mut();
    layout
        .define("long_games", "cards > 40")
        .expect("a formula over counts of Diamant");
    let threads = Threads::start(0).expect("one for each processor");
    let tally = play_games(table.as_ref(), &threads, 1, 1_000_000).expect("no bot fails");
    let long = tally.estimate(table.layout(), MetricRef::of_table("long_games"));
    println!(
        "more than 40 cards in {} of the games",
        long.expect("a share has a value")
    );
}
