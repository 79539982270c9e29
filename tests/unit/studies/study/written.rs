use super::*;
use carat_core::games::diamant::GAME;
use carat_core::strategy::{SeatSpec, Strategy};

#[test]
fn a_bot_keeps_its_comments_and_takes_its_values() {
    let text = "# mine\nleave = \"held >= a + b[traps_seen, explorers]\" # so\n\n[params]\na = 3 # few\n\n\
                [tables.b]\naxes = [[1], [2, 3]]\nvalues = [[1, 2, 3], [4, 5, 6]]\n";
    let strategy = Strategy::from_toml("mine", "mine.toml", text, GAME.vocabulary).unwrap();
    let spec = SeatSpec::parse("mine:a=2.5,b.2.3=-7").unwrap();
    let seat = Seat::new(strategy, &spec.params).unwrap();
    let file = bot_file(&seat);
    let wanted = text
        .replace("a = 3", "a = 2.5")
        .replace("[4, 5, 6]", "[4, 5, -7]");
    assert_eq!(file, wanted);
    let read = Strategy::from_toml("mine", "mine.toml", &file, GAME.vocabulary).unwrap();
    let read = Seat::new(read, &[]).unwrap();
    assert_eq!(read.values, seat.values);
}
