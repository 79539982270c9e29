use super::*;
use crate::formula::Vocabulary;
use std::collections::BTreeMap;

#[test]
fn every_bot_takes_every_place_in_its_turn() {
    for seating in [Seating::EveryOrder, Seating::Neighbours] {
        let first: Vec<usize> = (0..4)
            .map(|game| seating.places(4, game).bot_at(0))
            .collect();
        assert_eq!(first, [0, 3, 2, 1]);
    }
    assert_eq!(Seating::Neighbours.places(4, 5).bots(), [3, 0, 1, 2]);
    assert_eq!(Seating::Fixed.places(4, 3).bots(), [0, 1, 2, 3]);
    assert_eq!(Seating::EveryOrder.places(1, 7).bots(), [0]);
}

#[test]
fn every_order_comes_equally_often() {
    for seats in 1..=7 {
        let all: u64 = (1..=seats as u64).product();
        let mut seen: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
        for game in 0..2 * all {
            let bots = Seating::EveryOrder.places(seats, game).bots();
            *seen.entry(bots).or_default() += 1;
        }
        assert_eq!(seen.len() as u64, all, "{seats}");
        assert!(seen.values().all(|&times| times == 2), "{seats}");
    }
}

#[test]
fn few_games_have_every_neighbour() {
    for seats in 3..=8 {
        let mut left_of_first = [0; SEATS_MAX];
        for block in 0..8 * (seats as u64 - 1) {
            let bots = Seating::EveryOrder
                .places(seats, block * seats as u64)
                .bots();
            left_of_first[bots[1]] += 1;
        }
        let met = &left_of_first[1..seats];
        assert!(
            met.iter().all(|times| (5..=11).contains(times)),
            "{seats}: {met:?}"
        );
    }
}

impl Seated {
    /// Bots with such formulas, without names.
    pub fn of_texts(texts: &[&str], vocabulary: &Vocabulary, seating: Seating) -> Seated {
        let formula = |text: &&str| Formula::parse(text, &[], vocabulary).unwrap().bind(&[]);
        Seated {
            formulas: texts.iter().map(formula).collect(),
            names: vec![String::new(); texts.len()],
            copies: Vec::new(),
            seating,
        }
    }
}
