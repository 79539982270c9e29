use super::super::super::features::VOCABULARY;
use super::super::super::rules::{EDITIONS, MinerRules};
use super::super::super::{course, outcomes};
use super::super::words::{count, total};
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
            check_cards(&buffers.state, &kernel.rules);
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

/// Asserts that no card is lost, and that the cached sums are right.
fn check_cards(state: &State, rules: &PackedRules) {
    let ore = state.deck + state.discard;
    assert_eq!(count(state.bank, ORE), total(ore));
    let mut fronts = ore;
    let mut classes = state.bank;
    for mine in &state.mines {
        let mut holdings = Word::from(mine.diamonds()) * one(DIAMOND);
        let (mut movable, mut production) = (0, 0);
        for stack in mine.piles() {
            let copies = Word::from(stack.copies);
            movable += copies * one(stack.top.class());
            fronts += copies * stack.fronts;
            holdings += copies * stack.classes;
            production += i32::from(stack.copies) * stack.production;
            assert_eq!(total(stack.fronts), count(stack.classes, ORE));
        }
        assert_eq!((holdings, production), (mine.holdings, mine.production));
        assert_eq!(movable, mine.movable);
        assert!(mine.piles().is_sorted_by(|a, b| a.rank() < b.rank()));
        classes += holdings;
    }
    assert_eq!(fronts, rules.deck);
    assert_eq!(classes, rules.bank);
}
