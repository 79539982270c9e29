use super::super::super::features::VOCABULARY;
use super::super::super::rules::{EDITIONS, MinerRules};
use super::super::super::{course, outcomes};
use super::*;
use crate::game::moments::What;
use crate::game::story::StoryStyle;
use crate::game::{SCORE, Seated, Seating, WIN};

/// The strongest test of a position: with the draws and the random numbers of the game itself,
/// it ends like the game.
#[test]
fn a_game_played_on_with_its_own_luck_is_the_same_game() {
    let rules = MinerRules::from_toml("standard", EDITIONS[0].text).unwrap();
    let texts = [
        "gain + noise * 3 + random * steals - ends",
        "production_gain + 2 * makes_diamond + nearer + gain / 4 - exposes",
        "noise + 5 * steals + nearer - ends / 2 + round / 50 * spoils",
    ];
    let seated = Seated::of_texts(&texts, &VOCABULARY, Seating::EveryOrder);
    let layout = outcomes::layout(&rules, 3);
    let kernel = Kernel::new(&rules, layout, &seated.formulas, seated.seating, false).unwrap();
    let (seed, mut moments) = (4, 0);
    for number in 0..4 {
        let replayed = (seed, number, StoryStyle::PLAIN);
        let sitting = seated.in_game(seed, number);
        let course = course::course(&rules, &sitting, replayed, &mut ());
        let mut record = Record::new(&kernel.layout, 1);
        let mut buffers = kernel.buffers();
        for moment in &course.moments {
            let What::Decision(options) = &moment.what else {
                continue;
            };
            let from: &Snapshot = moment.position.of();
            buffers.state = State::standing(&kernel.rules, from);
            buffers.state.check(&kernel.rules);
            let book = Book::open(&kernel.layout, from.places, &mut record, 0);
            let mut game = kernel.game(Level::new(), &mut buffers, book, sitting.key);
            [game.luck, game.ties] = from.luck.clone();
            game.go_on(from, Some(options.chosen));
            let of = |outcome| {
                let of = |seat| record.column(kernel.layout.seat_column(seat, outcome))[0];
                [0, 1, 2].map(of)
            };
            assert_eq!(of(SCORE)[..], course.scores, "{}", moment.at);
            assert_eq!(of(WIN)[..], course.wins, "{}", moment.at);
            moments += 1;
        }
    }
    assert!(moments > 300, "{moments}");
}
